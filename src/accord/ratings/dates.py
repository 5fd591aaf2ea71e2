"""Dates among ratings: a spreadsheet turns 4/5 and 3.5 into days, and what was typed is lost."""

import datetime
import re
from typing import Any

import numpy as np

from accord.patterns import pattern

__all__ = ["dates_among"]

_MONTH = (
    "jan|feb|mar|m\u00e4r|mrz|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|ene|abr|ago|dic|f\u00e9v|avr|juin|juil|ao\u00fbt|"
    "d\u00e9c"
)
_DAY = pattern(rf"(?:\d{{1,2}}[-. ]+(?:{_MONTH})\.?|(?:{_MONTH})[-. ]+\d{{1,2}})\Z", re.I)


def dates_among(raw: Any) -> dict[int, str]:
    """The places of different answers that are days, each with what must have happened."""
    return {place: _reason(cell) for place, cell in enumerate(raw) if _is_day(cell)}


def _is_day(cell: Any) -> bool:
    if isinstance(cell, str):
        return not cell.isdigit() and bool(_DAY.match(cell.strip()))
    return isinstance(cell, datetime.date | np.datetime64)


def _reason(cell: Any) -> str:
    day = cell.strftime("%Y-%m-%d") if isinstance(cell, datetime.date) else str(cell).strip()
    return (
        f"{day} is a date, as spreadsheets make of 4/5 or 3.5; format the column as text, "
        "and type the ratings there again"
    )
