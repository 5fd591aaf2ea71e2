"""Columns of the user's in a file of items: kept, carried to the ratings, and told apart from slips of the pen."""

import json

import pytest

from accord.design.assignment import plan_assignment
from accord.design.items import own_columns
from accord.design.load import load_study
from accord.errors import StudyError
from design.study_folder import HEAD, write_study

HEADER = "document\tsegment\tsource\ttarget:A\ttarget:B"


def _items(tmp_path, columns: str, *rows: str):
    text = HEADER + columns + "".join(f"\nd\t{n}\ts\ta\tb{row}" for n, row in enumerate(rows, start=1)) + "\n"
    return load_study(write_study(tmp_path, items=text))


def test_a_column_that_resembles_nothing_is_kept(tmp_path):
    study = _items(tmp_path, "\tdomain\tresolved_by\tsentence", "\tnews\t2\tyes", "\tnews\t\t")
    assert study.items[0].more == {"domain": "news", "resolved_by": "2", "sentence": "yes"}
    assert study.items[1].more == {"domain": "news"}
    assert own_columns(study.items) == ("domain", "resolved_by", "sentence")


@pytest.mark.parametrize(
    ("column", "meant"),
    [("documnt", "document"), ("Source", "source"), ("refernce", "reference"), ("post-edit", "post_edit"),
     ("tset_set", "test_set"), ("references", "reference"), ("test_sets", "test_set"), ("targt:C", "target"),
     ("gold_:quality", "gold"), ("reference_1", "reference")],
)  # fmt: skip
def test_a_slip_of_the_pen_is_refused_and_says_what_was_meant(column, meant, tmp_path):
    with pytest.raises(StudyError) as error:
        _items(tmp_path, f"\t{column}", "\tx")
    assert f"items.tsv:1: unknown column {column!r}. Did you mean {meant!r}?" in str(error.value)


@pytest.mark.parametrize("column", ["document_id", "segments_left", "source_language", "task", "bleu", "idx"])
def test_a_name_that_is_only_alike_is_kept_where_the_known_column_is_there(column, tmp_path):
    assert _items(tmp_path, f"\t{column}", "\tx").items[0].more == {column: "x"}


@pytest.mark.parametrize("column", ["rater", "value", "phase"])
def test_a_column_that_the_ratings_fill_is_refused(column, tmp_path):
    with pytest.raises(StudyError, match="one that the study fills in the ratings"):
        _items(tmp_path, f"\t{column}", "\tx")


@pytest.mark.parametrize(("column", "words"), [("", "has no name"), ("gold", "`gold:NAME`"), ("target:", "`target:")])
def test_a_column_without_its_name_is_refused(column, words, tmp_path):
    with pytest.raises(StudyError, match=words):
        _items(tmp_path, f"\t{column}", "\tx")


def test_the_score_of_a_metric_belongs_to_the_text_of_its_system(tmp_path):
    wide = _items(tmp_path / "wide", "\tbleu:A\tbleu:B\tdomain", "\t31.5\t28\tnews")
    tall = (
        "document\tsegment\tsource\tsystem\ttarget\tbleu\tdomain\nd\t1\ts\tA\ta\t31.5\tnews\nd\t1\ts\tB\tb\t28\tnews\n"
    )
    same = load_study(write_study(tmp_path / "tall", items=tall))
    for study in (wide, same):
        (item,) = study.items
        assert item.columns("A") == {"domain": "news", "bleu": "31.5"}
        assert item.columns("B") == {"domain": "news", "bleu": "28"}
        assert item.columns() == {"domain": "news"}


def test_json_lines_carry_numbers_and_nested_scores(tmp_path):
    folder = write_study(tmp_path, head='items = "items.jsonl"\n' + HEAD)
    row = {"document": "d", "segment": 1, "source": "s", "target": {"A": "a"}, "bleu": {"A": 0.5}, "year": 1998}
    (folder / "items.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert load_study(folder).items[0].columns("A") == {"year": "1998", "bleu": "0.5"}


def test_a_document_carries_what_all_its_segments_say_alike(tmp_path):
    study = _items(tmp_path, "\tdomain\tambiguity", "\tnews\tgender", "\tnews\t")
    assert study.columns_of("d") == {"domain": "news"}
    assert study.columns_of("d", "d-1", "A") == {"ambiguity": "gender", "domain": "news"}


def test_own_columns_change_neither_the_plan_nor_the_fingerprint_of_a_study_without_them(tmp_path):
    plain, more = _items(tmp_path / "plain", "", "", ""), _items(tmp_path / "more", "\tdomain", "\tnews", "\tchat")
    other = _items(tmp_path / "other", "\tdomain", "\tnews", "\tnews")
    assert list(plan_assignment(plain).tasks()) == list(plan_assignment(more).tasks())
    assert len({plain.fingerprint, more.fingerprint, other.fingerprint}) == 3


def test_simulated_ratings_carry_them_and_check_names_them(tmp_path, accord_command):
    _items(tmp_path / "s", "\tdomain\tbleu:A", "\tnews\t31", "\tchat\t12")
    told = accord_command("check", "s")
    assert "Columns of your own, carried to the ratings: domain, bleu." in told.stdout
    accord_command("simulate", "s", "-o", "ratings.csv")
    lines = [line.split(",") for line in (tmp_path / "ratings.csv").read_text().splitlines()]
    rows = [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    assert {(row["item"], row["domain"], row["bleu"]) for row in rows} == {
        ("d-1:A", "news", "31"), ("d-1:B", "news", ""), ("d-2:A", "chat", "12"), ("d-2:B", "chat", ""),
    }  # fmt: skip
