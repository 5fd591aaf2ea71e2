import numpy as np
import pytest

from accord.design.scale import Level
from accord.diagnosis.examination import diagnose


def codes(ratings, **options):
    return {finding.code for finding in diagnose(ratings, **options).findings}


def finding(ratings, code):
    (found,) = [finding for finding in diagnose(ratings).findings if finding.code == code]
    return found


def test_sorted_columns_are_caught_whatever_order_they_stand_in(make_ratings, honest_table):
    table = np.sort(honest_table(2), axis=1)[:, [2, 0, 3, 1]]
    assert finding(make_ratings(table), "sorted_raters").who == ("r2", "r4", "r1", "r3")


def test_the_same_columns_unsorted_raise_nothing(make_ratings, honest_table):
    assert codes(make_ratings(honest_table(2))) == set()


def test_three_sorted_columns_among_honest_ones_are_caught(make_ratings, honest_table):
    table = honest_table(5, raters=6)
    table[:, :3] = np.sort(table[:, :3], axis=1)
    assert set(finding(make_ratings(table), "sorted_raters").who) == {"r1", "r2", "r3"}


def test_a_rater_who_is_only_strict_is_not_taken_for_a_sorted_column(make_ratings, honest_table):
    table = honest_table(3, raters=3)
    table[:, 0] = np.maximum(table[:, 0] - 1, 1)
    assert "sorted_raters" not in codes(make_ratings(table))


def test_two_identical_raters_of_1400_items_are_caught(make_ratings, honest_table):
    table = honest_table(4, items=1400, raters=3)
    table[:, 2] = table[:, 1]
    found = finding(make_ratings(table), "duplicated_raters")
    assert found.who == ("r2", "r3") and found.evidence["different"] == 0 and found.evidence["shared_items"] == 1400
    assert "1e-12" in found.sure


def test_ratings_that_are_all_the_same_are_a_finding(make_ratings):
    assert finding(make_ratings([[2, 2], [2, 2], [2, 2]]), "one_value").message.startswith("every rating is 2")


@pytest.mark.parametrize("raters", [3, 6])
def test_two_identical_raters_of_80_items_are_caught(make_ratings, honest_table, raters):
    table = honest_table(5, items=80, raters=raters)
    table[:, 1] = table[:, 0]
    found = diagnose(make_ratings(table))
    assert [finding.who for finding in found.findings if finding.code == "duplicated_raters"] == [("r1", "r2")]


def test_two_raters_who_always_agree_are_not_accused_where_no_third_shows_how_plain_the_items_are(
    make_ratings, honest_table
):
    table = honest_table(5, items=80, raters=2)
    table[:, 1] = table[:, 0]
    found = codes(make_ratings(table))
    assert "duplicated_raters" not in found
    assert finding(make_ratings(table), "identical_raters").severity == "note"
    fine = np.random.default_rng(0).integers(0, 101, 80).astype(float)
    assert "duplicated_raters" in codes(make_ratings(np.stack([fine, fine], axis=1)))


@pytest.mark.parametrize("seed", range(10))
def test_a_copier_among_nine_raters_of_35_items_is_caught_and_nobody_else(make_ratings, honest_table, seed):
    table = honest_table(seed, items=35, raters=9, strictness=0.3)
    assert "duplicated_raters" not in codes(make_ratings(table))
    table[:, 2] = table[:, 1]
    found = finding(make_ratings(table), "duplicated_raters")
    assert found.who == ("r2", "r3") and found.evidence["agreement_allowed_for"] < 0.8


def test_two_copies_do_not_hide_each_other(make_ratings, honest_table):
    table = honest_table(8, items=100, raters=6)
    table[:, 1], table[:, 3] = table[:, 0], table[:, 2]
    found = [finding.who for finding in diagnose(make_ratings(table)).findings if finding.code == "duplicated_raters"]
    assert found == [("r1", "r2"), ("r3", "r4")]


def test_a_copy_does_not_make_the_honest_third_rater_look_inconsistent(make_ratings, honest_table):
    caught = 0
    for seed in range(10):
        table = honest_table(seed, items=50, raters=3)
        copied = np.random.default_rng(seed).random(50) < 0.9
        table[copied, 1] = table[copied, 0]
        found = codes(make_ratings(table))
        caught += "duplicated_raters" in found
        assert "inconsistent_rater" not in found
    assert caught >= 9


