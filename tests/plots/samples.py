"""One sample of every chart, on numbers made here; the gallery of the docs draws the same."""

import numpy as np

from accord.plots import comparisons, context, raters, ratings, reliability, scores
from accord.plots.chart import Chart

LANDIS_KOCH = [(-1, 0, "poor"), (0, 0.2, "slight"), (0.2, 0.4, "fair"), (0.4, 0.6, "moderate"),
               (0.6, 0.8, "substantial"), (0.8, 1, "almost perfect")]  # fmt: skip


NAMES = (
    "intervals",
    "agreement-parts",
    "pair-boxes",
    "ratings-per-item",
    "category-use",
    "category-use-many",
    "bootstrap-panels",
    "distributions",
    "means-with-ranges",
    "heat-maps",
    "quadrants",
    "score-intervals",
    "rank-intervals",
    "shrinking-interval",
    "severity",
    "severity-many",
    "drift",
    "context",
    "misevaluation",
    "pair-matrix",
)
"""Known before anything is drawn, so that a chart that fails is one failing test."""


def every_chart() -> dict[str, Chart]:
    rng = np.random.default_rng(7)
    judges = [f"rater {letter}" for letter in "ABCDEF"]
    joint = rng.normal(0.78, 0.06, 45)
    chance = rng.normal(0.66, 0.03, 45)
    kappa = (joint - chance) / (1 - chance)
    matrix = rng.uniform(0.1, 0.8, (6, 6))
    matrix = (matrix + matrix.T) / 2
    crowd = rng.normal(0, 0.4, 300)
    return {
        "intervals": reliability.intervals(
            ["Krippendorff's α", "Fleiss' κ", "Gwet's AC1", "percent agreement"],
            [0.52, 0.49, 0.64, 0.71], [0.44, 0.41, 0.58, 0.66], [0.60, 0.57, 0.70, 0.76],
            title="Agreement is moderate whatever the coefficient", marks=[(2 / 3, 0.8), *3 * [()]],
            subtitle="120 items, 3 raters; 95% BCa intervals over items; hairlines of Krippendorff (2004)"),
        "agreement-parts": reliability.agreement_parts(
            joint, chance, kappa, title="High joint agreement, but chance explains most of it"),
        "pair-boxes": reliability.pair_boxes(
            {"clarity": joint, "coherence": joint - 0.12}, title="Raters agree more on clarity than on coherence",
            axis="joint agreement of a rater pair"),
        "ratings-per-item": ratings.ratings_per_item(
            [f"s{i}" for i in range(1, 21)],
            {j: [float(v) for v in rng.integers(1, 6, 20)] for j in judges[:4]},
            title="Rater D stands alone on items s4 to s9", axis="fluency"),
        "category-use": ratings.category_use(
            ["1", "2", "3", "4"], {j: rng.integers(20, 200, 4).tolist() for j in judges[:3]},
            title="Rater C avoids the lowest category"),
        "category-use-many": ratings.category_use(
            ["1", "2", "3", "4"], {f"r{i}": rng.integers(20, 200, 4).tolist() for i in range(300)},
            title="Of 300 raters, a tenth use only the upper half of the scale"),
        "bootstrap-panels": comparisons.bootstrap_panels(
            {name: {"SAME": (rng.normal(0.197, sd, 500), 0.197 - 2 * sd, 0.197 + 2 * sd),
                    "DIFF": (rng.normal(0.164, sd / 2, 500), 0.164 - sd, 0.164 + sd)}
             for name, sd in zip("abcdef", [0.004, 0.012, 0.017, 0.02, 0.016, 0.017], strict=True)},
            title="Only the wrong interval keeps the settings apart", axis="mean κ"),
        "distributions": comparisons.distributions(
            {"SAME": rng.normal(0.2, 0.1, 40), "DIFF": rng.normal(0.16, 0.09, 150),
             "SOURCE": rng.normal(0.25, 0.2, 10)},
            title="The distributions of κ overlap almost entirely", axis="Cohen's κ of a rater pair"),
        "means-with-ranges": comparisons.means_with_ranges(
            {f"group {g}": {f"j{g}{i}": float(v) for i, v in enumerate(rng.normal(2 + g / 5, 0.3, 5))}
             for g in range(1, 5)},
            title="Raters differ more within a group than groups differ", axis="mean rating"),
        "heat-maps": comparisons.heat_maps(
            list("12345"), {s: rng.dirichlet(np.ones(5), 5) for s in ("SAME", "DIFF")},
            title="Who shares a reference agrees a little more in every cell"),
        "quadrants": comparisons.quadrants(
            [f"seg {i}" for i in range(100)], rng.normal(0, 1, 100), rng.normal(0, 1, 100), marked=["seg 3", "seg 17"],
            title="Two segments score well only against the reference", across_axis="generic reference (z)",
            up_axis="post-edit (z)"),
        "score-intervals": scores.score_intervals(
            ["one score with a prior, 80%", "two scores, t, 80%"], [90.75, 79.42], [65.11, 71.51], [100, 87.33],
            title="A second score narrows the interval, and it still holds the threshold", threshold=80,
            ends=(60, 100)),
        "rank-intervals": scores.rank_intervals(
            [f"system {c}" for c in "ABCDEFG"], [88.1, 87.2, 86.9, 81, 80.5, 75, 60], [1, 1, 1, 4, 4, 6, 7],
            [3, 3, 3, 5, 5, 6, 7], [1, 1, 1, 2, 2, 3, 4], title="Three systems share the first place"),
        "shrinking-interval": scores.shrinking_interval(
            [10, 20, 50, 100, 200, 500], [70, 73, 76, 77.5, 78.4, 79], [90, 87, 84, 82.5, 81.6, 81],
            title="From 100 segments on, the interval is narrower than 5 points", across="segments", axis="score",
            wanted=2.5),
        "severity": raters.severity(
            judges, [-0.5, -0.2, 0, 0.1, 0.3, 0.6], [-0.7, -0.4, -0.2, -0.1, 0.1, 0.4], [-0.3, 0, 0.2, 0.3, 0.5, 0.8],
            title="Rater A is half a point stricter than the rest"),
        "severity-many": raters.severity(
            [f"r{i}" for i in range(300)], crowd, crowd - 0.2, crowd + 0.2,
            title="Severity spreads evenly over 300 raters"),
        "drift": raters.drift(
            {j: (np.arange(10), rng.normal(0, 0.2, 10).cumsum()) for j in judges[:4]},
            title="Rater B grows lenient towards the end", across="tenth of the rater's session", axis="difference"),
        "context": context.context_view(
            [("s1", "The mayor spoke.", "resolving", "resolves s2"), ("s2", "She signed.", "ambiguous", "gender")],
            title="One sentence needs the one before it"),
        "misevaluation": context.misevaluation_view(
            [("s2", [("T1", "alone", "adequacy", "4"), ("T1", "in context", "adequacy", "1")])],
            title="One item is fine alone and faulty in context"),
        "pair-matrix": raters.pair_matrix(
            judges, matrix, np.full((6, 6), 40), title="Raters A and C agree best", axis="Cohen's κ"),
    }  # fmt: skip
