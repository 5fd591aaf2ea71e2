"""Programs can do all that the organiser's pages do: every page has its endpoint, and a study can be created."""

import json
import re

import pytest
from make_api_page import endpoints

from organised_study import STUDY, write_study

# What each page of the organiser is to a program. A page that is not here fails the first test.
TWINS = {
    "organiser": ("GET reliability", "GET progress", "GET comments", "GET reliability/history"),
    "organiser-live": ("GET reliability", "GET progress"),
    "organiser-people": ("GET raters", "GET study"),
    "organiser-invite": ("POST raters",),
    "organiser-export": ("GET exports/{table}", "GET report"),
    "organiser-file": ("GET exports/{table}",),
    "organiser-answer": ("POST comments/{comment}/answer",),
    "organiser-comment": ("POST comments/{comment}/answer",),
    "organiser-comments": ("GET comments",),
    "organiser-agreement": ("GET reliability", "GET coefficients/{criterion}"),
    "organiser-pair": ("GET pairs/{criterion}/{first}/{second}",),
    "organiser-item": ("GET items/{item}",),
    "organiser-quality": ("GET quality",),
    "organiser-apply-rules": ("POST quality/apply",),
    "organiser-rater": ("GET raters/{rater}",),
    "organiser-effect": ("GET raters/{rater}",),
    "organiser-decide": ("POST raters/{rater}/decisions",),
    "organiser-phases": ("GET phases",),
    "organiser-phase": ("POST phases/{phase}",),
    "organiser-rounds": ("GET rounds", "GET guidelines", "POST guidelines"),
    "organiser-open-round": ("POST rounds",),
    "organiser-round": ("GET rounds/{number}",),
    "organiser-designer-rating": ("POST rounds/{number}/items/{item}/rating",),
    "organiser-verdict": ("POST rounds/{number}/items/{item}/verdict",),
    "organiser-change": ("POST rounds/{number}/changes",),
    "organiser-publish": ("POST rounds/{number}/publish",),
    "organiser-measure": ("POST rounds/{number}/measure",),
    "organiser-arbitration": ("GET contests",),
    "organiser-case": ("GET contests",),
    "organiser-contest": ("POST contests",),
    "organiser-rule": ("POST contests/{contest}/rulings",),
    "organiser-tokens": ("GET tokens", "POST tokens"),
    "organiser-revoke": ("DELETE tokens/{token}",),
    "organiser-crowd": ("POST entrances",),
    "organiser-crowd-stop": ("GET entrances", "DELETE entrances/{entrance}"),
    "organiser-results": ("GET reliability", "GET progress"),
    "organiser-results-live": ("GET reliability", "GET progress"),
    "organiser-judgements": ("GET exports/{table}",),
    "organiser-ask": ("GET raters/{rater}",),
    "organiser-ask-rules": ("GET quality",),
    "organiser-ask-unblind": ("GET study",),
    "organiser-undo": ("POST decisions/{decision}/undo",),
    "organiser-again": ("POST raters/{rater}/again",),
    "organiser-reissue": ("POST raters/{rater}/link",),
    "organiser-label": ("POST raters/{rater}/label",),
    "organiser-replace": ("POST raters/{rater}/replacement",),
    "organiser-unblind": ("POST study/unblinding",),
    "organiser-arbiter": ("POST arbiters",),
    "organiser-guidelines": ("POST guidelines",),
    "organiser-contest-one": ("POST contests",),
    "organiser-reports": ("GET jobs", "GET report", "GET exports/{table}"),
    "organiser-reports-live": ("GET jobs/{job}",),
    "organiser-report-begin": ("POST jobs",),
    "organiser-report-cancel": ("DELETE jobs/{job}",),
    "organiser-report-file": ("GET jobs/{job}/file",),
}
# A program comes in with its token.
FOR_PEOPLE_ONLY = {"organiser-login", "organiser-logout"}


