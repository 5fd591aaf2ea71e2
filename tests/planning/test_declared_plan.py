"""What a plan of analysis declares is what its precision is told for."""

from accord.cli.check import _shown_again
from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.planning.preview import preview_study
from design.study_folder import CRITERION, write_study

TWO_CRITERIA = CRITERION + CRITERION.replace('"quality"', '"style"')
PLAN = '[analysis]\ncriterion = "quality"\ncoefficient = "icc_a1"\nconfidence = 0.8\n'


def precision(folder, more, **asked):
    study = load_study(write_study(folder, criteria=TWO_CRITERIA, more=more))
    found = preview_study(study, plan_assignment(study), studies=50, **asked).precision
    return {part.criterion: (part.expected.coefficient, part.expected.interval.level) for part in found}


def test_precision_is_told_for_the_declared_coefficient_at_the_declared_confidence(tmp_path):
    told = {"quality": ("icc_a1", 0.8), "style": ("krippendorff_alpha", 0.8)}
    assert precision(tmp_path, PLAN) == told


def test_what_is_asked_for_goes_before_what_is_declared(tmp_path):
    asked = precision(tmp_path, PLAN, key="krippendorff_alpha", level=0.95)
    assert set(asked.values()) == {("krippendorff_alpha", 0.95)} == set(precision(tmp_path / "none", "").values())


def test_the_check_says_what_raters_judge_twice(tmp_path):
    retest = '[[phases]]\nkey = "first"\n[[phases]]\nkey = "again"\nagain = "first"\n'
    told = {}
    for name, more in (("none", ""), ("repeats", "[controls]\nrepeats = 2\n"), ("retest", retest)):
        plan = plan_assignment(load_study(write_study(tmp_path / name, more=more, documents=6)))
        (told[name],) = _shown_again(plan)
    assert "No item is shown again" in told["none"]
    assert "Each rater judges 2 items again" in told["repeats"]
    assert "Each rater judges 36 items again" in told["retest"]


def test_texts_of_fewer_than_four_documents_are_promised_no_interval(tmp_path):
    for documents, is_promised in ((2, False), (3, False), (4, True), (6, True)):
        study = load_study(write_study(tmp_path / str(documents), documents=documents))
        found = preview_study(study, plan_assignment(study), studies=20).precision
        assert found and all((part.expected is not None) is is_promised for part in found), documents
        if not is_promised:
            assert all(f"{documents} documents" in part.why_not and "4 at least" in part.why_not for part in found)
