"""Who is a person and who a model, in the words of files: understood, named or kept apart, never pooled silently."""

import pytest

import accord
from accord.ratings.apart import kept_apart, people_of
from accord.ratings.kinds import kind_named

WORDS = {
    "human": ["human", "Human", "HUMAN", "humans", "Person", "people", "human annotator", "Mensch", "humano", "人工"],
    "model": [
        "model", "LLM", "AI", "machine", "gpt-4", "GPT-4o mini", "Claude 3.5", "llm_judge", "LLM-as-a-judge", "KI",
        "Maschine", "IA", "大模型", "نموذج", "meta-llama/Llama-3-8b", "large language model",
    ],
    "": ["expert", "crowd", "1", "machine translation expert", "human + LLM", "model airplane builder"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "word"), [(kind, word) for kind, words in WORDS.items() for word in words])
def test_a_clear_word_is_understood_in_any_case_and_no_other(kind, word):
    assert kind_named(word) == kind


def rows(column, people, machine):
    """Twelve items by two people and one machine, who are called so in this column."""
    who = {"ann": people, "bob": people, "eve": machine}
    return [
        {"item": f"i{item}", "rater": rater, column: kind, "score": item % 5 + 1}
        for item in range(12)
        for rater, kind in who.items()
    ]


@pytest.mark.parametrize("column", ["kind", "rater_type", "Annotator Type", "judge_type"])
def test_people_and_models_are_kept_apart_whatever_they_are_called(column):
    ratings = accord.read(rows(column, "Human", "LLM"))
    assert list(ratings.columns["kind"].names) == ["human", "model"]
    assert kept_apart(ratings) == ("kind",)
    assert "column kind: read 'Human' as human, read 'LLM' as model" in ratings.notes
    people, told = people_of(ratings)
    assert people.raters == 2
    assert "12 ratings of models (eve) are left out" in told[0]


def test_the_words_human_and_model_need_no_line():
    assert not any("kind" in note for note in accord.read(rows("kind", "human", "model")).notes)


def test_a_word_that_is_neither_is_named_with_its_rows_and_kept_apart():
    table = rows("kind", "crowd", "AI")
    ratings = accord.read(table)
    assert kept_apart(ratings) == ("kind",)
    assert any(note.startswith("kind 'crowd' (24 rows) is neither human nor model") for note in ratings.notes)
    assert people_of(ratings)[0].raters == 2


def test_words_that_tell_neither_are_said_to_keep_nothing_apart():
    ratings = accord.read(rows("rater_type", "A", "B"))
    assert not kept_apart(ratings)
    assert any("('A' and 'B') tells neither people nor models" in note for note in ratings.notes)


def test_a_kind_of_texts_is_not_a_kind_of_raters():
    table = [{**row, "kind": "Human" if int(row["item"][1:]) % 2 else "Machine"} for row in rows("kind", "", "")]
    ratings = accord.read(table)
    assert people_of(ratings)[0] is ratings
    assert not kept_apart(ratings)
    assert any("not read as who rated" in note for note in ratings.notes)


def test_the_same_number_for_a_person_and_a_model_is_still_two_raters():
    table = [
        {"item": i, "rater": r, "kind": k, "score": i % 5} for i in range(9) for r in (1, 2) for k in ("Human", "AI")
    ]
    assert people_of(accord.read(table))[0].raters == 2
    assert len(people_of(accord.read(table))[0]) == 18


def test_raters_named_like_models_are_named_where_no_column_says_it():
    table = [{**row, "rater": row["rater"].replace("eve", "gpt-4o")} for row in rows("group", "x", "x")]
    assert any(note.startswith("'gpt-4o' is named like a model") for note in accord.read(table).notes)
    only_models = [row for row in table if row["rater"] == "gpt-4o"]
    assert not any("named like" in note for note in accord.read(only_models).notes)


def test_models_in_other_words_do_not_count_in_preferences_and_penalties(tmp_path):
    rows_of = "rater,kind,item,value,system\n" + "".join(
        f"{rater},{kind},i{item},{value},s{item % 2}\n"
        for item in range(8)
        for rater, kind, value in (("ann", "Human", item % 3), ("gpt", "LLM", 25))
    )
    (tmp_path / "penalties.csv").write_text(rows_of)
    from accord.scoring.mqm_ratings import read_penalties

    found = read_penalties(tmp_path / "penalties.csv")
    assert {one.rater for one in found.segments} == {"ann"}
    assert any("8 ratings of models (gpt) are left out" in note for note in found.notes)
