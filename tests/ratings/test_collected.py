"""From what a study collected to ratings: names, values and columns, whatever was asked."""

import json
from dataclasses import replace

import numpy as np
import pytest

import accord
from accord.design.load import load_study
from accord.design.preset import copy_preset
from accord.design.scale import Direction, Level
from accord.errors import FormatError, InputError
from accord.ratings.apart import kept_apart
from accord.ratings.codebook import KEPT_APART
from accord.ratings.collected import (
    CollectedRows,
    JudgementColumns,
    TaskColumns,
    collected_columns,
    collected_history,
    collected_ratings,
    column_names,
    history_bridge,
)
from accord.ratings.study_codebook import codebook_of, system_names
from served_study import ALL_KINDS, make_study

ITEMS = (
    "document\tsegment\tsource\treference\ttarget:alpha\ttarget:beta\tambiguity\tdomain\tscore:alpha\n"
    "d1\t1\tThe cat sleeps.\tO gato dorme.\tO gato dorme.\tO cão dorme.\tgender\tnews\t0.7\n"
    "d1\t2\tIt rains.\tChove.\tChove.\tEle chove.\t\tnews\t0.4\n"
)
MARK = {"side": "target", "start": 0, "end": 2, "category": None, "severity": "major"}


@pytest.fixture
def study(tmp_path):
    folder = make_study(tmp_path / "study", ALL_KINDS)
    (folder / "items.tsv").write_text(ITEMS, encoding="utf-8")
    return load_study(folder)


def rows_of(tasks, judgements):
    """Screens as dictionaries with the usual rest, judgements as (screen, criterion, place, answer)."""
    usual = {
        "rater": "R1", "group": "", "scenario": "alone", "document": "d1", "item": "d1-1", "systems": ["alpha"],
        "texts": [], "altered": "", "phase": "", "condition": "", "batch": "", "role": "", "occasion": 1, "round": 1,
        "comment": "",
    }  # fmt: skip
    full = [usual | {"key": key, "order": key} | task for key, task in tasks.items()]
    columns = {name: [one[name] for one in full] for name in full[0]}
    columns |= {name: list(map(json.dumps, columns[name])) for name in ("systems", "texts")}
    said = [(*one[:3], None if one[3] is None else json.dumps(one[3])) for one in judgements]
    keys, criteria, places, values = zip(*said, strict=True)
    rest = {"seconds": [2.5] * len(said), "guideline": [1] * len(said)}
    return CollectedRows(
        TaskColumns(**columns), JudgementColumns(task=keys, criterion=criteria, place=places, value=values, **rest)
    )


def table(study, rows, *names, **options):
    columns = collected_columns(study, rows, **options)
    return list(zip(*(columns[name] for name in names), strict=True))


def test_every_kind_of_answer_has_a_value(study):
    pair = {"scenario": "pair", "systems": ["beta", "alpha"]}
    whole = {"scenario": "whole", "item": "", "systems": ["beta", "alpha"]}
    rows = rows_of(
        {1: {}, 2: pair, 3: whole},
        [
            (1, "meaning", 0, 3), (1, "quality", 0, 71.0), (1, "kinds", 0, ["wrong", "order", "wrong"]),
            (1, "marks", 0, [MARK, MARK | {"severity": "minor"}]), (1, "edit", 0, "O gato dorme bem."),
            (2, "better", None, 0), (3, "rank", None, [2, 1]),
        ],
    )  # fmt: skip
    assert table(study, rows, "criterion", "item", "system", "value", named=True) == [
        ("meaning", "d1-1:alpha", "alpha", 3), ("quality", "d1-1:alpha", "alpha", 71.0),
        ("kinds", "d1-1:alpha", "alpha", "order|wrong"), ("marks", "d1-1:alpha", "alpha", 6.0),
        ("edit", "d1-1:alpha", "alpha", 0.5), ("better", "d1-1", "", "beta"), ("rank", "d1:beta", "beta", 2),
        ("rank", "d1:alpha", "alpha", 1),
    ]  # fmt: skip


def test_systems_have_codes_unless_they_are_to_be_named(study):
    rows = rows_of({1: {"scenario": "pair", "systems": ["beta", "alpha"]}}, [(1, "better", None, 0)])
    names = system_names(study)
    assert set(names.values()) == {"system-1", "system-2"}
    assert table(study, rows, "value") == [(names["beta"],)]


