"""A rater leaves and another comes: answers stay where they were given, open work is handed on."""

import re
from collections import Counter
from uuid import uuid4

import pytest

from accord.design.preset import copy_preset
from accord.errors import InputError
from empty_database import opened_study


@pytest.fixture(params=["mqm", "pairwise", "reference-bias"])
def study(request, tmp_path):
    """A preset of which three raters were invited; the first has answered five tasks."""
    from django.db import connections

    copy_preset(request.param, tmp_path / "study")
    opened_study(tmp_path / "study")
    from accord.server.invitations import invite_raters

    gone = invite_raters(3)[0][0]
    answer(gone.tasks.filter(order__gt=0).order_by("order")[:5])
    yield request.param, gone
    connections.close_all()


def answer(tasks):
    from django.utils import timezone

    from accord.server.guidelines import latest
    from accord.server.models import Judgement

    common = {"criterion": "any", "value": 1, "guideline": latest(), "made_at": timezone.now()}
    for task in tasks:
        Judgement.objects.create(uuid=uuid4(), task=task, **common)


def work(rater):
    """What a rater has: the answered and the open tasks, as (order, item, systems, role)."""
    rows = rater.tasks.filter(order__gt=0).order_by("order")
    told = {True: [], False: []}
    for task in rows:
        told[task.judgements.exists()].append((task.order, task.item, tuple(task.systems), task.role, task.occasion))
    return told[True], told[False]


def test_what_was_answered_stays_and_what_is_open_goes_to_the_newcomer(study):
    from accord.server.models import Rater
    from accord.server.replacing import invite_instead_of

    preset, gone = study
    others = {rater.pseudonym: work(rater) for rater in Rater.objects.exclude(pk=gone.pk)}
    answered, still_open = work(gone)
    newcomer, token = invite_instead_of(gone.pseudonym, by="organiser")
    gone.refresh_from_db()
    assert gone.state == "paused" and token and newcomer.group == gone.group
    assert work(gone)[0] == answered and len(answered) == 5
    assert {name: work(Rater.objects.get(pseudonym=name)) for name in others} == others
    if preset == "reference-bias":
        assert work(newcomer)[1] == answered + still_open
    else:
        seen = {item for _, item, *_ in answered}
        kept = [task for task in still_open if task[4] > 1 and task[1] in seen]
        assert work(newcomer)[1] == [task for task in still_open if task not in kept]
        assert work(gone)[1] == kept
    assert newcomer.tasks.filter(role="practice").count() == gone.tasks.filter(role="practice").count()


def test_screens_that_two_did_because_of_a_replacement_are_counted_as_beyond_the_plan(study):
    from accord.server.replacing import done_before_replacing, invite_instead_of

    preset, gone = study
    assert done_before_replacing() == {}
    invite_instead_of(gone.pseudonym, by="organiser")
    assert done_before_replacing() == ({gone.pseudonym: 5} if preset == "reference-bias" else {})


def test_before_anybody_is_invited_the_screens_are_those_of_the_plan(study):
    from accord.server.handing_out import current_plan, planned_screens

    plan = current_plan()
    assert planned_screens() == len(list(plan.tasks())) > 0
    assert planned_screens(plan.phases) < planned_screens() or not any(plan.phases)


def test_a_replacement_takes_no_place_of_the_plan_and_can_be_replaced_in_turn(study):
    from accord.server.invitations import free_places, invite_raters
    from accord.server.replacing import invite_instead_of

    _, gone = study
    free = free_places()
    second, _ = invite_instead_of(gone.pseudonym, by="organiser")
    third, _ = invite_instead_of(second.pseudonym, by="organiser")
    assert free_places() == free and len({gone.pseudonym, second.pseudonym, third.pseudonym}) == 3
    assert len(invite_raters(free)) == free


def test_more_invitations_than_places_fill_what_there_is_and_say_so(study):
    from accord.server.invitations import NoPlaceLeftError, fewer_words, free_places, invite_raters

    free = free_places()
    made = invite_raters(free + 3)
    assert len(made) == free and free_places() == 0
    assert fewer_words(free + 3, len(made)).endswith(f"{free} of {free + 3} invitations were made.")
    assert fewer_words(free, len(made)) == ""
    with pytest.raises(NoPlaceLeftError):
        invite_raters(1)


def test_nobody_is_replaced_who_is_unknown_or_has_finished(study):
    from accord.server.replacing import invite_instead_of

    _, gone = study
    with pytest.raises(InputError, match="Nobody is invited as 'R99'"):
        invite_instead_of("R99", by="organiser")
    answer(gone.tasks.filter(order__gt=0, judgements=None))
    with pytest.raises(InputError, match="has answered everything"):
        invite_instead_of(gone.pseudonym, by="organiser")


