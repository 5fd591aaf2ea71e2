"""A survey of papers counts a coefficient once, however papers spell it, and refuses what cannot be."""

import pytest

from accord.diagnosis.audit.reported import read_reported
from accord.diagnosis.survey import read_survey, survey
from accord.errors import ColumnError, RatingsError


@pytest.fixture
def written(tmp_path):
    def write(rows):
        path = tmp_path / "papers.csv"
        path.write_text("paper,coefficient,value\n" + rows, encoding="utf-8")
        return path

    return write


def test_spellings_of_a_coefficient_are_one_and_percent_becomes_a_share(written):
    papers = read_survey(
        written("p1,Fleiss kappa,.5\np2,fleiss,60\np3,Fleiss' κ,70%\np4,Fleiss’s Kappa,\np5,alpha,0.4\n")
    )
    fleiss, alpha = survey(papers.uses)
    assert (fleiss.coefficient, fleiss.used, fleiss.average) == ("Fleiss' κ", 4, pytest.approx(0.6))
    assert alpha.coefficient == "Krippendorff's α"
    assert papers.percentages == 2


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("Krippendorff's alpha", "Krippendorff's α"), ("K-alpha", "Krippendorff's α"), ("cohen's kappa", "Cohen's κ"),
        ("Kappa", "Cohen's κ"), ("percentage agreement", "Percent agreement"), ("our own index", "our own index"),
        ("weighted kappa", "weighted κ (weights not said)"), ("linearly weighted κ", "Cohen's κ, linear weights"),
    ],
)  # fmt: skip
def test_a_name_is_the_title_of_its_coefficient_or_stays(written, name, title):
    (use,) = read_survey(written(f"p1,{name},0.5\n")).uses
    assert use.coefficient == title


@pytest.mark.parametrize(
    ("name", "value"), [("fleiss", "-3"), ("fleiss", "1.4"), ("fleiss", "120"), ("agreement", "-0.2")]
)
def test_values_that_no_coefficient_can_have_are_refused_with_their_row(written, name, value):
    with pytest.raises(RatingsError, match=r"papers\.csv:3: .* is not a value it can have"):
        read_survey(written(f"p1,alpha,0.5\np2,{name},{value}\n"))


def test_a_paper_with_none_for_its_coefficient_reports_none(tmp_path):
    path = tmp_path / "survey.csv"
    path.write_text("paper,coefficient,value\nA,kappa (Cohen),.4\nB,Cohen's kappa,.6\nC,none,\nD,n/a,\n", "utf-8")
    survey = read_survey(path)
    assert survey.papers == 4
    assert [(use.paper, use.coefficient) for use in survey.uses] == [("A", "Cohen's κ"), ("B", "Cohen's κ")]


def test_a_column_of_measures_holds_the_coefficients_and_an_audit_points_to_the_survey(tmp_path):
    path = tmp_path / "measures.csv"
    path.write_text("Paper,Measure,Value\np1,Fleiss kappa,.5\np2,fleiss,60\n", encoding="utf-8")
    assert {use.coefficient for use in read_survey(path).uses} == {"Fleiss' κ"}
    with pytest.raises(ColumnError, match="accord audit --survey"):
        read_reported(path)
