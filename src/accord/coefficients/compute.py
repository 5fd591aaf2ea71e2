"""One coefficient on counted ratings: its value, parts, and the analytic error and interval that belong to it."""

from dataclasses import dataclass, field, replace

import numpy as np

from accord.coefficients import alpha, analytic, kappa, kendall
from accord.coefficients.disagreement import disagreements, require_order
from accord.coefficients.features import View
from accord.coefficients.incomplete import incomplete_icc
from accord.coefficients.left_out_pairs import WIDE_CELLS, pair_features
from accord.coefficients.options import ICC_MISSING, Options
from accord.coefficients.pairwise import PairValues, pair_values, pairwise
from accord.coefficients.registry import CoefficientSpec, coefficient
from accord.coefficients.reml import mixed_icc
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.ratings.counting import InMemory, pair_tables
from accord.ratings.counts import CountSource, Facts, Patterns

__all__ = ["Computed", "compute", "resamplable", "view_of"]

_ICC = frozenset({"icc_1", "icc_a1", "icc_c1", "icc_1k", "icc_ak", "icc_ck"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """A value with its parts by name, analytic error and interval; ``items`` is how many entered it."""

    key: str
    value: float
    items: int
    parts: dict[str, float] = field(default_factory=dict)
    standard_error: float | None = None
    interval: Interval | None = None
    conventions: tuple[str, ...] = ()


def view_of(source: CountSource, spec: CoefficientSpec | None = None) -> View:
    """The patterns of a source, ready for every coefficient: make it once, hand it to each.

    For a coefficient that does not tell raters apart, many raters with few items each are not laid out.
    """
    scale = source.facts().scale
    if isinstance(source, InMemory) and source.is_sparse and spec and not spec.identity and spec.key not in _ICC:
        return View(source.unnamed_patterns(), scale)
    return View(source.patterns(), scale)


def compute(
    source: CountSource,
    key: str,
    options: Options | None = None,
    confidence: float = 0.95,
    view: View | None = None,
) -> Computed:
    """The coefficient of these ratings, nan where it is undefined."""
    options = options or Options()
    spec = coefficient(key)
    chosen = _chosen(spec, source.facts(), options)
    if key == "krippendorff_alpha":
        require_order(options.metric_or(str(source.facts().scale.level)), source.facts().scale)
    if spec.pairwise:
        found_pairs = pairwise(source, key, options, view)
        return replace(_of_pairs(spec, found_pairs, source.facts().pairable, confidence), conventions=chosen)
    view = view or view_of(source, spec)
    if not spec.identity and spec.family != "icc":
        view = view.nameless
    if key in _ICC and options.icc_missing != "listwise" and not source.facts().complete:
        fit = mixed_icc if options.icc_missing == "mixed" else incomplete_icc
        found = fit(view.codes, view.multiplicity, source.facts().scale, key, confidence)
        return Computed(
            key=key, value=found.value, items=found.items, interval=found.interval, parts=found.parts,
            conventions=(ICC_MISSING[options.icc_missing],),
        )  # fmt: skip
    parts = _over_items(spec, view, options)
    value = parts.pop("value")
    if key == "krippendorff_alpha":
        parts |= disagreements(view, options, value)
    own = analytic.analytic_of_items(key, view, value, options, confidence)
    items = int(parts.pop("items", source.facts().pairable))
    return Computed(
        key=key, value=value, items=items, parts=parts, standard_error=own.standard_error, interval=own.interval,
        conventions=chosen,
    )  # fmt: skip


def _chosen(spec: CoefficientSpec, facts: Facts, options: Options) -> tuple[str, ...]:
    """In words what was used on these ratings: weights, metric, the rule for missing ratings."""
    words = []
    if spec.weighted:
        weights = options.weights_or(spec.weights)
        words.append(f"{weights} weights" if isinstance(weights, str) else "weights by a matrix of the user's own")
    if spec.key == "krippendorff_alpha":
        metric = options.metric_or(str(facts.scale.level))
        words.append(f"{metric} metric" if isinstance(metric, str) else "distances by a matrix of the user's own")
    if not facts.complete:
        words.append(f"missing ratings: {spec.missing_rule}")
    return tuple(words)


def _over_items(spec: CoefficientSpec, view: View, options: Options) -> dict[str, float]:
    """The formula at the sums of the ratings as they are."""
    direct = _direct(spec.key, view, options)
    if direct is not None:
        return direct
    formula = spec.build(view, options)
    sums = [view.summed(block) for block in formula.blocks]
    return {name: float(part[0]) for name, part in formula.of_sums(sums, {}).items()}


def _direct(key: str, view: View, options: Options) -> dict[str, float] | None:
    """Coefficients of order over all raters go straight from codes to the value, in O(ratings)."""
    if key == "light_kappa" and (not view.is_complete or len(view.codes) * pair_features(view, key) > WIDE_CELLS):
        return _light(view)
    if key not in ("kendall_w", "krippendorff_alpha"):
        return None
    times = view.multiplicity.astype(np.float64)
    if key == "kendall_w":
        whole = slice(None) if view.is_complete else view.complete > 0
        value = kendall.w_of_codes(view.codes[whole], times[whole], view.values)
        return {"value": value, "items": float(times[whole].sum())}
    metric = options.metric_or(str(view.scale.level))
    if isinstance(metric, str) and metric == "ordinal":
        return {"value": alpha.interval_alpha_of_sums(view.per_item, *view.rank_sums, times)}
    return None


def _light(view: View) -> dict[str, float]:
    """Light's kappa from one table a pair, over the items only that every rater rated."""
    whole = view.complete > 0
    items = float(view.multiplicity[whole].sum())
    if not items:
        return {"value": float("nan"), "items": items}
    tables = pair_tables(Patterns(view.codes[whole], view.multiplicity[whole]), view.values)
    found = _of_pairs(coefficient("cohen_kappa"), pair_values(tables, view.scale, "cohen_kappa"), 0, 0.95)
    parts = {name: part for name, part in found.parts.items() if name != "median_shared_items"}
    return {"value": found.value, "items": items, **parts}


def _of_pairs(spec: CoefficientSpec, found: PairValues, items: int, confidence: float) -> Computed:
    """The mean over the pairs that have a value; with one pair that pair's own error and interval."""
    undefined = np.isnan(found.value)
    missing = int(np.count_nonzero(undefined))
    parts = {"pairs": float(len(undefined) - missing), "undefined_pairs": float(missing)}
    if len(found.items) > 1:
        parts["median_shared_items"] = float(np.median(found.items))
    for name, part in found.parts.items():
        if name in ("observed", "expected"):
            parts[name] = float(kappa.pair_means(np.where(undefined, np.nan, part) if missing else part))
        else:
            parts[name] = float(part.sum())
    own = analytic.analytic_of_pair(spec.key, found, confidence)
    return Computed(
        key=spec.key,
        value=float(kappa.pair_means(found.value)),
        items=int(found.items[0]) if len(found.items) == 1 else items,
        parts=parts,
        standard_error=own.standard_error,
        interval=own.interval,
    )


def resamplable(key: str, view: View, options: Options | None = None) -> bool:
    """Whether replicates of this coefficient can be had from sums, at a bearable size."""
    try:
        coefficient(key).build(view, options or Options())
    except NotEnoughDataError:
        return False
    return True
