"""The sanity pass finds planted mistakes, names rows and what to do, and leaves honest ratings alone."""

import importlib.util
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import accord
from accord.errors import RatingsError
from accord.ratings.evident import body_of
from accord.ratings.sanity import sanity, sanity_lines

ROOT = Path(__file__).parents[2]


def _study():
    spec = importlib.util.spec_from_file_location("sanity_study", ROOT / "tools" / "sanity_study.py")
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["sanity_study"] = module
    spec.loader.exec_module(module)
    return module


study = _study()


def test_honest_sets_are_left_alone():
    """The study has 1 of 1,000 or fewer; two in a hundred would be far too many."""
    seen = study.false_alarms(120, np.random.default_rng(5))
    assert sum(seen.values()) <= 1, seen


@pytest.mark.parametrize("mistake", study.MISTAKES, ids=lambda mistake: mistake.name)
def test_a_planted_mistake_is_found_and_nothing_else_is_said(mistake):
    right, wrong = study.found(mistake, 12, np.random.default_rng(11))
    assert right >= 11
    assert wrong == 0


def test_a_typing_error_is_told_with_row_rater_item_and_what_others_gave():
    rows, _ = study.honest(np.random.default_rng(2), study.SLIDER, good=True)
    item, rater, _ = rows[30]
    rows[30] = [item, rater, "8888"]
    (remark,) = sanity(study.read(rows))
    assert (remark.code, remark.rows, remark.who) == ("off_scale", ("32",), (rater,))
    assert f"Row 32: {rater} gave {item} 8888; all other values lie from" in remark.message
    assert "others gave this item" in remark.message
    assert "--drop-off-scale" in remark.do
    assert sanity_lines(study.read(rows)) == [f"Check first: {remark}"]


def test_a_twin_is_told_with_the_option_that_joins_it():
    rows = [[f"s{i}", name, str(i % 5 + 1)] for i in range(20) for name in ("Ann Lee", "Ben")]
    rows[4][1] = "ann  lee"
    (remark,) = sanity(study.read(rows))
    assert remark.do == "If they are one: --map-rater 'ann  lee=Ann Lee'."
    joined = accord.read(
        [dict(zip(("item", "rater", "value"), row, strict=True)) for row in rows], map_rater={"ann  lee": "Ann Lee"}
    )
    assert sanity(joined) == ()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (lambda i, rater: f"{i}.0" if rater == "b" else str(i), "20 pairs of items, such as '0' and '0.0', are nearly"),
        (
            lambda i, rater: f"{i:03}" if rater == "b" else str(i),
            "20 pairs of items, such as '0' and '000', are nearly",
        ),
        (lambda i, rater: f"\ufeffs{i}" if rater == "b" and i == 3 else f"s{i}", r"The items 's3' and '\ufeffs3' are"),
    ],
)
def test_items_that_two_raters_spell_otherwise_are_told(written, told):
    rows = [[written(i, rater), rater, str((i * 3 + ord(rater)) % 5 + 1)] for i in range(20) for rater in "ab"]
    (remark,) = [remark for remark in sanity(study.read(rows)) if remark.code == "item_twins"]
    assert str(remark).startswith(told)
    both = [[name, rater, "3"] for name in ("a", "A", "b", "B") for rater in "xy"]
    assert not [remark for remark in sanity(study.read(both)) if remark.code == "item_twins"], (
        "both were judged by both"
    )


def test_raters_who_rated_the_same_items_under_like_names_are_two_people():
    rows = [[f"s{i}", name, str((i * 3 + ord(name)) % 5 + 1)] for i in range(20) for name in "aAbB"]
    assert not [remark for remark in sanity(study.read(rows)) if remark.code == "rater_twins"]


def test_each_criterion_has_its_own_scale():
    rows = [
        {"item": i, "rater": r, "criterion": c, "value": i % 5 + 1 if c == "fluency" else (i * 13 + 3 * ord(r)) % 101}
        for i in range(60) for r in "ab" for c in ("fluency", "score")
    ]  # fmt: skip
    assert sanity(accord.read(rows)) == ()
    rows[8] = {**rows[8], "value": 44}
    (remark,) = sanity(accord.read(rows))
    assert remark.message.startswith("fluency: row 9: a gave 2 44")


def test_the_same_file_given_twice_stops_with_its_name(tmp_path):
    text = "item,rater,value\n" + "".join(f"{i},{r},{(i + ord(r)) % 5 + 1}\n" for i in range(9) for r in "ab")
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(RatingsError, match=r"two\.csv repeats one\.csv, value for value: the same file is there twice"):
        accord.read([tmp_path / "one.csv", tmp_path / "two.csv"])


