"""Deciding: a dialog names whom it concerns and each number now and after; a toast takes it back."""

import re

import pytest

pytestmark = pytest.mark.usefixtures("organised")


def alpha_of(page, name):
    return re.search(rf"<th[^>]*>[^<]*{name}</th><td[^>]*>([^<]*)</td>", page)[1]


def test_the_dialog_names_the_rater_and_every_number_now_and_after(organiser, organised):
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    refresh(here=True)
    page = organiser.get("/organiser/raters/R5/ask/exclude").content.decode()
    assert (
        'role="dialog"' in page
        and "Leave out R5?" in page
        and re.search("Scores vary[^<]*one and the same score", page)
    )
    groups = {group["criterion"]: group["main"] for group in latest_snapshot().results["groups"] if group["main"]}
    for name, main in groups.items():
        assert alpha_of(page, name).startswith(f"{main['value']:.2f}"), "now is what the overview says"
    assert "Ratings counted" in page and "Pairs of systems told apart" in page
    after = re.search(r"meaning</th><td[^>]*>[^<]*</td><td[^>]*><b>([\d.]+)", page)[1]
    organiser.post("/organiser/raters/R5/decide", {"action": "exclude", "reason": "one value"})
    refresh(here=True)
    now = next(g["main"]["value"] for g in latest_snapshot().results["groups"] if g["criterion"] == "meaning")
    assert after == f"{now:.2f}", "and it becomes what the dialog said"
    assert organiser.get("/organiser/raters/R5/ask/paint").status_code == 404


def test_a_toast_says_once_what_was_done_and_undo_brings_the_state_before_back(organiser, organised):
    from accord.server.collected_rows import decided_raters
    from accord.server.organiser.ratings import state_of_judgements

    organiser.post("/organiser/raters/R2/decide", {"action": "include", "reason": "x"})  # refused: R2 counts
    before, state = decided_raters().get("R2"), state_of_judgements()
    assert before is None
    page = organiser.post("/organiser/raters/R2/decide", {"action": "exclude", "reason": "a try"}, follow=True)
    text = page.content.decode()
    assert "Left out of every number: R2." in text and ">Undo</button>" in text
    assert "Left out of every number: R2." not in organiser.get("/organiser/raters/R2").content.decode()
    assert state_of_judgements() != state
    keys = re.search(r'name="decisions" value="([\d,]+)"', text)[1]
    organiser.post("/organiser/decisions/undo", {"decisions": keys})
    assert decided_raters().get("R2") is None, "as if it had never been decided"
    assert state_of_judgements() == state
    from accord.server.models_organiser import Decision

    told = Decision.objects.latest("pk")
    assert (told.action, told.reason, told.by) == ("undo", "Undone: a try", "ana"), "but it is kept that it was"


def test_the_last_decision_can_be_undone_on_the_rater_s_page_however_late(organiser, organised):
    from accord.server.collected_rows import decided_raters

    organiser.post("/organiser/raters/R2/decide", {"action": "exclude", "reason": "a try"}, follow=True)
    organiser.get("/organiser")
    page = organiser.get("/organiser/raters/R2").content.decode()
    assert "Left out of every number: R2." not in page, "the toast was said before"
    keys = re.search(r'name="decisions" value="(\d+)"><button type="submit">Undo</button>', page)[1]
    organiser.post("/organiser/decisions/undo", {"decisions": keys})
    assert decided_raters().get("R2") is None
    organiser.get("/organiser")
    assert ">Undo</button>" not in organiser.get("/organiser/raters/R2").content.decode(), "an undoing is not undone"


def test_what_was_decided_since_is_not_undone_by_an_old_toast(organiser, organised):
    from accord.server.models_organiser import Decision

    organiser.post("/organiser/raters/R2/decide", {"action": "pause", "reason": "ill"})
    old = Decision.objects.latest("pk")
    organiser.post("/organiser/raters/R2/decide", {"action": "resume", "reason": "well"})
    page = organiser.post("/organiser/decisions/undo", {"decisions": str(old.pk)}, follow=True).content.decode()
    assert "Something else was decided about R2 since" in page
    assert organiser.post("/organiser/decisions/undo", {"decisions": "none"}).status_code == 404
    organiser.post("/organiser/decisions/undo", {"decisions": str(Decision.objects.latest("pk").pk)})
    assert Decision.objects.latest("pk").action == "pause"
    organiser.post("/organiser/raters/R2/decide", {"action": "resume", "reason": "well"})


def test_undoing_an_include_lets_the_rule_speak_again(organiser, organised):
    from accord.server.models_organiser import UNDO, Decision
    from accord.server.organiser.ratings import left_out_now

    Decision.objects.filter(rater__pseudonym="R5").delete()
    assert "R5" in left_out_now(), "R5 breaks a rule"
    organiser.post("/organiser/raters/R5/decide", {"action": "include", "reason": "counts"})
    assert "R5" not in left_out_now()
    organiser.post("/organiser/decisions/undo", {"decisions": str(Decision.objects.latest("pk").pk)})
    assert "R5" in left_out_now() and Decision.objects.latest("pk").action == UNDO


