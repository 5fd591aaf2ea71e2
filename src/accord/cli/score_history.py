"""The options of reading that a file of earlier evaluations takes; the others are refused, not ignored."""

from collections.abc import Mapping
from typing import Any

from accord.errors import OptionError

__all__ = ["history_options"]

_COLUMNS = {"value": "score", "item": "job", "rater": "reviewer"}
_TAKEN = {"missing": "missing", "drop_off_scale": "drop_off_scale", "encoding": "encoding", "sheet": "workbook_sheet"}


def history_options(reading: Mapping[str, Any]) -> dict[str, Any]:
    """What these options say to :func:`accord.scoring.history.read_history`; one error for those that say nothing."""
    given = {name: option for name, option in reading.items() if option}
    several = [name for name in _COLUMNS if not isinstance(given.get(name, ""), str)]
    if several:
        raise OptionError(f"--{several[0]} names one column of --history: give it once.")
    if unused := [name for name in given if name not in _COLUMNS and name not in _TAKEN]:
        flags = ", ".join("--map" if name == "columns" else f"--{name.replace('_', '-')}" for name in unused)
        raise OptionError(
            f"{flags}: an earlier evaluation is one score in a row, so this says nothing about --history. It takes "
            "--value, --item, --rater, --missing, --drop-off-scale, --encoding and --sheet."
        )
    columns = {part: given[name] for name, part in _COLUMNS.items() if name in given}
    return {"columns": columns} | {taken: given[name] for name, taken in _TAKEN.items() if name in given}
