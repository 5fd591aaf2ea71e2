"""Values as people write them: with words, signs, commas, and codes for no answer."""

import pytest

import accord
from accord.design.scale import Level
from accord.errors import RatingsError
from accord.ratings.known_words import known_orders
from accord.ratings.number_spellings import numbers_in
from accord.ratings.sanity import sanity
from accord.ratings.worded_values import ordered_words, worded_numbers


def read(values, **options):
    pandas = pytest.importorskip("pandas")
    rows = [{"item": place // 2, "rater": "ab"[place % 2], "value": value} for place, value in enumerate(values)]
    return accord.read(pandas.DataFrame(rows), **options)


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["3 - good", "4: very good", "1 (bad)", "2"], [3, 4, 1, 2]), (["good (3)", "bad (1)"], [3, 1]),
        (["4/5", "2 / 5", "3"], [4, 2, 3]), (["4 out of 5", "1 out of 5"], [4, 1]), (["40%", "12,5 %"], [40, 12.5]),
        (["★★★☆☆", "★☆☆☆☆"], [3, 1]), (["**", "****"], [2, 4]), (["⭐⭐", "⭐"], [2, 1]),
        (["4 stars", "1 star"], [4, 1]),
        (["-2 (negative)", "+1", "0"], [-2, 1, 0]),
    ],
)  # fmt: skip
def test_a_number_with_something_beside_it_is_that_number(texts, numbers):
    found = worded_numbers(texts)
    assert found is not None
    assert list(found.numbers) == numbers


@pytest.mark.parametrize(
    "texts",
    [["4. Neurosis", "3. Other"], ["3 - good", "3 - bad"], ["4/5", "4/7"], ["6/5", "1/5"], ["40%", "40"],
     ["1-2", "3-4"], ["good", "bad"], ["2024-03-01", "2024-04-01"]],
)  # fmt: skip
def test_what_could_mean_something_else_stays_a_label(texts):
    assert worded_numbers(texts) is None


def test_the_words_beside_numbers_are_kept_as_labels():
    ratings = read(["3 - good", "4 - better", "3 - good", "2 - poor"])
    assert ratings.scale.values == (2.0, 3.0, 4.0)
    assert ratings.scale.labels == {2.0: "poor", 3.0: "good", 4.0: "better"}
    assert any(note.startswith("read numbers with words: 3 - good as 3") for note in ratings.notes)


def test_percentages_are_interval_and_parts_know_their_end():
    assert read(["40%", "60%", "10%", "90%"]).level is Level.INTERVAL
    assert read(["4/5", "3/5", "2/5", "4/5"]).scale.high == 5.0


@pytest.mark.parametrize(
    "texts",
    [
        ["Strongly agree", "disagree", "Neutral"], ["stimme voll und ganz zu", "stimme nicht zu", "teils/teils"],
        ["totalmente de acuerdo", "en desacuerdo", "de acuerdo"], ["concordo totalmente", "discordo", "neutro"],
        ["非常同意", "不同意", "中立"], ["أوافق بشدة", "محايد", "لا أوافق"], ["poor", "excellent", "fair"],
        ["immer", "nie", "manchmal"], ["muy bueno", "malo", "regular"], ["很好", "差", "一般"],
    ],
)  # fmt: skip
def test_words_of_a_known_order_are_ordinal_in_every_language_of_the_pages(texts):
    ratings = read([*texts, texts[0]])
    assert ratings.level is Level.ORDINAL
    found = ordered_words(texts)
    assert found is not None
    assert list(ratings.scale.values) == [text for _, text in sorted(zip(found.places, texts, strict=True))]


def test_no_word_stands_twice_in_an_order():
    for kind, places in known_orders():
        assert len(places) >= 5 and kind
        assert set(places.values()) == set(range(max(places.values()) + 1))


def test_two_words_alone_have_no_order_and_labels_never_do():
    assert read(["good", "bad", "bad", "good"]).level is Level.NOMINAL
    assert read(["red", "green", "blue", "red"]).level is Level.NOMINAL


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (["3,5", "4,25"], [3.5, 4.25]), (["1,234", "850"], [1234, 850]), (["1,234.5", "12"], [1234.5, 12]),
        (["1.234,5", "3"], [1234.5, 3]), (["1 234", "5"], [1234, 5]), (["1'234", "5"], [1234, 5]),
        (["3,125", "4"], [3.125, 4]),
        (["3,5", "3.5"], [3.5, 3.5]), (["\u22122", "3"], [-2, 3]), (["1,234,567", "1"], [1234567, 1]),
    ],
)  # fmt: skip
def test_decimal_commas_are_told_from_thousands(texts, numbers):
    assert numbers_in(texts)[0] == numbers


@pytest.mark.parametrize("sign", ["-", "?", "--", "\u2014", "n/a", "N/A", "k.A.", "."])
def test_signs_among_answers_are_no_answer_and_are_said(sign):
    ratings = read([3, sign, 4, 5])
    assert (len(ratings), ratings.missing) == (3, 1)
    assert any("missing" in note for note in ratings.notes)


def test_plus_and_minus_are_labels():
    assert set(read(["+", "-", "+", "-"]).scale.values) == {"+", "-"}