def test_a_comparison_of_some_systems_names_who_met(study):
    rows = rows_of({1: {"scenario": "pair", "systems": ["beta"]}}, [(1, "better", None, "tie")])
    assert table(study, rows, "item", "value", named=True) == [("d1-1:beta", "tie")]


def test_a_question_without_an_answer_is_a_row_without_a_value_and_is_counted_as_missing(study):
    rows = rows_of({1: {}, 2: {"rater": "R2"}}, [(1, "meaning", 0, None), (2, "meaning", 0, 1)])
    assert table(study, rows, "rater", "value") == [("R1", ""), ("R2", 1)]
    ratings = collected_ratings(study, rows, codebook_of(study))
    assert (len(ratings), ratings.missing) == (1, 1)


def test_nothing_is_made_of_questions_nobody_answered(study):
    assert collected_ratings(study, rows_of({1: {}}, [(1, "meaning", 0, None)]), codebook_of(study)) is None


def test_what_is_known_of_an_item_travels_to_its_ratings(study):
    rows = rows_of(
        {1: {"comment": "odd"}, 2: {"systems": ["beta"], "item": "d1-2"}}, [(1, "meaning", 0, 3), (2, "meaning", 0, 1)]
    )
    names = ("segment", "language_pair", "domain", "ambiguity", "score", "source", "target", "comment", "guideline")
    assert table(study, rows, *names) == [
        ("1", "en-pt", "news", "gender", "0.7", "The cat sleeps.", "O gato dorme.", "odd", "1"),
        ("2", "en-pt", "news", "", "", "It rains.", "Ele chove.", "", "1"),
    ]
    assert set(names) <= set(column_names(study))


@pytest.mark.parametrize(
    ("header", "first", "told"),
    [
        ("language_pair", "en-de", ()),
        ("lp", "en-de", ("the language pair is taken to be lp of the items",)),
        ("src_lang\ttgt_lang", "en\tde", ("the language pair is taken to be src_lang + tgt_lang of the items",)),
    ],
)
def test_the_languages_of_an_item_go_before_those_of_the_study(study, header, first, told):
    lines = ITEMS.splitlines()
    blank = "\t" * header.count("\t")
    text = "\n".join([f"{lines[0]}\t{header}", f"{lines[1]}\t{first}", f"{lines[2]}\t{blank}", ""])
    (study.folder / "items.tsv").write_text(text, encoding="utf-8")
    study = load_study(study.folder)
    rows = rows_of({1: {}, 2: {"item": "d1-2"}}, [(1, "meaning", 0, 3), (2, "meaning", 0, 1)])
    pairs = dict(table(study, rows, "item", "language_pair", named=True))
    assert pairs == {"d1-1:alpha": "en-de", "d1-2:alpha": "en-pt"}
    ratings = collected_ratings(study, rows, codebook_of(study))
    assert "language_pair" in kept_apart(ratings)
    assert tuple(note for note in ratings.notes if "language pair" in note) == told


def test_a_spoilt_copy_is_another_item_and_what_stands_beside_it_is_no_further_rating(study):
    copy = {
        "scenario": "pair", "role": "degraded", "systems": ["alpha", "beta"], "altered": "beta",
        "texts": ["O gato dorme.", "O dorme cão."],
    }  # fmt: skip
    rows = rows_of({1: copy}, [(1, "meaning", 0, 3), (1, "meaning", 1, 0)])
    assert table(study, rows, "item", "role", "target", named=True) == [
        ("d1-1:alpha#bad", "control", "O gato dorme."), ("d1-1:beta#bad", "degraded", "O dorme cão."),
    ]  # fmt: skip


def test_judgements_of_screens_that_do_not_count_are_no_ratings(study):
    rows = rows_of({2: {}}, [(1, "meaning", 0, 0), (2, "meaning", 0, 3)])
    assert table(study, rows, "value") == [(3,)]


def test_a_question_that_the_study_no_longer_asks_is_told(study):
    rows = rows_of({1: {}}, [(1, "meaning", 0, 3), (1, "grammar", 0, 1)])
    ratings = collected_ratings(study, rows, codebook_of(study))
    assert "1 judgement is not here: the study no longer asks for grammar" in ratings.notes


