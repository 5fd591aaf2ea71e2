"""Every sentence on a comparison, over a grid of numbers on and beside each mark, as it was read and recorded.

``tests/recorded/sentences/comparisons.txt`` has a line for each: what was asked, and what was said. Where a sentence is
to change, the test writes what it found into the folder it names; read the difference, and put it into the record.
"""

from itertools import product
from math import nan
from pathlib import Path
from types import SimpleNamespace as Made

import numpy as np

from accord.comparisons import answers, rater_permutation, stop_rule
from accord.comparisons.difference import Difference, bootstrap_p
from accord.comparisons.erroneous_references import ErroneousReferences
from accord.comparisons.mean_scores import MeanScores, _by_exchange, _by_welch
from accord.comparisons.metric_direction import asked_metrics, defined, told_directions
from accord.comparisons.metrics import MetricCorrelation
from accord.comparisons.own_interval import with_ends
from accord.comparisons.reference_bias import ReferenceBias, _sensitivity
from accord.comparisons.score_shift import ItemShift, ScoreShift
from accord.comparisons.several import condition_pairs
from accord.design.scale import Direction
from accord.inference.interval import Interval

RECORD = Path(__file__).parents[1] / "recorded" / "sentences" / "comparisons.txt"
ENDS = [None, (0.1, 0.3), (-0.3, -0.1), (-0.1, 0.3), (0.0, 0.3), (-0.4, 0.04), (0.2, 0.2)]
CHANCES = [None, (0.0005, None), (0.001, None), (0.05, None), (0.04, 0.06), (0.01, 0.049)]


def ends(pair, level=0.95):
    return pair and Interval(low=pair[0], high=pair[1], level=level, method="bootstrap over items")


def differences():
    """Every kind of change: rising, falling, unclear, undefined; over items, documents and raters."""
    alpha = stop_rule.COEFFICIENTS["krippendorff_alpha"].title
    for pair, chance, unit in product(ENDS, CHANCES, ("items", "documents", "raters")):
        value = 0.2 if pair is None else round(sum(pair) / 2, 3)
        p, adjusted = chance or (None, None)
        yield Difference(
            what=alpha,
            first="after",
            second="before",
            value=value,
            unit=unit,
            method="a test",
            interval=ends(pair),
            p=p,
            adjusted=adjusted,
            replicates=1_000,
        )
    usual = {"what": alpha, "first": "after", "second": "before", "unit": "raters", "method": "no test: too few"}
    yield Difference(**usual, value=nan)
    yield Difference(**usual, value=0.25)
    yield Difference(**usual, value=0.25, interval=ends((-0.1, 0.6)), p=0.3, too_few="3 against 3 raters are few")


def compared(one, criterion="", more=(), scores=None, own=(0.5, None)):
    second = Made(name="after", values={"krippendorff_alpha": own[0]}, ends=ends(own[1]), items=50)
    return Made(criterion=criterion, first=Made(name="before"), second=second, differences=(one, *more), scores=scores)


def of_changes():
    clear = Difference(what="α", first="a", second="b", value=0.1, unit="items", method="m", p=0.01)
    for one in differences():
        asked = f"{one.value} {one.interval} {one.p} {one.adjusted} {one.unit}"
        yield asked, f"{one} | {one.is_clear} {one.is_shown} | {one.doubt}"
        yield asked, answers.changed(compared(one))
        yield asked, answers.changed(compared(one, "tone", (clear,)))
        yield asked, answers._context_said([compared(one)])
        for own in ((0.5, None), (0.7, (0.6, 0.8)), (0.8, (0.7, 0.9)), (0.9, (0.8, 0.95))):
            rule = stop_rule.stop_rule(compared(one, own=own))
            yield f"{asked} {own}", f"{rule.verdict} | {rule.words} | {rule.sentence}"
    edge = Difference(
        what="α", first="a", second="b", value=0.0, unit="documents", method="m", p=0.5, interval=ends((-0.1, 0.05))
    )
    yield "on what is worth it", stop_rule.stop_rule(compared(edge)).words
    for number in (1, 4, 5, 6):
        still = [compared(one, f"c{at}") for at, one in enumerate([edge] * number)]
        yield f"{number} quiet", " / ".join(answers.changes([compared(clear), *still]))


