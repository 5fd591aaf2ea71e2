"""After a guideline round the newest measurement leads, named, with what was before it; and the same everywhere."""

import numpy as np
import pandas as pd
import pytest

import accord
from accord.reliability.answer import answers_of
from accord.reporting.analysis import analyse
from accord.reporting.first_screen import first_screen
from accord.reporting.headline import headlines
from accord.reporting.sections.scores import scarce

KEY = "krippendorff_alpha"


def rows_of(parts, criteria=("meaning",)):
    """Three raters, whose answers are random so often in each part: phase, version, share, items."""
    rng = np.random.default_rng(5)
    rows = []
    for criterion in criteria:
        truth = rng.integers(1, 6, 60)
        for phase, version, wild, items in parts:
            if phase and criterion == "style":
                continue
            for rater in "ABC":
                values = np.where(rng.random(60) < wild, rng.integers(1, 6, 60), truth)
                rows += [(f"s{item}", rater, criterion, phase, version, int(values[item])) for item in items]
    return pd.DataFrame(rows, columns=["item", "rater", "criterion", "phase", "guideline", "value"])


def study(parts, criteria=("meaning",)):
    return accord.read(rows_of(parts, criteria), level="ordinal")


def newest(parts, items) -> float:
    """The alpha of the newest answer of each rater on each of these items, of what was asked in these parts."""
    rows = rows_of(parts).drop_duplicates(["item", "rater"], keep="last")
    rows = rows[rows["item"].isin([f"s{item}" for item in items])].drop(columns=["phase", "guideline"])
    return accord.agreement(accord.read(rows, level="ordinal"), coefficients=KEY)[KEY].value


def on_items(ratings, items) -> float:
    return accord.agreement(ratings.named(item=[f"s{item}" for item in items]), coefficients=KEY)[KEY].value


BEFORE = [("", 1, 0.6, range(30)), ("", 2, 0.5, range(30, 60))]
AGAIN = ("after-round-1", 3, 0.1, range(58))


def test_the_newest_measurement_leads_and_what_was_before_stands_beside_it():
    ratings = study([*BEFORE, AGAIN])
    result = accord.agreement(ratings, coefficients=KEY)
    after = next(group[KEY].value for group in result.groups if group.by.get("guideline") == "3")
    told = (
        "Measured again after round 1 under guideline version 3, 58 of 60 items; before, on the same items, it was "
        f"{newest(BEFORE, AGAIN[-1]):.2f} (guideline versions 1 and 2)"
    )
    (lead,) = answers_of(result).leading
    assert lead.lead.value == after and f"{told}." in lead.sentences and f"{told}." in lead.short
    analysis = analyse(ratings)
    (head,) = headlines(analysis)
    assert head.estimate.value == pytest.approx(after) and str(head.again) == told
    screen = first_screen(analysis)
    assert told in screen.why and screen.numbers[0].label == "Guideline version 3, measured again, Krippendorff's α"
    assert any("0.9" in str(row) or "after-round-1" in str(row) for row in screen.forests), "each part is drawn"


def test_versions_without_a_round_are_combined_and_said_to_be():
    ratings = study(BEFORE)
    (lead,) = answers_of(accord.agreement(ratings, coefficients=KEY)).leading
    assert lead.group.combined == ("guideline",) and "Measured again" not in lead.text
    (head,) = headlines(analyse(ratings))
    assert head.group.combined and head.again is None


def test_a_criterion_that_was_not_measured_again_keeps_its_own():
    analysis = analyse(study([*BEFORE, AGAIN], ("meaning", "style")))
    heads = {head.about: head for head in headlines(analysis)}
    assert heads["meaning"].again and not heads["meaning"].group.combined
    assert heads["style"].again is None and heads["style"].group.combined
    assert heads["meaning"].name == "meaning, guideline version 3, measured again"


def test_a_round_that_nobody_shares_yet_and_an_earlier_round_are_not_the_newest():
    one = ("after-round-1", 3, 0.1, range(50))
    ratings = study([*BEFORE, one, ("after-round-2", 4, 0.1, range(40))])
    (lead,) = answers_of(accord.agreement(ratings, coefficients=KEY)).leading
    assert lead.group.by["phase"] == "after-round-2"
    first = on_items(ratings.named(phase="after-round-1"), range(40))
    assert f"; before, on the same items, it was {first:.2f}." in lead.text
    alone = ratings.where(~((ratings.columns["phase"].labels() == "after-round-2") & (ratings.rater.labels() != "A")))
    (lead,) = answers_of(accord.agreement(alone, coefficients=KEY)).leading
    assert lead.group.by["phase"] == "after-round-1"


