"""Agreement beside correlation: do raters say the same, and if not, do they at least go together?"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import isnan

import numpy as np

from accord.arrays import Floats
from accord.diagnosis.case import ALARM, Case, Observation, in_words
from accord.diagnosis.pairs import Pair
from accord.diagnosis.part import Part, parts_of
from accord.noise import first_of, ordered, settled
from accord.quantiles import bdtr, ndtr
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.signs.amount import FEW_UNTIED
from accord.tables.plain import PlainData
from accord.words import p_text, steady

__all__ = [
    "PairAverage", "ScopeAverage", "Side", "agreement_with_correlation", "explain", "negative_correlation",
    "pair_averages", "predictability", "scope_averages", "sign_test", "strict_or_lenient", "words_beside",
]  # fmt: skip

_WIDE_GAP, _LARGE, _HIGH = 0.3, 0.5, 0.8
_LOWER = 0.15
"""Gamma below kappa by so much is worth a word: it is the other way round than strictness would make it."""
_MOST_TIES = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Side(PlainData):
    """Agreement and correlation of one scope: all raters of a criterion, a group of them, a batch, or one pair.

    ``kappa``, ``pi`` and ``gamma`` are means over the pairs of raters for which they have a value;
    ``absolute_gamma`` is the mean of the absolute values.
    """

    criterion: str
    scope: str
    items: int
    raters: int
    pairs: int
    agreement: float
    kappa: float
    pi: float
    gamma: float
    absolute_gamma: float
    tau_a: float
    tau_c: float
    concordant: int
    discordant: int
    untied: int
    lower: str
    lower_share: float
    sign_p: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAverage(PlainData):
    """One pair of raters over all criteria; cells without a value are left out and counted."""

    pair: str
    items: int
    criteria: int
    kappa: float
    pi: float
    gamma: float
    absolute_gamma: float
    undefined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeAverage(PlainData):
    """All raters, a group or a batch averaged over the criteria; cells without a value are left out."""

    scope: str
    criteria: int
    agreement: float
    kappa: float
    pi: float
    gamma: float
    absolute_gamma: float


def scope_averages(sides: Sequence[Side]) -> list[ScopeAverage]:
    """The mean over criteria of every scope that has two or more, in the order they came."""
    scopes: dict[str, list[Side]] = {}
    for side in sides:
        scopes.setdefault(side.scope, []).append(side)
    return [
        ScopeAverage(
            scope=scope, criteria=len(found), agreement=_mean([side.agreement for side in found]),
            kappa=_mean([side.kappa for side in found]), pi=_mean([side.pi for side in found]),
            gamma=_mean([side.gamma for side in found]),
            absolute_gamma=_mean([side.absolute_gamma for side in found]),
        )
        for scope, found in scopes.items() if len(found) > 1
    ]  # fmt: skip


def agreement_with_correlation(
    ratings: Ratings,
    *,
    by: Sequence[str] = (),
    scopes: Sequence[str] = ("all", "group", "batch", "pair"),
    parts: Sequence[Part] | None = None,
) -> list[Side]:
    """Every criterion: all raters, each rater group, each batch, each pair; ``parts`` are those there already are."""
    sides = []
    for part in parts_of(ratings, by) if parts is None else parts:
        pairs = part.pairs
        if "all" in scopes:
            sides.append(_side(part.title, "all raters", part.items, pairs))
        if "pair" in scopes:
            sides += [_side(part.title, pair.title, pair.items, [pair]) for pair in pairs]
    for column in ("group", "batch"):
        if column in scopes and column in ratings.columns:
            for part in parts_of(ratings, (*by, column)):
                name = f"{column} {part.by[column] or '(none)'}"
                rest = [f"{key} {value}" for key, value in part.by.items() if key != column]
                sides.append(_side(", ".join(rest) or "all ratings", name, part.items, part.pairs))
    return sides


def _side(criterion: str, scope: str, items: int, pairs: Sequence[Pair]) -> Side:
    gammas = np.array([pair.gamma for pair in pairs])
    one = pairs[0] if len(pairs) == 1 else None
    lower, share = _who_is_lower(one) if one else ("", float("nan"))
    return Side(
        criterion=criterion, scope=scope, items=items,
        raters=len({name for pair in pairs for name in (pair.first, pair.second)}), pairs=len(pairs),
        agreement=_mean([pair.agreement for pair in pairs]), kappa=_mean([pair.kappa for pair in pairs]),
        pi=_mean([pair.pi for pair in pairs]), gamma=_mean(gammas), absolute_gamma=_mean(np.abs(gammas)),
        tau_a=_mean([pair.tau_a for pair in pairs]), tau_c=_mean([pair.tau_c for pair in pairs]),
        concordant=sum(pair.concordant for pair in pairs), discordant=sum(pair.discordant for pair in pairs),
        untied=sum(pair.untied for pair in pairs), lower=lower, lower_share=share,
        sign_p=sign_test(one.higher, one.lower) if one else float("nan"),
        words=explain(one) if one else _explain_many(pairs),
    )  # fmt: skip


def _mean(values: Sequence[float] | Floats) -> float:
    known = [value for value in values if not isnan(value)]
    if len(known) == 1:  # of every pair by itself, and there are thousands
        return float(known[0])
    return float(np.mean(known)) if known else float("nan")


def _who_is_lower(pair: Pair) -> tuple[str, float]:
    if not pair.disagreements:
        return "", float("nan")
    name = pair.first if pair.lower >= pair.higher else pair.second
    return name, max(pair.lower, pair.higher) / pair.disagreements


@lru_cache(maxsize=4096)  # words and numbers of a pair ask for the same test
def sign_test(higher: int, lower: int) -> float:
    """Probability of so one-sided a split if either rater were as likely to be the lower one (two-sided, exact)."""
    if higher + lower == 0:
        return float("nan")
    return min(1.0, 2 * float(bdtr(min(higher, lower), higher + lower, 0.5)))


_LOW = "low agreement, high consistency"
_CLOSE = "γ counts every two items that raters order differently, also where their ratings are close"


def explain(pair: Pair) -> str:
    """The gap between agreement and correlation of one pair, in words."""
    if isnan(pair.gamma):
        return f"no two items are ordered by both raters: gamma has no value ({steady(pair.agreement):.0%} equal)"
    if pair.gamma < 0:
        return (
            f"negative: gamma rests on {pair.untied:,} untied item pairs, while {steady(pair.agreement):.0%} of "
            f"{pair.items:,} items are rated alike"
        )
    few = f"; only {pair.untied} untied item pairs" if pair.untied < FEW_UNTIED else ""
    if pair.kappa - pair.gamma >= _LOWER:
        return f"agreement exceeds correlation by {steady(pair.kappa - pair.gamma):.2f}: {_CLOSE}{few}"
    if isnan(pair.kappa) or pair.kappa >= _HIGH:
        return f"they say the same{few}"
    if pair.gamma - pair.kappa >= _WIDE_GAP and pair.gamma >= _LARGE:
        return f"{_LOW}: {_direction(pair)}{few}"
    if pair.gamma < _LARGE and pair.kappa < _LARGE:
        return f"neither agree nor correlate{few}"
    return f"agreement and correlation say the same{few}"


def words_beside(words: str, *, is_weighted: bool) -> str:
    """The words beside a κ; an unweighted one knows equal answers alone, and a low one is no finding on agreement."""
    return words if is_weighted else words.replace(_LOW, "few equal answers, high consistency")


def _direction(pair: Pair) -> str:
    name, share = _who_is_lower(pair)
    split = f"{max(pair.lower, pair.higher)} of {pair.disagreements} disagreements"
    p = sign_test(pair.higher, pair.lower)
    if p < 0.05:
        return f"{name} is lower in {split} ({steady(share):.0%}, sign test {p_text(p)})"
    return f"neither is lower throughout ({name} in {split}, sign test {p_text(p)})"


def _explain_many(pairs: Sequence[Pair]) -> str:
    if not pairs:
        return "no two raters share an item"
    gap = _mean([pair.gamma for pair in pairs]) - _mean([pair.kappa for pair in pairs])
    one_way = sum(sign_test(pair.higher, pair.lower) < 0.05 for pair in pairs if pair.disagreements)
    negative = sum(pair.gamma < 0 for pair in pairs)
    warning = f"; {negative} {'pair is' if negative == 1 else 'pairs are'} negatively correlated" if negative else ""
    if isnan(gap):
        return "correlation is undefined: no pair of raters orders any two items"
    if -gap >= _LOWER:
        return f"agreement exceeds correlation by {steady(-gap):.2f}: {_CLOSE}{warning}"
    if gap < _WIDE_GAP:
        return f"agreement and correlation say much the same{warning}"
    return (
        f"correlation exceeds agreement by {steady(gap):.2f}; in {one_way} of {len(pairs)} pairs one rater is "
        f"lower throughout (sign test p < .05){warning}"
    )


def pair_averages(ratings: Ratings) -> list[PairAverage]:
    """Each pair of raters averaged over the criteria, the most agreeing first: the most reliable pair or batch."""
    found: dict[str, list[Pair]] = {}
    for part in parts_of(ratings):
        for pair in part.pairs:
            found.setdefault(pair.title, []).append(pair)
    averages = [
        PairAverage(
            pair=title, items=max(pair.items for pair in pairs), criteria=len(pairs),
            kappa=_mean([pair.kappa for pair in pairs]), pi=_mean([pair.pi for pair in pairs]),
            gamma=_mean([pair.gamma for pair in pairs]), absolute_gamma=_mean([abs(pair.gamma) for pair in pairs]),
            undefined=sum(isnan(pair.gamma) for pair in pairs),
        )
        for title, pairs in found.items()
    ]  # fmt: skip
    return ordered(averages, lambda one: one.pi, lambda one: one.pair, highest=True, size=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction(PlainData):
    """How well the ratings of one rater are predicted from another's by a straight line, left-out items only."""

    predicted: str
    by: str
    items: int
    slope: float
    intercept: float
    explained: float
    """Share of the variance of unseen items that the line explains; below 0 the rater's own mean is better."""


