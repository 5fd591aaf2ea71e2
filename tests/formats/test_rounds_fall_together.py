"""A format without a place for what tells rounds apart: the loss is that they fall together, not a column."""

import csv

import pytest

from accord.formats import Imported, read, write
from accord.ratings.build import build_ratings


@pytest.fixture
def two_guidelines(tmp_path):
    """Two raters rate six texts under one version of the guideline, and four of them under the next."""
    path = tmp_path / "rounds.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("item", "rater", "value", "system", "document", "guideline"))
        for version, items in (("1", 6), ("2", 4)):
            for item in range(items):
                for rater, value in (("ann", 70 + item), ("bob", 60 - item)):
                    writer.writerow((f"i{item}", rater, value + 20 * (version == "2"), "S", "d", version))
    return path


@pytest.mark.parametrize("to", ["appraise", "prodigy", "pearmut", "doccano", "label-studio"])
def test_rounds_that_fall_together_are_named_as_the_loss(two_guidelines, accord_command, tmp_path, to):
    told = " ".join(accord_command("convert", two_guidelines, tmp_path / "out", "--to", to).stdout.split())
    assert "Lost: 8 ratings fall together with another of the same item by the same rater: only guideline" in told


def phases(name, tmp_path):
    """Two raters rate two texts in two phases, written in a format: the losses in words, and where they are."""
    cells = {"item": list("aabb") * 2, "rater": ["ann", "bob"] * 4, "value": [1, 2, 2, 1, 2, 2, 1, 1]}
    before = Imported(build_ratings({**cells, "phase": ["1"] * 4 + ["2"] * 4}))
    return before, write(before, tmp_path / "out", to=name), tmp_path / "out"


def test_phases_come_back_from_prodigy(tmp_path):
    before, lost, path = phases("prodigy", tmp_path)
    after = read(path, format="prodigy").ratings
    assert lost == ()
    told = [sorted(zip(one.item.labels(), one.rater.labels(), one.columns["phase"].labels(), one.labels(), strict=True))
            for one in (before.ratings, after)]  # fmt: skip
    assert told[0] == told[1]


@pytest.mark.parametrize("name", ["argilla", "label-studio"])
def test_phases_are_named_as_lost_where_a_format_keeps_one_for_each_item(name, tmp_path):
    _, lost, _ = phases(name, tmp_path)
    assert lost[0] == "Columns that differ within an item, of which one value is kept: phase."
    assert lost[1].startswith("4 ratings fall together with another of the same item by the same rater: only phase")


def test_a_lost_column_that_tells_nothing_apart_is_only_a_column(two_guidelines, accord_command, tmp_path):
    lines = two_guidelines.read_text("utf-8").splitlines(keepends=True)
    two_guidelines.write_text("".join(lines[:13]), "utf-8")
    told = accord_command("convert", two_guidelines, tmp_path / "out", "--to", "appraise").stdout
    assert "Columns without a place in this format: guideline." in told
    assert "fall together" not in told
