"""The dossier in sentences: the answer first, then what each part found."""

from math import isnan

from accord.design.scale import Direction
from accord.inference.interval import Interval
from accord.judging.alternative import LEAST_UNITS, AltTest
from accord.judging.beside import Beside
from accord.judging.dossier import CriterionDossier, Dossier
from accord.judging.errs import Effect
from accord.judging.gate import Check, Gate, Verdict
from accord.words import counted, listed, steady

__all__ = [
    "agrees",
    "answer",
    "answer_of",
    "at_once",
    "bias_sentence",
    "biases",
    "ends",
    "errors_sentence",
    "found",
    "gate_sentences",
    "score_sentence",
    "stands_in",
    "steadiness_sentences",
]


_PASSES = 0.5
"""Share of people that the judge must do as well as."""


def ends(interval: Interval | None, digits: int = 2) -> str:
    """``0.40 to 0.61``, or nothing."""
    return "" if interval is None else f"{steady(interval.low):.{digits}f} to {steady(interval.high):.{digits}f}"


def _bracket(interval: Interval | None, digits: int = 2) -> str:
    return "" if interval is None else f" ({interval.level:.0%} interval {ends(interval, digits)})"


def answer(dossier: Dossier) -> list[str]:
    """At most a few sentences for each criterion."""
    several = len(dossier.parts) > 1
    told = [at_once(dossier)] if len(dossier.parts) > 2 else []
    for part in dossier.parts:
        head = f"{part.title}: " if several else ""
        told += [f"{head}{answer_of(dossier.judge, part)}"]
    told += dict.fromkeys(note for part in dossier.parts for note in answers_notes(part))
    if dossier.others and not dossier.asked.judge:
        told.append(
            f"This is about {dossier.judge}; {listed(list(dossier.others))} judged too. --judge NAME looks at another."
        )
    return [*told, *dossier.skipped]


def at_once(dossier: Dossier) -> str:
    """How many of many criteria the judge may stand in for, before each is told."""
    groups: dict[str, list[str]] = {}
    for part in dossier.parts:
        groups.setdefault(_outcome(part), []).append(part.title)
    told = [
        f"{outcome} {len(titles)}"
        + (f" ({'; '.join(titles)})" if len(titles) < len(dossier.parts) and len(titles) < 4 else "")
        for outcome in _OUTCOMES
        if (titles := groups.get(outcome))
    ]
    return f"Of {len(dossier.parts)} criteria or groups {dossier.judge} {', '.join(told)}."


_OUTCOMES = (
    "may stand in for people in",
    "passes the test, though not for certain, in",
    "does not pass it, but might on other items, in",
    "may not stand in for people in",
    "cannot be tested in",
)


def _outcome(part: CriterionDossier) -> str:
    if part.test is None:
        return _OUTCOMES[4]
    if part.test.passed:
        return _OUTCOMES[0 if _sure(part.test) else 1]
    return _OUTCOMES[3 if _sure(part.test) else 2]


def answers_notes(part: CriterionDossier) -> list[str]:
    """Which way of asking this is about, which labels do not count, and what becomes of several answers to an item."""
    panel = part.panel
    notes = list(panel.notes)
    if panel.targeted:
        notes.append(
            "Listed where the judge lies far from people, and counted in no number: "
            f"{counted(panel.targeted, 'item')} that people labelled for what they show (sampling: targeted)."
        )
    most = round(1 / float(panel.answers.weight.min()))
    if most < 2:
        return notes
    how = "as their mean" if panel.ordered else "each with its share"
    return [*notes, f"{panel.name} answered an item up to {most} times (runs, orders): all count, {how}."]


def answer_of(judge: str, part: CriterionDossier) -> str:
    """May it stand in, does it agree as people do, and what do its scores say."""
    return " ".join(filter(None, (stands_in(judge, part), agrees(part.beside[0]), score_sentence(judge, part))))


