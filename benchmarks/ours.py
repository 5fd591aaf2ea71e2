"""Accord on one case: the coefficient alone on arrays, and everything end to end from a frame."""

import json
import sys
from collections.abc import Callable

import data
import numpy as np
from peers import best_time

Work = Callable[[], float]


def _ratings(table: np.ndarray, level: str):  # type: ignore[no-untyped-def]
    from accord.ratings.read import read

    return read(table, level=level)


def _computed(level: str, key: str) -> Callable[[np.ndarray], Work]:
    """From coded ratings to the value; coding is the reader's work and is timed end to end."""
    from accord.coefficients.compute import compute
    from accord.ratings.counting import count_source

    def make(table: np.ndarray) -> Work:
        ratings = _ratings(table, level)
        return lambda: compute(count_source(ratings), key).value

    return make


def cohen(table: np.ndarray) -> Work:
    from accord.coefficients.features import View
    from accord.coefficients.kappa import CohenKappa
    from accord.ratings.counting import count_source

    ratings = _ratings(table, "nominal")
    return lambda: float(np.mean(CohenKappa().of_pairs(View.of(count_source(ratings))).value))


def bootstrap(table: np.ndarray) -> Work:
    from accord.coefficients.sums import sum_statistic
    from accord.inference.bootstrap import bootstrap as resample
    from accord.ratings.counting import count_source

    ratings = _ratings(table, "nominal")

    def work() -> float:
        statistic = sum_statistic(count_source(ratings).patterns(), ratings.scale, ["krippendorff_alpha"])
        return float(resample(statistic, replicates=10_000, rng=np.random.default_rng(0)).draws.mean())

    return work


def icc(table: np.ndarray) -> Work:
    from accord.coefficients.anova import anova_of_matrix
    from accord.coefficients.icc import IntraclassCorrelation
    from accord.coefficients.registry import COEFFICIENTS

    found = {key: spec.coefficient for key, spec in COEFFICIENTS.items()}
    forms = {key: one.form for key, one in found.items() if isinstance(one, IntraclassCorrelation)}

    def work() -> float:
        squares = anova_of_matrix(table)
        for form in forms.values():
            form.ends(squares, 0.95)
        return float(np.squeeze(forms["icc_a1"].of_anova(squares)))

    return work


def end_to_end(level: str, interval: str = "auto") -> Callable[[np.ndarray], Work]:
    """``accord.agreement(frame)``: every coefficient that fits, each with an interval of this kind."""
    import pandas as pd

    import accord

    def make(table: np.ndarray) -> Work:
        frame = pd.DataFrame(table, columns=[f"rater {place}" for place in range(table.shape[1])])

        def work() -> float:
            ratings = accord.read(frame, wide=True, level=level)
            told = accord.agreement(ratings, interval=interval).to_dict()  # with all words, which are found when read
            return float(len(told["groups"][0]["estimates"]))

        return work

    return make


ARRAYS: dict[str, Callable[[np.ndarray], Work]] = {
    "cohen": cohen,
    "alpha_ordinal": _computed("ordinal", "krippendorff_alpha"),
    "fleiss": _computed("nominal", "fleiss_kappa"),
    "bootstrap": bootstrap,
    "gamma": _computed("ordinal", "gamma"),
    "icc": icc,
    "alpha_interval": _computed("interval", "krippendorff_alpha"),
}
LEVELS = {
    "cohen": "nominal", "alpha_ordinal": "ordinal", "fleiss": "nominal", "bootstrap": "nominal", "gamma": "ordinal",
    "icc": "interval", "alpha_interval": "interval",
}  # fmt: skip

if __name__ == "__main__":
    case, kind = sys.argv[1:3]
    table = data.CASES[case][1]()
    work = ARRAYS[case](table) if kind == "arrays" else end_to_end(LEVELS[case], kind)(table)
    seconds, value = best_time(work)
    print(json.dumps({"seconds": seconds, "value": value}))
