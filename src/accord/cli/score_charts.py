"""The pictures of ``accord score``: intervals with the threshold, a history, the shrinking of an interval."""

from collections.abc import Sequence
from math import isfinite, isnan
from pathlib import Path

from accord.plots.chart import FORMATS
from accord.scoring.history import History
from accord.scoring.scarce import Score, ScoreInterval
from accord.scoring.score_words import history_sentence, score_sentence
from accord.scoring.segment_sampling import SampledSet
from accord.words import steady

__all__ = ["check_plot", "draw_history", "draw_sampling", "draw_score"]


def check_plot(path: Path | None) -> None:
    """Stop before any work is done if the picture could not be written."""
    from accord.errors import OptionError

    if path is not None and path.suffix.lower() not in FORMATS:
        raise OptionError(f"--plot {path}: name a file that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}.")
    if path is not None and not path.absolute().parent.is_dir():
        raise OptionError(f"--plot {path}: there is no folder {path.absolute().parent}.")


def draw_score(path: Path, result: Score, first: Score | None) -> str:
    """One bar a method and level: the first score alone (ARF) where there is a prior, then all scores."""
    from accord.plots.scores import score_intervals

    shown = [(made, interval) for made in (first, result) if made for interval in made.intervals]
    known = [(made, interval) for made, interval in shown if isfinite(interval.half_width)]
    if not known:
        return f"There is no interval to draw, so {path} was not written."
    threshold = result.decision.threshold if result.decision else None
    chart = score_intervals(
        [_name(made, interval) for made, interval in known],
        [interval.centre for _, interval in known],
        [interval.raw.low for _, interval in known],
        [interval.raw.high for _, interval in known],
        title=score_sentence(result),
        threshold=threshold,
        values=[made.values for made, _ in known],
        ends=_ends(result, [interval for _, interval in known], threshold),
        subtitle=_subtitle(result),
    )
    chart.save(path)
    return f"Wrote {path}."


def _name(made: Score, interval: ScoreInterval) -> str:
    by = "t, rare scores" if interval.is_lopsided else "normal" if interval.raw.method.startswith("normal") else "t"
    method = "ARF, one score" if made.n == 1 else f"{by}, {made.n} scores"
    return f"{method}, {interval.raw.level:.4g}"


def _subtitle(result: Score) -> str:
    prior = f" The prior was {steady(result.prior.value):.4g}." if result.prior else ""
    return f"Bars: intervals. Dots: their centres. Ticks: the scores.{prior}"


def _ends(result: Score, intervals: Sequence[ScoreInterval], threshold: float | None) -> tuple[float, float]:
    """What is drawn of the scale: all of every interval that lies on it, with a little room."""
    marks = [*result.values, *([] if threshold is None else [threshold])]
    low = min([*marks, *(interval.raw.low for interval in intervals)])
    high = max([*marks, *(interval.raw.high for interval in intervals)])
    room = 0.05 * (high - low or 1.0)
    return max(low - room, result.scale[0]), min(high + room, result.scale[1])


def draw_history(path: Path, past: History, threshold: float | None) -> str:
    """Each score with its decision over the running mean known before it."""
    from accord.plots.scores import score_history

    records = past.records(threshold)
    made = [record.evaluation for record in records]
    guess = past.prior()
    kinds = [
        "left out" if e.exclude else "score" if record.passed is None else "PASS" if record.passed else "FAIL"
        for e, record in zip(made, records, strict=True)
    ]
    chart = score_history(
        [str(e.day) if e.day else f"no. {place}" for place, e in enumerate(made, 1)],
        [e.score for e in made],
        [*(None if isnan(record.prior) else record.prior for record in records), guess.value],
        kinds,
        title=history_sentence(past, threshold),
        threshold=threshold,
        subtitle="Line: mean of the evaluations before, the prior of each score.",
    )
    chart.save(path)
    return f"Wrote {path}."


def draw_sampling(path: Path, sets: Sequence[SampledSet], level: float) -> str:
    """The central interval of the means by the number of segments."""
    from accord.plots.scores import shrinking_interval

    few, many = sets[0], sets[-1]
    chart = shrinking_interval(
        [s.segments for s in sets], [s.low for s in sets], [s.high for s in sets], across="segments",
        axis="mean score", title=f"From {few.segments} to {many.segments} segments the interval shrinks from "
        f"{steady(few.width):.2f} to {steady(many.width):.2f} points",
        subtitle=f"Central {level:.4g} of the means of sets drawn segment by segment, with replacement.",
    )  # fmt: skip
    chart.save(path)
    return f"Wrote {path}."
