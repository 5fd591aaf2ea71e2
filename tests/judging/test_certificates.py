"""A certificate holds for one judge, one set of data and one program; a gate takes only limits that mean something."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import accord
from accord.cli.main import main
from accord.design.scale import Level
from accord.errors import OptionError
from accord.judging.certificates import standing
from accord.judging.gate import Verdict, judged

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "summary-judge.csv"


@pytest.fixture
def held(make_study, tmp_path):
    """A dossier, and where the certificate lies that was written for it."""
    answer = accord.judge(make_study(seed=1), gate={"bias": 0.05})
    paper = tmp_path / "judge.json"
    paper.write_text(json.dumps(answer.data["certificate"]), encoding="utf-8")
    return answer.result, paper


def test_an_untrusted_certificate_that_stands_is_still_untrusted(held):
    verdict, words = standing(held[1], held[0])
    assert verdict is Verdict.UNTRUSTED and "stands: UNTRUSTED" in words


def test_other_data_void_a_certificate(held, make_study):
    verdict, words = standing(held[1], accord.judge(make_study(seed=2)).result)
    assert verdict is None and "is void: the data are others" in words


def test_another_program_voids_a_certificate(held):
    content = json.loads(held[1].read_text(encoding="utf-8")) | {"accord": "0.0.1"}
    held[1].write_text(json.dumps(content), encoding="utf-8")
    verdict, words = standing(held[1], held[0])
    assert verdict is None and "is void: it was made by accord 0.0.1" in words


def test_another_judge_voids_a_certificate(held, make_study):
    verdict, words = standing(held[1], accord.judge(make_study(seed=1), "other").result)
    assert verdict is None and "the judge's name changed" in words


@pytest.mark.parametrize("content", ["[]", "{", '{"fingerprint": 1, "verdict": "TRUSTED", "judged_with": 3}'])
def test_what_is_no_certificate_is_said_to_be_none(held, content):
    held[1].write_text(content, encoding="utf-8")
    with pytest.raises(OptionError, match="is not a certificate"):
        standing(held[1], held[0])


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"winning_rate": 50}, "must lie between 0 and 1"),
        ({"alpha": float("inf")}, "must be a number"),
        ({"bias": float("nan")}, "must be a number"),
        ({"half_width": -1}, "must be more than 0"),
        ({"bias": 50}, "no judge could miss it"),
        ({"unknown": 0.5}, "not known"),
        ({}, "asks nothing"),
    ],
)
def test_a_limit_that_no_judge_could_meet_or_miss_is_refused(make_study, limits, words):
    with pytest.raises(OptionError, match=words):
        accord.judge(make_study(seed=1), gate=limits)


def test_a_criterion_without_people_keeps_a_gate_from_trusting(make_study):
    answer = accord.judge(make_study(seed=1))
    limits = {"bias": 3.0}
    assert judged(answer.result, limits).verdict is Verdict.TRUSTED
    found = judged(replace(answer.result, skipped=("Only models rated fluency.",)), limits)
    assert found.verdict is Verdict.INCONCLUSIVE and found.unseen


def test_labels_have_no_bias_in_points(make_study):
    answer = accord.judge(make_study(seed=1, level=Level.NOMINAL), gate={"bias": 0.3})
    assert answer.gate.checks[0].verdict is Verdict.INCONCLUSIVE and answer.gate.checks[0].value is None
    assert "no score points" in " ".join(answer.opening)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "-4"], "seed is -4"),
        (["--half-width", "-1"], "half-width is -1"),
        (["--gate", "GATE", "--certificate", "nowhere/judge.json"], "cannot be written"),
        (["-o", "FOLDER"], "is a folder"),
    ],
)
def test_bad_options_end_with_two_and_one_sentence(monkeypatch, capsys, tmp_path, words, told):
    (tmp_path / "gate.toml").write_text("bias = 2.0\n", encoding="utf-8")
    (tmp_path / "page.html").mkdir()
    real = {"GATE": str(tmp_path / "gate.toml"), "FOLDER": str(tmp_path / "page.html")}
    monkeypatch.setattr(sys, "argv", ["accord", "judge", str(EXAMPLE), *(real.get(word, word) for word in words)])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr().err
    assert left.value.code == 2 and told in said and "Traceback" not in said