def test_an_item_that_a_rater_meets_twice_has_two_occasions(study):
    met = {"scenario": "pair", "systems": ["alpha", "beta"]}
    rows = rows_of({1: met, 2: met}, [(1, "meaning", 0, 3), (2, "meaning", 0, 2), (2, "meaning", 1, 1)])
    assert table(study, rows, "item", "occasion", "value", named=True) == [
        ("d1-1:alpha", "1", 3), ("d1-1:alpha", "2", 2), ("d1-1:beta", "1", 1),
    ]  # fmt: skip
    assert len(collected_ratings(study, rows, codebook_of(study))) == 3


def test_the_ratings_of_a_moment_are_cut_from_all_answers_ever_given(study):
    met = {"scenario": "pair", "systems": ["alpha", "beta"]}
    tasks = {1: met, 2: met, 3: {"rater": "R2"}}
    # The first answer is corrected twice, the second time taken back; the third screen shows the first text again.
    said = [
        (1, "meaning", 0, 3), (1, "meaning", 1, 2), (2, "meaning", 0, 1), (3, "quality", 0, 50),
        (1, "meaning", 0, 0), (1, "meaning", 0, None), (3, "quality", 0, 60),
    ]  # fmt: skip
    corrected = {0: 4, 4: 5, 3: 6}
    never = len(said)
    newest = np.array([corrected.get(place, never) == never for place in range(len(said))])
    bridge = history_bridge(study, rows_of(tasks, said), newest)
    ratings, judgement = collected_history(bridge, codebook_of(study))
    until = np.array([corrected.get(place, never) for place in judgement.tolist()])
    for moment in range(len(said)):
        stood = [place for place in range(moment + 1) if corrected.get(place, never) > moment]
        then = collected_ratings(study, rows_of(tasks, [said[place] for place in stood]), codebook_of(study))
        cut = ratings.where((judgement <= moment) & (moment < until))
        assert cells(cut) == cells(then), moment
    newest_rows = rows_of(tasks, [one for one, last in zip(said, newest, strict=True) if last])
    apart, among = (collected_ratings(study, newest_rows, codebook_of(study), past=past) for past in (None, bridge))
    assert among.fingerprint == apart.fingerprint
    assert cells(among) == cells(apart)
    assert {name: (one.names, one.codes.tolist()) for name, one in among.columns.items()} == {
        name: (one.names, one.codes.tolist()) for name, one in apart.columns.items()
    }


def cells(ratings):
    """Each rating without its occasion, which depends on what came later, and with its place among equal ones."""
    named = zip(ratings.item.labels(), ratings.rater.labels(), ratings.factor("criterion").labels(), strict=True)
    occasions = ratings.factor("occasion").labels().tolist()
    assert len(set(zip(ratings.item.labels(), ratings.rater.labels(), ratings.factor("criterion").labels(), occasions,
                       strict=True))) == len(ratings)  # fmt: skip
    return list(zip(named, ratings.labels(), strict=True))


def test_rows_come_in_the_order_of_raters_and_of_their_work(study):
    rows = rows_of(
        {5: {}, 3: {"item": "d1-2"}, 9: {"rater": "R2"}},
        [(9, "meaning", 0, 1), (3, "meaning", 0, 2), (5, "quality", 0, 50), (5, "meaning", 0, 3)],
    )
    assert [value for (value,) in table(study, rows, "value")] == [3, 50, 2, 1]


def test_the_ratings_mean_what_the_study_says(study):
    said = [(1, "meaning", 0, 3), (1, "quality", 0, 71), (1, "kinds", 0, ["wrong", "order"]), (1, "marks", 0, [MARK])]
    ratings = collected_ratings(study, rows_of({1: {}}, said), codebook_of(study))
    scales = ratings.scales
    assert {key: scale.level for key, scale in scales.items()} == {
        "meaning": Level.ORDINAL, "quality": Level.INTERVAL, "kinds": Level.NOMINAL, "marks": Level.RATIO,
    }  # fmt: skip
    assert scales["meaning"].values == (0.0, 1.0, 2.0, 3.0) and scales["quality"].high == 100
    assert scales["kinds"].values == (frozenset({"wrong", "order"}),)
    assert scales["marks"].direction is Direction.LOW and scales["meaning"].direction is Direction.HIGH
    assert ratings.codebook.criteria["meaning"].question == "How much of the meaning is there?"
    assert ratings.codebook.item.cluster == "document" and ratings.codebook.item.texts == ("source", "target")
    facts = ratings.codebook.study
    assert (facts.title, facts.seed, facts.consent) == ("Every kind of question", 7, "You may stop at any time.")