def predictability(case: Case) -> list[Prediction]:
    """Can a rater's values be predicted from another's? Both directions of each pair."""
    part, rows = case.part, case.rows
    predictions = []
    for first, second, here in rows:
        x, y = part.score[rows.left[here]], part.score[rows.right[here]]
        for by, predicted, given, wanted in ((first, second, x, y), (second, first, y, x)):
            slope, intercept, explained = _line(given, wanted)
            predictions.append(
                Prediction(
                    predicted=part.name(predicted), by=part.name(by), items=len(x), slope=slope,
                    intercept=intercept, explained=explained,
                )
            )  # fmt: skip
    return predictions


def _line(x: Floats, y: Floats) -> tuple[float, float, float]:
    """Least squares, and the share of variance explained when each item is predicted without itself."""
    nothing = float("nan")
    spread = float(np.square(x - x.mean()).sum())
    if len(x) < 4 or spread == 0 or y.std() == 0:
        return nothing, nothing, nothing
    slope = float((x - x.mean()) @ (y - y.mean()) / spread)
    intercept = float(settled(y.mean() - slope * x.mean(), max(abs(y).max(), abs(slope) * abs(x).max())))
    leverage = 1 / len(x) + np.square(x - x.mean()) / spread
    if np.any(leverage > 1 - 1e-9):
        return slope, intercept, nothing
    missed = (y - intercept - slope * x) / (1 - leverage)
    without = (y - y.mean()) * len(y) / (len(y) - 1)
    return slope, intercept, float(1 - np.square(missed).sum() / np.square(without).sum())


