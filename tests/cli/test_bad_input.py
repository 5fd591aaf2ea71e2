"""Bad files as a user meets them: one clear sentence on standard error, exit code 2, nothing half-written."""

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import zipfile
from functools import cache

import pytest

from accord.cli.main import main

TABLE = "item,rater,value\n" + "".join(
    f"{item},{rater},{item % 3}\n" for item in range(200) for rater in ("ann", "bob")
)


def half(content: bytes) -> bytes:
    return content[: len(content) // 2]


def gzip_cut(path):
    path.write_bytes(half(gzip.compress(TABLE.encode())))


def parquet_cut(path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"item": [1, 1], "rater": ["a", "b"], "value": [1, 2]}), path)
    path.write_bytes(half(path.read_bytes()))


def workbook_cut(path):
    import openpyxl

    book = openpyxl.Workbook()
    for row in (("item", "rater", "value"), (1, "a", 1), (1, "b", 2)):
        book.active.append(row)
    book.save(path)
    path.write_bytes(half(path.read_bytes()))


def workbook_bomb(path):
    path.write_bytes(_bomb())


@cache
def _bomb():
    """More than half a gigabyte, packed once for all commands and by the quickest way."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as sheet:
            for _ in range(520):
                sheet.write(bytes(1 << 20))
    return packed.getvalue()


def binary(path):
    path.write_bytes(bytes(range(256)) * 40)


def more_cells(path):
    path.write_text("item,rater,value\na,x,1\nb,x,2,3\nc,y,1\n")


def thousand_columns(path):
    path.write_text(",".join(f"note{n}" for n in range(1000)) + "\n" + ",".join(["word"] * 1000) + "\n")


def not_json(path):
    path.write_text("these are plain words, and no JSON\n")


def json_cut(path):
    path.write_text(json.dumps([{"item": "1", "rater": "a", "value": 2}] * 40)[:700])


def a_directory(path):
    path.mkdir()


def nothing(path):
    path.write_text("")


def absent(path):
    pass


BAD = [
    (gzip_cut, "r.csv.gz", "truncated gzip"),
    (parquet_cut, "r.parquet", "truncated"),
    (workbook_cut, "r.xlsx", "truncated Excel workbook"),
    (workbook_bomb, "r.xlsx", "over 512 MB are refused"),
    (binary, "r.csv", "binary"),
    (more_cells, "r.csv", "r.csv:3: 4 cells, but the header has 3"),
    (thousand_columns, "r.csv", "1,000 in all"),
    (not_json, "r.json", "r.json"),
    (json_cut, "r.json", "may be truncated"),
    (a_directory, "folder", "folder"),
    (nothing, "r.csv", "is empty"),
    (absent, "r.csv", "no file"),
    (absent, "*.parquet", "no file"),
]


def run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["accord", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code, capsys.readouterr()


@pytest.mark.parametrize("command", ["agree", "convert"])
@pytest.mark.parametrize(("make", "name", "words"), BAD, ids=[f"{make.__name__}-{name}" for make, name, _ in BAD])
def test_a_bad_file_is_one_clear_sentence(tmp_path, monkeypatch, capsys, command, make, name, words):
    path, out = tmp_path / name, tmp_path / "out.jsonl"
    make(path)
    code, said = run(monkeypatch, capsys, command, path, *([out] if command == "convert" else []))
    assert code == 2
    assert said.out == ""
    assert words in said.err
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()[0]) < 400
    assert not out.exists()


def test_lines_in_two_encodings_are_refused_and_named(tmp_path, monkeypatch, capsys):
    path = tmp_path / "r.csv"
    rows = ["item,rater,value", "café,ann,1", "b,ann,2", "café,bob,1", "b,bob,2"]
    path.write_bytes("\n".join(rows).encode() + "\nnaïf,ann,1\nna,bob,1\n".encode("latin-1"))
    code, said = run(monkeypatch, capsys, "agree", path, "--bootstrap", "100")
    assert code == 2
    assert "line 2 is UTF-8 and line 6 is not" in said.err
    code, said = run(monkeypatch, capsys, "convert", path, tmp_path / "out.csv", "--strict")
    assert code == 2
    assert not (tmp_path / "out.csv").exists()


def test_json_that_is_really_a_table_is_read_as_what_it_is(tmp_path, monkeypatch, capsys):
    path = tmp_path / "r.json"
    path.write_text(TABLE)
    code, said = run(monkeypatch, capsys, "agree", path, "--coefficient", "percent_agreement", "--bootstrap", "100")
    assert code == 0
    assert "200 items, 2 raters" in said.out


@pytest.mark.parametrize("command", ["diagnose", "report"])
def test_commands_that_need_rows_say_so_for_ratings_that_stay_where_they_lie(tmp_path, monkeypatch, capsys, command):
    (tmp_path / "r1.csv").write_text(TABLE)
    monkeypatch.setattr("accord.ratings.files._LARGE_TEXT", 100)
    code, said = run(monkeypatch, capsys, command, tmp_path / "r*.csv")
    assert code == 2
    assert "needs them in memory" in said.err


def test_agree_counts_a_pattern_of_files_with_the_engine_that_is_named(tmp_path, monkeypatch, capsys):
    (tmp_path / "r1.csv").write_text(TABLE)
    (tmp_path / "r2.csv").write_text(TABLE.replace("ann", "cy").replace("bob", "dee").replace("dee,1", "dee,2"))
    asked = ["--json", "--coefficient", "krippendorff_alpha", "--coefficient", "conger_kappa", "--bootstrap", "200"]
    told = {}
    for engine in ("memory", "duckdb"):
        where = ["--engine", engine, "--memory", "500MB"]
        code, said = run(monkeypatch, capsys, "agree", tmp_path / "r*.csv", *where, *asked)
        assert code == 0
        told[engine] = json.loads(said.out)["groups"][0]["estimates"]
    several = [tmp_path / "r1.csv", tmp_path / "r2.csv"]
    code, said = run(monkeypatch, capsys, "agree", *several, *asked)
    told["several"] = json.loads(said.out)["groups"][0]["estimates"]
    values = {name: [one[key] for one in each for key in ("value", "items")] for name, each in told.items()}
    assert values["memory"] == values["several"] == pytest.approx(values["duckdb"])


def test_a_path_on_a_cluster_reaches_spark_as_it_was_written(tmp_path, monkeypatch, capsys):
    asked = {}

    def refuse(paths, master):
        asked.update(paths=paths, master=master)
        raise SystemExit(7)

    monkeypatch.setattr("accord.ratings.open_stored.open_frame", refuse)
    where = ["--engine", "spark", "--master", "spark://head:7077"]
    code, _ = run(monkeypatch, capsys, "agree", "s3a://bucket/*.parquet", *where)
    assert code == 7
    assert asked == {"paths": ["s3a://bucket/*.parquet"], "master": "spark://head:7077"}


INTERRUPTED = """
import os, signal, sys
# Whoever starts the tests in the background of a shell has Ctrl-C ignored, and so has what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
from accord.formats import writing
from accord.formats import rows
import accord.formats.plain as plain
made = plain.rating_rows
def slow(ratings):
    for place, row in enumerate(made(ratings)):
        if place == 100:
            os.kill(os.getpid(), signal.SIGINT)
        yield row
plain.rating_rows = slow
from accord.cli.main import main
sys.argv = ["accord", "convert", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "csv"])
def test_ctrl_c_while_converting_leaves_the_old_file_and_nothing_else(tmp_path, ending):
    source, target = tmp_path / "r.csv", tmp_path / f"out.{ending}"
    source.write_text(TABLE)
    target.write_text("what was there before")
    command = [sys.executable, "-c", INTERRUPTED, str(source), str(target), "--force"]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, timeout=600, check=False)
    assert done.returncode in (130, 1, -signal.SIGINT)
    assert "Traceback" not in done.stderr
    assert target.read_text() == "what was there before"
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"out.{ending}", "r.csv"]
