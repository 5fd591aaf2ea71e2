"""Studies collected by the version before open with this one, and say the same."""

import json
import re
from collections import Counter
from pathlib import Path
from zipfile import ZipFile

import pytest

from accord.design.preset import PRESETS
from long_tests import ALIKE

RECORDED = Path(__file__).parent.parent / "recorded" / "studies"
NAMES = sorted(path.stem for path in RECORDED.glob("*.zip"))


MORE_DESIGNS = {"error-counts", "two-phases"}


def test_there_is_one_of_each_preset_that_the_version_before_had_and_of_two_more_designs():
    """A preset that came later was collected by no version before."""
    assert len(NAMES) == 10 and set(NAMES) >= MORE_DESIGNS and set(NAMES) - MORE_DESIGNS <= set(PRESETS)


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.long if name in ALIKE else ()) for name in NAMES]
)
def recorded(request, django_on, tmp_path_factory):
    """The study is open, its tables brought up to date; gives what the version before told of it."""
    folder = tmp_path_factory.mktemp(request.param)
    with ZipFile(RECORDED / f"{request.param}.zip") as archive:
        archive.extractall(folder)
    django_on(folder / "study")
    # The version before called round-2 what was measured after round 1.
    told = (folder / "told.json").read_text(encoding="utf-8")
    return json.loads(re.sub(r"\bround-(\d)", lambda found: f"after-round-{int(found[1]) - 1}", told))


def exported(name):
    """Rows as a file holds them: keys and values that JSON knows."""
    from accord.server.export import TABLES

    return json.loads(json.dumps([dict(row) for row in TABLES[name].rows()]))


def test_every_judgement_is_there_as_it_was(recorded):
    """The version before left empty what superseded an answer whose screen was done anew."""
    known = recorded["judgements"][0].keys()
    now = [{name: row[name] for name in known} for row in exported("judgements")]
    by_name = {row["uuid"]: row for row in now}
    for row, before in zip(now, recorded["judgements"], strict=True):
        if row["superseded_by"] != before["superseded_by"]:
            later = by_name[row["superseded_by"]]
            assert all(later[name] == row[name] for name in ("rater", "item", "criterion", "system"))
            assert later["order"] > row["order"] and not before["superseded_by"] and not later["superseded_by"]
            row["superseded_by"] = ""
    assert now == recorded["judgements"]


def test_ratings_have_the_same_values(recorded):
    """A screen that a rater was asked to do anew replaces the old one, which the version before wrote as well."""
    apart = ("item", "rater", "criterion", "scenario", "condition", "phase", "role", "occasion")

    def values(rows):
        return Counter((row["item"], row["rater"], row["criterion"], row["value"]) for row in rows)

    last = {tuple(row[name] for name in apart): row for row in recorded["ratings"]}
    assert values(exported("ratings")) == values(last.values())


def test_answers_to_the_questionnaire_are_the_same(recorded):
    def answers(rows):
        return [(row["rater"], row["scenario"], row["question"], row["value"]) for row in rows]

    now = answers(exported("questionnaire")) + answers(exported("background"))
    assert sorted(map(str, now)) == sorted(map(str, answers(recorded["questionnaire"])))
    assert all(scenario != "@rater" for _, scenario, _, _ in answers(exported("questionnaire")))


def test_the_dashboard_shows_the_same_reliability(recorded):
    """The main coefficient of every criterion, scenario and phase; what combines them came later."""
    from accord.server.organiser.analysis import MAIN
    from accord.server.organiser.snapshot import compute_snapshot

    def main(groups):
        return {
            group["title"]: next((one["value"] for one in group["estimates"] if one["coefficient"] == MAIN), None)
            for group in groups
            if not group.get("combined")
        }

    now = main(compute_snapshot().results["groups"])
    assert now == {title: pytest.approx(value, abs=1e-12) for title, value in main(recorded["dashboard"]).items()}


def test_raters_can_go_on_where_they_were(recorded):
    """The last rater stopped in the middle: the page shows the tasks, and an answer is saved."""
    from uuid import uuid4

    from django.test import Client

    from accord.server.models import Judgement, Rater
    from accord.server.progress import _questions
    from accord.server.study import current

    rater = Rater.objects.last()
    Rater.objects.filter(pk=rater.pk).update(guidelines_read=2)
    client = Client(headers={"host": "127.0.0.1"})
    client.get("/")
    session = client.session
    session["rater"] = rater.pk
    session.save()
    client.cookies["accord_session"] = session.session_key
    page = client.get("/work").content.decode()
    work = json.loads(re.search(r'<script id="work" type="application/json">(.*?)</script>', page, re.S)[1])
    task = rater.tasks.filter(judgements__isnull=True).order_by("order").first()
    assert task.pk in {screen["id"] for screen in work["screens"]}
    _, key, place = _questions(current(), task)[0]
    entry = {"uuid": str(uuid4()), "kind": "judgement", "task": task.pk, "criterion": key, "place": place,
             "cannot": True}  # fmt: skip
    before = Judgement.objects.count()
    answer = client.post("/save", json.dumps({"entries": [entry]}), content_type="application/json")
    assert answer.json()["results"][0]["status"] == "saved"
    assert Judgement.objects.count() == before + 1
