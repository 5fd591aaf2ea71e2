"""Real ratings: every value that other programs gave for them, to the printed precision."""

import csv
import json
import os
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from accord.coefficients.compute import compute
from accord.coefficients.features import View
from accord.coefficients.incomplete import incomplete_icc
from accord.coefficients.options import Options
from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.weights import weight_matrix
from accord.design.scale import Level
from accord.ratings.counting import count_source
from real_ratings import from_matrix, ratings_of, read_real

KEYS = {
    "fleiss": "fleiss_kappa", "pairwise_agreement": "percent_agreement", "gwet_AC1": "gwet_ac1",
    "conger": "conger_kappa", "brennan_prediger": "brennan_prediger", "ICC1": "icc_1", "ICC2": "icc_a1",
    "ICC3": "icc_c1", "ICC1k": "icc_1k", "ICC2k": "icc_ak", "ICC3k": "icc_ck", "kendall_W": "kendall_w",
    "cronbach": "cronbach_alpha", "cohen_mean": "cohen_kappa", "cohen_linear_mean": "cohen_kappa_linear",
    "cohen_quadratic_mean": "cohen_kappa_quadratic", "gamma_mean": "gamma", "tau_b_mean": "kendall_tau_b",
    "spearman_mean": "spearman", "pearson_mean": "pearson", "kappa": "cohen_kappa",
}  # fmt: skip
CLASSICS = {
    "irr_anxiety": "classic_anxiety", "irr_video": "classic_video", "shrout_fleiss1979": "classic_shrout_fleiss",
    "irr_diagnoses": "classic_diagnoses", "irr_vision": "classic_vision", "krippendorff2011": "classic_krippendorff",
    "fleiss_wikipedia_14x10": "classic_fleiss_14x10", "cohen_wikipedia_50": "classic_cohen_50",
}  # fmt: skip
LABELS = ("classic_diagnoses", "classic_vision", "classic_cohen_50")
SETS = [
    "flickr8k_expert", *(f"qgstec_{part}/{c}" for part in ("original", "reeval")
                         for c in ("Ambiguity", "Correctness", "QuestionType", "Relevance", "Variety")),
    "refbias/all25", *(f"refbias/G{g}" for g in range(1, 6)), "mqm3_wmt23_ende",
    *(f"wmt22_calibration/{pair}/{level}" for level in ("document", "segment")
      for pair in ("eng-ces", "eng-deu", "eng-hrv", "eng-jpn", "eng-zho", "zho-eng")),
    *(f"parity_laeubli/{c}/{level}" for c in ("adequacy", "fluency") for level in ("document", "sentence")),
    *(f"classics/{name}" for name in CLASSICS),
]  # fmt: skip
# On these fine scales the listed gamma is a mean over those pairs of raters only whose table has few cells.
GAMMA_OF_SMALL_TABLES = {"mqm3_wmt23_ende", *(name for name in SETS if name.endswith("/segment"))}
FEWER_CELLS = 400


def real_set(folder: Path, name: str):
    first, *rest = name.split("/")
    if first == "classics":
        file = CLASSICS[rest[0]]
        return read_real(folder / f"{file}.csv", number=file not in LABELS)
    if first.startswith("qgstec"):
        return read_real(folder / f"{first}.csv", criterion=rest[0])
    if first == "refbias":
        return read_real(folder / "refbias.csv", **({} if rest[0] == "all25" else {"group": rest[0]}))
    if first == "wmt22_calibration":
        wanted = {"lp": rest[0], "level": rest[1], "occasion": "1", "itemType": "TGT"}
        return _selected(folder / f"{first}.csv", Level.INTERVAL, float, wanted)
    if first == "parity_laeubli":
        wanted = {"criterion": rest[0], "level": rest[1]} | ({"set": "O"} if rest[1] == "sentence" else {})
        return _selected(folder / f"{first}.csv", Level.NOMINAL, str, wanted)
    return read_real(folder / f"{first}.csv")


def _selected(path, level, kind, wanted):
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if all(row[name] == value for name, value in wanted.items())]
    return ratings_of([(row["item"], row["rater"], kind(row["score"])) for row in rows], level)


@cache
def reference() -> dict:
    path = Path(os.environ.get("ACCORD_DATA", ".")) / "reference_numbers.json"
    return json.loads(path.read_text(), parse_float=str)


def _tolerance(text: str) -> float:
    return 0.501 * 10.0 ** -len(text.partition(".")[2]) if len(text.partition(".")[2]) >= 4 else 5.01e-6