def test_the_fingerprint_does_not_depend_on_the_order_in_which_rows_were_fetched(study):
    said = [(1, "meaning", 0, 3), (1, "quality", 0, 71), (2, "meaning", 0, 1)]
    tasks = {1: {}, 2: {"rater": "R2"}}
    made = [collected_ratings(study, rows_of(tasks, one), codebook_of(study)) for one in (said, said[::-1])]
    assert made[0].fingerprint == made[1].fingerprint
    other = collected_ratings(study, rows_of(tasks, [*said[:2], (2, "meaning", 0, 2)]), codebook_of(study))
    assert other.fingerprint != made[0].fingerprint


def test_a_study_that_asks_one_thing_names_its_criterion(study):
    alone = replace(study, settings=study.settings.model_copy(update={"criteria": study.settings.criteria[:1]}))
    ratings = collected_ratings(alone, rows_of({1: {}}, [(1, "meaning", 0, 3)]), codebook_of(alone))
    assert ratings.criterion.key == "meaning" and ratings.level is Level.ORDINAL


def test_test_sets_of_a_study_are_other_documents_and_no_other_circumstances(tmp_path):
    copy_preset("document-context", tmp_path / "study")
    ratings = accord.simulate(tmp_path / "study", seed=1)
    sets = {}
    for document, name in zip(ratings.columns["document"].labels(), ratings.columns["condition"].labels(), strict=True):
        sets.setdefault(document, set()).add(name)
    assert len(ratings.columns["condition"].names) > 1 and all(len(names) == 1 for names in sets.values())
    assert kept_apart(ratings) == ("scenario",)
    # A table whose meaning nobody declared keeps conditions apart: they may be another task.
    assert "condition" in kept_apart(replace(ratings, codebook=replace(ratings.codebook, kept_apart=KEPT_APART)))
    split = {group.by["condition"] for group in accord.agreement(ratings, by="condition", interval="none").groups}
    assert split == set(ratings.columns["condition"].names)


BESIDE = "with the source and its context"


@pytest.mark.parametrize(
    ("kind", "documents", "shown"),
    [
        ("sentence-in-context", "ddee", f"each sentence within its document {BESIDE}"),
        (
            "sentence-in-context",
            "ddef",
            f"each sentence within its document (2 of 3 documents are one sentence only) {BESIDE}",
        ),
        ("sentence-in-context", "abcd", "one sentence alone with the source"),
        ("random-sentence", "ddee", "one sentence alone with the source"),
    ],
)
def test_a_context_is_claimed_only_where_other_sentences_stood_around(tmp_path, kind, documents, shown):
    copy_preset("direct-assessment-segments", tmp_path / "study")
    settings = (tmp_path / "study" / "study.toml").read_text(encoding="utf-8")
    (tmp_path / "study" / "study.toml").write_text(settings.replace("sentence-in-context", kind), encoding="utf-8")
    rows = [f"{document}\t{place}\tEs regnet.\tIt rains." for place, document in enumerate(documents)]
    table = "\n".join(["document\tsegment\tsource\ttarget:a", *rows])
    (tmp_path / "study" / "items.tsv").write_text(table, encoding="utf-8")
    study = load_study(tmp_path / "study")
    assert codebook_of(study).study.shown == f"A sentence in its text: {shown}"


def test_the_table_of_all_judgements_is_not_taken_for_ratings():
    """Its items stand without their systems: read as ratings it gave an alpha of 0.05 instead of 0.69."""
    rows = [
        {"uuid": f"{k}{rater}", "rater": rater, "item": f"t{k}", "criterion": "adequacy", "value": k, "revision": 1,
         "superseded_by": "", "systems_shown": "system-1"}
        for k in range(9) for rater in "ab"
    ]  # fmt: skip
    with pytest.raises(FormatError, match="holds every judgement that was ever made"):
        accord.read(rows)


def test_two_exports_of_the_same_ratings_are_not_read_as_one(tmp_path):
    """One has a column that the other lacks, so that no rating seemed to be there twice: 178 items of 90."""
    rows = [(f"t{k}", rater, k % 5) for k in range(20) for rater in "ab"]
    (tmp_path / "one.csv").write_text("item,rater,value\n" + "".join(f"{i},{r},{v}\n" for i, r, v in rows))
    (tmp_path / "two.csv").write_text("item,rater,value,pair\n" + "".join(f"{i},{r},{v},en-de\n" for i, r, v in rows))
    with pytest.raises(InputError, match="hold the same rows"):
        accord.read([tmp_path / "one.csv", tmp_path / "two.csv"])