def test_exact_raters_of_unlike_strictness_are_neither_sorted_nor_copies(make_ratings, honest_table):
    for seed in range(8):
        table = honest_table(seed, items=100, raters=3, noise=0.05, strictness=0.35)
        assert not codes(make_ratings(table)) & {"sorted_raters", "duplicated_raters", "inconsistent_rater"}


def test_three_sorted_columns_of_50_items_are_caught(make_ratings, honest_table):
    caught = sum(
        "sorted_raters" in codes(make_ratings(np.sort(honest_table(seed, items=50, raters=3), axis=1)))
        for seed in range(10)
    )
    assert caught >= 8


@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(5, 20), marks=pytest.mark.long)], ids=str)
def test_exact_raters_who_nearly_always_agree_are_no_duplicates(make_ratings, honest_table, seeds):
    for seed in seeds:
        table = honest_table(seed, items=35, raters=9, noise=0.05)
        assert "duplicated_raters" not in codes(make_ratings(table))


def test_three_identical_raters_are_caught_too(make_ratings, honest_table):
    table = honest_table(4, items=1400, raters=4)
    table[:, 1] = table[:, 2] = table[:, 3]
    pairs = {finding.who for finding in diagnose(make_ratings(table)).findings if finding.code == "duplicated_raters"}
    assert pairs == {("r2", "r3"), ("r2", "r4"), ("r3", "r4")}


def test_raters_who_agree_on_an_easy_value_are_no_duplicates(make_ratings):
    table = np.ones((1000, 3))
    table[:4, :] = 2
    table[4:9, 0] = 2
    assert "duplicated_raters" not in codes(make_ratings(table))


def test_a_constant_rater_is_caught_and_a_short_one_is_not(make_ratings, honest_table):
    table = honest_table(6)
    table[:, 1] = 3
    assert finding(make_ratings(table), "constant_raters").who == ("r2",)
    assert "constant_raters" not in codes(make_ratings(table[:4]))


def test_straight_lining_within_a_varied_rater_is_caught(make_ratings, honest_table):
    table = honest_table(7, items=200)
    table[50:90, 2] = 4
    found = finding(make_ratings(table), "straight_lining")
    assert found.who == ("r3",) and found.evidence["run"] >= 40


def test_a_run_that_all_raters_share_is_no_straight_lining(make_ratings, honest_table):
    table = honest_table(7, items=200)
    table[50:90, :] = 4
    assert "straight_lining" not in codes(make_ratings(table))


def test_the_order_column_decides_what_in_a_row_means(make_ratings, honest_table):
    table = honest_table(8, items=200)
    shuffled = np.random.default_rng(0).permutation(200)
    table[shuffled[60:100], 1] = 2
    order = np.empty((200, 4))
    order[shuffled] = np.arange(200)[:, None]
    assert "straight_lining" not in codes(make_ratings(table))
    found = finding(make_ratings(table, numbers={"order": order}), "straight_lining")
    assert found.who == ("r2",) and found.evidence["sequence"] == "order column"


def test_a_copied_stretch_is_caught(make_ratings, honest_table):
    table = honest_table(9, items=300)
    table[100:180, 3] = table[100:180, 0]
    found = finding(make_ratings(table), "copied_runs")
    assert set(found.who) == {"r1", "r4"} and found.evidence["run"] >= 40


def test_a_rater_of_one_second_is_caught_only_where_times_are_known(make_ratings, honest_table):
    table = honest_table(10)
    time = np.random.default_rng(1).lognormal(3, 0.7, table.shape)
    assert "impossible_speed" not in codes(make_ratings(table, numbers={"time_s": time}))
    time[:, 2] /= 20
    assert finding(make_ratings(table, numbers={"time_s": time}), "impossible_speed").who == ("r3",)


def test_values_off_the_declared_scale_are_named_and_left_out(make_ratings):
    from accord.design.scale import Level, Scale

    ratings = make_ratings([[1, 2], [2, 1], [1, 3], [2, 2]])
    narrowed = ratings.with_scale(Scale(Level.ORDINAL, (1.0, 2.0), declared=True))
    found = finding(narrowed, "out_of_scale")
    assert found.who == ("r2",) and found.evidence["items"] == "i3"


def test_a_ceiling_and_its_absence(make_ratings, honest_table):
    crowded = np.where(np.random.default_rng(0).random((100, 3)) < 0.9, 5, honest_table(1, items=100, raters=3))
    assert "top" in finding(make_ratings(crowded), "ceiling").message
    assert "ceiling" not in codes(make_ratings(honest_table(1)))


