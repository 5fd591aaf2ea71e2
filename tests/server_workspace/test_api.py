"""The API of a workspace: a program with a token of an account does what the account may, and no more."""

import io
import json
import re
import urllib.error
import urllib.request
import zipfile

import pytest

from served_study import make_study
from served_workspace import Browser, Workspace


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


def token_of(browser, label="tests"):
    return re.search(r"accord_[\w-]+", browser.post("/tokens", {"label": label}))[0]


@pytest.fixture(scope="module")
def key(owner):
    return token_of(owner)


def send(workspace, token, method, path, body=None, kind="application/json"):
    """The status and the answer of a request with a token."""
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": kind}
    request = urllib.request.Request(workspace.address + path, data, headers, method=method)
    try:
        answer = urllib.request.urlopen(request, timeout=120)
    except urllib.error.HTTPError as error:
        answer = error
    content = answer.read()
    return answer.status, json.loads(content) if answer.headers["Content-Type"] == "application/json" else content


@pytest.fixture(scope="module")
def call(workspace, key):
    return lambda method, path, *more: send(workspace, key, method, f"/api/v1/{path}", *more)


def test_a_program_creates_launches_closes_copies_and_lists_studies(workspace, call, key):
    status, made = call("POST", "studies", {"preset": "mqm", "title": "Our notices"})
    assert (status, made["key"], made["title"], made["state"]) == (201, "our-notices", "Our notices", "draft")
    assert send(workspace, key, "GET", "/s/our-notices/api/v1/study") == (
        404, {"error": "This study is a draft: launch it first."},
    )  # fmt: skip
    assert call("POST", "studies/our-notices/launch")[1]["state"] == "running"
    assert call("POST", "studies/our-notices/launch") == (400, {"error": "The study is launched already."})
    assert send(workspace, key, "GET", "/s/our-notices/api/v1/study")[1]["title"] == "Our notices"
    invited = send(workspace, key, "POST", "/s/our-notices/api/v1/raters", {"number": 1})[1]["invitations"]
    assert "/s/our-notices/i/" in invited[0]["link"]
    assert call("POST", "studies/our-notices/state", {"action": "close"}) == (201, {"state": "closed"})
    assert call("POST", "studies/our-notices/state", {"action": "archive"}) == (201, {"state": "archived"})
    assert call("GET", "studies/our-notices")[1]["state"] == "archived"
    copy = call("POST", "studies/our-notices/duplicate")[1]
    assert (copy["key"], copy["state"]) == ("our-notices-copy", "draft")
    found = {one["key"]: one["role"] for one in call("GET", "studies")[1]["studies"]}
    assert found.keys() >= {"first", "second", "our-notices", "our-notices-copy"} and set(found.values()) == {"owner"}


def test_drafts_are_deleted_and_invitations_withdrawn_by_a_program_and_nothing_else_is(workspace, call):
    key = call("POST", "studies", {"title": "Soon gone", "preset": "esa"})[1]["key"]
    assert call("DELETE", f"studies/{key}") == (200, {"key": key, "deleted": True})
    assert call("GET", f"studies/{key}")[0] == 404
    assert call("DELETE", "studies/first")[0] == 400 and call("GET", "studies/first")[0] == 200
    link = call("POST", "invitations", {"study": "first", "role": "viewer", "label": "Wi"})[1]["link"]
    (waiting,) = (one["id"] for one in call("GET", "people")[1]["invitations"] if one["label"] == "Wi")
    assert call("DELETE", f"invitations/{waiting}") == (200, {"id": waiting, "withdrawn": True})
    assert call("DELETE", f"invitations/{waiting}")[0] == 404
    late = Browser(workspace.address)
    late.get(link)
    assert late.status == 404


def test_a_study_folder_goes_out_and_comes_in_as_a_zip(call):
    status, content = call("GET", "studies/first/zip")
    assert status == 200 and "first/study.toml" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    status, made = call("POST", "studies/zip?name=again.zip", content, "application/zip")
    assert status == 201 and made["state"] == "draft" and made["key"] == "again"
    assert call("POST", "studies/zip?name=x", b"no zip", "application/zip")[0] == 400


@pytest.mark.parametrize("settings", [b"a=" + b"[" * 50_000, b'a="\x00"', b"\xff\xfe", b"seed = " + b"9" * 5_000])
def test_a_folder_whose_study_file_cannot_be_opened_is_not_imported(call, settings):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("study/study.toml", settings)
    status, told = call("POST", "studies/zip?name=broken", out.getvalue(), "application/zip")
    assert status == 400 and told["error"].startswith("study.toml ")


