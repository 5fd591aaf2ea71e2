"""Intervals from many items, which are computed and not drawn (ABC): do they hold the true coefficient?

From 1,000 items with 100 disputed ones on no resamples are drawn. The designs are those of few items, some raters
exact and some not, values even and 90/5/5, with gaps and with documents.
"""

from collections.abc import Callable

import numpy as np

import accord
from accord.ratings.build import build_ratings
from promises.agreement import _NAMES, Drawer, _read, _truth, graded, guessing, sliders
from promises.promise import Promise

__all__ = ["PROMISES"]

_ALPHA, _METHOD = "krippendorff_alpha", "ABC over "


def _is_held(found: accord.Estimate, truth: float) -> bool:
    """Whether an interval of this kind holds the truth; another kind is a mistake of the design."""
    if found.interval is None or not found.interval.method.startswith(_METHOD):
        raise AssertionError(f"This design is not about {_METHOD}: {found.interval}")
    return truth in found.interval


def _items(draw: Drawer, key: str, level: str, values: int, items: int, *, kept: float = 1.0) -> Callable[..., bool]:
    def hold(rng: np.random.Generator) -> bool:
        truth = _truth(draw, key, level, values, 60_000)
        table = draw(items, rng)
        table[rng.random(table.shape) >= kept] = np.nan
        return _is_held(accord.agreement(_read(table, level, values), coefficients=key)[key], truth)

    return hold


def _in_documents(documents: int, rng: np.random.Generator) -> accord.Ratings:
    """Two items a document that are alike: half of the second ones are of the quality of the first."""
    first = rng.choice(3, documents)
    second = np.where(rng.random(documents) < 0.5, first, rng.choice(3, documents))
    truth = np.column_stack((first, second)).ravel()
    table = np.where(rng.random((len(truth), 2)) < 0.3, rng.integers(0, 3, (len(truth), 2)), truth[:, None])
    rows = {
        "item": [f"i{at}" for at in range(len(truth))] * 2,
        "rater": ["a"] * len(truth) + ["b"] * len(truth),
        "value": table.T.ravel().astype(float).tolist(),
        "document": [f"d{at // 2}" for at in range(len(truth))] * 2,
    }
    return build_ratings(rows, level="nominal", scale=[0.0, 1.0, 2.0])


def _documents(documents: int) -> Promise:
    def hold(rng: np.random.Generator) -> bool:
        # Guesses by even values: alpha is the square of the share of true answers.
        return _is_held(accord.agreement(_in_documents(documents, rng), coefficients=_ALPHA)[_ALPHA], 0.49)

    design = f"even values, 2 raters, {documents:,} documents of 2 items"
    return Promise("Krippendorff's α, 95 % interval", "`agree`, documents named", design, 0.95, 0.93, hold, 0.97, 2)


_SKEWED, _EVEN = (0.9, 0.05, 0.05), (1 / 3, 1 / 3, 1 / 3)
_DESIGNS = (
    ("values 90/5/5", 2, 2_000, "nominal", 3, guessing(2, _SKEWED, 0.3), (_ALPHA, "cohen_kappa", "gwet_ac1")),
    ("values 90/5/5", 3, 2_000, "nominal", 3, guessing(3, _SKEWED, 0.3), (_ALPHA, "fleiss_kappa", "cohen_kappa")),
    ("values 97/3", 2, 6_000, "nominal", 2, guessing(2, (0.97, 0.03), 0.3), (_ALPHA, "gwet_ac1")),
    ("even values, exact raters", 2, 3_000, "nominal", 3, guessing(2, _EVEN, 0.05), (_ALPHA, "cohen_kappa")),
    ("five grades", 3, 1_000, "ordinal", 5, graded(3, 0.8), (_ALPHA, "gwet_ac2", "cohen_kappa_quadratic", "gamma")),
    ("five grades, most at the top", 2, 1_000, "ordinal", 5, graded(2, 0.6, 1.5), (_ALPHA, "cohen_kappa_quadratic")),
    ("scores 0 to 100", 3, 1_000, "interval", 101, sliders(3), (_ALPHA, "pearson", "lin_ccc")),
)  # fmt: skip


def _promise(key: str, what: str, hold: Callable[[np.random.Generator], bool]) -> Promise:
    return Promise(f"{_NAMES[key]}, 95 % interval", "`agree`", what, 0.95, 0.93, hold, 0.97, 2)


PROMISES: tuple[Promise, ...] = (
    *(_promise(key, f"{what}, {raters} raters, {items:,} items", _items(draw, key, level, values, items))
      for what, raters, items, level, values, draw, keys in _DESIGNS for key in keys),
    _promise(_ALPHA, "five grades, 3 raters, each rating missing with probability .3, 2,000 items",
             _items(graded(3, 0.8), _ALPHA, "ordinal", 5, 2_000, kept=0.7)),
    _documents(1_200),
)  # fmt: skip
