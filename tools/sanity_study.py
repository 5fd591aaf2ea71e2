"""Measure the sanity pass: false alarms in honest sets of ratings, and planted mistakes of each kind that it finds.

Run: ``python tools/sanity_study.py [--honest 1000] [--planted 100] [--seed 0]``; docs/explanation/sanity.md tells it.
"""

import argparse
import io
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import accord
from accord.ratings.sanity import sanity

Rng = np.random.Generator
Rows = list[list[str]]
NAMES = ["Ana", "Ben Cole", "Chloé", "Dmitri", "eva k", "Franz", "Gül", "Hiro", "Ines", "José"]


@dataclass(frozen=True)
class Scale:
    """A scale that honest raters use: how a latent quality becomes what they write."""

    name: str
    write: Callable[[np.ndarray, Rng], list[str]]


def _points(low: int, high: int) -> Callable[[np.ndarray, Rng], list[str]]:
    def write(quality: np.ndarray, rng: Rng) -> list[str]:
        middle, step = (low + high) / 2, (high - low) / 4
        return [str(int(value)) for value in np.clip(np.rint(middle + step * quality), low, high)]

    return write


def _slider(quality: np.ndarray, rng: Rng) -> list[str]:
    scores = np.clip(np.rint(62 + 22 * quality), 0, 100)
    round_to = rng.choice([1, 5, 10])
    return [str(int(value)) for value in np.rint(scores / round_to) * round_to]


def _decimals(quality: np.ndarray, rng: Rng) -> list[str]:
    return [f"{value:.1f}" for value in np.clip(3 + quality, 1, 5)]


def _share(quality: np.ndarray, rng: Rng) -> list[str]:
    return [f"{value:.3f}" for value in 1 / (1 + np.exp(-quality))]


def _errors(quality: np.ndarray, rng: Rng) -> list[str]:
    return [str(value) for value in rng.poisson(np.exp(-0.3 - 0.8 * quality))]


def _penalty(quality: np.ndarray, rng: Rng) -> list[str]:
    minor, major = rng.poisson(np.exp(0.2 - 0.7 * quality)), rng.poisson(np.exp(-1.2 - 0.7 * quality))
    return [f"{value:g}" for value in -(minor + 5.0 * major)]


def _standard(quality: np.ndarray, rng: Rng) -> list[str]:
    return [f"{value:.4f}" for value in quality]


def _yes_no(quality: np.ndarray, rng: Rng) -> list[str]:
    return ["yes" if value > 0 else "no" for value in quality]


SHORT = [Scale("1 to 5", _points(1, 5)), Scale("1 to 7", _points(1, 7)), Scale("0 to 10", _points(0, 10))]
SLIDER = Scale("0 to 100", _slider)
DECIMALS = Scale("1.0 to 5.0", _decimals)
YES_NO = Scale("yes and no", _yes_no)
SCALES = [
    *SHORT, SLIDER, SLIDER, DECIMALS, Scale("1 to 3", _points(1, 3)), Scale("1 to 4", _points(1, 4)),
    Scale("-2 to 2", _points(-2, 2)), Scale("0 to 1", _share), Scale("counts of errors", _errors),
    Scale("MQM points", _penalty), Scale("z-scores", _standard), YES_NO,
]  # fmt: skip


