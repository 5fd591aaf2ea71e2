"""What simulated raters see, with nothing left to chance; and the plans that a seed gives, as they were seen before."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.design.preset import copy_preset
from accord.design.scale import Level, Scale
from accord.design.study import CriterionSettings
from accord.planning.answers import known, ranks
from accord.planning.precision import _drawn, _value, _view, calibrated, expected_interval, items_needed, raters_needed
from accord.planning.preview import FEWEST_DOCUMENTS, _mean_raters, phases_apart, preview_study
from accord.planning.simulate import _Hand, _rated_item, _shared, simulate_study
from accord.planning.simulated_raters import Mark, RaterTraits, Traits, Truth, draw_truth
from design.study_folder import write_study

EXACT = Traits(severity=0.0, noise=0.0, drift=0.0, inattention=0.0, copying=0.0)
ONE = RaterTraits(context=0.7, reference=0.0)
TWO = Scale(Level.NOMINAL, (0.0, 1.0), declared=True)
FIVE = Scale(Level.ORDINAL, (1.0, 2.0, 3.0, 4.0, 5.0), declared=True)


def of_preset(name, folder):
    copy_preset(name, folder)
    study = load_study(folder)
    return study, plan_assignment(study), draw_truth(study, np.random.default_rng(1))


# What is seen.


def seen(hand, study, task, system, criterion, rater=EXACT, progress=0.0):
    asked = next(one for one in study.settings.criteria if one.key == criterion)
    return hand._perceived(asked, task, system, rater, progress)


def test_a_strict_rater_sees_less_and_one_who_drifts_ever_less_to_the_end(tmp_path):
    study = load_study(write_study(tmp_path))
    truth = draw_truth(study, np.random.default_rng(1))
    hand = _Hand(study, ONE, truth, np.random.default_rng(2))
    task = next(plan_assignment(study).tasks())
    true = truth.of(task.item, task.systems[0])
    for severity, drift, progress in ((0, 0, 1), (0.5, 0, 1), (-0.5, 0, 0), (0, 0.8, 0.25), (0.5, 0.8, 1)):
        rater = replace(EXACT, severity=severity, drift=drift)
        found = seen(hand, study, task, task.systems[0], "quality", rater, progress)
        assert found == pytest.approx(true - severity - drift * progress)


def test_context_lowers_what_is_ambiguous_where_it_is_shown_and_never_fluency(tmp_path):
    study, plan, truth = of_preset("document-context", tmp_path / "s")
    hand = _Hand(study, ONE, truth, np.random.default_rng(2))
    met = set()
    for task in plan.tasks():
        item = study.item_by_id.get(task.item)
        shown = "context" in study.settings.scenario(task.scenario).show
        for criterion in ("adequacy", "fluency"):
            loses = item is not None and bool(item.ambiguity) and shown and criterion == "adequacy"
            met.add((item is not None and bool(item.ambiguity), shown, criterion, loses))
            lost = truth.of(task.item or task.document, task.systems[0]) - 0.7 * loses
            assert seen(hand, study, task, task.systems[0], criterion) == pytest.approx(lost)
    assert {loses for *_, loses in met} == {True, False} and len(met) >= 6


def test_what_was_spoilt_looks_worse_and_the_text_beside_it_as_it_is(tmp_path):
    study, plan, truth = of_preset("direct-assessment", tmp_path / "s")
    hand = _Hand(study, ONE, truth, np.random.default_rng(2))
    tasks = {task.role: task for task in plan.tasks()}
    for role, lost in (("system", 0.0), ("repeat", 0.0), ("reference", 0.0), ("degraded", 1.5)):
        task = tasks[role]
        system = task.systems[0]
        found = seen(hand, study, task, system, study.settings.criteria[0].key)
        assert found == pytest.approx(truth.of(task.item, system) - lost)
        if role == "degraded":
            other = replace(task, altered="another")
            assert seen(hand, study, other, system, study.settings.criteria[0].key) == pytest.approx(
                truth.of(task.item, system)
            )
            attention = replace(task, role="attention")
            assert seen(hand, study, attention, system, study.settings.criteria[0].key) == pytest.approx(
                truth.of(task.item, system) - 1.0
            )


def test_those_who_see_one_reference_share_its_error_and_nobody_else_has_one(tmp_path):
    study, plan, truth = of_preset("reference-bias", tmp_path / "s")
    hand = _Hand(study, RaterTraits(reference=0.5), truth, np.random.default_rng(2))
    errors = {}
    for task in plan.tasks():
        group = next((group for group in study.settings.groups if group.key == task.group), None)
        error = hand._of_reference(task)
        assert (error == 0.0) is (group.key == "source"), "these see the source alone"
        errors.setdefault((task.item, group.reference, group.key != "source"), set()).add(error)
    assert all(len(found) == 1 for found in errors.values()), "the same text beside the same reference errs alike"
    shared = [next(iter(found)) for (_, _, shown), found in errors.items() if shown]
    assert len(set(shared)) == len(shared) and 0.3 < np.std(shared) < 0.7


# Errors in a text that was spoilt on purpose.

BEFORE = "one two three four"


def marks_after(after, marks):
    item = SimpleNamespace(outputs={"A": BEFORE}, source="eins zwei")
    study = SimpleNamespace(item_by_id={"i": item}, settings=None)
    hand = _Hand(study, ONE, Truth({}, {}, {("i", "A"): tuple(marks)}), np.random.default_rng(1))
    task = SimpleNamespace(item="i", document="d", systems=("A",), texts=(after,), altered="A")
    return hand._true_marks(task, "A"), hand._true_marks(SimpleNamespace(**{**vars(task), "altered": ""}), "A")


def mark(start, end, side="target"):
    return Mark(start, end, 0.5, 0.25, 0.75, side=side)


@pytest.mark.parametrize(
    ("after", "spoilt", "moved"),
    [
        ("one two X four", (8, 9), -4),
        ("one two threefold five four", (13, 22), 9),
        ("one two four", (8, 9), -6),
        ("ZZZ two three four", (0, 3), 0),
    ],
)
def test_errors_before_what_was_spoilt_stay_and_those_behind_it_move_with_their_words(after, spoilt, moved):
    marks = [mark(0, 3), mark(4, 7), mark(7, 8), mark(8, 13), mark(13, 14), mark(14, 18), mark(0, 4, "source")]
    found, untouched = marks_after(after, marks)
    assert untouched == tuple(marks)
    assert (found[-1].start, found[-1].end, found[-1].visible, found[-1].side) == (*spoilt, 0.0, "target")
    before_end = len(BEFORE) - (len(after) - spoilt[1]) if moved != -6 else 14
    expected = [(one.start, one.end) for one in marks[:-1] if one.end <= spoilt[0]]
    expected += [(one.start + moved, one.end + moved) for one in marks[:-1] if one.start >= before_end]
    assert [(one.start, one.end) for one in found[:-1] if one.side == "target"] == expected
    assert [one for one in found if one.side == "source"] == [marks[-1]]
    for one, (start, end) in zip((one for one in marks[:-1] if one.start >= before_end), expected[::-1], strict=False):
        assert end > start and one.severity == 0.5
    assert all(after[start:end] in BEFORE for start, end in expected)


def test_two_texts_share_what_they_begin_with():
    assert [_shared(*pair) for pair in (("abc", "abd"), ("ab", "abc"), ("abc", "ab"), ("", "x"), ("a", "a"))] == [
        2, 2, 2, 0, 1,
    ]  # fmt: skip


def test_what_is_rated_names_its_system_and_in_a_comparison_those_who_met_where_others_did_not():
    study = SimpleNamespace(systems=("A", "B", "C"))
    task = SimpleNamespace(item="i", document="d", systems=("B", "A"))
    assert _rated_item(study, task, "A") == "i:A" and _rated_item(study, task, "") == "i:A~B"
    assert _rated_item(study, SimpleNamespace(**{**vars(task), "item": ""}), "B") == "d:B"
    assert _rated_item(SimpleNamespace(systems=("A", "B")), task, "") == "i"


def test_answers_are_copied_at_the_first_meeting_only():
    hand = _Hand(SimpleNamespace(settings=None), ONE, Truth({}, {}), np.random.default_rng(1))
    copier = replace(EXACT, copying=1.0)
    first, again = ({"item": "i", "criterion": "c", "occasion": occasion} for occasion in (1, 2))
    assert hand._settled(first, 5, copier) == 5 and hand._settled(first, 7, copier) == 5
    assert hand._settled(again, 8, copier) == 8 and hand._settled(first, 9, EXACT) == 9


def test_better_systems_stand_first_the_reference_above_them_and_documents_at_the_mean_of_their_texts(tmp_path):
    study = load_study(write_study(tmp_path, documents=60, segments=4, systems=3))
    truth = draw_truth(study, np.random.default_rng(3))
    assert truth.systems == {"S1": 0.5, "S2": 0.0, "S3": -0.5, "reference": 1.0}
    for name, items in study.documents.items():
        for system in truth.systems:
            own = [truth.of(item.id, system) for item in items]
            assert truth.of(name, system) == pytest.approx(np.mean(own)) and truth.marks[name, system] == ()
    table = np.array([[truth.of(item.id, system) for system in truth.systems] for item in study.items])
    assert table.mean(axis=0) == pytest.approx([0.5, 0, -0.5, 1.0], abs=0.2)
    rest = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    assert np.sqrt((rest**2).sum() / (239 * 3)) == pytest.approx(0.75, rel=0.1), "what a system makes of a text"
    by_document = table.mean(axis=1).reshape(60, 4)
    inside = by_document.var(axis=1, ddof=1).mean()
    assert inside == pytest.approx(0.4**2 + 0.75**2 / 4, rel=0.3), "what texts of one document differ by"
    between = by_document.mean(axis=1).var(ddof=1)
    assert between == pytest.approx(0.3**2 + inside / 4, rel=0.4), "what documents differ by"
    one = load_study(write_study(tmp_path / "one", systems=1))
    assert draw_truth(one, np.random.default_rng(3)).systems == {"S1": 0.0, "reference": 1.0}


def test_an_answer_takes_its_share_of_the_seconds_of_its_task(tmp_path):
    criteria = "".join(
        f'[[criteria]]\nkey = "{key}"\nquestion = "?"\nkind = "slider"\nlow = 0\nhigh = 9\n' for key in "ab"
    )
    folder = write_study(tmp_path, criteria=criteria, documents=60)
    study = load_study(folder)
    made = simulate_study(study, plan_assignment(study), ONE, np.random.default_rng(4))
    times = np.array([row["time_s"] for row in made.ratings])
    assert times.mean() == pytest.approx(15, rel=0.05), "half a minute a task, two questions"
    assert times.std() == pytest.approx(15 / 2, rel=0.1), "as a gamma distribution of shape four"


def test_raters_are_what_the_manual_says_unless_told_otherwise():
    told = RaterTraits()
    assert (told.severity, told.noise, told.drift, told.inattention) == (0.3, 0.6, 0.0, 0.02)
    assert (told.copying, told.context, told.reference) == (0.0, 0.8, 0.4)


# Plans of a seed.


@pytest.mark.parametrize("level", [Level.NOMINAL, Level.ORDINAL])
@pytest.mark.parametrize("count", [2, 3, 5])
def test_every_value_is_as_frequent_as_the_others_in_a_simulated_study(level, count):
    scale = Scale(level, tuple(float(value) for value in range(count)), declared=True)
    design = np.ones((3_000, 3), dtype=bool)
    design[:9, 2] = False
    codes = _drawn(design, scale, 0.5, np.random.default_rng(6))
    assert (codes[:9, 2] == -1).all() and (codes == -1).sum() == 9
    assert np.bincount(codes[9:].ravel()) / codes[9:].size == pytest.approx(np.full(count, 1 / count), abs=0.03)


@pytest.mark.parametrize(("phases", "apart"), [((), ("",)), (("one",), ("",)), (("one", "two"), ("one", "two"))])
def test_one_phase_has_no_name_in_the_precision_of_a_plan(phases, apart, tmp_path):
    own = ("", 'documents = ["d1"]\n')
    more = "".join(f'[[phases]]\nkey = "{key}"\n{own[place]}' for place, key in enumerate(phases))
    plan = plan_assignment(load_study(write_study(tmp_path, more=more)))
    assert phases_apart(plan) == apart


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("scale", "raters"), [(TWO, 2), (FIVE, 2), (FIVE, 3)])
def test_counted_patterns_give_the_value_of_the_items_themselves(scale, raters, seed):
    codes = np.random.default_rng(seed).integers(0, len(scale), (60, raters)).astype(np.int32)
    codes[:, 1:] = np.where(np.random.default_rng(seed + 9).random((60, 1)) < 0.6, codes[:, :1], codes[:, 1:])
    whole = _value(codes, scale, "krippendorff_alpha")
    third = np.column_stack([codes, np.full(60, -1, dtype=np.int32)])
    assert whole == pytest.approx(_value(third, scale, "krippendorff_alpha")), "a rater who rates nothing"
    if raters == 2:
        assert (
            len(_view(codes, scale).patterns.codes) <= len(scale) ** 2
            and int(_view(codes, scale).patterns.multiplicity.sum()) == 60
        )


RECORDED = {
    "calibrated": lambda rng: calibrated(FIVE, 0.6, "krippendorff_alpha", rng, items=4_000),
    "calibrated kappa": lambda rng: calibrated(TWO, 0.6, "cohen_kappa", rng, items=4_000),
    "low": lambda rng: expected_interval(np.ones((30, 3), bool), TWO, 0.6, rng, studies=40).interval.low,
    "high": lambda rng: expected_interval(np.ones((30, 3), bool), FIVE, 0.6, rng, studies=40, signal=0.7).interval.high,
    "items": lambda rng: items_needed(0.35, 2, TWO, 0.6, rng, studies=40),
    "raters": lambda rng: raters_needed(0.3, 40, TWO, 0.6, rng, studies=40),
}


GIVEN = {
    "calibrated": 0.66113, "calibrated kappa": 0.78027, "low": 0.42743, "high": 0.72841, "items": 69, "raters": 6,
}  # fmt: skip


@pytest.mark.parametrize("question", RECORDED)
def test_a_seed_gives_the_plan_that_it_gave_before(question):
    assert RECORDED[question](np.random.default_rng(11)) == pytest.approx(GIVEN[question], abs=1e-4)


def test_ranks_are_shared_within_steps_of_what_is_noticed():
    steps = [0.0, 0.14, 0.16, 0.44, 0.46, 3.0]
    assert ranks(steps, True) == [5, 5, 3, 3, 2, 1] and ranks(steps, False) == [6, 5, 4, 3, 2, 1]


def test_a_tenth_of_the_noise_is_the_share_of_known_answers_that_are_missed():
    criterion = CriterionSettings(key="k", question="?", kind="number", best="low")
    rng = np.random.default_rng(1)
    assert all(known(criterion, "3", replace(EXACT, noise=10.0), rng) is None for _ in range(99))


def test_no_more_raters_are_looked_at_than_were_allowed_and_no_design_has_none():
    rng = np.random.default_rng(11)
    assert raters_needed(0.3, 40, TWO, 0.6, rng, studies=40, most=5) is None
    assert _mean_raters(np.zeros((0, 3), dtype=bool)) == 0.0 and _mean_raters(np.eye(3, dtype=bool)) == 1.0


def test_few_documents_are_told_whole_with_what_to_do(tmp_path):
    study = load_study(write_study(tmp_path, documents=2))
    (part,) = preview_study(study, plan_assignment(study), studies=5).precision
    assert part.why_not == (
        "no interval: the texts come from 2 documents, and an interval over documents takes "
        f"{FEWEST_DOCUMENTS} at least; bring texts of more documents"
    )
