"""Looking closer: from a number to the words, with every rater's marks, and back to something to do."""

import re
from uuid import uuid4

import pytest

pytestmark = pytest.mark.usefixtures("organised")


@pytest.fixture(scope="module")
def results(organised):
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    assert refresh(here=True)
    return latest_snapshot().results


def mark(start, end, severity="minor", side="target"):
    return {"side": side, "start": start, "end": end, "severity": severity, "category": "accuracy"}


GROUNDS = {"minor": "minor", "major": "major"}


def test_a_text_is_cut_where_marks_begin_and_end_and_loses_no_letter():
    from accord.server.organiser.overlay import overlay

    text = "Ein Fass holte, was"
    marks = [[mark(4, 14)], [mark(9, 14, "major")], []]
    pieces = overlay(text, "target", marks, GROUNDS)
    assert "".join(piece.text for piece in pieces) == text
    by_text = {piece.text: piece for piece in pieces}
    assert by_text["Fass "].lanes == ((0, "minor"),) and by_text["Fass "].step == 2
    assert by_text["holte"].lanes == ((0, "minor"), (1, "major")) and by_text["holte"].step == 4
    assert by_text[", "].lanes == () and by_text[", "].step == 0
    assert all(not piece.lanes for piece in overlay(text, "source", marks, GROUNDS))


def test_of_two_marks_of_one_rater_on_the_same_words_the_graver_is_drawn():
    from accord.server.organiser.overlay import overlay

    (piece,) = overlay("abc", "target", [[mark(0, 3), mark(0, 3, "major")]], GROUNDS)
    assert piece.lanes == ((0, "major"),) and piece.count == 1 and piece.step == 5


def test_the_words_that_most_raters_marked_are_found():
    from accord.server.organiser.overlay import most_marked

    marks = [[mark(0, 8)], [mark(4, 8)], [mark(4, 14)]]
    assert most_marked("Ein Fass holte", "target", marks) == ("Fass", (0, 1, 2))
    assert most_marked("Ein Fass holte", "target", [[mark(0, 3)], []]) == ("", ()), "one rater alone is no agreement"


def test_a_text_that_one_of_two_marked_is_not_called_agreed_on():
    from types import SimpleNamespace

    from accord.sentences import said_of
    from accord.server.organiser.item_page import FINDINGS, _what_raters_did
    from accord.server.organiser.overlay import lanes_of
    from accord.server.study import current

    study = current()
    key = next(name for name, one in study.criteria.items() if one.kind == "spans")
    text = SimpleNamespace(is_here=True, target="Ein Fass holte", source="He had a whale of a time")

    def heading(*marks):
        said = [
            SimpleNamespace(
                counts=True,
                cannot=False,
                excluded=False,
                occasion=1,
                criterion=key,
                rater=f"R{n}",
                raw=own,
                turn=("", "1"),
                made_at=n,
            )
            for n, own in enumerate(marks, start=1)
        ]
        return said_of(FINDINGS, _what_raters_did(said, lanes_of(study, said, [text]), []))

    assert heading([mark(4, 8)], []) == "Marks on this text by: R1. None by: R2."
    assert heading([mark(4, 8)], [mark(9, 14)]) == "All 2 mark something, but no two the same words."
    assert heading([mark(4, 8)], [mark(4, 8, "major")]) == "All 2 mark “Fass”, but differ on how severe it is."
    assert heading([mark(4, 8)], [mark(4, 8)]) == "All 2 mark “Fass”."
    assert heading(*([{**mark(0, 2), "side": "source"}] for _ in "ab")) == "All 2 mark “He”."
    assert heading([], []) == "Raters who agree on this text: 2."


TWO = (["R1", "R2"], "", [], [], "")


