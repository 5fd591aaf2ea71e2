"""Words say what the data were made to hold, and the opposite where the data are turned round."""

import json
import random
import re

import pytest


def write_systems(path, sign=1):
    """Good is 12 points above Bad, Strict 12 below the others and Mild 9 above; ``sign`` -1 turns the scale round."""
    rng = random.Random(5)
    lines = ["item,rater,system,document,value"]
    for item in range(40):
        base = 60 + rng.gauss(0, 8)
        for system, shift in (("Good", 12), ("Bad", 0)):
            for rater, lean in (("Strict", -12), ("Mild", 9), ("Even", 0)):
                score = round(min(100, max(0, base + shift + lean + rng.gauss(0, 4))))
                lines.append(f"s{item},{rater},{system},d{item // 4},{score if sign > 0 else 100 - score}")
    path.write_text("\n".join(lines) + "\n")


def write_rounds(path, first, second):
    """Three raters who agree badly in the first round named here and well in the second."""
    rng = random.Random(6)
    lines = ["item,rater,round,value"]
    for name, noise in ((first, 1.6), (second, 0.2)):
        for item in range(60):
            quality = rng.uniform(1, 5)
            for rater in "ABC":
                value = min(5, max(1, round(quality + rng.gauss(0, noise))))
                lines.append(f"{name}{item},{rater},{name},{value}")
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def say(accord_command):
    def said(*arguments):
        done = accord_command(*arguments)
        assert done.returncode == 0, done.stderr
        return " ".join(done.stdout.split())

    return said


@pytest.mark.parametrize(
    ("sign", "direction", "best", "last"),
    [(1, "high", "Good", "Bad"), (1, "low", "Bad", "Good"), (-1, "low", "Good", "Bad"), (-1, "high", "Bad", "Good")],
)
def test_the_winner_is_the_system_that_was_made_better(say, tmp_path, sign, direction, best, last):
    write_systems(tmp_path / "systems.csv", sign)
    ranked = say("rank", "systems.csv", "--level", "interval", "--direction", direction)
    assert ranked.startswith(f"{best} is better than {last}.")
    rows = [row for row in ranked.split("rank system score")[1].split("paired")[0].split() if row in ("Good", "Bad")]
    assert rows == [best, last]


@pytest.mark.parametrize(("sign", "direction"), [(1, "high"), (-1, "low")])
def test_who_was_made_strict_is_called_strict_and_who_was_made_lenient_lenient(say, tmp_path, sign, direction):
    write_systems(tmp_path / "systems.csv", sign)
    found = say("diagnose", "systems.csv", "--level", "interval", "--direction", direction)
    lower, higher = ("lower", "higher") if sign > 0 else ("higher", "lower")
    assert f"Strict scores {lower} than the others (strict)" in found
    assert f"Mild scores {higher} than the others (lenient)" in found
    assert re.search(rf"Strict is strict: rates [0-9.]+ {lower} than", found)
    assert re.search(rf"Mild is lenient: rates [0-9.]+ {higher} than", found)
    assert "without Strict, α is 0.40 instead of 0.20" in found


def test_a_report_calls_the_better_system_better_and_the_strict_rater_strict(say, tmp_path):
    write_systems(tmp_path / "systems.csv")
    say("report", "systems.csv", "--level", "interval", "--direction", "high", "-o", "report.md")
    report = " ".join((tmp_path / "report.md").read_text(encoding="utf-8").split())
    number = "[0-9.]+"
    for sentence in (
        r"\*\*Good is best\.",
        rf"Good against Bad \*\*\+{number}\*\*",
        rf"Strict is strict: rates {number} lower than the other raters",
        rf"Mild is lenient: rates {number} higher than the other raters",
        rf"Strict rates {number} lower than the average rater \(−{number} to −{number}\), more strictly",
        r"Strict, lower than Mild in 100%",
        r"Without Strict, α is 0\.40 instead of 0\.20",
    ):
        assert re.search(sentence, report), sentence
    means = re.search(rf"\| Good \(1\) \| ({number}) \| ({number})–({number}) \|", report)
    value, low, high = map(float, means.groups())
    assert low < value < high
    for lie in ("Bad is best", "Bad is better", "Good is last", "Mild is strict", "Strict is lenient"):
        assert lie not in report


@pytest.mark.parametrize(("first", "second", "rises"), [("r1", "r2", True), ("r2", "r1", False)])
def test_a_change_has_the_sign_the_names_and_the_interval_of_the_data(say, tmp_path, first, second, rises):
    """The earlier round is r1 by its name: raters agree badly in it, or well."""
    write_rounds(tmp_path / "rounds.csv", first, second)
    told = json.loads(say("compare", "rounds.csv", "--condition", "round", "--level", "ordinal", "--json"))
    text = json.dumps(told)
    assert '"r1"' in text and '"r2"' in text
    words = say("compare", "rounds.csv", "--condition", "round", "--level", "ordinal")
    assert ("from r1 to r2" in words) and ("from r2 to r1" not in words)
    row = words.split("r2 - r1", 1)[1].split()
    difference, low, high = (float(cell) for cell in row[:3])
    assert low < difference < high
    assert (low > 0.3) if rises else (high < -0.3)
    more, less = ("r2", "r1") if rises else ("r1", "r2")
    assert words.startswith(f"Raters agree more in {more} than in {less} (")


@pytest.mark.parametrize(("score", "verdict"), [("80", "PASS"), ("79.99", "FAIL")])
def test_a_score_on_its_threshold_passes_and_just_below_it_fails(say, score, verdict):
    told = say("score", score, score, score, "--threshold", "80", "--confidence", "0.8")
    assert verdict in told.split(":")[0] and ({"PASS": "FAIL", "FAIL": "PASS"}[verdict] not in told.split(":")[0])
