"""Intruders: every address as every kind of visitor, forged forms, planted sessions, hostile texts, leaks."""

import re
from uuid import uuid4

import pytest

XSS = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{7*7}}"
OPEN_TO_ALL = {"home", "invitation", "crowd", "setup", "set_language", "health", "offline", "organiser-login",
               "organiser-logout"}  # fmt: skip


def addresses():
    """Every address of the server with parts that exist, made from the table of addresses itself."""
    from django.urls import get_resolver

    from accord.server.models import Judgement, Rater

    known = {
        "criterion": "meaning", "first": "R1", "second": "R2", "name": "R2", "rater": "R2", "number": "1", "key": "1",
        "token": "x" * 27, "what": "ratings.csv", "item": "d1-1:system-1", "table": "ratings", "comment": "1",
        "rest": "nowhere",
        "contest": "1", "phase": "two", "action": "exclude", "judgement": str(Judgement.objects.first().pk),
    }  # fmt: skip
    assert Rater.objects.filter(pseudonym="R2").exists()
    found = []
    for pattern in get_resolver().url_patterns:
        path = str(pattern.pattern)
        path = re.sub(r"<int:\w+>", "1", path)
        path = re.sub(r"<\w+:(\w+)>", lambda part: known[part[1]], path)
        if pattern.name == "organiser-item":
            path = "organiser/items/d1-1:system-1"
        found.append((pattern.name, "/" + path))
    return found


def is_closed(answer):
    return answer.status_code in (401, 403, 405) or answer.get("Location", "") == "/organiser/login"


def test_a_stranger_reaches_no_address_that_is_not_known_to_be_open(visitor):
    assert len(addresses()) > 60
    for name, path in addresses():
        if name not in OPEN_TO_ALL:
            for answer in (visitor.get(path), visitor.post(path)):
                assert is_closed(answer), (name, answer.status_code)


def test_a_rater_reaches_no_page_of_the_organiser_and_no_api(organised, rater_client):
    for name, path in addresses():
        if name.startswith(("organiser", "api")) and name not in OPEN_TO_ALL:
            for answer in (rater_client.get(path), rater_client.post(path)):
                assert is_closed(answer), (name, answer.status_code)


def test_no_page_of_a_rater_shows_another_rater_or_the_name_of_a_system(organised, rater_client):
    from accord.server.models import Rater

    secrets = [*Rater.objects.exclude(pk=Rater.objects.first().pk).values_list("owner", flat=True)]
    for name, path in addresses():
        if name.startswith(("organiser", "api")) or name in OPEN_TO_ALL:
            continue
        text = rater_client.get(path, follow=True).content.decode()
        assert "target:alpha" not in text and '"alpha"' not in text and '"beta"' not in text, name
        assert not any(str(secret) in text for secret in secrets), name


def test_an_organiser_is_no_rater(organiser):
    for name, path in addresses():
        if not name.startswith(("organiser", "api")) and name not in OPEN_TO_ALL:
            assert is_closed(organiser.get(path)), name


def test_a_rater_can_save_on_no_task_of_another_rater(organised, rater_client):
    from accord.server.models import Judgement, Rater

    own = Rater.objects.first()
    before = Judgement.objects.count()
    others = [task.pk for rater in Rater.objects.exclude(pk=own.pk) for task in rater.tasks.all()]
    for task in [*others[:60], 10**9, -1]:
        entry = {
            "uuid": str(uuid4()),
            "kind": "judgement",
            "task": task,
            "criterion": "meaning",
            "place": 0,
            "value": 1,
        }
        answer = rater_client.post("/save", {"entries": [entry]}, content_type="application/json")
        assert answer.json()["results"][0]["status"] == "refused"
    assert Judgement.objects.count() == before


def test_every_form_of_the_organiser_wants_its_csrf_token(organised):
    from django.contrib.auth import get_user_model
    from django.test import Client

    user, _ = get_user_model().objects.get_or_create(username="ana")
    forged = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1"})
    forged.force_login(user)
    for name, path in addresses():
        if name.startswith("organiser") and name != "organiser-login":
            answer = forged.post(path)
            assert answer.status_code in (403, 405), (name, answer.status_code)


def test_a_session_that_was_planted_before_log_in_is_worthless_afterwards(visitor, organised):
    from django.contrib.auth import get_user_model

    get_user_model().objects.filter(username="fixed").delete()
    get_user_model().objects.create_user(username="fixed", password="a long pass phrase")
    visitor.get("/organiser/login")
    session = visitor.session
    session["planted"] = "yes"
    session.save()
    planted = session.session_key
    visitor.cookies["accord_session"] = planted
    visitor.post("/organiser/login", {"username": "fixed", "password": "a long pass phrase"})
    assert visitor.get("/organiser").status_code == 200
    assert visitor.cookies["accord_session"].value != planted