def test_what_cannot_be_launched_leaves_nothing_behind(call):
    before = call("GET", "studies")[1]["studies"]
    wrong = {"files": [{"name": "study.toml", "text": 'title = "Broken"'}], "launch": True}
    status, told = call("POST", "studies", wrong)
    assert status == 400 and "`criteria` is missing" in told["error"]
    assert call("POST", "studies", {"files": [{"name": "../study.toml", "text": ""}]})[0] == 400
    assert call("POST", "studies", {"title": "Nothing"})[0] == 400
    assert [one["key"] for one in call("GET", "studies")[1]["studies"]] == [one["key"] for one in before]


def test_people_are_invited_and_roles_given_by_a_program_and_the_log_says_so(workspace, call):
    link = call("POST", "invitations", {"study": "first", "role": "viewer", "label": "Vi"})[1]["link"]
    assert [one["label"] for one in call("GET", "people")[1]["invitations"]] == ["Vi"]
    viewer = workspace.joined(link, "vi")
    person = next(one for one in call("GET", "people")[1]["people"] if one["name"] == "vi")
    seen = token_of(viewer)
    assert [one["key"] for one in send(workspace, seen, "GET", "/api/v1/studies")[1]["studies"]] == ["first"]
    refused = "Your role in this study does not include this. Ask one of its owners."
    assert send(workspace, seen, "POST", "/api/v1/studies/first/state", {"action": "close"}) == (
        400, {"error": refused},
    )  # fmt: skip
    assert send(workspace, seen, "GET", "/api/v1/studies/second") == (404, {"error": "There is no such study."})
    assert send(workspace, seen, "POST", "/api/v1/studies", {"preset": "mqm"})[0] == 400
    assert send(workspace, seen, "POST", "/api/v1/invitations", {"study": "first", "role": "owner"})[0] == 400
    assert send(workspace, seen, "GET", "/api/v1/people")[1] == {"people": [], "invitations": [], "views": []}
    assert send(workspace, seen, "GET", "/s/first/api/v1/tokens")[0] == 403
    assert send(workspace, seen, "GET", "/s/second/api/v1/raters")[0] == 401
    assert call("POST", f"people/{person['id']}/role", {"role": "organiser"})[0] == 201
    assert send(workspace, seen, "GET", "/s/first/api/v1/tokens")[0] == 200
    assert call("POST", f"people/{person['id']}/role", {"role": "none"})[0] == 201
    assert send(workspace, seen, "GET", "/s/first/api/v1/raters")[0] == 401
    lines = [(one["by"], one["what"]) for one in call("GET", "log")[1]["lines"]]
    assert ("ola (API: tests)", "invited Vi as viewer") in lines and ("ola (API: tests)", "made vi nobody") in lines


def test_a_view_only_link_is_made_and_revoked_by_a_program(workspace, call):
    link = call("POST", "views", {"study": "second", "label": "for the board"})[1]["link"]
    visitor = workspace.stranger()
    visitor.get(link)
    assert "/s/second/" in visitor.url
    view = call("GET", "people")[1]["views"][0]
    assert view["label"] == "for the board" and call("DELETE", f"views/{view['id']}")[0] == 200
    visitor.get("/s/second/organiser")
    assert "sign-in" in visitor.url
    assert call("DELETE", "views/999") == (404, {"error": "There is no such link."})


def test_a_revoked_token_opens_nothing_here_or_in_a_study(workspace, call):
    made = call("POST", "tokens", {"label": "short-lived"})[1]
    paths = ("/api/v1/studies", "/s/first/api/v1/study")
    assert [send(workspace, made["token"], "GET", path)[0] for path in paths] == [200, 200]
    assert call("DELETE", f"tokens/{made['id']}") == (200, {"id": made["id"], "revoked": True})
    assert [send(workspace, made["token"], "GET", path)[0] for path in paths] == [401, 401]
    assert call("DELETE", "tokens/999")[0] == 404


def test_cookies_and_tokens_of_a_study_open_nothing_of_the_workspace(workspace, owner, key):
    owner.get("/api/v1/studies")
    assert owner.status == 401
    made = send(workspace, key, "POST", "/s/first/api/v1/tokens", {"label": "inside"})[1]["token"]
    assert send(workspace, made, "GET", "/s/first/api/v1/study")[0] == 200
    for path in ("/api/v1/studies", "/s/second/api/v1/study"):
        assert send(workspace, made, "GET", path)[0] == 401


