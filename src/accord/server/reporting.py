"""What was collected for a study, as ratings for a report: without control items and without excluded raters."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from accord.design.declared_plan import exclusion_words
from accord.design.study import Exclusion
from accord.errors import NotEnoughDataError
from accord.ratings.codebook import LeftOut
from accord.ratings.collected import collected_ratings
from accord.ratings.leaving_out import left_out_in_words, with_exclusions
from accord.ratings.table import Ratings
from accord.server.collected_rows import codebook_now, fetch_rows
from accord.server.study import current

__all__ = ["analysed_ratings", "report_html"]


def analysed_ratings(*, named: bool = False) -> tuple[Ratings, tuple[str, ...]]:
    """The ratings collected so far, and the declared exclusion rules with whom they left out, in words."""
    study = current()
    ratings = collected_ratings(study.study, fetch_rows(), codebook_now(study), named=named)
    if ratings is None:
        raise NotEnoughDataError("There are no judgements yet, so there is nothing to report.")
    return with_exclusions(ratings), _in_words(study.settings.exclusions, ratings.codebook.left_out)


def report_html() -> bytes:
    """The report as one page that needs nothing else."""
    from accord.reporting.compose import compose
    from accord.reporting.writing import write_document

    ratings, exclusions = analysed_ratings()
    with tempfile.TemporaryDirectory() as scratch:
        document = compose(ratings, title=current().title, exclusions=exclusions)
        return write_document(document, Path(scratch) / "report.html").read_bytes()


def _in_words(rules: Sequence[Exclusion], left_out: Sequence[LeftOut]) -> tuple[str, ...]:
    told = [f"declared before collection: {rule}" for rule in exclusion_words(rules)]
    return (*told, *left_out_in_words(left_out))
