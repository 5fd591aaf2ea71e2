"""The answer first: how far these judgements can be trusted, in three sentences with numbers."""

from math import isnan

from accord.coefficients.registry import FLEISS_KAPPA, ICC_1K, ICC_A1, ICC_AK, KRIPPENDORFF_ALPHA
from accord.diagnosis.finding import Severity
from accord.reliability.estimate import Estimate
from accord.reliability.interpretation import FEWEST_ITEMS
from accord.reliability.result import GroupReliability
from accord.reporting.analysis import Analysis, part_name
from accord.reporting.document import Paragraph, Section
from accord.reporting.wording import capital, sentence
from accord.words import counted

__all__ = ["answer", "primary"]

_PREFERRED = (KRIPPENDORFF_ALPHA, ICC_A1, FLEISS_KAPPA)
_AVERAGES = (ICC_AK, ICC_1K)
_WIDE = 0.2
_FEW_ITEMS = 10
_VERDICTS = {
    "at least reliable": "These judgements can be relied on",
    "at least tentative": "These judgements allow at least tentative conclusions",
    "not reliable": "Single judgements here cannot be relied on",
    "not shown to reach .667": "These judgements are not shown to be reliable",
}
_Known = list[tuple[GroupReliability, Estimate]]


def primary(group: GroupReliability) -> Estimate | None:
    """The one coefficient the answer is given by: the one that a plan of analysis declares, else α.

    α fits any level, any raters and missing ratings.
    """
    chosen = [group[key] for key in (group.deciding, *_PREFERRED) if key in group]
    defined = [estimate for estimate in (*chosen, *group.estimates) if not isnan(estimate.value)]
    return defined[0] if defined else None


def answer(analysis: Analysis) -> Section:
    """Three sentences: the reliability, what threatens it, what to do."""
    known = [(group, estimate) for group in analysis.reliability.parts if (estimate := primary(group))]
    known.sort(key=lambda pair: pair[1].value)
    lines = [
        f"{_how_reliable(analysis, known)}{_combined(analysis)}",
        _what_threatens(analysis, known),
        _what_to_do(analysis, known),
    ]
    return Section("answer", "How far can these judgements be trusted?", [Paragraph(line, "lead") for line in lines])


def _how_reliable(analysis: Analysis, known: _Known) -> str:
    if not known:
        ratings = analysis.ratings
        if ratings.raters < 2:
            return f"One rater gave {counted(len(ratings), 'rating')}, which nobody else confirms or contradicts."
        return "No coefficient has a value for these ratings: they cannot be said to agree or to disagree."
    if len(known) == 1:
        return _one(*known[0])
    (low_group, low), (high_group, high) = known[0], known[-1]
    same = _band(low) == _band(high) and low.coefficient == high.coefficient
    ends = (
        f"{low.title} runs from {_numbers(low)} on {_name(low_group)} to {_numbers(high)} on {_name(high_group)}"
        if same
        else f"{_told(low)} on {_name(low_group)} is {_read(low)}, "
        f"{_told(high)} on {_name(high_group)} is {_read(high)}"
    )
    reading = f", all {_read(low)}" if same and _band(low) else ""
    verdict = _VERDICTS.get(_band(low), "") if same else "How far to rely on these judgements depends on the part"
    return f"{verdict}: {ends}{reading}." if verdict else f"{ends}{reading}."


def _combined(analysis: Analysis) -> str:
    """The alpha over all parts of a criterion that are kept apart, where there is one such criterion."""
    groups = [group for group in analysis.reliability.groups if group.combined]
    if len(groups) != 1 or isnan(groups[0].estimates[0].value):
        return ""
    return f" {capital(groups[0].title)}, {_told(groups[0].estimates[0])}."


def _one(group: GroupReliability, estimate: Estimate) -> str:
    who = f"{counted(group.raters, 'rater')} on {counted(estimate.items, 'item')}"
    verdict = _VERDICTS.get(_band(estimate), "")
    if _thin(estimate):
        verdict = "There are too few items to say"
    reading = f", {_read(estimate)}" if _band(estimate) else ""
    told = f"{_told(estimate)}{reading}, for {who}"
    return f"{verdict}: {told}." if verdict else f"{capital(told)}."


def _numbers(estimate: Estimate) -> str:
    interval = estimate.interval
    ends = (
        f" ({interval.level:.0%} interval {interval.low:.2f} to {interval.high:.2f})" if interval else " (no interval)"
    )
    return f"{estimate.value:.2f}{ends}"


def _told(estimate: Estimate) -> str:
    return f"{estimate.title} = {_numbers(estimate)}"


def _band(estimate: Estimate) -> str:
    return estimate.interpretations[0].words if estimate.interpretations else ""


def _read(estimate: Estimate) -> str:
    """``“at least tentative” on the scale of Krippendorff (2004)``: what its interval shows."""
    if not estimate.interpretations:
        return "without a published scale" if estimate.items >= FEWEST_ITEMS else "from too few items for a label"
    reading = estimate.interpretations[0]
    return f"“{reading.words}” on the scale of {reading.scale}"


def _thin(estimate: Estimate) -> bool:
    return estimate.items < _FEW_ITEMS


def _name(group: GroupReliability) -> str:
    return part_name(group.by, group.title)


def _what_threatens(analysis: Analysis, known: _Known) -> str:
    findings = analysis.diagnosis.findings
    grave = [finding for finding in findings if finding.severity is not Severity.NOTE]
    if grave:
        rest = f" ({len(grave) - 1} more below)" if len(grave) > 1 else ""
        return f"What threatens them most: {grave[0].message.rstrip('.')}{rest}."
    if known and _thin(known[0][1]):
        shared = counted(known[0][1].items, "item")
        return f"What threatens them most: only {shared} with two or more ratings, so another sample may say otherwise."
    return f"None of {analysis.diagnosis.checks} checks found a reason to distrust the data themselves."


def _what_to_do(analysis: Analysis, known: _Known) -> str:
    grave = [finding for finding in analysis.diagnosis.findings if finding.severity is Severity.ERROR]
    if grave:
        return f"What to do first: {sentence(grave[0].advice)}"
    if not known:
        return "Have the items rated by at least two raters who do not all give one and the same value."
    group, low = known[0]
    if _thin(low):
        return "Have at least 30 items rated by two or more raters before a coefficient decides anything."
    interval = low.interval
    if interval and interval.width > _WIDE and interval.high >= 2 / 3:
        more = max(1, round(low.items * ((interval.width / _WIDE) ** 2 - 1)))
        least = f" on {_name(group)}" if len(known) > 1 else ""
        return (
            f"The interval{least} is {interval.width:.2f} wide; "
            f"about {counted(more, 'more item')} of this kind would narrow it to {_WIDE:.2f}."
        )
    if low.value < 2 / 3:
        return _averages(group)
    return "Report the coefficient with its interval, the number of items and raters, and the scale you read it on."


def _averages(group: GroupReliability) -> str:
    """What to rest conclusions on where single ratings do not carry them."""
    averaged = next((group[key] for key in _AVERAGES if key in group and not isnan(group[key].value)), None)
    disputed = "the most disputed items below show where the guideline is vague"
    if averaged is not None and averaged.value >= 2 / 3:
        return (
            f"Rest conclusions on means over the {group.raters} raters, which are more reliable "
            f"({averaged.title} = {averaged.value:.2f}), not on single ratings; {disputed}."
        )
    return f"Do not rest conclusions on single ratings; {disputed}."
