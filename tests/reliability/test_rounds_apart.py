"""Where rounds differ clearly, the lead says each of them beside the combined α, and no forecast from the latter."""

import numpy as np
import pandas as pd
import pytest

import accord
from accord.reliability.answer import answers_of
from accord.reporting.analysis import analyse
from accord.reporting.first_screen import why
from accord.reporting.headline import headlines

SAID = "Agreement differs clearly by phase: "


def rounds(noise):
    """Two rounds of three raters whose answers are random so often."""
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, 40)
    rows = []
    for name, wild in zip(("before", "after"), noise, strict=True):
        for rater in "ABC":
            values = np.where(rng.random(40) < wild, rng.integers(1, 6, 40), truth)
            rows += [(f"s{item}", rater, name, int(value)) for item, value in enumerate(values)]
    return accord.read(pd.DataFrame(rows, columns=["item", "rater", "phase", "value"]), level="ordinal")


def test_rounds_that_differ_are_said_beside_the_combined_alpha():
    result = accord.agreement(rounds((0.7, 0.02)), coefficients="krippendorff_alpha")
    (lead,) = answers_of(result).leading
    values = [group["krippendorff_alpha"].value for group in result.groups if group.by]
    parts = f"{values[0]:.2f} (before) and {values[1]:.2f} (after); the combined value stands for none of them."
    assert f"{SAID}{parts}" in lead.sentences and f"{SAID}{parts}" in lead.short
    assert "stays at" not in lead.text


def test_rounds_that_agree_alike_are_combined_without_a_word():
    (lead,) = answers_of(accord.agreement(rounds((0.3, 0.3)), coefficients="krippendorff_alpha")).leading
    assert SAID not in lead.text


@pytest.mark.parametrize(("noise", "is_said"), [((0.7, 0.02), True), ((0.3, 0.3), False)])
def test_the_report_says_it_in_its_first_sentences(noise, is_said):
    heads = headlines(analyse(rounds(noise)))
    assert (SAID in why(heads)) is is_said
    assert not (is_said and heads[0].more())
