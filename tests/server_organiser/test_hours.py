"""Hours and money: every page counts the minutes around the work once a rater, and says so."""

import re

import pytest

pytestmark = pytest.mark.usefixtures("organised")


@pytest.fixture
def twenty_minutes(organised, monkeypatch):
    """The study declares 20 minutes a rater for guidelines, practice and questions."""
    from accord.server.organiser import progress, watched
    from accord.server.study import current

    monkeypatch.setitem(current().settings.cost.__dict__, "minutes_fixed", 20.0)
    for kept in (progress._KEPT, watched._KEPT):
        kept.clear()
    yield current().settings
    for kept in (progress._KEPT, watched._KEPT):
        kept.clear()


def facts(page):
    """The figures of the card Pace: hours and money by their name."""
    found = re.findall(r"<dt>([^<]+)</dt><dd>([\d.]+) h, ([\d,]+) EUR</dd>", page)
    return {name: (float(hours), float(money.replace(",", ""))) for name, hours, money in found}


def test_money_is_hours_times_pay_and_fixed_minutes_count_once_a_rater(organiser, twenty_minutes):
    from accord.server.organiser.dashboard import _in_all
    from accord.server.organiser.progress import progress

    counted = progress()
    begun = [one for one in counted.raters if one.last]
    spent = sum(one.minutes for one in counted.raters)
    assert 60 * counted.hours == pytest.approx(spent + 20 * len(begun))
    assert counted.cost == pytest.approx(30.0 * counted.hours)
    in_all = _in_all(counted)
    per_screen = spent / counted.done
    assert 60 * in_all["hours_in_all"] == pytest.approx(per_screen * counted.tasks + 20 * len(counted.raters))
    assert in_all["cost_in_all"] == pytest.approx(30.0 * in_all["hours_in_all"])
    assert in_all["hours_in_all"] >= counted.hours


def test_what_is_planned_done_and_expected_stand_beside_each_other_in_words(organiser, twenty_minutes):
    page = organiser.get("/organiser").content.decode()
    told = facts(page)
    assert list(told) == ["As planned", "Work so far", "Expected in all"]
    assert all(money == pytest.approx(30 * hours, abs=2) for hours, money in told.values())
    assert "once for each rater, 20 minutes" in page


def test_the_plan_and_the_dashboard_expect_the_same(organiser, twenty_minutes):
    from accord.planning.preview import preview_study
    from accord.server.handing_out import current_plan
    from accord.server.organiser.progress import progress
    from accord.server.study import current

    workloads = preview_study(current().study, current_plan(), studies=2).workloads
    planned = {(one.tasks, round(one.minutes, 6)) for one in workloads}
    told = {(one.tasks, round(one.planned, 6)) for one in progress().raters}
    assert told and told <= planned
