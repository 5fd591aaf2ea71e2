"""Nobody is shown a form, a button or a link that their role would have refused."""

from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest


class Page(HTMLParser):
    """The links of a page, and its forms that change something, each with what it would send."""

    def __init__(self, text):
        super().__init__()
        self.links, self.forms = [], []
        self.feed(text)

    def handle_starttag(self, tag, pairs):
        told = dict(pairs)
        if tag == "a" and told.get("href"):
            self.links.append(told["href"])
        elif tag == "form" and told.get("method", "").lower() == "post":
            self.forms.append((told.get("action") or "", {}))
        elif tag in ("input", "button") and told.get("name") and self.forms:
            self.forms[-1][1].setdefault(told["name"], told.get("value") or "")


@pytest.fixture(scope="module")
def busy(organised):
    """A study in which there is something to do on every page."""
    from accord.server.models import Judgement, Rater, Remark
    from accord.server.models_organiser import Contest, Job
    from accord.server.organiser.jobs import _folder
    from accord.server.organiser.rounds import open_round
    from accord.server.organiser.snapshot import refresh

    assert refresh(here=True)
    for key in ("marks", "quality"):
        row = Judgement.objects.filter(criterion=key, task__role="system").exclude(value=[]).first()
        Contest.objects.create(judgement=row, reason="Not so.", by="ana")
    person = Rater.objects.first()
    Remark.objects.create(rater=person, about=Remark.About.QUESTION, text="May I?", **remark_fields())
    task = person.tasks.filter(role="system").first()
    Remark.objects.create(rater=person, task=task, about=Remark.About.ITEM, text="Odd.", **remark_fields())
    open_round("meaning", 3, 0.8, 0.05, "ana")
    for kind, state in (("report-html", "done"), ("ratings", "done"), ("judgements", "running")):
        (_folder() / f"{kind}.x").write_text("made", encoding="utf-8")
        Job.objects.create(kind=kind, state=state, by="ana", file=f"{kind}.x", data_state="x")
    return organised


def remark_fields():
    from uuid import uuid4

    return {"uuid": uuid4(), "revision": 1}


@pytest.fixture
def client_as(busy, monkeypatch):
    """A client whose user has a role in this study, as in a workspace."""
    from django.test import Client

    from accord.server.workspace import colleagues

    def log_in(role):
        someone = colleagues.Colleague("vera", role)
        monkeypatch.setattr(
            colleagues.Authentication, "process_request", lambda self, request: setattr(request, "user", someone)
        )
        return Client(headers={"host": "127.0.0.1"})

    return log_in


def starts():
    """Every page of the organiser's side that needs no name in its address."""
    from accord.server.organiser.urls import urlpatterns

    return [f"/{one.pattern}" for one in urlpatterns if "<" not in str(one.pattern)]


def walked(client):
    """All that can be reached by links from pages one may open: the links that are refused, and every form."""
    waiting, seen = [(path, "") for path in starts()], set()
    refused, forms = [], {}
    while waiting:
        path, came_from = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = client.get(path)
        if answer.status_code == 403 and came_from:
            refused.append((came_from, path))
        if answer.status_code != 200 or answer.streaming:
            answer.close()
            continue
        told = answer.json()["parts"].values() if "json" in answer["content-type"] else [answer.content.decode()]
        page = Page("".join(told))
        waiting += [(link, path) for link in inside(path, page.links)]
        for action, fields in page.forms:
            if inside(path, [action]):  # the language is everybody's own
                forms.setdefault(urljoin(path, action), (path, fields))
    assert len(seen) > 40, "the walk goes deeper than the menu"
    return refused, forms


def inside(path, links):
    """Addresses of this study, without what follows a question mark: filters lead to the same pages."""
    whole = {urlsplit(urljoin(f"http://here{path}", link)) for link in links}
    return sorted({one.path for one in whole if one.netloc == "here" and one.path.startswith("/organiser")})


@pytest.mark.parametrize("role", ["viewer", "arbiter"])
def test_whatever_a_role_is_shown_it_may_do(client_as, role):
    client = client_as(role)
    refused, forms = walked(client)
    assert refused == []
    acts = {action: fields for action, (_, fields) in forms.items() if not action.endswith("/logout")}
    assert bool(acts) == (role == "arbiter")
    for action, fields in acts.items():
        assert client.post(action, fields).status_code != 403, (action, forms[action][0])


def test_an_organiser_is_shown_the_forms(client_as):
    client = client_as("organiser")
    pages = ("raters/R1", "reports", "rounds", "rounds/1", "comments", "arbitration/1", "items/d1-2:system-1")
    forms = [action for page in pages for action, _ in Page(client.get(f"/organiser/{page}").content.decode()).forms]
    ends = {one.rsplit("/", 1)[-1] for one in forms}
    assert {"decide", "begin", "open", "guidelines", "rule", "publish", "cancel", "contest"} <= ends


NAMES = ("alpha", "beta")


@pytest.fixture
def unblinded(busy):
    from accord.server.blinding import unblind

    unblind("ana", named=True)
    yield
    unblind("ana", named=False)


def names_on(client, path):
    """The systems that a page names beside the texts themselves, which hold these words here."""
    page = client.get(path).content.decode()
    for name in NAMES:
        page = page.replace(f"Texto {name} ", "").replace(f'Texto</span><span class="w"> {name}', "")
    return {name for name in NAMES if f" {name}" in page or f">{name}" in page}


@pytest.mark.parametrize("page", ["", "/results"])
def test_an_arbiter_sees_codes_where_others_see_names_once_the_study_is_unblinded(client_as, unblinded, page):
    assert names_on(client_as("arbiter"), f"/organiser{page}") == set()
    assert names_on(client_as("organiser"), f"/organiser{page}") == set(NAMES)
    assert names_on(client_as("viewer"), f"/organiser{page}") == set(NAMES)


@pytest.mark.parametrize("role", ["arbiter", "organiser"])
def test_nobody_sees_names_where_scores_are_ruled_on(client_as, unblinded, role):
    client = client_as(role)
    assert names_on(client, "/organiser/arbitration") == set()
    for page in ("/organiser/arbitration", "/organiser/arbitration/1", "/organiser/arbitration/2"):
        head = client.get(page).content.decode().partition("<h2>The text")[0]
        assert "System " in head and not any(f">{name}<" in head for name in NAMES), page


def test_an_arbiter_is_given_no_report_that_names_systems(client_as, unblinded, monkeypatch):
    from pathlib import Path

    from accord.server import reporting
    from accord.server.models_organiser import Job

    asked = []

    def make(what, target, named):
        asked.append(named)
        Path(target).write_text("made")

    monkeypatch.setattr(reporting, "wait_for", make)
    for role in ("arbiter", "viewer"):
        client_as(role).get("/organiser/export/report.html")
    assert asked == ["coded", "named"]
    job = Job.objects.get(kind="report-html")
    Job.objects.filter(pk=job.pk).update(kind="report-html-named")
    try:
        found = {}
        for role in ("arbiter", "viewer"):
            answer = client_as(role).get(f"/organiser/reports/{job.pk}/file")
            found[role] = answer.status_code
            answer.close()
        assert found == {"arbiter": 404, "viewer": 200}
    finally:
        Job.objects.filter(pk=job.pk).update(kind="report-html")
