"""Saving: every value is checked, nothing is overwritten, nothing is counted twice."""

from uuid import uuid4

import pytest


def task_of(client, scenario, place=0):
    return list(client.rater.tasks.filter(scenario=scenario).order_by("order"))[place]


def outcome(answer):
    assert answer.status_code == 200, answer.content
    return answer.json()["results"][0]


GOOD = [
    ("alone", "meaning", 0, 0), ("alone", "meaning", 0, 3), ("alone", "quality", 0, 0), ("alone", "quality", 0, 100),
    ("alone", "quality", 0, 33.5), ("alone", "kinds", 0, []), ("alone", "kinds", 0, ["wrong", "wrong", "left"]),
    ("alone", "marks", 0, []), ("alone", "marks", 0, [{"side": "target", "start": 0, "end": 5, "severity": "major"}]),
    ("alone", "marks", 0, [{"side": "target", "start": 6, "end": 7, "severity": "minor"},
                           {"side": "target", "start": 0, "end": 8, "severity": "major"}]),
    ("alone", "marks", 0, [{"side": "source", "start": 4, "end": 7, "severity": "minor", "omission": True}]),
    ("alone", "edit", 0, "O cão corre."), ("pair", "better", None, 1), ("pair", "better", None, "tie"),
    ("pair", "meaning", 1, 2), ("whole", "rank", None, [1, 1]), ("whole", "rank", None, [2, 1]),
]  # fmt: skip
BAD = [
    ("alone", "meaning", 0, 4), ("alone", "meaning", 0, "3"), ("alone", "meaning", 0, True), ("alone", "meaning", 1, 3),
    ("alone", "quality", 0, 99999), ("alone", "quality", 0, -1), ("alone", "quality", 0, "50"),
    ("alone", "quality", 0, True), ("alone", "kinds", 0, ["other"]), ("alone", "kinds", 0, "wrong"),
    ("alone", "marks", 0, [{"side": "target", "start": 5, "end": 5, "severity": "minor"}]),
    ("alone", "marks", 0, [{"side": "target", "start": 0, "end": 99, "severity": "minor"}]),
    ("alone", "marks", 0, [{"side": "target", "start": -1, "end": 2, "severity": "minor"}]),
    ("alone", "marks", 0, [{"side": "target", "start": 0, "end": 2, "severity": "fatal"}]),
    ("alone", "marks", 0, [{"side": "reference", "start": 0, "end": 2, "severity": "minor"}]),
    ("alone", "marks", 0, [{"side": "target", "start": 0, "end": 2, "severity": "minor", "html": "<b>"}]),
    ("alone", "edit", 0, 7), ("alone", "better", None, 0), ("pair", "better", None, 2),
    ("pair", "better", None, "alpha"),
    ("whole", "rank", None, [1]), ("whole", "rank", None, [0, 3]), ("alone", "nothing", 0, 1),
]  # fmt: skip


@pytest.mark.parametrize(("scenario", "criterion", "place", "value"), GOOD)
def test_an_answer_the_page_can_give_is_saved(working, save, scenario, criterion, place, value):
    from accord.server.models import Judgement

    task = task_of(working, scenario)
    told = outcome(save(working, {"task": task.pk, "criterion": criterion, "place": place, "value": value}))
    assert told["status"] == "saved"
    assert Judgement.objects.get(uuid=told["uuid"]).value == value


@pytest.mark.parametrize(("scenario", "criterion", "place", "value"), BAD)
def test_an_answer_off_the_scale_is_refused_in_words(working, save, scenario, criterion, place, value):
    from accord.server.models import Judgement

    task = task_of(working, scenario)
    told = outcome(save(working, {"task": task.pk, "criterion": criterion, "place": place, "value": value}))
    assert told["status"] == "refused" and told["message"]
    assert not Judgement.objects.filter(task=task).exists()


def test_the_same_entry_twice_is_acknowledged_twice_and_counted_once(working, save):
    from accord.server.models import Judgement

    entry = {"uuid": str(uuid4()), "task": task_of(working, "alone").pk, "criterion": "meaning", "place": 0, "value": 2}
    answers = [outcome(save(working, entry)) for _ in range(3)]
    assert {told["status"] for told in answers} == {"saved"}
    assert Judgement.objects.filter(uuid=entry["uuid"]).count() == 1


def test_another_answer_under_a_uuid_that_was_used_is_never_called_saved(working, save):
    from accord.server.models import Judgement

    entry = {"uuid": str(uuid4()), "task": task_of(working, "alone").pk, "criterion": "meaning", "place": 0, "value": 2}
    save(working, entry)
    told = outcome(save(working, {**entry, "value": 1}))
    assert told["status"] == "refused" and "taken" in told["message"]
    assert Judgement.objects.get(uuid=entry["uuid"]).value == 2


