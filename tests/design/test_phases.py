"""Phases in the plan: shared out, kept back for one phase, or shown once more."""

from collections import Counter

import pytest

from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.errors import StudyError
from accord.planning.preview import preview_study, rated_design
from design.study_folder import write_study

TWO = '[[phases]]\nkey = "first"\n[[phases]]\nkey = "second"\n'
PAIRS = '[[scenarios]]\nkey = "alone"\nkind = "random-sentence"\n[[scenarios]]\nkey = "whole"\nkind = "document"\n'
SETS = '[[test_sets]]\nkey = "A"\n[[test_sets]]\nkey = "B"\n'


def planned(folder, **more):
    return plan_assignment(load_study(write_study(folder, **more)))


def documents_by_phase(plan):
    found = {}
    for task in plan.tasks():
        found.setdefault(task.phase, set()).add(task.document)
    return found


DESIGNS = [
    ('design = "crossed"\nraters = 4', ""),
    ('design = "complementary-halves"\nraters = 4', ""),
    ('design = "incomplete-blocks"\nraters = 4\nratings_per_item = 2', ""),
    ('design = "nested"\nraters = 4\nratings_per_item = 2', ""),
    ('design = "minimum-overlap"\nraters = 4\noverlap = 2', ""),
    ('design = "latin-square"\nraters = 4', PAIRS),
]


@pytest.mark.parametrize("assignment, scenarios", DESIGNS, ids=lambda text: text.split('"')[1] if text else "")
def test_documents_kept_back_are_shown_in_their_phase_only(tmp_path, assignment, scenarios):
    more = f'{TWO}[[phases]]\nkey = "reserve"\ndocuments = ["d2", "d5"]\nreserve = true\n{SETS if scenarios else ""}'
    extra = {"scenarios": scenarios} if scenarios else {}
    plan = planned(tmp_path, assignment=assignment, more=more, documents=8, **extra)
    found = documents_by_phase(plan)
    assert found.pop("reserve") == {"d2", "d5"}
    assert set.union(*found.values()) == {"d1", "d3", "d4", "d6", "d7", "d8"}


def test_documents_drawn_for_a_reserve_are_those_of_the_seed_and_change_nothing_else(tmp_path):
    reserve = '[[phases]]\nkey = "reserve"\nkeep_back = 2\n'
    one = planned(tmp_path / "a", more=TWO + reserve, documents=8)
    two = planned(tmp_path / "b", more=TWO + reserve, documents=8)
    kept = documents_by_phase(one)["reserve"]
    assert len(kept) == 2 and kept == documents_by_phase(two)["reserve"]
    assert not any(kept & shown for phase, shown in documents_by_phase(one).items() if phase != "reserve")


def test_a_phase_that_repeats_another_gives_each_rater_the_own_items_again_as_a_second_occasion(tmp_path):
    plan = planned(tmp_path, more=TWO + '[[phases]]\nkey = "again"\nagain = "first"\n', documents=6)
    for rater in plan.raters:
        tasks = plan.tasks_of(rater)
        first = Counter(task.item for task in tasks if task.phase == "first")
        again = [task for task in tasks if task.phase == "again"]
        assert Counter(task.item for task in again) == first
        assert {(task.occasion, task.role) for task in again} == {(2, "repeat")}
        phases = [task.phase for task in tasks]
        assert phases == sorted(phases, key=["first", "second", "again"].index)


def test_overlap_is_that_of_one_phase_where_one_is_asked_for(tmp_path):
    plan = planned(tmp_path, assignment='design = "complementary-halves"\nraters = 5', more=TWO, documents=5)
    apart = plan.overlap("first"), plan.overlap("second")
    for a in range(5):
        for b in range(5):
            units = [
                {(task.item, task.systems) for task in plan.tasks_of(plan.raters[rater]) if task.phase == "first"}
                for rater in (a, b)
            ]
            assert apart[0][a, b] == len(units[0] & units[1])
    # Together the halves overlap fully, which no phase does.
    assert (plan.overlap() > apart[0] + apart[1]).any()


@pytest.mark.parametrize("raters, groups", [(6, 2), (10, 2), (4, 2), (8, 2)])
def test_each_order_of_scenarios_is_equally_often_where_that_is_possible(tmp_path, raters, groups):
    assignment = f'design = "latin-square"\nraters = {raters}'
    more = SETS + "".join(f'[[groups]]\nkey = "g{number}"\n' for number in range(groups))
    plan = planned(tmp_path, assignment=assignment, more=more, scenarios=PAIRS, documents=4)
    starts = Counter(plan.tasks_of(rater)[0].scenario for rater in plan.raters)
    assert starts == {"alone": raters // 2, "whole": raters // 2}
    assert not [note for note in plan.notes if "order" in note]


def test_an_order_that_cannot_be_equally_often_is_said_with_numbers(tmp_path):
    plan = planned(tmp_path, assignment='design = "crossed"\nraters = 5', scenarios=PAIRS)
    assert plan.notes == (
        "Scenarios come in the order alone, whole (3 raters); or whole, alone (2 raters). Each order equally often "
        "needs a multiple of 2 raters, and there are 5.",
    )


WRONG = [
    ('[[phases]]\nkey = "a"\n[[phases]]\nkey = "b"\nagain = "c"\n', "repeats 'c', which is no phase before it"),
    (
        '[[phases]]\nkey = "a"\n[[phases]]\nkey = "b"\nagain = "a"\nkeep_back = 1\n',
        "can have no `documents` of its own",
    ),
    ('[[phases]]\nkey = "a"\n[[phases]]\nkey = "b"\ndocuments = ["d9"]\n', "the items hold no document 'd9'"),
    ('[[phases]]\nkey = "a"\n[[phases]]\nkey = "b"\nkeep_back = 4\n', "4 of 4 documents are kept back"),
    ('[[phases]]\nkey = "a"\nkeep_back = 1\n', "no phase is left for the material that is not kept back"),
    ('[[phases]]\nkey = "a"\nopens = "finished"\n', "nothing comes before the first phase"),
    ('[[phases]]\nkey = "a"\n[[phases]]\nkey = "b"\nopens = "organiser"\nopens_on = 2027-01-01\n', "say two things"),
    ('[[phases]]\nkey = "a"\n[[phases]]\nkey = "b"\nopens = "later"\n', "must be 'at-once', 'organiser' or 'finished'"),
]


@pytest.mark.parametrize("more, words", WRONG, ids=[words[:20] for _, words in WRONG])
def test_phases_that_contradict_each_other_are_refused_in_words(tmp_path, more, words):
    with pytest.raises(StudyError, match=r"study\.toml:\d+: ") as error:
        load_study(write_study(tmp_path, more=more))
    assert words in str(error.value)


def test_precision_is_that_of_each_phase(tmp_path):
    """Agreement is computed within a phase, so its raters count and not those of both."""
    folder = write_study(tmp_path, assignment='design = "complementary-halves"\nraters = 4', more=TWO)
    study = load_study(folder)
    plan = plan_assignment(study)
    found = preview_study(study, plan, studies=50).precision
    assert [part.phase for part in found] == ["first", "second"]
    assert all(part.raters_per_item == 2 and part.expected.raters == 4 for part in found)
    assert rated_design(plan, found[0].scenario).sum(axis=1).mean() == 4
