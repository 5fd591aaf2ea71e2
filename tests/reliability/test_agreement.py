"""accord.agreement: what fits is computed with interval and cautions, what does not is named."""

import json
import sys

import numpy as np
import pyarrow as pa
import pytest

import accord
from accord.coefficients.item_kappa import Agreement
from accord.coefficients.registry import coefficient
from accord.errors import ColumnError, OptionError
from accord.ratings.counting import count_source
from accord.ratings.read import read


def simulated(items=60, raters=3, values=4, noise=0.3, seed=1, missing=0.0):
    """An (items, raters) table of ratings around a true value."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, values + 1, items)
    table = np.where(
        rng.random((items, raters)) < noise, rng.integers(1, values + 1, (items, raters)), truth[:, None]
    ).astype(float)
    table[rng.random((items, raters)) < missing] = np.nan
    return table


@pytest.fixture(scope="module")
def ordinal():
    return read(simulated(), level="ordinal")


@pytest.fixture(scope="module")
def result(ordinal):
    return accord.agreement(ordinal)


def test_every_estimate_has_value_interval_n_method_and_signature(result, ordinal):
    assert len(result) > 10
    for estimate in result:
        assert estimate.interval.low < estimate.value < estimate.interval.high
        is_share = isinstance(coefficient(estimate.coefficient).coefficient, Agreement)
        usual = "Wilson, variance over items" if is_share else "bootstrap over items, BCa"
        assert estimate.interval.method == usual
        assert estimate.interval.replicates == (10_000 if "BCa" in usual else 0)
        assert (estimate.items, estimate.raters) == (60, 3)
        assert estimate.standard_error > 0
        assert estimate.signature.startswith(f"accord {accord.__version__}|{estimate.coefficient}|")
        drawn = "|seed:0" if estimate.interval.replicates else ""
        assert estimate.signature.endswith(
            f"{drawn}|codebook:{ordinal.codebook.fingerprint}|ratings:{ordinal.fingerprint}"
        )


def test_what_does_not_fit_is_left_out_with_the_reason(result):
    assert "pearson" not in result.groups[0]
    assert "this scale is ordinal" in result.groups[0].unsuitable["pearson"][0]
    assert result.groups[0].unsuitable["scott_pi"] == ("takes exactly 2 raters, but there are 3",)


def test_a_user_can_insist_and_the_caution_stays_attached(ordinal):
    estimate = accord.agreement(ordinal, coefficients="pearson")["pearson"]
    assert 0 < estimate.value < 1
    assert estimate.cautions[0].startswith("does not fit: needs a")


def test_a_coefficient_of_pairs_can_be_insisted_on_for_more_raters(ordinal):
    found = accord.agreement(ordinal, coefficients="scott_pi", pairs=True, interval="analytic")
    (matrix,), estimate = found.groups[0].matrices, found["scott_pi"]
    assert estimate.value == pytest.approx(matrix.mean)
    assert estimate.cautions[0] == "does not fit: takes exactly 2 raters, but there are 3"


def test_a_printed_result_says_what_was_left_out_and_why(ordinal):
    two = ordinal.only(rater=list(ordinal.rater.names[:2]))
    found = accord.agreement(two, coefficients=["light_kappa", "cohen_kappa"], interval="none")
    assert "left out (light_kappa): takes 3 or more raters, but there are 2" in str(found)
    assert "left out (light_kappa)" in found._repr_html_()


def test_an_icc_whose_variance_is_not_above_nought_is_undefined_and_says_so():
    scattered = np.array([[0.0, 9, 0, 9], [9, 0, 9, 0], [0, 9, 9, 0.5]])
    estimate = accord.agreement(scattered, coefficients="icc_ak", interval="none")["icc_ak"]
    assert np.isnan(estimate.value)
    assert "the variance below the line is not above 0" in " ".join(estimate.cautions)


def test_an_unknown_coefficient_is_answered_with_the_nearest_one(ordinal):
    with pytest.raises(OptionError, match=r"'fleis_kappa'\. Did you mean 'fleiss_kappa'"):
        accord.agreement(ordinal, coefficients="fleis_kappa")


def test_the_same_seed_gives_the_same_interval_whatever_else_is_asked(ordinal, result):
    alone = accord.agreement(ordinal, coefficients=["krippendorff_alpha"])["krippendorff_alpha"]
    together = result["krippendorff_alpha"].interval
    assert (alone.interval.low, alone.interval.high) == pytest.approx((together.low, together.high), abs=1e-12)
    other = accord.agreement(ordinal, coefficients=["krippendorff_alpha"], seed=1)["krippendorff_alpha"]
    assert other.value == alone.value
    assert other.interval != alone.interval
    assert "|seed:1|" in other.signature


@pytest.mark.parametrize("kind", ["bca", "percentile", "jackknife", "analytic"])
def test_all_kinds_of_interval_lie_close_together_on_many_items(kind):
    many = read(simulated(items=1500), level="nominal")
    for estimate in accord.agreement(many, interval=kind, coefficients=["krippendorff_alpha", "fleiss_kappa"]):
        reference = accord.agreement(many, coefficients=[estimate.coefficient])[estimate.coefficient].interval
        assert estimate.interval.low == pytest.approx(reference.low, abs=0.15 * reference.width)
        assert estimate.interval.high == pytest.approx(reference.high, abs=0.15 * reference.width)
        assert kind in estimate.interval.method.lower()


def test_bootstrap_of_alpha_has_the_distribution_of_resampled_rows():
    table = simulated(items=40, missing=0.1)
    ratings = read(table, level="nominal")
    interval = (
        accord.agreement(ratings, coefficients="krippendorff_alpha", interval="percentile").groups[0].estimates[0]
    )
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(400):
        rows = table[rng.integers(0, 40, 40)]
        draws.append(accord.agreement(
            read(rows, level="nominal"), coefficients="krippendorff_alpha", interval="none"
        )["krippendorff_alpha"].value)  # fmt: skip
    low, high = np.quantile(draws, [0.025, 0.975])
    assert interval.interval.low == pytest.approx(low, abs=0.12 * interval.interval.width)
    assert interval.interval.high == pytest.approx(high, abs=0.12 * interval.interval.width)
    assert interval.standard_error == pytest.approx(np.std(draws), rel=0.15)


def test_no_interval_is_given_where_none_is_wanted(ordinal):
    for estimate in accord.agreement(ordinal, interval="none"):
        assert estimate.interval is None
        assert estimate.interpretations == ()


def test_raters_are_resampled_without_pairing_a_rater_with_himself():
    six = read(simulated(raters=6, noise=0.5), level="nominal")
    by_rater = accord.agreement(six, resample="rater", coefficients=["krippendorff_alpha", "cohen_kappa"])
    assert by_rater["krippendorff_alpha"].interval.method == "jackknife over raters on Fisher's z, t(5)"
    assert by_rater["cohen_kappa"].interval.method == "jackknife over raters on Fisher's z, t(5)"
    kappa = accord.agreement(six, resample="rater", interval="percentile", coefficients="cohen_kappa")["cohen_kappa"]
    assert kappa.interval.method == "bootstrap over raters, percentile"
    # A copy of a rater agrees with itself: were it paired, every replicate would lie above the value.
    assert kappa.interval.low < kappa.value < kappa.interval.high


def test_raters_and_items_together_are_less_sure_than_either():
    six = read(simulated(raters=6, noise=0.5), level="nominal")
    errors = {
        unit: accord.agreement(six, resample=unit, interval="jackknife", coefficients="fleiss_kappa")[
            "fleiss_kappa"
        ].standard_error
        for unit in ("item", "rater", "rater-and-item")
    }
    assert errors["rater-and-item"] == pytest.approx(np.hypot(errors["item"], errors["rater"]))


def test_two_raters_cannot_be_resampled_and_the_result_says_so():
    two = read(simulated(raters=2), level="nominal")
    group = accord.agreement(two, resample="rater").groups[0]
    assert all(estimate.interval is None for estimate in group.estimates)
    assert group.notes == ("there are 2 raters: too few to resample raters, so there is no interval",)


def documents(effect):
    """Twelve documents of ten items each; with an effect whole documents are easy or hard."""
    rng = np.random.default_rng(3)
    hard = rng.random(12) < 0.5
    rows = []
    for item in range(120):
        noise = (0.8 if hard[item // 10] else 0.05) if effect else 0.4
        truth = rng.integers(1, 4)
        for rater in "ABC":
            value = rng.integers(1, 4) if rng.random() < noise else truth
            rows.append((f"i{item}", rater, int(value), f"d{item // 10}"))
    columns = dict(zip(("item", "rater", "value", "document"), map(list, zip(*rows, strict=True)), strict=True))
    import pandas

    return read(pandas.DataFrame(columns), level="nominal")


def test_documents_are_resampled_whole():
    unlike = documents(effect=True)
    by_item, by_document = (
        accord.agreement(unlike, resample=unit, interval="bca", coefficients="fleiss_kappa")["fleiss_kappa"]
        for unit in ("item", "document")
    )
    assert by_document.value == by_item.value
    assert by_document.interval.method == "bootstrap over documents, BCa"
    assert by_document.interval.width > 1.3 * by_item.interval.width


def test_ratings_without_documents_cannot_be_resampled_by_them(ordinal):
    with pytest.raises(OptionError, match="name no documents"):
        accord.agreement(ordinal, resample="document")


def test_criteria_are_always_split_and_other_columns_when_asked():
    import polars

    frame = polars.DataFrame({
        "item": [f"i{n // 4}" for n in range(240)],
        "rater": ["A", "B"] * 120,
        "criterion": ["fluency", "fluency", "adequacy", "adequacy"] * 60,
        "value": (np.random.default_rng(0).integers(1, 4, 240)).tolist(),
        "system": ["x" if n // 4 % 2 else "y" for n in range(240)],
    })  # fmt: skip
    ratings = read(frame)
    criteria = [group.by["criterion"] for group in accord.agreement(ratings, interval="none").groups]
    assert sorted(criteria) == ["adequacy", "fluency"]
    groups = accord.agreement(ratings, by="system", interval="none").groups
    assert {tuple(group.by.values()) for group in groups} == {
        ("fluency", "x"), ("fluency", "y"), ("adequacy", "x"), ("adequacy", "y"),
    }  # fmt: skip
    with pytest.raises(ColumnError, match=r"no column 'sistem'\. Did you mean 'system'"):
        accord.agreement(ratings, by="sistem")


def test_the_dictionary_has_the_shape_of_the_contract(result):
    data = result.to_dict()
    assert {"rows", "items", "raters", "fingerprint"} <= set(data["ratings"])
    group = data["groups"][0]
    assert {"by", "items", "raters", "level", "estimates", "findings"} <= set(group)
    estimate = group["estimates"][0]
    assert {"coefficient", "value", "interval", "items", "raters", "cautions", "signature"} <= set(estimate)
    assert {"low", "high", "level", "method"} <= set(estimate["interval"])
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_an_undefined_value_is_null_with_a_caution_that_says_why():
    same = read(np.full((20, 3), 2.0), level="ordinal")
    estimate = accord.agreement(same)["krippendorff_alpha"]
    assert np.isnan(estimate.value)
    assert estimate.interval is None
    assert estimate.to_dict()["value"] is None
    assert "every rating is 2" in " ".join(estimate.cautions)
    assert "undefined" in str(accord.agreement(same))


def test_findings_of_the_caller_are_told_with_their_group(result):
    class Told:
        def to_dict(self):
            return {"code": "sorted_raters", "severity": "error", "message": "sorted"}

    told = result.with_findings([[Told()]]).to_dict()["groups"][0]["findings"]
    assert told == [{"code": "sorted_raters", "severity": "error", "message": "sorted"}]


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_results_become_a_frame_of_any_library(result, kind):
    frame = result.to_frame(kind)
    assert type(frame).__module__.split(".")[0] == kind
    assert len(frame) == len(result)
    assert {"coefficient", "value", "low", "high"} <= set(frame.column_names if kind == "pyarrow" else frame.columns)


def test_an_unknown_kind_of_frame_is_refused(result):
    with pytest.raises(OptionError, match="pandas, polars, pyarrow"):
        result.to_frame("excel")


def test_the_html_is_escaped():
    import pandas

    rows = [(f"i{n}", rater, n % 3, "<script>x</script>") for n in range(20) for rater in "AB"]
    ratings = read(pandas.DataFrame(rows, columns=["item", "rater", "value", "system"]), level="nominal")
    html = accord.agreement(ratings, by="system", interval="none")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_pairs_give_a_matrix_with_n_for_each_pair():
    table = simulated(missing=0.2)
    matrix = accord.agreement(read(table, level="nominal"), pairs=True, interval="none").groups[0].matrices[0]
    assert matrix.coefficient == "cohen_kappa"
    from sklearn.metrics import cohen_kappa_score

    for one in range(3):
        for other in range(3):
            if one != other:
                both = ~np.isnan(table[:, one]) & ~np.isnan(table[:, other])
                assert matrix.items[one, other] == both.sum()
                expected = cohen_kappa_score(table[both, one], table[both, other])
                assert matrix.values[one, other] == pytest.approx(expected)
    assert matrix.mean == pytest.approx(np.nanmean(matrix.values))


def test_counts_from_anywhere_give_the_same_result(ordinal, result):
    from_counts = accord.agreement(count_source(ordinal))
    assert [estimate.value for estimate in from_counts] == [estimate.value for estimate in result]
    assert [estimate.interval for estimate in from_counts] == [estimate.interval for estimate in result]
    with pytest.raises(OptionError, match="cannot be split"):
        accord.agreement(count_source(ordinal), by="system")


def test_a_frame_can_be_given_as_it_is():
    import pandas

    frame = pandas.DataFrame({"item": [1, 1, 2, 2, 3, 3], "rater": ["A", "B"] * 3, "value": list("xxyyxy")})
    assert accord.agreement(frame, interval="none")["percent_agreement"].value == pytest.approx(2 / 3)


def test_a_large_pool_of_raters_is_treated_without_telling_raters_apart(monkeypatch):
    table = np.full((200, 40), np.nan)
    rng = np.random.default_rng(0)
    for row in table:
        row[rng.choice(40, 3, replace=False)] = rng.integers(1, 4, 3)
    ratings = read(table, level="nominal")
    usual = accord.agreement(ratings, coefficients=["krippendorff_alpha", "fleiss_kappa"], interval="jackknife")
    monkeypatch.setattr("accord.sizes._POOL_CELLS", 1000)
    pooled = accord.agreement(ratings, interval="jackknife")
    for estimate in usual:
        assert pooled[estimate.coefficient].value == pytest.approx(estimate.value)
        assert pooled[estimate.coefficient].interval.low == pytest.approx(estimate.interval.low)
    assert "cohen_kappa" not in pooled.groups[0]
    assert "40 raters are too many" in pooled.groups[0].unsuitable["cohen_kappa"][0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 95}, "between 0 and 1"),
        ({"replicates": 5}, "at least 100 replicates"),
        ({"seed": -1}, "from 0 on"),
        ({"resample": "items"}, "Did you mean 'item'"),
        ({"interval": "bcaa"}, "Did you mean 'bca'"),
        ({"interval": "analytic", "resample": "rater"}, "Analytic intervals are for a sample of items"),
        ({"weights": "cubic"}, "no weights named 'cubic'"),
        ({"sampled_share": 2}, "between 0 and 1"),
    ],
)
def test_bad_options_are_one_clear_sentence(ordinal, options, message):
    with pytest.raises(OptionError, match=message):
        accord.agreement(ordinal, **options)


def test_one_item_has_values_but_no_interval():
    one = read(np.array([[1.0, 2.0, 2.0]]), level="nominal")
    estimate = accord.agreement(one)["percent_agreement"]
    assert estimate.value == pytest.approx(1 / 3)
    assert estimate.interval is None
    assert any("only 1 item has" in caution for caution in estimate.cautions)


def test_where_documents_are_named_they_are_the_unit_unasked():
    found = accord.agreement(documents(effect=True), coefficients="fleiss_kappa")["fleiss_kappa"]
    assert "over documents" in found.interval.method
    assert found.question == "other documents, these 3 raters"


@pytest.fixture
def labelled():
    """Labels in no order, on which the alphabet would give one."""
    rows = [(item, rater, ("low", "high", "mid")[(item + (rater == "b") * (item % 5 == 0)) % 3])
            for item in range(30) for rater in "ab"]  # fmt: skip
    return pa.Table.from_pylist([dict(zip(("item", "rater", "value"), row, strict=True)) for row in rows])


def test_labels_without_an_order_are_never_ranked_though_a_user_insists(labelled):
    keys = ("gamma", "kendall_w", "kendall_tau_b", "spearman", "pearson", "lin_ccc", "icc_a1", "cronbach_alpha")
    found = accord.agreement(labelled, coefficients=[*keys, "cohen_kappa"], interval="none").groups[0]
    assert [estimate.coefficient for estimate in found.estimates] == ["cohen_kappa"]
    assert all("labels without an order cannot be ranked" in " ".join(found.unsuitable[key]) for key in keys)
    declared = accord.read(labelled, scale="low<mid<high")
    assert accord.agreement(declared, coefficients="gamma", interval="none")["gamma"].value > 0


@pytest.mark.parametrize("metric", ["ordinal", "interval", "ratio", "circular"])
def test_alpha_refuses_a_metric_of_order_on_labels_that_have_none(labelled, metric):
    with pytest.raises(OptionError, match=rf"metric {metric} needs values in an order"):
        accord.agreement(labelled, coefficients="krippendorff_alpha", metric=metric)


@pytest.mark.parametrize("interval", ["bca", "jackknife", "analytic"])
def test_an_interval_without_width_says_that_it_knows_nothing_of_the_error(interval):
    constant = np.array([[item % 2, 1] for item in range(30)], dtype=float)
    estimate = accord.agreement(constant, coefficients="cohen_kappa", interval=interval)["cohen_kappa"]
    assert any("the interval has no width" in caution for caution in estimate.cautions)


def test_a_coefficient_that_needs_whole_items_says_how_few_there_are():
    rng = np.random.default_rng(8)
    table = rng.integers(1, 5, (40, 3)).astype(float)
    table[np.arange(6, 40), rng.integers(0, 3, 34)] = np.nan
    found = accord.agreement(accord.read(table, level="interval"), interval="analytic")
    told = "only 6 items were rated by all raters, of 40 that two or more rated; the others are not used"
    for key in ("icc_a1", "kendall_w", "cronbach_alpha"):
        assert (found[key].items, told in found[key].cautions) == (6, True)
    assert not any("rated by all raters" in caution for caution in found["krippendorff_alpha"].cautions)


def test_a_frame_of_a_library_that_is_not_installed_is_refused_in_words(ordinal, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    found = accord.agreement(ordinal, coefficients="fleiss_kappa", interval="none")
    with pytest.raises(OptionError, match="polars is not installed"):
        found.to_frame("polars")


def test_a_matrix_of_weights_is_told_by_caution_convention_and_signature(ordinal):
    matrix = np.eye(len(ordinal.scale)) * 0.5 + 0.5
    plain = accord.agreement(ordinal, coefficients="cohen_kappa")["cohen_kappa"]
    own = accord.agreement(ordinal, coefficients="cohen_kappa", weights=matrix)["cohen_kappa"]
    assert "|weights:identity|" in plain.signature and "|weights:own-" in own.signature
    assert any("ignores the order" in caution for caution in plain.cautions)
    assert not any("ignores the order" in caution for caution in own.cautions)
    assert any("a matrix of the user's own" in convention for convention in own.conventions)


def test_weights_that_a_coefficient_does_not_take_are_said(ordinal):
    result = accord.agreement(ordinal, coefficients=["cohen_kappa", "gwet_ac2"], weights="linear")
    assert any(
        "linear was not used; ask for cohen_kappa_linear" in caution for caution in result["cohen_kappa"].cautions
    )
    assert not any("was not used" in caution for caution in result["gwet_ac2"].cautions)


def test_weights_that_there_are_not_are_refused_whatever_is_asked(ordinal):
    with pytest.raises(OptionError, match="no weights named 'nosuch'"):
        accord.agreement(ordinal, coefficients="cohen_kappa", weights="nosuch")


def test_an_undefined_estimate_says_so_once():
    shown = str(accord.agreement(np.full((6, 3), 2.0), coefficients="cohen_kappa")["cohen_kappa"])
    assert shown.startswith("cohen_kappa is undefined: in every pair both raters use one and the same value")
