"""What is recorded of every coefficient: values, intervals and pairs, over real sets and random tables with gaps."""

import gzip
import json
from collections.abc import Iterator
from math import isnan
from pathlib import Path

import numpy as np

from accord.design.scale import Level, Scale
from accord.ratings.table import Factor, Ratings
from accord.reliability.run import agreement
from real_ratings import read_real

RECORDED = Path(__file__).parent / "recorded"
TABLES = 200
_LEVELS = (Level.NOMINAL, Level.ORDINAL, Level.INTERVAL, Level.RATIO)
_SETS = tuple(frozenset(labels) for labels in ("a", "b", "c", "ab", "ac", "bc", "abc"))

# name of the file, level, rows to take, whether scores are numbers
_REAL = (
    ("classic_anxiety", Level.INTERVAL, {}, True), ("classic_cohen_50", Level.NOMINAL, {}, False),
    ("classic_diagnoses", Level.NOMINAL, {}, False), ("classic_ebel51", Level.INTERVAL, {}, True),
    ("classic_fleiss_14x10", Level.ORDINAL, {}, True), ("classic_gamma_sas", Level.ORDINAL, {}, True),
    ("classic_gwet_3x3", Level.NOMINAL, {}, False), ("classic_gwet_4x4", Level.NOMINAL, {}, False),
    ("classic_gwet_raw5obser", Level.NOMINAL, {}, False), ("classic_krippendorff", Level.RATIO, {}, True),
    ("classic_shrout_fleiss", Level.INTERVAL, {}, True), ("classic_video", Level.ORDINAL, {}, True),
    ("classic_vision", Level.ORDINAL, {}, False), ("refbias", Level.ORDINAL, {}, True),
    ("qgstec_reeval", Level.ORDINAL, {"criterion": "Relevance"}, True),
    ("qgstec_original", Level.ORDINAL, {"criterion": "Relevance"}, True),
    ("flickr8k_expert", Level.ORDINAL, {}, True),
    ("mqm3_wmt23_ende", Level.INTERVAL, {}, True),
)  # fmt: skip


def real_names() -> list[str]:
    return [name for name, *_ in _REAL]


def real_table(name: str, folder: Path) -> Ratings:
    level, wanted, number = next(rest for first, *rest in _REAL if first == name)
    return read_real(folder / f"{name}.csv", level, number, **wanted)


