"""Quality control: careless raters are seen, decisions are recorded with a reason, and nothing is deleted."""

import re

import pytest

from accord.design.study import Controls, Exclusion
from accord.ratings.build import build_ratings
from organised_study import answer_all


@pytest.fixture
def checks(organised):
    from accord.server.organiser.progress import progress
    from accord.server.organiser.quality import checks_of
    from accord.server.organiser.ratings import collect
    from accord.server.study import current

    return checks_of(current(), collect().criteria, progress().raters)


def outcome(checks, rater, rule, criterion=""):
    return [one.failed for one in checks[rater] if one.rule == rule and (not criterion or one.criterion == criterion)]


def test_a_rater_who_never_varies_fails_and_careful_ones_pass(checks):
    for criterion in ("meaning", "quality", "marks"):
        assert outcome(checks, "R5", "no_variation", criterion) == [True]
        assert outcome(checks, "R5", "degraded_not_lower", criterion) == [True]
    for rater in ("R1", "R2", "R4"):
        assert outcome(checks, rater, "degraded_not_lower", "quality") == [False]
        assert outcome(checks, rater, "gold_wrong", "meaning") == [False]
        assert outcome(checks, rater, "attention_failed", "meaning") == [False]
        assert outcome(checks, rater, "constant_run", "quality") == [False]


def test_penalties_of_spoilt_copies_are_higher_and_still_count_as_lower_quality(checks):
    assert [check.declared for check in checks["R1"] if check.rule == "degraded_not_lower"] == [True] * 3
    assert outcome(checks, "R1", "degraded_not_lower", "marks") == [False]


def test_rules_that_were_not_declared_are_shown_but_not_called_declared(checks):
    shown = {check.rule: check.declared for check in checks["R1"]}
    assert shown["repeats_differ"] is False and shown["gold_wrong"] is True
    assert "too_fast" not in shown and "incomplete" not in shown


def test_the_effect_of_leaving_out_is_the_librarys_own_difference(organised):
    import accord
    from accord.server.organiser.effect import effect_of
    from accord.server.organiser.ratings import collect

    effects = effect_of(collect(), "R5")
    alpha = next(one for one in effects if one.group == "meaning" and one.coefficient == "Krippendorff's α")
    without = collect().ordinary("meaning", ["R5"])
    assert alpha.without == pytest.approx(accord.agreement(without, interval="none")["krippendorff_alpha"].value)
    assert alpha.change > 0.1


def test_a_decision_needs_a_reason_and_is_taken_back_by_its_opposite(organiser, organised):
    from accord.server.models import Judgement
    from accord.server.models_organiser import Decision
    from accord.server.organiser.ratings import collect, excluded_raters

    before = Judgement.objects.count()
    path = "/organiser/raters/R5/decide"
    assert organiser.post(path, {"action": "exclude", "reason": " "}).status_code == 400
    assert organiser.post(path, {"action": "explode", "reason": "x"}).status_code == 400
    assert not excluded_raters()
    assert organiser.post(path, {"action": "exclude", "reason": "Did not read."}).status_code == 302
    assert list(excluded_raters()) == ["R5"]
    assert collect().ordinary("meaning", excluded_raters()).raters == 3
    assert organiser.post(path, {"action": "exclude", "reason": "again"}).status_code == 400
    assert organiser.post(path, {"action": "include", "reason": "A mistake."}).status_code == 302
    assert not excluded_raters() and Judgement.objects.count() == before
    told = [(one.action, one.reason, one.by) for one in Decision.objects.all()][1:]
    assert told == [("exclude", "Did not read.", "ana"), ("include", "A mistake.", "ana")]


@pytest.fixture
def undecided(organised):
    """Nobody has decided about R5, who finished and breaks two declared rules."""
    from accord.server.models_organiser import Decision

    decided = list(Decision.objects.filter(rater__pseudonym="R5"))
    Decision.objects.filter(rater__pseudonym="R5").delete()
    yield
    Decision.objects.filter(rater__pseudonym="R5").delete()
    Decision.objects.bulk_create(decided)


@pytest.mark.usefixtures("undecided")
def test_whoever_finished_and_breaks_a_rule_is_out_of_every_number_until_an_organiser_decides(organiser, organised):
    from accord.ratings.leaving_out import with_exclusions
    from accord.reporting.analysis import analyse
    from accord.server.organiser.ratings import all_ratings, collect

    assert "They are left out of every number" in organiser.get("/organiser/quality").content.decode()
    made = analyse(with_exclusions(all_ratings()))
    assert "R5" not in made.ratings.rater.names and collect().analysed().fingerprint == made.ratings.fingerprint
    line = "left out: rater R5, by the rule 'degraded not lower' declared before collection: meaning: "
    assert [one for one in made.exclusions if one.startswith(line)]
    rows = b"".join(organiser.get("/organiser/files/exclusions.csv").streaming_content).decode()
    assert rows.count("declared rule") == 3 and "excluded rater,R5,degraded_not_lower" in rows
    organiser.post("/organiser/raters/R5/decide", {"action": "include", "reason": "Was ill."})
    made = analyse(with_exclusions(all_ratings()))
    assert "R5" in made.ratings.rater.names and collect().analysed().fingerprint == made.ratings.fingerprint
    assert made.sanity[0].startswith("rater R5 breaks the declared rule 'degraded not lower'")
    assert "counted again on" in made.sanity[0] and "Was ill." in made.sanity[0]


