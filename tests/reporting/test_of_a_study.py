"""The report of a study: what it records fills the checklist, and its plan stands apart from what came after."""

from dataclasses import replace

import numpy as np
import pytest

from accord.design.assignment.order_notes import orders_of_scenarios
from accord.design.load import load_study
from accord.design.preset import PRESETS, copy_preset
from accord.ratings.apart import pooled
from accord.ratings.build import build_ratings
from accord.ratings.codebook import Codebook, LeftOut
from accord.ratings.leaving_out import with_exclusions
from accord.ratings.study_facts import KeptPlanFacts, study_facts
from accord.reporting.analysis import analyse
from accord.reporting.checklist import checklist
from accord.reporting.collecting import Collecting
from accord.reporting.compose import compose_analysis
from accord.reporting.heds import heds
from accord.reporting.sections.methods import methods_text
from design.study_folder import write_study

STUDY = """
[consent]
text = "You may stop at any time."
ethics_approval = "DCU 2020/12"
[people]
recruitment = "By an agency."
background = "Professional translators."
independence = "They worked alone and did not know each other."
[controls]
repeats = 1
[[practice]]
target = "A text."
criterion = "quality"
[[exclusions]]
rule = "repeats_differ"
limit = 10
"""
ASKED = {"independent", "recruitment", "who", "training", "pay", "guidelines", "sampling", "context", "blinding",
         "order", "controls", "comments", "consent", "ethics", "exclusions", "plan"}  # fmt: skip


def analysis_of(facts):
    rng = np.random.default_rng(0)
    rows = [(f"i{item}", f"r{rater}", float(np.clip(rng.normal(50 + 10 * (item % 4), 9), 0, 100)), f"d{item // 3}",
             "novice" if rater < 2 else "expert", f"S{item % 2}", f"{item // 2}")
            for item in range(24) for rater in range(4)]  # fmt: skip
    names = ("item", "rater", "value", "document", "group", "system", "segment")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return analyse(build_ratings(columns, level="interval", direction="high", codebook=Codebook(study=facts)))


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    head = 'title = "T"\nseed = 7\nsampling = "Every tenth sentence of the news."\n[languages]\ntarget = "en"\n'
    return load_study(write_study(tmp_path_factory.mktemp("study"), more=STUDY, head=head))


def answers(analysis):
    return {entry.key: entry for entry in checklist(analysis)}


def test_control_items_are_told_for_each_sitting_of_a_rater(tmp_path):
    more = STUDY.replace("[[practice]]", '[[phases]]\nkey = "main"\n[[phases]]\nkey = "second"\n[[practice]]', 1)
    head = 'title = "T"\nseed = 7\nsampling = "All."\n[languages]\ntarget = "en"\n'
    facts = study_facts(load_study(write_study(tmp_path, more=more, head=head)))
    assert facts.controls == "1 item shown twice for each rater in each phase"


def test_a_study_answers_the_checklist_and_only_what_nobody_recorded_is_asked(study):
    facts = study_facts(study, raters={"R1": {"years": "5 to 10"}, "R2": {"years": "5 to 10"}, "R3": {"years": "2"}})
    told = answers(analysis_of(facts))
    assert {key for key in ASKED if not told[key].answer} == {"pay"}
    assert {told[key].origin for key in ASKED - {"pay"}} == {"the study"}
    assert told["who"].answer == "Professional translators; years: 2 (1), 5 to 10 (2)"
    assert told["ethics"].answer == "DCU 2020/12"
    assert told["independent"].answer == "They worked alone and did not know each other."
    assert told["exclusions"].answer == "declared before collection: raters whose repeats differ (limit 10)"
    assert told["controls"].answer == "1 item shown twice for each rater"
    assert told["training"].answer == "guidelines read before the work; 1 practice item with feedback before the work"


def test_ratings_of_a_file_leave_the_same_questions_to_the_author():
    told = answers(analysis_of(Codebook().study))
    assert {key for key in ASKED if told[key].origin == "the author"} == ASKED


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_says_what_raters_saw_and_in_which_order(name, tmp_path):
    copy_preset(name, tmp_path / name)
    facts = study_facts(load_study(tmp_path / name))
    assert facts.shown and facts.order and facts.blinding and facts.training and facts.guidelines


