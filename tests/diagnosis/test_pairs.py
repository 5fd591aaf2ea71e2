import csv
from dataclasses import asdict
from math import isnan

import numpy as np
import pytest

from accord.diagnosis import agreement_with_correlation
from accord.diagnosis.pairs import pairs_of
from accord.ratings.build import build_ratings


def test_every_cell_of_the_lost_table_7_of_paper_002_is_computed(data, qgstec):
    with (data / "qgstec_pairs.csv").open() as file:
        cells = list(csv.DictReader(file))
    found = {(criterion, pair.title): pair for criterion, part in qgstec.items() for pair in pairs_of(part)}
    assert len(cells) == len(found) == 45
    for cell in cells:
        pair = found[cell["criterion"], cell["pair"].replace("-", "–")]
        assert pair.items == int(cell["n"])
        assert (pair.concordant, pair.discordant) == (int(cell["concordant"]), int(cell["discordant"]))
        assert pair.pi == pytest.approx(float(cell["fleiss_pi"]), abs=5e-7)
        assert pair.kappa == pytest.approx(float(cell["cohen"]), abs=5e-7)
        assert pair.agreement == pytest.approx(float(cell["agreement"]), abs=5e-7)
        if cell["gamma"]:
            assert pair.gamma == pytest.approx(float(cell["gamma"]), abs=5e-7)
        else:
            assert isnan(pair.gamma) and pair.untied == 0


def test_fine_scales_are_counted_like_coarse_ones(make_part, monkeypatch):
    table = np.random.default_rng(3).integers(0, 60, (300, 3)).astype(float)
    by_table = pairs_of(make_part(table))
    monkeypatch.setattr("accord.diagnosis.pairs._FEW_CELLS", 0)
    by_used_values = pairs_of(make_part(table))
    monkeypatch.setattr("accord.diagnosis.pairs._MOST_CELLS", 0)
    by_columns = pairs_of(make_part(table))
    for ways in zip(by_table, by_used_values, by_columns, strict=True):
        assert len({pair.title for pair in ways}) == 1
        first, *others = ([number for number in asdict(pair).values() if not isinstance(number, str)] for pair in ways)
        for other in others:
            assert other == pytest.approx(first, rel=1e-12, nan_ok=True)


def test_a_pair_counts_only_the_items_both_rated(make_part):
    nan = np.nan
    (pair,) = pairs_of(make_part([[1, 1], [2, nan], [3, 3], [nan, 2], [2, 3]]))
    assert pair.items == 3 and pair.agreement == pytest.approx(2 / 3) and (pair.higher, pair.lower) == (0, 1)


def test_gamma_and_kappa_of_constant_raters_have_no_value(make_part):
    (pair,) = pairs_of(make_part([[2, 2], [2, 2], [2, 2]]))
    assert isnan(pair.gamma) and isnan(pair.kappa) and pair.agreement == 1


def test_a_constant_rater_has_kappa_zero(make_part):
    (pair,) = pairs_of(make_part([[2, 1], [2, 2], [2, 3], [2, 2]]))
    assert pair.kappa == 0


def test_a_tiny_p_of_the_sign_test_is_told_as_people_write_it():
    rows = {"item": [], "rater": [], "value": []}
    for item in range(40):
        for rater, value in (("Ann", item % 4 + 1), ("Ben", item % 4 + 2)):
            for column, cell in zip(rows, (f"s{item}", rater, value), strict=True):
                rows[column].append(cell)
    side = agreement_with_correlation(build_ratings(rows, level="ordinal"))[-1]
    assert side.sign_p < 1e-9
    assert side.words.endswith("sign test p < .001)")
