"""Words fit numbers: every sentence is said where it is true, and is not where it is not."""

import numpy as np
import polars as pl
import pytest

import accord
from accord.coefficients.alpha_noise import RaterNoise
from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.reported import REPORTED, Use, reported
from accord.design.scale import Level
from accord.inference.interval import Interval
from accord.reliability.answer import answers_of
from accord.reliability.cautions import SIGNS
from accord.reliability.estimate import Estimate
from accord.reliability.sentences import GAIN, MORE, ORDER, RATERS, VERDICTS, Apart, Evidence, more_of
from accord.reliability.signs.amount import AS_SCORES
from accord.reliability.signs.use_of_values import ALIKE_ITEMS
from accord.reliability.units import too_few
from accord.sentences import chosen

NAN = float("nan")


def estimate(
    key="krippendorff_alpha", value=0.7, low=0.6, high=0.8, items=100, cautions=(), question="other items", noise=None
):
    interval = None if low is None else Interval(low=low, high=high, method="test")
    return Estimate(
        coefficient=key, title=COEFFICIENTS[key].title, value=value, interval=interval, items=items, raters=3,
        signature="", cautions=cautions, rater_noise=noise,
        question=question if question.endswith("raters") else f"{question}, these 3 raters",
    )  # fmt: skip


def alpha(low, high, **more):
    return Evidence(lead=estimate(value=(low + high) / 2, low=low, high=high, **more))


def with_order(low, high, *, apart=(), cautions=(), of=0.5):
    lead = estimate(value=of, low=of - 0.1, high=of + 0.1)
    order = estimate("gamma", (low + high) / 2, low, high, cautions=cautions)
    return Evidence(lead=lead, order=order, apart=apart)


BEN = Apart("Ben", -0.8, "strict")
ARTEFACT = (f"columns are sorted; {SIGNS['sorted_raters'].consequence}",)
FLEISS = Evidence(lead=estimate("fleiss_kappa", 0.5, 0.45, 0.7))

