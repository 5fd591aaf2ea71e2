"""The API: tokens of two scopes, everything the pages do, and nothing that breaks it."""

import csv
import io
import json
import re
from uuid import uuid4

import pytest
from make_api_page import endpoints

from served_study import database_bytes


@pytest.fixture(scope="module")
def keys(organised):
    """A token of the organiser and one of the first rater."""
    from accord.server.api.tokens import make_token
    from accord.server.models import Rater
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)
    return {
        "organiser": make_token("organiser", "tests")[1],
        "rater": make_token("rater", "a robot", Rater.objects.first())[1],
    }


@pytest.fixture
def call(visitor, keys):
    """Send a request with a token; returns the status and the answer."""

    def send(method, path, body=None, scope="organiser"):
        headers = {"Authorization": f"Bearer {keys[scope]}"} if scope in keys else {}
        data = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        answer = visitor.generic(method, f"/api/v1/{path}", headers=headers, **data)
        text = answer.getvalue().decode()
        return answer.status_code, json.loads(text) if answer["Content-Type"] == "application/json" else text

    return send


def test_a_token_has_160_random_bits_and_only_its_hash_is_kept(organised, keys):
    from accord.server.models_organiser import ApiToken
    from accord.server.tokens import token_hash

    secret = keys["organiser"].removeprefix("accord_")
    assert len(secret) * 6 >= 160
    assert ApiToken.objects.filter(token_hash=token_hash(keys["organiser"])).exists()
    assert secret.encode() not in database_bytes(organised)


def test_every_endpoint_wants_a_token_of_its_scope(visitor, keys):
    from accord.server.api.urls import api

    for endpoint in endpoints(api):
        path = "/api/v1/" + re.sub(r"{\w+}", "1", endpoint.address)
        wrong = keys["rater" if endpoint.scope == "organiser" else "organiser"]
        assert visitor.generic(endpoint.method, path).status_code == 401
        assert visitor.generic(endpoint.method, path, headers={"Authorization": f"Bearer {wrong}"}).status_code == 403
        in_address = visitor.generic(endpoint.method, f"{path}?token={keys[endpoint.scope]}")
        assert in_address.status_code == 401, "a token in the address opens nothing"


def test_a_cookie_opens_nothing_of_the_api(organiser):
    assert organiser.get("/api/v1/raters").status_code == 401
    assert organiser.post("/api/v1/raters", {"number": 1}).status_code == 401


def test_guessing_tokens_is_slowed_down(visitor):
    wrong = [visitor.get("/api/v1/study", headers={"Authorization": f"Bearer accord_{n}"}) for n in range(12)]
    assert [answer.status_code for answer in wrong] == [401] * 10 + [429] * 2


def test_a_revoked_token_opens_nothing(call, keys):
    status, made = call("POST", "tokens", {"label": "short-lived"})
    assert status == 201 and made["scope"] == "organiser"
    keys["short"] = made["token"]
    assert call("GET", "study", scope="short")[0] == 200
    assert call("DELETE", f"tokens/{made['id']}")[0] == 200
    assert call("GET", "study", scope="short")[0] == 401


def test_a_program_can_invite_fetch_decide_and_export(call, visitor):
    status, invited = call("POST", "raters", {"number": 1})
    assert status == 201
    link = invited["invitations"][0]["link"]
    assert visitor.get(link.replace("http://127.0.0.1", "")).status_code == 302
    names = [one["rater"] for one in call("GET", "raters")[1]["raters"]]
    assert invited["invitations"][0]["rater"] in names and len(names) == 5
    assert call("POST", "raters/R2/decisions", {"action": "exclude", "reason": "asked to"})[0] == 201
    assert call("GET", "raters/R2")[1]["work"]["excluded"] is True
    assert call("POST", "raters/R2/decisions", {"action": "include", "reason": "came back"})[0] == 201
    assert call("POST", "raters/R99/decisions", {"action": "exclude", "reason": "x"})[0] == 404
    status, text = call("GET", "exports/ratings")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert status == 200 and len(rows) == 324 and {row["system"] for row in rows} == {"system-1", "system-2"}
    assert {row["system"] for row in csv.DictReader(io.StringIO(call("GET", "exports/ratings?systems=named")[1]))} == {
        "alpha", "beta",
    }  # fmt: skip
    assert call("GET", "exports/exclusions")[1].count("declared rule") == 3
    assert call("GET", "exports/passwords")[0] == 404


def test_reliability_and_its_history_are_there_without_an_interval_that_two_documents_cannot_give(call):
    told = call("GET", "reliability")[1]
    main = {group["criterion"]: group["main"] for group in told["results"]["groups"]}
    assert set(main) == {"meaning", "quality", "marks"} and main["meaning"]["value"] is not None
    assert main["meaning"]["low"] is None, "two documents are too few for an interval over documents"
    states = call("GET", "reliability/history")[1]["states"]
    assert states[-1]["criteria"][0]["title"] == "meaning"


