"""Simulate what the tests of official practice find where there is nothing, beside the document as the unit.

Run it again with ``python tools/ranking_study.py``; it writes docs/analyses/ranking-study.csv. What our own ranking
promises is simulated by tools/promises_study.py.
"""

import argparse
import csv
from pathlib import Path

import numpy as np
from promises.ranking import Evaluation, scores_of
from scipy import stats

from accord.scoring.ranking.document_tests import sign_flips
from accord.scoring.ranking.paired import Averaging, compare_pairs
from accord.scoring.ranking.resampling import ResamplingUnit

LEVEL = 0.05
DESIGNS = {"equal documents": 0.0, "documents of real lengths": 1.0}


def p_values(rng: np.random.Generator, unequal: float) -> dict[str, float]:
    """The p-value of each test for two equal systems in 20 documents."""
    data = scores_of(rng, Evaluation(systems=2, documents=20, unequal=unequal))
    ours, segments = (
        compare_pairs(data, kind, ResamplingUnit.DOCUMENT, 1.0) for kind in (Averaging.WEIGHTED, Averaging.SEGMENT)
    )
    flat = data.scores[0] - data.scores[1]
    return {
        "document means t": float(ours.test.p[0]),
        "document means permutation": float(sign_flips(ours.adds, rng, 999)[0]),
        "mean of segments, t over documents": float(segments.test.p[0]),
        "segment t": float(stats.ttest_1samp(flat, 0).pvalue), "segment Wilcoxon": float(stats.wilcoxon(flat).pvalue),
        "unpaired Mann-Whitney": float(stats.mannwhitneyu(data.scores[0], data.scores[1]).pvalue),
        "one-sided Wilcoxon after sorting": float(
            stats.wilcoxon(flat if flat.mean() > 0 else -flat, alternative="greater").pvalue
        ),
    }  # fmt: skip


def extremes_differ(rng: np.random.Generator) -> bool:
    """Whether segment-wise Wilcoxon finds the best and the worst of twelve equal systems different."""
    means = (data := scores_of(rng, Evaluation(systems=12, documents=20))).scores.mean(axis=1)
    return float(stats.wilcoxon(data.scores[means.argmax()] - data.scores[means.argmin()]).pvalue) < LEVEL


def main() -> None:
    """Run the study and write its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000, help="simulated evaluations for each number")
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path("docs/analyses/ranking-study.csv"))
    options = parser.parse_args()
    rows: list[tuple[str, float, int]] = []
    for number, (name, unequal) in enumerate(DESIGNS.items()):
        rng = np.random.default_rng([options.seed, number])
        found = [p_values(rng, unequal) for _ in range(options.runs)]
        rows += [
            (f"false alarms, two equal systems, {name}, {test}", float(np.mean([p[test] < LEVEL for p in found])),
             options.runs)
            for test in found[0]
        ]  # fmt: skip
    rng = np.random.default_rng([options.seed, 9])
    fewer = max(options.runs // 10, 1)
    share = float(np.mean([extremes_differ(rng) for _ in range(fewer)]))
    rows.append(("best against worst of 12 equal systems differs by segment-wise Wilcoxon", share, fewer))
    with options.out.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("quantity", "rate", "runs"))
        writer.writerows((name, f"{rate:.4f}", runs) for name, rate, runs in rows)
    for name, rate, _runs in rows:
        print(f"{rate:.4f}  {name}")


if __name__ == "__main__":
    main()
