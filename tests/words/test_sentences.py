"""Words fit numbers: every sentence that opens an answer, with what makes it true and the nearest that must not."""

import ast
import importlib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import accord
from accord.comparisons.answers import CHANGES, CONTEXT, METRICS, YARDSTICKS
from accord.comparisons.difference import Difference
from accord.functions.assessing import ASSESSED
from accord.functions.mqm_words import MQM_SCORES, MqmSeen
from accord.inference.interval import Interval
from accord.reporting.first_screen import HEADLINES, Judged
from accord.reporting.verdicts import JUDGEMENTS
from accord.scoring.history import Evaluation, History
from accord.scoring.mqm import SegmentMqm
from accord.scoring.mqm_differences import NO_SHARED, MqmDifferences, mqm_differences
from accord.scoring.preference_words import CHOSEN, Chosen
from accord.scoring.prior import Prior
from accord.scoring.scarce import score
from accord.scoring.score_words import HISTORIES, LEVELS, SCORES, Level, Past
from accord.scoring.standing import STANDINGS, Standing
from accord.sentences import Sentence, chosen

NAN = float("nan")


def comparison(value, low=None, high=None, p=None, too_few="", method="bootstrap"):
    interval = None if low is None else Interval(low=low, high=high, method="bootstrap")
    change = Difference(
        what="α",
        first="2",
        second="1",
        value=value,
        unit="items",
        method=method,
        interval=interval,
        p=p,
        too_few=too_few,
    )
    first, second = SimpleNamespace(name="1"), SimpleNamespace(name="2")
    return SimpleNamespace(criterion="", first=first, second=second, differences=[change])


SHOWN, NOT_SHOWN = comparison(0.3, 0.1, 0.5, p=0.01), comparison(0.3, -0.1, 0.7, p=0.2)
CHANGE_CASES = {
    "undefined": (comparison(NAN), comparison(0.3), "α of 1 and 2 cannot be compared."),
    "too_few": (
        comparison(0.3, 0.1, 0.5, p=0.1, too_few="three against three raters cannot show a difference"),
        NOT_SHOWN,
        "three against three raters cannot show a difference, so nothing is said of agreement in 1 and 2 (",
    ),
    "no_interval": (
        comparison(0.3, method="no test: two raters"),
        NOT_SHOWN,
        "α differs by +0.30 from 1 to 2; no interval can be given (no test: two raters).",
    ),
    "shown": (
        SHOWN,
        comparison(0.3, 0.1, 0.5, p=0.06),
        "raters agree more in 2 than in 1 (α +0.30, 95% interval +0.10 to +0.50).",
    ),
    "not_shown": (
        NOT_SHOWN,
        SHOWN,
        "no difference in agreement between 1 and 2 is shown (α +0.30, 95% interval -0.10 to +0.70).",
    ),
}
CONTEXT_CASES = {
    "no_interval": (comparison(0.3), NOT_SHOWN, "Whether 1 and 2 differ cannot be said: there is no interval."),
    "nothing_varies": (comparison(0.0, 0.0, 0.0), NOT_SHOWN, "nothing varies between them."),
    "shown": (comparison(-0.3, -0.5, -0.1, p=0.01), NOT_SHOWN, "Raters agree more in 1 than in 2 ("),
    "not_shown": (NOT_SHOWN, SHOWN, "A difference between 1 and 2 is not shown ("),
}


def correlated(metric, value, low=None, high=None):
    interval = None if low is None else Interval(low=low, high=high, method="jackknife")
    names = {"criterion": "clarity", "condition": "", "metric": metric, "level": "segment", "units": 48}
    return SimpleNamespace(**names, value=value, interval=interval)


METRIC_CASES = {
    "none": ([], [correlated("chrf", 0.5)], "No metric has a correlation with people here."),
    "one": (
        [correlated("chrf", 0.5, 0.3, 0.7)],
        [],
        "chrf correlates with people by r = 0.50 (48 segments, 95% interval 0.30 to 0.70).",
    ),
    "several": (
        [correlated("chrf", 0.5, 0.3, 0.7), correlated("ter", -0.2)],
        [correlated("chrf", 0.5)],
        "On segments, chrf (clarity) correlates most with people, r = 0.50 (48 segments, 95% interval 0.30 to 0.70); "
        "ter (clarity) least, r = -0.20 (48 segments, no interval).",
    ),
}


