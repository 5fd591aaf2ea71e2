"""Read the real ratings of ACCORD_DATA into Ratings with nothing but the csv module."""

import csv
from pathlib import Path

import numpy as np

from accord.design.scale import Level, Scale
from accord.ratings.table import Factor, Ratings


def ratings_of(rows, level=Level.ORDINAL, **columns):
    """Ratings from (item, rater, value) rows; the scale is what occurs, in order."""
    rows = list(rows)
    values = sorted({value for _, _, value in rows})
    position = {value: code for code, value in enumerate(values)}
    return Ratings(
        item=Factor.of([str(item) for item, _, _ in rows]),
        rater=Factor.of([str(rater) for _, rater, _ in rows]),
        value=np.array([position[value] for _, _, value in rows], dtype=np.int32),
        scale=Scale(level, tuple(values)),
        columns=columns,
    )


def read_real(path: Path, level=Level.ORDINAL, number=True, **wanted):
    """Ratings from a long CSV, only the rows whose columns have these values."""
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if all(row[name] == value for name, value in wanted.items())]
    kind = float if number else str
    return ratings_of(((row["item"], row["rater"], kind(row["score"])) for row in rows), level)


def from_matrix(matrix, level=Level.ORDINAL, values=None):
    """Ratings from a table items x raters; None or nan is missing."""
    rows = [
        (i, f"r{r}", value)
        for i, row in enumerate(matrix)
        for r, value in enumerate(row)
        if value is not None and value == value
    ]
    ratings = ratings_of(rows, level)
    return ratings if values is None else ratings.with_scale(Scale(level, tuple(values), declared=True))
