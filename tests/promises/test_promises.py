"""Every interval, test and verdict keeps its promise: the fast version of tools/promises_study.py, and its record."""

import pytest
from promises.promise import Promise, bound_error, parts
from promises.truths import drawn_anew, known
from promises_study import recorded

ALL = [
    pytest.param(part.name, promise, id=f"{part.name}: {promise.key}") for part in parts() for promise in part.promises
]


@pytest.mark.parametrize(("part", "promise"), ALL)
def test_the_promise_is_kept_as_often_as_recorded(part: str, promise: Promise) -> None:
    kept, studies = recorded(part)[promise.key]["quick"]
    assert studies == promise.quick
    assert promise.kept(studies) == kept


@pytest.mark.parametrize(("part", "promise"), ALL)
def test_the_recorded_study_keeps_the_promise_or_says_what_the_program_tells_its_user(part, promise) -> None:
    kept, studies = recorded(part)[promise.key]["whole"]
    assert studies >= 400
    assert promise.is_kept(kept, studies) or promise.fails


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