def strict_or_lenient(case: Case) -> Iterator[Observation]:
    """A wide gap between agreement and correlation that one-sided disagreements explain."""
    pairs = [pair for pair in case.pairs if pair.disagreements and not isnan(pair.gamma)]
    telling = []
    for pair in pairs:
        p = min(1.0, sign_test(pair.higher, pair.lower) * len(case.pairs))
        if p < ALARM and pair.gamma - pair.kappa >= _WIDE_GAP and pair.gamma >= _LARGE:
            telling.append((p, pair))
    if not telling:
        return
    worst, example = first_of(telling, lambda found: found[0], size=0)
    name, share = _who_is_lower(example)
    other = example.second if name == example.first else example.first
    yield Observation(
        message=f"{len(telling)} of {len(case.pairs)} rater pairs agree little but correlate, as one is lower "
        f"throughout; most clearly {name}, lower than {other} in {steady(share):.0%} of {example.disagreements} "
        f"disagreements (kappa {steady(example.kappa):.2f}, gamma {steady(example.gamma):.2f})",
        who=tuple(dict.fromkeys(n for _, pair in telling for n in (pair.first, pair.second)))[:50],
        evidence={"pairs": len(telling), "share_lower": share, "kappa": example.kappa, "gamma": example.gamma},
        sure=in_words(worst, "raters of equal strictness"),
    )


