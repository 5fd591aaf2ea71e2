"""Links that nobody elsewhere can open say so, with what to do; links at a public address say nothing of the kind."""

import pytest

from empty_database import opened_study
from served_study import write_folder
from server.test_phases import ITEMS, STUDY

PUBLIC = "https://rate.example.org"


@pytest.fixture
def organiser(tmp_path):
    opened_study(write_folder(tmp_path / "study", STUDY.replace("OPENS", ""), "# Read.\n", ["target:a"], ITEMS))
    from organised_study import logged_in

    return logged_in("ola")


def links(client):
    """The pages that show a link of each kind once."""
    yield client.post("/organiser/invite", {"number": "1"}).content.decode()
    yield client.post("/organiser/new-link", {"rater": "R1"}).content.decode()
    yield client.post("/organiser/crowd", {"platform": "prolific"}).content.decode()


def test_a_link_to_this_computer_says_that_nobody_elsewhere_can_open_it(organiser):
    for page in links(organiser):
        assert "Only this computer can open links that begin with http://127.0.0.1" in page
        assert "ACCORD_ORIGIN" in page


def test_links_at_a_public_address_begin_with_it_and_warn_of_nothing(organiser):
    from django.test import override_settings

    with override_settings(PUBLIC_ORIGIN=PUBLIC):
        pages = list(links(organiser))
    for page in pages:
        assert f"{PUBLIC}/" in page and "http://127.0.0.1" not in page
        assert "Only this computer" not in page


@pytest.mark.parametrize(
    ("host", "is_here"),
    [("127.0.0.1", True), ("localhost", True), ("[::1]", True), ("rate.example.org", False)],
)
def test_an_address_of_this_computer_is_told_from_one_of_the_world(organiser, host, is_here):
    from django.test import RequestFactory, override_settings

    from accord.server.addresses import is_only_here

    with override_settings(ALLOWED_HOSTS=["*"]):
        assert is_only_here(RequestFactory().get("/", headers={"host": f"{host}:8000"})) == is_here
