"""What a comparison says first: which condition agrees more, and what that does and does not mean."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan

from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.comparisons.conditions import ConditionComparison
from accord.comparisons.mean_scores import MeanScores
from accord.comparisons.metrics import MetricCorrelation
from accord.comparisons.misevaluation import Misevaluation
from accord.comparisons.own_interval import with_ends
from accord.comparisons.quadrants import Quadrants
from accord.comparisons.scenarios import ScenarioAgreement
from accord.comparisons.yardsticks import Yardsticks
from accord.inference.interval import Interval
from accord.noise import first_of, ordered
from accord.sentences import Sentence, chosen, said_of
from accord.words import counted, listed, steady

__all__ = [
    "CHANGES",
    "CONTEXT",
    "METRICS",
    "RECOMMENDED",
    "YARDSTICKS",
    "changed",
    "changes",
    "metric_answer",
    "scenario_answer",
    "scenario_remarks",
    "scores_said",
    "yardstick_answer",
]

RECOMMENDED = (
    "Recommended for judging in context (Castilho): show sentences in their context; avoid single random "
    "sentences, and avoid one score for a whole document."
)
_CLEAR = 0.1
"""A difference of α between scenarios that is worth a word; no test stands behind it."""
_TOLD = 4
"""So many comparisons that show nothing are told one by one."""
Roles = tuple[str | None, str | None] | tuple[str, str] | None


def changed(one: ConditionComparison) -> str:
    """Which of two conditions agrees more, where interval and test of the difference say so."""
    told = said_of(CHANGES, one)
    return f"{one.criterion}: {told}" if one.criterion else told[0].upper() + told[1:]


def changes(comparisons: Sequence[ConditionComparison]) -> list[str]:
    """Each change that is shown, and those that are not in one sentence if there are many."""
    quiet = [one for one in comparisons if not _is_shown(one)]
    if len(quiet) <= _TOLD:
        return [*map(changed, comparisons), *scores_said(comparisons)]
    told = [changed(one) for one in comparisons if _is_shown(one)]
    largest = first_of(quiet, lambda one: abs(one.differences[0].value), highest=True)
    pair = f"{largest.second.name} and {largest.first.name}"
    reasons = {one.differences[0].too_few for one in quiet}
    reason = reasons.pop() if len(reasons) == 1 else ""
    none = "No" if not told else "No further"
    opening = f"{reason}, so nothing is said of" if reason else f"{none} difference in agreement is shown in"
    return [
        *told,
        f"{opening} {len(quiet)} comparisons; the largest: "
        f"{f'{largest.criterion}, ' if largest.criterion else ''}{pair} ({_ends(largest)}).",
        *scores_said(comparisons),
    ]


def scores_said(comparisons: Sequence[ConditionComparison]) -> list[str]:
    """Who scores higher, where raters as units show it: groups may agree alike, each for itself, and score apart."""
    clear = [one for one in comparisons if one.scores is not None and one.scores.is_clear]
    told = [_scored(one, one.scores) for one in clear[:_TOLD] if one.scores is not None]
    return told + ([f"Scores differ clearly in {len(clear) - _TOLD} more comparisons."] if len(clear) > _TOLD else [])


def _scored(one: ConditionComparison, found: MeanScores) -> str:
    about = f"{one.criterion}: on" if one.criterion else "On"
    way = "lower" if found.change < 0 else "higher"
    means = f"means {steady(found.second):.2f} and {steady(found.first):.2f}; {found.chance}"
    return (
        f"{about} average {one.second.name} scores {steady(abs(found.change)):.2f} {way} than {one.first.name} "
        f"({means})."
    )


def _is_shown(one: ConditionComparison) -> bool:
    """Whether something other than an interval over zero is to be said."""
    change = one.differences[0]
    return isnan(change.value) or (change.interval is None and not change.too_few) or change.is_shown


def _ends(one: ConditionComparison) -> str:
    change = one.differences[0]
    if change.interval is None:
        return f"{change.what} {steady(change.value):+.2f}, no interval"
    return f"{change.what} {steady(change.value):+.2f}, {_interval(change.interval, '+')}"


def _interval(ends: Interval, sign: str = "") -> str:
    return f"{100 * ends.level:g}% interval {steady(ends.low):{sign}.2f} to {steady(ends.high):{sign}.2f}"


def _cannot(one: ConditionComparison) -> str:
    return f"{one.differences[0].what} of {one.first.name} and {one.second.name} cannot be compared."


def _no_interval(one: ConditionComparison) -> str:
    change = one.differences[0]
    why = f" ({change.method})" if change.method.startswith("no test") else ""
    moved = f"differs by {steady(change.value):+.2f} from {one.first.name} to {one.second.name}"
    return f"{change.what} {moved}; no interval can be given{why}."


def _agree_more(one: ConditionComparison) -> str:
    """Who agrees more comes first, and the numbers are those of the first minus the other."""
    change = one.differences[0]
    more, less = (one.second, one.first) if change.value > 0 else (one.first, one.second)
    ends = change.interval
    if change.value < 0 and ends is not None:
        ends = replace(ends, low=-ends.high, high=-ends.low)
    size = abs(change.value)
    if change.unit == "raters" and ends is not None:
        who = f"among {more.name} raters than among {less.name} raters"
        return f"{change.what} is {steady(size):.2f} higher {who} ({_interval(ends)})."
    told = f"{change.what} {steady(size):+.2f}, " + (_interval(ends, "+") if ends else "no interval")
    return f"raters agree more in {more.name} than in {less.name} ({told})."


def _with_doubt(one: ConditionComparison) -> str:
    return f"({_ends(one)}{one.differences[0].doubt})."


def _of_items(one: ConditionComparison) -> str:
    """That a small p over items, in the table below, is no answer for other raters."""
    if not any(change.p is not None and change.is_clear for change in one.differences[1:]):
        return ""
    return " The tests over items below ask about these raters alone."


# A table should look like one.
# fmt: off
CHANGES: tuple[Sentence[ConditionComparison], ...] = (
    Sentence("undefined", lambda one: isnan(one.differences[0].value), _cannot),
    Sentence("too_few", lambda one: bool(one.differences[0].too_few),
             lambda one: f"{one.differences[0].too_few}, so nothing is said of agreement in {one.first.name} "
                         f"and {one.second.name} {_with_doubt(one)}{_of_items(one)}"),
    Sentence("no_interval", lambda one: one.differences[0].interval is None, _no_interval),
    Sentence("shown", lambda one: one.differences[0].is_shown, _agree_more),
    Sentence("not_shown", lambda one: not one.differences[0].is_shown,
             lambda one: f"no difference in agreement between {one.first.name} and {one.second.name} is shown "
                         f"{_with_doubt(one)}"),
)
"""Which of two conditions agrees more."""

CONTEXT: tuple[Sentence[ConditionComparison], ...] = (
    Sentence("no_interval", lambda one: isnan(one.differences[0].value) or one.differences[0].interval is None,
             lambda one: f"Whether {one.first.name} and {one.second.name} differ cannot be said: there is no "
                         "interval."),
    Sentence("nothing_varies", lambda one: _is_still(one),
             lambda one: f"Whether {one.first.name} and {one.second.name} differ cannot be said: nothing varies "
                         "between them."),
    Sentence("shown", lambda one: one.differences[0].is_shown,
             lambda one: _agree_more(one)[:1].upper() + _agree_more(one)[1:]),
    Sentence("not_shown", lambda one: not one.differences[0].is_shown,
             lambda one: f"A difference between {one.first.name} and {one.second.name} is not shown "
                         f"{_with_doubt(one)}"),
)
"""What context does to α."""

METRICS: tuple[Sentence[Sequence[MetricCorrelation]], ...] = (
    Sentence("none", lambda found: not found, lambda found: "No metric has a correlation with people here."),
    Sentence("one", lambda found: len(found) == 1,
             lambda found: f"{found[0].metric} correlates with people by {_correlation(found[0])}."),
    Sentence("several", lambda found: len(found) > 1,
             lambda found: f"On {found[0].level}s, {_named(found[0])} correlates most with people, "
                           f"{_correlation(found[0])}; {_named(found[-1])} least, {_correlation(found[-1])}."),
)
"""How far metrics correlate with people: Pearson's r on single segments, the highest first."""

