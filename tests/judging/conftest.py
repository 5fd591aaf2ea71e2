"""Ratings of people and models made in memory, for tests of judges."""

import numpy as np
import pytest

from accord.design.scale import Direction, Level, Scale
from accord.diagnosis.part import parts_of
from accord.judging.panel import panel_of
from accord.ratings.table import Factor, Ratings

PEOPLE, MODELS = ("ann", "bob", "cem"), ("judge", "other")


def study(
    *, systems=2, documents=20, each=4, labelled=10, per_document=2, noise=0.5, shift=0.5, seed=0, level=Level.INTERVAL,
    runs=1, extra=None,
):  # fmt: skip
    """Systems whose quality rises by .5, judged by a model everywhere and by three people in some documents."""
    rng = np.random.default_rng(seed)
    rows = []
    for system in range(systems):
        for document in range(documents):
            base = rng.normal(0, 0.4)
            for segment in range(each):
                quality = 3 + 0.5 * system + base + rng.normal(0, 0.7)
                item, names = f"s{system}/d{document}/{segment}", (f"s{system}", f"d{document}", str(segment))
                for name, more in (("judge", noise), ("other", 2 * noise)):
                    for run in range(runs if name == "judge" else 1):
                        score = quality + shift + rng.normal(0, more)
                        rows.append((item, name, "model", score, run + 1, *names))
                if document < labelled and segment < per_document:
                    rows += [(item, name, "human", quality + rng.normal(0, 0.4), 1, *names) for name in PEOPLE]
    columns = list(zip(*rows, strict=True))
    scores = np.clip(np.round(np.array(columns[3])), 1, 5)
    scale = Scale(level, (1.0, 2.0, 3.0, 4.0, 5.0), declared=True, direction=Direction.HIGH)
    named = dict(zip(("kind", "occasion", "system", "document", "segment"), (columns[2], *columns[4:]), strict=True))
    return Ratings(
        item=Factor.of(columns[0]), rater=Factor.of(columns[1]), value=(scores - 1).astype(np.int32), scale=scale,
        columns={name: Factor.of([str(cell) for cell in cells]) for name, cells in {**named, **(extra or {})}.items()},
    )  # fmt: skip


@pytest.fixture
def make_study():
    return study


@pytest.fixture
def make_panel():
    def make(table, raters=("ann", "bob", "cem", "judge"), level=Level.ORDINAL):
        values = tuple(np.unique(table).tolist())
        items, people = np.indices(np.shape(table))
        ratings = Ratings(
            item=Factor.of([f"i{place}" for place in items.ravel()]),
            rater=Factor.of([raters[place] for place in people.ravel()]),
            value=np.searchsorted(values, np.ravel(table)).astype(np.int32), scale=Scale(level, values),
        )  # fmt: skip
        return panel_of(parts_of(ratings)[0], "judge")

    return make
