"""The same numbers as other programs: the alternative annotator test, ppi-python, judgy, evalstats."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.diagnosis.part import parts_of
from accord.judging.alternative import alternative_annotator
from accord.judging.corrected import independent_mean
from accord.judging.panel import judges_of, panel_of
from accord.judging.shares import corrected_share, verdicts_from

ROOT = Path(__file__).parents[2]
RECORD = json.loads((ROOT / "tests/recorded/second_programs/judges.json").read_text(encoding="utf-8"))
EPSILON = {"wax": 0.1, "lgbteen": 0.2, "summeval": 0.2, "cebab_stars": 0.1}


@pytest.mark.parametrize("name", EPSILON)
def test_the_alternative_annotator_test_gives_the_published_values(data, name):
    folder = data / "judges"
    published = json.loads((folder / "published.json").read_text(encoding="utf-8"))
    part = parts_of(accord.read(folder / f"{name}.csv"))[0]
    models = judges_of(part)
    assert len(models) == 6
    for model in models:
        found = alternative_annotator(panel_of(part, model, models), epsilon=EPSILON[name])
        printed = published[f"{name}/{model}"]
        assert round(found.winning_rate, 2) == printed["winning_rate"]
        assert round(found.advantage, 2) == printed["advantage_probability"]
        assert found.passed == (printed["verdict"] == "PASSED")


@pytest.mark.parametrize("one", RECORD["ppi_mean_ci"], ids=lambda one: f"{one['labels']} labels")
def test_means_and_intervals_of_independent_items_are_those_of_ppi_python(one, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "tools"), *sys.path])
    from record_judge_programs import drawn

    found = independent_mean(*drawn(one["seed"], one["labels"], one["others"], one["noise"]))
    assert found.mean == pytest.approx(one["mean"], abs=1e-9)
    assert (found.interval.low, found.interval.high) == pytest.approx((one["low"], one["high"]), abs=1e-9)


def test_the_corrected_share_is_that_of_judgy():
    rng = np.random.default_rng(RECORD["judgy"]["seed"])
    truth = rng.random(200) < 0.6
    judge = np.where(rng.random(200) < 0.85, truth, ~truth)
    elsewhere = rng.random(1000) < 0.55
    rates = {"true_positive": judge[truth].mean(), "true_negative": (~judge[~truth]).mean()}
    assert corrected_share(elsewhere.mean(), **rates) == pytest.approx(RECORD["judgy"]["share"], abs=1e-9)


def test_judgys_interval_is_ours_where_every_item_is_its_own_document():
    """judgy redraws labelled items and takes the judge's share elsewhere as known; ours counts that it varies too."""
    rng = np.random.default_rng(RECORD["judgy"]["seed"])
    truth = rng.random(200) < 0.6
    judge = np.where(rng.random(200) < 0.85, truth, ~truth)
    elsewhere = rng.random(1000) < 0.55
    none = np.zeros(200)
    labelled = np.column_stack([judge & truth, truth, ~judge & ~truth, ~truth, none, none])
    others = np.column_stack([np.zeros((1000, 4)), elsewhere, np.ones(1000)])
    found = verdicts_from("yes", 200, np.vstack([labelled, others]).astype(float)).corrected_interval
    theirs = RECORD["judgy"]["low"], RECORD["judgy"]["high"]
    assert found.low < theirs[0] and found.high > theirs[1]
    # The share of 1,000 verdicts has an error of .016, which the rates make .023 after the correction.
    assert (found.low, found.high) == pytest.approx(theirs, abs=0.03)


@pytest.mark.parametrize(
    "case", [one for one in RECORD["ppi_mean_ci"] if "evalstats_mean" in one], ids=lambda one: f"{one['labels']} labels"
)
def test_evalstats_corrects_by_the_same_formula_with_another_weight(case, monkeypatch):
    """Its mean is ȳ + λ (f elsewhere - f there) too; its λ is drawn towards 0 or 1 the more, the fewer the labels.

    Both interval and weight are computed otherwise by design, so nothing says how far apart they may lie. The bounds
    below (.1 beside the shrinkage, a quarter of the width) were set after the record had been seen: they notice a
    change of ours, and are no evidence that either program is right.
    """
    monkeypatch.setattr(sys, "path", [str(ROOT / "tools"), *sys.path])
    from record_judge_programs import drawn

    people, there, elsewhere = drawn(case["seed"], case["labels"], case["others"], case["noise"])
    ours = independent_mean(people, there, elsewhere)
    gap = elsewhere.mean() - there.mean()
    # evalstats counts the judge's scores of all items as elsewhere, labelled ones too.
    everywhere = np.concatenate([there, elsewhere]).mean() - there.mean()
    theirs = (case["evalstats_mean"] - people.mean()) / everywhere
    drawn_by = 1 - case["labels"] / (case["labels"] + 20)
    assert abs(theirs - ours.weight * gap / everywhere) < drawn_by + 0.1
    assert case["evalstats_low"] < ours.mean < case["evalstats_high"]
    assert ours.interval.width == pytest.approx(case["evalstats_high"] - case["evalstats_low"], rel=0.25)