YARDSTICKS: tuple[Sentence[tuple[str, str, Quadrants]], ...] = (
    Sentence("contradicts", lambda one: bool(one[2].similar or one[2].dissimilar),
             lambda one: f"{one[0]} and {one[1]} correlate by r = {steady(one[2].correlation):.2f}, but contradict "
             "each other "
                         f"on {counted(len(one[2].similar) + len(one[2].dissimilar), 'item')} of {len(one[2].items)}"),
    Sentence("agrees", lambda one: not (one[2].similar or one[2].dissimilar),
             lambda one: f"{one[0]} and {one[1]} correlate by r = {steady(one[2].correlation):.2f} and contradict "
             "each other "
                         f"on no item of {len(one[2].items)}"),
)
"""What a yardstick says beside what is nearer the truth."""
# fmt: on


def metric_answer(found: Sequence[MetricCorrelation]) -> list[str]:
    """The highest and the lowest correlation with people, on the smallest unit there is."""
    # The first kind is Pearson's r, which the sentence names.
    known = [one for one in found if (one.level, one.kind) == (found[0].level, found[0].kind) and not isnan(one.value)]
    return [said_of(METRICS, ordered(known, lambda one: one.value, highest=True))]


def yardstick_answer(found: Yardsticks) -> list[str]:
    """How far each yardstick goes with the truth, and on how many items it contradicts it."""
    told = [said_of(YARDSTICKS, (name, found.against, one)) for name, one in found.results]
    return ["; ".join(told)[:1].upper() + "; ".join(told)[1:] + "."]