def stands_in(judge: str, part: CriterionDossier) -> str:
    test = part.test
    if test is None:
        return f"Whether {judge} may stand in for people cannot be tested here. {part.refused}"
    beaten = sum(human.beaten for human in test.humans)
    numbers = (
        f"it does at least as well as {beaten} of {counted(len(test.humans), 'person', 'people')}, winning rate "
        f"{steady(test.winning_rate):.2f}{_bracket(test.winning_interval)}, ε = {test.epsilon:g}"
    )
    if test.winning_interval is None:
        verdict = "passes" if test.passed else "does not pass"
        few = f"the labels are of fewer than {LEAST_UNITS} {part.panel.units}"
        told = f"{judge} {verdict} the test for standing in for these people here: {numbers}."
        return f"{told} Of others nothing is known: {few}."
    if test.passed and not _sure(test):
        return f"{judge} passes the test for standing in for these people, but on other items might not: {numbers}."
    if test.passed:
        return f"{judge} may stand in for these people: {numbers}."
    if not _sure(test):
        return f"{judge} does not pass the test for standing in for these people, but on other items might: {numbers}."
    return f"{judge} may not stand in for these people: {numbers}."


def _sure(test: AltTest) -> bool:
    """Whether the whole interval of the winning rate lies on the side that came out, as a gate asks for it."""
    ends = test.winning_interval
    return ends is not None and (ends.low >= _PASSES if test.passed else ends.high < _PASSES)


def agrees(alpha: Beside) -> str:
    if isnan(alpha.judge):
        return "α of the judge with people is not defined: only one value occurs."
    if isnan(alpha.people):
        mine = f"Its α with people is {steady(alpha.judge):.2f}{_bracket(alpha.judge_interval)}"
        return f"{mine}; among people there is none: no item has two of them, or they gave one value only."
    sides = f"α {steady(alpha.judge):.2f} with people, {steady(alpha.people):.2f} among people"
    gap = alpha.difference_interval
    if gap is None:
        return f"Agreement: {sides}."
    if gap.high < 0:
        return f"It agrees with people less than they agree with each other: {sides} (difference {ends(gap)})."
    if gap.low > 0:
        return f"It agrees with people more than they agree with each other: {sides} (difference {ends(gap)})."
    return (
        f"That it agrees with people less than they do with each other is not shown: {sides} (difference {ends(gap)})."
    )


def score_sentence(judge: str, part: CriterionDossier) -> str:
    if not part.measures:
        return ""
    measure = part.measures[0]
    one = measure.overall
    if one.interval is None:
        return f"No corrected {measure.name}: {one.refused}."
    return (
        f"Corrected by {counted(one.rated, 'human label')}, its {measure.name} is {steady(one.mean):.2f} "
        f"({ends(one.interval)}); the judge alone says {steady(one.judge_only):.2f}."
    )


def found(part: CriterionDossier) -> list[str]:
    """What stands under the tables: worth, coverage, ranking, severity."""
    lines = [gap.words for gap in (part.measures[0].gaps if part.measures else ())]
    if part.worth is not None and part.worth.interval is not None:
        low, high = part.worth.interval.low, part.worth.interval.high
        lines.append(
            f"Beside your {counted(part.worth.labels, 'label')}, {part.worth.scores:,} scores of this judge are worth "
            f"about {steady(part.worth.value):.0f} human labels more ({steady(low):.0f} to {steady(high):.0f})."
        )
    lines += _ranking(part)
    if part.more_labels is not None:
        there = len(part.panel.items)
        more = "" if part.more_labels <= there else f", and only {counted(there, 'item')} were judged: judge more first"
        lines.append(f"The half-width you want takes about {counted(part.more_labels, 'human label')} in all{more}.")
    return lines


def _ranking(part: CriterionDossier) -> list[str]:
    if not part.measures or not part.measures[0].systems:
        return []
    measure = part.measures[0]
    refused = [f"{name or 'no system'} ({one.refused})" for name, one in measure.systems if one.interval is None]
    lines = [f"Not corrected: {listed(refused)}."] if refused else []
    clear = [one for one in measure.differences if one.adjusted < 0.05]
    known = [one for one in measure.differences if one.corrected.interval is not None]
    if part.panel.direction is Direction.UNKNOWN and part.panel.ordered:
        word = "has a higher corrected score than"
    else:
        word = "is better than"
    if clear:
        told = listed([f"{one.first} {word} {one.second}" for one in clear[:6]])
        more = f" and {len(clear) - 6} more pairs" if len(clear) > 6 else ""
        lines.append(f"{told}{more}; p below .05 after Holm over {counted(len(known), 'pair')}.")
    elif known:
        lines.append("No two systems are told apart by the corrected scores.")
    return lines