def test_a_rater_posts_judgements_and_the_same_twice_is_one(call):
    status, told = call("GET", "tasks", scope="rater")
    assert status == 200 and "alpha" not in json.dumps(told["screens"]) + json.dumps(told["criteria"])
    task = told["screens"][0]["id"]
    entry = {"uuid": str(uuid4()), "task": task, "criterion": "meaning", "place": 0, "value": 3, "revision": 7}
    for _ in range(2):
        assert call("POST", "judgements", {"entries": [entry]}, scope="rater")[1]["results"][0]["status"] == "saved"
    from accord.server.models import Judgement

    assert Judgement.objects.filter(uuid=entry["uuid"]).count() == 1
    worse = {**entry, "uuid": str(uuid4()), "value": 99999}
    assert call("POST", "judgements", {"entries": [worse]}, scope="rater")[1]["results"][0]["status"] == "refused"


def test_a_rater_token_cannot_write_for_another_rater(call):
    from accord.server.models import Rater

    task = Rater.objects.get(pseudonym="R2").tasks.first().pk
    entry = {"uuid": str(uuid4()), "task": task, "criterion": "meaning", "place": 0, "value": 3}
    told = call("POST", "judgements", {"entries": [entry]}, scope="rater")[1]["results"][0]
    assert told["status"] == "refused" and "not one of your tasks" in told["message"]


def test_questions_go_to_the_organiser_and_answers_back(call):
    key = call("POST", "questions", {"text": "What is <most>?"}, scope="rater")[1]["id"]
    assert [one["id"] for one in call("GET", "comments")[1]["comments"] if one["text"] == "What is <most>?"] == [key]
    assert call("POST", f"comments/{key}/answer", {"answer": "More than half."})[0] == 201
    assert call("GET", "questions", scope="rater")[1]["questions"][-1]["answer"] == "More than half."


def test_a_round_can_be_run_by_a_program(call):
    assert call("POST", "rounds", {"criterion": "meaning", "items": 2})[0] == 201
    item = call("GET", "rounds/1")[1]["items"][0]["id"]
    assert call("POST", f"rounds/1/items/{item}/verdict", {"verdict": "vague"})[0] == 400
    assert call("POST", f"rounds/1/items/{item}/rating", {"value": "2"})[0] == 201
    assert call("POST", f"rounds/1/items/{item}/verdict", {"verdict": "vague"})[0] == 201
    assert call("POST", "rounds/1/changes", {"text": "Define most.", "item": item})[0] == 201
    made = call("POST", "rounds/1/publish", {"text": "# New\n"})[1]
    assert made["number"] == 2 and made["parts"][0].startswith("Answers under version 1: ")
    assert call("POST", "rounds/1/measure", {"scope": "disputed"})[1]["screens"] in range(4, 9)
    told = call("GET", "rounds/1")[1]
    assert told["published"] == 2 and told["comparison"] is None and told["stop"] is False
    assert call("GET", "guidelines")[1]["versions"][1]["change"] == "- Define most."


@pytest.mark.parametrize(
    ("method", "path", "body", "sentence"),
    [
        ("POST", "raters", "no json", "The request is not JSON."),
        ("POST", "raters", "", "The body of the request is missing."),
        ("POST", "raters", "[1]", "The body of the request must be an object."),
        ("POST", "raters", "{}", "The field 'number' is missing."),
        ("POST", "raters", '{"number": "3"}', "The field 'number' must be a whole number."),
        ("POST", "raters", '{"number": 2.5}', "The field 'number' must be a whole number."),
        ("POST", "raters", '{"number": 0}', "The field 'number' must be at least 1."),
        ("POST", "raters", '{"number": 1, "name": "x"}', "The body of the request has no field 'name'. Known: number."),
        ("POST", "raters", '{"number": 1, "x": "\\u0000"}', "This cannot be saved: a text holds the character NUL."),
        ("POST", "phases/x", '{"action": "shut"}', "The field 'action' must be 'open' or 'close'."),
        ("GET", "exports/ratings?systems=all", "", "The field 'systems' must be 'coded' or 'named'."),
        ("GET", "nothing/here", "", "There is nothing at this address. api/v1/openapi.json names all that there are."),
        ("PUT", "raters", "{}", "This address takes GET, POST."),
    ],
)
def test_a_request_that_does_not_fit_is_refused_with_one_sentence(visitor, keys, method, path, body, sentence):
    headers = {"Authorization": f"Bearer {keys['organiser']}"}
    answer = visitor.generic(method, f"/api/v1/{path}", body, content_type="application/json", headers=headers)
    assert answer["Content-Type"] == "application/json" and answer.json() == {"error": sentence}
    assert answer.status_code == {"PUT": 405}.get(method, 404 if "nothing" in path else 400)
    stranger = visitor.generic(method, f"/api/v1/{path}", body, content_type="application/json")
    assert stranger.status_code == 401


