"""Studies of one workspace never see each other's rows, whoever asks and with whatever key."""

import json
import re
import shutil

import pytest

from served_study import accord, make_study
from served_workspace import Workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    make_study(folder / "first")
    make_study(folder / "second")
    server = Workspace(folder, workers=2, is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def owner(workspace):
    return workspace.owner()


def invited(owner, study):
    """The link of a new rater, from the page of the study."""
    page = owner.post(f"/s/{study}/organiser/invite", {"number": "1"}, page=f"/s/{study}/organiser/people")
    return re.search(rf"http://\S+/s/{study}/i/[\w-]+", page)[0]


def at_work(workspace, link):
    person = workspace.stranger()
    person.get(link)
    base = link.partition("/i/")[0]
    person.post(f"{base}/welcome", {"consent": "yes"})
    person.post(f"{base}/about-you", {"native": "Portuguese"})
    person.post(f"{base}/guidelines", {})
    return person


def work_of(person, study):
    page = person.get(f"/s/{study}/work")
    found = re.search(r'<script id="work" type="application/json">(.*?)</script>', page, re.S)
    return json.loads(found[1]) if found else None


def saved(person, study, entry):
    import urllib.request
    from uuid import uuid4

    token = next(cookie.value for cookie in person.cookies if cookie.name == "accord_csrf")
    body = json.dumps({"entries": [{"uuid": str(uuid4()), "kind": "judgement", **entry}]}).encode()
    headers = {"Content-Type": "application/json", "X-CSRFToken": token, "Referer": f"{person.address}/s/{study}/work"}
    request = urllib.request.Request(f"{person.address}/s/{study}/save", body, headers)
    return person._open(request)


def test_a_study_is_reached_by_its_address_and_links_stay_below_it(workspace, owner):
    page = owner.get("/s/first/organiser")
    assert owner.status == 200
    links = re.findall(r'(?:href|action)="(/(?!static/)[^"]+)"', page)
    assert links and all(link.startswith("/s/first/") for link in links)


def test_a_session_of_one_study_opens_nothing_in_another(workspace, owner):
    person = at_work(workspace, invited(owner, "first"))
    assert work_of(person, "first")
    for cookie in list(person.cookies):
        if cookie.name == "accord_session":
            assert cookie.path == "/s/first/"
            # A thief who moves the cookie by hand finds that the other study does not know it.
            cookie.path = "/s/second/"
            person.cookies.set_cookie(cookie)
    assert work_of(person, "second") is None and person.status == 401


def test_an_invitation_of_one_study_opens_nothing_in_another(workspace, owner):
    link = invited(owner, "first")
    person = workspace.stranger()
    person.get(link.replace("/s/first/", "/s/second/"))
    assert person.status == 404


def test_a_task_of_one_study_takes_no_answer_in_another(workspace, owner):
    """Both number their tasks from 1: what is saved under a number stays in its own study."""
    first = at_work(workspace, invited(owner, "first"))
    second = at_work(workspace, invited(owner, "second"))
    tasks = [task["id"] for task in work_of(first, "first")["screens"] if task["scenario"] == "alone"]
    entry = {"task": tasks[0], "criterion": "quality", "place": 0, "value": 71, "revision": 1, "seconds": 1.0}
    answer = json.loads(saved(first, "first", {**entry, "guideline": 1}))
    assert answer["results"][0]["status"] == "saved", answer
    counts = [
        len(accord("export", workspace.folder / key, "--judgements").stdout.splitlines()) for key in ("first", "second")
    ]
    assert counts == [2, 1]
    assert work_of(second, "second")


def test_an_api_token_of_one_study_opens_nothing_in_another(workspace, owner):
    page = owner.post("/s/first/organiser/tokens", {"label": "program", "scope": "organiser"})
    token = re.search(r"accord_[\w-]{20,}", page)[0]
    program = workspace.stranger()
    program.get("/s/first/api/v1/study", Authorization=f"Bearer {token}")
    assert program.status == 200
    program.get("/s/second/api/v1/study", Authorization=f"Bearer {token}")
    assert program.status == 401


def test_a_study_added_while_serving_is_there_at_once(workspace, owner):
    make_study(workspace.folder / "third")
    for _ in range(4):  # whichever worker answers
        assert "third" in owner.get("/")
        owner.get("/s/third/organiser")
        assert owner.status == 200


def test_a_study_of_a_workspace_can_be_moved_and_opened_alone(workspace, owner, tmp_path):
    shutil.copytree(workspace.folder / "first", tmp_path / "alone")
    rows = accord("export", tmp_path / "alone", "--judgements").stdout
    assert rows == accord("export", workspace.folder / "first", "--judgements").stdout


def test_a_study_that_cannot_be_opened_says_why_and_harms_no_other(workspace, owner):
    broken = make_study(workspace.folder / "broken")
    (broken / "study.toml").write_text("title = 3\n")
    page = owner.get("/s/broken/organiser")
    assert owner.status == 503 and "title" in page
    owner.get("/s/first/organiser")
    assert owner.status == 200
    shutil.rmtree(broken)


@pytest.mark.parametrize(
    "address", ["/s/", "/s//organiser", "/s/../first/organiser", "/s/.hidden/", "/s/%2e%2e/", "/s/first%2f..%2fsecond/"]
)
def test_addresses_that_name_no_study_lead_nowhere(workspace, address):
    stranger = workspace.stranger()
    stranger.get(address)
    assert stranger.status in (400, 404)
