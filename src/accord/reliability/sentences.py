"""The sentences that values and intervals allow, each with its condition: the first of a table that holds is said."""

from math import ceil, inf, isnan, sqrt

from accord.coefficients.registry import COEFFICIENTS, KRIPPENDORFF_ALPHA
from accord.inference.interval import Interval
from accord.quantiles import ndtri
from accord.records import dataclass
from accord.reliability.cautions import SIGNS
from accord.reliability.estimate import NARROW, Estimate
from accord.reliability.interpretation import FEWEST_ITEMS, interpret
from accord.reliability.signs.amount import AS_SCORES
from accord.reliability.signs.use_of_values import ALIKE_ITEMS
from accord.reliability.units import FEW_DOCUMENTS
from accord.sentences import Sentence, chosen, said_of
from accord.words import counted, listed, steady

__all__ = [
    "GAIN",
    "MORE",
    "ORDER",
    "RATERS",
    "VERDICTS",
    "Apart",
    "Evidence",
    "is_artefact",
    "more_of",
    "rounded",
    "symbol",
]

_TENTATIVE, _FIRM = 2 / 3, 0.8
_NOT_LITTLE = ("too large a table", "by its formula only")
"""Why there is no interval where there is no lack of ratings."""
_ALIKE, _NOT_ALIKE = 0.5, 0.3
"""The whole interval of an order coefficient lies above (a large correlation) or below (at most a small one)."""
_WANTED = (NARROW / 2, 0.1, 0.2)
"""Half widths that are worth asking for, the narrowest first."""
_AFFORDABLE = 10
"""So many times the items there are may be asked for; then a wider interval must do."""
_MOST_RATERS = 20
"""So many more raters are worth naming."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A rater who surely lies above or below the others: by how much, and whether that is strict or lenient."""

    rater: str
    by: float
    strictness: str = ""

    @property
    def words(self) -> str:
        size = rounded(abs(self.by))
        if self.strictness:
            return f"{self.rater} is {'stricter' if self.strictness == 'strict' else 'more lenient'} by {size}"
        return f"{self.rater} scores {size} {'lower' if self.by < 0 else 'higher'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What the sentences are chosen from: the leading estimate, one of order, and raters who lie apart."""

    lead: Estimate
    order: Estimate | None = None
    apart: tuple[Apart, ...] = ()
    scale: str = ""
    """A scale of interpretation that was asked for by its key."""

    @property
    def interval(self) -> Interval | None:
        return self.lead.interval

    @property
    def low(self) -> float:
        return self.lead.interval.low if self.lead.interval else float("nan")

    @property
    def high(self) -> float:
        return self.lead.interval.high if self.lead.interval else float("nan")

    @property
    def by_krippendorff(self) -> bool:
        return self.lead.coefficient == KRIPPENDORFF_ALPHA and self.scale in ("", "krippendorff")

    @property
    def is_beyond_chance(self) -> bool:
        """Whether 0 is agreement as by chance."""
        return COEFFICIENTS[self.lead.coefficient].family in ("alpha", "kappa")

    @property
    def next_mark(self) -> float:
        """Which of Krippendorff's two values the interval does not reach yet."""
        return _TENTATIVE if self.low < _TENTATIVE else _FIRM

    @property
    def band(self) -> str:
        readings = interpret(
            self.lead.coefficient, self.lead.interval, self.lead.items, (self.scale,) if self.scale else ()
        )
        return f"{readings[0].words} on the scale of {readings[0].scale}" if readings else ""

    @property
    def ordered(self) -> Interval | None:
        """The interval of the order coefficient, where it is about people and not about sorted columns."""
        order = self.order
        if order is None or is_artefact(order):
            return None
        return order.interval

    @property
    def is_alike(self) -> bool:
        return self.ordered is not None and self.ordered.low >= _ALIKE

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    def more_items(self) -> tuple[int, float]:
        """Items that are lacking, and the half width they would give: widths shrink with the square root of items."""
        for wanted in _WANTED:
            more = ceil(round(self.lead.items * ((self.half / wanted) ** 2 - 1), 6))
            if more <= _AFFORDABLE * self.lead.items:
                break
        return more, wanted

    @property
    def best_half(self) -> float:
        """The half width that ever more raters of the same items would leave; nan where it cannot be known."""
        noise = self.lead.rater_noise
        if noise is None or self.interval is None:
            return float("nan")
        left = self.half**2 - self._deviates**2 * noise.variance
        return sqrt(max(0.0, left))

    def more_raters(self) -> float:
        """Raters that are lacking for the half width that ``more_items`` gives: their noise shrinks as 1 / raters."""
        noise, (_, wanted) = self.lead.rater_noise, self.more_items()
        room = wanted**2 - self.best_half**2
        if noise is None or not room > 0:
            return inf
        return ceil(noise.ratings * (self._deviates**2 * noise.variance / room - 1))

    @property
    def _deviates(self) -> float:
        """How many standard errors the interval reaches either way."""
        return float(ndtri((1 + self.interval.level) / 2)) if self.interval else float("nan")

    def order_words(self) -> str:
        order = self.order
        return f"{symbol(order)} {steady(order.value):.2f}" if order else ""

    def apart_words(self) -> str:
        shown = [one.words for one in self.apart[:2]]
        others = len(self.apart) - len(shown)
        return listed([*shown, f"{others} more lie apart"] if others else shown)


