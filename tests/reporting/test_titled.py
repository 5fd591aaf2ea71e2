"""A report calls scenarios as the pages do; numbers, signatures and data are those of the keys."""

import json
from dataclasses import replace

import numpy as np
import pytest

from accord.ratings.build import build_ratings
from accord.ratings.codebook import Codebook, StudyFacts
from accord.reporting.compose import compose
from accord.reporting.markdown import to_markdown

TITLES = {"RS": "One sentence", "D": "The whole text"}
KINDS = {"RS": "random-sentence", "D": "document"}


def rated(titles):
    rng = np.random.default_rng(4)
    rows = [
        (f"i{item}", f"r{rater}", float(np.clip(rng.normal(50 + 12 * (item % 4), 9), 0, 100)), scenario)
        for scenario in ("RS", "D")
        for item in range(20)
        for rater in range(4)
    ]
    columns = dict(zip(("item", "rater", "value", "scenario"), map(list, zip(*rows, strict=True)), strict=True))
    book = Codebook(study=StudyFacts(title="T", scenarios=KINDS, titles=titles))
    return build_ratings(columns, level="interval", direction="high", codebook=book)


@pytest.fixture(scope="module")
def told():
    return compose(rated({})), compose(rated(TITLES))


def without_words(data):
    """What a machine reads: everything but sentences and the titles themselves."""
    plain = json.loads(json.dumps(data["reliability"], default=str))
    return json.dumps(plain)


def test_words_have_titles_and_what_is_copied_has_keys(told):
    keyed, titled = (to_markdown(one) for one in told)
    assert "scenario RS" in keyed and "“One sentence”" in titled and "“The whole text”" in titled
    assert "scenario RS" not in titled and "scenario D" not in titled
    assert "scenario One sentence" not in titled


def test_data_for_machines_keep_the_keys(told):
    keyed, titled = told
    assert without_words(titled.data) == without_words(keyed.data)
    assert '"scenario": "RS"' in without_words(titled.data) and titled.signature == keyed.signature


def test_two_scenarios_of_one_title_keep_their_keys():
    same = compose(rated({"RS": "A text", "D": "A text"}))
    assert "scenario RS" in to_markdown(same)


def test_nothing_changes_where_nobody_gave_titles(told):
    again = rated({})
    assert replace(told[0], data={}).first == compose(again).first
