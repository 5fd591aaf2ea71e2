"""Whatever /save acknowledges comes out of every export, on SQLite and on PostgreSQL; nothing else is kept."""

import csv
import io
import json
import os
import subprocess
import zipfile
from contextlib import nullcontext
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from empty_database import opened_study
from own_postgres import own_postgres
from served_study import ALL_KINDS, make_study
from warm_process import accord_words

STUDY = ALL_KINDS.replace('choices = ["Portuguese", "another"]\n', "")
"""All kinds of questions, and a question about the rater that takes any text."""


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def desk(request, tmp_path_factory):
    """Django on a study of its own in this database, with an organiser and a rater at work."""
    from django.test import Client

    with own_postgres() if request.param == "postgres" else nullcontext("") as address:
        os.environ["ACCORD_DATABASE_URL"] = address
        try:
            folder = opened_study(make_study(tmp_path_factory.mktemp("desk") / "study", STUDY))
            yield Desk(folder, lambda: Client(headers={"host": "127.0.0.1"}, raise_request_exception=False))
        finally:
            from django.db import connections

            connections.close_all()
            del os.environ["ACCORD_DATABASE_URL"]


class Desk:
    """A study folder with the two people that the tests need."""

    def __init__(self, folder, new_client):
        from django.contrib.auth import get_user_model

        from accord.server.invitations import invite_raters

        self.folder, self.new_client = folder, new_client
        self.organiser = new_client()
        self.organiser.force_login(get_user_model().objects.create_user(username="ana", password="a long pass phrase"))
        self.rater, token = invite_raters(1)[0]
        self.working = new_client()
        self.working.get(f"/i/{token}")
        self.working.post("/welcome", {"consent": "yes"})
        self.working.post("/about-you", {"native": "Portuguese"})
        self.working.post("/guidelines")
        tasks = self.rater.tasks.exclude(role="practice").order_by("order")
        self.tasks = {scenario: [task.pk for task in tasks.filter(scenario=scenario)] for scenario in SCENARIOS}

    def table(self, name):
        """A table as the organiser downloads it; the same rows are in the archive."""
        plain = self.organiser.get(f"/organiser/export/{name}.csv")
        packed = self.organiser.get(f"/organiser/export/{name}.zip")
        assert plain.status_code == packed.status_code == 200
        content = plain.getvalue().decode("utf-8")
        with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
            assert archive.read(f"{name}.csv").decode("utf-8") == content
        return list(csv.DictReader(io.StringIO(content, newline="")))

    def command(self, *arguments):
        done = subprocess.run(accord_words(*arguments), capture_output=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8")


SCENARIOS = ("alone", "pair", "whole")
NASTY = [
    "",
    "\x00",
    "a\x00b",
    "\ud83d",
    "x\udc15",
    "🐕",
    '=HYPERLINK("http://x")',
    "+1+1",
    "-2",
    "@SUM(A1)",
    "\t=1",
    "'",
    "''=",
    "\r\n",
    "a\nb",
    "\r",
    "\u2028",
    "\ufeff",
    "\x1a",
    "\x85",
    "\x0b\x0c",
    "\x1b[31m",
    '"',
    ",;",
    "\\",
    "e\u0301",
    "\u202e",
    "nan",
    "NULL",
    "1e999",
    "<script>",
    "\ufffe",
]
texts = (
    st.sampled_from(NASTY) | st.text(max_size=20) | st.text(st.characters(codec=None, categories=["Cs", "Cc", "Lo"]))
)
numbers = st.integers(-5, 105) | st.integers() | st.floats() | st.sampled_from([10**400, -(10**400), 2**63, 2**53 + 1])
times = st.sampled_from(
    [
        "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59-14:00",
        "2026-02-30T00:00:00Z",
        "2026-01-01T10:00:00",
        "",
        "x",
        7,
        None,
        "2026-01-01T10:00:00.123456789Z",
        "2016-12-31T23:59:60Z",
        "-0001-01-01T00:00:00Z",
        "2026-01-01T10:00:00+23:59",
    ]
)
anything = st.recursive(
    texts | numbers | st.booleans() | st.none(),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(texts, parts, max_size=3),
    max_leaves=6,
)
marks = st.fixed_dictionaries(
    {
        "side": st.sampled_from(["target", "source"]) | anything,
        "start": st.integers(0, 9) | numbers,
        "end": st.integers(1, 12) | numbers,
        "severity": st.sampled_from(["minor", "major"]) | anything,
    },
    optional={"omission": st.booleans(), "category": anything},
)
VALUES = {
    ("alone", "meaning"): st.integers(0, 3),
    ("alone", "quality"): st.floats(0, 100) | st.integers(0, 100),
    ("alone", "kinds"): st.lists(st.sampled_from(["wrong", "left", "order"]), max_size=4),
    ("alone", "marks"): st.lists(marks, max_size=3),
    ("alone", "edit"): texts,
    ("pair", "better"): st.sampled_from([0, 1, "tie"]),
    ("pair", "meaning"): st.integers(0, 3),
    ("whole", "rank"): st.permutations([1, 2]),
}


@st.composite
def judgements(draw, tasks):
    """An entry that the page could send; every other one has a field that it could not."""
    scenario, criterion = draw(st.sampled_from(sorted(VALUES)))
    entry = {
        "uuid": str(uuid4()),
        "kind": "judgement",
        "task": draw(st.sampled_from(tasks[scenario])),
        "criterion": criterion,
        "place": 0,
        "value": draw(VALUES[scenario, criterion]),
        "cannot": draw(st.booleans()),
        "revision": draw(st.integers(1, 9)),
        "seconds": draw(numbers),
        "made": draw(times),
        "guideline": 1,
    }
    return entry | draw(st.just({}) | st.dictionaries(st.sampled_from(sorted(entry)), anything, max_size=1))


@st.composite
def others(draw, tasks):
    asked = draw(st.sampled_from([("tiring", ""), ("native", "@rater"), ("none", "alone")]))
    entry = {
        "uuid": str(uuid4()),
        "kind": draw(st.sampled_from(["remark", "answer", "question"])),
        "text": draw(texts),
        "task": draw(st.sampled_from(tasks["alone"])),
        "about": draw(st.sampled_from(["item", "text"])),
        "question": asked[0],
        "scenario": asked[1],
        "value": draw(st.integers(1, 6) | texts),
        "revision": 1,
    }
    return entry | draw(st.just({}) | st.dictionaries(st.sampled_from(sorted(entry)), anything, max_size=1))


def saved_at_random(desk, batches):
    """Send batches of good and bad entries; what was acknowledged. Every answer is one result for each entry."""
    acknowledged = []

    @settings(max_examples=batches, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(judgements(desk.tasks) | others(desk.tasks) | anything, min_size=1, max_size=8))
    def send(entries):
        answer = desk.working.post("/save", json.dumps({"entries": entries}), content_type="application/json")
        assert answer.status_code == 200, answer.content
        results = answer.json()["results"]
        assert len(results) == len(entries)
        for entry, result in zip(entries, results, strict=True):
            assert result["status"] == "saved" or (result["status"] == "refused" and result["message"])
            if result["status"] == "saved":
                assert result["uuid"] == entry["uuid"]
                acknowledged.append(entry)

    send()
    return acknowledged


def settled(row):
    """Which question a row is about."""
    return row["rater"], row["order"], row["criterion"]


def read_cell(cell):
    """A cell as it was before a spreadsheet was kept from running it."""
    from accord.tables.csv_lines import guarded

    return cell[1:] if cell.startswith("'") and guarded(cell[1:]) == cell else cell


@pytest.mark.parametrize("batches", [40, pytest.param(3000, marks=pytest.mark.hard)])
def test_whatever_save_acknowledges_comes_out_of_every_export_on_both_databases(desk, batches):
    from accord.server.models import Remark
    from accord.server.verifying import verify_study

    acknowledged = saved_at_random(desk, batches)
    sent = {entry["uuid"]: entry for entry in acknowledged if entry["kind"] == "judgement"}
    rows = {row["uuid"]: row for row in desk.table("judgements")}
    assert len(sent) > batches // 4 and sent.keys() <= rows.keys()
    for name, entry in sent.items():
        told = None if entry["cannot"] is True else entry["value"]
        assert json.loads(rows[name]["value"]) == told
        assert (rows[name]["criterion"], rows[name]["revision"]) == (entry["criterion"], str(entry["revision"]))

    assert {settled(row) for row in desk.table("ratings")} == {settled(row) for row in rows.values()}
    answers = {(e["scenario"], e["question"]) for e in acknowledged if e["kind"] == "answer"}
    written = {(row["scenario"], row["question"]) for row in desk.table("questionnaire")}
    assert written == {key for key in answers if key[0] != "@rater"}
    assert len(desk.table("background")) == 1 and desk.table("timings")
    kept = set(Remark.objects.values_list("text", flat=True))
    assert {entry["text"] for entry in acknowledged if entry["kind"] in ("remark", "question")} <= kept

    verified = verify_study(desk.folder)
    assert verified.problems == () and verified.judgements == len(rows)
    printed = desk.command("export", desk.folder, "--judgements")
    assert len(list(csv.DictReader(io.StringIO(printed, newline="")))) == len(rows)
    assert desk.organiser.get("/organiser/export/report.html").status_code == 200
    assert desk.organiser.get("/organiser/comments").status_code == 200 and desk.working.get("/work").status_code == 200


def test_a_formula_that_a_rater_writes_is_text_in_every_table_and_comes_back_as_it_was(desk):
    formula = '=HYPERLINK("http://evil.example","click")'
    task = desk.tasks["alone"][0]
    entries = [
        {"uuid": str(uuid4()), "kind": "remark", "task": task, "about": "item", "text": formula, "revision": 50},
        {
            "uuid": str(uuid4()),
            "kind": "answer",
            "scenario": "@rater",
            "question": "native",
            "value": formula,
            "revision": 50,
        },
    ]
    body = json.dumps({"entries": entries})
    told = desk.working.post("/save", body, content_type="application/json").json()["results"]
    assert [result["status"] for result in told] == ["saved", "saved"]
    for name, column in (("ratings", "comment"), ("background", "value")):
        content = desk.organiser.get(f"/organiser/export/{name}.csv").getvalue().decode()
        cells = [cell for line in csv.reader(io.StringIO(content, newline="")) for cell in line]
        assert not [cell for cell in cells if cell.startswith("=")]
        if name == "background":
            assert formula in [read_cell(row[column]) for row in desk.table(name)]


FORMS = (
    "answer",
    "reason",
    "label",
    "text",
    "note",
    "verdict",
    "value",
    "comment",
    "criterion",
    "target",
    "number",
    "native",
    "question",
    "username",
    "password",
    "language",
    "|tiring",
    "q",
    "sort",
    "PROLIFIC_PID",
    "SESSION_ID",
)


def test_nul_in_an_address_or_a_form_is_refused_on_every_page(desk):
    """PostgreSQL keeps no NUL: six addresses answered 500, two of them to raters."""
    import re

    from django.urls import get_resolver

    from accord.server.invitations import open_entrance
    from accord.server.models import Attempt

    token = open_entrance()
    fields = dict.fromkeys(FORMS, "a\x00b")
    for pattern in get_resolver().url_patterns:
        path = "/" + re.sub(r"<int:\w+>", "1", str(pattern.pattern))
        held = re.sub(r"<\w+:(\w+)>", "a%00b", path)
        known = re.sub(r"<\w+:(\w+)>", lambda part: token if part[1] == "token" else "R1", path)
        for client in (desk.working, desk.organiser, desk.new_client()):
            Attempt.objects.all().delete()
            if "logout" in path or "leave" in path:
                continue
            for answer in (client.get(held), client.get(known, fields), client.post(known, fields)):
                assert answer.status_code < 500, (path, answer.status_code)
    assert desk.working.post("/about-you", {"native": "a\x00b"}).status_code == 400
    assert desk.organiser.get("/organiser").status_code == 200


def test_nothing_that_a_rater_says_is_kept_before_consent(desk):
    from accord.server.invitations import invite_raters
    from accord.server.models import Judgement, QuestionnaireAnswer, Remark

    rater, token = invite_raters(1)[0]
    client = desk.new_client()
    client.get(f"/i/{token}")
    client.post("/about-you", {"native": "Portuguese"})
    client.post("/guidelines")
    client.post("/work", {"question": "Who are you?"})
    client.post("/questionnaire", {"|tiring": "3"})
    entry = {"uuid": str(uuid4()), "kind": "question", "text": "Who are you?"}
    told = client.post("/save", json.dumps({"entries": [entry]}), content_type="application/json").json()
    assert told["results"][0]["status"] == "refused"
    assert not QuestionnaireAnswer.objects.filter(rater=rater).exists()
    assert not Remark.objects.filter(rater=rater).exists() and not Judgement.objects.filter(task__rater=rater).exists()
