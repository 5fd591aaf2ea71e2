"""Blind raters: no answer of the server tells which system wrote a text, nor which text is a check."""

import json
import re
from collections import Counter
from uuid import uuid4

import pytest

from accord.design.preset import PRESETS, copy_preset
from empty_database import opened_study
from long_tests import ALIKE
from served_study import write_folder

NAME = "Zqx7"


@pytest.fixture
def open_study(tmp_path):
    """Django on a preset whose systems have names that occur nowhere else."""

    def start(preset):
        folder = tmp_path / preset
        copy_preset(preset, folder)
        items = next(folder.glob("items.*"))
        text = items.read_text(encoding="utf-8")
        for name in set(re.findall(r"target:([\w-]+)", text)):
            text = text.replace(f"target:{name}", f"target:{NAME}{name}")
        lines = [rename(line) for line in text.splitlines(keepends=True)]
        items.write_text("".join(lines), encoding="utf-8")
        return opened_study(folder)

    yield start
    from django.db import connections

    connections.close_all()


def rename(line):
    if not line.startswith("{"):
        return line
    item = json.loads(line)
    renamed = {NAME + name: text for name, text in item["target"].items()}
    return json.dumps({**item, "target": renamed}, ensure_ascii=False) + "\n"


def addresses(*, organiser):
    """Every address of the server with something in the place of its parts."""
    from django.urls import get_resolver

    for pattern in get_resolver().url_patterns:
        if pattern.name.startswith(("organiser", "api")) and not organiser:
            continue
        yield "/" + re.sub(r"<\w+:\w+>", "1", re.sub(r"<str:\w+>", "x", str(pattern.pattern)))


def everything_told(client, headers, *, organiser=True):
    """All that the server answers to this client, headers included."""
    for path in addresses(organiser=organiser):
        if path in ("/leave", "/organiser/logout"):
            continue
        for method in ("get", "post"):
            body = {} if method == "get" else {"data": "{}", "content_type": "application/json"}
            answer = getattr(client, method)(path, headers=headers, **body)
            content = b"".join(answer.streaming_content) if answer.streaming else answer.content
            yield f"{method} {path}", content.decode() + str(answer.headers)


def assert_blind(told):
    for where, text in told:
        assert NAME not in text and "degraded" not in text and '"role"' not in text, where


BLIND = [
    pytest.param(preset, marks=pytest.mark.long if preset in ALIKE else ())
    for preset in PRESETS
    if preset != "quality-check"
]


@pytest.mark.parametrize("preset", BLIND)
def test_no_answer_to_a_rater_names_a_system_or_a_check(open_study, preset):
    open_study(preset)
    from django.test import Client

    from accord.server.api.tokens import make_token
    from accord.server.invitations import invite_raters

    rater, token = invite_raters(1)[0]
    assert any(NAME in system for task in rater.tasks.all() for system in task.systems)
    client, seen = Client(headers={"host": "127.0.0.1"}), ""
    client.get(f"/i/{token}")
    answers = {"background": "other", "experience_years": "1 to 5"}
    for path, form in (("/welcome", {"consent": "yes"}), ("/about-you", answers), ("/guidelines", {}), ("/work", {})):
        told = list(everything_told(client, {}, organiser=path == "/work" and preset == "direct-assessment"))
        assert_blind(told)
        seen += "".join(text for _, text in told)
        client.post(path, form)
    assert '"targets"' in seen, "the work itself was among the answers"
    entries = [
        {"uuid": str(uuid4()), "kind": "judgement", "task": task.pk, "criterion": criterion, "place": 0, "value": "?"}
        for task in rater.tasks.all()[:5]
        for criterion in ("adequacy", "preference", "errors", "nothing")
    ]
    headers = {"authorization": f"Bearer {make_token('rater', 'a test', rater)[1]}", "host": "127.0.0.1"}
    for path, who in (("/save", client), ("/api/v1/judgements", Client(headers=headers))):
        answer = who.post(path, json.dumps({"entries": entries}), content_type="application/json")
        assert_blind([(path, answer.content.decode())])
    assert_blind(everything_told(Client(headers=headers), headers))