def test_what_the_openapi_of_a_workspace_promises_no_request_can_break(workspace, call, key):
    """Requests, good and bad, over the line; no invitation, no study and no token is left that harms the next one."""
    import schemathesis
    from hypothesis import HealthCheck, given, settings
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

    checks = [not_a_server_error, status_code_conformance, response_schema_conformance]
    options = settings(
        max_examples=4, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True
    )

    def probe(case):
        headers = {"Authorization": f"Bearer {key}"}
        answer = case.call(headers=headers, base_url=workspace.address, timeout=600)  # on a busy machine too
        case.validate_response(answer, checks=checks)

    schema = schemathesis.openapi.from_dict(call("GET", "openapi.json")[1])
    asked = 0
    for found in schema.get_all_operations():
        operation = found.ok()
        # Revoking the token it asks with would end the test, and so would taking the owner's role.
        if operation.label not in ("DELETE /api/v1/tokens/{token}", "POST /api/v1/people/{person}/role"):
            options(given(case=operation.as_strategy())(probe))()
            asked += 1
    assert asked == 18


LOOKING = {
    "study", "progress", "phases", "reliability", "reliability/history", "comments", "raters", "quality", "guidelines",
    "rounds", "contests", "jobs",
}  # fmt: skip
"""What viewers read, of the addresses without a name in them; exports, tokens and judges are not theirs."""


@pytest.mark.parametrize("role, may_rule", [("viewer", False), ("arbiter", True)])
def test_a_token_reads_and_rules_as_far_as_the_role_of_its_account(workspace, call, key, role, may_rule):
    link = call("POST", "invitations", {"study": "first", "role": role, "label": role})[1]["link"]
    token = token_of(workspace.joined(link, f"t-{role}"))
    described = send(workspace, key, "GET", "/s/first/api/v1/openapi.json")[1]["paths"]
    plain = {path.removeprefix("/s/first/api/v1/"): methods for path, methods in described.items() if "{" not in path}
    reads = {path for path, methods in plain.items() if "get" in methods and "rater" not in methods["get"]["tags"]}
    read = {path for path in reads - {"report"} if send(workspace, token, "GET", f"/s/first/api/v1/{path}")[0] == 200}
    assert read == LOOKING
    changed = {
        path: send(workspace, token, "POST", f"/s/first/api/v1/{path}", {})[0]
        for path, methods in plain.items()
        if "post" in methods
    }
    # An empty request does not fit; whoever may not ask is refused before that is seen.
    assert {path for path, status in changed.items() if status != 403} == ({"contests"} if may_rule else set())
    ruled = send(workspace, token, "POST", "/s/first/api/v1/contests/99/rulings", {"ruling": "accept"})[0]
    assert ruled == (404 if may_rule else 403)
    assert send(workspace, token, "GET", "/s/first/api/v1/exports/ratings")[0] == 403
    # A report that names the systems of a blinded study is the organiser's, and a plain one is for all who look.
    for kind, status in (("report-md-named", 403), ("report-md", 404)):
        job = send(workspace, key, "POST", "/s/first/api/v1/jobs", {"kind": kind})[1]["id"]
        send(workspace, key, "DELETE", f"/s/first/api/v1/jobs/{job}")
        assert send(workspace, token, "GET", f"/s/first/api/v1/jobs/{job}/file")[0] == status


def test_a_copy_and_the_design_have_the_guideline_that_was_published_since(workspace, call, key):
    """Both had the text of the folder, which is the first version."""
    text = "# How to judge\n\nThe second text.\n"
    made = send(workspace, key, "POST", "/s/second/api/v1/guidelines", {"text": text, "change": "more is said"})
    assert made[0] in (200, 201), made
    copy = call("POST", "studies/second/duplicate")[1]["key"]
    assert (workspace.folder / copy / "guidelines.md").read_text(encoding="utf-8") == text
    archive = zipfile.ZipFile(io.BytesIO(call("GET", "studies/second/zip")[1]))
    assert archive.read("second/guidelines.md").decode() == text
    assert (workspace.folder / "second" / "guidelines.md").read_text(encoding="utf-8") != text, "the original stays"
