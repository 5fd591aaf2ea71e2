"""Units: other documents, other raters, and what is said about them.

Documents differ in what they hold and in how hard they are; raters differ in how often they guess.
"""

import numpy as np

import accord
from accord.ratings.table import Ratings
from promises.agreement import guessing, severe
from promises.promise import Promise
from promises.truths import written_down

_KEYS = {"krippendorff_alpha": "Krippendorff's α", "cohen_kappa": "Cohen's κ", "percent_agreement": "percent agreement"}
_REPLICATES = 1000


def _ratings(table: np.ndarray, document: np.ndarray | None = None, level: str = "nominal") -> Ratings:
    items, raters = table.shape
    frame = {
        "item": np.repeat(np.arange(items), raters).astype(str),
        "rater": np.tile([f"r{place}" for place in range(raters)], items),
        "value": table.ravel().astype(float),
    }
    if document is not None:
        frame["document"] = np.repeat(document, raters).astype(str)
    import pyarrow as pa

    scale = {"scale": [0.0, 1.0, 2.0]} if level == "nominal" else {}
    return accord.read(pa.table(frame), level=level, **scale)


def in_documents(
    documents: int, unequal: float, raters: int, shares: tuple[float, ...], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Documents of eight items on average, with shares of values and a rate of guessing of their own."""
    sizes = np.full(documents, 8)
    if unequal:
        sizes = np.maximum(1, np.round(rng.gamma(1 / unequal**2, 8 * unequal**2, documents))).astype(int)
    document = np.repeat(np.arange(documents), sizes)
    own = rng.dirichlet(np.array(shares) * 6, documents).cumsum(axis=1)[:, :-1]
    hard = rng.beta(1.4, 2.6, documents)
    truth = (rng.random(len(document))[:, None] > own[document]).sum(axis=1)
    guessed = rng.choice(len(shares), (len(document), raters), p=shares)
    guesses = rng.random(guessed.shape) < hard[document][:, None]
    return np.where(guesses, guessed, truth[:, None]), document


@written_down
def _true_in_documents(key: str, unequal: float, raters: int, shares: tuple[float, ...]) -> float:
    table, _ = in_documents(6_000, unequal, raters, shares, np.random.default_rng(1))
    return accord.agreement(_ratings(table), coefficients=key, interval="none")[key].value


def _over_documents(key: str, documents: int, unequal: float, raters: int, shares: tuple[float, ...]) -> Promise:
    def hold(rng: np.random.Generator) -> bool:
        truth = _true_in_documents(key, unequal, raters, shares)
        while True:
            table, document = in_documents(documents, unequal, raters, shares, rng)
            seed = int(rng.integers(2**31))
            found = accord.agreement(_ratings(table, document), coefficients=key, replicates=_REPLICATES, seed=seed)[
                key
            ]
            # A study whose value is undefined, or with under ten items, promises nothing.
            if not np.isnan(found.value) and found.items >= 10:
                return found.interval is not None and truth in found.interval

    sizes = "very unequal" if unequal else "equal"
    what = f"{documents} {sizes} documents of 8 items, {'one value 80 %' if shares[0] > 0.5 else 'even values'}"
    least = 0.92 if documents < 10 else 0.93
    name = f"{_KEYS[key]}, 95 % interval"
    return Promise(name, "`agree`, documents named", f"{what}, {raters} raters", 0.95, least, hold, quick=4)


def _skilled(items: int, raters: int, rng: np.random.Generator, truth: np.ndarray | None = None) -> np.ndarray:
    """Raters of unequal skill."""
    truth = rng.integers(0, 3, items) if truth is None else truth
    guess = rng.beta(2, 3, raters)
    guessed = rng.integers(0, 3, (len(truth), raters))
    return np.where(rng.random(guessed.shape) < guess, guessed, truth[:, None])


@written_down
def _true_of_population(key: str) -> float:
    rng = np.random.default_rng(3)
    found = [
        accord.agreement(_ratings(_skilled(400, 60, rng)), coefficients=key, interval="none")[key].value
        for _ in range(20)
    ]
    return float(np.mean(found))


_ITEMS_OF_STUDY = {items: np.random.default_rng(items).integers(0, 3, items) for items in (40, 60, 100)}


@written_down
def _true_of_items(key: str, items: int) -> float:
    """With these very items, over all raters there could be."""
    rng = np.random.default_rng(4)
    found = [
        accord.agreement(_ratings(_skilled(items, 60, rng, _ITEMS_OF_STUDY[items])), coefficients=key, interval="none")[
            key
        ].value
        for _ in range(30)
    ]
    return float(np.mean(found))


def _over_raters(key: str, items: int, raters: int, both: bool) -> Promise:
    def hold(rng: np.random.Generator) -> bool:
        truth = _true_of_population(key) if both else _true_of_items(key, items)
        table = _skilled(items, raters, rng, None if both else _ITEMS_OF_STUDY[items])
        unit = "rater-and-item" if both else "rater"
        found = accord.agreement(_ratings(table), coefficients=key, resample=unit)[key]
        return found.interval is not None and truth in found.interval

    where = f"`agree --resample {'rater-and-item' if both else 'rater'}`"
    design = f"raters of unequal skill, {items} items, {raters} raters"
    return Promise(f"{_KEYS[key]}, 95 % interval", where, design, 0.95, 0.92, hold, quick=4)


def _says(differ: bool, items: int, raters: int) -> Promise:
    """Raters who differ are said to, raters who are alike are not."""
    unlike, alike = severe(raters, 0.8), guessing(raters, (1 / 3,) * 3, 0.3)

    def hold(rng: np.random.Generator) -> bool:
        table = unlike(items, rng) if differ else alike(items, rng)
        level = "interval" if differ else "nominal"
        notes = accord.agreement(
            _ratings(table, level=level), coefficients="krippendorff_alpha", replicates=200
        ).groups[0].notes  # fmt: skip
        return any("these raters differ" in note for note in notes) == differ

    # A few raters who differ may come out alike by chance: what three of them tell of all others is little.
    least = 0.9 if not differ else 0.5 if raters < 5 else 0.65
    name = "raters who differ are named" if differ else "raters who are alike are not said to differ"
    design = f"{'levels 0.8 SD apart' if differ else 'equal skill'}, {items} items, {raters} raters"
    return Promise(name, "`agree`, note", design, None, least, hold, quick=4)


_SHARES, _EVEN = (0.8, 0.1, 0.1), (1 / 3, 1 / 3, 1 / 3)
PROMISES: tuple[Promise, ...] = (
    *(
        _over_documents(key, documents, unequal, 2, _SHARES)
        for documents in (4, 6, 10, 20) for unequal in (0.0, 1.0)
        for key in (("krippendorff_alpha",) if documents in (4, 20) else ("krippendorff_alpha", "percent_agreement"))
    ),
    *(_over_documents("cohen_kappa", documents, 1.0, 3, _EVEN) for documents in (8, 30)),
    *(
        _over_raters(key, items, raters, both)
        for both in (False, True) for items, raters in ((40, 3), (100, 5), (60, 10))
        for key in (("krippendorff_alpha", "cohen_kappa") if raters == 5 else ("krippendorff_alpha",))
    ),
    _over_raters("percent_agreement", 40, 3, False),
    _over_raters("percent_agreement", 100, 5, False),
    _over_raters("percent_agreement", 40, 3, True),
    *(_says(differ, items, raters) for differ in (True, False) for items, raters in ((50, 3), (100, 5))),
)  # fmt: skip
