"""Rank systems: paired tests by document, Holm over pairs, simultaneous rank intervals and clusters."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import combinations
from math import inf

import numpy as np

from accord.arrays import Floats, Integers, distinct
from accord.design.scale import Direction
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.inference.multiple import Adjustment, adjusted
from accord.ratings.checks import require_ratings
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.plan import member_named
from accord.reliability.units import FEWEST_DOCUMENTS
from accord.scoring.ranking.averages import other_leader, score_words
from accord.scoring.ranking.document_tests import sign_flips
from accord.scoring.ranking.pair_intervals import pair_intervals
from accord.scoring.ranking.paired import Averaging, PairedSystems, compare_pairs
from accord.scoring.ranking.presets import PROCEDURES, Preset, rank_sum, shared_rank_sum, signed_rank
from accord.scoring.ranking.resampling import ResamplingUnit
from accord.scoring.ranking.result import PairTest, RankedSystem, Ranking
from accord.scoring.ranking.score_intervals import ScoreIntervals
from accord.scoring.ranking.segments import SegmentScores, segment_scores
from accord.scoring.signature import signature
from accord.words import counted, steady

__all__ = [
    "FEW_DOCUMENTS",
    "NO_DOCUMENTS",
    "PairTestKind",
    "clusters_by_wins",
    "few_shared",
    "rank",
    "rank_criteria",
    "rank_segments",
]

FEW_DOCUMENTS = 10
_FEW_RATERS = 6
NO_DOCUMENTS = (
    "No document is named, so segments are taken as independent. If they come in documents, differences are "
    "found too often: name the column with --document."
)
_UNEQUAL = 0.3
"""Documents whose lengths have a larger coefficient of variation are unequal."""


class PairTestKind(StrEnum):
    """The test of the preset accord."""

    T = "t"
    PERMUTATION = "permutation"


def rank(
    ratings: Ratings | StoredRatings, *, preset: Preset | str = Preset.ACCORD, system: str = "system",
    document: str = "document", level: float = 0.95, test: PairTestKind | str = PairTestKind.T,
    standardise: bool | None = None, direction: Direction | str | None = None, seed: int = 1,
    resample: ResamplingUnit | str = ResamplingUnit.DOCUMENT, average: Averaging | str | None = None,
) -> Ranking:  # fmt: skip
    """Systems from best to worst, with the ranks each may have; rank 1 is the best.

    Which end of the scale is good is what the ratings say, or ``direction`` (``high``, ``low``). Where neither
    does, the systems are listed in the order of their scores, and no winner and no rank is named.

    The preset ``accord`` compares systems on the segments they share, takes the document as the unit of
    chance, adjusts over all pairs (Holm) and draws rank intervals that hold together with probability
    ``level``. The presets ``wmt17``, ``wmt23`` and ``wmt25`` reproduce the official procedures.
    ``standardise`` replaces scores by z-scores of each rater; a preset has its own answer. ``resample`` says
    whether other documents, other raters or both might have been drawn: what the ranking is about. ``average``
    says what a score is: ``weighted`` (the default), a mean over documents in which long ones count somewhat more;
    ``document``, a mean in which all documents count alike; ``segment``, one in which all segments do (the official
    presets).

    Parameters
    ----------
    ratings
        Ratings with a column that names the system.
    preset, test, standardise, resample, average
        The procedure and its parts, as said above.
    system, document
        Columns that name systems and documents.
    level
        Confidence of the intervals.
    direction
        The good end of the scale, ``high`` or ``low``, where the codebook does not say so itself.
    seed
        Seed of whatever is drawn at random.

    Returns
    -------
    Ranking
        Systems from best to worst; it prints itself.

    Examples
    --------
    >>> import accord
    >>> ranking = accord.rank(accord.read("systems.csv", direction="high"))
    >>> len(ranking.systems) > 1
    True
    """
    ratings = require_ratings(ratings, "rank")
    asked = _Asked.of(preset, level, test, seed, resample, average, standardise)
    return replace(_ranked([_tested(ratings, asked, system, document, direction)])[0], notes=ratings.notes)


def rank_criteria(
    parts: Sequence[Ratings], *, preset: Preset = Preset.ACCORD, system: str = "system", document: str = "document",
    level: float = 0.95, test: PairTestKind = PairTestKind.T, standardise: bool | None = None,
    direction: Direction | str | None = None, seed: int = 1, resample: ResamplingUnit = ResamplingUnit.DOCUMENT,
    average: Averaging | None = None, advance: Callable[[int, int], None] | None = None, whole: Ratings | None = None,
) -> list[Ranking]:  # fmt: skip
    """The rankings of several criteria that are read together: p is adjusted over all their pairs.

    The rank ranges of all criteria hold together with probability ``level``. Official presets adjust nothing.
    ``whole`` are the ratings that the parts come from: the signatures carry their fingerprint, as those of agreement.
    """
    asked = _Asked.of(preset, level, test, seed, resample, average, standardise)
    found = []
    for place, part in enumerate(parts):
        if advance:
            advance(place, len(parts))
        found.append(_tested(part, asked, system, document, direction, whole))
    return [replace(one, notes=part.notes) for one, part in zip(_ranked(found), parts, strict=True)]


def rank_segments(
    data: SegmentScores, *, direction: Direction, preset: Preset = Preset.ACCORD, level: float = 0.95,
    test: PairTestKind = PairTestKind.T, seed: int = 1, resample: ResamplingUnit = ResamplingUnit.DOCUMENT,
    average: Averaging | None = None, standardised: bool = False, fingerprint: str = "",
) -> Ranking:  # fmt: skip
    """The same from scores by system and segment."""
    asked = _Asked.of(preset, level, test, seed, resample, average, standardised)
    return _ranked([_compared(data, asked, direction, fingerprint)])[0]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the user wants of a ranking, checked."""

    preset: Preset
    level: float
    test: PairTestKind
    seed: int
    unit: ResamplingUnit
    average: Averaging
    standardise: bool

    @classmethod
    def of(
        cls, preset: Preset | str, level: float, test: PairTestKind | str, seed: int, resample: ResamplingUnit | str,
        average: Averaging | str | None, standardise: bool | None,
    ) -> "_Asked":  # fmt: skip
        if not 0 < level < 1:
            raise OptionError(
                f"A confidence of {level:g} is not possible. Give a number above 0 and below 1, such as 0.95."
            )
        preset = member_named(Preset, preset, "preset of a ranking")
        test = member_named(PairTestKind, test, "test of pairs of systems")
        unit = member_named(ResamplingUnit, resample, "resampling unit of a ranking")
        _check_unit(preset, test, unit)
        usual = Averaging.WEIGHTED if preset is Preset.ACCORD else Averaging.SEGMENT
        z = PROCEDURES[preset].standardise if standardise is None else standardise
        mean_of = member_named(Averaging, average, "unit that a score is the mean of") if average else usual
        return cls(preset, level, test, seed, unit, mean_of, z)

    @property
    def ours(self) -> bool:
        return self.preset is Preset.ACCORD