@pytest.mark.parametrize(
    ("key", "seen", "words"),
    [
        ("nobody", ([],), "Nobody has judged this text yet."),
        ("one", (["R1"],), "Only R1 has judged this text."),
        ("all_mark", (["R1", "R2"], "holte", ["R1", "R2"], []), "All 2 mark “holte”."),
        ("some_mark", (["R1", "R2", "R3"], "holte", ["R1", "R2"], ["R3"]), "2 of 3 mark “holte”. Not marked by: R3."),
        ("spread", (["R1", "R2"], "", [], [], "Meaning: from 1 to 4."), "Meaning: from 1 to 4."),
        ("agreed", (["R1", "R2"],), "Raters who agree on this text: 2."),
        ("few_mark", (*TWO, ["R1"], ["R2"]), "Marks on this text by: R1. None by: R2."),
        ("apart", (*TWO, ["R1", "R2"], []), "All 2 mark something, but no two the same words."),
        (
            "all_mark_unlike",
            (["R1", "R2"], "it", ["R1", "R2"], [], "", ["R1", "R2"], [], False),
            "All 2 mark “it”, but differ on how severe it is.",
        ),
    ],
)
def test_the_heading_of_an_item_says_what_raters_make_of_it(key, seen, words):
    from accord.sentences import chosen
    from accord.server.organiser.item_page import FINDINGS, Seen

    found = chosen(FINDINGS, Seen(*seen))
    assert found.key == key and found.words(Seen(*seen)) == words


def test_an_item_shows_each_rater_once_with_marks_in_words(organiser, results):
    name = next(one["item"] for one in results["next"] if one["criterion"] == "marks")
    page = organiser.get(f"/organiser/items/{name}").content.decode()
    each = page[page.index('id="each"') : page.index("<details>", page.index('id="each"'))]
    assert all(each.count(f">{rater}</a>") >= 1 for rater in ("R1", "R2", "R4", "R5"))
    assert '<q dir="auto">Texto</q>' in each and "accuracy" in each
    assert 'class="overlay of4"' in page and "from above: R1, R2, R4, R5." in page and "style=" not in page


def test_one_goes_from_a_disputed_text_to_the_next(organiser, results):
    from accord.server.organiser.item_page import disputed_queue

    queue = disputed_queue(results)
    assert len(queue) == len(set(queue)) > 5 and queue[: len(results["next"])] == [o["item"] for o in results["next"]]
    page = organiser.get(f"/organiser/items/{queue[0]}").content.decode()
    assert f"1 of {len(queue)} disputed" in page and f'href="/organiser/items/{queue[1]}"' in page


def test_a_rater_is_asked_to_judge_one_item_again_and_the_first_answer_stays(organiser, organised):
    from accord.server.models import Judgement, Rater, Task
    from accord.server.models_organiser import Again, Decision
    from accord.server.organiser.arbitration import rated_name
    from accord.server.study import current

    rater = Rater.objects.get(pseudonym="R2")
    row = Judgement.objects.filter(
        task__rater=rater, task__role="system", criterion="meaning", task__occasion=1
    ).first()
    name, before, judged = rated_name(current(), row), rater.tasks.count(), Judgement.objects.count()
    page = organiser.post(f"/organiser/again/{name}", {"rater": "R2", "reason": " "})
    assert page.status_code == 400 and "Give a reason" in page.content.decode()
    assert organiser.post(f"/organiser/again/{name}", {"rater": "R2", "reason": "Too quick?"}).status_code == 302
    made = Again.objects.latest("pk")
    assert made.original_id == row.task_id and rater.tasks.count() == before + 1
    assert Judgement.objects.count() == judged
    told = Decision.objects.latest("pk")
    assert (told.action, told.reason, told.by) == ("redo", f"{name} again: Too quick?", "ana")
    refused = organiser.post(f"/organiser/again/{name}", {"rater": "R2", "reason": "Once more"})
    assert refused.status_code == 400 and "was asked already" in refused.content.decode()
    made.delete()
    Task.objects.filter(pk=made.task_id).delete()
    Decision.objects.filter(pk=told.pk).delete()
    Rater.objects.filter(pk=rater.pk).update(state="finished")


