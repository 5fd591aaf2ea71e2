"""Published examples: ratings as printed, and the values printed beside them."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from accord.design.scale import Level
from accord.ratings.table import Ratings
from real_ratings import ratings_of

FOLDER = Path(__file__).parent / "published"


@dataclass(frozen=True)
class Published:
    """One example; ``half`` is half of the last printed decimal of a value."""

    name: str
    ratings: Ratings
    expected: dict[str, float]
    interval: dict[str, list[float]]
    standard_error: dict[str, float]

    @staticmethod
    def half(text: str) -> float:
        return 0.5 * 10.0 ** -len(text.partition(".")[2]) * 1.001


def read_published(name: str) -> Published:
    """The example of tests/published/NAME.toml; printed numbers stay text, so that their decimals are known."""
    with (FOLDER / f"{name}.toml").open("rb") as file:
        content = tomllib.load(file, parse_float=str)
    rows = _rows(content)
    return Published(
        name,
        ratings_of(rows, Level(content["level"])),
        content["expected"],
        content.get("interval", {}),
        content.get("standard_error", {}),
    )


def _rows(content: dict) -> list[tuple[str, str, float]]:
    if "table" in content:
        pairs = [(i, j) for i, row in enumerate(content["table"]) for j, n in enumerate(row) for _ in range(n)]
        return [(str(item), "AB"[rater], float(pair[rater])) for item, pair in enumerate(pairs) for rater in (0, 1)]
    lines = [line.split() for line in content["ratings"].strip().splitlines()]
    return [
        (str(item), rater, float(value))
        for rater, *values in lines
        for item, value in enumerate(values)
        if value != "*"
    ]


def all_published() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))