def test_methods_and_datasheet_tell_what_the_study_records(study):
    analysis = analysis_of(study_facts(study))
    text = methods_text(analysis)
    for words in ("Recruitment: By an agency.", "Ethics approval: DCU 2020/12.", "Raters agreed to take part",
                  "They worked alone", "Items: Every tenth sentence of the news."):  # fmt: skip
        assert words in text
    sheet = heds(analysis)
    assert sheet["heds-ethics-review_body"]["data"] == {"": "DCU 2020/12"}
    assert sheet["heds-sample_evaluators_design-evaluators-recruitment_method"]["data"] == {"": "By an agency."}


PLAN = {"coefficient": "krippendorff_alpha", "unit": "document", "reliability": "0.999", "confidence": "0.9"}
KEPT = KeptPlanFacts(PLAN, "abc123", "2026-11-16")


def section(facts):
    document = compose_analysis(analysis_of(facts))
    found = next(one for one in document.sections if one.key == "plan")
    words = [found.finding]
    for block in found.blocks:
        words += [getattr(block, "text", ""), *getattr(block, "lines", ())]
    return found.title, " ".join(words)


def test_what_was_declared_before_collection_stands_apart_with_its_result(study):
    title, words = section(study_facts(study, kept=KEPT))
    assert title == "Declared before collection"
    assert "kept on 2026-11-16, before the first judgement (hash abc123)" in words
    assert (
        "Krippendorff's α = " in words and "0.999 was declared to be enough, and the whole interval lies below" in words
    )
    assert "(90% interval" in words and "The plan declares intervals" not in words
    assert "Looked at afterwards: every other coefficient, the comparison by group, the ranking" in words
    assert "changed after" not in words


def test_the_report_carries_out_the_declared_coefficient_confidence_and_unit(study):
    plan = {"coefficient": "icc_a1", "unit": "item", "confidence": "0.8"}
    (group,) = analysis_of(study_facts(study, kept=KeptPlanFacts(plan, "abc", "2026-11-16"))).reliability.groups
    assert group.deciding == group.estimates[0].coefficient == "icc_a1"
    assert {one.interval.level for one in group.estimates if one.interval} == {0.8}
    assert not any("documents" in one.interval.method for one in group.estimates if one.interval)
    by_document = analysis_of(study_facts(study, kept=KeptPlanFacts(plan | {"unit": "document"}, "abc", "2026-11-16")))
    assert any(
        "documents" in one.interval.method for one in by_document.reliability.groups[0].estimates if one.interval
    )


COMPARED = {
    ("group", "item"): "bootstrap over items",
    ("group", "document"): "jackknife over 8 documents",
    ("group", "rater"): "2 and 2 raters exchanged",
    ("group", "rater-and-item"): "the plan declares raters and items as the unit, and raters and items cannot be",
    ("system", "document"): "documents",
    ("system", "rater"): "raters",
    ("phase", ""): "cannot be made: the ratings have 0 of its names",
}


@pytest.mark.parametrize(("column", "unit"), COMPARED)
def test_the_declared_comparison_is_made_with_the_declared_unit(study, column, unit):
    plan = {"coefficient": "krippendorff_alpha", "comparison": column, "unit": unit}
    told = analysis_of(study_facts(study, kept=KeptPlanFacts(plan, "abc", "2026-11-16"))).declared
    assert COMPARED[column, unit] in " ".join(told)
    _, words = section(study_facts(study, kept=KeptPlanFacts(plan, "abc", "2026-11-16")))
    assert "What the plan asks, carried out as declared:" in words and told[0] in words
    assert f"by {column}" not in words.partition("Looked at afterwards")[2]


