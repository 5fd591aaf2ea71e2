"""Raters exchanged between two groups: many groups computed together are the groups computed one by one."""

from itertools import combinations

import numpy as np
import pytest

from accord.coefficients.sums import sum_statistic
from accord.comparisons import rater_permutation
from accord.comparisons.rater_permutation import rater_tests
from accord.ratings.build import build_ratings
from accord.reliability.run import agreement


def _built(rows):
    return build_ratings(rows, level="ordinal", scale=[1, 2, 3, 4, 5])


def _groups(sizes: tuple[int, int]):
    """The ratings of each group, and the names of its raters."""
    rows, names = _rows(sizes)
    return [_built(part) for part in rows], names


def _rows(sizes: tuple[int, int], seed: int = 3, items: int = 25):
    """The same as columns."""
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
        parts.append(rows)
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
    """All 20 arrangements of six raters, each computed by itself as agree would."""
    rows, names = _rows((3, 3))
    parts = [_built(part) for part in rows]
    everyone = [*names[0], *names[1]]
    together = {key: [*rows[0][key], *rows[1][key]] for key in rows[0]}

    def alpha(raters) -> float:
        kept = [place for place, rater in enumerate(together["rater"]) if rater in raters]
        ratings = _built({key: [column[place] for place in kept] for key, column in together.items()})
        made = agreement(ratings, coefficients=("krippendorff_alpha",), interval="none")
        return made.groups[0]["krippendorff_alpha"].value

    apart = [alpha(set(everyone) - set(half)) - alpha(half) for half in combinations(everyone, 3)]
    (found,) = rater_tests(
        parts, names, ["krippendorff_alpha"], exchange=True, replicates=999, rng=np.random.default_rng(0),
        confidence=0.95,
    )  # fmt: skip
    assert (found.arrangements, found.exact, found.smallest) == (20, True, 0.1)
    assert found.value == pytest.approx(apart[0])
    assert found.p == pytest.approx(np.mean(np.abs(apart) >= abs(apart[0]) - 1e-12))


@pytest.mark.parametrize("gap", [False, True])
def test_raters_left_out_together_are_those_left_out_one_by_one_where_groups_rated_other_items(
    monkeypatch, gap
) -> None:
    rows, names = _rows((4, 4))
    rows[1]["item"] = [f"other {item}" for item in rows[1]["item"]]
    if gap:
        rows = [{key: column[:-3] for key, column in part.items()} for part in rows]
    keys, sizes = ("krippendorff_alpha", "percent_agreement"), []
    one_by_one = rater_permutation._values

    def found():
        rng = np.random.default_rng(1)
        parts = [_built(part) for part in rows]
        tests = rater_tests(parts, names, keys, exchange=False, replicates=300, rng=rng, confidence=0.95)
        return [end for one in tests for end in (one.value, one.p, one.interval.low, one.interval.high)]

    def statistic(patterns, *given):
        sizes.append(len(patterns.codes))
        return sum_statistic(patterns, *given)

    monkeypatch.setattr(rater_permutation, "sum_statistic", statistic)
    together = found()
    assert (max(sizes) == 4 * 25) is not gap  # where nothing is missing, four groups are one table
    monkeypatch.setattr(
        rater_permutation,
        "_values",
        lambda codes, scale, keys, groups: np.concatenate([one_by_one(codes, scale, keys, [one]) for one in groups]),
    )
    assert together == pytest.approx(found(), rel=1e-9)
