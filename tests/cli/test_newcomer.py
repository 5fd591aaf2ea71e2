"""What a newcomer asks is answered by the first ten lines of the command that he would try."""

import numpy as np
import pytest

from accord.cli.main import main


@pytest.fixture
def first_lines(tmp_path, monkeypatch, capsys):
    """The first ten lines of a command, as one line of words."""

    def run(*arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["accord", *arguments])
        try:
            main()
        except SystemExit as end:
            assert not end.code
        return " ".join(" ".join(capsys.readouterr().out.splitlines()[:10]).split())

    return run


@pytest.fixture
def ratings(tmp_path):
    """Sixty items on 1 to 7 by four raters, of whom Ben is stricter; Aster is the better of two systems."""
    rng = np.random.default_rng(1)
    lines = []
    for item in range(60):
        system = "Aster" if item % 2 else "Birch"
        truth = rng.normal(4, 1.5) + (1.0 if item % 2 else -1.0)
        for place, rater in enumerate(("Ana", "Ben", "Cy", "Dev")):
            value = np.clip(np.rint(truth + rng.normal(0, 0.5) - 1.5 * (place == 1)), 1, 7)
            segment = item // 2
            lines.append(f"{system}-{segment},{rater},{value:.0f},{system},d{item // 6},{segment}")
    (tmp_path / "ratings.csv").write_text("item,rater,value,system,document,segment\n" + "\n".join(lines) + "\n")


@pytest.fixture
def rounds(tmp_path):
    """Forty items judged under two guidelines, of which the second leaves less room."""
    rng = np.random.default_rng(4)
    lines = []
    for phase, noise in (("1", 1.6), ("2", 0.3)):
        for item in range(40):
            truth = 1 + item % 5
            lines += [
                f"s{item},{rater},{np.clip(np.rint(truth + rng.normal(0, noise)), 1, 5):.0f},{phase}"
                for rater in ("Ana", "Ben", "Cy")
            ]
    (tmp_path / "rounds.csv").write_text("item,rater,value,phase\n" + "\n".join(lines) + "\n")


SCALE = ("--scale", "1..7", "--level", "ordinal", "--direction", "high")


def test_which_number_do_i_report(first_lines, ratings):
    told = first_lines("agree", "ratings.csv", *SCALE)
    assert "report value 95% interval items Krippendorff's α 0." in told


def test_is_my_data_good_enough(first_lines, ratings):
    assert "not shown to reach .667, which Krippendorff asks for" in first_lines("agree", "ratings.csv", *SCALE)


def test_how_many_more_items_do_i_need(first_lines, ratings):
    told = first_lines("agree", "ratings.csv", *SCALE)
    assert "more items, in other documents, would give ±0." in told


def test_do_raters_at_least_order_the_items_alike(first_lines, ratings):
    assert "Raters order the items alike (γ 0." in first_lines("agree", "ratings.csv", *SCALE)


def test_who_is_the_problem(first_lines, ratings):
    told = first_lines("diagnose", "ratings.csv", *SCALE)
    assert told.startswith("Ben lowers agreement most: without Ben, α is 0.")


def test_what_can_i_do_about_it(first_lines, ratings):
    assert " Do Compare only within raters" in first_lines("diagnose", "ratings.csv", *SCALE)


def test_which_system_is_best(first_lines, ratings):
    told = first_lines("rank", "ratings.csv", "--level", "interval", "--direction", "high")
    assert told.startswith("Aster is better than Birch.")


def test_did_it_pass(first_lines):
    assert first_lines("score", "78", "--prior", "85", "--threshold", "80").startswith("Borderline FAIL against 80: ")


def test_did_the_new_guideline_help(first_lines, rounds):
    told = first_lines("compare", "rounds.csv", "--condition", "phase", "--bootstrap", "300")
    assert told.startswith("Raters agree more in phase 2 than in phase 1 (Krippendorff's α +0.")
    assert "Another round is not needed: 0." in told


def test_which_coefficient_is_for_my_data(first_lines):
    told = first_lines("coefficients")
    assert "labels" in told and "Krippendorff's α" in told and "Fleiss' κ" in told


def test_where_do_i_start(first_lines):
    told = first_lines("--help")
    assert "accord agree ratings.csv" in told and "accord demo" in told


def test_what_can_this_command_do_for_me(first_lines):
    told = first_lines("agree", "--help")
    assert "Examples accord agree ratings.csv which number to report" in told


@pytest.mark.parametrize(
    ("name", "words"),
    [("α", "Krippendorff's α"), ("kappa", "For labels of two raters it is Cohen's κ, of three or more Fleiss' κ")],
)
def test_what_is_this_coefficient(first_lines, name, words):
    assert words in first_lines("coefficients", name)


@pytest.mark.usefixtures("ratings")
def test_writing_a_report_says_its_answer_too(first_lines):
    words = first_lines("report", "ratings.csv", "-o", "report.md")
    assert words.index("Krippendorff's α = 0.") < words.index("Wrote report.md")


def test_does_the_scenario_matter(first_lines, rounds, tmp_path):
    """Two scenarios whose names do not say which had context are tested all the same."""
    table = (tmp_path / "rounds.csv").read_text().replace("phase", "scenario", 1)
    (tmp_path / "scenarios.csv").write_text(table.replace(",1\n", ",red\n").replace(",2\n", ",blue\n"))
    told = first_lines("compare", "scenarios.csv", "--bootstrap", "300")
    assert "Raters agree more in blue than in red (Krippendorff's α +0." in told


def test_do_the_systems_differ_by_their_errors(first_lines, tmp_path):
    rng = np.random.default_rng(6)
    lines = [
        f"d{document}-{segment},R{rater},{system},d{document},Accuracy,{rng.choice(kinds)}"
        for document in range(10)
        for segment in range(4)
        for system, kinds in (("Aster", ["Minor", "No-error"]), ("Birch", ["Minor", "Major"]))
        for rater in (1, 2)
    ]
    (tmp_path / "errors.csv").write_text("item,rater,system,document,category,severity\n" + "\n".join(lines) + "\n")
    assert first_lines("mqm", "errors.csv").startswith("Aster is better than Birch. Aster is 2.")


def test_two_files_are_one_too_many_and_the_way_out_is_said(ratings, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["accord", "compare", "ratings.csv", "ratings.csv"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "Put both into one table, with a column that says which is which" in capsys.readouterr().err
