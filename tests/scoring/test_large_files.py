"""Errors and preferences of any size are read; what somebody printed is never huge."""

from pathlib import Path

import pytest

from accord.errors import UnreadableFileError
from accord.scoring import read_preferences, sheet
from accord.scoring.mqm import read_mqm_errors

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture(autouse=True)
def _small_limit(monkeypatch):
    monkeypatch.setattr(sheet, "_LARGEST", 10)


def test_errors_beyond_the_limit_of_printed_numbers_are_read():
    assert len(read_mqm_errors(EXAMPLES / "mqm-errors.csv")) > 1


def test_preferences_beyond_the_limit_of_printed_numbers_are_read():
    assert len(read_preferences(EXAMPLES / "preferences.csv")) > 1


def test_printed_numbers_beyond_the_limit_are_refused():
    with pytest.raises(UnreadableFileError, match="too large for a sheet of printed numbers"):
        sheet.read_sheet(EXAMPLES / "preferences.csv")
