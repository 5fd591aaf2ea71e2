"""Weights or a metric by name, or the user's own matrix in a file; read as tables are, whatever parts its cells."""

from pathlib import Path

import numpy as np

from accord.arrays import Floats
from accord.errors import OptionError, UnreadableFileError
from accord.ratings.csv_file import rows_of_text
from accord.ratings.number_spellings import numbers_in
from accord.ratings.text_file import decoded, file_bytes

__all__ = ["named_or_own"]


def named_or_own(weights: str | Floats | None) -> str | Floats | None:
    """The name of weights or of a metric, or the matrix in a file: a row and a column of numbers for each value."""
    if not isinstance(weights, str) or not Path(weights).suffix:
        return weights
    path = Path(weights)
    no_matrix = f"The matrix {weights} cannot be read as rows of numbers"
    try:
        rows = rows_of_text(decoded(file_bytes(path), path.name).text, path.name)
    except UnreadableFileError as error:
        raise OptionError(f"{no_matrix}: {error}") from None
    rows = _without_names(rows)
    cells = [cell.strip() for row in rows for cell in row]
    numbers, _ = numbers_in(cells)
    if odd := [cell for cell, number in zip(cells, numbers, strict=True) if number is None]:
        raise OptionError(f"{no_matrix}: {odd[0]!r} is not a number.")
    if len({len(row) for row in rows}) != 1:
        raise OptionError(f"{no_matrix}: its rows differ in length.")
    return np.array(numbers, dtype=np.float64).reshape(len(rows), -1)


def _without_names(rows: list[list[str]]) -> list[list[str]]:
    """The same without the values above and beside the numbers, which stand there if the corner is not a number."""
    if len(rows) < 3 or numbers_in([rows[0][0].strip()])[0] != [None]:
        return rows
    above, beside = [cell.strip() for cell in rows[0][1:]], [row[0].strip() for row in rows[1:] if row]
    if above != beside:
        raise OptionError(
            f"The values above the matrix ({', '.join(above)}) are not those beside them ({', '.join(beside)}), in "
            "their order."
        )
    return [row[1:] for row in rows[1:]]
