"""A new version of the guideline while raters work: every number says of which it is, and what it leaves out."""

import re
from uuid import uuid4

import pytest

from organised_study import logged_in
from two_versions import judged_under_two, write_study


@pytest.fixture
def changed(django_on, tmp_path):
    """The people of a study of sixty texts: 26 are judged under version 1, 30 under version 2, 4 under both."""
    django_on(write_study(tmp_path / "study"))
    return judged_under_two()


@pytest.fixture
def results(changed):
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    refresh(here=True)
    return latest_snapshot().results


def shown(path: str) -> str:
    """The page as it is read: without tags, one space between words."""
    page = logged_in("ana").get(path).content.decode()
    main = page[page.index("<main") :] if "<main" in page else page
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main))


def test_the_page_of_a_pair_counts_each_version_by_itself(results):
    """It counted 60 and more items of which no kappa beside it was the kappa."""
    words = shown("/organiser/pairs/meaning/R1/R2")
    for group in (one for one in results["groups"] if one["criterion"] == "meaning"):
        own = [one for one in group["pairs"] if {one["first"], one["second"]} == {"R1", "R2"}]
        for one in own:
            equal = round(one["agreement"] * one["items"])
            assert f"Equal on {equal} of {one['items']} items both judged" in words
            assert f"κ {one['kappa']:.2f}" in words
    assert words.count("Equal on") == 2 and "guideline version 1" in words and "guideline version 2" in words
    assert "Not compared, as each judged them under another version or round: 4" in words


def test_texts_that_nobody_else_judged_under_the_same_version_are_counted_beside_the_number(results):
    """R1 alone judged four texts under version 1; the others did under version 2."""
    first, second = (
        next(one for one in results["groups"] if one["by"] == {"criterion": "meaning", "guideline": n}) for n in "12"
    )
    assert first["alone"] == 4 and first["main"]["items"] == 26
    assert second["alone"] == 0, "two judged those four there, and are compared"
    words = shown("/organiser/agreement/meaning")
    told = "Texts that only one rater judged here, and others under another version of the guideline"
    assert words.count(told) == 1 and f"{told} or in another round: 4." in words
    assert "as others judged the text under another version or in another round: 4" in shown("/organiser")


def test_whoever_is_asked_to_redo_older_answers_is_said_to_stand_apart_then(changed):
    from accord.server.models import Judgement

    told = "Answers that are given again now stand under guideline version 2."
    assert told in shown("/organiser/raters/R1")
    Judgement.objects.filter(task__rater__pseudonym="R1", guideline__number=1).delete()
    assert told not in shown("/organiser/raters/R1"), "nothing was answered under the first"


def test_to_ask_for_an_answer_under_a_newer_version_says_what_it_does_to_agreement(changed):
    """The text left the agreement of version 1 without a word, and the first sentence still used the old answer."""
    from accord.server.models import Judgement, Rater
    from accord.server.organiser.item_page import ask_item_again

    task = changed.tasks(0)[0]
    name = f"{task.item}:system-1"
    assert "The new answer will be given under guideline version 2." in shown(f"/organiser/items/{name}")
    Judgement.objects.filter(task__item=task.item).update(value=2)
    ask_item_again(Rater.objects.get(pseudonym="R1"), name, "a slip", "ana")
    assert "Raters who agree on this text: 3." in shown(f"/organiser/items/{name}")
    again = changed.raters[0].tasks.order_by("order").last()
    changed.answer(0, [again])
    Judgement.objects.filter(task=again, criterion="meaning").update(value=0)
    words = shown(f"/organiser/items/{name}")
    assert "Raters who agree on this text: 2." in words
    assert "Judged under another version or in another round, and not compared with the others: R1." in words
    # Of two raters one under each version nothing is compared.
    Judgement.objects.filter(task__item=task.item, task__rater__pseudonym="R3").delete()
    words = shown(f"/organiser/items/{name}")
    assert "No two raters judged this text under the same version of the guideline." in words


