"""After somebody took the place of a rater who left, places, people and work are counted once, and alike everywhere."""

import numpy as np
import pytest

from organised_study import STUDY, answer_all, logged_in, rater_start, write_study

BLOCKS = STUDY.replace('design = "crossed"', 'design = "incomplete-blocks"\nratings_per_item = 3').replace(
    '[[groups]]\nkey = "novice"\nraters = 3\n[[groups]]\nkey = "expert"\nraters = 3\n', ""
)


@pytest.fixture(scope="module", params=[STUDY, BLOCKS], ids=["whole lists", "open screens"])
def replaced(request, django_on, tmp_path_factory):
    """Six raters: five have finished, R2 left after four screens, and R7 came instead."""
    django_on(write_study(tmp_path_factory.mktemp("replaced"), request.param))
    from accord.server.invitations import invite_raters
    from accord.server.models import Rater
    from accord.server.replacing import invite_instead_of

    rng = np.random.default_rng(5)
    for rater, _ in invite_raters(6):
        rater.started_at, rater.guidelines_read, rater.state = rater_start(), 1, "active"
        rater.save()
        tasks = rater.tasks.exclude(role="practice").order_by("order")
        answer_all(rater, rng, tasks=tasks[:4] if rater.pseudonym == "R2" else tasks)
        if rater.pseudonym != "R2":
            Rater.objects.filter(pk=rater.pk).update(state="finished")
    newcomer, _ = invite_instead_of("R2", by="ana")
    return newcomer


def counts():
    from accord.server.organiser.coverage import count_coverage
    from accord.server.organiser.progress import progress

    counted, coverage = progress(), count_coverage()
    cells = [cell for _, row in coverage.rows for cell in row]
    assert counted.tasks == sum(cell.given for cell in cells) == sum(one.tasks for one in counted.scenarios)
    assert counted.done == sum(cell.done for cell in cells) == sum(one.done for one in counted.phases)
    return counted


def test_a_place_is_counted_once_and_open_work_belongs_to_the_newcomer(replaced):
    from accord.server.invitations import free_places, places
    from accord.server.workspace.cards import _counted

    counted = counts()
    own = {one.name: one for one in counted.raters}
    assert counted.invited == places() == 6 and free_places() == 0 and len(own) == 7
    assert own["R2"].done == own["R2"].tasks == 4 and own["R2"].replaced_by == "R7" and own["R2"].left
    assert own["R7"].done == 0 and counted.tasks - counted.done == own["R7"].tasks
    card = _counted()
    assert (card["invited"], card["places"], card["finished"]) == (6, 6, 5)
    page = logged_in("ola").get("/organiser/people").content.decode()
    assert "<strong>6 / 6</strong>" in page and "R7 has the place" in page


def test_who_was_replaced_is_told_so_and_is_neither_resumed_nor_replaced_again(replaced):
    from django.test import Client

    from accord.errors import InputError
    from accord.server.models import Rater
    from accord.server.organiser.decisions import decide
    from accord.server.organiser.inviting import reissue
    from accord.server.replacing import invite_instead_of

    gone, token = reissue("R2")
    client = Client(headers={"host": "127.0.0.1"})
    client.get(f"/i/{token}")
    page = client.get("/work")
    assert page.status_code == 403 and "Your place was given to somebody else" in page.content.decode()
    assert "is kept" in page.content.decode()
    saved = client.post("/save", "{}", content_type="application/json")
    assert saved.status_code == 401 and saved.json() == {"error": "replaced"}
    for again in (lambda: decide(Rater.objects.get(pk=gone.pk), "resume", "why not", "ana"),
                  lambda: invite_instead_of("R2", by="ana")):  # fmt: skip
        with pytest.raises(InputError, match="place of R2 was given to R7"):
            again()


def test_when_the_newcomer_has_finished_everything_is_done(replaced):
    from accord.server.models import Rater
    from accord.server.organiser.work import work_of_people
    from accord.server.study import current
    from accord.server.workspace.cards import _counted

    answer_all(replaced, np.random.default_rng(6))
    Rater.objects.filter(pk=replaced.pk).update(state="finished", started_at=rater_start())
    counted = counts()
    assert counted.done == counted.tasks and counted.percent == 100
    assert all(one.done == one.tasks for one in work_of_people(current()))
    card = _counted()
    assert card["done"] == card["tasks"] and card["finished"] == card["invited"] == 6
