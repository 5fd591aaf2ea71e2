"""Ranking of systems (`accord rank`)

Scores are simulated as docs/analyses/ranking.md says: standard deviations 10 of a source segment, 8 of a system in a
document, 12 of a rating. Documents have lengths of a log-normal law with mean 10 and, unless said otherwise, a
coefficient of variation of 1, about that of the news and social documents of WMT.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from accord.design.scale import Direction
from accord.scoring.ranking.rank import rank_segments
from accord.scoring.ranking.resampling import ResamplingUnit
from accord.scoring.ranking.result import Ranking
from accord.scoring.ranking.segments import SegmentScores
from promises.promise import Promise

__all__ = ["PROMISES", "Evaluation", "ranked", "scores_of"]

ITEM, DOCUMENT, NOISE = 10.0, 8.0, 12.0
MEAN_LENGTH = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """A design: ``gap`` is the difference of neighbouring systems, or of neighbouring groups of ``ties`` systems."""

    systems: int
    documents: int
    unequal: float = 1.0
    gap: float = 0.0
    ties: int = 1
    raters: int = 1
    each: int = 1
    leniency: float = 0.0
    taste: float = 0.0
    shape: Callable[[np.ndarray], np.ndarray] = field(default=lambda scores: scores)
    """What the scale makes of the scores: rounding, ends."""

    @property
    def means(self) -> np.ndarray:
        return self.gap * (np.arange(self.systems) // self.ties)


def lengths(rng: np.random.Generator, documents: int, unequal: float) -> np.ndarray:
    """Segments of each document, two at least in one of them."""
    spread = np.sqrt(np.log1p(unequal**2))
    drawn = np.exp(rng.normal(np.log(MEAN_LENGTH) - spread**2 / 2, spread, documents))
    found = np.maximum(1, np.round(drawn)).astype(np.int64)
    found[found.argmax()] = max(2, found.max())
    return found


def scores_of(rng: np.random.Generator, design: Evaluation) -> SegmentScores:
    """One evaluation: ``each`` of the raters judge all systems in a document."""
    document = np.repeat(np.arange(design.documents), lengths(rng, design.documents, design.unequal))
    who = np.argsort(rng.random((design.documents, design.raters)), axis=1)[:, : design.each]
    system, segment, place = (part.ravel() for part in np.indices((design.systems, len(document), design.each)))
    rater = who[document[segment], place]
    scores = (
        design.means[system] + rng.normal(0, ITEM, len(document))[segment]
        + rng.normal(0, DOCUMENT, (design.systems, design.documents))[system, document[segment]]
        + rng.normal(0, design.leniency, design.raters)[rater]
        + rng.normal(0, design.taste, (design.systems, design.raters))[system, rater]
        + rng.normal(0, NOISE, len(segment))
    )  # fmt: skip
    scores = design.shape(scores)
    return SegmentScores(
        systems=tuple(f"s{number:02d}" for number in range(design.systems)),
        documents=tuple(map(str, range(design.documents))), document=document,
        scores=scores.reshape(design.systems, len(document), design.each).mean(axis=2), row_system=system,
        row_segment=segment, row_rater=rater, row_score=scores, notes=(), clustered=True,
    )  # fmt: skip


def ranked(rng: np.random.Generator, design: Evaluation, unit: ResamplingUnit = ResamplingUnit.DOCUMENT) -> Ranking:
    """The ranking that a user would see."""
    return rank_segments(scores_of(rng, design), direction=Direction.HIGH, resample=unit)


def no_false_difference(rng: np.random.Generator, *, design: Evaluation, unit: str = "document") -> bool:
    """No winner is named that is not truly better."""
    truth = dict(zip((f"s{number:02d}" for number in range(design.systems)), design.means, strict=True))
    for pair in ranked(rng, design, ResamplingUnit(unit)).pairs:
        if pair.winner is not None:
            loser = pair.second if pair.winner == pair.first else pair.first
            if truth[pair.winner] <= truth[loser]:
                return False
    return True


def ranks_hold(rng: np.random.Generator, *, design: Evaluation) -> bool:
    """Every system's range holds all ranks that it may rightly have; equal systems share theirs."""
    means = design.means
    for system in ranked(rng, design).systems:
        own = means[int(system.name[1:])]
        if system.rank_low > 1 + (means > own).sum() or system.rank_high < design.systems - (means < own).sum():
            return False
    return True


def difference_found(rng: np.random.Generator, *, design: Evaluation, unit: str = "document") -> bool:
    """A pair drawn at random is told apart the right way."""
    pairs = ranked(rng, design, ResamplingUnit(unit)).pairs
    drawn = pairs[int(rng.integers(len(pairs)))]
    return drawn.winner == max(drawn.first, drawn.second)


def score_covered(rng: np.random.Generator, *, design: Evaluation) -> bool:
    """The interval of a system's score holds its true mean."""
    system = ranked(rng, design).systems[int(rng.integers(design.systems))]
    return system.interval is not None and design.means[int(system.name[1:])] in system.interval


def rounded(scores: np.ndarray) -> np.ndarray:
    """A scale of seven points, most of it at the upper end."""
    return np.clip(np.round((scores + 85) / 16), 0, 6)


def bounded(scores: np.ndarray) -> np.ndarray:
    """A scale to 100 with a good third of the scores at its end."""
    return np.clip(scores + 94, 0, 100)


