"""What a practice item of marks expects is checked against its own texts and criterion, with the line in study.toml."""

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
values = ["wrong"]
severities = [{ key = "minor" }]
[[practice]]
source = "The bank."
target = "Die Sitzbank."
criterion = "errors"
marks = [MARK]
"""


def load(tmp_path, mark):
    return load_study(
        write_folder(tmp_path / "s", STUDY.replace("MARK", mark), "# R\n", ["target:a"], [("d", "1", "x", "y")])
    )


def test_marks_that_stand_in_the_text_are_taken(tmp_path):
    practice = load(tmp_path, '{ text = "Sitzbank", severity = "minor", category = "wrong" }').settings.practice[0]
    assert [mark.text for mark in practice.marks] == ["Sitzbank"]


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ('{ text = "Parkbank" }', "'Parkbank' does not stand in the target"),
        ('{ text = "bank", side = "source" }', "marks no source text"),
        ('{ text = "Sitzbank", severity = "major" }', "not one of the severities"),
        ('{ text = "Sitzbank", category = "style" }', "not one of the categories"),
    ],
)
def test_a_mark_nobody_could_make_is_refused_in_words(tmp_path, mark, words):
    with pytest.raises(StudyError, match=words):
        load(tmp_path, mark)
