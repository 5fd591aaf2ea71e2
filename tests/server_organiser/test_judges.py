"""A language model joins a study by the API: a rater of its own kind that no number of people counts."""

from uuid import uuid4

import numpy as np
import pytest

from accord.ratings.codebook import JudgeFacts


@pytest.fixture
def keys(organised):
    from accord.server.api.tokens import make_token

    return {"organiser": make_token("organiser", "tests")[1]}


@pytest.fixture
def call(visitor, keys):
    def ask(method, path, body=None, scope="organiser"):
        more = {"data": body, "content_type": "application/json"} if body is not None else {}
        answer = visitor.generic if body is None else getattr(visitor, method.lower())
        sent = (method, f"/api/v1/{path}") if body is None else (f"/api/v1/{path}",)
        found = answer(*sent, headers={"Authorization": f"Bearer {keys[scope]}"}, **more)
        return found.status_code, found.json()

    return ask


ABOUT = {"model": "tiny-2026-05", "prompt": "Judge the text.", "rubric": "0 to 3", "parameters": "temperature=0"}


@pytest.fixture
def judge(call, keys, request):
    """A judge of this test's own: the study is that of all tests here."""
    status, made = call("POST", "judges", {"name": request.node.name, **ABOUT, "runs": 2})
    assert status == 201, made
    keys["judge"] = made["token"]
    return made


def _answers(call, high=3):
    """The judge answers every screen: what a program would do with the texts it is shown."""
    tasks = call("GET", "tasks", scope="judge")[1]
    rng = np.random.default_rng(3)
    entries = [
        {"uuid": str(uuid4()), "task": screen["id"], "criterion": name, "place": 0, "value": value}
        for screen in tasks["screens"]
        for name, value in (("meaning", int(rng.integers(0, high + 1))), ("quality", int(rng.integers(40, 90))))
    ]
    for start in range(0, len(entries), 50):
        status, said = call("POST", "judgements", {"entries": entries[start : start + 50]}, scope="judge")
        assert status == 200 and {one["status"] for one in said["results"]} == {"saved"}, said
    return tasks


def test_a_judge_gets_every_screen_once_a_run_and_takes_no_place_of_a_person(call, judge):
    places = call("GET", "study")[1]
    tasks = call("GET", "tasks", scope="judge")[1]
    assert judge["screens"] == len(tasks["screens"]) == 2 * (2 * 5 - 2) * 2  # runs, segments that are no gold, systems
    assert not any({"system", "systems"} & set(screen) for screen in tasks["screens"]), "systems are places"
    assert call("GET", "study")[1] == places
    assert judge["judge"] not in [one["rater"] for one in call("GET", "raters")[1]["raters"]]


def test_the_only_text_of_a_screen_needs_no_place(call, judge):
    screen = call("GET", "tasks", scope="judge")[1]["screens"][0]
    entry = {"uuid": str(uuid4()), "task": screen["id"], "criterion": "quality", "value": 50}
    assert screen["places"] == 1
    assert call("POST", "judgements", {"entries": [entry]}, scope="judge")[1]["results"][0]["status"] == "saved"
    wrong = {**entry, "uuid": str(uuid4()), "place": 1, "revision": 2}
    said = call("POST", "judgements", {"entries": [wrong]}, scope="judge")[1]["results"][0]
    assert (said["status"], said["message"]) == ("refused", "This screen does not show such a text.")


def _rounded(found):
    if isinstance(found, dict):
        return {key: _rounded(one) for key, one in found.items()}
    if isinstance(found, list):
        return [_rounded(one) for one in found]
    return round(found, 12) + 0.0 if isinstance(found, float) else found


def test_no_number_of_people_changes_when_a_judge_answers(call, judge):
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)
    before, work = call("GET", "reliability")[1]["results"], call("GET", "progress")[1]
    _answers(call)
    refresh(here=True)
    after = call("GET", "reliability")[1]["results"]
    for name in ("groups", "findings", "checks"):
        kept, now = (
            [{key: one for key, one in group.items() if key not in ("estimates", "main")} for group in results[name]]
            if name == "groups"
            else results[name]
            for results in (before, after)
        )
        # The judge's own values lie on the same scale, so sums are taken in another order: the last bit may differ.
        assert _rounded(now) == _rounded(kept), name
    values = [[(one["title"], one["main"]["value"], one["main"]["low"]) for one in results["groups"] if one["main"]]
              for results in (before, after)]  # fmt: skip
    assert values[0] == values[1] and values[0]
    assert call("GET", "progress")[1] == work


def test_the_dashboard_shows_a_judge_apart_with_its_agreement(call, judge, organiser):
    from accord.server.organiser.snapshot import refresh

    _answers(call)
    refresh(here=True)
    listed = next(one for one in call("GET", "judges")[1]["judges"] if one["judge"] == judge["judge"])
    assert listed["answered"] == judge["screens"] and "token" not in listed
    assert {one["criterion"] for one in listed["beside_people"]} >= {"meaning", "quality"}
    page = organiser.get("/organiser/results").content.decode()
    assert "Language models" in page and judge["fingerprint"] in page
    assert "Shown apart: no number above counts them." in page


def test_ratings_of_a_study_keep_kind_and_fingerprint_of_the_judge(call, judge, organised):
    from accord.server.organiser.ratings import all_ratings

    _answers(call)
    ratings = all_ratings()
    own = ratings.only(rater=judge["judge"])
    assert own.columns["kind"].names == ("model",) and set(own.columns["occasion"].names) == {"1", "2"}
    assert ratings.only(rater="R1").columns["kind"].names == ("human",)
    told = next(one for one in ratings.codebook.judges if one.name == judge["judge"])
    assert told == JudgeFacts(name=judge["judge"], **ABOUT) and told.fingerprint == judge["fingerprint"]


def test_a_changed_prompt_is_another_judge(call, judge):
    status, said = call("POST", "judges", {"name": judge["judge"], **ABOUT, "prompt": "Judge it again."})
    assert status == 400 and "another judge" in str(said)
    status, other = call("POST", "judges", {"name": "tiny-2", **ABOUT, "prompt": "Judge it again."})
    assert status == 201 and other["fingerprint"] != judge["fingerprint"]