def negative_correlation(case: Case) -> Iterator[Observation]:
    """Two raters who order the items in opposite ways, and not by chance."""
    for pair, alone in zip(case.pairs, _negative_probabilities(case).tolist(), strict=True):
        p = min(1.0, alone * len(case.pairs))
        if pair.gamma < 0 and pair.items >= 6 and p < ALARM:
            yield Observation(
                message=f"{pair.first} and {pair.second} order the items in opposite ways (gamma "
                f"{steady(pair.gamma):.2f} from "
                f"{pair.untied:,} untied item pairs of {pair.items:,} items)",
                who=(pair.first, pair.second),
                evidence={"gamma": pair.gamma, "untied": pair.untied, "items": pair.items, "agreement": pair.agreement},
                sure=in_words(p),
            )


def _negative_probabilities(case: Case) -> Floats:
    """One-sided p of Kendall's S below zero, with the variance that ties leave (normal approximation), of each pair."""

    values, rank = np.unique(case.part.score, return_inverse=True)
    variances = [np.empty(0)]
    for some in case.rows.in_parts(max(1, _MOST_TIES // max(1, len(values)))):
        n = np.diff(np.append(some.starts, len(some.left))).astype(np.float64)
        pair = np.repeat(np.arange(len(n)), n.astype(np.int64)) * len(values)
        tied_x, tied_y = (
            np.bincount(pair + rank[side], minlength=len(n) * len(values)).reshape(len(n), -1).astype(np.float64)
            for side in (some.left, some.right)
        )
        variance = (n * (n - 1) * (2 * n + 5) - _tie_term(tied_x) - _tie_term(tied_y)) / 18
        variance += _pairs(tied_x) * _pairs(tied_y) * 2 / np.maximum(1, n * (n - 1))
        variances.append(variance + _triples(tied_x) * _triples(tied_y) / np.maximum(1, 9 * n * (n - 1) * (n - 2)))
    variance = np.concatenate(variances)
    balance = np.array([pair.concordant - pair.discordant for pair in case.pairs], dtype=np.float64)
    return np.where(variance > 0, ndtr(balance / np.sqrt(np.where(variance > 0, variance, 1.0))), 1.0)


def _tie_term(sizes: Floats) -> Floats:
    return np.asarray((sizes * (sizes - 1) * (2 * sizes + 5)).sum(axis=1))


def _pairs(sizes: Floats) -> Floats:
    return np.asarray((sizes * (sizes - 1) / 2).sum(axis=1))


def _triples(sizes: Floats) -> Floats:
    return np.asarray((sizes * (sizes - 1) * (sizes - 2)).sum(axis=1))
