"""From ranks to preferences: who was placed before whom on one screen, and how far raters agree on it (WMT's κ)."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from math import inf, nan
from types import MappingProxyType

import numpy as np

from accord.arrays import Floats
from accord.coefficients.kappa import chance_corrected
from accord.design.scale import Direction
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.ratings.apart import kept_apart
from accord.ratings.names import in_order
from accord.ratings.pooled_units import occasion_ranks
from accord.ratings.roles import REPEAT, is_control, role_named
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.scoring.preference_result import Preference
from accord.tables.plain import PlainData

__all__ = [
    "PairwiseKappa",
    "Placed",
    "pairwise_kappa",
    "pairwise_kappas",
    "placed_pairs",
    "preferences_of",
    "ranking_criterion",
]

_SHOWN = ("scenario", "condition", "phase", "round", "guideline", "language_pair")
"""Columns that, with rater, item and occasion, tell which texts were ranked together."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Two systems that one rater ranked together; ``winner`` is one of them, or '' where they share a rank.

    ``part`` is what the ranking is kept apart by: only rankings of one part are compared between raters. ``task`` is
    what was asked and shown: a rater agrees with himself, or does not, on one task.
    """

    item: str
    rater: str
    first: str
    second: str
    winner: str
    is_repeat: bool = False
    part: tuple[str, ...] = ()
    task: tuple[str, ...] = ()


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
    system, role = (_texts(part, name) for name in ("system", "role"))
    shown, occasion = [_texts(part, name) for name in _SHOWN], _occasions(part)
    screens: dict[_Screen, dict[str, float]] = defaultdict(dict)
    marked: set[_Screen] = set()
    for row, score in enumerate(part.scores):
        if not system[row] or is_control(role[row]):
            continue
        base = _without_system(part.item.names[part.item.codes[row]], system[row])
        is_marked = role_named(role[row]) == REPEAT
        met = (*(column[row] for column in shown), str(inf) if is_marked else occasion[row])
        screen = (base, part.rater.names[part.rater.codes[row]], *met)
        screens[screen][system[row]] = sign * float(score)
        if is_marked:
            marked.add(screen)
    repeated = marked | _later([screen for screen in screens if screen not in marked])
    parts = _parts(part, [screen for screen in screens if screen not in repeated])
    return tuple(
        Placed(
            screen[0],
            screen[1],
            a,
            b,
            a if ranks[a] > ranks[b] else b if ranks[b] > ranks[a] else "",
            screen in repeated,
            parts.get(screen, ()),
            _task(screen),
        )
        for screen, ranks in screens.items()
        for a, b in combinations(sorted(ranks), 2)
    )


_Screen = tuple[str, ...]
"""Item, rater, what the columns of a screen hold, and the occasion."""


def _task(screen: _Screen) -> tuple[str, ...]:
    """What was asked and shown; to rank a screen again is the same task in another phase."""
    return tuple(cell for name, cell in zip(_SHOWN, screen[2:-1], strict=True) if name != "phase")


def _occasions(ratings: Ratings) -> list[str]:
    ranks = occasion_ranks(ratings)
    return ["0"] * len(ratings) if ranks is None else [str(rank) for rank in ranks.tolist()]


def _later(screens: Sequence[_Screen]) -> set[_Screen]:
    """Screens that the same rater had met on an earlier occasion."""
    first: dict[_Screen, float] = {}
    for screen in screens:
        first[screen[:-1]] = min(first.get(screen[:-1], inf), float(screen[-1]))
    return {screen for screen in screens if float(screen[-1]) > first[screen[:-1]]}


def _parts(ratings: Ratings, screens: Sequence[_Screen]) -> dict[_Screen, tuple[str, ...]]:
    """What each first ranking is kept apart by; also by what was pooled, where one rater ranked an item in several
    of the pooled parts, as nobody is compared with himself there."""
    apart, pooled = (
        [place for place, name in enumerate(_SHOWN, 2) if name in names]
        for names in (kept_apart(ratings), ratings.pooled)
    )
    met: dict[tuple[str, ...], set[tuple[str, ...]]] = defaultdict(set)
    for screen in screens:
        met[screen[:2]].add(tuple(screen[place] for place in pooled))
    several = {item for (item, _), found in met.items() if len(found) > 1}
    return {
        screen: tuple(screen[place] for place in (*apart, *(pooled if screen[0] in several else ())))
        for screen in screens
    }


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
    """Agreement on pairs of systems of one item: between raters, or of raters with themselves.

    ``part`` names the part that it is computed within, "" where it is that of all parts together.
    """

    value: float
    interval: Interval | None
    agreed: float
    expected: float
    ties: float
    comparisons: int
    items: int
    within: bool
    part: str = ""

    _called = MappingProxyType({"within": "within_raters"})


def pairwise_kappas(
    pairs: Sequence[Placed], seed: int, *, level: float = 0.95, replicates: int = 2_000
) -> tuple[PairwiseKappa, ...]:
    """Between raters, in each part by itself where there are several, and of raters with themselves."""
    parts = sorted({one.part for one in pairs if not one.is_repeat})
    own = (
        [
            (" ".join(filter(None, part)), [one for one in pairs if one.part == part and not one.is_repeat])
            for part in parts
        ]
        if len(parts) > 1
        else []
    )
    asked = [("", pairs, False), *((name, some, False) for name, some in own), ("", pairs, True)]
    made = [
        pairwise_kappa(some, np.random.default_rng(seed), within=within, level=level, replicates=replicates, part=name)
        for name, some, within in asked
        if some
    ]
    return tuple(one for one in made if one.comparisons)


def pairwise_kappa(
    pairs: Sequence[Placed],
    rng: np.random.Generator,
    *,
    within: bool = False,
    level: float = 0.95,
    replicates: int = 2_000,
    part: str = "",
) -> PairwiseKappa:
    r"""Cohen's form of agreement on relative rankings, as WMT reported it (Bojar et al. 2013).

    .. math::
        \kappa = \frac{P(A) - P(E)}{1 - P(E)}, \quad
        P(E) = P(=)^2 + 2 \left(\frac{1 - P(=)}{2}\right)^2

    P(A) is the share of pairs of judgements on one item and two systems that are the same. Which system comes
    first is arbitrary, so the share of ties P(=) says all. Judgements of different parts are never compared; observed
    and expected disagreement are sums over the parts, weighted by their comparisons. The interval resamples items.
    """
    sums = _sums(pairs, within)
    value, agreed, expected = (float(one) for one in _kappa(sums.sum(axis=0, keepdims=True)))
    items = int((sums[:, :, 1].sum(axis=1) > 0).sum())
    interval = None
    if items > 1 and value == value:
        weights = rng.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=replicates).astype(np.float64)
        drawn = _kappa((weights @ sums.reshape(len(sums), -1)).reshape(replicates, *sums.shape[1:]))[0]
        low, high = np.nanquantile(drawn, [(1 - level) / 2, (1 + level) / 2])
        interval = Interval(low=float(low), high=float(high), level=level, method="bootstrap over items, percentile")
    _, compared, ties, judged = sums.sum(axis=(0, 1))
    return PairwiseKappa(
        value=value,
        interval=interval,
        agreed=agreed,
        expected=expected,
        ties=float(ties / judged) if judged else nan,
        comparisons=int(compared),
        items=items,
        within=within,
        part=part,
    )


def _kappa(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """κ, P(A) and P(E) of each row of (parts, (same, compared, ties, judged))."""
    same, compared, ties, judged = np.moveaxis(sums, -1, 0)
    total = compared.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        tied = np.where(judged > 0, ties / judged, 0.0)
        chance = tied**2 + (1 - tied) ** 2 / 2
        kappa = chance_corrected(same.sum(axis=-1) / total, (chance * compared).sum(axis=-1) / total)
    return np.squeeze(kappa.value), np.squeeze(kappa.observed), np.squeeze(kappa.expected)


def _sums(pairs: Sequence[Placed], within: bool) -> Floats:
    """For each item and part: comparisons that agree, all of them, ties, judgements."""
    cells: dict[tuple[str, tuple[str, ...], str, str], list[Placed]] = defaultdict(list)
    for one in pairs:
        if within or not one.is_repeat:
            cells[one.item, one.task if within else one.part, one.first, one.second].append(one)
    # In order, so that a seed draws the same whatever row comes first.
    items = {item: place for place, item in enumerate(in_order(list({key[0] for key in cells})))}
    parts = {part: place for place, part in enumerate(dict.fromkeys(key[1] for key in cells))}
    sums = np.zeros((max(len(items), 1), max(len(parts), 1), 4))
    for (item, part, _, _), judged in cells.items():
        cell = sums[items[item], parts[part]]
        for one, other in combinations(judged, 2):
            if _compared(one, other, within):
                cell += np.array([one.winner == other.winner, 1, 0, 0])
        cell += np.array([0, 0, sum(not one.winner for one in judged), len(judged)])
    return sums


def _compared(one: Placed, other: Placed, within: bool) -> bool:
    """Two raters; or one rater, where one of the two rankings repeats the other."""
    return one.rater == other.rater and (one.is_repeat or other.is_repeat) if within else one.rater != other.rater
