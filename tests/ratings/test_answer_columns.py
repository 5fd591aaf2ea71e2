"""Every column that looks like an answer is read as a criterion of its own, or named with what to do."""

import random

import pytest

import accord
from accord.ratings.sanity import sanity_lines

ITEMS, RATERS = range(30), ("Ana", "Ben", "Cleo")


@pytest.fixture
def sheet():
    """Fifteen answers of three raters that differ, a row each: steps 1 to 5, yes and no, errors."""
    draw = random.Random(7)
    rows = []
    for item in ITEMS:
        quality = draw.randint(1, 5)
        for rater in RATERS:
            seen = min(5, max(1, quality + draw.choice((-1, 0, 0, 1))))
            rows.append({
                "ID": item, "Annotator": rater, "Fluency": seen, "Acceptable": "yes" if seen > 2 else "no",
                "Errors": 5 - min(5, max(1, quality + draw.choice((-1, 0, 1)))), "Years": 2 + len(rater),
                "Sentences": 1 + item % 4, "Word order": min(5, max(1, quality + draw.choice((-1, 0, 1)))),
            })  # fmt: skip
    return rows


def only(rows, *names):
    return [{name: row[name] for name in ("ID", "Annotator", *names)} for row in rows]


def told(ratings, words):
    return [note for note in ratings.notes if words in note]


def test_yes_and_no_and_counts_of_errors_beside_steps_are_criteria_each_with_its_level(sheet):
    ratings = accord.read(only(sheet, "Fluency", "Acceptable", "Errors", "Word order"))
    levels = {name: str(scale.level) for name, scale in ratings.scales.items()}
    assert levels == {"Fluency": "ordinal", "Acceptable": "nominal", "Errors": "ordinal", "Word order": "ordinal"}
    assert len(ratings) == 4 * len(sheet)


def test_a_column_of_yes_and_no_alone_is_the_rating(sheet):
    ratings = accord.read(only(sheet, "Acceptable"))
    assert (len(ratings), str(ratings.level)) == (len(sheet), "nominal")


def test_what_says_the_same_of_a_rater_or_of_an_item_is_no_answer_and_is_named(sheet):
    ratings = accord.read(only(sheet, "Fluency", "Years", "Sentences"))
    assert (len(ratings), "criterion" in ratings.columns) == (len(sheet), False)
    (note,) = told(ratings, "is taken as value")[-1:]
    assert "not read as ratings: Sentences (the same for all raters of an item)" in note
    assert "not read as ratings: Years (the same in all rows of a rater)" in note


def test_answers_beside_a_column_that_is_called_the_score_are_named_with_what_to_do(sheet):
    rows = [{"Score" if name == "Fluency" else name: cell for name, cell in row.items()} for row in sheet]
    ratings = accord.read(only(rows, "Score", "Acceptable", "Errors"))
    assert len(ratings) == len(sheet)
    (note,) = told(ratings, "look like answers too and are not read")
    assert note.startswith("'Acceptable' and 'Errors' look")
    assert "--value 'Score' --value 'Acceptable' --value 'Errors'" in note
    named = accord.read(only(rows, "Score", "Acceptable", "Errors"), value=["Score", "Acceptable", "Errors"])
    assert set(named.scales) == {"Score", "Acceptable", "Errors"}


def test_nothing_is_said_where_the_user_names_the_column(sheet):
    assert told(accord.read(only(sheet, "Fluency", "Acceptable"), value="Fluency"), "not read") == []


def test_a_kind_of_measurement_that_differs_is_named_and_one_that_cannot_be_a_step_is_not(sheet):
    rows = [{**row, "Clicks": 1 + place % 4, "Length": 100 + 7 * place} for place, row in enumerate(sheet)]
    ratings = accord.read(only(rows, "Fluency", "Clicks", "Length"))
    (note,) = told(ratings, "'Clicks' looks like an answer too and is not read")
    assert "Length" not in note


def test_a_judge_and_a_question_of_yes_and_no_in_one_name_are_taken_apart(sheet):
    by_item = {}
    for row in sheet:
        wide = by_item.setdefault(row["ID"], {"ID": row["ID"]})
        judge = RATERS.index(row["Annotator"]) + 1
        wide |= {f"Judge {judge} Fluency": row["Fluency"], f"Judge {judge} Acceptable": row["Acceptable"]}
    ratings = accord.read(list(by_item.values()))
    assert {name: str(scale.level) for name, scale in ratings.scales.items()} == {
        "Fluency": "ordinal", "Acceptable": "nominal",
    }  # fmt: skip
    assert len(ratings) == 2 * len(sheet)


