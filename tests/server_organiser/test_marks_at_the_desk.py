"""A study of marked errors on the organiser's pages: rounds, pairs, contests and what was asked for again."""

import csv
import io
import json
import re
from uuid import uuid4

import pytest

pytestmark = pytest.mark.usefixtures("organised")


@pytest.fixture(scope="module")
def results(organised):
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    assert refresh(here=True)
    return latest_snapshot().results


def plain(page):
    """The words of a page, without its signs."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def test_a_round_of_marked_errors_is_rated_in_points_up_to_the_verdict(organiser, results):
    from accord.server.models_organiser import Round

    form = {"criterion": "marks", "items": "1", "target": "0.8", "smallest_gain": "0.05"}
    assert organiser.post("/organiser/rounds/open", form)["Location"] == "/organiser/rounds/1"
    page = organiser.get("/organiser/rounds/1")
    assert 'type="number" name="value"' in page.content.decode() and 'type="radio" name="value"' not in str(
        page.content
    ), "kinds of errors are no rating"
    assert "Points of one error: Minor 1, Major 5; 0 for a text without errors." in plain(page)
    item = Round.objects.get().items.get()
    path = f"/organiser/rounds/1/items/{item.pk}"
    assert organiser.post(f"{path}/rate", {"value": "accuracy"}).status_code == 400
    assert organiser.post(f"{path}/rate", {"value": "6"}).status_code == 302
    assert organiser.post(f"{path}/judge", {"verdict": "vague"}).status_code == 302
    told = plain(organiser.get("/organiser/rounds/1"))
    assert "6 points" in told and "Texto major, accuracy" in told, "points and marks of the raters stand beside it"


def test_the_what_if_says_why_its_kappa_is_not_the_one_of_the_tables(organiser, results):
    from accord.server.organiser.remeasured import other_scales

    table = next(one for group in results["groups"] if group["criterion"] == "meaning"
                 for one in group["estimates"] if one["coefficient"] == "cohen_kappa_linear")  # fmt: skip
    found = other_scales("meaning")
    assert found.mean_kappa == pytest.approx(table["value"]) != pytest.approx(found.now.kappa)
    assert "The mean of the pairs’ own kappas" in plain(organiser.get("/organiser/rounds/1"))


def test_the_page_of_a_pair_has_the_marks_of_both_side_by_side(organiser, results):
    pair = next(group["pairs"][0] for group in results["groups"] if group["criterion"] == "marks")
    page = organiser.get(f"/organiser/pairs/marks/{pair['first']}/{pair['second']}").content.decode()
    first = re.search(r'<div class="answers apart">(.*?)</li>', page, re.S)[1]
    assert '<q dir="auto">Texto</q>' in first and "accuracy" in first
    assert "<q" not in organiser.get(f"/organiser/pairs/meaning/{pair['first']}/{pair['second']}").content.decode()


def test_the_texts_on_which_raters_differ_are_one_click_away(organiser, results):
    page = organiser.get("/organiser").content.decode()
    own = {one["item"] for group in results["groups"] if group["criterion"] == "marks"
           for one in group["disputed"] if one["entropy"] > 0}  # fmt: skip
    assert f'<a href="/organiser/agreement/marks#disputed">marks {len(own)}</a>' in page
    assert 'id="disputed"' in organiser.get("/organiser/agreement/marks").content.decode()


def test_the_number_of_items_is_that_of_the_coefficient_beside_it(organiser, results):
    from accord.server.models_organiser import Snapshot

    kept = Snapshot.objects.last()
    changed = json.loads(json.dumps(kept.results))
    group = next(one for one in changed["groups"] if one["main"])
    group["main"]["items"], group["items"] = 45, 72
    Snapshot.objects.filter(pk=kept.pk).update(results=changed)
    try:
        assert f"45 of 72 × {group['raters']}" in plain(organiser.get("/organiser/results"))
    finally:
        Snapshot.objects.filter(pk=kept.pk).update(results=kept.results)


@pytest.fixture
def flawless(organised):
    """The answer of a rater who found no errors in a text of the study."""
    from accord.server.models import Judgement

    return Judgement.objects.filter(criterion="marks", value=[], task__role="system").first()


def test_that_no_errors_were_found_is_contested_and_every_ruling_is_told(organiser, second, flawless):
    from accord.server.models_organiser import Contest
    from accord.server.organiser.arbitration import rated_name
    from accord.server.study import current

    name = rated_name(current(), flawless)
    page = organiser.get(f"/organiser/items/{name}").content.decode()
    assert f'<option value="{flawless.pk}">{flawless.task.rater.pseudonym}, marks: no errors</option>' in page
    form = {"judgement": flawless.pk, "reason": "An error was missed."}
    assert organiser.post("/organiser/judgements/contest", form).status_code == 302
    case = Contest.objects.get(judgement=flawless)
    path = f"/organiser/arbitration/{case.pk}"
    assert "0 → 0 points" in plain(second.get(path)) and "Rulings so far" not in plain(second.get(path))
    marks = [{"side": "target", "start": 0, "end": 5, "severity": "major", "category": "accuracy"}]
    second.post(f"{path}/rule", {"marks": json.dumps(marks), "note": "the noun"})
    second.post(f"{path}/rule", {"marks": json.dumps([{**marks[0], "severity": "minor"}]), "note": "not that bad"})
    told = plain(second.get(path))
    assert "0 → 1 points" in told and re.search(r"Rulings so far bo 0 → 5 points .* the noun bo 5 → 1 points", told)
    rows = [
        row for row in csv.DictReader(io.StringIO(b"".join(organiser.get("/organiser/files/arbitration.csv")).decode()))
        if row["contest"] == str(case.pk)
    ]  # fmt: skip
    assert [(row["before"], row["after"]) for row in rows] == [("0.0", "5.0"), ("5.0", "1.0")]


def test_the_report_says_what_was_contested_and_what_became_of_it(tmp_path):
    from accord.server.reporting import write_report

    write_report(tmp_path / "report.md")
    told = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "Contested: 1 answer; ruled on by a second reviewer: 1." in told
    assert re.search(r"marks: 0 as given, 1 after arbitration", told)


def test_who_is_asked_again_is_told_and_the_second_answer_is_known_as_such(organiser, flawless):
    from django.utils import timezone

    from accord.server.guidelines import latest
    from accord.server.models import Judgement
    from accord.server.organiser.arbitration import rated_name
    from accord.server.study import current

    name, who = rated_name(current(), flawless), flawless.task.rater
    path, form = f"/organiser/items/{name}", {"rater": who.pseudonym, "reason": "Look again."}
    before = organiser.get(path).content.decode().count("second time")
    told = plain(organiser.post(f"/organiser/again/{name}", form, follow=True))
    assert f"{who.pseudonym} was asked to judge this text again." in told
    assert f"Asked to judge it again, not done yet: {who.pseudonym}." in plain(organiser.get(path))
    Judgement.objects.create(
        uuid=uuid4(), task=who.tasks.latest("order"), criterion="marks", place=0, value=[], guideline=latest(),
        seconds=5.0, made_at=timezone.now(),
    )  # fmt: skip
    page = organiser.get(path).content.decode()
    assert "not done yet" not in page and page.count("second time") == before + 1


def test_the_legend_calls_severities_as_the_marks_beside_it_do(organised):
    from accord.design.study import CriterionSettings, Severity
    from accord.server.organiser.overlay import _legend, grounds_of, marks_in_words

    severities = (
        Severity(key="minor", label="Klein: stört kaum", weight=1),
        Severity(key="odd", label="Seltsam", weight=1),
        Severity(key="major", label="Groß", weight=5),
    )
    criterion = CriterionSettings(key="errors", question="?", kind="spans", severities=severities)
    legend = dict(_legend(criterion, grounds_of(criterion)))
    marks = [{"side": "target", "start": 0, "end": 3, "severity": one.key, "category": ""} for one in severities]
    for mark in marks_in_words(criterion, marks, {"target": "Wort"}):
        assert mark.words in legend[mark.ground].split(" / ")
    assert set("/".join(legend.values()).replace(" ", "").split("/")) == {"klein", "seltsam", "groß"}
