"""What the overview says of the first answers: how long a screen takes, and why systems are not ranked yet."""

import re
from itertools import product
from statistics import median

import pytest

from organised_study import logged_in
from served_study import write_folder
from two_versions import STUDY, People


@pytest.fixture
def people(django_on, tmp_path):
    """Twenty texts of two systems."""
    items = [
        (f"d{document}", str(segment), f"Source {document} {segment}.", f"Alfa {segment}.", f"Beta {segment}.")
        for document, segment in product(range(1, 5), range(1, 6))
    ]
    systems = ["target:alpha", "target:beta"]
    django_on(write_folder(tmp_path / "study", STUDY, "# How to judge\n\nThe text.\n", systems, items))
    return People()


def shown(path: str) -> str:
    page = logged_in("ana").get(path).content.decode()
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_median_time_per_screen_is_that_of_all_screens(people):
    """It was the upper median of the raters' means: one long pause made it ten times as much."""
    from django.db.models import Sum

    from accord.server.export import timing_rows
    from accord.server.models import Judgement

    for place, seconds in ((0, 2.0), (1, 3.0), (2, 4.0)):
        people.answer(place, people.tasks(place)[:10])
        Judgement.objects.filter(task__rater=people.raters[place]).update(seconds=seconds / 2)
    paused = people.tasks(1)[0]
    Judgement.objects.filter(task=paused).update(seconds=500.0)
    spent = [row["time_s"] for row in timing_rows()]
    assert len(spent) == 30 and max(spent) == 1000.0 and median(spent) == 3.0
    assert Judgement.objects.filter(task=paused).aggregate(all=Sum("seconds"))["all"] == 1000.0
    assert "Median time per screen 3 s" in shown("/organiser")
    assert "Median time per screen 3 s" in shown("/organiser"), "also of a count that was kept"


def test_systems_of_which_no_text_was_judged_twice_yet_are_said_to_wait_for_raters(people):
    """An organiser was told to write ``--map segment=COLUMN``."""
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    for place in range(2):
        tasks = people.tasks(place)
        wanted = [task for task in tasks if (int(task.item[-1]) % 2 == 0) == (task.systems == ["alpha"])]
        people.answer(place, wanted)
    refresh(here=True)
    told = latest_snapshot().results["rankings"]["unranked"]
    assert told and all(
        one.endswith(": No text has been judged of two systems yet, so they cannot be compared.") for one in told
    )
    page = shown("/organiser")
    assert told[0] in page and "--map" not in page
    assert "--map" not in shown("/organiser/results")
    people.answer(0, [task for task in people.tasks(0) if not task.judgements.exists()])
    refresh(here=True)
    assert not latest_snapshot().results["rankings"]["unranked"]