def of_scores():
    for change, p, least, adjusted in product(
        (-0.5, 0.5), (0.0004, 0.001, 0.002, 0.049, 0.05, 0.3), (0.002, nan), (None, 0.04)
    ):
        found = MeanScores(3.0, 3.0 + change, (6, 5), p, least, "exchange", adjusted)
        asked = f"{change} {p} {least} {adjusted}"
        yield asked, f"{found.chance} | {found.is_clear} | {answers._scored(compared(None, 'tone'), found)}"
    clear = MeanScores(3.0, 3.5, (6, 5), 0.01, 0.002, "exchange")
    for number in (1, 4, 5, 7):
        yield f"{number} clear", " / ".join(answers.scores_said([compared(None, scores=clear)] * number))
    one, other = np.array([1.0, 2.0, 4.0]), np.array([3.0, 5.0, 5.0, 7.0])
    for first, second in ((one, other), (one, other[:3]), (one, one), (one, one[::-1] + 1)):
        yield f"{first} {second}", f"{_by_exchange(first, second)} {_by_welch(first, second)}"


def of_context():
    def cell(scenario, alpha, pair=None, criterion="tone", whole=False):
        return Made(
            criterion=criterion,
            scenario=scenario,
            values={"krippendorff_alpha": alpha},
            ends=ends(pair),
            is_aggregated=whole,
        )

    wrong = [Made(item="i1", criterion="tone"), Made(item="i1", criterion="tone"), Made(item="i2", criterion="tone")]
    for alone, seen, found in product((0.3, 0.4, 0.5, 0.6), (0.5, nan), ([], wrong[:2], wrong)):
        cells = [cell("alone", alone, (alone - 0.1, alone + 0.1)), cell("seen", seen, (-0.4, -0.1))]
        for roles in (None, ("alone", "seen"), ("alone", None)):
            asked = f"{alone} {seen} {len(found)} {roles}"
            yield asked, " / ".join(answers.scenario_answer(cells, roles, found))
            yield asked, " / ".join(answers.scenario_remarks(cells, roles, found))
    both = [cell("alone", 0.5, whole=True), cell("seen", 0.4, (-0.2, 0.0), criterion=""), cell("alone", 0.9)]
    yield "put together", " / ".join(answers.scenario_answer(both, None, []) + answers.scenario_remarks(both, None, []))


def of_metrics():
    def one(name, value, pair=(0.1, 0.9), level="segment", kind="pearson", **more):
        return MetricCorrelation(
            more.get("criterion", ""), more.get("condition", ""), name, level, kind, 40, value, ends(pair)
        )

    yield "none", answers.metric_answer([one("bleu", nan)])[0]
    yield "one", answers.metric_answer([one("bleu", 0.5, None), one("bleu", 0.7, kind="kendall")])[0]
    several = [one("bleu", 0.5, criterion="tone"), one("chrf", 0.8, condition="seen"), one("ter", -0.2, level="system")]
    yield "several", answers.metric_answer(several)[0]
    for name in ("bleu", "ter", "my-score", "bleu-ter", "WER", "comet"):
        yield name, str(defined(name))
    for asked in ([], ["bleu"], ["ter", "bleu"], ["mine"], ["mine=low", "ter=high"], ["mine", "other", "bleu"]):
        yield str(asked), " / ".join(told_directions(list(asked_metrics(asked).values())))
    for similar, dissimilar in ((0, 0), (1, 0), (0, 2), (2, 3)):
        quadrants = Made(correlation=0.456, similar=[0] * similar, dissimilar=[0] * dissimilar, items=[0] * 9)
        found = Made(results=[("bleu", quadrants), ("edits", quadrants)], against="people")
        yield f"{similar} {dissimilar}", answers.yardstick_answer(found)[0]