def test_a_confidence_asked_for_beside_the_plan_is_said(study):
    analysis = analysis_of(study_facts(study, kept=KEPT))
    asked = analyse(analysis.ratings, confidence=0.95)
    document = compose_analysis(asked)
    words = repr(next(one for one in document.sections if one.key == "plan"))
    assert "another confidence: the plan declares 90%, this report has 95% (--confidence 0.9)" in words
    assert "carried out as declared" not in words


def departing(facts, change=lambda ratings: ratings, **more):
    """The section on the plan, the methods text and the checklist of a report that does something else."""
    ratings = analysis_of(facts).ratings
    ratings = replace(ratings, codebook=replace(ratings.codebook, **more))
    analysis = analyse(change(ratings))
    found = next(one for one in compose_analysis(analysis).sections if one.key == "plan")
    return found.finding, repr(found), methods_text(analysis), answers(analysis)["plan"].answer


BROKE = LeftOut(rater="r3", rule="repeats_differ", reason="by 20 on average", declared=True)
COUNTED = replace(BROKE, reason="by 20 on average; counted again on 2026-12-01: was ill")
DEPARTURES = {
    "raters kept whom a rule or a decision leaves out: rater r3":
        (lambda ratings: with_exclusions(ratings, keep_all=True), {"left_out": (BROKE,)}),
    "raters left out though no declared rule does: r1 (asked for in this analysis)":
        (lambda ratings: with_exclusions(ratings, leave_out=["r1"]), {}),
    "raters left out though no declared rule does: r2: fell asleep (2026-12-02)":
        (with_exclusions, {"left_out": (LeftOut(rater="r2", reason="fell asleep", date="2026-12-02"),)}),
    "raters counted though they break a declared rule: r3 (by 20 on average; counted again on 2026-12-01: was ill)":
        (with_exclusions, {"breaks_rules": (COUNTED,)}),
    "parts pooled that are kept apart: group":
        (lambda ratings: pooled(ratings, ["group"]), {"kept_apart": ("group",)}),
}  # fmt: skip


@pytest.mark.parametrize("words", DEPARTURES)
def test_a_report_that_departs_from_the_plan_says_how_and_never_as_declared(study, words):
    change, more = DEPARTURES[words]
    finding, section_words, methods, checked = departing(study_facts(study, kept=KEPT), change, **more)
    assert finding.startswith(f"Not as declared ({words.partition(':')[0]}). ")
    assert words in section_words and "carried out with these departures" in section_words
    assert "carried out as declared" not in section_words
    assert words in methods and words in checked


def test_whoever_a_declared_rule_leaves_out_is_no_departure(study):
    at_work = replace(BROKE, rater="r2", reason="by 20 on average; still at work")
    finding, words, methods, _ = departing(
        study_facts(study, kept=KEPT), with_exclusions, left_out=(BROKE,), breaks_rules=(at_work,)
    )
    assert "carried out as declared" in words and "departs" not in finding + words + methods


def test_where_parts_are_kept_apart_the_combined_alpha_answers_the_plan(study):
    facts = study_facts(study, kept=KEPT)
    ratings = analysis_of(facts).ratings
    analysis = analyse(replace(ratings, codebook=replace(ratings.codebook, kept_apart=("group",))))
    combined = next(group for group in analysis.reliability.groups if group.combined)
    finding = next(one for one in compose_analysis(analysis).sections if one.key == "plan").finding
    alpha = combined["krippendorff_alpha"].value
    assert finding.startswith(f"Combined within group: Krippendorff's α = {alpha:.3f} ")


def test_a_coefficient_that_has_no_combined_value_is_told_part_by_part(study):
    facts = study_facts(study, kept=replace(KEPT, plan={"coefficient": "icc_a1"}))
    ratings = analysis_of(facts).ratings
    analysis = analyse(replace(ratings, codebook=replace(ratings.codebook, kept_apart=("group",))))
    words = repr(next(one for one in compose_analysis(analysis).sections if one.key == "plan"))
    assert "does not fit these ratings" not in words and "group novice: ICC" in words


