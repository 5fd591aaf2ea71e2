"""Odd answers just below, at and just above every mark, and what is read of them."""

from itertools import product

import numpy as np

from accord.ratings.build import build_ratings
from accord.ratings.evident import body_of
from accord.ratings.guessing import (
    codes_of_no_answer,
    in_short,
    level_between,
    level_of_numbers,
    signs_of_no_answer,
    strays,
)
from accord.ratings.sanity import sanity
from accord.words import spelled
from small_studies import said


def read_as(ratings):
    """Scale, notes and remarks of ratings, without their rows."""
    scales = ratings.scales or {"": ratings.criterion.scale}
    guessed = {guess for one in scales.values() for guess in one.guesses}
    told = []
    for name, one in scales.items():
        values, labels = ", ".join(map(spelled, one.values[:14])), f" called {dict(one.labels)}" if one.labels else ""
        ends = f" from {one.low} to {one.high}" if one.low is not None or one.high is not None else ""
        told.append(
            f"{name or 'all'}: {one.level}, {one.direction}, {'declared' * one.declared}, {values}{ends}{labels}"
        )
        told += one.guesses
    return [
        *told,
        f"{len(ratings)} ratings, {ratings.missing} missing",
        *(note for note in ratings.notes if note.partition(": ")[2] not in guessed and note not in guessed),
        *map(str, sanity(ratings)),
        *map(str, ratings.left_out),
    ]


def rated(values, raters=1, **options):
    """These values in the order given, by so many raters in turn; ``a*3`` is given three times."""
    given = [value for one in values for value in ([one[0]] * one[1] if isinstance(one, tuple) else [one])]
    columns = {
        "item": [f"i{place // raters}" for place in range(len(given))],
        "rater": [f"R{place % raters}" for place in range(len(given))],
        "value": given,
    }
    return read_as(build_ratings(columns, **options))