# What each page of the workspace is to a program; steps of the wizard write the files that a program sends whole.
WORKSPACE_TWINS = {
    "home": ("GET studies", "GET studies/{key}"),
    "people": ("GET people", "POST invitations", "POST views"),
    "change-role": ("POST people/{person}/role",),
    "revoke-view": ("DELETE views/{view}",),
    "withdraw-invitation": ("DELETE invitations/{invitation}",),
    "delete-draft": ("DELETE studies/{key}",),
    "log": ("GET log",),
    "tokens": ("GET tokens", "POST tokens"),
    "revoke-token": ("DELETE tokens/{token}",),
    "new-study": ("POST studies",),
    "new-launch": ("POST studies/{key}/launch",),
    "import-study": ("POST studies/zip",),
    "duplicate-study": ("POST studies/{key}/duplicate",),
    "take-study": ("GET studies/{key}/zip",),
    "take-whole": ("GET studies/{key}/backup",),
    "change-study": ("POST studies/{key}/state",),
}
WORKSPACE_FOR_PEOPLE = {
    "health", "set_language", "sign-in", "sign-out", "join", "view-only", "study", "study-door", "ask-to-close",
    "ask-to-delete",
}  # fmt: skip
STEPS_OF_THE_WIZARD = re.compile(r"new-(draft|texts|questions|guidelines|markdown|plan|rehearse|file|try)|study-inside")


@pytest.fixture(scope="module")
def empty(django_on, tmp_path_factory):
    """A served folder to which nobody is invited, and a token of its organiser."""
    folder = django_on(write_study(tmp_path_factory.mktemp("empty")))
    from accord.server.api.tokens import make_token

    return folder, make_token("organiser", "tests")[1]


@pytest.fixture
def send(empty):
    from django.test import Client

    client = Client(headers={"host": "127.0.0.1", "Authorization": f"Bearer {empty[1]}"})

    def send(method, path, body=None):
        data = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        answer = client.generic(method, f"/api/v1/{path}", **data)
        return answer.status_code, json.loads(answer.content)

    return send


def files_of(folder):
    return [{"name": path.name, "text": path.read_text("utf-8")} for path in folder.iterdir() if path.is_file()]


def test_every_page_of_the_organiser_has_its_endpoint(empty):
    from django.urls import get_resolver

    from accord.server.api.urls import api

    pages = {one.name for one in get_resolver().url_patterns if one.name.startswith("organiser")} - FOR_PEOPLE_ONLY
    assert pages == set(TWINS)
    known = {f"{one.method} {one.address}" for one in endpoints(api) if one.scope == "organiser"}
    assert {twin for twins in TWINS.values() for twin in twins} <= known


def test_every_page_of_the_workspace_has_its_endpoint(empty):
    from accord.server.workspace.api import api
    from accord.server.workspace.urls import urlpatterns

    pages = {one.name for one in urlpatterns if not one.name.startswith("api-")} - WORKSPACE_FOR_PEOPLE
    assert {name for name in pages if not STEPS_OF_THE_WIZARD.fullmatch(name)} == set(WORKSPACE_TWINS)
    known = {f"{one.method} {one.address}" for one in endpoints(api)}
    assert {twin for twins in WORKSPACE_TWINS.values() for twin in twins} == known


def test_every_preset_can_be_created_by_a_program(empty, send):
    from accord.design.preset import PRESETS, preset_title

    for preset in PRESETS:
        status, told = send("PUT", "study", {"preset": preset})
        assert status == 200 and told["title"] == preset_title(preset), told
        assert send("GET", "study")[1] == told and told["free_places"] > 0


