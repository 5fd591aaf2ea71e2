"""Paper 003 on its own data: settings, tables 1 and 2, the six bootstraps, and the tests the paper did not make."""

import csv
import json
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from accord.comparisons.bootstrap_variants import VARIANTS, bootstrap_variant
from accord.comparisons.difference_tests import judge_draws, pair_weights
from accord.comparisons.pair_kappas import PairKappas, pair_means
from accord.comparisons.pair_settings import PairSettings
from accord.comparisons.quadrants import edit_agreement, quadrants, sentence_bleu
from accord.comparisons.reference_bias import compare_settings
from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.build import build_ratings
from accord.ratings.read import read


@pytest.fixture(scope="module")
def bias(data):
    ratings = read(data / "refbias.csv")
    (result,) = compare_settings(ratings, "group", replicates=4000, rng=np.random.default_rng(5))
    return result


@pytest.fixture(scope="module")
def pools(bias):
    return {name: bias.kappas[bias.settings.of(name)].tolist() for name in ("SAME", "DIFF")}


def test_the_group_that_saw_the_source_is_found_and_the_settings_have_the_printed_pairs(bias):
    assert bias.settings.counts() == {"SOURCE": 10, "SAME": 40, "DIFF": 150, "SOURCE vs REF": 100}


def test_the_mean_kappas_are_those_of_the_released_data(bias):
    # Table 1 prints SAME .197; DIFF .163 is a random resample of .1641; SOURCE .190 does not reproduce.
    expected = {"SAME": 0.1965, "DIFF": 0.1641, "SOURCE": 0.2472}
    for setting, value in expected.items():
        assert bias.mean_kappas[setting] == pytest.approx(value, abs=0.00005)


def test_every_pair_equals_the_file_of_pairs(bias, data):
    rows = list(csv.DictReader((data / "refbias_pairs.csv").read_text().splitlines()))
    printed = {frozenset((row["raterA"], row["raterB"])): row for row in rows}
    names = bias.settings.raters
    for place, (one, other) in enumerate(bias.settings.pairs):
        row = printed[frozenset((names[one], names[other]))]
        assert bias.kappas[place] == pytest.approx(float(row["kappa"]), abs=5e-9)
        assert bias.lows[place] == pytest.approx(float(row["ci_lo"]), abs=1e-6)
        assert bias.highs[place] == pytest.approx(float(row["ci_hi"]), abs=1e-6)


def test_every_pair_is_listed_under_its_setting(bias):
    pairs = bias.pairs()
    assert [pair.setting for pair in pairs] == ["SOURCE"] * 10 + ["SAME"] * 40 + ["DIFF"] * 150 + [
        "SOURCE vs REF"
    ] * 100
    # Figure 2: the paper sees two high pairs of the source group; there are three, among judges 3, 17 and 23.
    high = sorted(pair.kappa for pair in pairs if pair.setting == "SOURCE" and pair.kappa > 0.3)
    assert high == pytest.approx([0.485, 0.493, 0.693], abs=0.0005)
    assert all(pair.low < pair.kappa < pair.high for pair in pairs)


def test_the_groups_without_the_source_are_known(bias):
    assert bias.reference_groups == ("G2", "G3", "G4", "G5")


def test_the_command_lists_pairs_and_heat_map_rows(data, accord_command):
    asked = (
        "compare",
        data / "refbias.csv",
        "--condition",
        "group",
        "--design",
        "reference-bias",
        "--bootstrap",
        "100",
    )
    told = accord_command(*asked, "--pairs")
    assert "Every pair of raters" in told.stdout
    assert "Group means span 0.90 (0.76 without the source); raters who saw the same thing span up to 0.97." in (
        told.stdout
    )
    (found,) = json.loads(accord_command(*asked, "--json").stdout)["comparisons"]
    assert len(found["kappas"]) == 300
    assert found["row_shares"]["SAME"][0][0] == pytest.approx(0.484, abs=0.0005)


def test_table_two_reproduces_in_every_cell(bias):
    found = {(one.first, one.second): (one.different, one.comparisons) for one in bias.shares}
    assert found == {
        ("SOURCE", "SOURCE"): (21, 45), ("SOURCE", "SAME"): (117, 400), ("SOURCE", "DIFF"): (405, 1500),
        ("SAME", "SAME"): (91, 780), ("SAME", "DIFF"): (776, 6000), ("DIFF", "DIFF"): (1369, 11175),
    }  # fmt: skip


