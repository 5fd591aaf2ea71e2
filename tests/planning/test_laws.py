"""Laws of simulated answers and of planned widths: values known from outside, and both sides of each limit."""

from math import erf, sqrt

import numpy as np
import pytest

from accord.design.scale import Level, Scale
from accord.design.study import CriterionSettings
from accord.errors import NotEnoughDataError, OptionError
from accord.planning.answers import errors_of, known, on_scale, preferred, ranks
from accord.planning.differences import smallest_difference
from accord.planning.precision import calibrated, expected_interval, items_needed, raters_needed, width_grid
from accord.planning.simulated_raters import Mark, RaterTraits, Traits, draw_raters, true_marks

EXACT = Traits(severity=0.0, noise=0.0, drift=0.0, inattention=0.0, copying=0.0)
CARELESS = Traits(severity=0.0, noise=0.0, drift=0.0, inattention=1.0, copying=0.0)
TWO = Scale(Level.NOMINAL, (0.0, 1.0), declared=True)
FIVE = Scale(Level.ORDINAL, (1.0, 2.0, 3.0, 4.0, 5.0), declared=True)
QUALITIES = (-9.0, -1.2, -0.3, 0.0, 0.5, 1.2, 9.0)


def asked(kind, **more):
    return CriterionSettings(key="k", question="?", kind=kind, **more)


def share(quality):
    """How much of a normal distribution of spread 1.2 lies below: the median text gets the middle of the scale."""
    return (1 + erf(quality / 1.2 / sqrt(2))) / 2


@pytest.mark.parametrize("quality", QUALITIES)
def test_an_answer_lies_as_far_along_its_scale_as_texts_are_worse(quality):
    slider = asked("slider", low=20, high=60, best="high")
    assert on_scale(slider, quality) == round(20 + 40 * share(quality))
    assert on_scale(asked("slider", low=20, high=60, best="low"), quality) == on_scale(slider, -quality)
    assert on_scale(asked("slider", best="high", low=0, high=100), quality) == round(100 * share(quality))
    assert on_scale(asked("number", best="low"), quality) == round(10 * share(-quality)), "fewer errors are better"
    assert on_scale(asked("number", best="high", low=5), quality) == round(5 + 10 * share(quality))
    assert on_scale(asked("number", best="high", low=5, high=9), quality) == round(5 + 4 * share(quality))


def test_the_worst_the_middle_and_the_best_text_get_the_first_the_middle_and_the_last_value():
    values = (1, 2, 3, 4, 5)
    up = asked("scale", values=values, level="ordinal", best="high")
    assert [on_scale(up, quality) for quality in (-9, 0, 9)] == [1, 3, 5]
    down = asked("scale", values=values[::-1], level="ordinal", best="high")
    assert [on_scale(down, quality) for quality in (-9, 0, 9)] == [1, 3, 5], "a scale written from its top is no other"
    good = asked("scale", values=values, level="ordinal", best="low")
    assert [on_scale(good, quality) for quality in (-9, 0, 9)] == [5, 3, 1]
    words = asked("scale", values=("bad", "fair", "good"), level="ordinal", best="high")
    assert [on_scale(words, quality) for quality in (-9, 0, 9)] == ["bad", "fair", "good"]
    fifths = [on_scale(up, quality) for quality in np.linspace(-3, 3, 2001)]
    assert sorted(fifths) == fifths and set(fifths) == set(values)


def test_who_never_errs_gives_the_known_answer_and_who_never_reads_gives_none():
    rng = np.random.default_rng(1)
    slider, number = asked("slider", low=0, high=100, best="high"), asked("number", best="low")
    scale = asked("scale", values=(1, 2, 3), level="ordinal", best="high")
    for criterion, gold, answer in ((slider, "70", 70), (number, "3.5", 3.5), (scale, "2", 2), (scale, "9", None)):
        assert known(criterion, gold, EXACT, rng) == answer
        assert known(criterion, gold, CARELESS, rng) is None
    noisy = Traits(severity=0.0, noise=2.0, drift=0.0, inattention=0.1, copying=0.0)
    drawn = [known(slider, "50", noisy, rng) for _ in range(4000)]
    given = [one for one in drawn if one is not None]
    assert 1 - len(given) / 4000 == pytest.approx(0.1 + 2.0 / 10, abs=0.03), "inattention, and a tenth of the noise"
    assert np.mean(given) == pytest.approx(50, abs=1) and np.std(given) == pytest.approx(100 * 0.05 * 2, rel=0.1)
    near_the_end = [known(slider, "99", noisy, rng) for _ in range(200)]
    assert max(one for one in near_the_end if one is not None) == 100