def honest(rng: Rng, scale: Scale | None = None, *, good: bool = False) -> tuple[Rows, Scale]:
    """Rows (item, rater, value) of raters of different strictness, spread and care; ``good`` ones agree fairly well."""
    scale = scale or SCALES[rng.integers(len(SCALES))]
    items, raters = (
        int(rng.integers(50, 121) if good else rng.integers(12, 151)),
        int(rng.integers(3 if good else 2, 8)),
    )
    noise = rng.uniform(0.4, 0.7) if good else rng.uniform(0.2, 2.0)
    mean = rng.normal(0, 0.3 if good else 0.7)
    quality = rng.normal(mean, 1, items)
    if not good and rng.random() < 0.3:  # texts of one document are alike
        quality = np.repeat(rng.normal(mean, 1, items // 5 + 1), 5)[:items] + rng.normal(0, 0.3, items)
    rows: Rows = []
    for name in rng.permutation(NAMES)[:raters]:
        seen = quality * rng.uniform(0.7, 1.2) + rng.normal(0, 0.3 if good else 0.5) + rng.normal(0, noise, items)
        values = scale.write(seen, rng)
        kept = rng.random(items) < (0.95 if good else rng.choice([1.0, 0.9, 0.5]))
        rows += [[f"s{item + 1}", str(name), values[item]] for item in range(items) if kept[item]]
    return rows, scale


@dataclass(frozen=True)
class Mistake:
    """A mistake to plant: where it is at home, how it is made, and the remark that must name the row or the rater."""

    name: str
    code: str
    scales: list[Scale]
    plant: Callable[[Rows, Rng], tuple[Rows, str]]
    by_row: bool = True


def _typed(change: Callable[[str], str | None]) -> Callable[[Rows, Rng], tuple[Rows, str]]:
    def plant(rows: Rows, rng: Rng) -> tuple[Rows, str]:
        for place in rng.permutation(len(rows)).tolist():
            wrong = change(rows[place][2])
            if wrong is not None and wrong != rows[place][2]:
                rows[place] = [*rows[place][:2], wrong]
                return rows, str(place + 2)
        raise ValueError("no cell can be mistyped so")

    return plant


def _of_one_rater(change: Callable[[list[list[str]], Rng], list[list[str]]]) -> Callable[[Rows, Rng], tuple[Rows, str]]:
    def plant(rows: Rows, rng: Rng) -> tuple[Rows, str]:
        names = sorted({row[1] for row in rows})
        name = names[rng.integers(len(names))]
        places = [place for place, row in enumerate(rows) if row[1] == name]
        for place, row in zip(places, change([rows[place] for place in places], rng), strict=True):
            rows[place] = row
        return rows, name

    return plant


def _renamed(change: Callable[[str], str]) -> Callable[[Rows, Rng], tuple[Rows, str]]:
    def plant(rows: Rows, rng: Rng) -> tuple[Rows, str]:
        places = [place for place, row in enumerate(rows) if change(row[1]) != row[1]]
        if not places:
            raise ValueError("no name can be changed so")
        place = places[rng.integers(len(places))]
        rows[place] = [rows[place][0], change(rows[place][1]), rows[place][2]]
        return rows, str(place + 2)

    return plant


def _decomposed(name: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFD", name)


def _five_points(rows: Rows, rng: Rng) -> Rows:
    return [[item, rater, str(max(1, round(float(value) / 20)))] for item, rater, value in rows]


def _turned(rows: Rows, rng: Rng) -> Rows:
    values = [float(row[2]) for row in rows]
    both = min(values) + max(values)
    return [[item, rater, f"{both - float(value):g}"] for item, rater, value in rows]


def _slipped(rows: Rows, rng: Rng) -> Rows:
    values = [row[2] for row in rows]
    return [[row[0], row[1], value] for row, value in zip(rows, [values[-1], *values[:-1]], strict=True)]


def _same_again(rows: Rows, rng: Rng) -> tuple[Rows, str]:
    names = sorted({row[1] for row in rows})
    one, other = rng.permutation(names)[:2]
    copy = [[item, str(other), value] for item, rater, value in rows if rater == one]
    return [row for row in rows if row[1] != other] + copy, str(other)


def _as_numbers(rows: Rows, rng: Rng) -> Rows:
    return [[item, rater, {"yes": "1", "no": "0"}[value]] for item, rater, value in rows]


MISTAKES = [
    Mistake("typed twice: 88 as 8888", "off_scale", [SLIDER], _typed(lambda v: v * 2 if len(v) == 2 else None)),
    Mistake("a zero too many: 70 as 700", "off_scale", [SLIDER], _typed(lambda v: v + "0" if int(v) > 14 else None)),
    Mistake("a digit doubled: 4 as 44", "off_scale", SHORT, _typed(lambda v: v * 2 if v not in ("0", "10") else None)),
    Mistake("the point lost: 3.5 as 35", "off_scale", [DECIMALS], _typed(lambda v: v.replace(".", ""))),
    Mistake("a minus before: 3 as -3", "off_scale", [*SHORT, SLIDER], _typed(lambda v: f"-{v}" if v != "0" else None)),
    Mistake("a letter beside it: 4 as 4q", "stray_word", [*SHORT, SLIDER], _typed(lambda v: f"{v}q")),
    Mistake("a rater in another case", "rater_twins", [*SHORT, SLIDER], _renamed(str.swapcase)),
    Mistake("a rater with another blank", "rater_twins", SHORT, _renamed(lambda name: name.replace(" ", "  "))),
    Mistake("a rater in another Unicode form", "rater_twins", SHORT, _renamed(_decomposed)),
    Mistake("a rater on 1 to 5 among 0 to 100", "other_scale", [SLIDER], _of_one_rater(_five_points), by_row=False),
    Mistake("a rater with the scale turned round", "reversed", [*SHORT, SLIDER], _of_one_rater(_turned), by_row=False),
    Mistake("a column slipped by a row", "shifted", [*SHORT, SLIDER], _of_one_rater(_slipped), by_row=False),
    Mistake("the same file under two names", "same_twice", [*SHORT, SLIDER], _same_again, by_row=False),
    Mistake("yes and no written as 1 and 0", "other_words", [YES_NO], _of_one_rater(_as_numbers), by_row=False),
]  # fmt: skip


def read(rows: Rows) -> accord.Ratings:
    """The rows as a user would read them: from a CSV."""
    text = "item,rater,value\n" + "".join(f"{item},{rater},{value}\n" for item, rater, value in rows)
    return accord.read(io.StringIO(text))


def false_alarms(sets: int, rng: Rng) -> Counter[tuple[str, str]]:
    """How often each remark was made on which scale, among honest sets."""
    seen: Counter[tuple[str, str]] = Counter()
    for _ in range(sets):
        rows, scale = honest(rng)
        seen.update({(remark.code, scale.name) for remark in sanity(read(rows))})
    return seen


def _planted(mistake: Mistake, rng: Rng) -> tuple[Rows, str]:
    """An honest set with this mistake in it; sets in which nobody could make it are drawn anew."""
    while True:
        rows, _ = honest(rng, mistake.scales[rng.integers(len(mistake.scales))], good=True)
        try:
            return mistake.plant(rows, rng)
        except ValueError:
            continue


def found(mistake: Mistake, sets: int, rng: Rng) -> tuple[int, int]:
    """In how many of so many sets the mistake was found, and in how many something else was said."""
    right = wrong = 0
    for _ in range(sets):
        rows, where = _planted(mistake, rng)
        told = sanity(read(rows))
        hits = [one for one in told if one.code == mistake.code and where in (one.rows if mistake.by_row else one.who)]
        right += bool(hits)
        wrong += len(hits) < len(told)
    return right, wrong


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--honest", type=int, default=1000)
    options.add_argument("--planted", type=int, default=100)
    options.add_argument("--seed", type=int, default=0)
    asked = options.parse_args()
    rng = np.random.default_rng(asked.seed)
    seen = false_alarms(asked.honest, rng)
    print(f"honest sets: {asked.honest}; with a remark: at most {sum(seen.values())} {dict(seen)}")
    print("| planted in each of", asked.planted, "sets | found | something else said |\n|---|---|---|")
    for mistake in MISTAKES:
        right, wrong = found(mistake, asked.planted, rng)
        print(f"| {mistake.name} | {right} | {wrong} |")


if __name__ == "__main__":
    main()
