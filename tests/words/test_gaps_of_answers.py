"""What the answers once left out or said wrongly, each on data made for it."""

import json

import numpy as np
import pytest

import accord
from accord.cli.main import main
from accord.diagnosis.categories import category_use
from accord.diagnosis.part import parts_of
from accord.plots.ratings import ratings_per_item


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """What a command prints, as one line of words."""

    def run(*arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["accord", *map(str, arguments)])
        try:
            main()
        except SystemExit as end:
            assert not end.code
        return " ".join(capsys.readouterr().out.split())

    return run


def written(path, rows, head="item,rater,value"):
    path.write_text(head + "\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    return path


@pytest.mark.parametrize(("score", "words"), [(95, "better than the earlier average"), (60, "worse than the earlier")])
def test_one_score_is_called_low_only_where_it_lies_below_the_prior(said, score, words):
    told = said("score", score, "--prior", 80)
    assert f"One score that is {words}" in told
    assert told.count("One score that is") == 1


def test_the_confidence_that_a_subject_field_asks_for_is_said_where_nobody_chose_one(said):
    assert "80% confidence is the least that most subject fields ask for" in said("score", 80, 90)
    assert "subject fields" not in said("score", 80, 90, "--confidence", "95")
    assert "75% confidence is little" in said("score", 80, 90, "--confidence", "75")


def test_kappa_is_explained_in_counts_and_below_zero(said):
    told = said("coefficients", "cohen_kappa")
    assert "in counts κ = (N Σ nᵢᵢ − Σ nᵢ. n.ᵢ) / (N² − Σ nᵢ. n.ᵢ)" in told
    assert "below 0 raters agree less than chance would make them" in told
    assert "below 0" not in said("coefficients", "pearson")


def test_the_formula_in_counts_gives_the_same_kappa():
    table = np.array([[20, 5], [10, 15]])
    n, rows, columns = table.sum(), table.sum(axis=1), table.sum(axis=0)
    in_counts = (n * np.trace(table) - rows @ columns) / (n**2 - rows @ columns)
    pairs = [(a, b) for a in range(2) for b in range(2) for _ in range(table[a, b])]
    frame = {"item": [], "rater": [], "value": []}
    for item, (a, b) in enumerate(pairs):
        frame["item"] += [item, item]
        frame["rater"] += ["A", "B"]
        frame["value"] += ["yn"[a], "yn"[b]]
    import polars as pl

    found = accord.agreement(accord.read(pl.DataFrame(frame), level="nominal"), coefficients="cohen_kappa")
    assert found["cohen_kappa"].value == pytest.approx(in_counts)


def test_the_way_for_too_few_data_comes_before_any_coefficient(said, tmp_path):
    written(tmp_path / "few.csv", [(i, r, v) for i, r, v in ((1, "a", 5), (1, "b", 4), (2, "a", 3), (2, "b", 3))])
    told = said("agree", "few.csv", "--level", "ordinal", "--scale", "1..5")
    assert told.index("accord score --ratings") < told.index("Krippendorff's α")
    assert told.count("accord score --ratings") == 1


@pytest.fixture
def against_gold(tmp_path):
    """Two models against one gold standard: the worse one gives the rare label more often, and has the higher kappa."""
    rows = []
    for item in range(200):
        gold = "bad" if item < 20 else "good"
        careful = "bad" if item < 2 else "good"  # 91% right, and hardly ever finds what is bad
        eager = "bad" if item < 16 or 20 <= item < 48 else "good"  # 84% right
        rows += [(item, "gold", gold), (item, "careful", careful), (item, "eager", eager)]
    return written(tmp_path / "gold.csv", rows)


def test_where_kappa_ranks_a_worse_rater_higher_it_is_said(said, against_gold):
    told = said("agree", "gold.csv", "-c", "cohen_kappa", "--level", "nominal")
    assert "gold agrees more often with careful (91%) than with eager (84%), yet kappa says the opposite" in told
    assert "do not rank raters or models by it (Delgado and Tibau 2019)" in told


def test_nothing_is_said_of_it_where_kappa_and_agreement_have_one_order(said, tmp_path):
    rng = np.random.default_rng(1)
    rows = []
    for item in range(200):
        gold = int(rng.integers(0, 2))
        rows += [(item, "gold", gold)]
        rows += [(item, name, gold if rng.random() < right else 1 - gold) for name, right in (("a", 0.9), ("b", 0.7))]
    written(tmp_path / "alike.csv", rows)
    assert "Delgado" not in said("agree", "alike.csv", "-c", "cohen_kappa", "--level", "nominal")


def test_a_value_that_hardly_anybody_uses_departs_by_a_readable_number():
    rows = [{"item": f"i{item}", "rater": rater, "value": 3} for item in range(200) for rater in "ABC"]
    rows[0]["value"] = rows[3]["value"] = 1  # A gives the value 1 twice, nobody else ever
    import polars as pl

    ratings = accord.read(pl.DataFrame(rows), level="ordinal", scale="1..5")
    (part,) = parts_of(ratings, ())
    (used,) = [use for use in category_use(part) if use.rater == "A" and use.value == "1"]
    assert used.ratings == 2
    assert 0 < used.departure < 10


def test_mean_gamma_of_every_set_of_raters_can_be_asked_for(said, tmp_path):
    rng = np.random.default_rng(5)
    rows = []
    for item in range(60):
        truth = rng.integers(1, 6)
        rows += [(item, name, truth) for name in "ABC"] + [(item, "D", rng.integers(1, 6))]
    written(tmp_path / "sets.csv", rows)
    asked = ("diagnose", "sets.csv", "--show", "pairs", "--subsets", 3, "--level", "ordinal")
    assert "Sets of 3 raters, the highest mean γ of their pairs first" in said(*asked)
    found = json.loads(said(*asked, "--json"))["subsets"]
    assert len(found) == 4
    assert (found[0]["raters"], found[0]["mean_gamma"]) == ("A, B, C", 1.0)
    assert all("D" in one["raters"] for one in found[1:])


@pytest.mark.parametrize("values", [range(1, 6), range(0, 101, 10)])
def test_a_point_of_a_rater_hides_no_other_and_stays_with_its_value(values):
    values = list(values)
    items = [f"i{place}" for place in range(40)]
    ratings = {f"r{place}": [values[(place + at) % len(values)] for at in range(40)] for place in range(8)}
    rows = ratings_per_item(items, ratings, title="t", axis="value").rows
    gap = values[1] - values[0]
    assert len(rows) <= 240
    assert all(0 <= row["shifted"] - row["value"] < gap for row in rows)
    assert len({row["shifted"] for row in rows if row["value"] == values[0]}) == 8


def test_thresholds_are_drawn_on_the_row_of_their_own_coefficient_only(said, tmp_path):
    rng = np.random.default_rng(2)
    rows = [(i, r, v + rng.integers(0, 2)) for i in range(40) for v in [rng.integers(1, 4)] for r in "ABC"]
    written(tmp_path / "r.csv", rows)
    said("plot", "r.csv", "-o", "c.json", "--level", "ordinal", "--scale", "1..5")
    drawn = json.loads((tmp_path / "c.json").read_text())
    marks = [row for layer in drawn["layer"] for row in drawn["datasets"][layer["data"]["name"]] if "mark" in row]
    of = {}
    for row in marks:
        of.setdefault(row["name"], set()).add(round(row["mark"], 3))
    assert of["Krippendorff's α"] == {0.667, 0.8}
    # Landis and Koch for kappa, never Krippendorff's; a share of agreement has no scale at all.
    assert 0.8 in of["Fleiss' κ"] and 0.667 not in of["Fleiss' κ"] and 0.6 in of["Fleiss' κ"]
    assert "Percent agreement" not in of
