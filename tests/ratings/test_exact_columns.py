"""Columns of names and cells are what their rows say, however they are coded, kept, repeated and hashed."""

from itertools import combinations

import numpy as np
import pytest

from accord.ratings import coding, factor, fingerprint, grid, repeats
from accord.ratings.factor import Coded, Factor, RegularFactor
from accord.ratings.names import NumberNames


def test_a_grid_and_a_run_are_told_from_anything_else(monkeypatch):
    for cached in (3, 1 << 14):
        monkeypatch.setattr(grid, "_CACHED", cached)
        slow, fast = (codes.ravel().astype(np.int32) for codes in np.indices((5, 4)))
        assert grid.is_grid(slow, fast, 5, 4)
        for place in range(20):
            for codes in (slow, fast):
                kept, codes[place] = codes[place], (codes[place] + 1) % 5
                assert not grid.is_grid(slow, fast, 5, 4)
                codes[place] = kept
        run = np.arange(2, 12, dtype=np.int32)
        assert grid.is_run(run, 2) and not grid.is_run(run, 1) and not grid.is_run(run[::-1].copy(), 11)
        for place in range(10):
            broken = run.copy()
            broken[place] += 1
            assert not grid.is_run(broken, 2)


@pytest.mark.parametrize("cells", [0, 1 << 26])
def test_a_cell_that_comes_twice_is_seen_in_a_table_and_by_sorting(cells, monkeypatch):
    monkeypatch.setattr(grid, "_TABLE_CELLS", cells)
    pairs = [(i, r) for i in range(-1, 4) for r in range(-1, 3)]
    item, rater = (np.array(codes, dtype=np.int32) for codes in zip(*pairs, strict=True))
    assert not grid.has_repeats(item, rater, 4, 3)
    for place in range(len(pairs)):
        again = [*pairs, pairs[place]]
        assert grid.has_repeats(*(np.array(codes, dtype=np.int32) for codes in zip(*again, strict=True)), 4, 3)


LABELS = ["b", "a", "", "c", "a", "", "b", "d", "a"]


def test_a_column_of_names_has_its_names_whatever_is_done_with_it():
    made = Factor.of(LABELS)
    assert (made.names, made.codes.tolist()) == (("b", "a", "c", "d"), [0, 1, -1, 2, 1, -1, 0, 3, 1])
    assert made.labels().tolist() == LABELS and made.has_empty and not Factor.of(["a"]).has_empty
    part = made[np.array([1, 2, 4])]
    assert part.compact().names == ("a",) and part.compact().labels().tolist() == ["a", "", "a"]
    assert made.compact() is made and Factor.of([]).compact().names == ()
    in_order = made.in_order_of_names()
    assert in_order.names == ("a", "b", "c", "d") and in_order.labels().tolist() == LABELS
    assert in_order.in_order_of_names() is in_order


def test_names_that_all_occur_in_rows_in_order_need_no_marks(monkeypatch):
    monkeypatch.setattr(factor, "_SHORT", 3)
    for codes in ([0, 1, 2, 0], [0, 0, 1, 1, 2, 2], [0, 1, 2, 2, 1, 0], [2, 0, 1, 1]):
        made = Factor(np.array(codes, dtype=np.int32), ("a", "b", "c"))
        assert made.compact().labels().tolist() == made.labels().tolist()
        assert made.compact().names == ("a", "b", "c")
    lacking = Factor(np.array([0, 0, 2, 2, -1], dtype=np.int32), ("a", "b", "c"))
    assert lacking.compact().names == ("a", "c") and lacking.compact().codes.tolist() == [0, 0, 1, 1, -1]
    assert Factor(np.zeros(4, dtype=np.int32), ("a", "b")).compact().names == ("a",)


def test_a_whole_table_made_long_has_the_codes_of_its_rows_and_of_those_that_are_picked():
    item, rater = RegularFactor(("x", "y", "z"), times=2), RegularFactor(("A", "B"), each=3)
    assert item.codes.tolist() == [0, 1, 2, 0, 1, 2] and rater.codes.tolist() == [0, 0, 0, 1, 1, 1]
    assert len(item) == len(rater) == 6 and not item.has_empty and item.compact() is item
    assert factor.by_rater(item, rater) == (item, rater)
    for other in (RegularFactor(("A", "B"), each=2), RegularFactor(("A", "B"), each=3, times=2), Factor.of(["A"] * 6)):
        assert factor.by_rater(item, other) is None
    assert factor.by_rater(RegularFactor(("x", "y", "z"), each=2), rater) is None
    for known, items, raters in (([1, 0, 1, 1, 1, 0], ["x", "z", "x", "y"], ["A", "A", "B", "B"]),
                                 ([1, 0, 1, 0, 0, 0], ["x", "z"], ["A", "A"])):  # fmt: skip
        found = factor.picked_of(item, rater, np.array(known, dtype=bool), np.flatnonzero(known))
        assert [one.labels().tolist() for one in found] == [items, raters]
        assert [len(one) for one in found] == [len(items)] * 2
        assert [set(one.names) for one in found] == [set(items), set(raters)]
        assert not found[0].has_empty and found[0].compact() is found[0]


