"""Items: where raters part, where all say the same, and what agreement is made of."""

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from accord.diagnosis.case import spelled
from accord.diagnosis.pairs import shared_rows
from accord.diagnosis.part import Indices, Part
from accord.ratings.counts import Floats

__all__ = ["Decomposition", "ItemEntropy", "decomposition", "item_entropies"]

_TEXTS = ("text", "source", "target", "translation", "candidate", "sentence", "output")
"""Columns of the user's own that hold the text of an item, in order of preference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEntropy:
    """How far the ratings of one item are spread over the values, in bits; 0 is total agreement."""

    item: str
    entropy: float
    ratings: int
    values: str
    mean: float
    text: str
    comments: str

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


def item_entropies(part: Part) -> list[ItemEntropy]:
    """Items with at least two ratings, the most disputed first; items of equal entropy by their spread."""
    items, item = np.unique(part.item, return_inverse=True)
    entropy = _entropies(item, part.code, len(items))
    sizes = np.bincount(item, minlength=len(items))
    mean = np.bincount(item, part.score, len(items)) / np.maximum(sizes, 1)
    spread = np.bincount(item, np.square(part.score - mean[item]), len(items)) / np.maximum(sizes, 1)
    by_item = np.argsort(item, kind="stable")
    starts = np.r_[0, np.cumsum(sizes)]
    wanted = np.lexsort((np.arange(len(items)), -spread, -np.round(entropy, 12)))
    texts, comments = _cells(part, _TEXTS), _cells(part, ("comment",))
    return [
        ItemEntropy(
            item=part.item_names[int(items[one])], entropy=float(entropy[one]), ratings=int(sizes[one]),
            values=_spelled(part, by_item[starts[one] : starts[one + 1]]),
            mean=float(mean[one]) if part.ordered else float("nan"),
            text=_joined(texts, by_item[starts[one] : starts[one + 1]][:1]),
            comments=_joined(comments, by_item[starts[one] : starts[one + 1]]),
        )
        for one in wanted if sizes[one] >= 2
    ]  # fmt: skip


def _entropies(item: Indices, code: Indices, items: int) -> Floats:
    sizes = np.bincount(item, minlength=items)
    pairs, counts = np.unique(np.stack([item, code], axis=1), axis=0, return_counts=True)
    share = counts / sizes[pairs[:, 0]]
    return np.abs(np.bincount(pairs[:, 0], -share * np.log2(share), items))


def _spelled(part: Part, rows: Indices) -> str:
    """Who said what: ``ann 1, bob 3``."""
    order = rows[np.argsort(part.code[rows], kind="stable")][:12]
    values = part.ratings.scale.values
    shown = ", ".join(f"{part.name(int(part.rater[row]))} {spelled(values[int(part.code[row])])}" for row in order)
    return shown + (", ..." if len(rows) > 12 else "")


def _cells(part: Part, names: tuple[str, ...]) -> NDArray[np.object_] | None:
    for name in names:
        if name in part.ratings.columns:
            cells: NDArray[np.object_] = part.ratings.columns[name].labels()[part.rows]
            return cells
    return None


def _joined(cells: NDArray[np.object_] | None, rows: Indices) -> str:
    if cells is None:
        return ""
    return " | ".join(dict.fromkeys(str(cell) for cell in cells[rows] if cell != ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decomposition:
    """Joint agreement, agreement by independent raters, and kappa, of each pair and on average.

    With linear weights two values that are d apart agree by 1 - d / range.
    """

    weights: str
    pairs: tuple[str, ...]
    joint: Floats
    independent: Floats
    kappa: Floats

    @property
    def means(self) -> tuple[float, float, float]:
        """Mean over pairs; the mean of ratios need not be the ratio of the means."""
        known = self.kappa[~np.isnan(self.kappa)]
        if not len(self.pairs):
            return float("nan"), float("nan"), float("nan")
        kappa = float(known.mean()) if len(known) else float("nan")
        return float(self.joint.mean()), float(self.independent.mean()), kappa


def decomposition(part: Part, *, weights: str = "linear") -> Decomposition:
    """Pair by pair; nominal values are always weighted as equal or not."""
    rows = shared_rows(part)
    linear = weights == "linear" and part.ordered
    names, joint, independent = [], [], []
    for first, second, here in rows:
        left, right = rows.left[here], rows.right[here]
        names.append(f"{part.name(first)}–{part.name(second)}")
        if linear:
            joint.append(float(1 - np.abs(part.score[left] - part.score[right]).mean() / _range(part)))
        else:
            joint.append(float(np.mean(part.code[left] == part.code[right])))
        independent.append(chance_agreement(part, part.code[left], part.code[right], linear=linear))
    po, pe = np.array(joint), np.array(independent)
    kappa = np.divide(po - pe, 1 - pe, out=np.full(len(po), np.nan), where=pe < 1 - 1e-12)
    return Decomposition(
        weights="linear" if linear else "identity", pairs=tuple(names), joint=po, independent=pe, kappa=kappa
    )


def _range(part: Part) -> float:
    numbers = part.ratings.scale.numbers
    return max(max(numbers) - min(numbers), 1e-300)


def chance_agreement(part: Part, a: Indices, b: Indices, *, linear: bool) -> float:
    """Agreement of two raters with these marginals who work independently of the items."""
    values = len(part.ratings.scale.values)
    p, q = np.bincount(a, minlength=values) / len(a), np.bincount(b, minlength=values) / len(b)
    if not linear:
        return float(p @ q)
    numbers = np.array(part.ratings.scale.numbers)
    order = np.argsort(numbers)
    below, under = np.cumsum(p[order])[:-1], np.cumsum(q[order])[:-1]
    # The mean distance of two independent values is the area between "one is below, the other is not".
    apart = np.diff(numbers[order]) @ (below * (1 - under) + under * (1 - below))
    return float(1 - apart / _range(part))
