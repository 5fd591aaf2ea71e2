"""Laws of the signs that agreement may mislead: pairs counted by hand, odds by summing, sentences exactly on a mark."""

from itertools import combinations, permutations
from types import SimpleNamespace as Made

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy import integrate, stats
from sklearn.metrics import cohen_kappa_score

from accord.design.scale import Level, Scale
from accord.ratings.counts import Patterns
from accord.reliability.digits import decisive_digits
from accord.reliability.interpretation import INTERPRETATION_SCALES
from accord.reliability.signs import amount, copies, latent_scale, use_of_values
from accord.reliability.signs.evidence import PairCounts, _by_columns, _counted, value_ranks
from accord.reliability.signs.kappa_order import kappa_order
from accord.reliability.signs.observation import in_words
from accord.reliability.signs.sorted_columns import _longest_chain, _one_way, _tables, one_sided_raters

QUICK = settings(max_examples=20)
WAYS = [_by_columns, _counted]


def table(seed, items=25, raters=4, values=4, missing=0.2):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, values, (items, raters)).astype(np.int32)
    codes[rng.random(codes.shape) < missing] = -1
    return codes


def patterns(codes):
    rows, times = np.unique(codes, axis=0, return_counts=True)
    return Patterns(rows.astype(np.int32), times.astype(np.int64))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_raters_are_counted_as_by_hand(way, seed):
    codes, usual = table(seed), seed % 4
    ranks = np.random.default_rng(seed).permutation(4)  # values need not stand in their order
    pairs = way(patterns(codes), ranks, usual)
    known = [pair for pair in combinations(range(4), 2) if (codes[:, pair] >= 0).all(axis=1).any()]
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == known
    for place, (one, other) in enumerate(known):
        both = codes[(codes[:, one] >= 0) & (codes[:, other] >= 0)]
        left, right = both[:, one], both[:, other]
        telling = (left != usual) | (right != usual)
        assert pairs.shared[place] == len(both)
        assert pairs.telling[place] == telling.sum() and pairs.equal[place] == (telling & (left == right)).sum()
        assert pairs.lower[place] == (ranks[left] < ranks[right]).sum()
        assert pairs.higher[place] == (ranks[left] > ranks[right]).sum()
        assert pairs.different[place] == (left != right).sum()
        assert pairs.agreement[place] == pytest.approx((left == right).mean())
        assert pairs.kappa[place] == pytest.approx(cohen_kappa_score(left, right), nan_ok=True)


@pytest.mark.parametrize("way", WAYS)
def test_raters_who_share_nothing_are_no_pair(way):
    codes = np.array([[0, -1], [-1, 1]], dtype=np.int32)
    assert len(way(patterns(codes), np.arange(2), 0).first) == 0
    assert len(PairCounts.none().agreement) == 0


def test_values_have_their_place_by_size_whatever_the_order_they_stand_in():
    assert value_ranks(Scale(Level.ORDINAL, (3.0, 1.0, 2.0))).tolist() == [2, 0, 1]
    assert value_ranks(Scale(Level.ORDINAL, ("bad", "fair", "good"))).tolist() == [0, 1, 2]


def one_way_pair(shared, lower, higher):
    return Made(
        first=np.array([0]),
        second=np.array([1]),
        shared=np.array([shared]),
        lower=np.array([lower]),
        higher=np.array([higher]),
        different=np.array([lower + higher]),
    )


@pytest.mark.parametrize(
    ("lower", "higher", "found"),
    [
        (30, 0, (0, 1)),
        (0, 30, (1, 0)),
        (30, 1, (0, 1)),
        (1, 30, (1, 0)),
        (30, 2, None),
        (0, 0, None),
    ],
)
def test_a_rater_stands_below_where_at_most_one_item_in_a_hundred_says_otherwise(lower, higher, found):
    assert list(_one_way(one_way_pair(100, lower, higher))) == ([found] if found else [])