@dataclass(frozen=True, slots=True)
class _Compared:
    """Every pair of systems of one criterion with its p-value, before any adjustment."""

    data: SegmentScores
    asked: _Asked
    paired: PairedSystems
    p: Floats
    direction: Direction
    fingerprint: str
    criterion: str = ""


def _tested(
    ratings: Ratings,
    asked: _Asked,
    system: str,
    document: str,
    direction: Direction | str | None,
    whole: Ratings | None = None,
) -> _Compared:
    # Signs are flipped document by document, or segment by segment: by name, not as the rows came.
    drawn = asked.test is PairTestKind.PERMUTATION
    data = segment_scores(
        ratings.by_name(document, "segment") if drawn else ratings,
        system=system,
        document=document,
        standardise=asked.standardise,
        repeats=not asked.ours,
    )
    good = _good_end(ratings, direction)
    if whole is None:
        return _compared(data, asked, good, ratings.fingerprint)
    return replace(_compared(data, asked, good, whole.fingerprint), criterion=_which(ratings, whole))


def _which(part: Ratings, whole: Ratings) -> str:
    """The criterion that is ranked, where the fingerprint is that of several."""
    names = [one.columns["criterion"].compact().names if "criterion" in one.columns else () for one in (part, whole)]
    return names[0][0] if len(names[0]) == 1 < len(names[1]) else ""


def _compared(data: SegmentScores, asked: _Asked, direction: Direction, fingerprint: str) -> _Compared:
    paired = compare_pairs(data, asked.average, asked.unit, -1.0 if direction is Direction.LOW else 1.0)
    _check_paired(paired, asked.unit)
    return _Compared(data, asked, paired, _p_values(data, paired, asked), direction, fingerprint)