def test_a_study_that_does_not_fit_is_refused_with_all_its_problems_and_changes_nothing(empty, send):
    folder, before = empty[0], send("GET", "study")[1]
    kept = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in (".toml", ".tsv", ".md")}
    wrong = {"name": "study.toml", "text": 'title = "Broken"\nseeds = 3\n[[criteria]]\nkey = "x y"\n'}
    status, told = send("PUT", "study", {"preset": "mqm", "files": [wrong]})
    assert status == 400 and "seeds" in told["error"] and "criteria" in told["error"]
    assert str(folder) not in told["error"], "the folders of the server are nobody's business"
    for name in ("../study.toml", "/etc/study.toml", "accord.sqlite3", ".hidden.md", "a/b.md", "x.py", "secret.key"):
        status, told = send("PUT", "study", {"preset": "mqm", "files": [{"name": name, "text": "x"}]})
        assert status == 400 and "is not a file of a study" in told["error"]
    outside = {"name": "study.toml", "text": STUDY.replace("items.tsv", "../../etc/passwd")}
    assert "outside the study folder" in send("PUT", "study", {"files": [outside]})[1]["error"]
    assert send("PUT", "study", {})[0] == 400
    assert send("GET", "study")[1] == before
    assert kept == {path.name: path.read_bytes() for path in folder.iterdir() if path.name in kept}
    assert not list(folder.glob(".new-*"))


def test_a_study_is_created_filled_and_fetched_by_a_program_alone(empty, send, tmp_path):
    from django.test import Client

    status, told = send("PUT", "study", {"files": files_of(write_study(tmp_path / "mine"))})
    assert status == 200 and told["title"].startswith("Notices") and told["free_places"] == 6
    assert send("GET", "guidelines")[1]["versions"][-1]["text"].startswith("# How to judge")
    invited = send("POST", "raters", {"number": 2})[1]["invitations"]
    assert [one["rater"] for one in invited] == ["R1", "R4"], "groups fill evenly"
    token = send("POST", "tokens", {"label": "a robot", "rater": "R1"})[1]["token"]
    robot = Client(headers={"host": "127.0.0.1", "Authorization": f"Bearer {token}"})
    screen = robot.get("/api/v1/tasks").json()["screens"][0]
    entry = {"uuid": "0" * 31 + "1", "task": screen["id"], "criterion": "meaning", "place": 0, "value": 2}
    saved = robot.post("/api/v1/judgements", json.dumps({"entries": [entry]}), content_type="application/json")
    assert saved.json()["results"][0]["status"] == "saved"
    status, refused = send("PUT", "study", {"preset": "mqm"})
    assert status == 400 and "Raters are invited" in refused["error"], "a study that collects is never replaced"


def test_quality_and_declared_rules_are_open_to_programs(organised):
    """On a study that was filled in: the last rater answers the same throughout."""
    from django.test import Client

    from accord.server.api.tokens import make_token
    from accord.server.models_organiser import Decision

    Decision.objects.all().delete()  # nobody has decided about that rater
    client = Client(headers={"host": "127.0.0.1", "Authorization": f"Bearer {make_token('organiser', 'tests')[1]}"})
    told = client.get("/api/v1/quality").json()
    careless = {one["rater"] for one in told["to_apply"]}
    assert len(careless) == 1 and len(told["declared"]) == 3
    applied = client.post("/api/v1/quality/apply", "{}", content_type="application/json")
    assert set(applied.json()["left_out"]) == careless
    assert client.get("/api/v1/quality").json()["to_apply"] == []
    report = client.get("/api/v1/report")
    assert report.status_code == 200 and b"<html" in report.content[:2000]


