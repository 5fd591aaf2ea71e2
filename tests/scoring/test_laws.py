"""Laws of scores and rankings: on the threshold passes, the better stands first, values lie in their intervals."""

from types import SimpleNamespace as Made

import numpy as np
import pytest
from scipy import stats

from accord.design.scale import Direction
from accord.errors import ColumnError, OptionError, UnreadableFileError
from accord.inference.interval import Interval
from accord.ratings.build import build_ratings
from accord.scoring import assessment, ceiling, gate_exclusions, scarce, sheet
from accord.scoring import history as history_module
from accord.scoring.assessment import _chosen
from accord.scoring.calibrated import CalibratedScore
from accord.scoring.decision import Verdict, _probability_in_words, decide
from accord.scoring.error_rates import _least
from accord.scoring.history import Evaluation, History
from accord.scoring.item_scores import ends_of_scale
from accord.scoring.mqm_means import scores_of
from accord.scoring.mqm_reviewers import reviewers_apart
from accord.scoring.preference_answers import chosen
from accord.scoring.preference_fit import shown_circles
from accord.scoring.preference_model import Model
from accord.scoring.preferences import _bad_fit
from accord.scoring.prior import Prior
from accord.scoring.ranking import Preset, document_tests
from accord.scoring.ranking.paired import Averaging, Weighing
from accord.scoring.ranking.presets import shared_rank_sum
from accord.scoring.ranking.rank import PairTestKind, ResamplingUnit, _cautions, _clusters, _contiguous, _p_values
from accord.scoring.ranking.resampling import _variance
from accord.scoring.ranking.result import Ranking
from accord.scoring.ranking.segments import _side_by_side
from accord.scoring.rater_gate import _longest_run
from accord.scoring.score_words import HISTORIES
from accord.scoring.segment_sampling import SEGMENT_SETS, sample_segment_sets
from accord.scoring.shrinkage import Shrunk, shrink
from accord.scoring.standing import standing
from accord.scoring.task_times import started_at

HIGH, LOW = Direction.HIGH, Direction.LOW


def ends(low, high, level=0.8):
    return Interval(low=low, high=high, level=level, method="a method")


@pytest.mark.parametrize(
    ("value", "low", "high", "verdict"),
    [
        (90, 85, 95, Verdict.PASS), (85, 80, 90, Verdict.BORDERLINE_PASS), (84, 80, 88, Verdict.BORDERLINE_FAIL),
        (80, 75, 84, Verdict.FAIL), (80, 75, 85, Verdict.BORDERLINE_FAIL),
    ],
)  # fmt: skip
def test_the_interval_decides_and_exactly_on_the_threshold_passes(value, low, high, verdict):
    assert decide(value, ends(low, high), 85, 3, 0.5).verdict is verdict
    # Turned round, everything is the same.
    turned = decide(-value, ends(-high, -low), -85, 3, 0.5, LOW)
    assert turned.verdict is verdict


def test_one_score_is_never_more_than_borderline():
    assert decide(90, ends(88, 92), 85, 1, 0.5).verdict is Verdict.BORDERLINE_PASS
    assert decide(80, ends(78, 82), 85, 1, 0.5).verdict is Verdict.BORDERLINE_FAIL


def test_a_probability_is_never_told_as_certain():
    told = [_probability_in_words(p) for p in (0.0049, 0.0052, 0.5, 0.9949, 0.9951)]
    assert told == ["below 0.01", "0.01", "0.50", "0.99", "above 0.99"]


@pytest.mark.parametrize("value", [0.0, 3.0, 50.0, 97.5, 100.0])
def test_equal_scores_lie_in_their_own_interval_on_the_scale(value):
    for scores in (2, 5):
        found = ceiling.of_equal_scores(value, scores, 0.8, (0.0, 100.0))
        assert 0 <= found.low <= value <= found.high <= 100


def test_equal_scores_in_the_middle_have_as_much_room_below_as_above():
    found = ceiling.of_equal_scores(50.0, 4, 0.8, (0.0, 100.0))
    assert 50 - found.low == pytest.approx(found.high - 50) and found.high - found.low < 5


def test_an_end_of_the_scale_is_near_within_the_same_reach_below_and_above():
    near = [value for value in range(101) if ceiling.near_an_end([value], (0, 100))]
    assert near == [100 - value for value in reversed(near)]
    assert 0 in near and 100 in near and 50 not in near
    assert not ceiling.near_an_end([60], (20, 100)) and ceiling.near_an_end([21], (20, 100))
    assert [ceiling._decimals(number) for number in (5, 5.0, 5.25, 0.5, 100)] == [0, 0, 2, 1, 0]