def test_codes_of_no_answer_are_remarked_on_with_their_rows():
    values = [(place * 7) % 5 + 1 for place in range(40)]
    values[3] = values[30] = 99
    rows = [{"item": place // 2, "rater": "ab"[place % 2], "value": value} for place, value in enumerate(values)]
    (remark,) = sanity(accord.read(rows))
    assert (remark.code, remark.rows) == ("no_answer", ("4", "31"))
    assert "99 is read as no answer, as the others lie from 1 to 5" in remark.message
    assert "--missing 99" in remark.do


@pytest.mark.parametrize(
    ("values", "counts", "off"),
    [
        ([1, 2, 3, 4, 5, 55], [9, 20, 30, 20, 9, 1], [55]), ([1, 2, 3, 4, 5, 6], [9, 20, 30, 20, 9, 1], []),
        ([0, 1, 2, 3, 9], [60, 20, 8, 3, 1], []), ([-3, 1, 2, 3, 4, 5], [1, 9, 20, 30, 20, 9], [-3]),
        ([-2, -1, 0, 1, 2], [9, 20, 30, 20, 9], []), ([0.1, 0.4, 0.7, 0.9, 85.0], [5, 5, 5, 5, 1], [85.0]),
        ([*range(0, 101, 5), 105], [2] * 21 + [1], [105]), ([*range(0, 60, 5), 105], [2] * 12 + [1], []),
        ([1, 2, 3, 4, 5, 111111], [200, 300, 400, 300, 200, 1], [111111]),
    ],
)  # fmt: skip
def test_what_is_off_and_what_may_be_honest(values, counts, off):
    assert body_of(np.array(values, dtype=float), np.array(counts)).off.tolist() == off


def test_real_ratings_are_left_alone(data):
    names = ("classic_anxiety", "classic_ebel51", "classic_shrout_fleiss", "refbias", "qgstec_original",
             "flickr8k_expert", "mqm3_wmt23_ende", "wmt22_calibration",
             "da_coling16", "parity_laeubli", "classic_diagnoses")  # fmt: skip
    for name in names:
        assert sanity(accord.read(data / f"{name}.csv", duplicates="first")) == (), name


def test_ratings_counted_where_they_lie_are_not_looked_at():
    assert sanity(object()) == ()


def test_a_rater_who_rates_at_random_several_times_has_not_slipped_by_a_row():
    """The next row of such a rater is the same item again, and its own value was counted among the others'."""
    rng = np.random.default_rng(3)
    rows = [(f"i{item}", "judge", "model", run, int(rng.integers(1, 6))) for item in range(60) for run in (1, 2, 3)]
    rows += [(f"i{item}", "ann", "human", 1, int(rng.integers(1, 6))) for item in range(60)]
    names = ("item", "rater", "kind", "run", "value")
    assert not sanity(accord.read(pl.DataFrame(rows, schema=names, orient="row")))


def _labels(first: list[int], second: list[int], items: int = 30):
    """Two raters who call nearly everything 1: the items that each calls 2."""
    rows = [
        (f"i{item}", name, 1 + (item in own)) for item in range(items) for name, own in (("a", first), ("b", second))
    ]
    return sanity(accord.read(pl.DataFrame(rows, schema=("item", "rater", "value"), orient="row")))


def test_one_rare_value_beside_another_is_chance_and_no_slipped_column():
    """Two neighbours of 30 items make a correlation of 1 where a column is moved by a row."""
    assert not _labels([12], [11])
    assert not _labels([5, 20], [4, 19])


def test_many_rare_values_that_all_fit_the_next_row_are_a_slipped_column():
    places = [2, 6, 9, 15, 22, 26]
    assert [remark.code for remark in _labels([place + 1 for place in places], places)] == ["shifted"]


def _answers(tmp_path, given):
    """Ratings of 12 items; each rater has the words for no and yes, and every third item is a no."""
    rows = [
        f"i{item},{rater},{words[item % 3 > 0]}\n"
        for item in range(12) for rater, (words, items) in given.items() if item in items
    ]  # fmt: skip
    (path := tmp_path / "answers.csv").write_text("item,rater,value\n" + "".join(rows), encoding="utf-8")
    return [remark for remark in sanity(accord.read(path)) if remark.code == "other_words"]


ALL = range(12)


def test_raters_who_share_no_answer_with_the_others_are_named(tmp_path):
    own, usual = (("0", "1"), ALL), (("no", "yes"), ALL)
    (one,) = _answers(tmp_path, {"Ana": usual, "Ben": usual, "Cy": own})
    assert one.who == ("Cy",)
    assert "Cy shares no answer with the others: '0' and '1' in all 12 ratings" in one.message
    assert "the others give 'no' and 'yes'" in one.message
    (two,) = _answers(tmp_path, {"Ana": usual, "Ben": own, "Cy": own, "Dan": usual, "Eva": usual})
    assert two.who == ("Ben", "Cy")


@pytest.mark.parametrize(
    "given",
    [
        {"Ana": (("no", "yes"), ALL), "Ben": (("no", "1"), ALL)},  # one answer in common
        {"Ana": (("no", "yes"), ALL), "Ben": (("never", "never"), ALL)},  # one answer only: that may be honest
        {"Ana": (("no", "yes"), range(6)), "Ben": (("nein", "ja"), range(6, 12))},  # no item in common
        {"Ana": (("no", "yes"), ALL), "Ben": (("nein", "ja"), range(4))},  # too few to tell
        {"Ana": (("1", "2"), ALL), "Ben": (("3", "4"), ALL)},  # numbers with an order are another matter
    ],
)
def test_raters_who_may_honestly_differ_in_every_answer_are_not_named(tmp_path, given):
    assert _answers(tmp_path, given) == []