def test_a_chain_has_every_rater_below_all_that_follow():
    links = dict.fromkeys(combinations([2, 0, 3, 1], 2), 0)
    assert _longest_chain(links) == (2, 0, 3, 1)
    del links[2, 1]
    assert len(_longest_chain(links)) == 3 and _longest_chain({}) == ()


def test_tables_of_columns_are_those_of_every_two_in_both_orders():
    codes = table(1, raters=3, missing=0)
    found = _tables(patterns(codes))
    for place, (one, other) in enumerate(permutations(range(3), 2)):
        by_hand = np.zeros((4, 4))
        np.add.at(by_hand, (codes[:, one], codes[:, other]), 1)
        assert (found[place] == by_hand).all()


def test_of_two_raters_the_higher_is_named_whichever_stands_first():
    scale = Scale(Level.ORDINAL, (1.0, 2.0, 3.0))
    for lower, higher, name in ((25, 0, "B"), (0, 25, "A")):
        rows = Patterns(np.array([[0, 1], [1, 1]], dtype=np.int32), np.array([25, 60]))
        evidence = Made(
            names=("A", "B"),
            pair_counts=one_way_pair(100, lower, higher),
            scale=scale,
            marginals=np.array([[50, 50, 0]] * 2),
            rows_of=lambda _, rows=rows: rows,
        )
        said = [seen.message for seen in one_sided_raters(evidence)]
        assert said and all(one.startswith(f"{name} is the higher one in 25 of the 25 items") for one in said)


# Sorted or strict: the odds.


@QUICK
@given(some.lists(some.floats(-3, 3), min_size=1, max_size=5), some.floats(0.2, 3))
def test_usual_places_have_the_density_of_the_normal_law(place, deviation):
    found = latent_scale._normal(np.array(place), deviation)
    assert found == pytest.approx(-stats.norm.logpdf(place, scale=deviation).sum())


def test_a_row_has_the_probability_of_its_values_over_all_qualities():
    cuts, exactness = np.array([[-0.5, 0.7], [0.1, 1.2]]), np.array([1.5, 0.8])
    codes = np.array([[0, 0], [1, 2], [2, 0], [2, 2]])

    def row(quality, values):
        edges = [
            np.concatenate([[0], stats.norm.cdf((cut - quality) * exact), [1]])
            for cut, exact in zip(cuts, exactness, strict=True)
        ]
        given_one = [edge[value + 1] - edge[value] for edge, value in zip(edges, values, strict=True)]
        return stats.norm.pdf(quality) * np.prod(given_one)

    by_hand = [integrate.quad(row, -6, 6, args=(values,))[0] for values in codes]
    assert np.exp(latent_scale._log_rows(codes, cuts, exactness)) == pytest.approx(by_hand, rel=2e-3)


def test_sorted_rows_have_the_probability_of_all_orders_they_may_come_from():
    place = np.array([-0.4, 0.1, -0.3])
    cuts, noise, usual = latent_scale._common(place, 3)
    assert cuts == pytest.approx([-0.4, -0.4 + np.exp(0.1)]) and noise == -0.3
    assert usual == pytest.approx(-stats.norm.logpdf([-0.4, 0.1], scale=2).sum() - stats.norm.logpdf(-0.3))
    rising = np.array([[0, 1, 1], [0, 1, 2], [2, 2, 2]])
    total = 0.0
    for row in rising:
        ways = np.array(sorted(set(permutations(row.tolist()))))
        total += np.log(np.exp(latent_scale._log_rows(ways, cuts[None], np.exp([0.3]))).sum())
    found = latent_scale._of_sorted(place, rising, np.ones(3, dtype=np.int64), 3)
    assert found == pytest.approx(usual - total)
    falling = latent_scale._of_sorted(place, np.array([[1, 0, 1]]), np.array([2]), 3)
    alone = latent_scale._log_rows(np.array([[1, 0, 1]]), cuts[None], np.exp([0.3]))[0]
    assert falling == pytest.approx(usual - 2 * (alone + np.log(0.005)))


