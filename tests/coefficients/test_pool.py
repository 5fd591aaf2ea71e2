"""Conger's kappa of a pool, from counts that do not say who rated what."""

import numpy as np
import pytest

from accord.coefficients.compute import compute
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.pool import conger_of_pool
from accord.coefficients.registry import COEFFICIENTS
from accord.ratings.counting import count_source
from accord.ratings.counts import laid_out
from accord.ratings.read import read

CONGER = COEFFICIENTS["conger_kappa"]


def pool_of_raters(raters=40, items=3000, each=4, seed=4):
    """Ratings by raters drawn at random, each with a leaning of his own."""
    rng = np.random.default_rng(seed)
    leaning = rng.normal(0, 0.8, raters)
    who = np.argsort(rng.random((items, raters)), axis=1)[:, :each]
    given = np.clip(np.rint(rng.normal(0, 1, (items, 1)) + leaning[who] + rng.normal(0, 0.7, who.shape) + 3), 1, 5)
    names = [f"r{rater}" for rater in who.ravel()]
    columns = {"item": np.repeat(np.arange(items), each).tolist(), "rater": names, "value": given.ravel().tolist()}
    import pyarrow as pa

    return read(pa.table(columns), level="ordinal")


@pytest.mark.parametrize("weights", ["identity", "quadratic"])
def test_value_is_that_of_the_full_table_and_the_error_is_close_to_it(weights):
    source, options = count_source(pool_of_raters()), Options(weights=weights)
    full = compute(source, "conger_kappa", options)
    view = View(laid_out(source.item_values()), source.facts().scale)
    pooled = conger_of_pool(CONGER, view, source.marginals(), options)
    assert pooled.value == pytest.approx(full.value, abs=1e-12)
    assert pooled.items == full.items
    assert pooled.standard_error == pytest.approx(full.standard_error, rel=0.05)
    ends = pooled.interval.low, pooled.interval.high
    assert ends == pytest.approx((full.interval.low, full.interval.high), abs=1e-3)
    assert "approximate" in pooled.interval.method


def test_a_value_that_nobody_gave_changes_nothing_but_the_scale():
    source = count_source(read(np.array([[1, 2], [1, 1], [2, 2], [2, 1]]), scale="1,2,3"))
    view = View(laid_out(source.item_values()), source.facts().scale)
    pooled = conger_of_pool(CONGER, view, source.marginals(), Options())
    assert pooled.value == pytest.approx(compute(source, "conger_kappa", Options()).value)
    assert pooled.interval is not None


def test_the_spread_of_raters_belongs_to_the_error():
    """Without each rater's leaning the error would be too small where raters lean and rate few items."""
    source = count_source(pool_of_raters(raters=300, items=600))
    view = View(laid_out(source.item_values()), source.facts().scale)
    same = type(source.marginals())(np.tile(source.marginals().counts.sum(axis=0), (300, 1)))
    leaning = conger_of_pool(CONGER, view, source.marginals(), Options())
    full = compute(source, "conger_kappa", Options())
    assert leaning.standard_error == pytest.approx(full.standard_error, rel=0.05)
    assert leaning.value != conger_of_pool(CONGER, view, same, Options()).value


def test_conger_is_undefined_when_every_rating_is_the_same():
    source = count_source(read(np.ones((5, 3))))
    view = View(laid_out(source.item_values()), source.facts().scale)
    pooled = conger_of_pool(CONGER, view, source.marginals(), Options())
    assert np.isnan(pooled.value)
    assert pooled.interval is None
