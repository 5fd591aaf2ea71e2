"""Small ratings made in memory, for tests of the diagnosis."""

import numpy as np
import pytest

import accord
from accord.design.scale import Level, Scale
from accord.diagnosis.part import parts_of
from accord.ratings.table import Factor, Ratings


def table_ratings(table, *, level=Level.ORDINAL, scale=None, raters=None, numbers=None, columns=None):
    """Ratings of a table of items by raters; nan is no rating."""
    table = np.asarray(table, dtype=float)
    item, rater = np.nonzero(~np.isnan(table))
    score = table[item, rater]
    values = tuple(scale) if scale is not None else tuple(np.unique(score).tolist())
    names = tuple(raters) if raters else tuple(f"r{place + 1}" for place in range(table.shape[1]))
    return Ratings(
        item=Factor(item.astype(np.int32), tuple(f"i{place + 1}" for place in range(table.shape[0]))),
        rater=Factor(rater.astype(np.int32), names),
        value=np.searchsorted(values, score).astype(np.int32),
        scale=Scale(level, tuple(float(value) for value in values), declared=scale is not None),
        numbers={name: np.asarray(grid, dtype=float)[item, rater] for name, grid in (numbers or {}).items()},
        columns={
            name: Factor.of([str(grid[i][r]) for i, r in zip(item, rater, strict=True)])
            for name, grid in (columns or {}).items()
        },
    )


@pytest.fixture
def make_ratings():
    return table_ratings


@pytest.fixture
def make_part():
    def make(table, **options):
        return parts_of(table_ratings(table, **options))[0]

    return make


@pytest.fixture
def honest_table():
    """Scores 1-5 of raters who see the same quality with noise."""

    def make(seed, items=120, raters=4, noise=0.7, strictness=0.0):
        rng = np.random.default_rng(seed)
        quality = rng.standard_normal(items)
        seen = quality[:, None] + noise * rng.standard_normal((items, raters))
        return 1.0 + np.searchsorted([-1.2, -0.4, 0.4, 1.2], seen + strictness * rng.standard_normal(raters))

    return make


@pytest.fixture(scope="session")
def real(data):
    """A real set by name, its criteria as parts by criterion."""

    def read(name, **options):
        return accord.read(data / f"{name}.csv", value="score", **options)

    return read


@pytest.fixture(scope="session")
def qgstec(real):
    return {part.by["criterion"]: part for part in parts_of(real("qgstec_original"))}