def test_a_form_is_refused_in_words(visitor, keys):
    answer = visitor.post("/api/v1/raters", {"number": 1}, headers={"Authorization": f"Bearer {keys['organiser']}"})
    assert (answer.status_code, answer.json()) == (400, {"error": "The request is not JSON but a form."})


def test_an_entry_that_does_not_fit_is_named_by_its_place(call):
    entries = [{"uuid": str(uuid4()), "task": 1, "criterion": "meaning", "value": 1}, {"uuid": "short"}]
    status, told = call("POST", "judgements", {"entries": entries}, scope="rater")
    assert (status, told) == (400, {"error": "The field 'entries[1].uuid' must have at least 32 characters."})


def test_a_study_of_several_megabytes_can_be_sent(call):
    files = [{"name": "notes.md", "text": "x" * 3_000_000}]
    assert "Raters are invited" in call("PUT", "study", {"preset": "mqm", "files": files})[1]["error"]
    assert call("POST", "comments/1/answer", {"answer": "x" * 2_000_000}) == (
        400, {"error": "The request is too large for this address."},
    )  # fmt: skip


@pytest.mark.parametrize("examples", [2, pytest.param(8, marks=pytest.mark.hard)])
def test_what_the_openapi_promises_no_request_can_break(organised, keys, examples):
    """Schemathesis makes requests, good and bad; the server answers each within its document and never with 500."""
    import schemathesis
    from hypothesis import HealthCheck, given, settings
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

    from accord.server.api.urls import api
    from accord.server.models import Attempt
    from accord.server.models_organiser import StudyEvent
    from accord.server.wsgi import application

    checks = [not_a_server_error, status_code_conformance, response_schema_conformance]
    options = settings(
        max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True
    )

    def probe_with(token):
        def probe(case):
            Attempt.objects.all().delete()
            headers = {"Authorization": f"Bearer {token}", "Host": "127.0.0.1"}
            case.validate_response(case.call(headers=headers), checks=checks)

        return probe

    schema = schemathesis.openapi.from_dict(api.get_openapi_schema())
    schema.app = application
    checked = []
    for found in schema.get_all_operations():
        operation = found.ok()
        token = keys[operation.definition.raw["tags"][0]]
        options(given(case=operation.as_strategy())(probe_with(token)))()
        checked.append(operation.label)
    assert len(checked) == len(endpoints(api)) > 40
    StudyEvent.objects.all().delete()  # one of the requests may have closed the study


def test_the_reference_page_is_made_from_the_description_of_the_server():
    import subprocess
    import sys
    from pathlib import Path

    tool = Path(__file__).parents[2] / "tools" / "make_api_page.py"
    assert subprocess.run([sys.executable, tool, "--check"], timeout=600, check=False).returncode == 0


def page_of_the_api():
    from pathlib import Path

    return (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")


def test_the_reference_page_shows_a_value_of_every_kind_of_criterion(organised):
    from accord.design.study import CriterionSettings, Severity
    from accord.server.validation import check_value

    told = dict(re.findall(r"^\| ([a-z_, ]+) \| .* \| `([^`]*)` \|$", page_of_the_api(), re.M))
    examples = {kind: json.loads(value) for kinds, value in told.items() for kind in kinds.split(", ")}
    asked = {
        "scale": {"values": (1, 2, 3), "level": "ordinal"}, "slider": {}, "number": {}, "post_edit": {}, "pairwise": {},
        "ranking": {}, "categories": {"values": ("grammar", "style")},
        "spans": {"severities": (Severity(key="minor", weight=1),)},
    }  # fmt: skip
    assert examples.keys() == asked.keys()
    for kind, more in asked.items():
        criterion = CriterionSettings(key="one", question="What?", kind=kind, **more)
        check_value(criterion, examples[kind], {"target": "A text.", "source": "Um texto."}, 2)


def test_remarks_and_answers_on_the_reference_page_are_taken(call):
    remark, answer = next(
        made["entries"] for made in map(json.loads, re.findall(r"```json\n(.*?)```", page_of_the_api(), re.S))
        if len(made["entries"]) == 2
    )  # fmt: skip
    task = call("GET", "tasks", scope="rater")[1]["screens"][0]["id"]
    told = call("POST", "judgements", {"entries": [remark | {"task": task}, answer]}, scope="rater")[1]["results"]
    assert told[0]["status"] == "saved"
    # This study has no questionnaire, and nothing else is wrong with the answer.
    assert told[1] == {"uuid": answer["uuid"], "status": "refused", "message": "This question is not asked."}
