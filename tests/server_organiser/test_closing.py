"""Before a study is closed its page names whom the rules leave out then, and each number now and after."""

import re

import pytest

from organised_study import fill_in, write_study
from served_workspace import Workspace


@pytest.fixture(scope="module")
def folder(django_on, tmp_path_factory):
    """A study of a workspace: three raters have finished, R5 answers everything alike and is still at work."""
    made = django_on(write_study(tmp_path_factory.mktemp("space") / "bridges"))
    fill_in()
    from accord.server.models import Judgement, Rater

    hasty = Rater.objects.get(pseudonym="R5")
    last = hasty.tasks.order_by("-order").first()
    Judgement.objects.filter(task=last).delete()
    Rater.objects.filter(pk=hasty.pk).update(state="active")
    return made


def test_closing_leaves_out_whom_the_page_named_and_changes_what_it_said(folder):
    from accord.server.closing import change_study
    from accord.server.organiser.changing import changes_of
    from accord.server.organiser.closing_effect import effect_of_closing
    from accord.server.organiser.ratings import left_out_now

    effect = effect_of_closing()
    assert [one.rater for one in effect.leaving] == ["R5"] and effect.leaving[0].why
    assert "R5" not in left_out_now()
    said = {one.name: one.after for one in effect.changes}
    assert any(one.moves for one in effect.changes) and "Ratings counted" in said
    change_study("close", "ana")
    try:
        assert set(left_out_now()) == {"R5"}
        assert {one.name: one.now for one in changes_of()} == said
        assert not effect_of_closing().leaving, "who is left out already is not named again"
    finally:
        change_study("reopen", "ana")
    assert "R5" not in left_out_now(), "opened again, they count again"


@pytest.fixture(scope="module")
def owner(folder):
    server = Workspace(folder.parent, is_forked=True)
    yield server.owner()
    server.stop()


def test_the_page_says_it_and_the_notice_afterwards_says_it_with_the_way_back(owner):
    page = owner.get("/studies/bridges/close")
    assert "They leave out of every number: R5." in page
    assert "Raters invited: 4. Finished: 3. Not finished: 1." in page, "though home never counted it"
    rows = dict(re.findall(r'<tr><th scope="row">(.*?)</th><td[^>]*>(.*?)</td>', page))
    assert "Ratings counted" in rows and len(rows) > 1
    page = owner.post("/studies/bridges/change", {"action": "close"}, page="/studies/bridges/close")
    notice = re.search(r'<form class="notice.*?</form>', page, re.S)[0]
    assert "Left out of every number: R5." in notice and 'value="reopen"' in notice
    assert "R5" not in re.search(r'<form class="notice.*?</form>', owner.get("/?closed=bridges"), re.S)[0], "once"


def test_home_confirms_what_was_done_to_a_study_and_shows_the_way_back(owner):
    def done(action):
        page = owner.post("/studies/bridges/change", {"action": action}, page="/studies/bridges/close")
        return re.search(r'<form class="notice.*?</form>', page, re.S)[0]

    if "is closed" not in owner.get("/?closed=bridges"):
        done("close")
    notice = done("reopen")
    assert "is open again: raters can go on." in notice and 'href="/studies/bridges/close"' in notice
    done("close")
    notice = done("archive")
    assert "is archived: kept as it is, and not listed here." in notice and 'value="take-back"' in notice
    notice = done("take-back")
    assert "is back from the archive; it is closed, as before." in notice and 'value="archive"' in notice
    done("reopen")
    assert '<form class="notice' not in owner.get("/?closed=bridges"), "no longer so"


