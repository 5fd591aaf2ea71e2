"""A plan at a glance: its work counted by hand, its scales, its coefficient, and why nothing can be learnt."""

import numpy as np
import pytest

from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.design.scale import Level
from accord.design.study import CriterionSettings
from accord.planning.preview import (
    planned_coefficient,
    planned_confidence,
    planned_scale,
    preview_study,
    rated_design,
    rated_documents,
)
from accord.planning.simulate import simulate_study
from accord.planning.simulated_raters import RaterTraits
from design.study_folder import CRITERION, write_study

CROSSED = 'design = "crossed"\nraters = {raters}'


def asked(kind, **more):
    return CriterionSettings(key="k", question="?", kind=kind, **more)


def previewed(folder, **more):
    study = load_study(write_study(folder, **more))
    return study, preview_study(study, plan_assignment(study), studies=20)


def test_the_work_of_a_crossed_plan_is_every_text_of_every_system_for_every_rater(tmp_path):
    cost = "[cost]\nper_hour = 30.0\nminutes_fixed = 5.0\n"
    two = CRITERION + CRITERION.replace('"quality"', '"style"')
    _, preview = previewed(tmp_path, criteria=two, more=cost, documents=4, segments=3, systems=2)
    assert [load.rater for load in preview.workloads] == ["R1", "R2", "R3"]
    for load in preview.workloads:
        assert (load.tasks, load.controls, load.answers) == (4 * 3 * 2, 0, 4 * 3 * 2 * 2)
        assert load.minutes == pytest.approx(24 * 30 / 60 + 5), "half a minute for each, and five for the guidelines"
        assert load.cost == pytest.approx(30 * load.minutes / 60)
    assert preview.hours == pytest.approx(sum(load.minutes for load in preview.workloads) / 60)
    assert preview.cost == pytest.approx(30 * preview.hours)
    assert preview.overlap.shape == (3, 3) and preview.overlap[~np.eye(3, dtype=bool)].tolist() == [24] * 6
    assert {(part.criterion, part.items, part.raters_per_item) for part in preview.precision} == {
        ("quality", 24, 3.0), ("style", 24, 3.0),
    }  # fmt: skip


def test_control_items_are_work_and_tell_nothing_of_reliability(tmp_path):
    more = "[controls]\nrepeats = 2\nblocks = 4\nspacing = 1\n"
    _, plain = previewed(tmp_path / "plain")
    study, preview = previewed(tmp_path / "repeats", more=more)
    for load, before in zip(preview.workloads, plain.workloads, strict=True):
        assert (load.controls, load.tasks) == (2, before.tasks + 2) and load.minutes > before.minutes
    assert preview.precision[0].items == plain.precision[0].items
    plan = plan_assignment(study)
    assert rated_design(plan, "s").sum() == 24 * 3 and rated_documents(plan, "s") == 4
    assert rated_documents(plan, "elsewhere") == 0


def test_texts_of_too_few_documents_are_said_to_give_no_interval(tmp_path):
    told = {}
    for documents in (1, 4, 9, 10, 12):
        _, preview = previewed(tmp_path / str(documents), documents=documents, segments=3)
        told[documents] = preview.precision[0].why_not
    few = [documents for documents, why in told.items() if why]
    assert few and few == [one for one in told if one <= max(few)], "once there are enough, more are enough"
    assert told[1].startswith("no interval: the texts come from 1 document, and") and not told[12]


def test_one_text_of_each_document_stands_for_itself_however_few_there_are(tmp_path):
    _, preview = previewed(tmp_path, documents=4, segments=1, systems=1)
    assert preview.precision[0].why_not == "" and preview.precision[0].expected is not None


def test_raters_who_never_meet_are_told_why_nothing_is_expected(tmp_path):
    _, preview = previewed(tmp_path, assignment=CROSSED.format(raters=1), documents=14, segments=1)
    assert preview.precision[0].expected is None and "two raters" in preview.precision[0].why_not


@pytest.mark.parametrize(
    ("criterion", "values", "level"),
    [
        (asked("slider", low=0, high=100, best="high"), 21, Level.INTERVAL),
        (asked("number", best="low"), 11, Level.INTERVAL),
        (asked("post_edit"), 11, Level.INTERVAL),
        (asked("categories", values=("a", "b", "c")), 4, Level.NOMINAL),
        (asked("pairwise"), 3, Level.NOMINAL),
        (asked("pairwise", ties=False), 2, Level.NOMINAL),
        (asked("ranking"), 5, Level.ORDINAL),
        (asked("scale", values=(1, 2, 3, 4), level="ordinal", best="high"), 4, Level.ORDINAL),
    ],
    ids=lambda one: getattr(one, "kind", str(one)),
)
def test_the_scale_of_a_plan_has_as_many_values_as_can_be_told_apart(criterion, values, level):
    scale = planned_scale(criterion, 5)
    assert (len(scale), scale.level, scale.declared) == (values, level, True)


ANALYSIS = '[analysis]\ncriterion = "quality"\ncoefficient = "{key}"\n{more}'


def test_the_declared_coefficient_and_confidence_are_used_where_they_fit(tmp_path):
    two = CRITERION + CRITERION.replace('"quality"', '"style"')
    text = ANALYSIS.format(key="icc_a1", more="confidence = 0.9\n")
    study, preview = previewed(tmp_path / "declared", criteria=two, more=text, documents=24, segments=1)
    keys = {part.criterion: (part.coefficient, part.confidence) for part in preview.precision}
    assert keys == {"quality": ("icc_a1", 0.9), "style": ("krippendorff_alpha", 0.9)}
    assert planned_confidence(study) == 0.9
    plain, _ = previewed(tmp_path / "plain")
    assert planned_confidence(plain) == 0.95
    assert planned_coefficient(plain, plain.settings.criteria[0]) == "krippendorff_alpha"


def test_better_texts_need_less_editing_and_no_share_leaves_its_bounds(tmp_path):
    edited = '[[criteria]]\nkey = "edit"\nquestion = "Correct it."\nkind = "post_edit"\n'
    study = load_study(write_study(tmp_path, criteria=edited, documents=60, segments=1))
    quiet = RaterTraits(severity=0.0, noise=0.0, drift=0.0, inattention=0.0, reference=0.0)
    made = simulate_study(study, plan_assignment(study), quiet, np.random.default_rng(3))
    for row in made.ratings:
        quality = made.truth.of(*str(row["item"]).rsplit(":", 1))
        assert row["value"] == pytest.approx(min(max(0.35 - 0.2 * quality, 0), 1), abs=5e-4)
    assert len({row["value"] for row in made.ratings}) > 40
