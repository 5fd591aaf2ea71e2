"""Sheets of a form owner and of a shared task: grids either way, one scale of many questions, language pairs."""

import io

import pytest

import accord
from accord.errors import OptionError
from accord.functions.own_weights import named_or_own

WORDS = ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")


def form(questions, answer, respondents=8, more=""):
    head = ",".join(["Timestamp", "Email Address", *([more] if more else []), *questions])
    rows = [
        ",".join([f"2026/03/0{r + 1}", f"p{r}@x.org", *(["3" if r % 2 else "44"] if more else []),
                  *(str(answer(r, q)) for q in range(len(questions)))])
        for r in range(respondents)
    ]  # fmt: skip
    return accord.read(io.StringIO("\n".join([head, *rows])))


def test_a_grid_for_each_text_has_the_text_as_item_and_its_row_as_criterion():
    questions = [f"Text {text} [{row}]" for text in range(1, 6) for row in ("It is fluent", "The meaning is kept")]
    ratings = form(questions, lambda r, q: WORDS[(q + r % 2) % 5])
    assert set(ratings.scales) == {"It is fluent", "The meaning is kept"}
    assert set(ratings.item.names) == {f"Text {text}" for text in range(1, 6)}


def test_a_grid_for_each_criterion_has_its_rows_as_items():
    questions = [f"{asked} [Text {text}]" for asked in ("Fluency", "Adequacy") for text in range(1, 6)]
    ratings = form(questions, lambda r, q: WORDS[(q + r % 2) % 5])
    assert set(ratings.scales) == {"Fluency", "Adequacy"}
    assert ratings.items == 5


def test_questions_whose_answers_end_below_the_end_of_the_scale_are_on_the_same_scale():
    ratings = form([f"{q}. How good is it?" for q in range(1, 8)], lambda r, q: max(1, q + 1 - r % 2))
    assert ratings.items == 7 and ratings.scale.values == (1, 2, 3, 4, 5, 6, 7)
    assert not ratings.scales


def test_questions_that_all_end_where_scales_end_are_on_two_scales():
    ratings = form([f"Q{q}" for q in range(6)], lambda r, q: 1 + r % 5 if q < 3 else 3 + 3 * r % 8)
    assert sorted(ratings.scales) == ["answers up to 10", "answers up to 5"]


def test_a_question_about_the_respondent_is_no_item_and_is_said():
    ratings = form([f"Text {q}" for q in range(5)], lambda r, q: 1 + (q + r % 2) % 5, more="How old are you?")
    assert ratings.items == 5
    assert any("How old are you? asks who answers" in note for note in ratings.notes)


@pytest.mark.parametrize("name", ["lp", "Language pair", "Sprachpaar", "paire de langues"])
@pytest.mark.parametrize("item", ["seg_id", "item"])
def test_a_language_pair_is_part_of_the_item_and_kept_apart(name, item):
    rows = [
        f"{pair},{segment},{pair}-{rater},{40 + (7 * segment + rater) % 50}"
        for pair in ("en-de", "en-cs") for segment in range(6) for rater in (1, 2)
    ]  # fmt: skip
    ratings = accord.read(io.StringIO("\n".join([f"{name},{item},annotator,score", *rows])))
    assert ratings.items == 12
    assert "language_pair" in ratings.columns


def test_a_scale_in_the_header_is_no_part_of_the_criterion():
    rows = [f"{i},{i % 4 + 1},{i % 3 + 1},{i % 4 + 1},{i % 3 + 1}" for i in range(1, 13)]
    head = "Nr.,Anna – Adequacy (1-4),Anna – Fluency (1-4),Ben – Adequacy (1-4),Ben – Fluency (1-4)"
    ratings = accord.read(io.StringIO("\n".join([head, *rows])))
    assert set(ratings.scales) == {"Adequacy", "Fluency"} and set(ratings.rater.names) == {"Anna", "Ben"}


def test_weights_may_have_the_values_above_and_beside_them(tmp_path):
    path = tmp_path / "weights.csv"
    path.write_text(",1,2,3\n1,1,.5,0\n2,.5,1,.5\n3,0,.5,1\n", encoding="utf-8")
    assert named_or_own(str(path)).tolist() == [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    path.write_text(",1,2,3\n1,1,.5,0\n3,.5,1,.5\n2,0,.5,1\n", encoding="utf-8")
    with pytest.raises(OptionError, match="not those beside them"):
        named_or_own(str(path))


def test_an_order_of_numbers_that_runs_down_is_said_and_any_other_is_kept():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        [(i, r, i * k % 5 + 1) for i in range(10) for k, r in enumerate("ab", 1)], columns=["item", "rater", "value"]
    )
    down = frame.astype({"value": pandas.CategoricalDtype([5, 4, 3, 2, 1], ordered=True)})
    assert any("its order runs down, from 5 to 1" in note for note in accord.read(down).notes)
    up = frame.astype({"value": pandas.CategoricalDtype([1, 2, 3, 4, 5], ordered=True)})
    assert not any("runs down" in note for note in accord.read(up).notes)
    other = frame.astype({"value": pandas.CategoricalDtype([1, 3, 2, 5, 4], ordered=True)})
    assert accord.read(other).scale.values == ("1", "3", "2", "5", "4")