def is_artefact(estimate: Estimate) -> bool:
    """Whether the columns were sorted, so that what depends on who rated says nothing of people."""
    return any(SIGNS["sorted_raters"].consequence in caution for caution in estimate.cautions)


def symbol(estimate: Estimate) -> str:
    """As a sentence calls a coefficient: α, γ, or its name."""
    return COEFFICIENTS[estimate.coefficient].symbol or estimate.title


def rounded(number: float) -> str:
    """A size with two digits that count: 13, 1.2, 0.35."""
    if number >= 10:
        return f"{steady(number):.0f}"
    return f"{steady(number):.1f}" if number >= 1 else f"{steady(number):.2f}"


def _about(number: int) -> str:
    """A count of which only two digits can be meant."""
    digits = max(0, len(str(number)) - 2)
    return f"{round(number, -digits):,}"


def _undefined(seen: Evidence) -> str:
    why = next(iter(seen.lead.cautions), "").removeprefix("undefined: ")
    return f"no value can be computed, as {why}" if why else "no value can be computed"


def _no_interval(seen: Evidence) -> str:
    why = next((one for one in seen.lead.cautions if "no interval" in one), "")
    reason = why.removeprefix("nothing to go on: ").removeprefix("no interval: ")
    if not why:
        return "without one, no verdict"
    is_little = not any(words in why for words in _NOT_LITTLE)
    return f"{'too little to judge by' if is_little else 'without one, no verdict'}, as {reason}"


def _is_said(seen: Evidence) -> bool:
    """Whether the data do not allow an interval, and not the user, who asked for none."""
    return any("no interval" in one for one in seen.lead.cautions)


def _lacks_documents(seen: Evidence) -> bool:
    return seen.interval is None and any(FEW_DOCUMENTS in one for one in seen.lead.cautions)


_ASKED = "which Krippendorff asks for tentative conclusions"

# A table should look like one.
# fmt: off
VERDICTS: tuple[Sentence[Evidence], ...] = (
    Sentence("undefined", lambda seen: isnan(seen.lead.value), _undefined),
    Sentence("few_documents", _lacks_documents, _no_interval, lambda seen: "too few documents for an interval"),
    Sentence("no_interval", lambda seen: seen.interval is None, _no_interval,
             lambda seen: "too little for an interval" if _is_said(seen) else "without one, no verdict"),
    Sentence("worse_than_chance", lambda seen: seen.is_beyond_chance and seen.high < 0,
             lambda seen: "raters agree less than by chance"),
    Sentence("few_items", lambda seen: seen.lead.items < FEWEST_ITEMS,
             lambda seen: f"too few items for a verdict, which takes {FEWEST_ITEMS} at least",
             lambda seen: "too few items for a verdict"),
    Sentence("chance", lambda seen: seen.is_beyond_chance and seen.low <= 0,
             lambda seen: "not shown to be better than chance"),
    Sentence("unreliable", lambda seen: seen.by_krippendorff and seen.high < _TENTATIVE,
             lambda seen: f"below .667, {_ASKED}", lambda seen: "below .667"),
    Sentence("not_shown", lambda seen: seen.by_krippendorff and seen.low < _TENTATIVE,
             lambda seen: f"not shown to reach .667, {_ASKED}", lambda seen: "not shown to reach .667"),
    Sentence("tentative", lambda seen: seen.by_krippendorff and seen.low < _FIRM,
             lambda seen: f"shown to reach .667, {_ASKED}, but not .8", lambda seen: "shown to reach .667, but not .8"),
    Sentence("reliable", lambda seen: seen.by_krippendorff,
             lambda seen: "shown to reach .8, which Krippendorff asks for", lambda seen: "shown to reach .8"),
    Sentence("band", lambda seen: bool(seen.band), lambda seen: seen.band),
)

ORDER: tuple[Sentence[Evidence], ...] = (
    Sentence("alike_but_apart", lambda seen: bool(seen.apart) and seen.is_alike,
             lambda seen: f"Raters order the items alike ({seen.order_words()}), but {seen.apart_words()}"),
    Sentence("apart", lambda seen: bool(seen.apart),
             lambda seen: f"Compared with the other raters, {seen.apart_words()}"),
    Sentence("alike", lambda seen: seen.is_alike and seen.low < _FIRM,
             lambda seen: f"Raters order the items alike ({seen.order_words()})"),
    Sentence("opposite", lambda seen: seen.ordered is not None and seen.ordered.high <= -_ALIKE,
             lambda seen: f"Raters order the items the opposite way round ({seen.order_words()})"),
    Sentence("not_alike", lambda seen: seen.ordered is not None and seen.ordered.high < _NOT_ALIKE,
             lambda seen: f"Raters do not order the items alike ({seen.order_words()})"),
)

