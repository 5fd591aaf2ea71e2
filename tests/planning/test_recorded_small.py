"""What simulated raters answer and what a plan expects is what was recorded: on each mark, with every kind of rater."""

import tempfile
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.design.preset import PRESETS, copy_preset
from accord.design.scale import Level, Scale
from accord.planning.answers import errors_of, known, on_scale, preferred, ranks
from accord.planning.differences import smallest_difference
from accord.planning.precision import (
    _studies,
    calibrated,
    error_of_raters,
    expected_interval,
    items_needed,
    raters_needed,
    width_grid,
)
from accord.planning.preview import preview_study
from accord.planning.simulate import simulate_study
from accord.planning.simulated_raters import Mark, RaterTraits, Traits, draw_raters, draw_truth, true_marks
from planning.test_laws import asked
from small_studies import assert_as_recorded, said

SEEDS = range(10)
FEWER = {"presets": len(PRESETS), "items-needed": 4, "raters-needed": 4, "widths": 3, "errors-of-raters": 2, "plans": 4}
TWO = Scale(Level.NOMINAL, (0.0, 1.0), declared=True)
THREE = Scale(Level.ORDINAL, (1.0, 2.0, 3.0), declared=True)
RATER = Traits(severity=0.2, noise=0.5, drift=0.1, inattention=0.05, copying=0.5)
CAREFUL = Traits(severity=0.0, noise=0.0, drift=0.0, inattention=0.0, copying=0.0)
SEVERITIES = [{"key": "minor", "weight": 1}, {"key": "major", "weight": 5}]


class Told:
    """Draws that are told before, over and over: what falls on a mark does."""

    def __init__(self, *draws):
        self.draws, self.place = draws, -1

    def random(self, size=None):
        return np.array([self._next() for _ in range(size)]) if isinstance(size, int) else self._next()

    def normal(self, loc=0.0, scale=1.0, size=None):
        drawn = [loc + scale * (2 * self._next() - 1) for _ in range(size or 1)]
        return np.array(drawn) if size else drawn[0]

    def integers(self, low, high=None):
        low, high = (0, low) if high is None else (low, high)
        return low + int(self._next() * (high - low))

    def _next(self):
        self.place += 1
        return self.draws[self.place % len(self.draws)]


def random(seed):
    return np.random.default_rng(seed)


KINDS = (
    asked("number", best="high"),
    asked("number", best="low", low=3),
    asked("number", best="high", low=2, high=4),
    asked("slider", best="high", low=0, high=10),
    asked("slider", best="low", low=20, high=40),
    asked("scale", values=(3, 2, 1), level="ordinal", best="high"),
    asked("scale", values=("bad", "fair", "good"), level="ordinal", best="low"),
)


def on_scales(seed):
    return [on_scale(one, (seed - 5) / 2.5) for one in KINDS]


def known_answers(seed):
    rng = Random(seed)
    golds = ("3", "2", "3.5", "9", "25", "2", "fair")
    raters = (RATER, CAREFUL, replace(CAREFUL, inattention=0.25), replace(CAREFUL, noise=2.5))
    draws = [rng.choice((0.0, 0.1, 0.25, 0.5, 0.99)) for _ in range(3)]
    return [
        str(known(one, gold, rater, Told(*draws))) for one, gold in zip(KINDS, golds, strict=True) for rater in raters
    ]


def chosen(seed):
    gaps = (-0.4, -0.3, -0.29, 0.0, 0.29, 0.3, 0.31, 0.6, 0.15, 0.45)
    seen = [0.0, gaps[seed], 0.3, gaps[-1 - seed]]
    return [(preferred("AB", seen[:2], ties), ranks(seen, ties), ranks(seen[:3], ties)) for ties in (True, False)]


def marked(seed):
    rng = Random(seed)
    draws = [rng.choice((0.0, 0.05, 0.055, 0.15, 0.3, 0.7, 0.99)) for _ in range(7)]
    marks = [
        Mark(2 * place, 2 * place + 1 + place % 3, 0.3 * place, 0.2 * place, (0.2, 0.9, 0.5, 0.0)[place], side)
        for place, side in enumerate(("target", "source", "target", "target"))
    ]
    kinds = [
        asked("spans", severities=SEVERITIES, values=("accuracy", "omission"), sides=("target",)),
        asked("spans", severities=SEVERITIES, values=("accuracy", "omission"), sides=("target", "source"), max_spans=2),
        asked("spans", severities=SEVERITIES, values=("accuracy", "omission"), sides=("target",), omissions=True),
        asked("categories", values=("a", "b", "c")),
    ]
    return [
        errors_of(one, marks, {"target": length, "source": 9}, rater, (seed - 5) / 3, made)
        for one, length, rater in product(kinds, (0, 7), (RATER, CAREFUL))
        for made in (Told(*draws), random(seed))
    ]


def truths(seed):
    text = ("", "a", "abc", "one two  three", " so it ends ")[seed % 5]
    return [true_marks(text, quality, random(seed)) for quality in (-2.0, 0.0, 2.0)]