CONTROLLED = """
title = "Checks"
seed = 3
[languages]
source = "en"
target = "pt"
[assignment]
design = "crossed"
raters = 2
[[scenarios]]
key = "sentence"
kind = "sentence-in-context"
SYSTEMS
CRITERIA
[controls]
repeats = 2
CHECKS
blocks = 4
spacing = 1
"""
_GRAVE = 'severities = [{ key = "minor", label = "Minor", weight = 1 }, { key = "major", label = "Major", weight = 5 }]'
_SLIDER = ("quality", 'kind = "slider"\nlow = 0\nhigh = 100\nbest = "high"')
_SPANS = f'kind = "spans"\nsides = ["target", "source"]\nomissions = true\n{_GRAVE}'
PROTOCOLS = {
    "da": ([_SLIDER], 1),
    "esa": ([("errors", _SPANS), _SLIDER], 1),
    "mqm": ([("errors", f'{_SPANS}\nvalues = ["accuracy", "style"]')], 1),
    "grades": ([("grade", 'kind = "scale"\nvalues = [1, 2, 3, 4]\nlevel = "ordinal"\nbest = "high"')], 1),
    "categories": ([("kinds", 'kind = "categories"\nvalues = ["wrong", "order"]\nseveral = true')], 1),
    "number": ([("count", 'kind = "number"\nbest = "low"')], 1),
    "editing": ([("edited", 'kind = "post_edit"')], 1),
    "pairwise": ([("better", 'kind = "pairwise"')], 2),
    "ranking": ([("order", 'kind = "ranking"')], 2),
}
"""What every protocol asks, and how many texts it shows; where texts are compared, repeats are the only checks."""


def controlled_study(protocol, kind="sentence-in-context"):
    """A study of that protocol with every check it may have."""
    criteria, systems = PROTOCOLS[protocol]
    asked = "".join(f'[[criteria]]\nkey = "{key}"\nquestion = "{key}?"\n{text}\n' for key, text in criteria)
    checks = "degraded = 2\nreferences = 2\nattention = 2" if systems == 1 else ""
    return (
        CONTROLLED.replace("CRITERIA", asked)
        .replace("SYSTEMS", f"systems = {systems}")
        .replace("CHECKS", checks)
        .replace("sentence-in-context", kind)
    )


def controlled_items(systems, documents=10):
    """Documents of three sentences, with as many systems and a reference."""
    outputs = ("um", "dois", "tres")[:systems]
    return [*["target:a", "target:b"][:systems], "reference"], [
        (f"d{d}", str(s), f"{SENTENCE} {d} {s}", *(f"{one} {d} {s} {SENTENCE}" for one in (*outputs, "ref")))
        for d in range(documents)
        for s in range(1, 4)
    ]


SENTENCE = "the old harbour keeps many small boats that nobody sails in winter or in rain"


@pytest.mark.parametrize("kind", ["sentence-in-context", "random-sentence"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_check_and_an_ordinary_text_are_told_apart_by_nothing_the_page_holds(tmp_path, protocol, kind):
    from django.test import Client

    columns, items = controlled_items(PROTOCOLS[protocol][1])
    folder = write_folder(tmp_path / "study", controlled_study(protocol, kind), "# Read.\n", columns, items)
    opened_study(folder)
    from accord.server.invitations import invite_raters

    rater, token = invite_raters(1)[0]
    client = Client(headers={"host": "127.0.0.1"})
    client.get(f"/i/{token}")
    client.post("/welcome")
    client.post("/guidelines")
    page = client.get("/work").content.decode()
    work = json.loads(re.search(r'<script id="work" type="application/json">(.*?)</script>', page, re.S)[1])
    roles = {task.pk: (task.role, task.texts, task.item) for task in rater.tasks.all()}
    checks = {"degraded", "reference", "attention"} if len(columns) == 2 else set()
    assert {role for role, _, _ in roles.values()} == {"system", "repeat"} | checks
    shapes, first_seen = {}, {}
    for screen in work["screens"]:
        role, texts, item = roles[screen["id"]]
        rows, family = work["contexts"][screen["context"]], work["families"][screen["context"]]
        shapes.setdefault(role, set()).add((
            screen["scenario"], tuple(sorted(screen)), screen["places"], tuple(screen["criteria"]), len(rows),
            tuple(tuple(sorted(row)) for row in rows), tuple(one is not None for one in family),
        ))  # fmt: skip
        assert first_seen.setdefault(screen["context"], (role, screen["scenario"])) == (role, screen["scenario"])
        if item and role in ("degraded", "attention", "reference"):
            assert rows[screen["row"]]["targets"] == texts, "the spoilt text is the only one on its page"
    assert all(shape == shapes["system"] for shape in shapes.values())


def test_the_sides_of_a_pair_are_mixed(open_study):
    open_study("pairwise")
    from accord.server.invitations import invite_raters

    orders = {}
    for rater, _ in invite_raters(6):
        tasks = list(rater.tasks.filter(role="system"))
        left = Counter(task.systems[0] == min(task.systems) for task in tasks)
        assert abs(left[True] - left[False]) <= 2, "each rater sees each side as often as the other"
        for task in tasks:
            orders.setdefault((task.item, frozenset(task.systems)), set()).add(tuple(task.systems))
    assert len(orders) == 63
    assert sum(len(seen) == 2 for seen in orders.values()) > 63 / 2, "raters do not share one order"
