"""Direct assessment, MQM and pairwise preferences from Python."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from accord.cli import da as da_command
from accord.cli import mqm as mqm_command
from accord.cli import prefer as prefer_command
from accord.functions.answer import Answer
from accord.ratings.table import Ratings
from accord.scoring.assessment import direct_assessment
from accord.scoring.error_rates import ERRORS

Number = TypeVar("Number", int, float)

__all__ = ["da", "mqm", "prefer"]


def da(
    ratings: Ratings,
    *,
    alpha: float = 0.05,
    fastest: float = 300,
    longest_run: int = 8,
    minimum: int = 15,
    unique: bool = False,
    sample: int | None = None,
    started: str | None = None,
    rejections: str | None = None,
    halvings: int = 100,
    keep_all: bool = False,
    as_is: bool = False,
    seed: int = 1,
) -> Answer:
    """Direct assessment: check raters against their own scores, standardise, and average by segment and system.

    Parameters
    ----------
    ratings
        Ratings with the columns ``system`` and ``role``.
    alpha
        Level of the test that degraded items score lower than their originals.
    fastest, longest_run
        Flag a task done in fewer seconds, and one score given more often in a row.
    minimum
        Ratings that a segment needs for a score of its own.
    unique, sample
        Count a rater once for each segment; draw so many ratings of each segment.
    started, rejections
        Columns with the time a task was begun, and with the number of earlier rejections.
    halvings
        Random halvings of the raters for self-replication.
    keep_all, as_is
        Count raters who fail too; take the scores for z-scores already.
    seed
        Seed of whatever is drawn at random.

    Returns
    -------
    Answer
        Systems, then raters; ``result`` is the :class:`~accord.scoring.assessment.DirectAssessment`.

    Examples
    --------
    >>> import accord
    >>> answer = accord.da(accord.read("direct-assessment.csv", direction="high"), minimum=1)
    >>> answer.to_frame("pandas").columns.tolist()
    ['system', 'z', 'raw', 'segments', 'ratings']
    """
    result = direct_assessment(
        ratings, np.random.default_rng(seed), alpha=alpha, fastest=fastest, longest_run=longest_run, minimum=minimum,
        keep_all=keep_all, as_is=as_is, seed=seed, unique=unique, sample=sample, started=started,
        rejections=rejections, halvings=halvings,
    )  # fmt: skip
    tables = (da_command.systems_table(result), da_command.raters_table(result))
    return Answer(tables, tuple(da_command.told(result)), result.to_dict(), result)


def prefer(
    comparisons: str | os.PathLike[str],
    *,
    criterion: str | None = None,
    ranks: bool = False,
    confidence: float = 0.95,
    seed: int = 0,
) -> Answer:
    """Systems by pairwise preferences with ties (Bradley-Terry-Davidson), and circles among them.

    Parameters
    ----------
    comparisons
        File with one row a comparison (first, second, preferred, rater if known), or the ratings of a pairwise study.
    criterion
        Which criterion of a pairwise study, if it asks several.
    ranks
        The values are ranks: 1 is best.
    confidence, seed
        Confidence of the intervals, and seed of what is drawn at random.

    Returns
    -------
    Answer
        Systems, then pairs of systems; ``result`` is the :class:`~accord.scoring.preferences.Preferences`.

    Examples
    --------
    >>> import accord
    >>> answer = accord.prefer("preferences.csv")
    >>> answer.to_frame("pandas").columns.tolist()[:4]
    ['system', 'ability', 'low', 'high']
    """
    tables, data, lines, result = prefer_command.answered(Path(comparisons), criterion, ranks, confidence, seed)
    return Answer(tuple(tables), tuple(lines), data, result)


def mqm(
    errors: str | os.PathLike[str] | None = None,
    *,
    ratings: str | os.PathLike[str] | None = None,
    criterion: str | None = None,
    limit: int | None = None,
    segments: bool = False,
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
        File with one row an error, or ratings whose values are penalties.
    ratings, criterion
        Ratings of the same study (segments that have no error), and their criterion.
    limit, segments
        Count only so many errors a segment; list the score of each item and rater too.
    words, points, criticals, passing, acceptable
        Size and penalty points of a sample, for the calibrated score.
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
    tables, data, lines = mqm_command.answered(
        None if errors is None else Path(errors), None if ratings is None else Path(ratings), criterion=criterion,
        limit=limit, segments=segments, words=words, points=_several(points), criticals=criticals, passing=passing,
        acceptable=acceptable, count=_several(count), reviewer=list(reviewers), dispersion=dispersion,
        reviewer_spread=reviewer_spread, bad=bad, confidence=confidence,
    )  # fmt: skip
    return Answer(tuple(tables), tuple(lines), data)


def _several(given: Number | Sequence[Number] | None) -> list[Number] | None:
    if given is None:
        return None
    return list(given) if isinstance(given, Sequence) else [given]