def test_ratings_at_random_are_not_blamed_on_items_that_are_alike(make_ratings):
    rng = np.random.default_rng(0)
    ordinal, interval = Level.ORDINAL, Level.INTERVAL
    for top, level in ((5, ordinal), (100, interval), (1, ordinal)):
        noise = rng.integers(0, top + 1, (200, 4))
        found = finding(make_ratings(noise, level=level), "non_discriminating")
        assert "two raters typically differ by" in found.message
        assert found.advice.startswith("Let raters discuss the items they dispute most")


def test_items_that_are_alike_are_not_blamed_on_raters(make_ratings):
    rng = np.random.default_rng(0)
    narrow = np.clip(4 + rng.choice([-1, 0, 0, 0, 0, 0, 0, 0, 1], (200, 4)), 1, 5)
    close = make_ratings(np.rint(rng.normal(70, 4, (200, 4))), scale=range(101), level=Level.INTERVAL)
    for ratings in (make_ratings(narrow), close):
        found = finding(ratings, "non_discriminating")
        assert found.message.startswith("ratings of different items are as close as ratings of one")
        assert found.advice == "Choose items that differ, or a finer scale."


def test_an_unused_value_of_a_declared_scale_is_named(make_ratings, honest_table):
    table = honest_table(1)
    assert "6" in finding(make_ratings(table, scale=[1, 2, 3, 4, 5, 6]), "unused_value").message


def test_a_reversed_rater_is_caught_as_opposite_and_inconsistent(make_ratings, honest_table):
    table = honest_table(11, items=150)
    table[:, 0] = 6 - table[:, 0]
    found = codes(make_ratings(table))
    assert {"negative_correlation", "inconsistent_rater"} <= found


def test_a_rater_who_answers_at_random_is_caught_and_the_honest_ones_are_not(make_ratings, honest_table):
    rng = np.random.default_rng(0)
    caught = 0
    for seed in range(20):
        table = honest_table(seed, items=35, raters=9)
        assert "inconsistent_rater" not in codes(make_ratings(table))
        table[:, 3] = np.where(rng.random(35) < 0.9, rng.permutation(table[:, 3]), table[:, 3])
        seen = [finding for finding in diagnose(make_ratings(table)).findings if finding.code == "inconsistent_rater"]
        assert all(finding.who == ("r4",) for finding in seen)
        caught += any("without reading" in finding.message for finding in seen)
    assert caught >= 12


def test_a_severe_rater_is_caught_and_does_not_make_the_others_look_lenient(make_ratings, honest_table):
    for raters in (3, 5):
        table = honest_table(12, items=60, raters=raters)
        table[:, -1] = np.maximum(table[:, -1] - 2, 1)
        assert finding(make_ratings(table), "severe_rater").who == (f"r{raters}",)


def test_drift_is_caught_where_an_order_is_known(make_ratings, honest_table):
    table = honest_table(13, items=200)
    order = np.tile(np.arange(200.0)[:, None], (1, 4))
    assert "drift" not in codes(make_ratings(table, numbers={"order": order}))
    table[:, 1] += np.linspace(-1, 1, 200)
    assert finding(make_ratings(table, numbers={"order": order}), "drift").who == ("r2",)


@pytest.mark.parametrize("seed", range(5))
def test_a_rater_of_one_value_does_not_drift_though_the_items_do(make_ratings, seed):
    rng = np.random.default_rng(seed)
    items = np.linspace(20, 90, 60)
    table = np.clip(items[:, None] + rng.normal(scale=6, size=(60, 4)), 0, 100).round()
    table[:, 3] = 50
    order = np.tile(np.arange(60.0)[:, None], (1, 4))
    found = [one.who for one in diagnose(make_ratings(table, numbers={"order": order})).findings if one.code == "drift"]
    assert ("r4",) not in found


def test_drift_of_two_points_over_100_items_is_mostly_named(make_ratings, honest_table):
    caught = 0
    for seed in range(20):
        table = honest_table(seed, items=100, raters=9)
        order = np.random.default_rng(seed).permuted(np.tile(np.arange(100.0)[:, None], (1, 9)), axis=0)
        table[:, 1] = np.clip(np.round(table[:, 1] - order[:, 1] / 50), 1, 5)
        found = diagnose(make_ratings(table, numbers={"order": order})).findings
        caught += any(finding.code == "drift" and finding.who == ("r2",) for finding in found)
    assert caught >= 16


