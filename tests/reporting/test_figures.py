"""Charts of ratings show the coefficient that fits them."""

import numpy as np
import pytest

import accord
from accord.errors import ColumnError, OptionError
from accord.ratings.build import build_ratings
from accord.reporting.figures import draw


@pytest.mark.parametrize(("level", "coefficient"), [("ordinal", "cohen_kappa"), ("interval", "cohen_kappa_quadratic")])
def test_the_matrix_of_pairs_has_the_kappa_that_fits_the_scale(level, coefficient):
    draws = np.random.default_rng(3)
    scores = np.rint(50 + 15 * draws.standard_normal((60, 1)) + 8 * draws.standard_normal((60, 3)))
    ratings = accord.read(scores, level=level)
    found = accord.agreement(ratings, coefficients=coefficient, interval="none", pairs=True).groups[0].matrices[0]
    chart = draw("pair-matrix", ratings)
    assert found.title in str(chart.headings) + str(chart.spec)
    shown = {(row["one"], row["other"]): row["value"] for row in chart.rows if row["value"] is not None}
    known = dict(zip(found.raters, range(len(found.raters)), strict=True))
    assert shown
    for (one, other), value in shown.items():
        assert value == pytest.approx(found.values[known[one], known[other]], abs=1e-3, nan_ok=True)


def test_drift_is_drawn_only_where_somebody_said_what_came_first():
    draws = np.random.default_rng(3)
    rows = [
        {"item": f"i{item}", "rater": rater, "value": int(draws.integers(1, 6)), "order": place}
        for place, item in enumerate(range(40))
        for rater in ("ann", "bob", "cyd")
    ]
    frame = {name: [row[name] for row in rows] for name in rows[0]}
    assert "changes most" in draw("drift", build_ratings(frame, level="ordinal")).title
    with pytest.raises(ColumnError, match="a column 'order'"):
        draw("drift", build_ratings({name: frame[name] for name in ("item", "rater", "value")}, level="ordinal"))


@pytest.mark.parametrize("target", ["missing/chart.svg", "folder.png"])
def test_a_chart_that_cannot_be_written_is_told_in_one_sentence(tmp_path, target):
    (tmp_path / "folder.png").mkdir()
    chart = draw("category-use", accord.read(np.array([[1, 2], [2, 2], [1, 1]])))
    with pytest.raises(OptionError, match=r"^The chart cannot be written to '.*': .*\. Name another file\.$"):
        chart.save(tmp_path / target)
