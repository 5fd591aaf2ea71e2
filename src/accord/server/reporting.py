"""What was collected for a study as a report, drawn in a process of its own."""

import tempfile
from dataclasses import replace
from pathlib import Path

from accord.errors import NotEnoughDataError
from accord.ratings.leaving_out import with_exclusions
from accord.reporting.analysis import Progress
from accord.reporting.document import Document, Evidence, Listing, Section
from accord.server.blinding import are_named
from accord.server.models_organiser import Contest
from accord.server.one_moment import one_moment
from accord.server.organiser.arbitration import before_and_after, rated_name
from accord.server.organiser.computing import wait_for
from accord.server.organiser.ratings import all_ratings, questionnaire_answers
from accord.server.organiser.watched import collecting_now, hasty_raters
from accord.server.study import current
from accord.words import counted

__all__ = ["report_html", "write_report"]


def report_html() -> bytes:
    """The report as one page that needs nothing else.

    Charts are never drawn in a process that serves: what draws them has threads, which a fork of it would lack.
    """
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "report.html"
        wait_for("report", str(target), "named" if are_named() else "coded")
        problem = Path(f"{target}.problem")
        if problem.exists():
            raise NotEnoughDataError(problem.read_text(encoding="utf-8"))
        return target.read_bytes()


def write_report(target: Path, progress: Progress | None = None, *, named: bool = False) -> None:
    """Analyse what was collected and write it as the file's name asks for; systems have codes, or names if asked."""
    from accord.ratings.sanity import sanity
    from accord.reporting.compose import compose
    from accord.reporting.writing import write_document
    from accord.scoring.gate_exclusions import gated
    from accord.server.organiser.page_words import remark_on_page

    with one_moment():
        ratings, study = all_ratings(named=named), current()
        if ratings is None:
            raise NotEnoughDataError("There are no judgements yet, so there is nothing to report.")
        answers, hasty, collecting = questionnaire_answers(), hasty_raters(), collecting_now()
        contested = _contested(named=named)
    if progress is not None:
        progress(0, 1)  # read, and nothing analysed yet
    counted = with_exclusions(ratings)
    document = compose(
        counted, title=study.title, seed=study.settings.seed, read_as=(study.study.folder.name,),
        answers=answers, progress=progress, hasty=hasty, collecting=collecting,
        sanity=tuple(map(remark_on_page, sanity(gated(counted)))),
    )  # fmt: skip
    write_document(document if contested is None else _before_methods(document, contested), target)


def _before_methods(document: Document, told: Section) -> Document:
    place = next((at for at, one in enumerate(document.sections) if one.key == "methods"), len(document.sections))
    return replace(document, sections=[*document.sections[:place], told, *document.sections[place:]])


def _contested(*, named: bool) -> Section | None:
    """What was contested; None where nothing was."""
    study, cases = current(), list(Contest.objects.select_related("judgement__task__rater").order_by("id"))
    if not cases:
        return None
    lines, ruled = [], 0
    for case in cases:
        about = case.judgement
        before, after = before_and_after(study, case)
        is_ruled = case.rulings.exists()
        ruled += is_ruled
        where = f"{rated_name(study, about, named=named)}, {about.task.rater.pseudonym}, {about.criterion}"
        lines.append(
            f"{where}: {before:g} as given, {f'{after:g} after arbitration' if is_ruled else 'not ruled on yet'}"
        )
    finding = (
        f"Contested: {counted(len(cases), 'answer')}; ruled on by a second reviewer: {ruled}. "
        "Ratings, agreement and ranking are those of the raters: no ruling changes them."
    )
    return Section(
        "arbitration",
        "Arbitration",
        finding,
        [Evidence("contested", "Every contested answer", [Listing(lines)], kept=True)],
    )
