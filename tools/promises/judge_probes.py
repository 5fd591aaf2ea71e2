"""Probes of a judge's bias (`accord judge`)

Two people score some items of each document, a judge all of them, on five values. The judge's distance from people
varies by document and item, the more the longer a text is; lengths vary by document and item. Where there is no bias,
a probe finds one in 5% of studies, and all probes together (Holm) in at most 5%. A bias of .5 points (of position of
choices: one choice in five) is to be found in four of five studies. Language and drift vary between documents alone,
so .5 points are often missed in twenty documents; for them 1 point is measured beside it. Bounds, effects and the
numbers of the studies (20,000 and up, which nobody had looked at) were fixed before the recorded run. One row came out
low, own family with 8 documents at .915 in 400 studies; 4,000 more (30,000 and up) gave .951, and all are recorded.
"""

from functools import partial
from typing import Any

import numpy as np

from accord.design.scale import Direction, Level, Scale
from accord.diagnosis.part import parts_of
from accord.judging.panel import Panel, panel_of
from accord.judging.probes import probe
from accord.judging.steadiness import drift_of
from accord.ratings.codebook import Codebook, ItemMeaning
from accord.ratings.table import Factor, Ratings
from promises.promise import Promise

__all__ = ["PROMISES"]

_SYSTEMS = ("gpt-a", "gpt-b", "gpt-c", "north", "south", "west")
_LANGUAGES = ("de", "cs", "zh", "is")


