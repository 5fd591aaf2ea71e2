"""MQM from Python: scores from lists of errors, arbitration, calibrated scores, and few errors in few words."""

import os
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

from accord.errors import OptionError
from accord.functions.answer import Answer
from accord.functions.mqm_files import Judged, Source, judged
from accord.functions.mqm_words import SCORE_UNIT, differences_table, mqm_opening, score_tables, table_of
from accord.functions.named_file import named_file
from accord.inference.interval import Interval
from accord.ratings.fingerprint import hashed_cells
from accord.reading import ratings_file
from accord.reliability.units import FEWEST_DOCUMENTS
from accord.scoring.calibrated import CalibratedScore, calibrated_score
from accord.scoring.error_rates import ERRORS, POINTS, Variation, error_rate, operating_curve, sampling_plan
from accord.scoring.mqm import MqmError, SegmentMqm, arbitrated, mqm_segments, mqm_systems, repeated_errors
from accord.scoring.mqm_differences import MqmDifferences, mqm_differences
from accord.scoring.mqm_means import grouped, system_intervals
from accord.scoring.mqm_raters import WhoCounts
from accord.scoring.mqm_reviewers import critical_errors, critical_words, reviewers_apart
from accord.scoring.signature import signature
from accord.tables.table import Cell, Table
from accord.words import set_by

__all__ = ["mqm"]

Number = TypeVar("Number", int, float)


def mqm(
    errors: str | os.PathLike[str] | None = None,
    *,
    ratings: str | os.PathLike[str] | None = None,
    criterion: str | None = None,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    limit: int | None = None,
    segments: bool = False,
    leave_out: Sequence[str] = (),
    keep_all: bool = False,
    where: Sequence[str] = (),
    pool: Sequence[str] = (),
    words: int | None = None,
    points: float | Sequence[float] | None = None,
    criticals: int = 0,
    passing: float | None = None,
    acceptable: float | None = None,
    count: int | Sequence[int] | None = None,
    reviewers: Sequence[str] = (),
    dispersion: float | None = None,
    reviewer_spread: float = ERRORS.severity,
    bad: float | None = None,
    confidence: float = 0.95,
) -> Answer:
    """Score lists of MQM errors, or judge a sample by its points or its few errors.

    Parameters
    ----------
    errors
        File with one row per error, of any tool that lists MQM errors (Google MQM, Marot, Appraise), or ratings whose
        values are penalties.
    ratings, criterion
        Ratings of the same study (segments that have no error), and their criterion.
    format, columns
        Format of the file of errors, recognised if not given; and which column of a plain table is which, such as
        ``{"category": "Error type"}``.
    limit, segments
        Count at most so many errors per segment; list the score of each item and rater too.
    leave_out, keep_all
        Raters to leave out besides those whom a gate, a rule or the organiser leaves out; or keep those too.
    where, pool
        Use only these rows, each as ``"COLUMN=NAME"``; columns, such as phase, whose parts are one judgement, so that
        the errors of a segment add up over them.
    words, points, criticals, passing, acceptable
        Size and penalty points of a sample, for the calibrated score; one critical error is enough to fail.
    count, bad, confidence
        Number of errors in a small sample, once for each reviewer; the rate that must be caught; confidence.
    reviewers, dispersion, reviewer_spread
        Names of the reviewers, variance over mean of counts of documents, and spread of the reviewers' log rates.

    Returns
    -------
    Answer
        Systems and raters where there is a file; sentences for a sample.

    Examples
    --------
    >>> import accord
    >>> print(accord.mqm("mqm-errors.csv").tables()[0].title)
    MQM scores of systems
    """
    tables, lines, data = list[Table](), list[str](), dict[str, Any]()
    given = _Given(errors, ratings, criterion, format, columns or {}, leave_out, keep_all, where, pool)
    found = _score_given(given, limit, segments, confidence, tables, lines, data)
    if given_points := _several(points):
        variation = _variation(POINTS, dispersion, reviewer_spread)
        made = _calibrated(given_points, words, passing, acceptable, criticals, confidence, reviewers, variation)
        lines.append(f"{made}.")
        data["calibrated"] = made.to_dict()
    variation, counts = _variation(ERRORS, dispersion, reviewer_spread), _several(count)
    if criticals and not (counts or given_points):
        raise OptionError(f"{set_by('criticals')} are of a sample: give {set_by('count')} or {set_by('points')} too.")
    if counts:
        _judge_count(counts, criticals, reviewers, words, acceptable, confidence, variation, tables, lines, data)
    if bad is not None:
        lines.append(_planned(acceptable, bad, variation))
    if sampled := bool(counts or given_points or bad is not None):
        lines.append(_assumed(documents=dispersion is None, reviewers=reviewer_spread == ERRORS.severity))
    if not (tables or lines):
        raise OptionError(f"Give a file of ERRORS, or {set_by('points')}, {set_by('count')} or {set_by('bad')}.")
    asked: dict[str, object] = {"criterion": criterion, "format": format, "limit": limit, "words": words}
    asked |= {"points": given_points or None, "count": counts or None, "criticals": criticals or None, "bad": bad}
    asked |= {"passing": passing, "acceptable": acceptable, "dispersion": dispersion, "level": confidence}
    asked |= {"reviewer_spread": reviewer_spread if sampled else None, "errors": data.get("fingerprint")}
    asked |= {"where": tuple(where) or None, "pool": tuple(pool) or None}
    return _signed(asked, tables, lines, data, found)