def test_the_increase_and_the_share_without_a_difference_are_the_printed_ones(bias):
    # Printed .034 is the difference of the rounded resample means .197 and .163; the data give .0324.
    assert bias.differences[0].value == pytest.approx(0.0324, abs=0.00005)
    share = next(one.share for one in bias.shares if (one.first, one.second) == ("SAME", "DIFF"))
    assert 100 * (1 - share) == pytest.approx(87, abs=0.5)


def test_the_ratings_of_figure_four_meet_as_often_as_computed_by_a_second_program(bias):
    expected = {"DIFF": (0.367, 0.822), "SAME": (0.404, 0.866), "SOURCE": (0.456, 0.901)}
    for one in bias.patterns:
        if one.setting in expected:
            assert (one.exact, one.within_one) == pytest.approx(expected[one.setting], abs=0.001)


# Two-sided p-values of a second program, by weights; three Monte-Carlo errors of 4,000 arrangements.
@pytest.mark.parametrize(("weights", "p"), [("linear", 0.007), ("quadratic", 0.003)])
def test_weighted_kappas_tell_the_settings_apart_by_permutation(data, weights, p):
    ratings = read(data / "refbias.csv", level="ordinal")
    (result,) = compare_settings(ratings, "group", weights=weights, replicates=4000, rng=np.random.default_rng(6))
    found = next(one.p for one in result.differences if one.unit == "judge labels")
    assert found == pytest.approx(p, abs=3 * np.sqrt(p * (1 - p) / 4000) + 0.0005)


def test_the_ranges_of_figure_three_reproduce(bias):
    assert bias.ranges.between(("G2", "G3", "G4", "G5")) == pytest.approx(0.76, abs=1e-9)
    assert bias.ranges.within == pytest.approx({"G1": 0.41, "G2": 0.55, "G3": 0.66, "G4": 0.91, "G5": 0.97})
    assert not bias.ranges.is_attributable


def test_the_heat_maps_of_figure_four_have_their_diagonals(bias):
    diagonals = {one.setting: np.diag(one.row_shares) * 100 for one in bias.patterns}
    assert diagonals["DIFF"] == pytest.approx([42.7, 40.5, 31.1, 29.3, 27.2], abs=0.05)
    assert diagonals["SAME"] == pytest.approx([48.4, 42.8, 33.8, 33.7, 35.1], abs=0.05)
    assert diagonals["SOURCE"] == pytest.approx([6.2, 56.8, 42.7, 33.5, 48.5], abs=0.05)
    assert all(np.nansum(one.row_shares, axis=1) == pytest.approx(1.0) for one in bias.patterns)


def test_the_units_of_resampling_disagree_on_this_very_data(bias):
    clear = {difference.unit: difference.is_clear for difference in bias.differences}
    assert clear == {"judge labels": True, "pairs": False, "items": True, "judges": False, "judges and items": False}
    assert "agree by 0.032 more than" in bias.verdict()
    # The permutation of judges decides; the other units are told beside it.
    assert "Exchanging judges between the groups shows that this is more than chance (p = 0.0" in bias.verdict()
    assert "over items it does not hold 0, over pairs, judges and both at once it holds 0" in bias.verdict()
    assert [difference.sensitivity for difference in bias.differences] == [False, True, True, True, True]


def test_pairs_who_agree_less_are_said_to_agree_less(bias):
    turned = replace(bias, differences=tuple(replace(one, value=-one.value) for one in bias.differences))
    assert "agree by 0.032 less than" in turned.verdict()


# The ends of 4,000 replicates have a Monte-Carlo standard error of .0004 (items) to .0014 (judges); the second program
# prints three decimals of a run of unknown length.
@pytest.mark.parametrize(
    ("unit", "low", "high"), [("pairs", -0.004, 0.070), ("items", 0.015, 0.051), ("judges", -0.025, 0.096)]
)
def test_the_interval_of_the_difference_is_that_of_a_second_program(bias, unit, low, high):
    interval = next(one.interval for one in bias.differences if one.unit == unit)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.004)


def test_over_judges_and_items_the_interval_is_that_of_a_loop_over_200_000_literal_resamples(bias):
    # A loop of our own, apart from the program, gave [-.0344, .1064]; three Monte-Carlo errors of 4,000 replicates.
    # The high end of NUMBERS 3.20, .099, is not reached by any rule tried: see docs/errata/paper-003.
    interval = next(one.interval for one in bias.differences if one.unit == "judges and items")
    assert interval.low == pytest.approx(-0.0344, abs=3 * 0.0014)
    assert interval.high == pytest.approx(0.1064, abs=3 * 0.0016)


