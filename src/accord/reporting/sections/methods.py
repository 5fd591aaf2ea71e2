"""Methods ready to paste, the reporting checklist, and the references."""

from collections.abc import Sequence

from accord import __version__
from accord.coefficients.names import titles_once
from accord.coefficients.registry import COEFFICIENTS, CoefficientSpec
from accord.ratings.apart import words_of
from accord.reporting.analysis import Analysis, part_name
from accord.reporting.bibliography import bibtex
from accord.reporting.checklist import background, checklist
from accord.reporting.departures import departures_from_plan
from accord.reporting.document import Evidence, Quoted, Rows, Section
from accord.reporting.wording import sentence
from accord.tables.table import Cell, Column, Table
from accord.words import counted, listed

__all__ = ["checklist_section", "methods", "methods_text"]


def methods_text(analysis: Analysis) -> str:
    """What a paper must say of these numbers, in sentences."""
    sentences = [*_collection(analysis)]
    reported: dict[tuple[str, ...], list[str]] = {}
    for group in analysis.reliability.parts:
        titles = tuple(_in_sentence(estimate.title) for estimate in group.estimates)
        name = part_name(group.by, "these ratings")
        reported.setdefault(titles, []).append(
            f"{name} ({group.level} scale of {counted(group.values, 'value')}; {counted(group.ratings, 'rating')} of "
            f"{counted(group.items, 'item')} by {counted(group.raters, 'rater')})"
        )
    for titles, groups in reported.items():
        sentences.append(f"For {listed(groups)} we report {listed(titles_once(titles)) or 'no coefficient'}.")
    for group in analysis.reliability.groups:
        if group.combined:
            within = words_of(group.combined)
            name = part_name(group.by, "these ratings")
            sentences.append(
                f"For {name} we also report Krippendorff's α over all parts, observed and expected disagreement summed "
                f"within each {within}."
            )
    estimates = [estimate for group in analysis.reliability.groups for estimate in group.estimates]
    sentences += _missing_rules([COEFFICIENTS[key] for key in dict.fromkeys(one.coefficient for one in estimates)])
    intervals = dict.fromkeys(
        (estimate.interval.method, estimate.interval.level, estimate.interval.replicates)
        for estimate in estimates
        if estimate.interval
    )
    for method, level, replicates in intervals:
        drawn = f", {replicates:,} replicates, seed {analysis.seed}" if replicates else ""
        sentences.append(f"Intervals at {level:.0%} are by {method}{drawn}.")
    sentences.append(
        f"Computed with Accord {__version__} from ratings with fingerprint {analysis.ratings.fingerprint}."
    )
    return " ".join(sentences)


def _collection(analysis: Analysis) -> list[str]:
    """How the judgements came about, as far as the study records it."""
    facts = analysis.ratings.codebook.study
    if not facts.title:
        return []
    told = {
        "Raters": background(facts), "Recruitment": facts.recruitment, "Pay": facts.pay, "Training": facts.training,
        "Guidelines": f"version {', '.join(facts.guidelines)}" if facts.guidelines else "", "Shown": facts.shown,
        "Control items": facts.controls, "Rules of exclusion declared before collection": "; ".join(facts.exclusions),
        "Asked for again": facts.again, "Items": facts.sampling, "Ethics approval": facts.ethics,
    }  # fmt: skip
    whole = [facts.blinding, facts.order, facts.independence]
    consent = "Raters agreed to take part before they began." if facts.consent else ""
    plan = (
        f"The plan of analysis was declared{f' on {facts.plan_date}' if facts.plan_date else ''}, before the first "
        f"judgement (hash {facts.plan_hash})."
        if facts.plan_hash
        else ""
    )
    departures = "; ".join(departures_from_plan(analysis))
    departed = f"The analysis departs from the plan: {departures}." if departures else ""
    named = [f"{name}: {words.rstrip('.')}." for name, words in told.items() if words]
    rehearsed = ["These ratings are simulated: they rehearse the analysis, and nobody has judged yet."]
    named = [*(rehearsed if analysis.ratings.codebook.is_simulated else ()), *named]
    return [*named, *(sentence(one) for one in whole if one), *filter(None, (consent, plan, departed))]


def _missing_rules(specs: Sequence[CoefficientSpec]) -> list[str]:
    """What each coefficient does about missing ratings, said once for all that do the same; weights beside names."""
    by_rule: dict[str, list[str]] = {}
    for spec in specs:
        weights = spec.coefficient.weights
        named = weights in ("", "identity") or weights in spec.title
        by_rule.setdefault(spec.missing_rule, []).append(
            _in_sentence(spec.title) + ("" if named else f" ({weights} weights)")
        )
    return [f"Missing ratings: for {listed(titles_once(titles))}, {rule}." for rule, titles in by_rule.items()]


def _in_sentence(title: str) -> str:
    """``percent agreement``, but ``Cohen's κ`` and ``ICC(1)``: only names keep their capital."""
    return title[:1].lower() + title[1:] if title.endswith("agreement") else title


def methods(analysis: Analysis) -> Section:
    cited = {COEFFICIENTS[estimate.coefficient].reference for estimate in analysis.reliability}
    for word, reference in (("BCa", "efron1987"), ("ABC", "diciccio1992")):
        cited |= {reference} if any(e.interval and word in e.interval.method for e in analysis.reliability) else set()
    cited |= {"amidei2019"} if analysis.sides else set()
    cited |= {"castilho2021"} if analysis.scenarios else set()
    references = Evidence(
        "references", "References in BibTeX", [Quoted(bibtex(cited), "BibTeX")], kept=True, paper=False
    )
    text = methods_text(analysis)
    finding = f"{counted(len(text.split()), 'word')}, with {counted(len(cited), 'reference')}."
    return Section("methods", "Methods, ready to paste", finding, [Quoted(text, "Methods", prose=True), references])


def checklist_section(analysis: Analysis) -> Section:
    rows: list[dict[str, Cell]] = [
        {"question": entry.question, "answer": entry.answer or "only you know: please state it", "from": entry.origin}
        for entry in checklist(analysis)
    ]
    columns = (Column("question", "what a reader must know"), Column("answer", "answer"), Column("from", "from"))
    return Section(
        "checklist", "Reporting checklist", _answered(analysis), [Rows(Table("What to report", columns, rows))]
    )


_NAMED = 3


def _answered(analysis: Analysis) -> str:
    """How many points the data and the study answer, and the first that only the author can."""
    entries = checklist(analysis)
    missing = [entry.key for entry in entries if not entry.answer]
    answered = f"{len(entries) - len(missing)} of {len(entries)} points answered"
    if not missing:
        return f"{answered}."
    named = [*missing[:_NAMED], *([f"{len(missing) - _NAMED} more"] if len(missing) > _NAMED else [])]
    return f"{answered}; only you know the rest: {listed(named)}."
