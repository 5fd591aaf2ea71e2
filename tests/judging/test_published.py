"""The same numbers as other programs: the alternative annotator test, ppi-python, judgy."""

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
from accord.judging.shares import corrected_share

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
