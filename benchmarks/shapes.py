"""Ratings of the shapes that users hold, at any size, as CSV files with names that are words."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

SEED = 7
Columns = dict[str, np.ndarray]


def _names(stem: str, codes: np.ndarray) -> np.ndarray:
    """``item 17`` and the like: nobody's raters are numbers."""
    known = np.array([f"{stem} {place + 1}" for place in range(int(codes.max()) + 1)])
    return known[codes]


def _scores(items: np.ndarray, raters: np.ndarray, top: int, extra: np.ndarray | float = 0.0) -> np.ndarray:
    """A common truth, each rater's strictness and noise, on 1 to ``top`` or, for 100, on 0 to 100."""
    rng = np.random.default_rng(SEED)
    truth = rng.normal(0, 1, int(items.max()) + 1)[items]
    strict = rng.normal(0, 0.2, int(raters.max()) + 1)[raters]
    latent = truth + strict + extra + rng.normal(0, 0.6, len(items))
    if top == 100:
        return np.clip(np.rint(60 + 18 * latent), 0, 100).astype(int)
    return np.clip(np.rint((top + 1) / 2 + latent), 1, top).astype(int)


def _complete(rows: int, raters: int) -> tuple[np.ndarray, np.ndarray]:
    items = max(rows // raters, 2)
    return np.repeat(np.arange(items), raters), np.tile(np.arange(raters), items)


def complete(raters: int, top: int) -> Callable[[int], Columns]:
    """Every rater rates every item."""

    def make(rows: int) -> Columns:
        item, rater = _complete(rows, raters)
        return {"item": _names("item", item), "rater": _names("rater", rater), "value": _scores(item, rater, top)}

    return make


def pool(rows: int) -> Columns:
    """Three of 1,000 raters rate each item, as on a crowd platform."""
    rng = np.random.default_rng(SEED)
    items = rows // 3
    item = np.repeat(np.arange(items), 3)
    rater = (rng.integers(0, 1000, items)[:, None] + np.array([0, 331, 667])).ravel() % 1000
    return {"item": _names("item", item), "rater": _names("rater", rater), "value": _scores(item, rater, 5)}


def criteria(rows: int) -> Columns:
    """Three raters rate every item on five criteria."""
    parts = []
    for place, name in enumerate(("adequacy", "fluency", "style", "terms", "tone")):
        item, rater = _complete(rows // 5, 3)
        value = _scores(item, rater, 5, np.random.default_rng(place).normal(0, 0.4, len(item)))
        parts.append((_names("item", item), _names("rater", rater), value, np.full(len(item), name)))
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    return dict(zip(("item", "rater", "value", "criterion"), columns, strict=True))


def systems(rows: int) -> Columns:
    """Twenty systems translate the same segments of documents; three raters score each translation from 0 to 100."""
    segments = max(rows // 60, 2)
    segment = np.repeat(np.arange(segments), 60)
    system = np.tile(np.repeat(np.arange(20), 3), segments)
    rater = np.tile(np.arange(3), 20 * segments)
    item = segment * 20 + system
    document = segment // 10
    return {
        "item": _names("item", item), "rater": _names("rater", rater),
        "value": _scores(item, rater, 100, system / 40), "system": _names("system", system),
        "document": _names("document", document), "segment": segment,
    }  # fmt: skip


def rounds(rows: int) -> Columns:
    """Three raters, five values; one half of the items before a new guideline, one half after it."""
    item, rater = _complete(rows, 3)
    phase = (item >= (item.max() + 1) // 2).astype(int) + 1
    return {
        "item": _names("item", item), "rater": _names("rater", rater), "value": _scores(item, rater, 5), "phase": phase,
    }  # fmt: skip


def groups(rows: int) -> Columns:
    """Ten raters in two groups, five values; every rater rates every item."""
    item, rater = _complete(rows, 10)
    group = np.where(rater < 5, "native", "other")
    return {
        "item": _names("item", item), "rater": _names("rater", rater), "value": _scores(item, rater, 5), "group": group,
    }  # fmt: skip


def references(rows: int) -> Columns:
    """Twenty-five raters in five groups, each with another reference; the last one saw the source."""
    item, rater = _complete(rows, 25)
    names = np.array(["G1", "G2", "G3", "G4", "source"])
    return {
        "item": _names("item", item), "rater": _names("rater", rater), "value": _scores(item, rater, 5),
        "group": names[rater % 5],
    }  # fmt: skip


def scenarios(rows: int) -> Columns:
    """Four raters rate every item twice: as a random sentence and in its context."""
    item, rater = _complete(rows // 2, 4)
    scenario = np.repeat(["random-sentence", "sentence-in-context"], len(item))
    item, rater = np.tile(item, 2), np.tile(rater, 2)
    return {
        "item": _names("item", item), "rater": _names("rater", rater), "value": _scores(item, rater, 5),
        "scenario": scenario, "document": _names("document", item // 10),
    }  # fmt: skip


def assessments(rows: int) -> Columns:
    """Direct assessment: tasks of 100 with degraded copies and repeats, a rater for each ten of them, 20 systems."""
    tasks = max(rows // 100, 2)
    batch, place = np.repeat(np.arange(tasks), 100), np.tile(np.arange(100), tasks)
    role = np.select([place >= 90, place >= 80], ["DEGRADED", "REPEAT"], "SYSTEM")
    original = np.where(place >= 80, (place - 80) % 10, place)
    segment = (batch * 4 + original // 20) % max(rows // 300, 50)
    system = original % 20
    item = segment * 20 + system
    rater = batch // 10
    rng = np.random.default_rng(SEED)
    lower = np.where(role == "DEGRADED", -1.5, 0.0)
    return {
        "item": _names("item", item), "rater": _names("rater", rater), "value": _scores(item, rater, 100, lower),
        "system": _names("system", system), "segment": segment, "role": role, "occasion": role,
        "batch": _names("hit", batch), "time_s": rng.integers(400, 1200, tasks)[batch], "order": place + 1,
    }  # fmt: skip


def choices(rows: int) -> Columns:
    """Pairwise choices between 20 systems, three raters an item."""
    rng = np.random.default_rng(SEED)
    item, rater = _complete(rows, 3)
    first = rng.integers(0, 20, int(item.max()) + 1)[item]
    second = (first + rng.integers(1, 20, int(item.max()) + 1)[item]) % 20
    better = (second - first) / 20 + rng.normal(0, 0.8, len(item)) > 0
    return {
        "rater": _names("rater", rater), "item": _names("item", item), "first": _names("system", first),
        "second": _names("system", second), "preferred": np.where(better, "second", "first"),
    }  # fmt: skip


def errors(rows: int) -> Columns:
    """A list of MQM errors: 20 systems, ten raters, about two errors in a segment."""
    rng = np.random.default_rng(SEED)
    segments = max(rows // 40, 2)
    segment, system = rng.integers(0, segments, rows), rng.integers(0, 20, rows)
    order = np.lexsort((system, segment))
    segment, system = segment[order], system[order]
    kinds = np.array(["Accuracy/Mistranslation", "Accuracy/Omission", "Fluency/Punctuation", "Fluency/Grammar"])
    return {
        "item": _names("item", segment * 20 + system), "rater": _names("rater", rng.integers(0, 10, rows)),
        "system": _names("system", system), "document": _names("document", segment // 10),
        "category": kinds[rng.integers(0, 4, rows)], "severity": rng.choice(["Minor", "Major"], rows, p=[0.7, 0.3]),
    }  # fmt: skip


SHAPES: dict[str, tuple[str, Callable[[int], Columns]]] = {
    "3x5": ("3 raters, 5 values", complete(3, 5)),
    "3x100": ("3 raters, 0 to 100", complete(3, 100)),
    "50": ("50 raters, 5 values", complete(50, 5)),
    "pool": ("a pool of 1,000 raters", pool),
    "criteria": ("5 criteria, 3 raters", criteria),
    "systems": ("20 systems, 0 to 100", systems),
    "rounds": ("two rounds, 3 raters", rounds),
    "groups": ("two groups of 5 raters", groups),
    "references": ("5 references, 25 raters", references),
    "scenarios": ("two scenarios, 4 raters", scenarios),
    "assessments": ("20 systems, tasks of 100", assessments),
    "choices": ("choices between 20 systems", choices),
    "errors": ("errors of 20 systems", errors),
}


def csv_of(shape: str, rows: int, folder: Path) -> Path:
    """The file of this shape and size, made once.

    By a process of its own: the most memory that a command held counts from what the process held that started it.
    """
    path = folder / f"{shape}-{rows}.csv"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, __file__, shape, str(rows), str(path)], check=True)
    return path


def _write(shape: str, rows: str, path: str) -> None:
    import pandas as pd

    pd.DataFrame(SHAPES[shape][1](int(rows))).to_csv(path, index=False)


if __name__ == "__main__":
    _write(*sys.argv[1:])
