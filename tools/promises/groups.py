"""Groups, rounds and references (`accord compare`)

Raters give 1 to 5 for items of true quality 3 ± 1. They differ in severity (standard deviation .4) and in how much
they err (.6, varying by a factor of e to the ± .4), so that other raters would agree otherwise.
"""

from functools import partial

import numpy as np

from accord.comparisons.answers import changed
from accord.comparisons.conditions import compare_conditions
from accord.comparisons.reference_bias import compare_settings
from accord.ratings.build import build_ratings
from accord.ratings.table import Ratings
from promises.promise import Promise

__all__ = ["PROMISES"]

_Rows = dict[str, list[object]]


def _rows() -> _Rows:
    return {"item": [], "rater": [], "value": [], "group": [], "phase": [], "document": [], "criterion": []}


def _rated(rows: _Rows, rng: np.random.Generator, truth: np.ndarray, rater: str, names: tuple[str, str], items: str,
           each: int, criterion: str = "", traits: tuple[float, float] | None = None) -> None:  # fmt: skip
    """One rater's ratings of the items, written to the rows; the rater's severity and error are drawn if not given."""
    severity, error = traits or _traits(rng)
    values = np.clip(np.rint(3 + truth + severity + rng.normal(0, error, len(truth))), 1, 5)
    rows["item"] += [f"{items}{number}" for number in range(len(truth))]
    rows["rater"] += [rater] * len(truth)
    rows["value"] += values.astype(int).tolist()
    rows["group"] += [names[0]] * len(truth)
    rows["phase"] += [names[1]] * len(truth)
    rows["document"] += [f"{items}d{number // each}" for number in range(len(truth))]
    rows["criterion"] += [criterion] * len(truth)


def _traits(rng: np.random.Generator) -> tuple[float, float]:
    return rng.normal(0, 0.4), 0.6 * np.exp(rng.normal(0, 0.4))


def _made(rows: _Rows, *left_out: str) -> Ratings:
    return build_ratings({name: column for name, column in rows.items() if name not in left_out}, level="interval")


def no_group_differs(rng: np.random.Generator, *, raters: int, items: int, criteria: int = 1) -> bool:
    """Two groups of raters of one population, all rating the same items."""
    rows = _rows()
    for criterion in range(criteria):
        truth = rng.normal(0, 1, items)
        for rater in range(2 * raters):
            group = "first" if rater < raters else "second"
            _rated(rows, rng, truth, f"r{rater}", (group, ""), "i", items, f"c{criterion}")
    ratings = _made(rows, "document", "phase", *(() if criteria > 1 else ("criterion",)))
    found = compare_conditions(ratings, "group", "first", "second", replicates=999, rng=rng)
    return not any(one.differences[0].is_clear or "agree more in" in changed(one) for one in found)


def no_round_differs(rng: np.random.Generator, *, documents: int, each: int, same: bool, raters: int = 3) -> bool:
    """The same raters in two rounds, on other documents or on the same; the items of a document are alike."""
    rows = _rows()
    truths = {}
    traits = [_traits(rng) for _ in range(raters)]
    for turn in ("first", "second"):
        if turn == "first" or not same:
            truths[turn] = np.repeat(rng.normal(0, 0.8, documents), each) + rng.normal(0, 0.6, documents * each)
        hard = np.repeat(np.exp(rng.normal(0, 0.5, documents)), each)
        truth = truths["first" if same else turn]
        for rater in range(raters):
            noise = rng.normal(0, 0.6, len(truth)) * hard
            _rated(rows, rng, truth + noise, f"r{rater}", ("", turn), "i" if same else turn, each,
                   traits=traits[rater])  # fmt: skip
    ratings = _made(rows, "criterion", "group")
    (found,) = compare_conditions(ratings, "phase", "first", "second", replicates=999, rng=rng)
    return not found.differences[0].is_clear


def no_reference_bias(rng: np.random.Generator, *, groups: int, raters: int, items: int) -> bool:
    """Groups of raters of one population that saw different references, all rating the same items."""
    rows = _rows()
    truth = rng.normal(0, 1, items)
    for rater in range(groups * raters):
        _rated(rows, rng, truth, f"r{rater}", (f"g{rater // raters}", ""), "i", items)
    ratings = _made(rows, "document", "phase", "criterion")
    (found,) = compare_settings(ratings, "group", replicates=999, rng=rng)
    return "shows that this is more than chance" not in found.verdict()


PROMISES = (
    Promise("No difference is found between groups of one population", "`compare --design groups`",
            "3 and 3 raters, 40 items", 0.95, 0.94, partial(no_group_differs, raters=3, items=40), quick=20),
    Promise("No difference is found between groups of one population", "`compare --design groups`",
            "6 and 6 raters, 100 items", 0.95, 0.94, partial(no_group_differs, raters=6, items=100), quick=2),
    Promise("No difference is found between groups of one population", "`compare --design groups`",
            "4 and 4 raters, 40 items, 5 criteria", 0.95, 0.94,
            partial(no_group_differs, raters=4, items=40, criteria=5), quick=5),
    Promise("No difference is found between rounds", "`compare --design rounds`",
            "3 raters, 10 documents of 8 in each round, other documents", 0.95, 0.93,
            partial(no_round_differs, documents=10, each=8, same=False), quick=40),
    Promise("No difference is found between rounds", "`compare --design rounds`",
            "3 raters, 10 documents of 8, the same in both rounds", 0.95, 0.93,
            partial(no_round_differs, documents=10, each=8, same=True), quick=40),
    Promise("No reference bias is found", "`compare --design reference-bias`", "4 groups of 5 raters, 100 items", 0.95,
            0.94, partial(no_reference_bias, groups=4, raters=5, items=100), quick=3),
)  # fmt: skip
