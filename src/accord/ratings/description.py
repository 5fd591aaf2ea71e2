"""A codebook as a person reads it: what was judged, by whom, on which scale, which end is good, what is a guess."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

from accord.arrays import distinct
from accord.design.criterion import Criterion
from accord.design.scale import Direction, Scale
from accord.plots.chart import Chart
from accord.plots.ratings import category_use
from accord.ratings.checks import require_ratings
from accord.ratings.codebook import Codebook
from accord.ratings.coding import spelled_cell
from accord.ratings.names import spelled_number
from accord.ratings.roles import control_rows
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.tables.result import Result
from accord.tables.table import Cell, Column, Table
from accord.words import counted, listed

__all__ = ["Description", "describe", "scale_words"]

_GOOD = {
    Direction.HIGH: "high is good",
    Direction.LOW: "low is good",
    Direction.NONE: "no end is better",
    Direction.UNKNOWN: "unknown",
}
_LISTED = 7
_FACTS = {
    "title": "Study", "description": "About", "guidelines": "Guidelines", "blinding": "Blinding", "order": "Order",
    "independence": "Independence", "consent": "Consent", "ethics": "Ethics", "recruitment": "Recruitment",
    "background": "Raters", "training": "Training", "pay": "Pay", "sampling": "How items were chosen",
}  # fmt: skip


@dataclass(frozen=True, repr=False)
class Description(Result):
    """What ratings mean, in sentences and one table; ``apart`` counts the names of the columns that are kept apart."""

    codebook: Codebook
    ratings: int
    items: int
    raters: int
    notes: tuple[str, ...] = ()
    apart: Mapping[str, int] = field(default_factory=dict)
    roles: Mapping[str, int] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    """Columns of texts that are there: a codebook may name some that the file was written without."""
    checking: int = 0
    """Items that check or train raters; ``items`` does not count them."""

    def answer(self) -> list[str]:
        """The sentences that come first."""
        beside = f" and {self.checking:,} that check the rater," if self.checking else ""
        items = f"{counted(self.items, 'item')}{beside}"
        sizes = f"{counted(self.ratings, 'rating')} of {items} by {counted(self.raters, 'rater')}."
        return [sizes, *_sentences(self.codebook.criteria.values())]

    def tables(self) -> Sequence[Table]:
        columns = [
            Column("criterion", "criterion"), Column("question", "question"), Column("level", "level"),
            Column("scale", "scale"), Column("good", "good end"), Column("guessed", "guessed"),
        ]  # fmt: skip
        rows: list[dict[str, Cell]] = [
            {
                "criterion": one.title, "question": one.question or one.definition or None, "level": str(one.level),
                "scale": scale_words(one.scale), "good": _GOOD[one.direction], "guessed": _guessed(one.scale),
            }
            for one in self.codebook.criteria.values()
        ]  # fmt: skip
        return [Table("What was judged", columns, rows)]

    def plot(self) -> Chart:
        """How many ratings, items and raters there are, and names of each column that is kept apart."""
        sizes = {"ratings": self.ratings, "items": self.items, "raters": self.raters, **self.apart}
        return category_use([*sizes], {"number": [*sizes.values()]}, title="What there is")

    def lines(self) -> list[str]:
        """What follows the table: items, parts, roles, who was left out, the study, and every guess."""
        book = self.codebook
        return [
            *_definitions(book),
            *self._of_items(),
            *self._apart(),
            *_left_out(book),
            *_facts(book),
            *self._source(),
            *self._guesses(),
        ]

    def _of_items(self) -> list[str]:
        item = self.codebook.item
        named = "" if item.named_by == ("item",) else f" is named by {listed(item.named_by)}"
        cluster = f" belongs to a {item.cluster}" if item.cluster else ""
        texts = [f"Texts of the items: {', '.join(self.texts)}."] if self.texts else []
        words = " and".join(filter(None, (named, cluster)))
        return [*([f"An item{words}."] if words else []), *texts]

    def _apart(self) -> list[str]:
        parts = [f"{name} ({number:,})" for name, number in self.apart.items()]
        checks = [f"{name} ({number:,})" for name, number in self.roles.items()]
        return [
            *([f"Kept apart, never paired with each other: {', '.join(parts)}."] if parts else []),
            *([f"Rows that are no ratings of a system: {', '.join(checks)}."] if checks else []),
        ]

    def _source(self) -> list[str]:
        return [f"Declared by {self.codebook.source}."] if self.codebook.source else []

    def _guesses(self) -> list[str]:
        if not self.codebook.guesses:
            return ["Nothing is guessed."]
        return [f"Guess: {words}." for words in _said_once(self.codebook.guesses, [*self.codebook.criteria])]

    def to_dict(self) -> dict[str, Any]:
        from accord.ratings.codebook_json import json_of_codebook

        return {
            "ratings": self.ratings,
            "items": self.items,
            "raters": self.raters,
            "codebook": json_of_codebook(self.codebook),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return "\n".join([*self.answer(), "", Result.__str__(self)])


def describe(ratings: Ratings | StoredRatings) -> Description:
    """What ratings mean: what was judged, on which scale, which end is good, and what is only a guess.

    Parameters
    ----------
    ratings
        What :func:`accord.read` gives, in memory or counted where they lie.

    Returns
    -------
    Description
        It prints itself with the answer first; ``codebook`` holds the meaning itself.

    Examples
    --------
    >>> import accord
    >>> ratings = accord.read("fluency.csv", value="fluency", scale="1..5", direction="high")
    >>> print(accord.describe(ratings).answer()[1])
    All ratings: ordinal scale (a guess), 1 < 2 < 3 < 4 < 5; high is good.
    """
    if not isinstance(ratings, StoredRatings):
        ratings = require_ratings(ratings, "describe")
    book = ratings.codebook
    if isinstance(ratings, StoredRatings):
        facts = ratings.facts()
        notes = (*ratings.notes, *ratings.counted_notes)
        return Description(book, len(ratings), facts.items, facts.raters, notes=notes, texts=book.item.texts)
    texts = tuple(name for name in book.item.texts if name in ratings.columns)
    there = {name: factor for name, factor in ratings.columns.items() if name in book.kept_apart}
    apart = {name: len(factor.names) for name, factor in there.items() if len(factor.names) > 1}
    roles = _roles(ratings, book)
    checking = control_rows(ratings)
    items = ratings.items if checking is None else len(distinct(ratings.item.codes[~checking]))
    return Description(
        book, len(ratings), items, ratings.raters, ratings.notes, apart, roles, texts, ratings.items - items
    )


def _roles(ratings: Ratings, book: Codebook) -> dict[str, int]:
    factor = ratings.columns.get("role")
    if factor is None:
        return {}
    labels = factor.labels().tolist()
    return {name: labels.count(name) for name in factor.names if name.casefold() in book.roles}


def _sentences(criteria: Iterable[Criterion]) -> list[str]:
    """Criteria of which the same is to be said in one sentence."""
    said: dict[str, list[str]] = {}
    for one in criteria:
        name = one.key or one.title[:1].upper() + one.title[1:]
        said.setdefault(_meaning(one), []).append(f"{name} ({one.question})" if one.question else name)
    return [f"{listed(names)}: {words}" for words, names in said.items()]


def _said_once(guesses: Sequence[str], criteria: Sequence[str]) -> list[str]:
    """``fluency: level guessed`` and ``style: level guessed`` as one line that names both."""
    said: dict[str, list[str]] = {}
    for guess in guesses:
        name, colon, words = guess.partition(": ")
        of_criterion = bool(colon) and name in criteria
        said.setdefault(words if of_criterion else guess, []).extend([name] if of_criterion else [])
    return [f"{listed(names)}: {words}" if names else words for words, names in said.items()]


def _meaning(criterion: Criterion) -> str:
    """What is to be said of a criterion: the scale and the good end."""
    unit = f" in {criterion.unit}" if criterion.unit else ""
    good = {
        Direction.HIGH: "high is good",
        Direction.LOW: "low is good",
        Direction.NONE: "no end is better than the other",
        Direction.UNKNOWN: "nobody said which end is good, so no winner will be named; say it with --direction",
    }[criterion.direction]
    guess = " (a guess)" if criterion.scale.has_guessed_level else ""
    return f"{criterion.level} scale{guess}{unit}, {scale_words(criterion.scale)}; {good}."


def scale_words(scale: Scale) -> str:
    """The answers of a scale as a person would write them."""
    if scale.any_between or (not scale.values and scale.low is not None and scale.high is not None):
        return f"from {spelled_number(scale.low or 0)} to {spelled_number(scale.high or 0)}"
    if scale.values and scale.level.has_distance and not scale.declared:
        ends = (spelled_cell(scale.values[0]), spelled_cell(scale.values[-1]))
        return f"{len(scale.values):,} values from {ends[0]} to {ends[1]} occur"
    shown = [_labelled(value, scale) for value in scale.values]
    if len(shown) > _LISTED:
        shown = [*shown[: _LISTED - 1], "...", shown[-1]]
    return (" < " if scale.level.has_order else ", ").join(shown) or "any"


def _labelled(value: Any, scale: Scale) -> str:
    label = scale.labels.get(value, "")
    return f"{spelled_cell(value)} ({label})" if label else spelled_cell(value)


def _guessed(scale: Scale) -> str:
    parts = ["level"] if scale.has_guessed_level else []
    parts += ["values"] if not (scale.declared or scale.any_between) and scale.guesses else []
    return " and ".join(parts) or "nothing"


def _left_out(book: Codebook) -> list[str]:
    said = []
    for one in book.left_out:
        why = "; ".join(filter(None, (one.rule, one.reason, one.date)))
        when = "declared before collection" if one.declared else "decided afterwards"
        said.append(f"Left out: {one.rater}{f' ({why})' if why else ''}, {when}.")
    return said


def _definitions(book: Codebook) -> list[str]:
    """What each criterion means, where somebody wrote it down."""
    told = [(one.key, one.definition.rstrip(".")) for one in book.criteria.values() if one.definition]
    return [f"Definition of {key}: {words}." if key else f"Definition: {words}." for key, words in told]


def _facts(book: Codebook) -> list[str]:
    said = []
    for name, title in _FACTS.items():
        fact = getattr(book.study, name)
        if fact:
            said.append(f"{title}: {', '.join(fact) if isinstance(fact, tuple) else fact}".rstrip(".") + ".")
    for name, words in book.study.plan.items():
        said.append(f"Plan of analysis, {name}: {words.replace('.;', ';')}".rstrip(".") + ".")
    return said
