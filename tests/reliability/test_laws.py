"""Laws of what is said of a coefficient: verdicts by exact thresholds, names with their own numbers."""

from types import SimpleNamespace as Made

import numpy as np
import pytest

from accord.design.scale import Level, Scale
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.interval import Interval
from accord.ratings.codebook import StudyFacts
from accord.reliability import declared, rounds_apart, sentences
from accord.reliability.anonymous import laid_out_moments
from accord.reliability.answer import Answers
from accord.reliability.believable import misplaced
from accord.reliability.cautions import SIGNS, gamma_caution
from accord.reliability.combined import _by_item
from accord.reliability.digits import decisive_digits
from accord.reliability.plan import plan_of
from accord.reliability.signs.kappa_order import kappa_order
from accord.reliability.signs.sorted_columns import one_sided_raters
from accord.reliability.signs.use_of_values import constant_raters, unequal_habits
from accord.reliability.units import Units
from accord.reliability.ways import _by_itself
from accord.reliability.words import Words
from accord.sentences import said_of


def ends(low, high, method="bootstrap over items, BCa", level=0.95):
    return Interval(low=low, high=high, level=level, method=method)


def estimate(value=0.5, low=0.4, high=0.6, coefficient="krippendorff_alpha", **more):
    usual = {"items": 100, "raters": 3, "cautions": (), "question": "other items", "title": "α"}
    interval = None if low is None else ends(low, high)
    return Made(value=value, interval=interval, coefficient=coefficient, **(usual | more))


def verdict(*numbers, **more):
    seen = sentences.Evidence(lead=estimate(*numbers, **more))
    return next(row.key for row in sentences.VERDICTS if row.holds(seen))


@pytest.mark.parametrize(
    ("low", "high", "key"),
    [
        (-0.5, -0.1, "worse_than_chance"), (-0.1, 0.3, "chance"), (0.0, 0.3, "chance"), (0.01, 0.666, "unreliable"),
        (0.5, 0.7, "not_shown"), (2 / 3, 0.9, "tentative"), (0.799, 0.9, "tentative"), (0.8, 0.9, "reliable"),
    ],
)  # fmt: skip
def test_a_verdict_is_that_of_the_interval_and_exactly_on_a_mark_is_reached(low, high, key):
    assert verdict((low + high) / 2, low, high) == key


def test_too_few_items_have_no_verdict_unless_they_agree_less_than_by_chance():
    few = sentences.FEWEST_ITEMS - 1
    assert verdict(0.9, 0.85, 0.95, items=few) == "few_items"
    assert verdict(0.9, 0.85, 0.95, items=few + 1) == "reliable"
    assert verdict(-0.5, -0.6, -0.4, items=few) == "worse_than_chance"


@pytest.mark.parametrize(("low", "mark"), [(0.5, 2 / 3), (2 / 3, 0.8), (0.7, 0.8)])
def test_the_next_mark_is_the_first_that_the_interval_does_not_reach(low, mark):
    assert sentences.Evidence(lead=estimate(0.75, low, 0.9)).next_mark == pytest.approx(mark)


def test_four_times_the_items_halve_an_interval():
    wanted = sentences._WANTED[0]
    more, given = sentences.Evidence(lead=estimate(0.5, 0.5 - 2 * wanted, 0.5 + 2 * wanted)).more_items()
    assert (more, given) == (300, wanted)


def test_more_items_are_advised_where_the_interval_is_wide_and_never_fewer():
    def said(*numbers, **more):
        return said_of(sentences.MORE, sentences.Evidence(lead=estimate(*numbers, **more)))

    assert said(0.75, 0.65, 0.85).startswith("About ") and "more items would give ±" in said(0.75, 0.65, 0.85)
    assert said(0.75, 0.65, 0.85, question="other documents").startswith("About ")
    assert "in other documents" in said(0.75, 0.65, 0.85, question="other documents")
    assert said(0.9, 0.81, 0.99) == "" == said(0.75, 0.74, 0.76)