def test_a_second_answer_replaces_the_first_in_the_sentence_about_a_text(changed):
    """Both were taken for answers of the rater."""
    from accord.server.models import Judgement, Rater
    from accord.server.organiser.item_page import ask_item_again

    task = changed.tasks(0)[45]
    name = f"{task.item}:system-1"
    Judgement.objects.filter(task__item=task.item).update(value=2)
    Judgement.objects.filter(task=task, criterion="meaning").update(value=0)
    assert "Meaning: R1 gave 0, the others 2." in shown(f"/organiser/items/{name}")
    ask_item_again(Rater.objects.get(pseudonym="R1"), name, "a slip", "ana")
    again = changed.raters[0].tasks.order_by("order").last()
    changed.answer(0, [again])
    Judgement.objects.filter(task=again).update(value=2)
    assert "Raters who agree on this text: 3." in shown(f"/organiser/items/{name}")


def test_answers_that_an_organiser_asked_for_again_are_told_in_report_and_export(changed):
    """Who looks at the numbers and then asks the odd one out again moves them: a reader must know."""
    from accord.reporting.analysis import analyse
    from accord.reporting.sections.glance import glance
    from accord.reporting.sections.methods import methods
    from accord.server.export import judgement_rows
    from accord.server.models import Judgement, Rater
    from accord.server.organiser.item_page import ask_item_again
    from accord.server.organiser.ratings import all_ratings

    task = changed.tasks(0)[45]
    first = Judgement.objects.get(task=task, criterion="meaning")
    ask_item_again(Rater.objects.get(pseudonym="R1"), f"{task.item}:system-1", "a slip", "ana")
    assert all_ratings().codebook.study.again == "", "nobody has answered yet"
    again = changed.raters[0].tasks.order_by("order").last()
    changed.answer(0, [again])
    told = "1 screen was judged again because an organiser asked (R1); the new answers count, not the first ones"
    ratings = all_ratings()
    assert ratings.codebook.study.again == told
    analysis = analyse(ratings)
    for section in (glance(analysis), methods(analysis)):
        assert told in str(section)
    rows = {row["uuid"]: row for row in judgement_rows()}
    second = Judgement.objects.get(task=again, criterion="meaning")
    assert rows[str(first.uuid)]["superseded_by"] == str(second.uuid) and not rows[str(second.uuid)]["superseded_by"]


def test_the_queue_of_a_round_has_what_is_disputed_under_every_version(results):
    """It had those of the first version alone."""
    from accord.server.organiser.rounds import queue

    groups = [one for one in results["groups"] if one["criterion"] == "quality" and not one.get("combined")]
    names = [{one["item"] for one in group["disputed"]} for group in groups]
    found = queue("quality", 500)
    assert len(groups) == 2 and all(names) and {one["item"] for one in found} == set().union(*names)
    disputed = [one["entropy"] for one in found]
    assert disputed == sorted(disputed, reverse=True)
    page = shown("/organiser/rounds").partition("The queue")[2]
    assert "guideline version 1" in page and "guideline version 2" in page


def test_versions_together_have_no_pairs_and_no_items_of_their_own(results):
    """Below an alpha it said that no two raters share an item."""
    words = shown("/organiser/agreement/meaning")
    assert "No two raters share an item." not in words and "No item has two ratings yet." not in words
    assert words.count("Pairs and disputed texts stand with each version and round") == 1


def test_a_repeat_that_checks_a_rater_is_no_answer_in_a_round(results):
    from accord.server.models import Judgement, Task
    from accord.server.models_organiser import Round
    from accord.server.organiser.judgements import item_of
    from accord.server.organiser.round_pages import _said_before
    from accord.server.organiser.rounds import open_round, queue
    from accord.server.study import current

    open_round("meaning", 3, 0.8, 0.05, "ana")
    name = item_of(current(), queue("meaning")[0]["item"])
    before = _said_before(current(), Round.objects.get(), name)
    first = Judgement.objects.get(pk=before[0].key)
    task = Task.objects.get(pk=first.task_id)
    task.pk, task.order, task.occasion, task.role = None, 999, 2, "repeat"
    task.save()
    Judgement.objects.create(
        uuid=uuid4(), task=task, criterion="meaning", place=0, value=(first.value + 1) % 4, guideline=first.guideline,
        seconds=7.0, made_at=first.made_at,
    )  # fmt: skip
    assert [one.key for one in _said_before(current(), Round.objects.get(), name)] == [one.key for one in before]


