"""Arbitration: another person than the one who contests rules, and the score before and after is shown."""

import pytest


@pytest.fixture(scope="module")
def contested(organised):
    """A judgement with two major errors of five points each, not contested yet."""
    from accord.server.models import Judgement

    rows = Judgement.objects.filter(criterion="marks", task__role="system")
    return next(row for row in rows if [mark["severity"] for mark in row.value] == ["major", "major"])


def test_a_score_is_contested_once_with_a_reason(organiser, contested):
    path = f"/organiser/judgements/{contested.pk}/contest"
    assert organiser.post(path, {"reason": ""}).status_code == 400
    assert organiser.post(path, {"reason": "The client's own term."}).status_code == 302
    assert organiser.post(path, {"reason": "again"}).status_code == 400


def test_only_scores_and_marked_errors_can_be_contested(organiser, organised):
    from accord.server.models import Judgement

    for row in (Judgement.objects.filter(criterion="meaning").first(),
                Judgement.objects.filter(criterion="marks", value=[]).first()):  # fmt: skip
        assert organiser.post(f"/organiser/judgements/{row.pk}/contest", {"reason": "no"}).status_code == 400


def test_a_contested_score_is_decided_with_an_interval_once_a_second_reviewer_scored(organiser, second, organised):
    from accord.scoring.scarce import score
    from accord.server.models import Judgement
    from accord.server.models_organiser import Contest

    row = Judgement.objects.filter(criterion="quality", task__role="system", value__gt=70).first()
    organiser.post(f"/organiser/judgements/{row.pk}/contest", {"reason": "Too kind."})
    path = f"/organiser/arbitration/{Contest.objects.get(judgement=row).pk}"
    assert "allows no interval" in second.get(path).content.decode()
    assert organiser.post(f"{path}/rule", {"score": "50"}).status_code == 400, "who contests does not score"
    for wrong in ("101", "x", "nan"):
        assert second.post(f"{path}/rule", {"score": wrong}).status_code == 400
    second.post(f"{path}/rule", {"score": "42"})
    expected = score([row.value, 42.0], threshold=60)
    page = second.get(path).content.decode()
    assert str(expected.decision.verdict) in page and f"{expected.intervals[0].clipped.high:.1f}" in page


def test_who_contests_does_not_rule_and_a_downgrade_must_weigh_less(organiser, second, contested):
    from accord.server.models_organiser import Contest

    path = f"/organiser/arbitration/{Contest.objects.get(judgement=contested).pk}"
    assert "somebody else rules" in organiser.get(path).content.decode()
    assert organiser.post(f"{path}/rule", {"mark": "0", "ruling": "reject"}).status_code == 400
    for wrong in ({"mark": "7", "ruling": "reject"}, {"mark": "0", "ruling": "praise"}, {"mark": "x"},
                  {"mark": "0", "ruling": "downgrade:major"}, {"mark": "0", "ruling": "downgrade:"}):  # fmt: skip
        assert second.post(f"{path}/rule", wrong).status_code == 400


def test_the_score_falls_by_what_is_rejected_and_downgraded_and_the_judgement_stays(second, contested):
    from accord.scoring.error_rates import error_rate
    from accord.server.models_organiser import Contest
    from accord.server.organiser.arbitration import arbitrate
    from accord.server.study import current

    case = Contest.objects.get(judgement=contested)
    path = f"/organiser/arbitration/{case.pk}/rule"
    assert arbitrate(current(), case).before == arbitrate(current(), case).after == 10
    second.post(path, {"mark": "0", "ruling": "reject", "note": "It is the term."})
    second.post(path, {"mark": "1", "ruling": "downgrade:minor"})
    found = arbitrate(current(), case)
    assert (found.before, found.after, found.ruled, found.overturned) == (10, 1, 2, 2)
    assert found.rate_after.interval == error_rate(1, 10).interval and found.words == 10
    second.post(path, {"mark": "0", "ruling": "accept"})
    assert arbitrate(current(), case).after == 6, "the last ruling counts"
    contested.refresh_from_db()
    assert len(contested.value) == 2
    page = second.get(f"/organiser/arbitration/{case.pk}").content.decode()
    assert "10 → 6 points" in page and "by usual reviewers" in page and "(95%)" in page