@pytest.mark.parametrize(
    "more, words", [(0, "is balanced over raters"), (1, "varies over raters, but is not balanced")]
)
def test_the_order_of_scenarios_is_called_balanced_only_where_it_is(tmp_path, more, words):
    copy_preset("document-context", tmp_path / "study")
    loaded = load_study(tmp_path / "study")
    raters = orders_of_scenarios(sum(one.after is None for one in loaded.settings.scenarios)) + more
    assignment = loaded.settings.assignment.model_copy(update={"raters": raters})
    varied = replace(loaded, settings=loaded.settings.model_copy(update={"assignment": assignment}))
    assert words in study_facts(varied).order


def test_a_plan_changed_after_collection_began_is_said(study):
    change = "On 2026-12-01, after 40 judgements: coefficient was krippendorff_alpha, is fleiss_kappa."
    _, words = section(study_facts(study, kept=replace(KEPT, changes=(change,))))
    assert "Changed after collection had begun:" in words and change in words


def test_a_plan_first_declared_after_collection_began_is_no_declaration_in_advance(study):
    title, words = section(study_facts(study, kept=KeptPlanFacts(PLAN, changes=("later",))))
    assert title == "Declared after collection had begun"
    assert "it was not declared in advance" in words


def test_a_study_without_a_plan_says_so_and_a_file_of_ratings_says_nothing(study):
    assert "No plan of analysis was declared before collection" in section(study_facts(study))[1]
    document = compose_analysis(analysis_of(Codebook().study))
    assert "plan" not in {one.key for one in document.sections}


def test_what_was_asked_stands_in_the_report_with_definition_unit_and_good_end(tmp_path):
    copy_preset("fluency", tmp_path / "fluency")
    (asked,) = load_study(tmp_path / "fluency").settings.criteria
    analysis = analysis_of(Codebook().study)
    book = replace(analysis.ratings.codebook, criteria={"": asked.meaning()})
    told = compose_analysis(replace(analysis, ratings=replace(analysis.ratings, codebook=book)))
    (row,) = next(one for one in told.sections if one.key == "criteria").blocks[0].table.rows
    assert row["question"] == "The text is fluent English." and row["unit"] == "points from 0 to 100"
    assert row["definition"] == "How natural and well formed the text is, whatever it says."
    assert row["good"] == "the high end"
    assert "criteria" not in {one.key for one in compose_analysis(analysis).sections}


def small_ratings():
    rows = [(f"i{item:02}", f"R{rater}", 1 + (item + (item % (5 + rater) == 0)) % 4) for item in range(20)
            for rater in (1, 2, 3)]  # fmt: skip
    return build_ratings(dict(zip(("item", "rater", "value"), map(list, zip(*rows, strict=True)), strict=True)))


def test_the_first_screen_of_a_report_says_who_was_left_out_and_by_which_rule():
    """«by 2 raters» stood there, and the third only under a heading further down."""
    ratings = small_ratings()
    out = (LeftOut(rater="R1", rule="attention_missed", reason="missed 3 of 3", declared=True), LeftOut(rater="R9"))
    counted = with_exclusions(replace(ratings, codebook=replace(ratings.codebook, left_out=out)))
    subtitle = compose_analysis(analyse(counted)).subtitle
    assert "by 2 raters, without R1 by the rule 'attention missed' and R9 by a decision" in subtitle
    assert "without" not in compose_analysis(analyse(ratings)).subtitle


def test_a_report_made_while_collecting_says_so_and_advises_to_finish_first():
    """It advised 230 more items where 52 waited for a rater, and never said that a fifth was to come."""
    going_on = Collecting(227, 279, {"R3": 52})
    made = compose_analysis(analyse(small_ratings(), collecting=going_on))
    assert made.subtitle.endswith("made while collecting: 227 of 279 screens done (81%)")
    assert made.first.todo == ["First finish what is planned: screens wait for R3 (52)."]
    over = compose_analysis(analyse(small_ratings()))
    assert "collecting" not in over.subtitle and "First finish" not in str(over.first.todo) and over.first.todo
    many = Collecting(1, 100, {f"R{number}": number for number in range(1, 8)})
    assert many.advice.endswith("R7 (7), R6 (6), R5 (5), R4 (4) and R3 (3) and 2 more raters.")
