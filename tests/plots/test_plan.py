"""The picture of a plan shows every criterion."""

import numpy as np
import pytest

from accord.plots.plan import Widths, expected_widths

pytest.importorskip("altair")


@pytest.mark.parametrize("names", [("adequacy",), ("adequacy", "fluency")])
def test_each_criterion_has_a_panel_with_the_place_of_the_plan(names):
    panels = [Widths(name, (10, 20), (2, 3), np.array([[0.4, 0.3], [0.3, 0.2]]), (15, 0.35)) for name in names]
    chart = expected_widths(panels, title="T", axis="width")
    assert {row["criterion"] for row in chart.rows} == set(names) and len(chart.rows) == 4 * len(names)
    drawn = chart.spec.get("vconcat", [chart.spec])
    assert len(drawn) == len(names)
    assert chart.to_svg().count(">this plan<") == len(names)