def _signed(
    asked: Mapping[str, object],
    tables: Sequence[Table],
    lines: Sequence[str],
    data: Mapping[str, Any],
    found: "_Found",
) -> Answer:
    """The answer, with what computes it again as its last line."""
    signed = signature("mqm", **asked)
    rows = [{**row, "level": asked["level"]} for row in data.get("systems", ())]
    read = found.read
    told = (*mqm_opening(rows, found.differences), *read.averaged_over, *data.get("warnings", ()))
    opening, rest = (told, lines) if told else (tuple(lines[:1]), lines[1:])
    told_all = {**data, "notes": [*read.averaged_over, *lines], "signature": signed}
    if rows:
        told_all["sanity"] = [remark.to_dict() for remark in read.remarks]
    words = (*rest, f"Signature: {signed}")
    return Answer(tuple(tables), words, told_all, opening=opening, remarks=read.remarks)


def _several(given: Number | Sequence[Number] | None) -> list[Number]:
    if given is None:
        return []
    return list(given) if isinstance(given, Sequence) else [given]


def _variation(usual: Variation, dispersion: float | None, severity: float) -> Variation:
    return Variation(dispersion=usual.dispersion if dispersion is None else dispersion, severity=severity)


def _assumed(*, documents: bool, reviewers: bool) -> str:
    """Which of the two variations nobody gave, and where it is taken from."""
    usual = [
        (word, option)
        for word, option, missing in (
            ("documents", "--dispersion", documents),
            ("reviewers", "--reviewer-spread", reviewers),
        )
        if missing
    ]
    if not usual:
        return "How much documents and reviewers vary is as given."
    words, options = (" and ".join(parts) for parts in zip(*usual, strict=True))
    return (
        f"How much {words} vary is taken from professional reviewers of WMT23 (English-German), not from this sample; "
        f"{options} {'say' if len(usual) > 1 else 'says'} what you know."
    )


class _Found(NamedTuple):
    """Which systems differ, and what was read."""

    differences: MqmDifferences
    read: Judged = Judged(errors=None)


class _Given(NamedTuple):
    """Files or study folders as the user names them, how they are read, and who and what is to count."""

    errors: str | os.PathLike[str] | None
    ratings: str | os.PathLike[str] | None
    criterion: str | None
    format: str | None
    columns: Mapping[str, str]
    leave_out: Sequence[str]
    keep_all: bool
    where: Sequence[str]
    pool: Sequence[str]


def _score_given(
    given: _Given,
    limit: int | None,
    each: bool,
    level: float,
    tables: list[Table],
    lines: list[str],
    data: dict[str, Any],
) -> _Found:
    paths = [None if one is None else named_file(one, "mqm") for one in (given.errors, given.ratings)]
    if paths[0] is None and not (given.leave_out or given.keep_all or given.where or given.pool):
        return _Found(MqmDifferences(None))
    if paths[0] is None:
        options = "--leave-out, --keep-all, --where and --pool"
        raise OptionError(f"{options} are for a file of ERRORS: numbers of a sample name no rater.")
    with ratings_file(paths[0]) as file, ratings_file(paths[1] or paths[0]) as beside:
        files = file, beside if paths[1] else None
        who = WhoCounts.of(files, given.leave_out, given.keep_all)
        lines += who.notes
        found = judged(
            Source(*files, paths[0], given.criterion, given.format, given.columns, who, given.where, given.pool), limit
        )
        return _Found(_scored(found, limit, each, level, tables, lines, data), found)


