"""What is called fine, better or passing follows the declared direction; where nobody declared one, it is asked."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import accord
from accord.comparisons.metric_direction import asked_metrics, told_directions
from accord.comparisons.metrics import directed_metrics, metric_correlations, metric_differences
from accord.comparisons.misevaluation import find_misevaluations
from accord.comparisons.score_shift import score_shifts
from accord.comparisons.yardsticks import yardsticks
from accord.design.scale import Direction
from accord.errors import OptionError
from accord.ratings.build import build_ratings
from accord.scoring import Evaluation, History, score, score_items
from accord.scoring.gate_exclusions import better_is_higher, gated

ALONE, SEEN = "random-sentence", "sentence-in-context"
few = settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
ends = st.sampled_from(["high", "low", None])
seeds = st.integers(0, 10_000)


def in_two_scenarios(seed):
    """Twelve items scored 1 to 5 by two raters, alone and in context; about half of them move."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(12):
        alone = int(rng.integers(1, 6))
        seen = int(np.clip(alone + rng.integers(-4, 5) * rng.integers(0, 2), 1, 5))
        rows += [(f"i{item}", rater, value, scenario)
                 for scenario, value in ((ALONE, alone), (SEEN, seen)) for rater in ("A", "B")]  # fmt: skip
    return pd.DataFrame(rows, columns=["item", "rater", "value", "scenario"])


@few
@given(seed=seeds, direction=ends)
def test_no_item_is_called_misjudged_that_looks_better_in_context(seed, direction):
    ratings = accord.read(in_two_scenarios(seed), level="ordinal", scale="1..5", direction=direction)
    found = find_misevaluations(ratings, without=ALONE, with_context=SEEN)
    (shift,) = score_shifts(ratings, first=ALONE, second=SEEN)
    if direction is None:
        assert not found and not shift.verdict
        assert "better" not in shift.words and "worse" not in shift.words
        assert "--direction" in ratings.codebook.direction_question
        return
    sign = Direction(direction).sign
    assert all(sign * (one.without - 3) > 0 and sign * (one.with_context - one.without) < 0 for one in found)
    if shift.verdict:
        assert shift.verdict.startswith("better" if sign * shift.change > 0 else "worse")
    assert not ratings.codebook.direction_question


def test_an_error_that_only_context_shows_is_found_where_low_is_good():
    rows = [("s1", rater, value, scenario) for rater in "AB" for value, scenario in ((0, ALONE), (6, SEEN))]
    rows += [("s2", rater, value, scenario) for rater in "AB" for value, scenario in ((8, ALONE), (1, SEEN))]
    frame = pd.DataFrame(rows, columns=["item", "rater", "value", "scenario"])
    (found,) = find_misevaluations(accord.read(frame, level="ratio", direction="low"), without=ALONE, with_context=SEEN)
    assert found.item == "s1"
    (found,) = find_misevaluations(
        accord.read(frame, level="ratio", direction="high"), without=ALONE, with_context=SEEN
    )
    assert found.item == "s2"