def test_a_calibrated_score_is_the_passing_score_at_the_acceptable_points():
    made = Made(passing=95.0, acceptable=10.0)
    made.scaling = CalibratedScore.scaling.fget(made)
    assert made.scaling == 0.5
    made.per_1000 = 10.0
    assert CalibratedScore.calibrated.fget(made) == 95.0


@pytest.mark.parametrize("limit", [101, 137, 1_234, 56_789])
def test_the_least_number_is_enough_and_told_to_two_digits(limit):
    found = _least(lambda words: words >= limit, 100, 1_000_000)
    assert limit <= found <= 1.2 * limit
    assert int(str(found)[2:] or 0) == 0


def history(*scores, **more):
    return History(evaluations=tuple(Evaluation(score=score, **more) for score in scores))


def test_the_share_of_fails_has_the_interval_of_clopper_and_pearson():
    known = history(90.0, 85.0, 84.9, 70.0, 95.0)
    assert known.fails(85) == 2
    outside = stats.binomtest(2, 5).proportion_ci(0.8, method="exact")
    found = known.fail_share(85)
    assert (found.low, found.high) == pytest.approx((outside.low, outside.high))
    assert found.low < 2 / 5 < found.high


def test_another_specification_than_the_usual_is_flagged():
    known = history(90.0, 91.0)
    flags = {
        (specification, usual): known._flags(Evaluation(score=90.0, specification=specification), usual)
        for specification in ("", "A", "B") for usual in ("", "A")
    }  # fmt: skip
    assert flags["B", "A"] == ["other specification than A"]
    assert not any(told for pair, told in flags.items() if pair != ("B", "A"))


def test_a_history_is_undecided_or_classified():
    def said(kind, threshold=85.0):
        past = Made(kind=kind, threshold=threshold, fails="against 85: 1 of 9 evaluations fail")
        return next(row.key for row in HISTORIES if row.holds(past))

    assert said("undecided") == "undecided" and said("mostly PASS") == "classified"


@pytest.mark.parametrize(("highest", "top"), [(4.5, 5), (6.5, 7), (7, 7), (7.5, 10), (11, 100)])
def test_undeclared_ends_are_those_of_the_shortest_usual_scale(highest, top):
    ratings = build_ratings({"item": ["a", "b"], "rater": ["A", "A"], "value": [2.5, highest]}, level="interval")
    assert ends_of_scale(ratings)[0][1] == top


def test_a_circle_is_named_by_who_beats_whom():
    pairs = [(0, 1), (0, 2), (1, 2)]
    sure = np.full(3, 1e-6)
    (circle,) = shown_circles("ABC", pairs, np.array([5.0, -5.0, 5.0]), sure, 0.95)
    beats = {("A", "B"), ("B", "C"), ("C", "A")}
    assert set(zip(circle, (*circle[1:], circle[0]), strict=True)) == beats
    assert shown_circles("ABC", pairs, np.array([5.0, 5.0, 5.0]), sure, 0.95) == ()
    more = [*pairs, (0, 3), (1, 3), (2, 3)]
    assert shown_circles("ABCD", more, np.array([5.0, -5.0, 5.0, 5.0, 5.0, 5.0]), np.full(6, 1e-6), 0.95) == (circle,)


def test_a_bad_fit_is_told_below_five_percent():
    assert _bad_fit(9.0, 2, 0.011) != "" and _bad_fit(9.0, 2, 0.05) == "" and _bad_fit(9.0, 2, float("nan")) == ""


def test_a_prior_says_where_it_comes_from_and_when_it_was_fixed():
    assert Prior(value=80.0).words == "given"
    from datetime import date

    assert Prior(value=80.0, origin="the client", fixed=date(2026, 1, 2)).words == "the client, fixed on 2026-01-02"


def test_without_a_good_end_no_copy_is_called_worse():
    assert gate_exclusions._NO_GOOD_END.startswith("nobody said which end is good, so no copy can be called worse.")


def document_data(seed=0, documents=6, pairs=3):
    rng = np.random.default_rng(seed)
    counts = np.full((pairs, documents), 2.0)
    means = rng.normal(0.5, 1, (pairs, documents))
    return document_tests.DocumentSums(counts=counts, sums=counts * means, within=np.zeros((pairs, documents))), means