def of_raters():
    for arrangements, least, exact, pair in product((0, 20), (0.01, 0.05, 0.1), (True, False), (None, (0.1, 0.3))):
        test = Made(arrangements=arrangements, smallest=least, exact=exact, interval=ends(pair), p=0.2)
        asked = f"{arrangements} {least} {exact} {pair}"
        for raters in ((["a", "b", "c"], ["d", "e"]), (["a", "b"], ["c", "d"])):
            yield asked, rater_permutation._too_few(test, raters)
    for value, adjusted, p in product((-0.2, 0.0, 0.2), (None, 0.0009, 0.06), (None, 0.0009, 0.001, 0.049, 0.05)):
        decides = Difference(
            what="κ", first="S", second="D", value=value, unit="judges", method="m", p=p, adjusted=adjusted
        )
        held = [
            Difference(what="κ", first="S", second="D", value=value, unit=unit, method="m", interval=ends(pair))
            for unit, pair in (("items", (0.1, 0.2)), ("judges and items", (-0.1, 0.2)), ("pairs", (-0.1, 0.1)))
        ]
        yield f"{value} {adjusted} {p}", ReferenceBias.verdict(Made(differences=[decides, *held]))
        yield "others", _sensitivity(held[:1]) + " | " + _sensitivity(held[1:]) + " | " + _sensitivity([])


def of_shifts():
    for change, pair, p, good in product(
        (-0.5, 0.5),
        (None, (0.1, 0.9), (-0.9, -0.1), (-0.1, 0.9), (0.0, 0.9)),
        (0.01, 0.06),
        (Direction.HIGH, Direction.LOW, Direction.UNKNOWN),
    ):
        items = tuple(ItemShift(f"i{n}", 2.0, 3.0) for n in range(8))
        made = ScoreShift("tone", "alone", "seen", (), {}, change, ends(pair), p, 3, 1, 0.75, items, "m", None, good)
        yield f"{change} {pair} {p} {good}", f"{made.is_shown} | {made.verdict} | {made.words} | {items[0].change}"
    for change, pair, good in product((-0.5, 0.5), (None, (0.1, 0.9), (-0.9, -0.1), (-0.9, 0.1)), Direction):
        found = ErroneousReferences(
            items=40,
            erroneous=9,
            share=ends((0.1, 0.4)),
            mean_wrong=3.0 + change,
            mean_right=3.0,
            difference=ends(pair),
            direction=good,
        )
        yield f"{change} {pair} {good}", str(found)
    for value, pair, named in product((0.5, 0.666), (None, (0.4, 0.6)), (True, False)):
        yield f"{value} {pair} {named}", with_ends(value, ends(pair), named=named)
    for names, consecutive in product((["a", "b"], ["a", "b", "c", "d"]), (True, False)):
        yield f"{names} {consecutive}", str(condition_pairs(names, consecutive=consecutive))
    for draws in ([1, 2, 3], [-1, 0, 1], [0, 0, 1], [-1, -2, 1, nan], [1] * 99):
        yield str(draws)[:30], f"{bootstrap_p(np.array(draws, dtype=float)):.4f}"


KINDS = (of_changes, of_scores, of_context, of_metrics, of_raters, of_shifts)


def test_every_sentence_is_said_as_it_was_recorded(tmp_path):
    lines = [f"{kind.__name__[3:]} | {asked} -> {said}" for kind in KINDS for asked, said in kind()]
    (tmp_path / RECORD.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    known = RECORD.read_text(encoding="utf-8").splitlines()
    changed = [f"now: {now}\n then: {then}" for now, then in zip(lines, known, strict=False) if now != then]
    assert not changed and len(lines) == len(known), "\n".join([f"see {tmp_path}", *changed[:10]])