def test_drawing_judges_and_items_equals_building_the_drawn_table_and_pairing_its_columns(data):
    codes, groups = _crossed(data)
    pairs = np.array([(i, j) for i in range(20) for j in range(i + 1, 20)])
    same = np.array([groups[i] == groups[j] for i, j in pairs])
    kappas = PairKappas.of(codes, pairs, np.eye(5))
    settings = PairSettings(tuple(map(str, range(20))), groups, pairs, np.where(same, "SAME", "DIFF"))
    rng = np.random.default_rng(8)
    for drawn in judge_draws(settings, 20, rng):
        items = rng.integers(0, 100, 100)
        weights = pair_weights(settings, drawn[None])
        value = kappas.reweighted(np.bincount(items, minlength=100)[None].astype(float))
        ours = pair_means(value, weights * same) - pair_means(value, weights * ~same)
        assert ours[0] == pytest.approx(_literal_difference(codes[items], groups, drawn), abs=1e-12)


def _crossed(data):
    """The (items, judges) table of the four groups that saw a reference, and their groups."""
    rows = [row for row in csv.DictReader((data / "refbias.csv").read_text().splitlines()) if row["group"] != "G1"]
    judges = sorted({(row["group"], row["rater"]) for row in rows})
    codes = np.zeros((100, 20), dtype=np.int32)
    for row in rows:
        codes[int(row["item"]) - 1, judges.index((row["group"], row["rater"]))] = int(float(row["score"])) - 1
    return codes, tuple(group for group, _ in judges)


def _literal_difference(table, groups, drawn):
    """Every two columns of the drawn table but a judge beside itself, one by one."""
    columns = [judge for judge, times in enumerate(drawn) for _ in range(times)]
    found = {True: [], False: []}
    for place, one in enumerate(columns):
        for other in columns[place + 1 :]:
            if one != other:
                cells = np.zeros((5, 5))
                np.add.at(cells, (table[:, one], table[:, other]), 1 / len(table))
                chance = cells.sum(axis=1) @ cells.sum(axis=0)
                found[groups[one] == groups[other]].append((np.trace(cells) - chance) / (1 - chance))
    return np.mean(found[True]) - np.mean(found[False])


def test_permuting_judges_gives_the_p_value_of_a_second_program(bias):
    p = next(one.p for one in bias.differences if one.unit == "judge labels")
    assert p == pytest.approx(0.033, abs=0.009)


def _overlap(results) -> bool:
    one, other = (result.interval for result in results)
    return one.low <= other.high and other.low <= one.high


def test_only_the_published_bootstrap_keeps_the_settings_apart(pools):
    apart = {key: not _overlap(bootstrap_variant(pools, key, np.random.default_rng(1))) for key in VARIANTS}
    assert apart == {"a": True, "b": False, "c": False, "d": False, "e": False, "f": False}


def test_the_published_intervals_never_overlap_and_accurate_ones_nearly_always_do(pools):
    rng = np.random.default_rng(3)
    overlaps = {key: [_overlap(bootstrap_variant(pools, key, rng)) for _ in range(200)] for key in "ab"}
    # A second program: none of 200 seeds in (a), 99.5% in (b).
    assert sum(overlaps["a"]) == 0
    assert np.mean(overlaps["b"]) == pytest.approx(0.995, abs=0.015)


# The paper draws Figure 1 without numbers. The second program gives the ends of one run of (c) and (d) at M = 1,000.
@pytest.mark.parametrize(
    ("key", "same", "diff"),
    [("c", (0.164, 0.230), (0.147, 0.180)), ("d", (0.155, 0.242), (0.122, 0.205))],
)
def test_one_run_of_a_second_program_lies_within_the_scatter_of_200_runs(pools, key, same, diff):
    rng = np.random.default_rng(2)
    runs = [[one.interval for one in bootstrap_variant(pools, key, rng)] for _ in range(200)]
    ends = np.array([[(interval.low, interval.high) for interval in run] for run in runs])
    scatter = ends.std(axis=0)
    assert scatter.min() > 0.0005 and scatter.max() < 0.0025
    assert np.all(np.abs(ends.mean(axis=0) - [same, diff]) < 3 * scatter)


def test_the_standard_bootstrap_of_figure_one_reproduces(pools):
    results = bootstrap_variant(pools, "f", np.random.default_rng(2), replicates=100_000)
    for result, ends in zip(results, ((0.1636, 0.2302), (0.1481, 0.1800)), strict=True):
        assert (result.interval.low, result.interval.high) == pytest.approx(ends, abs=0.0006)


