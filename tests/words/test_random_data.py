"""Whatever the data, words fit numbers: what is said of random ratings is held against what they hold."""

import re

import numpy as np
import pandas as pd
import pytest

import accord
from accord.diagnosis.causes import causes_of
from accord.errors import AccordError
from accord.reliability.answer import answers_of
from accord.reporting.compose import compose
from accord.scoring.ranking.rank import rank

SETS, QUICK = 40, 20
TENTATIVE, FIRM = 2 / 3, 0.8
PYTHON = re.compile(r"\b(nan|None|True|False|inf|dict|frozenset|numpy)\b|\{|\}|\bnp\.")
NUMBERS = re.compile(r"\S = (-?[\d.]+), (?:95% interval (-?[\d.]+) to (-?[\d.]+)|no interval)")


def random_ratings(seed):
    """A frame of any level, size, skew and taste, and how to read it."""
    rng = np.random.default_rng(seed)
    raters, items = int(rng.integers(2, 7)), int(rng.choice([4, 8, 12, 35, 60, 90]))
    level = str(rng.choice(["nominal", "ordinal", "interval"]))
    points = int(rng.choice([2, 3, 5, 7])) if level != "interval" else 101
    noise, skew = rng.choice([0.0, 0.3, 0.8, 2.0]), rng.choice([0.5, 1.0, 3.0])
    truth = rng.beta(skew, 1, items)
    names = [f"R{place}" for place in range(raters)]
    lean = np.where(rng.random(raters) < 0.3, rng.normal(0, 0.25, raters), 0.0)
    constant = rng.random(raters) < 0.1
    rows = []
    for place, name in enumerate(names):
        for item in range(items):
            if rng.random() < 0.15 * (seed % 3):
                continue
            seen = 0.5 if constant[place] else truth[item] + lean[place] + noise * 0.2 * rng.normal()
            value = int(np.clip(np.rint(seen * (points - 1)), 0, points - 1))
            label = chr(ord("a") + value) if level == "nominal" else str(value)
            rows.append((f"i{item}", name, f"S{item % 2}", f"d{item // 3}", label))
    frame = pd.DataFrame(rows, columns=["item", "rater", "system", "document", "value"])
    if rng.random() < 0.5:
        frame = frame.drop(columns="document")
    direction = rng.choice(["high", "low", ""]) if level != "nominal" else ""
    return frame, {"level": level, **({"direction": str(direction)} if direction else {})}


@pytest.fixture(
    scope="module", params=[pytest.param(n, marks=pytest.mark.long if n >= QUICK else ()) for n in range(SETS)]
)
def studied(request):
    frame, how = random_ratings(request.param)
    return frame, accord.read(frame, **how)


def printed_alike(exact, printed, mark):
    """Whether a printed number lies on the side of a mark on which the exact one lies."""
    return (exact >= mark) == (float(printed) >= round(mark, 3))


def test_what_agree_says_is_what_the_printed_interval_shows(studied):
    """Held against the digits on the screen: nobody sees the others."""
    _, ratings = studied
    for answer in answers_of(accord.agreement(ratings)).parts:
        text = answer.text
        assert not PYTHON.search(text), text
        lead = answer.lead
        if lead is None or np.isnan(lead.value):
            assert "shown to reach" not in text
            continue
        value, low, high = NUMBERS.search(text).groups()
        if lead.interval is None:
            assert low is None and "shown to reach" not in text
            continue
        assert float(low) <= float(value) <= float(high)
        if lead.items < 30:
            assert "too few items for a verdict" in text or "less than by chance" in text
            assert "below .667" not in text and "shown to reach" not in text
        if "not shown to reach .667" in text:
            assert float(low) < 0.667 <= float(high), text
        elif "shown to reach .667" in text:
            assert 0.667 <= float(low) < 0.8, text
        elif "shown to reach .8" in text:
            assert float(low) >= 0.8, text
        elif ": below .667" in text:
            assert float(high) < 0.667 and float(low) > 0, text
        elif "not shown to be better than chance" in text:
            assert float(low) <= 0 <= float(high), text
        elif "less than by chance" in text:
            assert float(high) < 0, text


