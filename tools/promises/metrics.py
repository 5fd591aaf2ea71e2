"""Metrics beside people, and scores of the same items in two scenarios (`accord compare`)

Documents of 4 segments; people and metric both see the quality of document and segment (standard deviations 8 and 12,
correlation .5) and err by 8. In two scenarios scores of a document move together (standard deviation 5).
"""

from functools import partial

import numpy as np

from accord.comparisons.metrics import metric_correlations, metric_differences
from accord.comparisons.score_shift import score_shifts
from accord.ratings.build import build_ratings
from accord.ratings.table import Ratings
from promises.promise import Promise

__all__ = ["PROMISES"]

_EACH = 4
_SHARED, _NOISE = 0.5 * (8**2 + 12**2), 8.0**2
_TRUTH = _SHARED / (8**2 + 12**2 + _NOISE)


def _study(rng: np.random.Generator, documents: int, scenarios: int, criteria: int = 1) -> Ratings:
    """Scores of one rater and a metric; the scenarios differ by chance only, document by document."""
    rows: dict[str, list[object]] = {
        name: [] for name in ("item", "rater", "value", "document", "scenario", "criterion", "metric")
    }
    for criterion in range(criteria):
        document = np.repeat(rng.multivariate_normal((0, 0), 8**2 * _mixed(), documents), _EACH, axis=0)
        segment = rng.multivariate_normal((0, 0), 12**2 * _mixed(), documents * _EACH)
        human, metric = (document + segment + rng.normal(0, 8, segment.shape)).T
        for scenario in range(scenarios):
            moved = np.repeat(rng.normal(0, 5, documents), _EACH) + rng.normal(0, 4, len(human))
            rows["value"] += np.round(50 + human + (scenarios > 1) * moved, 2).tolist()
            rows["item"] += [f"i{at}" for at in range(len(human))]
            rows["document"] += [f"d{at // _EACH}" for at in range(len(human))]
            rows["metric"] += [f"{one:.4f}" for one in metric]
            rows["rater"] += ["R"] * len(human)
            rows["scenario"] += [f"s{scenario}"] * len(human)
            rows["criterion"] += [f"c{criterion}"] * len(human)
    return build_ratings(rows, level="interval")


def _mixed() -> np.ndarray:
    return np.array([[1.0, 0.5], [0.5, 1.0]])


def correlation_covered(rng: np.random.Generator, *, documents: int) -> bool:
    """Whether the interval of Pearson's r over segments holds the true one."""
    found = metric_correlations(_study(rng, documents, 1), ["metric"], replicates=500, rng=rng)
    (one,) = (one for one in found if (one.level, one.kind) == ("segment", "pearson"))
    return one.interval is not None and _TRUTH in one.interval


def no_metric_differs(rng: np.random.Generator, *, documents: int, criteria: int) -> bool:
    """No scenario is found in which the metric goes with people better."""
    found = metric_differences(
        _study(rng, documents, 2, criteria), ["metric"], condition="scenario", replicates=500, rng=rng
    )
    return not any(
        one.is_clear for _, one in found if one.what.startswith("pearson") and one.first.startswith("segment")
    )


def no_score_moves(rng: np.random.Generator, *, documents: int, criteria: int) -> bool:
    """No criterion is found on which scores move between the scenarios."""
    found = score_shifts(_study(rng, documents, 2, criteria), first="s0", second="s1")
    return not any((one.p if one.adjusted is None else one.adjusted) < 0.05 for one in found)


PROMISES = (
    *(Promise("The interval of a metric's correlation holds the true one", "`compare --design metrics`",
              f"{documents} documents of {_EACH} segments, Pearson's r", 0.95, 0.92 if documents < 30 else 0.93,
              partial(correlation_covered, documents=documents), quick=12) for documents in (12, 30, 70)),
    Promise("No difference is found between scenarios in which a metric goes with people alike",
            "`compare --design metrics --condition scenario`", f"12 documents of {_EACH} segments, 3 criteria", 0.95,
            0.94, partial(no_metric_differs, documents=12, criteria=3), quick=2),
    *(Promise("No change of scores is found between scenarios", "`compare --design document-context`",
              f"{documents} documents of {_EACH} segments that move together, {words}", 0.95, 0.94,
              partial(no_score_moves, documents=documents, criteria=criteria), quick=40)
      for documents, criteria, words in ((6, 1, "1 criterion"), (20, 4, "4 criteria"))),
)  # fmt: skip
