"""What was collected for a study, as ratings for a report: without control items and without excluded raters."""

import tempfile
from pathlib import Path

from accord.errors import NotEnoughDataError
from accord.ratings.leaving_out import with_exclusions
from accord.server.organiser.ratings import all_ratings, questionnaire_answers
from accord.server.study import current

__all__ = ["report_html"]


def report_html() -> bytes:
    """The report as one page that needs nothing else."""
    from accord.reporting.compose import compose
    from accord.reporting.writing import write_document

    ratings, study = all_ratings(), current()
    if ratings is None:
        raise NotEnoughDataError("There are no judgements yet, so there is nothing to report.")
    with tempfile.TemporaryDirectory() as scratch:
        document = compose(
            with_exclusions(ratings), title=study.title, seed=study.settings.seed,
            read_as=(study.study.folder.name,), answers=questionnaire_answers(),
        )  # fmt: skip
        return write_document(document, Path(scratch) / "report.html").read_bytes()
