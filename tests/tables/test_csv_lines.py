import io

import pytest

from accord.tables.csv_lines import csv_writer, guarded, unguarded


@pytest.mark.parametrize("cell", ['=HYPERLINK("http://x")', "+1+1", "-y", "@SUM(1)", "\tx", "\rx"])
def test_a_cell_that_a_spreadsheet_would_run_is_written_as_text(cell):
    out = io.StringIO()
    csv_writer(out).writerow([cell])
    assert out.getvalue().lstrip('"').startswith("'")


@pytest.mark.parametrize("cell", ["=", "+", "-", "@SUM(1)", "-5.1", "plain", "", "'quoted", "'", "@maria"])
def test_what_was_made_text_is_read_as_it_was(cell):
    assert unguarded(guarded(cell)) == cell


@pytest.mark.parametrize("cell", ["-5.1", "+3", "-1e-3", "plain", "", "'quoted", "a=b", "@maria", -5, 2.5])
def test_numbers_and_plain_text_are_left_alone(cell):
    out = io.StringIO()
    csv_writer(out).writerow([cell, "end"])
    assert out.getvalue() == f"{cell},end\n"
