"""Raters exchanged between two groups: many groups computed together are the groups computed one by one."""

import numpy as np
import pytest

from accord.comparisons import rater_permutation
from accord.comparisons.rater_permutation import rater_tests
from accord.ratings.build import build_ratings


def _groups(sizes: tuple[int, int], seed: int = 3, items: int = 25):
    """The ratings of each group, and the names of its raters."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, items)
    parts, names = [], []
    for group, size in zip("ab", sizes, strict=True):
        raters = [f"{group}{rater}" for rater in range(size)]
        given = np.clip(truth + rng.integers(-1, 2, (size, items)), 1, 5)
        rows = {
            "item": [f"i{item}" for _ in raters for item in range(items)],
            "rater": [rater for rater in raters for _ in range(items)],
            "value": given.ravel().tolist(),
        }
        parts.append(build_ratings(rows, level="ordinal", scale=[1, 2, 3, 4, 5]))
        names.append(raters)
    return parts, tuple(names)


@pytest.mark.parametrize("sizes", [(3, 3), (4, 3), (7, 7)])
def test_arrangements_computed_together_are_those_computed_one_by_one(monkeypatch, sizes) -> None:
    parts, names = _groups(sizes)
    keys = ("krippendorff_alpha", "fleiss_kappa", "percent_agreement")

    def tested():
        rng = np.random.default_rng(1)
        return rater_tests(parts, names, keys, exchange=True, replicates=300, rng=rng, confidence=0.95)

    together = tested()
    monkeypatch.setattr(rater_permutation, "_NUMBERS_AT_ONCE", 0)
    assert [(one.value, one.p, one.smallest, one.arrangements) for one in together] == [
        (one.value, one.p, one.smallest, one.arrangements) for one in tested()
    ]


def test_every_half_of_the_raters_is_compared_with_the_other_half() -> None:
    """All 20 arrangements of six raters, each difference with both signs: p is a multiple of 2 / 20."""
    parts, names = _groups((3, 3))
    (found,) = rater_tests(
        parts,
        names,
        ["krippendorff_alpha"],
        exchange=True,
        replicates=999,
        rng=np.random.default_rng(0),
        confidence=0.95,
    )
    assert (found.arrangements, found.exact, found.smallest) == (20, True, 0.1)
    assert (found.p * 10) == pytest.approx(round(found.p * 10))