def test_differences_that_nobody_notices_are_ties_and_ranks_shared():
    assert preferred(("a", "b"), (1.0, 0.71), True) == preferred(("a", "b"), (0.71, 1.0), True) == "tie"
    assert preferred(("a", "b"), (1.0, 0.69), True) == "a" and preferred(("a", "b"), (0.69, 1.0), True) == "b"
    assert preferred(("a", "b"), (1.0, 0.99), False) == "a" and preferred(("a", "b"), (0.99, 1.0), False) == "b"
    assert ranks((0.1, 2.0, -1.0), False) == [2, 1, 3]
    assert ranks((0.0, 0.01, 3.0), True) == [2, 2, 1] and ranks((0.0, 0.01, 3.0), False) == [3, 2, 1]


def spans(**more):
    severities = ({"key": "minor", "label": "Minor", "weight": 1}, {"key": "major", "label": "Major", "weight": 5})
    return asked("spans", severities=severities, values=("accuracy", "omission"), **more)


def test_an_exact_rater_marks_what_is_there_where_the_study_asks_for_it():
    marks = [Mark(2, 5, 0.9, 0.1, 0.0), Mark(7, 9, 0.1, 0.1, 0.0), Mark(0, 3, 0.9, 0.1, 0.0, side="source")]
    lengths = {"target": 0, "source": 10}
    rng = np.random.default_rng(2)

    def found(criterion):
        marked = errors_of(criterion, marks, lengths | {"target": 12}, EXACT, 0.0, rng)
        return [(one.side, one.start, one.end, one.category, one.severity) for one in marked]

    target = [("target", 2, 5, "accuracy", "major"), ("target", 7, 9, "accuracy", "minor")]
    missing = ("source", 0, 3, "omission", "major")
    # Now and then an error that is not there is marked: look at those that are.
    assert [one for one in found(spans()) if one[:3] in {(*two[:3],) for two in target}] == target
    assert missing in found(spans(omissions=True)) and missing in found(spans(sides=("target", "source")))
    assert missing not in found(spans())
    assert found(spans(max_spans=1)) == target[:1]


def test_an_invented_error_lies_within_its_text_and_is_seldom():
    rng = np.random.default_rng(3)
    for length, careless, expected in ((20, EXACT, 0.05), (20, CARELESS, 0.15), (2, CARELESS, 0.15), (0, CARELESS, 0)):
        made = [errors_of(spans(), [], {"target": length, "source": 9}, careless, 0.0, rng) for _ in range(4000)]
        assert np.mean([len(one) for one in made]) == pytest.approx(expected, abs=0.02)
        assert all(0 <= one.start < one.end <= length for many in made for one in many)
        assert all(one.end - one.start <= 4 for many in made for one in many)


def test_hidden_errors_are_missed_by_the_lenient_and_seen_by_the_strict():
    rng = np.random.default_rng(4)
    marks = [Mark(place, place + 1, 0.5, 0.1, visible) for place, visible in enumerate(np.linspace(0, 0.999, 200))]

    def seen(strictness):
        return len(errors_of(spans(), marks, {"target": 0, "source": 0}, EXACT, strictness, rng)) / 200

    assert [seen(one) for one in (-1.0, 0.0, 1.0)] == pytest.approx([share(0), share(1), share(2)], abs=0.01)


def test_worse_texts_have_more_errors_each_on_a_word_of_its_own():
    rng = np.random.default_rng(5)
    text = "one two  three four five six seven eight nine ten"
    words = {(start, start + len(word)) for word in text.split() for start in [text.index(word)]}
    for quality in (-1.0, 0.0, 1.0):
        made = [true_marks(text, quality, rng) for _ in range(2000)]
        assert np.mean([len(one) for one in made]) == pytest.approx(0.9 * np.exp(-0.7 * quality), rel=0.1)
        assert {(one.start, one.end) for many in made for one in many} <= words
        assert all(sorted({one.start for one in many}) == [one.start for one in many] for many in made)
    assert {(one.start, one.end) for _ in range(99) for one in true_marks("翻译的质", -3.0, rng)} == {(0, 2), (2, 4)}


def test_a_trait_of_a_named_rater_is_that_raters_and_the_others_have_theirs():
    traits = RaterTraits(severity={"R2": 1.5, "": 0.0}, noise={"R1": 0.1, "": 0.7}, drift={"R3": 0.2}, copying=0.25)
    drawn = draw_raters(traits, ("R1", "R2", "R3"), np.random.default_rng(6))
    assert [one.severity for one in drawn.values()] == [0, 1.5, 0]
    assert [one.noise for one in drawn.values()] == [0.1, 0.7, 0.7]
    assert [one.drift for one in drawn.values()] == [0, 0, 0.2]
    assert {one.copying for one in drawn.values()} == {0.25}
    with pytest.raises(OptionError, match="drift names the rater 'R9', but the plan has R1 to R3"):
        draw_raters(RaterTraits(drift={"R9": 1}), ("R1", "R2", "R3"), np.random.default_rng(6))


