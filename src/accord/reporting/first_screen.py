"""The first screen: question, answer, three numbers, what is wrong, what to do; it can stand alone."""

from collections.abc import Sequence
from math import isnan

from accord.coefficients.registry import ICC_1K, ICC_AK
from accord.comparisons.answers import RECOMMENDED
from accord.diagnosis.causes import Effect
from accord.diagnosis.finding import Finding, Severity
from accord.noise import first_of, ordered
from accord.ratings.apart import words_of
from accord.records import dataclass
from accord.reliability.digits import decisive_digits
from accord.reliability.interpretation import FEWEST_ITEMS
from accord.reliability.measured_again import MeasuredAgain, newest_words
from accord.reliability.result import GroupReliability
from accord.reliability.units import FEWEST_DOCUMENTS
from accord.reporting.analysis import TENTATIVE, Analysis
from accord.reporting.document import FirstScreen, Number, Rows
from accord.reporting.forest import bars_of, forest_table
from accord.reporting.headline import Headline, headlines, leading
from accord.reporting.ranked import Rankings, ranked_answer, ranked_numbers, systems_forest
from accord.reporting.scarce_scores import few_scores, few_scores_answer, few_scores_numbers
from accord.reporting.sections.items import disagree, undisputed
from accord.reporting.sections.preferences import preference_answer
from accord.reporting.sections.raters import differing
from accord.reporting.verdicts import THIN, Judgements
from accord.reporting.wording import capital, cases, ends_text, number_text, sentence, told
from accord.scoring.item_scores import ItemScore
from accord.sentences import Sentence, said_of
from accord.words import counted, listed, steady

__all__ = [
    "HEADLINES",
    "Judged",
    "disputed_share",
    "extremes",
    "first_answer",
    "first_screen",
    "methods_named",
    "number_of",
    "why",
]

_MOST = 3
_FEW_DOCUMENTS = "few_documents"
_BELOW = ("unreliable", "worse_than_chance", "chance")
_OPEN = ("not_shown", "few_items", "chance")
_FOREST = 12
_MOST_DISPUTED = 0.5


