"""A header such as «Fluency (1-5)» names the scale; a count alone is the rating; unknown names are not raters."""

import io

import pytest

import accord
from accord.errors import ColumnError, RatingsError
from accord.ratings.header_scales import HeaderScale, scale_in_name
from accord.ratings.sanity import sanity

ENDS = [
    ("Fluency (1-5)", (1, 5)),
    ("Fluency [0 \u2013 100]", (0, 100)),
    ("style (scale: 1 to 7)", (1, 7)),
    ("score (-2..2)", (-2, 2)),
    ("Quality (1-5, 5 is best)", (1, 5)),
    ("Report (2019-2020)", None),
    ("Page (12-18)", None),
    ("Fluency (5-1)", None),
    ("Fluency", None),
]


@pytest.mark.parametrize(("name", "ends"), ENDS)
def test_the_scale_in_a_header_is_found_and_years_are_none(name, ends):
    assert scale_in_name(name) == (None if ends is None else HeaderScale(*ends))


def table(typed, header="Fluency (1-5)", rows=40):
    lines = [f"{item},{rater},{(item * 3 + len(rater)) % 4 + 1}" for item in range(rows) for rater in ("Ana", "Bea")]
    return f"ID,Annotator,{header}\n" + "\n".join([*lines[:-1], f"{rows - 1},Bea,{typed}"]) + "\n"


@pytest.mark.parametrize("typed", ["44", "6", "0"])
def test_a_value_off_the_scale_of_the_header_is_told_with_its_row_and_counts_as_no_answer(typed):
    ratings = accord.read(io.StringIO(table(typed)))
    assert ratings.scale.values == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert ratings.scale.declared
    assert ratings.missing == 1
    assert any(note.endswith("the scale 1 to 5 is taken from the header") for note in ratings.notes)
    (remark,) = sanity(ratings)
    assert remark.rows == ("81",)
    assert f"{typed} is off the scale 1 to 5 that the header names" in str(remark)


def test_a_header_that_most_values_contradict_is_not_used_and_that_is_said():
    ratings = accord.read(io.StringIO(table("4", header="Fluency (0-1)")))
    assert not ratings.scale.declared
    assert any("ratings lie off it: it is not used" in note for note in ratings.notes)


def test_decimals_within_the_ends_of_the_header_are_answers():
    ratings = accord.read(io.StringIO(table("3.5")))
    assert ratings.missing == 0
    assert (ratings.scale.low, ratings.scale.high) == (1, 5)


def test_a_declared_scale_comes_before_the_header():
    ratings = accord.read(io.StringIO(table("6")), scale="1-6")
    assert ratings.scale.values[-1] == 6.0
    assert ratings.missing == 0


def test_whoever_is_refused_a_value_off_the_scale_learns_how_to_leave_it_out():
    with pytest.raises(RatingsError, match=r"--drop-off-scale"):
        accord.read(io.StringIO(table("44", header="Fluency")), scale="1-5")


@pytest.mark.parametrize("name", ["errors", "Count", "number of errors"])
def test_a_count_is_the_value_where_nothing_else_could_be(name):
    text = f"document,segment,system,rater,{name}\nd1,1,A,R1,2\nd1,1,A,R2,0\nd1,2,A,R1,1\nd1,2,A,R2,1\n"
    ratings = accord.read(io.StringIO(text))
    assert sorted(ratings.scores.tolist()) == [0, 1, 1, 2]
    assert f"column {name!r} is taken as value" in ratings.notes


def test_one_row_under_unknown_names_is_not_taken_for_raters():
    with pytest.raises(ColumnError, match="no column is named like item or rater or value"):
        accord.read(io.StringIO("foo,bar,baz\n1,2,3\n"))


def test_the_level_of_a_scale_in_a_header_is_a_guess_that_is_named():
    whole, halves = (accord.read(io.StringIO(table(typed))) for typed in ("3", "3.5"))
    assert whole.level == "ordinal" and any(words.startswith("level guessed:") for words in whole.scale.guesses)
    assert halves.level == "interval"
    assert "level guessed: interval, as values between the whole numbers of 1 to 5 occur" in halves.scale.guesses
