"""The report on what was collected so far, made by the library from a snapshot of the ratings."""

import tempfile
from pathlib import Path
from typing import Any

from accord.ratings.read import read
from accord.server.export import TABLES, csv_lines
from accord.server.study import current

__all__ = ["collected_ratings", "report_html"]


def collected_ratings(path: Path, *, named: bool = False) -> Any:
    """Write the ratings to this file and read them as every other command does, scales declared."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(csv_lines(TABLES["ratings"](named=named)))
    scales = {key: criterion.scale() for key, criterion in current().criteria.items() if criterion.kind == "scale"}
    return read(path, scales=scales)


def report_html() -> bytes:
    """The report as one page that needs nothing else."""
    from accord.report.writing import report

    with tempfile.TemporaryDirectory() as scratch:
        ratings = collected_ratings(Path(scratch) / "ratings.csv")
        return report(ratings, Path(scratch) / "report.html", title=current().title).read_bytes()
