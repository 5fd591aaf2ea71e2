"""Scarce scores (`accord score`)

True values of works vary around 83 points, or around a mean of the vendor's own on either side of the threshold (80,
standard deviation 6); a score errs around the true value. The share of true differences in the variance of single
scores (6 points) is drawn anew for every vendor, from .05 to .95.
"""

from functools import partial

import numpy as np

from accord.scoring.prior import Prior
from accord.scoring.scarce import Score, score
from accord.scoring.student import ScoreMethod
from promises.promise import Promise

__all__ = ["PROMISES"]

_THRESHOLD = 80.0


def vendor(
    rng: np.random.Generator, works: int, each: int, scores: int, usual: float = 83.0
) -> tuple[Score | None, float]:
    """The new scores of a vendor with a history, and the true value; without a usual mean the vendor has its own."""
    share = rng.uniform(0.05, 0.95)
    mean = usual or float(rng.normal(_THRESHOLD, 6))
    tau, sigma = 6 * np.sqrt(share), 6 * np.sqrt(1 - share)
    earlier = tuple(tuple(rng.normal(rng.normal(mean, tau), sigma, each).tolist()) for _ in range(works))
    truth = float(rng.normal(mean, tau))
    values = rng.normal(truth, sigma, scores).tolist()
    flat = tuple(value for work in earlier for value in work)
    prior = Prior(value=float(np.mean(flat)), earlier=flat, works=earlier)
    return score(values, prior=prior, threshold=_THRESHOLD, scale=(0, 200)), truth


def probability_is_right(
    rng: np.random.Generator, *, low: float, high: float, works: int, each: int, scores: int, usual: float
) -> bool:
    """Whether the true value lies below, in a case in which the program says so with a probability in the range."""
    while True:
        made, truth = vendor(rng, works, each, scores, usual)
        if made and made.decision and low <= made.decision.probability_below < high:
            return truth < _THRESHOLD


def history_covers(rng: np.random.Generator, *, works: int, each: int, scores: int) -> bool:
    """Whether the interval of history and scores holds the true value."""
    made, truth = vendor(rng, works, each, scores)
    return made is not None and truth in made.history_interval()


def t_covers(rng: np.random.Generator, *, scores: int) -> bool:
    """Student's t at .8 for scores that err normally."""
    values = rng.normal(75, 5, scores).clip(0, 100).tolist()
    return 75.0 in score(values).intervals[0].raw


def lopsided_covers(
    rng: np.random.Generator, *, scores: int, rare: float = 70.0, method: ScoreMethod = ScoreMethod.AUTO
) -> bool:
    """90 % of the scores near 97 and 10 % at some rare, low place."""
    return 0.9 * 97 + 0.1 * rare in score(lopsided(rng, scores, rare), method=method).intervals[0].raw


def lopsided(rng: np.random.Generator, scores: int, rare: float = 70.0) -> list[float]:
    """Such scores."""
    low = rng.random(scores) < 0.1
    return np.where(low, rng.normal(rare, 2, scores), rng.normal(97, 1, scores)).clip(0, 100).tolist()


def no_wrong_pass(rng: np.random.Generator, *, scores: int) -> bool:
    """Scores of such a law, whose mean is 94.3, do not pass against 95."""
    made = score(lopsided(rng, scores), threshold=95.0)
    return made.decision is not None and str(made.decision.verdict) != "PASS"


def no_wrong_pass_on_a_rough_scale(rng: np.random.Generator, *, scores: int) -> bool:
    """Whole scores from 1 to 7, whose mean lies a little below the threshold of 4; two of five pairs are equal."""
    values = np.rint(rng.normal(3.98, 1.0, scores)).clip(1, 7).tolist()
    made = score(values, threshold=4.0, scale=(1, 7))
    return made.decision is not None and str(made.decision.verdict) != "PASS"


def no_wrong_pass_if_equal(
    rng: np.random.Generator, *, values: tuple[float, ...], shares: tuple[float, ...], threshold: float, scores: int
) -> bool:
    """Scores of few values, or of many where raters use round ones, whose mean lies a little below the threshold."""
    drawn = rng.choice(values, scores, p=shares).tolist()
    made = score(drawn, threshold=threshold, scale=(min(values), max(values)))
    return made.decision is not None and str(made.decision.verdict) != "PASS"


