"""From ranks to preferences: who was placed before whom on one screen, and how far raters agree on it (WMT's κ)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import nan
from types import MappingProxyType

import numpy as np

from accord.arrays import Floats
from accord.design.scale import Direction
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.ratings.roles import is_control
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.scoring.preferences import Preference
from accord.tables.plain import PlainData

__all__ = ["PairwiseKappa", "Placed", "pairwise_kappa", "placed_pairs", "preferences_of", "ranking_criterion"]

_SCREEN = ("scenario", "condition", "phase", "round", "guideline", "occasion")
"""Columns that, with rater and item, tell which texts were ranked together."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Two systems that one rater ranked together; ``winner`` is one of them, or '' where they share a rank."""

    item: str
    rater: str
    first: str
    second: str
    winner: str
    is_repeat: bool = False


def ranking_criterion(ratings: Ratings, asked: str | None = None) -> str | None:
    """The criterion whose ratings are ranks, as the codebook says; None where there is none, or another was asked."""
    ranked = [key for key, one in ratings.codebook.criteria.items() if one.kind == "ranking"]
    if asked is not None:
        return asked if asked in ranked else None
    if len(ranked) > 1:
        raise OptionError(f"There are several rankings ({', '.join(ranked)}): choose one with --criterion.")
    compared = any(one.kind == "pairwise" for one in ratings.codebook.criteria.values())
    return ranked[0] if ranked and not compared else None


def placed_pairs(ratings: Ratings, criterion: str | None = None) -> tuple[Placed, ...]:
    """Every pair of systems on every screen. Rank 1 is best, unless the codebook says that the highest is.

    Copies that check the rater are left out; second rankings of the same screen are marked as repeats.
    """
    part = next((one.ratings for one in ratings.split() if criterion in (None, one.by.get("criterion"))), ratings)
    if "system" not in part.columns:
        raise NotEnoughDataError("Ranks need the column system: which text of which system was put where.")
    sign = 1.0 if part.scale.direction is Direction.HIGH else -1.0
    system, role, occasion = (_texts(part, name) for name in ("system", "role", "occasion"))
    apart = [_texts(part, name) for name in _SCREEN]
    screens: dict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
    repeated: set[tuple[str, ...]] = set()
    for row, score in enumerate(part.scores):
        if not system[row] or is_control(role[row]):
            continue
        base = _without_system(part.item.names[part.item.codes[row]], system[row])
        screen = (base, part.rater.names[part.rater.codes[row]], *(column[row] for column in apart))
        screens[screen][system[row]] = sign * float(score)
        if role[row] == "repeat" or occasion[row] not in ("", "1"):
            repeated.add(screen)
    return tuple(
        Placed(screen[0], screen[1], a, b, a if ranks[a] > ranks[b] else b if ranks[b] > ranks[a] else "",
               screen in repeated)
        for screen, ranks in screens.items()
        for a, b in combinations(sorted(ranks), 2)
    )  # fmt: skip


def _without_system(item: str, system: str) -> str:
    """What was ranked: the item without the system that a study (``:``) or a reader (``|``) put behind it."""
    return item.removesuffix(f":{system}").removesuffix(f"|{system}")


def _texts(ratings: Ratings, column: str) -> list[str]:
    """A column as text, empty where there is none."""
    known = ratings.columns.get(column)
    if known is None:
        return [""] * len(ratings)
    return ["" if code < 0 else known.names[code] for code in known.codes]


def preferences_of(pairs: Sequence[Placed]) -> tuple[Preference, ...]:
    """What the Bradley-Terry model takes; a rater's second ranking of a screen is not counted again."""
    made = tuple(
        Preference(first=one.first, second=one.second, winner=one.winner, rater=one.rater, item=one.item)
        for one in pairs
        if not one.is_repeat
    )
    if not made:
        raise NotEnoughDataError("No two systems were ranked together, so there is nothing to prefer.")
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseKappa(PlainData):
    """Agreement on pairs of systems of one item: between raters, or of raters with themselves."""

    value: float
    interval: Interval | None
    agreed: float
    expected: float
    ties: float
    comparisons: int
    items: int
    within: bool

    _called = MappingProxyType({"within": "within_raters"})


def pairwise_kappa(
    pairs: Sequence[Placed], rng: np.random.Generator, *, within: bool = False, level: float = 0.95,
    replicates: int = 2_000,
) -> PairwiseKappa:  # fmt: skip
    r"""Cohen's form of agreement on relative rankings, as WMT reported it (Bojar et al. 2013).

    .. math::
        \kappa = \frac{P(A) - P(E)}{1 - P(E)}, \quad
        P(E) = P(=)^2 + 2 \left(\frac{1 - P(=)}{2}\right)^2

    P(A) is the share of pairs of judgements on one item and two systems that are the same. Which system comes
    first is arbitrary, so the share of ties P(=) says all. The interval resamples items.
    """
    sums = _sums(pairs, within)
    total = sums.sum(axis=0)
    items = int((sums[:, 1] > 0).sum())
    value, agreed, expected = (float(one) for one in _kappa(total))
    interval = None
    if items > 1 and value == value:
        weights = rng.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=replicates).astype(np.float64)
        drawn = _kappa((weights @ sums).T)[0]
        low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2])
        interval = Interval(low=float(low), high=float(high), level=level, method="bootstrap over items, percentile")
    ties = float(total[2] / total[3]) if total[3] else nan
    return PairwiseKappa(
        value=value, interval=interval, agreed=agreed, expected=expected, ties=ties, comparisons=int(total[1]),
        items=items, within=within,
    )  # fmt: skip


def _kappa(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """κ, P(A) and P(E) of (same, compared, ties, judged)."""
    same, compared, ties, judged = sums
    with np.errstate(invalid="ignore", divide="ignore"):
        agreed, tied = np.divide(same, compared), np.divide(ties, judged)
        expected = tied**2 + (1 - tied) ** 2 / 2
        return np.asarray((agreed - expected) / (1 - expected)), np.asarray(agreed), np.asarray(expected)


def _sums(pairs: Sequence[Placed], within: bool) -> Floats:
    """For each item: comparisons that agree, all of them, ties, judgements."""
    cells: dict[tuple[str, str, str], list[Placed]] = defaultdict(list)
    for one in pairs:
        cells[one.item, one.first, one.second].append(one)
    sums: Mapping[str, Floats] = defaultdict(lambda: np.zeros(4))
    for (item, _, _), judged in cells.items():
        counted = judged if within else [one for one in judged if not one.is_repeat]
        for one, other in combinations(counted, 2):
            if (one.rater == other.rater) == within:
                sums[item] += np.array([one.winner == other.winner, 1, 0, 0])
        sums[item] += np.array([0, 0, sum(not one.winner for one in counted), len(counted)])
    return np.stack(list(sums.values())) if sums else np.zeros((1, 4))
