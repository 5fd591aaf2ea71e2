"""What is said fits what is shown: tests and intervals are one inference, and a bias in the table is told above it."""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import accord
from accord.inference.interval import Interval
from accord.judging.corrected import Correction, Sums
from accord.judging.errs import Effect
from accord.judging.words import steadiness_sentences
from accord.reporting.judge_page import judge_page


def test_the_test_of_a_difference_is_its_interval(make_study):
    """p lies below .05 where the 95% interval leaves 0 out, and nowhere else; at any level."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        system, document = np.repeat([0, 1, 2], 60), np.tile(np.repeat(np.arange(12), 5), 3)
        people = np.clip(np.round(rng.normal(4.2 + 0.25 * system, 0.7)), 1, 5)
        judge = np.clip(people + rng.integers(-1, 2, len(people)), 1, 5)
        people[document >= 6] = np.nan
        sums = Sums.of(system, document, people, judge, step=1, ends=(1, 5) if seed % 2 else None)
        for first, second in ((0, 1), (1, 2), (2, 0)):
            one = Correction(sums).difference(first, second)
            assert (one.p < 0.05) == (one.interval.low > 0 or one.interval.high < 0)
            edge = Correction(sums, 1 - one.p).difference(first, second).interval
            assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-4)


def _rows(liking, languages=("de",)):
    rng = np.random.default_rng(7)
    rows = []
    for language in languages:
        for place in range(48):
            words = int(rng.integers(2, 40))
            quality = rng.normal(3, 0.8)
            more = liking * (np.log2(words) - 4) + (1.2 if language == "zh" else 0)
            item = (f"{language}{place}", f"{language}d{place // 4}", language, "word " * words)
            rows.append((*item, "judge", "model", int(np.clip(round(quality + more + rng.normal(0, 0.3)), 1, 5))))
            rows += [(*item, who, "human", int(np.clip(round(quality + rng.normal(0, 0.4)), 1, 5))) for who in "ab"]
    columns = ["item", "document", "language_pair", "output", "rater", "kind", "value"]
    return accord.read(pl.DataFrame(rows, schema=columns, orient="row"))


def test_a_bias_in_the_table_is_told_at_the_head_of_the_page(tmp_path):
    page = accord.judge(_rows(0.8)).save(tmp_path / "judge.html").read_text(encoding="utf-8")
    head = page[: page.index("May it stand in?")]
    assert "Bias is shown: length, for each doubling" in head and "No bias is shown" not in page


def test_where_no_bias_is_shown_nothing_more_is_said(tmp_path):
    answer = accord.judge(_rows(0.0))
    said = (
        "No bias is shown by what could be tested (length, for each doubling); as much as the intervals hold may still"
    )
    assert f"{said} be there." in " ".join(str(answer).split())
    assert not any(one.adjusted < 0.05 for one in answer.result.parts[0].probes)


@pytest.mark.parametrize(
    ("p", "first", "last"),
    [(0.001, "Drift is shown: ", "points of judge minus people."), (0.2, "No drift is shown: ", "may still be there.")],
)
def test_a_drift_that_is_not_shown_is_not_said_to_be_absent(p, first, last):
    ends = Interval(low=0.1, high=0.7, method="t")
    drift = Effect(name="from the first to the last", items=40, value=0.4, interval=ends, p=p)
    said = steadiness_sentences(SimpleNamespace(runs=None, settings=(), drift=drift))[-1]
    assert said.startswith(first)
    assert said.endswith(last)


def test_languages_that_are_kept_apart_are_compared():
    answer = accord.judge(_rows(0.0, ("de", "cs", "zh")))
    for part in answer.result.parts:
        (found,) = [one for one in part.probes if one.name.startswith("language")]
        assert found.name.startswith("language, zh against") and found.value == pytest.approx(1.0, abs=0.4)
        assert found.adjusted < 0.05 and "3 languages" in found.note
        assert not any("one language" in line for line in part.untested)


def test_answers_about_many_criteria_begin_with_all_of_them():
    answer = accord.judge(_rows(0.0, ("de", "cs", "zh")))
    assert answer.opening[0].startswith("Of 3 criteria or groups judge ")
    assert all(line.startswith("language_pair ") for line in answer.words[:-1])


def test_the_first_screen_of_several_criteria_answers(tmp_path):
    """It said only that each criterion is to be looked at."""
    rng = np.random.default_rng(5)
    lines = ["item,document,rater,kind,criterion,value"]
    for criterion in ("adequacy", "fluency"):
        for place in range(40):
            quality = rng.normal(3, 1)
            for rater, kind in (("ann", "human"), ("bob", "human"), ("judge", "model")):
                score = int(np.clip(np.round(quality + rng.normal(0, 0.4)), 1, 5))
                lines.append(f"i{place},d{place // 4},{rater},{kind},{criterion},{score}")
    (tmp_path / "two.csv").write_text("\n".join(lines), encoding="utf-8")
    answer = accord.judge(accord.read(tmp_path / "two.csv"))
    first = judge_page(answer.result, None, answer.to_dict()).first
    assert first.answer.startswith("Of 2 criteria or groups judge ") and "See each" not in first.answer
    assert first.answer not in first.why and "adequacy: " in first.why and "fluency: " in first.why


def rated(tmp_path, rows):
    (tmp_path / "rated.csv").write_text("\n".join(["item,rater,kind,value", *rows]), encoding="utf-8")
    return accord.read(tmp_path / "rated.csv")


def test_one_value_everywhere_is_said_and_tests_nothing(tmp_path):
    raters = (("ann", "human"), ("bob", "human"), ("judge", "model"))
    ratings = rated(tmp_path, [f"i{place},{name},{kind},3" for place in range(40) for name, kind in raters])
    answer = accord.judge(ratings, gate={"winning_rate": 0.5, "bias": 0.5})
    assert answer.gate.exit_code == 3
    said = " ".join(str(answer).split())
    assert "cannot be tested here. Everybody gave one and the same value" in said
    assert "α of the judge with people is not defined: only one value occurs" in said and "nan" not in said


def test_a_verdict_is_plain_only_where_the_whole_interval_says_so(make_study):
    for seed in range(8):
        answer = accord.judge(make_study(seed=seed, noise=0.2 + 0.1 * seed, shift=0.0))
        test = answer.result.parts[0].test
        sure = test.winning_interval.low >= 0.5 if test.passed else test.winning_interval.high < 0.5
        plain = " may stand in for these people:" if test.passed else " may not stand in for these people:"
        assert (plain in " ".join(str(answer).split())) == sure
