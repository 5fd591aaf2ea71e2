"""Measure what sizes.py rests on: both ways at the sizes that they name.

``python tools/measure_sizes.py`` prints a line for each rule: milliseconds of processor time of one thread, the best
of some runs, with the ratio of the slower way to the faster. Run it when a way changes, and write the figures down.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import time
from collections.abc import Callable

import numpy as np

from accord import sizes
from accord.coefficients.blocks import over_ratings
from accord.coefficients.features import View
from accord.coefficients.kappa import CohenKappa
from accord.coefficients.options import Options
from accord.coefficients.order import order_of_tables
from accord.coefficients.ranks import Gamma
from accord.coefficients.registry import COHEN_KAPPA
from accord.coefficients.sums import statistic_of_view
from accord.design.scale import Level, Scale
from accord.inference.bootstrap import bootstrap
from accord.inference.jackknife import jackknife
from accord.ratings.counting import patterns_of
from accord.ratings.counts import Patterns
from accord.ratings.pair_counting import pair_tables


def table(items: int, raters: int, values: int, share: float = 1.0) -> View:
    """Ratings around a truth of each item, one pattern a distinct row; a share of them given."""
    rng = np.random.default_rng([items, raters, values])
    truth = rng.integers(0, values, items)[:, None]
    spread = max(1, values // 10)
    codes = np.clip(truth + rng.integers(-spread, spread + 1, (items, raters)), 0, values - 1).astype(np.int32)
    codes[rng.random((items, raters)) > share] = -1
    rows, times = np.unique(codes, axis=0, return_counts=True)
    scale = Scale(Level.ORDINAL, tuple(map(float, range(values))), declared=True)
    return View(Patterns(rows.astype(np.int32), times.astype(np.int64)), scale)


def milliseconds(work: Callable[[], object], runs: int = 5) -> float:
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1000


def both(name: str, rule: str, work: Callable[[], object], runs: int = 5) -> None:
    """The work with the rule answering yes, and no."""
    kept, took = getattr(sizes, rule), {}
    for answer in (True, False):
        setattr(sizes, rule, lambda *_, answer=answer: answer)
        try:
            took[answer] = milliseconds(work, runs)
        finally:
            setattr(sizes, rule, kept)
    said(name, f"{rule} yes", took[True], "no", took[False])


def said(name: str, first: str, one: float, second: str, other: float) -> None:
    ratio = max(one, other) / max(min(one, other), 1e-6)
    print(f"{name:55} {first} {one:9.1f} ms   {second} {other:9.1f} ms   ratio {ratio:5.1f}")


def main() -> None:
    rng = np.random.default_rng(0)
    for values in (5, 10, 12):
        tables = rng.integers(0, 9, (10_000, values, values)).astype(np.float64)
        both(f"order of 10,000 tables {values} x {values}", "few_cells", lambda tables=tables: order_of_tables(tables))
    for values in (101, 401, 1001):
        work = lambda values=values: Gamma().without_item(table(33_333, 3, values))  # noqa: E731
        making = milliseconds(lambda values=values: table(33_333, 3, values), 2)
        print(f"(making the ratings below: {making:.0f} ms)")
        both(f"gamma without each item, 3 x 33,333, {values} values", "count_tables", work, 2)
    for share in (1.0, 0.2, 0.05):
        view = table(400, 30, 4, share)
        named = f"kappa without each item, 30 x 400 x 4, {share:.0%} rated"
        both(named, "is_dense", lambda v=view: CohenKappa().without_item(v))
    for key, coefficient in ((COHEN_KAPPA, CohenKappa()), ("gamma", Gamma())):
        view = table(400, 30, 4)
        sums = milliseconds(lambda key=key: jackknife(statistic_of_view(table(400, 30, 4), (key,), Options())), 3)
        exact = milliseconds(lambda one=coefficient, v=view: one.without_item(v), 3)
        said(f"{key} jackknife, 30 x 400 x 4", "by sums", sums, "left out", exact)
    for raters, share in ((15, 1.0), (60, 1.0), (60, 0.2), (60, 0.05)):
        patterns = table(3_000, raters, 5, share).patterns
        for rule in ("pairs_are_multiplied", "meet_rarely"):
            named = f"tables of pairs, {raters} raters x 3,000 x 5, {share:.0%} rated"
            both(named, rule, lambda some=patterns: pair_tables(some, 5), 2)
    for items in (3_000, 100_000):
        codes = np.asfortranarray(rng.integers(-1, 5, (items, 5)).astype(np.int32))
        both(f"patterns of {items:,} items, 5 raters x 5 values", "keys_are_counted", lambda c=codes: patterns_of(c, 5))
    for items in (400, 1_500):
        view = table(items, 2, 100_001)
        statistic = statistic_of_view(view, ("gamma",), Options())
        took = milliseconds(lambda s=statistic: bootstrap(s, replicates=1_000, rng=np.random.default_rng(0)), 1)
        print(f"gamma, 1,000 replicates comparing {len(view.codes):,} patterns: {took:.0f} ms")
    for raters in (3, 8, 14, 20, 30):
        view = table(20_000, raters, 101)
        apart = np.abs(np.subtract.outer(np.arange(101.0), np.arange(101.0)))
        named = f"weighted disagreement, {raters} raters x 20,000 x 101"
        both(named, "few_ratings", lambda v=view, d=apart: over_ratings(View(v.patterns, v.scale), d), 3)
    for items in (1_500, 3_000):
        view, unit = table(items, 10, 101), np.arange(items) // 11
        products = (unit.max() + 1) * float(np.square(view.both.sum(axis=0)).sum())
        took = milliseconds(lambda v=view, u=unit: Gamma().without_units(v, u[: len(v.codes)]), 1)
        print(f"gamma without each document, {products:.1e} products (units_are_weighed): {took:.0f} ms")
    for patterns, replicates in ((2_000, 10_000), (5_000, 2_000), (10_000, 1_000)):
        one, few = np.full(patterns, 1 / patterns), patterns
        took = milliseconds(lambda p=one, n=few, r=replicates: np.random.default_rng(0).multinomial(n, p, r), 1)
        print(f"{replicates:,} draws over {patterns:,} patterns by numpy: {took:.0f} ms")


if __name__ == "__main__":
    main()
