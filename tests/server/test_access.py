"""Who may see what: every failure seen in tools of this kind is tried here."""

import os
import re
import stat
import subprocess
import sys

import pytest

from accord.errors import OptionError
from accord.server.environment import Environment, is_loopback
from accord.server.launch import refuse_unsafe
from served_study import database_bytes

RATER_PAGES = ["/welcome", "/about-you", "/guidelines", "/work", "/questionnaire", "/thanks"]
ORGANISER_PAGES = [
    "/organiser", "/organiser/export/ratings.csv", "/organiser/export/judgements.csv",
    "/organiser/export/questionnaire.csv", "/organiser/export/timings.csv",
]  # fmt: skip


@pytest.mark.parametrize("page", RATER_PAGES)
def test_a_stranger_sees_no_page_of_a_rater(client, page):
    assert client.get(page).status_code == 401


@pytest.mark.parametrize("page", ORGANISER_PAGES)
def test_a_stranger_and_a_rater_reach_no_page_of_the_organiser(client, working, page):
    from django.test import Client

    for visitor in (Client(headers={"host": "127.0.0.1"}), working):
        answer = visitor.get(page)
        assert answer.status_code == 302 and answer["Location"] == "/organiser/login"


def test_every_address_is_closed_to_strangers_or_known_to_be_open(client):
    from django.urls import get_resolver

    open_to_all = {"home", "invitation", "crowd", "setup", "set_language", "health", "offline", "organiser-login",
                   "organiser-logout"}  # fmt: skip
    for pattern in get_resolver().url_patterns:
        if pattern.name not in open_to_all:
            path = "/" + re.sub(r"<\w+:\w+>", "1", str(pattern.pattern))
            for answer in (client.get(path), client.post(path)):
                told = answer.status_code in (401, 405) or answer.get("Location") == "/organiser/login"
                assert told, (path, answer.status_code)


def test_an_invitation_becomes_a_cookie_and_leaves_the_address(client, rater):
    _, token = rater
    answer = client.get(f"/i/{token}")
    assert answer.status_code == 302 and token not in answer["Location"]
    assert client.cookies["accord_session"]["httponly"] and client.cookies["accord_session"]["samesite"] == "Lax"
    assert token not in str(client.cookies)


def test_an_invitation_has_128_bits_or_more_and_only_its_hash_is_kept(collecting, rater):
    _, token = rater
    assert len(token) * 6 >= 128
    assert token.encode() not in database_bytes(collecting)


def test_coming_in_replaces_whatever_session_the_browser_had(client, rater):
    session = client.session
    session["planted"] = "yes"
    session.save()
    client.cookies["accord_session"] = planted = session.session_key
    client.get(f"/i/{rater[1]}")
    assert client.cookies["accord_session"].value != planted
    assert "planted" not in client.session


def test_guessing_invitations_is_slowed_down(client, rater):
    answers = [client.get(f"/i/{'x' * 27}{number}").status_code for number in range(12)]
    assert answers[:10] == [404] * 10 and set(answers[10:]) == {429}


def test_ten_wrong_links_do_not_lock_an_office_out(client, rater):
    for number in range(12):
        client.get(f"/i/{'x' * 27}{number}")
    assert client.get(f"/i/{rater[1]}").status_code == 302, "a right link is let in"


def log_in(client, name="o", **headers):
    return client.post("/organiser/login", {"username": name, "password": "wrong"}, headers=headers).status_code


def test_guessing_passwords_is_slowed_down_for_the_account_that_is_guessed(client, organiser):
    assert [log_in(client) for _ in range(12)] == [200] * 10 + [429] * 2
    for name in ("O", " o ", "\uff4f"):
        assert log_in(client, name) == 429, "however it is written"
    assert log_in(client, "another") == 200


def test_a_password_counts_while_it_is_tried_and_a_right_one_counts_for_nothing(client, organiser, monkeypatch):
    from django.contrib.auth import get_user_model

    from accord.server.models import Attempt
    from accord.server.views import organiser as page

    counted = []
    before = page.must_wait
    monkeypatch.setattr(page, "must_wait", lambda *a, **k: counted.append(Attempt.objects.count()) or before(*a, **k))
    log_in(client)
    assert counted == [2] and Attempt.objects.count() == 2, "for the account and for the network"
    get_user_model().objects.create_user(username="right", password="a long pass phrase")
    right = {"username": "right", "password": "a long pass phrase"}
    assert client.post("/organiser/login", right).status_code == 302
    assert Attempt.objects.count() == 2


