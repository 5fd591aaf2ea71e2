"""Error counts and penalty points (`accord mqm`)

A text has a true rate of errors. Documents gather errors (variance over mean 3.3), reviewers differ by a factor
(standard deviation of the log rate .59), as professional reviewers of WMT23 English-German do; errors
weigh 1, 5 or 25 points.
"""

from functools import partial

import numpy as np

from accord.scoring.calibrated import calibrated_score
from accord.scoring.error_rates import error_rate
from accord.scoring.mqm import SegmentMqm
from accord.scoring.mqm_means import system_intervals
from promises.promise import Promise

__all__ = ["PROMISES"]

_WORDS = 250
_WEIGHTS, _SHARES = np.array([1.0, 5.0, 25.0]), np.array([0.68, 0.3, 0.02])


def counts_of(rng: np.random.Generator, rate: float, documents: int, reviewers: int) -> np.ndarray:
    """Errors that each reviewer finds in each document (reviewers, documents); ``rate`` per 1,000 words.

    The rate is that of the usual reviewer; a document's own factor and the reviewer's reading give a variance over
    mean of 3.3 at 10 errors a document.
    """
    severity = np.exp(rng.normal(0, 0.59, (reviewers, 1)))
    mean = rate * _WORDS / 1000
    document = rng.gamma(mean / 2.3, 2.3 / mean, documents)
    return np.asarray(rng.poisson(mean * severity * document))


def rate_covered(rng: np.random.Generator, *, documents: int, reviewers: int, rate: float = 15.0) -> bool:
    """Whether the interval holds the rate of usual reviewers."""
    counts = counts_of(rng, rate, documents, reviewers).sum(axis=1)
    return rate in error_rate(counts.tolist(), documents * _WORDS).interval


def no_wrong_pass(rng: np.random.Generator, *, documents: int, reviewers: int) -> bool:
    """Work a little worse than acceptable does not pass."""
    counts = counts_of(rng, 15.5, documents, reviewers).sum(axis=1)
    return str(error_rate(counts.tolist(), documents * _WORDS, acceptable=15.0).verdict) != "PASS"


def points_covered(rng: np.random.Generator, *, documents: int, rate: float = 15.0) -> bool:
    """Whether the interval of penalty points of one reviewer holds those of usual reviewers."""
    errors = int(counts_of(rng, rate, documents, 1).sum())
    points = float(rng.choice(_WEIGHTS, errors, p=_SHARES).sum())
    made = calibrated_score(points, documents * _WORDS, passing=90, acceptable=40)
    return rate * float(_WEIGHTS @ _SHARES) in made.rate.interval


def _segments(
    rng: np.random.Generator, documents: int, reviewers: int, each: int, unequal: bool, spread: float
) -> list[SegmentMqm]:
    """Segments of one system: documents differ in difficulty, reviewers in severity."""
    severity = np.exp(rng.normal(0, spread, reviewers))
    document = rng.gamma(2, 0.5, documents)
    lengths = np.maximum(1, np.round(rng.lognormal(np.log(6) - 0.35, 0.83, documents))) if unequal else [6] * documents
    return [
        SegmentMqm(f"{d}:{k}", f"r{r}", "A", f"d{d}", -float(rng.poisson(2 * severity[r] * document[d])), 1)
        for d in range(documents) for r in rng.permutation(reviewers)[:each].tolist() for k in range(int(lengths[d]))
    ]  # fmt: skip


def mean_covered(
    rng: np.random.Generator, *, documents: int, reviewers: int, each: int, unequal: bool, spread: float = 0.4
) -> bool:  # fmt: skip
    """Whether the interval of a system's mean holds the mean over other documents and reviewers."""
    rows = _segments(rng, documents, reviewers, each, unequal, spread)
    interval = system_intervals(rows)["A"]
    return interval is not None and -2 * np.exp(spread**2 / 2) in interval


def mean_tells(rng: np.random.Generator, *, documents: int, reviewers: int) -> bool:
    """Whether the interval of a system's mean is narrower than from a tenth to ten times as much."""
    interval = system_intervals(_segments(rng, documents, reviewers, reviewers, True, 0.59))["A"]
    return interval is not None and interval.low / interval.high < 100


PROMISES = (
    *(Promise("The interval of errors holds the rate of usual reviewers", "`mqm --count`",
              f"{documents} documents of {_WORDS} words, {reviewers} reviewer{'s' * (reviewers > 1)}", 0.95, 0.93,
              partial(rate_covered, documents=documents, reviewers=reviewers), quick=60)
      for documents, reviewers in ((3, 1), (10, 1), (30, 3))),
    *(Promise("Work worse than acceptable does not pass", "`mqm --count --acceptable`",
              f"{documents} documents, {reviewers} reviewer{'s' * (reviewers > 1)}", 0.975, 0.95,
              partial(no_wrong_pass, documents=documents, reviewers=reviewers), quick=60)
      for documents, reviewers in ((10, 1), (40, 3))),
    *(Promise("The interval of penalty points holds those of usual reviewers", "`mqm --points`",
              f"{documents} documents, 1 reviewer", 0.95, 0.93, partial(points_covered, documents=documents), quick=60)
      for documents in (3, 10)),
    *(Promise("The interval of a system's mean holds the true mean", "`mqm ERRORS`",
              f"{documents} {'very unequal ' * unequal}documents of 6 segments, {words}", 0.95,
              0.92 if documents < 30 else 0.93,
              partial(mean_covered, documents=documents, reviewers=reviewers, each=each, unequal=unequal), quick=10)
      for documents, reviewers, each, unequal, words in (
          (12, 6, 6, False, "6 raters"), (8, 3, 3, True, "3 raters"), (12, 6, 6, True, "6 raters"),
          (12, 6, 1, True, "one of 6 raters each"), (20, 6, 2, True, "two of 6 raters each"),
          (30, 6, 2, True, "two of 6 raters each"),
      )),
    *(Promise("The interval of a system's mean holds the true mean", "`mqm ERRORS`",
              f"{documents} very unequal documents of 6 segments, {words}, spread of log rate {spread:g}", 0.95, 0.92,
              partial(mean_covered, documents=documents, reviewers=2, each=each, unequal=True, spread=spread), quick=10)
      for documents, each, spread, words in (
          (8, 2, 0.4, "2 raters"), (12, 2, 0.59, "2 raters"), (20, 2, 0.8, "2 raters"),
          (12, 1, 0.59, "one of 2 raters each"),
      )),
    Promise("The interval of a system's mean reaches no further than a factor of 10", "`mqm ERRORS`",
            "12 very unequal documents of 6 segments, 2 raters, spread of log rate 0.59", None, 0.95,
            partial(mean_tells, documents=12, reviewers=2), quick=10),
)  # fmt: skip
