"""Arbitration: another person than the one who contests rules, and the score before and after is shown."""

import csv
import io
import json
import re

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


def test_only_scores_and_marks_can_be_contested(organiser, organised):
    from accord.server.models import Judgement

    row = Judgement.objects.filter(criterion="meaning").first()
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
    cut = expected.intervals[0]
    assert cut.is_cut and "is also shown cut to it" in page, "two scores 30 apart reach beyond the scale"
    assert f"{cut.raw.low:.1f} to {cut.raw.high:.1f} at 80%".replace("-", "−") in page.replace("-", "−")


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
    assert (found.unchanged, found.changed, found.rejected) == (0, 1, 1)
    told = second.get(f"/organiser/arbitration/{case.pk}").content.decode()
    assert "As marked: 0; changed: 1; rejected: 1." in told and "Ruled on: 2 of 2." in told
    assert found.rate_after.interval == error_rate(1, 10).interval and found.words == 10
    second.post(path, {"mark": "0", "ruling": "accept"})
    assert arbitrate(current(), case).after == 6, "the last ruling counts"
    contested.refresh_from_db()
    assert len(contested.value) == 2
    page = second.get(f"/organiser/arbitration/{case.pk}").content.decode()
    assert "10 → 6 points" in page and "by usual reviewers" in page and "(95%)" in page


@pytest.fixture
def other_case(organised):
    """Another judgement with two errors, contested by Ana, on which nobody has ruled."""
    from accord.server.models import Judgement
    from accord.server.models_organiser import Contest, Ruling

    rows = Judgement.objects.filter(criterion="marks", task__role="system", contest=None)
    row = next(row for row in rows if [mark["severity"] for mark in row.value] == ["major", "major"])
    case = Contest.objects.create(judgement=row, reason="Not so grave.", by="ana")
    yield case
    Ruling.objects.filter(contest=case).delete()
    case.delete()


def told(start, end, severity="minor", **more):
    return {"side": "target", "start": start, "end": end, "severity": severity, "category": "accuracy", **more}


def marked_by(client, case, marks, **more):
    path = f"/organiser/arbitration/{case.pk}/rule"
    return client.post(path, {"marks": json.dumps(marks), "note": "As I read it.", **more}).status_code


def test_the_points_follow_from_the_marks_of_the_arbiter(second, other_case):
    from accord.server.organiser.arbitration import arbitrate
    from accord.server.study import current

    # The first is lowered, the second deleted, a third is found: 5 + 5 becomes 1 + 5.
    assert marked_by(second, other_case, [told(0, 5, prefilled=0), told(6, 10, "major")]) == 302
    found = arbitrate(current(), other_case)
    assert (found.before, found.after) == (10, 6)
    assert [one.ruling for one in found.errors] == ["downgrade", "reject", "added"]
    assert (found.ruled, found.overturned, found.added, len(found.standing)) == (2, 2, 1, 2)
    page = second.get(f"/organiser/arbitration/{other_case.pk}").content.decode()
    assert "added by the arbiter" in page and "10 → 6 points" in page
    other_case.judgement.refresh_from_db()
    assert len(other_case.judgement.value) == 2, "the rater's own answer stays"


def test_what_was_ruled_last_on_an_error_counts_whether_by_marking_or_alone(second, other_case):
    from accord.server.organiser.arbitration import arbitrate
    from accord.server.study import current

    marked_by(second, other_case, [told(0, 5, "major", prefilled=0), told(6, 10)])
    second.post(f"/organiser/arbitration/{other_case.pk}/rule", {"mark": "0", "ruling": "reject"})
    found = arbitrate(current(), other_case)
    assert [one.ruling for one in found.errors] == ["reject", "reject", "added"] and found.after == 1
    second.post(f"/organiser/arbitration/{other_case.pk}/rule", {"mark": "1", "ruling": "accept"})
    assert arbitrate(current(), other_case).after == 6
    marked_by(second, other_case, [])
    assert arbitrate(current(), other_case).after == 0, "no errors at all is an answer"


def test_an_error_that_stands_elsewhere_or_graver_is_changed(second, other_case):
    from accord.server.organiser.arbitration import arbitrate
    from accord.server.study import current

    marked_by(second, other_case, [told(0, 3, "major", prefilled=0), told(3, 5, "major", prefilled=0)])
    first = arbitrate(current(), other_case).errors[0]
    assert (first.ruling, first.points, first.stands) == ("change", 5, 10)


@pytest.mark.parametrize("wrong", [[told(0, 500)], [told(0, 5, "grave")], [told(0, 5, prefilled=2)], [3], {"a": 1}])
def test_marks_that_no_rater_could_have_made_are_refused(second, other_case, wrong):
    assert marked_by(second, other_case, wrong) == 400
    assert second.post(f"/organiser/arbitration/{other_case.pk}/rule", {"marks": "["}).status_code == 400
    assert not other_case.rulings.exists()


def test_who_contested_gets_no_highlighter_and_cannot_mark(organiser, second, other_case):
    path = f"/organiser/arbitration/{other_case.pk}"
    assert "arbiter.js" in second.get(path).content.decode()
    assert "arbiter.js" not in organiser.get(path).content.decode()
    assert marked_by(organiser, other_case, []) == 400