def test_guessing_at_many_accounts_is_slowed_down_too(client, organiser):
    from django.test import RequestFactory

    from accord.server.throttle import note_failure

    for number in range(99):
        note_failure(RequestFactory().post("/organiser/login"), f"o{number // 5}")
    assert [log_in(client, "new"), log_in(client, "newer")] == [200, 429]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"),
        ("203.0.113.7:4000", "203.0.113.7:4001"),
        ("[2001:db8:1:2::1]:4000", "2001:db8:1:2::2"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("fe80::1%eth0", "fe80::2"),
    ],
)
def test_a_network_is_one_whatever_its_port_or_the_rest_of_its_address(one, other):
    from accord.server.throttle import network

    assert network(one) == network(other)


def test_other_networks_are_others(monkeypatch, client, organiser):
    """Behind our proxy, which adds the last address; those before it are the client's word."""
    from django.conf import settings

    monkeypatch.setattr(settings, "TRUSTS_PROXY", True)
    for number in range(10):
        log_in(client, **{"X-Forwarded-For": f"192.0.2.{number}, 203.0.113.7:{4000 + number}"})
    assert log_in(client, **{"X-Forwarded-For": "192.0.2.99, 203.0.113.7"}) == 429
    assert log_in(client, **{"X-Forwarded-For": "203.0.113.7, 203.0.113.8"}) == 200


def test_there_is_no_open_registration_and_a_crowd_link_needs_its_token(client):
    assert client.get("/join/guess?PROLIFIC_PID=5f0000000000000000000001").status_code == 404
    assert client.get("/setup/guess").status_code == 404


def test_a_person_from_a_platform_comes_back_as_the_same_rater_and_gets_the_code(client):
    from accord.server.invitations import open_entrance
    from accord.server.models import Rater

    token = open_entrance("CODE-9")
    for _ in range(2):
        answer = client.get(f"/join/{token}?PROLIFIC_PID=5f00000000000000000000aa&SESSION_ID=s1&STUDY_ID=x")
        assert answer["Location"] == "/welcome"
    rater = Rater.objects.get(crowd_id="5f00000000000000000000aa")
    assert rater.entrance.completion_code == "CODE-9"
    for wrong in ("<script>", "5f00000000000000000000aa%0A"):
        assert client.get(f"/join/{token}?PROLIFIC_PID={wrong}").status_code == 404


def test_a_crowd_link_with_another_person_s_name_does_not_open_that_person_s_work(client):
    from django.test import Client

    from accord.server.invitations import open_entrance

    link = f"/join/{open_entrance('CODE-9')}?PROLIFIC_PID=5f00000000000000000000bb"
    assert client.get(f"{link}&SESSION_ID=mine")["Location"] == "/welcome"
    client.post("/welcome", {"consent": "yes"})
    for query in ("", "&SESSION_ID=", "&SESSION_ID=guess"):
        stranger = Client(headers={"host": "127.0.0.1"})
        assert stranger.get(link + query).status_code == 403
        assert stranger.get("/work").status_code == 401
    assert client.get(link)["Location"] == "/welcome", "the same browser is known"
    elsewhere = Client(headers={"host": "127.0.0.1"})
    assert elsewhere.get(f"{link}&SESSION_ID=mine")["Location"] == "/welcome", "the platform knows the visit"


def test_the_link_that_makes_an_organiser_works_once_and_wants_a_good_password(collecting, client):
    from accord.server.launch import first_organiser_link

    path = first_organiser_link("", always=True)
    weak = {"username": "ada", "password1": "12345678"}
    assert client.post(path, weak).status_code == 200
    good = {"username": "ada", "password1": "seven grey whales"}
    assert client.post(path, good)["Location"] == "/organiser"
    assert client.get("/organiser").status_code == 200
    assert client.post(path, {**good, "username": "eve"}).status_code == 404


def test_no_page_of_a_rater_holds_the_name_of_a_system_or_a_role(working):
    page = working.get("/work").content.decode()
    assert "corre depressa" in page
    assert not re.search(r"alpha|beta|degraded|\"role\"", page)


def test_texts_of_a_study_are_text_and_guidelines_cannot_run(working):
    page = working.get("/work").content.decode()
    assert "<b>Ele</b>" not in page and "<script>alert" not in page
    assert "<strong>everything</strong>" in page and "&lt;script&gt;alert" in page


