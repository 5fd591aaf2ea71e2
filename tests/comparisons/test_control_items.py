"""Spoilt copies and repeats check the rater: no comparison of scores counts them as texts under study."""

from dataclasses import asdict

import numpy as np
import pytest

from accord.comparisons.metrics import metric_correlations
from accord.comparisons.misevaluation import find_misevaluations
from accord.comparisons.score_shift import score_shifts
from accord.comparisons.task_prediction import predict_task
from accord.comparisons.yardsticks import yardsticks
from accord.ratings.build import build_ratings
from accord.ratings.table import Ratings

_PAIR = {"without": "alone", "with_context": "context"}


def _rated(*, checked: bool) -> Ratings:
    """Thirty items in two scenarios; with spoilt copies that fall in context and repeats that rise, or without."""
    rng = np.random.default_rng(3)
    rows = []
    for item in range(30):
        for scenario in ("alone", "context"):
            for rater in "AB":
                row = {"item": f"s{item}", "rater": rater, "scenario": scenario, "value": int(rng.integers(1, 6)),
                       "role": "system", "document": f"d{item % 6}", "task": "gist" if item % 2 else "publish",
                       "comet": str(item / 10), "occasion": 1}  # fmt: skip
                copy = {"item": f"s{item}#bad", "role": "degraded", "value": 5 if scenario == "alone" else 1}
                again = {"role": "repeat", "occasion": 2, "value": 5}
                rows += [row, row | copy, row | again] if checked else [row]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return build_ratings(columns, level="interval", direction="high")


@pytest.mark.parametrize(
    "compared",
    [
        lambda ratings: find_misevaluations(ratings, **_PAIR),
        lambda ratings: [asdict(one) for one in score_shifts(ratings, first="alone", second="context")],
        lambda ratings: yardsticks(ratings, "scenario", "alone", "context").results,
        lambda ratings: [
            one.to_dict()
            for one in metric_correlations(ratings, ("comet",), replicates=50, rng=np.random.default_rng(1))
        ],
        lambda ratings: [
            one.to_dict() for one in predict_task(ratings, "task", replicates=50, rng=np.random.default_rng(1)).results
        ],
    ],
    ids=["misjudged without context", "scores by scenario", "quadrants", "metrics", "tasks"],
)
def test_spoilt_copies_and_repeats_change_nothing(compared):
    assert repr(compared(_rated(checked=True))) == repr(compared(_rated(checked=False)))
