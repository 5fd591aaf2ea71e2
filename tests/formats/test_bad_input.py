"""Files that are not what they should be: one clear sentence each, and nothing lost without a word."""

import gzip
import json

import pytest

from accord.errors import AccordError, FormatError, UnreadableFileError
from accord.formats import read
from formats.samples import APPRAISE, GOOGLE_MQM, LABEL_STUDIO, rated, written


def sentence(error) -> str:
    first, *_ = str(error.value).split("\n")
    assert len(first) < 400
    return first


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.9])
def test_truncated_json_is_refused(tmp_path, cut):
    whole = json.dumps(LABEL_STUDIO)
    path = written(tmp_path / "ls.json", whole[: int(cut * len(whole))])
    with pytest.raises(FormatError) as error:
        read(path, format="label-studio")
    assert "not JSON" in sentence(error)


def test_a_json_file_that_is_really_csv_is_read_as_csv(tmp_path):
    assert read(written(tmp_path / "x.json", APPRAISE)).format == "appraise"


def test_a_file_named_csv_that_is_really_json_is_read_as_json(tmp_path):
    assert read(written(tmp_path / "x.csv", json.dumps(LABEL_STUDIO))).format == "label-studio"


def test_an_encoding_that_had_to_be_guessed_is_in_the_log_and_strict_refuses_it(tmp_path):
    path = tmp_path / "mqm.tsv"
    path.write_bytes(GOOGLE_MQM.replace("sagte", "säte").encode("latin-1"))
    imported = read(path)
    assert imported.texts["sysA:news.1:1"].target.startswith("Er säte")
    assert [entry.action for entry in imported.log] == ["guessed"]
    with pytest.raises(FormatError, match="not UTF-8"):
        read(path, strict=True)
    assert len(read(path, encoding="latin-1", strict=True).log) == 0


def test_lines_in_two_encodings_are_refused_with_the_lines_that_show_it(tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_bytes("item,rater,value\né,ann,1\n".encode() + "é,bob,2\n".encode("latin-1"))
    with pytest.raises(UnreadableFileError, match="line 2 is UTF-8 and line 3 is not"):
        read(path)
    assert read(path, encoding="latin-1").ratings.items == 2


def test_utf_16_with_a_mark_is_read(tmp_path):
    path = tmp_path / "mqm.tsv"
    path.write_bytes(GOOGLE_MQM.encode("utf-16"))
    assert len(rated(read(path))) == 4


def test_a_packed_file_is_recognised_by_what_is_in_it(tmp_path):
    path = tmp_path / "mqm.tsv.gz"
    path.write_bytes(gzip.compress(GOOGLE_MQM.encode()))
    assert len(rated(read(path))) == 4


@pytest.mark.parametrize("name", ["appraise", "google-mqm", "label-studio", "pearmut", "spss", "xlsx-raters", "potato"])
def test_a_picture_is_refused_whatever_it_is_called(tmp_path, name):
    path = tmp_path / "picture"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4)
    with pytest.raises(AccordError) as error:
        read(path, format=name)
    assert sentence(error)


def test_a_table_with_a_thousand_columns_is_read_or_refused_quickly(tmp_path):
    names = ",".join(["item", *(f"c{i}" for i in range(1000))])
    values = ",".join(["a", *("3" for _ in range(1000))])
    imported = read(written(tmp_path / "x.csv", f"{names}\n{values}\n"))
    assert imported.ratings.raters == 1000


def test_rows_with_more_cells_than_the_header_are_named_by_line(tmp_path):
    with pytest.raises(FormatError) as error:
        read(written(tmp_path / "x.csv", "item,rater,value\na,x,1\nb,x,2,3\n"))
    assert [problem.row for problem in error.value.problems] == [3]
    log = read(written(tmp_path / "x.tsv", GOOGLE_MQM + "one\tcell\ttoo\tfew\n")).log
    assert [(entry.line, entry.reason) for entry in log] == [(7, "4 cells where the header has 9")]


def test_an_empty_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(UnreadableFileError, match="empty"):
        read(written(tmp_path / "x.csv", ""))
    with pytest.raises(UnreadableFileError, match="folder"):
        read(tmp_path)


def test_a_name_that_no_file_can_have_is_refused():
    with pytest.raises(UnreadableFileError):
        read("a\x00b.csv")


def test_an_unclosed_quote_is_refused_with_its_line(tmp_path):
    with pytest.raises(FormatError, match=r":5: "):
        read(written(tmp_path / "x.csv", APPRAISE + 'anna,"open,1\n'))


@pytest.mark.parametrize(
    ("content", "words"),
    [('{"a":', "not JSON"), ("[[1, 2], [3]]", "not of objects"), ("[" * 5000, "not well-formed JSON")],
)
def test_a_file_that_begins_as_json_is_spoken_of_as_json(tmp_path, content, words):
    path = tmp_path / "ratings.json"
    path.write_text(content)
    with pytest.raises(AccordError, match=words):
        read(path)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("item,rater," + "x" * 20_000, "a column whose name is 20,000 characters long"),
        ("item,rater,value," + ",".join(f"c{n}" for n in range(4_998)), "has 5,001 columns; at most 5,000"),
        ("item,rater,value," + "c," * 900 + "c", "more than one column named c"),
    ],
    ids=["long name", "a column too many", "same names"],
)
def test_a_header_that_is_none_is_refused(tmp_path, header, words):
    with pytest.raises(AccordError) as error:
        read(written(tmp_path / "a.csv", f"{header}\na,x,1\n"))
    assert words in sentence(error)
