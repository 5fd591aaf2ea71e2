"""What a report says in words is true: the answer, the findings with their ratings, the commands, the methods."""

import json
import re
import shlex
import sys
from html import unescape
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.cli.main import main
from accord.comparisons.answers import RECOMMENDED
from accord.ratings.build import build_ratings
from accord.reporting.compose import compose
from accord.reporting.document import Evidence, Rows
from accord.reporting.html import to_html
from accord.tables.table import Column, Table

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def _ratings(rows, **options):
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return build_ratings(columns, **options)


def _answer(document):
    """Everything the first screen says in sentences: the answer, the number behind it, what is wrong, what to do."""
    first = document.first
    return [first.answer, first.why, *first.wrong, *first.todo]


def _section(document, key):
    return next(section for section in document.sections if section.key == key)


def test_raters_who_contradict_each_other_are_not_said_to_agree():
    rows = [
        {"item": f"i{item}", "rater": rater, "value": (item % 2) ^ (rater == "B")}
        for item in range(40) for rater in "AB"
    ]  # fmt: skip
    first = _answer(compose(_ratings(rows, level="nominal")))
    assert first[0] == "Single judgements here cannot be relied on: raters agree less than by chance."
    assert first[1].startswith("Krippendorff's α = \u22120.")


def test_three_shared_items_are_called_too_few_however_high_the_coefficient():
    answer = _answer(compose(accord.read(EXAMPLES / "adequacy-jobs.csv", direction="high")))
    assert answer[0].startswith("job-1 scores 89.5 (2 scores, 80% interval ")
    assert "too little for an interval" in answer[1]
    assert "Only 3 items with two or more ratings" in answer[2]


def test_averages_are_advised_only_with_the_coefficient_that_shows_them_reliable():
    assert "means over" not in " ".join(_answer(compose(accord.read(EXAMPLES / "context.csv"))))
    rng = np.random.default_rng(1)
    rows = [
        {"item": f"i{item}", "rater": f"r{rater}", "value": float(worth + rng.normal(0, 1.4))}
        for item, worth in enumerate(rng.normal(0, 1, 150)) for rater in range(8)
    ]  # fmt: skip
    said = _answer(compose(_ratings(rows, level="interval")))
    assert any(re.search(r"means over the 8 raters.*ICC\(A,k\) = 0\.\d\d, 95% interval", line) for line in said)


def test_one_score_is_told_as_one_score_and_nothing_empty_is_shown():
    document = compose(_ratings([{"item": "job", "rater": "Ana", "value": 85.2}]))
    assert document.subtitle == "1 rating of 1 item by 1 rater"
    assert "correlation" not in [section.key for section in document.sections]
    assert all(table.rows for table in document.tables())
    (table,) = [block.table for block in _section(document, "scarce").blocks if isinstance(block, Rows)]
    assert table.rows[0]["note"] == "one score is only indicative: ask for a second one"


def test_few_scores_are_told_item_by_item():
    document = compose(accord.read(EXAMPLES / "adequacy-jobs.csv"))
    (table,) = [block.table for block in _section(document, "scarce").blocks if isinstance(block, Rows)]
    by_item = {row["item"]: row for row in table.rows}
    expected = accord.score([91, 88], confidence=0.8).intervals[0].clipped
    assert (by_item["job-1"]["low"], by_item["job-1"]["high"]) == (expected.low, expected.high)
    assert by_item["job-2"]["low"] is None


def test_a_finding_opens_the_ratings_behind_it():
    document = compose(accord.read(EXAMPLES / "sorted-columns.csv"))
    evidence = next(block for block in _section(document, "findings").blocks if isinstance(block, Evidence))
    table = next(b.table for b in evidence.blocks if isinstance(b, Rows) and b.table.title == "Ratings behind it")
    ratings = accord.read(EXAMPLES / "sorted-columns.csv")
    given = set(zip(ratings.item.labels(), ratings.rater.labels(), (f"{v:g}" for v in ratings.scores), strict=True))
    shown = {(row["item"], row["rater"], row["value"]) for row in table.rows}
    assert len(shown) == 60
    assert shown <= given


@pytest.fixture
def run(monkeypatch, capsys):
    """A command of accord, and what it prints."""

    def run_command(*words):
        monkeypatch.setattr(sys, "argv", ["accord", *words])
        with pytest.raises(SystemExit) as stopped:
            main()
        assert stopped.value.code in (None, 0)
        return capsys.readouterr().out

    return run_command


@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("rounds.csv", []),
        ("fluency.csv", ["--item", "segment", "--value", "fluency", "--level", "nominal"]),
        ("adequacy.csv", ["--confidence", "0.9", "--seed", "3"]),
    ],
)
def test_the_command_beside_a_number_gives_that_number_again(file, options, tmp_path, run):
    page = tmp_path / "report.html"
    run("report", str(EXAMPLES / file), "-o", str(page), *options)
    text = page.read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])["reliability"]["groups"]
    commands = [unescape(found) for found in re.findall(r"Compute it again</span>.*?<pre[^>]*>(.*?)</pre>", text, re.S)]
    command = next(shlex.split(command) for command in commands if "krippendorff_alpha" in command)
    again = json.loads(run(*command[1:], "--json"))["groups"]
    assert len(again) == len(data)
    for group, shown in zip(again, data, strict=True):
        (estimate,) = group["estimates"]
        told = next(one for one in shown["estimates"] if one["coefficient"] == "krippendorff_alpha")
        assert estimate["signature"] == told["signature"]
        assert estimate["value"] == pytest.approx(told["value"], abs=1e-12)
        for end in ("low", "high"):
            assert estimate["interval"][end] == pytest.approx(told["interval"][end], abs=1e-9)