def test_marks_beside_a_score_are_evidence_and_do_not_change_it(organiser, second, other_case):
    from accord.server.models import Judgement
    from accord.server.models_organiser import Contest
    from accord.server.organiser.arbitration import review
    from accord.server.study import current

    task = other_case.judgement.task
    row = Judgement.objects.get(task=task, criterion="quality")
    case = Contest.objects.create(judgement=row, reason="Too kind.", by="ana")
    assert marked_by(second, case, [told(0, 5, prefilled=0)]) == 400, "marks alone are no score"
    assert marked_by(second, case, [told(0, 5, prefilled=0)], score="40") == 302
    told_now = review(current(), case)
    assert told_now.others == (("bo", 40.0, "As I read it."),) and len(told_now.marks["bo"]) == 1
    page = second.get(f"/organiser/arbitration/{case.pk}").content.decode()
    assert "minor, accuracy" in page
    # Who looks again finds the own ruling as it was left: the rejected mark of the rater does not stand there again.
    left = json.loads(re.search(r'<script id="arbiter" type="application/json">(.*?)</script>', page, re.S)[1])
    assert [mark["prefilled"] for mark in left["standing"]] == [0] and len(left["marks"]) == 2
    assert 'value="40"' in page and 'value="As I read it."' in page and "at 80%" in page
    lines = list(csv.DictReader(io.StringIO(exported(organiser))))
    line = next(one for one in lines if one["contest"] == str(case.pk))
    assert (line["score"], line["marked"], json.loads(line["marks"])[0]["prefilled"]) == ("40.0", "marks", 0)
    assert float(line["after"]) == pytest.approx((row.value + 40) / 2)


def exported(client):
    return b"".join(client.get("/organiser/files/arbitration.csv").streaming_content).decode()


def test_every_ruling_is_exported_with_the_points_before_and_after_it(organiser, second, other_case):
    marked_by(second, other_case, [told(0, 5, "major", prefilled=0)])
    second.post(f"/organiser/arbitration/{other_case.pk}/rule", {"mark": "0", "ruling": "downgrade:minor"})
    lines = [one for one in csv.DictReader(io.StringIO(exported(organiser))) if one["contest"] == str(other_case.pk)]
    assert [(one["ruling"], one["error"], one["before"], one["after"]) for one in lines] == [
        ("marks", "", "10.0", "5.0"), ("downgrade", "0", "5.0", "1.0"),
    ]  # fmt: skip


def test_a_control_text_is_marked_as_one_and_not_arbitrated(organiser, organised):
    from accord.server.models import Judgement
    from accord.server.organiser.arbitration import can_be_contested
    from accord.server.study import current

    spoilt = Judgement.objects.filter(criterion="quality", task__role="degraded").select_related("task__rater").first()
    where = f"rater={spoilt.task.rater.pseudonym}&criterion=quality&words={spoilt.task.item}"
    page = organiser.get(f"/organiser/judgements?{where}").content.decode()
    assert "control: a spoilt copy" in page and "#bad" in page.replace("%23", "#")
    assert spoilt.task.texts[0][:40] in page, "the words that were judged, not those of the original"
    offered = can_be_contested(current())
    assert offered.filter(task__role="system").exists()
    assert not offered.filter(task__role__in=["degraded", "attention", "reference"]).exists()
    refused = organiser.post(f"/organiser/judgements/{spoilt.pk}/contest", {"reason": "Too low."})
    assert refused.status_code == 400 and "checks the rater" in refused.content.decode()


def test_the_list_of_arbitration_shows_texts_and_a_case_opens_in_plain_words(organiser, second, organised):
    from accord.server.models_organiser import Contest
    from accord.server.organiser.arbitration import can_be_contested
    from accord.server.screens import shown_texts
    from accord.server.study import current

    study = current()
    row = can_be_contested(study).filter(contest=None, criterion="marks").first()
    listed = organiser.get("/organiser/arbitration").content.decode()
    newest = can_be_contested(study).filter(contest=None).first()
    assert shown_texts(study, newest.task, newest.place or 0)["target"][:30] in listed
    organiser.post(f"/organiser/judgements/{row.pk}/contest", {"reason": "Not errors."})
    page = second.get(f"/organiser/arbitration/{Contest.objects.get(judgement=row).pk}").content.decode()
    opened = page[page.index('class="verdict"') :]
    assert f"Errors that {row.task.rater.pseudonym} marked in 10 words: {len(row.value)}." in opened
    assert opened.index("marked ") < opened.index("<details") < opened.index("per 1,000 words")
    assert "Rule on this error alone" in opened


def test_the_page_of_the_text_shows_what_was_ruled(organiser, second, organised):
    from accord.server.models import Judgement
    from accord.server.organiser.arbitration import contest, rated_name, review_score
    from accord.server.study import current

    given = Judgement.objects.filter(criterion="quality", task__role="system", contest=None).order_by("-id").first()
    case = contest(given, "Too low.", "ola")
    name = rated_name(current(), given)
    page = organiser.get(f"/organiser/items/{name}").content.decode()
    assert "quality: contested, waits for a decision" in page
    review_score(case, "10", "Not so good.", "second")
    after = f"{(given.value + 10) / 2:.1f}".removesuffix(".0")
    page = organiser.get(f"/organiser/items/{name}").content.decode()
    assert f"after arbitration {after}" in page and f"/organiser/arbitration/{case.pk}" in page