# Each sentence with ratings that make it true and the nearest that must not trigger it, and words it must have.
VERDICT_CASES = {
    "undefined": (
        Evidence(lead=estimate(value=NAN, low=None, cautions=("undefined: one value",))),
        alpha(0.1, 0.2),
        "no value can be computed, as one value",
    ),
    "few_documents": (
        Evidence(lead=estimate(low=None, cautions=(too_few(63, 3),))),
        Evidence(lead=estimate(low=None, cautions=(too_few(9, None),))),
        "too little to judge by, as the items come from 3 documents",
    ),
    "no_interval": (
        Evidence(lead=estimate(low=None, cautions=("no interval: all values alike",))),
        alpha(0.1, 0.2),
        "too little to judge by, as all values alike",
    ),
    "worse_than_chance": (alpha(-0.4, -0.1), alpha(-0.4, 0.0), "less than by chance"),
    "few_items": (alpha(0.85, 0.95, items=29), alpha(0.85, 0.95, items=30), "too few items for a verdict"),
    "chance": (alpha(-0.1, 0.9), alpha(0.01, 0.9), "not shown to be better than chance"),
    "unreliable": (alpha(0.1, 0.66), alpha(0.1, 0.67), "below .667"),
    "not_shown": (alpha(0.66, 0.95), alpha(0.67, 0.95), "not shown to reach .667"),
    "tentative": (alpha(0.67, 0.95), alpha(0.8, 0.95), "shown to reach .667, which"),
    "reliable": (alpha(0.8, 0.95), alpha(0.79, 0.95), "shown to reach .8"),
    "band": (FLEISS, alpha(0.8, 0.95), "at least moderate on the scale of Landis and Koch"),
}
ORDER_CASES = {
    "alike_but_apart": (with_order(0.6, 0.9, apart=(BEN,)), with_order(0.6, 0.9), "but Ben is stricter by 0.80"),
    "apart": (with_order(0.2, 0.9, apart=(BEN,)), with_order(0.2, 0.9), "Compared with the other raters, Ben is"),
    "alike": (with_order(0.5, 0.9), with_order(0.49, 0.9), "Raters order the items alike (γ 0.70)"),
    "opposite": (with_order(-0.9, -0.5), with_order(-0.9, -0.4), "the opposite way round (γ -0.70)"),
    "not_alike": (with_order(-0.2, 0.29), with_order(-0.2, 0.3), "Raters do not order the items alike"),
}
MORE_CASES = {
    "as_scores": (
        Evidence(lead=estimate(low=None, cautions=(f"only 3 items have two or more ratings; {AS_SCORES}",))),
        Evidence(lead=estimate(low=None, cautions=("only 3 items have two or more ratings: they say little",))),
        "So few say more as scores, each with its interval: accord score --ratings",
    ),
    "alike_items": (
        Evidence(lead=estimate(low=0.1, high=0.66, cautions=(f"good takes 92%; {ALIKE_ITEMS}; read AC1",))),
        Evidence(lead=estimate(low=0.67, high=0.9, cautions=(f"good takes 92%; {ALIKE_ITEMS}; read AC1",))),
        "One value takes most ratings, so α says little about the others",
    ),
    "not_by_items": (alpha(0.1, 0.66), alpha(0.1, 0.67), "More items would not raise it"),
    "other_raters_too": (
        alpha(0.6, 0.8, question="other items and other raters"),
        alpha(0.6, 0.8, question="other items, these 2 raters"),
        "More items alone may not narrow it: it is about other raters too",
    ),
    "other_documents": (alpha(0.6, 0.8, question="other documents"), alpha(0.6, 0.8), "in other documents"),
    "other_items": (alpha(0.6, 0.8), alpha(0.66, 0.75), "About 300 more items would give ±0.05"),
}
# A half width of 0.1 is a standard error of 0.051: all of its variance is 0.0026.
RATERS_CASES = {
    "raters_cannot": (
        alpha(0.6, 0.8, noise=RaterNoise(0.001, 4)),
        alpha(0.6, 0.8, noise=RaterNoise(0.002, 4)),
        "; more raters alone cannot (±0.08 at best)",
    ),
    "raters_can": (
        alpha(0.6, 0.8, noise=RaterNoise(0.0026, 4)),
        alpha(0.6, 0.8),
        ", and so would about 13 more raters of every item",
    ),
}
GAIN_CASES = {
    "too_low": (alpha(0.5, 0.8), alpha(0.6, 0.8), ". If α stays at 0.65, .667 is out of reach: raters have to agree"),
    "enough": (alpha(0.6, 0.9), alpha(0.6, 0.8), ", which would show .667 if α stays as it is"),
}
TABLES = (
    (VERDICTS, VERDICT_CASES), (ORDER, ORDER_CASES), (MORE, MORE_CASES), (RATERS, RATERS_CASES), (GAIN, GAIN_CASES),
)  # fmt: skip
ALL = [(table, key, *case) for table, cases in TABLES for key, case in cases.items()]


@pytest.mark.parametrize(("table", "key", "true", "near", "words"), ALL, ids=[case[1] for case in ALL])
def test_a_sentence_is_said_where_it_is_true_and_nowhere_else(table, key, true, near, words):
    said = chosen(table, true)
    assert said is not None
    assert said.key == key
    assert words in said.said(true)
    other = chosen(table, near)
    assert other is None or other.key != key


def test_every_sentence_of_the_tables_is_walked():
    for table, cases in TABLES:
        assert [sentence.key for sentence in table] == list(cases)


def test_sorted_columns_say_nothing_of_the_order_of_people():
    assert chosen(ORDER, with_order(0.6, 0.9, cautions=ARTEFACT)) is None


def test_nothing_is_said_of_order_where_agreement_is_shown_anyway():
    assert chosen(ORDER, with_order(0.9, 0.95, of=0.95)) is None


def test_more_items_are_not_asked_for_where_they_would_change_nothing():
    assert chosen(MORE, alpha(0.8, 1.0)) is None
    assert chosen(MORE, alpha(0.79, 1.0)).key == "other_items"
    # Too few for a verdict: neither is known to be enough, nor that items would not help.
    assert chosen(MORE, alpha(0.8, 1.0, items=29)).key == "other_items"
    assert chosen(MORE, alpha(0.1, 0.6, items=29)).key == "other_items"


