"""A study of choices between two systems by two raters: the votes stand wherever the study is told, in one sentence."""

import re
from uuid import uuid4

import pytest

import accord
from served_study import write_folder

STUDY = """
title = "Which reads better"
seed = 4
items = "items.tsv"
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 2
[[scenarios]]
key = "pair"
kind = "random-sentence"
show = ["source"]
systems = 2
[[criteria]]
key = "preference"
question = "Which translation is better?"
kind = "pairwise"
ties = true
"""
SAID = (
    "With these 2 raters System 2 is preferred to System 1 on other documents too: 24 of 28 decided choices. Two "
    "raters are too few to speak of other raters."
)
ITEMS = [
    (f"d{d}", str(s), f"Source {d} {s}.", f"Eins {d} {s}.", f"Zwei {d} {s}.") for d in range(1, 6) for s in (1, 2, 3)
]


@pytest.fixture(scope="module")
def folder(django_on, tmp_path_factory):
    """The first rater prefers B, or ties at two of the five; the second prefers A in four documents, once each."""
    folder = django_on(
        write_folder(tmp_path_factory.mktemp("choices"), STUDY, "# Read.\n", ["target:A", "target:B"], ITEMS)
    )
    from django.utils import timezone

    from accord.server.guidelines import latest
    from accord.server.invitations import invite_raters
    from accord.server.models import Judgement

    for place, (rater, _) in enumerate(invite_raters(2)):
        rater.started_at, rater.guidelines_read, rater.state = timezone.now(), 1, "finished"
        rater.save()
        for task in rater.tasks.exclude(role="practice"):
            document, segment = map(int, re.findall(r"\d+", task.item)[:2])
            chosen = "B"
            if segment == 1:
                chosen = ("tie" if document < 3 else "B") if place == 0 else ("A" if document < 5 else "B")
            value = "tie" if chosen == "tie" else list(task.systems).index(chosen)
            Judgement.objects.create(
                uuid=uuid4(),
                task=task,
                criterion="preference",
                place=None,
                value=value,
                guideline=latest(),
                seconds=5.0,
                made_at=timezone.now(),
            )
    return folder


@pytest.fixture
def desk(folder):
    from accord.server.organiser.snapshot import refresh
    from organised_study import logged_in

    assert refresh(here=True)
    return logged_in("ana")


def text_of(page: bytes) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page.decode()).split())


def test_votes_stand_on_every_page_that_tells_systems_and_the_sentence_names_its_raters(desk):
    for page in ("/organiser", "/organiser/results", "/organiser/agreement/preference"):
        text = text_of(desk.get(page).content)
        assert SAID in text and "cannot be told apart" not in text, page
        assert "System 2 24 2 4" in text and "System 1 4 2 24" in text, page
        assert "System 2 tie System 1 R1 13 2 0 R2 11 0 4" in text, page
        assert "No criterion has values with an order" not in text


def test_page_report_and_command_say_the_same_of_choices(desk, folder, tmp_path, accord_command):
    from accord.server.organiser.snapshot import latest_snapshot

    answer = accord.prefer(folder)
    (said,) = answer.opening
    assert latest_snapshot().results["chosen"][0]["said"] == said
    assert " ".join(accord_command("prefer", folder).stdout.split()).startswith(said)
    ratings = accord.read(folder)
    accord.report(ratings, tmp_path / "report.md")
    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert said in report and "Choices of each rater" in report


def test_names_stand_beside_votes_only_after_unblinding(desk):
    assert "Unblind" in text_of(desk.get("/organiser").content)
    desk.post("/organiser/unblind", {"named": "yes"})
    try:
        text = text_of(desk.get("/organiser").content)
        assert "B 24 2 4" in text and "B is preferred to A" in text
    finally:
        desk.post("/organiser/unblind", {"named": "no"})


def test_results_of_a_version_that_did_not_keep_votes_are_made_anew(desk):
    from accord.server.models_organiser import Snapshot
    from accord.server.organiser import snapshot

    kept = Snapshot.objects.last()
    kept.results.pop("chosen")
    kept.save(update_fields=["results"])
    snapshot._WHOLE.clear()
    assert snapshot.refresh(here=True)
    assert snapshot.latest_snapshot().results["chosen"][0]["criterion"] == "preference"