@pytest.mark.usefixtures("undecided")
def test_the_gate_leaves_raters_out_though_no_rule_was_declared(organised, monkeypatch):
    from accord.ratings.leaving_out import with_exclusions
    from accord.server.organiser.ratings import all_ratings
    from accord.server.study import current

    settings = current().settings.model_copy(update={"exclusions": ()})
    monkeypatch.setattr(type(current()), "settings", property(lambda study: settings))
    left_out = with_exclusions(all_ratings()).codebook.left_out
    assert [(one.rater, one.rule, one.declared) for one in left_out] == [("R5", "degraded_not_lower", False)]


@pytest.mark.usefixtures("undecided")
def test_where_rules_would_leave_nobody_everybody_counts_and_it_is_said(organiser, organised):
    from accord.server.models import Rater
    from accord.server.models_organiser import Decision
    from accord.server.organiser.closing_effect import effect_of_closing
    from accord.server.organiser.raters import leave_out_by_rules
    from accord.server.organiser.ratings import all_ratings

    for rater in Rater.people.exclude(pseudonym="R5"):
        Decision.objects.create(rater=rater, action="exclude", reason="for this test", by="ana")
    book, page = all_ratings().codebook, organiser.get("/organiser/quality").content.decode()
    closing, applied = effect_of_closing(), leave_out_by_rules("ana")
    Decision.objects.filter(reason="for this test").delete()
    assert "They are left out of every number" not in page
    needed = re.search(r"nobody would be left without them:</p><ul>(.*?)</ul>", page, re.S)[1]
    assert set(re.findall(r"/raters/(\w+)", needed)) == {"R5"}
    assert not closing.leaving and closing.needed == ["R5"] and not closing.again
    assert applied == [], "rules that leave nobody are not applied either"
    assert "R5" not in {one.rater for one in book.left_out}
    assert [(one.rater, "nobody would be left" in one.reason) for one in book.breaks_rules] == [("R5", True)]


@pytest.mark.usefixtures("undecided")
def test_a_rater_who_is_still_at_work_is_left_out_only_when_that_is_asked_for(organiser, organised):
    """A rule may look different when the work is done: nobody is left out who still sits there."""
    from accord.server.models import Rater
    from accord.server.models_organiser import Again
    from accord.server.organiser.decisions import give_again
    from accord.server.organiser.ratings import all_ratings, excluded_raters, left_out_now

    rater = Rater.objects.get(pseudonym="R5")
    give_again(rater, [rater.tasks.exclude(role="practice").first()])
    page = organiser.get("/organiser/quality").content.decode()
    assert "Still at work" in page and "They are left out of every number" not in page
    assert not left_out_now() and all_ratings().codebook.breaks_rules[0].reason.endswith("still at work")
    organiser.post("/organiser/quality/apply")
    assert not excluded_raters()
    organiser.post("/organiser/quality/apply", {"everybody": "yes"})
    assert list(excluded_raters()) == ["R5"]
    given = list(rater.tasks.filter(again__isnull=False).values_list("pk", flat=True))
    Again.objects.filter(task__in=given).delete()
    rater.tasks.filter(pk__in=given).delete()


def test_a_paused_rater_cannot_save_until_resumed(organiser, organised, rater_client):
    name = "R1"
    organiser.post(f"/organiser/raters/{name}/decide", {"action": "pause", "reason": "Wait for the discussion."})
    assert rater_client.get("/work").status_code == 403
    answer = rater_client.post("/save", '{"entries": []}', content_type="application/json")
    assert answer.status_code == 401
    organiser.post(f"/organiser/raters/{name}/decide", {"action": "resume", "reason": "Discussed."})
    assert rater_client.get("/work").status_code == 302 or rater_client.get("/work").status_code == 200


