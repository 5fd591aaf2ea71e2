"""Paper 004: scenarios by test set and group, error mark-up at two levels, effort, misevaluation."""

import json
from itertools import product

import numpy as np
import pytest

import accord
from accord.comparisons.effort import answer_counts, effort_table
from accord.comparisons.misevaluation import context_roles, find_misevaluations
from accord.comparisons.scenarios import any_error, by_scenario, scenario_ranking
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.build import build_ratings
from accord.ratings.read import read


def test_sentences_and_documents_agree_as_computed_by_a_second_program(data):
    # Fluency: α .300 for documents against .105 for sentences; adequacy .109 against .135.
    # The paper leaves out the sentences of set U.
    ratings = read(data / "parity_laeubli.csv", level="nominal").only(set=["E", "I", "O"])
    cells = {(c.criterion, c.scenario): c.values["krippendorff_alpha"] for c in by_scenario(ratings, "level")}
    expected = {("fluency", "document"): 0.299912, ("fluency", "sentence"): 0.105323,
                ("adequacy", "document"): 0.108853, ("adequacy", "sentence"): 0.135352}  # fmt: skip
    assert cells == pytest.approx(expected, abs=1e-6)


def _study() -> dict[str, list[object]]:
    """Two test sets, two groups, Latin square: each group sees one set alone and the other in context."""
    rng = np.random.default_rng(4)
    rows: dict[str, list[object]] = {k: [] for k in ("item", "rater", "value", "scenario", "group", "batch")}
    for group, (alone, context) in {"G1": ("TS1", "TS2"), "G2": ("TS2", "TS1")}.items():
        for rater in "ABCD":
            for batch, scenario in ((alone, "random-sentence"), (context, "sentence-in-context")):
                for item in range(12):
                    rows["item"].append(f"{batch}-{item}")
                    rows["rater"].append(group + rater)
                    rows["value"].append(int(rng.integers(1, 5)))
                    rows["scenario"].append(scenario)
                    rows["group"].append(group)
                    rows["batch"].append(batch)
    return rows


def test_an_empty_column_of_an_export_gives_no_row_twice():
    study = _study()
    with_none = by_scenario(build_ratings(study, level="ordinal"), group=None)
    empty = build_ratings(study | {"group": [""] * len(study["item"])}, level="ordinal")
    assert by_scenario(empty, group="group") == with_none


def test_each_cell_of_the_square_and_each_scenario_together_is_a_row():
    cells = by_scenario(build_ratings(_study(), level="ordinal"), test_set="batch", group="group")
    single = {(c.scenario, c.test_set, c.group) for c in cells if not c.is_aggregated}
    assert single == {
        ("random-sentence", "TS1", "G1"), ("random-sentence", "TS2", "G2"),
        ("sentence-in-context", "TS2", "G1"), ("sentence-in-context", "TS1", "G2"),
    }  # fmt: skip
    together = [c for c in cells if c.is_aggregated]
    assert [c.items for c in together] == [24, 24]
    assert {"cohen_kappa_linear", "fleiss_kappa", "krippendorff_alpha", "percent_agreement"} == set(together[0].values)


def test_scenarios_are_ranked_by_agreement():
    cells = by_scenario(build_ratings(_study(), level="ordinal"), test_set="batch", group="group")
    ranking = scenario_ranking(cells, "krippendorff_alpha")
    assert [value for _, value in ranking] == sorted((value for _, value in ranking), reverse=True)


def test_error_mark_up_is_compared_as_any_error_and_as_exact_type():
    rows = {
        "item": ["1", "1", "2", "2", "3", "3"], "rater": ["a", "b"] * 3,
        "value": [frozenset({"word order"}), frozenset({"mistranslation"}), frozenset(), frozenset(),
                  frozenset({"word order", "untranslated"}), frozenset({"untranslated", "word order"})],
        "scenario": ["s", "s", "s", "s", "t", "t"],
    }  # fmt: skip
    ratings = build_ratings(rows)
    exact = {c.scenario: c.values["percent_agreement"] for c in by_scenario(ratings)}
    binary = {c.scenario: c.values["percent_agreement"] for c in by_scenario(any_error(ratings))}
    assert exact == {"s": 0.5, "t": 1.0}
    assert binary == {"s": 1.0, "t": 1.0}


def _two_scenarios() -> dict[str, list[object]]:
    alone, context = "random-sentence", "sentence-in-context"
    rows = [("s104", "T1", 4, alone, ""), ("s104", "T2", 4, alone, ""), ("s104", "T3", 1, context, "gender of 'you'"),
            ("s104", "T4", 2, context, ""), ("s105", "T1", 4, alone, ""), ("s105", "T3", 4, context, "")]  # fmt: skip
    names = ("item", "rater", "value", "scenario", "comment")
    return dict(zip(names, (list(column) for column in zip(*rows, strict=True)), strict=True))


