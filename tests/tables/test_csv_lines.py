import io

import pytest

from accord.tables.csv_lines import csv_writer


@pytest.mark.parametrize("cell", ['=HYPERLINK("http://x")', "+1+1", "-y", "@SUM(1)", "\tx", "\rx"])
def test_a_cell_that_a_spreadsheet_would_run_is_written_as_text(cell):
    out = io.StringIO()
    csv_writer(out).writerow([cell])
    assert out.getvalue().lstrip('"').startswith("'")


@pytest.mark.parametrize("cell", ["-5.1", "+3", "-1e-3", "plain", "", "'quoted", "a=b", "@maria", -5, 2.5])
def test_numbers_and_plain_text_are_left_alone(cell):
    out = io.StringIO()
    csv_writer(out).writerow([cell, "end"])
    assert out.getvalue() == f"{cell},end\n"
