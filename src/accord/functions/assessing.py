"""Direct assessment from Python: from quality control of raters to system scores."""

from math import isnan

import numpy as np

from accord.errors import AccordError
from accord.functions.answer import Answer, notes_in_words
from accord.ratings.checks import require_ratings
from accord.ratings.sanity import sanity
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.scoring.assessment import DirectAssessment, direct_assessment
from accord.scoring.ranking.rank import rank
from accord.scoring.ranking.result import Ranking
from accord.scoring.rater_gate import Outcome
from accord.sentences import Sentence, said_of
from accord.tables.table import Cell, Column, Table
from accord.words import counted, listed, steady

__all__ = ["ASSESSED", "da"]


def da(
    ratings: Ratings | StoredRatings,
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
    ratings = require_ratings(ratings, "da")
    result = direct_assessment(
        ratings, np.random.default_rng(seed), alpha=alpha, fastest=fastest, longest_run=longest_run, minimum=minimum,
        keep_all=keep_all, as_is=as_is, seed=seed, unique=unique, sample=sample, started=started,
        rejections=rejections, halvings=halvings,
    )  # fmt: skip
    ranking = _ranking(ratings, result, standardise=not as_is)
    tables = (_systems(result, ranking), _raters(result))
    pairs = ranking.to_dict()["pairs"] if ranking else []
    remarks = sanity(ratings)
    first = [remark.to_dict() for remark in remarks]
    data = {**result.to_dict(), "pairs": pairs, "notes": list(ratings.notes), "sanity": first}
    words = (*_sentences(result), *notes_in_words(ratings.notes))
    return Answer(tables, words, data, result, opening=(_opening(result, ranking),), remarks=remarks)


def _ranking(ratings: Ratings, result: DirectAssessment, *, standardise: bool) -> Ranking | None:
    """Which systems differ, by the raters of the table; None where they cannot be compared."""
    counts = set(result.counting)
    codes = [code for code, name in enumerate(ratings.rater.names) if name in counts]
    try:
        return rank(ratings.where(np.isin(ratings.rater.codes, codes)), standardise=standardise)
    except AccordError:
        return None


def _opening(result: DirectAssessment, ranking: Ranking | None) -> str:
    """Which systems differ where that could be tested, else who stands first; and whom the scores rest on."""
    if ranking is None:
        return said_of(ASSESSED, result)
    return f"{ranking.sentence()} {ranking.closing()}".rstrip() + f" {resting(result)}."


_NAMED = 4
"""So many raters who were left out are named in the first sentence."""


def resting(result: DirectAssessment) -> str:
    """How many raters the scores rest on, and who was left out."""
    out = [gate.rater for gate in result.raters if gate.rater not in result.counting]
    without = f" (without {listed(out)})" if 0 < len(out) <= _NAMED else ""
    return f"Scores rest on {len(result.counting)} of {counted(len(result.raters), 'rater')}{without}"


def _ends(result: DirectAssessment, most: str, least: str) -> str:
    first, last = result.systems[0], result.systems[-1]
    return (
        f"{first.system} has the {most} mean z ({steady(first.z):.2f}), {last.system} the {least} "
        f"({steady(last.z):.2f})"
    )


_WHETHER = "Whether they differ: accord rank --standardise."

# A table should look like one.
# fmt: off
ASSESSED: tuple[Sentence[DirectAssessment], ...] = (
    Sentence("no_system", lambda seen: not seen.systems, lambda seen: f"{resting(seen)}; no system has a score."),
    Sentence("one_system", lambda seen: len(seen.systems) == 1,
             lambda seen: f"{seen.systems[0].system} has a mean z of {steady(seen.systems[0].z):.2f} (raw "
                          f"{steady(seen.systems[0].raw):.1f}). {resting(seen)}."),
    Sentence("high_is_good", lambda seen: seen.systems[0].z >= seen.systems[-1].z,
             lambda seen: f"{_ends(seen, 'highest', 'lowest')}. {resting(seen)}. {_WHETHER}"),
    Sentence("low_is_good", lambda seen: seen.systems[0].z < seen.systems[-1].z,
             lambda seen: f"{_ends(seen, 'lowest', 'highest')}; low scores are good here. {resting(seen)}. "
                          f"{_WHETHER}"),
)
# fmt: on
"""Who stands first, and how many raters the scores rest on; what differs is for accord rank to say."""


def _systems(result: DirectAssessment, ranking: Ranking | None) -> Table:
    rows: list[dict[str, Cell]] = [
        {"system": s.system, "z": s.z, "raw": s.raw, "segments": s.segments, "ratings": s.ratings}
        for s in result.systems
    ]
    heads = {"system": "system", "z": "mean z", "raw": "mean score", "segments": "segments", "ratings": "ratings"}
    tested = (
        (f"Differences are those of accord rank --standardise, control items left out: {ranking.method}.",)
        if ranking
        else ()
    )
    notes = ("Mean of segment means.", *tested, result.signature)
    return Table("Direct assessment of systems", [Column(key, head) for key, head in heads.items()], rows, notes)


def _raters(result: DirectAssessment) -> Table:
    rows: list[dict[str, Cell]] = [
        {"rater": g.rater, "kept": str(g.outcome), "power": g.power, "pairs": g.pairs,
         "difference": g.difference, "p": g.p,
         "repeat": g.repeat_difference, "deviation": g.deviation, "flags": "; ".join(g.flags) or None}
        for g in result.raters
    ]  # fmt: skip
    heads = {
        "rater": "rater", "kept": "gate", "pairs": "degraded pairs", "power": "power",
        "difference": "degraded - original", "p": "p", "repeat": "|repeat - original|",
        "deviation": "sd", "flags": "flags",
    }  # fmt: skip
    return Table("Raters against their own scores", [Column(key, head) for key, head in heads.items()], rows)


def _sentences(result: DirectAssessment) -> list[str]:
    count = {outcome: sum(gate.outcome is outcome for gate in result.raters) for outcome in Outcome}
    flagged = sum(bool(gate.flags) for gate in result.raters)
    lines = [
        f"Quality control of {counted(len(result.raters), 'rater')}: {count[Outcome.PASSED]} passed, "
        f"{count[Outcome.FAILED]} failed, {count[Outcome.CANNOT_TELL]} cannot be judged; {flagged} flagged."
    ]
    power = sorted(gate.power for gate in result.raters if not isnan(gate.power))
    if power:
        lines.append(
            f"Power of the gate: a usual rater passes it with probability {steady(power[len(power) // 2]):.2f} "
            f"(median over raters; {steady(power[0]):.2f} with the fewest pairs)."
        )
    if r := result.replication:
        several = f"middle 95% of {r.halvings} halvings: {steady(r.low):.3f} to {steady(r.high):.3f}"
        lines.append(
            f"Self-replication: two random halves of the raters correlate {steady(r.correlation):.3f} on "
            f"{r.segments:,} segments ({'there is one way to halve them' if isnan(r.low) else several})."
        )
    return [*lines, *result.cautions]
