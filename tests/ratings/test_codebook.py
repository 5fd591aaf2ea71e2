"""Every reader fills the codebook: what was declared, what the format says, what was guessed and named as a guess."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import accord
from accord.design.scale import Direction, Level
from accord.errors import OptionError
from accord.ratings.codebook import LeftOut, StudyFacts
from accord.ratings.data_package import read_codebook, write_codebook
from accord.ratings.open_stored import open_stored
from formats.samples import APPRAISE, GOOGLE_MQM, written

FRAME = pd.DataFrame(
    {
        "item": ["a", "a", "b", "b", "c", "c"] * 2,
        "rater": ["Ann", "Ben"] * 6,
        "value": [1, 2, 3, 3, 5, 4, 0, 1, 7, 7, 2, 3],
        "criterion": ["fluency"] * 6 + ["errors"] * 6,
    }
)


def test_what_nobody_declared_is_guessed_once_and_named():
    codebook = accord.read(FRAME).codebook
    assert list(codebook.criteria) == ["fluency", "errors"]
    assert codebook.criterion("errors").level is Level.ORDINAL
    assert all(one.direction is Direction.UNKNOWN for one in codebook.criteria.values())
    assert codebook.guesses == (
        "fluency: level guessed: ordinal, as there are 5 different whole numbers",
        "fluency: values guessed: the 5 that occur (1, 2, 3, 4, 5)",
        "errors: level guessed: ordinal, as there are 5 different whole numbers",
        "errors: values guessed: the 5 that occur (0, 1, 2, 3, 7)",
    )


@pytest.mark.parametrize("given", ["high; errors:low", {"": "high", "errors": "low"}, ["high", "errors:low"]])
def test_the_user_says_which_end_is_good(given):
    ratings = accord.read(FRAME, direction=given)
    assert ratings.codebook.criterion("fluency").direction is Direction.HIGH
    assert ratings.codebook.criterion("errors").direction is Direction.LOW
    assert {group.by["criterion"]: group.ratings.scale.direction for group in ratings.split()} == {
        "fluency": Direction.HIGH,
        "errors": Direction.LOW,
    }


def test_all_criteria_together_have_a_direction_only_where_it_is_the_same():
    assert accord.read(FRAME, direction="low").scale.direction is Direction.LOW
    assert accord.read(FRAME, direction="high; errors:low").scale.direction is Direction.UNKNOWN


@pytest.mark.parametrize(
    ("direction", "words"),
    [
        ("up", "Write high or low"),
        ("style:low", "A direction is declared for style, but the criteria are: fluency, errors."),
        ("low; low", "declared twice"),
        (["errors:low", "errors:high"], "The direction of errors is declared twice"),
    ],
)
def test_a_wrong_direction_gets_a_sentence(direction, words):
    with pytest.raises(OptionError, match=words):
        accord.read(FRAME, direction=direction)


def test_labels_without_an_order_take_no_direction():
    labels = pd.DataFrame({"item": list("aabb"), "rater": ["x", "y"] * 2, "value": ["red", "blue", "green", "red"]})
    assert accord.read(labels).scale.direction is Direction.NONE
    with pytest.raises(OptionError, match="labels without an order"):
        accord.read(labels, direction="high")
    ordered = accord.read(labels, scale="blue<green<red", direction="high")
    assert ordered.criterion.direction is Direction.HIGH


def test_a_codebook_beside_a_table_is_used_and_options_come_before_it(tmp_path):
    path = tmp_path / "errors.csv"
    FRAME[FRAME.criterion == "errors"].drop(columns="criterion").to_csv(path, index=False)
    declared = accord.read(path, level="ratio", scale="0..20", direction="low")
    write_codebook(declared.codebook, path, ("item", "rater", "value"))
    again = accord.read(path)
    assert (again.level, again.scale.direction, again.scale.high) == (Level.RATIO, Direction.LOW, 20.0)
    assert again.codebook == declared.codebook
    assert accord.read(path, direction="high").scale.direction is Direction.HIGH
    assert accord.read(path, level="interval").scale.high == 20.0


def test_a_column_that_is_to_be_kept_apart_and_is_not_there_is_said():
    table = {"item": [1, 1, 2, 2], "rater": ["A", "B"] * 2, "value": [1, 2, 1, 1], "domain": ["x", "x", "y", "y"]}
    book = accord.read(pd.DataFrame(table)).codebook
    books = [replace(book, kept_apart=("scenario", name)) for name in ("domain", "domian")]
    said = [accord.read(pd.DataFrame(table), codebook=one).notes for one in books]
    assert not [note for note in said[0] if "kept apart by it" in note]
    assert [note for note in said[1] if "'domian', which is no column here" in note and "mean 'domain'" in note]


def test_a_value_off_the_declared_scale_is_noticed_when_a_table_is_read_back(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("item,rater,value\na,x,80\na,y,70\n")
    write_codebook(accord.read(path, scale="0..100", level="interval").codebook, path, ("item", "rater", "value"))
    path.write_text("item,rater,value\na,x,80\na,y,700\n")
    with pytest.raises(accord.AccordError, match="'700' is not on the declared scale from 0 to 100"):
        accord.read(path)


def test_a_table_with_names_of_its_own_is_read_by_its_codebook(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("doc,seg,who,points\n1,1,Ann,2\n1,1,Ben,3\n1,2,Ann,1\n1,2,Ben,1\n")
    named = {"item": ("doc", "seg"), "rater": ("who",), "value": ("points",)}
    given = accord.read(path, item=["doc", "seg"], rater="who", value="points")
    write_codebook(given.codebook, path, ("doc", "seg", "who", "points"), named=named)
    assert accord.read(path).fingerprint == given.fingerprint


def test_several_files_share_their_codebooks_and_contradictions_are_refused(tmp_path):
    for number, direction in ((1, "low"), (2, "low"), (3, "high")):
        path = tmp_path / f"part{number}.csv"
        path.write_text(f"item,rater,value\na{number},x,1\na{number},y,2\n")
        codebook = accord.read(path, level="ordinal", direction=direction).codebook
        write_codebook(codebook, path, ("item", "rater", "value"))
    assert accord.read([tmp_path / "part1.csv", tmp_path / "part2.csv"]).scale.direction is Direction.LOW
    with pytest.raises(accord.AccordError, match="say different things"):
        accord.read(str(tmp_path / "part*.csv"))


def test_a_table_changed_since_is_said_in_the_notes(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("item,rater,value\na,x,1\na,y,2\n")
    write_codebook(accord.read(path).codebook, path, ("item", "rater", "value"))
    path.write_text("item,rater,value\na,x,1\na,y,3\n")
    assert any("has changed since" in note for note in accord.read(path).notes)


@pytest.mark.parametrize(("sample", "key"), [(GOOGLE_MQM, "MQM"), (APPRAISE, "")])
def test_formats_say_level_direction_and_what_an_item_is(tmp_path, sample, key):
    ratings = accord.read(written(tmp_path / "in.tsv", sample))
    criterion = ratings.codebook.criterion(key)
    assert (criterion.level, criterion.direction) == (Level.INTERVAL, Direction.HIGH)
    assert criterion.definition and not criterion.scale.has_guessed_level
    pair = ("language_pair",) if sample is APPRAISE else ()
    assert ratings.codebook.item.named_by == (*pair, "system", "document", "segment")
    assert ratings.codebook.item.cluster == "document"
    assert ratings.codebook.source.startswith("the format ")
    assert accord.read(tmp_path / "in.tsv", direction="low").codebook.criterion(key).direction is Direction.LOW


@pytest.mark.parametrize("options", [{}, {"direction": "high; errors:low"}, {"level": "interval", "scale": "0..9"}])
def test_ratings_counted_where_they_lie_have_the_same_codebook(tmp_path, options):
    path = tmp_path / "r.csv"
    FRAME.assign(document="d1", source="a text").to_csv(path, index=False)
    memory, stored = (accord.read(path, engine=engine, **options) for engine in ("memory", "duckdb"))
    assert {**stored.codebook.criteria} == {**memory.codebook.criteria}
    assert stored.codebook.item == memory.codebook.item
    assert set(stored.codebook.guesses) == set(memory.codebook.guesses)
    by_name = {group.by["criterion"]: group.ratings.criterion for group in stored.split()}
    assert by_name == {key: memory.codebook.criterion(key) for key in ("errors", "fluency")}


def test_a_codebook_beside_a_table_is_used_where_it_is_counted(tmp_path):
    path = tmp_path / "r.csv"
    FRAME.to_csv(path, index=False)
    declared = accord.read(path, direction="high; errors:low", level="interval")
    write_codebook(declared.codebook, path, tuple(FRAME.columns))
    stored = accord.read(path, engine="duckdb")
    assert {**stored.codebook.criteria} == {**declared.codebook.criteria}
    assert [group.ratings.scale.direction for group in stored.split()] == [Direction.LOW, Direction.HIGH]


def test_texts_are_columns_named_in_the_codebook_as_a_guess():
    frame = FRAME[FRAME.criterion == "errors"].assign(source="ein Satz", Translation="a sentence", comment="hm")
    ratings = accord.read(frame)
    assert ratings.codebook.item.texts == ("source", "Translation")
    assert "column 'Translation' is taken as a text of the item" in ratings.codebook.guesses
    assert list(ratings.columns["comment"].names) == ["hm"]


def test_texts_of_other_tools_are_columns_that_keep_every_character(tmp_path):
    ratings = accord.read(written(tmp_path / "in.tsv", GOOGLE_MQM))
    assert ratings.codebook.item.texts == ("source", "target")
    assert 'Er sagte "hi.' in ratings.columns["target"].names
    assert not any("text of the item" in guess for guess in ratings.codebook.guesses)


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.jsonl", "r.parquet", "r.xlsx"])
@pytest.mark.parametrize("options", [{}, {"direction": "low", "level": "ratio"}, {"scale": "0..9; fluency:1..5"}])
def test_a_table_that_is_written_and_read_back_means_the_same(tmp_path, name, options):
    from accord.formats.imported import Imported
    from accord.formats.writing import write

    ratings = accord.read(FRAME.assign(document="d1", domain="news"), **options)
    write(Imported(ratings), tmp_path / name)
    again = accord.read(tmp_path / name)
    assert again.fingerprint == ratings.fingerprint
    assert {**again.codebook.criteria} == {**ratings.codebook.criteria}
    assert again.codebook == ratings.codebook
    assert read_codebook(tmp_path / name) is not None


def test_sets_of_labels_come_back_as_sets(tmp_path):
    from accord.formats.imported import Imported
    from accord.formats.writing import write

    frame = pd.DataFrame({"item": list("aabb"), "rater": ["x", "y"] * 2, "value": ["p|q", "p", "q", "q|p"]})
    ratings = accord.read(frame, separator="|")
    write(Imported(ratings), tmp_path / "sets.csv")
    again = accord.read(tmp_path / "sets.csv")
    assert again.scale.has_sets and again.criterion.several
    assert again.fingerprint == ratings.fingerprint


def test_an_array_has_a_codebook_too():
    ratings = accord.read(np.array([[1, 2], [3, 3]]), direction="low")
    assert ratings.codebook.criterion().direction is Direction.LOW


def test_the_fingerprint_of_a_codebook_follows_what_a_number_depends_on():
    def read(**options):
        return accord.read(FRAME, **{"level": "ordinal", "direction": "high", **options}).codebook

    same = read()
    others = [
        read(level="interval"),
        read(direction="low"),
        read(scale="0..7"),
        replace(same, kept_apart=("scenario",)),
        replace(same, item=replace(same.item, cluster="document")),
        replace(same, left_out=(LeftOut(rater="Ann", rule="gold_wrong"),)),
        same.only("fluency"),
    ]
    assert len({one.fingerprint for one in (same, *others)}) == len(others) + 1
    in_words = replace(
        same,
        criteria={key: replace(one, question="How is it?") for key, one in same.criteria.items()},
        guesses=(), source="elsewhere", study=StudyFacts(title="A study"),
    )  # fmt: skip
    assert in_words.fingerprint == same.fingerprint == read().fingerprint


def test_a_signature_names_the_codebook_in_memory_and_in_a_file_counted_where_it_lies(tmp_path):
    FRAME.to_csv(tmp_path / "ratings.csv", index=False)
    asked = {"level": "ordinal", "direction": "high"}
    here = accord.agreement(accord.read(tmp_path / "ratings.csv", **asked))
    there = accord.agreement(open_stored(tmp_path / "ratings.csv", **asked))
    told = [{one.signature.rpartition("|")[0] for group in made.groups for one in group.estimates}
            for made in (here, there)]  # fmt: skip
    assert told[0] == told[1] and all("|codebook:" in one for one in told[0])
    turned = accord.agreement(accord.read(tmp_path / "ratings.csv", level="ordinal", direction="low"))
    assert turned.fingerprint == here.fingerprint
    assert turned.groups[0].estimates[0].signature != here.groups[0].estimates[0].signature