def test_with_equal_weights_the_test_is_the_paired_t_of_scipy():
    data, means = document_data()
    found = document_tests.weighted_t(data, np.ones_like(means), borrow=False)
    outside = stats.ttest_1samp(means, 0, axis=1)
    assert found.p == pytest.approx(outside.pvalue)
    reach = found.reach(0.95)
    ci = outside.confidence_interval(0.95)
    assert found.difference - reach == pytest.approx(ci.low) and found.difference + reach == pytest.approx(ci.high)


def test_borrowed_freedom_is_at_most_that_of_all_other_systems():
    data, means = document_data(1)
    found = document_tests.weighted_t(data, np.ones_like(means), borrow=True)
    assert (found.freedom >= 5).all() and (found.freedom <= 2 * 5).all()


def test_a_critical_value_and_its_p_are_two_sides_of_one_thing():
    p, freedom = np.array([0.01, 0.2]), np.array([8.0, 12.0])
    for share in (0.0, 0.3):
        t = document_tests.critical(p, freedom, share, 3.0)
        assert document_tests.two_sided(t, freedom, share, 3.0) == pytest.approx(p, rel=1e-6)
        own, other = stats.t.isf(p / 2, freedom), stats.t.isf(p / 2, 3.0)
        assert t == pytest.approx((1 - share) * own + share * other)


def test_the_mean_of_nothing_is_nought_and_else_that_of_what_is_there():
    values, present = np.array([[1.0, 3, 9], [1, 1, 1]]), np.array([[True, True, False], [False] * 3])
    assert document_tests._mean(values, present).tolist() == [2, 0]


def test_systems_without_a_shared_segment_are_not_told_apart():
    scores = np.array([[1.0, np.nan], [np.nan, 2.0]])
    assert shared_rank_sum(Made(scores=scores), 0, 1) == 1.0


def test_ranks_end_where_a_system_above_wins_and_one_below_loses():
    beats = np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], dtype=bool)
    assert _contiguous(beats) == [(1, 2), (1, 3), (2, 3)]
    assert _contiguous(np.triu(np.ones((3, 3), dtype=bool), 1)) == [(1, 1), (2, 2), (3, 3)]
    assert _clusters(beats, None) == [1, 1, 1]
    assert _clusters(np.triu(np.ones((3, 3), dtype=bool), 1), None) == [1, 2, 3]


def test_the_variance_of_clusters_is_corrected_for_their_number():
    assert _variance(np.array([1.0, -1.0, 2.0]), 3, 1.0) == pytest.approx(3 / 2 * 6)
    assert _variance(np.array([1.0]), 1, 1.0) == 0


def test_raters_who_see_one_version_of_a_segment_are_spoken_of():
    segment, rater = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 0], dtype=np.int32)
    both = _side_by_side(segment, rater, np.array([0, 1, 0, 1], dtype=np.int32))
    alone = _side_by_side(segment, np.array([0, 1, 0, 1], dtype=np.int32), np.array([0, 1, 0, 1], dtype=np.int32))
    assert both == () and len(alone) == 1


def test_the_longest_run_counts_equal_scores_in_a_row():
    for scores, longest in (([], 0), ([1], 1), ([1, 1, 2], 2), ([1, 2, 2, 2, 1, 1], 3), ([3, 3, 3], 3), ([1, 2, 2], 2)):
        assert _longest_run(np.array(scores, dtype=float)) == longest


@pytest.mark.parametrize("scale", [(5, 1), (1, 1), (0, float("inf"))])
def test_a_scale_begins_below_its_end(scale):
    with pytest.raises(OptionError, match="is not a scale: the first end must lie below the second"):
        scarce.score([80.0, 82.0], scale=scale)
    assert scarce.score([80.0, 82.0], scale=(0, 100)).intervals


def test_sampled_sets_lie_around_their_mean_and_narrow_with_their_size():
    pool = np.random.default_rng(3).normal(70, 10, 200)
    small, large = sample_segment_sets(pool, np.random.default_rng(0), sizes=(10, 100), replicates=2_000, threshold=70)
    for one in (small, large):
        assert one.low < one.mean < one.high
        assert one.width == pytest.approx(2 * 1.96 * one.deviation, rel=0.1)
    assert large.width < small.width / 2
    assert 0 < large.below < 1


def test_a_law_of_true_values_has_quantiles_where_its_probabilities_say():
    law = Shrunk(np.array([0.5, 0.5]), np.array([70.0, 90.0]), np.array([1.0, 2.0]), 1.0, 5.0, 4)
    for probability in (0.01, 0.5, 0.9, 0.999):
        assert law.below(law.quantile(probability)) == pytest.approx(probability)


