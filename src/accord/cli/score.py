"""``accord score``: what one, two or a few quality scores say, and whether they pass."""

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from math import inf, nan
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from accord.cli.column_options import Where
from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit
from accord.cli.reading import names_how_to_read
from accord.cli.score_charts import check_plot, draw_history, draw_sampling, draw_score
from accord.cli.score_history import history_options
from accord.cli.score_ratings import print_items
from accord.design.scale import Direction
from accord.errors import OptionError
from accord.ratings.fingerprint import hashed_cells
from accord.scoring.arf import Law
from accord.scoring.critical_tables import T_TAILS, k_table, t_table
from accord.scoring.history import History, read_history
from accord.scoring.prior import Prior
from accord.scoring.scarce import FURTHER, QUALITY, Score, good_end
from accord.scoring.scarce import score as score_of
from accord.scoring.score_words import LEVELS, Level, history_sentence, score_sentence
from accord.scoring.segment_sampling import sample_segment_sets, segment_scores_of
from accord.scoring.signature import signature
from accord.scoring.student import LARGEST_SMALL_SAMPLE, ScoreMethod, scores_needed
from accord.sentences import said_of
from accord.tables.table import Cell, Column, Table
from accord.words import steady

__all__ = ["score"]

_ENOUGH_SEGMENTS = 100
_SHORT_SCALE = 10
"""Scores of which none is higher were hardly given on 0 to 100."""
_SCALE = (0.0, 100.0)


class PrintedTable(StrEnum):
    """The tables that can be printed instead of a score."""

    T = "t"
    K = "k"


_Values = Annotated[
    list[float] | None,
    typer.Argument(metavar="[VALUES]...", help="The scores."),
]
_Prior = Annotated[
    float | None, typer.Option(help="What was expected before the measurement; needed for a single score.")
]
_PriorFixed = Annotated[str | None, typer.Option(metavar="DATE", help="When the prior was fixed: 2026-01-31.")]
_Confidence = Annotated[list[float] | None, typer.Option(help="Confidence level, 0.8 if not given. Repeatable.")]
_Law = Annotated[Law, typer.Option(help="Distribution of a single score: normal, or unknown (symmetric, one peak).")]
_History = Annotated[
    Path | None, typer.Option(help="Earlier evaluations (CSV, TSV, xlsx, TOML); their mean is the prior.")
]
_Vendor = Annotated[str | None, typer.Option(help="Use only this vendor's (or system's) rows of the history.")]
_Width = Annotated[float | None, typer.Option(help="Wanted full width of the interval: how many scores it takes.")]
_Spread = Annotated[
    float | None,
    typer.Option(
        help="Standard deviation of a score around the true value, if you know it: for --width and --history."
    ),
]
_Method = Annotated[
    ScoreMethod,
    typer.Option(
        help="Student's t, near an end of the scale any law (auto); t always; or as the paper: normal above 30."
    ),
]
_Segments = Annotated[
    Path | None, typer.Option(help="Segment scores (column score): how the interval shrinks with their number.")
]
_Ratings = Annotated[Path | None, typer.Option(help="Ratings: every item is scored by the ratings it has.")]
_Criterion = Annotated[str | None, typer.Option(help="Criterion of --ratings, if there are several.")]
_Scale = Annotated[
    tuple[float, float] | None,
    typer.Option(help="Lowest and highest possible score; 0 100, or what the ratings say.", show_default=False),
]
_GoodEnd = Annotated[
    str | None,
    typer.Option(metavar="high|low", help="Good end: high for quality scores; for --ratings, what they say."),
]
_Plot = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw it too: a file .svg, .png, .pdf, .html or .json.")
]


