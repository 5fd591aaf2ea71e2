"""Marks of a model or of an earlier round are read with the study, and every one that no rater could make is told."""

import json

import pytest

from accord.design.load import load_study
from accord.errors import StudyError
from served_study import write_folder

STUDY = """
title = "Marks"
seed = 1
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 1
[[scenarios]]
key = "one"
kind = "random-sentence"
[[criteria]]
key = "errors"
question = "Errors?"
kind = "spans"
prefilled = "FILE"
values = ["wrong"]
severities = [{ key = "minor" }]
"""
GOOD = {"start": 4, "end": 12, "severity": "minor", "category": "wrong"}


def load(folder, file, text):
    write_folder(folder, STUDY.replace("FILE", file), "# R\n", ["target:a"], [("d", "1", "The bank.", "Die Sitzbank.")])
    if text is not None:
        (folder / file).write_text(text, encoding="utf-8")
    return load_study(folder)


def line(*marks, **changes):
    return json.dumps({"document": "d", "segment": "1", "system": "a", "marks": marks, **changes})


def test_marks_are_placed_by_their_edges_or_by_their_words_and_equal_ones_count_once(tmp_path):
    words = {"text": "Sitzbank", "severity": "minor", "category": "wrong"}
    study = load(tmp_path, "m.jsonl", f"{line(GOOD)}\n{line(words, {**GOOD, 'start': 0})}\n")
    [((criterion, item, system), marks)] = study.prefilled.items()
    assert (criterion, system) == ("errors", "a") and item in study.item_by_id
    assert [(mark["start"], mark["end"]) for mark in marks] == [(4, 12), (0, 12)]


def test_the_judgements_of_an_earlier_round_are_taken_as_they_were_exported(tmp_path):
    mark = json.dumps([{**GOOD, "side": "target", "prefilled": 3}]).replace('"', '""')
    rows = [
        f'r1,d,1,a,errors,"{mark}",',
        f'r2,d,1,a,errors,"{mark}",later',
        "r3,d,1,a,score,80,",
        "r4,d,1,a,errors,[],",
    ]
    text = "\n".join(["rater,document,segment,system,criterion,value,superseded_by", *rows])
    [marks] = load(tmp_path, "round-1.csv", text).prefilled.values()
    assert marks == ({"side": "target", **GOOD},), "without the number that it had in that round"


def test_a_study_with_other_marks_beforehand_is_another_study(tmp_path):
    first = load(tmp_path / "a", "m.jsonl", line(GOOD)).fingerprint
    assert load(tmp_path / "b", "m.jsonl", line({**GOOD, "end": 11})).fingerprint != first


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "m.jsonl: is not there"),
        ("{]", "m.jsonl:1: is no object"),
        (line(GOOD, segment="9"), "m.jsonl:1: document 'd' has no segment '9'"),
        (line(GOOD, system="b"), "m.jsonl:1: 'b' is no system"),
        (line({**GOOD, "end": 99}), "a mark from 4 to 99 is not inside the text"),
        (line({"text": "Parkbank", "severity": "minor", "category": "wrong"}), "is not inside the text"),
        (line({**GOOD, "severity": "huge"}), "severity 'huge' is not one of minor"),
        (line({**GOOD, "category": "style"}), "category 'style' is not one of those"),
        (line({**GOOD, "side": "source"}), "on a side that 'errors' marks"),
        (line("x"), "a mark needs a start and an end"),
    ],
)
def test_marks_that_nobody_could_make_are_told_with_their_line(tmp_path, text, words):
    with pytest.raises(StudyError) as error:
        load(tmp_path, "m.jsonl", text)
    assert words in str(error.value)
