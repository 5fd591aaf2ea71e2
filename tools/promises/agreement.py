"""Intervals of agreement: do they hold the true coefficient?

Each item has a true value and each rater gives it or guesses, as often as the design says; the truth is the coefficient
of one very large draw. On ordered scales raters see a quality with noise and cut it into values.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

import accord
from accord.ratings.read import read
from accord.reliability.interpretation import INTERPRETATION_SCALES
from promises.promise import Promise

Table = np.ndarray
Drawer = Callable[[int, np.random.Generator], Table]
_REPLICATES = 1000
_LARGE = 60_000


def guessing(raters: int, shares: tuple[float, ...], guess: float) -> Drawer:
    """Raters who give the true value or guess by the shares of the values."""

    def draw(items: int, rng: np.random.Generator) -> Table:
        truth = rng.choice(len(shares), items, p=shares)
        guessed = rng.choice(len(shares), (items, raters), p=shares)
        return np.where(rng.random((items, raters)) < guess, guessed, truth[:, None]).astype(float)

    return draw


def graded(raters: int, noise: float, shift: float = 0.0) -> Drawer:
    """Raters who see a quality with noise, on five grades; shifted, most items get the best grades."""

    def draw(items: int, rng: np.random.Generator) -> Table:
        seen = rng.normal(size=(items, 1)) + noise * rng.normal(size=(items, raters)) + shift
        return np.searchsorted(np.linspace(-1.5, 1.5, 4), seen).astype(float)

    return draw


def sliders(raters: int, noise: float = 0.8) -> Drawer:
    """Scores from 0 to 100 by raters some of whom are more generous."""

    def draw(items: int, rng: np.random.Generator) -> Table:
        seen = rng.normal(size=(items, 1)) + noise * rng.normal(size=(items, raters)) + 0.15 * np.arange(raters)
        return np.clip(np.round(50 + 15 * seen), 0, 100)

    return draw


def severe(raters: int, spread: float = 0.5) -> Drawer:
    """Scores of raters drawn anew in every study, each with a level of his own."""

    def draw(items: int, rng: np.random.Generator) -> Table:
        noise = 0.8 * rng.normal(size=(items, raters))
        return rng.normal(size=(items, 1)) + noise + spread * rng.normal(size=raters)

    return draw


def _read(table: Table, level: str, values: int) -> accord.Ratings:
    scale = [float(value) for value in range(values)] if values else None
    return read(table, level=level, scale=scale)


@cache
def _truth(draw: Drawer, key: str, level: str, values: int, items: int = _LARGE) -> float:
    rng = np.random.default_rng(2026)
    found = [
        accord.agreement(_read(draw(items, rng), level, values), coefficients=key, interval="none")[key].value
        for _ in range(3)
    ]
    return float(np.mean(found))


def holds(
    draw: Drawer, key: str, level: str, values: int, items: int, truth: float | None = None
) -> Callable[[np.random.Generator], bool]:
    """Whether the interval given unasked holds the truth; a study without a value is drawn again."""

    def hold(rng: np.random.Generator) -> bool:
        true = _truth(draw, key, level, values, _LARGE if values else 4_000) if truth is None else truth
        while True:
            ratings = _read(draw(items, rng), level, values)
            estimate = accord.agreement(
                ratings, coefficients=key, replicates=_REPLICATES, seed=int(rng.integers(2**31))
            )[key]
            if not np.isnan(estimate.value):
                return estimate.interval is not None and true in estimate.interval

    return hold


def band_is_reached(draw: Drawer, key: str, values: int, items: int) -> Callable[[np.random.Generator], bool]:
    """Whether the band that a value is said to reach at least is reached; studies that name none are kept."""

    def hold(rng: np.random.Generator) -> bool:
        true = _truth(draw, key, "nominal", values)
        ratings = _read(draw(items, rng), "nominal", values)
        found = accord.agreement(ratings, coefficients=key, replicates=_REPLICATES, seed=int(rng.integers(2**31)))[key]
        scales = {scale.name: scale for scale in INTERPRETATION_SCALES.values()}
        said = ((scales[one.scale], one.at_least) for one in found.interpretations)
        return all(scale.names.index(band) <= scale.place(true) for scale, band in said)

    return hold


_SKEWED, _EVEN = (0.9, 0.05, 0.05), (1 / 3, 1 / 3, 1 / 3)
_NAMES = {
    "krippendorff_alpha": "Krippendorff's α", "cohen_kappa": "Cohen's κ", "fleiss_kappa": "Fleiss' κ",
    "conger_kappa": "Conger's κ", "gwet_ac1": "AC1", "gwet_ac2": "AC2", "brennan_prediger": "Brennan-Prediger",
    "percent_agreement": "percent agreement", "weighted_agreement": "weighted agreement", "gamma": "γ",
    "kendall_tau_b": "τ-b", "spearman": "Spearman's ρ", "pearson": "Pearson's r", "lin_ccc": "Lin's concordance",
    "icc_a1": "ICC(A,1)", "icc_c1": "ICC(C,1)", "icc_1": "ICC(1)", "kendall_w": "Kendall's W",
    "cohen_kappa_quadratic": "Cohen's κ, quadratic",
}  # fmt: skip


def _least(items: int) -> float:
    return 0.92 if items < 30 else 0.93


def _promise(key: str, what: str, items: int, raters: int, hold: Callable[[np.random.Generator], bool]) -> Promise:
    return Promise(
        f"{_NAMES[key]}, 95 % interval", "`agree`", f"{what}, {raters} raters, {items} items", 0.95, _least(items),
        hold, quick=4,
    )  # fmt: skip


def _categories() -> list[Promise]:
    made = []
    for what, shares, guess in (("values 90/5/5", _SKEWED, 0.3), ("even values", _EVEN, 0.3)):
        for raters in (2, 3, 5):
            for items in (12, 20, 30, 60):
                draw = guessing(raters, shares, guess)
                made.append(("krippendorff_alpha", what, items, raters, draw))
                if items in (12, 30):
                    made += [(key, what, items, raters, draw) for key in ("cohen_kappa", "percent_agreement")]
    draw = guessing(3, (0.2,) * 5, 0.5)
    made += [(key, "five even values, much guessing", 20, 3, draw) for key in ("fleiss_kappa", "gwet_ac1")]
    draw = guessing(2, (0.9, 0.1), 0.2)
    made += [(key, "two values, 90/10", 20, 2, draw) for key in ("gwet_ac1", "brennan_prediger", "conger_kappa")]
    values = {"five even values, much guessing": 5, "two values, 90/10": 2}
    return [
        _promise(key, what, items, raters, holds(draw, key, "nominal", values.get(what, 3), items))
        for key, what, items, raters, draw in made
    ]


def _ordered() -> list[Promise]:
    made = []
    for what, noise, shift in (("five grades", 0.8, 0.0), ("five grades, most at the top", 0.6, 1.5)):
        for items, raters in ((10, 2), (12, 2), (20, 3), (30, 4)):
            draw = graded(raters, noise, shift)
            keys = ("gwet_ac2", "krippendorff_alpha", "cohen_kappa_quadratic", "weighted_agreement")
            keys += ("gamma", "kendall_tau_b", "spearman", "kendall_w") if items in (12, 30) else ()
            keys = keys[:1] if items == 10 else keys
            made += [(key, what, items, raters, draw) for key in keys]
    return [
        _promise(key, what, items, raters, holds(draw, key, "ordinal", 5, items))
        for key, what, items, raters, draw in made
    ]


def _scores() -> list[Promise]:
    made = []
    for items, raters in ((12, 2), (30, 3)):
        draw = sliders(raters)
        for key in ("krippendorff_alpha", "pearson", "spearman", "lin_ccc"):
            hold = holds(draw, key, "interval", 101, items)
            made.append(_promise(key, "scores 0 to 100", items, raters, hold))
    variances = {"icc_a1": 1 / (1 + 0.64 + 0.25), "icc_c1": 1 / 1.64, "icc_1": 1 / (1 + 0.64 + 0.25)}
    for items in (10, 12, 30):
        for key, spread in (("icc_a1", 0.5), ("icc_c1", 0.5)):
            hold = holds(severe(3, spread), key, "interval", 0, items, variances[key])
            made.append(_promise(key, "scores of raters who differ, others in every study", items, 3, hold))
    return made


def _bands() -> list[Promise]:
    name = "the band said to be reached at least is reached: {}"
    return [
        Promise(name.format(_NAMES[key]), "`agree`", f"{what}, {raters} raters, {items} items", 0.975, 0.95,
                band_is_reached(guessing(raters, shares, guess), key, 3, items), quick=4)
        for key, what, shares, guess, raters, items in (
            ("cohen_kappa", "even values", _EVEN, 0.24, 2, 40), ("cohen_kappa", "values 90/5/5", _SKEWED, 0.3, 3, 60))
    ]  # fmt: skip


PROMISES: tuple[Promise, ...] = (*_categories(), *_ordered(), *_scores(), *_bands())
