"""Leaving out the one rater who tells two versions from each other: every part keeps its number on both sides."""

import pytest

from two_versions import People, write_study


@pytest.fixture
def measured(django_on, tmp_path):
    """R1 and R2 judge under version 1, R3 half under each; then all judge again after a round, under version 3."""
    django_on(write_study(tmp_path / "study"))
    from accord.server.guidelines import publish
    from accord.server.organiser.rounds import measure_again, open_round, publish_round
    from accord.server.organiser.snapshot import refresh

    people = People()
    for place in range(3):
        people.answer(place, people.tasks(place)[: 30 if place == 2 else 60])
    publish("# How to judge\n\nThe second text.\n", "what changed")
    people.answer(2, people.tasks(2)[30:60])
    refresh(here=True)
    turn = open_round("meaning", 3, 0.8, 0.05, "ana")
    publish_round(turn, "# How to judge\n\nThe third text.\n")
    measure_again(turn, "all")
    for place in range(3):
        people.answer(place, people.raters[place].tasks.exclude(again=None))
    refresh(here=True)
    return people


def values_now() -> dict[tuple[str, str], float]:
    """Every value of the newest results, by the name of its group and of its coefficient."""
    from accord.server.organiser.snapshot import latest_snapshot, refresh
    from accord.server.organiser.titles import shown_title

    refresh(here=True)
    return {
        (shown_title(group), one["title"]): one["value"]
        for group in latest_snapshot().results["groups"]
        for one in group["estimates"]
        if one["value"] is not None and not group.get("combined")
    }


PARTS = ("meaning · guideline version 1", "meaning · after round 1 · guideline version 3")
ALPHA = "Krippendorff's α"


def test_each_part_of_a_rater_is_found_again_without_them(measured):
    """Without R3 the version tells nothing that the round does not: every part had another name, and no value."""
    from accord.server.organiser.changing import changes_of
    from accord.server.organiser.decisions import decide
    from accord.server.organiser.kept_effect import shown_effect

    rater = measured.raters[2]
    effects = {(one.group, one.coefficient): one for one in shown_effect(rater).known}
    assert len(effects) == len(shown_effect(rater).known)
    told = {one.name: one for one in changes_of(["R3"])}
    before = values_now()
    decide(rater, "exclude", "a test", "ana")
    after = values_now()
    for name in PARTS:
        one = effects[name, ALPHA]
        assert one.with_rater == pytest.approx(before[name, ALPHA]) and one.without == pytest.approx(after[name, ALPHA])
        change = told[f"{ALPHA}, {name}"]
        assert change.now.startswith(f"{before[name, ALPHA]:.2f}")
        assert change.after.startswith(f"{after[name, ALPHA]:.2f}")
    combined = [one for name, one in told.items() if name.startswith(f"{ALPHA}, meaning · rounds and")]
    assert len(combined) == 1 and "none" not in (combined[0].now, combined[0].after)
    assert all(one.now != "none" for one in told.values()), "nothing comes to be by leaving somebody out"
    # And back again.
    undone = {one.name: one for one in changes_of((), ["R3"])}
    for name in PARTS:
        change = undone[f"{ALPHA}, {name}"]
        assert (change.now, change.after) == tuple(getattr(told[f"{ALPHA}, {name}"], side) for side in ("after", "now"))


def test_what_the_rules_and_the_end_of_a_study_change_is_told_part_by_part(measured, monkeypatch):
    from accord.server.organiser import closing_effect
    from accord.server.organiser.closing_effect import Leaving, effect_of_closing

    monkeypatch.setattr(closing_effect, "whom_closing_concerns", lambda: ([Leaving("R3", "a rule")], [], []))
    told = {one.name: one for one in effect_of_closing().changes}
    for name in PARTS:
        assert "none" not in (told[f"{ALPHA}, {name}"].now, told[f"{ALPHA}, {name}"].after)