@pytest.mark.parametrize("name", SETS)
def test_every_reference_number_is_met(data, name):
    source = count_source(real_set(data, name))
    expected = reference()[name]
    if "n_ratings" in expected:
        facts = source.facts()
        shape = (expected["n_items"], expected["n_raters"], expected["n_ratings"])
        assert (facts.items, facts.raters, facts.ratings) == shape
    wrong = {}
    for label, printed in expected.items():
        metric = label.removeprefix("alpha_") if label.startswith("alpha_") else label
        if label in KEYS:
            value = compute(source, KEYS[label]).value
        elif metric in ("nominal", "ordinal", "interval", "ratio"):
            value = compute(source, "krippendorff_alpha", Options(metric=metric)).value
        else:
            continue
        if label == "gamma_mean" and name in GAMMA_OF_SMALL_TABLES:
            assert value == pytest.approx(gamma_one_by_one(source), abs=1e-12)
            value = gamma_of_small_tables(source)
        if value != pytest.approx(float(printed), abs=_tolerance(printed)):
            wrong[label] = (printed, value)
    assert wrong == {}


def gamma_of_small_tables(source) -> float:
    """The mean of our gammas over the pairs of raters whose values make a table of fewer than 400 cells."""
    found, matrix = COEFFICIENTS["gamma"].coefficient.of_pairs(View.of(source)), source.matrix
    kept = []
    for (one, other), value in zip(found.pairs, found.value, strict=True):
        both = (matrix[:, one] >= 0) & (matrix[:, other] >= 0)
        cells = len(np.unique(matrix[both, one])) * len(np.unique(matrix[both, other]))
        if cells < FEWER_CELLS and not np.isnan(value):
            kept.append(value)
    return float(np.mean(kept))


def gamma_one_by_one(source) -> float:
    """Mean gamma over pairs of raters, every pair of items looked at."""
    matrix, values = source.matrix, []
    for one in range(matrix.shape[1]):
        for other in range(one + 1, matrix.shape[1]):
            both = (matrix[:, one] >= 0) & (matrix[:, other] >= 0)
            first, second = matrix[both, one], matrix[both, other]
            order = np.sign(np.subtract.outer(first, first)) * np.sign(np.subtract.outer(second, second))
            if (order != 0).any():
                values.append(order.sum() / np.abs(order).sum())
    return float(np.mean(values))


def test_the_300_pairs_of_the_reference_bias_study(data):
    source = count_source(read_real(data / "refbias.csv"))
    names = source.rater_names()
    with (data / "refbias_pairs.csv").open() as file:
        printed = {frozenset((row["raterA"], row["raterB"])): row for row in csv.DictReader(file)}
    columns = {"cohen_kappa": "kappa", "cohen_kappa_linear": "kappa_linear", "cohen_kappa_quadratic": "kappa_quadratic",
               "gamma": "gamma"}  # fmt: skip
    for key, column in columns.items():
        found = COEFFICIENTS[key].coefficient.of_pairs(View.of(source))
        assert len(found.value) == 300 and (found.items == 100).all()
        rows = [printed[frozenset((names[one], names[other]))] for one, other in found.pairs]
        assert found.value == pytest.approx([float(row[column]) for row in rows], abs=5.01e-9)
        if key == "cohen_kappa":
            assert found.parts["observed"] == pytest.approx([float(row["po"]) for row in rows], abs=1e-9)
            assert found.parts["expected"] == pytest.approx([float(row["pe"]) for row in rows], abs=1e-9)
            low, high = found.limits()
            assert low == pytest.approx([float(row["ci_lo"]) for row in rows], abs=1e-6)
            assert high == pytest.approx([float(row["ci_hi"]) for row in rows], abs=1e-6)


def test_the_45_cells_of_the_question_generation_study(data):
    with (data / "qgstec_pairs.csv").open() as file:
        cells = list(csv.DictReader(file))
    assert len(cells) == 45
    for row in cells:
        one, other = row["pair"].split("-")
        whole = read_real(data / "qgstec_original.csv", criterion=row["criterion"])
        pair = whole.only(rater=[one, other])
        counts = np.bincount(pair.item.codes, minlength=pair.items)
        source = count_source(pair.where(counts[pair.item.codes] == 2))
        assert source.facts().items == int(row["n"])
        gamma = compute(source, "gamma")
        assert gamma.parts["concordant"] == float(row["concordant"])
        assert gamma.parts["discordant"] == float(row["discordant"])
        expected = {"fleiss_kappa": "fleiss_pi", "scott_pi": "fleiss_pi", "conger_kappa": "nltk_multi_kappa",
                    "cohen_kappa": "cohen", "percent_agreement": "agreement"}  # fmt: skip
        for key, column in expected.items():
            value, printed = compute(source, key).value, row[column]
            assert value == pytest.approx(float(printed or "nan"), abs=5.01e-7, nan_ok=True), (row["pair"], key)
        assert gamma.value == pytest.approx(float(row["gamma"] or "nan"), abs=5.01e-7, nan_ok=True)


IRRCAC = {"Percent Agreement": "weighted_agreement", "AC1": "gwet_ac2", "AC2": "gwet_ac2",
          "Fleiss' Kappa": "fleiss_kappa", "Krippendorff's Alpha": "krippendorff_alpha",
          "Conger's Kappa": "conger_kappa", "Brennan-Prediger": "brennan_prediger"}  # fmt: skip