def test_items_are_advised_with_what_they_would_change():
    assert more_of(alpha(0.68, 0.84)).endswith("If α stays at 0.76, .8 is out of reach: raters have to agree more")
    assert more_of(alpha(0.7, 0.96)).endswith("more items would give ±0.05")
    assert more_of(alpha(0.75, 0.97)).endswith("would give ±0.05, which would show .8 if α stays as it is")
    assert "stays" not in more_of(alpha(0.5, 0.8, items=29))


@pytest.mark.parametrize(("key", "words"), [("cohen_kappa", "not shown to be better than chance"), ("gamma", "")])
def test_chance_is_spoken_of_only_where_it_is_taken_out(key, words):
    said = chosen(VERDICTS, Evidence(lead=estimate(key, 0.2, -0.1, 0.5)))
    assert (said.key == "chance") == bool(words) if said else not words


def test_a_scale_that_was_asked_for_is_the_one_that_is_read():
    seen = Evidence(lead=estimate(value=0.5, low=0.45, high=0.55), scale="altman")
    assert chosen(VERDICTS, seen).said(seen) == "at least moderate on the scale of Altman (1991)"


def test_so_many_more_items_follow_the_square_root():
    # Four times the items halve the interval: 300 more than 100 for a half width of 0.1 to become 0.05.
    assert alpha(0.6, 0.8).more_items() == (300, 0.05)
    # A wider interval must do where 0.05 would take more than ten times the items there are.
    assert alpha(0.2, 1.0).more_items()[1] == 0.2


def test_raters_are_spoken_of_only_where_more_items_are():
    noise = RaterNoise(0.001, 4)
    assert more_of(alpha(0.6, 0.8, noise=noise)) == (
        "About 300 more items would give ±0.05; more raters alone cannot (±0.08 at best)"
    )
    assert more_of(alpha(0.1, 0.6, noise=noise)) == "More items would not raise it: what raters do has to change"
    assert more_of(alpha(0.8, 1.0, noise=noise)) == ""


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("raters", [2, 3, 20])
@pytest.mark.parametrize("use", [None, *Use])
def test_there_is_something_to_report_for_all_ratings_and_uses(level, raters, use):
    row = reported(level, raters, use)
    fits = [COEFFICIENTS[key] for key in row.keys]
    assert all(level in spec.levels and raters in spec.raters for spec in fits)
    assert all(COEFFICIENTS[key].pairwise for key in row.pairs)


def test_a_reason_speaks_only_of_what_is_shown():
    row = reported(Level.ORDINAL, 3)
    assert "γ shows" in row.reason(row.keys)
    assert row.reason(["krippendorff_alpha", "percent_agreement"]).endswith("the same value")
    assert row.reason(["percent_agreement"]).startswith("where all ratings are the same, no coefficient")


def test_no_two_rows_fit_the_same_ratings():
    for level in Level:
        for raters in (2, 3):
            for use in (None, *Use):
                assert sum(row.fits(level, raters, use) for row in REPORTED) <= 1