def test_one_measurement_of_all_criteria_is_named_once_above_them():
    screen = first_screen(analyse(study([*BEFORE, AGAIN], criteria=("meaning", "fluency"))))
    forest = screen.forests[-1].table
    assert forest.title == "Agreement by criterion, guideline version 3, measured again, Krippendorff's α"
    assert [row[0] for row in forest.texts()] == ["meaning", "fluency"]


def few_again(criteria=("meaning",)):
    return study([("", 1, 0.3, range(60)), ("after-round-1", 2, 0.0, range(8))], criteria)


def test_few_items_that_were_measured_again_are_told_beside_the_number_of_all():
    """Of fifty texts the headline was that of eight, and «before» was of fifty."""
    ratings = few_again()
    whole, few = (group[KEY] for group in accord.agreement(ratings, coefficients=KEY).groups if not group.combined)
    told = (
        "8 of 60 items were measured again after round 1: "
        f"{few.value:.2f}; before, on the same items, it was {on_items(ratings.named(guideline='1'), range(8)):.2f}"
    )
    (lead,) = answers_of(accord.agreement(ratings, coefficients=KEY)).leading
    assert lead.lead.value == whole.value and lead.lead.items == 60
    assert f"{told}." in lead.sentences
    analysis = analyse(ratings)
    (head,) = headlines(analysis)
    assert head.estimate.items == 60 and head.name == "as first measured" and str(head.again) == told
    screen = first_screen(analysis)
    assert told in screen.why and "60 items" in screen.why
    beginning = f"8 of 60 items measured again: {few.value:.2f}, before on the same items "
    assert beginning in screen.numbers[0].note
    assert not any("Only 8 items" in one for one in screen.wrong), "sixty items have three ratings"
    assert str(scarce(analysis).finding).startswith("Those of phase after-round-1 are too few ratings")


def test_of_two_criteria_each_is_said_with_what_it_gave_before_on_the_same_items():
    screen = first_screen(analyse(few_again(("meaning", "fluency"))))
    beginning = " 8 of 60 items were measured again after round 1: "
    assert screen.why.count(beginning) == 1
    assert {one.partition(" ")[0] for one in screen.why.partition(beginning)[2].split("; ")} == {"meaning", "fluency"}


def test_where_two_versions_stand_before_a_round_of_few_items_what_combines_them_leads():
    ratings = study([*BEFORE, ("after-round-1", 3, 0.0, range(8))])
    (lead,) = answers_of(accord.agreement(ratings, coefficients=KEY)).leading
    assert lead.group.combined and "8 of 60 items were measured again after round 1" in lead.text
    before = on_items(ratings.named(guideline="1"), range(8))
    assert f"before, on the same items, it was {before:.2f} (guideline version 1)." in lead.text


ROUNDS = [
    ("", 1, 0.7, range(30)), ("after-round-1", 2, 0.4, range(8)), ("after-round-2", 3, 0.3, range(4, 16)),
    ("after-round-3", 4, 0.1, range(30)),
]  # fmt: skip


def test_before_is_the_newest_answer_of_each_of_the_same_items():
    """After a round of all texts «before» was of the twelve of the round before it."""
    before = f"before, on the same items, it was {newest(ROUNDS[:-1], range(30)):.2f} (the newest answers of each)"
    twelve = f"{on_items(study(ROUNDS[:-1]).named(phase='after-round-2'), range(30)):.2f}"
    assert twelve not in before
    analysis = analyse(study(ROUNDS))
    assert f"Measured again after round 3; {before}." in answers_of(analysis.reliability).leading[0].text
    (head,) = headlines(analysis)
    assert str(head.again) == f"Measured again after round 3; {before}" and before in first_screen(analysis).why
    assert head.again.note == before.replace("before, ", "before ").replace(", it was", "")


def test_it_is_said_where_not_all_items_were_judged_by_several_before():
    rows = rows_of(ROUNDS[::3])
    alone = rows[(rows["phase"] != "") | (rows["rater"] == "A") | ~rows["item"].isin(["s0", "s1"])]
    (lead,) = answers_of(accord.agreement(accord.read(alone, level="ordinal"), coefficients=KEY)).leading
    assert f"; before, on 28 of these items, it was {newest(ROUNDS[:1], range(2, 30)):.2f}." in lead.text


def test_a_database_counts_no_items_by_name_and_says_of_which_it_is(tmp_path):
    rows_of(ROUNDS).to_parquet(tmp_path / "r.parquet")
    stored = accord.read(str(tmp_path / "r.parquet"), engine="duckdb", level="ordinal")
    (lead,) = answers_of(accord.agreement(stored, coefficients=KEY)).leading
    twelve = on_items(study(ROUNDS[:-1]).named(phase="after-round-2"), range(30))
    assert f"; before, on all items measured then, it was {twelve:.2f}." in lead.text
