"""A new version of the guideline while raters work: every number says of which it is, and what it leaves out."""

import re

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
    for group in results["groups"]:
        own = [one for one in group["pairs"] if {one["first"], one["second"]} == {"R1", "R2"}]
        for one in own:
            equal = round(one["agreement"] * one["items"])
            assert f"Equal on {equal} of {one['items']} items both judged" in words
            assert f"κ {one['kappa']:.2f}" in words
    assert words.count("Equal on") == 2 and "guideline version 1" in words and "guideline version 2" in words
    assert "Not compared, as each judged them under another version or round: 4" in words


def test_texts_that_nobody_else_judged_under_the_same_version_are_counted_beside_the_number(results):
    """R1 alone judged four texts under version 1; the others did under version 2."""
    first, second = (next(one for one in results["groups"] if one["by"] == {"guideline": n}) for n in "12")
    assert first["alone"] == 4 and first["main"]["items"] == 26
    assert second["alone"] == 0, "two judged those four there, and are compared"
    words = shown("/organiser/agreement/meaning")
    told = "Texts that only one rater judged here, and others under another version of the guideline"
    assert words.count(told) == 1 and f"{told} or in another round: 4." in words


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
    Judgement.objects.filter(task=again).update(value=0)
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
    Judgement.objects.filter(task=task).update(value=0)
    assert "Meaning: R1 gave 0, the others 2." in shown(f"/organiser/items/{name}")
    ask_item_again(Rater.objects.get(pseudonym="R1"), name, "a slip", "ana")
    again = changed.raters[0].tasks.order_by("order").last()
    changed.answer(0, [again])
    Judgement.objects.filter(task=again).update(value=2)
    assert "Raters who agree on this text: 3." in shown(f"/organiser/items/{name}")


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
    told = [one["message"] for one in latest_snapshot().results["findings"] if one["code"] == "no_shared_items"]
    assert told == [
        "guideline 2: none of the 22 items was rated by two raters: agreement cannot be computed; "
        "20 of them others rated under another version of the guideline"
    ]