def test_where_no_text_was_judged_twice_under_a_version_the_finding_says_that_others_did_under_another(
    django_on, tmp_path
):
    from accord.server.guidelines import publish
    from accord.server.organiser.snapshot import latest_snapshot, refresh
    from two_versions import People

    django_on(write_study(tmp_path / "study"))
    people = People()
    people.answer(0, people.tasks(0)[:30])
    people.answer(1, people.tasks(1)[:10])
    publish("# How to judge\n\nThe second text.\n", "what changed")
    people.answer(0, people.tasks(0)[30:32])
    people.answer(1, people.tasks(1)[10:30])
    refresh(here=True)
    found = latest_snapshot().results["findings"]
    told = [one["message"] for one in found if one["code"] == "no_shared_items" and one["criterion"] == "meaning"]
    assert told == [
        "guideline 2: none of the 22 items was rated by two raters: agreement cannot be computed; "
        "20 of them others rated under another version of the guideline"
    ]


def numbers_of(results) -> dict[str, str]:
    """The numbers of the results in the words of the question before a decision."""
    from accord.reporting.wording import number_text
    from accord.server.organiser.titles import shown_title

    told = {}
    for group in results["groups"]:
        main = group["main"]
        if main:
            ends = "" if main["low"] is None else f" ({number_text(main['low'])}–{number_text(main['high'])})"
            told[f"{main['title']}, {shown_title(group)}"] = number_text(main["value"]) + ends
    return told


@pytest.mark.parametrize("under_second", [(0, 2), (0, 1, 2), (2,)])
def test_what_is_told_before_a_rater_is_left_out_is_what_comes(django_on, tmp_path, under_second):
    """The number of all versions was set against that of one, by one name, where nobody was left under the other."""
    from accord.server.guidelines import publish
    from accord.server.organiser.changing import changes_of
    from accord.server.organiser.decisions import decide
    from accord.server.organiser.snapshot import latest_snapshot, refresh
    from two_versions import People

    django_on(write_study(tmp_path / "study"))
    people = People()
    for place in range(3):
        people.answer(place, people.tasks(place)[:30])
    publish("# How to judge\n\nThe second text.\n", "what changed")
    for place in under_second:
        people.answer(place, people.tasks(place)[30:50])
    seen = []
    for action, without, again in (("exclude", ["R3"], []), ("include", [], ["R3"])):
        refresh(here=True)
        now = numbers_of(latest_snapshot().results)
        told = {one.name: one for one in changes_of(without, again) if one.name.startswith("Kripp")}
        assert {name: one.now.replace(" to ", "–") for name, one in told.items() if one.now != "none"} == now
        decide(people.raters[2], action, "a test", "ana")
        refresh(here=True)
        after = numbers_of(latest_snapshot().results)
        assert {name: one.after.replace(" to ", "–") for name, one in told.items() if one.after != "none"} == after
        seen.append(told)
    assert all("guideline version" in name for told in seen for name in told)


def test_the_course_of_agreement_keeps_the_history_of_the_first_version(results):
    """It began with the second version, as if nobody had judged before."""
    from accord.server.organiser.dashboard import _courses

    course = next(one for one in results["growth"]["courses"] if one["title"].startswith("meaning"))
    before = results["growth"]["versions"][0]["answers"]
    assert sum(point["answers"] <= before for point in course["points"]) >= 2
    assert _courses(results)[0]["title"] == "meaning · guideline versions combined"
    assert results["answer"]["numbers"][0]["label"].endswith("guideline versions combined, Krippendorff's α")