def _ranked(found: Sequence[_Compared]) -> list[Ranking]:
    """Holm over the pairs of all criteria together; the official presets adjust nothing."""
    if not found:
        return []
    together = np.concatenate([one.p for one in found])
    families = adjusted(together, Adjustment.HOLM) if found[0].asked.ours else together
    ends = np.cumsum([len(one.p) for one in found])[:-1]
    tests = int((~np.isnan(together)).sum())
    return [_ranking(one, own, len(found), tests) for one, own in zip(found, np.split(families, ends), strict=True)]


def _test_words(one: _Compared, criteria: int) -> str:
    """How pairs were tested, in words."""
    asked, procedure = one.asked, PROCEDURES[one.asked.preset]
    if not asked.ours:
        changed = f", but with scores {'standardised' if asked.standardise else 'as they are'}"
        return f"{procedure.method}{changed if asked.standardise != procedure.standardise else ''}"
    by_t = asked.test is PairTestKind.T
    words = "t-test" if by_t else "sign-flip permutation test"
    borrowed = ", variances moderated over pairs" if one.paired.borrow and by_t else ""
    several = f" of each of {criteria} criteria together" if criteria > 1 else ""
    return (
        f"paired {words} over {_units(one.data, asked.unit)}{borrowed}, "
        f"Holm over {counted(len(one.p), 'pair')}{several}, level {asked.level:.4g}"
    )


def _signature(one: _Compared, criteria: int) -> str:
    asked = one.asked
    return signature(
        "rank", preset=asked.preset, test=asked.test if asked.ours else None, level=asked.level,
        standardise=asked.standardise, resample=asked.unit if asked.ours else None,
        average=asked.average if asked.ours else None, direction=str(one.direction),
        seed=asked.seed if asked.test is PairTestKind.PERMUTATION else None,
        criterion=one.criterion or None, criteria=criteria if asked.ours and criteria > 1 else None,
        ratings=one.fingerprint or None,
    )  # fmt: skip


def _good_end(ratings: Ratings, direction: Direction | str | None) -> Direction:
    """The end that was asked for, or that the codebook declares."""
    if direction is None:
        return ratings.criterion.direction
    if direction not in (Direction.HIGH, Direction.LOW):
        raise OptionError(f"The good end of a scale is high or low; {direction!r} was given.")
    return Direction(direction)


def _check_unit(preset: Preset, test: PairTestKind, unit: ResamplingUnit) -> None:
    if unit is ResamplingUnit.DOCUMENT:
        return
    if preset is not Preset.ACCORD:
        raise OptionError(f"The preset {preset} tests over segments. --resample {unit} is for the preset accord.")
    if test is PairTestKind.PERMUTATION:
        raise OptionError(f"The permutation test flips documents. With --resample {unit} use --test t.")


def _check_paired(paired: PairedSystems, unit: ResamplingUnit) -> None:
    if not np.any(paired.sums.sums) and not np.any(paired.sums.within):
        raise NotEnoughDataError("All systems tie on every item they share: there is nothing to rank.")
    if unit is not ResamplingUnit.RATER and paired.documents.max() < 2:
        raise NotEnoughDataError(
            "The systems share only one document. Chance between documents cannot be judged from one: "
            "rate at least two, better ten or more, or name the right column with --document."
        )
    if unit is not ResamplingUnit.DOCUMENT and paired.test.documents.max() < 2:
        raise NotEnoughDataError(
            f"Chance between raters cannot be judged from one rater: --resample {unit} needs two or more, better six."
        )


def _p_values(data: SegmentScores, paired: PairedSystems, asked: _Asked) -> Floats:
    """The p-values of the preset for all pairs, better first."""
    if asked.ours:
        by_t = asked.test is PairTestKind.T
        return paired.test.p if by_t else sign_flips(paired.adds, np.random.default_rng(asked.seed))
    function = {Preset.WMT23: shared_rank_sum, Preset.WMT25: signed_rank}.get(asked.preset, rank_sum)
    flipped = data if paired.sign > 0 else _negated(data)
    return np.array([function(flipped, a, b) for a, b in combinations(paired.order.tolist(), 2)])


