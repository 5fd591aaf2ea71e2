import json

import numpy as np
import pytest

VIEWS = (
    "findings",
    "agreement",
    "pairs",
    "raters",
    "items",
    "categories",
    "latent",
    "text-level",
    "stability",
    "what-if",
)


@pytest.fixture
def ratings_file(tmp_path, honest_table):
    table = honest_table(1, items=40)
    table[:, 1] = 3
    lines = ["item,rater,value,document,occasion"]
    for item, row in enumerate(table):
        lines += [f"i{item},r{rater},{value:g},d{item // 5},1" for rater, value in enumerate(row)]
    lines += [f"i{item},r0,{table[item, 0]:g},d0,2" for item in range(5)]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def run_view(capsys, path, *arguments):
    """The command in this process, as the entry point runs it."""
    import sys
    from unittest import mock

    from accord.cli.main import main

    with mock.patch.object(sys, "argv", ["accord", "diagnose", str(path), *map(str, arguments)]):
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_prints_text_json_csv_markdown_and_latex(capsys, ratings_file, view):
    for form in ("--json", "--csv", "--markdown", "--latex", None):
        code, out, err = run_view(capsys, ratings_file, "--show", view, "--judge", "r3", *([form] if form else []))
        assert (code, err) == (0, "") and out.strip()
        if form == "--json":
            assert json.loads(out)


def test_the_findings_name_evidence_certainty_damage_and_advice(capsys, ratings_file):
    _, out, _ = run_view(capsys, ratings_file, "--all")
    assert "WARNING constant_raters: r1 gave the value 3 to all 40 items." in out
    assert "  how sure: honest raters would look like this with a probability" in out
    assert "  not to be trusted: cohen_kappa" in out and "  what to do: Ask the rater." in out


def test_the_json_of_findings_is_the_contract(capsys, ratings_file):
    _, out, _ = run_view(capsys, ratings_file, "--json")
    data = json.loads(out)
    assert set(data["ratings"]) == {"rows", "items", "raters", "fingerprint"} and data["ratings"]["raters"] == 4
    assert {"code", "severity", "message", "who", "evidence", "sure", "invalidates", "advice"} == set(
        data["findings"][0]
    )


def test_groups_are_looked_at_apart(capsys, ratings_file):
    _, out, _ = run_view(capsys, ratings_file, "--by", "document", "--show", "agreement", "--json")
    assert {row["criterion"] for row in json.loads(out)["agreement"]} == {f"document d{n}" for n in range(8)}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--by", "nothing"), "The ratings have no column 'nothing'."),
        (("--show", "what-if", "--target", "2"), "--target 2.0: a kappa to reach lies between -1 and 1."),
        (("--show", "what-if", "--weights", "cubic"), "--weights cubic: choose linear or identity."),
        (("--show", "text-level", "--unit", "chapter"), "There is no column 'chapter' to average over."),
        (("--show", "judge"), "--show judge needs --judge NAME"),
        (("--show", "judge", "--judge", "gpt"), "There is no rater named 'gpt'."),
        (("--json", "--csv"), "--json and --csv cannot be printed at once."),
        (("--top", "-1"), "--top -1: write 0 to show all rows"),
    ],
)
def test_bad_options_get_one_sentence_and_exit_code_2(capsys, ratings_file, arguments, sentence):
    code, out, err = run_view(capsys, ratings_file, *arguments)
    assert code == 2 and out == "" and err.startswith(sentence) and "Traceback" not in err


@pytest.mark.parametrize(
    ("rows", "view", "sentence"),
    [
        ("a,x,1\nb,y,2\n", "agreement", "No two raters share an item"),
        ("a,x,1\nb,y,2\n", "items", "no item has two ratings"),
        ("a,x,1\na,y,1\nb,x,1\nb,y,1\n", "latent", "All ratings have the same value"),
        ("a,x,1\nb,y,2\n", "what-if", "No two raters share an item"),
    ],
)
def test_ratings_that_cannot_answer_get_one_sentence(capsys, tmp_path, rows, view, sentence):
    path = tmp_path / "poor.csv"
    path.write_text("item,rater,value\n" + rows, encoding="utf-8")
    code, _, err = run_view(capsys, path, "--show", view)
    assert code == 2 and sentence in err and "Traceback" not in err


@pytest.mark.parametrize(
    "rows",
    ["a,x,1\n", "a,x,1\na,y,2\n", "a,x,1\nb,y,2\n", "a,x,1\na,y,1\nb,x,1\nb,y,1\n", "a,x,yes\na,y,no\n"],
)
def test_poor_ratings_are_diagnosed_without_a_stumble(capsys, tmp_path, rows):
    path = tmp_path / "poor.csv"
    path.write_text("item,rater,value\n" + rows, encoding="utf-8")
    code, out, err = run_view(capsys, path)
    assert (code, err) == (0, "") and out


def test_wmt22_calibration_and_a_shared_task_of_55_000_rows_are_diagnosed(real, tmp_path):
    from accord.diagnosis.examination import diagnose

    diagnose(real("wmt22_calibration", time_s="seconds"))
    rng = np.random.default_rng(0)
    rows = 55_000
    item, rater = np.repeat(np.arange(rows // 5), 5), rng.integers(0, 60, rows)
    lines = [f"i{i},r{r},{v}" for i, r, v in zip(item, rater, rng.integers(0, 101, rows), strict=True)]
    path = tmp_path / "task.csv"
    path.write_text("item,rater,value\n" + "\n".join(dict.fromkeys(lines)) + "\n", encoding="utf-8")
    import accord

    found = diagnose(accord.read(path, duplicates="first"))
    assert found.findings, "noise is never without a finding"


def test_correlation_of_ties_is_said_to_be_undefined(accord_command, tmp_path):
    rows = [f"i{item},{rater},3" for item in range(12) for rater in "abc"]
    (tmp_path / "ties.csv").write_text("\n".join(["item,rater,value", *rows]))
    done = accord_command("diagnose", "ties.csv", "--level", "ordinal", "--show", "agreement")
    assert "correlation is undefined" in done.stdout
    assert "say much the same" not in done.stdout


def test_of_scores_with_many_values_the_command_says_why_no_other_scale_is_predicted(capsys, tmp_path):
    """It printed a table without rows."""
    path = tmp_path / "scores.csv"
    rows = "".join(f"i{item},r{rater},{item * 3 % 100 + rater}\n" for item in range(40) for rater in range(2))
    path.write_text("item,rater,value\n" + rows, encoding="utf-8")
    code, out, _ = run_view(capsys, path, "--show", "what-if", "--values", "5")
    assert code == 0 and "What moves kappa" in out and "Another number of values, predicted" not in out
    assert "scales of 20 values at most" in " ".join(out.split())
