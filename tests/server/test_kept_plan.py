"""The plan of analysis is kept when the first rater is invited, with a hash, and changes are kept beside it."""

import re

import pytest

from accord.errors import StudyError
from empty_database import put_empty_database
from served_study import write_folder
from server.test_phases import ITEMS, STUDY, answer_what_is_open, coming

PLAN = '[analysis]\ncriterion = "meaning"\ncoefficient = "krippendorff_alpha"\nunit = "item"\n'
PLAIN = STUDY.replace("OPENS", 'opens = "at-once"')


@pytest.fixture
def serve(tmp_path):
    """Open the study with this plan, as a start of the server does."""
    from accord.server.connect import connect, prepare

    def start(plan):
        folder = write_folder(tmp_path / "study", PLAIN + plan, "# Read.\n", ["target:a"], ITEMS)
        put_empty_database(folder)
        connect(folder)
        from accord.server.study import loaded

        loaded.cache_clear()
        prepare()

    yield start
    from django.db import connections

    connections.close_all()


def invited():
    from accord.server.invitations import invite_raters

    return coming(invite_raters(1)[0][1])


def test_the_plan_is_kept_with_a_hash_when_somebody_is_invited_and_may_change_until_the_first_judgement(serve):
    from accord.design.declared_plan import plan_hash

    serve(PLAN)
    from accord.server.kept_plan import kept_plan
    from accord.server.models_organiser import KeptPlan

    assert not KeptPlan.objects.exists()
    invited()
    assert kept_plan().plan == {"criterion": "meaning", "coefficient": "krippendorff_alpha", "unit": "item"}
    serve(PLAN.replace("krippendorff_alpha", "gwet_ac2"))
    kept = kept_plan()
    assert kept.plan["coefficient"] == "gwet_ac2"
    assert (kept.digest, kept.changes) == (plan_hash(kept.plan), ())


def test_a_plan_changed_after_the_first_judgement_is_kept_as_a_change(serve):
    serve(PLAN)
    client = invited()
    answer_what_is_open(client)
    serve(PLAN.replace("krippendorff_alpha", "gwet_ac2"))
    from accord.server.kept_plan import kept_plan

    kept = kept_plan()
    assert kept.plan["coefficient"] == "krippendorff_alpha" and kept.digest
    assert len(kept.changes) == 1
    assert kept.changes[0].endswith("after 2 judgements: coefficient was krippendorff_alpha, is gwet_ac2.")


def test_a_plan_first_declared_after_the_first_judgement_has_no_hash(serve):
    serve("")
    answer_what_is_open(invited())
    serve(PLAN)
    from accord.server.kept_plan import kept_plan

    kept = kept_plan()
    assert kept.digest == "" == kept.date and "a plan was first declared" in kept.changes[0]


def test_dashboard_and_python_carry_out_the_plan_alike(serve, tmp_path):
    serve(PLAN.replace("krippendorff_alpha", "gwet_ac2") + "confidence = 0.8\n")
    for _ in range(2):
        answer_what_is_open(invited())
    from accord.reading import read
    from accord.reliability.run import agreement
    from accord.server.organiser.snapshot import compute_snapshot

    shown = compute_snapshot().results["groups"]
    told = agreement(read(tmp_path / "study")).to_dict()["groups"]
    assert [group["deciding"] for group in told] == ["gwet_ac2"] * len(told)
    assert [group["estimates"][0]["signature"] for group in shown] == [
        group["estimates"][0]["signature"] for group in told
    ]
    assert all("confidence:0.8" in one["signature"] for group in told for one in group["estimates"] if one["interval"])


WRONG = {
    'coefficient = "alpha"': "there is no coefficient 'alpha'",
    'criterion = "meaning"\ncoefficient = "icc_1"': "does not fit 'meaning', which is ordinal",
    'comparison = "sistem"': "ratings have no column 'sistem'. Did you mean 'system'?",
    'criterion = "menaing"': "there is no criterion 'menaing'. Did you mean 'meaning'?",
}


@pytest.mark.parametrize("lines, words", WRONG.items(), ids=list(WRONG))
def test_a_plan_that_cannot_be_carried_out_is_refused_before_collection(serve, lines, words):
    with pytest.raises(StudyError) as error:
        serve(f"[analysis]\n{lines}\n")
    assert words in str(error.value)
    # Each mistake is told with its line.
    assert re.search(r"study\.toml:\d+: ", str(error.value)), error.value
