"""Every command that reads ratings says what to check first, and what reading guessed, repaired or left out."""

import json
import shlex
from pathlib import Path

import pytest

import accord

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SLIP = 950
CODED = 99


@pytest.fixture
def run(accord_command):
    return lambda words: accord_command(*shlex.split(words))


def table(path, value=None, system=None):
    """Three raters, two systems, two phases; ``value`` and ``system`` say what stands in a row."""
    rows = ["item,rater,system,phase,value"]
    for place in range(120):
        item, rater, which = place // 6, "abc"[place % 3], "NS"[place // 3 % 2]
        given = (value or (lambda place: None))(place)
        name = (system or (lambda place: None))(place)
        usual = min(5, 1 + item % 4 + (which == "N" and item % 3 > 0) + (place * 5 % 7 == 0))
        phase = "before" if item < 10 else "after"
        rows.append(f"i{item},{rater},{which if name is None else name},{phase},{usual if given is None else given}")
    path.write_text("\n".join(rows) + "\n")
    return path


COMMANDS = [
    "rank FILE --direction high", "compare FILE --condition phase --bootstrap 100", "agree FILE", "diagnose FILE",
    "score --ratings FILE --direction high", "prefer FILE --ranks", "describe FILE", "plot FILE -o FILE.svg",
    "report FILE -o FILE.html",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_values_taken_for_no_answer_are_said_before_the_answer(run, tmp_path, command):
    file = table(tmp_path / "coded.csv", lambda place: CODED if place in (7, 31, 90) else None)
    said = run(command.replace("FILE", str(file)))
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("Check first: Rows 9, 33 and 92: 99 is read as no answer")


@pytest.mark.parametrize("command", COMMANDS[:2] + COMMANDS[4:6])
def test_the_notes_of_reading_stand_under_the_answer(run, tmp_path, command):
    file = table(tmp_path / "coded.csv", lambda place: CODED if place in (7, 31, 90) else None)
    assert "Note: no answer guessed: '99' (3 rows)" in run(command.replace("FILE", str(file))).stdout


@pytest.mark.parametrize("command", [*COMMANDS[:6]])
def test_machines_are_told_too(run, tmp_path, command):
    file = table(tmp_path / "coded.csv", lambda place: CODED if place in (7, 31, 90) else None)
    said = run(command.replace("FILE", str(file)) + " --json")
    data = json.loads(said.stdout)
    assert [remark["code"] for remark in data["sanity"]][:1] == ["no_answer"]
    assert "Check first: Rows 9, 33 and 92" in said.stderr


def test_a_typing_error_and_two_spellings_of_a_system_are_said_by_a_ranking(run, tmp_path):
    file = table(tmp_path / "slip.csv", lambda place: SLIP if place == 30 else None, lambda p: "n" if p == 60 else None)
    said = run(f"rank {file} --direction high").stdout
    assert "Check first: The systems 'n' (row 62) and 'N' (59 ratings) differ by case only." in said
    assert "gave i5|N 950" in said


def test_ratings_without_a_system_are_counted_and_strict_refuses_them(run, tmp_path):
    file = table(tmp_path / "nameless.csv", system=lambda place: "" if place % 6 == 5 and place < 60 else None)
    words = "10 ratings are left out, as no system is named"
    assert words in run(f"rank {file} --direction high").stdout
    assert json.loads(run(f"rank {file} --direction high --json").stdout)["left_out"] == [words]
    refused = run(f"rank {file} --direction high --strict")
    assert refused.returncode != 0
    assert words in refused.stderr
    whole = table(tmp_path / "whole.csv")
    assert run(f"rank {whole} --direction high --strict").returncode == 0


def test_a_condition_spelled_in_two_ways_is_said_before_it_is_refused(run, tmp_path):
    file = table(tmp_path / "spelled.csv")
    lines = file.read_text().splitlines()
    file.write_text("\n".join(line.replace("before", "BEFORE") if ",a," in line else line for line in lines) + "\n")
    said = run(f"compare {file} --condition phase --bootstrap 100").stdout
    assert said.startswith("Check first: The phases 'BEFORE'")
    assert "differ by case only" in " ".join(said.split())


def test_functions_give_the_notes_of_reading(tmp_path):
    file = table(tmp_path / "coded.csv", lambda place: CODED if place in (7, 31, 90) else None)
    ratings = accord.read(file, direction="high")
    ranked = accord.rank(ratings)
    assert ranked.notes == ratings.notes
    assert "Note: no answer guessed: '99' (3 rows)" in str(ranked)
    compared = accord.compare(ratings, "phase", bootstrap=100)
    assert compared.to_dict()["notes"] == list(ratings.notes)
    assert str(accord.prefer(file, ranks=True)).startswith("Check first: Rows 9, 33 and 92")


def test_direct_assessment_gives_them_too(run, tmp_path):
    head, *rows = (EXAMPLES / "direct-assessment.csv").read_text(encoding="utf-8").splitlines()
    place = head.split(",").index("value")
    cells = [row.split(",") for row in rows]
    for one in (cells[1], cells[5]):
        one[place] = "-1"
    file = tmp_path / "assessed.csv"
    file.write_text("\n".join([head, *map(",".join, cells)]) + "\n", encoding="utf-8")
    said = run(f"da {file} --direction high --minimum 1")
    assert said.stdout.startswith("Check first: Rows 3 and 7: -1 is read as no answer")
    assert "Note: no answer guessed: '-1' (2 rows)" in said.stdout
    data = json.loads(run(f"da {file} --direction high --minimum 1 --json").stdout)
    assert [remark["code"] for remark in data["sanity"]] == ["no_answer"]
    assert "no answer guessed: '-1' (2 rows), as the others lie from 10 to 100" in data["notes"]