def test_a_new_score_is_drawn_towards_the_earlier_ones_and_less_so_where_they_scatter():
    calm, wild = ([[value - 1, value + 1] for value in values] for values in ((79, 80, 81, 80), (60, 80, 100, 80)))
    near, far = (shrink([90.0], earlier).centre for earlier in (calm, wild))
    assert 80 < near < far < 90


def test_whoever_wins_stands_first_in_the_sentence():
    assert standing(["A", "B"], {("A", "B")}) == "A is better than B."
    assert standing(["A", "B"], set()) == "A and B cannot be told apart."
    assert standing(["A", "B", "C"], {("A", "B"), ("A", "C"), ("B", "C")}) == "A is best; B is second, C is last."


def test_an_unknown_column_of_times_is_named_before_the_known_ones():
    ratings = build_ratings({"item": ["a"], "rater": ["A"], "value": [1], "begun": ["3"], "group": ["x"]})
    with pytest.raises(ColumnError, match=r"^--started start: there is no such column. Known: .*begun"):
        started_at(ratings, "start")
    assert started_at(ratings, "begun").tolist() == [3.0]


def assessed(counts):
    """Ratings of each version of a segment by as many raters as said."""
    rows = [(f"s{n}", f"r{r}", "S") for n, count in enumerate(counts) for r in range(count)]
    return build_ratings({
        "item": [row[0] for row in rows], "rater": [row[1] for row in rows], "system": [row[2] for row in rows],
        "value": list(range(len(rows))),
    }, level="interval")  # fmt: skip


@pytest.mark.parametrize("sample", [1, 2, 3])
def test_so_many_ratings_are_drawn_for_each_segment_that_has_them(sample):
    ratings = assessed([3, 1, 2])
    keep, said = _chosen(ratings, np.full(6, "system", dtype=object), np.random.default_rng(0), False, sample)
    drawn = np.bincount(ratings.item.codes[keep], minlength=3).tolist()
    assert drawn == [sample if count >= sample else 0 for count in (3, 1, 2)]
    assert said[0].startswith(f"{sample} ratings are drawn for each of {sum(c >= sample for c in (3, 1, 2))} segments")


@pytest.mark.parametrize("sign", [1, -1])
def test_where_no_end_is_good_the_higher_of_two_systems_is_named_as_the_higher(sign):
    pair = Made(first="A", second="B", difference=sign * 2.0, differs=True)
    said = Ranking._higher(Made(pairs=[pair], systems=[Made(name="A"), Made(name="B")]))
    assert said.index("A" if sign > 0 else "B") < said.index("B" if sign > 0 else "A")
    assert "2" in said and "-" not in said


def test_the_deviation_of_scores_is_that_of_a_sample():
    assert scarce._deviation((80.0, 82.0)) == pytest.approx(np.std([80, 82], ddof=1))
    assert scarce._deviation((80.0, 80.0)) == 0 and np.isnan(scarce._deviation((80.0,)))


def cautioned(documents, p=(0.01,), unit=ResamplingUnit.DOCUMENT, test=PairTestKind.T):
    asked = Made(preset=Preset.ACCORD, test=test, level=0.95, unit=unit, ours=True)
    paired = Made(documents=np.array(documents), weighing=Made(average=None))
    data = Made(clustered=True, row_rater=np.arange(9))
    return " ".join(_cautions(Made(data=data, p=np.array(p), paired=paired, asked=asked)))


def test_pairs_without_enough_in_common_are_told_as_such():
    assert "1 pairs of systems share fewer than two documents and could not be compared." in cautioned([20], (np.nan,))
    assert "could not be compared" not in cautioned([20])


def test_a_permutation_of_few_documents_is_told_that_it_cannot_be_significant():
    said = cautioned([5, 5, 5], (0.5, 0.5, 0.5), test=PairTestKind.PERMUTATION)
    assert "With 5 documents no permutation can be significant among 3 pairs (smallest p 0.0625)" in said
    assert "use --test t, or rate more documents." in said
    # 3 pairs at 1/32 are above .05, at 1/64 below.
    assert "no permutation" in cautioned([6] * 3, (0.5,) * 3, test=PairTestKind.PERMUTATION)
    assert "no permutation" not in cautioned([7] * 3, (0.5,) * 3, test=PairTestKind.PERMUTATION)