MORE: tuple[Sentence[Evidence], ...] = (
    Sentence("as_scores", lambda seen: any(AS_SCORES in one for one in seen.lead.cautions),
             lambda seen: f"{AS_SCORES[:1].upper()}{AS_SCORES[1:]}"),
    Sentence("alike_items", lambda seen: seen.by_krippendorff and seen.low < _TENTATIVE and _are_items_alike(seen),
             lambda seen: "One value takes most ratings, so α says little about the others: rate more items that "
                          "deserve the rarer values, and report Gwet's AC1 beside it"),
    Sentence("not_by_items", lambda seen: seen.by_krippendorff and seen.high < _TENTATIVE and _has_verdict(seen),
             lambda seen: "More items would not raise it: what raters do has to change"),
    Sentence("other_raters_too", lambda seen: _is_wide(seen) and seen.lead.question.endswith("and other raters"),
             lambda seen: "More items alone may not narrow it: it is about other raters too, and there are only "
                          f"{seen.lead.raters}"),
    Sentence("other_documents", lambda seen: _is_wide(seen) and seen.lead.question.startswith("other documents"),
             lambda seen: "About {} more items, in other documents, would give ±{:g}".format(*_more(seen))),
    Sentence("other_items", lambda seen: _is_wide(seen) and seen.lead.question.startswith("other items"),
             lambda seen: "About {} more items would give ±{:g}".format(*_more(seen))),
)

RATERS: tuple[Sentence[Evidence], ...] = (
    Sentence("raters_cannot", lambda seen: _shown(seen.best_half) > seen.more_items()[1],
             lambda seen: f"; more raters alone cannot (±{steady(_shown(seen.best_half)):.2f} at best)"),
    Sentence("raters_can", lambda seen: 0 < seen.more_raters() <= _MOST_RATERS,
             lambda seen: f", and so would about {counted(int(seen.more_raters()), 'more rater')} of every item"),
)
"""What follows on how many more items: whether more raters would do as well."""
_ASKS_FOR_ITEMS = ("as_scores", "other_documents", "other_items")

GAIN: tuple[Sentence[Evidence], ...] = (
    Sentence("too_low", lambda seen: _can_gain(seen) and seen.lead.value < seen.next_mark,
             lambda seen: f". If α stays at {steady(seen.lead.value):.2f}, {_mark(seen)} is out of reach: "
                          "raters have to agree more"),
    Sentence("enough", lambda seen: _can_gain(seen) and seen.lead.value - seen.more_items()[1] >= seen.next_mark,
             lambda seen: f", which would show {_mark(seen)} if α stays as it is"),
)
"""What a narrower interval would change in what is said of α."""
# fmt: on


def more_of(seen: Evidence) -> str:
    """How many more items would narrow the interval, and whether raters would; '' where none are needed."""
    more = chosen(MORE, seen)
    if more is None:
        return ""
    if not _is_wide(seen) or more.key not in _ASKS_FOR_ITEMS:
        return more.said(seen)
    gain = chosen(GAIN, seen)
    own, raters = more.said(seen), said_of(RATERS, seen)
    told = gain.said(seen) if gain else ""
    # What would be enough belongs to the items; that nothing would be, to items and raters alike.
    return f"{own}{told}{raters}" if gain and gain.key == "enough" else f"{own}{raters}{told}"


def _can_gain(seen: Evidence) -> bool:
    return seen.by_krippendorff and _has_verdict(seen) and seen.interval is not None


def _mark(seen: Evidence) -> str:
    """.667 or .8"""
    return f"{steady(seen.next_mark):.3f}".strip("0")


def _has_verdict(seen: Evidence) -> bool:
    return seen.lead.items >= FEWEST_ITEMS


def _are_items_alike(seen: Evidence) -> bool:
    """Whether one value takes nearly all ratings of every rater: chance agreement is high then, and α low."""
    return _has_verdict(seen) and any(ALIKE_ITEMS in one for one in seen.lead.cautions)


def _is_wide(seen: Evidence) -> bool:
    """Whether a narrower interval could change what is said: not where .8 is shown already."""
    is_enough = seen.by_krippendorff and seen.low >= _FIRM and _has_verdict(seen)
    return seen.interval is not None and seen.half > _WANTED[0] and not isnan(seen.lead.value) and not is_enough


def _more(seen: Evidence) -> tuple[str, float]:
    more, wanted = seen.more_items()
    return _about(more), wanted


def _shown(half: float) -> float:
    """As it is printed: what prints as the wanted width is not called wider."""
    return half if isnan(half) else round(half, 2)
