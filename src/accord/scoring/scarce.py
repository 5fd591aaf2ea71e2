"""Scarce scores: what one, two or a few quality scores say about the true value."""

from collections.abc import Sequence
from dataclasses import replace
from math import inf, isfinite, isnan, nan, sqrt

from accord.design.scale import Direction
from accord.errors import InputError, OptionError
from accord.inference.interval import Interval
from accord.plots.chart import Chart
from accord.plots.of_table import chart_of_tables
from accord.records import dataclass
from accord.reliability.plan import member_named
from accord.scoring.arf import Law, half_width_factor
from accord.scoring.ceiling import RARE, between, equal_words, near_an_end, of_equal_scores, with_rare_scores
from accord.scoring.decision import Decision, decide
from accord.scoring.gain import Gain, gain_of_one_more
from accord.scoring.prior import Prior
from accord.scoring.shrinkage import ENOUGH_EARLIER, FEW_EARLIER, Shrunk, shrink
from accord.scoring.signature import signature
from accord.scoring.student import LARGEST_SMALL_SAMPLE, ScoreMethod, critical_value
from accord.tables.result import Result
from accord.tables.table import Cell, Column, Table
from accord.words import set_by, steady

__all__ = ["QUALITY", "RatioAgreement", "Score", "ScoreInterval", "good_end", "score"]