def test_a_size_is_told_with_two_digits():
    assert [sentences.rounded(number) for number in (12.6, 10.4, 9.94, 1.24, 0.349)] == [
        "13",
        "10",
        "9.9",
        "1.2",
        "0.35",
    ]


def test_decimals_tell_on_which_side_of_a_mark_a_number_lies():
    assert decisive_digits(estimate(0.5, 0.4, 0.6)) == 2
    assert decisive_digits(estimate(0.7, 0.6660, 0.9)) == 3
    assert decisive_digits(estimate(0.7, 0.66665, 0.9)) == 4
    assert decisive_digits(estimate(0.85, 0.7996, 0.9)) == 4
    assert decisive_digits(estimate(0.7, 2 / 3, 0.9)) == 2  # 0.67 is .667 and more


def rounds(*values, half=0.05):
    whole = Made(combined=("phase",), by={})
    groups = []
    for place, value in enumerate(values):
        group = type("Group", (dict,), {})(alpha=Made(value=value, interval=ends(value - half, value + half)))
        group.by = {"phase": f"p{place}"}
        groups.append(group)
    return rounds_apart.rounds_apart(whole, groups, "alpha")


def test_rounds_whose_intervals_do_not_touch_are_told_one_by_one_up_to_four():
    assert rounds(0.3, 0.35) == "" == rounds(0.3)
    assert rounds(0.3, 0.6).startswith("Agreement differs clearly by phase: 0.30 (p0) and 0.60 (p1);")
    assert "0.30 (p0), 0.40 (p1), 0.50 (p2) and 0.60 (p3);" in rounds(0.3, 0.4, 0.5, 0.6)
    assert "first 0.30 (p0) and last 0.70 (p4);" in rounds(0.3, 0.4, 0.5, 0.6, 0.7)


@pytest.mark.parametrize(("untied", "words"), [(29, "rests on 29 untied pairs"), (30, ""), (31, "")])
def test_gamma_is_cautioned_under_thirty_untied_pairs(untied, words):
    told = gamma_caution({"untied": untied, "compared": untied})
    assert told == () if not words else told[0].startswith(words)


def test_gamma_says_how_many_pairs_it_ignores():
    (told,) = gamma_caution({"untied": 40, "compared": 1_000})
    assert told.startswith("ignores 96% of the pairs of items because they are tied")


def test_what_depends_on_who_rated_is_called_an_artefact_where_columns_are_sorted():
    assert SIGNS["sorted_raters"].consequence == "what depends on who rated is an artefact"


def planned(**given):
    usual = {"interval": "auto", "confidence": 0.95, "resample": "auto", "replicates": None, "seed": 0}
    return plan_of(**(usual | given))


def test_a_bootstrap_takes_a_hundred_replicates_and_draws_what_it_can():
    assert planned(replicates=100).replicates == 100 and planned().replicates is None
    with pytest.raises(OptionError, match="99 were asked for"):
        planned(replicates=99)
    assert planned(draws="poisson", resample="item") and planned(draws="exact", resample="document")
    for unit in ("rater", "document"):
        with pytest.raises(OptionError, match=f"Resamples of the unit {unit}"):
            planned(draws="poisson", resample=unit)
    with pytest.raises(OptionError, match="Resamples of the unit rater"):
        planned(draws="exact", resample="rater")


def counted(**more):
    """Pairs (A, B), (A, C), (B, C): A agrees more often with B, and has the higher kappa with C."""
    usual = {
        "first": np.array([0, 0, 1]), "second": np.array([1, 2, 2]), "shared": np.full(3, 40),
        "agreement": np.array([0.9, 0.7, 0.8]), "kappa": np.array([0.2, 0.5, 0.3]),
    }  # fmt: skip
    return Made(**(usual | more))