def one_score_is_borderline(rng: np.random.Generator) -> bool:
    """One score near its prior never is a plain PASS or FAIL."""
    truth = rng.normal(83, 4)
    value, prior = (float(x) for x in rng.normal(truth, 3, 2).clip(1, 99))
    made = score([value], prior=prior, threshold=_THRESHOLD)
    return made.decision is not None and "borderline" in str(made.decision.verdict)


_BELOW = "The true value lies below, if that is said with probability"
PROMISES = (
    *(Promise(f"{_BELOW} {words}", "`score --history`", f"{design}, {whose}", nominal, nominal - 0.08,
              partial(probability_is_right, low=low, high=high, works=works, each=each, scores=scores, usual=usual),
              most=nominal + 0.08, quick=10 if nominal < 0.9 else 2)
      for words, low, high, nominal in ((".2 to .4", 0.2, 0.4, 0.3), (".6 to .8", 0.6, 0.8, 0.7),
                                        (".85 to .95", 0.85, 0.95, 0.9))
      for design, works, each, scores in (("20 works scored once, 2 new scores", 20, 1, 2),
                                          ("10 works scored twice, 1 new score", 10, 2, 1))
      for whose, usual in (("vendors on both sides of the threshold", 0.0), ("all vendors above it", 83.0))),
    Promise(f"{_BELOW} .6 to .8", "`score --history`", "3 works scored twice, 1 new score, all vendors above it", 0.7,
            0.62, partial(probability_is_right, low=0.6, high=0.8, works=3, each=2, scores=1, usual=83.0), most=0.78,
            quick=2, fails="too high where all works are good; under 10 earlier works a caution says so"),
    *(Promise("The interval of history and scores holds the true value", "`score --history`", design, 0.8, 0.77,
              partial(history_covers, works=works, each=each, scores=scores), quick=15)
      for design, works, each, scores in (("20 works scored once, 2 new scores", 20, 1, 2),
                                          ("10 works scored twice, 1 new score", 10, 2, 1))),
    *(Promise("The interval holds the true value", "`score`", f"{scores} scores that err normally", 0.8, 0.78,
              partial(t_covers, scores=scores), most=0.82, quick=60) for scores in (2, 5, 40)),
    *(Promise("The interval holds the true mean", "`score`", f"{scores} scores, 90 % near 97, 10 % near {rare}", 0.8,
              0.8, partial(lopsided_covers, scores=scores, rare=rare), quick=60)
      for scores, rare in ((2, 70), (3, 70), (5, 70), (20, 70), (40, 70), (5, 20))),
    Promise("Work worse than the threshold does not pass", "`score --threshold 95`",
            "3 scores, 90 % near 97, 10 % near 70", 0.9, 0.9, partial(no_wrong_pass, scores=3), quick=60),
    *(Promise("Work worse than the threshold does not pass", "`score --threshold 4 --scale 1..7`",
              f"{scores} whole scores, often equal", 0.9, 0.9,
              partial(no_wrong_pass_on_a_rough_scale, scores=scores), quick=60) for scores in (2, 3)),
    *(Promise("Work worse than the threshold does not pass", f"`score --threshold {threshold:g}`",
              f"{scores} scores, {design}, often equal", 0.8, 0.8,
              partial(no_wrong_pass_if_equal, values=values, shares=shares, threshold=threshold, scores=scores),
              quick=30)
      for design, values, shares, threshold, numbers in (
          ("0 or 1", (0.0, 1.0), (0.21, 0.79), 0.8, (2, 8)),
          ("1, 2 or 3", (1.0, 2.0, 3.0), (0.15, 0.25, 0.6), 2.5, (2, 8)),
          ("1 to 5", (1.0, 2.0, 3.0, 4.0, 5.0), (0.05, 0.1, 0.15, 0.25, 0.45), 4.0, (2, 5)),
          ("0 to 100 in tens", (0.0, 60.0, 70.0, 80.0, 90.0, 100.0), (0.01, 0.1, 0.2, 0.35, 0.3, 0.04), 80.0, (2, 5)))
      for scores in numbers),
    Promise("The interval holds the true mean", "`score --method t`", "3 scores, 90 % near 97, 10 % near 70", 0.8, 0.8,
            partial(lopsided_covers, scores=3, method=ScoreMethod.T), quick=60,
            fails="only where t alone is asked for; a caution says so, with the interval that allows for rare scores"),
    Promise("One score is never more than borderline", "`score`", "one score near its prior", 1.0, 1.0,
            one_score_is_borderline, quick=60),
)  # fmt: skip