def test_all_judgements_can_be_browsed_and_narrowed(organiser, organised):
    from accord.server.models import Judgement

    def count(**asked):
        page = organiser.get("/organiser/judgements", asked)
        assert page.status_code == 200
        return int(re.search(r"([\d,]+) found", page.content.decode())[1].replace(",", ""))

    everything = Judgement.objects.exclude(task__role="practice")
    first = everything.first()
    Judgement.objects.create(
        uuid=uuid4(), task=first.task, criterion=first.criterion, place=first.place, value=first.value, revision=2,
        guideline=first.guideline, made_at=first.made_at,
    )  # fmt: skip
    assert count(all="yes") == everything.count() == count() + 1
    standing = count()
    Judgement.objects.create(
        uuid=uuid4(), task=first.task, criterion=first.criterion, place=first.place, value=None, revision=3,
        guideline=first.guideline, made_at=first.made_at,
    )  # fmt: skip
    assert count(all="yes") == everything.count() and count() == standing - 1, "what was taken back is no answer"
    Judgement.objects.create(
        uuid=uuid4(), task=first.task, criterion=first.criterion, place=first.place, value=None, cannot_judge=True,
        revision=4, guideline=first.guideline, made_at=first.made_at,
    )  # fmt: skip
    assert count() == standing, "that it cannot be judged is one"
    assert (
        count(rater="R1", criterion="meaning", all="yes")
        == everything.filter(task__rater__pseudonym="R1", criterion="meaning").count()
    )
    assert count(document="d1") + count(document="d2") == count()
    assert count(guideline="1") == count() and count(guideline="7") == 0
    empty = organiser.get("/organiser/judgements", {"words": "no such words"}).content.decode()
    assert "No judgement fits this filter." in empty
    assert organiser.get(
        "/organiser/judgements", {"page": "x", "guideline": "9" * 60, "rater": "\x00"}
    ).status_code in (200, 400)


def test_two_raters_stand_side_by_side_with_the_text_between_them(organiser, results):
    page = organiser.get("/organiser/pairs/meaning/R1/R2").content.decode()
    assert "Texto" in page and page.count('class="answers') >= 10
    assert 'href="/organiser/pairs/quality/R1/R2"' in page, "the same two on another criterion"
    assert organiser.get("/organiser/pairs/meaning/R1/R2?page=2").status_code == 200


def test_whoever_is_left_out_can_still_be_compared_with_the_others(organiser, results):
    """The page was gone just when one must decide about it."""
    form = {"action": "exclude", "reason": "missed all"}
    organiser.post("/organiser/raters/R2/decide", form)
    try:
        page = organiser.get("/organiser/pairs/meaning/R1/R2")
        assert page.status_code == 200 and "R2 is left out of every number: missed all." in page.content.decode()
        asked = organiser.get("/organiser/pairs/meaning/R1/R9")
        assert asked.status_code == 404
    finally:
        organiser.post("/organiser/raters/R2/decide", {"action": "include", "reason": "a try"})


def test_the_arbiter_sees_the_errors_in_the_text_and_can_invite_a_second_one(organiser, second, organised):
    from accord.server.models import Judgement, OrganiserLink

    row = Judgement.objects.filter(criterion="marks", task__role="system").exclude(value=[]).first()
    answer = organiser.post("/organiser/judgements/contest", {"judgement": row.pk, "reason": "Not an error"})
    case = answer.headers["Location"]
    page = organiser.get(case).content.decode()
    assert re.search(r'<span class="m (minor|major)"><a href="#error-0">Texto</a></span>', page)
    made = organiser.post(f"{case}/arbiter").content.decode()
    link = re.search(r"http://127\.0\.0\.1/setup/[\w-]+", made)[0]
    assert OrganiserLink.objects.filter(used_at=None).exists()
    from django.test import Client

    assert Client(headers={"host": "127.0.0.1"}).get(link).status_code == 200
    second.post(f"{case}/rule", {"mark": "0", "ruling": "reject", "note": ""})
    assert '<span class="m rejected"><a href="#error-0">' in organiser.get(case).content.decode()
    assert organiser.post("/organiser/judgements/contest", {"judgement": "x", "reason": "y"}).status_code == 404


def test_a_long_list_counts_and_turns_to_its_newest_rows_only(organiser, monkeypatch):
    from accord.server.models import Judgement
    from accord.server.organiser import paging

    whole = organiser.get("/organiser/judgements").content.decode()
    assert "There are more than" not in whole
    monkeypatch.setattr(paging, "MOST", 60)
    assert Judgement.objects.count() > 60
    page = organiser.get("/organiser/judgements?page=9").content.decode()
    assert "There are more than 60; the newest 60 are shown." in page
    assert page.count('<th scope="row">') <= 10, "two pages of fifty and ten"
    assert "There are more than 60" in organiser.get("/organiser/arbitration").content.decode()
