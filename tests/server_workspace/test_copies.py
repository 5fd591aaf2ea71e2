"""A copy of a study with as many judgements is in a state of the same name, and its ratings are its own."""

from empty_database import opened_study
from served_study import make_study


def collected(folder, value):
    from uuid import uuid4

    opened_study(folder)
    from django.utils import timezone

    from accord.server.guidelines import latest
    from accord.server.invitations import invite_raters
    from accord.server.models import Judgement
    from accord.server.organiser.ratings import collect, state_of_judgements

    rater, _ = invite_raters(1)[0]
    task = rater.tasks.filter(scenario="alone").order_by("order").first()
    Judgement.objects.create(
        uuid=uuid4(), task=task, criterion="quality", place=0, value=value, revision=1, seconds=1.0,
        guideline=latest(), made_at=timezone.now(),
    )  # fmt: skip
    return state_of_judgements(), collect().ratings.fingerprint


def test_the_ratings_of_a_copy_are_its_own(tmp_path):
    from django.db import connections

    first = collected(make_study(tmp_path / "first"), 71)
    second = collected(make_study(tmp_path / "second"), 22)
    connections.close_all()
    assert first[0] == second[0]
    assert first[1] != second[1]
