"""One alpha over parts that are kept apart, with an interval over the units the plan resamples."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from math import isnan

import numpy as np

from accord import sizes
from accord.arrays import Floats, Integers
from accord.coefficients.combined_alpha import combined, disagreement
from accord.coefficients.features import View
from accord.coefficients.registry import COEFFICIENTS, KRIPPENDORFF_ALPHA
from accord.inference.fisher_jackknife import fisher_intervals
from accord.inference.jackknife import jackknife, jackknife_of
from accord.inference.pseudo_items import effective_units
from accord.inference.statistic import SumStatistic
from accord.ratings.apart import words_of
from accord.ratings.counting import InMemory, counted_rows
from accord.ratings.counts import CountSource, Patterns, laid_out
from accord.ratings.names import in_order
from accord.ratings.table import Codes, Ratings
from accord.records import dataclass
from accord.reliability.anonymous import laid_out_moments
from accord.reliability.estimate import Estimate
from accord.reliability.plan import IntervalKind, Unit
from accord.reliability.question import question_of
from accord.reliability.request import Origin, Request, signature
from accord.reliability.resampling import FEWEST_RATERS, NO_PAIRS, Attached, from_jackknife, over_items, with_items
from accord.reliability.result import GroupReliability
from accord.reliability.unasked import FEW_UNITS
from accord.reliability.units import settled_unit, too_few

__all__ = ["combined_groups"]

Source = Ratings | CountSource
_MANY = 100_000
"""From here on units are many, whatever their sizes."""


@dataclass(frozen=True)
class _Part:
    """One part: what each of its units adds to the sums, and which unit of the whole that is."""

    statistic: SumStatistic
    units: tuple[str, ...] | None
    """Names of the units, one a row; None where only counts are known and every row stands for units of its own."""


def combined_groups(
    parts: Sequence[tuple[Mapping[str, str], Source]],
    counts: Sequence[CountSource],
    within: Sequence[str],
    request: Request,
    whole: Source,
    without_alpha: Collection[int] = (),
) -> tuple[GroupReliability, ...]:
    """For each criterion (and each name asked for) with several parts: alpha with disagreement summed within them.

    ``counts`` are those of each part, made before, and ``without_alpha`` the places of parts that have no alpha.
    """
    together: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for place, (by, _) in enumerate(parts):
        key = tuple((column, name) for column, name in by.items() if column not in within)
        together.setdefault(key, []).append(place)
    made = []
    for key, places in together.items():
        rated = [place for place in places if place not in without_alpha and counts[place].facts().pairable > 0]
        if len(rated) > 1:
            chosen = [(parts[place][1], counts[place]) for place in rated]
            made.append(_group(dict(key), chosen, within, request, partial(Origin.of, whole, chosen[0][0])))
    return tuple(made)


def _group(
    by: Mapping[str, str], parts: Sequence[tuple[Source, CountSource]], within: Sequence[str], request: Request,
    origin: Callable[[], Origin],
) -> GroupReliability:  # fmt: skip
    counts = [counted for _, counted in parts]
    request = replace(request, plan=replace(request.plan, resample=_settled(counts, request)))
    whole = _Whole(tuple(_counted(*part) for part in parts), request)
    value = float(whole.statistic.values()[0])
    attached = Attached() if isnan(value) else _attached(whole, request)
    spec = COEFFICIENTS[KRIPPENDORFF_ALPHA]
    words, named = words_of(within), {**by, "combined within": "+".join(within)}
    estimate = Estimate(
        coefficient=KRIPPENDORFF_ALPHA, title=spec.title, value=value, interval=attached.interval,
        standard_error=attached.standard_error, items=whole.items, raters=whole.raters,
        signature=lambda: signature(spec, request, attached.interval, origin(), named),
        parts=whole.disagreement(), cautions=attached.caution,
        conventions=(f"observed and expected disagreement summed within each {words}; nothing is paired across",),
        question=question_of(spec, request.plan.resample, attached.interval, whole.items, whole.raters),
    )  # fmt: skip
    facts = [counted.facts() for counted in counts]
    return GroupReliability(
        by=dict(by), combined=tuple(within), items=whole.items, raters=whole.raters,
        ratings=sum(one.ratings for one in facts), level=str(facts[0].scale.level),
        values=max(len(one.scale) for one in facts), estimates=(estimate,),
        notes=(f"{len(parts)} parts combined: disagreement is summed within each {words}",),
    )  # fmt: skip


def _settled(counted: Sequence[CountSource], request: Request) -> Unit:
    """The unit of the parts; documents where they are that of one and every item of the others names its own."""
    units = {settled_unit(request.plan, source)[0] for source in counted}
    if len(units) == 1:
        return units.pop()
    return Unit.DOCUMENT if all(_names_documents(source) for source in counted) else Unit.ITEM


def _names_documents(source: CountSource) -> bool:
    found = source.by_document()
    return found is not None and not bool((found.document < 0).any())


def _counted(source: Source, counted: CountSource) -> Source:
    """Only ratings that count between raters."""
    if not isinstance(source, Ratings):
        return source
    named = not source.item.has_empty and not source.rater.has_empty
    if named and isinstance(counted, InMemory) and counted.ratings is source:
        return counted.counted
    rows = counted_rows(source)
    return source if rows is None else source.where(rows)


@dataclass(frozen=True)
class _Whole:
    """All parts as one statistic."""

    sources: tuple[Source, ...]
    request: Request

    @cached_property
    def parts(self) -> tuple[_Part, ...]:
        return tuple(_part(source, self.request) for source in self.sources)

    @cached_property
    def statistic(self) -> SumStatistic:
        """The sums of every unit, over all parts."""
        places, multiplicity = self._laid_out
        return combined([part.statistic for part in self.parts], places, multiplicity)

    @cached_property
    def sizes(self) -> Floats:
        """How many rows each unit has, over all parts; 1 where only counts are known."""
        places, multiplicity = self._laid_out
        return np.bincount(np.concatenate(places), minlength=len(multiplicity)).astype(np.float64)

    @property
    def effective(self) -> float:
        """Units of equal size that would be as good as these."""
        times = self.statistic.multiplicity
        return effective_units(np.repeat(self.sizes, times)) if times.sum() < _MANY else float(times.sum())

    @cached_property
    def _laid_out(self) -> tuple[list[Integers], Integers]:
        """The unit of each row of each part, and how often each unit occurs."""
        # Sorted, so that a seed draws the same units whatever the order of rows.
        units = in_order(list({name for part in self.parts for name in part.units or ()}))
        names = {name: place for place, name in enumerate(units)}
        places: list[Integers] = []
        multiplicity = [1] * len(names)
        for part in self.parts:
            if part.units is None:
                start = len(multiplicity)
                multiplicity += part.statistic.multiplicity.tolist()
                places.append(np.arange(start, len(multiplicity), dtype=np.int64))
            else:
                places.append(np.array([names[name] for name in part.units], dtype=np.int64))
        return places, np.array(multiplicity, dtype=np.int64)

    def disagreement(self) -> dict[str, float]:
        """Observed and expected disagreement a rating, over all parts."""
        found = np.sum([part.statistic.values() for part in self.parts], axis=0)
        n = sum(_pairable(source) for source in self.sources)
        return {"observed_disagreement": float(found[0]) / n, "expected_disagreement": float(found[1]) / n}

    @property
    def items(self) -> int:
        """Items that two or more rated; the same item in two parts is one item where items have names."""
        if all(isinstance(source, Ratings) for source in self.sources):
            return len({name for source in self.sources if isinstance(source, Ratings) for name in _paired(source)})
        return sum(source.facts().pairable for source in self.sources if not isinstance(source, Ratings))

    @property
    def rater_names(self) -> tuple[str, ...]:
        names = [s.rater.names if isinstance(s, Ratings) else s.rater_names() for s in self.sources]
        return tuple(dict.fromkeys(name for part in names for name in part))

    @property
    def raters(self) -> int:
        return len(self.rater_names)

    def without(self, rater: str) -> "_Whole":
        kept = []
        for source in self.sources:
            assert isinstance(source, Ratings)  # noqa: S101
            codes = [code for code, name in enumerate(source.rater.names) if name == rater]
            kept.append(source.where(~np.isin(source.rater.codes, codes)))
        return replace(self, sources=tuple(kept))


def _part(source: Source, request: Request) -> _Part:
    scale = source.scale if isinstance(source, Ratings) else source.facts().scale
    if isinstance(source, Ratings):
        units, patterns = _units(source, request.plan.resample), _by_item(source.item.codes, source.value, source.items)
    else:
        units = None
        if COEFFICIENTS[KRIPPENDORFF_ALPHA].coefficient.needs_moments_only(scale.level, request.options):
            patterns, scale = laid_out_moments(source.moments(), scale)
        else:
            patterns = laid_out(source.item_values())
    return _Part(disagreement(View(patterns, scale), request.options), units)


def _by_item(item: Codes, value: Codes, items: int) -> Patterns:
    """One row an item, its ratings side by side, by nobody in particular."""
    order = np.argsort(item, kind="stable")
    each = np.bincount(item, minlength=items)
    codes = np.full((items, int(each.max(initial=0))), -1, dtype=np.int32)
    codes[item[order], np.arange(len(item)) - np.repeat(np.cumsum(each) - each, each)] = value[order]
    return Patterns(codes, np.ones(items, dtype=np.int64))


def _units(ratings: Ratings, unit: Unit) -> tuple[str, ...]:
    """The unit of each item: itself, or the document it belongs to."""
    if not unit.of_documents:
        return tuple(ratings.item.names)
    # The parts themselves were refused before where an item names no document.
    document = ratings.columns["document"]
    first = np.zeros(ratings.items, dtype=np.int64)
    first[ratings.item.codes[::-1]] = np.arange(len(ratings) - 1, -1, -1)
    return tuple(str(name) for name in document.labels()[first])


def _paired(ratings: Ratings) -> list[str]:
    number = np.bincount(ratings.item.codes, minlength=ratings.items)
    return [name for name, n in zip(ratings.item.names, number.tolist(), strict=True) if n >= 2]


def _pairable(source: Source) -> float:
    """Ratings of items that two or more rated."""
    if isinstance(source, Ratings):
        number = np.bincount(source.item.codes, minlength=source.items)
        return float(number[number >= 2].sum())
    moments = source.moments()
    return float(moments.multiplicity @ np.where(moments.ratings >= 2, moments.ratings, 0))


def _attached(whole: _Whole, request: Request) -> Attached:
    plan = request.plan
    if plan.interval is IntervalKind.NONE:
        return Attached()
    if plan.resample is Unit.PAIR:
        return Attached(reason=NO_PAIRS)
    if plan.resample.of_documents and any(part.units is None for part in whole.parts):
        return Attached(reason="documents are not drawn over parts of stored ratings, so there is no interval")
    unit, units = ("documents" if plan.resample.of_documents else "items"), whole.effective
    if plan.is_free and (why := too_few(whole.items, len(whole.sizes) if plan.resample.of_documents else None)):
        return Attached(reason=why)
    if plan.resample.of_raters:
        return _over_raters(whole, request)
    if plan.is_free and units < FEW_UNITS:
        left_out = jackknife(whole.statistic, unit)
        error = float(left_out.standard_errors[0])
        return Attached(fisher_intervals(left_out, plan.confidence, units)[0], None if isnan(error) else error)
    replicates = (
        plan.replicates or sizes.affordable_replicates(*whole.statistic.features.shape)
    ) * plan.wants_bootstrap
    return over_items(whole.statistic, plan, replicates, unit=unit)[0]


def _over_raters(whole: _Whole, request: Request) -> Attached:
    """Each rater left out of all parts at once."""
    plan, names = request.plan, whole.rater_names
    if any(part.units is None for part in whole.parts):
        return Attached(reason="who gave which rating is not counted here, so there is no interval over raters")
    if len(names) < FEWEST_RATERS:
        return Attached(reason=f"there are {len(names)} raters: too few to resample raters, so there is no interval")
    left_out: Floats = np.array([whole.without(name).statistic.values() for name in names])
    by_rater = jackknife_of(whole.statistic.values(), left_out, "raters")
    if plan.resample is Unit.RATER:
        return from_jackknife(by_rater, plan)[0]
    by_unit = jackknife(whole.statistic, "documents" if plan.resample.of_documents else "items")
    return with_items(by_rater, by_unit.standard_errors, whole.effective, plan, by_unit.unit)[0]
