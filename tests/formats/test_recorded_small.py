"""Small exports, damaged one by one, are read and written as it was recorded: every rating, span and sentence."""

import re
import tempfile
from pathlib import Path
from random import Random

import pytest

from accord.formats import FORMATS, read, write
from accord.words import spelled
from formats.every_place import every_place
from formats.mutations import EXPORTS
from formats.refused import REFUSED
from formats.samples import imported_sample
from formats.test_recorded_exports import NAMES
from small_studies import assert_as_recorded, said

SEEDS = range(24)
WORDS = ("major", "minor", "news", "True", "False", "null", "system", "score", "rater", "Accuracy", "1", "0", "2", "a")


def damaged(text, seed):
    """One thing changed: a line lost, doubled or moved, a number or word replaced, a cell emptied."""
    rng, seed = Random(seed), seed % 12
    lines = text.split("\n")
    at = rng.randrange(1, max(2, len(lines) - 1))
    if seed == 0:
        return text
    if seed == 1:
        return "\n".join(lines[:at] + lines[at + 1 :])
    if seed == 2:
        return "\n".join([*lines[:at], *lines[at - 1 : at + 1], *lines[at:]])
    if seed in (3, 4):
        places = [match.span() for match in re.finditer(r"\d+(?:\.\d+)?", text)]
        start, end = rng.choice(places or [(0, 0)])
        return text[:start] + ("-7", "77")[seed - 3] + text[end:]
    if seed in (5, 6, 7, 8):
        found = [word for word in WORDS if word in text]
        word = rng.choice(found or [""])
        return text.replace(word, ("", "x y", word.upper(), f" {word}")[seed - 5], 1 + seed % 2)
    places = [match.span(1) for match in re.finditer(r"[\t,:] ?\"?([^\t,:\"\n{}\[\]]+)", text)]
    start, end = rng.choice(places or [(0, 0)])
    return text[:start] + ("", "?", "0.5")[seed - 9] + text[end:]


def lines_of(found):
    ratings = found.ratings
    labels = {"item": ratings.item, "rater": ratings.rater, **ratings.columns}
    columns = {key: factor.labels() for key, factor in labels.items()}
    made = [
        f"{found.format}: {found.reason}",
        str([*map(spelled, ratings.scale.values)]),
        str(ratings.level),
        str(ratings.scale.direction),
    ]
    for row, code in enumerate(ratings.value.tolist()):
        cells = [f"{key}={cell[row]}" for key, cell in columns.items() if cell[row] not in (None, "")]
        cells += [f"{key}={number[row]:g}" for key, number in ratings.numbers.items() if number[row] == number[row]]
        made.append(f"{spelled(ratings.scale.values[code])} | {' | '.join(cells)}")
    return [
        *made,
        *(f"span {span}" for span in found.spans),
        *(f"repair {entry}" for entry in found.log.entries),
        *(f"note {note}" for note in found.notes),
    ]


def read_damaged(name, seed):
    text = (EXPORTS / name).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "exports" / name
        path.parent.mkdir()
        path.write_text(damaged(text, seed), encoding="utf-8")
        return said(lambda: lines_of(read(path)))


def written(name, seed):
    sample = imported_sample(criteria=seed % 2 == 0, spans=seed % 3 == 0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"made{[*FORMATS[name].suffixes, '.csv'][0]}"
        lost = said(lambda: write(sample, path, to=name, force=True))
        if isinstance(lost, str) or not path.is_file():
            return str(lost)
        try:
            text = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            text = ["not text"]
        return {"lost": str(lost), "text": text, "again": said(lambda: lines_of(read(path, format=name)))}


WRITTEN = [name for name, spec in FORMATS.items() if spec.writes is not None]
ASKED = {
    **{name: lambda seed, name=name: read_damaged(name, seed) for name in NAMES},
    **{f"to-{name}": lambda seed, name=name: written(name, seed) for name in WRITTEN},
    **{f"places-{name}": lambda _, name=name: every_place(name) for name in NAMES},
    **{name: lambda _, ask=ask: ask() for name, ask in REFUSED.items()},
}
FEWER = {f"to-{name}": 2 for name in WRITTEN} | {f"places-{name}": 1 for name in NAMES} | dict.fromkeys(REFUSED, 1)


@pytest.mark.parametrize("name", ASKED)
def test_small_exports_are_read_and_written_as_it_was_recorded(name):
    assert_as_recorded("formats", name, ASKED[name], SEEDS[: FEWER.get(name)])