def irrcac_rows(data):
    """(data set, weights, coefficient, pa, pe, value, error, low, high) as R printed them."""
    name = weights = ""
    for line in (data / "irrcac_R.txt").read_text().splitlines():
        if line.startswith("=== RAW"):
            name = line.split()[2]
        elif line.startswith("weights "):
            weights = line.split()[1]
        elif found := re.match(
            r"1\s+(.+?)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+\(([-\d.]+),([-\d.]+)\)", line
        ):
            yield name, weights, *found.groups()


def test_values_errors_and_intervals_are_those_of_irrcac(data):
    sources = {"r4": "classic_krippendorff", "r5": "classic_gwet_raw5obser"}
    rows = list(irrcac_rows(data))
    assert len(rows) == 36
    for name, weights, label, observed, expected, value, error, low, high in rows:
        ratings = read_real(data / f"{sources[name]}.csv")
        weights = "identity" if weights == "unweighted" else weights
        distances = 1 - weight_matrix(weights, ratings.scale)
        found = compute(count_source(ratings), IRRCAC[label], Options(weights=weights, metric=distances))
        assert found.value == pytest.approx(float(value), abs=5.01e-6), (name, weights, label)
        assert found.standard_error == pytest.approx(float(error), abs=5.01e-6), (name, weights, label)
        assert found.interval.low == pytest.approx(float(low), abs=5.01e-4)
        assert found.interval.high == pytest.approx(float(high), abs=5.01e-4)
        if "observed" in found.parts:
            assert found.parts["observed"] == pytest.approx(float(observed), abs=5.01e-8)
            assert found.parts["expected"] == pytest.approx(float(expected), abs=5.01e-8)


def test_a_finite_population_narrows_gwets_error(data):
    source = count_source(read_real(data / "classic_krippendorff.csv"))
    for key in ("fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "conger_kappa"):
        whole, part = (compute(source, key, Options(sampled_share=share)).standard_error for share in (0.0, 0.75))
        assert part == pytest.approx(whole / 2)


FORMS = {"1": "icc_1", "k": "icc_1k", "A,1": "icc_a1", "A,k": "icc_ak", "C,1": "icc_c1", "C,k": "icc_ck"}


def test_incomplete_intraclass_correlations_are_those_of_irrna(data):
    sections = re.split(r"^## ", (data / "irrNA_R.txt").read_text(), flags=re.MULTILINE)[1:]
    checked = 0
    for section in sections:
        lines = section.splitlines()
        table = [[None if cell == "NA" else float(cell) for cell in line.split()[1:]]
                 for line in lines if line.startswith("Object")]  # fmt: skip
        source = count_source(from_matrix(table, Level.INTERVAL))
        patterns, scale = source.patterns(), source.facts().scale
        for line in lines:
            row = re.match(r"ICC\((\S+)\)\s+(\S+)\s+\S+\s+(\S+)\s+(\S+)", line)
            if not row:
                continue
            found = incomplete_icc(
                patterns.codes, patterns.multiplicity, scale, COEFFICIENTS[FORMS[row[1]]].coefficient.form
            )
            value, low, high = (float(text) for text in row.groups()[1:])
            if np.isinf(value):
                assert np.isnan(found.value)
                continue
            assert found.value == pytest.approx(value, abs=5.01e-7)
            checked += 1
            # Without a residual or any difference of items irrNA prints approximations; we give no interval.
            if found.interval is not None:
                assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-6)
                checked += 2
    assert checked > 80


def test_intraclass_correlations_and_intervals_are_those_of_irr(data):
    text = (data / "classics_R.txt").read_text()
    names = {"oneway consistency": "1", "twoway consistency": "c", "twoway agreement": "a"}
    for name, digits in (("anxiety", 10), ("video", 10)):
        source = count_source(read_real(data / f"classic_{name}.csv", Level.INTERVAL))
        section = text.split(f"## {name}")[1].split("\n## ")[0]
        rows = re.findall(r"ICC (\w+ \w+) (single|average): (\S+) .*CI\[(\S+),(\S+)\]", section)
        assert len(rows) == 6
        for model, unit, value, low, high in rows:
            key = f"icc_{names[model]}{'k' if unit == 'average' else '1' if names[model] != '1' else ''}"
            found = compute(source, key)
            assert found.value == pytest.approx(float(value), abs=10.0**-digits)
            assert (found.interval.low, found.interval.high) == pytest.approx((float(low), float(high)), abs=6e-7)
        w = re.search(r"kendall W corrected\s+value=(\S+)", section)
        assert compute(source, "kendall_w").value == pytest.approx(float(w[1]), abs=1e-10)
        for label, key in (
            ("fleiss  ", "fleiss_kappa"),
            (r"fleiss exact\(Conger\)", "conger_kappa"),
            ("light", "light_kappa"),
        ):
            printed = re.search(rf"^{label}\s+value=(\S+)", section, flags=re.MULTILINE)
            assert compute(source, key).value == pytest.approx(float(printed[1]), abs=1e-10)
