"""The audit of published tables: the faults of Castilho (2021) from the printed numbers alone, and the laws behind."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.diagnosis.audit import (
    Grim,
    ReportedBootstrap,
    audit_bootstrap,
    audit_table,
    grim_mean,
    numbers_of_items_that_fit,
)  # fmt: skip
from accord.diagnosis.audit.bootstrap import read_bootstrap
from accord.diagnosis.audit.printed import Printed
from accord.diagnosis.finding import Severity
from accord.errors import AccordError

TABLES = Path(__file__).parents[2] / "docs" / "examples" / "castilho-tables.csv"


@pytest.fixture(scope="module")
def castilho():
    return audit_table(TABLES)


def found(audit, code, place=""):
    return [finding for finding in audit.findings if finding.code == code and place in finding.message]


def test_the_weighted_kappas_of_tables_3_and_5_are_found_copied(castilho):
    (finding,) = found(castilho, "copied_column")
    assert finding.who == ("Table 3", "Table 5")
    assert (finding.evidence["identical"], finding.evidence["cells"]) == (5, 6)


def test_the_binary_kappa_of_table_7_is_found_impossible(castilho):
    (finding,) = found(castilho, "impossible_kappa")
    assert "Table 7, error, binary, TS2, RSs" in finding.message
    assert finding.severity is Severity.ERROR
    assert finding.evidence["implied"] == pytest.approx(0.479, abs=0.0005)
    assert finding.evidence["high"] < 0.5
    assert 0.24 <= finding.evidence["highest_kappa"] <= 0.26


def test_alpha_below_fleiss_is_found_in_table_7(castilho):
    places = [finding.who[0] for finding in found(castilho, "alpha_below_fleiss", "Table 7")]
    assert places == ["Table 7, error, binary, TS2, RSs", "Table 7, error, type, TS2, RSs"]


def test_the_slipped_decimal_point_of_table_8_is_found(castilho):
    (finding,) = found(castilho, "alpha_below_fleiss", "Table 8")
    assert finding.severity is Severity.ERROR
    assert "0.086 would fit" in finding.message


def test_the_unstated_level_of_alpha_is_found_in_tables_9_and_10(castilho):
    assert len(found(castilho, "alpha_not_nominal", "Table 9")) == 5
    assert len(found(castilho, "alpha_not_nominal", "Table 10")) == 1


def test_the_implied_chance_of_table_3_equals_the_known_values_and_is_possible(castilho):
    chances = [chance.value for place, chance in castilho.chances if place.startswith("Table 3")]
    assert chances == pytest.approx([0.559, 0.366, 0.632, 0.468, 0.474, 0.436], abs=0.0005)
    assert not found(castilho, "impossible_kappa", "Table 3")


def test_every_mean_of_eight_answers_and_every_document_agreement_passes_grim(castilho):
    assert not found(castilho, "grim_impossible")
    assert found(castilho, "truncated", "Table 11")


def test_fourteen_documents_split_only_into_eight_and_six_and_only_with_truncation():
    sets = {
        "TS1": [Printed.of(text) for text in ("68%", "47%", "35%")],
        "TS2": [Printed.of(text) for text in ("47%", "27%", "44%")],
    }
    assert numbers_of_items_that_fit(sets, raters=4, total=14, truncated=True) == [(8, 6)]
    assert numbers_of_items_that_fit(sets, raters=4, total=14, truncated=False) == []


@pytest.mark.parametrize(
    ("text", "answers", "grim"),
    [("4.38", 8, Grim.FITS), ("4.37", 8, Grim.TRUNCATED), ("4.40", 8, Grim.IMPOSSIBLE), ("4.5", 8, Grim.FITS)],
)
def test_grim_of_eight_answers(text, answers, grim):
    assert grim_mean(Printed.of(text), answers) is grim


@given(st.integers(0, 400), st.integers(1, 60), st.integers(0, 3))
@settings(max_examples=80)
def test_grim_never_refuses_a_real_mean(total, answers, decimals):
    text = f"{total / answers:.{decimals}f}"
    assert grim_mean(Printed.of(text), answers) is not Grim.IMPOSSIBLE


@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(4, 30), st.integers(2, 5))
@settings(max_examples=60, deadline=None)
def test_numbers_of_real_nominal_ratings_raise_no_alarm(seed, raters, items, categories):
    rng = np.random.default_rng(seed)
    ratings = rng.integers(categories, size=(items, raters))
    counts = np.stack([(ratings == c).sum(axis=1) for c in range(categories)], axis=1)
    agreement = (counts * (counts - 1)).sum() / (items * raters * (raters - 1))
    chance = np.square(counts.sum(axis=0) / counts.sum()).sum()
    if chance > 0.999:
        return
    fleiss = (agreement - chance) / (1 - chance)
    alpha = 1 - (1 - fleiss) * (items * raters - 1) / (items * raters)
    from accord.design.scale import Level
    from accord.diagnosis.audit.report import audit_rows
    from accord.diagnosis.audit.reported import ReportedRow

    printed = {"agreement": agreement, "fleiss_kappa": fleiss, "krippendorff_alpha": alpha}
    for digits in (2, 3):
        texts = {name: Printed.of(f"{value:.{digits}f}") for name, value in printed.items()}
        row = ReportedRow(
            number=1, place={"table": "1"}, level=Level.NOMINAL, categories=categories, raters=raters, items=items,
            printed=texts,
        )  # fmt: skip
        assert audit_rows((row,)).findings == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("table,agreement\n1,abc\n", "'abc' in column 'agreement' is not a number"),
        ("table,raters,agreement\n1,two,0.5\n", "'two' in column 'raters' is not a whole number above 0"),
        ("table,level,agreement\n1,likert,0.5\n", "level 'likert' is none of"),
        ("table,what\n1,2\n", "none of the columns an audit can check"),
        ("table,agreement,colour\n1,0.5,red\n", "columns an audit does not know: colour"),
    ],
)
def test_a_sheet_that_cannot_be_audited_is_told_in_words(tmp_path, text, words):
    file = tmp_path / "t.csv"
    file.write_text(text)
    with pytest.raises(AccordError) as error:
        audit_table(file)
    assert words in str(error.value)


def test_an_agreement_in_percent_without_its_sign_is_pointed_out(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("table,agreement\n1,70\n")
    (finding,) = audit_table(file).findings
    assert "% sign" in finding.message


def test_an_agreement_off_its_range_is_one_finding_and_implies_no_chance(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("table,agreement,fleiss_kappa\n1,150%,0.2\n")
    audit = audit_table(file)
    assert [finding.code for finding in audit.findings] == ["out_of_range"]
    assert audit.chances == ()


@pytest.mark.parametrize(
    ("numbers", "impossible"),
    [
        ("85%,0.99,", True), ("0.20,1.00,", True), ("0.30,,1.00", True), ("0.98,1.00,", True),
        ("0.995,1.00,", False), ("100%,1.00,", False), ("1.0,,1.00", False), ("0.99,0.99,", False),
    ],
)  # fmt: skip
def test_a_kappa_that_prints_as_one_lies_above_no_agreement(tmp_path, numbers, impossible):
    (path := tmp_path / "a.csv").write_text(f"criterion,agreement,cohen_kappa,fleiss_kappa\nA,{numbers}\n")
    findings = audit_table(path).findings
    assert [one.code for one in findings] == ["impossible_kappa"] * impossible
    assert all("lies above an agreement of" in one.message for one in findings)


def test_the_bootstrap_of_the_reference_bias_paper_has_every_fault():
    reported = read_bootstrap(
        "replicates=50,drawn=20,units=40,replacement=no,level=0.99,half_width=0.0067,deviation=0.0144,unit=pair"
    )
    codes = {finding.code for finding in audit_bootstrap(reported)}
    assert codes == {
        "too_few_replicates", "without_replacement", "wrong_sample_size", "interval_of_the_mean", "wrong_level",
        "dependent_units",
    }  # fmt: skip


def test_a_standard_bootstrap_has_no_fault():
    sound = ReportedBootstrap(
        replicates=2000, drawn=40, units=40, replacement=True, level=0.95, half_width=0.0333, deviation=0.017,
        unit="item",
    )  # fmt: skip
    assert audit_bootstrap(sound) == ()


@pytest.mark.parametrize("text", ["", "m=3", "replicates=many", "replacement=maybe", "level=1.5", "drawn=-2"])
def test_a_bootstrap_report_that_says_nothing_is_refused(text):
    with pytest.raises(AccordError):
        read_bootstrap(text)


def test_the_command_prints_the_findings_and_refuses_to_guess(accord_command):
    done = accord_command("audit", TABLES)
    assert "2 printed numbers or pairs cannot be right" in done.stdout
    assert accord_command("audit").returncode == 2
