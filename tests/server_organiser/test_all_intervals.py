"""Intervals of coefficients that are not among those to report: computed when somebody asks, of the same judgements."""

import re
import shutil

import pytest

from organised_study import logged_in


@pytest.fixture(scope="module")
def results(django_on, demonstration, tmp_path_factory):
    """Those of the demonstration study, which has items and documents enough for intervals."""
    django_on(shutil.copytree(demonstration.folder, tmp_path_factory.mktemp("whole") / "study"))
    from accord.server.models_organiser import Snapshot
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    Snapshot.objects.all().delete()
    assert refresh(here=True)
    return latest_snapshot().results


@pytest.fixture(scope="module")
def criterion(results):
    return results["groups"][0]["criterion"]


def ends(estimates):
    return {one["coefficient"]: (one["low"], one["high"]) for one in estimates}


def test_the_state_has_the_intervals_that_accord_agree_reports_and_says_so_of_the_others(results):
    from accord.reliability.group import UNTOLD
    from accord.reliability.run import told_agreement
    from accord.server.organiser.ratings import collect
    from accord.server.study import current

    reported = told_agreement(collect().analysed(), seed=current().settings.seed).groups
    compared = 0
    for group, alone in zip(results["groups"], reported, strict=True):
        wanted = {one.coefficient: one.interval for one in alone.estimates}
        assert ends(group["estimates"]) == {
            key: (interval.low, interval.high) if interval else (None, None) for key, interval in wanted.items()
        }
        told = {one["coefficient"] for one in group["estimates"] if one["low"] is not None}
        untold = {one["coefficient"] for one in group["estimates"] if UNTOLD in one["cautions"]}
        assert not told & untold and (not told or len(told) <= 4)
        compared += bool(told and untold)
    assert compared > 4


def test_all_intervals_are_of_the_same_numbers_and_leave_what_was_told_as_it_was(results):
    from accord.server.organiser.all_intervals import with_all_intervals

    whole = with_all_intervals(results["groups"])
    more = 0
    for before, after in zip(results["groups"], whole, strict=True):
        assert {**after, "estimates": 0} == {**before, "estimates": 0}
        for one, other in zip(before["estimates"], after["estimates"], strict=True):
            assert (one["coefficient"], one["value"]) == (other["coefficient"], other["value"])
            if one["low"] is None:
                more += other["low"] is not None
            else:
                # Drawn together with others, sums are added up in another order.
                assert (one["low"], one["high"]) == pytest.approx((other["low"], other["high"]), abs=1e-12)
                assert {**one, "low": 0, "high": 0} == {**other, "low": 0, "high": 0}
    assert more > 50


def test_the_page_of_a_criterion_computes_the_other_intervals_when_it_is_asked(results, criterion, monkeypatch):
    from accord.server.organiser import ratings

    client = logged_in("ana")

    def shown(query=""):
        page = client.get(f"/organiser/agreement/{criterion}{query}").content.decode()
        folded = page.split("Other coefficients:", 1)[1].split("</details>")[0]
        return page, sum("[" in row for row in re.findall(r'<tr><th scope="row">.*?</tr>', folded))

    page, intervals = shown()
    assert intervals <= 3 and '<a href="?intervals=all">' in page
    page, intervals = shown("?intervals=all")
    assert intervals > 10 and '<a href="?intervals=all">' not in page and "<details open>" in page
    monkeypatch.setattr(ratings, "MANY", 1)
    page, intervals = shown("?intervals=all")
    assert intervals <= 3 and "accord agree --all computes them" in page and '<a href="?intervals=all">' not in page


def test_a_program_asks_for_all_intervals_of_a_criterion(results, criterion, monkeypatch):
    from django.test import Client

    from accord.server.api.tokens import make_token
    from accord.server.organiser import ratings

    told = {"authorization": f"Bearer {make_token('organiser', 'all intervals')[1]}", "host": "127.0.0.1"}

    def ask(name):
        return Client().get(f"/api/v1/coefficients/{name}", headers=told)

    groups = ask(criterion).json()["groups"]
    own = [one["title"] for one in results["groups"] if one["criterion"] == criterion]
    assert [one["title"] for one in groups] == own
    assert sum(low is not None for low, _ in ends(groups[0]["estimates"]).values()) > 10
    assert ask("nothing").status_code == 404
    monkeypatch.setattr(ratings, "MANY", 1)
    refused = ask(criterion)
    assert refused.status_code == 400 and "accord agree --all" in refused.content.decode()


def test_where_nothing_to_report_has_an_interval_none_is_offered(organised):
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)
    page = logged_in("ana").get("/organiser/agreement/quality").content.decode()
    assert "Other coefficients:" in page and '<a href="?intervals=all">' not in page
