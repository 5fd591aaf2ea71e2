"""MQM scores, arbitration and calibrated scores."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import accord
import accord.scoring
from accord.errors import AccordError, NotEnoughDataError, OptionError
from accord.ratings.codebook import LeftOut
from accord.ratings.data_package import write_codebook
from accord.ratings.leaving_out import ASKED
from accord.scoring import (
    MqmError,
    arbitrated,
    calibrated_score,
    mqm_segments,
    mqm_systems,
    penalty_points,
    read_mqm_errors,
    repeated_errors,
)  # fmt: skip
from accord.scoring.mqm import Ruling, SegmentMqm
from accord.scoring.mqm_reviewers import critical_errors, reviewers_apart

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "mqm-errors.csv"


def error(category, severity, item="i", rater="r", **more):
    return MqmError(item=item, rater=rater, category=category, severity=severity, **more)


@pytest.mark.parametrize(
    ("category", "severity", "weight"),
    [
        ("Accuracy/Mistranslation", "Major", 5),
        ("Style/Awkward", "minor", 1),
        ("Source issue", "Neutral", 0),
        ("Non-translation!", "Major", 25),
        ("Fluency/Punctuation", "Minor", 0.1),
        ("Fluency/Punctuation", "Major", 5),
    ],
)
def test_the_most_specific_weight_wins(category, severity, weight):
    assert error(category, severity).weight == weight


def test_every_one_of_3120_released_scores_is_reproduced_from_its_errors(data):
    made = {
        (s.item, s.rater): (s.score, s.errors)
        for s in mqm_segments(read_mqm_errors(data / "mqm3_wmt23_ende_errors.csv"))
    }
    with (data / "mqm3_wmt23_ende.csv").open() as file:
        rows = list(csv.DictReader(file))
    released = {(row["item"], row["rater"]): (float(row["score"]), int(row["n_errors"])) for row in rows}
    assert len(released) == 3120
    assert made == released


def test_a_limit_keeps_the_heaviest_errors_of_a_segment():
    found = [error("Accuracy/Omission", "Minor")] * 6 + [error("Accuracy/Omission", "Major")]
    assert mqm_segments(found)[0].score == -11
    assert mqm_segments(found, limit=5)[0].score == -9
    assert mqm_segments(found, limit=5)[0].errors == 7


def test_a_segment_without_errors_scores_zero_and_still_counts():
    found = [error("No-error", "No-error", item="a", system="S"), error("Style/Awkward", "Minor", item="b", system="S")]
    assert mqm_systems(mqm_segments(found)) == {"S": -0.5}


def test_systems_average_raters_first_and_items_second():
    found = [
        error("Style/Awkward", "Minor", item="a", rater="1", system="S"),
        error("Accuracy/Omission", "Major", item="a", rater="2", system="S"),
        error("No-error", "No-error", item="b", rater="1", system="S"),
    ]
    assert mqm_systems(mqm_segments(found)) == {"S": -1.5}


def test_arbitration_gives_points_before_and_after_and_the_share_overturned():
    first, second = arbitrated(read_mqm_errors(EXAMPLE))
    assert (first.reviewer, first.accepted, first.rejected, first.downgraded) == ("R1", 4, 1, 1)
    assert (first.before, first.after) == pytest.approx((21.1, 15.1))
    assert first.overturned == pytest.approx(1 / 3)
    assert second.overturned == 0


def test_a_downgrade_to_something_heavier_is_refused():
    with pytest.raises(AccordError, match="weighs more"):
        arbitrated([error("Style/Awkward", "Minor", ruling=Ruling.DOWNGRADE, downgraded_to="Major")])


def test_an_error_counted_twice_is_pointed_out():
    ((found, times),) = repeated_errors(read_mqm_errors(EXAMPLE))
    assert (found.rater, found.text, times) == ("R1", "login", 2)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("i,r,Style/Awkward,Terrible,", "'Terrible' has no weight"),
        ("i,r,Style/Awkward,Minor,perhaps", "'perhaps' is none of"),
    ],
)
def test_an_unknown_severity_or_ruling_is_an_error_and_never_zero(tmp_path, row, words):
    file = tmp_path / "e.csv"
    file.write_text(f"item,rater,category,severity,ruling\n{row}\n")
    with pytest.raises(AccordError) as told:
        read_mqm_errors(file)
    assert words in str(told.value)


def test_the_calibrated_score_is_the_passing_score_at_the_acceptable_points():
    edge = calibrated_score(20, 2000, passing=90, acceptable=10)
    assert (edge.calibrated, edge.raw, edge.passes) == (90, 99, True)
    assert not calibrated_score(20.1, 2000, passing=90, acceptable=10).passes
    assert calibrated_score(0, 2000, passing=90, acceptable=10).calibrated == 100


def test_one_critical_error_fails_whatever_the_score():
    made = calibrated_score(0, 2000, passing=90, acceptable=10, criticals=1)
    assert not made.passes
    assert made.verdict == "FAIL"


def test_penalty_points_have_an_interval_and_may_be_undecided_where_the_rule_passes():
    made = calibrated_score(15, 2000, passing=90, acceptable=10, reviewers=["Ann"])
    low, high = made.ends
    assert low < made.calibrated < high <= 100
    assert made.passes
    assert made.verdict == "UNDECIDED"
    assert "by Ann" in str(made)
    assert "By the rule of MQM 2.0, which takes the score as it is: PASS." in str(made)
    assert calibrated_score([400, 500, 450], 2000, passing=90, acceptable=10).verdict == "FAIL"


def test_a_critical_error_weighs_25_points():
    assert error("Accuracy", "Critical").weight == 25


def test_the_interval_of_a_system_is_that_of_a_t_test_over_documents_where_one_rater_judged():
    from scipy import stats

    from accord.scoring.mqm import SegmentMqm
    from accord.scoring.mqm_means import system_intervals

    rng = np.random.default_rng(2)
    scores = -rng.poisson(3, (8, 4)).astype(float)
    rows = [SegmentMqm(f"{d}:{k}", "r", "A", f"d{d}", scores[d, k], 1) for d in range(8) for k in range(4)]
    found = system_intervals(rows)["A"]
    means = scores.mean(axis=1)
    # By the delta method: t on the logarithm of the mean penalty.
    low, high = stats.t.interval(0.95, 7, np.log(-means.mean()), means.std(ddof=1) / np.sqrt(8) / -means.mean())
    assert (found.low, found.high) == pytest.approx((-np.exp(high), -np.exp(low)))
    assert "this rater" in found.method
    both = system_intervals([*rows, *(SegmentMqm(r.item, "s", "A", r.document, r.score - 1, 1) for r in rows)])["A"]
    assert "two raters with the usual spread" in both.method
    assert both.width > found.width
    assert system_intervals(rows[:12])["A"] is None  # three documents
    lone = system_intervals([SegmentMqm(f"{d}", "r", "A", f"d{d}", -5.0 * (d == 0), 1) for d in range(4)])["A"]
    assert lone.high < 0
    # One long document and seven short ones tell less than eight equal ones.
    uneven = [
        SegmentMqm(f"{d}:{k}", "r", "A", f"d{d}", r, 1) for d, own in enumerate(scores) for k, r in enumerate(own)
    ]
    longer = [SegmentMqm(f"0:{k}", "r", "A", "d0", scores[0, k % 4], 1) for k in range(4, 40)]
    of_uneven = system_intervals([*uneven, *longer])["A"]
    assert of_uneven.high / of_uneven.low < found.high / found.low


def test_penalty_points_are_0_1_5_25_and_never_guessed():
    assert penalty_points(["Neutral", "Minor", "Major", "Critical"]) == 31
    with pytest.raises(AccordError, match="has no points"):
        penalty_points(["Awful"])


@pytest.mark.parametrize("change", [{"words": 0}, {"points": -1}, {"passing": 100}, {"acceptable": 0}])
def test_impossible_samples_are_refused(change):
    with pytest.raises(AccordError):
        calibrated_score(**({"points": 5, "words": 100, "passing": 90, "acceptable": 10} | change))


def test_the_command_scores_errors_and_small_samples(accord_command):
    told = json.loads(
        accord_command("mqm", EXAMPLE, "--count", "5", "--words", "1000", "--acceptable", "10", "--json").stdout
    )
    assert told["systems"][0]["system"] == "Aster"
    assert told["error_rate"]["verdict"] == "UNDECIDED"
    done = accord_command("mqm", "--points", "5")
    assert done.returncode == 2
    assert "needs --points, --words, --passing and --acceptable" in done.stderr


def test_every_public_name_of_the_room_can_be_imported_and_no_module_hides_it():
    for name in accord.scoring.__all__:
        assert not isinstance(getattr(accord.scoring, name), ModuleType)
        assert not isinstance(getattr(accord.scoring, name), ModuleType)  # nor after its module was imported


def test_two_raters_borrow_the_usual_spread_of_raters():
    from accord.scoring.mqm import SegmentMqm
    from accord.scoring.mqm_means import system_intervals

    rows = [
        SegmentMqm(f"{d}:{k}", rater, "A", f"d{d}", -penalty * (1 + (d + k) % 3), 1)
        for rater, penalty in (("r", 1.0), ("s", 4.0)) for d in range(8) for k in range(4)
    ]  # fmt: skip
    found = system_intervals(rows)["A"]
    centre = np.mean([one.score for one in rows])
    # By hand: variance (6 x .59^2 + ln(4)^2 / 2) / 7 of one rater, half of it of two, t(7) = 2.365.
    least = 2.365 * np.sqrt((6 * 0.59**2 + np.log(4) ** 2 / 2) / 7 / 2)
    assert found.low < centre * np.exp(least)
    assert found.low > centre * np.exp(1.2 * least)
    assert found.low * found.high == pytest.approx(centre**2)
    assert "usual spread of raters, 0.59" in found.method


PENALTIES = "item,rater,system,document,value\n" + "".join(
    f"i{item},{rater},{system},d{item // 3},{5 * (rater == 'C') + (item + place) % 3}\n"
    for item in range(12)
    for system in "XY"
    for place, rater in enumerate("ABC")
)


def test_raters_are_left_out_of_penalties_by_name_and_by_the_codebook(tmp_path):
    import accord

    path = tmp_path / "penalties.csv"
    path.write_text(PENALTIES, encoding="utf-8")
    book = accord.read(path, direction="low").codebook
    book = replace(book, left_out=(LeftOut(rater="C", rule="too_fast", reason="in a second"),))
    write_codebook(book, path, PENALTIES.split("\n", 1)[0].split(","))

    def raters(**options):
        answer = accord.mqm(path, **options)
        return [row["rater"] for row in answer.data["raters"]], answer.words

    assert raters()[0] == ["A", "B"] and any("left out: rater C, by the rule 'too fast'" in one for one in raters()[1])
    kept = raters(keep_all=True)
    assert kept[0] == ["A", "B", "C"] and any("kept, though left out before: rater C" in one for one in kept[1])
    assert raters(leave_out=["A"])[0] == ["B"] and raters(keep_all=True, leave_out=["C"])[0] == ["A", "B"]
    with pytest.raises(OptionError, match="no rater 'Z'"):
        accord.mqm(path, leave_out=["Z"])
    with pytest.raises(NotEnoughDataError, match="Every rater is left out"):
        accord.mqm(path, leave_out=["A", "B"])


def test_a_rater_whose_penalties_are_gone_already_is_named_and_no_error(tmp_path):
    import accord

    path = tmp_path / "penalties.csv"
    path.write_text("\n".join(line for line in PENALTIES.split("\n") if ",C," not in line), encoding="utf-8")
    book = replace(accord.read(path, direction="low").codebook, left_out=(LeftOut(rater="C", reason=ASKED),))
    write_codebook(book, path, PENALTIES.split("\n", 1)[0].split(","))
    for options in ({}, {"leave_out": ["C"]}, {"leave_out": ["C"], "keep_all": True}):
        answer = accord.mqm(path, **options)
        assert [row["rater"] for row in answer.data["raters"]] == ["A", "B"]
        assert "rater C is left out and gave none of these ratings." in answer.words
    with pytest.raises(OptionError, match="no rater 'Z' to leave out"):
        accord.mqm(path, leave_out=["Z"])


def test_who_is_left_out_of_the_ratings_is_left_out_of_the_errors_beside_them(tmp_path, accord_command):
    errors = "item,rater,system,document,category,severity\n" + "".join(
        f"i{item},{rater},X,d{item // 3},Accuracy,Major\n" for item in range(6) for rater in "AC"
    )
    (tmp_path / "errors.csv").write_text(errors, encoding="utf-8")
    (tmp_path / "penalties.csv").write_text(PENALTIES.replace(",Y,", ",X,"), encoding="utf-8")
    done = accord_command("mqm", "errors.csv", "--leave-out", "C", "--json")
    told = json.loads(done.stdout)
    assert [row["rater"] for row in told["raters"]] == ["A"]
    assert "left out: rater C: asked for in this analysis." in told["notes"]
    assert accord_command("mqm", "--count", "3", "--words", "100", "--keep-all").returncode == 2


def _sheet(tmp_path, errors):
    path = tmp_path / "errors.csv"
    rows = [f"{e.item},{e.rater},{e.item[:2]},{e.category if e.counts else 'No-error'},{e.severity}" for e in errors]
    path.write_text("\n".join(["item,rater,document,category,severity", *rows]) + "\n", encoding="utf-8")
    return path


def _unequal(many):
    """Ann finds an error in a third of 30 segments, Bob ``many`` in each of them."""
    items = [f"d{place % 6}-{place}" for place in range(30)]
    ann = [error("Accuracy", "No-error" if place % 3 else "Minor", item, "Ann") for place, item in enumerate(items)]
    return [*ann, *(error("Accuracy", "Minor", item, "Bob") for item in items for _ in range(many))]


def test_critical_errors_open_the_answer_with_who_and_where(tmp_path):
    errors = [*_unequal(1), *(error("Accuracy", "critical", item, "Ann") for item in ("d1-1", "d2-2", "d3-3", "d4-4"))]
    answer = accord.mqm(_sheet(tmp_path, errors))
    named = "4 critical errors: Ann in d1-1; Ann in d2-2; Ann in d3-3; 1 more. By the rule of MQM 2.0 one is enough"
    assert answer.opening[1].startswith(named)
    assert answer.data["critical_errors"][0] == {"rater": "Ann", "item": "d1-1", "system": ""}
    assert "critical" not in " ".join(accord.mqm(_sheet(tmp_path, _unequal(1))).opening)


def test_a_critical_error_that_was_rejected_is_none():
    stands, rejected = error("Accuracy", "Critical"), error("Accuracy", "Critical", ruling=Ruling.REJECT)
    assert critical_errors([rejected, stands]) == (stands,)


def test_reviewers_far_apart_are_named_with_their_ratio_and_its_interval(tmp_path):
    opening = accord.mqm(_sheet(tmp_path, _unequal(2))).opening
    assert opening[1].startswith(
        "Bob found 6.0 times as many errors as Ann: 60 and 10 in the same 30 segments (95% int"
    )
    assert len(accord.mqm(_sheet(tmp_path, [e for e in _unequal(2) if e.rater == "Bob"])).opening) == 1


def test_reviewers_who_find_alike_are_seldom_said_to_differ():
    rng = np.random.default_rng(5)
    said = 0
    for _ in range(300):
        # Counts whose variance is 3.3 times their mean, as the interval takes them to be.
        counts = rng.negative_binomial(20 / 2.3, 1 / 3.3, size=2)
        found = [SegmentMqm("a", rater, "", "", 0.0, int(n)) for rater, n in zip("AB", counts, strict=True)]
        said += reviewers_apart(found) is not None
    assert said <= 0.05 * 300


def test_of_many_pairs_the_furthest_apart_is_told_with_an_interval_for_all():
    found = [SegmentMqm("a", rater, "", "", 0.0, n) for rater, n in (("A", 10), ("B", 12), ("C", 90))]
    two, three = reviewers_apart([found[0], found[2]]), reviewers_apart(found)
    assert (three.more, three.less, three.pairs) == ("C", "A", 3)
    assert three.interval.low < two.interval.low < 9 < two.interval.high < three.interval.high
    none = reviewers_apart([SegmentMqm("a", "A", "", "", 0.0, 0), found[2]])
    assert str(none).startswith("C found 90 errors and A none in one segment (95% interval at least ")


def test_one_score_of_one_rater_is_printed_once(tmp_path, accord_command):
    one = _sheet(tmp_path, [e for e in _unequal(1) if e.rater == "Ann"])
    printed = accord_command("mqm", one).stdout
    assert printed.count("-0.33") == 1
    assert "-0.33 penalty points per segment" in printed
    assert accord_command("mqm", one, "--all").stdout.count("-0.33") == 3


def test_the_verdict_of_penalty_points_comes_first_and_the_rule_right_after_it():
    told = str(calibrated_score(30, 1000, passing=90, acceptable=10))
    assert told.startswith("UNDECIDED against 90. By the rule of MQM 2.0, which takes the score as it is: FAIL. ")
    assert "(95% interval for usual reviewers -43.31 to 95.61). The raw score is 97.00: 30 points in 1,000" in told
    failed = str(calibrated_score(0, 1000, passing=90, acceptable=10, criticals=1))
    assert failed.startswith("FAIL against 90: 1 critical error, and one is enough to fail. By the rule")


def test_the_critical_errors_that_are_named_do_not_depend_on_the_order_of_rows():
    from accord.scoring.mqm_reviewers import critical_words

    errors = [MqmError(item=f"d{n}", rater="Ann", category="Accuracy", severity="Critical") for n in (10, 2, 1, 3)]
    assert critical_words(critical_errors(errors)) == critical_words(critical_errors(errors[::-1]))
    assert critical_words(critical_errors(errors)).startswith("4 critical errors: Ann in d1; Ann in d2; Ann in d3")
