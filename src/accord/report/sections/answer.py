"""The answer first: how far these judgements can be trusted, in three sentences with numbers."""

from math import isnan

from accord.diagnosis.finding import Severity
from accord.reliability.estimate import Estimate
from accord.reliability.result import GroupReliability
from accord.report.analysis import Analysis, part_name
from accord.report.document import Listing, Paragraph, Section

__all__ = ["answer", "primary"]

_PREFERRED = ("krippendorff_alpha", "icc_a1", "fleiss_kappa")


def primary(group: GroupReliability) -> Estimate | None:
    """The one coefficient the answer is given by: α, which fits any level, any raters and missing ratings."""
    chosen = [group[key] for key in _PREFERRED if key in group]
    defined = [estimate for estimate in (*chosen, *group.estimates) if not isnan(estimate.value)]
    return defined[0] if defined else None


def answer(analysis: Analysis) -> Section:
    """Three sentences: the reliability, what threatens it, what to do."""
    lines = [_how_reliable(analysis), _what_threatens(analysis), _what_to_do(analysis)]
    blocks: list[Paragraph | Listing] = [Paragraph(line, "lead") for line in lines]
    if analysis.left_out:
        blocks.append(Listing([f"Left out. {line}" for line in analysis.left_out]))
    return Section("answer", "How far can these judgements be trusted?", blocks)


def _told(estimate: Estimate) -> str:
    interval = estimate.interval
    ends = f", {interval.level:.0%} interval {interval.low:.2f} to {interval.high:.2f}" if interval else ""
    return f"{estimate.title} = {estimate.value:.2f}{ends}"


def _reading(estimate: Estimate) -> str:
    return f"{estimate.interpretations[0]}" if estimate.interpretations else "no published scale belongs to it"


def _how_reliable(analysis: Analysis) -> str:
    known = [(group, estimate) for group in analysis.reliability.groups if (estimate := primary(group))]
    if not known:
        return "No coefficient has a value for these ratings: they cannot be said to agree or to disagree."
    if len(known) == 1:
        group, estimate = known[0]
        return f"{group.raters:,} raters agree on {group.items:,} items with {_told(estimate)}: {_reading(estimate)}."
    known.sort(key=lambda pair: pair[1].value)
    (low_group, low), (high_group, high) = known[0], known[-1]
    return (
        f"Agreement runs from {_told(low)} on {_name(low_group)} ({_reading(low)}) "
        f"to {_told(high)} on {_name(high_group)} ({_reading(high)})."
    )


def _name(group: GroupReliability) -> str:
    return part_name(group.by, group.title)


def _what_threatens(analysis: Analysis) -> str:
    findings = analysis.diagnosis.findings
    grave = [finding for finding in findings if finding.severity is not Severity.NOTE]
    if not grave:
        return f"None of {analysis.diagnosis.checks} checks found a reason to distrust the data themselves."
    rest = f" ({len(grave) - 1} more below)" if len(grave) > 1 else ""
    return f"What threatens them most: {grave[0].message.rstrip('.')}{rest}."


def _what_to_do(analysis: Analysis) -> str:
    grave = [finding for finding in analysis.diagnosis.findings if finding.severity is Severity.ERROR]
    if grave:
        return f"First of all: {grave[0].advice}"
    known = [estimate for group in analysis.reliability.groups if (estimate := primary(group))]
    if not known:
        return "Have the items rated by at least two raters who do not all give one and the same value."
    low = min(known, key=lambda estimate: estimate.value)
    hopeless = low.interval is not None and low.interval.high < 0.667
    if low.interval and low.interval.width > 0.2 and not hopeless:
        more = max(1, round(low.items * ((low.interval.width / 0.2) ** 2 - 1)))
        return (
            f"The interval of the least reliable number is {low.interval.width:.2f} wide; "
            f"about {more:,} more items of this kind would narrow it to 0.20."
        )
    if low.value < 0.667:
        return (
            "Conclusions from single ratings are not safe; averages over several raters are safer "
            "(see the reliability of averages below), and the most disputed items show where the guideline is vague."
        )
    return "Report the coefficient with its interval, the number of items and raters, and the scale you read it on."
