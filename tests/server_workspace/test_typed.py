"""What was typed is kept, whatever is wrong with it and wherever somebody goes."""

import re

import pytest

from accord.design.load import load_study
from served_workspace import Workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    server = Workspace(tmp_path_factory.mktemp("workspace"), is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def owner(workspace):
    return workspace.owner()


@pytest.fixture(scope="module")
def key(owner):
    owner.post("/new", {"protocol": "direct-assessment-segments"})
    return owner.url.split("/")[-2]


def value_of(page, name):
    return re.search(rf'name="{name}" [^>]*?value="([^"]*)"', page)[1]


PLAN = {"raters": "4", "design": "crossed", "per_hour": "21", "currency": "CHF", "stay": "1"}


def test_a_plan_that_cannot_be_made_stays_in_the_form_and_is_told_in_its_words(workspace, owner, key):
    before = load_study(workspace.folder / key).settings
    phases = {"phases-0-title": "Only week", "phases-0-keep_back": "2", "phases-0-message": "Come back on Monday"}
    groups = {"groups-0-title": "Novices", "groups-0-raters": "4"}
    page = owner.post(f"/new/{key}/plan", PLAN | groups | phases)
    assert owner.status == 400
    problem = re.search(r'role="alert"[^>]*>(.*?)</p>', page, re.S)[1]
    assert "Add a phase that keeps no documents back" in problem
    assert not re.search(r"study\.toml|:\d+:|`", problem)
    for name, value in {**phases, **groups, "per_hour": "21", "currency": "CHF"}.items():
        assert value_of(page, name) == value
    assert load_study(workspace.folder / key).settings == before


def test_a_number_that_is_none_stays_in_the_form_too(owner, key):
    page = owner.post(f"/new/{key}/plan", PLAN | {"groups-0-title": "Novices", "groups-0-raters": "some"})
    assert owner.status == 400 and "give a whole number" in page
    assert value_of(page, "groups-0-title") == "Novices" and value_of(page, "groups-0-raters") == "some"


def test_questions_that_cannot_be_asked_stay_in_the_form(owner, key):
    form = {
        "asked": "1",
        "question-0": "How clear is it?",
        "low_label-0": "murky",
        "between-0": "half",
        "instruction": "Look.",
    }
    page = owner.post(f"/new/{key}/questions", form | {"statements-0-text": "I was sure."})
    assert owner.status == 400 and ">How clear is it?</textarea>" in page and ">half</textarea>" in page
    assert value_of(page, "low_label-0") == "murky" and value_of(page, "statements-0-text") == "I was sure."
    assert ">Look.</textarea>" in page


def test_what_was_typed_goes_along_to_the_step_that_was_clicked(workspace, owner, key):
    owner.post(f"/new/{key}/guidelines", {"text": "# Read this first", "then": "texts"})
    assert owner.url.endswith(f"/new/{key}/texts")
    assert (workspace.folder / key / "guidelines.md").read_text() == "# Read this first"
    owner.post(f"/new/{key}/guidelines", {"text": "# Read it", "then": "https://elsewhere.example/"})
    assert owner.url.endswith(f"/new/{key}/plan")


def test_hours_until_work_is_handed_on_are_set_and_taken_away(workspace, owner, key):
    def hours():
        return load_study(workspace.folder / key).settings.assignment.hand_on_after

    page = owner.post(f"/new/{key}/plan", PLAN | {"hand_on_after": "1.5"})
    assert hours() == 1.5 and value_of(page, "hand_on_after") == "1.5"
    page = owner.post(f"/new/{key}/plan", PLAN | {"hand_on_after": "-2"})
    assert owner.status == 400 and value_of(page, "hand_on_after") == "-2" and hours() == 1.5
    owner.post(f"/new/{key}/plan", PLAN)
    assert hours() == 1.5, "a form that does not show it changes nothing"
    owner.post(f"/new/{key}/plan", PLAN | {"hand_on_after": ""})
    assert hours() is None


def test_the_launch_page_says_hours_cost_and_control_items(owner, key):
    owner.post(f"/new/{key}/guidelines", {"text": "Read.", "repeats": "2", "attention": "0"})
    page = owner.get(f"/new/{key}/launch")
    assert re.search(r"Ready: 4 raters, [\d.]+ hours, [\d,]+ CHF", page)
    told = re.search(r"Control items of each rater</dt><dd>Repeats: 2 \(whole texts of (\d+) screens together\)", page)
    assert told and int(told[1]) > 2, "sentences come text by text, so a repeat is a whole text"


def test_the_page_to_log_in_says_where_the_first_link_is(tmp_path):
    server = Workspace(tmp_path, is_forked=True)
    try:
        assert "no account here yet" in server.stranger().get("/sign-in")
        server.owner()
        assert "no account here yet" not in server.stranger().get("/sign-in")
    finally:
        server.stop()
