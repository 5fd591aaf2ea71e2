"""Quadrants of two sets of human scores, and of several raters: items, not rows, are compared."""

from pathlib import Path

import numpy as np
import pytest

import accord
from accord.comparisons.erroneous_references import erroneous_references
from accord.comparisons.yardsticks import yardsticks
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.ratings.build import build_ratings

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def _two_references():
    """Eight items scored by two raters against a generic reference and against the post-edit."""
    generic = [90, 80, 70, 60, 40, 30, 20, 95]
    edited = [88, 82, 69, 61, 42, 29, 85, 15]
    rows = {name: [] for name in ("item", "rater", "value", "condition")}
    for condition, scores in (("GEN-REF", generic), ("POST-EDIT", edited)):
        for place, score in enumerate(scores):
            for rater, shift in (("A", -3), ("B", 3)):
                for name, cell in zip(rows, (f"i{place}", rater, score + shift, condition), strict=True):
                    rows[name].append(cell)
    return rows, generic, edited


def test_items_liked_only_against_the_reference_and_only_against_the_post_edit_are_listed():
    rows, generic, edited = _two_references()
    found = yardsticks(build_ratings(rows, level="interval", direction="high"), "condition", "GEN-REF", "POST-EDIT")
    ((name, one),) = found.results
    assert (name, found.against, len(one.items)) == ("GEN-REF", "POST-EDIT", 8)
    assert one.correlation == pytest.approx(np.corrcoef(generic, edited)[0, 1])
    assert [item.item for item in one.similar] == ["i7"]
    assert [item.item for item in one.dissimilar] == ["i6"]


def test_several_raters_of_an_item_are_one_item():
    single = accord.read(EXAMPLES / "quadrants.csv", level="interval", direction="high")
    columns = {name: list(single.columns[name].labels()) * 2 for name in ("mt", "reference", "post_edit")}
    twice = {"item": list(single.item.labels()) * 2, "rater": ["A"] * len(single) + ["B"] * len(single),
             "value": [*(single.scores - 5), *(single.scores + 5)], **columns}  # fmt: skip
    one, two = (
        yardsticks(ratings).results for ratings in (single, build_ratings(twice, level="interval", direction="high"))
    )
    assert [name for name, _ in two] == ["human scores", "sentence BLEU"]
    for (_, before), (_, after) in zip(one, two, strict=True):
        assert len(after.items) == len(before.items) == 12
        assert after.correlation == pytest.approx(before.correlation)


def test_what_quadrants_need_is_told():
    rows, _, _ = _two_references()
    ratings = build_ratings(rows, level="interval", direction="high")
    with pytest.raises(OptionError, match="Say which end is good"):
        yardsticks(build_ratings(rows, level="interval"), "condition")
    with pytest.raises(ColumnError, match=r"no column 'mt'.*or a --condition"):
        yardsticks(ratings)
    with pytest.raises(OptionError, match="nope"):
        yardsticks(ratings, "condition", "nope", "POST-EDIT")
    apart = {
        **rows,
        "item": [f"{item}{condition}" for item, condition in zip(rows["item"], rows["condition"], strict=True)],
    }
    with pytest.raises(NotEnoughDataError, match="Fewer than two items"):
        yardsticks(build_ratings(apart, level="interval", direction="high"), "condition")


def test_the_command_takes_two_sets_of_human_scores(accord_command, tmp_path):
    rows, _, _ = _two_references()
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    (tmp_path / "scores.csv").write_text("\n".join(lines))
    told = accord_command("compare", "scores.csv", "--design", "quadrants", "--condition", "condition", "--level",
                          "interval", "--first", "GEN-REF", "--second", "POST-EDIT", "--direction", "high")  # fmt: skip
    assert "r with POST-EDIT" in told.stdout
    assert told.returncode == 0


@pytest.mark.parametrize("direction", ["high", "low", None])
def test_wrong_references_are_counted_with_their_effect_on_the_scores(direction):
    from scipy.stats import binomtest, ttest_ind

    scores = [30, 35, 28, 33, 70, 72, 75, 68, 71, 69]
    columns = {
        "item": [f"i{place}" for place in range(10)] * 2, "rater": ["A"] * 10 + ["B"] * 10,
        "value": [*(score - 2 for score in scores), *(score + 2 for score in scores)],
        "reference_error": (["omission"] * 3 + ["yes"] + ["no", "", "", "0", "", ""]) * 2,
    }  # fmt: skip
    found = erroneous_references(build_ratings(columns, level="interval", direction=direction))
    assert (found.items, found.erroneous) == (10, 4)
    exact = binomtest(4, 10).proportion_ci(0.95)
    assert (found.share.low, found.share.high) == pytest.approx((exact.low, exact.high))
    ends = ttest_ind(scores[:4], scores[4:], equal_var=False).confidence_interval(0.95)
    assert (found.difference.low, found.difference.high) == pytest.approx((ends.low, ends.high))
    said = str(found)
    assert said.startswith("4 of 10 references are wrong (40%")
    assert ("look worse" in said, "look better" in said) == (direction == "high", direction == "low")
    assert erroneous_references(accord.read(EXAMPLES / "quadrants.csv", level="interval")) is None


def test_the_command_counts_wrong_references(accord_command, tmp_path):
    rows, _, _ = _two_references()
    rows["reference_error"] = ["wrong number" if item in ("i6", "i7") else "" for item in rows["item"]]
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    (tmp_path / "scores.csv").write_text("\n".join(lines))
    told = accord_command("compare", "scores.csv", "--design", "quadrants", "--condition", "condition", "--level",
                          "interval", "--first", "GEN-REF", "--second", "POST-EDIT", "--direction", "high")  # fmt: skip
    assert "2 of 8 references are wrong (25%" in " ".join(told.stdout.split())
