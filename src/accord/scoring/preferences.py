"""Pairwise preferences with ties: the Bradley-Terry-Davidson model, and whether preferences run in circles."""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from math import exp
from typing import Self, TypeVar

import numpy as np

from accord.arrays import Floats, Integers
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.inference.multiple import Adjustment, adjusted
from accord.noise import order_of, ordered, settled
from accord.ratings.factor import Factor
from accord.ratings.fingerprint import hashed_names, hashed_rows
from accord.records import dataclass
from accord.scoring.preference_fit import majority_tests, misfit_p, shown_circles
from accord.scoring.preference_model import Model
from accord.scoring.preference_raters import FEW_CLUSTERS, choices_by_rater, has_few, texts_of
from accord.scoring.preference_result import Preference, PreferencePair, Preferences, PreferredSystem
from accord.scoring.preference_tests import Contrasts, Spread, clustered
from accord.scoring.signature import signature
from accord.words import counted, p_text, steady

__all__ = ["bradley_terry_davidson", "fingerprint_of"]

Label = TypeVar("Label")


def bradley_terry_davidson(
    preferences: Sequence[Preference], *, level: float = 0.95, origin: Mapping[str, object] | None = None
) -> Preferences:
    r"""Abilities from preferences with ties.

    .. math::
        P(i \succ j) \propto \pi_i, \quad P(i \sim j) \propto \nu \sqrt{\pi_i \pi_j}, \quad P(j \succ i) \propto \pi_j

    It is linear in the log abilities, so Jeffreys' prior is Firth's penalty: estimates stay finite even
    for a system that never lost. The comparisons of one rater are alike, and so are those of one item: standard
    errors are those of clusters of raters and of items together (a two-way sandwich: raters + items - both), as far as
    raters and items are known. Of few clusters a sandwich can be far too small by accident, so it is never taken
    under that of one kind of cluster or under the model's own error, and is read by Student's t with as many degrees
    of freedom as the fewer clusters have, less one. One rater or two say nothing of others: they are taken as given,
    as in ``accord rank``, and errors are those over documents (over items where fewer than four documents are known).
    Where raters are taken as given, differences are tested by choices won (``preference_tests``), so that a system that
    always wins is not found less sure than one that loses now and then.

    ``origin`` is what the signature says of the ratings: their fingerprint, and how they were chosen.

    References
    ----------
    Cameron, A. C., Gelbach, J. B., Miller, D. L. (2011). Robust inference with multiway clustering.
    """
    kinds, code = _coded([(p.first, p.second, p.winner) for p in preferences])
    names = tuple(dict.fromkeys(name for first, second, _ in kinds for name in (first, second)))
    _check(kinds, names)
    counts = _counts(kinds, code, names)
    ties = bool(counts[:, :, 1].sum())
    model = Model(len(names), counts, ties)
    estimate = model.fit()
    abilities = settled(model.contrast @ estimate, 1.0)
    scores = _scores(model, estimate, kinds, names)[code]
    codes = _cluster_codes(preferences)
    clusters = {unit: int(each.max()) + 1 for unit, each in codes.items()}
    spread = _over_raters(codes, scores)
    here, texts = _with_these_raters(scores, preferences)
    raters = len({p.rater for p in preferences} - {""})
    is_of_these = has_few(raters)
    if is_of_these:
        spread, clusters = here, {texts: here.freedom + 1} if texts else {}
    unit = " and ".join(clusters) or "comparisons"
    law = f"t({spread.freedom}) intervals" if spread.freedom > 0 else "normal intervals"
    given = f", with {counted(raters, 'rater')} taken as given" if is_of_these else ""
    method = f"Bradley-Terry-Davidson with Firth's penalty, {law} over {unit}{given}"
    choices = _Choices.of(kinds, code, names, tuple(codes.values()))
    deviance, freedom, p = _misfit(choices, counts)
    circles = choices.circles(names, level)
    systems = _systems(names, abilities, Contrasts(model, estimate, spread), counts, level, method)
    pairs = _pairs(names, abilities, [Contrasts(model, estimate, each) for each in (spread, here)], counts)
    return Preferences(
        systems=systems, pairs=pairs, tie=exp(estimate[-1]) if ties else 0.0, misfit=deviance,
        misfit_freedom=freedom, misfit_p=p, circles=circles, comparisons=len(preferences), method=method,
        cautions=(*_cautions(_bad_fit(deviance, freedom, p), circles, clusters, _unnamed(preferences)),
                  *_few_documents(preferences, unit), *(_never_lost(pairs, level) if spread.is_over_raters else ())),
        signature=signature("prefer", level=level, systems=len(names), comparisons=len(preferences), unit=unit,
                            **({"ratings": fingerprint_of(preferences)} if origin is None else origin)),
        raters=raters, texts=texts,
        by_rater=choices_by_rater(preferences, [one.name for one in systems]),
    )  # fmt: skip