def test_scripts_come_only_from_here_and_pages_are_not_framed_or_cached(client):
    answer = client.get("/")
    policy = answer["Content-Security-Policy"]
    assert "unsafe" not in policy and "http" not in policy and "frame-ancestors 'none'" in policy
    assert answer["X-Frame-Options"] == "DENY" and answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "same-origin" and answer["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in answer


def test_no_page_has_inline_script_or_style(working, organiser):
    pages = [working.get(page).content.decode() for page in ("/work", "/guidelines")]
    for page in [*pages, organiser.get("/organiser").content.decode()]:
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
        assert all("src=" in tag or "application/json" in tag for tag in re.findall(r"<script[^>]*>", page))


def test_a_form_without_its_token_is_refused(rater):
    from django.test import Client

    strict = Client(enforce_csrf_checks=True, headers={"host": "127.0.0.1"})
    strict.get(f"/i/{rater[1]}")
    assert strict.post("/welcome", {"consent": "yes"}).status_code == 403
    assert strict.post("/save", "{}", content_type="application/json").status_code == 403


def test_another_host_name_is_refused(client):
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_the_secret_is_made_in_the_folder_for_its_owner_only(collecting):
    secret = collecting / "accord.secret"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600 and len(secret.read_text()) >= 50
    assert stat.S_IMODE((collecting / "accord.sqlite3").stat().st_mode) == 0o600
    assert "accord.secret" in (collecting / ".gitignore").read_text()


def test_serving_in_public_needs_https_and_no_debugging(monkeypatch, tmp_path):
    assert is_loopback("127.0.0.1") and is_loopback("::1") and not is_loopback("0.0.0.0")
    monkeypatch.delenv("ACCORD_ORIGIN", raising=False)
    with pytest.raises(OptionError, match="ACCORD_ORIGIN"):
        refuse_unsafe("0.0.0.0")
    monkeypatch.setenv("ACCORD_STUDY", str(tmp_path))
    monkeypatch.setenv("ACCORD_ORIGIN", "http://rate.example.org")
    with pytest.raises(OptionError, match="https"):
        Environment.read()
    monkeypatch.setenv("ACCORD_ORIGIN", "https://rate.example.org")
    monkeypatch.setenv("ACCORD_DEBUG", "1")
    with pytest.raises(OptionError, match="ACCORD_DEBUG"):
        Environment.read()
    monkeypatch.setenv("ACCORD_DEBUG", "False")
    assert Environment.read().debug is False
    monkeypatch.setenv("ACCORD_DEBUG", "perhaps")
    with pytest.raises(OptionError, match="neither yes nor no"):
        Environment.read()


@pytest.mark.parametrize("weak", ["secret", "a" * 60])
def test_a_guessable_secret_is_refused(monkeypatch, tmp_path, weak):
    monkeypatch.setenv("ACCORD_STUDY", str(tmp_path))
    monkeypatch.setenv("ACCORD_SECRET", weak)
    with pytest.raises(OptionError, match="too easy to guess"):
        Environment.read()


def test_the_deployment_check_of_django_is_clean(collecting):
    own = {name: value for name, value in os.environ.items() if not name.startswith(("ACCORD_", "DJANGO_", "PYTHON"))}
    environment = {**own, "ACCORD_STUDY": str(collecting), "ACCORD_ORIGIN": "https://rate.example.org"}
    command = [sys.executable, "-W", "error", "-m", "django", "check", "--deploy", "--fail-level", "WARNING",
               "--settings", "accord.server.settings"]  # fmt: skip
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "no issues" in done.stdout, (done.returncode, done.stdout, done.stderr)


def test_log_lines_hide_tokens_and_questions(collecting):
    import json
    import logging

    from accord.server.logs import JsonLine

    record = logging.makeLogRecord({"msg": "Not Found: /i/abcdefghijklmnopqrstuvwxyz0?PROLIFIC_PID=5f00"})
    line = json.loads(JsonLine().format(record))
    assert line["message"] == "Not Found: /i/[hidden]"


def test_the_log_says_why_an_entry_was_refused_and_not_what_was_written(caplog):
    from accord.server.recording import _refused

    _refused({"uuid": "x"}, "'errors' was not saved: 'my own words' is not one of its categories")
    assert "is not one of its categories" in caplog.text and "my own words" not in caplog.text


def test_processes_that_start_together_share_one_whole_secret(tmp_path, monkeypatch):
    from concurrent.futures import ThreadPoolExecutor

    from accord.server.environment import SECRET_FILE, _secret

    monkeypatch.delenv("ACCORD_SECRET", raising=False)
    with ThreadPoolExecutor(16) as pool:
        found = set(pool.map(lambda _: _secret(tmp_path), range(64)))
    assert found == {(tmp_path / SECRET_FILE).read_text()}
    assert not list(tmp_path.glob(".accord.secret.*"))