def test_a_version_that_nobody_shares_yet_leaves_the_course_of_the_first(django_on, tmp_path):
    from accord.server.guidelines import publish
    from accord.server.organiser.dashboard import _courses
    from accord.server.organiser.results_page import shown_results
    from accord.server.organiser.snapshot import latest_snapshot, refresh
    from two_versions import People

    django_on(write_study(tmp_path / "study"))
    people = People()
    for place in range(3):
        people.answer(place, people.tasks(place)[:30])
    refresh(here=True)
    publish("# How to judge\n\nThe second text.\n", "what changed")
    assert _courses(latest_snapshot().results)[0]["title"] == "meaning · guideline version 1"
    people.answer(0, people.tasks(0)[30:40])
    refresh(here=True)
    courses = {one["title"]: one["points"] for one in latest_snapshot().results["growth"]["courses"]}
    assert len(courses["meaning · 1"]) > 4 and courses["meaning · 2"] == []
    # What an earlier state said of version 1 is its history, though it had no need to name a version.
    first = next(one for one in shown_results()["groups"] if one["title"] == "meaning · 1")
    assert len(first["history"]) == 2


def test_a_round_leaves_the_course_of_what_was_measured_before(changed):
    from accord.server.organiser.rounds import measure_again, open_round, publish_round
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    refresh(here=True)
    turn = open_round("meaning", 3, 0.8, 0.05, "ana")
    publish_round(turn, "# How to judge\n\nThe third text.\n")
    measure_again(turn, "all")
    for place in range(3):
        changed.answer(place, changed.raters[place].tasks.exclude(again=None))
    refresh(here=True)
    growth = latest_snapshot().results["growth"]
    course = next(one for one in growth["courses"] if one["title"].startswith("meaning"))
    assert sum(point["answers"] <= growth["versions"][0]["answers"] for point in course["points"]) >= 1
    assert len(course["points"]) >= 7


def test_what_a_round_measured_is_called_after_that_round_on_every_page(changed):
    """What was measured after round 1 was called round-2, as the tables count the first measurement too."""
    from accord.server.models import Task
    from accord.server.organiser.rounds import measure_again, open_round, publish_round
    from accord.server.organiser.snapshot import refresh
    from accord.server.organiser.titles import in_titles

    refresh(here=True)
    turn = open_round("meaning", 3, 0.8, 0.05, "ana")
    publish_round(turn, "# How to judge\n\nThe third text.\n")
    measure_again(turn, "all")
    again = Task.objects.exclude(again=None)
    for place in range(3):
        changed.answer(place, again.filter(rater=changed.raters[place]))
    refresh(here=True)
    name = f"{again[0].item}:system-1"
    pages = {path: shown(path) for path in ("/organiser/agreement/meaning", f"/organiser/items/{name}",
                                            "/organiser/pairs/meaning/R1/R2", "/organiser/results")}  # fmt: skip
    assert all("after round 1" in words for words in pages.values())
    for path, words in pages.items():
        assert not re.findall(r".{20}(?<!phase:)(?:after-round-1|round-2).{20}", words), path
    told = "In tables and exports what was measured here is phase after-round-1 and round 1."
    assert told in shown("/organiser/rounds/1")
    assert in_titles("phase after-round-1, guideline 3: so") == "after round 1, guideline version 3: so"
    # Results of an earlier Accord.
    assert in_titles("phase round-2, guideline 3: so") == "after round 1, guideline version 3: so"
    assert in_titles("no phase, guideline 1: so") == "before the first round, guideline version 1: so"


def test_a_corrected_answer_is_not_called_a_version(changed):
    """Beside the version of the guideline it was read as one."""
    from accord.server.models import Judgement

    first = Judgement.objects.order_by("-id").first()
    Judgement.objects.create(
        uuid=uuid4(), task=first.task, criterion=first.criterion, place=0, value=90.0, guideline=first.guideline,
        revision=2, seconds=1.0, made_at=changed.at,
    )  # fmt: skip
    words = shown("/organiser/judgements")
    assert "90 correction 1" in words and "version 2" not in words