def first_screen(analysis: Analysis) -> FirstScreen:
    heads = headlines(analysis)
    known = [head for head in heads if not isnan(head.estimate.value)]
    few = few_scores(analysis)
    judged = Judged(analysis.ratings.raters, len(analysis.ratings), heads)
    preferred = preference_answer(analysis.preferences, analysis.confidence)
    question, answer = first_answer(judged, analysis.rankings, preferred, few)
    numbers = _numbers(analysis, known)
    numbers = [*numbers[:1], *ranked_numbers(analysis.rankings), *numbers[1:]]
    if few:
        numbers = few_scores_numbers(few)
    return FirstScreen(
        question, answer, why(heads) if not few else said_of(HEADLINES, judged), analysis.sanity, numbers[:_MOST],
        _wrong(analysis, known, few), _calm(analysis), _todo(analysis, known),
        _forests(analysis, known), _footnote(known),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """What the first sentence of a report is chosen from: who rated how much, and what each criterion allows."""

    raters: int
    ratings: int
    heads: Sequence[Headline]

    @property
    def verdicts(self) -> set[Judgements]:
        return {head.judgements for head in self.heads}


def _each_verdict(seen: Judged) -> str:
    """Of each criterion what its interval allows, those with one verdict together."""
    by_verdict: dict[str, list[str]] = {}
    for head in ordered(seen.heads, _sortable, highest=True):
        by_verdict.setdefault(head.judgements.several, []).append(head.about)
    said = [
        f"{'those' if place else 'Judgements'} of {listed(list(dict.fromkeys(names)))} {words}"
        for place, (words, names) in enumerate(by_verdict.items())
    ]
    return f"{'; '.join(said)}."


# A table should look like one.
# fmt: off
HEADLINES: tuple[Sentence[Judged], ...] = (
    Sentence("one_rater", lambda seen: seen.raters < 2,
             lambda seen: f"One rater gave {counted(seen.ratings, 'rating')}, which nobody else confirms or "
                          "contradicts."),
    Sentence("nothing_shared", lambda seen: not seen.heads,
             lambda seen: "No two raters judged the same item: nothing can be compared."),
    Sentence("one_verdict", lambda seen: len(seen.verdicts) == 1, lambda seen: seen.heads[0].judgements.alone),
    Sentence("several_verdicts", lambda seen: len(seen.verdicts) > 1, _each_verdict),
)
# fmt: on


def first_answer(
    judged: Judged, rankings: Rankings, preferred: str = "", few: Sequence[ItemScore] = ()
) -> tuple[str, str]:
    """What is asked first, and the answer: which system is better where there are several, then what each criterion
    allows. The report and the overview of a study both say what is made here.
    """
    reliability = said_of(HEADLINES, judged)
    if few:
        return "What do these few scores say?", few_scores_answer(few)
    if ranked := ranked_answer(rankings):
        return "Which system is better, and can these judgements decide it?", f"{ranked} {reliability}"
    if preferred:
        return "Which system is preferred, and can these judgements decide it?", f"{preferred} {reliability}"
    return "How far can these judgements be trusted?", reliability


def _sortable(head: Headline) -> float:
    return -2.0 if isnan(head.estimate.value) else head.estimate.value


def why(heads: Sequence[Headline]) -> str:
    """The number behind the answer where there is one, else the lowest and the highest."""
    known = ordered((head for head in heads if not isnan(head.estimate.value)), _sortable)
    if not known:
        return ""
    # What stands in for a coefficient without a value is on no common scale with the others.
    absent = "".join(
        f" {head.about}: {head.absent}" if len(known) > 1 else f" {head.absent}" for head in known if head.absent
    )
    return f"{_told_of([head for head in known if not head.absent] or known)}{absent.rstrip()}"


def _told_of(known: Sequence[Headline]) -> str:
    if len(known) == 1:
        (head,) = known
        who = f"{head.group.level} scale, {counted(head.estimate.items, 'item')}, {counted(head.group.raters, 'rater')}"
        within = f", {head.group.title}" if head.group.combined else ""
        words = f": {head.words()}" if head.words() else ""
        rounds = "".join(f" {one}." for one in (head.rounds, head.again) if one)
        return f"{told(head.estimate)} ({who}{within}){words}.{rounds}"
    low, high = known[0], known[-1]
    apart = sorted({column for head in (low, high) for column in head.group.combined})
    combined = f" Agreement is computed within each {words_of(apart)} and combined." if apart else ""
    lowest = f"{told(low.estimate)} on {low.about} is the lowest"
    return f"{lowest}, {told(high.estimate)} on {high.about} the highest.{combined}{_again((low, high))}"


def _again(heads: Sequence[Headline]) -> str:
    """What was measured again, and what was before it, of criteria that were measured alike together."""
    alike: dict[str, list[tuple[str, MeasuredAgain]]] = {}
    for head in heads:
        if head.again:
            alike.setdefault(head.again.opening, []).append((head.about, head.again))
    return "".join(f" {_told_once(own)}." for own in alike.values())


def _told_once(measured: Sequence[tuple[str, MeasuredAgain]]) -> str:
    """The words once, then each criterion."""
    each = "; ".join(filter(None, (again.of_several(about) for about, again in measured)))
    return f"{measured[0][1].opening}{each}" if each else measured[0][1].words


def _numbers(analysis: Analysis, known: Sequence[Headline]) -> list[Number]:
    """The criterion that decides, else the lowest; then the highest; then how many items all raters agree on."""
    declared = analysis.ratings.codebook.study.plan.get("criterion", "")
    numbers = [number_of(head) for head in extremes(known, str(declared))]
    share = disputed_share(analysis)
    if share is not None:
        same, items = share
        what = "Items without dispute" if len(analysis.criteria) == 1 else "Cases without dispute"
        numbers.append(Number(what, f"{steady(same / items):.0%}", f"{same:,} of {items:,}", undisputed(analysis)))
    return numbers


def extremes(known: Sequence[Headline], declared: str = "") -> list[Headline]:
    """The criterion that a plan declares to decide, else the lowest; then the highest of the others."""
    rising = ordered(known, _sortable)
    # A name may go on with what it was measured under.
    decides = (head for head in rising if declared and f"{head.name}, ".startswith(f"{declared}, "))
    first = next(decides, rising[0] if rising else None)
    shown = [first] if first else []
    return shown + [head for head in reversed(rising) if head is not first][:1]


def number_of(head: Headline) -> Number:
    """The number of one criterion with its interval and what it allows to say."""
    estimate = head.estimate
    label = f"{capital(head.name)}, {estimate.title}" if head.name else estimate.title
    (bar,) = bars_of([estimate])
    digits = decisive_digits(estimate)
    value, ends = number_text(estimate.value, digits), ends_text(estimate.interval, digits)
    again = head.again.note if head.again else ""
    return Number(label, value, ends, "; ".join(filter(None, (head.words(short=True), again))), bar)


def disputed_share(analysis: Analysis) -> tuple[int, int] | None:
    """How many items got one and the same value from all their raters, and how many were rated twice or more."""
    items = sum(one.items.items for one in analysis.criteria)
    return (items - sum(one.items.disputed for one in analysis.criteria), items) if items else None


def grave_groups(analysis: Analysis) -> list[list[Finding]]:
    """Findings that are more than remarks, those of one kind together, the gravest first."""
    groups: dict[str, list[Finding]] = {}
    for finding in analysis.diagnosis.findings:
        if finding.severity is not Severity.NOTE:
            groups.setdefault(finding.code, []).append(finding)
    return list(groups.values())


def _wrong(analysis: Analysis, known: Sequence[Headline], few: Sequence[object]) -> list[str]:
    names = {*analysis.ratings.rater.names, *analysis.ratings.item.names}
    lines = []
    for group in grave_groups(analysis)[:_MOST]:
        more = f" (and {counted(len(group) - 1, 'more part')})" if len(group) > 1 else ""
        lines.append(sentence(f"{group[0].message.rstrip('.')}{more}", names))
    thin = [head for head in known if head.verdict in THIN]
    lines += filter(None, (_too_thin(analysis, thin),))
    share = disputed_share(analysis)
    if share and not few and len(lines) < _MOST and 1 - share[0] / share[1] >= _MOST_DISPUTED:
        lines.append(
            f"{disagree(analysis)} on {share[1] - share[0]:,} of {cases(share[1], len(analysis.criteria))}: "
            "read the disputed texts."
        )
    return lines[:_MOST]


def _too_thin(analysis: Analysis, thin: Sequence[Headline]) -> str:
    """What there is too little of, items or documents; '' where the interval lacks for another reason."""
    few = next((head for head in thin if head.estimate.items < FEWEST_ITEMS), None)
    if few:
        about = f" ({few.name})" if few.is_measurement else ""
        items = counted(few.estimate.items, "item")
        return f"Only {items} with two or more ratings{about}, so another sample may say otherwise."
    if any(head.verdict == _FEW_DOCUMENTS for head in thin):
        return f"All items come from {_documents(analysis)}, so other documents may say otherwise."
    return ""


def _documents(analysis: Analysis) -> str:
    return counted(len(analysis.ratings.columns["document"].names), "document")


def _calm(analysis: Analysis) -> str:
    if grave_groups(analysis) or analysis.sanity:
        return ""
    found = f"None of {analysis.diagnosis.checks} checks found a reason to distrust the data themselves."
    if analysis.heaviest and analysis.heaviest.is_sure:
        found = f"{found} {analysis.heaviest.sure_words}."
    who = sorted({one.rater for criterion in analysis.criteria for one in differing(criterion)})
    # A check warns from half a standard deviation on; the section tells every difference that is more than chance.
    return f"{found} {_slightly(who)}" if who else found


def _slightly(who: Sequence[str]) -> str:
    named = listed(who) if len(who) <= _MOST else counted(len(who), "rater")
    verb = "rates" if len(who) == 1 else "rate"
    return f"{named} {verb} slightly higher or lower than the others, which is shown under Raters."


def _todo(analysis: Analysis, known: Sequence[Headline]) -> list[str]:
    if analysis.collecting:  # what is planned and missing would be advised as something to plan
        return [analysis.collecting.advice, *([RECOMMENDED] if analysis.scenarios else [])]
    lines = [sentence(group[0].advice) for group in grave_groups(analysis) if group[0].advice][: _MOST - 1]
    if not known:
        lines.append("Have the items rated by at least two raters who do not all give one and the same value.")
    elif all(head.verdict in THIN for head in known):
        lines += filter(None, (*(_enough(analysis, known) or [_report(known)]), _more_items(analysis, known)))
    else:
        lines += filter(None, (_more_items(analysis, known), _report(known, analysis.heaviest)))
    if analysis.scenarios:
        lines.append(RECOMMENDED)
    return list(dict.fromkeys(lines))[:_MOST]


def _enough(analysis: Analysis, known: Sequence[Headline]) -> list[str]:
    """What a coefficient needs before it decides anything, as far as it is lacking."""
    lines = []
    if any(head.verdict == _FEW_DOCUMENTS for head in known):
        lines.append(
            f"Have more documents rated: {_documents(analysis)} cannot speak of others, and an interval over documents "
            f"takes {FEWEST_DOCUMENTS} at least."
        )
    if any(head.estimate.items < FEWEST_ITEMS for head in known):
        lines.append(
            f"Have at least {FEWEST_ITEMS} items rated by two or more raters before a coefficient decides anything."
        )
    return lines


def _more_items(analysis: Analysis, known: Sequence[Headline]) -> str:
    """How many more items would narrow an interval that leaves its verdict open; '' where none does.

    It is about a number that the reader has just read, else about the widest interval.
    """
    open_ones = [head for head in known if head.verdict in _OPEN and head.more()]
    if not open_ones:
        return ""
    declared = str(analysis.ratings.codebook.study.plan.get("criterion", ""))
    read = [head for head in extremes(known, declared) if head in open_ones]
    chosen = read[0] if read else first_of(open_ones, _width, highest=True)
    about = f" on {chosen.name}" if len(known) > 1 else ""
    return f"{chosen.more()}{about}."


def _width(head: Headline) -> float:
    return head.estimate.interval.width if head.estimate.interval else 0.0


def _report(known: Sequence[Headline], heaviest: Effect | None = None) -> str:
    below = [head.name for head in known if head.verdict in _BELOW]
    if below and len(known) == 1 and (means := _means(known[0])):
        return means
    if below:
        about = f" of {listed(below)}" if any(below) and len(known) > 1 else ""
        look = "read the disputed texts to see where the guideline is vague"
        if heaviest and heaviest.is_sure:
            look = f"look first at the items on which {listed(heaviest.without)} differs, then {look}"
        return f"Do not rest conclusions on single ratings{about}; {look}."
    return "Report the coefficient with its interval, the number of items and raters, and the scale you read it on."


def _means(head: Headline) -> str:
    """What to rest conclusions on where single ratings do not carry them, if an interval shows that means do."""
    group = head.group
    averaged = next((group[key] for key in (ICC_AK, ICC_1K) if key in group), None)
    if averaged is None or averaged.interval is None or averaged.interval.low < TENTATIVE:
        return ""
    return (
        f"Rest conclusions on means over the {group.raters} raters, which are more reliable ({told(averaged)}), not on "
        "single ratings."
    )


def _forests(analysis: Analysis, known: Sequence[Headline]) -> list[Rows]:
    forests = systems_forest(analysis.rankings)
    if len(known) > 1:
        shown = known[:_FOREST]
        titles = {head.estimate.title for head in shown}
        # One measurement of all is named once, above: beside each name it takes five lines of a narrow column.
        newest = {newest_words(head.group.by) if head.is_measurement else "" for head in shown}
        alike = newest.pop() if len(newest) == 1 else ""
        title = ", ".join(filter(None, ("Agreement by criterion", alike, titles.pop() if len(titles) == 1 else "")))
        table = forest_table(title, [(head.about if alike else head.name, head.estimate) for head in shown])
        forests.append(Rows(table, bars=bars_of([head.estimate for head in shown])))
    whole = next((group for group in analysis.reliability.groups if group.combined), None)
    if len(known) == 1 and whole is not None:
        forests += _parts_forest(analysis, known[0], whole)
    return forests


def _parts_forest(analysis: Analysis, head: Headline, whole: GroupReliability) -> list[Rows]:
    """α of each part of the only criterion: the parts can be as unlike as good and bad."""
    found = ((part.by, leading(part)) for part in analysis.reliability.parts)
    named = [
        (", ".join(by[column] for column in whole.combined if by.get(column)), one)
        for by, one in found if one is not None
    ]  # fmt: skip
    if not 1 < len(named) <= _FOREST:
        return []
    table = forest_table(f"Agreement by {words_of(whole.combined)}, {head.estimate.title}", named)
    return [Rows(table, bars=bars_of([one for _, one in named]))]


def _footnote(known: Sequence[Headline]) -> str:
    intervals = [(head.name, head.estimate.interval) for head in known if head.estimate.interval]
    if not intervals:
        return ""
    made = methods_named([(name, interval.method) for name, interval in intervals])
    return (
        f"Intervals of agreement: {intervals[0][1].level:.0%}, {made}. Hairlines on α: .667 and .8 (Krippendorff 2004)."
    )


def methods_named(methods: Sequence[tuple[str, str]]) -> str:
    """The method of intervals; where criteria have several, each with those that have it."""
    by_method: dict[str, list[str]] = {}
    for name, method in methods:
        by_method.setdefault(method, []).append(name)
    if len(by_method) < 2:
        return next(iter(by_method), "")
    return "; ".join(f"{method} ({listed(names)})" for method, names in by_method.items())
