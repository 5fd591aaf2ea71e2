"""What was declared before collection, apart from what was looked at afterwards."""

from collections.abc import Sequence
from math import isnan

from accord.coefficients.registry import COEFFICIENTS
from accord.ratings.apart import words_of
from accord.ratings.codebook import StudyFacts
from accord.reliability.estimate import Estimate
from accord.reporting.analysis import Analysis, part_name
from accord.reporting.departures import departures_from_plan
from accord.reporting.document import Block, Listing, Paragraph, Rows, Section
from accord.reporting.wording import capital
from accord.tables.table import Cell, Column, Table
from accord.words import listed, steady

__all__ = ["plan"]

_WORDS = {
    "criterion": "criterion that decides", "coefficient": "coefficient that decides", "comparison": "what is compared",
    "unit": "what is resampled", "confidence": "confidence level", "reliability": "reliability that is enough",
    "hypothesis": "what is expected", "exclusions": "who or what is left out",
}  # fmt: skip


_REHEARSED = "stands in the study, and nobody has judged yet: it is rehearsed on simulated ratings"


def plan(analysis: Analysis) -> Section | None:
    """The declared plan with its result first; everything else was looked at afterwards. Nothing without a study."""
    facts = analysis.ratings.codebook.study
    if not facts.title:
        return None
    if not facts.plan:
        only, rest = (", only who is left out", "everything else") if facts.exclusions else ("", "everything")
        none = f"No plan of analysis was declared before collection{only}"
        words = f"{none}, so {rest} in this report was looked at afterwards."
        return Section("plan", "Declared before collection", words, _changes(facts))
    blocks: list[Block] = [Paragraph(_when(facts)), Rows(_table(facts))]
    carried_out = [*_results(analysis, facts), *analysis.declared]
    departures = departures_from_plan(analysis)
    if departures:
        blocks += [Paragraph("This report departs from the plan:", "warning"), Listing(departures)]
    if carried_out:
        how = "with these departures" if departures else "as declared"
        blocks += [Paragraph(f"What the plan asks, carried out {how}:"), Listing(carried_out)]
    blocks += _changes(facts)
    title = "Declared before collection" if facts.plan_hash else "Declared after collection had begun"
    finding = capital(carried_out[0]) if carried_out else _when(facts)
    if departures:
        finding = f"Not as declared ({listed([one.partition(':')[0] for one in departures])}). {finding}"
    return Section("plan", title, finding, [*blocks, Paragraph(_afterwards(analysis, facts))])


def _afterwards(analysis: Analysis, facts: StudyFacts) -> str:
    """What else the report holds, by name: none of it was declared."""
    declared = facts.plan
    criteria = [name for name in analysis.ratings.codebook.criteria if name and name != declared.get("criterion")]
    columns = [column for column in (*analysis.comparisons, *(["scenario"] if analysis.scenarios else []))
               if column != declared.get("comparison")]  # fmt: skip
    ranked = analysis.rankings and declared.get("comparison") != "system"
    parts = [
        *(["every other coefficient"] if declared.get("coefficient") else ["every coefficient"]),
        *([_several("the criterion", "the criteria", criteria)] if criteria and declared.get("criterion") else []),
        *([_several("the comparison by", "the comparisons by", columns)] if columns else []),
        *(["the ranking of systems"] if ranked else []),
        "the findings",
    ]
    return f"Looked at afterwards: {listed(parts)}, and all the rest of this report. Read it as exploration."


def _several(one: str, many: str, names: Sequence[str]) -> str:
    return f"{one if len(names) == 1 else many} {listed(names)}"


def _changes(facts: StudyFacts) -> list[Block]:
    """What became of the plan, and of the study itself, when judgements were there already."""
    if not facts.plan_changes:
        return []
    return [Paragraph("Changed after collection had begun:", "warning"), Listing(facts.plan_changes)]


def _when(facts: StudyFacts) -> str:
    if facts.plan_hash:
        kept = f"was kept on {facts.plan_date}, before the first judgement" if facts.plan_date else _REHEARSED
        return f"This plan of analysis {kept} (hash {facts.plan_hash})."
    return "This plan of analysis was declared when judgements were there already: it was not declared in advance."


def _table(facts: StudyFacts) -> Table:
    rows: list[dict[str, Cell]] = [
        {"what": _WORDS.get(name, name), "declared": words} for name, words in facts.plan.items()
    ]
    return Table("The plan", (Column("what", "what"), Column("declared", "as declared")), rows)


def _results(analysis: Analysis, facts: StudyFacts) -> list[str]:
    """The declared coefficient on the declared criterion, part by part, against what was declared to be enough."""
    key, criterion = facts.plan.get("coefficient", ""), facts.plan.get("criterion", "")
    told = []
    # Where parts are kept apart, the α of all of them together is the answer; then come the parts.
    for group in sorted(analysis.reliability.groups, key=lambda one: not one.combined):
        name = group.by.get("criterion", "")
        if (criterion and name and name != criterion) or not key or (group.combined and key not in group):
            continue
        within = f"combined within {words_of(group.combined)}" if group.combined else ""
        about = ", ".join(filter(None, (part_name(group.by, "" if within else "these ratings"), within)))
        estimate = next((one for one in group.estimates if one.coefficient == key), None)
        told.append(f"{about}: {_declared_value(estimate, key, facts)}")
    return told


def _declared_value(estimate: Estimate | None, key: str, facts: StudyFacts) -> str:
    if estimate is None:
        title = COEFFICIENTS[key].title if key in COEFFICIENTS else key
        return f"{title} was declared but does not fit these ratings, so it has no value here."
    if isnan(estimate.value):
        return f"{estimate.title} has no value: {'; '.join(estimate.cautions)}"
    ends = estimate.interval
    interval = f" ({ends.level:.0%} interval {steady(ends.low):.3f} to {steady(ends.high):.3f})" if ends else ""
    return f"{estimate.title} = {steady(estimate.value):.3f}{interval}{_enough(estimate, facts)}."


def _enough(estimate: Estimate, facts: StudyFacts) -> str:
    """Decided by the interval: enough where all of it reaches the value, too little where none of it does."""
    wanted, ends = facts.plan.get("reliability", ""), estimate.interval
    if not wanted or ends is None:
        return ""
    least = float(wanted)
    if ends.low >= least:
        return f"; {least:g} was declared to be enough, and the whole interval reaches it"
    if ends.high < least:
        return f"; {least:g} was declared to be enough, and the whole interval lies below it"
    return f"; {least:g} was declared to be enough, and the interval leaves open whether it is reached"
