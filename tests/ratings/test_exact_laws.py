"""Every way of coding, counting and keeping ratings gives the same whole numbers as a walk over the rows."""

import csv
import io
import json
from collections import Counter
from hashlib import md5
from itertools import combinations, pairwise
from math import exp, factorial
from random import Random

import numpy as np
import pytest

from accord import sizes
from accord.design.scale import Level, Scale
from accord.ratings import (
    cell_coding,
    counting,
    packing,
    pair_counting,
    plain_json,
    plain_text,
    poisson_weights,
)
from accord.ratings.counting import count_source, patterns_of
from accord.ratings.factor import Factor
from accord.ratings.table import Ratings

VALUES = 3


def drawn(items, raters, gaps, seed):
    codes = np.random.default_rng(seed).integers(0, VALUES, (items, raters)).astype(np.int32)
    codes[np.random.default_rng(seed + 1).random((items, raters)) < gaps] = -1
    return codes


MATRICES = [drawn(items, raters, gaps, seed) for seed, (items, raters, gaps) in enumerate(
    [(9, 2, 0), (11, 3, 0), (13, 4, 0.3), (17, 5, 0.8), (40, 3, 0.1), (6, 6, 0.6)])]  # fmt: skip


def tables_by_hand(matrix):
    found = {}
    for one, other in combinations(range(matrix.shape[1]), 2):
        table = np.zeros((VALUES, VALUES), dtype=int)
        for row in matrix:
            if row[one] >= 0 and row[other] >= 0:
                table[row[one], row[other]] += 1
        if table.any():
            found[one, other] = table.tolist()
    return found


def told(tables):
    return dict(zip(map(tuple, tables.pairs.tolist()), tables.tables.tolist(), strict=True))