def test_raw_values_are_found_again_by_their_codes():
    coded = Coded(np.array([2, -1, 0, 2], dtype=np.int32), ["a", 5, None])
    assert list(coded) == [None, None, "a", None] and len(coded) == 4
    part = coded[np.array([2, 1])]
    assert list(part) == ["a", None] and part.distinct == ["a"] and part.codes.tolist() == [0, -1]
    assert coded.recoded(np.arange(3, dtype=np.int32)) is coded.codes
    assert coded.recoded(np.array([1, 0, 2], dtype=np.int32)).tolist() == [2, -1, 1, 2]


COLUMNS = (
    [3, 1, 1, 2], np.array([3, 1, 1, 2]), np.array([300000, 1, -5, 2]), np.array([2**63, 1], dtype=np.uint64),
    np.array([0.5, 1.25, 0.5, np.nan]), np.array([1.0, 2.0]), np.array([0.1234567, 1e9]), np.array([np.nan, np.nan]),
    np.array([1e17, 1.5]), np.array([-0.5, 3e6, 0.00001]), ["a", None, "a ", float("nan")], [True, 1, "1"],
    [["x", "y"], {"y", "x"}, None], [{"a": 1}, {"a": 1}], (), np.array([], dtype=int), np.array([], dtype=float),
    np.ma.masked_array([1, 2, 3, 2], [0, 1, 0, 0]), np.ma.masked_array([0.5, 2.0], [0, 1]), np.array(["b", "a", "b"]),
    [float("inf"), 2, 2.0], np.array([np.inf, 1.0]),
)  # fmt: skip


@pytest.mark.parametrize("column", COLUMNS, ids=range(len(COLUMNS)))
def test_cells_are_equal_where_their_codes_are(column, monkeypatch):
    for cached in (2, 1 << 14):
        monkeypatch.setattr(coding, "_CACHED", cached)
        monkeypatch.setattr(coding, "_SAMPLE", cached)
        coded = coding.code_column(column)
        masked = coding.is_masked(column)
        hidden = np.ma.getmaskarray(column).tolist() if masked else [False] * len(column)
        given = column.data.tolist() if masked else list(column)
        cells = [None if one else cell for one, cell in zip(hidden, given, strict=True)]
        told = [coded.distinct[code] if code >= 0 else None for code in coded.codes.tolist()]
        plain = [None if coding._is_nothing(cell) else coding._hashable(cell) for cell in cells]
        assert told == plain
        assert len(set(coded.codes.tolist()) - {-1}) == len(set(plain) - {None}) <= len(coded.distinct)
        for one, other in combinations(range(len(cells)), 2):
            assert (coded.codes[one] == coded.codes[other]) == (plain[one] == plain[other])


def test_columns_under_each_other_are_coded_as_one():
    pairs = [(np.array([1, 5]), np.array([5, 2])), ([1, "a"], [None, "a"]), (np.array([0.5]), np.array([1, 2])),
             (np.ma.masked_array([1, 2], [0, 1]), np.array([2, 1]))]  # fmt: skip
    for one, other in pairs:
        both = list(coding.code_stacked([one, other]))
        assert both == [*coding.code_column(one), *coding.code_column(other)]


def test_rows_that_repeat_are_found_counted_and_settled():
    parts = [Factor.of(["a", "b", "a", "", "a", ""]), Factor.of(["X", "X", "X", "Y", "Y", "Y"])]
    keys, cells = repeats.row_keys(parts)
    assert len(set(keys.tolist())) == 4 and cells == 9 and keys.max() < cells
    assert repeats.is_repeated(parts) and not repeats.is_repeated([part[np.array([0, 1, 3, 4])] for part in parts])
    assert repeats.repeated_rows(keys) == [(2, 0), (5, 3)]
    assert repeats.rows_to_keep(keys, "first").tolist() == [0, 1, 3, 4]
    assert repeats.rows_to_keep(keys, "last").tolist() == [1, 2, 4, 5]
    kept = repeats.rows_to_keep(keys, "first")
    assert repeats.means(keys, np.array([1.0, 5, 4, 2, 3, 8]), kept).tolist() == [2.5, 5, 5, 3]
    assert repeats.joined(*parts).labels().tolist() == ["a|X", "b|X", "a|X", "Y", "a|Y", "Y"]
    assert repeats.joined(*parts, "-").names[0] in ("a-X", "Y")
    many = [Factor(np.array([0, 1, 0], dtype=np.int32), NumberNames(np.arange(2**20)))] * 4
    assert len(set(repeats.row_keys(many)[0].tolist())) == 2


