"""The Bradley-Terry-Davidson model of comparisons with ties, fitted with Firth's penalty."""

from itertools import combinations

import numpy as np

from accord.arrays import Floats

__all__ = ["Model"]

_MOST_STEPS, _SAME = 200, 1e-12


class Model:
    """The multinomial logit of one comparison: features of win, tie and loss, linear in the parameters."""

    def __init__(self, systems: int, counts: Floats, ties: bool) -> None:
        free = systems - 1
        self.contrast = np.zeros((systems, free + ties))
        self.contrast[:free, :free] = np.eye(free)
        self.contrast[free, :free] = -1  # abilities sum to 0
        self.pairs = [(i, j) for i, j in combinations(range(systems), 2) if counts[i, j].sum()]
        self.n = np.stack([counts[i, j] for i, j in self.pairs])
        self.features = np.stack([self._features(i, j, ties) for i, j in self.pairs])
        self.ties = ties
        if not ties:
            self.n, self.features = self.n[:, [0, 2]], self.features[:, [0, 2]]

    def _features(self, i: int, j: int, ties: bool) -> Floats:
        first, second = self.contrast[i], self.contrast[j]
        rows = np.stack([first, (first + second) / 2, second])
        if ties:
            rows[1, -1] = 1
        return rows

    def probabilities(self, parameters: Floats) -> Floats:
        logits = self.features @ parameters
        logits -= logits.max(axis=1, keepdims=True)
        weights = np.exp(logits)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def centred(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Features around their mean under the model, and how often each outcome is expected."""
        p = self.probabilities(parameters)
        around = self.features - (p[:, :, None] * self.features).sum(axis=1, keepdims=True)
        return around, p * self.n.sum(axis=1, keepdims=True)

    def information(self, parameters: Floats) -> Floats:
        around, expected = self.centred(parameters)
        return np.asarray(np.einsum("ko,koa,kob->ab", expected, around, around))

    def climb(self, parameters: Floats) -> tuple[Floats, Floats]:
        """The step of scoring, and the inverse information; the penalty adds half of the leverage of each outcome."""
        around, expected = self.centred(parameters)
        inverse = np.asarray(np.linalg.inv(np.einsum("ko,koa,kob->ab", expected, around, around)), dtype=np.float64)
        leverage = np.einsum("koa,ab,kob->ko", around, inverse, around)
        slope = np.einsum("ko,koa->a", self.n - expected + expected * leverage / 2, around)
        return np.asarray(inverse @ slope, dtype=np.float64), inverse

    def fit(self, start: Floats | None = None, held: Floats | None = None) -> Floats:
        """The most likely parameters, or those among which ``held @ parameters`` is what it is at the start."""
        parameters = np.zeros(self.features.shape[2]) if start is None else start
        loss = self._loss(parameters)
        for _ in range(_MOST_STEPS):
            step, inverse = self.climb(parameters)
            if held is not None:
                along = inverse @ held
                step = step - along * (held @ step) / (held @ along)
            while (found := self._loss(parameters + step)) > loss + _SAME * abs(loss) and np.abs(step).max() > _SAME:
                step /= 2
            parameters, loss = parameters + step, found
            if np.abs(step).max() <= _SAME:
                break
        return parameters

    def _loss(self, parameters: Floats) -> float:
        p = np.clip(self.probabilities(parameters), 1e-300, None)
        _, size = np.linalg.slogdet(self.information(parameters))
        return -float((self.n * np.log(p)).sum() + 0.5 * size)

    def deviance(self, parameters: Floats) -> tuple[float, int]:
        """Against a model that gives every pair its own shares."""
        p = self.probabilities(parameters)
        total = self.n.sum(axis=1, keepdims=True)
        seen = self.n > 0
        g2 = 2 * float((self.n[seen] * np.log(self.n[seen] / (total * p)[seen])).sum())
        return g2, len(self.pairs) * (self.n.shape[1] - 1) - self.features.shape[2]