def test_honest_rows_have_a_strictness_and_a_noise_for_each_rater():
    place = np.array([-0.4, 0.1, -0.3, 0.5, -0.2, 0.1, 0.3])
    codes, times = np.array([[0, 1], [2, 1]]), np.array([3, 2])
    cuts, _, usual = latent_scale._common(place[:3], 3)
    rows = latent_scale._log_rows(codes, np.stack([cuts - 0.5, cuts + 0.2]), np.exp([0.3 - 0.1, 0.3 - 0.3]))
    usual -= stats.norm.logpdf([0.5, -0.2], scale=0.4).sum() + stats.norm.logpdf([0.1, 0.3], scale=0.3).sum()
    assert latent_scale._of_honest(place, codes, times, 3) == pytest.approx(usual - times @ rows)


def test_the_evidence_of_a_bell_is_its_integral():
    curvature = np.array([[3.0, 0.7], [0.7, 1.5]])
    centre = np.array([0.4, -0.2])

    def bell(place):
        return 2.5 + (place - centre) @ curvature @ (place - centre) / 2

    exact = -2.5 + np.log(2 * np.pi) - np.log(np.linalg.det(curvature)) / 2
    assert latent_scale._evidence(bell, np.zeros(2)) == pytest.approx(exact, abs=1e-4)


def test_fine_values_are_cut_into_seven_parts_in_order_and_rows_taken_evenly():
    codes = np.arange(210).reshape(70, 3)
    few, times = latent_scale._few_values(Patterns(codes.astype(np.int32), np.ones(70, dtype=np.int64)))
    assert np.unique(few).tolist() == list(range(7)) and times.sum() == 70
    sizes = np.bincount(few.ravel(), np.repeat(times, 3))
    assert sizes.min() == sizes.max() == 30
    gaps = np.array([[0, 5], [5, 9]], dtype=np.int32)
    assert latent_scale._few_values(Patterns(gaps, np.array([2, 1])))[0].tolist() == [[0, 1], [1, 2]]
    for rows, kept in ((400, 400), (401, 201), (1200, 400)):
        assert len(latent_scale._few_rows(np.zeros((rows, 2), int), np.ones(rows, int))[0]) == kept


def test_sorted_columns_are_likelier_sorted_and_strict_ones_strict():
    rng = np.random.default_rng(3)
    seen = rng.normal(size=(150, 1)) + 0.8 * rng.normal(size=(150, 3))
    cut = np.digitize(np.sort(seen, axis=1), [-1, 0, 1])
    strict = np.digitize(rng.normal(size=(150, 1)) + 0.3 * rng.normal(size=(150, 3)) + [-0.5, 0, 0.5], [-1, 0, 1])
    assert latent_scale.log_odds_of_sorting(patterns(cut)) > 3
    assert latent_scale.log_odds_of_sorting(patterns(strict)) < 0
    assert latent_scale.log_odds_of_sorting(patterns(np.zeros((9, 3), dtype=np.int64))) == -np.inf


# Sentences exactly on a mark.


def used(*rows, names="ABC", level=Level.ORDINAL, **more):
    values = tuple(float(place + 1) for place in range(len(rows[0])))
    return Made(names=tuple(names), marginals=np.array(rows), scale=Scale(level, values), **more)


@pytest.mark.parametrize(("usual", "kappa", "said"), [(80, 0.39, True), (79, 0.39, False), (80, 0.41, False)])
def test_a_value_prevails_from_four_fifths_on_where_kappa_lies_well_below_agreement(usual, kappa, said):
    pairs = Made(shared=np.array([10, 9]), agreement=np.array([0.7, 0.0]), kappa=np.array([kappa, 0.9]))
    rows = [[usual, 100 - usual]] * 2
    seen = list(use_of_values.prevalence(used(*rows, names="AB", pair_counts=pairs)))
    assert bool(seen) is said
    if said:
        told = "the value 1 takes 80% of the ratings, so kappa is 0.39 although raters agree on 70%"
        assert seen[0].message.startswith(told)
        assert use_of_values.ALIKE_ITEMS in seen[0].message