def near_the_end(rng: np.random.Generator, *, documents: int, segments: int) -> bool:
    """Six systems whose scores are near 97 nine times of ten and else near 70: the interval of one holds its mean."""
    shape = (6, documents * segments)
    drawn = np.where(rng.random(shape) < 0.1, rng.normal(70, 5, shape), rng.normal(97, 2, shape)).clip(0, 100)
    system, segment = (part.ravel() for part in np.indices(shape))
    data = SegmentScores(
        systems=tuple("abcdef"), documents=tuple(map(str, range(documents))), scores=drawn,
        document=np.repeat(np.arange(documents), segments), row_system=system, row_segment=segment,
        row_rater=np.zeros(len(system), dtype=np.int64), row_score=drawn.ravel(), notes=(), clustered=segments > 1,
        ends=(0.0, 100.0),
    )  # fmt: skip
    found = rank_segments(data, direction=Direction.HIGH).systems[int(rng.integers(6))].interval
    return found is not None and _MEAN_NEAR_END in found


_MEAN_NEAR_END = 0.9 * 96.94 + 0.1 * 70
"""Of scores near 97 that end at 100, 96.94 on average."""
_NEAR_END = ((12, 1), (20, 1), (30, 1), (60, 1), (12, 4), (20, 4))
_NO_FALSE = "No difference is found among equal systems"
_FAMILY = [
    *(Evaluation(systems=systems, documents=documents)
      for documents, systems in ((6, 6), (8, 2), (8, 6), (8, 12), (20, 2), (20, 6), (20, 12))),
]  # fmt: skip
_SPECIAL = {
    "12 systems, 8 documents, one of ten raters a document, leniency 15": Evaluation(
        systems=12, documents=8, raters=10, leniency=15.0
    ),
    "6 systems, 12 documents, 7 points, ties": Evaluation(systems=6, documents=12, shape=rounded),
    "6 systems, 12 documents, scores at the end of the scale": Evaluation(systems=6, documents=12, shape=bounded),
    "4 groups of 3 systems, 4 points apart, 20 documents": Evaluation(systems=12, documents=20, gap=4.0, ties=3),
}
_RATERS = {
    "2 systems, 20 documents, 3 raters in every document, tastes 5": Evaluation(
        systems=2, documents=20, raters=3, each=3, leniency=5.0, taste=5.0
    ),
    "2 systems, 20 documents, 2 of 6 raters a document, tastes 5": Evaluation(
        systems=2, documents=20, raters=6, each=2, leniency=5.0, taste=5.0
    ),
    "2 systems, 20 documents, 2 of 6 raters a document, no tastes": Evaluation(
        systems=2, documents=20, raters=6, each=2, leniency=5.0
    ),
    "6 systems, 12 documents, 1 of 6 raters a document, tastes 5": Evaluation(
        systems=6, documents=12, raters=6, leniency=5.0, taste=5.0
    ),
}
_TWELVE = Evaluation(systems=12, documents=8, gap=4.0)

PROMISES = (
    *(Promise(_NO_FALSE, "`rank`", f"{each.systems} systems, {each.documents} documents", 0.95, 0.94,
              partial(no_false_difference, design=each), quick=60) for each in _FAMILY),
    *(Promise("No false difference is found", "`rank`", words, 0.95, 0.94,
              partial(no_false_difference, design=each), quick=60) for words, each in _SPECIAL.items()),
    Promise("All rank ranges hold together", "`rank`", "12 equal systems, 8 very unequal documents (CV 1.5)", 0.95,
            0.94, partial(ranks_hold, design=Evaluation(systems=12, documents=8, unequal=1.5)), quick=60),
    Promise("All rank ranges hold together", "`rank`", "4 groups of 3 systems, 4 points apart, 8 documents", 0.95, 0.94,
            partial(ranks_hold, design=Evaluation(systems=12, documents=8, gap=4.0, ties=3)), quick=60),
    Promise("A difference between two systems is found", "`rank`", "12 systems, 8 documents, 4 points apart", None,
            0.48, partial(difference_found, design=_TWELVE), quick=60),
    *(Promise("The interval of a score holds the true mean", "`rank`", f"6 systems, {documents} documents", 0.95, 0.93,
              partial(score_covered, design=Evaluation(systems=6, documents=documents)), most=0.97, quick=60)
      for documents in (8, 20)),
    *(Promise("The interval of a score holds the true mean", "`rank`", "scores 90 % near 97, 10 % near 70, "
              + (f"{documents} segments" if segments == 1 else f"{documents} documents of {segments}"), 0.95,
              0.92 if documents < 30 else 0.93, partial(near_the_end, documents=documents, segments=segments), quick=20)
      for documents, segments in _NEAR_END),
    *(Promise(_NO_FALSE, "`rank --resample document-and-rater`", words, 0.95, 0.94,
              partial(no_false_difference, design=each, unit="document-and-rater"), quick=60)
      for words, each in _RATERS.items()),
    Promise("A difference between two systems is found", "`rank --resample document-and-rater`",
            "6 systems, 12 documents, 4 points apart, 2 of 6 raters a document", None, 0.3,
            partial(difference_found, unit="document-and-rater",
                    design=Evaluation(systems=6, documents=12, gap=4.0, raters=6, each=2, leniency=5.0)), quick=60),
)  # fmt: skip