def with_metrics(seed, items=20):
    """People's scores, a likeness that follows them and an edit rate that goes against them."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(50, 10, items)
    rows = [
        (f"i{n}", rater, round(truth[n] + rng.normal(0, 3), 1), f"d{n // 4}", truth[n] + rng.normal(0, 5) * 0.2,
         100 - truth[n] + rng.normal(0, 5) * 0.2)
        for n in range(items) for rater in "AB"
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["item", "rater", "value", "document", "likeness", "distance"])


@settings(few, max_examples=10)
@given(seed=seeds, people=ends, metric=ends)
def test_a_metric_goes_with_people_if_both_call_the_same_things_good(seed, people, metric):
    ratings = accord.read(with_metrics(seed), level="interval", direction=people)
    asked = [f"distance={metric}" if metric else "distance"]
    found = metric_correlations(ratings, asked, replicates=50, rng=np.random.default_rng(0))
    known = people is not None and metric is not None
    agree = known and people != metric  # a distance goes with people who call its low end good
    assert all((one.value > 0) == agree for one in found)
    questions = [*told_directions(list(directed_metrics(ratings, asked).values())), ratings.codebook.direction_question]
    assert any("Nobody said" in one for one in questions) != known


def test_an_edit_rate_is_known_by_its_name_and_that_is_said():
    frame = with_metrics(1).rename(columns={"distance": "hTER"})
    frame["mirrored"] = 100 - frame["hTER"]
    ratings = accord.read(frame, level="interval", direction="high")
    options = {"replicates": 50, "rng": np.random.default_rng(0)}
    assert all(one.value > 0.9 for one in metric_correlations(ratings, ["hTER"], **options))
    assert all(one.value < -0.9 for one in metric_correlations(ratings, ["hTER=high"], **options))
    (line,) = told_directions(list(directed_metrics(ratings, ["hTER"]).values()))
    assert line.startswith("By the name of the metric, low is good for hTER")
    # A correlation of documents nearer to 1 stands higher, whichever end of the metric is good.
    rates, turned = (metric_differences(ratings, [name], **options)[0][1].value for name in ("hTER", "mirrored=high"))
    assert rates == pytest.approx(turned)
    with pytest.raises(OptionError, match="named twice"):
        asked_metrics(["ter", "ter=low"])


@few
@given(seed=seeds, direction=ends)
def test_quadrants_contradict_alike_when_scores_and_their_end_are_turned(seed, direction):
    rng = np.random.default_rng(seed)
    rows = {
        "item": [f"i{n}" for n in range(10)] * 2, "rater": ["A"] * 10 + ["B"] * 10,
        "value": rng.permutation(20), "condition": ["GEN"] * 10 + ["PE"] * 10,
    }  # fmt: skip
    turned = rows | {"value": 50 - rows["value"]}
    if direction is None:
        with pytest.raises(OptionError, match="Say which end is good"):
            yardsticks(build_ratings(rows, level="interval"), "condition")
        return
    other = "low" if direction == "high" else "high"
    one, two = (
        yardsticks(build_ratings(cells, level="interval", direction=end), "condition", "GEN", "PE").results[0][1]
        for cells, end in ((rows, direction), (turned, other))
    )
    assert ([i.item for i in one.similar], [i.item for i in one.dissimilar]) == (
        [i.item for i in two.similar], [i.item for i in two.dissimilar]
    )  # fmt: skip
    sign, paired = Direction(direction).sign, dict(zip(rows["item"][:10], rows["value"][:10], strict=True))
    middle = np.mean(list(paired.values()))
    assert all(sign * (paired[item.item] - middle) > 0 for item in one.similar)


@few
@given(seed=seeds, direction=ends, threshold=st.integers(30, 70))
def test_scores_pass_on_the_good_side_of_the_threshold(seed, direction, threshold):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        [(f"i{n}", rater, float(rng.integers(0, 101))) for n in range(6) for rater in "ABC"],
        columns=["item", "rater", "value"],
    )
    ratings = accord.read(frame, level="interval", direction=direction)
    made = score_items(ratings, threshold=float(threshold))
    if direction is None:
        assert all(one.score.decision is None for one in made)
        return
    sign = Direction(direction).sign
    past = History(evaluations=tuple(Evaluation(score=one.values[0]) for one in made), direction=Direction(direction))
    for one, record in zip(made, past.records(threshold), strict=True):
        assert ("PASS" in one.score.decision.verdict) == (sign * np.mean(one.values) >= sign * threshold)
        assert record.passed == (sign * one.values[0] >= sign * threshold)
    assert past.fails(threshold) == sum(not record.passed for record in past.records(threshold))


@few
@given(values=st.lists(st.integers(0, 100), min_size=2, max_size=5), threshold=st.integers(0, 100))
def test_points_of_errors_are_decided_as_quality_scores_turned_round(values, threshold):
    high = score(values, threshold=threshold).decision
    low = score([100 - value for value in values], threshold=100 - threshold, direction="low").decision
    assert high.verdict == low.verdict
    with pytest.raises(OptionError, match="high or low"):
        score(values, direction="unknown")


def spoilt(direction):
    """A rater who gives spoilt copies more points of errors, and one who gives them fewer."""
    rows = []
    for n in range(12):
        for rater, spoilt_value in (("careful", 8 + n % 3), ("careless", 1 + n % 2)):
            rows += [(f"s{n}", rater, "system", "X", 4 + n % 2), (f"s{n}", rater, "degraded", "X", spoilt_value)]
    frame = pd.DataFrame(rows, columns=["segment", "rater", "role", "system", "value"])
    return accord.read(frame, item="segment", level="interval", direction=direction, duplicates="first")


@pytest.mark.parametrize(("direction", "fails"), [("low", {"careless"}), ("high", {"careful"}), (None, set())])
def test_the_gate_leaves_nobody_out_by_an_end_that_nobody_declared(direction, fails):
    found = gated(spoilt(direction))
    assert {one.rater for one in found.codebook.left_out} == fails
    if direction is None:
        assert any("nobody said which end is good" in note for note in found.notes)
        with pytest.raises(OptionError, match="Say which end is good"):
            better_is_higher(spoilt(None))


@pytest.mark.parametrize(("direction", "said"), [("low", "X has the lowest mean z"), ("high", "Y has the highest")])
def test_direct_assessment_calls_the_end_at_which_the_first_system_stands_by_its_name(direction, said):
    sign = 1 if direction == "low" else -1
    rows = [
        (f"{system}{n}", "R", role, system, 50 + {"X": 0, "Y": 5}[system] + n % 3 + sign * 20 * (role == "degraded"))
        for n in range(12) for system in "XY" for role in ("system", "degraded")
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["segment", "rater", "role", "system", "value"])
    ratings = accord.read(frame, item="segment", level="interval", direction=direction, duplicates="first")
    opening = " ".join(accord.da(ratings, minimum=1, halvings=2).opening)
    assert opening.startswith(said) and ("low scores are good here" in opening) == (direction == "low")
