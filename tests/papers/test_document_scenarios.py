"""Paper 004: what its text says of its tables holds on the printed numbers, read as the program reads scenarios."""

import csv
from pathlib import Path

import pytest

from accord.comparisons.effort import answer_counts
from accord.comparisons.scenarios import ScenarioAgreement, scenario_ranking
from accord.ratings.build import build_ratings

TABLES = Path(__file__).parents[2] / "docs" / "examples" / "castilho-tables.csv"
KEYS = ("cohen_kappa", "weighted_kappa", "fleiss_kappa", "krippendorff_alpha", "agreement")


def _cells(table: str, set_: str = "", criterion: str = "") -> list[ScenarioAgreement]:
    found = []
    for row in csv.DictReader(TABLES.read_text().splitlines()):
        if row["table"] == table and set_ in ("", row["set"]) and criterion in ("", row["criterion"]):
            values = {key: float(row[key].rstrip("%")) for key in KEYS if row[key]}
            found.append(ScenarioAgreement(row["criterion"], row["condition"], row["set"], "", 0, 0, values))
    return found


def _order(table: str, key: str, set_: str = "", criterion: str = "") -> list[str]:
    return [name for name, _ in scenario_ranking(_cells(table, set_, criterion), key)]


def test_adequacy_agrees_least_on_documents_and_alike_on_both_kinds_of_sentences():
    for key in ("weighted_kappa", "fleiss_kappa", "krippendorff_alpha"):
        assert _order("3", key)[-1] == "Ds"
    fleiss = dict(scenario_ranking(_cells("4"), "fleiss_kappa"))
    assert fleiss == {"RSs": 0.10, "SCs": 0.10, "Ds": -0.02}
    # Table 4, read apart, has the highest alpha for documents.
    assert _order("4", "krippendorff_alpha")[0] == "Ds"


def test_the_group_that_saw_context_has_higher_alpha_with_lower_agreement_on_the_first_test_set():
    cells = {cell.scenario: cell.values for cell in _cells("3", "TS1")}
    assert cells["SCs"]["krippendorff_alpha"] > cells["RSs"]["krippendorff_alpha"]
    assert cells["SCs"]["agreement"] < cells["RSs"]["agreement"]


def test_fluency_of_random_sentences_agrees_most_but_for_the_weighted_kappa():
    for key in ("fleiss_kappa", "krippendorff_alpha", "agreement"):
        assert _order("5", key, "TS1")[0] == "RSs"
    assert _order("5", "weighted_kappa", "TS1")[0] == "SCs"
    assert _order("6", "fleiss_kappa") == ["RSs", "SCs", "Ds"]


@pytest.mark.parametrize("set_", ["TS1", "TS2"])
@pytest.mark.parametrize("criterion", ["error, binary", "error, type"])
@pytest.mark.parametrize("key", ["cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "agreement"])
def test_errors_of_random_sentences_agree_most_everywhere(set_, criterion, key):
    assert _order("7", key, set_, criterion) == ["RSs", "SCs"]


def test_rankings_agree_more_on_sentences_than_on_documents():
    for set_ in ("TS1", "TS2"):
        for key in ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "agreement"):
            assert _order("9", key, set_)[-1] == "Ds"
    assert _order("10", "fleiss_kappa") == ["RSs", "SCs", "Ds"]


@pytest.mark.parametrize("counts", [(2, 3, 3), (2, 1, 0, 0, 5)])
def test_the_answers_of_table_13_are_those_of_eight_translators(counts):
    words = [f"answer {place}" for place, count in enumerate(counts) for _ in range(count)]
    rows = {"item": ["reading"] * len(words), "rater": [f"T{n}" for n in range(len(words))], "value": words,
            "scenario": ["Ds"] * len(words)}  # fmt: skip
    (found,) = answer_counts(build_ratings(rows, level="nominal"))
    assert sum(found.counts.values()) == 8
    assert list(found.counts.values()) == [count for count in counts if count]
