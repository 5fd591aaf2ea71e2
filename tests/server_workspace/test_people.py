"""Accounts of a workspace: roles hold in their study and nowhere else, links can be taken back, and all is logged."""

import re

import pytest

from served_study import make_study
from served_workspace import PASSWORD, Workspace
from server_workspace.test_isolation import at_work, invited, saved, work_of


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    for key in ("first", "second"):
        make_study(folder / key)
    server = Workspace(folder, is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def owner(workspace):
    return workspace.owner()


def invitation(owner, study, role):
    page = owner.post("/people", {"study": study, "role": role, "label": "x"})
    return re.search(r"http://\S+/join/[\w-]+", page)[0]


def test_the_first_link_makes_one_owner_and_no_second(workspace, owner):
    stranger = workspace.stranger()
    stranger.get(workspace.owner_link)
    assert stranger.status == 404
    assert "first" in owner.get("/") and "second" in owner.get("/")


def test_nobody_comes_in_without_an_account(workspace, owner):
    stranger = workspace.stranger()
    for path in ("/", "/people", "/log"):
        assert 'name="password"' in stranger.get(path)
    assert 'name="password"' in stranger.get("/s/first/organiser")
    stranger.post("/sign-in", {"username": "ola", "password": "wrong"})
    assert "Log out" not in stranger.get("/")
    stranger.post("/sign-in", {"username": "ola", "password": PASSWORD})
    assert "Log out" in stranger.get("/")


ROLES = {
    # role: (opens the dashboard, opens invitations, changes a decision, arbitrates)
    "viewer": (200, 403, 403),
    "arbiter": (200, 403, 403),
    "organiser": (200, 200, 200),
}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_holds_in_its_study_and_in_no_other(workspace, owner, role):
    colleague = workspace.joined(invitation(owner, "first", role), f"c-{role}")
    home = colleague.get("/")
    assert "first" in home and "second" not in home
    statuses = []
    for path in ("/s/first/organiser", "/s/first/organiser/people"):
        colleague.get(path)
        statuses.append(colleague.status)
    colleague.post("/s/first/organiser/quality/apply", {}, page="/s/first/organiser/quality")
    assert (*statuses, colleague.status) == ROLES[role]
    colleague.get("/s/second/organiser")
    assert colleague.status == 403
    colleague.post("/studies/second/change", {"action": "close"}, page="/")
    assert colleague.status == 404


@pytest.mark.parametrize("role", ROLES)
def test_the_menu_leads_nobody_to_a_closed_door(workspace, owner, role):
    colleague = workspace.joined(invitation(owner, "second", role), f"m-{role}")
    menu = re.search(r'<nav class="menu".*?</nav>', colleague.get("/s/second/organiser"), re.S)[0]
    pages = re.findall(r'href="([^"]+)"', menu)
    assert ("/s/second/organiser/people" in pages) == ("/s/second/organiser/tokens" in pages) == (role == "organiser")
    for path in pages:
        colleague.get(path)
        assert colleague.status == 200, path


def test_a_viewer_fetches_reports_and_no_file_of_single_people(workspace, owner):
    colleague = workspace.joined(invitation(owner, "second", "viewer"), "files")
    colleague.get("/s/second/organiser/reports/1/file")
    assert colleague.status == 403, "no such report: nothing else is handed out"


def test_a_report_of_a_study_without_judgements_is_refused_in_words(owner):
    page = owner.get("/s/second/organiser/export/report.html")
    assert owner.status == 400 and "There are no judgements yet" in page


def test_an_arbiter_rules_and_a_viewer_does_not(workspace, owner):
    """There is no such judgement: whoever may ask is told so, whoever may not is refused before."""
    for role, status in (("viewer", 403), ("arbiter", 404)):
        colleague = workspace.joined(invitation(owner, "first", role), f"r-{role}")
        colleague.post("/s/first/organiser/judgements/9999/contest", {"reason": "x"}, page="/s/first/organiser")
        assert colleague.status == status


def test_only_owners_invite(workspace, owner):
    colleague = workspace.joined(invitation(owner, "", "organiser"), "everywhere")
    assert "second" in colleague.get("/")
    colleague.post("/people", {"study": "first", "role": "owner"})
    assert colleague.status == 400


def test_the_last_owner_stays(workspace, owner):
    page = owner.get("/people")
    own = re.search(r'<th scope="row">ola</th>.*?action="(/people/\d+)"', page, re.S)[1]
    said = owner.post(own, {"role": "viewer"}, page="/people")
    assert owner.status == 400 and "last owner" in said


def test_a_view_only_link_shows_one_study_until_it_is_revoked(workspace, owner):
    page = owner.post("/people", {"what": "view", "study": "first", "label": "the board"})
    link = re.search(r"http://\S+/view/[\w-]+", page)[0]
    guest = workspace.stranger()
    guest.get(link)
    assert guest.status == 200 and guest.url.endswith("/s/first/organiser")
    assert 'name="password"' in guest.get("/s/second/organiser")
    assert 'name="password"' in guest.get("/")
    guest.get("/s/first/organiser/export/judgements.csv")
    assert guest.status == 403
    revoke = re.search(r'action="(/people/views/\d+)"', owner.get("/people"))[1]
    owner.post(revoke, {}, page="/people")
    assert 'name="password"' in guest.get("/s/first/organiser")
    guest.get(link)
    assert guest.status == 404


def test_the_log_says_who_did_what(owner):
    log = owner.get("/log")
    for words in (
        "logged in",
        "invited x as organiser",
        "came in as owner, invited by accord serve",
        "revoked the view-only link the board",
    ):
        assert words in log


def test_guessing_passwords_is_slowed_down(workspace, owner):
    stranger = workspace.stranger()
    for _ in range(11):
        stranger.post("/sign-in", {"username": "nobody-here", "password": "guess"})
    assert stranger.status == 429


def test_a_closed_study_takes_nobody_in_and_opens_again(workspace, owner):
    owner.post("/studies/second/change", {"action": "close"}, page="/")
    said = owner.post("/s/second/organiser/invite", {"number": "1"}, page="/s/second/organiser/people")
    assert owner.status == 400 and "closed" in said
    assert "second" not in owner.get("/?show=running")
    owner.post("/studies/second/change", {"action": "archive"}, page="/")
    home = owner.get("/")
    assert "/s/second/" not in home and "Archived 1" in home
    owner.post("/studies/second/change", {"action": "reopen"}, page="/?show=archived")
    assert owner.status == 400
    owner.post("/studies/second/change", {"action": "take-back"}, page="/?show=archived")
    owner.post("/studies/second/change", {"action": "reopen"}, page="/?show=closed")
    owner.post("/s/second/organiser/invite", {"number": "1"}, page="/s/second/organiser/people")
    assert owner.status == 200


def test_an_arbiter_s_first_home_page_calls_to_what_waits_and_to_nothing_else(workspace, owner):
    rated(workspace, owner, "second")
    owner.get("/")  # whatever was counted before the contest is what a card says now
    contested = re.search(r"/organiser/judgements/(\d+)/contest", owner.get("/s/second/organiser/arbitration"))[1]
    owner.post(
        f"/s/second/organiser/judgements/{contested}/contest",
        {"reason": "Too low."},
        page="/s/second/organiser/arbitration",
    )
    arbiter = workspace.joined(invitation(owner, "second", "arbiter"), "first-look")
    home = arbiter.get("/")
    assert "Your study needs you." in home and "Contested scores that wait for a decision: 1" in home
    assert "Invite raters" not in home
    viewer = workspace.joined(invitation(owner, "second", "viewer"), "looks-on")
    home = viewer.get("/")
    assert "No study needs you" in home and "Contested" not in home and "Invite raters" not in home


def rated(workspace, owner, study):
    """One rater gives one score."""
    person = at_work(workspace, invited(owner, study))
    task = next(one["id"] for one in work_of(person, study)["screens"] if one["scenario"] == "alone")
    entry = {"task": task, "criterion": "quality", "place": 0, "value": 40, "revision": 1, "seconds": 9.0}
    assert '"saved"' in saved(person, study, {**entry, "guideline": 1})


def test_an_owner_takes_the_whole_study_away_and_an_organiser_its_design(workspace, owner, tmp_path):
    from accord.server.backup import check_backup

    (tmp_path / "whole.zip").write_bytes(raw(owner, "/studies/second/whole.zip"))
    assert owner.status == 200 and check_backup(tmp_path / "whole.zip").raters >= 1
    assert "Download everything" in owner.get("/")
    organiser = workspace.joined(invitation(owner, "second", "organiser"), "no-owner")
    organiser.get("/studies/second/whole.zip")
    assert organiser.status == 400
    home = organiser.get("/")
    assert "Download the design, without judgements" in home and "Download everything" not in home
    assert "downloaded the whole study" in owner.get("/log")


def raw(browser, path):
    answer = browser.opener.open(browser.address + path, timeout=120)
    browser.status = answer.status
    return answer.read()


def test_links_for_colleagues_say_that_only_this_computer_can_open_them(owner):
    told = "Only this computer can open links that begin with http://127.0.0.1"
    assert told not in owner.get("/people")
    assert told in owner.post("/people", {"study": "first", "role": "viewer", "label": "x"})
    assert told in owner.post("/people", {"study": "first", "what": "view", "label": "x"})


def test_home_says_at_once_what_was_just_done_in_a_study(workspace, owner):
    make_study(workspace.folder / "third")
    owner.get("/s/third/organiser")
    assert "0 of " in study_at_home(owner, "third")
    owner.post("/s/third/organiser/invite", {"number": "2"}, page="/s/third/organiser/people")
    assert "2 of " in study_at_home(owner, "third"), "without waiting for the next count"


def study_at_home(owner, key):
    """What home says of a study at the first look."""
    return next(part for part in owner.get("/").split('<li class="study') if f"/s/{key}/organiser" in part)


def test_the_form_for_a_colleague_begins_with_what_was_asked_for(owner):
    form = re.search(r'id="invite">.*?</form>', owner.get("/people"), re.S)[0]
    assert '<option value="" selected>' in form and '<option value="viewer" selected>' in form
    page = owner.get("/people?study=second&role=arbiter")
    form = re.search(r'id="invite">.*?</form>', page, re.S)[0]
    assert '<option value="second" selected>' in form and '<option value="arbiter" selected>' in form