def test_tables_number_what_was_measured_again_as_the_round_is(changed):
    """Tables called it round-2 and round 2 where every page said round 1."""
    from importlib import import_module

    from django.apps import apps

    from accord.server.export import judgement_rows, rating_rows, timing_rows
    from accord.server.models import Task
    from accord.server.organiser.rounds import measure_again, open_round, publish_round
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)
    assert {row["round"] for row in rating_rows()} == {"0"}
    turn = open_round("meaning", 3, 0.8, 0.05, "ana")
    publish_round(turn, "# How to judge\n\nThe third text.\n")
    measure_again(turn, "all")
    for place in range(3):
        changed.answer(place, changed.raters[place].tasks.exclude(again=None))
    assert {(row["phase"], row["round"]) for row in rating_rows()} == {("", "0"), ("after-round-1", "1")}
    # A study of an earlier Accord is numbered anew when it is opened.
    Task.objects.exclude(again=None).update(phase="round-2")
    import_module("accord.server.migrations.0019_rounds_numbered").number_as_rounds(apps, None)
    for rows in (judgement_rows, timing_rows):
        assert {row["phase"] for row in rows()} == {"", "after-round-1"}


def test_after_a_round_overview_home_and_report_lead_with_the_newest_measurement(changed):
    """They led with a value that combines all guidelines, which is true of none."""
    from accord.reporting.analysis import analyse
    from accord.reporting.first_screen import first_screen
    from accord.server.organiser.ratings import collect
    from accord.server.organiser.remeasured import compare_round
    from accord.server.organiser.rounds import measure_again, open_round, publish_round
    from accord.server.organiser.snapshot import latest_snapshot, refresh
    from accord.server.organiser.titles import combined_title
    from accord.server.workspace.cards import _counted
    from accord.words import steady

    refresh(here=True)
    assert combined_title(["phase"]) == "phases combined", "nothing was measured again yet"
    turn = open_round("meaning", 3, 0.8, 0.05, "ana")
    publish_round(turn, "# How to judge\n\nThe third text.\n")
    measure_again(turn, "all")
    for place in range(3):
        changed.answer(place, changed.raters[place].tasks.exclude(again=None))
    refresh(here=True)
    assert combined_title(["phase"]) == "rounds combined"
    several = len(compare_round(turn).comparison.differences) > 1
    assert several and "The first line of the change decides" in shown(f"/organiser/rounds/{turn.number}")
    results, report = latest_snapshot().results, first_screen(analyse(collect().analysed()))
    newest = next(
        group["main"]["value"] for group in results["groups"]
        if group["criterion"] == "meaning" and group["by"].get("phase") == "after-round-1"
    )  # fmt: skip
    numbers = {one["label"]: one["value"] for one in results["answer"]["numbers"]}
    assert numbers["Meaning, guideline version 3, measured again, Krippendorff's α"] == f"{newest:.2f}"
    assert numbers.items() >= {one.label: one.value for one in report.numbers if "measured again" in one.label}.items()
    # A text that was measured twice is one text: the map of raters counted 120 of 60.
    assert {items for one in results["apart"] for *_, items in one["pairs"]} == {60}
    notes = [one["note"] for one in results["answer"]["numbers"]]
    words = r"; before on the same items 0\.\d\d \(guideline versions 1 and 2\)$"
    assert notes and all(re.search(words, one) for one in notes)
    beside = f"before on the same items {steady(compare_round(turn).before.value):.2f} (guideline versions 1 and 2)"
    assert any(beside in one for one in notes), "the page of the round and the overview have one number"
    assert _counted()["number"]["label"] in numbers and "combined" not in results["answer"]["why"]
    assert results["answer"]["why"] == report.why
    assert "Measured again after round 1 under guideline version 3; before, " in report.why


def test_the_page_of_a_round_says_of_which_part_its_kappa_is_and_what_comes_first(changed):
    """Kappa of one version stood there as that of all; a guideline that nobody had changed yet was to be measured."""
    from accord.server.organiser.remeasured import stop_advice
    from accord.server.organiser.rounds import measure_again, open_round, publish_round
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)
    turn = open_round("meaning", 3, 0.8, 0.05, "ana")
    assert re.search(r"guideline version [12] : Kappa is", shown("/organiser/rounds/1"))
    first = "Go on: rate the items, say why raters differ, and change the guideline."
    assert stop_advice(turn, None).words == first
    publish_round(turn, "# How to judge\n\nThe third text.\n")
    assert stop_advice(turn, None).words == "Go on: the changed guideline has not been measured yet."
    measure_again(turn, "all")
    for place in range(3):
        changed.answer(place, changed.raters[place].tasks.exclude(again=None))
    assert "after round 1 · guideline version 3 : Kappa is" in shown("/organiser/rounds/1")