def test_where_kappa_says_the_opposite_each_rater_is_named_with_the_own_numbers():
    (seen,) = kappa_order(Made(names=("A", "B", "C"), pair_counts=counted()))
    assert seen.message == (
        "A agrees more often with B (90%) than with C (70%), yet kappa says the opposite (0.20 and 0.50)"
    )
    assert list(kappa_order(Made(names=("A", "B", "C"), pair_counts=counted(shared=np.full(3, 29))))) == []
    level = counted(kappa=np.array([0.5, 0.2, 0.3]))
    assert list(kappa_order(Made(names=("A", "B", "C"), pair_counts=level))) == []


def used(*rows, names="ABC"):
    values = tuple(float(place + 1) for place in range(len(rows[0])))
    return Made(names=tuple(names), marginals=np.array(rows), scale=Scale(Level.ORDINAL, values))


def test_a_constant_rater_is_told_by_value_and_number():
    (seen,) = constant_raters(used([0, 60, 0], [20, 20, 20], [15, 25, 20]))
    assert seen.message == "A gave the value 2 to all 60 items"
    assert list(constant_raters(used([0, 5, 0], [1, 58, 1], [0, 59, 1]))) == []


def test_unequal_habits_are_told_with_the_shares_of_the_rater_first():
    (seen,) = unequal_habits(used([80, 10, 10], [30, 40, 30], [30, 40, 30]))
    assert seen.message == "raters use the values differently: A gives 1 to 80% of items, the others to 30%"
    assert seen.evidence["share_apart"] == pytest.approx(0.5)
    assert list(unequal_habits(used([32, 38, 30], [30, 40, 30], [30, 40, 30]))) == []


@pytest.mark.parametrize(("differ", "said"), [(19, False), (20, True), (40, True)])
def test_two_raters_are_one_sided_from_twenty_disagreements_on(differ, said, monkeypatch):
    monkeypatch.setattr("accord.reliability.signs.sorted_columns.sorted_raters", lambda _: iter(()))
    monkeypatch.setattr("accord.reliability.signs.sorted_columns._one_way", lambda _: {(0, 1): 0})
    pairs = Made(first=np.array([0]), different=np.array([differ]), lower=np.array([0]), higher=np.array([differ]))
    seen = list(one_sided_raters(Made(names=("A", "B"), pair_counts=pairs, scale=Scale(Level.ORDINAL, (1.0, 2.0)))))
    assert bool(seen) is said
    if said:
        assert seen[0].message.startswith(f"B is the higher one in {differ} of the {differ} items")


def test_ratings_laid_out_anew_have_the_sums_of_the_old_ones():
    rows = [[1.0, 4, 4, 7], [2, 2], [5, 6, 10]]
    moments = Made(
        ratings=np.array([len(row) for row in rows]), total=np.array([sum(row) for row in rows]),
        squares=np.array([sum(value**2 for value in row) for row in rows]), multiplicity=np.ones(3, dtype=np.int64),
    )  # fmt: skip
    laid, scale = laid_out_moments(moments, Scale(Level.INTERVAL, (1.0, 2.0)))
    for row, codes in zip(rows, laid.codes, strict=True):
        values = np.array([scale.values[code] for code in codes if code >= 0])
        assert (len(values), values.sum(), np.square(values).sum()) == pytest.approx(
            (len(row), sum(row), sum(value**2 for value in row))
        )


def test_ratings_of_an_item_stand_side_by_side():
    laid = _by_item(np.array([1, 0, 1, 2, 1]), np.array([4, 5, 6, 7, 8], dtype=np.int32), 3)
    assert laid.codes.tolist() == [[5, -1, -1], [4, 6, 8], [7, -1, -1]]


def test_items_agreed_on_a_rare_value_are_counted():
    view = Made(
        nameless=Made(codes=np.array([[0, 0, 1], [1, 1, 0], [2, 2, -1], [0, 0, 0]])),
        multiplicity=np.array([1, 2, 3, 9]),
    )
    assert Units(view).agreed_on_rare == 2 + 3


