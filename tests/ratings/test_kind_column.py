"""The column that tells people from models is found by its cells, whatever it is called."""

import io

import pytest

import accord


def sheet(kinds, column="type"):
    rows = [f"{item},{rater},{kind},{item % 3 + 1}" for item in range(6) for rater, kind in kinds.items()]
    return io.StringIO("\n".join([f"item,rater,{column},rating", *rows]))


@pytest.mark.parametrize("column", ["type", "Who", "source of rating"])
def test_a_column_whose_cells_say_human_or_model_is_the_kind_whatever_its_name(column):
    ratings = accord.read(sheet({"Ann": "human", "Bob": "person", "x-7": "LLM"}, column))
    kinds = dict(zip(ratings.rater.labels(), ratings.columns["kind"].labels(), strict=True))
    assert kinds == {"Ann": "human", "Bob": "human", "x-7": "model"}
    assert any(note.startswith(f"column {column!r} is taken as kind") for note in ratings.notes)


def test_a_column_that_tells_texts_of_people_from_those_of_machines_is_no_kind():
    rows = [f"{item},{rater},{'human' if item % 2 else 'machine'},3" for item in range(6) for rater in ("Ann", "Bob")]
    ratings = accord.read(io.StringIO("\n".join(["item,rater,origin,rating", *rows])))
    assert "kind" not in ratings.columns


@pytest.mark.parametrize("kinds", [{"Ann": "human", "Bob": "human"}, {"Ann": "human", "Bob": "unsure", "C": "model"}])
def test_cells_that_leave_a_doubt_are_no_kind(kinds):
    assert "kind" not in accord.read(sheet(kinds)).columns