def test_redone_work_counts_instead_of_the_old_and_the_old_stays(organiser, organised):
    import numpy as np

    from accord.server.models import Judgement, Rater, RaterState
    from accord.server.organiser.ratings import collect

    rater = Rater.objects.get(pseudonym="R5")
    before = Judgement.objects.count()
    tasks = rater.tasks.exclude(role="practice").count()
    organiser.post("/organiser/raters/R5/decide", {"action": "redo", "reason": "Please read the texts."})
    rater.refresh_from_db()
    assert rater.tasks.exclude(role="practice").count() == 2 * tasks and rater.state == RaterState.ACTIVE
    again = rater.tasks.filter(again__isnull=False)
    assert collect().criteria["quality"].only(rater="R5").scores.std() == 0
    answer_all(rater, np.random.default_rng(3), tasks=list(again))
    redone = collect().criteria["quality"].only(rater="R5")
    assert len(redone) == tasks and redone.scores.std() > 10
    assert Judgement.objects.count() == before + 3 * tasks


def test_with_very_many_judgements_the_checks_come_from_the_newest_results(organiser, organised, monkeypatch):
    from accord.server.organiser import raters, ratings
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)
    now = organiser.get("/organiser/quality").content
    monkeypatch.setattr(ratings, "MANY", 0)
    monkeypatch.setattr(raters, "collect", None)
    kept = organiser.get("/organiser/quality").content
    assert kept.count(b"passed") == now.count(b"passed") > 0


def test_with_very_many_judgements_the_effect_is_kept_and_renewed_beside_the_page(organiser, organised, monkeypatch):
    from accord.server.models import Judgement, Rater
    from accord.server.organiser import kept_effect, ratings

    started = []
    name = Rater.objects.first().pseudonym
    now = kept_effect.shown_effect(Rater.objects.first()).effects
    monkeypatch.setattr(ratings, "MANY", 0)
    monkeypatch.setattr(kept_effect, "start", lambda what, name: started.append(name))
    page = organiser.get(f"/organiser/raters/{name}").content.decode()
    assert "appears here by itself" in page and f"/organiser/raters/{name}/effect" in page
    organiser.get(f"/organiser/raters/{name}")
    assert started == [name], "one computation, however often the page is asked for"
    kept_effect.compute_effect(name)
    shown = kept_effect.shown_effect(Rater.objects.first())
    assert shown.effects == now and shown.newer == 0 and not shown.computing and started == [name]
    last = Judgement.objects.last()
    Judgement.objects.create(
        uuid="00000000-0000-4000-8000-000000000001", task=last.task, criterion=last.criterion, place=last.place,
        value=last.value, guideline=last.guideline, revision=last.revision + 1, made_at=last.made_at,
    )  # fmt: skip
    part = organiser.get(f"/organiser/raters/{name}/effect").json()["parts"]["effect"]
    assert "Newer judgements since: 1" in part and now[0].coefficient in part


def _timed(answers, seconds, criteria=("one",)):
    """A rater's only batch, with so many answers to each question in so much time altogether."""
    return {
        key: build_ratings({
            "item": [f"i{place}" for place in range(answers)], "rater": ["R1"] * answers, "value": [3.0] * answers,
            "batch": ["1"] * answers, "time_s": [seconds / answers / len(criteria)] * answers,
        }, level="interval")
        for key in criteria
    }  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "seconds", "fails"),
    [(100, 299, True), (100, 301, False), (8, 129, False), (4, 38, False), (10, 29, True), (10, 31, False)],
)
def test_a_batch_that_is_not_whole_has_its_share_of_the_time_of_a_whole_one(answers, seconds, fails):
    """Eight answers at the planned pace took less than the five minutes of a hundred, and were called unread."""
    from accord.server.organiser.quality import _speed

    controls = Controls(repeats=10, degraded=10, references=10, per="batch", batch=70)
    rules = {"too_fast": Exclusion(rule="too_fast", limit=300, reason="not read")}
    for criteria in (("one",), ("one", "two")):
        (check,) = _speed(controls, _timed(answers, seconds, criteria), rules)
        assert check.failed is fails
        assert ("which take" in check.words) is (answers < 100)


def test_a_batch_of_all_that_a_rater_does_has_the_limit_as_it_is():
    from accord.server.organiser.quality import _speed

    rules = {"too_fast": Exclusion(rule="too_fast", limit=300, reason="not read")}
    (check,) = _speed(Controls(), _timed(8, 129), rules)
    assert (check.failed, check.words) == (True, "129 s for the fastest batch")


def test_the_rest_of_a_few_texts_decides_about_nobody():
    """The seventy-first text of a study in batches of seventy was a batch of its own, answered in three seconds."""
    from accord.server.organiser.quality import _speed

    controls = Controls(batch=70)
    rules = {"too_fast": Exclusion(rule="too_fast", limit=300, reason="not read")}
    rows = 71
    ratings = build_ratings({
        "item": [f"i{place}" for place in range(rows)], "rater": ["R1"] * rows, "value": [3.0] * rows,
        "batch": ["1"] * 70 + ["2"], "time_s": [5.0] * 70 + [3.0],
    }, level="interval")  # fmt: skip
    (check,) = _speed(controls, {"one": ratings}, rules)
    assert (check.failed, check.words) == (False, "350 s for the fastest batch")
