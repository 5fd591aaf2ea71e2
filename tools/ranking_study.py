"""Simulate the ranking of systems: false alarms by test and resampling unit, family-wise error, coverage of ranks.

Run it again with ``python tools/ranking_study.py``; it writes docs/analyses/ranking-study.csv.
"""

import argparse
import csv
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy import stats

from accord.inference.multiple import Adjustment, adjusted
from accord.scoring.ranking.document_tests import DocumentSums, document_sums, document_t, sign_flips
from accord.scoring.ranking.resampling import ResamplingUnit, clustered_test
from accord.scoring.ranking.segments import SegmentScores

DOCUMENTS, SEGMENTS, SYSTEMS = 20, 6, 12
ITEM, DOCUMENT, NOISE = 10.0, 8.0, 12.0
"""Standard deviations: of the source segment (shared), of a system in a document, of one rating."""
LEVEL = 0.05
TASTE, LENIENCY = 5.0, 5.0
"""Standard deviations of a rater's taste for one system, and of a rater's leniency to all."""


def simulate(rng: np.random.Generator, means: np.ndarray) -> np.ndarray:
    """Scores (systems, documents, segments)."""
    shape = (len(means), DOCUMENTS, SEGMENTS)
    item = rng.normal(0, ITEM, shape[1:])
    document = rng.normal(0, DOCUMENT, (*shape[:2], 1))
    return means[:, None, None] + item + document + rng.normal(0, NOISE, shape)


def sums_of(scores: np.ndarray) -> tuple[DocumentSums, np.ndarray]:
    """Differences of all pairs summed by document, and the differences themselves."""
    pairs = np.array(list(combinations(range(len(scores)), 2)))
    differences = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    sums = differences.sum(axis=-1)
    return DocumentSums(sums, np.full(sums.shape, float(SEGMENTS))), differences


def false_alarms(rng: np.random.Generator, runs: int) -> dict[str, float]:
    """How often two equal systems 'differ' at the nominal .05, by test."""
    names = ("document t", "document permutation", "segment t", "segment Wilcoxon", "unpaired Mann-Whitney")
    alarms = dict.fromkeys((*names, "one-sided Wilcoxon after sorting"), 0)
    for _ in range(runs):
        scores = simulate(rng, np.zeros(2))
        sums, differences = sums_of(scores)
        flat = differences.ravel()
        p = (
            float(document_t(sums).p[0]),
            float(sign_flips(sums, rng, 999)[0]),
            float(stats.ttest_1samp(flat, 0).pvalue),
            float(stats.wilcoxon(flat).pvalue),
            float(stats.mannwhitneyu(scores[0].ravel(), scores[1].ravel()).pvalue),
        )
        for name, value in zip(names, p, strict=True):
            alarms[name] += value < LEVEL
        better = flat if flat.mean() > 0 else -flat
        alarms["one-sided Wilcoxon after sorting"] += (
            float(stats.wilcoxon(better, alternative="greater").pvalue) < LEVEL
        )
    return {name: count / runs for name, count in alarms.items()}