@pytest.mark.parametrize(("own", "alike"), [((89, 70), True), ((91, 70), False)])
def test_raters_use_a_prevailing_value_alike_up_to_a_fifth(own, alike):
    pairs = Made(shared=np.array([10]), agreement=np.array([0.9]), kappa=np.array([0.1]))
    rows = [[share, 100 - share] for share in (*own, 85)]
    (seen,) = use_of_values.prevalence(used(*rows, pair_counts=pairs))
    assert (use_of_values.ALIKE_ITEMS in seen.message) is alike
    few = Made(shared=np.array([9]), agreement=pairs.agreement, kappa=pairs.kappa)
    assert not list(use_of_values.prevalence(used(*rows, pair_counts=few)))


def test_a_value_alone_is_told_with_how_often_it_was_given():
    (seen,) = use_of_values.one_value(used([0, 7], [0, 5], names="AB"))
    assert seen.message.startswith("every rating is 2:") and seen.evidence["ratings"] == 12
    assert not list(use_of_values.one_value(used([1, 7], [0, 5], names="AB")))


@pytest.mark.parametrize(
    "rows", [[[80, 10, 10], [30, 40, 30], [25, 45, 30]], [[5, 40, 55], [30, 40, 30], [40, 40, 20]]]
)
def test_unequal_habits_have_the_p_of_pearsons_test(rows):
    (seen,) = use_of_values.unequal_habits(used(*rows))
    counts = np.array(rows)
    worst = "ABC".index(seen.who[0])
    others = counts.sum(axis=0) - counts[worst]
    p = stats.chi2_contingency([counts[worst], others], correction=False).pvalue * 3
    assert seen.sure == in_words(p, "raters who use the values alike")
    apart = [np.abs(row / row.sum() - (counts.sum(0) - row) / (counts.sum() - row.sum())).sum() / 2 for row in counts]
    assert worst == int(np.argmax(apart)) and seen.evidence["share_apart"] == pytest.approx(max(apart))


@pytest.mark.parametrize(("rated", "said"), [(20, True), (19, False)])
def test_habits_are_looked_at_from_twenty_ratings_on(rated, said):
    assert bool(list(use_of_values.unequal_habits(used([rated, 0], [10, 190], names="AB")))) is said
    assert bool(list(use_of_values.unequal_habits(used([0, 190], [rated, 0], names="AB")))) is said


@pytest.mark.parametrize(("items", "said"), [(4, False), (5, True)])
def test_a_constant_rater_is_looked_at_from_five_ratings_on(items, said):
    assert bool(list(use_of_values.constant_raters(used([items, 0], [2, 98], names="AB")))) is said
    assert not list(use_of_values.constant_raters(used([50, 0], [2, 2], names="AB")))


def test_a_constant_rater_is_as_sure_as_the_likeliest_other_would_be():
    (seen,) = use_of_values.constant_raters(used([30, 0], [40, 60], [20, 80]))
    share = 40.5 / 101
    assert seen.evidence["largest_share_of_another_rater"] == pytest.approx(share)
    assert seen.sure == in_words(share**30 * 3)


@pytest.mark.parametrize(
    ("pairable", "items", "few", "little"),
    [
        (0, 9, False, False),
        (9, 18, True, False),
        (9, 19, True, True),
        (29, 29, True, False),
        (30, 60, False, False),
        (30, 61, False, True),
    ],
)
def test_few_items_and_little_overlap_begin_at_their_marks(pairable, items, few, little):
    evidence = Made(pairable=pairable, items=items, scale=Scale(Level.ORDINAL, (1.0, 2.0)), marginals=np.ones((2, 2)))
    told = [list(check(evidence)) for check in (amount.few_items, amount.little_overlap, amount.no_shared_items)]
    assert [bool(one) for one in told] == [few, little, not pairable]
    if few:
        assert (amount.AS_SCORES in told[0][0].message) is (pairable < 10)
        assert f"only {pairable} items have two" in told[0][0].message
    if little:
        assert told[1][0].message.startswith(f"only {pairable} of {items} items have two or more ratings")