def test_an_item_fine_alone_and_faulty_in_context_is_found_with_all_verdicts():
    ratings = build_ratings(_two_scenarios(), level="ordinal", scale="1,2,3,4", direction="high")
    (found,) = find_misevaluations(ratings, without="random-sentence", with_context="sentence-in-context")
    assert (found.item, found.without, found.with_context) == ("s104", 4.0, 1.5)
    assert [(said.rater, said.value) for said in found.verdicts] == [("T1", "4"), ("T2", "4"), ("T3", "1"), ("T4", "2")]
    assert found.verdicts[2].comment == "gender of 'you'"


@pytest.mark.parametrize(("seen", "faulty"), [(3.2, True), (4.0, False)])
def test_an_item_that_is_worse_in_context_and_still_fine_is_not_faulty(seen, faulty):
    """On 1 to 5 the good quarter begins at 4, and a quarter is 1."""
    values = {"random-sentence": [5, 5, 5, 5, 5], "sentence-in-context": [3, 3, 3, 3, 4] if faulty else [4] * 5}
    rows = [("s1", f"T{at}", value, name) for name, given in values.items() for at, value in enumerate(given)]
    columns = dict(zip(("item", "rater", "value", "scenario"), map(list, zip(*rows, strict=True)), strict=True))
    ratings = build_ratings(columns, level="ordinal", scale="1,2,3,4,5", direction="high")
    found = find_misevaluations(ratings, without="random-sentence", with_context="sentence-in-context")
    assert [one.with_context for one in found] == [seen] * faulty


def test_an_unknown_scenario_names_the_known_ones():
    ratings = build_ratings(_two_scenarios(), level="ordinal")
    with pytest.raises(OptionError, match="no scenario 'alone'"):
        find_misevaluations(ratings, without="alone", with_context="sentence-in-context")


def test_scenarios_that_share_no_item_are_refused_in_words():
    rows = _two_scenarios()
    rows["item"] = [f"{item}{scenario}" for item, scenario in zip(rows["item"], rows["scenario"], strict=True)]
    with pytest.raises(NotEnoughDataError, match="No item was rated both"):
        find_misevaluations(
            build_ratings(rows, level="ordinal"), without="random-sentence", with_context="sentence-in-context"
        )


PRINTED_EFFORT = {"RSs": [4.37, 3.87, 4.12, 4.62, 4.5, 4.12, 4, 3.75, 4.12, 5.12],
                  "SCs": [5.75, 5.12, 5.25, 4.87, 5.12, 4.87, 5, 4.62, 4.62, 1.37]}  # fmt: skip


def test_effort_means_of_eight_answers_are_the_printed_ones():
    # Table 11 truncates eighths to two decimals; answers with the same sums must give the printed means.
    rows: dict[str, list[object]] = {"item": [], "rater": [], "value": [], "scenario": []}
    for scenario, means in PRINTED_EFFORT.items():
        for statement, mean in enumerate(means, 1):
            total = int(np.ceil(mean * 8))
            answers = [total // 8 + (place < total % 8) for place in range(8)]
            rows["item"] += [f"statement {statement}"] * 8
            rows["rater"] += [f"T{place}" for place in range(1, 9)]
            rows["value"] += answers
            rows["scenario"] += [scenario] * 8
    table = effort_table(build_ratings(rows, level="ordinal"))
    for scenario, means in PRINTED_EFFORT.items():
        assert [np.floor(one.means[scenario] * 100) / 100 for one in table] == pytest.approx(means)
    assert table[0].difference("RSs", "SCs") == pytest.approx(11 / 8)
    assert table[0].answers == {"RSs": 8, "SCs": 8}


def test_answers_in_words_are_counted():
    rows = {
        "item": ["re-read"] * 8,
        "rater": [f"T{n}" for n in range(8)],
        "value": ["both"] * 2 + ["target"] * 3 + ["no"] * 3,
    }
    (found,) = answer_counts(build_ratings(rows))
    assert found.counts == {"both": 2, "target": 3, "no": 3}


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        (("SC", "D", "RS"), ("RS", "SC")), (("SCs", "Ds", "RSs"), ("RSs", "SCs")),
        (("random-sentence", "sentence-in-context", "document"), ("random-sentence", "sentence-in-context")),
        (("with context", "without context"), ("without context", "with context")),
        (("a", "b"), None), (("sentence", "document"), None), (("random 1", "random 2", "context"), None),
    ],
)  # fmt: skip
def test_the_scenario_without_context_is_known_by_its_name_or_not_guessed(names, roles):
    assert context_roles(names) == roles


def test_scenarios_are_what_the_study_declares_them_to_be_whatever_their_names():
    kinds = {"north": "sentence-in-context", "south": "random-sentence", "whole": "document"}
    assert context_roles(["north", "south", "whole"], kinds) == ("south", "north")
    misleading = {"context": "random-sentence", "alone": "sentence-in-context"}
    assert context_roles(["context", "alone"], misleading) == ("context", "alone")
    assert context_roles(["north", "south"]) is None


def test_a_misjudged_item_says_what_is_ambiguous_in_it():
    rows = _two_scenarios()
    rows["ambiguity"] = ["gender" if item == "s104" else "" for item in rows["item"]]
    ratings = build_ratings(rows, level="ordinal", direction="high")
    (found,) = find_misevaluations(ratings, without="random-sentence", with_context="sentence-in-context")
    assert found.issue == "gender"