def _units(data: SegmentScores, unit: ResamplingUnit) -> str:
    """The unit of chance in words."""
    parts = "documents" if data.clustered else "segments"
    if unit is ResamplingUnit.DOCUMENT:
        return parts
    return "raters" if unit is ResamplingUnit.RATER else f"{parts} and raters (two-way cluster variance)"


def _negated(data: SegmentScores) -> SegmentScores:
    return replace(data, scores=-data.scores, row_score=-data.row_score)


def _ranking(one: _Compared, families: Floats, criteria: int, tests: int) -> Ranking:
    data, paired, p, preset, level, good = one.data, one.paired, one.p, one.asked.preset, one.asked.level, one.direction
    ours = one.asked.ours
    limit = 1 - level if ours else 0.025 if preset is Preset.WMT25 else 0.05
    n = len(data.systems)
    difference = paired.test.difference
    apart = [bool(p < limit) and (not ours or _can_tell(one, place)) for place, p in enumerate(families)]
    ends = _pair_intervals(one, apart, tests)
    beats = np.zeros((n, n), dtype=bool)
    made = []
    names = [data.systems[place] for place in paired.order]
    for place, (a, b) in enumerate(combinations(range(n), 2)):
        significant = apart[place]
        # Sorted by all segments, a pair may point the other way on the segments it shares.
        up = not ours or difference[place] > 0
        beats[(a, b) if up else (b, a)] = significant
        made.append(
            PairTest(
                first=names[a], second=names[b], difference=float((good.sign or 1) * difference[place]),
                p=float(p[place]), adjusted=float(families[place]),
                winner=names[a if up else b] if significant else None, differs=significant,
                segments=int(paired.sums.counts[place].sum()), documents=int(paired.documents[place]),
                interval=ends[place],
            )
        )  # fmt: skip
    ranks = _contiguous(beats) if preset is Preset.WMT25 else _counted(beats)
    clusters = clusters_by_wins(beats.sum(axis=1)) if preset is Preset.WMT23 else (
        _clusters(beats, ranks if preset is Preset.WMT25 else None))  # fmt: skip
    intervals = ScoreIntervals(data, paired.alone, level, _units(data, paired.unit))
    systems = tuple(_system(data, paired, place, ranks, clusters, beats, intervals) for place in range(n))
    ranking = Ranking(
        systems=systems, pairs=tuple(made), preset=str(preset), test=_test_words(one, criteria), level=level,
        score_is=score_words(data, paired) if ours else "",
        segments=data.scores.shape[1], documents=len(data.documents) if data.clustered else 0,
        cautions=(*data.notes, *PROCEDURES[preset].cautions, *_cautions(one), *intervals.cautions(),
                  *(other_leader(data, paired) if ours and good.is_known else ())),
        signature=_signature(one, criteria), direction=good,
    )  # fmt: skip
    return ranking if good.is_known else ranking.without_winner()


def _pair_intervals(one: _Compared, apart: Sequence[bool], tests: int) -> list[Interval | None]:
    """The interval of each difference, where its own test is what the interval inverts."""
    if not one.asked.ours or one.asked.test is not PairTestKind.T:
        return [None] * len(apart)
    data, test = one.data, one.paired.test
    low, high = data.ends if data.ends and not data.is_standardised else (-inf, inf)
    made = pair_intervals(
        test,
        ((one.direction.sign or 1) * test.difference).tolist(),
        apart,
        level=one.asked.level,
        tests=tests,
        units=_units(data, one.asked.unit),
        width=high - low,
    )
    return [ends if _can_tell(one, place) else None for place, ends in enumerate(made)]


def _can_tell(one: _Compared, place: int) -> bool:
    """Whether two systems share enough for the spread between documents to be known, as agreement asks for too."""
    over_raters = one.asked.unit is ResamplingUnit.RATER
    return over_raters or int(one.paired.documents[place]) >= FEWEST_DOCUMENTS


def _system(
    data: SegmentScores, paired: PairedSystems, place: int, ranks: list[tuple[int, int]], clusters: list[int],
    beats: np.ndarray, intervals: ScoreIntervals,
) -> RankedSystem:  # fmt: skip
    system = int(paired.order[place])
    counts = paired.alone_sums.counts[system]
    return RankedSystem(
        name=data.systems[system], score=float(paired.alone.difference[system]),
        interval=intervals.of(system),
        rank_low=ranks[place][0], rank_high=ranks[place][1], cluster=clusters[place], wins=int(beats[place].sum()),
        losses=int(beats[:, place].sum()), segments=int(counts.sum()),
        documents=int((counts > 0).sum()) if data.clustered else 0,
        ratings=int((data.row_system == system).sum()),
    )  # fmt: skip


