"""Each failure seen in tools of this kind, by its name, tried on this one."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

import accord

SOURCE = Path(accord.__file__).parent


def start(folder, **environment):
    """Read the settings of a server in a fresh process; returns how it ended."""
    code = "import django; django.setup(); from django.conf import settings; print(settings.DEBUG)"
    env = {**os.environ, "ACCORD_STUDY": str(folder), "DJANGO_SETTINGS_MODULE": "accord.server.settings", **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, timeout=600)


def save(rater, **entry):
    from accord.server.recording import record

    task = rater.tasks.filter(role="system").first()
    return record(rater, {"uuid": str(uuid4()), "kind": "judgement", "task": task.pk, "criterion": "quality",
                          "place": 0, **entry})  # fmt: skip


@pytest.fixture
def rater(organised):
    from accord.server.models import Rater

    return Rater.objects.first()


def test_downloads_without_a_token(visitor):
    paths = ["/organiser/export/ratings.csv", "/organiser/files/analysed.csv", "/api/v1/exports/ratings"]
    assert [visitor.get(path).status_code for path in paths] == [302, 302, 401]


def test_an_admin_token_handed_out_by_a_public_endpoint(visitor):
    for path in ("/", "/health", "/organiser/login", "/api/v1/openapi.json", "/api/v1/tokens"):
        assert b"accord_" not in visitor.get(path).content.replace(b"accord_csrf", b"")


def test_exports_that_unblind_system_names_to_raters(rater_client):
    for path in ("/organiser/export/ratings.csv", "/organiser/files/analysed.csv"):
        assert rater_client.get(path).status_code == 302
    assert b'"alpha"' not in rater_client.get("/work", follow=True).content


def test_any_origin_allowed_with_credentials(organiser):
    for path in ("/organiser", "/api/v1/study", "/health"):
        assert "Access-Control-Allow-Origin" not in organiser.get(path, headers={"Origin": "https://evil.example"})


def test_binding_0_0_0_0_by_default():
    from accord.cli.serve import serve
    from accord.errors import OptionError
    from accord.server.launch import refuse_unsafe

    assert serve.__defaults__[0] == "127.0.0.1"
    with pytest.raises(OptionError):
        refuse_unsafe("0.0.0.0")


def test_tokens_kept_in_the_url(visitor, organised):
    from accord.server.invitations import invite_raters

    _, token = invite_raters(1)[0]
    answer = visitor.get(f"/i/{token}", follow=True)
    assert token not in str(answer.redirect_chain) and token not in answer.content.decode()


def test_default_secret_key(organised, tmp_path):
    text = "".join(path.read_text() for path in (SOURCE / "server").rglob("*.py"))
    assert not re.search(r"SECRET_KEY\s*=\s*[\"']", text)
    assert len((organised / "accord.secret").read_text()) >= 32
    assert "too easy to guess" in start(organised, ACCORD_SECRET="changeme").stderr


def test_debug_on_because_false_is_a_true_string(organised):
    assert start(organised, ACCORD_DEBUG="False").stdout.strip() == "False"
    assert start(organised, ACCORD_DEBUG="true", ACCORD_ORIGIN="https://rate.example.org").returncode != 0


def test_default_admin_password(django_on, organised, tmp_path):
    from django.contrib.auth import get_user_model

    from organised_study import write_study

    django_on(write_study(tmp_path / "fresh"))
    try:
        assert not get_user_model().objects.exists()
    finally:
        django_on(organised)


def test_guessable_passwords(organised, visitor):
    from accord.server.launch import first_organiser_link

    path = first_organiser_link("", always=True)
    for weak in ("password1234", "123456789012", "short"):
        form = {"username": "boss", "password1": weak}
        assert visitor.post(path, form).status_code == 200, "the form is shown again"
    assert visitor.get("/organiser").status_code == 302


def test_campaign_pages_open_to_any_logged_in_rater(rater_client):
    for path in ("/organiser", "/organiser/quality", "/organiser/raters/R1", "/organiser/rounds"):
        assert rater_client.get(path).status_code == 302


def test_ssrf():
    """No page of the server fetches an address it was given: nothing in the room can."""
    room = "".join(path.read_text() for path in (SOURCE / "server").rglob("*.py"))
    assert not re.search(r"import (requests|httpx|urllib\.request)|from urllib\.request|urlopen", room)


def test_reflected_xss(organiser):
    for path in ("/organiser/comments?page=<script>", "/organiser/items/<script>alert(1)</script>", "/i/<script>"):
        assert b"<script>" not in organiser.get(path).content.replace(b'<script type="module"', b"")


def test_path_traversal(organiser, organised):
    secret = (organised / "accord.secret").read_text().encode()
    here = "accord.secret"
    paths = [f"/static/../{here}", f"/organiser/export/..%2f..%2f{here}", f"/static/x/%2e%2e/{here}",
             f"/organiser/files/../{here}", f"/organiser/items/../../{here}"]  # fmt: skip
    for path in paths:
        answer = organiser.get(path)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert answer.status_code in (302, 404, 400) and secret not in body


def test_orm_leaks(organiser):
    """Names of fields in a query choose nothing."""
    usual = organiser.get("/organiser/comments").content
    asked = organiser.get("/organiser/comments?rater__invitation_hash__startswith=a&password__regex=.").content
    assert re.sub(rb'value="[^"]+"', b"", asked) == re.sub(rb'value="[^"]+"', b"", usual)


def test_open_self_registration(visitor):
    from django.contrib.auth import get_user_model

    for path in ("/register", "/signup", "/setup/guess", "/organiser/register", "/api/v1/users"):
        answer = visitor.post(path, {"username": "me", "password1": "a" * 20})
        # Programs are asked for their token before they are told what there is.
        assert answer.status_code == (401 if path.startswith("/api/") else 404)
    assert not get_user_model().objects.filter(username="me").exists()


def test_a_ranking_that_keeps_only_the_last_rater_of_an_item(organised):
    from accord.server.organiser.ratings import collect

    ratings = collect().ordinary("quality")
    assert np.bincount(ratings.item.codes).max() == 4


def test_a_score_of_99999_accepted_on_a_0_100_scale(rater):
    assert save(rater, value=99999).status == "refused"


def test_every_clicked_value_stored_so_that_the_final_answer_cannot_be_recovered(rater):
    from accord.server.organiser.ratings import collect

    for revision, value in ((11, 10.25), (12, 20.25), (13, 33.25)):
        assert save(rater, value=value, revision=revision).status == "saved"
    scores = collect().criteria["quality"].only(rater=rater.pseudonym).scores.tolist()
    assert scores.count(33.25) == 1 and 20.25 not in scores and 10.25 not in scores


def test_zero_treated_as_missing(rater):
    from accord.server.organiser.ratings import collect

    assert save(rater, value=0, revision=21).status == "saved"
    assert 0.0 in collect().criteria["quality"].only(rater=rater.pseudonym).scores


def test_progress_files_rewritten_non_atomically(organised):
    """There are none: progress is counted from judgements in the database."""
    names = {path.name for path in organised.rglob("*") if path.is_file()}
    assert names <= {"study.toml", "items.tsv", "guidelines.md", "accord.secret", ".gitignore", "accord.sqlite3",
                     "accord.sqlite3-wal", "accord.sqlite3-shm", "accord.sqlite3.lock"}  # fmt: skip


def test_a_truncated_file_or_a_stale_lock_stops_the_server(organised):
    from datetime import timedelta

    from django.utils import timezone

    from accord.server.models_organiser import Computation
    from accord.server.organiser.snapshot import is_computing

    Computation.objects.update_or_create(name="snapshot", defaults={"started_at": timezone.now() - timedelta(hours=1)})
    assert not is_computing(), "a computation that was killed blocks nothing"


def test_data_stored_inside_the_installed_package(organised):
    from django.conf import settings

    assert not Path(settings.DATABASES["default"]["NAME"]).is_relative_to(SOURCE)


def test_upgrades_that_break_running_campaigns(organised):
    from django.core.management import call_command

    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


def test_database_is_locked(organised):
    from django.db import connection

    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert connection.settings_dict["OPTIONS"]["timeout"] >= 30


def test_labels_lost_after_a_network_failure(rater):
    """The browser sends the same uuid again until it is acknowledged; twice is once."""
    from accord.server.models import Judgement
    from accord.server.recording import record

    task = rater.tasks.filter(role="system").first()
    entry = {"uuid": str(uuid4()), "kind": "judgement", "task": task.pk, "criterion": "quality", "place": 0, "value": 5}
    assert [record(rater, entry).status for _ in range(3)] == ["saved"] * 3
    assert Judgement.objects.filter(uuid=entry["uuid"]).count() == 1


def test_deleting_a_label_deletes_annotations(rater):
    from django.db.models import ProtectedError

    from accord.server.models import Judgement

    with pytest.raises(TypeError):
        Judgement.objects.first().delete()
    with pytest.raises(ProtectedError):
        rater.delete()


def test_a_raters_edit_changing_the_source_text_of_the_ratings(organiser, rater):
    from accord.ratings.study_codebook import system_names
    from accord.server.study import current

    task = rater.tasks.filter(role="system").first()
    name = f"{task.item}:{system_names(current().study)[task.systems[0]]}"
    text = current().study.item_by_id[task.item].outputs[task.systems[0]]
    assert save(rater, value=50, revision=31, text="another text", source="another source").status == "saved"
    page = organiser.get(f"/organiser/items/{name}").content.decode()
    assert text in page and "another text" not in page


def test_fleiss_that_drops_items_without_the_modal_rater_count(tmp_path):
    rows = [("a", "r1", 1), ("a", "r2", 1), ("a", "r3", 2), ("b", "r1", 2), ("b", "r2", 2), ("c", "r1", 1),
            ("c", "r2", 2), ("c", "r3", 2)]  # fmt: skip
    file = tmp_path / "ratings.csv"
    file.write_text("item,rater,value\n" + "\n".join(",".join(map(str, row)) for row in rows))
    assert accord.agreement(file, coefficients="fleiss_kappa", interval="none")["fleiss_kappa"].items == 3


def test_nominal_alpha_on_likert_data(organised):
    from accord.design.scale import Level
    from accord.server.organiser.ratings import collect

    assert collect().ordinary("meaning").level is Level.ORDINAL


def test_results_that_flip_with_input_order(organised):
    from accord.server.organiser.ratings import collect

    ratings = collect().ordinary("quality")
    turned = ratings.where(np.arange(len(ratings))[::-1])
    one, other = (accord.agreement(part, interval="none")["krippendorff_alpha"].value for part in (ratings, turned))
    assert one == pytest.approx(other, abs=1e-12)


def test_pages_that_need_a_cdn_and_are_unusable_offline(organiser):
    pages = [organiser.get(path).content.decode() for path in ("/organiser", "/organiser/rounds", "/organiser/tokens")]
    assert not any(re.search(r'(?:src|href|action)="(?:https?:)?//', page) for page in pages)
    policy = organiser.get("/organiser")["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "http" not in policy


def test_every_failure_listed_has_its_test():
    """The list, as it was written down before the server was."""
    listed = json.loads(Path(__file__).with_name("peers_failures.json").read_text())
    names = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(listed) <= names