def rank_ranges(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lowest and highest rank of each system, and the direction found for each pair (0 if none)."""
    n = len(scores)
    pairs = np.array(list(combinations(range(n), 2)))
    test = document_t(sums_of(scores)[0])
    direction = np.sign(test.difference) * (adjusted(test.p, Adjustment.HOLM) < LEVEL)
    beats = np.zeros((n, n), dtype=bool)
    beats[pairs[direction > 0, 0], pairs[direction > 0, 1]] = True
    beats[pairs[direction < 0, 1], pairs[direction < 0, 0]] = True
    return 1 + beats.sum(axis=0), n - beats.sum(axis=1), direction


def families(rng: np.random.Generator, runs: int, means: np.ndarray) -> tuple[float, float, float]:
    """Any false direction among all pairs (Holm); rank intervals that all hold; extremes 'differing' segment-wise."""
    pairs = np.array(list(combinations(range(len(means)), 2)))
    truth = means[pairs[:, 0]] - means[pairs[:, 1]]
    wrong = covered = extreme = 0
    best = 1 + (means[None, :] > means[:, None]).sum(axis=1)
    worst = len(means) - (means[None, :] < means[:, None]).sum(axis=1)
    for _ in range(runs):
        scores = simulate(rng, means)
        low, high, direction = rank_ranges(scores)
        wrong += bool(((direction != 0) & (direction * truth <= 0)).any())
        # A system tied with others may rightly stand at any of the ranks they share.
        covered += bool(((low <= best) & (high >= worst)).all())
        order = np.argsort(scores.mean(axis=(1, 2)))
        flat = (scores[order[-1]] - scores[order[0]]).ravel()
        extreme += float(stats.wilcoxon(flat).pvalue) < LEVEL
    return wrong / runs, covered / runs, extreme / runs


def tasted(rng: np.random.Generator, raters: int, each: int, taste: float) -> SegmentScores:
    """Two equal systems; ``each`` of the raters judge both systems in a document, each with a taste for a system."""
    document = np.repeat(np.arange(DOCUMENTS), SEGMENTS)
    who = np.array([rng.choice(raters, each, replace=False) for _ in range(DOCUMENTS)])
    system, segment, place = (part.ravel() for part in np.indices((2, len(document), each)))
    rater = who[document[segment], place]
    scores = (
        rng.normal(0, ITEM, len(document))[segment] + rng.normal(0, LENIENCY, raters)[rater]
        + rng.normal(0, taste, (2, raters))[system, rater]
        + rng.normal(0, DOCUMENT, (2, DOCUMENTS))[system, document[segment]] + rng.normal(0, NOISE, len(segment))
    )  # fmt: skip
    means = scores.reshape(2, len(document), each).mean(axis=2)
    return SegmentScores(
        systems=("first", "second"), documents=tuple(map(str, range(DOCUMENTS))), document=document, scores=means,
        row_system=system, row_segment=segment, row_rater=rater, row_score=scores, notes=(), clustered=True,
    )  # fmt: skip


def taste_alarms(rng: np.random.Generator, runs: int, raters: int, each: int, taste: float) -> tuple[float, float]:
    """How often equal systems 'differ' when raters have tastes: over documents, over documents and raters."""
    alone = both = 0
    for _ in range(runs):
        data = tasted(rng, raters, each, taste)
        sums = document_sums((data.scores[0] - data.scores[1])[None, :], data.document, DOCUMENTS)
        alone += document_t(sums).p[0] < LEVEL
        both += clustered_test(data, np.array([0]), np.array([1]), ResamplingUnit.BOTH).p[0] < LEVEL
    return alone / runs, both / runs


def main() -> None:
    """Run the study and write its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000, help="simulated evaluations for each number")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path("docs/analyses/ranking-study.csv"))
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    rows: list[tuple[str, float, int]] = []
    for name, rate in false_alarms(rng, options.runs).items():
        rows.append((f"false alarms, two equal systems, {name}", rate, options.runs))
    fewer = max(options.runs // 2, 1)
    designs = {"12 equal systems": np.zeros(SYSTEMS), "12 systems 1 point apart": np.arange(SYSTEMS) * 1.0,
               "4 groups of 3, 4 points apart": np.repeat(np.arange(4) * 4.0, 3)}  # fmt: skip
    for name, means in designs.items():
        wrong, covered, extreme = families(rng, fewer, means)
        rows.append((f"family-wise error, {name}", wrong, fewer))
        rows.append((f"all rank intervals cover, {name}", covered, fewer))
        if not means.any():
            rows.append((f"best against worst differs by segment-wise Wilcoxon, {name}", extreme, fewer))
    rng = np.random.default_rng([options.seed, 1])
    for raters, each, taste in ((3, 3, TASTE), (6, 6, TASTE), (6, 2, TASTE), (12, 2, TASTE), (6, 2, 0.0)):
        for unit, rate in zip(("documents", "documents and raters"), taste_alarms(rng, fewer, raters, each, taste),
                              strict=True):  # fmt: skip
            words = f"{raters} raters, {each} a document, {'tastes' if taste else 'no tastes'}"
            rows.append((f"false alarms, two equal systems, t over {unit}, {words}", rate, fewer))
    with options.out.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("quantity", "rate", "runs"))
        writer.writerows((name, f"{rate:.4f}", runs) for name, rate, runs in rows)
    for name, rate, _runs in rows:
        print(f"{rate:.4f}  {name}")


if __name__ == "__main__":
    main()
