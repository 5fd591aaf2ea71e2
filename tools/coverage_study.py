"""Coverage of the intervals by simulation; prints the table of docs/explanation/coverage-study.md.

Ratings are drawn from a model whose true coefficient is known (from one very large draw). Each simulated study
gets its intervals; coverage is the share of studies whose interval holds the truth.
Usage: python tools/coverage_study.py [STUDIES] [--write]
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import accord
from accord.coefficients.features import View
from accord.coefficients.kappa import CohenKappa
from accord.ratings.counting import count_source
from accord.ratings.read import read

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "coverage-study.md"
START, END = "<!-- results -->", "<!-- end of results -->"
KEYS = ("krippendorff_alpha", "fleiss_kappa", "gwet_ac1")
REPLICATES = 1000


@dataclass(frozen=True)
class Design:
    """A kind of study: items, raters, values, how often a rater guesses, how skewed the truth is."""

    name: str
    items: int
    raters: int
    values: int
    guess: float
    skewed: bool = False
    missing: float = 0.0

    def draw(self, items: int, rng: np.random.Generator) -> np.ndarray:
        shares = np.array([0.8, *[0.2 / (self.values - 1)] * (self.values - 1)]) if self.skewed else None
        truth = rng.choice(self.values, items, p=shares)
        guessed = rng.choice(self.values, (items, self.raters), p=shares)
        table = np.where(rng.random((items, self.raters)) < self.guess, guessed, truth[:, None]).astype(float)
        table[rng.random(table.shape) < self.missing] = np.nan
        return table


DESIGNS = (
    Design("30 items, 3 raters, 3 values", 30, 3, 3, 0.4),
    Design("50 items, 3 raters, 4 values", 50, 3, 4, 0.4),
    Design("100 items, 2 raters, 2 values", 100, 2, 2, 0.3),
    Design("100 items, 5 raters, 5 values, 20% missing", 100, 5, 5, 0.5, missing=0.2),
    Design("100 items, 3 raters, one value 80%", 100, 3, 3, 0.4, skewed=True),
    Design("200 items, 4 raters, 5 values", 200, 4, 5, 0.5),
)


def ratings_of(design: Design, items: int, rng: np.random.Generator) -> accord.Ratings:
    """One study on the declared scale, so that all values count even where one does not occur."""
    return read(design.draw(items, rng), level="nominal", scale=[float(value) for value in range(design.values)])


def coverage(design: Design, studies: int, kind: str) -> dict[str, float]:
    """Share of studies whose 95 % interval holds the true value, by coefficient."""
    rng = np.random.default_rng(2026)
    large = accord.agreement(ratings_of(design, 400_000, rng), coefficients=KEYS, interval="none")
    hits = dict.fromkeys(KEYS, 0)
    for study in range(studies):
        result = accord.agreement(
            ratings_of(design, design.items, rng), coefficients=KEYS, interval=kind, replicates=REPLICATES, seed=study
        )
        for key in KEYS:
            interval = result[key].interval
            hits[key] += interval is not None and large[key].value in interval
    return {key: count / studies for key, count in hits.items()}


def pairs_as_if_independent(raters: int, studies: int, items: int = 60) -> tuple[float, float]:
    """Coverage for the mean Cohen's kappa, raters of unequal skill: pairs resampled, and raters resampled."""
    rng = np.random.default_rng(7)
    hits, honest = 0, 0
    pool = _mean_kappa(_unequal(400, 2000, rng))
    for study in range(studies):
        source = count_source(read(_unequal(raters, items, rng), level="nominal"))
        values = CohenKappa().of_pairs(View.of(source)).value
        draws = rng.choice(values, (1000, len(values))).mean(axis=1)
        low, high = np.quantile(draws, [0.025, 0.975])
        hits += low <= pool <= high
        by_rater = accord.agreement(
            source, coefficients="cohen_kappa", resample="rater-and-item", replicates=1000, seed=study
        )
        honest += pool in by_rater["cohen_kappa"].interval
    return hits / studies, honest / studies


def _unequal(raters: int, items: int, rng: np.random.Generator) -> np.ndarray:
    """Ratings by raters who guess more or less often."""
    truth, guess = rng.integers(0, 4, items), rng.beta(2, 2, raters)
    return np.where(rng.random((items, raters)) < guess, rng.integers(0, 4, (items, raters)), truth[:, None]).astype(
        float
    )


def _mean_kappa(table: np.ndarray) -> float:
    source = count_source(read(table, level="nominal"))
    return float(np.nanmean(CohenKappa().of_pairs(View.of(source)).value))


def report(studies: int) -> str:
    """The tables, in Markdown."""
    error = (0.95 * 0.05 / studies) ** 0.5
    lines = [f"{studies} simulated studies a row; a share of 0.95 has a standard error of {error:.3f}."]
    lines += ["", "| study | interval | α | Fleiss' κ | AC1 |", "|---|---|---:|---:|---:|"]
    for design in DESIGNS:
        for kind in ("bca", "percentile", "jackknife", "analytic"):
            found = coverage(design, studies, kind)
            lines.append(f"| {design.name} | {kind} | " + " | ".join(f"{found[key]:.3f}" for key in KEYS) + " |")
    lines += ["", "| mean κ over pairs | pairs resampled as if independent | raters and items |", "|---|---:|---:|"]
    for raters in (5, 10, 25):
        pairs, honest = pairs_as_if_independent(raters, max(studies // 5, 100))
        lines.append(f"| {raters} raters, {raters * (raters - 1) // 2} pairs | {pairs:.2f} | {honest:.2f} |")
    return "\n".join(lines)


def main() -> None:
    """Print the tables, or put them into the page."""
    numbers = [int(argument) for argument in sys.argv[1:] if argument.isdigit()]
    text = report(numbers[0] if numbers else 500)
    if "--write" not in sys.argv:
        print(text)
        return
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.split(START)[0], page.split(END)[1]
    PAGE.write_text(f"{before}{START}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