def _correlation(one: MetricCorrelation) -> str:
    ends = one.interval
    interval = (
        f", {100 * ends.level:g}% interval {steady(ends.low):.2f} to {steady(ends.high):.2f}"
        if ends
        else ", no interval"
    )
    return f"r = {steady(one.value):.2f} ({one.units} {one.level}s{interval})"


def _named(one: MetricCorrelation) -> str:
    parts = [part for part in (one.criterion, one.condition) if part]
    return f"{one.metric} ({', '.join(parts)})" if parts else one.metric


def _is_still(one: ConditionComparison) -> bool:
    interval = one.differences[0].interval
    return interval is not None and interval.low == interval.high


def scenario_answer(
    cells: Sequence[ScenarioAgreement],
    roles: Roles,
    found: Sequence[Misevaluation],
    compared: Sequence[ConditionComparison] = (),
) -> list[str]:
    """α of each scenario, criterion by criterion, and how many items were misjudged without their context."""
    told = []
    for criterion, values in _alphas(cells).items():
        name = f"{criterion}: " if criterion else ""
        order = ordered(values.values(), lambda cell: cell.values[KRIPPENDORFF_ALPHA], highest=True)
        said = [
            f"{with_ends(cell.values[KRIPPENDORFF_ALPHA], cell.ends, named=not place)} in {cell.scenario}"
            for place, cell in enumerate(order)
        ]
        told.append(f"{name}α is {listed(said)}.")
        told[-1] += _context_said([one for one in compared if one.criterion == criterion])
    if roles is not None and found:
        items = counted(len({one.item for one in found}), "item was", "items were")
        told.append(f"{items} judged fine without context and faulty with it.")
    return told


def _context_said(compared: Sequence[ConditionComparison]) -> str:
    """Each difference that is shown, and those that are not in one sentence if there are several."""
    quiet = [one for one in compared if (found := chosen(CONTEXT, one)) and found.key == "not_shown"]
    if len(quiet) < 2:
        return "".join(f" {said_of(CONTEXT, one)}" for one in compared)
    pairs = listed([f"{one.first.name} and {one.second.name}" for one in quiet[:_TOLD]])
    more = f", and {len(quiet) - _TOLD} more pairs" if len(quiet) > _TOLD else ""
    told = "".join(f" {said_of(CONTEXT, one)}" for one in compared if one not in quiet)
    return f"{told} No difference is shown between {pairs}{more}."


def scenario_remarks(cells: Sequence[ScenarioAgreement], roles: Roles, found: Sequence[Misevaluation]) -> list[str]:
    """What the values do not mean, where somebody could think so, and what the literature recommends."""
    lines = []
    alphas = _alphas(cells)
    below = [
        f"{criterion} in {scenario}" if criterion else scenario
        for criterion, cells_of in alphas.items() for scenario, cell in cells_of.items()
        if cell.ends is not None and cell.ends.high < 0
    ]  # fmt: skip
    if below:
        lines.append(f"α is shown to be below 0 for {listed(below)}: raters agree less there than by chance.")
    misjudged = {one.criterion for one in found}
    if any(_can_mislead(values, roles, criterion in misjudged) for criterion, values in alphas.items()):
        lines.append("More agreement is not better evaluation: raters who lack context can agree on a wrong judgement.")
    return [*lines, RECOMMENDED]


def _can_mislead(cells: Mapping[str, ScenarioAgreement], roles: Roles, is_misjudged: bool) -> bool:
    """Whether raters without context agree clearly more than those with it, or as much while they misjudge items."""
    found = [cells[role].values[KRIPPENDORFF_ALPHA] for role in roles or () if role and role in cells]
    if len(found) < 2:
        return is_misjudged
    lead = found[0] - found[1]
    return lead >= _CLEAR or (is_misjudged and lead > -_CLEAR)


def _alphas(cells: Sequence[ScenarioAgreement]) -> dict[str, dict[str, ScenarioAgreement]]:
    """The cell with α by criterion and scenario: over all test sets and groups where these were put together."""
    chosen = [cell for cell in cells if cell.is_aggregated] or list(cells)
    found: dict[str, dict[str, ScenarioAgreement]] = {}
    for cell in chosen:
        if not isnan(cell.values.get(KRIPPENDORFF_ALPHA, float("nan"))):
            found.setdefault(cell.criterion, {}).setdefault(cell.scenario, cell)
    return found
