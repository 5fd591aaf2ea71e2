"""Every interval, test and verdict keeps its promise: the fast version of tools/promises_study.py, and its record."""

import numpy as np
import pytest
from promises.promise import Promise, bound_error, parts
from promises.scores import lopsided, vendor
from promises.truths import drawn_anew, known
from promises_study import recorded

from accord.scoring.scarce import score

PARTS = tuple(parts())
FIRST = {(part.name, promise.name, promise.where): promise for part in PARTS for promise in reversed(part.promises)}
"""Of what is promised in many designs, the first design: it is drawn every time, the others by ``./test --whole``."""
ALL = [
    pytest.param(
        part.name,
        promise,
        id=f"{part.name}: {promise.key}",
        marks=() if FIRST[part.name, promise.name, promise.where] is promise else pytest.mark.long,
    )
    for part in PARTS
    for promise in part.promises
]


@pytest.mark.parametrize(("part", "promise"), ALL)
def test_the_promise_is_kept_as_often_as_recorded(part: str, promise: Promise) -> None:
    kept, studies = recorded(part)[promise.key]["quick"]
    assert studies == promise.quick
    assert promise.kept(studies) == kept


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_the_recorded_study_keeps_every_promise_or_says_what_the_program_tells_its_user(part) -> None:
    for promise in part.promises:
        kept, studies = recorded(part.name)[promise.key]["whole"]
        assert studies >= 400, promise.key
        assert promise.is_kept(kept, studies) or promise.fails, promise.key


def test_scores_near_an_end_whose_t_misses_the_mean_are_told_so() -> None:
    """The row of ``score --method t`` that says no: wherever t misses the true mean, the caution stands beside it."""
    made = [score(lopsided(np.random.default_rng(seed), 3), method="t") for seed in range(200)]
    missed = [one for one in made if 94.3 not in one.intervals[0].raw]
    assert len(missed) > 100
    assert all("lopsided" in " ".join(one.cautions) for one in missed)


def test_a_probability_from_three_works_is_told_to_be_too_high() -> None:
    """The row of ``score --history`` that says no: three works, all good."""
    made = [vendor(np.random.default_rng(seed), 3, 2, 1)[0] for seed in range(40)]
    assert all("Fewer than 10 earlier works" in " ".join(one.cautions) for one in made)


@pytest.mark.hard
@pytest.mark.parametrize(("part", "promise"), ALL)
def test_new_studies_agree_with_the_record(part: str, promise: Promise) -> None:
    kept, studies = recorded(part)[promise.key]["whole"]
    fresh = 200
    share = (kept + 1) / (studies + 2)
    error = bound_error(share, studies) + bound_error(share, fresh)
    assert abs(promise.kept(fresh, start=1_000_000) / fresh - share) <= 4 * error


@pytest.mark.hard
@pytest.mark.parametrize(("name", "given"), [(name, given) for name, truths in known().items() for given in truths])
def test_a_truth_drawn_anew_is_the_one_written_down(name: str, given: str) -> None:
    assert drawn_anew(name, given) == pytest.approx(known()[name][given], abs=1e-12)
