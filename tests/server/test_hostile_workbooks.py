"""Workbooks that raters changed: each answer is brought in as it was meant, or all is refused with the reason."""

import pytest
from openpyxl import load_workbook

from served_study import ALL_KINDS, accord, make_study


@pytest.fixture
def books(tmp_path):
    """A study of two raters who agreed, and a folder with their workbooks."""
    start = ALL_KINDS.index('[[criteria]]\nkey = "marks"')
    settings = ALL_KINDS[:start] + ALL_KINDS[ALL_KINDS.index('[[criteria]]\nkey = "edit"') :]
    folder = make_study(tmp_path / "study", settings)
    accord("invite", folder, 2)
    accord("export", folder, "--workbook", tmp_path / "books")
    for name in ("R001", "R002"):
        book = load_workbook(tmp_path / "books" / f"{name}.xlsx")
        book[f"questions {name}"]["E2"] = "I agree"
        answer(book[name], 2, "meaning", 2)
        book.save(tmp_path / "books" / f"{name}.xlsx")
    return folder, tmp_path / "books"


def answer(sheet, row, criterion, value):
    sheet.cell(row, [cell.value for cell in sheet[1]].index(criterion) + 1).value = value


def changed(books, change, name="R001"):
    book = load_workbook(books / f"{name}.xlsx")
    change(book)
    book.save(books / f"{name}.xlsx")


def refused(accord_command, study, books):
    """What is said where nothing is brought in."""
    done = accord_command("import", study, books)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stdout
    assert accord("export", study).stdout.count("\n") == 1
    return " ".join(done.stderr.split())


def test_answers_of_two_raters_come_in_from_their_two_files(books):
    assert accord("import", *books).stdout.startswith("2 answers brought in")


def test_a_rater_answers_in_no_other_name(books, accord_command):
    study, folder = books
    other = [[cell.value for cell in row] for row in load_workbook(folder / "R002.xlsx")["R002"]]

    def forge(book):
        forged = book.create_sheet("R002")
        forged.sheet_state = "hidden"
        for row in other:
            forged.append(row)

    changed(folder, forge)
    said = refused(accord_command, study, folder)
    assert "R001.xlsx: holds answers of R001, R002: each rater fills in a file of their own" in said
    assert "R002.xlsx: holds answers of R002 as R001.xlsx does" in said


def test_a_row_that_was_doubled_with_another_answer_is_refused(books, accord_command):
    def double(book):
        sheet = book["R001"]
        sheet.append([cell.value for cell in sheet[2]])
        answer(sheet, sheet.max_row, "meaning", 0)

    changed(books[1], double)
    assert "'meaning' is answered otherwise in row 2" in refused(accord_command, *books)


def test_a_sheet_whose_first_row_was_changed_is_not_left_out_silently(books, accord_command):
    changed(books[1], lambda book: book["R001"].__setitem__("A1", "Task"))
    assert "R001:1: the first row was changed: it begins with task, text" in refused(accord_command, *books)


def test_an_answer_in_a_row_without_its_number_is_not_left_out_silently(books, accord_command):
    changed(books[1], lambda book: book["R001"].__setitem__("A2", None))
    assert "R001:2: the first two columns were changed" in refused(accord_command, *books)


def test_a_formula_without_a_result_is_no_empty_cell(books, accord_command):
    changed(books[1], lambda book: answer(book["R001"], 3, "meaning", "=1+1"))
    assert "R001:3: a formula without a result" in refused(accord_command, *books)


@pytest.mark.parametrize("number", [True, "1", 1.5])
def test_a_number_of_a_screen_that_was_changed_is_refused(books, accord_command, number):
    changed(books[1], lambda book: book["R001"].__setitem__("A2", number))
    assert "R001:2: the first two columns were changed" in refused(accord_command, *books)


def test_a_date_is_no_answer_on_a_scale(books, accord_command):
    from datetime import date

    changed(books[1], lambda book: answer(book["R001"], 2, "meaning", date(2026, 1, 2)))
    assert "is not on its scale" in refused(accord_command, *books)


def test_a_number_that_is_text_is_the_answer(books):
    changed(books[1], lambda book: answer(book["R001"], 3, "meaning", "1"))
    assert accord("import", *books).stdout.startswith("3 answers brought in")
