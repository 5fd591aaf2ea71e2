"""Coefficients of items that every rater rated: the other items change neither their value nor their interval."""

import numpy as np
import pandas as pd
import pytest

from accord.coefficients.registry import COEFFICIENTS
from accord.ratings.read import read
from accord.reliability.run import agreement

WHOLE = [key for key, spec in COEFFICIENTS.items() if spec.coefficient.whole_only]


def frame_with_gaps(seed=4, documents=8, each=6, raters=3, missing=0.25):
    """Grades 1 to 5; items of one document are alike."""
    rng = np.random.default_rng(seed)
    rows = []
    for document in range(documents):
        level = rng.normal(3, 0.7)
        for item in range(each):
            truth = level + rng.normal(0, 0.7)
            for rater in range(raters):
                if rng.random() >= missing:
                    value = int(np.clip(np.rint(truth + rng.normal(0, 0.6)), 1, 5))
                    rows.append((f"d{document}i{item}", f"r{rater}", value, f"d{document}"))
    return pd.DataFrame(rows, columns=["item", "rater", "value", "document"])


@pytest.fixture(scope="module")
def tables():
    frame = frame_with_gaps()
    whole = frame.groupby("item").rater.transform("nunique") == 3
    assert 0 < whole.sum() < len(frame) and len(frame[whole].document.unique()) < len(frame.document.unique()) + 1
    options = {"level": "interval", "scale": "1..5"}
    return read(frame, **options), read(frame[whole], **options)


def test_these_are_the_coefficients_that_say_so():
    said = {key for key, spec in COEFFICIENTS.items() if "every rater rated are used" in spec.missing_rule}
    assert said == set(WHOLE) and len(WHOLE) == 9


@pytest.mark.parametrize(
    "asked",
    [
        {"resample": "item"}, {"resample": "document"}, {"resample": "rater"}, {"resample": "rater-and-item"},
        {"resample": "rater-and-document"}, {"resample": "document", "interval": "jackknife"},
        {"resample": "document", "interval": "bca", "replicates": 300}, {"interval": "bca", "replicates": 300},
        {"resample": "item", "interval": "bca", "replicates": 300}, {"draws": "poisson", "replicates": 300},
    ],
    ids=str,
)  # fmt: skip
def test_incomplete_items_change_neither_value_nor_interval(tables, asked):
    among, alone = (agreement(ratings, coefficients=WHOLE, **asked) for ratings in tables)
    for key in WHOLE:
        assert among[key].value == pytest.approx(alone[key].value, abs=1e-12)
        (found, known) = (one[key].interval for one in (among, alone))
        assert (found is None) == (known is None), key
        if found and known:
            assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-9), key
            assert found.method == known.method
        assert among[key].standard_error == pytest.approx(alone[key].standard_error, abs=1e-9), key


def test_documents_are_counted_among_whole_items_only(tables):
    among, alone = (agreement(ratings, coefficients="icc_c1")["icc_c1"] for ratings in tables)
    sizes = tables[1].to_frame("pandas").drop_duplicates("item").groupby("document").size().to_numpy()
    worth = sizes.sum() ** 2 / (sizes**2).sum() - 1
    assert among.interval.method == alone.interval.method == f"jackknife over documents on Fisher's z, t({worth:.4g})"


def test_other_coefficients_still_see_every_item(tables):
    among, alone = (agreement(ratings, coefficients="krippendorff_alpha") for ratings in tables)
    assert among["krippendorff_alpha"].items > alone["krippendorff_alpha"].items
    with_others = agreement(tables[0], coefficients=["krippendorff_alpha", *WHOLE])
    assert str(with_others["krippendorff_alpha"].interval) == str(among["krippendorff_alpha"].interval)