def _counted(beats: np.ndarray) -> list[tuple[int, int]]:
    """Ranks from losses + 1 to systems - wins."""
    wins, losses = beats.sum(axis=1), beats.sum(axis=0)
    return [(int(lost) + 1, len(beats) - int(won)) for won, lost in zip(wins, losses, strict=True)]


def _contiguous(beats: np.ndarray) -> list[tuple[int, int]]:
    """Ranks that end at the first system above that wins, and the first below that loses."""
    ranks = []
    for place in range(len(beats)):
        low = next((other + 1 for other in range(place - 1, -1, -1) if beats[other, place]), 0)
        high = next((other for other in range(place + 1, len(beats)) if beats[place, other]), len(beats))
        ranks.append((low + 1, high))
    return ranks


def _clusters(beats: np.ndarray, ranks: list[tuple[int, int]] | None) -> list[int]:
    """A line is drawn where every system above beats every system below (wmt25: where no rank crosses it)."""
    clusters, current = [], 1
    for place in range(len(beats)):
        if place:
            if ranks is None:
                ends = bool(beats[:place, place:].all())
            else:
                ends = all(high <= place for _, high in ranks[:place]) and all(low > place for low, _ in ranks[place:])
            current += ends
        clusters.append(current)
    return clusters


def clusters_by_wins(wins: Sequence[int] | Integers) -> list[int]:
    """wmt23: a line is drawn where the fewest wins so far are as many as the systems below.

    Wins inside a cluster count too, so a system above the line need not beat every system below it.
    """
    clusters, current, fewest = [], 1, len(wins)
    for place, won in enumerate(wins):
        clusters.append(current)
        fewest = min(fewest, int(won))
        current += fewest == len(wins) - place - 1
    return clusters


def few_shared(fewest: int, units: str) -> str:
    """The caution where tests rest on few units."""
    return f"Some systems share only {fewest} {units}: the tests have little power and depend on normality."


def _cautions(one: _Compared) -> list[str]:
    data, p, paired, asked = one.data, one.p, one.paired, one.asked
    preset, test, level, unit = asked.preset, asked.test, asked.level, asked.unit
    said = []
    documents = paired.documents
    if unit is not ResamplingUnit.DOCUMENT and (raters := len(distinct(data.row_rater))) < _FEW_RATERS:
        said.append(f"With only {raters} raters chance between raters is hardly known, and little can be found.")
    if unit is ResamplingUnit.RATER:
        said.append("Documents are taken as given: the ranking is about these documents, judged by other raters.")
    elif not data.clustered:
        said.append(NO_DOCUMENTS)
    if unit is not ResamplingUnit.RATER and (fewest := int(documents.min())) < FEW_DOCUMENTS:
        parts = "documents" if data.clustered else "segments"
        said.append(
            few_shared(fewest, parts)
            if fewest >= FEWEST_DOCUMENTS or not asked.ours
            else f"Some systems share only {fewest} {parts}. Fewer than {FEWEST_DOCUMENTS} cannot show a difference, "
            "so none of these is called better."
        )
    if preset is Preset.ACCORD and paired.weighing.average is Averaging.SEGMENT and _unequal(data):
        said.append(
            "Documents differ much in length, and every segment counts alike: a few long documents decide, and "
            "differences are found too often. --average weighted holds its level."
        )
    if apart := int(np.isnan(p).sum()):
        units = {ResamplingUnit.DOCUMENT: "documents", ResamplingUnit.RATER: "raters"}.get(unit, "documents or raters")
        said.append(f"{apart} pairs of systems share fewer than two {units} and could not be compared.")
    least = 2.0 ** (1 - int(documents.max()))
    if preset is Preset.ACCORD and test is PairTestKind.PERMUTATION and least * len(p) > 1 - level:
        said.append(
            f"With {int(documents.max())} documents no permutation can be significant among {len(p)} pairs "
            f"(smallest p {steady(least):.3g}): use --test t, or rate more documents."
        )
    return said


def _unequal(data: SegmentScores) -> bool:
    lengths = np.bincount(data.document, minlength=len(data.documents))
    return bool(lengths.std() > _UNEQUAL * lengths.mean())