def test_items_rated_once_are_counted_where_they_are_the_lesser_part():
    assert amount.rated_once(10, 10) == amount.rated_once(10, 0) == amount.rated_once(10, 4) == ()
    assert amount.rated_once(10, 5) == ("5 of 10 items have one rating only: agreement is about the other 5",)
    assert amount.rated_once(10, 9) == ("1 of 10 items has one rating only: agreement is about the other 9",)
    assert amount.rated_once(10, 4, whole=True)[0].startswith("6 of 10 items have")


def test_pairs_that_share_fewer_than_ten_items_are_named_with_their_number():
    pairs = Made(first=np.array([0, 0, 1]), second=np.array([1, 2, 2]), shared=np.array([9, 10, 3]))
    (seen,) = amount.thin_overlap(Made(names=("C", "B", "A"), pair_counts=pairs))
    assert seen.message == "2 of 3 pairs of raters share fewer than 10 items: B–C (9), A–B (3)"
    assert seen.evidence == {"pairs": 2, "fewest_shared_items": 3} and seen.who == ("A", "B", "C")
    alone = Made(first=np.array([0]), second=np.array([1]), shared=np.array([2]))
    (seen,) = amount.thin_overlap(Made(names=("C", "B"), pair_counts=alone))
    assert seen.message.startswith("the two raters share fewer")


def rated_alike(agreement, kappa, shared=30):
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    return Made(
        names=("A", "B", "C"),
        pair_counts=Made(
            first=first, second=second, shared=np.full(3, shared), agreement=np.array(agreement), kappa=np.array(kappa)
        ),
    )


@pytest.mark.parametrize(
    ("agreement", "kappa", "said"),
    [
        ((0.5625, 0.5, 0.1), (0.25, 0.3125, 0.1), True),
        ((0.5312, 0.5, 0.1), (0.25, 0.3125, 0.1), False),
        ((0.5625, 0.5, 0.1), (0.25, 0.2812, 0.1), False),
        ((0.5625, 0.5, 0.1), (0.3125, 0.25, 0.1), False),
    ],
)
def test_kappa_and_agreement_must_both_be_clear_to_be_opposite(agreement, kappa, said):
    assert bool(list(kappa_order(rated_alike(agreement, kappa)))) is said
    assert not list(kappa_order(rated_alike(agreement, kappa, shared=29)))


# Copies.


def met(equal, telling=None, lower=None, higher=None, chance=0.3):
    equal = np.array(equal)
    telling = np.full(len(equal), 40) if telling is None else np.array(telling)
    names = {3: 3, 6: 4, 10: 5, 1: 2}[len(equal)]
    first, second = np.triu_indices(names, 1)
    pairs = PairCounts(
        first,
        second,
        telling + 10,
        telling,
        equal,
        (telling - equal) // 2 if lower is None else np.array(lower),
        (telling - equal) // 2 if higher is None else np.array(higher),
        np.full(len(equal), chance),
    )
    return Made(
        pair_counts=pairs,
        names=tuple("ABCDE"[:names]),
        marginals=np.full((names, 4), 9),
        scale=Scale(Level.ORDINAL, (1.0, 2.0, 3.0, 4.0)),
    )


