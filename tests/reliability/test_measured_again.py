"""After a guideline round the newest measurement leads, named, with what was before it; and the same everywhere."""

import numpy as np
import pandas as pd
import pytest

import accord
from accord.reliability.answer import answers_of
from accord.reporting.analysis import analyse
from accord.reporting.first_screen import first_screen
from accord.reporting.headline import headlines

KEY = "krippendorff_alpha"


def study(parts, criteria=("meaning",)):
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
    names = ["item", "rater", "criterion", "phase", "guideline", "value"]
    return accord.read(pd.DataFrame(rows, columns=names), level="ordinal")


BEFORE = [("", 1, 0.6, range(30)), ("", 2, 0.5, range(30, 60))]
AGAIN = ("after-round-1", 3, 0.1, range(58))


def test_the_newest_measurement_leads_and_what_was_before_stands_beside_it():
    ratings = study([*BEFORE, AGAIN])
    result = accord.agreement(ratings, coefficients=KEY)
    first, second, newest = (group[KEY].value for group in result.groups if "guideline" in group.by)
    told = (
        "Measured again after round 1 under guideline version 3, 58 of 60 items; before, it was "
        f"{first:.2f} (guideline version 1) and {second:.2f} (guideline version 2)"
    )
    (lead,) = answers_of(result).leading
    assert lead.lead.value == newest and f"{told}." in lead.sentences and f"{told}." in lead.short
    analysis = analyse(ratings)
    (head,) = headlines(analysis)
    assert head.estimate.value == pytest.approx(newest) and str(head.again) == told
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
    first = next(
        group for group in accord.agreement(ratings, coefficients=KEY).groups if group.by.get("guideline") == "3"
    )
    assert f"; before, it was {first[KEY].value:.2f}." in lead.text
    alone = ratings.where(~((ratings.columns["phase"].labels() == "after-round-2") & (ratings.rater.labels() != "A")))
    (lead,) = answers_of(accord.agreement(alone, coefficients=KEY)).leading
    assert lead.group.by["phase"] == "after-round-1"


def test_one_measurement_of_all_criteria_is_named_once_above_them():
    screen = first_screen(analyse(study([*BEFORE, AGAIN], criteria=("meaning", "fluency"))))
    forest = screen.forests[-1].table
    assert forest.title == "Agreement by criterion, guideline version 3, measured again, Krippendorff's α"
    assert [row[0] for row in forest.texts()] == ["meaning", "fluency"]
