"""Files of other tools as commands take them: one, or several that belong together."""

import json

import pytest

import accord
from accord.cli.reading import read_anything
from accord.errors import FormatError
from accord.formats.joining import read_several
from formats.samples import LABEL_STUDIO, PEARMUT, rated, written


def doccano(folder, rater, *labels):
    lines = [{"id": place, "text": f"text {place}", "label": list(given)} for place, given in enumerate(labels)]
    return written(folder / f"{rater}.jsonl", lines)


def test_commands_recognise_the_files_of_other_tools(tmp_path):
    path = written(tmp_path / "ls.json", LABEL_STUDIO)
    ratings = read_anything(str(path))
    assert ratings.notes[0].startswith("read as label-studio")
    assert set(ratings.columns["criterion"].names) == {"fluency", "topic"}


def test_one_file_a_rater_is_read_as_one(tmp_path):
    doccano(tmp_path, "anna", ["good"], ["good", "bad"], [])
    doccano(tmp_path, "bert", ["bad"], ["good"], ["good"])
    ratings = accord.read(str(tmp_path / "*.jsonl"))
    assert (len(ratings), ratings.items, ratings.raters, ratings.missing) == (5, 3, 2, 1)
    listed = accord.read([tmp_path / "bert.jsonl", tmp_path / "anna.jsonl"])
    assert listed.rater.names == ("bert", "anna")


def test_several_files_keep_spans_texts_and_the_file_of_every_repair(tmp_path):
    other = json.loads(json.dumps(PEARMUT[0]))
    other["user_id"] = "bert"
    one = written(tmp_path / "a.jsonl", PEARMUT)
    two = written(tmp_path / "b.jsonl", [{"user_id": "bert", "item_i": "welcome_1", "annotation": []}, other])
    imported = read_several([one, two])
    assert rated(imported)["sysA:seg-0", "anna"] == rated(imported)["sysA:seg-0", "bert"] == 70.0
    assert imported.ratings.level == "interval"
    assert len(imported.spans) == 6
    assert imported.texts["sysB:seg-0"].target == "plain"
    assert [(entry.file, entry.line) for entry in imported.log] == [("b.jsonl", 1)]


def test_files_of_two_kinds_are_not_mixed(tmp_path):
    paths = [doccano(tmp_path, "anna", ["good"]), written(tmp_path / "p.jsonl", PEARMUT)]
    with pytest.raises(FormatError, match="one kind only"):
        accord.read(paths)


def test_the_rows_of_several_files_are_counted_together(tmp_path):
    for name, score in (("a", "80"), ("b", "")):
        rows = f"{name},sysA,1,TGT,eng,deu,{score},d,False,[],1,2\n{name},sysA,2,BAD,eng,deu,5,d#bad1,False,[],1,2\n"
        written(tmp_path / f"{name}.csv", rows)
    account = read_several([tmp_path / "a.csv", tmp_path / "b.csv"]).account
    assert (account.rows, account.ratings, account.roles, account.dropped) == (4, 1, {"degraded": 2}, 1)
    assert account.unknown == 0
    assert str(account) == "4 rows: 1 with ratings, 2 with the role degraded, 1 dropped."