def _scored(
    found: Judged,
    limit: int | None,
    each: bool,
    level: float,
    tables: list[Table],
    lines: list[str],
    data: dict[str, Any],
) -> MqmDifferences:
    lines += found.before
    if found.errors is not None:
        differences = _score_errors(found.errors, limit, each, level, tables, lines, data)
    else:
        note = f"{SCORE_UNIT}, with the weights of their study."
        differences = _score_segments(found.segments, note, each, level, tables, lines, data)
        cells = [
            (one.item, one.rater, one.system, one.document, f"{one.score:.12g}", *(name for _, name in one.part))
            for one in found.segments
        ]
        data |= {"limit": None, "fingerprint": hashed_cells(cells)}
    lines += found.after
    return differences


_ALIKE = ("No interval where all scores of a system are equal: they say nothing about the spread.",)
_NO_INTERVAL = f"which takes {FEWEST_DOCUMENTS} documents (or items) at least"


def _score_segments(
    scores: Sequence[SegmentMqm],
    note: str,
    each: bool,
    level: float,
    tables: list[Table],
    lines: list[str],
    data: dict[str, Any],
) -> MqmDifferences:
    by_system, by_rater = grouped(scores, "system"), grouped(scores, "rater")
    ends = system_intervals(scores, level)
    systems: list[dict[str, Cell]] = [
        {
            "system": name or "all",
            "score": value,
            **_ends(ends[name]),
            "items": len({s.item for s in by_system[name]}),
            "raters": len({s.rater for s in by_system[name]}),
            **_errors(by_system[name]),
        }
        for name, value in mqm_systems(scores).items()
    ]
    said = next((end.method for end in ends.values() if end), _NO_INTERVAL)
    where = "low, high" if len(systems) > 1 else "The interval of the score"
    notes = (note, f"{where}: {100 * level:.4g}% interval, {said}.", *(_ALIKE if _has_alike(by_system) else ()))
    raters: list[dict[str, Cell]] = []
    for rater, own in sorted(by_rater.items()):
        ends_of = system_intervals(_alone(rater, own), level)[rater]
        items = len({(one.system, one.item) for one in own})
        raters.append(
            {"rater": rater, "score": fmean(s.score for s in own), **_ends(ends_of), "items": items, **_errors(own)}
        )
    tables += score_tables(systems, raters, notes)
    if len(systems) == 1:
        lines += notes if len(raters) == 1 else notes[1:]
    if each:
        rows: list[dict[str, Cell]] = [
            {"item": s.item, "rater": s.rater, "system": s.system, **dict(s.part), "score": s.score, **_errors([s])}
            for s in scores
        ]
        tables.append(table_of("MQM scores of items", rows, ()))
        data["items"] = rows
    data |= {"systems": systems, "raters": raters}
    differences = mqm_differences(scores, level)
    if differences.ranking:
        tables.append(differences_table(differences.ranking))
        lines += differences.cautions
        data["pairs"] = differences.ranking.to_dict()["pairs"]
    return differences


def _alone(rater: str, own: Sequence[SegmentMqm]) -> list[SegmentMqm]:
    """The scores of one rater as those of one system: two systems of one source are two segments for a rater."""
    return [SegmentMqm(f"{s.system}|{s.item}", rater, rater, s.document, s.score, s.errors, s.segment) for s in own]


def _has_alike(by_system: Mapping[str, Sequence[SegmentMqm]]) -> bool:
    return any(len(own) > 1 and len({one.score for one in own}) == 1 for own in by_system.values())


def _ends(interval: Interval | None) -> dict[str, Cell]:
    return {"low": interval.low if interval else None, "high": interval.high if interval else None}


def _errors(scores: Sequence[SegmentMqm]) -> dict[str, Cell]:
    """The number of errors, where they were counted."""
    counted = [s.errors for s in scores if s.errors is not None]
    return {"errors": sum(counted)} if counted else {}


