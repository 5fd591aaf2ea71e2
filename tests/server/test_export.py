"""What comes out: the contract's columns, history, workbooks that come back, backups that open."""

import csv
import io
import stat

import pytest

from accord.errors import FormatError, OperationError, UnreadableFileError
from accord.ratings.answer_values import edit_rate
from accord.ratings.table import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from served_study import accord, make_study


def first_task(client, scenario="alone"):
    return client.rater.tasks.filter(scenario=scenario).order_by("order").first()


def test_the_ratings_have_the_columns_of_the_contract_and_the_texts(collecting):
    """Who rated is a person here, so there is no column of kinds of raters."""
    from accord.server.export import TABLES

    columns = TABLES["ratings"].columns()
    assert set(columns) == {*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS, "ambiguity", "source", "target"} - {"kind"}
    assert list(TABLES["ratings"]()[0]) == list(columns)


def test_systems_have_codes_in_exports_unless_the_organiser_asks(working, save):
    from accord.server.export import rating_rows

    save(working, {"task": first_task(working, "pair").pk, "criterion": "better", "place": None, "value": 0})
    save(working, {"task": first_task(working, "pair").pk, "criterion": "meaning", "place": 1, "value": 3})
    for named, known in ((False, {"system-1", "system-2"}), (True, {"alpha", "beta"})):
        rows = [row for row in rating_rows(named=named) if row["rater"] == working.rater.pseudonym]
        assert {row["value"] for row in rows if row["criterion"] == "better"} <= known
        assert {row["system"] for row in rows if row["criterion"] == "meaning"} <= known
    shown = first_task(working, "pair").systems
    assert rows[0]["value"] == 3 and rows[0]["system"] == shown[1] and rows[1]["value"] == shown[0]


def test_the_time_of_a_rating_counts_its_corrections_too(working, save):
    from accord.server.export import rating_rows, timing_rows

    entry = {"task": first_task(working).pk, "criterion": "meaning", "place": 0}
    save(working, {**entry, "value": 1, "seconds": 4.5}, {**entry, "value": 2, "seconds": 1.25, "revision": 2})
    rows = [row for row in rating_rows() if row["rater"] == working.rater.pseudonym]
    assert [(row["value"], row["time_s"]) for row in rows] == [(2, 5.75)]
    times = [row for row in timing_rows() if row["rater"] == working.rater.pseudonym]
    assert [(row["time_s"], row["saves"]) for row in times] == [(5.75, 2)]


@pytest.mark.parametrize(
    ("before", "after", "rate"),
    [("a b c", "a b c", 0.0), ("a b c", "a x c d", 0.5), ("你好吗", "你好呀", 1 / 3), ("a b", "", 2.0)],
)
def test_post_editing_is_rated_by_its_edits(before, after, rate):
    assert edit_rate(before, after) == pytest.approx(rate)


def test_simulated_raters_come_out_of_the_server_as_they_went_in(tmp_path):
    accord("demo", "--prepare-only", "--dir", tmp_path / "demo", "--seed", 3)
    rows = list(csv.DictReader(io.StringIO(accord("export", tmp_path / "demo", "--systems").stdout)))
    script = (
        "import sys, csv, numpy as np\n"
        "from accord.design.load import load_study\n"
        "from accord.design.assignment.make import plan_assignment\n"
        "from accord.planning.simulate import simulate_study\n"
        "from accord.planning.simulated_raters import RaterTraits\n"
        "s = load_study(sys.argv[1])\n"
        "made = simulate_study(s, plan_assignment(s), RaterTraits(), np.random.default_rng(3))\n"
        "out = csv.writer(sys.stdout)\n"
        "for r in made.ratings: out.writerow([r[c] for c in sys.argv[2:]])\n"
    )
    import subprocess
    import sys

    columns = ["item", "rater", "value", "criterion", "system", "scenario", "condition", "group", "order", "role"]
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "demo", *columns], capture_output=True, text=True, check=True
    )
    served = {row["rater"] for row in rows}
    wanted = sorted(tuple(row) for row in csv.reader(io.StringIO(done.stdout)) if row[1] in served)
    assert len(served) == 8 and sorted(tuple(row[column] for column in columns) for row in rows) == wanted
    assert (tmp_path / "demo" / "report.html").stat().st_size > 100_000


