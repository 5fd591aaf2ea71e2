"""Programs can do all that the organiser's pages do: every page has its endpoint, and a study can be created."""

import json

import pytest

from organised_study import STUDY, write_study

# What each page of the organiser is to a program. A page that is not here fails the first test.
TWINS = {
    "organiser": ("GET reliability", "GET progress", "GET comments", "GET reliability/history"),
    "organiser-live": ("GET reliability", "GET progress"),
    "organiser-people": ("GET raters", "GET study"),
    "organiser-invite": ("POST raters",),
    "organiser-export": ("GET exports/<str:table>", "GET report"),
    "organiser-file": ("GET exports/<str:table>",),
    "organiser-answer": ("POST comments/<int:comment>/answer",),
    "organiser-comment": ("POST comments/<int:comment>/answer",),
    "organiser-comments": ("GET comments",),
    "organiser-agreement": ("GET reliability",),
    "organiser-pair": ("GET pairs/<str:criterion>/<str:first>/<str:second>",),
    "organiser-item": ("GET items/<path:item>",),
    "organiser-quality": ("GET quality",),
    "organiser-apply-rules": ("POST quality/apply",),
    "organiser-rater": ("GET raters/<str:rater>",),
    "organiser-effect": ("GET raters/<str:rater>",),
    "organiser-decide": ("POST raters/<str:rater>/decisions",),
    "organiser-phases": ("GET phases",),
    "organiser-phase": ("POST phases/<str:phase>",),
    "organiser-rounds": ("GET rounds", "GET guidelines", "POST guidelines"),
    "organiser-open-round": ("POST rounds",),
    "organiser-round": ("GET rounds/<int:number>",),
    "organiser-designer-rating": ("POST rounds/<int:number>/items/<int:item>/rating",),
    "organiser-verdict": ("POST rounds/<int:number>/items/<int:item>/verdict",),
    "organiser-change": ("POST rounds/<int:number>/changes",),
    "organiser-publish": ("POST rounds/<int:number>/publish",),
    "organiser-measure": ("POST rounds/<int:number>/measure",),
    "organiser-arbitration": ("GET contests",),
    "organiser-case": ("GET contests",),
    "organiser-contest": ("POST contests",),
    "organiser-rule": ("POST contests/<int:contest>/rulings",),
    "organiser-tokens": ("GET tokens", "POST tokens"),
    "organiser-revoke": ("DELETE tokens/<int:token>",),
    "organiser-crowd": ("POST entrances",),
    "organiser-results": ("GET reliability", "GET progress"),
    "organiser-results-live": ("GET reliability", "GET progress"),
    "organiser-judgements": ("GET exports/<str:table>",),
    "organiser-ask": ("GET raters/<str:rater>",),
    "organiser-ask-rules": ("GET quality",),
    "organiser-undo": ("POST raters/<str:rater>/decisions",),
    "organiser-guidelines": ("POST guidelines",),
    "organiser-contest-one": ("POST contests",),
    "organiser-reports": ("GET report", "GET exports/<str:table>"),
    "organiser-reports-live": ("GET report",),
    "organiser-report-begin": ("GET report", "GET exports/<str:table>"),
    "organiser-report-cancel": ("GET report",),
    "organiser-report-file": ("GET report", "GET exports/<str:table>"),
}
# Coming in, and what a named person answers for: who unblinded, who made the account of a second arbiter.
FOR_PEOPLE_ONLY = {"organiser-login", "organiser-logout", "organiser-unblind", "organiser-arbiter"}
# Known gaps: a program can neither make a lost link anew nor ask a rater to judge one text again.
WITHOUT_ENDPOINT = {"organiser-reissue", "organiser-again"}


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

    from accord.server.api.endpoints import ENDPOINTS

    pages = {one.name for one in get_resolver().url_patterns if one.name.startswith("organiser")} - FOR_PEOPLE_ONLY
    assert pages == set(TWINS) | WITHOUT_ENDPOINT
    known = {f"{one.method} {one.path}" for one in ENDPOINTS if one.scope == "organiser"}
    assert {twin for twins in TWINS.values() for twin in twins} <= known


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