@pytest.mark.parametrize("name", ["inattention", "copying"])
def test_a_share_has_both_its_ends_and_nothing_beyond(name):
    for good in (0.0, 1.0, {"R1": 1.0}):
        RaterTraits(**{name: good})
    for bad in (-0.01, 1.01, {"R1": 2.0}):
        with pytest.raises(OptionError, match=f"{name} is a share"):
            RaterTraits(**{name: bad})
    RaterTraits(noise=0.0)
    with pytest.raises(OptionError, match="noise is a spread"):
        RaterTraits(noise=-0.01)


def test_the_smallest_difference_is_that_of_printed_quantiles_of_t():
    # Any printed table: with 9 degrees of freedom t is 2.262 at .975 and 0.883 at .8; with 1 it is 12.706 and 1.376.
    assert smallest_difference(10, 3, 1.0, power=0.5) == pytest.approx(2.262 * sqrt(2 / 10), abs=5e-4)
    assert smallest_difference(10, 3, 1.0) == pytest.approx((2.262 + 0.883) * sqrt(2 / 10), abs=1e-3)
    assert smallest_difference(10, 4, 0.0) == pytest.approx(smallest_difference(10, 3, 1.0) / 2)
    assert smallest_difference(2, 1, 0.6) == pytest.approx(12.706 + 1.376, abs=1e-3)
    assert smallest_difference(10, 2, 0.5) == pytest.approx(smallest_difference(10, 2, 1.0) * sqrt(0.75))
    assert smallest_difference(10, 3, 1.0, level=0.9, power=0.5) == pytest.approx(1.833 * sqrt(2 / 10), abs=5e-4)
    assert np.isinf(smallest_difference(10, 0, 0.5))


@pytest.mark.parametrize("guess", [0.0, 0.25, 0.81])
def test_the_share_of_true_labels_is_the_root_of_alpha(guess):
    # Two raters meet in a label beyond chance where both give the true one: its share squared.
    assert calibrated(TWO, guess, "krippendorff_alpha", np.random.default_rng(7)) == pytest.approx(sqrt(guess))


def test_a_calibrated_signal_rises_with_the_guess_and_gives_it_back():
    found = [calibrated(FIVE, guess, "krippendorff_alpha", np.random.default_rng(8)) for guess in (0.2, 0.5, 0.8)]
    assert found == sorted(found) and 0.2 < found[0] < found[-1] < 0.95


def test_a_wider_level_holds_more_of_the_studies_and_the_interval_is_told_with_its_design():
    design = np.ones((40, 3), dtype=bool)
    design[0, 1:] = False
    narrow, wide = (
        expected_interval(design, TWO, 0.5, np.random.default_rng(9), level=level, studies=200) for level in (0.5, 0.95)
    )
    assert narrow.interval.low > wide.interval.low and narrow.interval.high < wide.interval.high
    assert (wide.items, wide.raters, wide.ratings) == (39, 3, 117), "an item of one rater counts nowhere"
    assert wide.width == wide.interval.high - wide.interval.low
    assert (wide.interval.level, wide.interval.replicates, wide.interval.undefined) == (0.95, 200, 0)


def test_studies_that_mostly_have_no_value_are_refused_in_words():
    with pytest.raises(NotEnoughDataError, match="in most simulated studies"):
        expected_interval(np.ones((2, 2), dtype=bool), TWO, 0.999, np.random.default_rng(10), studies=40)


@pytest.mark.parametrize("width", [0.0, -1.0, 2.0, 2.5])
def test_a_width_that_no_interval_can_have_is_refused(width):
    for needed in (items_needed, raters_needed):
        with pytest.raises(OptionError, match=f"between 0 and 2, not {width:g}"):
            needed(width, 3, TWO, 0.5, np.random.default_rng(11))


def test_more_items_than_are_allowed_are_refused_and_a_wide_interval_needs_few():
    with pytest.raises(NotEnoughDataError, match="more than 50 items"):
        items_needed(0.1, 2, TWO, 0.5, np.random.default_rng(12), studies=50, most=50)
    assert items_needed(1.9, 3, TWO, 0.5, np.random.default_rng(13), studies=50) <= 8


def test_a_grid_has_half_the_items_as_many_twice_and_four_times_by_two_to_eight_raters():
    grid = width_grid(20, TWO, 0.5, np.random.default_rng(14), studies=20)
    assert grid.items.tolist() == [10, 20, 40, 80] and grid.raters.tolist() == [2, 3, 5, 8]
    assert grid.widths.shape == (4, 4)
    assert width_grid(3, TWO, 0.5, np.random.default_rng(15), studies=20).items.tolist() == [4, 6, 12]