def fingerprint_of(preferences: Sequence[Preference]) -> str:
    """The same for the same comparisons in any order."""
    rows = ((p.item, p.rater, *sorted((p.first, p.second)), p.winner) for p in preferences)
    columns = [Factor.of(list(column)) for column in zip(*rows, strict=True)]
    return hashed_rows([(column.codes, hashed_names(column.names)) for column in columns])


Kind = tuple[str, str, str]
"""First and second system and the winner: comparisons are many, their kinds are few."""


def _coded(labels: Sequence[Label]) -> tuple[list[Label], Integers]:
    """The different labels in the order in which they come, and the number of each."""
    place = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return list(place), np.fromiter(map(place.__getitem__, labels), dtype=np.int64, count=len(labels))


def _check(kinds: Sequence[Kind], names: tuple[str, ...]) -> None:
    if len(names) < 2:
        raise NotEnoughDataError("Preferences need two systems or more.")
    if all(not winner for _, _, winner in kinds):
        raise NotEnoughDataError("Every comparison is a tie: there is nothing to rank.")
    reached, waiting = {names[0]}, [names[0]]
    near: dict[str, set[str]] = {name: set() for name in names}
    for first, second, _ in kinds:
        near[first].add(second)
        near[second].add(first)
    while waiting:
        fresh = near[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    if apart := [name for name in names if name not in reached]:
        raise NotEnoughDataError(
            f"{', '.join(apart[:5])} were never compared, directly or through others, with {names[0]}: "
            "the systems cannot be put on one scale."
        )


def _counts(kinds: Sequence[Kind], code: Integers, names: tuple[str, ...]) -> Floats:
    """(i, j, outcome): how often i < j were compared with i winning, a tie, j winning."""
    place = {name: position for position, name in enumerate(names)}
    counts = np.zeros((len(names), len(names), 3))
    for kind, number in zip(kinds, np.bincount(code, minlength=len(kinds)), strict=True):
        counts[_cell(kind, place)] += number
    return counts


def _cell(kind: Kind, place: dict[str, int]) -> tuple[int, int, int]:
    first, second, winner = kind
    i, j = sorted((place[first], place[second]))
    return i, j, 1 if not winner else 0 if place[winner] == i else 2


def _over_raters(codes: Mapping[str, Integers], sums: Floats) -> Spread:
    """How far other raters, on other items, might have chosen otherwise: as far as raters and items are known."""
    made = [clustered(sums, code) for code in codes.values()]
    if len(made) == 2:
        crossed = codes["raters"] * (int(codes["items"].max()) + 1) + codes["items"]
        both = clustered(sums, np.unique(crossed, return_inverse=True)[1].reshape(-1))
        made.append(made[0] + made[1] - both)
    return Spread(tuple(made), min((int(code.max()) for code in codes.values()), default=0), "raters" in codes)


def _with_these_raters(sums: Floats, preferences: Sequence[Preference]) -> tuple[Spread, str]:
    """How far the same raters might have chosen otherwise on other texts, and what these texts are.

    Documents are the unit, as in ``accord rank``; items where fewer than four documents are known.
    """
    texts = texts_of(preferences)
    if not texts:
        return Spread((), 0), ""
    code = _coded([p.document if texts == "documents" else p.item for p in preferences])[1]
    return Spread((clustered(sums, code),), int(code.max())), texts


def _cluster_codes(preferences: Sequence[Preference]) -> dict[str, Integers]:
    """The cluster of each comparison, of each kind of which there are several."""
    codes = {"raters": _coded([p.rater for p in preferences])[1], "items": _coded([p.item for p in preferences])[1]}
    return {unit: code for unit, code in codes.items() if code.max() > 0}


def _scores(model: Model, estimate: Floats, kinds: Sequence[Kind], names: tuple[str, ...]) -> Floats:
    """What a comparison of each kind adds to the slope of the likelihood: (kinds, parameters)."""
    place = {name: position for position, name in enumerate(names)}
    row = {pair: k for k, pair in enumerate(model.pairs)}
    centred, _ = model.centred(estimate)
    cells = [_cell(kind, place) for kind in kinds]
    at = [row[i, j] for i, j, _ in cells]
    outcome = [outcome if model.ties else outcome // 2 for _, _, outcome in cells]
    return np.asarray(centred[at, outcome], dtype=np.float64)


def _systems(
    names: tuple[str, ...], abilities: Floats, contrasts: Contrasts, counts: Floats, level: float, method: str
) -> tuple[PreferredSystem, ...]:
    made = []
    for place, name in enumerate(names):
        above, below = counts[place].sum(axis=0), counts[:, place].sum(axis=0)
        low, high = contrasts.interval(contrasts.model.contrast[place], level)
        made.append(PreferredSystem(
            name=name, ability=float(abilities[place]),
            interval=Interval(low=low, high=high, level=level, method=method), wins=int(above[0] + below[2]),
            ties=int(above[1] + below[1]), losses=int(above[2] + below[0]),
        ))  # fmt: skip
    return tuple(ordered(made, lambda one: one.ability, lambda one: one.name, highest=True, size=1.0))


def _pairs(
    names: tuple[str, ...], abilities: Floats, tests: Sequence[Contrasts], counts: Floats
) -> tuple[PreferencePair, ...]:
    """Every two systems: over other raters, and with these raters over other texts."""
    order = order_of(abilities, names, highest=True, size=1.0)
    pairs = list(combinations(order.tolist(), 2))
    differences = np.array([abilities[a] - abilities[b] for a, b in pairs])
    contrast = tests[0].model.contrast
    p, p_here = (np.array([test.p(contrast[a] - contrast[b]) for a, b in pairs]) for test in tests)
    families, families_here = adjusted(p, Adjustment.HOLM), adjusted(p_here, Adjustment.HOLM)
    made = []
    for place, (a, b) in enumerate(pairs):
        found = counts[a, b] if a < b else counts[b, a][::-1]
        made.append(PreferencePair(
            first=names[a], second=names[b], difference=float(differences[place]), p=float(p[place]),
            adjusted=float(families[place]), adjusted_here=float(families_here[place]), wins=int(found[0]),
            ties=int(found[1]), losses=int(found[2]),
        ))  # fmt: skip
    return tuple(made)


@dataclass(frozen=True, slots=True)
class _Choices:
    """Every comparison as the pair it is of and its outcome (1 the first won, 0 a tie, -1), with its clusters."""

    pairs: tuple[tuple[int, int], ...]
    pair: Integers
    outcome: Floats
    codes: tuple[Integers, ...]

    @classmethod
    def of(cls, kinds: Sequence[Kind], code: Integers, names: tuple[str, ...], codes: tuple[Integers, ...]) -> Self:
        place = {name: position for position, name in enumerate(names)}
        cells = [_cell(kind, place) for kind in kinds]
        pairs = tuple(sorted({(i, j) for i, j, _ in cells}))
        return cls(
            pairs,
            np.array([pairs.index((i, j)) for i, j, _ in cells])[code],
            np.array([1.0 - outcome for _, _, outcome in cells])[code],
            codes,
        )

    def circles(self, names: tuple[str, ...], level: float) -> tuple[tuple[str, str, str], ...]:
        net, p = majority_tests(self.pair, self.outcome, self.codes, len(self.pairs))
        return shown_circles(names, self.pairs, net, p, level)


def _misfit(choices: _Choices, counts: Floats) -> tuple[float, int, float]:
    """Deviance, degrees of freedom and p of wins and losses; ties are apart.

    Given that there is no tie, Davidson's model is that of Bradley and Terry, however often systems tie: raters who
    tie equally often at every distance break the model of ties, and say nothing against one ability.
    """
    decided = counts * np.array([1.0, 0.0, 1.0])
    model = Model(len(counts), decided, ties=False)
    freedom = len(model.pairs) - model.features.shape[2]
    if freedom < 1 or np.linalg.matrix_rank(model.features[:, 0] - model.features[:, 1]) < model.features.shape[2]:
        return 0.0, 0, float("nan")
    estimate = model.fit()
    deviance, freedom = model.deviance(estimate)
    row = {pair: place for place, pair in enumerate(model.pairs)}
    at = np.array([row.get(pair, -1) for pair in choices.pairs])[choices.pair]
    own = choices.outcome != 0
    codes = [np.unique(code[own], return_inverse=True)[1].reshape(-1) for code in choices.codes]
    p = misfit_p(
        deviance, freedom, at[own], (choices.outcome[own] + 1) / 2, model.features[:, 0] - model.features[:, 1],
        model.probabilities(estimate)[:, 0], codes,
    )  # fmt: skip
    return deviance, freedom, p


def _unnamed(preferences: Sequence[Preference]) -> list[str]:
    """Which of raters and items no comparison names."""
    named = {"raters": any(p.rater for p in preferences), "items": any(p.item for p in preferences)}
    return [unit for unit, is_named in named.items() if not is_named]


def _bad_fit(deviance: float, freedom: int, p: float) -> str:
    """Said where one ability for each system does not explain who wins; empty elsewhere."""
    if not p < 0.05:
        return ""
    return (
        f"Who wins is not explained by one ability for each system (ties apart: deviance {steady(deviance):.2f} on "
        f"{freedom} degrees of freedom, {p_text(p)}): read the pairs."
    )


def _never_lost(pairs: Sequence[PreferencePair], level: float) -> tuple[str, ...]:
    """Said where a system always won and other raters may yet choose otherwise, which the wins do not suggest."""
    told = [
        f"{one.first} to {one.second}"
        for one in pairs
        if one.wins and not one.ties + one.losses and one.adjusted_here < 1 - level <= one.adjusted
    ]
    if not told:
        return ()
    more = f" and {counted(len(told) - 1, 'more pair')}" * (len(told) > 1)
    return (
        f"No choice was lost or tied ({told[0]}{more}), so it cannot be seen how far raters differ, and other raters "
        "are less sure than so many wins suggest: read the choices of each rater, or ask more raters.",
    )


def _few_documents(preferences: Sequence[Preference], unit: str) -> tuple[str, ...]:
    """Said where intervals go over items that share so few documents that nothing is learnt of other documents."""
    if unit == "documents":
        return ()
    documents = {p.document for p in preferences}
    if "" in documents or len(documents) >= min(FEW_CLUSTERS, len({p.item for p in preferences})):
        return ()
    about = "other raters and other items" if "raters" in unit else "other items"
    return (
        f"The items come from only {counted(len(documents), 'document')}: intervals and p are about {about} of "
        "these documents, not about other documents.",
    )


def _cautions(
    bad_fit: str, circles: tuple[tuple[str, str, str], ...], clusters: dict[str, int], unnamed: Collection[str]
) -> tuple[str, ...]:
    said = []
    if circles:
        first = " > ".join((*circles[0], circles[0][0]))
        told = f"{counted(len(circles), 'triple')} of systems run{'s' * (len(circles) == 1)} in a circle"
        said.append(f"{told}, {'such as ' * (len(circles) > 1)}{first}: a ranking hides that.")
    if bad_fit:
        said.append(bad_fit)
    if unnamed:
        one = [unit[:-1] for unit in unnamed]
        said.append(
            f"The {' and '.join(unnamed)} are not named, so comparisons of one {' or '.join(one)} are taken as "
            f"independent and differences are found too often: add the column{'s' * (len(one) > 1)} "
            f"{' and '.join(one)}."
        )
    few = {unit: count for unit, count in clusters.items() if count < FEW_CLUSTERS}
    if few:
        told = " and ".join(f"{count} {unit}" for unit, count in few.items())
        said.append(f"With only {told} the intervals are rough, and too wide rather than too narrow.")
    return tuple(said)
