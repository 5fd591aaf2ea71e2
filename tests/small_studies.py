"""Many small studies, drawn from fixed seeds, and what functions say of them, whole, as it was recorded.

Small studies of few values meet what large ones never do: ties, a number on its mark, nothing that varies, one rater
too few. ``tests/recorded/small`` has a file for each room: a line for each thing that was said, with the way to it.
Where something is to change, run ``PYTHONPATH=tests python tests/small_studies.py ROOM``: it prints every line that
differs and writes the new ones; keep them if each is meant.
"""

import gzip
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import gettempdir
from typing import Any

import numpy as np

from accord import __version__
from accord.design.scale import Direction, Level, Scale
from accord.errors import AccordError
from accord.ratings.table import Factor, Ratings

RECORDS = Path(__file__).parent / "recorded" / "small"
DIGITS = 6
LEVELS = (Level.ORDINAL, Level.INTERVAL, Level.NOMINAL, Level.ORDINAL, Level.INTERVAL, Level.RATIO)
DIRECTIONS = (Direction.HIGH, Direction.LOW, Direction.HIGH, Direction.UNKNOWN)
Asked = Mapping[str, Callable[[int], object]]


def small_study(seed: int, *, level: Level | None = None, direction: Direction | None = None, **given: Any) -> Ratings:
    """A study of few items, raters and values; ``given`` says what is not to be drawn.

    ``conditions`` are the names in ``column``; with ``own`` each has raters of its own, and with ``shared`` below 1
    some items of its own. ``gaps`` is the share of ratings that are missing.
    """
    rng = Random(seed)
    drawn = {
        "items": rng.choice((3, 4, 6, 8, 12)),
        "raters": rng.choice((2, 3, 4, 6)),
        "steps": rng.choice((2, 3, 4, 5)),
        "gaps": rng.choice((0, 0, 0.15, 0.4)),
        "noise": rng.choice((0, 0.4, 0.8, 2)),
        "criteria": rng.choice((1, 1, 2)),
        "column": "phase",
        "conditions": (),
        "own": rng.random() < 0.4,
        "shared": rng.choice((1, 1, 0.8, 0.5)),
        "each": rng.choice((1, 2, 3)),
        "systems": rng.choice((1, 2, 3)),
        "columns": {},
        "name": "i{}".format,
        "shift": lambda item, rater: 0.5 * (rater == 1),
        "value": lambda item, rater, value: value,
    } | given
    rows = list(_rows(rng, drawn))
    level, steps = level or LEVELS[seed % len(LEVELS)], range(1, drawn["steps"] + 1)
    values = tuple("abcdef"[: drawn["steps"]]) if level is Level.NOMINAL else tuple(map(float, steps))
    scale = Scale(level, values, declared=seed % 2 == 0, direction=direction or DIRECTIONS[seed // 2 % 4])
    names = [name for name in rows[0] if name not in ("item", "rater", "value", "time_s", "order")]
    return Ratings(
        item=Factor.of([row["item"] for row in rows]),
        rater=Factor.of([row["rater"] for row in rows]),
        value=np.array([row["value"] - 1 for row in rows], dtype=np.int32),
        scale=scale,
        columns={name: Factor.of([row[name] for row in rows]) for name in names},
        numbers={name: np.array([row[name] for row in rows], dtype=float) for name in ("time_s", "order")},
    )


def _rows(rng: Random, drawn: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    truths = [rng.uniform(1, drawn["steps"]) for _ in range(drawn["items"])]
    for place, condition in enumerate(drawn["conditions"] or ("",)):
        mine = range(drawn["items"] + 1) if place == 0 else range(round((1 - drawn["shared"]) * drawn["items"]), 99)
        for rater in range(drawn["raters"]):
            for at, (criterion, item) in enumerate(
                (c, i) for c in range(drawn["criteria"]) for i in range(len(truths))
            ):
                if item not in mine or (rng.random() < drawn["gaps"] and (rater, item) != (0, 0)):
                    continue
                told = truths[item] + rng.gauss(0, drawn["noise"]) + drawn["shift"](item, rater) - 0.3 * criterion
                row = {
                    "item": drawn["name"](item),
                    "rater": f"{condition if drawn['own'] else ''}R{rater}",
                    "value": drawn["value"](item, rater, max(1, min(drawn["steps"], round(told)))),
                    "document": f"d{item // drawn['each']}",
                    "system": f"S{item % drawn['systems']}",
                    "time_s": round(2 + 9 * rng.random(), 1),
                    "order": at + 1,
                }
                row |= {"criterion": ("tone", "flow")[criterion]} if drawn["criteria"] > 1 else {}
                row |= {drawn["column"]: condition} if condition else {}
                row |= {name: of(item, rater, place) for name, of in drawn["columns"].items()}
                yield row


def told(thing: object, where: str = "", depth: int = 0) -> Iterator[str]:
    """Every number and word of a thing, with the way to it: of its fields, its properties and its parts."""
    if isinstance(thing, Enum) or thing is None or isinstance(thing, str | bool | int | float | np.generic):
        yield f"{where}: {_cell(thing)}"
    elif isinstance(thing, Mapping):
        for key, part in thing.items():
            yield from told(part, f"{where}.{key}", depth)
    elif isinstance(thing, np.ndarray) and thing.ndim == 0:
        yield f"{where}: {_cell(thing.item())}"
    elif (isinstance(thing, np.ndarray) and thing.ndim == 1) or _is_flat(thing):
        yield f"{where}: {' '.join(_cell(cell) for cell in thing)}"  # type: ignore[attr-defined]
    elif isinstance(thing, Sequence | np.ndarray | frozenset | set):
        for place, part in enumerate(sorted(thing) if isinstance(thing, frozenset | set) else thing):
            yield from told(part, f"{where}.{place}", depth)
    elif hasattr(thing, "to_plain"):
        yield from (f"{where}: {line.rstrip()}" for line in thing.to_plain().splitlines())
    elif is_dataclass(thing) and depth < 6 and type(thing).__name__ not in ("Ratings", "Part"):
        made = [name for name, of in vars(type(thing)).items() if isinstance(of, property) and name[0] != "_"]
        for name in [*(field.name for field in fields(thing) if field.name[0] != "_"), *made]:
            yield from told(said(lambda name=name: getattr(thing, name)), f"{where}.{name}", depth + 1)


def _is_flat(thing: object) -> bool:
    return isinstance(thing, list | tuple) and all(
        isinstance(cell, bool | int | float | np.generic) and not isinstance(cell, Enum) for cell in thing
    )


def _cell(cell: object) -> str:
    return f"{float(cell):.{DIGITS}g}" if isinstance(cell, float | np.floating) else str(cell).replace("\n", " ¶ ")


def said(ask: Callable[[], object]) -> object:
    """What is answered, or the sentence with which it is refused."""
    try:
        return ask()
    except AccordError as refused:
        return f"{type(refused).__name__}: {refused}"


def answered(name: str, ask: Callable[[int], object], seeds: Sequence[int]) -> list[str]:
    """What is said of each study, whatever the version that says it and the folder in which files were read."""
    folder = re.compile(rf"{re.escape(gettempdir())}/\w+/")
    lines = [f"{name} {seed}{line}" for seed in seeds for line in told(said(lambda seed=seed: ask(seed)))]
    lines = [folder.sub("", line) for line in lines if f"accord: {__version__}" not in line]
    return [re.sub(rf"\b([Aa]ccord) {re.escape(__version__)}", r"\1", line) for line in lines]


@cache
def recorded(room: str) -> list[str]:
    path = RECORDS / f"{room}.txt.gz"
    return gzip.decompress(path.read_bytes()).decode().split("\n") if path.exists() else []


def changed(room: str, name: str, ask: Callable[[int], object], seeds: Sequence[int]) -> list[str]:
    """The lines on one thing that differ from what is recorded."""
    from recorded_answers import differences

    known = [line for line in recorded(room) if line.startswith(f"{name} ")]
    return differences("\n".join(answered(name, ask, seeds)), "\n".join(known))


def assert_as_recorded(room: str, name: str, ask: Callable[[int], object], seeds: Sequence[int]) -> None:
    found = changed(room, name, ask, seeds)
    assert not found, "\n".join([f"python tests/small_studies.py {room} writes new lines.", *found[:20]])


def main() -> None:
    room = sys.argv[1]
    asked = import_module(f"{room}.test_recorded_small")
    lines = [
        line for name, ask in asked.ASKED.items() for line in answered(name, ask, asked.SEEDS[: asked.FEWER.get(name)])
    ]
    known = set(recorded(room))
    print(*(line for line in lines if line not in known), sep="\n")
    RECORDS.mkdir(exist_ok=True)
    (RECORDS / f"{room}.txt.gz").write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main()