def _score_errors(
    found: tuple[MqmError, ...],
    limit: int | None,
    each: bool,
    level: float,
    tables: list[Table],
    lines: list[str],
    data: dict[str, Any],
) -> MqmDifferences:
    scores = mqm_segments(found, limit=limit)
    weights = "Critical 25, Major 5, Minor 1, Neutral 0, Non-translation 25, Minor Fluency/Punctuation 0.1"
    note = f"{SCORE_UNIT}. {weights}."
    differences = _score_segments(scores, note, each, level, tables, lines, data)
    _warn(found, scores, level, data)
    data |= {"limit": limit, "fingerprint": hashed_cells([_cells(error) for error in found])}
    if any(error.ruling for error in found):
        rulings: list[dict[str, Cell]] = [
            {
                "reviewer": a.reviewer,
                "errors": a.errors,
                "accepted": a.accepted,
                "rejected": a.rejected,
                "downgraded": a.downgraded,
                "before": a.before,
                "after": a.after,
                "overturned": a.overturned,
            }
            for a in arbitrated(found)
        ]
        tables.append(table_of("Arbitration: penalty points before and after", rulings, ()))
        data["arbitration"] = rulings
    long = sum((s.errors or 0) > 5 for s in scores)
    if limit is None and long:
        lines.append(
            f"{long:,} of {len(scores):,} segment scores have more than five errors, and all of them count; "
            "--limit 5 keeps the heaviest five."
        )
    for error, times in repeated_errors(found):
        what = f"counted {error.category}" if error.category else "marked an error"
        lines.append(f"{error.rater} {what} on {error.text!r} {times} times; count it once.")
    return differences


def _warn(found: Sequence[MqmError], scores: Sequence[SegmentMqm], level: float, data: dict[str, Any]) -> None:
    """Critical errors and reviewers far apart, which no mean shows."""
    criticals, apart = critical_errors(found), reviewers_apart(scores, level)
    data["critical_errors"] = [{"rater": one.rater, "item": one.item, "system": one.system} for one in criticals]
    data["reviewers_apart"] = apart.to_dict() if apart else None
    data["warnings"] = [told for told in (critical_words(criticals), str(apart or "")) if told]


def _cells(error: MqmError) -> tuple[str, ...]:
    """All that a score or a ruling depends on."""
    return (
        error.item,
        error.rater,
        error.system,
        error.document,
        error.category,
        error.severity,
        error.text,
        error.ruling or "",
        error.downgraded_to if error.ruling else "",
        *(name for _, name in error.part),
    )


def _planned(acceptable: float | None, bad: float, variation: Variation) -> str:
    if acceptable is None:
        raise OptionError(
            f"How many words to evaluate depends on {set_by('acceptable')} and {set_by('bad')} together. Give both."
        )
    return f"{sampling_plan(acceptable, bad, variation=variation)}."


def _calibrated(
    points: Sequence[float],
    words: int | None,
    passing: float | None,
    acceptable: float | None,
    criticals: int,
    level: float,
    reviewers: Sequence[str],
    variation: Variation,
) -> CalibratedScore:
    if words is None or passing is None or acceptable is None:
        raise OptionError("A calibrated score needs --points, --words, --passing and --acceptable.")
    return calibrated_score(
        points,
        words,
        passing=passing,
        acceptable=acceptable,
        criticals=criticals,
        level=level,
        reviewers=reviewers,
        variation=variation,
    )


def _judge_count(
    count: Sequence[int],
    criticals: int,
    reviewers: Sequence[str],
    words: int | None,
    acceptable: float | None,
    level: float,
    variation: Variation,
    tables: list[Table],
    lines: list[str],
    data: dict[str, Any],
) -> None:
    if words is None:
        raise OptionError(f"A number of errors needs the number of words it was found in: {set_by('words')}.")
    rate = error_rate(
        count, words, level=level, acceptable=acceptable, criticals=criticals, reviewers=reviewers, variation=variation
    )
    lines.append(f"{rate}.")
    data["error_rate"] = rate.to_dict()
    # A critical error decides alone: how probable each verdict is by the rate has no part in it.
    if acceptable is None or criticals:
        return
    rows: list[dict[str, Cell]] = [
        {"rate": p.rate, "PASS": p.passes, "UNDECIDED": p.undecided, "FAIL": p.fails}
        for p in operating_curve(words, acceptable, level=level, reviewers=len(count), variation=variation)
    ]
    data["operating_curve"] = rows
    who = "one reviewer" if len(count) == 1 else f"{len(count)} reviewers"
    if not any(row["PASS"] for row in rows):
        lines.append(f"With {who} {words:,} words can never pass against {acceptable:g}, not even without an error.")
        return
    title = f"Operating curve: probability of each verdict by the errors per 1,000 words ({words:,} words, {who})"
    tables.append(table_of(title, rows, ()))