def test_the_preset_of_document_context_is_read_the_right_way_round(accord_command, tmp_path):
    accord_command("new", "document-context", "study")
    simulated = accord_command("simulate", "study").stdout
    (tmp_path / "ratings.csv").write_text(simulated)
    told = accord_command("compare", "ratings.csv", "--condition", "scenario", "--most", "1").stdout
    assert "Scores of the same items: SC - RS" in told
    assert "Agreement by scenario: errors (any)" in told
    data = json.loads(accord_command("compare", "ratings.csv", "--condition", "scenario", "--json").stdout)
    assert {cell["criterion"] for cell in data["cells"]} >= {"errors", "errors (any)"}
    assert all(one["without"] > one["with_context"] for one in data["misevaluations"])


def test_scenarios_of_unclear_names_are_compared_and_the_question_is_asked(accord_command, tmp_path):
    rows = ["item,rater,value,scenario"]
    rows += [f"i{n},{rater},{1 + (n + (scenario == 'b')) % 4},{scenario}"
             for scenario in "ab" for n in range(8) for rater in ("R", "S")]  # fmt: skip
    (tmp_path / "ratings.csv").write_text("\n".join(rows))
    told = " ".join(accord_command("compare", "ratings.csv", "--condition", "scenario").stdout.split())
    assert "not clear from the names (a, b): name it with --first" in told
    assert "faulty with it" not in told
    asked = accord_command("compare", "ratings.csv", "--condition", "scenario", "--first", "a", "--second", "b").stdout
    # Which end is good was not said: no item can be called faulty, and no empty table claims that none is.
    assert "Scores of the same items: b - a" in asked
    assert "faulty with it" not in asked
    assert "Nobody said which end" in asked


def test_one_question_in_words_leaves_the_means_of_the_others_as_they_are(accord_command, tmp_path):
    asked = ["statement,rater,answer,scenario"]
    asked += [f"clear,T{n},{3 + n % 2},{scenario}" for scenario in ("RS", "SC") for n in range(8)]
    asked += [f"read again,T{n},{'always' if n < 2 else 'never'},SC" for n in range(8)]
    (tmp_path / "asked.csv").write_text("\n".join(asked))
    rows = ["item,rater,value,scenario"]
    rows += [f"i{n},{rater},{1 + n % 4},{scenario}" for scenario in ("RS", "SC") for n in range(8) for rater in "AB"]
    (tmp_path / "ratings.csv").write_text("\n".join(rows))
    told = accord_command("compare", "ratings.csv", "--condition", "scenario", "--questionnaire", "asked.csv", "--json")
    data = json.loads(told.stdout)
    assert data["effort"] == [{"statement": "clear", "means": {"RS": 3.5, "SC": 3.5}, "answers": {"RS": 8, "SC": 8}}]
    assert data["answers"] == [{"question": "read again", "counts": {"always": 2, "never": 6}}]


def _two_phases() -> dict[str, list[object]]:
    """In each phase raters agree; between phases nobody does: "after" turns every score round."""
    rows: dict[str, list[object]] = {k: [] for k in ("item", "rater", "value", "scenario", "phase")}
    pairs = (("before", "A"), ("before", "B"), ("after", "C"), ("after", "D"))
    for (phase, rater), scenario in product(pairs, ("random-sentence", "sentence-in-context")):
        for item in range(12):
            value = 1 + item % 4
            cells = (f"i{item}", rater, value if phase == "before" else 5 - value, scenario, phase)
            for name, cell in zip(rows, cells, strict=True):
                rows[name].append(cell)
    return rows


def test_agreement_by_scenario_is_within_each_phase_unless_somebody_pools():
    ratings = build_ratings(_two_phases(), level="ordinal")
    cells = by_scenario(ratings)
    assert [(c.criterion, c.scenario) for c in cells] == [
        (phase, scenario) for phase in ("before", "after") for scenario in ("random-sentence", "sentence-in-context")
    ]
    assert all(c.values["krippendorff_alpha"] == 1.0 for c in cells)
    answer = accord.compare(ratings, "scenario", bootstrap=100)
    assert answer.opening[0].startswith("before: α is 1.00 (95% interval 0.35 to 1.00) in random-sentence")
    together = accord.compare(ratings, "scenario", bootstrap=100, pool=("phase",))
    assert [c["values"]["krippendorff_alpha"] < 0 for c in together.to_dict()["cells"]] == [True, True]
    assert "pooled over phase, as asked: their ratings are paired" in together.words


def test_a_batch_is_no_test_set_unless_somebody_says_so():
    ratings = build_ratings(_study(), level="ordinal")
    told = accord.compare(ratings, "scenario", bootstrap=100).to_dict()["cells"]
    assert {cell["test_set"] for cell in told} == {""}
    told = accord.compare(ratings, "scenario", bootstrap=100, test_set="batch").to_dict()["cells"]
    assert {cell["test_set"] for cell in told} == {"", "TS1", "TS2"}