def test_scenarios_that_are_judged_differently_are_no_drift(make_ratings, honest_table):
    table, first_set = honest_table(14, items=120), np.arange(120) < 60
    in_context = np.where(np.arange(4) < 2, ~first_set[:, None], first_set[:, None])
    begins_with_context = np.array([False, True, False, True])
    order = np.arange(120.0)[:, None] % 60 + np.where(in_context == begins_with_context, 0, 60)
    table[in_context] = np.maximum(table[in_context] - 1, 1)
    scenario = np.where(in_context, "SC", "RS")
    assert "drift" in codes(make_ratings(table, numbers={"order": order}))
    assert "drift" not in codes(make_ratings(table, numbers={"order": order}, columns={"scenario": scenario}))


def test_findings_are_sorted_by_severity(make_ratings, honest_table):
    table = honest_table(4, items=1400, raters=4)
    table[:, 2] = table[:, 1]
    table[:, 3] = 3
    severities = [str(finding.severity) for finding in diagnose(make_ratings(table)).findings]
    assert severities == sorted(severities, key=["error", "warning", "note"].index) and len(set(severities)) >= 2


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ([[1, 2, 3]], "one item only"),
        ([[1], [2], [3]], "one rater only"),
    ],
)
def test_ratings_too_poor_to_judge_get_a_sentence(make_ratings, table, sentence):
    assert sentence in " ".join(diagnose(make_ratings(table)).remarks)


def test_ratings_without_a_shared_item_get_an_error_finding(make_ratings):
    nan = np.nan
    found = finding(make_ratings([[1, nan], [2, nan], [nan, 3], [nan, 1]]), "no_shared_items")
    assert found.message == "none of the 4 items was rated by two raters: agreement cannot be computed"


def test_a_diagnosis_prints_itself_and_becomes_plain_data(make_ratings, honest_table):
    table = honest_table(6)
    table[:, 1] = 3
    diagnosis = diagnose(make_ratings(table))
    assert str(diagnosis).startswith("480 ratings, 120 items, 4 raters: ")
    plain = diagnosis.to_dict()
    assert plain["findings"][0]["code"] == "constant_raters" and plain["findings"][0]["advice"]
    assert len(diagnosis.rows()) == len(diagnosis.findings)


def test_the_same_seed_gives_the_same_diagnosis(make_ratings, honest_table):
    ratings = make_ratings(np.sort(honest_table(2), axis=1))
    assert diagnose(ratings, seed=5).to_dict() == diagnose(ratings, seed=5).to_dict()


def test_one_model_beside_several_people_is_no_fault(tmp_path):
    import accord

    rng = np.random.default_rng(2)
    truth = rng.integers(1, 6, 40)
    rows = [
        f"i{item},{rater},{kind},{np.clip(truth[item] + rng.integers(-1, 2), 1, 5)}"
        for item in range(40)
        for rater, kind in (("Ana", "human"), ("Ben", "human"), ("Cy", "human"), ("gpt", "model"))
    ]
    (tmp_path / "judged.csv").write_text("item,rater,kind,value\n" + "\n".join(rows) + "\n")
    ratings = accord.read(tmp_path / "judged.csv")
    found = diagnose(ratings)
    assert "no_shared_items" not in {one.code for one in found.findings}
    told = "kind model: there is one rater only, so there is nobody to compare with; beside people: accord judge."
    assert told in found.remarks
    alone = diagnose(ratings.only(kind="model"))
    assert "no_shared_items" in {one.code for one in alone.findings}


def _labels(seed, items, *guess):
    rng = np.random.default_rng(seed)
    size = (items, len(guess))
    return np.where(rng.random(size) < guess, rng.integers(0, 3, size), rng.integers(0, 3, (items, 1))).astype(float)


@pytest.mark.parametrize("level", [Level.NOMINAL, Level.ORDINAL])
def test_a_rater_at_random_beside_exact_ones_is_named_and_they_are_no_copies(make_ratings, level):
    for seed in range(3):
        found = {
            (one.code, one.who) for one in diagnose(make_ratings(_labels(seed, 900, 1, 0.1, 0.1), level=level)).findings
        }
        assert ("inconsistent_rater", ("r1",)) in found
        assert not any(code == "duplicated_raters" for code, _ in found)


def test_copies_of_labels_are_found_and_the_third_is_not_accused(make_ratings):
    for seed in range(3):
        table = _labels(seed, 120, 0.4, 0.4, 0.4)
        copied = np.random.default_rng(seed).random(120) < 0.9
        table[copied, 1] = table[copied, 0]
        found = {(one.code, one.who) for one in diagnose(make_ratings(table, level=Level.NOMINAL)).findings}
        assert ("duplicated_raters", ("r1", "r2")) in found
        assert not any(code == "inconsistent_rater" for code, _ in found)