def raters(seed):
    traits = (
        RaterTraits(),
        RaterTraits(severity={"r1": 0.5, "": 0.2}, noise={"r2": 0.1}),
        RaterTraits(drift={"": 0.5}),
        RaterTraits(copying={"r3": 1.0}, inattention={"r1": 0.0, "": 0.9}),
    )[seed % 4]
    return [
        draw_raters(traits, ("r1", "r2", "r3"), random(seed)),
        said(lambda: draw_raters(RaterTraits(noise={"r9": 1, "": 2}), ("r1", "r2", "r3"), random(seed))),
    ]


def presets(seed):
    """Every column of a simulated study, its numbers summed with weights of their own and its words counted."""
    traits = RaterTraits(severity=0.5, noise=0.8, drift=-0.4, inattention=0.3, copying=0.6, context=0.5, reference=1.0)
    with tempfile.TemporaryDirectory() as folder:
        name = list(PRESETS)[seed]
        copy_preset(name, Path(folder) / name)
        study = load_study(Path(folder) / name)
        made = simulate_study(study, plan_assignment(study), traits, random(seed))
        expected = preview_study(study, plan_assignment(study), studies=3, guess=0.5) if seed % 3 == 0 else None
    told = {"columns": " ".join(made.rating_columns), "preview": expected}
    for part in ("ratings", "errors", "questionnaire"):
        rows = getattr(made, part)
        for column in rows[0] if rows else ():
            cells = [row.get(column, "") for row in rows]
            told[f"{part}.{column}"] = [sum((1 + at % 7) * _number(cell) for at, cell in enumerate(cells)), len(cells)]
    return told | {"truth": [sum(made.truth.quality.values()), len(made.truth.marks)], "raters": made.raters}


def _number(cell):
    return float(cell) if isinstance(cell, int | float) else sum(map(ord, str(cell))) / 100


def plans(seed):
    """A small study of texts, with what is drawn for it."""
    with tempfile.TemporaryDirectory() as folder:
        name = ("quality-check", "document-context", "pairwise", "esa")[seed]
        copy_preset(name, Path(folder) / name)
        study = load_study(Path(folder) / name)
    truth = draw_truth(study, random(seed))
    return [truth.systems, list(truth.quality.values())[:40], list(truth.marks.values())[:20]]


def expected(seed):
    design = random(seed).random((6 + seed, 2 + seed % 3)) < (0.6, 1.0)[seed % 2]
    options = {"level": (0.95, 0.8)[seed % 2], "studies": 12, "signal": (0.3, 0.9)[seed % 2]}
    rng = random(seed)
    codes = [_studies(np.ones((6, 3), dtype=bool), scale, random(seed))(0.25 * (seed % 5)) for scale in (TWO, THREE)]
    return [
        said(lambda: expected_interval(design, (TWO, THREE)[seed % 2], (0.0, 0.6)[seed % 2], rng, **options)),
        said(lambda: expected_interval(design[:2], TWO, 0.5, rng, **options)),
        said(lambda: expected_interval(design, TWO, (-0.1, 0.0, 1.0, 0.99)[seed % 4], rng, **options)),
        [part.tolist() for part in codes],
        [calibrated(THREE, guess, "krippendorff_alpha", random(seed), items=200) for guess in (0.0, 0.1 * seed)],
    ]


ASKED = {
    "on-scales": on_scales,
    "known-answers": known_answers,
    "chosen": chosen,
    "marked": marked,
    "true-marks": truths,
    "raters": raters,
    "presets": presets,
    "plans": plans,
    "expected": expected,
    "items-needed": lambda seed: [
        said(
            lambda: items_needed(
                (0.05, 0.4, 0.9, 1.5)[seed], 2 + seed, TWO, 0.5, random(seed), studies=20, most=(500, 100)[seed % 2]
            )
        ),
        items_needed(1.2, 3, TWO, 0.6, random(seed)) if seed == 0 else "",
    ],
    "raters-needed": lambda seed: [
        raters_needed((0.3, 0.5, 0.9, 0.1)[seed], 20, TWO, 0.5, random(seed), studies=20, most=4),
        raters_needed(0.7, 20, TWO, 0.6, random(seed)) if seed == 0 else "",
        said(lambda: raters_needed((0, 2, -1, 2.1)[seed], 20, TWO, 0.6, random(seed))),
    ],
    "widths": lambda seed: width_grid((3, 8, 10)[seed], TWO, 0.5, random(seed), studies=6),
    "errors-of-raters": lambda seed: [error_of_raters(4, (TWO, THREE)[seed], 0.5, random(seed))(n) for n in (2, 3, 4)],
    "differences": lambda seed: [
        said(lambda of=of: smallest_difference(of[0], seed % 4, of[1], level=0.9, power=0.7))
        for of in product((1, 2, 3, 40), (-0.1, 0.0, 0.5, 1.0, 1.1))
    ],
}


@pytest.mark.parametrize("name", ASKED)
def test_simulated_raters_and_plans_are_what_was_recorded(name):
    assert_as_recorded("planning", name, ASKED[name], SEEDS[: FEWER.get(name)])