QUALITY = Direction.HIGH
"""A quality score is good when it is high, by definition; points of errors are said to be low."""
HISTORY = "normal-normal model of history and scores, both variances integrated out"
NO_ERROR_KNOWN = (
    "How probable a true value below or above the threshold is cannot be said: that takes three earlier works that "
    "differ, and two scores of one of them (column job) to know how much a score errs. Give --spread if you know it."
)
INDICATIVE = "One score is only indicative: no process decision should rest on it. Ask for a second one."
CENTRE = (
    "The interval is centred halfway between the earlier average and the new score. That centre is a by-product of "
    "the method, not an estimate."
)
WORSE = "One score that is worse than the earlier average does not show a decline."
BETTER = "One score that is better than the earlier average does not show an improvement."
COMPROMISE = "For one score a confidence of 75% to 80% is the usual compromise between width and certainty."
FURTHER = "Get a further score, by someone else."
EQUAL = "The scores are all equal: they have no spread."
SAME = f"{EQUAL[:-1]}, so there is no interval. {FURTHER}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreInterval:
    """The interval at one confidence level, as computed and cut to the scale."""

    raw: Interval
    clipped: Interval
    centre: float
    half_width: float
    factor: float
    """k for one score, the critical value of t (or of the normal law) for more."""

    @property
    def is_cut(self) -> bool:
        """Whether it reaches beyond the scale."""
        return self.raw.low < self.clipped.low or self.raw.high > self.clipped.high

    @property
    def is_lopsided(self) -> bool:
        """Whether rare scores are allowed for; ``half_width`` is then half of the width."""
        return self.raw.method.endswith(RARE)

    @property
    def words(self) -> str:
        """Centre and reach, or both ends."""
        if self.is_lopsided:
            return f"{steady(self.centre):.2f}, from {steady(self.raw.low):.2f} to {steady(self.raw.high):.2f},"
        if isnan(self.half_width):
            return f"{steady(self.centre):.2f}, with no interval"
        return f"{steady(self.centre):.2f} ± {steady(self.half_width):.2f}"

    @property
    def relative(self) -> float:
        """Half-width as a share of the centre."""
        return self.half_width / abs(self.centre) if self.centre else nan

    def to_dict(self) -> dict[str, object]:
        return {
            "level": self.raw.level, "low": self.raw.low, "high": self.raw.high, "clipped_low": self.clipped.low,
            "clipped_high": self.clipped.high, "centre": self.centre, "half_width": self.half_width,
            "width": self.raw.width, "relative_half_width": self.relative, "factor": self.factor,
            "method": self.raw.method,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class RatioAgreement:
    """How near the lowest and the highest score are to each other, seen from both sides."""

    lowest: float
    highest: float

    @property
    def greater(self) -> float:
        """By what share the highest is greater than the lowest; nan where the lowest is 0."""
        return self.highest / self.lowest - 1 if self.lowest else nan

    @property
    def less(self) -> float:
        """By what share the lowest is less than the highest."""
        return 1 - self.lowest / self.highest

    def __str__(self) -> str:
        low, high = f"{self.lowest:g}", f"{self.highest:g}"
        if self.lowest == self.highest:
            return f"the scores are equal, {low} (agreement 100.0%)"
        if isnan(self.greater):
            up = f"{high} cannot be put as a ratio of 0"
        elif self.greater > 1:
            up = f"{high} is {steady(self.highest / self.lowest):.1f} times {low} (no agreement)"
        else:
            up = f"{high} is {steady(self.greater):.1%} greater than {low} (agreement {steady(1 - self.greater):.1%})"
        return f"{up}; {low} is {steady(self.less):.1%} less than {high} (agreement {steady(1 - self.less):.1%})"

    def to_dict(self) -> dict[str, float | None]:
        return {
            "lowest": self.lowest, "highest": self.highest, "greater": None if isnan(self.greater) else self.greater,
            "less": self.less, "highest_agrees": 1 - self.greater if self.greater <= 1 else None,
            "lowest_agrees": 1 - self.less,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Score(Result):
    """What these scores say: intervals at one or more levels, a decision, what one more score would gain."""

    values: tuple[float, ...]
    scale: tuple[float, float]
    centre: float
    deviation: float
    intervals: tuple[ScoreInterval, ...]
    prior: Prior | None = None
    decisions: tuple[Decision, ...] = ()
    shrunk: Shrunk | None = None
    """What the earlier evaluations and these scores say together, where there are enough of them."""
    ratio: RatioAgreement | None = None
    gains: tuple[Gain, ...] = ()
    cautions: tuple[str, ...] = ()
    signature: str

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def are_equal(self) -> bool:
        """Whether several scores are one and the same number: they show no spread."""
        return self.n > 1 and len(set(self.values)) == 1

    @property
    def decision(self) -> Decision | None:
        """The decision at the first level asked for."""
        return self.decisions[0] if self.decisions else None

    def __str__(self) -> str:
        """The sentence that the command opens with, which has the verdict, and what to beware of."""
        from accord.scoring.score_words import score_sentence  # which speaks of scores

        return "\n".join((f"{score_sentence(self)}.", *self.cautions))

    def tables(self) -> tuple[Table, ...]:
        rows: list[dict[str, Cell]] = [
            {"confidence": one.raw.level, "score": one.centre, "low": one.raw.low, "high": one.raw.high,
             "method": one.raw.method}
            for one in self.intervals
        ]  # fmt: skip
        return (Table("What the scores say", [Column(key, key) for key in rows[0]], rows),)

    def lines(self) -> tuple[str, ...]:
        return (*map(str, self.decisions[:1]), *self.cautions)

    def plot(self) -> Chart:
        """The intervals as a chart."""
        return chart_of_tables(self.tables())

    def to_dict(self) -> dict[str, object]:
        return {
            "values": list(self.values), "n": self.n, "scale": list(self.scale), "centre": self.centre,
            "standard_deviation": self.deviation, "prior": self.prior.to_dict() if self.prior else None,
            "intervals": [interval.to_dict() for interval in self.intervals],
            "decisions": [decision.to_dict() for decision in self.decisions],
            "with_history": self._with_history(),
            "ratio_agreement": self.ratio.to_dict() if self.ratio else None,
            "one_more_score": [gain.to_dict() for gain in self.gains],
            "cautions": list(self.cautions), "signature": self.signature,
        }  # fmt: skip

    def _with_history(self) -> dict[str, object] | None:
        if self.shrunk is None:
            return None
        ends = self.history_interval()
        return {
            "centre": self.shrunk.centre, "low": ends.low, "high": ends.high, "level": ends.level,
            "standard_deviation_of_a_score": self.shrunk.within, "of_true_values": self.shrunk.between,
            "earlier_works": self.shrunk.earlier, "method": ends.method,
        }  # fmt: skip

    def history_interval(self) -> Interval:
        """The interval of the true value from history and scores together, at the first level asked for."""
        if self.shrunk is None:
            raise InputError("There is no history to draw the scores towards.")
        level = self.intervals[0].raw.level
        low, high = (self.shrunk.quantile(share) for share in ((1 - level) / 2, (1 + level) / 2))
        return Interval(low=low, high=high, level=level, method=HISTORY)


def score(
    values: Sequence[float],
    *,
    prior: Prior | float | None = None,
    threshold: float | None = None,
    confidence: float | Sequence[float] = 0.8,
    scale: tuple[float, float] = (0.0, 100.0),
    law: Law | str = Law.NORMAL,
    method: ScoreMethod | str = ScoreMethod.AUTO,
    spread: float | None = None,
    direction: Direction | str = QUALITY,
) -> Score:
    """Intervals and decision for one score with a prior (ARF) or for two scores and more (Student's t).

    Scores near an end of the scale are lopsided, and t holds too seldom: their interval allows for rare scores
    (:func:`accord.scoring.ceiling.with_rare_scores`). ``method`` t takes Student's t alone, paper the normal law above
    30 scores. A prior from a history (:meth:`History.prior`) also gives a
    probability: the scores are drawn towards the earlier evaluations (:func:`accord.scoring.shrinkage.shrink`), if
    two scores of one work, or ``spread``, say how much a score errs.

    Parameters
    ----------
    values
        The scores.
    prior
        What was known before: a number, or a prior from a history.
    threshold
        Score from which a text passes; up to which, where low is good.
    confidence, scale, law
        Confidence of the intervals (one or several), ends of the scale, and the law of errors.
    method, spread
        As said above.
    direction
        Which end of the scale is good: high for a quality score, ``"low"`` for points of errors.

    Returns
    -------
    Score
        Intervals and decision; it prints itself.

    Examples
    --------
    >>> from accord import score
    >>> print(score([76.85, 81.99], threshold=80).decision)
    borderline FAIL against 80 (80% interval)
    """
    numbers = tuple(float(value) for value in values)
    levels = (confidence,) if isinstance(confidence, float | int) else tuple(confidence)
    guess = Prior(value=float(prior)) if isinstance(prior, float | int) else prior
    _check(numbers, levels, threshold, scale, guess)
    good = good_end(direction)
    kind, shape = member_named(ScoreMethod, method, "method of a score"), member_named(Law, law, "law of errors")
    is_one = len(numbers) == 1
    made = _of_one(numbers[0], guess, levels, scale, shape) if is_one else _of_many(numbers, levels, scale, kind)
    deviation = _deviation(numbers)
    drawn = shrink(numbers, guess.works, spread) if guess and guess.works else None
    return Score(
        values=numbers,
        scale=scale,
        centre=made[0].centre,
        deviation=deviation,
        intervals=made,
        prior=guess,
        decisions=_decisions(numbers, made, threshold, drawn, good, scale),
        shrunk=drawn,
        ratio=_ratio(numbers),
        gains=tuple(_gain(interval, numbers, deviation, guess, shape, scale, kind) for interval in made),
        cautions=_cautions(numbers, made, guess, levels, threshold, scale, drawn, good, kind),
        signature=signature(
            "score",
            values=numbers,
            prior=guess.value if guess else None,
            level=levels,
            scale=scale,
            law=shape if is_one else None,
            threshold=threshold,
            interval=None if kind is ScoreMethod.AUTO else kind,
            spread=spread,
            direction=None if good is Direction.HIGH else str(good),
        ),
    )


def good_end(direction: Direction | str) -> Direction:
    """High or low; a score passes against nothing else."""
    if direction not in (Direction.HIGH, Direction.LOW):
        raise OptionError(f"The good end of a scale is high or low; {str(direction)!r} was given.")
    return Direction(direction)


def _check(
    numbers: tuple[float, ...],
    levels: tuple[float, ...],
    threshold: float | None,
    scale: tuple[float, float],
    prior: Prior | None,
) -> None:
    low, high = scale
    if not (isfinite(low) and isfinite(high) and low < high):
        raise OptionError(f"--scale {low:g} {high:g} is not a scale: the first end must lie below the second.")
    if not numbers:
        raise InputError("There is no score. Give at least one number.")
    if not levels:
        raise OptionError("There is no confidence level. Give at least one, such as 0.8.")
    for value in numbers:
        if not low <= value <= high:
            raise InputError(
                f"The score {value:g} lies off the scale from {low:g} to {high:g}. Correct it, or declare the "
                f"scale with {set_by('scale', 'LOW HIGH', python='(low, high)')}."
            )
    if threshold is not None and not low <= threshold <= high:
        raise OptionError(f"The threshold {threshold:g} lies off the scale from {low:g} to {high:g}.")
    if prior is not None and not low <= prior.value <= high:
        raise OptionError(f"The prior {prior.value:g} lies off the scale from {low:g} to {high:g}.")
    for level in (level for level in levels if not 0 < level < 1):
        raise OptionError(f"A confidence of {level:g} is not possible. Give a number above 0 and below 1.")


def _of_one(
    value: float, prior: Prior | None, levels: tuple[float, ...], scale: tuple[float, float], law: Law
) -> tuple[ScoreInterval, ...]:
    if prior is None:
        raise InputError(
            "One score alone has no interval: its spread is unknown. Give what you expected before the measurement "
            f"with {set_by('prior')}, or a second score; the command makes a prior of a history of evaluations, too."
        )
    distance = abs(value - prior.value)
    if distance == 0:
        raise InputError(
            f"The prior equals the score ({value:g}), which gives an interval of no width. That is chance, not "
            "certainty: get a second score. Never set the prior from the score itself."
        )
    centre = (value + prior.value) / 2
    factors = {level: half_width_factor(1 - level, law) for level in levels}
    return tuple(
        _interval(level, centre, k * distance, k, f"ARF interval of one score with a prior, {law.words}", scale)
        for level, k in factors.items()
    )


def _of_many(
    numbers: tuple[float, ...], levels: tuple[float, ...], scale: tuple[float, float], kind: ScoreMethod
) -> tuple[ScoreInterval, ...]:
    n = len(numbers)
    mean, error = sum(numbers) / n, _deviation(numbers) / sqrt(n)
    freedom = f"{n - 1} degree{'s' * (n > 2)} of freedom"
    normal = kind is ScoreMethod.PAPER and n > LARGEST_SMALL_SAMPLE
    method = (
        f"normal distribution over {n} scores, as in the paper" if normal else f"Student's t over scores, {freedom}"
    )
    factors = {level: critical_value(level, n, method=kind) for level in levels}
    made = tuple(
        _interval(level, mean, factor * error if error > 0 else nan, factor, method, scale)
        for level, factor in factors.items()
    )
    if kind is ScoreMethod.AUTO and error > 0 and near_an_end(numbers, scale):
        return tuple(_allowing_rare(one, n, scale) for one in made)
    return made


def _allowing_rare(one: ScoreInterval, scores: int, scale: tuple[float, float]) -> ScoreInterval:
    ends = with_rare_scores(one.raw, scores, scale)
    return replace(one, raw=ends, clipped=ends, half_width=ends.width / 2)


def _interval(
    level: float, centre: float, half: float, factor: float, method: str, scale: tuple[float, float]
) -> ScoreInterval:
    low, high = centre - half, centre + half
    return ScoreInterval(
        raw=Interval(low=low, high=high, level=level, method=method),
        clipped=Interval(
            low=max(low, scale[0]) if half == half else nan,
            high=min(high, scale[1]) if half == half else nan,
            level=level,
            method=f"{method}, cut to the scale",
        ),
        centre=centre,
        half_width=half,
        factor=factor,
    )


def _deviation(numbers: tuple[float, ...]) -> float:
    """The sample standard deviation (n - 1); nan for one score."""
    if len(numbers) < 2:
        return nan
    if len(set(numbers)) == 1:
        return 0.0
    mean = sum(numbers) / len(numbers)
    return sqrt(sum((value - mean) ** 2 for value in numbers) / (len(numbers) - 1))


def _ratio(numbers: tuple[float, ...]) -> RatioAgreement | None:
    """Scores below 0 have no ratio, nor have zeros alone."""
    low, high = min(numbers), max(numbers)
    return RatioAgreement(low, high) if len(numbers) > 1 and low >= 0 < high else None


def _against_earlier(value: float, prior: Prior | None, good: Direction) -> tuple[str, ...]:
    """What one score does not show, by the side of the earlier average that it lies on."""
    if prior is None or value == prior.value or not good.is_known:
        return ()
    return (BETTER,) if good.sign * (value - prior.value) > 0 else (WORSE,)


def _decisions(
    numbers: tuple[float, ...], made: tuple[ScoreInterval, ...], threshold: float | None, drawn: Shrunk | None,
    good: Direction, scale: tuple[float, float],
) -> tuple[Decision, ...]:  # fmt: skip
    if threshold is None:
        return ()
    below = drawn.below(threshold) if drawn else nan
    value = numbers[0] if len(numbers) == 1 else made[0].centre
    n = len(numbers)
    if n > 1 and len(set(numbers)) == 1:
        ends = (of_equal_scores(value, n, interval.raw.level, scale) for interval in made)
        return tuple(decide(value, one, threshold, n, below, good, equal=True) for one in ends)
    return tuple(
        _by_t_beside(decide(value, interval.raw, threshold, n, below, good), interval, numbers, value, good)
        for interval in made
    )


def _by_t_beside(
    decision: Decision, interval: ScoreInterval, numbers: tuple[float, ...], value: float, good: Direction
) -> Decision:
    """Near an end of the scale it is said what Student's t alone would decide, where it would be surer."""
    if not interval.is_lopsided or not decision.verdict.is_borderline:
        return decision
    (plain,) = _of_many(numbers, (interval.raw.level,), (-inf, inf), ScoreMethod.T)
    by_t = decide(value, plain.raw, decision.threshold, len(numbers), nan, good).verdict
    if by_t.is_borderline:
        return decision
    return replace(decision, reason=f"scores near an end of the scale; Student's t alone would say {by_t}")


def _gain(
    interval: ScoreInterval, numbers: tuple[float, ...], deviation: float, prior: Prior | None, law: Law,
    scale: tuple[float, float], method: ScoreMethod,
) -> Gain:  # fmt: skip
    made = gain_of_one_more(interval.raw.level, numbers, deviation, prior, law, method)
    if not interval.is_lopsided:
        return made
    level, centre = interval.raw.level, interval.centre
    then = Interval(low=centre - made.then, high=centre + made.then, level=level, method="")
    half = with_rare_scores(then, len(numbers) + 1, scale).width / 2
    return replace(made, now=interval.half_width, then=half, is_lopsided=True)


def _cautions(
    numbers: tuple[float, ...], made: tuple[ScoreInterval, ...], prior: Prior | None, levels: tuple[float, ...],
    threshold: float | None, scale: tuple[float, float], drawn: Shrunk | None, good: Direction, kind: ScoreMethod,
) -> tuple[str, ...]:  # fmt: skip
    said = list(prior.cautions(numbers)) if prior and len(numbers) == 1 else []
    if len(numbers) == 1:
        said += [INDICATIVE, *_against_earlier(numbers[0], prior, good), CENTRE]
        if any(not 0.745 <= level <= 0.805 for level in levels):
            said.append(COMPROMISE)
        if threshold is not None and (numbers[0] >= threshold) != (made[0].centre >= threshold):
            said.append("The score and the centre of its interval lie on different sides of the threshold.")
    elif len(set(numbers)) == 1:
        said.append(f"{EQUAL} {equal_words(numbers[0], len(numbers), levels[0], scale)}. {FURTHER}")
    elif near_an_end(numbers, scale):
        said.append(_lopsided(numbers, levels[0], scale, kind))
    if threshold is not None and prior and prior.works and drawn is None:
        said.append(NO_ERROR_KNOWN)
    if threshold is not None and drawn is not None and drawn.earlier < ENOUGH_EARLIER:
        said.append(FEW_EARLIER)
    if any(interval.is_cut for interval in made):
        said.append("An interval reaches beyond the scale and is also shown cut to it.")
    return tuple(said)


def _lopsided(numbers: tuple[float, ...], level: float, scale: tuple[float, float], kind: ScoreMethod) -> str:
    """What scores near an end of the scale mean for the interval, and what would narrow it."""
    why = (
        "Scores near an end of the scale are lopsided: rare scores far from it may not have shown yet, and Student's t "
        "alone then holds too seldom."
    )
    (plain,) = _of_many(numbers, (level,), scale, ScoreMethod.T)
    if kind is ScoreMethod.AUTO:
        return (
            f"{why} So the interval allows that {RARE}. If they never leave a part of it, give that part with --scale. "
            f"Student's t alone (--method t) gives {plain.words}."
        )
    ends = with_rare_scores(plain.raw, len(numbers), scale)
    return f"{why} If {RARE}, the true mean lies {between(ends)}."