def test_a_longer_document_counts_more_and_at_most_by_its_length():
    weights = Weighing(average=Averaging.WEIGHTED, sigma2=4.0, tau2=1.0).of(np.array([1.0, 4.0, 0.0]))
    assert weights == pytest.approx([1 / 5, 1 / 2, 0])


def test_segments_with_few_ratings_are_counted_with_the_number_that_lacks():
    (told,) = assessment._cautions(Made(numbers={"order": None}), [], 3, 2, 15, True)[:1]
    assert told.startswith("1 of 3 segments have fewer than 15 ratings: their own scores are not reliable")


def test_a_cell_without_a_number_is_quoted_as_none():
    with pytest.raises(ValueError, match=r"^'good' in column 'score' is not a number$"):
        history_module._number(Made(text=lambda _: "good"), "score", None)
    assert history_module._number(Made(text=lambda _: "7"), "score", 7.0) == 7.0


def test_a_huge_sheet_is_refused_by_its_size(tmp_path, monkeypatch):
    monkeypatch.setattr(sheet, "_LARGEST", 3)
    file = tmp_path / "numbers.csv"
    file.write_text("a,b\n1,2\n")
    with pytest.raises(UnreadableFileError, match=r"numbers.csv is larger than 64 MB, too large"):
        sheet.read_sheet(file, printed=True)


def test_a_tie_lies_halfway_between_two_systems():
    model = Model(3, np.ones((3, 3, 3)), ties=True)
    for (i, j), features in zip(model.pairs, model.features, strict=True):
        plain = features[:, :-1]
        assert plain[1] == pytest.approx((plain[0] + plain[2]) / 2), (i, j)
        assert features[:, -1].tolist() == [0, 1, 0]


def test_left_and_right_stand_for_the_first_and_the_second_system():
    for word, name in (("left", "S"), ("first", "S"), ("a", "S"), ("right", "T"), ("second", "T"), ("rechts", "T"),
                       ("b", "T"), ("T is better", "T"), ("zweite", "T"), ("右", "T"), ("direita", "T")):  # fmt: skip
        assert chosen("S", "T", word) == (name, ""), word


def test_scores_of_a_segment_are_the_mean_over_its_raters():
    rows = [("A", "r1", "i1", -1.0), ("A", "r2", "i1", -3.0), ("B", "r1", "i1", -5.0), ("B", "r1", "i2", 0.0)]
    made = [Made(system=s, rater=r, item=i, score=v, document="d", segment="") for s, r, i, v in rows]
    scores = scores_of(made, [one.item for one in made]).scores
    assert scores[0, 0] == -2 and np.isnan(scores[0, 1]) and scores[1].tolist() == [-5, 0]


def test_reviewers_are_apart_only_where_the_whole_interval_of_their_ratio_lies_above_one():
    def segments(more, less):
        return [Made(rater=name, item=f"i{n}", system="S", errors=errors, part="") for n in range(10)
                for name, errors in (("A", more), ("B", less))]  # fmt: skip

    found = reviewers_apart(segments(12, 2))
    assert (found.more, found.less, found.counts) == ("A", "B", (120, 20))
    assert 1 < found.interval.low < found.ratio < found.interval.high
    assert reviewers_apart(segments(2, 12)).more == "B"
    assert reviewers_apart(segments(3, 3)) is None


def test_sets_of_segments_are_drawn_in_round_numbers():
    assert all(size % 10 == 0 for size in SEGMENT_SETS) and list(SEGMENT_SETS) == sorted(SEGMENT_SETS)


def test_the_better_system_is_tested_as_the_better_one_whichever_end_is_good(monkeypatch):
    scores = np.array([[5.0, 6, 7, 8], [1, 2, 3, 4]])
    monkeypatch.setitem(_p_values.__globals__, "_negated", lambda given: Made(scores=-given.scores))
    for sign, order in ((1, [0, 1]), (-1, [1, 0])):
        paired, asked = Made(sign=sign, order=np.array(order)), Made(ours=False, preset=Preset.WMT23)
        assert _p_values(Made(scores=scores), paired, asked)[0] < 0.05


def test_the_ends_of_a_slider_are_declared_whatever_scores_were_given():
    from accord.design.study import CriterionSettings

    slider = CriterionSettings(key="quality", question="How good?", kind="slider", low=0, high=100).scale()
    rows = {"item": ["a", "b"], "rater": ["A", "A"], "value": [55.0, 61.5]}
    assert ends_of_scale(build_ratings(rows, scale=slider)) == ((0, 100), "")
