"""Record what ppi-python, judgy and evalstats say of drawn scores, for tests/judging.

Run it in an environment of its own that has them (pip install ppi-python judgy evalstats); they are heavy, and the
tests compare with the record.
"""

import json
from pathlib import Path

import numpy as np

TARGET = Path(__file__).parents[1] / "tests" / "recorded" / "second_programs" / "judges.json"


def drawn(seed: int, labels: int, others: int, noise: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """People's scores, the judge's of the same items, and the judge's elsewhere."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(60, 12, labels + others)
    judge = 5 + 0.8 * truth + rng.normal(0, noise, labels + others)
    return truth[:labels] + rng.normal(0, 4, labels), judge[:labels], judge[labels:]


def main() -> None:
    """Write the record."""
    from evalstats import judge_debias_mean_ci
    from judgy import estimate_success_rate
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    means = []
    for seed, labels, others, noise in ((1, 25, 400, 3), (2, 60, 5000, 30), (3, 12, 40, 8), (4, 300, 300, 1)):
        scores = drawn(seed, labels, others, noise)
        low, high = ppi_mean_ci(*scores, alpha=0.05)
        mean = ppi_mean_pointestimate(*scores)
        design = {"seed": seed, "labels": labels, "others": others, "noise": noise}
        people, there, elsewhere = scores
        known = np.concatenate([people, np.full(len(elsewhere), np.nan)])
        found = {"mean": mean, "low": low, "high": high}
        if labels >= 15:  # below that evalstats refuses
            other = judge_debias_mean_ci(np.concatenate([there, elsewhere]), known, rng=1)
            found |= {"evalstats_mean": other.mean, "evalstats_low": other.ci_low, "evalstats_high": other.ci_high}
        means.append(design | {name: float(np.ravel(number)[0]) for name, number in found.items()})
    rng = np.random.default_rng(5)
    truth = rng.random(200) < 0.6
    judge = np.where(rng.random(200) < 0.85, truth, ~truth)
    elsewhere = rng.random(1000) < 0.55
    np.random.seed(5)  # noqa: NPY002 - judgy draws from numpy's own state
    share, low, high = estimate_success_rate(truth.astype(int), judge.astype(int), elsewhere.astype(int))
    judgy = {"seed": 5, "share": float(share), "low": float(low), "high": float(high)}
    TARGET.write_text(json.dumps({"ppi_mean_ci": means, "judgy": judgy}, indent=1) + "\n")


if __name__ == "__main__":
    main()
