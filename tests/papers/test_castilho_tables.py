"""What paper 004 says about its printed tables, held against the numbers it prints."""

import csv
from pathlib import Path

import pytest

TABLES = Path(__file__).parents[2] / "docs" / "examples" / "castilho-tables.csv"
SETS, KAPPAS = ("TS1", "TS2"), ("cohen_kappa", "weighted_kappa", "fleiss_kappa", "krippendorff_alpha")


@pytest.fixture(scope="module")
def printed():
    """The value of each (table, criterion, set, condition, column)."""
    with TABLES.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {
        (row["table"], row["criterion"], row["set"], row["condition"], key): float(text.rstrip("%"))
        for row in rows
        for key, text in row.items()
        if text and key in (*KAPPAS, "agreement", "mean")
    }


def test_random_sentences_have_the_highest_and_documents_the_lowest_adequacy_agreement(printed):
    for place, key in ((place, key) for place in SETS for key in ("fleiss_kappa", "agreement")):
        random, context = (printed["3", "adequacy", place, scenario, key] for scenario in ("RSs", "SCs"))
        assert random >= context
    for place, key in ((place, key) for place in SETS for key in ("fleiss_kappa", "krippendorff_alpha")):
        random, context, document = (printed["3", "adequacy", place, name, key] for name in ("RSs", "SCs", "Ds"))
        assert document < min(random, context)


def test_group_2_agrees_more_on_adequacy_in_context_though_less_often(printed):
    for key in ("weighted_kappa", "fleiss_kappa", "krippendorff_alpha"):
        assert printed["3", "adequacy", "TS1", "SCs", key] > printed["3", "adequacy", "TS2", "RSs", key]
    assert printed["3", "adequacy", "TS1", "SCs", "agreement"] < printed["3", "adequacy", "TS2", "RSs", "agreement"]


def test_the_aggregated_adequacy_is_equal_for_sentences_and_lowest_for_documents_in_fleiss_only(printed):
    fleiss = [printed["4", "adequacy", "both", name, "fleiss_kappa"] for name in ("RSs", "SCs", "Ds")]
    alpha = [printed["4", "adequacy", "both", name, "krippendorff_alpha"] for name in ("RSs", "SCs", "Ds")]
    assert fleiss == [0.10, 0.10, -0.02]
    assert alpha == [0.16, 0.18, 0.19]


def test_random_sentences_are_higher_in_fluency_on_test_set_1_but_for_weighted_kappa(printed):
    for key in ("weighted_kappa", "fleiss_kappa", "krippendorff_alpha", "agreement"):
        random, context, document = (printed["5", "fluency", "TS1", name, key] for name in ("RSs", "SCs", "Ds"))
        assert (random > max(context, document)) == (key != "weighted_kappa")


def test_random_sentences_are_higher_in_every_cell_of_the_error_table(printed):
    cells = [(place, kind, key) for place in SETS for kind in ("binary", "type")
             for key in ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "agreement")]  # fmt: skip
    for place, kind, key in cells:
        random, context = (printed["7", f"error, {kind}", place, scenario, key] for scenario in ("RSs", "SCs"))
        assert random > context


def test_ranking_is_best_in_random_sentences_of_set_1_in_context_of_set_2_and_worst_for_documents(printed):
    for key in ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "agreement"):
        first, second = ([printed["9", "ranking", place, name, key] for name in ("RSs", "SCs", "Ds")] for place in SETS)
        assert first[0] > first[1] > first[2]
        assert second[1] > second[0] > second[2]
    both = [printed["10", "ranking", "both", name, "fleiss_kappa"] for name in ("RSs", "SCs", "Ds")]
    assert both[0] - both[1] <= 0.01 + 1e-9
    assert both[1] - both[2] > 0.1


def test_all_23_means_are_eighths_cut_off_and_the_counts_of_table_13_are_eight_translators(printed):
    means = [value for (table, *_, key), value in printed.items() if key == "mean" and table in ("11", "12")]
    assert len(means) == 23
    for mean in means:
        eighths = -(-round(mean * 100) * 8 // 100)  # the least number of eighths that is not below the print
        assert int(eighths * 100 / 8) == round(mean * 100)
    assert [sum(counts) for counts in ([2, 3, 3], [2, 3, 3], [2, 1, 0, 0, 5])] == [8, 8, 8]