def test_one_pair_that_is_equal_throughout_among_others_that_are_not_is_a_copy():
    evidence = met([40, 20, 22, 18, 21, 19])
    (seen,) = copies.duplicated_raters(evidence)
    assert seen.who == ("A", "B") and seen.message == "A and B gave the same value to all 50 items they share"
    assert seen.evidence["agreement_allowed_for"] == pytest.approx(0.55 + 0.34 * 0.45)
    p = stats.binom.sf(39, 40, 0.55 + 0.34 * 0.45) * 6
    assert seen.sure == in_words(p) and copies.copied_pairs(evidence) == [0]
    assert copies.copied_pairs(met([34, 33, 33, 32, 33, 31])) == []


def test_a_pair_of_three_must_be_equal_on_nearly_all_to_be_a_copy():
    assert copies.may_be_copies(met([40, 10, 10]), np.array([0]))
    least = 0.9 * 40 - 2 * np.sqrt(0.09 * 40)
    for equal in range(28, 40):
        assert copies.may_be_copies(met([equal, 10, 10]), np.array([0])) == (equal >= least)


def test_what_differs_one_way_beyond_chance_is_strictness():
    evidence = met([20, 20, 20], lower=[20, 10, 0], higher=[0, 10, 20])
    similar = copies._but_for_strictness(evidence.pair_counts)
    one_sided = (20 + 20 - 2 * np.sqrt(20)) / 40
    assert similar == pytest.approx([one_sided, 0.5, one_sided])


def test_at_most_half_of_the_raters_are_copies_and_never_every_pair():
    for pairs, most in ((3, 1), (6, 3), (10, 3)):
        evidence = met([20] * pairs)
        assert copies._most_copies(evidence, evidence.pair_counts) == most


@pytest.mark.parametrize(("shared", "said"), [(19, False), (20, True)])
def test_two_identical_raters_are_remarked_on_from_twenty_items_on(shared, said):
    evidence = met([shared - 10], telling=[shared - 10])
    assert bool(list(copies.identical_raters(evidence))) is said
    if said:
        (seen,) = copies.identical_raters(evidence)
        assert "A and B gave the same value to all 20 items" in seen.message and "two raters alone" in seen.message
    assert not list(copies.identical_raters(met([shared - 11], telling=[shared - 10])))


@pytest.mark.parametrize("key", INTERPRETATION_SCALES)
def test_bands_follow_each_other_and_a_bound_belongs_where_its_words_say(key):
    scale = INTERPRETATION_SCALES[key]
    assert list(scale.bounds) == sorted(scale.bounds) and scale.bands[-1].upper == 1
    for place, bound in enumerate(scale.bounds):
        assert scale.place(bound - 1e-9) == place and scale.place(bound + 1e-9) == place + 1
        assert scale.place(bound) == (place if scale.bands[place].closed else place + 1)
        if scale.absolute:
            assert scale.place(-bound) == scale.place(bound)
    for words, closed in (("lower band", True), ("higher band", False)):
        if f"belongs to the {words}" in scale.boundary:
            assert {band.closed for band in scale.bands[1:-1]} == {closed}
    assert scale.place(1.0) == scale.place(2.0) == len(scale.bands) - 1


@QUICK
@given(some.floats(-0.2, 1), some.floats(-0.2, 1), some.floats(-0.2, 1))
def test_printed_numbers_lie_on_the_side_of_every_mark_where_the_exact_ones_lie(one, two, three):
    numbers = low, value, high = sorted([one, two, three])
    digits = decisive_digits(Made(value=value, interval=Made(low=low, high=high)))
    assert 2 <= digits <= 4
    wrong = [
        one
        for one in numbers
        for exact, shown in ((2 / 3, 0.667), (0.8, 0.8))
        if (one >= exact) != (round(one, digits) >= shown)
    ]
    assert not wrong or digits == 4
    if digits > 2:
        fewer = digits - 1
        assert any(
            (one >= exact) != (round(one, fewer) >= shown)
            or (one > 0) != (round(one, fewer) > 0)
            or (one < 0) != (round(one, fewer) < 0)
            for one in numbers
            for exact, shown in ((2 / 3, 0.667), (0.8, 0.8))
        )