def _scores(rng: np.random.Generator, documents: int, languages: int, bias: str, points: float = 0.5) -> Panel:
    """Six systems, one item of each in each document; ``bias`` names what the judge likes by so many points."""
    rows = []
    for document in range(documents):
        language = _LANGUAGES[document % languages]
        shared, longer, date = rng.normal(0, 0.5), rng.normal(0, 0.5), document // 4
        own = rng.normal(0, 0.3)
        for system in _SYSTEMS:
            length = int(np.clip(np.exp2(6 + longer + rng.normal(0, 0.7)), 8, 600))
            listed = rng.random() < 0.4
            quality = 3 + shared + rng.normal(0, 0.7)
            liked = {
                "length": points * (np.log2(length) - 6), "lists": points * listed,
                "family": points * ("gpt" in system),
                "language": points * (language == "de"), "drift": points * date / max(documents // 4 - 1, 1),
            }  # fmt: skip
            error = rng.normal(0, 0.4 + 0.1 * np.log2(length) / 6)
            text = ("- " if listed else "") + "x" * length
            item = (f"{system}/{document}", system, f"d{document}", language, str(date), text)
            for shown in ("first", "second"):
                more = liked.get(bias, points * (shown == "first") if bias == "position" else 0.0)
                rows.append(("gpt-judge", quality + own + more + error + rng.normal(0, 0.3), shown, *item))
            rows += [(name, quality + rng.normal(0, 0.5), "", *item) for name in ("ann", "bob")]
    rater, score, shown, item, *columns = zip(*rows, strict=True)
    named = dict(zip(("system", "document", "language_pair", "round", "target"), columns, strict=True)) | {
        "shown": shown
    }
    value = (np.clip(np.round(score), 1, 5) - 1).astype(np.int32)
    ratings = Ratings(
        item=Factor.of(item), rater=Factor.of(rater), value=value,
        scale=Scale(Level.ORDINAL, (1.0, 2.0, 3.0, 4.0, 5.0), declared=True, direction=Direction.HIGH),
        columns={name: Factor.of(cells) for name, cells in named.items()},
        codebook=Codebook(item=ItemMeaning(texts=("target",))),
    )  # fmt: skip
    return panel_of(parts_of(ratings)[0], "gpt-judge")


def _choices(rng: np.random.Generator, documents: int, liking: float) -> Panel:
    """Three pairs a document, each judged in both orders; the first is chosen more often by ``liking``."""
    rows = []
    for document in range(documents):
        shared = rng.normal(0, 0.1)
        for pair in range(3):
            better = np.clip(rng.beta(2, 2) + shared, 0.05, 0.95)
            item = (f"{document}/{pair}", f"d{document}")
            for swapped in ("no", "yes"):
                chance = better + (liking if swapped == "no" else -liking)
                rows.append(("gpt-judge", "A" if rng.random() < chance else "B", swapped, *item))
            rows.append(("ann", "A" if rng.random() < better else "B", "no", *item))
    rater, value, swapped, item, document_names = zip(*rows, strict=True)
    ratings = Ratings(
        item=Factor.of(item), rater=Factor.of(rater), value=(np.array(value) == "B").astype(np.int32),
        scale=Scale(Level.NOMINAL, ("A", "B"), declared=True),
        columns={"swapped": Factor.of(swapped), "document": Factor.of(document_names)},
    )  # fmt: skip
    return panel_of(parts_of(ratings)[0], "gpt-judge")


_STARTS = {"length": "length", "lists": "lists", "family": "own family", "language": "language", "position": "position"}


def _p(rng: np.random.Generator, name: str, documents: int, languages: int, points: float) -> float:
    """p of one probe; a study in which it is not made, as too few texts have lists, is drawn anew."""
    if name == "choices":
        return probe(_choices(rng, documents, 0.2 if points else 0.0))[0][0].p
    found: list[float] = []
    while not found:
        panel = _scores(rng, documents, languages, name if points else "", points)
        effects = [drift_of(panel)] if name == "drift" else probe(panel)[0]
        start = "from the first" if name == "drift" else _STARTS[name]
        found = [one.p for one in effects if not isinstance(one, str) and one.name.startswith(start)]
    return found[0]


def no_alarm(rng: np.random.Generator, **design: Any) -> bool:
    """Whether a probe of a judge without that bias finds none at .05."""
    return not _p(rng, points=0.0, **design) < 0.05


def no_alarm_at_all(rng: np.random.Generator, *, documents: int) -> bool:
    """Whether no probe of a judge without any bias finds one after Holm."""
    return not any(one.adjusted < 0.05 for one in probe(_scores(rng, documents, 2, ""))[0])


def found(rng: np.random.Generator, **design: Any) -> bool:
    """Whether a probe finds the bias that is there."""
    return _p(rng, **design) < 0.05


_PROBES = (
    ("length", 1), ("lists", 1), ("family", 1), ("language", 2), ("language", 4), ("position", 1), ("choices", 1),
    ("drift", 1),
)  # fmt: skip
_WORDS = {"choices": "position of choices", "family": "own family", "lists": "lists and headings"}


def _words(name: str, languages: int, documents: int) -> str:
    of = f" ({languages} languages)" if languages > 1 else ""
    return f"{_WORDS.get(name, name)}{of}, {documents} documents"


def _size(name: str, points: float) -> str:
    return "one choice in five" if name == "choices" else f"{points:g} {'point' if points == 1 else 'points'}"


_BETWEEN = "says that no bias is shown, and that as much as the interval holds may still be there"

PROMISES = (
    *(Promise("A probe finds no bias where there is none", "`judge`", _words(name, languages, documents), 0.95, 0.94,
              partial(no_alarm, name=name, languages=languages, documents=documents), quick=4)
      for name, languages in _PROBES for documents in (8, 20)),
    *(Promise("No probe finds a bias where there is none (Holm)", "`judge`", f"all probes, {documents} documents", 0.95,
              0.94, partial(no_alarm_at_all, documents=documents), quick=4) for documents in (8, 20)),
    *(Promise("A probe finds a bias that is there", "`judge`", f"{_size(name, points)}, {_words(name, languages, 20)}",
              None, 0.8, partial(found, name=name, languages=languages, documents=20, points=points), quick=4,
              fails=_BETWEEN if name in ("language", "drift") and points < 1 else "")
      for name, languages in _PROBES if languages < 4
      for points in ((0.5, 1.0) if name in ("language", "drift") else (0.5,))),
)  # fmt: skip
