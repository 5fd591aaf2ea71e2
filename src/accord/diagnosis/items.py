"""Items: where raters part, where all say the same, and what agreement is made of."""

from collections.abc import Sequence
from unicodedata import bidirectional

import numpy as np

from accord.arrays import Floats, renumbered
from accord.coefficients.kappa import chance_corrected
from accord.diagnosis.part import Indices, Part
from accord.noise import ranked
from accord.ratings.table import Factor
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import spelled, steady

__all__ = ["Decomposition", "DisputedItems", "ItemEntropy", "decomposition", "disputed_items", "item_entropies"]

_NAMED = 12
_FAR = 0.2
"""Scores of an item that lie further apart than this share of the scale are disputed."""
_TEXTS = ("text", "source", "target", "translation", "candidate", "sentence", "output")
"""Columns of the user's own that hold the text of an item, in order of preference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEntropy(PlainData):
    """How far the ratings of one item are spread over the values, in bits; 0 is total agreement.

    ``apart`` is how far its lowest and highest rating lie apart; nan where values have no order.
    """

    item: str
    entropy: float
    apart: float
    ratings: int
    values: str
    mean: float
    text: str
    comments: str


@dataclass(frozen=True, slots=True)
class DisputedItems:
    """How many items raters dispute, and the first of them in words: the most disputed, and some all agree on.

    Of scores with many values only ratings that lie more than ``far`` apart make a dispute; else any difference does.
    """

    items: int
    disputed: int
    most: tuple[ItemEntropy, ...]
    agreed: tuple[ItemEntropy, ...]
    far: float = 0.0
    names: frozenset[str] = frozenset()
    """Of all that are disputed."""


def item_entropies(part: Part, most: int | None = None) -> list[ItemEntropy]:
    """Items with at least two ratings, the most disputed first: by entropy and then spread, scores by their ends.

    Of ``most`` only so many are put into words.
    """
    ranked = _Ranked(part)
    return ranked.told(ranked.order[:most])


def disputed_items(part: Part, *, most: int, agreed: int) -> DisputedItems:
    """The head of both lists; only what is shown is put into words, so that many items cost little."""
    ranked = _Ranked(part)
    disputed = ranked.disputed
    return DisputedItems(
        len(ranked.order),
        disputed,
        tuple(ranked.told(ranked.order[: min(most, disputed)])),
        tuple(ranked.told(ranked.order[disputed : disputed + agreed])),
        ranked.far,
        frozenset(part.item_names[int(ranked.items[one])] for one in ranked.order[:disputed]),
    )


def far_apart(part: Part) -> float:
    """How far ratings of an item may lie apart before it is disputed: a fifth of a fine scale, rounded; else 0."""
    return float(f"{steady(_FAR * part.width):.1g}") if part.is_fine else 0.0


class _Ranked:
    """The items of a part with two ratings or more in ``order``, the most disputed first."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.items, item = renumbered(part.item)
        self.entropy = np.round(_entropies(item, part.code, len(self.items)), 12)
        self.sizes = np.bincount(item, minlength=len(self.items))
        least = np.maximum(self.sizes, 1)
        self.mean = np.bincount(item, part.score, len(self.items)) / least
        spread = np.bincount(item, np.square(part.score - self.mean[item]), len(self.items)) / least
        self.apart, self.far = _ranges(item, part.score, len(self.items)), far_apart(part)
        first = self.apart if part.is_fine else self.entropy
        wanted = np.lexsort((np.arange(len(self.items)), ranked(-spread), ranked(-first)))
        self.order = wanted[self.sizes[wanted] >= 2]
        self.disputed = int((first[self.order] > self.far).sum())
        self.by_item = np.argsort(item, kind="stable")
        self.starts = np.r_[0, np.cumsum(self.sizes)]

    def told(self, chosen: Indices) -> list[ItemEntropy]:
        """These items in words."""
        part = self.part
        texts, comments = _texts(part), _column(part, ("comment",))
        made = []
        for one in chosen:
            rows = self.by_item[self.starts[one] : self.starts[one + 1]]
            made.append(ItemEntropy(
                item=part.item_names[int(self.items[one])], entropy=float(self.entropy[one]),
                apart=float(self.apart[one]) if part.ordered else float("nan"),
                ratings=int(self.sizes[one]), values=_spelled(part, rows),
                mean=float(self.mean[one]) if part.ordered else float("nan"),
                text=_all_of(part, texts, rows[:1]), comments=_joined(part, comments, rows),
            ))  # fmt: skip
        return made


def _ranges(item: Indices, score: Floats, items: int) -> Floats:
    """The highest less the lowest score of each item."""
    low, high = np.full(items, np.inf), np.full(items, -np.inf)
    np.minimum.at(low, item, score)
    np.maximum.at(high, item, score)
    return np.asarray(high - low)


def _entropies(item: Indices, code: Indices, items: int) -> Floats:
    sizes = np.bincount(item, minlength=items)
    values = int(code.max(initial=0)) + 1
    cells, counts = np.unique(item * values + code, return_counts=True)
    owner = cells // values
    share = counts / sizes[owner]
    return np.abs(np.bincount(owner, -share * np.log2(share), items))


def _spelled(part: Part, rows: Indices) -> str:
    """Who said what: ``ann 1, bob 3``; of many raters how many said what: ``1 by 4, 3 by 12``."""
    values = part.ratings.scale.values
    if len(rows) > _NAMED:
        codes, counts = np.unique(part.code[rows], return_counts=True)
        return ", ".join(f"{spelled(values[int(code)])} by {count}" for code, count in zip(codes, counts, strict=True))
    order = rows[np.argsort(part.code[rows], kind="stable")]
    said = ((part.name(int(part.rater[row])), spelled(values[int(part.code[row])])) for row in order)
    return ", ".join(f"{_apart(name)} {value}" for name, value in said)


def _apart(name: str) -> str:
    """A name written from right to left, set apart so that the value after it stays after it."""
    return f"\u2068{name}\u2069" if any(bidirectional(letter) in ("R", "AL", "AN") for letter in name) else name


def _texts(part: Part) -> list[Factor | None]:
    """The columns of the texts that the codebook names, as source and target; else the first that is like one."""
    named = [part.ratings.columns[name] for name in part.ratings.codebook.item.texts if name in part.ratings.columns]
    return [*named] or [_column(part, _TEXTS)]


def _column(part: Part, names: tuple[str, ...]) -> Factor | None:
    return next((part.ratings.columns[name] for name in names if name in part.ratings.columns), None)


def _all_of(part: Part, columns: Sequence[Factor | None], rows: Indices) -> str:
    return " → ".join(filter(None, (_joined(part, column, rows) for column in columns)))


def _joined(part: Part, column: Factor | None, rows: Indices) -> str:
    if column is None:
        return ""
    codes = column.codes[part.rows[rows]]
    return " | ".join(dict.fromkeys(column.names[code] for code in codes if code >= 0))


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
    rows = part.shared
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
    kappa = chance_corrected(po, pe).value
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
    numbers = part.ratings.scale.array
    order = np.argsort(numbers)
    below, under = np.cumsum(p[order])[:-1], np.cumsum(q[order])[:-1]
    # The mean distance of two independent values is the area between "one is below, the other is not".
    apart = np.diff(numbers[order]) @ (below * (1 - under) + under * (1 - below))
    return float(1 - apart / _range(part))