def test_a_column_beside_those_of_raters_is_named(sheet):
    by_item = {row["ID"]: {"item": row["ID"], "Ann": 0, "Bob": 0, "Cem": 0} for row in sheet}
    for place, row in enumerate(sheet):
        by_item[row["ID"]] |= {("Ann", "Bob", "Cem")[place % 3]: row["Fluency"], "Agreed": row["Acceptable"]}
    ratings = accord.read(list(by_item.values()))
    assert ratings.raters == 3
    assert told(ratings, "not read as ratings: Agreed")


@pytest.mark.parametrize("word", ["don't know", "Don’t know", "weiß nicht", "no sé", "não sei", "不知道", "لا أعرف"])
def test_a_word_for_no_answer_that_comes_again_and_again_is_none(sheet, word):
    rows = [{**row, "Fluency": word if place % 6 == 0 else row["Fluency"]} for place, row in enumerate(sheet)]
    ratings = accord.read(only(rows, "Fluency"))
    assert (str(ratings.level), ratings.missing, len(ratings)) == ("ordinal", 15, 75)
    assert told(ratings, "no answer guessed")
    declared = accord.read(only(rows, "Fluency"), value="Fluency", scale="1..5")
    assert (declared.missing, len(declared)) == (15, 75)


def test_a_word_for_no_answer_among_words_of_a_known_order_is_no_step(sheet):
    words = ("stimme nicht zu", "stimme eher nicht zu", "teils teils", "stimme eher zu", "stimme zu")
    rows = [
        {**row, "Fluency": "weiß nicht" if place % 6 == 0 else words[row["Fluency"] - 1]}
        for place, row in enumerate(sheet)
    ]
    ratings = accord.read(only(rows, "Fluency"))
    assert (str(ratings.level), ratings.missing) == ("ordinal", 15)
    assert "weiß nicht" not in ratings.scale.values


def test_a_word_for_no_answer_beside_yes_and_no_is_an_answer_like_them(sheet):
    rows = [{**row, "value": "don't know" if place % 6 == 0 else row["Acceptable"]} for place, row in enumerate(sheet)]
    assert set(accord.read(only(rows, "value")).scale.values) == {"yes", "no", "don't know"}


def test_other_words_that_make_labels_of_numbers_are_said_first_with_what_to_do(sheet):
    rows = [{**row, "value": "xx" if place % 6 == 0 else row["Fluency"]} for place, row in enumerate(sheet)]
    (line,) = sanity_lines(accord.read(only(rows, "value")))
    assert line.startswith("Check first: 75 of 90 ratings are numbers and 15 are 'xx' (rows 1, 7,")
    assert "--missing 'xx'" in line
    assert sanity_lines(accord.read(only(rows, "value"), level="nominal")) == []
    assert str(accord.read(only(rows, "value"), missing=["xx"]).level) == "ordinal"


@pytest.mark.parametrize(("one", "other"), [("{}/5", "{}/10"), ("{}0%", "{}"), ("{} stars", "{}/5")])
def test_numbers_of_several_scales_in_one_column_are_refused_with_their_rows(sheet, one, other):
    rows = [
        {**row, "value": (other if row["Annotator"] == "Ben" else one).format(row["Fluency"])}
        for place, row in enumerate(sheet)
    ]
    with pytest.raises(accord.AccordError, match=r"30 rows cannot be read(?s:.*)row 2: .*: write all on one scale"):
        accord.read(only(rows, "value"))
    assert len(accord.read(only(rows, "value"), level="nominal").scale.values) > 5


def test_a_word_beside_a_number_may_be_spelled_in_two_cases(sheet):
    rows = [
        {**row, "value": f"{row['Fluency']} - {'Good' if place % 2 else 'good'} {'+' * row['Fluency']}"}
        for place, row in enumerate(sheet)
    ]
    assert str(accord.read(only(rows, "value")).level) == "ordinal"


def test_a_number_that_no_rating_can_be_is_refused_with_its_row():
    for rows in ([(1, "a", 1.0), (1, "b", 1e300)], [(1, "a", "1"), (1, "b", "1e300")]):
        records = [{"item": item, "rater": rater, "value": value} for item, rater, value in rows]
        with pytest.raises(accord.AccordError, match=r"row 2: 1e\+300 is too large for a rating"):
            accord.read(records)


def test_systems_that_are_compared_are_no_answers(sheet):
    rows = [
        {"item": row["ID"], "rater": row["Annotator"], "first": "AB"[place % 2], "second": "BA"[place % 2],
         "preferred": "first" if row["Fluency"] > 2 else "tie"}
        for place, row in enumerate(sheet)
    ]  # fmt: skip
    with pytest.raises(accord.AccordError, match="No column is named like value"):
        accord.read(rows)