@pytest.fixture
def sheet_study(tmp_path):
    """A study without spans, with two raters invited."""
    from served_study import ALL_KINDS

    start = ALL_KINDS.index('[[criteria]]\nkey = "marks"')
    settings = ALL_KINDS[:start] + ALL_KINDS[ALL_KINDS.index('[[criteria]]\nkey = "edit"') :]
    folder = make_study(tmp_path / "sheets", settings)
    accord("invite", folder, 2)
    return folder


def test_a_workbook_goes_out_with_drop_downs_and_comes_back_filled_in(sheet_study, tmp_path, accord_command):
    from openpyxl import load_workbook

    accord("export", sheet_study, "--workbook", tmp_path / "translators")
    path = tmp_path / "translators" / "R001.xlsx"
    book = load_workbook(path)
    assert book.sheetnames[1:] == ["guidelines", "R001", "questions R001"] and book["answers"].sheet_state == "hidden"
    assert book["guidelines"]["A1"].value == "# How to judge"
    asked = book["questions R001"]
    assert [[cell.value for cell in row[1:2] + row[3:]] for row in asked.iter_rows(min_row=2)] == [
        ["@consent", "You may stop at any time.", None], ["native", "Your first language?", None],
        ["tiring", "It was tiring.", None],
    ]  # fmt: skip
    asked["E3"], asked["E4"] = "another", 5
    sheet = book["R001"]
    heads = [cell.value for cell in sheet[1]]
    assert len(sheet.data_validations.dataValidation) == 3
    filled = {"meaning": "2: most", "quality": 0, "kinds": "wrong; wrong; order", "comment": "=odd"}
    for name, text in filled.items():
        cell = sheet.cell(2, heads.index(name) + 1)
        cell.value = text
        if isinstance(text, str):
            cell.data_type = "s"
    book.save(path)
    refused = accord_command("import", sheet_study, path.parent)
    assert refused.returncode == 2 and "R001: has not agreed to take part" in refused.stderr
    asked["E2"] = "I agree"
    book.save(path)
    assert accord("import", sheet_study, path.parent).stdout.startswith("6 answers brought in")
    assert accord("import", sheet_study, path).stdout.startswith("0 answers brought in, 6")
    answers = [*csv.DictReader(io.StringIO(accord("export", sheet_study, "--questionnaire").stdout))]
    assert [(row["rater"], row["question"], row["value"]) for row in answers] == [("R001", "tiring", "5")]
    everything = [cell.value for one in load_workbook(path.parent / "R002.xlsx") for row in one for cell in row]
    assert "R001" not in everything and "=odd" not in everything, "nobody's file holds anything of another rater"
    rows = list(csv.DictReader(io.StringIO(accord("export", sheet_study).stdout)))
    assert {row["criterion"]: row["value"] for row in rows} == {
        "meaning": "2",
        "quality": "0.0",
        "kinds": "order|wrong",
    }
    # A spreadsheet would run it: the file holds it as text.
    assert {row["comment"] for row in rows} == {"'=odd"}