def random_table(place: int) -> Ratings:
    """A small table of its own for each place: raters, level, gaps, ties, constant raters and label sets vary."""
    rng = np.random.default_rng([20261116, place])
    level = _LEVELS[place % 4]
    raters = (2, 3, 4, 7)[place // 4 % 4]
    items = int(rng.integers(3, 60))
    fine, sets = place % 10 == 9 and level is not Level.NOMINAL, place % 20 == 4
    values = 101 if fine else 7 if sets else int(rng.integers(2, 7))
    truth = rng.integers(0, values, size=items)
    keeps = rng.random() * 0.9
    codes = np.where(rng.random((items, raters)) < keeps, truth[:, None], rng.integers(0, values, size=(items, raters)))
    if fine:
        codes = np.clip(truth[:, None] + rng.integers(-20, 21, size=(items, raters)), 0, 100)
    if place % 11 == 3:
        codes[:, 0] = 0
    missing = rng.random((items, raters)) < (0.0, 0.15, 0.5)[place % 3]
    missing[:2] = False
    item, rater = np.nonzero(~missing)
    if sets:
        scale = Scale(Level.NOMINAL, _SETS)
    else:
        numbers = (
            [float(value) for value in range(values)] if place % 7 else sorted(2.0**value for value in range(values))
        )
        scale = Scale(level, tuple(numbers), declared=place % 5 == 0)
    return Ratings(
        item=Factor.of([f"i{name:03}" for name in item.tolist()]),
        rater=Factor.of([f"r{name}" for name in rater.tolist()]),
        value=codes[item, rater].astype(np.int32),
        scale=scale,
        columns={"document": Factor.of([f"d{name // 3:02}" for name in item.tolist()])},
    )


# raters, items, values, share of ratings that are there, level: sizes at which other ways are taken
_LARGE = {
    "wide": (30, 400, 4, 1.0, Level.ORDINAL), "wide with gaps": (30, 400, 4, 0.3, Level.ORDINAL),
    "fine": (3, 700, 1001, 0.9, Level.INTERVAL), "percents": (3, 3000, 101, 1.0, Level.ORDINAL),
    "percents with gaps": (4, 900, 101, 0.6, Level.INTERVAL), "many items": (3, 40_000, 5, 0.9, Level.ORDINAL),
    "crowd": (200, 3000, 5, 0.015, Level.ORDINAL), "labels": (5, 3000, 7, 0.8, Level.NOMINAL),
}  # fmt: skip


def large_names() -> list[str]:
    return list(_LARGE)


def large_table(name: str) -> Ratings:
    """Ratings at a size where counts are made in another way than in small tables."""
    raters, items, values, share, level = _LARGE[name]
    rng = np.random.default_rng([20261116, *name.encode()])
    truth = rng.random(items) * values
    scores = np.clip(truth[:, None] + (rng.random((items, raters)) - 0.5) * values, 0, values - 1).astype(np.int32)
    item, rater = np.nonzero(rng.random((items, raters)) < share)
    return Ratings(
        item=Factor.of([str(name) for name in item.tolist()]),
        rater=Factor.of([f"r{name:03}" for name in rater.tolist()]),
        value=scores[item, rater],
        scale=Scale(level, tuple(float(value) for value in range(values))),
    )


def _questions(place: int, level: Level, sets: bool) -> Iterator[tuple[str, dict[str, object]]]:
    """What is asked of each table, by name; the dear questions of some tables only."""
    yield "jackknife", {"interval": "jackknife", "pairs": place % 4 == 0}
    if place % 2:
        yield "analytic", {"interval": "analytic"}
    if place % 3 == 1:
        yield "bca", {"interval": "bca", "replicates": 200, "seed": place}
    if place % 25 == 0:
        yield "auto", {}
    if place % 5 == 1:
        weights = "masi" if sets else ("linear", "ordinal", "radical")[place % 3] if level.has_order else "identity"
        yield "weights", {"interval": "analytic", "weights": weights}
        yield "rater", {"interval": "bca", "resample": "rater", "replicates": 200}
    if place % 5 == 2 and level.has_distance:
        yield "anova", {"interval": "analytic", "icc_missing": "anova"}
        yield "circular", {"interval": "jackknife", "metric": "circular", "coefficients": "krippendorff_alpha"}
    if place % 5 == 3:
        yield "rater and item", {"interval": "jackknife", "resample": "rater-and-item"}
        yield "document", {"interval": "bca", "resample": "document", "replicates": 200}
    if place % 40 == 7:
        yield "mixed", {"interval": "analytic", "icc_missing": "mixed"}


def recorded(ratings: Ratings, place: int = 0, *, real: bool = False) -> dict[str, dict[str, object]]:
    """All numbers of a table, by question and coefficient."""
    questions = _questions(place, ratings.scale.level, ratings.scale.has_sets)
    if real:
        kinds = ("auto", "jackknife", "analytic")
        questions = iter([(kind, {"interval": kind}) for kind in kinds])
    return {name: _answer(ratings, options) for name, options in questions}


def _answer(ratings: Ratings, options: dict[str, object]) -> dict[str, object]:
    # Recorded when items were the unit unless another one was asked for.
    group = agreement(ratings, **{"resample": "item", **options}).groups[0]  # type: ignore[arg-type]
    answer: dict[str, object] = {}
    for one in group.estimates:
        interval = one.interval
        ends = None if interval is None else [interval.low, interval.high, interval.method, interval.replicates]
        parts = {name: _number(part) for name, part in sorted(one.parts.items())}
        answer[one.coefficient] = [_number(one.value), one.items, _number(one.standard_error), ends, parts]
    for matrix in group.matrices:
        square = np.triu_indices(len(matrix.raters), 1)
        cells = [
            [_number(number) for number in part[square].tolist()] for part in (matrix.values, matrix.low, matrix.high)
        ]
        answer[f"pairs of {matrix.coefficient}"] = cells
    return answer


def _number(number: float | None) -> float | None:
    return None if number is None or isnan(number) else float(number)


def load(name: str) -> dict[str, dict[str, dict[str, object]]]:
    with gzip.open(RECORDED / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        found: dict[str, dict[str, dict[str, object]]] = json.load(file)
    return found