def test_a_lost_link_is_made_anew_and_one_text_judged_again_by_a_program(organised):
    from django.test import Client

    from accord.server.api.tokens import make_token
    from accord.server.models import Rater
    from accord.server.models_organiser import Again, Decision

    client = Client(headers={"host": "127.0.0.1", "Authorization": f"Bearer {make_token('organiser', 'tests')[1]}"})

    def post(path, body=None):
        answer = client.post(f"/api/v1/{path}", json.dumps(body or {}), content_type="application/json")
        return answer.status_code, answer.json()

    before = Rater.objects.get(pseudonym="R2").invitation_hash
    status, told = post("raters/R2/link")
    assert status == 201 and told["rater"] == "R2" and "/i/" in told["link"]
    assert Rater.objects.get(pseudonym="R2").invitation_hash != before
    assert post("raters/nobody/link") == (404, {"error": "There is no rater 'nobody'."})

    item = Rater.objects.get(pseudonym="R2").tasks.exclude(role="practice").exclude(item="").first().item
    assert post("raters/R2/again", {"item": item, "reason": " "})[0] == 400
    given = Again.objects.count()
    status, told = post("raters/R2/again", {"item": item, "reason": "It was cut off."})
    assert (
        status == 201
        and told["action"] == "redo"
        and told["by"] == "API: tests"
        and "It was cut off." in told["reason"]
    )
    assert Again.objects.count() > given
    status, refused = post("raters/R2/again", {"item": item, "reason": "It was cut off."})
    assert status == 400 and "was asked already" in refused["error"]
    assert post("raters/R2/again", {"item": "none", "reason": "x"}) == (404, {"error": "There is no item 'none'."})

    made = post("raters/R4/decisions", {"action": "exclude", "reason": "asked to"})[1]
    assert post(f"decisions/{made['id']}/undo")[1]["action"] == "undo"
    assert post(f"decisions/{made['id']}/undo")[0] == 400, "the way back is the last decision now"
    assert Decision.objects.filter(pk=made["id"]).exists(), "nothing is deleted"


def test_a_program_unblinds_closes_and_opens_the_study_on_record(organised):
    from django.test import Client

    from accord.server.api.tokens import make_token
    from accord.server.models_organiser import StudyEvent, Unblinding

    client = Client(headers={"host": "127.0.0.1", "Authorization": f"Bearer {make_token('organiser', 'tests')[1]}"})

    def post(path, body):
        answer = client.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json")
        return answer.status_code, answer.json()

    for named in (True, False):
        assert post("study/unblinding", {"named": named}) == (201, {"unblinded": named})
        assert client.get("/api/v1/study").json()["unblinded"] is named
    assert [(one.by, one.named) for one in Unblinding.objects.order_by("-id")[:2]] == [
        ("API: tests", False), ("API: tests", True),
    ]  # fmt: skip
    assert post("study/state", {"action": "archive"})[0] == 400, "an open study is closed first"
    assert post("study/state", {"action": "close"}) == (201, {"state": "closed"})
    assert client.get("/api/v1/study").json()["state"] == "closed"
    assert post("raters", {"number": 1})[0] == 400
    assert post("study/state", {"action": "reopen"}) == (201, {"state": "running"})
    assert StudyEvent.objects.last().by == "API: tests"


def test_a_report_is_a_job_with_a_file_for_programs_too(organised, monkeypatch):
    from django.test import Client

    from accord.server.api.tokens import make_token
    from accord.server.organiser import jobs

    begun = []
    monkeypatch.setattr(jobs, "start", lambda *what: begun.append(what))
    client = Client(headers={"host": "127.0.0.1", "Authorization": f"Bearer {make_token('organiser', 'tests')[1]}"})
    answer = client.post("/api/v1/jobs", json.dumps({"kind": "ratings"}), content_type="application/json")
    job = answer.json()
    assert answer.status_code == 201 and job["state"] == "running" and begun == [("job", str(job["id"]))]
    assert client.get(f"/api/v1/jobs/{job['id']}/file").status_code == 404
    jobs.run(job["id"])
    done = client.get(f"/api/v1/jobs/{job['id']}").json()
    assert (done["state"], done["done"], done["has_file"]) == ("done", 1.0, True)
    assert client.get(f"/api/v1/jobs/{job['id']}/file").getvalue()[:2] == b"PK"
    assert client.delete(f"/api/v1/jobs/{job['id']}").json()["state"] == "done", "what is done stays"
    assert "report-html" in client.get("/api/v1/jobs").json()["kinds"]
    refused = client.post("/api/v1/jobs", json.dumps({"kind": "gold"}), content_type="application/json")
    assert (
        refused.status_code == 400 and "must be" in refused.json()["error"] and "'ratings'" in refused.json()["error"]
    )
