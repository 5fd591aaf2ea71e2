"""Scores of a judge corrected by few labels (`accord judge`)

Forty documents of eight items for each of two to twelve systems, all judged; people label so many items of each
system in so many documents, the same for all systems. Quality varies by document and item, alike for all systems, and
by system. A weak judge correlates with people by about .2, a strong one by .9. Scores are normal, on five values, near
the upper end of five values, or yes and no. The truth is the mean over all documents there could be.
"""

from functools import cache, partial
from typing import Any

import numpy as np

from accord.judging.corrected import Correction, Sums
from accord.judging.scores import worth_of
from promises.promise import Promise

__all__ = ["PROMISES"]

_CUTS = {"five values": (-1.5, -0.6, 0.3, 1.2), "near the end": (-3.0, -2.4, -1.9, -1.2), "yes and no": (-0.8,)}
_SPREAD = float(np.sqrt(0.36 + 0.36 + 0.09 + 0.36))


def _drawn(
    rng: np.random.Generator, systems: int, strength: float, kind: str, documents: int = 40
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Document of each item, and people's and the judge's scores: systems x items."""
    document = np.repeat(np.arange(documents), 8)
    items = len(document)
    shared = rng.normal(0, 0.6, documents)[document] + rng.normal(0, 0.6, items)
    quality = np.linspace(0, 0.5, systems)[:, None] + shared
    people = quality + rng.normal(0, 0.3, (systems, documents))[:, document] + rng.normal(0, 0.6, (systems, items))
    noise = np.sqrt(1 / strength**2 - 1) * _SPREAD
    own = rng.normal(0, 0.6, (systems, documents))[:, document] + rng.normal(0, 0.8, (systems, items))
    judge = 0.4 + 0.8 * people + 0.8 * noise * own
    if kind == "normal":
        return document, people, judge
    cuts = np.array(_CUTS[kind])
    return document, np.digitize(people, cuts).astype(float), np.digitize(judge, cuts).astype(float)


@cache
def _truth(systems: int, kind: str) -> np.ndarray:
    return np.asarray(_drawn(np.random.default_rng(1), systems, 0.9, kind, documents=20_000)[1].mean(axis=1))


def _study(rng: np.random.Generator, systems: int, documents: int, labels: int, strength: float, kind: str) -> Sums:
    document, people, judge = _drawn(rng, systems, strength, kind)
    chosen = rng.permutation(40)[:documents]
    picked = np.concatenate([
        rng.permutation(np.flatnonzero(document == one))[: len(part)]
        for one, part in zip(chosen, np.array_split(np.arange(labels), documents), strict=True)
    ])  # fmt: skip
    seen = np.full(people.shape, np.nan)
    seen[:, picked] = people[:, picked]
    top = len(_CUTS.get(kind, ()))
    return Sums.of(
        np.repeat(np.arange(systems), len(document)), np.tile(document, systems), seen.ravel(), judge.ravel(),
        step=1.0 if top else 0.0, ends=(0.0, float(top)) if top else None,
    )  # fmt: skip


def mean_covers(rng: np.random.Generator, **design: Any) -> bool:
    """Whether the interval of the first system's corrected mean holds the truth."""
    made = Correction(_study(rng, **design)).system(0)
    return made.interval is not None and _truth(design["systems"], design["kind"])[0] in made.interval


def difference_covers(rng: np.random.Generator, **design: Any) -> bool:
    """Whether the interval of the first and the last system's difference holds the truth."""
    truth = _truth(design["systems"], design["kind"])
    made = Correction(_study(rng, **design)).difference(0, len(truth) - 1)
    return made.interval is not None and float(truth[0] - truth[-1]) in made.interval


@cache
def _correlation(labels_each: int, strength: float, kind: str) -> float:
    """The correlation of document sums of so many labels that a very large study has."""
    document, people, judge = _drawn(np.random.default_rng(2), 2, strength, kind, documents=20_000)
    first = np.arange(len(document)) % 8 < labels_each
    sums = [
        np.bincount(document[first], (scores - scores.mean(axis=1, keepdims=True))[system, first])
        for scores in (people, judge)
        for system in (0, 1)
    ]
    return float(np.corrcoef(np.concatenate(sums[:2]), np.concatenate(sums[2:]))[0, 1])


def worth_covers(rng: np.random.Generator, *, documents: int, labels: int, strength: float, kind: str) -> bool:
    """Whether the interval of "1,000 scores are worth k labels" holds what a very large study finds.

    A study that is refused, as people or judge do not differ between its documents, is drawn anew.
    """
    made = None
    while made is None or made.interval is None:
        made = worth_of(_study(rng, 2, documents, labels, strength, kind))
    gain = _correlation(labels // documents, strength, kind) ** 2 * made.scores / (made.scores + made.labels)
    return (made.labels / (1 - gain) - made.labels) in made.interval


_DESIGNS = (
    (2, 5, 10, 0.2, "normal"), (2, 5, 10, 0.9, "normal"), (12, 5, 10, 0.2, "normal"), (12, 10, 20, 0.9, "normal"),
    (2, 20, 40, 0.9, "normal"), (6, 5, 10, 0.9, "five values"), (2, 10, 20, 0.2, "five values"),
    (2, 20, 40, 0.2, "near the end"), (6, 20, 40, 0.9, "near the end"), (2, 5, 10, 0.2, "yes and no"),
    (6, 20, 40, 0.9, "yes and no"),
)  # fmt: skip


def _words(systems: int, documents: int, labels: int, strength: float, kind: str) -> str:
    judge = "strong" if strength > 0.5 else "weak"
    return f"{systems} systems, {labels} labels in {documents} documents, {judge} judge, {kind}"


def _design(one: tuple[int, int, int, float, str]) -> dict[str, Any]:
    return dict(zip(("systems", "documents", "labels", "strength", "kind"), one, strict=True))


PROMISES = (
    *(Promise("The interval of a corrected mean holds it", "`judge`", _words(*one), 0.95, 0.94,
              partial(mean_covers, **_design(one)), quick=20) for one in _DESIGNS),
    *(Promise("The interval of a corrected difference holds it", "`judge`", _words(*one), 0.95, 0.94,
              partial(difference_covers, **_design(one)), quick=20) for one in _DESIGNS),
    *(Promise("What 1,000 scores are worth lies in its interval", "`judge`",
              f"{labels} labels of each of 2 systems in {documents} documents, {words} judge, {kind}", 0.95, 0.94,
              partial(worth_covers, documents=documents, labels=labels, strength=strength, kind=kind), quick=10)
      for documents, labels, kind in ((5, 10, "normal"), (10, 20, "normal"), (20, 40, "normal"),
                                      (10, 20, "near the end"),
                                      (20, 40, "near the end"), (10, 20, "yes and no"))
      for words, strength in (("weak", 0.2), ("strong", 0.9))),
)  # fmt: skip