def errors_sentence(judge: str, part: CriterionDossier) -> str:
    """How far it lies off, in one sentence."""
    apart = part.apart
    if not part.panel.ordered:
        return (
            f"{judge} gives another label than a person in {steady(apart.value):.0%} of the "
            f"cases{_percent(apart.interval)}."
        )
    if apart.interval is None or apart.interval.low <= 0 <= apart.interval.high:
        return (
            f"{judge} is neither shown to be stricter nor milder: "
            f"{steady(apart.value):+.2f}{_bracket(apart.interval)} points."
        )
    word = "higher" if apart.value > 0 else "lower"
    return f"{judge} scores {steady(abs(apart.value)):.2f} points {word} than people{_bracket(apart.interval)}."


def biases(part: CriterionDossier) -> list[Effect]:
    """The probes that show something, once all of them are counted."""
    return [one for one in part.probes if one.adjusted < 0.05]


def bias_sentence(part: CriterionDossier) -> str:
    """Which bias is shown; that none is shown is not that there is none."""
    if not part.probes:
        return "No bias could be tested with these data."
    points = " points" if part.panel.ordered else ""
    shown = [f"{one.name} {steady(one.value):+.2f}{points}{_bracket(one.interval)}" for one in biases(part)]
    if shown:
        return f"Bias is shown: {'; '.join(shown)}; p below .05 after Holm over {counted(len(part.probes), 'probe')}."
    names = listed([one.name for one in part.probes])
    return f"No bias is shown by what could be tested ({names}); as much as the intervals hold may still be there."


def _percent(interval: Interval | None) -> str:
    return "" if interval is None else f" ({steady(interval.low):.0%} to {steady(interval.high):.0%})"


def steadiness_sentences(part: CriterionDossier) -> list[str]:
    """Runs and drift."""
    lines = []
    if part.runs is None:
        lines.append("Steadiness: no item was judged twice in the same way. Judge some items again (a column run).")
    else:
        runs = part.runs
        lines.append(
            f"Judged again, {steady(runs.same):.0%} of the verdicts on {counted(runs.items, 'item')} were the same"
            + (
                "."
                if isnan(runs.share)
                else f"; {steady(runs.share):.0%}{_percent(runs.interval)} of the variance of a score is the "
                "judge's own."
            )
        )
    clear = [one for one in part.settings if one.adjusted < 0.05]
    if clear:
        told = "; ".join(f"{one.name} {steady(one.value):+.2f}{_bracket(one.interval)} points" for one in clear)
        lines.append(f"Asked in another way it scores the same items otherwise: {told}.")
    if isinstance(part.drift, str):
        return [*lines, part.drift]
    shown = part.drift.p < 0.05
    moved = (
        f"{part.drift.name} {steady(part.drift.value):+.2f}{_bracket(part.drift.interval)} points of judge minus people"
    )
    unshown = f"No drift is shown: {moved}; as much as the interval holds may still be there."
    return [*lines, f"Drift is shown: {moved}." if shown else unshown]


def _until(check: Check) -> str:
    if check.labels is None:
        return ""
    return f" About {counted(check.labels, 'labelled item')} in all would decide it, if it stays as it is."


def gate_sentences(gate: Gate) -> list[str]:
    """The verdict, and every check that is not well."""
    bad = [check for check in gate.checks if check.verdict is not Verdict.TRUSTED]
    told = []
    for check in bad:
        seen = (
            f"cannot be computed here. {check.why}".rstrip(". ")
            if check.value is None or check.low is None or check.high is None
            else f"is {steady(check.value):.2f}, interval {steady(check.low):.2f} to {steady(check.high):.2f}"
        )
        where = "" if check.criterion == "all ratings" else f" ({check.criterion})"
        told.append(f"{check.asked}{where} {seen}, the gate asks {check.limit:g}: {check.verdict}.{_until(check)}")
    passed = f"{gate.verdict}: {len(gate.checks) - len(bad)} of {counted(len(gate.checks), 'check')} passed."
    return [passed, *told, *(f"Not checked, so not TRUSTED: {line}" for line in gate.unseen)]