def test_a_study_is_closed_and_opened_from_its_own_pages_and_whoever_does_it_stays_there(owner):
    own, asked, change = "/s/bridges/organiser", "/studies/bridges/close?back=study", "/studies/bridges/change"
    if "The study is closed." not in owner.get(own):
        owner.post(change, {"action": "close"}, page=own)
    for address in (own, f"{own}/people"):
        page = owner.get(address)
        assert "The study is closed." in page and asked not in page
    page = owner.post(change, {"action": "reopen", "back": "study"}, page=own)
    assert owner.url.endswith(own) and "The study is closed." not in page
    assert f'href="{asked}"' in page and f'href="{asked}"' in owner.get(f"{own}/people")
    question = owner.get(asked)
    assert f'<a class="button" href="{own}">Leave it as it is</a>' in question
    assert '<input type="hidden" name="back" value="study">' in question
    page = owner.post(change, {"action": "close", "back": "study"}, page=asked)
    assert owner.url.endswith(own) and "The study is closed." in page
    assert f'action="{change}"' in page and 'value="reopen">Open again</button>' in page


def test_the_question_names_whoever_breaks_a_rule_and_counts_because_nobody_would_be_left():
    from accord.server.organiser.closing_effect import Closing
    from accord.server.workspace.asking import _of_rules

    said = _of_rules(Closing(3, 3, [], ["R1"], ["R1", "R2"], [], False))
    assert "because nobody would be left without them: R1, R2." in said
    assert "Counted again, because the rules would leave nobody: R1." in said
    assert _of_rules(Closing(3, 3, [], [], [], [], False)) == "The declared rules leave nobody else out."


def test_the_overview_of_a_closed_study_says_that_it_is_closed_and_by_whom(folder):
    from accord.server.closing import change_study, is_closed
    from organised_study import logged_in

    client = logged_in("ola")
    if is_closed():
        change_study("reopen", "ana")
    assert "The study is closed." not in client.get("/organiser").content.decode()
    change_study("close", "ana")
    for page in (client.get("/organiser").content.decode(), client.get("/organiser/live").json()["parts"]["standing"]):
        assert "The study is closed." in page and "by ana." in page
    change_study("archive", "ana")
    assert "The study is archived." in client.get("/organiser").content.decode()


def test_whoever_answered_the_last_screen_has_finished_on_every_page(folder):
    """R5 answers the last screen and never sees the page of thanks."""
    from accord.server.closing import change_study, is_closed, study_state
    from accord.server.models import Rater
    from accord.server.organiser import progress as progress_now
    from accord.server.organiser import watched
    from accord.server.organiser.closing_effect import effect_of_closing
    from accord.server.organiser.progress import _state, progress
    from accord.server.workspace.cards import _counted
    from organised_study import answer_all, logged_in

    if study_state() == "archived":
        change_study("take-back", "ana")
    if is_closed():
        change_study("reopen", "ana")
    hasty = Rater.objects.get(pseudonym="R5")
    assert {one.name: one.state for one in progress().raters}["R5"] == "active"
    assert (_counted()["working"], _counted()["finished"]) == (1, 3)
    answer_all(hasty, None, careless=True, tasks=[hasty.tasks.order_by("-order").first()])
    hasty.refresh_from_db()
    assert hasty.state == "active"
    for kept in (watched._KEPT, progress_now._KEPT):
        kept.clear()  # counts of the last seconds
    card, effect = _counted(), effect_of_closing()
    assert (card["working"], card["finished"], effect.finished, effect.invited) == (0, 4, 4, 4)
    client = logged_in("ola")
    assert "at work" not in client.get("/organiser/people").content.decode()
    assert 'class="tag finished"' in client.get("/organiser/raters/R5").content.decode()
    # Questions after the work are still to be answered, and whoever was replaced is not said to have finished.
    assert _state(hasty, [3, 3], asks_afterwards=True) == "active" != _state(hasty, [3, 3], asks_afterwards=False)


def test_home_says_that_everybody_has_finished_only_when_nobody_is_at_work():
    from pathlib import Path

    from accord.server.serving import Place
    from accord.server.workspace.cards import Shown
    from accord.server.workspace.home import next_of

    said = {"tasks": 9, "done": 9, "invited": 3, "places": 3}
    for working, words in ((0, "Everybody has finished."), (1, "Nothing to do.")):
        shown = Shown(Place("one", Path("one")), "running", {**said, "working": working}, None)
        assert next_of(shown).words == words
