"""Small tables are read, described and counted as it was recorded: every value, guess, repair and sentence."""

import tempfile
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

import accord
from accord.ratings.counting import count_source
from accord.ratings.sanity import sanity as look_over
from accord.words import spelled
from ratings.odd_tables import ODD
from ratings.refused import REFUSED
from small_studies import assert_as_recorded, said, small_study

SEEDS = range(40)
FEWER = {"counted": 16, "split": 12, "described": 16, "frames": 10} | {
    **{f"odd-{name}": seeds for name, (_, seeds) in ODD.items()},
    **dict.fromkeys(REFUSED, 1),
}
HEADS = (
    ("item", "rater", "value"),
    ("Item", "Annotator", "Score"),
    ("segment_id", "judge", "rating"),
    ("text", "user", "label"),
    ("Satz", "Bewerter", "Wert"),
    ("item", "rater", "adequacy (1-5)"),
    ("id", "who", "value"),
    ("item", "rater", "value_score"),
)
VALUES = (
    ("1", "2", "3", "4", "5"),
    ("good", "bad", "fair"),
    ("1,5", "2,0", "3,5"),
    ("1", "2", "NA", "3"),
    ("yes", "no"),
    ("0", "100", "55"),
    ("a|b", "b", ""),
    ("80%", "90%", "75%"),
    ("1", "2", "?", "7"),
    ("strongly agree", "agree", "disagree"),
    ("★★★", "★", "★★"),
)
MORE = ("system", "document", "criterion", "phase", "time_s", "comment", "Group", "role", "kind", "order", "note")


def table(seed):
    """A table as people make them: in their words, with their signs between cells, and with something amiss in some."""
    rng = Random(seed)
    head, values, sign = HEADS[seed % len(HEADS)], VALUES[seed % len(VALUES)], (",", ";", "\t", ",")[seed % 4]
    sign = ";" if "," in "".join(values) and sign == "," else sign
    more = rng.sample(MORE, rng.choice((0, 1, 2, 3)))
    rows = []
    for item, rater in product(range(5), range(3)):
        if rng.random() < 0.1:
            continue
        own = [
            {
                "time_s": str(rng.randint(1, 90)),
                "order": str(item),
                "criterion": "xy"[item % 2],
                "kind": ("human", "model")[rater == 2],
                "role": ("", "repeat")[item == 4],
            }.get(name, f"{name[0]}{item % 2}")
            for name in more
        ]
        rows.append([f"i{item}", f"R{rater}", rng.choice(values), *own])
    amiss = seed % 7
    if amiss == 1:
        rows.append(rows[0])
    elif amiss == 2:
        rows.insert(2, ["", "", ""] + [""] * len(more))
    elif amiss == 3:
        rows[1] = rows[1][:-1]
    elif amiss == 4:
        rows.append(["total", "", "9"] + [""] * len(more))
    elif amiss == 5:
        rows = [[f" {cell}" for cell in row] for row in rows]
    lines = [sign.join([*head, *more]), *(sign.join(row) for row in rows)]
    return "\n".join(lines) + "\n"


def wide(seed):
    rng = Random(seed)
    raters = rng.choice(
        (("Ann", "Ben", "Cem"), ("R1", "R2"), ("adequacy_Ann", "adequacy_Ben", "fluency_Ann", "fluency_Ben"))
    )
    values = VALUES[seed % len(VALUES)]
    rows = [[f"i{at}", *(rng.choice(values) if rng.random() > 0.1 else "" for _ in raters)] for at in range(5)]
    return "\n".join(["\t".join(["item", *raters]), *("\t".join(row) for row in rows)]) + "\n"


def told(ratings):
    columns = {
        name: factor.labels()
        for name, factor in {"item": ratings.item, "rater": ratings.rater, **ratings.columns}.items()
    }
    rows = [
        " | ".join([spelled(ratings.scale.values[code]), *(str(cells[row]) for cells in columns.values())])
        for row, code in enumerate(ratings.value.tolist())
    ]
    return {
        "rows": rows,
        "columns": " ".join(columns),
        "numbers": {name: list(map(float, cells)) for name, cells in ratings.numbers.items()},
        "scale": [
            ratings.level,
            ratings.scale.direction,
            [*map(spelled, ratings.scale.values)],
            list(ratings.scale.guesses),
        ],
        "scales": {name: f"{one.level} {[*map(spelled, one.values)]}" for name, one in ratings.scales.items()},
        "notes": list(ratings.notes),
        "missing": ratings.missing,
        "left": [str(one) for one in ratings.left_out],
        "remarks": [str(one) for one in look_over(ratings)],
        "called": dict(ratings.called),
    }


def read(text, seed):
    options = ({}, {"duplicates": "mean"}, {"missing": ("NA", "?")}, {"direction": "high"}, {"level": "ordinal"})[
        seed % 5
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(text, encoding="utf-8")
        return said(lambda: told(accord.read(path, engine="memory", **options)))


def counted(seed):
    source = count_source(small_study(seed, criteria=1))
    facts, patterns, pairs = source.facts(), source.patterns(), source.pairs()
    return {
        "facts": [facts.items, facts.raters, facts.pairable, facts.complete, [*map(spelled, facts.scale.values)]],
        "matrix": source.matrix,
        "patterns": [patterns.codes, patterns.multiplicity],
        "pairs": [pairs.pairs, pairs.tables],
        "names": [list(source.item_names()), list(source.rater_names())],
        "documents": said(lambda: source.by_document()),
    }


def parted(seed):
    ratings = small_study(seed, conditions=("1", "2"), criteria=2)
    first = ratings.split(("phase",))
    return {
        "parts": [[str(part.by), len(part.ratings), part.ratings.fingerprint] for part in first],
        "named": [len(ratings.named(phase="1")), len(ratings.named(rater=ratings.rater.names[:1], phase=("1", "2")))],
        "by name": told(ratings.by_name("document"))["rows"][:9],
        "where": len(ratings.where(np.arange(len(ratings)) % 2 == 0)),
        "whole": told(ratings)["remarks"],
    }


ASKED = {
    "read": lambda seed: read(table(seed), seed),
    "wide": lambda seed: read(wide(seed), seed),
    "counted": counted,
    "split": parted,
    "described": lambda seed: [
        (made := accord.describe(small_study(seed, conditions=((), ("1", "2"))[seed % 2]))) and str(made).splitlines(),
        made.to_dict(),
    ],
    **{f"odd-{name}": ask for name, (ask, _) in ODD.items()},
    **{name: lambda _, ask=ask: ask() for name, ask in REFUSED.items()},
    "frames": lambda seed: said(lambda: told(accord.read(small_study(seed, criteria=1).to_frame()))),
}


@pytest.mark.parametrize("name", ASKED)
def test_small_tables_are_read_and_counted_as_it_was_recorded(name):
    assert_as_recorded("ratings", name, ASKED[name], SEEDS[: FEWER.get(name)])