def test_the_next_occasion_is_given_where_a_rater_meets_an_item_again_under_one_name():
    columns = {
        "item": Factor.of(list("aabaa")),
        "rater": Factor.of(list("XXXXY")),
        "occasion": Factor.of(list("21111")),
    }
    assert repeats.next_occasions(columns).labels().tolist() == ["3", "1", "1", "2", "1"]
    columns["occasion"] = Factor.of(["3", "1", "1", "2", "1"])
    assert repeats.next_occasions(columns) is columns["occasion"]
    assert repeats.told_apart_by([columns["item"], columns["rater"]], columns, ("nothing", "rater", "occasion")) == (
        "occasion"
    )
    keys, _ = repeats.row_keys([columns["item"], columns["rater"]])
    assert repeats.telling(keys, columns) is None  # three names of five rows number them
    wide = {"turn": Factor.of(["1", "2", "1", "2", "1", "1"])}
    assert repeats.telling(repeats.row_keys([Factor.of(list("aabbcd"))])[0], wide) == "turn"


def test_rows_have_one_fingerprint_in_any_order_and_another_where_a_cell_changes(monkeypatch):
    rows = [(f"i{n % 7}", "ABC"[n % 3], str(n % 5), "x" * (n % 60)) for n in range(40)]
    told = fingerprint.hashed_cells(rows)
    assert told == "6f55a10943fee4d2"
    for cached, block in ((3, 5), (1 << 14, 200_000)):
        monkeypatch.setattr(fingerprint, "_CACHED", cached)
        monkeypatch.setattr(fingerprint, "_BLOCK", block)
        assert fingerprint.hashed_cells(rows[::-1]) == fingerprint.hashed_cells(sorted(rows)) == told
        for row, cell in ((0, 0), (7, 1), (39, 2), (20, 3)):
            other = [list(one) for one in rows]
            other[row][cell] += "y"
            assert fingerprint.hashed_cells(other) != told
        swapped = [[b, a, *rest] for a, b, *rest in rows]
        assert fingerprint.hashed_cells(swapped) != told and fingerprint.hashed_cells(rows[1:]) != told
    assert fingerprint.hashed_cells([]) == fingerprint._digest(0, 0, 0)


def test_a_name_is_hashed_as_the_number_that_it_spells_and_as_no_other():
    names = ["7", "-7", "07", "+7", "0", "-0", "00", "70", "7a", "a7", "", "-", "999999999999999999",
             "1000000000000000000", "x" * 48, "x" * 49, "é", "7.0", "12345678901234567", "2", "12"]  # fmt: skip
    hashes = fingerprint.hashed_names(names).tolist()
    assert len(set(hashes)) == len(names)
    assert hashes == [fingerprint.hashed_names([name]).tolist()[0] for name in names]
    numbers = np.array([7, -7, 0, 70, 999999999999999999, 10**18, -(10**18), 12345678901234567])
    spelled = fingerprint.hashed_names([str(number) for number in numbers.tolist()]).tolist()
    assert fingerprint.hashed_names(NumberNames(numbers)).tolist() == spelled
    given = np.array([7.0, -7.0, 0.5, 2.0**53, 1e300, 0.25])
    found = fingerprint.hashed_numbers(given).tolist()
    assert found[:2] == spelled[:2] and len(set(found)) == len(given)
    assert fingerprint.hashed_numbers(np.array([7.0, -7.0])).tolist() == spelled[:2]


def test_a_whole_table_has_the_fingerprint_of_its_rows(monkeypatch):
    items, raters = [f"i{n}" for n in range(11)], ["A", "B", "C"]
    codes = np.random.default_rng(1).integers(0, 3, (11, 3)).astype(np.int32)
    rows = [
        (item, rater, ("1", "2", "3")[codes[i, r]]) for i, item in enumerate(items) for r, rater in enumerate(raters)
    ]
    expected = fingerprint.hashed_cells(rows)
    for cached in (4, 1 << 14):
        monkeypatch.setattr(fingerprint, "_CACHED", cached)
        names = fingerprint.hashed_names
        assert fingerprint.hashed_grid(items, names(raters), names(["1", "2", "3"]), codes) == expected
