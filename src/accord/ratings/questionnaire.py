"""Answers to the questionnaire of a study: one schema, whoever writes or reads them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import ColumnError, NotEnoughDataError
from accord.ratings.build import build_ratings
from accord.ratings.coding import code_names
from accord.ratings.files import read_file
from accord.ratings.table import Ratings

__all__ = ["ABOUT_RATER", "QUESTIONNAIRE_COLUMNS", "answers_of", "read_answers"]

QUESTIONNAIRE_COLUMNS = ("rater", "group", "scenario", "question", "value")
"""What simulated and collected answers are written in; hand-made files may say statement and answer."""
ABOUT_RATER = "@rater"
"""Stood for the scenario of answers about the rater in files of earlier versions; they say nothing about the work."""
_OTHER_NAMES = {"question": "statement", "value": "answer"}
_ONCE = "all"
"""The scenario of a question that was asked once for all of them."""


def read_answers(path: Path) -> Ratings:
    """The answers in a file of any kind of table: the item is the question, the rater who answered it."""
    table = read_file(path)
    columns = {name: _column_named(table.columns, name) for name in QUESTIONNAIRE_COLUMNS}
    absent = [name for name in ("rater", "scenario", "question", "value") if columns[name] is None]
    if absent:
        raise ColumnError(
            f"{path} holds no answers to a questionnaire: there is no column {' and no '.join(absent)}. Its columns "
            f"are: {', '.join(table.columns)}. Accord writes {', '.join(QUESTIONNAIRE_COLUMNS)}."
        )
    answers = answers_of(
        {name: list(code_names(column).labels()) for name, column in columns.items() if column is not None}
    )
    if answers is None:
        raise NotEnoughDataError(f"{path} holds no answers about the work.")
    return answers


def _column_named(columns: Mapping[str, Any], name: str) -> Any:
    return columns.get(name, columns.get(_OTHER_NAMES.get(name, name)))


def answers_of(columns: Mapping[str, Sequence[Any]]) -> Ratings | None:
    """Answers by the columns of the schema as ratings of questions; None where nothing was answered about the work."""
    kept = [
        place
        for place, (scenario, value) in enumerate(zip(columns["scenario"], columns["value"], strict=True))
        if scenario != ABOUT_RATER and value not in (None, "")
    ]
    if not kept:
        return None
    cells = {name: [column[place] for place in kept] for name, column in columns.items()}
    cells["item"] = cells.pop("question")
    cells["scenario"] = [name or _ONCE for name in cells["scenario"]]
    return build_ratings(cells, source="questionnaire", duplicates="last")