LIKERT = [("1", 3), ("2", 4), ("3", 4), ("4", 5), ("5", 4)]
ANSWERS = (
    LIKERT, ["1", "2", "10"], ["1", "2", "11"], ["1", "2", "12"], ["0", "10"], ["0", "11"], ["0.5", "1", "2"],
    ["7"] * 3, ["1,5", "2,0", "3"], ["1,234", "2,345", "1"], ["1,234", "150", "2"], ["1.234", "12.345"],
    ["1.234,5", "2.000,5"], ["1 234", "2 345", "100"], ["1'234", "100", "3"], ["-1", "\u22122", "3"], ["+1", "2"],
    ["1e2", "50"], ["0x1", "2"], ["1_0", "2"], ["inf", "2"], ["1e101", "2"], ["1e99", "2"], ["\u0661", "\u0662"],
    ["\uff11", "2"], ["1.0", "2.00", "3"], ["40%", "50%", "100%"], ["40%", "50 %", "7"], ["40%", "3/5", "40%"],
    ["3/5", "4/5", "2"], ["3/5", "6/5"], ["3 of 5", "4 OF 5"], ["3/5", "3/7"], ["3/5", "-1"],
    ["\u2605\u2605", "\u2605", "\u2605\u2605\u2605"], ["\u2605\u2605\u2606", "\u2605\u2606\u2606"],
    ["\u2605\u2605\u2606", "\u2605"], ["3 stars", "1 star", "5"], ["3 Punkte", "4 Punkte"], ["3 stars", "many"],
    ["1 - bad", "2 - fair", "3 - good"], ["1 - bad", "2 - fair", "2 - good"], ["1 - bad", "2 - bad", "3"],
    ["1 = bad", "2", "3: good"], ["1 (bad)", "2 (good)"], ["bad (1)", "good (2)"], ["1. bad", "2. fair", "3. good"],
    ["1. tree", "2. sea"], ["3. bad", "2. fair", "1. good"], ["1 -", "2 - good"], ["1 - 5", "2 - 7"], ["good", "bad"],
    ["good", "bad", "fair"], ["Good", "good", "bad", "fair"], ["good", "poor", "bad"],
    ["agree", "disagree", "neutral", "strongly agree."], ["gut", "schlecht", "mittel"],
    ["never", "sometimes", "always", "don't know"], ["yes", "no"], ["yes", "no", "don't know"], ["yes", "no", "?"],
    ["1", "2", "?"], ["1", "2", "-", "3"], ["?", "-"], ["?", "a"], ["1", "2", "n.a.", "#N/A", "NaN", "none", ""],
    ["none", "minor", "major"], ["None", "minor", "major"], ["none", "Minor", "Major"], ["none", "1", "2"],
    ["none", "little", "some", "much"], ["none", "a"], ["true", "false"], [True, False, True], ["TRUE", "0"],
    [1, 2.5, "3"], [1, 2, None, float("nan")], np.array([1.0, np.nan, 3.0]), np.array([3, 1, 2]),
    np.array([1.5, 2.25]), [frozenset({"a"}), frozenset({"b"})], [["a", "b"], ["b"]],
    ["2024-05-01", "2024-05-02"], ["1-May", "2-May"], ["01.05.2024", "2"], ["'=1", "2"], ["=1", "2"], ["'-2", "3"],
    [" 1", "2 ", "1"], ["a ", "a", "b"], ["a", "A", "b"], ["caf\u00e9", "cafe\u0301", "b"], ["a", "b b", "b  b"],
    ["1", "2", "3", "four"], [*LIKERT, "four"], [*LIKERT, ("four", 2)], [*LIKERT, "four", "six"],
    [*LIKERT * 2, "four", "six"], [("1", 40), ("2", 40), ("3", 19), "x", "y", "z"],
    [("1", 40), ("2", 40), ("3", 16), "x", "y", "z"], [*LIKERT, ("good", 3)], [("1", 4), ("2", 4), "x"],
    [("1", 4), ("2", 5), "x"], [("good", 5), ("bad", 5), ("fair", 5), "12"],
    [("good", 5), ("bad", 5), ("fair", 5), "goood"], [("4/5", 6), ("3/5", 6), "four"], ["4/5", "8/10", "4/5"],
    ["40%", "3", "40%"], ["3 points", "4/5", "4/5"], [("1", 20), ("2", 20), ("3", 20), "55"],
    [("1", 20), ("2", 20), ("3", 20), "44"], [("1", 20), ("2", 20), ("3", 20), "6"],
    [("1", 20), ("2", 30), ("3", 30), ("4", 30), ("5", 30), "6"],
    [("1", 20), ("2", 30), ("3", 30), ("4", 30), ("5", 29), "6"],
    [("1", 20), ("2", 30), ("3", 30), ("4", 30), ("5", 30), "7"],
    ["0", ("1", 30), ("2", 30), ("3", 30), ("4", 30), ("5", 30)], ["-2", ("1", 9), ("2", 9), ("3", 9)],
    ["-2", ("0", 9), ("2", 9), ("3", 9)], [("10", 9), ("60", 9), ("95", 9), ("100", 9), "101"],
    [("10", 9), ("20", 9), ("95", 1), ("100", 1), "101"], [("10", 9), ("60", 9), ("89", 9), "101"],
    [("0", 50), ("1", 2), ("2", 1), "40"], [("1", 8), ("2", 8), ("3", 8), "1000"], [("1", 8), ("1.5", 8), "11"],
    [("1", 3), ("2", 3), "1000"], [("1", 60), ("2", 60), ("3", 60), "50", "60", "70", "80"],
)  # fmt: skip
CODES = tuple(
    (body, code, times)
    for body, total in (
        (((1, 8), (2, 8), (3, 8), (4, 8), (5, 8)), 40), (((1, 14), (2, 13), (3, 13)), 40),
        (((0, 10), (1, 20), (5, 10)), 40), (((1, 10), (2, 10), (6, 20)), 40), (((1, 10), (7, 10), (19, 20)), 40),
        (((1, 10), (7, 10), (20, 20)), 40), (((0, 20), (100, 20), (50, 8)), 48), (((-5, 20), (2, 20), (3, 2)), 42),
        (((1, 20), (1.5, 10), (3, 10)), 40),
    )
    for code in (9, 99, -1, 999, 77)
    for times in (1, 2, 4, 5, total // 4, total // 4 + 1)
)  # fmt: skip


def answers(seed):
    size = -(-len(ANSWERS) // 12)
    part = ANSWERS[seed * size : (seed + 1) * size]
    return [[str(values)[:90], *tried(lambda values=values: rated(values))] for values in part]


def tried(ask):
    told = said(ask)
    return [told] if isinstance(told, str) else told


def codes(_):
    """Which numbers are taken for no answer, and which are kept as they are too often."""
    found = []
    for body, code, times in CODES:
        given = dict(body) | {code: times}
        values = np.array(sorted(given), dtype=float)
        counts = np.array([given[value] for value in sorted(given)])
        taken, kept = (codes_of_no_answer(values, counts, too_often=often) for often in (False, True))
        found.append(f"{body} {code} x {times}: taken {taken}, kept {kept}")
    return found


GUESSED = (
    "level guessed: ordinal, as it is, so", "values guessed: the 3 that occur (1, 2, 3)",
    "values guessed: the 2 that occur (1, 2)", "values guessed: the 3 that occur (1, 2, 4)",
    "values guessed: the 9 that occur (1, 2, 3, 4, 5, ..., 9)", "values guessed: the 1 that occurs (a)",
    "values guessed: the 9 that occur (1, 2, 4, 5, 6, ..., 19)", "values guessed: the 3 that occur (-1, 0, 1)",
    "values guessed: the 3 that occur (1.5, 2, 3)", "values guessed: the 7 sets of labels that occur",
)  # fmt: skip
SIGNS = (
    ["-", "a"], ["-", "a", "b"], ["-", "1"], ["-", "?"], ["?", "don't know", "1", "2"], ["skip", "yes", "no"],
    ["skip", "good", "bad", "fair"], ["skip", "good", "bad"], ["skip", "1", "a"], ["skip", "1", "2", "a"],
    ["skip", "1", "a", "b"],
)  # fmt: skip
ODD_ONES = (
    ([9, 1], "yn"), ([8, 1], "yn"), ([9, 2], "yn"), ([64, 2], "yn"), ([65, 2], "yn"), ([30, 30, 40, 1, 1, 1], "yyynnn"),
    ([40, 60, 1, 1, 1], "yynnn"),
)  # fmt: skip


def levels(_):
    """What is guessed of numbers, ends, signs and words that are few."""
    sizes = product((0, 1, -5), (1, 10, 11, 12, 60), (1, 2, 0.5))
    runs = [np.arange(low, low + size, step) for low, size, step in sizes]
    slips = [np.array([1, 2, 3, 4, 5, far], dtype=float) for far in (6, 8, 9.4, 9.6, 15, 55, 1000)]
    ends = product((0.0, 1.0, 0.5), (9.0, 10.0, 11.0, 12.0, 100.0), (True, False))
    return [
        *(f"{run[:3]} {run[-1]:g} {len(run)}: {' '.join(level_of_numbers(run))}" for run in (*runs, *slips)),
        *(f"{low} {high} {many}: {' '.join(level_between(low, high, fractions=many))}" for low, high, many in ends),
        *(f"{guess}: {in_short(guess)}" for guess in GUESSED),
        *(f"{texts}: {signs_of_no_answer(texts)}" for texts in SIGNS),
        *(
            f"{often} {fits}: {strays([*'abcdef'[: len(often)]], often, [one == 'y' for one in fits])}"
            for often, fits in ODD_ONES
        ),
    ]


def bodies(seed):
    """Where the ratings evidently lie, and what lies off: a value beside the rest, given so often."""
    rests = (
        {1: 9, 2: 9, 3: 9}, {1: 20, 2: 20, 3: 20, 4: 20, 5: 20}, {1: 30, 2: 60, 3: 60, 4: 60, 5: 30},
        {1: 30, 2: 60, 3: 60, 4: 60, 5: 29}, {0: 30, 5: 30, 10: 30}, dict.fromkeys(range(11), 40),
        dict.fromkeys(range(1, 8), 40), {0: 90, 1: 5, 2: 5}, {1: 50, 1.5: 50}, {10: 20, 51: 20, 90: 20},
        {10: 30, 50: 30, 51: 19, 90: 1}, {10: 20, 51: 30, 90: 1, 95: 1}, {-5: 30, -3: 30, -1: 30}, {0: 3, 1: 3},
        {0: 9, 20: 9, 30: 9}, {-1: 9, -3: 9, -20: 9}, {-2: 9, -4: 9},
    )  # fmt: skip
    found = []
    for rest in rests[seed::4]:
        low, high = min(rest), max(rest)
        span = high - low
        offs = {
            high + 1,
            high + 2,
            high + 3,
            high + span,
            high + 3 * span,
            high + 4.5,
            high + 4.4,
            high + 9,
            high + 20 * span,
            11,
            22,
            44,
            55,
            99,
            100,
            101,
        }
        offs |= {low - 1, low - 2, low - 5, 0, 1}
        for often in (1, 2, 3):
            told = []
            for value in sorted(offs - set(rest)):
                given = rest | {value: often}
                values = np.array(sorted(given), dtype=float)
                body = body_of(values, np.array([given[one] for one in sorted(given)]))
                inside = (body.low, body.high) == (low, high) and body.off.tolist() == [value]
                told += [f"{value:g}"] * inside + [f"{body}"] * (not inside and len(body.off) > 0)
            found.append(f"{rest}, others {often} times: off are {' '.join(told)}")
    return found
