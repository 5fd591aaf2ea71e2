"""One schema for questionnaires: what Accord writes, every command of Accord reads."""

import csv

import pytest

from accord.errors import ColumnError
from accord.ratings.questionnaire import QUESTIONNAIRE_COLUMNS, answers_of, read_answers


def written(path, columns, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


ROWS = [("R1", "a", "RS", "tiring", 4), ("R1", "a", "SC", "tiring", 2), ("R1", "a", "@rater", "native", "pt")]


def test_answers_are_read_under_our_names_and_under_those_of_hand_made_files(tmp_path):
    ours = read_answers(written(tmp_path / "a.csv", QUESTIONNAIRE_COLUMNS, ROWS))
    other = read_answers(written(tmp_path / "b.csv", ("rater", "group", "scenario", "statement", "answer"), ROWS))
    assert ours.fingerprint == other.fingerprint and ours.item.names == ("tiring",)


def test_what_raters_said_about_themselves_is_no_scenario():
    columns = dict(zip(QUESTIONNAIRE_COLUMNS, zip(*ROWS, strict=True), strict=True))
    assert answers_of(columns).columns["scenario"].names == ("RS", "SC")
    assert answers_of({name: column[-1:] for name, column in columns.items()}) is None


def test_a_file_of_something_else_is_told_in_words(tmp_path):
    with pytest.raises(ColumnError, match="no column scenario and no question"):
        read_answers(written(tmp_path / "c.csv", ("rater", "value"), [("R1", 3), ("R2", 4)]))


def test_compare_reads_what_simulate_writes_and_keeps_the_difference(accord_command, tmp_path):
    folder, ratings = tmp_path / "study", tmp_path / "ratings.csv"
    assert accord_command("new", "document-context", folder).returncode == 0
    assert accord_command("simulate", folder, "-o", ratings).returncode == 0
    answers = tmp_path / "ratings.questionnaire.csv"
    done = accord_command("compare", ratings, "--condition", "scenario", "--questionnaire", answers)
    assert done.returncode == 0, done.stderr[-500:]
    head = done.stdout[done.stdout.index("Effort: ") :].splitlines()[1].split()
    assert {"RS", "SC", "D"} <= set(head) and "SC - RS" in done.stdout