def against(*items):
    return ("BLEU", "the post-edit", SimpleNamespace(similar=items, dissimilar=(), correlation=0.39, items=range(12)))


YARDSTICK_CASES = {
    "contradicts": (against("i5"), against(), "by r = 0.39, but contradict each other on 1 item of 12"),
    "agrees": (against(), against("i5"), "by r = 0.39 and contradict each other on no item of 12"),
}


def gate(rater, kept=True):
    return SimpleNamespace(rater=rater, kept=kept)


def assessed(*means):
    systems = [SimpleNamespace(system=name, z=z, raw=50 + 10 * z) for name, z in means]
    return SimpleNamespace(systems=systems, raters=[gate("Ann"), gate("Ben", kept=False)], counting=("Ann",))


ASSESSED_CASES = {
    "no_system": (assessed(), assessed(("A", 1)), "Scores rest on 1 of 2 raters (without Ben); no system has a score."),
    "one_system": (assessed(("A", 0.5)), assessed(("A", 1), ("B", 0)), "A has a mean z of 0.50 (raw 55.0). Scores"),
    "high_is_good": (
        assessed(("A", 1), ("B", 0)),
        assessed(("B", 0), ("A", 1)),
        "A has the highest mean z (1.00), B the lowest (0.00). Scores rest",
    ),
    "low_is_good": (
        assessed(("B", 0), ("A", 1)),
        assessed(("A", 1), ("B", 0)),
        "B has the lowest mean z (0.00), A the highest (1.00); low scores are good here.",
    ),
}


def rows(*names):
    return [{"system": name, "score": -1.5 - place, "low": None} for place, name in enumerate(names)]


def untested(scored):
    return MqmSeen(scored, MqmDifferences(None, NO_SHARED))


def systems_apart(gap, *names):
    """Systems on 10 documents of 3 segments, each ``gap`` points behind the one before."""
    rng = np.random.default_rng(3)
    scored = [
        SegmentMqm(f"d{d}:{k}", "r", name, f"d{d}", -place * gap - float(rng.poisson(3)), 1)
        for place, name in enumerate(names) for d in range(10) for k in range(3)
    ]  # fmt: skip
    return MqmSeen(rows(*names), mqm_differences(scored))


MQM_CASES = {
    "no_systems": (untested(rows("all")), untested(rows("A")), "The MQM score is -1.50 penalty points per segment."),
    "one": (
        untested([{"system": "A", "score": -1.5, "low": -2, "high": -1}]),
        untested(rows("A", "B")),
        "A scores -1.50 penalty points per segment (95% interval -2.00 to -1.00).",
    ),
    "untested_few": (
        untested(rows("A", "B")),
        untested([row | {"low": -3, "high": -1} for row in rows("A", "B")]),
        "A scores -1.50; B scores -2.50. There are too few documents",
    ),
    "untested": (
        untested([row | {"low": -9, "high": -1} for row in rows(*"ABCDEF")]),
        untested(rows(*"ABCDEF")),
        "; 2 more below. Whether they differ was not tested, as they share no segment",
    ),
    "cannot_tell": (systems_apart(0.2, "A", "B"), systems_apart(20, "A", "B"), "Cannot tell whether they differ: "),
    "differ": (
        systems_apart(20, "A", "B"),
        systems_apart(0.2, "A", "B"),
        "A is better than B. A is 19.77 ahead of B (95% interval 18.71 to 20.83, p < .001).",
    ),
}

