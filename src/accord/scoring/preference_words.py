"""What preferences say, in a sentence, tables and what else is to know of them."""

from accord.records import dataclass
from accord.scoring.preference_raters import has_few
from accord.scoring.preference_result import PreferencePair, Preferences
from accord.scoring.standing import standing, told_apart
from accord.sentences import Sentence, said_of
from accord.tables.table import Cell, Column, Table
from accord.words import counted, p_text, steady

__all__ = [
    "CHOSEN",
    "Chosen",
    "further",
    "pairs_table",
    "preferred",
    "raters_table",
    "shown_here",
    "shown_of_others",
    "systems_table",
]

Better = set[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the sentence is chosen from: which pairs differ for other raters, and which with these raters as given."""

    result: Preferences
    others: Better
    here: Better

    @property
    def names(self) -> list[str]:
        return [system.name for system in self.result.systems]

    @property
    def is_of_two(self) -> bool:
        return len(self.result.systems) == 2

    @property
    def has_few(self) -> bool:
        return has_few(self.result.raters)

    def standing(self, better: Better) -> str:
        return f"{standing(self.names, better)} {told_apart(self.names, better)}".rstrip()

    @property
    def share(self) -> str:
        """How many of the choices that are no tie the first of two systems has."""
        (pair,) = self.result.pairs
        return f"{pair.wins:,} of {pair.wins + pair.losses:,} decided choices"

    @property
    def these(self) -> str:
        raters = self.result.raters
        return "With this one rater" if raters == 1 else f"With these {raters} raters" if raters else "Here"

    @property
    def on_others(self) -> str:
        return f" on other {self.result.texts} too" if self.result.texts else ""

    @property
    def of_other_raters(self) -> str:
        """What these raters say of others, where it is not shown that others choose alike."""
        if not self.result.raters:
            return ""
        if self.result.raters == 1:
            return " One rater says nothing of other raters."
        if self.has_few:
            return " Two raters are too few to speak of other raters."
        return " It is not shown that other raters would choose alike."

    @property
    def holds_for(self) -> str:
        """Of whom a difference over raters is true besides those who were asked."""
        if not self.result.raters:
            return ""
        return f" This holds for other raters{' and other items' if self.result.texts else ''} too."

    @property
    def more_here(self) -> str:
        more = len(self.here - self.others)
        differ = "differs" if more == 1 else "differ"
        return f" {self.these} {counted(more, 'more pair')} {differ}{self.on_others}." if more else ""


# A table should look like one.
# fmt: off
CHOSEN: tuple[Sentence[Chosen], ...] = (
    Sentence("others_of_two", lambda seen: seen.is_of_two and bool(seen.others),
             lambda seen: f"{seen.names[0]} is preferred to {seen.names[1]}: {seen.share}.{seen.holds_for}"),
    Sentence("here_of_two", lambda seen: seen.is_of_two and bool(seen.here),
             lambda seen: f"{seen.these} {seen.names[0]} is preferred to {seen.names[1]}{seen.on_others}: "
                          f"{seen.share}.{seen.of_other_raters}"),
    Sentence("few_and_none_of_two", lambda seen: seen.is_of_two and seen.has_few,
             lambda seen: f"{seen.these} no preference is shown: {seen.share} prefer {seen.names[0]}."
                          f"{seen.of_other_raters}"),
    Sentence("none_of_two", lambda seen: seen.is_of_two,
             lambda seen: f"{seen.standing(set()).rstrip('.')}: {seen.share} prefer {seen.names[0]}."),
    Sentence("others", lambda seen: bool(seen.others),
             lambda seen: f"{seen.standing(seen.others)}{seen.holds_for}{seen.more_here}"),
    Sentence("here", lambda seen: bool(seen.here),
             lambda seen: f"{seen.these}{',' * bool(seen.on_others)}{seen.on_others}: {seen.standing(seen.here)}"
                          f"{seen.of_other_raters}"),
    Sentence("none", lambda seen: not seen.others and not seen.here,
             lambda seen: f"{seen.standing(set())}{seen.of_other_raters if seen.has_few else ''}"),
)
# fmt: on


def preferred(result: Preferences, confidence: float) -> str:
    """Who is preferred, and of whom that is true: of other raters, or of these on other texts."""
    return said_of(CHOSEN, Chosen(result, shown_of_others(result, confidence), shown_here(result, confidence)))


def shown_of_others(result: Preferences, confidence: float) -> Better:
    """Who is preferred to whom by other raters too; one rater or two say nothing of others."""
    if has_few(result.raters):
        return set()
    return {_order(pair) for pair in result.pairs if pair.adjusted < 1 - confidence}


def shown_here(result: Preferences, confidence: float) -> Better:
    """Who is preferred to whom with these raters taken as given, on other documents or items too."""
    return {_order(pair) for pair in result.pairs if pair.adjusted_here < 1 - confidence}


def _order(pair: PreferencePair) -> tuple[str, str]:
    return (pair.first, pair.second) if pair.difference > 0 else (pair.second, pair.first)


def systems_table(result: Preferences) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "system": s.name,
            "ability": s.ability,
            "low": s.interval.low,
            "high": s.interval.high,
            "wins": s.wins,
            "ties": s.ties,
            "losses": s.losses,
        }
        for s in result.systems
    ]
    title = f"Preferences of {result.comparisons:,} comparisons"
    return Table(title, [Column(key, key) for key in rows[0]], rows, (result.method, result.signature))


def pairs_table(result: Preferences) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "system": p.first,
            "against": p.second,
            "difference": p.difference,
            "p": p.p,
            "adjusted_p": p.adjusted,
            "p_with_these_raters": p.adjusted_here,
            "wins": p.wins,
            "ties": p.ties,
            "losses": p.losses,
        }
        for p in result.pairs
    ]
    columns = [Column(key, key.replace("_", " ")) for key in rows[0]]
    given = f"p with these raters takes them as given and is about other {result.texts}."
    notes = (given,) if result.texts and result.raters else ()
    return Table("Pairs of systems, Holm over pairs", columns, rows, notes, is_detail=True)


def raters_table(result: Preferences) -> Table | None:
    """What each of a few raters chose between each two systems; None where raters are many or not named."""
    rows: list[dict[str, Cell]] = [
        {
            "rater": one.rater,
            "system": one.first,
            "against": one.second,
            "wins": one.wins,
            "ties": one.ties,
            "losses": one.losses,
        }
        for one in result.by_rater
    ]
    if not rows:
        return None
    columns = [Column(key, key) for key in rows[0]]
    return Table("Choices of each rater", columns, rows, is_detail=len(result.pairs) > 1)


def further(result: Preferences) -> list[str]:
    """Ties, fit, circles and cautions, a sentence each."""
    lines = []
    if result.tie:
        lines.append(f"Equal systems would tie with probability {steady(result.tie / (2 + result.tie)):.3f}.")
    if result.misfit_p >= 0.05:  # a bad fit is among the cautions
        lines.append(
            f"One ability for each system may explain who wins (ties apart: deviance {steady(result.misfit):.2f} on "
            f"{counted(result.misfit_freedom, 'degree')} of freedom, {p_text(result.misfit_p)})."
        )
    if not result.circles and len(result.systems) > 2:
        lines.append("No circle of three systems is shown.")
    return [*lines, *result.cautions]