@names_how_to_read
def score(
    values: _Values = None,
    prior: _Prior = None,
    prior_fixed: _PriorFixed = None,
    measured: Annotated[str | None, typer.Option(metavar="DATE", help="When the scores were measured.")] = None,
    threshold: Annotated[float | None, typer.Option(help="PASS / FAIL threshold, in points of the scale.")] = None,
    confidence: _Confidence = None,
    scale: _Scale = None,
    direction: _GoodEnd = None,
    law: _Law = Law.NORMAL,
    method: _Method = ScoreMethod.AUTO,
    history: _History = None,
    vendor: _Vendor = None,
    ratings: _Ratings = None,
    criterion: _Criterion = None,
    where: Where = None,
    width: _Width = None,
    spread: _Spread = None,
    segments: _Segments = None,
    seed: Annotated[int, typer.Option(help="Seed of the sampling of --segments.")] = 1,
    tables: Annotated[PrintedTable | None, typer.Option(help="Print the table of t or of k, and stop.")] = None,
    plot: _Plot = None,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
    reading: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Interval and PASS / FAIL for one score with a prior, for a few scores, or for a history of them."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    _check_together(values, law, history, vendor, ratings, criterion, where, width, spread, segments, tables, plot)
    if tables is not None:
        _print_table(tables, form)
        return
    if segments is not None:
        _print_sampling(segments, next(iter(confidence or (0.95,))), seed, threshold, plot, form)
        return
    good, levels = QUALITY if direction is None else good_end(direction), tuple(confidence or (0.8,))
    past = _past(history, vendor, good, scale or _SCALE, reading, of_ratings=ratings is not None)
    guess = _prior(prior, prior_fixed, measured, past) if ratings or values else None
    if ratings is not None:
        print_items(ratings, criterion, direction, guess, threshold, levels[0], scale, law, plot, form, reading, where)
    elif values:
        result = score_of(
            values, prior=guess, threshold=threshold, confidence=levels, scale=scale or _SCALE, law=law, method=method,
            spread=spread, direction=good,
        )  # fmt: skip
        advice = _advice(result, Level(min(levels), is_chosen=bool(confidence), scores=result.n), scale)
        _print_score(result, law, good, width, spread, plot, form, [*_noted(past), *filter(None, [advice])])
    elif past is not None:
        _print_history(past, threshold, plot, form)


def _past(
    history: Path | None, vendor: str | None, good: Direction, scale: tuple[float, float], reading: Mapping[str, Any],
    *, of_ratings: bool,
) -> History | None:  # fmt: skip
    """The earlier evaluations; the options of reading are about them where there is no file of ratings."""
    if history is None:
        if any(reading.values()) and not of_ratings:
            raise OptionError("Options that say how a file is read belong to --ratings or --history: give the file.")
        return None
    asked = {} if of_ratings else history_options(reading)
    return read_history(history, vendor=vendor, direction=good, scale=scale, **asked)


def _noted(past: History | None) -> list[str]:
    """What was taken for what in the file of earlier evaluations, and which of its rows are left out."""
    return [] if past is None else [f"Note: {note.rstrip('.')}." for note in past.notes]


def _advice(result: Score, level: Level, scale: tuple[float, float] | None) -> str:
    """The confidence that is asked for elsewhere, and the scale where scores look as if they had another one."""
    known = scale is not None or max(result.values) > _SHORT_SCALE
    short = "" if known else "The scale is taken to run from 0 to 100. If it does not, say so: --scale 1 5."
    return " ".join(filter(None, (short, said_of(LEVELS, level))))


def _check_together(
    values: Sequence[float] | None, law: Law, history: Path | None, vendor: str | None, ratings: Path | None,
    criterion: str | None, where: Sequence[str] | None, width: float | None, spread: float | None,
    segments: Path | None, tables: PrintedTable | None, plot: Path | None,
) -> None:  # fmt: skip
    """Options that would go unused are said, not ignored; something must be asked for."""
    check_plot(plot)
    alone = "and takes no scores beside it"
    for unused, sentence in (
        (
            not (values or ratings or history or segments or tables),
            "Give at least one score, --ratings, earlier evaluations with --history, or --tables t or k.",
        ),
        (vendor and not history, "--vendor chooses rows of --history: give the history too."),
        (criterion and not ratings, "--criterion chooses among the criteria of --ratings: give the ratings too."),
        (where and not ratings, "--where chooses rows of --ratings: give the ratings too."),
        (
            spread is not None and width is None and not history,
            "--spread helps --width and --history: give --width or --history too.",
        ),
        (law is Law.UNKNOWN and len(values or ()) > 1, "--law is for one score; two and more use Student's t."),
        (tables and values, f"--tables prints a table {alone}."),
        (segments and values, f"--segments reads a file of segment scores {alone}."),
        (ratings and values, f"--ratings reads a file of ratings {alone}."),
    ):
        if unused:
            raise OptionError(sentence)


def _print_score(
    result: Score,
    law: Law,
    good: Direction,
    width: float | None,
    spread: float | None,
    plot: Path | None,
    form: Form,
    advice: Sequence[str],
) -> None:
    alone = result.prior and result.n > 1 and result.values[0] != result.prior.value
    first = _first_alone(result, law, good) if alone else None
    data = result.to_dict() | {"first_score_alone": first.to_dict() if first else None}
    if width is not None:
        data["scores_needed"] = _needed(result, width, spread)
    told = [*advice, *([draw_score(plot, result, first)] if plot else ())]
    opening = [f"{score_sentence(result)}."]
    lines = [*_lines(result, first, width, spread), *told]
    if result.are_equal and form is Form.TEXT:
        # The opening has said all that a table without an interval could say.
        emit([], data, form, lines=[*lines, f"Signature: {result.signature}"], opening=opening)
    else:
        emit(_tables(result), data, form, lines=lines, opening=opening)


def _prior(value: float | None, fixed: str | None, measured: str | None, past: History | None) -> Prior | None:
    if value is not None and past is not None:
        raise OptionError("--prior and --history both give a prior. Use one of them.")
    when, day = _day(fixed, "--prior-fixed"), _day(measured, "--measured")
    if past is not None:
        return past.prior(before=day, fixed=when)
    return None if value is None else Prior(value=value, fixed=when, measured=day)


def _day(text: str | None, option: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise OptionError(f"{option} {text}: write the day as 2026-01-31.") from None


def _first_alone(result: Score, law: Law, good: Direction) -> Score:
    """The first score by itself: what the further scores have gained."""
    levels = tuple(interval.raw.level for interval in result.intervals if interval.raw.level >= 0.5) or (0.8,)
    threshold = result.decision.threshold if result.decision else None
    return score_of(
        result.values[:1], prior=result.prior, threshold=threshold, confidence=levels, scale=result.scale, law=law,
        direction=good,
    )  # fmt: skip


def _tables(result: Score) -> list[Table]:
    decisions: Sequence[object] = result.decisions or [None] * len(result.intervals)
    rows: list[dict[str, Cell]] = []
    for interval, decision in zip(result.intervals, decisions, strict=True):
        half = nan if interval.is_lopsided else interval.half_width  # The mean is not in the middle then.
        rows.append({
            "level": interval.raw.level, "centre": interval.centre, "half_width": half,
            "width": 2 * interval.half_width, "low": interval.raw.low, "high": interval.raw.high,
            "clipped_low": interval.clipped.low, "clipped_high": interval.clipped.high,
            "relative": nan if interval.is_lopsided else 100 * interval.relative, "factor": interval.factor,
            "verdict": str(getattr(decision, "verdict", "")) or None,
        })  # fmt: skip
    normal = "interval=paper" in result.signature and result.n > LARGEST_SMALL_SAMPLE
    factor = "k" if result.n == 1 else "z" if normal else "t"
    columns = [
        Column("level", "confidence"), Column("centre", "mean" if result.n > 1 else "centre", 2),
        Column("half_width", "±", 2), Column("width", "width", 2), Column("low", "low", 2), Column("high", "high", 2),
        Column("clipped_low", "low on scale", 2), Column("clipped_high", "high on scale", 2),
        Column("relative", "± % of centre", 2), Column("factor", factor),
    ]  # fmt: skip
    if result.decisions:
        columns.append(Column("verdict", "verdict"))
    title = f"{result.n} score{'s' * (result.n > 1)}: {', '.join(f'{value:g}' for value in result.values[:8])}"
    title += " ..." if result.n > 8 else ""
    return [Table(title, columns, rows, (result.intervals[0].raw.method, result.signature))]


def _lines(result: Score, first: Score | None, width: float | None, spread: float | None) -> list[str]:
    lines = [f"Prior {steady(result.prior.value):.2f}: {result.prior.words}."] if result.prior else []
    if len(result.decisions) > 1:
        lines += [f"{decision}." for decision in result.decisions]
    elif result.decision:
        # The answer opens with the verdict, and with why if the scores are equal; how probable it is stands here.
        why = ("" if result.are_equal else result.decision.reason, result.decision.probability)
        lines += [f"{said[:1].upper()}{said[1:]}." for said in why if said]
    if result.shrunk:
        ends = result.history_interval()
        lines.append(
            f"Drawn towards {result.shrunk.earlier} earlier works: {steady(result.shrunk.centre):.2f} "
            f"({ends.level_words} "
            f"{steady(ends.low):.2f} to {steady(ends.high):.2f}; {ends.method}; a score errs by about "
            f"{steady(result.shrunk.within):.1f}, "
            f"true values differ by about {steady(result.shrunk.between):.1f})."
        )
    if result.deviation > 0:
        lines.append(f"Standard deviation of the scores (n - 1): {steady(result.deviation):.4f}.")
    if result.ratio and not result.are_equal:
        lines.append(f"Agreement as a ratio: {result.ratio}.")
    if first:
        was, now = first.intervals[0], result.intervals[0]
        both = "both" if result.n == 2 else f"all {result.n}"
        wide = f"{steady(2 * now.half_width):.2f} wide" if now.is_lopsided else f"± {steady(now.half_width):.2f}"
        reach = "show no spread" if result.are_equal else f"give {wide}"
        lines.append(
            f"The first score alone gave ± {steady(was.half_width):.2f} ({was.raw.level_words}); {both} {reach}."
        )
        if first.decision and result.decision and first.decision.verdict != result.decision.verdict:
            lines.append(f"The verdict went from {first.decision.verdict} to {result.decision.verdict}.")
    lines += [] if result.are_equal else [f"{gain}." for gain in result.gains]
    if width is not None:
        lines.append(
            f"For the {result.intervals[0].raw.level_words} to be {width:g} wide, {_needed(result, width, spread)} "
            "scores are needed in all, if they spread alike."
        )
    return [*lines, *([FURTHER, *result.cautions[1:]] if result.are_equal else result.cautions)]


def _needed(result: Score, width: float, spread: float | None) -> int:
    return scores_needed(width, result.deviation if spread is None else spread, result.intervals[0].raw.level)


def _print_table(kind: PrintedTable, form: Form) -> None:
    if kind is PrintedTable.T:
        columns = [Column("df", "df"), *(Column(f"{tail:g}", f"{tail:g}") for tail in T_TAILS)]
        rows: list[dict[str, Cell]] = [
            {
                "df": "∞" if row.freedom == inf else str(int(row.freedom)),
                **{f"{tail:g}": value for tail, value in zip(T_TAILS, row.values, strict=True)},
            }
            for row in t_table()
        ]
        both = ", ".join(f"{1 - 2 * tail:g}" for tail in T_TAILS)
        notes = ("Degrees of freedom are scores - 1.", f"Confidence of a two-sided interval by column: {both}.")
        table = Table("Critical values of Student's t by upper tail probability", columns, rows, notes)
    else:
        rows = [{"alpha": row.alpha, "normal": row.normal, "unknown": row.unknown} for row in k_table()]
        columns = [
            Column("alpha", "alpha"),
            Column("normal", "k, normal distribution"),
            Column("unknown", "k, unknown distribution"),
        ]
        note = "The unknown distribution is any symmetric one with a single peak."
        table = Table("Factor k of the ARF interval by error probability", columns, rows, (note,))
    emit([table], {"table": str(kind), "rows": table.rows}, form)


def _print_history(past: History, threshold: float | None, plot: Path | None, form: Form) -> None:
    rows: list[dict[str, Cell]] = []
    for record in past.records(threshold):
        made = record.evaluation
        rows.append({
            "date": str(made.day) if made.day else None, "score": made.score, "prior": record.prior,
            "verdict": None if record.passed is None else "PASS" if record.passed else "FAIL", "words": made.words,
            "reviewer": made.reviewer or None, "specification": made.specification or None,
            "content": made.content or None, "language_pair": made.language_pair or None,
            "flags": "; ".join(record.flags) or None,
        })  # fmt: skip
    heads = {
        "date": "date", "score": "score", "prior": "mean before", "verdict": "verdict", "words": "words",
        "reviewer": "reviewer", "specification": "specification", "content": "content",
        "language_pair": "languages", "flags": "flags",
    }  # fmt: skip
    columns = [Column(key, head, 2) for key, head in heads.items() if any(row[key] is not None for row in rows)]
    table = Table(f"History of {len(rows)} evaluations", columns, rows, (f"Source: {past.source}.",))
    guess = past.prior()
    lines = [*_noted(past), f"Prior for the next score: {steady(guess.value):.2f}, the {guess.words}."]
    data: dict[str, object] = {"evaluations": rows, "prior": guess.to_dict(), "notes": list(past.notes)}
    if threshold is not None:
        share, fails, n = past.fail_share(threshold), past.fails(threshold), len(past.counted)
        kind = past.classification(threshold)
        lines.append(
            f"{fails} of {n} evaluations fail: share of FAILs {steady(share.low):.2f} to {steady(share.high):.2f}, "
            f"{100 * share.level:.4g}% interval ({share.method})."
        )
        data |= {"classification": kind, "fails": fails, "fail_share": share.to_dict()}
    lines.append("Flagged evaluations still count: take one out only for a cause you name in the column 'exclude'.")
    lines += [draw_history(plot, past, threshold)] if plot else []
    signed = _signed_history(past, threshold)
    data["signature"] = signed
    lines.append(f"Signature: {signed}")
    emit([table], data, form, lines=lines, opening=[f"{history_sentence(past, threshold)}."])


def _signed_history(past: History, threshold: float | None) -> str:
    cells = [(str(made.day or ""), f"{made.score:.12g}") for made in past.counted]
    return signature("score history", threshold=threshold, evaluations=len(cells), scores=hashed_cells(cells))


def _print_sampling(
    path: Path, level: float, seed: int, threshold: float | None, plot: Path | None, form: Form
) -> None:
    import numpy as np

    scores, ratings = segment_scores_of(path)
    passing = nan if threshold is None else threshold
    sets = sample_segment_sets(scores, np.random.default_rng(seed), level=level, threshold=passing)
    rows: list[dict[str, Cell]] = [
        {"segments": s.segments, "mean": s.mean, "low": s.low, "high": s.high, "width": s.width, "below": s.below}
        for s in sets
    ]
    columns = [Column("segments", "segments"), *(Column(key, key, 2) for key in ("mean", "low", "high", "width"))]
    columns += [] if threshold is None else [Column("below", f"sets below {threshold:g}")]
    note = f"Sampling {len(scores)} segments with replacement, central {level:.4g} of the means, seed {seed}."
    table = Table("How the interval of the mean shrinks with the number of segments", columns, rows, (note,))
    lines = ["Segments of one document are alike: sets of whole documents scatter more than this."]
    if ratings > len(scores):
        lines.insert(0, f"{ratings:,} ratings of {len(scores):,} segments: the score of a segment is their mean.")
    if len(scores) < _ENOUGH_SEGMENTS:
        lines.append(
            f"{len(scores)} segments are few to draw from: their own spread is uncertain, so the intervals are too "
            "narrow. At least 100 segments are advised, better 200."
        )
    lines += [draw_sampling(plot, sets, level)] if plot else []
    emit([table], {"sets": rows, "level": level, "seed": seed, "segments": len(scores)}, form, lines=lines)