def test_one_group_only_is_said_in_words():
    ratings = build_ratings({"item": ["1", "1"], "rater": ["a", "b"], "value": [1, 2], "group": ["g", "g"]})
    with pytest.raises(NotEnoughDataError, match="All raters belong to one group"):
        compare_settings(ratings, "group", replicates=100, rng=np.random.default_rng(0))


def test_a_rater_in_two_groups_is_named():
    ratings = build_ratings({"item": ["1", "2"], "rater": ["a", "a"], "value": [1, 2], "group": ["g", "h"]})
    with pytest.raises(OptionError, match="'a' in g, h"):
        compare_settings(ratings, "group", replicates=100, rng=np.random.default_rng(0))


def test_human_scores_follow_the_post_edit_more_than_bleu_does(data):
    rows = csv.DictReader((data / "da_coling16.csv").read_text().splitlines(keepends=True))
    rows = [row for row in rows if row["lp"] == "en-es"]
    items = [row["item"] for row in rows]
    yardstick = edit_agreement([row["mt"] for row in rows], [row["post_edit"] for row in rows])
    human = quadrants(items, [float(row["score"]) for row in rows], yardstick.tolist())
    bleu = quadrants(items, sentence_bleu([r["mt"] for r in rows], [r["reference"] for r in rows]).tolist(), yardstick)
    # The proxy of Figures 5 and 6: r(DA, -HTER) .56-.80 against r(BLEU, -HTER) .22-.55 over the nine pairs.
    assert 0.5 < human.correlation < 0.85
    assert 0.15 < bleu.correlation < 0.6 < human.correlation + 0.1
    assert len(bleu.similar) + len(bleu.dissimilar) > len(human.similar) + len(human.dissimilar)


def test_quadrants_of_equal_scores_are_refused_in_words():
    with pytest.raises(NotEnoughDataError, match="same score"):
        quadrants(["a", "b"], [1, 1], [1, 2])


def test_a_matrix_of_ones_own_weighs_pairs_in_compare_as_in_agree(tmp_path, accord_command):
    rng = np.random.default_rng(4)
    truth = rng.integers(1, 6, 30)
    lines = [f"i{item},j{judge},{int(np.clip(truth[item] + rng.integers(-1, 2), 1, 5))},{'gh'[judge // 3]}"
             for item in range(30) for judge in range(6)]  # fmt: skip
    (tmp_path / "r.csv").write_text("\n".join(["item,rater,value,group", *lines]))
    one_off = (np.abs(np.subtract.outer(np.arange(5), np.arange(5))) <= 1).astype(int)
    np.savetxt(tmp_path / "one-off.csv", one_off, delimiter=",", fmt="%d")
    asked = ("compare", "r.csv", "--condition", "group", "--design", "reference-bias", "--bootstrap", "100", "--json")
    (told,) = json.loads(accord_command(*asked, "--weights", "one-off.csv").stdout)["comparisons"]
    agree = ("agree", "r.csv", "-c", "cohen_kappa", "--weights", "one-off.csv", "--pairs", "--json")
    (group,) = json.loads(accord_command(*agree).stdout)["groups"]
    (matrix,) = group["pairs"]
    place = {name: at for at, name in enumerate(matrix["raters"])}
    for one in told["kappas"]:
        assert one["kappa"] == pytest.approx(matrix["values"][place[one["first"]]][place[one["second"]]])
    assert len(told["kappas"]) == 15
    bad = accord_command(*asked, "--weights", "nowhere.csv")
    assert bad.returncode == 2 and "cannot be read as rows of numbers" in bad.stderr


@pytest.mark.parametrize("missing", [False, True], ids=["complete", "incomplete"])
def test_draws_at_the_normal_limit_spread_as_exact_ones(monkeypatch, missing):
    rng = np.random.default_rng(4)
    codes = np.clip(rng.integers(0, 3, (900, 1)) + rng.integers(-1, 2, (900, 5)), 0, 2).astype(np.int32)
    if missing:
        codes[rng.random(codes.shape) < 0.1] = -1
    kappas = PairKappas.of(codes, np.array(list(combinations(range(5), 2))), np.eye(3))
    exact = np.concatenate(list(kappas.resampled(3000, np.random.default_rng(1))))
    monkeypatch.setattr("accord.sizes.sums_are_normal", lambda units, replicates: True)
    assert kappas.is_at_the_limit(3000)
    limit = np.concatenate(list(kappas.resampled(3000, np.random.default_rng(1))))
    assert limit.mean(axis=0) == pytest.approx(exact.mean(axis=0), abs=0.004)
    assert limit.std(axis=0) == pytest.approx(exact.std(axis=0), rel=0.08)
