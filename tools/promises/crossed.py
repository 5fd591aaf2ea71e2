"""Units together: raters and documents, pairs of raters, and parts that are kept apart.

Documents differ in what they hold and how hard they are, raters in how often they guess; two scenarios are kept apart,
and one alpha combines them.
"""

import numpy as np

import accord
from accord.ratings.build import build_ratings
from accord.ratings.table import Ratings
from promises.promise import Promise
from promises.truths import written_down
from promises.units import _EVEN, _ITEMS_OF_STUDY, _SHARES, _ratings, _skilled, _true_of_items, in_documents

__all__ = ["PROMISES"]

_ALPHA = "krippendorff_alpha"


def _crossed(documents: int, raters: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Documents of unequal length and raters of unequal skill, who guess besides."""
    table, document = in_documents(documents, 0.6, raters, _EVEN, rng)
    guessed = rng.integers(0, 3, table.shape)
    return np.where(rng.random(table.shape) < rng.beta(2, 6, raters), guessed, table), document


@written_down
def _true_of_crossed() -> float:
    rng = np.random.default_rng(5)
    drawn = (_ratings(_crossed(600, 12, rng)[0]) for _ in range(12))
    return float(np.mean([accord.agreement(one, coefficients=_ALPHA, interval="none")[_ALPHA].value for one in drawn]))


def _raters_and_documents(documents: int, raters: int) -> Promise:
    def hold(rng: np.random.Generator) -> bool:
        truth = _true_of_crossed()
        ratings = _ratings(*_crossed(documents, raters, rng))
        found = accord.agreement(ratings, coefficients=_ALPHA, resample="rater-and-document")[_ALPHA]
        return found.interval is not None and truth in found.interval

    design = f"{documents} unequal documents of 8 items, {raters} raters of unequal skill"
    return Promise("Krippendorff's α, 95 % interval", "`agree --resample rater-and-document`", design, 0.95, 0.92, hold,
                   quick=6)  # fmt: skip


def _pairs(items: int, raters: int) -> Promise:
    def hold(rng: np.random.Generator) -> bool:
        truth = _true_of_items("cohen_kappa", items)
        ratings = _ratings(_skilled(items, raters, rng, _ITEMS_OF_STUDY[items]))
        found = accord.agreement(ratings, coefficients="cohen_kappa", resample="pair")["cohen_kappa"]
        return found.interval is not None and truth in found.interval

    design = f"raters of unequal skill, {items} items, {raters} raters"
    return Promise("Cohen's κ, 95 % interval", "`agree --resample pair`", design, 0.95, 0.92, hold, quick=2)


def _batches(pairs: int, items: int, rng: np.random.Generator) -> Ratings:
    """Every pair of raters has items of its own."""
    rows: dict[str, list[object]] = {"item": [], "rater": [], "value": []}
    for pair in range(pairs):
        table = _skilled(items, 2, rng)
        for rater in range(2):
            rows["item"] += [f"{pair}-{at}" for at in range(items)]
            rows["rater"] += [f"r{pair}-{rater}"] * items
            rows["value"] += table[:, rater].astype(float).tolist()
    return build_ratings(rows, level="nominal", scale=[0.0, 1.0, 2.0])


@written_down
def _true_of_batches(items: int) -> float:
    rng = np.random.default_rng(7)
    drawn = (accord.agreement(_batches(18, items, rng), coefficients="cohen_kappa", interval="none") for _ in range(90))
    return float(np.mean([found["cohen_kappa"].value for found in drawn]))


def _pairs_apart(pairs: int, items: int) -> Promise:
    def hold(rng: np.random.Generator) -> bool:
        truth = _true_of_batches(items)
        found = accord.agreement(_batches(pairs, items, rng), coefficients="cohen_kappa", resample="pair")
        return truth in found["cohen_kappa"].interval

    design = f"{pairs} pairs of raters, each with {items} items of its own"
    return Promise("Cohen's κ, 95 % interval", "`agree --resample pair`", design, 0.95, 0.92, hold, quick=6)


def _apart(documents: int, named: bool, rng: np.random.Generator) -> Ratings:
    """Two scenarios with documents of their own and two raters; the second scenario is harder."""
    rows: dict[str, list[object]] = {"item": [], "rater": [], "value": [], "scenario": [], "document": []}
    for scenario in ("alone", "context"):
        table, document = in_documents(documents, 0.6, 2, _SHARES, rng)
        if scenario == "context":
            again = rng.integers(0, 3, table.shape)
            table = np.where(rng.random(table.shape) < 0.15, again, table)
        for rater in range(2):
            rows["item"] += [f"{scenario}{at}" for at in range(len(table))]
            rows["rater"] += [f"r{rater}"] * len(table)
            rows["value"] += table[:, rater].astype(float).tolist()
            rows["scenario"] += [scenario] * len(table)
            rows["document"] += [f"{scenario}{at}" for at in document]
    kept = rows if named else {name: column for name, column in rows.items() if name != "document"}
    return build_ratings(kept, level="nominal", scale=[0.0, 1.0, 2.0])


@written_down
def _true_apart() -> float:
    return accord.agreement(_apart(4_000, False, np.random.default_rng(6)), coefficients=_ALPHA, interval="none")[
        _ALPHA
    ].value


def _combined(documents: int) -> Promise:
    def hold(rng: np.random.Generator) -> bool:
        truth = _true_apart()
        found = accord.agreement(_apart(documents, True, rng), coefficients=_ALPHA, replicates=1000)[_ALPHA]
        return np.isnan(found.value) or (found.interval is not None and truth in found.interval)

    design = f"2 scenarios of {documents} unequal documents of 8 items, one value 80 %, 2 raters"
    least = 0.92 if documents < 15 else 0.93
    return Promise("The combined α, 95 % interval", "`agree`, scenarios kept apart", design, 0.95, least, hold, quick=6)


PROMISES: tuple[Promise, ...] = (
    *(_raters_and_documents(documents, raters) for documents, raters in ((8, 3), (20, 5))),
    _pairs(100, 5),
    _pairs_apart(8, 25),
    *(_combined(documents) for documents in (6, 15, 40)),
)
