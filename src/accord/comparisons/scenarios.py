"""Agreement by scenario, test set and group, as the tables of paper 004: what context does to agreement."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.coefficients.options import Options
from accord.coefficients.registry import (
    COHEN_KAPPA,
    COHEN_KAPPA_LINEAR,
    FLEISS_KAPPA,
    KRIPPENDORFF_ALPHA,
    PERCENT_AGREEMENT,
    coefficient,
)
from accord.coefficients.sums import sum_statistic
from accord.comparisons.conditions import condition_names, title_of_part
from accord.comparisons.own_interval import own_interval
from accord.design.scale import Level, Scale
from accord.inference.interval import Interval
from accord.noise import ordered
from accord.ratings.apart import kept_apart_within
from accord.ratings.counting import count_source
from accord.ratings.table import Group, Ratings
from accord.records import dataclass

__all__ = [
    "TEST_SETS",
    "ScenarioAgreement",
    "any_error",
    "by_scenario",
    "coefficients_for",
    "is_mark_up",
    "scenario_ranking",
]

_LIKERT = (COHEN_KAPPA_LINEAR, FLEISS_KAPPA, KRIPPENDORFF_ALPHA, PERCENT_AGREEMENT)
_LABELS = (COHEN_KAPPA, FLEISS_KAPPA, KRIPPENDORFF_ALPHA, PERCENT_AGREEMENT)
TEST_SETS = ("test_set", "condition")
"""Columns that name test sets, the first that there is; a batch is what one rater got, and no test set."""
NO_ERROR_WORDS = frozenset({"", "no error", "no errors", "no-error", "none", "no_errors", "no_error"})


@dataclass(frozen=True, slots=True)
class ScenarioAgreement:
    """The coefficients of one cell of the table; an empty test set or group means all of them together."""

    criterion: str
    scenario: str
    test_set: str
    group: str
    items: int
    raters: int
    values: dict[str, float]
    ends: Interval | None = None
    """The interval of α by itself; for the rows over all test sets and groups."""

    @property
    def is_aggregated(self) -> bool:
        return not self.test_set and not self.group


def coefficients_for(ratings: Ratings) -> tuple[str, ...]:
    """Weighted kappa where the scale has an order, plain kappa where it has not, as paper 004 chose."""
    return _LIKERT if ratings.level is Level.ORDINAL and len(ratings.scale) > 2 else _LABELS


def by_scenario(
    ratings: Ratings,
    scenario: str = "scenario",
    *,
    test_set: str | None = None,
    group: str | None = None,
    coefficients: Sequence[str] = (),
    confidence: float = 0.95,
) -> tuple[ScenarioAgreement, ...]:
    """Every criterion, scenario, test set and group; then each scenario with all of them together.

    What is kept apart beside scenarios, such as phases, stands in rows of its own: ``adequacy, before``.
    """
    condition_names(ratings, scenario)
    splits = [name for name in (test_set, group) if name is not None and _tells_apart(ratings, name)]
    apart = [name for name in kept_apart_within(ratings, scenario) if name not in splits]
    cells: list[ScenarioAgreement] = []
    for criterion in ratings.split((*(("criterion",) if "criterion" in ratings.columns else ()), *apart)):
        keys = tuple(coefficients) or coefficients_for(criterion.ratings)
        about = title_of_part(criterion.by, apart)
        for columns in [(test_set, group), (None, None)] if splits else [(None, None)]:
            by = (scenario, *(name for name in columns if name in splits))
            parts = criterion.ratings.split(by)
            cells += [_cell(about, part, scenario, *columns, keys, confidence) for part in parts]
    return tuple(cells)


def _tells_apart(ratings: Ratings, name: str) -> bool:
    """Whether the column holds names: an empty one, as in an export, would give every row twice."""
    return name in ratings.columns and bool(ratings.columns[name].compact().names)


def _cell(
    criterion: str,
    part: Group,
    scenario: str,
    test_set: str | None,
    group: str | None,
    keys: Sequence[str],
    confidence: float,
) -> ScenarioAgreement:
    names = part.by
    source = count_source(part.ratings)
    facts = source.facts()
    values = dict.fromkeys(keys, float("nan"))
    if facts.raters >= 2 and facts.pairable:
        known = [key for key in keys if facts.raters in coefficient(key).raters]
        statistic = sum_statistic(source.patterns(), facts.scale, known, Options())
        values |= dict(zip(statistic.names, (float(value) for value in statistic.values()), strict=True))
    made = ScenarioAgreement(
        criterion, names[scenario], names.get(test_set or "", ""), names.get(group or "", ""),
        facts.items, facts.raters, values,
    )  # fmt: skip
    return replace(made, ends=own_interval(part.ratings, values, confidence)) if made.is_aggregated else made


def scenario_ranking(cells: Sequence[ScenarioAgreement], key: str) -> tuple[tuple[str, float], ...]:
    """Scenarios by the mean of a coefficient over criteria and cells, the lowest agreement last."""
    chosen = [cell for cell in cells if cell.is_aggregated] or list(cells)
    scenarios = dict.fromkeys(cell.scenario for cell in chosen)
    means = []
    for scenario in scenarios:
        values = [cell.values[key] for cell in chosen if cell.scenario == scenario and key in cell.values]
        defined = [value for value in values if value == value]
        means.append((scenario, float(np.mean(defined)) if defined else float("nan")))
    return tuple(ordered(means, lambda pair: -np.inf if np.isnan(pair[1]) else pair[1], highest=True))


def is_mark_up(ratings: Ratings) -> bool:
    """Whether the values are errors that were marked: sets of them, or names with one that says there is none."""
    if ratings.scale.has_sets:
        return True
    return ratings.level is Level.NOMINAL and any(_is_clean(value) for value in ratings.scale.values)


def any_error(ratings: Ratings) -> Ratings:
    """Error mark-up reduced to whether there was any error: the binary level of paper 004 Table 7."""
    binary = Scale(Level.NOMINAL, ("no error", "error"), declared=True)
    faulty = np.array([int(not _is_clean(value)) for value in ratings.scale.values], dtype=np.int32)
    codebook = ratings.codebook.with_scales(dict.fromkeys(ratings.codebook.criteria, binary))
    return replace(ratings, value=faulty[ratings.value], scale=binary, codebook=codebook)


def _is_clean(value: object) -> bool:
    words = value if isinstance(value, frozenset) else {str(value)}
    return all(word.strip().lower() in NO_ERROR_WORDS for word in words)