def test_rules_for_those_at_work_are_asked_about_first(organiser, organised, monkeypatch):
    from accord.server.models import Rater
    from accord.server.models_organiser import Decision

    Decision.objects.filter(rater__pseudonym="R5").delete()
    assert organiser.get("/organiser/quality/ask").status_code == 302, "nobody at work breaks a rule"
    person = Rater.objects.get(pseudonym="R5")
    task = person.tasks.filter(role="system").first()
    open_one = type(task).objects.create(
        rater=person, order=9_999, scenario=task.scenario, document=task.document, item=task.item, systems=task.systems
    )
    page = organiser.get("/organiser/quality/ask").content.decode()
    assert "Leave out R5?" in page and "R5 is still at work" in page and "Ratings counted" in page
    done = organiser.post("/organiser/quality/apply", {"everybody": "yes"}, follow=True).content.decode()
    assert "Left out of every number: R5." in done and ">Undo</button>" in done
    open_one.delete()
    Decision.objects.filter(rater__pseudonym="R5").delete()


def test_rules_apply_to_everybody_once_the_study_is_closed(organised):
    from accord.server.closing import change_study
    from accord.server.models import Rater
    from accord.server.models_organiser import Decision, StudyEvent
    from accord.server.organiser.ratings import left_out_now

    Decision.objects.filter(rater__pseudonym="R5").delete()
    person = Rater.objects.get(pseudonym="R5")
    task = person.tasks.filter(role="system").first()
    open_one = type(task).objects.create(
        rater=person, order=9_998, scenario=task.scenario, document=task.document, item=task.item, systems=task.systems
    )
    StudyEvent.objects.all().delete()
    from accord.server.organiser import ratings

    ratings._KEPT.clear()
    assert "R5" not in left_out_now(), "still at work"
    change_study("close", "ana")
    assert "R5" in left_out_now()
    change_study("reopen", "ana")
    assert "R5" not in left_out_now()
    open_one.delete()
    ratings._KEPT.clear()


def is_finished(rater):
    own = rater.tasks.exclude(role="practice")
    return own.exists() and not own.filter(judgements=None).exists()


def test_a_new_guideline_is_published_from_the_page_and_must_be_read(organiser, organised):
    from accord.server.guidelines import latest
    from accord.server.models import Judgement, Rater

    before = latest()
    refused = organiser.post("/organiser/guidelines", {"text": before.text, "change": "nothing"})
    assert refused.status_code == 400 and "already published" in refused.content.decode()
    assert organiser.post("/organiser/guidelines", {"text": "# New", "change": ""}).status_code == 400
    form = {"text": "# New\n", "change": "Clearer"}
    asked = organiser.post("/organiser/guidelines", form).content.decode()
    assert latest() == before and "# New\n" in asked, "it was published without a word on what that does"
    answers = Judgement.objects.exclude(task__role="practice").filter(task__rater__kind="human").count()
    assert f"Answers under version 1: {answers:,}." in asked and "Publish version 2?" in asked
    finished = [rater.pseudonym for rater in Rater.people.all() if is_finished(rater)]
    assert finished and f"Finished: {', '.join(finished)}." in asked
    done = organiser.post("/organiser/guidelines", {**form, "sure": "yes"}, follow=True)
    log = re.search(r"Revision log</h2>(.*?)</section>", done.content.decode(), re.S)[1]
    assert "Clearer" in log and "Version 2" in log and "No change yet." not in log
    file = b"".join(organiser.get("/organiser/files/revisions.csv").streaming_content).decode()
    assert ",2,,,Clearer," in file
    assert f"Version {before.number + 1} is published" in done.content.decode()
    assert latest().change == "Clearer" and not Rater.objects.exclude(guidelines_read=0).exists()


def test_what_was_decided_is_told_as_done_and_the_dialog_in_the_reader_s_language(organiser, organised):
    from accord.server.models_organiser import Decision

    organiser.post("/organiser/raters/R2/decide", {"action": "exclude", "reason": "a try"})
    organiser.post("/organiser/decisions/undo", {"decisions": str(Decision.objects.latest("pk").pk)})
    page = organiser.get("/organiser/raters/R2").content.decode()
    assert "<strong>Left out</strong> a try" in page and "</strong> Undone: a try" in page
    assert "Exclude" not in page and "<strong>Undo" not in page
    organiser.cookies["accord_language"] = "de"
    asked = organiser.get("/organiser/raters/R2/ask/exclude").content.decode()
    assert "Gezählte Urteile" in asked and "Ratings counted" not in asked and "told apart" not in asked
    del organiser.cookies["accord_language"]


def test_a_page_that_is_not_there_leads_back_to_the_overview(organiser, organised):
    answer = organiser.get("/organiser/report")
    assert answer.status_code == 404 and 'href="/organiser"' in answer.content.decode()


@pytest.fixture(autouse=True)
def restore(organised):
    """Every test leaves the raters as they were."""
    from accord.server.models_organiser import Decision

    kept = list(Decision.objects.values_list("pk", flat=True))
    yield
    Decision.objects.exclude(pk__in=kept).delete()
