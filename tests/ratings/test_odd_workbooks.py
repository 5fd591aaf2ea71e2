"""Workbooks of other programs: no row is lost without a word, and what would take minutes is refused at once."""

import io
import re
import zipfile

import openpyxl
import pytest

from accord.errors import InputError
from accord.ratings.read import read
from accord.ratings.xlsx_file import read_xlsx

ROWS = [["item", "rater", "value"], *([f"i{item}", rater, item % 3] for item in range(6) for rater in ("a", "b"))]


def workbook(change=lambda sheet: None):
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(row)
    change(book.active)
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def with_sheet(content, change):
    """The workbook with the text of its sheet changed."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name)
            new.writestr(name, change(text) if name.startswith("xl/worksheets/") else text)
    return made.getvalue()


@pytest.mark.parametrize("number", [b"4", b"2"])
def test_a_row_whose_number_is_repeated_or_goes_back_is_refused(tmp_path, number):
    """openpyxl drops it: 89 of 90 ratings were read without a word."""
    path = tmp_path / "odd.xlsx"
    path.write_bytes(with_sheet(workbook(), lambda text: text.replace(b'<row r="5"', b'<row r="%s"' % number)))
    with pytest.raises(InputError, match=rf"has row {number.decode()} after row 4"):
        read(path)


def test_cells_out_of_order_are_read():
    def turned(text):
        return re.sub(rb'(<row r="3"[^>]*>)(<c r="A3".*?</c>)(.*?)(</row>)', rb"\1\3\2\4", text, flags=re.S)

    content = with_sheet(workbook(), turned)
    assert content != workbook() and len(read_xlsx(content, "x")) == len(ROWS) - 1
    assert read_xlsx(content, "x").columns == read_xlsx(workbook(), "x").columns


def test_more_rows_than_excel_holds_are_refused_before_they_are_read(monkeypatch):
    from accord.ratings import xlsx_file

    many = with_sheet(workbook(), lambda text: text.replace(b"</sheetData>", b"<row/>" * 1_300_000 + b"</sheetData>"))
    monkeypatch.setattr(xlsx_file, "open_workbook", lambda *_, **__: pytest.fail("read"))
    with pytest.raises(InputError, match=r"a sheet of more than 1,048,576 rows"):
        read_xlsx(many, "many.xlsx")


def test_a_row_far_below_excels_last_is_refused():
    far = with_sheet(workbook(), lambda text: text.replace(b'<row r="13"', b'<row r="4000000000"'))
    with pytest.raises(InputError, match=r"has a row 4,000,000,000"):
        read_xlsx(far, "far.xlsx")


def test_hidden_rows_columns_and_sheets_are_read_and_told():
    def hide(sheet):
        sheet.row_dimensions[3].hidden = sheet.row_dimensions[4].hidden = True
        sheet.column_dimensions["C"].hidden = True

    assert read_xlsx(workbook(), "x").notes == ()
    told = read_xlsx(workbook(hide), "x")
    assert told.notes == ("hidden in the workbook, and read like the rest: 2 rows, columns",)
    assert len(told) == len(ROWS) - 1