@pytest.fixture
def hostile(organised, organiser, second):
    """Every text field of every form holds markup; the pages that show them."""
    from accord.server.models import Judgement, Rater, Remark
    from accord.server.models_organiser import Round
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)
    rater = Rater.objects.first()
    task = rater.tasks.filter(role="system").first()
    for about in ("item", "text"):
        Remark.objects.create(uuid=uuid4(), rater=rater, task=task, about=about, text=XSS)
    remark = Remark.objects.create(uuid=uuid4(), rater=rater, about="question", text=XSS)
    organiser.post(f"/organiser/comments/{remark.pk}", {"answer": XSS})
    organiser.post("/organiser/raters/R2/decide", {"action": "exclude", "reason": XSS})
    organiser.post("/organiser/raters/R2/decide", {"action": "include", "reason": XSS})
    organiser.post("/organiser/tokens", {"label": XSS})
    if not Round.objects.exists():
        organiser.post("/organiser/rounds/open", {"criterion": "meaning", "items": "1", "target": "0.8",
                                                  "smallest_gain": "0.05"})  # fmt: skip
    item = Round.objects.get().items.first()
    path = f"/organiser/rounds/1/items/{item.pk}"
    organiser.post(f"{path}/rate", {"value": "1", "comment": XSS})
    organiser.post(f"{path}/judge", {"verdict": "vague", "note": XSS})
    organiser.post("/organiser/rounds/1/changes", {"item": item.pk, "text": XSS, "remarks": [remark.pk]})
    organiser.post("/organiser/rounds/1/publish", {"text": XSS, "sure": "yes"})
    marked = Judgement.objects.filter(criterion="marks").exclude(value=[]).first()
    organiser.post(f"/organiser/judgements/{marked.pk}/contest", {"reason": XSS})
    second.post("/organiser/arbitration/1/rule", {"mark": "0", "ruling": "accept", "note": XSS})
    refresh(here=True)
    from accord.server.organiser.comments import rated_name

    shown = Remark.objects.exclude(task=None).first()
    return ["/organiser", "/organiser/comments", "/organiser/raters/R2", f"/organiser/raters/{rater.pseudonym}",
            "/organiser/tokens", "/organiser/rounds", "/organiser/rounds/1", "/organiser/arbitration",
            "/organiser/arbitration/1", "/organiser/quality", f"/organiser/items/{rated_name(shown)}",
            "/organiser/people"]  # fmt: skip


def test_markup_in_any_text_field_stays_text_on_every_page(organiser, hostile, rater_client):
    seen = 0
    for path in hostile:
        page = organiser.get(path).content.decode()
        assert "<script>alert" not in page and "<img src=x" not in page and ">49" not in page, path
        seen += page.count("&lt;script&gt;alert(1)")
    assert seen >= 10
    for path in ("/guidelines", "/work"):
        page = rater_client.get(path, follow=True).content.decode()
        assert "<script>alert" not in page and "<img src=x" not in page, path


def test_a_url_that_reflects_its_parts_escapes_them(organiser):
    for path in (f"/organiser/items/{XSS}", f"/organiser/agreement/{XSS.replace('/', '')}", f"/i/{XSS}"):
        assert b"<script>alert" not in organiser.get(path).content


def test_no_page_needs_inline_script_or_style_or_another_host(organiser, hostile):
    for path in hostile:
        answer = organiser.get(path)
        page = answer.content.decode()
        assert "style=" not in page and not re.search(r"<script(?![^>]*\bsrc=)", page), path
        assert not re.search(r'(?:src|href)="(?:https?:)?//', page), path
        assert "script-src 'self'" in answer["Content-Security-Policy"]


def test_secrets_are_in_no_address_and_no_log(organised, visitor, caplog, capfd):
    from accord.server.api.tokens import make_token
    from accord.server.invitations import invite_raters

    rater, token = invite_raters(1)[0]
    _, key = make_token("rater", "x", rater)
    with caplog.at_level("DEBUG"):
        assert token not in visitor.get(f"/i/{token}")["Location"]
        visitor.get("/api/v1/tasks", headers={"Authorization": f"Bearer {key}"})
        visitor.get(f"/api/v1/items/{'y' * 30}", headers={"Authorization": f"Bearer {key}"})
    out, err = capfd.readouterr()
    for secret in (token, key):
        assert secret not in err + out


def test_guessing_invitations_is_slowed_down(visitor):
    assert [visitor.get(f"/i/{number:027d}").status_code for number in range(12)] == [404] * 10 + [429] * 2
