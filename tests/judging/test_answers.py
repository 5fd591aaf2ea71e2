"""Every run and order of a judge counts; of several ways of asking one is looked at, and it is said which."""

import numpy as np
import polars as pl
import pytest

import accord
from accord.errors import OptionError


def _read(rows, columns):
    return accord.read(pl.DataFrame(rows, schema=columns, orient="row"))


def _scores(runs, *, prompts=("v1",), seed=1, turn=False):
    """Forty items in ten documents; each later run of the judge is a point higher."""
    rng = np.random.default_rng(seed)
    rows = []
    for place in range(40):
        truth = int(rng.integers(2, 4))
        item = (f"i{place}", f"d{place // 4}")
        for prompt in prompts:
            for run in range(runs):
                more = 1 if prompt == "v2" else 0
                rows.append((*item, "judge", "model", min(5, truth + run + more), run + 1, prompt))
        rows += [(*item, name, "human", int(np.clip(truth + rng.integers(-1, 2), 1, 5)), 1, "") for name in "abc"]
    return _read(rows[::-1] if turn else rows, ["item", "document", "rater", "kind", "value", "run", "prompt"])


def test_every_run_counts_as_much_as_the_first():
    one, three = (accord.judge(_scores(runs)).result.parts[0] for runs in (1, 3))
    assert three.apart.value == pytest.approx(one.apart.value + 1, abs=0.02)
    assert three.measures[0].overall.judge_only == pytest.approx(one.measures[0].overall.judge_only + 1, abs=0.02)
    assert three.beside[0].judge < one.beside[0].judge
    assert "up to 3 times" in str(accord.judge(_scores(3)))


def test_runs_may_stand_in_any_order_of_rows():
    here, there = (accord.judge(_scores(3, turn=turn)).result.parts[0] for turn in (False, True))
    assert here.test.winning_rate == there.test.winning_rate
    assert here.measures[0].overall.mean == pytest.approx(there.measures[0].overall.mean)
    assert here.beside[0].judge == pytest.approx(there.beside[0].judge)


def test_a_second_prompt_is_another_judge_and_is_not_mixed_in():
    ratings = _scores(1, prompts=("v1", "v2"))
    usual, other = accord.judge(ratings), accord.judge(ratings, setting={"prompt": "v2"})
    assert usual.result.parts[0].apart.value == pytest.approx(accord.judge(_scores(1)).result.parts[0].apart.value)
    assert other.result.parts[0].apart.value == pytest.approx(usual.result.parts[0].apart.value + 1, abs=0.02)
    assert "this is about prompt v1, not v2" in " ".join(str(usual).split())
    assert usual.result.facts.prompt == "v1" and usual.result.facts.fingerprint != other.result.facts.fingerprint
    with pytest.raises(OptionError, match="judged with v1 and v2"):
        accord.judge(ratings, setting={"prompt": "v3"})


def _pairs(values, *, first):
    """Sixty pairs judged in both orders by a judge that says the same output each time."""
    rng = np.random.default_rng(4)
    rows = []
    for place in range(60):
        better = bool(rng.random() < 0.6)
        item = (f"i{place}", f"d{place // 6}")
        orders = ("yes", "no") if first else ("no", "yes")
        for swapped in orders:
            said = better != (swapped == "yes") if values == ("first", "second") else better
            rows.append((*item, "judge", "model", values[0 if said else 1], swapped))
        rows += [(*item, name, "human", values[0 if better else 1], "no") for name in "abc"]
    return _read(rows, ["item", "document", "rater", "kind", "value", "swapped"])


@pytest.mark.parametrize("values", [("A", "B"), ("first", "second")])
@pytest.mark.parametrize("first", [True, False])
def test_choices_count_in_both_orders_whatever_row_comes_first(values, first):
    """Where choices name places, those of swapped pairs name the other output."""
    part = accord.judge(_pairs(values, first=first)).result.parts[0]
    assert part.beside[0].judge == pytest.approx(1) and part.apart.value == pytest.approx(0)
    assert part.verdicts.true_positive == pytest.approx(1) and part.verdicts.true_negative == pytest.approx(1)


def test_a_judge_that_always_takes_the_first_output_is_right_half_of_the_time():
    rng = np.random.default_rng(4)
    rows = []
    for place in range(60):
        better, item = bool(rng.random() < 0.6), (f"i{place}", f"d{place // 6}")
        rows += [(*item, "judge", "model", "A" if swapped == "no" else "B", swapped) for swapped in ("no", "yes")]
        rows += [(*item, name, "human", "A" if better else "B", "no") for name in "abc"]
    part = accord.judge(_read(rows, ["item", "document", "rater", "kind", "value", "swapped"])).result.parts[0]
    assert part.apart.value == pytest.approx(0.5)
    assert part.measures[0].overall.judge_only == pytest.approx(0.5)
