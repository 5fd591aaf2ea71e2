"""Methods ready to paste, the reporting checklist, and the references."""

from accord import __version__
from accord.agreement.registry import COEFFICIENTS
from accord.report.analysis import Analysis
from accord.report.bibliography import bibtex
from accord.report.checklist import checklist
from accord.report.document import Evidence, Quoted, Rows, Section
from accord.report.tables import Cell, Column, Table
from accord.words import counted, listed

__all__ = ["checklist_section", "methods", "methods_text"]


def methods_text(analysis: Analysis) -> str:
    """What a paper must say of these numbers, in sentences."""
    sentences = []
    for group in analysis.reliability.groups:
        titles = [estimate.title for estimate in group.estimates]
        sentences.append(
            f"For {group.title} ({group.level} scale of {group.values} values; {counted(group.ratings, 'rating')} of "
            f"{counted(group.items, 'item')} by {counted(group.raters, 'rater')}) we report "
            f"{listed(titles) or 'no coefficient'}."
        )
    estimates = [estimate for group in analysis.reliability.groups for estimate in group.estimates]
    for key in dict.fromkeys(estimate.coefficient for estimate in estimates):
        spec = COEFFICIENTS[key]
        weights = f", {spec.weights} weights" if spec.weights else ""
        sentences.append(f"{spec.title}{weights}: {spec.missing_rule}.")
    intervals = dict.fromkeys(
        (estimate.interval.method, estimate.interval.level, estimate.interval.replicates)
        for estimate in estimates if estimate.interval
    )  # fmt: skip
    for method, level, replicates in intervals:
        drawn = f", {replicates:,} replicates, seed {analysis.seed}" if replicates else ""
        sentences.append(f"Intervals at {level:.0%} are by {method}{drawn}.")
    sentences.append(
        f"Computed with Accord {__version__} from ratings with fingerprint {analysis.ratings.fingerprint}."
    )
    return " ".join(sentences)


def methods(analysis: Analysis) -> Section:
    cited = {COEFFICIENTS[estimate.coefficient].reference for estimate in analysis.reliability}
    cited |= {"efron1987"} if any(e.interval and "BCa" in e.interval.method for e in analysis.reliability) else set()
    cited |= {"amidei2019"} if analysis.sides else set()
    cited |= {"castilho2021"} if analysis.scenarios else set()
    references = Evidence("references", "References in BibTeX", [Quoted(bibtex(cited), "BibTeX")])
    return Section("methods", "Methods, ready to paste", [Quoted(methods_text(analysis), "Methods"), references])


def checklist_section(analysis: Analysis) -> Section:
    rows: list[dict[str, Cell]] = [
        {"question": entry.question, "answer": entry.answer or "only you know: please state it", "from": entry.origin}
        for entry in checklist(analysis)
    ]
    columns = (Column("question", "what a reader must be told"), Column("answer", "answer"), Column("from", "from"))
    open_ones = sum(not entry.answer for entry in checklist(analysis))
    note = f"{open_ones} questions are left for the author."
    return Section("checklist", "Reporting checklist", [Rows(Table("What to report", columns, rows, (note,)))])
