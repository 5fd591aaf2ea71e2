import json

import numpy as np
import pandas as pd
import pytest

import accord
from accord.design.scale import Level
from accord.diagnosis.latent import latent_classes
from accord.diagnosis.part import parts_of
from accord.diagnosis.reliabilities import accuracy, replication, reproducibility, stability
from accord.diagnosis.text_level import generalizability, text_level
from accord.errors import NotEnoughDataError, OptionError


def test_latent_classes_after_twelve_rounds_are_those_of_crowd_kit(make_part):
    import warnings

    import pandas as pd

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from crowdkit.aggregation import DawidSkene

    rng = np.random.default_rng(1)
    truth = rng.integers(1, 4, (120, 1))
    table = np.where(rng.random((120, 6)) < 0.8, truth, rng.integers(1, 4, (120, 6))).astype(float)
    table[rng.random(table.shape) < 0.2] = np.nan
    item, rater = np.nonzero(~np.isnan(table))
    frame = pd.DataFrame({"task": item, "worker": rater, "label": table[item, rater].astype(int).astype(str)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = DawidSkene(n_iter=12, tol=0).fit(frame)
    model = latent_classes(make_part(table), rounds=12, tolerance=0)
    theirs = other.probas_.sort_index()[["1", "2", "3"]].to_numpy()
    assert model.rounds == 12 and model.values == ("1", "2", "3")
    assert np.abs(model.certainty - theirs).max() < 1e-6


def test_latent_classes_recover_who_is_right_how_often(make_part):
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 4, 600)
    right = [0.95, 0.8, 0.6, 0.85]
    table = np.stack([np.where(rng.random(600) < p, truth, rng.integers(1, 4, 600)) for p in right], axis=1)
    model = latent_classes(make_part(table.astype(float)))
    expected = [p + (1 - p) / 3 for p in right]
    assert model.accuracy == pytest.approx(expected, abs=0.05)
    assert np.mean(np.array(model.labels) == truth.astype(str)) > 0.9
    assert model.certainty.sum(axis=1) == pytest.approx(1) and len(model.unsure) < 100


def test_latent_classes_need_two_values_and_not_too_many(make_part):
    with pytest.raises(NotEnoughDataError, match="same value"):
        latent_classes(make_part([[1, 1], [1, 1]]))
    with pytest.raises(NotEnoughDataError, match="need few values"):
        latent_classes(make_part(np.arange(200.0).reshape(100, 2)))


def test_latent_classes_need_raters_who_share_items(make_part):
    with pytest.raises(NotEnoughDataError, match="No two raters share an item"):
        latent_classes(make_part([[1, np.nan], [np.nan, 2], [3, np.nan]]))


@pytest.mark.parametrize("pair", ["eng-deu", "eng-hrv"])
def test_document_scores_have_the_reference_intraclass_correlations(real, data, pair):
    reference = json.loads((data / "reference_numbers.json").read_text())[f"wmt22_calibration/{pair}/document"]
    ratings = real("wmt22_calibration", document="docId")
    part = next(p for p in parts_of(ratings, ("lp", "level")) if p.by == {"lp": pair, "level": "document"})
    found = text_level(part, unit="item")
    keys = ("icc_1", "icc_a1", "icc_c1", "icc_1k", "icc_ak", "icc_ck")
    names = dict(zip(keys, ("ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k"), strict=True))
    assert found.complete == reference["n_items"]
    assert found.icc == {key: pytest.approx(reference[name], abs=5e-7) for key, name in names.items()}


SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_generalizability_of_shrout_and_fleiss_is_their_average_icc(make_part):
    found = generalizability(make_part(SHROUT_FLEISS))
    assert found.relative == pytest.approx(0.91, abs=0.005) and found.absolute == pytest.approx(0.62, abs=0.005)
    one = generalizability(make_part(SHROUT_FLEISS), future_raters=1)
    assert one.relative == pytest.approx(0.71, abs=0.005) and one.absolute == pytest.approx(0.29, abs=0.005)
    with pytest.raises(NotEnoughDataError, match="every rater rated"):
        generalizability(make_part([[1, np.nan], [np.nan, 2]]))


def test_scores_are_averaged_by_text_before_raters_are_compared(make_ratings):
    table = [[1, 3], [3, 3], [5, 5], [5, 7], [2, 2], [4, 2]]
    document = [[name] * 2 for name in ("a", "a", "b", "b", "c", "c")]
    found = text_level(parts_of(make_ratings(table, columns={"document": document}))[0])
    (limits,) = found.limits
    differences = np.array([2 - 3, 5 - 6, 3 - 2])
    assert found.texts == 3 and limits.difference == pytest.approx(differences.mean())
    assert limits.high - limits.low == pytest.approx(2 * 1.96 * differences.std(ddof=1))


def test_a_document_is_one_text_for_each_system_that_wrote_it(make_ratings):
    table = [[1, 1], [5, 5], [2, 2], [4, 5]]
    columns = {"document": [[name] * 2 for name in "aabb"], "system": [[name] * 2 for name in "XYXY"]}
    found = text_level(parts_of(make_ratings(table, columns=columns))[0])
    assert found.unit == "document of a system"
    assert found.scores == (("a, X", 1.0), ("a, Y", 5.0), ("b, X", 2.0), ("b, Y", 4.5))


def test_the_score_of_a_text_is_the_share_of_the_second_of_two_labels(make_ratings):
    table = [[0, 1], [1, 1], [0, 0], [1, 0]]
    document = {"document": [[name] * 2 for name in "aabb"]}
    found = text_level(parts_of(make_ratings(table, level=Level.NOMINAL, columns=document))[0])
    assert found.counted == "1" and found.scores == (("a", 0.75), ("b", 0.25))
    assert found.limits == () and found.texts == 2
    three = make_ratings([[1, 2], [3, 1]], level=Level.NOMINAL, columns={"document": [["a"] * 2] * 2})
    with pytest.raises(NotEnoughDataError, match="unless there are two"):
        text_level(parts_of(three)[0])


def test_text_scores_with_gaps_have_the_correlation_of_irr_na(make_ratings):
    # Means over one rating a text are the ratings: ICC with gaps is that of the ratings themselves.
    table = [[9, 2, 5, np.nan], [6, 1, np.nan, 2], [8, np.nan, 6, 8], [np.nan, 1, 2, 6], [10, 5, 6, np.nan]]
    columns = {"document": [[f"d{row}"] * 4 for row in range(5)]}
    ratings = make_ratings(table, columns=columns)
    found = text_level(parts_of(ratings)[0])
    assert found.complete == 0
    keys = ["icc_1", "icc_a1", "icc_c1"]
    told = accord.agreement(ratings, coefficients=keys, icc_missing="anova", interval="none").groups[0]
    assert [found.icc[key] for key in keys] == pytest.approx([told[key].value for key in keys])


def test_one_criterion_without_order_does_not_keep_the_others_from_the_text_level(tmp_path, accord_command):
    rows = [f"d{d}-{s},{r},{c},{v},d{d}" for d in range(4) for s in range(3) for r in "AB"
            for c, v in (("clarity", (d + s) % 4), ("style", "abc"[(d + s) % 3]))]  # fmt: skip
    (tmp_path / "r.csv").write_text("\n".join(["item,rater,criterion,value,document", *rows]))
    told = accord_command("diagnose", "r.csv", "--show", "text-level")
    assert told.returncode == 0 and "clarity" in told.stdout
    assert "style: Labels without order cannot be averaged over a text" in " ".join(told.stdout.split())


def test_a_text_column_that_is_not_there_is_named(make_part):
    with pytest.raises(OptionError, match="no column 'document'"):
        text_level(make_part([[1, 2], [2, 2]]))


def test_the_retests_of_wmt22_have_the_reference_stability(real, data):
    reference = json.loads((data / "reference_numbers.json").read_text())["wmt22_calibration/test-retest"]
    found = stability(parts_of(real("wmt22_calibration"))[0])
    assert (found[0].items, len(found) - 1) == (reference["n"], reference["n_raters"]) == (436, 59)
    assert found[0].pearson == pytest.approx(0.7968, abs=5e-5)
    assert found[0].absolute_difference == pytest.approx(9.461, abs=5e-4)


def repeated(make_ratings):
    from accord.ratings.table import Factor

    ratings = make_ratings([[3, 1], [4, 2], [3, 3], [5, 4]])
    # The first rater sees i1 and i2 again: rows 0 and 2 once more, with other values.
    rows = np.array([0, 1, 2, 3, 4, 5, 6, 7, 0, 2])
    from dataclasses import replace

    value = np.concatenate([ratings.value, [ratings.value[0] + 1, ratings.value[2]]]).astype(np.int32)
    occasion = Factor.of(["1"] * 8 + ["2"] * 2)
    return replace(
        ratings, item=ratings.item[rows], rater=ratings.rater[rows], value=value, columns={"occasion": occasion}
    )


def test_stability_compares_the_first_rating_with_the_later_one(make_ratings):
    part = parts_of(repeated(make_ratings))[0]
    everyone, one = stability(part)
    assert (everyone.items, one.rater, one.agreement) == (2, "r1", 0.5)
    assert (one.difference, one.absolute_difference) == (0.5, 0.5)
    assert one.error == pytest.approx(np.std([1, 0], ddof=1) / np.sqrt(2))
    assert one.detectable == pytest.approx(1.96 * np.sqrt(2) * one.error)
    assert len(part.rows) == 8 and len(part.repeats) == 2


def test_accuracy_carries_the_interval_of_kappa_as_the_coefficient_itself_has_it(make_ratings):
    import accord

    rng = np.random.default_rng(1)
    gold = rng.integers(1, 4, 60)
    rated = np.where(rng.random(60) < 0.7, gold, rng.integers(1, 4, 60))
    table = np.stack([gold, rated], axis=1)
    pair = accord.agreement(make_ratings(table), coefficients="cohen_kappa_quadratic")
    ratings = make_ratings(table, raters=["gold", "ann"])
    everyone, ann = accuracy(parts_of(ratings)[0])
    interval = pair["cohen_kappa_quadratic"].interval
    assert (everyone.kappa, ann.rater) == (pytest.approx(pair["cohen_kappa_quadratic"].value), "ann")
    assert (ann.low, ann.high) == (pytest.approx(interval.low, abs=1e-4), pytest.approx(interval.high, abs=1e-4))


def test_a_slider_is_stable_where_raters_come_near_their_first_answer_and_no_bound_exceeds_1(make_ratings):
    rng = np.random.default_rng(3)
    first = rng.integers(0, 101, 40)
    later = np.clip(first + rng.integers(-2, 3, 40), 0, 100)
    gold = make_ratings(np.stack([first, later], axis=1), level=Level.INTERVAL, raters=["gold", "ann"])
    _, ann = accuracy(parts_of(gold)[0])
    assert ann.agreement < 0.4 and ann.weights == "quadratic"
    assert 0.99 < ann.kappa <= ann.high <= 1


def test_repeats_are_a_note_of_diagnose(make_ratings):
    from accord.diagnosis import diagnose

    found = [one for one in diagnose(repeated(make_ratings)).findings if one.code == "repeats"]
    assert [one.severity for one in found] == ["note"] and found[0].who == ("r1",)
    assert found[0].message.startswith("2 ratings were repeated later: 50% are the same")


def test_stability_and_accuracy_say_what_they_would_need(make_part):
    part = make_part([[1, 2], [2, 2]])
    with pytest.raises(NotEnoughDataError, match="No rater rated an item twice"):
        stability(part)
    with pytest.raises(NotEnoughDataError, match="name a rater 'gold'"):
        accuracy(part)


def test_gold_is_compared_with_and_never_counted_as_a_rater(make_part):
    part = make_part([[1, 1, 1], [2, 2, 3], [3, 3, 1], [2, 2, 2]], raters=["gold", "ann", "bob"])
    everyone, ann, bob = accuracy(part)
    assert len(part.raters) == 2 and reproducibility(part).pairs == 1
    assert (ann.agreement, bob.agreement, everyone.items) == (1, 0.5, 8)
    assert bob.difference == pytest.approx((0 + 1 - 2 + 0) / 4)


def test_cross_replication_is_the_formula_of_wong(make_part):
    first, second = make_part([[1, 2], [3, 3]]), make_part([[2], [1]])
    found = replication(first, second)
    observed = (3 * np.mean([(1 - 2) ** 2, 0]) + 3 * np.mean([4, 4])) / 6
    expected = np.mean([(a - b) ** 2 for a in (1, 2, 3, 3) for b in (2, 1)])
    assert found.value == pytest.approx(1 - observed / expected) and found.items == 2


def test_cross_replication_of_labels_counts_what_is_equal(make_part):
    first = make_part([[1, 1], [2, 2]], level=Level.NOMINAL)
    second = make_part([[3], [2]], level=Level.NOMINAL)
    found = replication(first, second)
    assert found.observed == pytest.approx(0.5) and found.expected == pytest.approx(1 - 2 / 8)


@pytest.mark.parametrize("level", ["interval", "nominal"])
def test_cross_replication_is_normalised_by_the_alphas_of_the_groups(make_ratings, honest_table, level):
    table = honest_table(3, items=60, raters=5)
    table[::7, 1] = np.nan
    scale = [1.0, 2.0, 3.0, 4.0, 5.0]
    groups = [make_ratings(part, level=Level(level), scale=scale) for part in (table[:, :2], table[:, 2:])]
    found = replication(*(parts_of(group)[0] for group in groups))
    both = ~np.isnan(table[:, 1])
    first = make_ratings(table[both][:, :2], level=Level(level), scale=scale)
    alphas = [
        accord.agreement(group, coefficients=["krippendorff_alpha"], interval="none").groups[0].estimates[0].value
        for group in (first, groups[1])
    ]
    assert found.normalised == pytest.approx(found.value / np.sqrt(alphas[0] * alphas[1]))
    assert 0.8 < found.normalised < 1.2


def test_cross_replication_of_single_raters_cannot_be_normalised(make_part):
    assert np.isnan(replication(make_part([[1], [3], [2]]), make_part([[2], [3], [2]])).normalised)


def test_groups_that_share_no_item_have_no_cross_replication(make_part):
    with pytest.raises(NotEnoughDataError, match="share no item"):
        replication(make_part([[1, 2], [np.nan, np.nan]]), make_part([[np.nan, np.nan], [1, 2]]))


@pytest.mark.parametrize(("repeats", "has_interval"), [(9, False), (10, True)])
def test_the_kappa_of_a_rater_with_himself_has_the_interval_of_two_raters(repeats, has_interval):
    first = [place % 3 for place in range(repeats)]
    later = [(place + (place == 4)) % 3 for place in range(repeats)]
    rows = [
        (f"i{place}", occasion, value) for occasion, own in ((1, first), (2, later)) for place, value in enumerate(own)
    ]
    frame = pd.DataFrame(rows, columns=["item", "occasion", "value"])
    said = {"level": "nominal", "scale": [0, 1, 2]}
    everyone = stability(parts_of(accord.read(frame.assign(rater="Ann"), **said))[0])[0]
    pair = frame.rename(columns={"occasion": "rater"}).assign(rater=lambda one: one.rater.map({1: "first", 2: "later"}))
    as_two = accord.agreement(accord.read(pair, **said), coefficients="cohen_kappa")["cohen_kappa"]
    assert everyone.kappa == pytest.approx(as_two.value)
    assert np.isnan(everyone.low) != has_interval
    if has_interval:
        assert (everyone.low, everyone.high) == pytest.approx((as_two.interval.low, as_two.interval.high))
