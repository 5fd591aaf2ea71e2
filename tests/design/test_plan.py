"""Whole plans keep their promises: raters of an item, loads, scenarios, orders, sources, control items."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.design.assignment import Role, plan_assignment, replan
from accord.design.load import load_study
from accord.design.preset import PRESETS, copy_preset
from accord.errors import InputError, OptionError
from design.study_folder import write_study

quick = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def raters_of_units(plan):
    """How many raters judge each unit, control items left out."""
    return np.bincount(plan.unit[plan.ordinary], minlength=len(plan.units))


def preset(name, folder):
    copy_preset(name, folder / name)
    return load_study(folder / name)


@pytest.mark.parametrize("name", PRESETS)
def test_the_same_seed_gives_the_same_plan(name, tmp_path):
    study = preset(name, tmp_path)
    assert list(plan_assignment(study).tasks()) == list(plan_assignment(study).tasks())


def test_another_seed_gives_another_plan(tmp_path):
    one = load_study(write_study(tmp_path / "a"))
    two = load_study(write_study(tmp_path / "b", head='title = "T"\nseed = 8\n[languages]\ntarget = "en"\n'))
    assert list(plan_assignment(one).tasks()) != list(plan_assignment(two).tasks())


def test_document_context_shows_each_source_once_and_each_order_equally_often(tmp_path):
    study = preset("document-context", tmp_path)
    plan = plan_assignment(study)
    starts = Counter()
    for rater in plan.raters:
        tasks = plan.tasks_of(rater)
        sentences = Counter(task.item for task in tasks if task.item)
        assert set(sentences.values()) == {1}
        assert set(sentences) == {item.id for item in study.items}
        sides = Counter(task.systems for task in tasks if task.scenario == "RS")
        assert max(sides.values()) - min(sides.values()) <= 1
        starts[tasks[0].group, tasks[0].scenario] += 1
    assert starts == {("G1", "RS"): 2, ("G1", "SC"): 2, ("G2", "RS"): 2, ("G2", "SC"): 2}


def test_a_document_is_judged_right_after_its_sentences_with_the_same_sides(tmp_path):
    plan = plan_assignment(preset("document-context", tmp_path))
    tasks = plan.tasks_of("R1")
    for place, task in enumerate(tasks):
        if task.scenario == "D":
            before = tasks[place - 4 : place]
            assert {(t.document, t.scenario, t.systems) for t in before} == {(task.document, "SC", task.systems)}


def test_each_group_judges_each_test_set_in_another_scenario(tmp_path):
    plan = plan_assignment(preset("document-context", tmp_path))
    seen = {(task.group, task.scenario, task.condition) for task in plan.tasks() if task.scenario != "D"}
    assert seen == {("G1", "RS", "T1"), ("G1", "SC", "T2"), ("G2", "RS", "T2"), ("G2", "SC", "T1")}


def test_plato_uses_every_system_and_every_input_equally_in_complementary_halves(tmp_path):
    plan = plan_assignment(preset("plato", tmp_path))
    outputs = {(unit.document, unit.systems) for unit in plan.units}
    assert len(outputs) == 12
    assert set(Counter(system for _, system in outputs).values()) == {4}
    assert set(Counter(document for document, _ in outputs).values()) == {2}
    for rater in plan.raters:
        phases = Counter((task.document, task.systems, task.phase) for task in plan.tasks_of(rater))
        halves = Counter(phase for _, _, phase in phases)
        assert halves == {"before": 6, "after": 6} and len(phases) == 12


def test_a_direct_assessment_batch_is_ten_blocks_of_ten_with_copies_five_blocks_away(tmp_path):
    plan = plan_assignment(preset("direct-assessment", tmp_path))
    for rater in plan.raters:
        rows = plan.rows_of(rater)
        unit, role = plan.unit[rows.start : rows.stop], plan.role[rows.start : rows.stop]
        for block in range(10):
            counts = Counter(role[block * 10 : block * 10 + 10].tolist())
            assert counts[Role.DEGRADED] == 1 and counts[Role.REFERENCE] == 1 and sum(counts.values()) == 10
        originals = {int(u): place for place, (u, r) in enumerate(zip(unit, role, strict=True)) if r == Role.SYSTEM}
        for place, (u, r) in enumerate(zip(unit, role, strict=True)):
            if r != Role.SYSTEM:
                assert abs(place // 10 - originals[int(u)] // 10) == 5
            if r == Role.REPEAT:
                assert place > originals[int(u)]
        references = [plan.units[u].source for u, r in zip(unit, role, strict=True) if r == Role.REFERENCE]
        assert len(set(references)) == len(references) == 10


@quick
@given(
    raters=st.integers(2, 8), width=st.integers(1, 4), documents=st.integers(2, 8), repeats=st.integers(0, 6),
    degraded=st.integers(0, 4), seed=st.integers(0, 999),
)  # fmt: skip
def test_control_items_are_spread_evenly_over_any_design(tmp_path, raters, width, documents, repeats, degraded, seed):
    controls = f"[controls]\nrepeats = {repeats}\ndegraded = {degraded}\nblocks = 4\nspacing = 2\n"
    head = f'title = "T"\nseed = {seed}\n[languages]\ntarget = "en"\n'
    text = f'design = "incomplete-blocks"\nraters = {raters}\nratings_per_item = {min(width, raters)}'
    study = load_study(write_study(tmp_path, assignment=text, more=controls, head=head, documents=documents))
    plan = plan_assignment(study)
    assert set(raters_of_units(plan)) == {min(width, raters)}
    for rater in plan.raters:
        rows = plan.rows_of(rater)
        is_control = plan.role[rows.start : rows.stop] != Role.SYSTEM
        ordinary = int((~is_control).sum())
        if ordinary < 8 or not is_control.any():
            continue
        if not repeats:
            # Of a repeated pair the later one is the repeat, so only the others show where copies were put.
            ends = np.cumsum([len(part) for part in np.array_split(np.arange(ordinary), 4)])
            before = np.cumsum(~is_control)[is_control]
            wanted = np.arange(len(before)) * 4 // len(before)
            assert (before <= ends[wanted]).all() and (before >= np.r_[0, ends][wanted]).all()
        own = plan.unit[rows.start : rows.stop]
        for place in np.flatnonzero(is_control):
            others = [other for other in np.flatnonzero(own == own[place]) if other != place]
            assert min(abs(place - other) for other in others) > ordinary // 4 - 1


def test_degraded_copies_differ_from_the_text_and_are_the_same_for_all_raters(tmp_path):
    study = preset("direct-assessment", tmp_path)
    shown = {}
    for task in plan_assignment(study).tasks():
        if task.role == "degraded":
            original = study.item_by_id[task.item].outputs[task.systems[0]]
            assert task.texts[0] != original and len(task.texts[0].split()) == len(original.split())
            assert shown.setdefault((task.item, task.systems), task.texts) == task.texts
    assert shown


def test_a_plan_says_where_pairs_of_raters_cannot_share_equally(tmp_path):
    text = 'design = "incomplete-blocks"\nraters = 13\nratings_per_item = 9'
    study = load_study(write_study(tmp_path, assignment=text, documents=5, segments=1, systems=1))
    (note,) = plan_assignment(study).notes
    assert note.startswith("1 of 78 pairs of raters share more or less than the target of 2, give or take one")
    even = load_study(write_study(tmp_path / "even", assignment=text, documents=13, segments=1, systems=1))
    assert plan_assignment(even).notes == ()


def test_ten_thousand_items_and_five_hundred_raters_are_planned_evenly(tmp_path):
    text = 'design = "incomplete-blocks"\nraters = 500\nratings_per_item = 3'
    controls = "[controls]\nrepeats = 5\ndegraded = 5\n"
    study = load_study(write_study(tmp_path, assignment=text, more=controls, documents=1000, segments=10, systems=1))
    plan = plan_assignment(study)
    assert set(raters_of_units(plan)) == {3} and set(plan.loads()) == {70}


def test_a_crossed_plan_of_five_million_tasks_is_made_whole(tmp_path):
    text = 'design = "crossed"\nraters = 500'
    study = load_study(write_study(tmp_path, assignment=text, documents=1000, segments=10, systems=1))
    plan = plan_assignment(study)
    assert len(plan) == 5_000_000


@quick
@given(raters=st.integers(3, 8), width=st.integers(1, 2), given_tasks=st.integers(0, 10), seed=st.integers(0, 999))
def test_what_was_given_never_changes_and_no_work_is_lost(tmp_path, raters, width, given_tasks, seed):
    head = f'title = "T"\nseed = {seed}\n[languages]\ntarget = "en"\n'
    text = f'design = "incomplete-blocks"\nraters = {raters}\nratings_per_item = {width}'
    study = load_study(write_study(tmp_path, assignment=text, head=head))
    plan = plan_assignment(study)
    given_now = dict.fromkeys(plan.raters, given_tasks)
    again = replan(study, plan, given=given_now, left=["R1"], joined=[""])
    for rater in plan.raters:
        assert again.tasks_of(rater)[:given_tasks] == plan.tasks_of(rater)[:given_tasks]
    assert len(again.tasks_of("R1")) == min(given_tasks, len(plan.tasks_of("R1")))
    assert (raters_of_units(again) == raters_of_units(plan)).all()
    seen = np.stack([again.rater, again.unit], axis=1)
    assert len(np.unique(seen, axis=0)) == len(seen)


def test_a_late_joiner_relieves_the_others_until_loads_are_equal(tmp_path):
    text = 'design = "incomplete-blocks"\nraters = 3\nratings_per_item = 1'
    study = load_study(write_study(tmp_path, assignment=text))
    plan = replan(study, plan_assignment(study), given={"R1": 2}, joined=[""])
    assert np.ptp(plan.loads()) <= 1 and len(plan.raters) == 4
    assert set(raters_of_units(plan)) == {1}


def test_a_newcomer_of_a_latin_square_gets_the_whole_list_of_the_group(tmp_path):
    study = preset("document-context", tmp_path)
    plan = replan(study, plan_assignment(study), given={"R5": 7}, left=["R5"], joined=["G2"])
    assert len(plan.tasks_of("R5")) == 7
    new = plan.tasks_of("R9")
    assert len(new) == 36 and {task.group for task in new} == {"G2"}
    old = plan.tasks_of("R6")
    assert {(t.item, t.document, t.scenario) for t in new} == {(t.item, t.document, t.scenario) for t in old}
    assert [t.item for t in new] != [t.item for t in old]


def test_work_nobody_can_take_is_named(tmp_path):
    study = load_study(write_study(tmp_path))
    plan = replan(study, plan_assignment(study), given={"R1": 4}, left=["R1"])
    assert plan.notes == ("20 tasks of raters who left can be taken by nobody else. Let a newcomer join.",)


def test_an_unknown_rater_cannot_leave(tmp_path):
    study = load_study(write_study(tmp_path))
    with pytest.raises(OptionError, match="no rater 'R9'"):
        replan(study, plan_assignment(study), given={}, left=["R9"])


def test_a_plan_that_no_memory_holds_is_refused_before_it_is_made(tmp_path):
    """It would take the memory of a server from every other study."""
    study = load_study(write_study(tmp_path, assignment='design = "crossed"\nraters = 1000000'))
    with pytest.raises(InputError, match="24,000,000 places, more than the 20,000,000 that are planned at once"):
        plan_assignment(study)
    with pytest.raises(InputError, match="1000000"):
        load_study(write_study(tmp_path, assignment='design = "crossed"\nraters = 1000000000'))