def test_a_workbook_with_mistakes_brings_nothing_and_names_each(sheet_study, tmp_path, accord_command):
    from openpyxl import load_workbook

    accord("export", sheet_study, "--workbook", tmp_path / "bad")
    path = tmp_path / "bad" / "R001.xlsx"
    book = load_workbook(path)
    heads = [cell.value for cell in book["R001"][1]]
    book["R001"].cell(2, heads.index("quality") + 1).value = 99999
    book["R001"].cell(3, heads.index("meaning") + 1).value = "excellent"
    book["questions R001"]["E2"], book["questions R001"]["E4"] = "I agree", 77
    book.save(path)
    done = accord_command("import", sheet_study, path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "R001:2" in done.stderr and "R001:3" in done.stderr and "99999" in done.stderr
    assert "questions R001:4: Answer by a whole number from 1 to 6" in done.stderr
    done = accord_command("export", sheet_study, "--workbook", tmp_path / "all.xlsx")
    assert done.returncode == 2 and "Name a folder" in done.stderr
    assert accord("export", sheet_study).stdout.count("\n") == 1


def test_a_study_with_spans_is_refused_as_a_workbook(collecting, rater, tmp_path):
    from accord.errors import OptionError
    from accord.server.workbook import write_workbooks

    with pytest.raises(OptionError, match="cannot be marked in a spreadsheet"):
        write_workbooks(tmp_path / "x")


def test_a_backup_taken_while_serving_opens_as_the_same_study(served, tmp_path):
    link = served.invite()[0]
    archive = tmp_path / "study.zip"
    accord("backup", served.folder, archive)
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    accord("restore", archive, tmp_path / "again")
    before = accord("export", served.folder, "--judgements").stdout
    assert accord("export", tmp_path / "again", "--judgements").stdout == before
    assert (tmp_path / "again" / "accord.secret").read_text() != (served.folder / "accord.secret").read_text()
    assert link.startswith(served.address)


def test_restoring_never_overwrites_and_refuses_what_is_no_backup(tmp_path):
    import zipfile

    from accord.server.backup import read_backup

    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    junk = tmp_path / "junk.zip"
    junk.write_bytes(b"PK not really")
    with pytest.raises(OperationError, match="already holds something"):
        read_backup(junk, tmp_path / "full")
    with pytest.raises(UnreadableFileError, match="not a backup"):
        read_backup(junk, tmp_path / "new")
    evil = tmp_path / "evil.zip"
    with zipfile.ZipFile(evil, "w") as archive:
        archive.writestr("accord-backup.json", "{}")
        archive.writestr("../escaped.txt", "out")
    with pytest.raises(UnreadableFileError, match="lead out"):
        read_backup(evil, tmp_path / "new")
    assert not (tmp_path / "escaped.txt").exists()


def test_a_question_no_page_can_ask_is_refused_at_the_start(tmp_path, accord_command):
    from served_study import ALL_KINDS

    everywhere = ALL_KINDS.replace('weight = 5 }]\nscenarios = ["alone"]', "weight = 5 }]")
    done = accord_command("invite", make_study(tmp_path / "odd", everywhere))
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "'pair'" in done.stderr and "'whole'" in done.stderr and "one sentence of one system" in done.stderr


def test_exporting_before_collecting_is_told_in_words(tmp_path, accord_command):
    done = accord_command("export", make_study(tmp_path / "empty"))
    assert done.returncode == 2 and "accord serve" in done.stderr


def test_a_file_that_is_no_workbook_is_told_in_words(collecting, tmp_path):
    from accord.server.workbook_import import import_workbook

    path = tmp_path / "x.xlsx"
    path.write_text("no")
    with pytest.raises(UnreadableFileError, match="not an Excel workbook"):
        import_workbook(path)
    with pytest.raises((FormatError, UnreadableFileError)):
        import_workbook(tmp_path / "gone.xlsx")


def test_a_demonstration_says_at_once_what_stands_in_its_way(tmp_path, accord_command):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        busy = accord_command("demo", "--port", str(port), "--dir", str(tmp_path / "study"))
    assert busy.returncode == 2 and f"Try --port {port + 1}" in busy.stderr
    assert not (tmp_path / "study").exists()
    nowhere = accord_command("demo", "--prepare-only")
    assert nowhere.returncode == 2 and "--dir" in nowhere.stderr


def test_an_export_on_a_full_disk_leaves_no_half_a_file(collecting, tmp_path, monkeypatch):
    from errno import ENOSPC

    from accord.server import export

    def full(table):
        yield "item\n"
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(export, "csv_lines", full)
    with pytest.raises(OperationError, match="No space left"):
        export.write_table("ratings", tmp_path / "r.csv")
    assert not list(tmp_path.glob("*.partial"))
