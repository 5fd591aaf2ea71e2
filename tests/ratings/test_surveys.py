"""Rows of respondents as survey tools export them: every question is read, what is no answer is left out and said."""

import csv
import io

import pandas as pd
import pytest

import accord

WORDS = ["Stimme nicht zu", "Stimme eher nicht zu", "Teils/teils", "Stimme eher zu", "Stimme voll zu"]


def read(rows):
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return accord.read(io.StringIO(text.getvalue()))


def said(ratings, words):
    return any(words in note for note in ratings.notes)


def form(questions, people=6, ids=("Timestamp", "Username")):
    rows = [[*ids, *questions]]
    for person in range(people):
        scores = [(person + place * 3) % 5 + 1 for place in range(len(questions))]
        rows.append(["2026/03/01 10:22:01", f"u{person}", *scores])
    return rows


def test_a_question_that_all_answer_alike_is_a_question_as_the_others():
    rows = [["Zeitstempel", *(f"Text {number} ist klar" for number in range(1, 7))]]
    rows += [["01.03.2026 10:20:00", WORDS[3], *(WORDS[(p + q) % 5] for q in range(5))] for p in range(6)]
    ratings = read(rows)
    assert ratings.items == 6
    assert said(ratings, "6 columns are questions")


@pytest.mark.parametrize(
    "question", ["Rate the {} of sentence {}", "S{1}_{0}", "Please rate [{}] of text {}", "第{1}句的{0}"]
)
def test_criteria_in_the_words_of_questions_are_kept_apart(question):
    pair = ("流畅度", "忠实度") if "句" in question else ("Fluency", "Adequacy")
    ratings = read(form([question.format(criterion, number) for number in range(1, 6) for criterion in pair]))
    assert set(ratings.columns["criterion"].names) == set(pair)
    assert ratings.items == 5
    assert ratings.raters == 6
    assert said(ratings, f"about {pair[0]} and {pair[1]}")


def test_questions_about_one_criterion_are_items():
    ratings = read(form([f"Rate the fluency of sentence {number}" for number in range(1, 6)]))
    assert ratings.items == 5
    assert "criterion" not in ratings.columns


def test_columns_that_are_no_questions_are_named():
    rows = form([f"Q{number}" for number in range(1, 6)])
    rows = [[*row, "Any comments?" if row is rows[0] else "well, no"] for row in rows]
    assert said(read(rows), "not read as ratings: Any comments?")


def test_clicks_and_times_of_a_page_are_no_ratings():
    rows = form(["Q1", "Q2", "Q3", "Q4_First Click", "Q4_Last Click", "Q4_Page Submit", "Q4_Click Count"])
    assert read(rows).items == 3


def qualtrics(statuses, questions):
    names = ["ResponseId", "Status", *(f"Q{number}" for number in range(1, len(questions) + 1))]
    ids = ['{"ImportId":"_recordId"}', '{"ImportId":"status"}', *('{"ImportId":"QID"}' for _ in questions)]
    rows = [names, ["Response ID", "Response Type", *questions], ids]
    for person, status in enumerate(statuses):
        rows.append([f"R_{person}", status, *((person + place * 2) % 5 + 1 for place in range(len(questions)))])
    return rows


def test_previews_of_a_survey_are_left_out_and_said():
    kinds = ["Survey Preview", *["IP Address"] * 5, "Spam"]
    ratings = read(qualtrics(kinds, [f"How fluent is text {number}?" for number in range(1, 7)]))
    assert ratings.raters == 5
    assert said(ratings, "left out 2 rows by the column 'Status' (Survey Preview, Spam)")
    assert [line for line, _ in ratings.left_out] == [2, 3, 4, 10]


def test_the_questions_of_a_survey_tell_criteria_and_who_answers():
    questions = [f"Rate translation {number} - {c}" for number in range(1, 5) for c in ("Fluency", "Adequacy")]
    ratings = read(qualtrics(["IP Address"] * 6, [*questions, "How old are you?"]))
    assert set(ratings.columns["criterion"].names) == {"Fluency", "Adequacy"}
    assert ratings.items == 4
    assert said(ratings, "Q9 asks who answers and is no rating")


def test_rejected_and_returned_work_does_not_count():
    rows = [["Submission id", "Participant id", "Status", "Rating 1", "Rating 2", "Rating 3"]]
    rows += [[f"s{p}", f"p{p}", status, p % 5 + 1, (p + 1) % 5 + 1, 3] for p, status in
             enumerate(["APPROVED", "REJECTED", "AWAITING REVIEW", "RETURNED", "TIMED-OUT", "APPROVED"])]  # fmt: skip
    ratings = read(rows)
    assert sorted(ratings.rater.names) == ["p0", "p2", "p5"]
    assert said(ratings, "left out 3 rows by the column 'Status' (REJECTED, RETURNED, TIMED-OUT)")


@pytest.mark.parametrize("word", ["{} point", "{} Punkte", "{} puntos", "{} pontos", "{}分", "{} نقاط", "{} stars"])
def test_points_and_stars_are_numbers(word):
    rows = [["item", "rater", "score"], *([i, r, word.format(i % 5 + 1)] for i in range(10) for r in "ab")]
    assert read(rows).scale.values == (1.0, 2.0, 3.0, 4.0, 5.0)


def test_names_that_differ_by_blanks_around_them_are_one_and_that_is_said():
    rows = [["item", "rater", "score"], *([i, "Bob " if i < 4 else "Bob", i % 5] for i in range(10))]
    rows += [[f"{i} " if i == 3 else i, "Ann", i % 5] for i in range(10)]
    ratings = read(rows)
    assert ratings.raters == 2
    assert ratings.items == 10
    assert said(ratings, "'Bob ' (4 rows) counts as 'Bob'")
    assert said(ratings, "'3 ' (1 row) counts as '3'")


def test_a_pivot_with_a_level_of_raters_has_one_column_a_criterion():
    long = pd.DataFrame({"item": [1, 1, 2, 2], "rater": list("abab"), "flu": [1, 2, 3, 4], "ade": [5, 4, 3, 3]})
    ratings = accord.read(long.pivot(index="item", columns="rater", values=["flu", "ade"]))
    assert sorted(ratings.rater.names) == ["a", "b"]
    assert sorted(ratings.columns["criterion"].names) == ["ade", "flu"]