@pytest.mark.parametrize("code", [99, -1, 999, -9])
def test_codes_of_no_answer_are_found_and_said(code):
    values = [(place * 7) % 5 + 1 for place in range(40)]
    values[3] = values[11] = values[30] = code
    ratings = read(values)
    assert (ratings.missing, ratings.scale.values) == (3, (1.0, 2.0, 3.0, 4.0, 5.0))
    assert any(f"no answer guessed: '{code}' (3 rows), as the others lie from 1 to 5" in note for note in ratings.notes)
    kept = read(values, missing=("NA",))
    assert float(code) in kept.scale.values


@pytest.mark.parametrize(
    "values", [[-1, 0, 1] * 10, [0, 50, 99, 100] * 10, [90, 95, 99, 80] * 10, [1, -1] * 10, [-2, -1, 0, 1, 2] * 5]
)
def test_points_of_a_scale_are_no_codes(values):
    assert read(values).missing == 0


def test_missing_says_which_number_is_no_answer():
    assert read([1, 2, 9, 3], missing=("9",)).missing == 1
    assert read(["1", "2", "9", "x"], missing=("9", "x")).missing == 2


def test_whole_scores_up_to_a_hundred_are_interval_however_few_they_are():
    assert read([0, 50, 100, 70]).level is Level.INTERVAL
    assert read([0, 10, 3, 7]).level is Level.ORDINAL


def test_a_typing_error_does_not_change_the_level():
    values = [(place * 7) % 5 + 1 for place in range(60)]
    values[17] = 55
    assert read(values).level is Level.ORDINAL


def test_one_stray_word_does_not_make_a_scale_nominal():
    values = [str((place * 7) % 5 + 1) for place in range(60)]
    values[17] = "dunno"
    ratings = read(values)
    assert (ratings.level, ratings.missing) == (Level.ORDINAL, 1)
    (remark,) = ratings.remarks
    assert (remark.code, remark.rows) == ("stray_word", ("18",))
    assert "'dunno'" in remark.message


def test_many_words_among_numbers_are_labels():
    values = ["1", "2", "bad", "good"] * 10
    assert read(values).level is Level.NOMINAL


def test_a_declared_scale_takes_numbers_with_words_and_drops_what_is_off_it_when_asked():
    values = ["3 - good", "4 - better", "1", "2", "9", "5"]
    with pytest.raises(RatingsError, match="'9' is not on the declared scale"):
        read(values, scale="1..5")
    ratings = read(values, scale="1..5", drop_off_scale=True)
    assert (len(ratings), ratings.missing) == (5, 1)
    assert "'9' is not on the declared scale" in str(ratings.remarks[0])


def test_values_off_the_evident_scale_leave_when_asked_and_a_note_says_so():
    values = [(place * 7) % 5 + 1 for place in range(60)]
    values[17] = 55
    ratings = read(values, drop_off_scale=True)
    assert len(ratings) == 59
    assert ratings.scale.values == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert any("1 rating off the scale left out, as asked (row 18)" in note for note in ratings.notes)


def test_an_ordered_categorical_declares_its_order():
    pandas = pytest.importorskip("pandas")
    kind = pandas.CategoricalDtype(["low-ish", "mid", "top"], ordered=True)
    frame = pandas.DataFrame({"item": [1, 1, 2, 2], "rater": list("abab"),
                              "value": pandas.Series(["mid", "top", "low-ish", "mid"], dtype=kind)})  # fmt: skip
    ratings = accord.read(frame)
    assert (ratings.level, ratings.scale.values) == (Level.ORDINAL, ("low-ish", "mid", "top"))
    assert ratings.scale.declared


@pytest.mark.parametrize(
    "values", [["minor", "none", "none", "major"], ["Minor", "None", "None", "Major"], ["a|b", "none", "none", "a"]]
)
def test_none_written_like_the_other_labels_is_an_answer_and_said_to_be(values):
    ratings = read(values)
    assert len(ratings) == 4
    assert any("'none' counts as an answer" in note for note in ratings.notes)
    assert len(read(values, missing=["none"])) == 2


@pytest.mark.parametrize("values", [["minor", "None", "None", "major"], ["1", "none", "none", "2"]])
def test_none_as_a_program_writes_it_is_no_answer(values):
    assert len(read(values)) == 2


@pytest.mark.parametrize(("code", "others"), [(9, 5), (-1, 4), (99, 5)])
def test_a_code_that_is_a_large_share_of_the_ratings_is_kept_and_said(code, others):
    values = [(place * 7) % others + 1 for place in range(100)]
    few = [code if place % 12 == 0 else value for place, value in enumerate(values)]
    many = [code if place % 4 == 0 else value for place, value in enumerate(values)]
    assert read(few).missing == 9
    kept = read(many)
    assert (kept.missing, float(code) in kept.scale.values) == (0, True)
    (remark,) = [one for one in sanity(kept) if one.code == "kept_code"]
    assert remark.message.endswith(f": {code} counts as a rating.")
    assert f"25 of 100 ratings (25%) are {code}" in remark.message
    assert f"--missing {code}" in remark.do
    assert not [one for one in sanity(read(few)) if one.code == "kept_code"]