def test_methods_say_each_missing_rule_once():
    text = _section(compose(accord.read(EXAMPLES / "context.csv")), "methods").blocks[0].text
    rules = re.findall(r"Missing ratings: for .*?, ([^.]*)\.", text)
    assert rules
    assert len(rules) == len(set(rules))
    assert "linear weights (linear weights)" not in text


def test_an_undefined_coefficient_says_why_in_the_table():
    rows = [{"item": f"i{place}", "rater": rater, "value": 3} for place in range(5) for rater in "ABC"]
    document = compose(_ratings(rows, level="ordinal"))
    table = next(table for table in document.tables() if table.title.startswith("Coefficients that fit"))
    undefined = [row for row in table.rows if row["value"] != row["value"]]
    assert undefined
    assert all(row["reading"].startswith("undefined: ") for row in undefined)


def test_marks_that_turn_the_direction_of_letters_are_shown_not_obeyed():
    rows = [
        {"item": f"i{place}", "rater": f"\u202e{rater}", "value": place % 3} for place in range(6) for rater in "AB"
    ]
    page = to_html(compose(_ratings(rows, level="ordinal")))
    assert "\u202e" not in page
    assert "[U+202E]A" in page


def test_a_long_text_is_folded():
    text = "word " * 200
    rows = [
        {"item": f"i{place}", "rater": rater, "value": place % 3 + (rater == "B"), "text": text}
        for place in range(6) for rater in "AB"
    ]  # fmt: skip
    assert '<details class="long"><summary>word word' in to_html(compose(_ratings(rows, level="ordinal")))


def test_a_table_of_words_is_told_row_by_row_on_a_phone_and_one_of_numbers_is_not():
    columns = (Column("a", "a"), Column("b", "b"), Column("c", "c"))
    assert Table("t", columns, [{"a": "x", "b": 1, "c": "a remark of some length"}]).is_wordy()
    assert not Table("t", columns, [{"a": "a remark of some length", "b": 1, "c": 2.5}]).is_wordy()


def test_many_ratings_of_an_item_are_counted_and_names_from_right_to_left_are_set_apart():
    rows = [{"item": f"i{at}", "rater": f"r{one}", "value": (at + one) % 3} for at in range(3) for one in range(14)]
    items = _section(compose(_ratings(rows, level="ordinal")), "items")
    table = next(block.table for block in items.blocks if isinstance(block, Rows))
    assert {row["values"] for row in table.rows} == {
        "0 by 5, 1 by 5, 2 by 4",
        "0 by 5, 1 by 4, 2 by 5",
        "0 by 4, 1 by 5, 2 by 5",
    }
    rows = [
        {"item": f"i{at}", "rater": rater, "value": at + (rater == "B")} for at in range(6) for rater in ("שופט", "B")
    ]
    items = _section(compose(_ratings(rows, level="ordinal")), "items")
    table = next(block.table for block in items.blocks if isinstance(block, Rows))
    assert table.rows[0]["values"].startswith("\u2068שופט\u2069 ")


def _by_scenario():
    """Raters agree in one scenario of three and hardly in the others."""
    rng = np.random.default_rng(5)
    noise = {"sentence": 1.2, "in context": 0.3, "document": 1.2}
    rows = []
    for item in range(40):
        truth = rng.normal(3, 1)
        for scenario, far in noise.items():
            values = np.clip(np.rint(truth + rng.normal(0, far, 3)), 1, 5)
            rows += [
                {"item": f"i{item}", "rater": rater, "scenario": scenario, "value": int(value)}
                for rater, value in zip("ABC", values, strict=True)
            ]
    return _ratings(rows, level="ordinal")


def test_parts_kept_apart_stand_beside_their_combined_alpha_on_the_first_screen():
    document = compose(_by_scenario())
    (forest,) = document.first.forests
    assert forest.table.title == "Agreement by scenario, Krippendorff's α"
    found = {row["name"]: row["value"] for row in forest.table.rows}
    assert list(found) == ["sentence", "in context", "document"]
    assert found["in context"] > 0.7 > max(found["sentence"], found["document"])


def test_scenarios_bring_their_agreement_and_what_is_recommended():
    document = compose(_by_scenario())
    assert RECOMMENDED in document.first.todo
    assert re.match(r"α is 0\.\d\d \(95% interval .*\) in in context, ", _section(document, "comparisons").finding)
    no_scenarios = compose(accord.read(EXAMPLES / "adequacy-jobs.csv", direction="high"))
    assert RECOMMENDED not in no_scenarios.first.todo
