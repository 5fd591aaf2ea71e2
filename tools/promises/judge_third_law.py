"""Corrected scores of a judge under a third law, written down before it was run (`accord judge`)

Nothing of the method was chosen by it. Scores are whole points from 0 to 100, drawn from a normal law cut off at both
ends. A document's effect has heavy tails (t with three degrees of freedom), is shared by all systems, and each system
has a smaller one of its own. Longer items are harder. Eighty documents have 3 to 40 items each, whatever their quality.
The judge is off by an amount that grows with the length of the item and differs by system, and sometimes by far: its
noise has heavy tails too. A strong judge sees mostly what people see; a weak one mostly documents of its own liking; a
partial one lifts the last system by 15 points and long items by 6 points a doubling. People label items drawn at
random, or items of documents drawn at random, the same for all systems. Systems lie in the middle of the scale or near
its upper end. The truth is the mean over all documents there could be.
"""

from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from accord.judging.corrected import Correction, Sums
from promises.promise import Promise
from promises.truths import written_down

__all__ = ["PROMISES"]

_DOCUMENTS = 80
_CENTRE = {"middle": 60.0, "near the end": 93.0}
_SPREAD = 14.0


def _people(
    rng: np.random.Generator, systems: int, kind: str, sizes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Document of each item, how often its length doubles that of the middle one, people's scores (systems x items)."""
    document = np.repeat(np.arange(len(sizes)), sizes)
    doublings = rng.normal(0, 0.8, len(document)) + rng.normal(0, 0.4, len(sizes))[document]
    shared = 6 * rng.standard_t(3, len(sizes))[document] + rng.normal(0, 5, len(document)) - 3 * doublings
    own = 3 * rng.standard_t(3, (systems, len(sizes)))[:, document]
    centre = _CENTRE[kind] - np.linspace(0, 8, systems)[:, None] + shared + own
    low, high = ndtr(-centre / _SPREAD), ndtr((100 - centre) / _SPREAD)
    drawn = centre + _SPREAD * ndtri(np.clip(low + rng.random(centre.shape) * (high - low), 1e-15, 1 - 1e-15))
    return document, doublings, np.clip(np.round(drawn), 0, 100)


def _judged(
    rng: np.random.Generator, judge: str, document: np.ndarray, doublings: np.ndarray, people: np.ndarray
) -> np.ndarray:
    systems = len(people)
    liking = rng.standard_t(3, (systems, document.max() + 1))[:, document]
    noise = rng.standard_t(4, people.shape)
    tilt = np.linspace(-1, 1, systems)[:, None]
    seen = {
        "strong": 8 + 0.85 * people + 2 * doublings + 3 * tilt + liking + 4 * noise,
        "weak": 45 + 0.15 * people + 4 * doublings + 5 * tilt + 8 * liking + 10 * noise,
        "partial": 20 + 0.6 * people + 6 * doublings + np.where(tilt == 1, 15, 0) + 3 * liking + 8 * noise,
    }[judge]
    return np.clip(np.round(seen), 0, 100)


@written_down
def _truth(systems: int, kind: str) -> list[float]:
    """Of 400,000 documents with one item each: how long a document is says nothing about its scores."""
    ones = np.ones(20_000, dtype=int)
    pieces = [_people(np.random.default_rng((31, piece)), systems, kind, ones)[2].mean(axis=1) for piece in range(20)]
    return list(np.mean(pieces, axis=0).tolist())


def _picked(rng: np.random.Generator, document: np.ndarray, documents: int, labels: int, way: str) -> np.ndarray:
    """Items at random in at least so many documents, or equally many of each of so many documents at random."""
    while way == "items":
        found = rng.permutation(len(document))[:labels]
        if len(np.unique(document[found])) >= documents:
            return found
    chosen = rng.permutation(_DOCUMENTS)[:documents]
    counts = [len(part) for part in np.array_split(np.arange(labels), documents)]
    parts = (rng.permutation(np.flatnonzero(document == one)) for one in chosen)
    return np.concatenate([part[:count] for part, count in zip(parts, counts, strict=True)])


def _study(
    rng: np.random.Generator, systems: int, documents: int, labels: int, judge: str, kind: str, way: str
) -> Sums:
    sizes = np.clip(np.round(rng.lognormal(2.2, 0.6, _DOCUMENTS)), 3, 40).astype(int)
    document, doublings, people = _people(rng, systems, kind, sizes)
    scores = _judged(rng, judge, document, doublings, people)
    seen = np.full(people.shape, np.nan)
    picked = _picked(rng, document, documents, labels, way)
    seen[:, picked] = people[:, picked]
    system = np.repeat(np.arange(systems), len(document))
    place = np.tile(document, systems)
    return Sums.of(system, place, seen.ravel(), scores.ravel(), step=1.0, ends=(0.0, 100.0))


def mean_covers(rng: np.random.Generator, **design: Any) -> bool:
    """Whether the interval of the last system's corrected mean, which the partial judge lifts, holds the truth."""
    made = Correction(_study(rng, **design)).system(design["systems"] - 1)
    return made.interval is not None and float(_truth(design["systems"], design["kind"])[-1]) in made.interval


def difference_covers(rng: np.random.Generator, **design: Any) -> bool:
    """Whether the interval of the first and the last system's difference holds the truth."""
    truth = _truth(design["systems"], design["kind"])
    made = Correction(_study(rng, **design)).difference(0, len(truth) - 1)
    return made.interval is not None and float(truth[0] - truth[-1]) in made.interval


_NAMES = ("systems", "documents", "labels", "judge", "kind", "way")
_DESIGNS = (
    (2, 5, 10, "strong", "middle", "items"),
    (2, 5, 10, "weak", "middle", "documents"),
    (2, 5, 10, "partial", "near the end", "documents"),
    (3, 5, 10, "strong", "near the end", "items"),
    (6, 5, 10, "partial", "middle", "documents"),
    (12, 5, 10, "weak", "near the end", "documents"),
    (12, 5, 10, "strong", "middle", "documents"),
    (4, 10, 20, "partial", "middle", "items"),
    (12, 10, 20, "weak", "near the end", "documents"),
    (6, 10, 20, "strong", "near the end", "documents"),
    (2, 20, 40, "weak", "near the end", "items"),
    (3, 20, 40, "partial", "middle", "documents"),
    (2, 30, 60, "strong", "near the end", "documents"),
    (6, 30, 60, "weak", "middle", "items"),
    (12, 30, 60, "partial", "near the end", "items"),
)


def _promise(name: str, hold: Any, one: tuple[Any, ...]) -> Promise:
    design = dict(zip(_NAMES, one, strict=True))
    words = "{systems} systems, {labels} labels in {documents} documents ({way} drawn), {judge} judge, {kind}"
    return Promise(name, "`judge`", words.format(**design), 0.95, 0.94, partial(hold, **design), quick=5)


PROMISES = (
    *(_promise("The interval of a corrected mean holds it", mean_covers, one) for one in _DESIGNS),
    *(_promise("The interval of a corrected difference holds it", difference_covers, one) for one in _DESIGNS),
)
