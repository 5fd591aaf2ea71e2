"""A list of MQM errors that holds its rows twice would double every score: it is refused, and single rows are said."""

import pytest

import accord
from accord.errors import FormatError

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def listed(errors):
    """Rows of six segments and two raters with these errors each."""
    return [
        f"S{segment % 2}\td{segment % 2}\t{segment}\t{segment}\t{rater}\tein Satz\t{target}\t{category}\t{severity}"
        for segment in range(6)
        for rater in ("r1", "r2")
        for target, category, severity in errors
    ]


TWO = [("a <v>short</v> text", "Fluency/Grammar", "Minor"), ("a short <v>text</v>", "Fluency/Grammar", "Minor")]


@pytest.fixture
def written(tmp_path):
    def write(rows):
        path = tmp_path / "errors.tsv"
        path.write_text("\n".join([HEAD, *rows]) + "\n", encoding="utf-8")
        return path

    return write


def test_a_file_pasted_twice_is_refused(written):
    rows = listed(TWO)
    for reads in (accord.mqm, accord.read):
        with pytest.raises(FormatError, match="12 of 12 segments of a rater stand here twice with every row"):
            reads(written([*rows, *rows]))


def test_the_same_category_at_two_places_is_two_errors(written):
    answer = accord.mqm(written(listed(TWO)))
    assert not [line for line in answer.words if "word by word" in line]
    assert {row["score"] for row in answer.to_dict()["systems"]} == {-2.0}


def test_single_rows_that_are_there_again_count_and_are_said(written):
    rows = listed(TWO)
    path = written([*rows, rows[0], rows[5]])
    said = "2 rows are word by word the same as another of the same rater and segment; all of them count"
    assert f"Note: {said}." in accord.mqm(path).words
    assert said in accord.read(path).notes


def test_an_error_without_a_place_may_stand_twice_in_some_segments(written):
    plain = [("a short text", "Accuracy/Omission", "Major")]
    rows = listed(plain)
    assert len(accord.read(written([*rows, *rows[:5]]))) == 12
