"""Raters with documents, pairs of raters, and parts that are combined: which unit the interval is about."""

import numpy as np
import pytest

import accord
from accord.ratings.build import build_ratings

ALPHA = "krippendorff_alpha"


def _rated(documents=9, each=6, raters=4, scenarios=("",), left_out=(), seed=2):
    rng = np.random.default_rng(seed)
    rows = {name: [] for name in ("item", "rater", "value", "document", "scenario")}
    for scenario in scenarios:
        hard = np.repeat(rng.uniform(0.1, 1.2, documents), each)
        truth = rng.normal(0, 1, documents * each)
        for rater in range(raters):
            values = np.clip(np.rint(3 + truth + rng.normal(0, 1, len(truth)) * hard * (1 + rater / 3)), 1, 5)
            rows["item"] += [f"{scenario}i{at}" for at in range(len(truth))]
            rows["rater"] += [f"r{rater}"] * len(truth)
            rows["value"] += values.tolist()
            rows["document"] += [f"{scenario}d{at // each}" for at in range(len(truth))]
            rows["scenario"] += [scenario] * len(truth)
    dropped = {*left_out, *(() if len(scenarios) > 1 else ("scenario",))}
    return build_ratings({name: cells for name, cells in rows.items() if name not in dropped}, level="interval")


def _alpha(ratings, **asked):
    return accord.agreement(ratings, coefficients=ALPHA, **asked)[ALPHA]


def test_over_raters_and_documents_the_two_variances_are_added():
    ratings = _rated()
    raters, both = (_alpha(ratings, resample=unit) for unit in ("rater", "rater-and-document"))
    documents = _alpha(ratings, resample="document", interval="jackknife")
    assert both.standard_error == pytest.approx(np.hypot(raters.standard_error, documents.standard_error))
    assert "raters and documents" in both.interval.method
    assert both.question == "other documents and other raters"
    items = _alpha(ratings, resample="rater-and-item")
    assert items.question == "other items and other raters"
    assert both.interval.width > items.interval.width


def test_three_documents_speak_for_no_others_whoever_rates():
    found = _alpha(_rated(documents=3), resample="rater-and-document")
    assert found.interval is None
    assert "3 documents" in " ".join(found.cautions)


def test_where_raters_are_in_many_pairs_a_rater_is_the_unit_of_pairs_too():
    ratings = _rated()
    asked = {"coefficients": ["pearson", ALPHA]}
    pair, rater = (accord.agreement(ratings, **asked, resample=unit) for unit in ("pair", "rater"))
    assert pair["pearson"].interval == rater["pearson"].interval
    assert pair["pearson"].question == "other pairs of raters, these 54 items"
    assert pair[ALPHA].interval is None
    assert "no mean over pairs" in " ".join(pair[ALPHA].cautions)


def test_pairs_with_items_of_their_own_are_units_of_their_own():
    rng = np.random.default_rng(1)
    rows = {"item": [], "rater": [], "value": []}
    for pair in range(6):
        truth = rng.normal(0, 1, 15)
        for rater in range(2):
            rows["item"] += [f"{pair}-{at}" for at in range(15)]
            rows["rater"] += [f"r{pair}-{rater}"] * 15
            rows["value"] += np.round(truth + rng.normal(0, 0.3 + 0.2 * pair, 15), 2).tolist()
    ratings = build_ratings(rows, level="interval")
    found = accord.agreement(ratings, coefficients="pearson", resample="pair", pairs=True)
    values = found.groups[0].matrices[0].values
    own = np.array([values[2 * at][2 * at + 1] for at in range(6)], dtype=float)
    assert found["pearson"].standard_error == pytest.approx(own.std(ddof=1) / np.sqrt(6))
    assert "6 pairs of 12 raters" in found["pearson"].interval.method


def test_the_combined_alpha_is_about_other_documents_where_they_are_named():
    apart = ("alone", "context")
    named, nameless = (_alpha(_rated(scenarios=apart, left_out=out)) for out in ((), ("document",)))
    assert named.value == pytest.approx(nameless.value)
    assert named.question == "other documents, these 4 raters"
    assert nameless.question == "other items, these 4 raters"
    assert "jackknife over documents on Fisher's z" in named.interval.method
    few = _alpha(_rated(documents=1, each=12, scenarios=apart))
    assert few.interval is None
    assert "2 documents" in " ".join(few.cautions)