def test_a_correction_supersedes_and_the_first_answer_stays(working, save):
    from accord.server.models import Judgement
    from accord.server.progress import current_judgements

    task = task_of(working, "alone")
    common = {"task": task.pk, "criterion": "meaning", "place": 0}
    save(working, {**common, "value": 1, "revision": 1}, {**common, "value": 3, "revision": 2})
    assert [row.value for row in Judgement.objects.filter(task=task)] == [1, 3]
    assert current_judgements([task.pk])[task.pk, "meaning", 0].value == 3


def test_requests_that_arrive_in_the_wrong_order_do_not_bring_the_old_answer_back(working, save):
    from accord.server.progress import current_judgements

    task = task_of(working, "alone")
    common = {"task": task.pk, "criterion": "meaning", "place": 0}
    save(working, {**common, "value": 3, "revision": 2})
    save(working, {**common, "value": 1, "revision": 1})
    assert current_judgements([task.pk])[task.pk, "meaning", 0].value == 3


def test_a_judgement_can_neither_be_changed_nor_deleted(working, save):
    from accord.server.models import Judgement

    save(working, {"task": task_of(working, "alone").pk, "criterion": "meaning", "place": 0, "value": 1})
    row = Judgement.objects.filter(task__rater=working.rater).get()
    row.value = 3
    with pytest.raises(TypeError):
        row.save()
    with pytest.raises(TypeError):
        row.delete()


def test_a_rater_cannot_answer_for_another_nor_take_over_their_entry(working, save, collecting):
    from accord.server.invitations import invite_raters

    other = invite_raters(1)[0][0]
    foreign = other.tasks.filter(scenario="alone").first()
    told = outcome(save(working, {"task": foreign.pk, "criterion": "meaning", "place": 0, "value": 1}))
    assert told["status"] == "refused" and "not one of your tasks" in told["message"]


def test_the_uuid_of_somebody_else_s_entry_is_refused_and_their_answer_stays(working, save, collecting):
    from django.utils import timezone

    from accord.server.guidelines import latest
    from accord.server.invitations import invite_raters
    from accord.server.models import Judgement

    theirs = invite_raters(1)[0][0].tasks.filter(scenario="alone").first()
    taken = uuid4()
    common = {"criterion": "meaning", "place": 0}
    Judgement.objects.create(uuid=taken, task=theirs, value=3, guideline=latest(), made_at=timezone.now(), **common)
    told = outcome(save(working, {"uuid": str(taken), "task": task_of(working, "alone").pk, "value": 0, **common}))
    assert told["status"] == "refused" and Judgement.objects.get(uuid=taken).value == 3


def test_cannot_judge_is_an_answer_without_a_value(working, save):
    from accord.server.models import Judgement

    task = task_of(working, "alone")
    entry = {"task": task.pk, "criterion": "quality", "place": 0, "value": 50, "cannot": True}
    assert outcome(save(working, entry))["status"] == "saved"
    row = Judgement.objects.get(task=task)
    assert row.cannot_judge and row.value is None


def test_every_judgement_is_stamped_with_the_guideline_it_was_made_under(working, save, collecting):
    from accord.server.guidelines import publish
    from accord.server.models import GuidelineVersion, Judgement

    task = task_of(working, "alone")
    first = GuidelineVersion.objects.last().number
    save(working, {"task": task.pk, "criterion": "meaning", "place": 0, "value": 1, "guideline": first})
    second = publish("# Better words\n").number
    save(working, {"task": task.pk, "criterion": "meaning", "place": 0, "value": 2, "revision": 2, "guideline": second})
    assert second == first + 1 and publish("# Better words\n").number == second
    assert list(Judgement.objects.filter(task=task).values_list("guideline__number", flat=True)) == [first, second]


def test_a_guideline_changed_in_its_file_is_read_before_anybody_goes_on(working, collecting):
    from accord.server.guidelines import latest, publish_file

    publish_file(f"{latest().text}\nA lost *not* is always major.\n")
    assert working.get("/work").headers["Location"] == "/guidelines"
    assert "A lost *not* is always major." in working.get("/guidelines").content.decode()
    working.post("/guidelines")
    page = working.get("/work").content.decode()
    assert '<template id="changed">' in page and "A lost *not* is always major." in page


@pytest.mark.parametrize(
    ("told", "kept"), [(12.5, 12.5), (-3, 0.0), (1e9, 86400.0), ("5", 0.0), (None, 0.0), (float("nan"), 0.0)]
)
def test_times_are_never_negative_nor_longer_than_a_day(working, save, told, kept):
    from accord.server.models import Judgement

    task = task_of(working, "alone")
    save(working, {"task": task.pk, "criterion": "meaning", "place": 0, "value": 1, "seconds": told})
    assert Judgement.objects.get(task=task).seconds == kept


def test_a_clock_that_runs_ahead_is_set_back(working, save):
    from django.utils import timezone

    from accord.server.models import Judgement

    task = task_of(working, "alone")
    entry = {"task": task.pk, "criterion": "meaning", "place": 0, "value": 1}
    save(working, {**entry, "made": "2999-01-01T00:00:00Z"}, {**entry, "made": "rubbish", "revision": 2})
    assert all(row.made_at <= timezone.now() for row in Judgement.objects.filter(task=task))


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"entries": []}', '{"entries": 1}', "{" * 99])
def test_a_request_that_is_none_is_refused_without_a_trace(working, body):
    assert working.post("/save", body, content_type="application/json").status_code == 400