WAYS = {
    "met": {"meet_rarely": True},
    "multiplied": {"meet_rarely": False, "pairs_are_multiplied": True},
    "counted": {"meet_rarely": False, "pairs_are_multiplied": False},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("cells", [1, 7, 1000])
def test_tables_of_pairs_are_the_same_in_every_way_and_in_parts_of_any_size(way, cells, monkeypatch):
    for name, answer in WAYS[way].items():
        monkeypatch.setattr(sizes, name, lambda *_, answer=answer: answer)
    monkeypatch.setattr(pair_counting, "_CACHED", cells)
    monkeypatch.setattr(pair_counting, "_CHUNK_CELLS", cells)
    for matrix in MATRICES:
        patterns = patterns_of(matrix, VALUES)
        expected = tables_by_hand(matrix)
        assert told(pair_counting.pair_tables(patterns, VALUES)) == expected
        assert all(one < other for one, other in expected)
        assert pair_counting._meetings(patterns) == sum(
            (row >= 0).sum() * ((row >= 0).sum() - 1) // 2 for row in patterns.codes
        )


@pytest.mark.parametrize("cells", [1, 30, 1000])
def test_tables_of_pairs_that_are_too_large_at_once_come_in_parts(cells, monkeypatch):
    monkeypatch.setattr(pair_counting, "_CHUNK_CELLS", cells)
    for matrix in MATRICES:
        patterns = patterns_of(matrix, VALUES)
        (whole,) = pair_counting.pair_tables_in_parts(patterns, VALUES)
        assert told(whole) == tables_by_hand(matrix)
    monkeypatch.setattr(sizes, "pair_tables_fit", lambda *_: False)
    for matrix in MATRICES:
        parts = list(pair_counting.pair_tables_in_parts(patterns_of(matrix, VALUES), VALUES))
        assert {pair: table for part in parts for pair, table in told(part).items()} == tables_by_hand(matrix)
        pairs = matrix.shape[1] * (matrix.shape[1] - 1) // 2
        assert len(parts) == -(-pairs // max(1, cells // max(len(patterns_of(matrix, VALUES).codes), VALUES**2)))


def ratings(matrix, seed=None):
    """The same ratings with rows in any order, raters whose names stand otherwise than they come, and documents."""
    items, raters = matrix.shape
    rows = [(i, r) for i in range(items) for r in range(raters) if matrix[i, r] >= 0]
    if seed is not None:
        Random(seed).shuffle(rows)
    names = [f"R{(7 * r + 3) % 10}" for r in range(raters)]
    table = {
        "item": Factor.of([f"i{i}" for i, _ in rows]),
        "rater": Factor.of([names[r] for _, r in rows]),
        "value": np.array([matrix[cell] for cell in rows], dtype=np.int32),
    }
    columns = {"document": Factor.of([f"d{i // 3}" if i % 4 else "" for i, _ in rows])}
    return Ratings(**table, scale=Scale(Level.ORDINAL, (1.0, 2.5, 4.0), declared=True), columns=columns)


def all_counts(source):
    facts, values, moments = source.facts(), source.item_values(), source.moments()
    patterns, unnamed, pairs, own = source.patterns(), source.unnamed_patterns(), source.pairs(), source.by_rater()
    documents, apart = source.by_document(), source.by_document(named=False)

    def counter(rows, times):
        return sorted((tuple(np.ravel(row).tolist()), int(n)) for row, n in zip(rows, times, strict=True))

    return {
        "facts": (facts.items, facts.raters, facts.ratings, facts.complete, facts.pairable),
        "raters": source.rater_names(),
        "patterns": (patterns.codes.tolist(), patterns.multiplicity.tolist()),
        "unnamed": counter(np.sort(unnamed.codes, axis=1)[:, ::-1], unnamed.multiplicity),
        "values": (values.counts.tolist(), values.multiplicity.tolist()),
        "moments": [np.asarray(part).tolist() for part in (moments.ratings, moments.total, moments.squares,
                                                          moments.multiplicity)],
        "marginals": source.marginals().counts.tolist(),
        "pairs": told(pairs),
        "by rater": counter(np.column_stack((own.rows, own.rater, own.own)), own.multiplicity),
        "documents": counter(np.column_stack((documents.rows, documents.document)), documents.multiplicity),
        "apart": counter(np.column_stack((apart.rows, apart.document)), apart.multiplicity),
        "draws": np.concatenate(list(source.draws(seed=3, replicates=4)), axis=1).tolist(),
    }  # fmt: skip


def walked(matrix):
    """The same counts by a walk over the rows."""
    order = sorted(range(matrix.shape[1]), key=lambda r: f"R{(7 * r + 3) % 10}")
    kept = [[matrix[i, r] for r in order] for i in range(len(matrix)) if (matrix[i] >= 0).any()]
    scores = [[(1.0, 2.5, 4.0)[code] for code in row if code >= 0] for row in kept]
    rows = Counter(map(tuple, kept))
    sorted_rows = sorted(rows)
    used = [r for r in range(matrix.shape[1]) if any(row[r] >= 0 for row in kept)]
    return {
        "patterns": ([[row[r] for r in used] for row in sorted_rows], [rows[row] for row in sorted_rows]),
        "raters": tuple(f"R{(7 * order[r] + 3) % 10}" for r in used),
        "facts": (
            len(kept), len(used), sum(map(len, scores)), all(code >= 0 for row in kept for code in row),
            sum(len(one) > 1 for one in scores),
        ),
        "values": sorted(Counter(tuple(row.count(v) for v in range(VALUES)) for row in kept).items()),
        "moments": sorted(Counter((len(one), sum(one), sum(s * s for s in one)) for one in scores).items()),
        "marginals": [[sum(row[r] == v for row in kept) for v in range(VALUES)] for r in used],
    }  # fmt: skip


CHOICES = {
    "as it is": {},
    "keys are counted": {"keys_are_counted": True},
    "keys are sorted": {"keys_are_counted": False},
    "mostly empty": {"is_mostly_empty": True},
    "values fill": {"values_fill": True},
    "values do not fill": {"values_fill": False},
    "met": {"meet_rarely": True},
}


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("span", [10, 1 << 62])
def test_counts_are_those_of_a_walk_in_every_way_and_any_order_of_rows(choice, span, monkeypatch):
    for name, answer in CHOICES[choice].items():
        monkeypatch.setattr(sizes, name, lambda *_, answer=answer: answer)
    if span == 10 and choice != "keys are counted":  # keys that are counted are few, and have no gaps to close
        monkeypatch.setattr(counting, "_KEY_SPAN", span)
        monkeypatch.setattr(counting, "_SHORT_KEY_SPAN", 1)
        monkeypatch.setattr(counting, "_CACHED", 4)
        monkeypatch.setattr(counting, "_DRAWN_CELLS", 20)
    for matrix in MATRICES:
        expected = walked(matrix)
        found = all_counts(count_source(ratings(matrix)))
        assert {name: found[name] for name in ("patterns", "raters", "facts", "marginals")} == {
            name: expected[name] for name in ("patterns", "raters", "facts", "marginals")
        }
        values, times = found["values"]
        assert sorted(zip(map(tuple, values), times, strict=True)) == expected["values"]
        *moments, times = found["moments"]
        assert sorted(zip(zip(*moments, strict=True), times, strict=True)) == expected["moments"]
        other = all_counts(count_source(ratings(matrix, seed=5)))
        assert {name: other[name] for name in other if name != "draws"} == {
            name: found[name] for name in found if name != "draws"
        }
        # Draws go with the names of items, so that another order of rows draws the same patterns as often.
        assert sorted(map(sum, other["draws"])) == sorted(map(sum, found["draws"]))


def test_every_way_of_counting_draws_the_same(monkeypatch):
    matrix = MATRICES[2]
    expected = all_counts(count_source(ratings(matrix)))["draws"]
    monkeypatch.setattr(counting, "_DRAWN_CELLS", 5)
    assert all_counts(count_source(ratings(matrix)))["draws"] == expected
    for row in expected:
        assert sum(row) > 0


PRIME = 2**31 - 1


def mixed(number):
    """SplitMix64's finaliser, in whole numbers of Python."""
    z = (number + 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def test_weights_are_whole_numbers_that_depend_on_name_seed_and_replicate_alone():
    keys = poisson_weights.item_keys(["i0", "i1", "satz 7"])
    assert keys.tolist() == poisson_weights.item_keys(iter(["i0", "i1", "satz 7"])).tolist()
    drawn = poisson_weights.factors(11, range(2, 6))
    assert drawn.tolist() == poisson_weights.factors(11, range(6))[2:].tolist()
    assert drawn.tolist() != poisson_weights.factors(12, range(2, 6)).tolist()
    assert drawn.tolist() == [[mixed(3 * n + k ^ mixed(11)) % PRIME for k in range(3)] for n in range(2, 6)]
    digests = [md5(name.encode(), usedforsecurity=False).hexdigest() for name in ("i0", "i1", "satz 7")]
    assert keys.tolist() == [[int(digest[:7], 16), int(digest[7:14], 16)] for digest in digests]
    limits = [round(PRIME * sum(exp(-1) / factorial(n) for n in range(most + 1))) for most in range(13)]
    assert poisson_weights._LIMITS.tolist() == pytest.approx(limits, abs=1)
    assert poisson_weights.poisson_weights(keys, drawn).tolist() == [
        [sum((a * one + b * other + c) % PRIME >= limit for limit in limits) for one, other in keys.tolist()]
        for a, b, c in drawn.tolist()
    ]
    (told,) = [drawn[0].tolist()]
    assert poisson_weights.hashed_sql(("k", "l"), told) == f"({told[0]} * k + {told[1]} * l + {told[2]}) % {PRIME}"
    assert poisson_weights.weight_sql("h").endswith(f"WHEN h < {poisson_weights._LIMITS[12]} THEN 12 ELSE 13 END")


@pytest.mark.parametrize("widest", [5, 48])
def test_cells_are_coded_in_the_order_in_which_they_come(widest, monkeypatch):
    monkeypatch.setattr(cell_coding.sizes, "are_cut_out", lambda cells: cells <= widest)
    rng = Random(3)
    pool = ["", "a", "ab", "abcdefg", "abcdefgh", "abcdefghi", "abcdefgh" * 2, "é", "x" * 30, "x" * 31, "0", "00", "7"]
    pool += [f"name {n}" for n in range(20)] + (["y" * 47, "y" * 48, "y" * 49] if widest == 5 else [])
    for chosen in (pool, [one for one in pool if one.isascii()], ["same"], pool[:2]):
        for blocks in (1, 4):
            cells = [cell for _ in range(60) for cell in [rng.choice(chosen)] * blocks]
            data, starts, ends = b"", [], []
            for cell in cells:
                starts.append(len(data))
                data += cell.encode()
                ends.append(len(data))
                data += b","
            codes, names = cell_coding.coded_cells(data + b"\0" * 8, np.array(starts), np.array(ends))
            assert list(names) == list(dict.fromkeys(cells))
            assert [names[code] for code in codes] == cells


def test_cells_whose_mixed_bits_are_alike_are_told_apart(monkeypatch):
    monkeypatch.setattr(cell_coding, "_mix", lambda words: np.zeros(len(words[0]), dtype=np.uint64))
    words = [np.array([5, 7, 5, 9, 7], dtype=np.uint64), np.array([1, 1, 2, 1, 1], dtype=np.uint64)]
    # All cells of one place: only the comparison as a whole keeps them apart, one after the other.
    monkeypatch.setattr(cell_coding, "_MIXED", (np.uint64(1), np.uint64(1)))
    codes, first = cell_coding.code_keys(words)
    assert codes.tolist() == [0, 1, 2, 3, 1] and first.tolist() == [0, 1, 2, 3]


CELLS = ["a", "b c", "1", "", 'say "no"', "x,y", "two\nlines", "é", "ß;", "long " * 9]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONE])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_plain_text_is_read_column_by_column_as_row_by_row(delimiter, quoting, end):
    for seed in range(6):
        rng = Random(seed)
        pool = CELLS if quoting != csv.QUOTE_NONE else ["a", "b c", "1", "", "é"]
        rows = [[rng.choice(pool) for _ in range(3)] for _ in range(rng.choice((6, 7, 8, 20)))]
        written = io.StringIO()
        csv.writer(written, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(
            [["item", "rater", "value"], *rows]
        )
        text = written.getvalue()
        found = plain_text.plain_columns(text, delimiter, 60, quoted=True)
        if found is None:
            assert len(rows) < 7 or ("\r" in text and '"' in text)
            continue
        assert len(rows) >= 7
        assert [list(column) for column in found.columns] == [list(column) for column in zip(*rows, strict=True)]
        lines, at = [], 1
        for row in [["item", "rater", "value"], *rows]:
            lines.append(at)
            at += 1 + sum(cell.count("\n") for cell in row)
        assert found.lines.tolist() == lines[1:]
        assert found.first_rows == [["item", "rater", "value"], *rows][:4] and found.last_rows == rows[-4:]


@pytest.mark.parametrize(
    "text",
    ["a,b\n1,2\n3\n" + "1,2\n" * 8, 'a,b\n1,x"y\n' + "1,2\n" * 8, 'a,b\n1,"x"y\n' + "1,2\n" * 8,
     'a,b\n"1,2\n' + "1,2\n" * 8, "a,b\n1,x\ry\n" + "1,2\n" * 8, "a\n" * 12, "a,b\n" + "1," + "x" * 61 + "\n" * 9,
     "a,b\n\ud800,2\n" + "1,2\n" * 8, "a,b\n\n" + "1,2\n" * 8],
)  # fmt: skip
def test_text_that_is_not_plain_is_left_to_the_reader_of_rows(text):
    assert plain_text.plain_columns(text, ",", 60, quoted=True) is None
    assert plain_text.plain_columns("a,b\n" + "1,2\n" * 8, ",", 60, quoted=True) is not None


def test_plain_lines_of_json_are_read_as_each_line_alone():
    rng = Random(2)
    values = ["a", "ü", 1, 1.0, 2.5, None, True, "1", "x, {y}: [z]", -3]
    for seed in range(5):
        rng = Random(seed)
        rows = [{"item": rng.choice(values), "who is it": rng.choice(values)} for _ in range(9)]
        for spaced in ((", ", ": "), (",", ":")):
            text = "".join(json.dumps(row, ensure_ascii=False, separators=spaced) + "\n" for row in rows)
            found = plain_json.plain_json_columns(text)
            if spaced == (",", ":"):
                assert found is not None
            if found is not None:
                assert {name: list(column) for name, column in found.items()} == {
                    name: [row[name] for row in rows] for name in rows[0]
                }


@pytest.mark.parametrize(
    "lines",
    [['{"a":1,"b":2}', '{"b":1,"a":2}'], ['{"a":1,"b":2}', '{"a":1}'], ['{"a":1,"a":2}'] * 2, ['{"a":[1],"b":2}'] * 2,
     ['{"a":{"c":1},"b":2}'] * 2, ['{"a":1,"b":"x\\"y"}'] * 2, ["[1,2]"] * 2, ['{"a":1,"b":nope}'] * 2,
     ['{"a":1,"b":2}x', '{"a":1,"b":2}'], ['x{"a":1,"b":2}', '{"a":1,"b":2}'], ['{1:1,"b":2}'] * 2, ["{}"] * 2,
     ['{"a":1,"b":1}{"a":1,"b":1}'] * 2],
)  # fmt: skip
def test_lines_of_json_that_are_not_plain_are_left_to_the_reader_of_lines(lines):
    assert plain_json.plain_json_columns("\n".join(lines) + "\n") is None


def test_counts_are_packed_five_to_a_number_until_one_runs_over():
    counts = np.array([[1, 0, 1023, 2, 5, 7], [0, 3, 4, 1023, 1022, 0]])
    words = [sum(counts[:, field].astype(float) * 1024.0**field for field in range(5)), counts[:, 5].astype(float)]
    assert (
        packing.word_names(6) == ["w0", "w1"]
        and packing.word_names(5) == ["w0"]
        and packing.word_names(11)[2:] == ["w2"]
    )
    assert packing.unpacked(words, 6).tolist() == counts.tolist()
    words[0][1] += 2 * 1024.0**4
    assert packing.unpacked(words, 6) is None
    assert packing.packed_sums(["a", "FALSE", "b"]) == [
        "SUM(CASE WHEN a THEN CAST(1.0 AS DOUBLE) WHEN b THEN CAST(1048576.0 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END)"
    ]
    assert packing.packed_sums(["FALSE"]) == ["SUM(CAST(0 AS DOUBLE))"]
    assert packing.unpacked([], 0).shape == (0, 0)


def test_the_next_of_every_two_rows_is_another_pattern():
    for matrix in MATRICES:
        found = patterns_of(matrix, VALUES)
        assert all(tuple(one) < tuple(two) for one, two in pairwise(found.codes.tolist()))
        assert found.multiplicity.sum() == len(matrix)
