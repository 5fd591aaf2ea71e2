"""What a person is told gets its interval, the same as among all; nothing else is drawn for."""

import numpy as np
import pandas as pd
import pytest

import accord
from accord.reliability.answer import answers_of
from accord.reliability.run import told_agreement

ASKED = {"coefficients": None, "by": (), "weights": None, "metric": None, "sampled_share": 0.0}
ASKED |= {"icc_missing": "listwise", "pairs": False, "progress": None}


def ratings_on(level, raters=3, items=14, gaps=0.0):
    rng = np.random.default_rng(5)
    scores = np.clip(np.rint(3 + rng.normal(0, 1, (items, 1)) + rng.normal(0, 0.7, (items, raters))), 1, 5)
    scores[rng.random(scores.shape) < gaps] = np.nan
    rows = [(f"i{i}", f"r{r}", scores[i, r]) for i, r in np.ndindex(*scores.shape) if scores[i, r] == scores[i, r]]
    return accord.read(pd.DataFrame(rows, columns=["item", "rater", "value"]), level=level)


@pytest.mark.parametrize("use", [None, "ranking", "scores", "labels"])
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize(("raters", "gaps"), [(2, 0.0), (3, 0.2)])
def test_the_answer_is_the_same_where_only_what_it_tells_has_an_interval(level, use, raters, gaps):
    ratings = ratings_on(level, raters, gaps=gaps)
    whole, told = accord.agreement(ratings), told_agreement(ratings, use=use, **ASKED)
    (expected,), (found,) = answers_of(whole, use=use).parts, answers_of(told, use=use).parts
    assert found.sentences == expected.sentences
    assert [row.coefficient for row in found.rows] == [row.coefficient for row in expected.rows]
    for row, other in zip(found.rows, expected.rows, strict=True):
        assert row.value == other.value
        assert row.cautions == other.cautions
        assert (row.interval is None) == (other.interval is None)
        if row.interval is not None:
            ends = row.interval.low, row.interval.high
            assert ends == pytest.approx((other.interval.low, other.interval.high), abs=1e-12)
    assert found.others == expected.others


def test_what_is_not_told_has_a_value_and_says_why_it_has_no_interval():
    ratings = ratings_on("ordinal")
    told = told_agreement(ratings, **ASKED)
    assert told["gamma"].interval is not None
    assert told["kendall_w"].interval is None
    assert told["kendall_w"].value == accord.agreement(ratings)["kendall_w"].value
    assert told["kendall_w"].cautions[0].startswith("no interval: it is made where all coefficients are asked for")


def test_coefficients_asked_for_by_name_all_have_their_intervals():
    told = told_agreement(ratings_on("ordinal"), **ASKED | {"coefficients": ["kendall_w"]})
    assert told["kendall_w"].interval is not None