@pytest.fixture
def crowd(tmp_path):
    """A study in fixed teams of two for each text, whose four places were taken by people of a platform."""
    from django.db import connections

    copy_preset("mqm", tmp_path / "study")
    toml = tmp_path / "study" / "study.toml"
    told = re.sub(r"\[assignment\][^\[]*", TEAMS, toml.read_text(encoding="utf-8"), count=1)
    toml.write_text(told, encoding="utf-8")
    opened_study(tmp_path / "study")
    from accord.server.invitations import join_crowd, open_entrance
    from accord.server.models import CrowdEntrance

    open_entrance("done")
    entrance = CrowdEntrance.objects.get()
    yield lambda person: join_crowd(entrance, person, "")
    connections.close_all()


TEAMS = """[assignment]
design = "nested"
raters = 4
ratings_per_item = 2
hand_on_after = 2

"""


def last_seen(rater, hours):
    """As if this rater had come, and answered, so long ago."""
    from datetime import timedelta

    from django.utils import timezone

    from accord.server.models import Judgement, Rater

    then = timezone.now() - timedelta(hours=hours)
    Rater.objects.filter(pk=rater.pk).update(came_at=then)
    Judgement.objects.filter(task__rater=rater).update(received_at=then)


def test_the_next_who_comes_fills_the_batch_of_somebody_who_left_and_no_text_gets_more_raters(crowd):
    from accord.server.invitations import NoPlaceLeftError
    from accord.server.models import Rater, Task

    people = [crowd(f"p{number}") for number in range(4)]
    raters_of = Counter(Task.objects.filter(order__gt=0).values_list("item", flat=True))
    for person in people:
        answer(person.tasks.filter(order__gt=0).order_by("order")[:3])
    with pytest.raises(NoPlaceLeftError):
        crowd("p4")
    last_seen(people[1], hours=3)
    newcomer = crowd("p4")
    gone = Rater.objects.get(pk=people[1].pk)
    assert gone.state == "paused" and gone.decisions.get().by == "hand_on_after = 2"
    assert gone.tasks.filter(order__gt=0).count() == 3, "what was answered stays"
    assert newcomer.tasks.filter(order__gt=0).exists()
    assert crowd("p4").pk == newcomer.pk
    assert Counter(Task.objects.filter(order__gt=0).values_list("item", flat=True)) == raters_of
    with pytest.raises(NoPlaceLeftError):
        crowd("p5")


def test_who_has_finished_or_works_still_keeps_the_place(crowd):
    from accord.server.invitations import NoPlaceLeftError
    from accord.server.models import Rater

    people = [crowd(f"p{number}") for number in range(4)]
    answer(people[0].tasks.filter(order__gt=0))
    answer(people[1].tasks.filter(order__gt=0)[:1])
    for person in people:
        last_seen(person, hours=3)
    Rater.objects.filter(pk__in=[people[0].pk, people[2].pk, people[3].pk]).update(state="finished")
    answer(people[1].tasks.filter(order__gt=0)[1:2])
    with pytest.raises(NoPlaceLeftError):
        crowd("p4")


def test_the_page_of_a_rater_invites_somebody_in_this_place_once_and_says_first_what_becomes_of_the_work(study):
    from accord.server.models import Rater, RaterState
    from accord.server.replacing import gives_whole_lists
    from organised_study import logged_in

    _, gone = study
    client, name = logged_in("ana"), gone.pseudonym
    asked = client.get(f"/organiser/replace?rater={name}").content.decode()
    assert (
        'role="dialog"' in asked and f"What {name} answered stays and counts" in asked and "cannot be undone" in asked
    )
    assert ("anew" in asked) == gives_whole_lists()
    assert f"<option>{name}</option>" in client.get("/organiser/people").content.decode()
    assert f"/organiser/replace?rater={name}" in client.get(f"/organiser/raters/{name}").content.decode()
    form = {"rater": name, "once": re.search(r'name="once" value="([^"]+)"', asked)[1]}
    before = Rater.objects.count()
    made = client.post("/organiser/replace", form).content.decode()
    assert len(re.findall(r"http://\S+/i/[\w-]+(?=</code>)", made)) == 1
    assert client.post("/organiser/replace", form).status_code == 302, "loading the answer again makes no second link"
    assert Rater.objects.count() == before + 1
    gone.refresh_from_db()
    assert gone.state == RaterState.PAUSED
    assert client.get("/organiser/replace?rater=R99").status_code == 404


def test_nobody_is_invited_in_the_place_of_another_while_the_study_is_closed(study):
    from accord.server.closing import change_study
    from accord.server.replacing import invite_instead_of

    change_study("close", "ana")
    with pytest.raises(InputError, match="closed"):
        invite_instead_of(study[1].pseudonym, by="ana")
