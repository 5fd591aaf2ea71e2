"""Does what raters were shown bias them? Pairs of raters compared by what they saw (paper 003)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.arrays import Floats, distinct
from accord.coefficients.kappa import CohenKappa
from accord.coefficients.options import Options
from accord.comparisons.difference import Difference, holm_over
from accord.comparisons.difference_tests import difference_tests
from accord.comparisons.pair_kappas import PairKappas, pair_means
from accord.comparisons.pair_settings import DIFF, SAME, SOURCE, PairSettings, pair_settings, rater_groups
from accord.comparisons.rating_patterns import CoOccurrence, MeanRanges, co_occurrence, mean_ranges
from accord.errors import NotEnoughDataError
from accord.quantiles import ndtri
from accord.ratings.counting import count_source
from accord.ratings.names import made_in_order
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.words import listed, spelled, steady

__all__ = ["PairKappa", "ReferenceBias", "SignificantShare", "compare_settings", "significant_shares"]

_SOURCE_WORDS = ("source", "src", "bilingual")


@dataclass(frozen=True, slots=True)
class SignificantShare:
    """How many comparisons of two pair kappas have intervals that do not overlap (003 Table 2)."""

    first: str
    second: str
    different: int
    comparisons: int

    @property
    def share(self) -> float:
        return self.different / self.comparisons if self.comparisons else float("nan")


@dataclass(frozen=True, slots=True)
class PairKappa:
    """The κ of one pair of raters, with its interval and its setting."""

    setting: str
    first: str
    second: str
    kappa: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ReferenceBias:
    """All that paper 003 asks of one criterion: the pairs, their settings, and every test of the difference."""

    criterion: str
    weights: str
    settings: PairSettings
    items: int
    kappas: Floats
    lows: Floats
    highs: Floats
    mean_kappas: dict[str, float]
    shares: tuple[SignificantShare, ...]
    differences: tuple[Difference, ...]
    ranges: MeanRanges
    patterns: tuple[CoOccurrence, ...]
    values: tuple[str, ...] = ()

    def pairs(self) -> tuple[PairKappa, ...]:
        """Every pair of raters, setting by setting."""
        raters, names = self.settings.raters, self.settings.names
        shown = {rater: place for place, rater in enumerate(self.settings.shown or raters)}
        pairs = [sorted((raters[one], raters[other]), key=shown.__getitem__) for one, other in self.settings.pairs]
        order = sorted(
            range(len(self.kappas)),
            key=lambda place: (names.index(self.settings.setting[place]), *map(shown.__getitem__, pairs[place])),
        )
        return tuple(
            PairKappa(
                str(self.settings.setting[place]),
                pairs[place][0],
                pairs[place][1],
                float(self.kappas[place]),
                float(self.lows[place]),
                float(self.highs[place]),
            )
            for place in order
        )

    @property
    def reference_groups(self) -> tuple[str, ...]:
        """Groups that did not see the source."""
        sources = {self.settings.groups[rater] for rater in self.settings.pairs[self.settings.of(SOURCE)].flat}
        return tuple(group for group in self.ranges.group_means if group not in sources)

    def verdict(self) -> str:
        """The answer in words, with the unit it holds for."""
        if not self.differences:
            return "There are not both pairs who saw the same and pairs who saw different things: nothing to test."
        decides, others = self.differences[0], self.differences[1:]
        size = (
            f"Pairs who saw the same agree by {steady(abs(decides.value)):.3f} "
            f"{'less' if decides.value < 0 else 'more'} than pairs who did not"
        )
        p = decides.p if decides.adjusted is None else decides.adjusted
        if p is None:
            return f"{size}; judges cannot be exchanged between the groups, so chance is not judged."
        holm = "" if decides.adjusted is None else " after Holm's correction over criteria"
        told = "p < 0.001" if p < 0.001 else f"p = {steady(p):.3f}"
        answer = f"{'shows' if decides.is_clear else 'does not show'} that this is more than chance"
        return f"{size}. Exchanging judges between the groups {answer} ({told}{holm}). {_sensitivity(others)}".strip()


def _sensitivity(others: Sequence[Difference]) -> str:
    """What the other units say: they answer other questions, and decide nothing."""
    names = {"judges and items": "both at once"}
    clear, unclear = (
        [names.get(one.unit, one.unit) for one in others if one.is_clear is kind] for kind in (True, False)
    )
    parts = [
        f"over {listed(clear)} it does not hold 0" if clear else "",
        f"over {listed(unclear)} it holds 0" if unclear else "",
    ]
    told = ", ".join(part for part in parts if part)
    return f"Intervals of the difference, for comparison: {told}." if told else ""


def compare_settings(
    ratings: Ratings,
    column: str,
    *,
    source_groups: Sequence[str] | None = None,
    weights: str | Floats = "identity",
    replicates: int = 10_000,
    rng: np.random.Generator,
    confidence: float = 0.95,
) -> tuple[ReferenceBias, ...]:
    """Derive the settings from the groups of raters and compare their pairs, criterion by criterion."""
    groups = rater_groups(ratings, column)
    sources = tuple(source_groups) if source_groups is not None else guessed_sources(ratings, column)
    parts = list(ratings.split(("criterion",) if "criterion" in ratings.columns else ()))
    titles = [part.by.get("criterion", "") for part in parts]

    def compared(place: int) -> ReferenceBias:
        of = titles[place], parts[place].ratings
        return _one_criterion(*of, groups, sources, weights, replicates, rng, confidence)

    found = made_in_order(titles, compared)
    made = holm_over([one.differences for one in found])
    return tuple(replace(one, differences=new) for one, new in zip(found, made, strict=True))


def guessed_sources(ratings: Ratings, column: str) -> tuple[str, ...]:
    """Groups that saw the source, where their name or a column says so."""
    named = [name for name in ratings.columns[column].names if name.lower() in _SOURCE_WORDS]
    for other in ratings.columns.values():
        codes = [code for code, name in enumerate(other.names) if name.lower() in _SOURCE_WORDS]
        rows = np.isin(other.codes, codes)
        if rows.any():
            factor = ratings.columns[column]
            inside = {factor.names[code] for code in distinct(factor.codes[rows])}
            outside = {factor.names[code] for code in distinct(factor.codes[~rows])}
            named += sorted(inside - outside)
    return tuple(dict.fromkeys(named))


def _one_criterion(
    criterion: str,
    ratings: Ratings,
    groups: dict[str, str],
    sources: Sequence[str],
    weights: str | Floats,
    replicates: int,
    rng: np.random.Generator,
    confidence: float,
) -> ReferenceBias:
    source = count_source(ratings.by_name())
    settings = pair_settings(source.rater_names(), groups, sources, shown=source.shown_raters())
    scale = source.facts().scale
    kappa, options = CohenKappa(weights) if isinstance(weights, str) else CohenKappa(), Options(weights=weights)
    kappas = PairKappas.of(source.matrix, settings.pairs, kappa.matrix(scale, options))
    tables = _all_tables(source.pairs().pairs, source.pairs().tables, settings)
    values = kappas.values()
    reach = float(ndtri((1 + confidence) / 2)) * np.asarray(kappa.of_pair_table(tables, scale, options).error)
    both = {SAME, DIFF} <= set(settings.names)
    tests = (
        difference_tests(settings, kappas, SAME, DIFF, replicates=replicates, rng=rng, confidence=confidence)
        if both
        else ()
    )
    return ReferenceBias(
        criterion, weights if isinstance(weights, str) else "own", settings, kappas.items, values, values - reach,
        values + reach,
        {name: float(pair_means(values, settings.of(name).astype(float))) for name in settings.names},
        significant_shares(settings, values - reach, values + reach), tests, mean_ranges(ratings, groups),
        tuple(co_occurrence(tables, settings, name) for name in settings.names),
        tuple(spelled(value) for value in scale.values),
    )  # fmt: skip


def _all_tables(pairs: np.ndarray, tables: np.ndarray, settings: PairSettings) -> np.ndarray:
    """The contingency table of every pair; pairs that share no item have an empty one."""
    place = {(int(one), int(other)): at for at, (one, other) in enumerate(settings.pairs)}
    if not len(tables):
        raise NotEnoughDataError("No two raters rated the same item, so no pair can be compared.")
    full = np.zeros((len(settings.pairs), *tables.shape[1:]), dtype=np.int64)
    full[[place[int(one), int(other)] for one, other in pairs]] = tables
    return full


def significant_shares(settings: PairSettings, lows: Floats, highs: Floats) -> tuple[SignificantShare, ...]:
    """Share of pair kappas whose intervals do not overlap, within and between settings."""
    names = [name for name in settings.names if name != "SOURCE vs REF"]
    found = []
    for at, one in enumerate(names):
        for other in names[at:]:
            mine, theirs = np.flatnonzero(settings.of(one)), np.flatnonzero(settings.of(other))
            apart = (lows[mine][:, None] > highs[theirs]) | (lows[theirs] > highs[mine][:, None])
            if one == other:
                different, total = int(np.triu(apart, 1).sum()), len(mine) * (len(mine) - 1) // 2
            else:
                different, total = int(apart.sum()), len(mine) * len(theirs)
            found.append(SignificantShare(one, other, different, total))
    return tuple(found)
