"""Do scores foretell what an output is good for? A task predicted from scores, on outputs that were left out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, distinct
from accord.comparisons.held_out import area_under_curve, cluster_interval, folds_of
from accord.comparisons.logistic import fit_logistic
from accord.comparisons.metric_direction import asked_metrics
from accord.comparisons.metrics import metric_columns
from accord.diagnosis.score_patterns import mean_scores, unit_labels
from accord.errors import NotEnoughDataError
from accord.inference.interval import Interval
from accord.noise import order_of
from accord.ratings.roles import ordinary
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.words import steady

__all__ = ["HeldOut", "TaskCut", "TaskPrediction", "predict_task"]

_FOLDS = 10
_FEWEST = 10
_FEW_SYSTEMS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """Predictions for units that the model had not seen.

    ``unit`` is what was left out whole, and what the intervals resample. ``guessing`` is the accuracy of always
    naming the most frequent task. ``confusion`` counts items: its rows are the true tasks.
    """

    unit: str
    units: int
    items: int
    accuracy: float
    accuracy_interval: Interval
    guessing: float
    gain_interval: Interval
    auc: float
    auc_interval: Interval
    confusion: NDArray[np.int64]

    @property
    def gain(self) -> float:
        return self.accuracy - self.guessing

    def to_dict(self) -> dict[str, object]:
        return {
            "left_out": self.unit, "units": self.units, "items": self.items, "accuracy": self.accuracy,
            "accuracy_interval": self.accuracy_interval.to_dict(), "guessing": self.guessing, "gain": self.gain,
            "gain_interval": self.gain_interval.to_dict(), "auc": self.auc,
            "auc_interval": self.auc_interval.to_dict(), "confusion": self.confusion.tolist(),
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCut:
    """One score, one task: the cut that tells the task from all others best.

    ``balanced`` is the mean of the shares of both sides that are told right, by cuts chosen without the item.
    """

    predictor: str
    task: str
    cut: float
    above: bool
    balanced: float

    @property
    def rule(self) -> str:
        return f"{'at least' if self.above else 'below'} {steady(self.cut):.4g}"

    def to_dict(self) -> dict[str, object]:
        return {"score": self.predictor, "task": self.task, "rule": self.rule, "cut": self.cut, "above": self.above,
                "balanced_accuracy": self.balanced}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPrediction:
    """What scores foretell of a task: on items (or documents) left out, on systems left out, and cut by cut."""

    column: str
    tasks: tuple[str, ...]
    predictors: tuple[str, ...]
    left_out: int
    results: tuple[HeldOut, ...]
    cuts: tuple[TaskCut, ...]

    def verdict(self) -> str:
        """The answer in words, with what was left out."""
        said = []
        for one in self.results:
            gains = "better than guessing" if one.gain_interval.low > 0 else "not clearly better than guessing"
            said.append(
                f"On {one.unit}s left out, scores name the right {self.column} in {steady(one.accuracy):.0%} of "
                f"{one.items} items, {gains} ({steady(one.guessing):.0%})."
            )
        if self.results[-1].unit == "system" and self.results[-1].units < _FEW_SYSTEMS:
            said.append(f"{self.results[-1].units} systems are few: their intervals show a tendency only.")
        return " ".join(said)


def predict_task(
    ratings: Ratings,
    column: str,
    metrics: Sequence[str] = (),
    *,
    replicates: int = 2_000,
    rng: np.random.Generator,
    confidence: float = 0.95,
) -> TaskPrediction:
    """Predict a column, such as the task an output is good for, from the mean scores of each item.

    Predictors are the criteria whose values have an order, and the ``metrics`` asked for. Ten folds leave out
    items, or whole documents where they are known; where systems are, each is left out once as well. Items that check
    the rater, and repeats, do not count.
    """
    ratings = (ordinary(ratings) or ratings).by_name()
    items, names, scores = _predictors(ratings, metrics)
    label = unit_labels(ratings, "item", column)
    kept = np.array([item in label for item in items]) & ~np.isnan(scores).any(axis=1)
    tasks = tuple(sorted({label[item] for item, keep in zip(items, kept, strict=True) if keep}))
    if len(tasks) < 2:
        raise NotEnoughDataError(f"All items have the same {column!r}: there is nothing to predict.")
    codes = np.array([tasks.index(label[item]) for item, keep in zip(items, kept, strict=True) if keep])
    rarest = int(np.bincount(codes).min())
    if len(codes) < _FEWEST or rarest < 2:
        raise NotEnoughDataError(
            f"{len(codes)} items have scores and a {column!r}, the rarest {rarest} of them. A prediction needs at "
            f"least {_FEWEST} items, and two of each {column}."
        )
    chosen = scores[kept]
    owners = _owners(ratings, column, [item for item, keep in zip(items, kept, strict=True) if keep])
    folds = {
        unit: folds_of(clusters, codes, len(codes) if unit == "system" else _FOLDS, rng)
        for unit, clusters in owners.items()
    }
    results = tuple(
        _held_out(unit, owners[unit], fold, chosen, codes, len(tasks), replicates, rng, confidence)
        for unit, fold in folds.items()
    )
    return TaskPrediction(
        column=column, tasks=tasks, predictors=names, left_out=len(items) - len(codes), results=results,
        cuts=_cuts(names, tasks, chosen, codes, next(iter(folds.values()))),
    )  # fmt: skip


def _predictors(ratings: Ratings, metrics: Sequence[str]) -> tuple[list[str], tuple[str, ...], Floats]:
    items, criteria, scores = mean_scores(ratings, "item")
    columns, names = [scores], list(criteria)
    for name, numbers in (metric_columns(ratings, tuple(asked_metrics(metrics))) if metrics else {}).items():
        known = ~np.isnan(numbers)
        count = np.bincount(ratings.item.codes[known], minlength=len(items)).astype(np.float64)
        count[count == 0] = np.nan
        columns.append((np.bincount(ratings.item.codes[known], numbers[known], len(items)) / count)[:, None])
        names.append(name)
    return items, tuple(names), np.hstack(columns)


def _owners(ratings: Ratings, column: str, items: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """What may be left out whole: documents where they are known, else items; and systems."""
    found: dict[str, NDArray[np.int64]] = {"item": np.arange(len(items))}
    for unit in ("document", "system"):
        owner = unit_labels(ratings, "item", unit) if unit in ratings.columns and unit != column else {}
        names = [owner.get(item) for item in items]
        if None not in names and len(set(names)) > 2:
            found[unit] = np.unique(np.array(names), return_inverse=True)[1].astype(np.int64)
    if "document" in found:
        del found["item"]
    return found


def _held_out(
    unit: str, clusters: NDArray[np.int64], fold: NDArray[np.int64], scores: Floats, codes: NDArray[np.int64],
    size: int, replicates: int, rng: np.random.Generator, confidence: float,
) -> HeldOut:  # fmt: skip
    shares = np.zeros((len(codes), size))
    for number in distinct(fold):
        out = fold == number
        shares[out] = fit_logistic(scores[~out], codes[~out]).probabilities(scores[out], size)
    said, guess = shares.argmax(axis=1), np.bincount(codes).argmax()
    right, lucky = (said == codes).astype(np.float64), (guess == codes).astype(np.float64)
    confusion = np.zeros((size, size), dtype=np.int64)
    np.add.at(confusion, (codes, said), 1)

    def auc(weights: Floats) -> Floats:
        each = [area_under_curve(codes == task, shares[:, task], weights) for task in range(size)]
        mean: Floats = np.mean(each, axis=0)
        return mean

    def interval(of: NDArray[np.float64]) -> Interval:
        return cluster_interval(lambda w: w @ of / w.sum(axis=1), clusters, unit, replicates, rng, confidence)

    return HeldOut(
        unit=unit, units=len(distinct(clusters)), items=len(codes), accuracy=float(right.mean()),
        accuracy_interval=interval(right), guessing=float(lucky.mean()), gain_interval=interval(right - lucky),
        auc=float(auc(np.ones((1, len(codes))))[0]),
        auc_interval=cluster_interval(auc, clusters, unit, replicates, rng, confidence), confusion=confusion,
    )  # fmt: skip


def _cuts(
    names: Sequence[str], tasks: Sequence[str], scores: Floats, codes: NDArray[np.int64], fold: NDArray[np.int64]
) -> tuple[TaskCut, ...]:
    # Of two tasks one cut tells both.
    asked = tasks[1:] if len(tasks) == 2 else tasks
    found = []
    for at, name in enumerate(names):
        for task in asked:
            is_task = codes == tasks.index(task)
            cut, above = _best_cut(scores[:, at], is_task)
            said = np.zeros(len(codes), dtype=bool)
            for number in distinct(fold):
                out = fold == number
                inner, side = _best_cut(scores[~out, at], is_task[~out])
                said[out] = (scores[out, at] >= inner) == side
            balanced = ((said & is_task).sum() / is_task.sum() + (~said & ~is_task).sum() / (~is_task).sum()) / 2
            found.append(TaskCut(predictor=name, task=task, cut=cut, above=above, balanced=float(balanced)))
    return tuple(found)


def _best_cut(scores: Floats, is_task: NDArray[np.bool_]) -> tuple[float, bool]:
    """The cut between two scores with the largest balanced accuracy (Youden), and whether the task lies above."""
    values = distinct(scores)
    if len(values) < 2 or is_task.all() or not is_task.any():
        return float(values[0]), True
    cuts = (values[1:] + values[:-1]) / 2
    above = scores[:, None] >= cuts
    gain = above[is_task].mean(axis=0) - above[~is_task].mean(axis=0)
    best = int(order_of(np.abs(gain), highest=True)[0])
    return float(cuts[best]), bool(gain[best] > 0)
