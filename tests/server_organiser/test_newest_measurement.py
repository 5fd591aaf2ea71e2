"""What the overview says of texts that were measured again after a round: what was said last, not what it replaced."""

import re

import pytest

from organised_study import logged_in
from two_versions import People, write_study


@pytest.fixture
def settled(django_on, tmp_path):
    """Sixty texts, some disputed; after a round all agree on each but one, and one disputed text was not reached."""
    django_on(write_study(tmp_path / "study"))
    from accord.server.models import Judgement
    from accord.server.organiser.rounds import measure_again, open_round, publish_round
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    people = People()
    for place in range(3):
        people.answer(place, people.tasks(place))
    refresh(here=True)
    before = latest_snapshot().results
    turn = open_round("meaning", 3, 0.8, 0.05, "ana")
    publish_round(turn, "# How to judge\n\nThe second text.\n")
    measure_again(turn, "all")
    for place in range(3):
        people.answer(place, people.raters[place].tasks.exclude(again=None))
    new = Judgement.objects.exclude(task__again=None)
    new.filter(criterion="meaning").update(value=2)
    new.filter(criterion="quality").update(value=60.0)
    names = [one["item"] for one in before["groups"][0]["disputed"]]
    missed, odd = names[-1], next(f"{one.item}:system-1" for one in people.tasks(0) if f"{one.item}:" not in str(names))
    new.filter(task__item=missed.partition(":")[0]).delete()
    new.filter(task__item=odd.partition(":")[0], task__rater__pseudonym="R1", criterion="meaning").update(value=0)
    refresh(here=True)
    return before, latest_snapshot().results, missed, odd


def test_texts_to_look_at_are_those_disputed_in_their_newest_measurement(settled):
    """After every text was measured again, disputes that were settled stood first."""
    from accord.server.organiser.item_page import disputed_queue

    before, after, missed, odd = settled
    assert before["differ"]["by"]["meaning"] > 5 and not before["differ"]["again"]
    assert {one["item"] for one in after["next"]} == {missed, odd}
    assert after["differ"]["by"]["meaning"] == 2 and set(disputed_queue(after)) == {missed, odd}
    page = re.sub(r"\s+", " ", logged_in("ana").get("/organiser").content.decode())
    assert "Of a text that was measured again the newest answers count." in page


def test_answers_compared_with_nobodys_are_counted_where_they_are(django_on, tmp_path):
    """Those of a second version, which one rater judged alone, stood under the first one too."""
    django_on(write_study(tmp_path / "study"))
    from accord.server.guidelines import publish
    from accord.server.organiser.dashboard import _courses
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    people = People()
    for place in range(3):
        people.answer(place, people.tasks(place)[: 30 if place == 2 else 60])
    publish("# How to judge\n\nThe second text.\n", "what changed")
    people.answer(2, people.tasks(2)[30:60])
    refresh(here=True)
    told = {one["title"]: one["alone"] for one in _courses(latest_snapshot().results)}
    assert told["meaning · guideline version 1"] == 0 and told["meaning · guideline version 2"] == 30


def test_a_round_that_published_without_a_line_of_its_log_does_not_call_it_empty(settled):
    """«The revision log of this round is empty» stood above «Version 2 is published»."""
    page = logged_in("ana").get("/organiser/rounds/1").content.decode()
    assert "Version 2 is published" in page and "revision log of this round is empty" not in page


def test_whoever_counts_again_is_said_to_while_the_numbers_are_still_without_them(settled):
    from accord.server.models import Rater
    from accord.server.organiser.decisions import decide
    from accord.server.organiser.snapshot import refresh

    rater = Rater.people.get(pseudonym="R3")
    decide(rater, "exclude", "a test", "ana")
    refresh(here=True)
    decide(rater, "include", "a test", "ana")
    page = re.sub(r"<[^>]+>", "", logged_in("ana").get("/organiser").content.decode())
    assert "Left out of every number: R3 (counted again)." in " ".join(page.split())


def test_the_map_of_raters_has_what_a_pair_said_last_of_each_text(settled):
    """It had the mean over both rounds, and did not say so."""
    before, after, *_ = settled
    old, new = ({one["criterion"]: one for one in results["apart"]} for results in (before, after))
    assert not old["meaning"]["again"] and new["meaning"]["again"]
    first = {tuple(pair): (value, items) for *pair, value, items in old["meaning"]["pairs"]}
    missed = 1 / 60  # of one text the first answers are the newest
    for *pair, value, items in new["meaning"]["pairs"]:
        assert items == 60 and first[tuple(pair)][1] == 60
        of_odd = 2 / 60 if "R1" in pair else 0.0
        assert of_odd <= value <= of_odd + 3 * missed and value < first[tuple(pair)][0]
    page = logged_in("ana").get("/organiser?criterion=meaning").content.decode()
    assert page.count("Of a text that was measured again the newest answers count.") == 2


def test_a_run_of_equal_answers_ends_with_a_round(settled):
    """The last answer before a round and all in it were one run."""
    from accord.design.study import Exclusion
    from accord.server.models import Judgement
    from accord.server.organiser.quality import _runs
    from accord.server.organiser.ratings import Collected, all_ratings
    from accord.server.study import current

    Judgement.objects.filter(task__rater__pseudonym="R2").update(value=2)
    rules = {"constant_run": Exclusion(rule="constant_run", limit=60)}
    made = _runs(current().criteria["meaning"], Collected("", 0, all_ratings()).criteria["meaning"], rules)
    (told,) = (one for one in made if one.rater == "R2")
    assert told.words == "60 times in a row at most" and not told.failed