def test_a_text_judged_again_on_request_after_a_round_replaces_the_answer_of_that_round(changed):
    """It was compared with nobody, and moved what was measured before the round."""
    from accord.server.models import Rater
    from accord.server.organiser.item_page import ask_item_again
    from accord.server.organiser.ratings import collect
    from accord.server.organiser.remeasured import compare_round
    from accord.server.organiser.rounds import measure_again, open_round, publish_round
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)
    turn = open_round("meaning", 3, 0.8, 0.05, "ana")
    publish_round(turn, "# How to judge\n\nThe third text.\n")
    measure_again(turn, "all")
    for place in range(3):
        changed.answer(place, changed.raters[place].tasks.exclude(again=None))
    before, rows = compare_round(turn), len(collect().ordinary("meaning"))
    task = changed.tasks(0)[45]
    ask_item_again(Rater.objects.get(pseudonym="R1"), f"{task.item}:system-1", "a slip", "ana")
    again = changed.raters[0].tasks.order_by("order").last()
    changed.answer(0, [again])
    after, ratings = compare_round(turn), collect().ordinary("meaning")
    own = ratings.named(item=f"{task.item}:system-1", rater="R1")
    found = sorted(zip(own.columns["round"].labels(), own.columns["phase"].labels(), strict=True))
    assert found == [("0", ""), ("1", "after-round-1")] and len(ratings) == rows
    assert after.before.value == before.before.value


def test_the_page_can_put_two_versions_together_as_the_command_does(results):
    """Agreement stood on 37 of 90 texts, the ranking beside it on all, and only the terminal could pool."""
    from accord.reliability.run import agreement
    from accord.server.organiser.ratings import collect

    words = shown("/organiser/results")
    assert "Put them together" in words and "pooled over" not in words
    assert "pooled over" not in shown("/organiser/results?together=phase"), "nothing stands apart by phase"
    words = shown("/organiser/results?together=guideline")
    assert "Pooled over guideline, as asked" in words and "It is no measure of one version" in words
    pooled = agreement(collect().analysed(), coefficients=["krippendorff_alpha"], pool="guideline", seed=5)
    for group in pooled.groups:
        one = group["krippendorff_alpha"]
        assert one.items == 60 or group.by["criterion"] == "meaning"
        assert f"{one.value:.2f} ({one.interval.low:.2f}–{one.interval.high:.2f})" in words


def test_a_text_that_waits_for_another_rater_is_told_before_a_version_parts_its_answers(changed):
    from accord.server.models import Judgement
    from accord.server.organiser.publishing import what_it_parts

    assert what_it_parts() == [], "all have finished and nobody else can come"
    under_newest = changed.tasks(0)[45]
    Judgement.objects.filter(task=under_newest).delete()
    told = " ".join(map(str, what_it_parts()))
    assert "Texts that some have judged and others have not: 1." in told
    assert "Finished: R2, R3." in told and "Answers under version 2: " in told


def test_few_texts_with_two_ratings_are_said_to_be_few_in_their_version(changed):
    """«Only 37 of 90 items have two or more ratings», where all ninety had, under two versions."""
    from accord.server.models import Judgement
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    Judgement.objects.filter(guideline__number=1, task__rater__pseudonym__in=["R2", "R3"]).exclude(
        task__in=[task.pk for place in (1, 2) for task in changed.tasks(place)[:6]]
    ).delete()
    refresh(here=True)
    cautions = [
        words for one in latest_snapshot().results["groups"] for words in (one["main"] or {}).get("cautions", [])
    ]
    few = [words for words in cautions if "two or more ratings" in words]
    assert few and all("two or more ratings in this version or round" in words for words in few)