STANDING_CASES = {
    "alone": (Standing([("A", 1, 1)]), Standing([("A", 1, 1), ("B", 2, 2)]), "one system, A: nothing to rank."),
    "patchy": (
        Standing([("B", 1, 4), ("A", 1, 3), ("C", 2, 4), ("D", 1, 4)], {("A", "C")}),
        Standing([("A", 1, 3), ("B", 1, 4), ("C", 2, 4)], {("A", "C")}),
        "B is ahead, but only 1 of 6 pairs differs: A is better than C.",
    ),
    "two_alike": (
        Standing([("A", 1, 2), ("B", 1, 2)]),
        Standing([("A", 1, 1), ("B", 2, 2)]),
        "A and B cannot be told apart.",
    ),
    "all_alike": (
        Standing([(name, 1, 3) for name in "ABC"]),
        Standing([("A", 1, 2), ("B", 1, 2), ("C", 3, 3)]),
        "No order is shown: any of the 3 systems may be the best.",
    ),
    "two_apart": (
        Standing([("A", 1, 1), ("B", 2, 2)]),
        Standing([("A", 1, 2), ("B", 1, 2)]),
        "A is better than B.",
    ),
    "one_leads": (
        Standing([("A", 1, 1), ("B", 2, 3), ("C", 2, 3)]),
        Standing([("A", 1, 2), ("B", 1, 2), ("C", 3, 3)]),
        "A is best.",
    ),
    "several_lead": (
        Standing([("A", 1, 2), ("B", 1, 2), ("C", 3, 3), ("D", 4, 4)]),
        Standing([("A", 1, 1), ("B", 2, 2)]),
        "A and B lead and cannot be told apart; C is third, D is last.",
    ),
}

ONE = score([78], prior=Prior(value=85), threshold=80)
SCORE_CASES = {
    "one": (
        ONE,
        score([78, 79]),
        "borderline FAIL against 80: one score of 78 and a prior of 85 put the true value between ",
    ),
    "equal": (
        score([85, 85], threshold=80),
        score([85, 86], threshold=80),
        "against 80: both scores are 85 and show no spread. Judged as if one lay 1 away: ",
    ),
    "lopsided": (
        score([100, 100, 100, 99, 100, 100, 98, 100]),
        score([60, 50, 55, 58, 52, 49, 61, 57]),
        "the mean of 8 scores is 99.62 (80% interval ",
    ),
    "several": (
        score([80, 90], threshold=85),
        ONE,
        "borderline PASS against 85: the mean of 2 scores is 85.00 ± 15.39 (80% interval)",
    ),
}


def history(*scores):
    return History(evaluations=tuple(Evaluation(score=float(one)) for one in scores), source="test")


HISTORY_CASES = {
    "next": (Past(history(80, 90), None), Past(history(80, 90), 85), "The next score is expected at 85.00"),
    "undecided": (
        Past(history(*[90] * 9, 70), 80),
        Past(history(*[90] * 60), 80),
        "Undecided whether mostly PASS against 80: 1 of 10 evaluations fail",
    ),
    "classified": (
        Past(history(*[90] * 60), 80),
        Past(history(*[90] * 9, 70), 80),
        "Mostly PASS against 80: 0 of 60 evaluations fail",
    ),
}


LEVEL_CASES = {
    "left_open": (
        Level(0.8, is_chosen=False, scores=2),
        Level(0.8, is_chosen=True, scores=2),
        "80% confidence is the least that most subject fields ask for",
    ),
    "low": (
        Level(0.75, is_chosen=True, scores=2),
        Level(0.75, is_chosen=True, scores=1),  # the paper's own compromise for one score
        "75% confidence is little: most subject fields ask for at least 80%.",
    ),
}


def head(name, verdict, value=0.5):
    estimate = SimpleNamespace(value=value)
    judgements = JUDGEMENTS[verdict]
    return SimpleNamespace(name=name, about=name, verdict=verdict, judgements=judgements, estimate=estimate)


TWO = [head("style", "reliable", 0.9), head("tone", "not_shown")]
HEADLINE_CASES = {
    "one_rater": (Judged(1, 30, TWO), Judged(2, 30, TWO), "One rater gave 30 ratings, which nobody else confirms"),
    "nothing_shared": (Judged(2, 30, []), Judged(2, 30, TWO[:1]), "No two raters judged the same item"),
    "one_verdict": (Judged(2, 30, TWO[:1]), Judged(2, 30, TWO), "These judgements can be relied on."),
    "several_verdicts": (
        Judged(2, 30, TWO),
        Judged(2, 30, TWO[1:]),
        "Judgements of style can be relied on; those of tone are not shown to be reliable.",
    ),
}


def chosen_between(systems=2, others=(), here=(), raters=12, texts="documents"):
    names = ["A", "B", "C"][:systems]
    pairs = [SimpleNamespace(first="A", second="B", wins=24, ties=5, losses=19)]
    result = SimpleNamespace(systems=[SimpleNamespace(name=name) for name in names], pairs=pairs, raters=raters)
    result.texts = texts
    return Chosen(result, set(others), set(here))