def _means(frame, name):
    """A rater's mean and that of the others, on the items of both."""
    scores = frame.assign(value=frame.value.astype(float))
    own = scores[scores.rater == name].set_index("item").value
    others = scores[scores.rater != name].groupby("item").value.mean()
    both = own.index.intersection(others.index)
    return own[both].mean(), others[both].mean()


def test_who_is_called_strict_higher_or_lower_is_so(studied):
    frame, ratings = studied
    causes = causes_of(accord.diagnose(ratings), ratings)
    for cause in causes:
        for text in (cause.title, cause.evidence, cause.effect_words, cause.action):
            assert not PYTHON.search(text), text
        if found := re.search(r"\b(R\d) (?:is (strict|lenient): )?rates ([\d.]+) (lower|higher) than", cause.evidence):
            name, called, _, side = found.groups()
            own, others = _means(frame, name)
            assert (own < others) == (side == "lower"), cause.evidence
            if called:
                good_is_high = str(ratings.criterion.direction) == "high"
                assert (called == "strict") == ((side == "lower") == good_is_high)
            else:  # of two raters either may be the reason
                assert str(ratings.criterion.direction) not in ("high", "low") or ratings.raters == 2
        if found := re.search(r"without (R\d), α is (-?[\d.]+) instead of (-?[\d.]+)", cause.effect_words):
            name, without, whole = found.groups()
            left = accord.agreement(accord.read(frame[frame.rater != name], level=ratings.level), interval="none")
            assert left["krippendorff_alpha"].value == pytest.approx(float(without), abs=0.0051)
            everybody = accord.agreement(ratings, interval="none")["krippendorff_alpha"].value
            assert everybody == pytest.approx(float(whole), abs=0.0051)


def test_a_winner_has_the_better_mean_and_no_interval_says_otherwise(studied):
    _, ratings = studied
    try:
        ranking = rank(ratings)
    except AccordError as error:
        assert not PYTHON.search(str(error)), error
        return
    said = f"{ranking.sentence()} {ranking.closing()}"
    assert not PYTHON.search(said), said
    scores = {one.name: one.score for one in ranking.systems}
    known = ranking.direction.is_known
    for pair in ranking.pairs:
        if pair.winner:
            loser = pair.second if pair.winner == pair.first else pair.first
            assert known and ranking.direction.sign * (scores[pair.winner] - scores[loser]) > 0
        if pair.interval:
            assert pair.interval.low <= pair.difference <= pair.interval.high
            apart = pair.interval.low >= 0 or pair.interval.high <= 0
            assert apart == (pair.adjusted < 0.05)
    winners = sum(pair.winner is not None for pair in ranking.pairs)
    if counted := re.search(r"(\d+) of \d+ pairs differ|All (\d+) pairs differ", said):
        assert int(counted[1] or counted[2]) == winners, said
    else:
        assert winners == 0 or (winners == len(ranking.pairs) == 1 and " is better than " in said), said
    assert known or not re.search(r"\bbest\b|\bbeats\b|is better than", said.replace("called better", ""))


def test_every_number_of_a_first_screen_has_an_interval_or_says_that_it_has_none():
    """Shares and counts of what was seen are no estimates."""
    frame, how = random_ratings(4)
    first = compose(accord.read(frame, **how)).first
    for number in first.numbers:
        assert number.interval or " of " in number.value, number
    assert not PYTHON.search(" ".join([first.answer, first.why, *first.wrong, *first.todo]))


def test_the_difference_of_two_systems_stands_in_the_report_with_its_interval():
    rng = np.random.default_rng(2)
    rows = [(f"i{item}", rater, system, f"d{item // 3}", int(rng.normal(60 + 5 * (system == "A"), 6)))
            for item in range(45) for rater in "RS" for system in "AB"]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "rater", "system", "document", "value"])
    first = compose(accord.read(frame, level="interval", direction="high")).first
    number = next(one for one in first.numbers if one.label == "A against B")
    low, high = map(float, number.interval.split("–"))
    assert low < float(number.value) < high and number.bar.marks == (0.0,)
