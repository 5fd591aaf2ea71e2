"""Corrected scores of a judge under another law (`accord judge`)

Nothing here is shared with the first generator. The half skewness of the interval of open counts, and the correlation
of two systems with few documents, were chosen after a look at this law, so for these two it is no independent check.
Errors are counted; an item's rate is gamma within gamma, so counts are skewed with a long tail, and systems differ by
a factor. Documents have 2 to 60 items, and sixty documents are judged. People label items drawn at random from all,
or items of documents drawn by size, the same for all systems. The judge counts what people count with noise (strong),
mostly something of its own that goes by documents (weak), or the opposite (contrary). Scores are the open counts, 100
less 5 for each error, five values near the upper end, or whether there is more than one error. The truth is the mean
over all documents there could be.
"""

from functools import partial
from typing import Any

import numpy as np

from accord.judging.corrected import Correction, Sums
from accord.judging.shares import verdicts_from
from promises.promise import Promise
from promises.truths import written_down

__all__ = ["PROMISES"]

_DOCUMENTS = 60
_ENDS = {"open counts": None, "points of 100": (0.0, 100.0), "five values": (0.0, 4.0), "yes and no": (0.0, 1.0)}


def _drawn(
    rng: np.random.Generator, systems: int, judge: str, kind: str, documents: int = _DOCUMENTS
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Document of each item, and people's and the judge's scores: systems x items."""
    sizes = np.clip(np.round(rng.lognormal(1.8, 0.7, documents)), 2, 60).astype(int)
    document = np.repeat(np.arange(documents), sizes)
    shared = rng.gamma(1.2, 1 / 1.2, documents)[document]
    own = rng.gamma(8, 1 / 8, (systems, documents))[:, document]
    rate = rng.gamma(0.8, 2.0 * shared * np.linspace(1, 1.6, systems)[:, None] * own / 0.8)
    people = rng.poisson(rate).astype(float)
    apart = rng.gamma(1.0, 2.0, (systems, documents))[:, document]
    seen = {
        "strong": 0.7 * rate + 0.2,
        "weak": 0.15 * rate + apart,
        "contrary": np.maximum(6 - rate, 0.2),
    }[judge]
    counted = rng.poisson(seen).astype(float)
    return document, _scored(people, kind, rng), _scored(counted, kind, rng)


def _scored(errors: np.ndarray, kind: str, rng: np.random.Generator) -> np.ndarray:
    if kind == "points of 100":
        return np.maximum(100 - 5 * errors - rng.integers(0, 5, errors.shape), 0)
    if kind == "five values":
        return 4 - np.minimum(errors, 4)
    return (errors > 1).astype(float) if kind == "yes and no" else errors


@written_down
def _truth(systems: int, kind: str) -> list[float]:
    """Of 60,000 documents, in pieces."""
    pieces = [_drawn(np.random.default_rng((7, piece)), systems, "strong", kind, 5_000)[1] for piece in range(12)]
    means = sum(piece.sum(axis=1) for piece in pieces) / sum(piece.shape[1] for piece in pieces)
    return list(np.asarray(means).tolist())


def _picked(rng: np.random.Generator, document: np.ndarray, documents: int, labels: int, way: str) -> np.ndarray:
    """Items at random that lie in at least so many documents, or some of each of so many documents."""
    if way == "items":
        while True:
            found = rng.permutation(len(document))[:labels]
            if len(np.unique(document[found])) >= documents:
                return found
    sizes = np.bincount(document)
    chosen = rng.choice(len(sizes), documents, replace=False, p=sizes / sizes.sum())
    counts = [len(part) for part in np.array_split(np.arange(labels), documents)]
    return np.concatenate([
        rng.permutation(np.flatnonzero(document == one))[:count] for one, count in zip(chosen, counts, strict=True)
    ])  # fmt: skip


def _study(
    rng: np.random.Generator, systems: int, documents: int, labels: int, judge: str, kind: str, way: str
) -> Sums:
    document, people, scores = _drawn(rng, systems, judge, kind)
    picked = _picked(rng, document, documents, labels, way)
    seen = np.full(people.shape, np.nan)
    seen[:, picked] = people[:, picked]
    return Sums.of(
        np.repeat(np.arange(systems), len(document)), np.tile(document, systems), seen.ravel(), scores.ravel(),
        step=1.0 if kind in ("five values", "yes and no") else 0.0, ends=_ENDS[kind],
    )  # fmt: skip


def _given(rng: np.random.Generator, place: tuple[int, int], **design: Any) -> Any:
    """The first study in which an interval is given: documents of one item may leave fewer than ten labels."""
    while True:
        made = Correction(_study(rng, **design))
        found = made.system(place[0]) if place[1] < 0 else made.difference(*place)
        if found.interval is not None:
            return found.interval


def mean_covers(rng: np.random.Generator, **design: Any) -> bool:
    """Whether the interval of the first system's corrected mean holds the truth."""
    return float(_truth(design["systems"], design["kind"])[0]) in _given(rng, (0, -1), **design)


def difference_covers(rng: np.random.Generator, **design: Any) -> bool:
    """Whether the interval of the first and the last system's difference holds the truth."""
    truth = _truth(design["systems"], design["kind"])
    return float(truth[0] - truth[-1]) in _given(rng, (0, len(truth) - 1), **design)


def share_covers(rng: np.random.Generator, *, documents: int, labels: int, judge: str, way: str) -> bool:
    """Whether Rogan and Gladen's corrected share holds the truth, or is refused because any share would do."""
    document, people, scores = _drawn(rng, 1, judge, "yes and no")
    yes, said = people[0] > 0, scores[0] > 0
    picked = np.zeros(len(document), dtype=bool)
    picked[_picked(rng, document, documents, labels, way)] = True
    parts = [said & yes & picked, yes & picked, ~said & ~yes & picked, ~yes & picked, said & ~picked, ~picked]
    sums = np.column_stack([np.bincount(document, one, _DOCUMENTS) for one in parts])
    found = verdicts_from("yes", labels, sums).corrected_interval
    return found is None or float(_truth(1, "yes and no")[0]) in found


_DESIGNS = (
    (2, 5, 10, "strong", "open counts", "items"), (2, 5, 10, "weak", "open counts", "items"),
    (6, 8, 12, "contrary", "open counts", "documents"), (3, 20, 40, "weak", "open counts", "documents"),
    (12, 30, 60, "strong", "open counts", "items"), (2, 5, 10, "weak", "points of 100", "documents"),
    (12, 8, 12, "strong", "points of 100", "items"), (3, 20, 40, "contrary", "points of 100", "items"),
    (6, 5, 10, "weak", "five values", "items"), (12, 30, 60, "strong", "five values", "documents"),
    (2, 5, 10, "contrary", "yes and no", "items"), (6, 8, 12, "weak", "yes and no", "documents"),
    (3, 20, 40, "strong", "yes and no", "items"),
)  # fmt: skip
_SHARES = ((10, 30, "strong", "items"), (10, 30, "weak", "items"), (20, 60, "strong", "documents"),
           (20, 60, "weak", "documents"), (30, 200, "weak", "items"))  # fmt: skip


def _words(systems: int, documents: int, labels: int, judge: str, kind: str, way: str) -> str:
    return f"{systems} systems, {labels} labels in {documents} documents ({way} drawn), {judge} judge, {kind}"


def _design(one: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(("systems", "documents", "labels", "judge", "kind", "way"), one, strict=True))


PROMISES = (
    *(Promise("The interval of a corrected mean holds it", "`judge`", _words(*one), 0.95, 0.94,
              partial(mean_covers, **_design(one)), quick=10) for one in _DESIGNS),
    *(Promise("The interval of a corrected difference holds it", "`judge`", _words(*one), 0.95, 0.94,
              partial(difference_covers, **_design(one)), quick=10) for one in _DESIGNS),
    *(Promise("Rogan and Gladen's corrected share lies in its interval, or is refused", "`judge`",
              f"{labels} labels in {documents} documents ({way} drawn), {judge} judge", 0.95, 0.94,
              partial(share_covers, documents=documents, labels=labels, judge=judge, way=way), quick=10)
      for documents, labels, judge, way in _SHARES),
)  # fmt: skip
