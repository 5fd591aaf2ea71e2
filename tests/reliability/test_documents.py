"""Documents resampled whole: the same interval whoever counts, and wider than over items where documents differ."""

import csv

import numpy as np
import pytest

from accord import sizes
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.counting import count_source
from accord.ratings.open_stored import open_stored
from accord.ratings.read import read
from accord.reliability.run import agreement

KEYS = ["krippendorff_alpha", "fleiss_kappa", "gwet_ac1"]


def write_documents(path, documents=30, each=12, raters=4, seed=6):
    """Items of one document are alike: all easy or all hard."""
    rng = np.random.default_rng(seed)
    rows = [("item", "rater", "value", "document", "occasion")]
    for document in range(documents):
        noise = rng.choice([0.1, 1.5])
        for item in range(each):
            truth = rng.normal(3, 1)
            for rater in range(raters):
                value = int(np.clip(np.rint(truth + rng.normal(0, noise)), 1, 5))
                rows.append((f"{document}-{item}", f"r{rater}", value, f"d{document}", 1))
        rows.append((f"{document}-0", "r0", 1, f"d{document}", 2))
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def ends(result):
    return {key: (result[key].interval.low, result[key].interval.high) for key in KEYS}


@pytest.mark.parametrize("pool", [False, True])
def test_documents_give_the_same_interval_in_memory_and_where_they_lie(tmp_path, monkeypatch, pool):
    path = write_documents(tmp_path / "r.csv")
    monkeypatch.setattr(sizes, "is_pool", lambda *_: pool)
    options = {"resample": "document", "interval": "jackknife", "coefficients": KEYS}
    memory, stored = (agreement(source, **options) for source in (read(path), open_stored(path)))
    assert memory[KEYS[0]].interval.method == "jackknife over documents, t(29)"
    for key in KEYS:
        assert ends(stored)[key] == pytest.approx(ends(memory)[key], abs=1e-12)
        assert stored[key].value == memory[key].value
    over_items = agreement(read(path), interval="jackknife", resample="item", coefficients=KEYS)
    assert memory[KEYS[1]].standard_error > 1.5 * over_items[KEYS[1]].standard_error


def test_the_bootstrap_over_documents_says_so_and_agrees_with_the_jackknife(tmp_path):
    path = write_documents(tmp_path / "r.csv")
    drawn = agreement(open_stored(path), resample="document", interval="bca", replicates=2000, coefficients=KEYS)
    assert drawn[KEYS[0]].interval.method == "bootstrap over documents, BCa"
    left_out = agreement(open_stored(path), resample="document", interval="jackknife", coefficients=KEYS)
    for key in KEYS:
        width = drawn[key].interval.high - drawn[key].interval.low
        assert width == pytest.approx(left_out[key].interval.high - left_out[key].interval.low, rel=0.2)


def test_counts_by_document_add_up_to_the_counts_of_all(tmp_path):
    path = write_documents(tmp_path / "r.csv")
    for source in (count_source(read(path)), open_stored(path)):
        for named in (True, False):
            found = source.by_document(named=named)
            assert found.multiplicity.sum() == source.facts().items == 360
            assert len(np.unique(found.document)) == 30
            rated = (found.rows >= 0) if named else found.rows
            assert rated.sum(axis=1) @ found.multiplicity == source.facts().ratings


@pytest.mark.parametrize("opened", [read, open_stored])
def test_ratings_without_documents_are_refused(tmp_path, opened):
    path = tmp_path / "r.csv"
    path.write_text("item,rater,value\n1,a,1\n1,b,2\n2,a,1\n2,b,1\n3,a,2\n3,b,2\n")
    with pytest.raises(OptionError, match="name no documents"):
        agreement(opened(path), resample="document")
    path.write_text("item,rater,value,document\n1,a,1,x\n1,b,2,x\n2,a,1,\n2,b,1,\n3,a,2,y\n3,b,2,y\n")
    with pytest.raises(NotEnoughDataError, match="1 items name no document"):
        agreement(opened(path), resample="document")