AB, BC = {("A", "B")}, {("B", "C")}
SHARE = "24 of 43 decided choices"
CHOSEN_CASES = {
    "others_of_two": (
        chosen_between(others=AB),
        chosen_between(here=AB),
        f"A is preferred to B: {SHARE}. This holds for other raters and other items too.",
    ),
    "here_of_two": (
        chosen_between(here=AB, raters=2),
        chosen_between(raters=2),
        f"With these 2 raters A is preferred to B on other documents too: {SHARE}. Two raters are too few to speak of "
        "other raters.",
    ),
    "few_and_none_of_two": (
        chosen_between(raters=1),
        chosen_between(raters=3),
        f"With this one rater no preference is shown: {SHARE} prefer A. One rater says nothing of other raters.",
    ),
    "none_of_two": (
        chosen_between(raters=3),
        chosen_between(raters=3, here=AB),
        f"A and B cannot be told apart: {SHARE} prefer A.",
    ),
    "others": (
        chosen_between(3, AB, AB | BC),
        chosen_between(3, (), AB),
        "A is ahead, but only 1 of 3 pairs differs: A is better than B. This holds for other raters and other items "
        "too. With these 12 raters 1 more pair differs on other documents too.",
    ),
    "here": (
        chosen_between(3, (), AB | BC | {("A", "C")}, raters=4, texts="items"),
        chosen_between(3),
        "With these 4 raters, on other items too: A is best; B is second, C is last. All 3 pairs differ. It is not "
        "shown that other raters would choose alike.",
    ),
    "none": (chosen_between(3), chosen_between(3, AB), "No order is shown: any of the 3 systems may be the best."),
}

TABLES = (
    (CHOSEN, CHOSEN_CASES),
    (CHANGES, CHANGE_CASES),
    (CONTEXT, CONTEXT_CASES),
    (METRICS, METRIC_CASES),
    (YARDSTICKS, YARDSTICK_CASES),
    (ASSESSED, ASSESSED_CASES),
    (MQM_SCORES, MQM_CASES),
    (STANDINGS, STANDING_CASES),
    (SCORES, SCORE_CASES),
    (HISTORIES, HISTORY_CASES),
    (LEVELS, LEVEL_CASES),
    (HEADLINES, HEADLINE_CASES),
)
ALL = [(table, key, *case) for table, cases in TABLES for key, case in cases.items()]


@pytest.mark.parametrize(("table", "key", "true", "near", "words"), ALL, ids=[case[1] for case in ALL])
def test_a_sentence_is_said_where_it_is_true_and_nowhere_else(table, key, true, near, words):
    said = chosen(table, true)
    assert said is not None
    assert said.key == key
    assert words in said.said(true)
    other = chosen(table, near)
    assert other is None or other.key != key


def test_every_sentence_of_a_table_is_walked():
    for table, cases in TABLES:
        assert [sentence.key for sentence in table] == list(cases)


ELSEWHERE = {
    "VERDICTS", "ORDER", "MORE", "RATERS", "GAIN", "OPENINGS", "FORECASTS", "READINGS", "SPREADS", "FINDINGS",
}  # fmt: skip
"""Tables that tests/reliability/test_answer.py, tests/diagnosis/test_causes.py and, of the organiser's pages,
tests/server_organiser/test_watching.py and test_closer.py walk."""


def _tables_within(path):
    """Names of the tables of a module, without importing it."""
    nodes = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.AnnAssign)]
    return {node.target.id for node in nodes if ast.unparse(node.annotation).startswith("tuple[Sentence[")}


def test_every_table_of_sentences_is_walked():
    source = Path(accord.__file__).parent
    known = {id(table) for table, _ in TABLES}
    for path in source.rglob("*.py"):
        if "Sentence[" not in path.read_text(encoding="utf-8"):
            continue
        parts = path.relative_to(source).with_suffix("").parts
        if parts[0] == "server":  # cannot be imported without a study that is served
            assert _tables_within(path) <= ELSEWHERE, path
            continue
        module = importlib.import_module(".".join(("accord", *parts)))
        for name, table in vars(module).items():
            is_table = isinstance(table, tuple) and table and all(isinstance(one, Sentence) for one in table)
            assert not is_table or id(table) in known or name in ELSEWHERE, f"{path}: {name}"