def ratings_of(offset=0.0, seed=1, direction="high"):
    """Sixty items on 1 to 7 by four raters, of whom Ben lies apart by so much."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(4, 1.5, size=(60, 1))
    seen = truth + rng.normal(0, 0.5, size=(60, 4)) + np.array([0, offset, 0, 0])
    values = np.clip(np.rint(seen), 1, 7)
    rows = [
        {"item": f"i{item:02}", "rater": name, "value": float(values[item, place])}
        for item in range(60)
        for place, name in enumerate(("Ana", "Ben", "Cy", "Dev"))
    ]
    return accord.read(pl.DataFrame(rows), level="ordinal", scale="1..7", direction=direction)


def answer_with_findings(ratings, **options):
    result = accord.agreement(ratings).with_findings([accord.diagnose(ratings).findings])
    (answer,) = answers_of(result, name="quality", **options).leading
    return answer


def test_the_stricter_rater_is_named_where_raters_order_alike():
    answer = answer_with_findings(ratings_of(-1.5))
    assert "Raters order the items alike (γ 0." in answer.text
    assert "but Ben is stricter by 1." in answer.text


def test_the_same_ratings_are_lenient_where_low_is_good_and_only_lower_where_nobody_said():
    assert "Ben is more lenient by 1." in answer_with_findings(ratings_of(-1.5, direction="low")).text
    assert "lower" in answer_with_findings(ratings_of(-1.5, direction=None)).text


def test_nobody_is_named_where_raters_are_equally_strict():
    answer = answer_with_findings(ratings_of(0.0))
    assert "Ben" not in answer.text
    assert answer.verdict in ("tentative", "reliable")


@pytest.mark.parametrize(
    ("use", "lead"),
    [(None, "krippendorff_alpha"), ("ranking", "kendall_tau_b"), ("scores", "krippendorff_alpha"),
     ("labels", "fleiss_kappa")],
)  # fmt: skip
def test_the_use_of_the_ratings_decides_what_is_reported_first(use, lead):
    answer = answer_with_findings(ratings_of(), use=use)
    assert answer.lead.coefficient == lead
    assert len(answer.rows) == 3
    assert answer.reason
    assert answer.others == len(answer.group.estimates) - 3


def test_numbers_of_sorted_columns_are_not_among_those_to_report():
    rng = np.random.default_rng(0)
    values = np.sort(np.clip(np.rint(rng.normal(3, 1, (80, 1)) + rng.normal(0, 0.8, (80, 3))), 1, 5), axis=1)
    rows = [
        {"item": f"i{item}", "rater": f"column{place}", "value": float(values[item, place])}
        for item in range(80)
        for place in range(3)
    ]
    answer = answer_with_findings(accord.read(pl.DataFrame(rows), level="ordinal", scale="1..5"))
    assert [one.coefficient for one in answer.rows] == ["krippendorff_alpha", "percent_agreement"]
    assert "Check this first: the columns column0 ≤ column1 ≤ column2" in answer.text
    assert "order the items alike" not in answer.text


def test_many_answers_are_summed_up_in_one_sentence():
    rng = np.random.default_rng(2)
    rows = [
        {"item": f"i{item}", "rater": rater, "value": int(rng.integers(1, 5)), "criterion": f"c{number}"}
        for number in range(6)
        for item in range(40)
        for rater in "ab"
    ]
    summary = answers_of(accord.agreement(accord.read(pl.DataFrame(rows)))).summary
    assert summary.startswith("α runs from ")
    assert "Of 6: " in summary
    # A coefficient without a verdict is not counted by its own value.
    plain = answers_of(accord.agreement(accord.read(pl.DataFrame(rows)), coefficients="percent_agreement"), asked=True)
    assert plain.summary.endswith("Of 6: 6 without a verdict.")


def all_alike(level):
    rows = [{"item": f"s{item}", "rater": rater, "value": 5} for item in range(40) for rater in "ABC"]
    return answers_of(accord.agreement(accord.read(pl.DataFrame(rows), level=level))).parts[0]


def test_where_alpha_has_no_value_the_answer_says_why_and_counts_only_what_has_one():
    answer = all_alike("ordinal")
    assert answer.lead.coefficient == "percent_agreement"
    assert answer.sentences[-1] == "Krippendorff's α has no value, as all ratings have the same value."
    assert "α" not in answer.reason
    assert answer.others == 1  # weighted agreement


def test_the_reason_for_numbers_speaks_of_the_coefficients_shown():
    row = reported(Level.INTERVAL, 5)
    assert row.reason(["krippendorff_alpha", "pearson"]) == (
        "α takes any number of raters and missing ratings; r shows whether raters go up and down together, however "
        "strict they are"
    )


@pytest.mark.parametrize(
    ("values", "use", "note"),
    [("abc", "ranking", "labels have no order"), ("abc", "labels", ""),
     (range(40), "labels", "these values are numbers")],
)  # fmt: skip
def test_a_use_that_changes_nothing_is_said_to(values, use, note):
    rows = [
        {"item": f"s{item}", "rater": rater, "value": list(values)[item % len(values)]}
        for item in range(40) for rater in "AB"
    ]  # fmt: skip
    notes = " ".join(answers_of(accord.agreement(pl.DataFrame(rows)), use=use).notes)
    assert (note in notes) if note else ("changes nothing" not in notes)
