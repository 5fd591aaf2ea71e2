"""A study of which every place is given out: no link that nobody could use, and a way back for whoever comes."""

import re

import pytest

from organised_study import STUDY, logged_in, write_study

ADDRESS = "https://platform.example/done?cc=WORKED"
FORM = {"platform": "other", "code": "WORKED", "full_code": "FULL-7", "address": ADDRESS}


@pytest.fixture
def desk(django_on, tmp_path):
    """An organiser of a study with six places."""
    django_on(write_study(tmp_path / "study", STUDY))
    return logged_in("ana")


def link_of(page):
    return re.search(r'<code id="crowd">http://127.0.0.1(/join/[\w-]+)\?', page.content.decode())[1]


def come(link, person):
    from django.test import Client

    return Client(headers={"host": "127.0.0.1"}).get(link, {"participant": person, "session": "1"})


def filled():
    from accord.server.invitations import free_places, invite_raters

    invite_raters(free_places())


def test_no_link_for_a_platform_is_made_where_every_place_is_given_out(desk):
    from accord.errors import InputError
    from accord.server.invitations import open_entrance
    from accord.server.models import CrowdEntrance

    assert "Free places: 6." in desk.get("/organiser/people").content.decode()
    filled()
    why = "All 6 places of the plan are given out, so nobody could come in."
    page = desk.get("/organiser/people").content.decode()
    assert why in page and 'name="full_code"' not in page
    refused = desk.post("/organiser/crowd", FORM)
    assert refused.status_code == 400 and why in refused.content.decode()
    with pytest.raises(InputError, match=why):  # as the API and the command ask
        open_entrance("DONE")
    refused = desk.post("/organiser/invite", {"number": "1"})
    assert why in refused.content.decode() and "Thank you for your interest" not in refused.content.decode()
    assert not CrowdEntrance.objects.exists()


def test_who_comes_when_no_place_is_left_gets_the_way_back_and_never_the_code_of_the_end(desk):
    link = link_of(desk.post("/organiser/crowd", FORM))
    assert come(link, "first").status_code == 302
    filled()
    late = come(link, "late")
    page = late.content.decode()
    assert late.status_code == 409 and "All places of this study are taken" in page
    assert '<code id="full-code">FULL-7</code>' in page and "https://platform.example/done?cc=FULL-7" in page
    assert "WORKED" not in page


def test_without_a_code_for_it_nobody_is_left_at_a_closed_door(desk):
    from accord.server.models import CrowdEntrance

    link = link_of(desk.post("/organiser/crowd", FORM | {"full_code": ""}))
    filled()
    for _turn in range(2):  # full, then stopped
        page = come(link, "late").content.decode()
        assert "give the study back there" in page and "WORKED" not in page and "full-code" not in page
        CrowdEntrance.objects.update(open=False)


def test_places_that_are_handed_on_by_themselves_keep_the_link(django_on, tmp_path):
    from accord.server.invitations import open_entrance

    folder = write_study(tmp_path / "study", STUDY.replace("raters = 6", "raters = 6\nhand_on_after = 2", 1))
    django_on(folder)
    filled()
    assert open_entrance("DONE")