@pytest.mark.parametrize(("missing", "number"), [([0, 0, -1], 4), ([-1, -1, 0], 3)])
def test_items_without_a_document_are_counted_where_documents_are_resampled(missing, number):
    source = Made(by_document=lambda: Made(document=np.array(missing), multiplicity=np.array([1, 2, 4])))
    with pytest.raises(NotEnoughDataError, match=f"^{number} items name no document"):
        Units.of(source, None, Made(resample=Made(of_documents=True)))


def attached(low, high, error=0.05, method="jackknife over items"):
    return Made(interval=ends(low, high, method), standard_error=error)


def test_an_interval_that_misses_its_value_is_not_believed():
    def told(low, high, value=0.5, shared=5, **more):
        return misplaced(
            attached(low, high, **more), Made(parts={"median_shared_items": shared}, items=50, value=value)
        )

    assert told(0.4, 0.6) == ""
    assert told(0.6, 0.8).startswith("no interval: half of the pairs of raters share 5 items or fewer")
    assert told(0.4, 0.6, shared=2) != "" and told(0.48, 0.6) != "" and told(0.48, 0.6, shared=10) == ""
    assert told(0.6, 0.8, method="bootstrap over raters") == ""


def test_many_answers_are_summed_up_from_the_lowest_to_the_highest():
    def answer(name, value, said, absent=""):
        lead = estimate(value)
        return Made(name=name, lead=lead, short=(f"α = {value}: {said}.",), absent=absent)

    both = (answer("fluency", 0.8, "shown"), answer("adequacy", 0.3, "not shown"))
    for leading in (both, both[::-1]):
        said = Answers.summary.fget(Made(leading=leading))
        assert said.startswith("α runs from 0.30 (adequacy) to 0.80 (fluency). Of 2: 1 ")
    # What stands in for α where it has no value is on another scale.
    other = answer("tone", 1.0, "too few", absent="Krippendorff's α has no value.")
    assert Answers.summary.fget(Made(leading=(*both, other))).startswith(
        "α runs from 0.30 (adequacy) to 0.80 (fluency)"
    )
    assert Answers.summary.fget(Made(leading=(other, both[1]))).startswith("α is 0.30 (adequacy). Of 2: 1 ")
    assert Answers.summary.fget(Made(leading=(other,))).startswith("α is 1.00 (tone). Of 1: 1 ")
    assert Answers.summary.fget(Made(leading=())) == "Nothing has a value."


def test_documents_are_lacking_only_where_they_were_declared_and_are_not_there():
    def lacks(unit, *columns):
        return declared._lacks_documents(
            Made(columns=dict.fromkeys(columns)), StudyFacts(title="s", plan={"unit": unit})
        )

    assert lacks("document") and not lacks("document", "document")
    assert not lacks("item") and not lacks("item", "document")


def test_no_interval_is_made_where_none_is_asked_for_or_there_is_no_value():
    from accord.reliability.plan import IntervalKind

    for kind, value in ((IntervalKind.NONE, 0.5), (IntervalKind.AUTO, float("nan"))):
        case = Made(plan=Made(interval=kind), spec=Made(family="alpha"), computed=Made(value=value))
        assert _by_itself(case).interval is None


def test_what_lacks_an_interval_is_named_before_the_reason():
    from accord.reliability.plan import IntervalKind

    made = Made(
        request=Made(plan=Made(interval=IntervalKind.AUTO, resample=Made(of_raters=False))),
        facts=Made(raters=3, pairable=4), specs=[Made(key="gamma"), Made(key="alpha")],
        computed=dict.fromkeys(("gamma", "alpha"), Made(items=1, value=0.5)),
        attached=dict.fromkeys(("gamma", "alpha"), Made(interval=None, reason="")),
    )  # fmt: skip
    assert Words._without_interval(made) == ["no interval for gamma, alpha: 1 item cannot carry one"]
    drawn = Made(
        request=Made(plan=Made(interval=IntervalKind.BCA)), specs=made.specs,
        attached={"gamma": Made(interval=None), "alpha": attached(0.4, 0.6)},
    )  # fmt: skip
    (told,) = Words._not_drawn(drawn)
    assert told.startswith("interval bca was asked for, but alpha got the jackknife")