def test_an_expired_log_in_answers_401_so_that_the_browser_keeps_the_entry(client, save):
    assert save(client, {"task": 1}).status_code == 401


def test_an_optional_question_left_empty_is_recorded_and_counts_as_done(working, save):
    from accord.server.progress import current_judgements, done_tasks, settled_questions
    from accord.server.study import current

    task = task_of(working, "alone")
    answers = {"meaning": 1, "quality": 0, "kinds": [], "marks": [], "edit": None}
    save(working, *({"task": task.pk, "criterion": key, "place": 0, "value": v} for key, v in answers.items()))
    settled = settled_questions(current(), current_judgements([task.pk]))
    assert done_tasks(current(), [task], settled) == {task.pk}


def test_what_a_comment_may_be_about_is_named_where_it_is_refused_and_promised(working, save):
    from accord.server.api.rater_calls import Entry

    remark = {"kind": "remark", "task": task_of(working, "alone").pk, "about": "sentence", "text": "odd"}
    assert "`about` is item or text" in save(working, remark).content.decode()
    assert Entry.model_json_schema()["properties"]["about"]["enum"] == ["item", "text", "flag"]


def test_comments_are_kept_with_their_history_and_reach_the_export(working, save):
    from accord.server.export import rating_rows
    from accord.server.models import Remark

    task = task_of(working, "alone")
    remark = {"kind": "remark", "task": task.pk, "about": "item"}
    save(working, {**remark, "text": "odd"}, {**remark, "text": "odd =1+1", "revision": 2})
    save(working, {"task": task.pk, "criterion": "meaning", "place": 0, "value": 0})
    assert Remark.objects.filter(task=task).count() == 2
    rows = [row for row in rating_rows() if row["rater"] == working.rater.pseudonym]
    assert [(row["value"], row["comment"]) for row in rows] == [(0, "odd =1+1")]


def test_the_path_leads_step_by_step_and_cannot_be_skipped(client, rater):
    client.get(f"/i/{rater[1]}")
    assert client.get("/work")["Location"] == "/welcome"
    assert client.post("/welcome", {}).status_code == 200
    assert client.post("/welcome", {"consent": "yes"})["Location"] == "/about-you"
    assert client.post("/about-you", {"native": ""}).status_code == 200
    assert client.post("/about-you", {"native": "Klingon"}).status_code == 400
    assert client.post("/about-you", {"native": "another"})["Location"] == "/guidelines"
    assert client.post("/guidelines")["Location"] == "/work"
    assert client.get("/thanks")["Location"] == "/work"


def test_a_paused_rater_is_told_and_saves_nothing(working, save):
    working.rater.state = "paused"
    working.rater.save()
    assert working.get("/work").status_code == 403
    assert save(working, {"task": 1}).status_code == 401


def test_an_answer_that_was_taken_back_counts_nowhere_until_it_is_given_again(working, save):
    from accord.server.collected_rows import fetch_history
    from accord.server.export import rating_rows
    from accord.server.organiser.progress import progress

    task = task_of(working, "alone")
    own = [one for one in GOOD if one[0] == "alone"]
    answers = {criterion: value for _scenario, criterion, _place, value in own}
    for criterion, value in answers.items():
        save(working, {"task": task.pk, "criterion": criterion, "place": 0, "value": value})

    def counted():
        told = next(one for one in progress().raters if one.name == working.rater.pseudonym)
        rows = [row for row in rating_rows() if row["rater"] == working.rater.pseudonym]
        kept = sum(key == task.pk for key in fetch_history().now.judgements.task)
        return told.judgements, told.done, len(rows), kept

    all_of_them = (len(answers), 1, len(answers), len(answers))
    assert counted() == all_of_them
    again = {"task": task.pk, "criterion": "meaning", "place": 0}
    save(working, {**again, "value": None, "revision": 2})
    one_less = len(answers) - 1
    assert counted() == (one_less, 0, one_less, one_less)
    save(working, {**again, "value": None, "cannot": True, "revision": 3})
    assert counted() == all_of_them, "who cannot judge it has settled it"
    save(working, {**again, "value": 2, "revision": 4})
    assert counted() == all_of_them


def test_a_number_is_kept_as_the_study_spells_it(working, save):
    """1.0 beside 1 in one column are two values to other programs, and -0.0 is told otherwise by each database."""
    from accord.server.models import Judgement

    task = task_of(working, "alone")
    for criterion, value, kept in (("meaning", 1.0, "1"), ("quality", -0.0, "0.0")):
        told = outcome(save(working, {"task": task.pk, "criterion": criterion, "place": 0, "value": value}))
        assert told["status"] == "saved"
        assert repr(Judgement.objects.get(uuid=told["uuid"]).value) == kept
