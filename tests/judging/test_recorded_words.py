"""What is said of a judge, over numbers on and beside each mark: sentences, tables and verdicts, each by itself.

``tests/recorded/sentences/judging.txt`` has a line for each. Where one is to change, run
``python tests/judging/test_recorded_words.py``, read the difference, and keep it if every line of it is meant.
"""

from itertools import product
from math import nan
from pathlib import Path
from types import SimpleNamespace as Made

import numpy as np
import pytest

from accord.design.scale import Direction
from accord.errors import OptionError
from accord.inference.interval import Interval
from accord.judging import gate, telling, words
from accord.judging.alternative import AltTest, HumanLeftOut
from accord.judging.errs import Effect
from accord.judging.gate import Check, Gate, Verdict

RECORD = Path(__file__).parents[1] / "recorded" / "sentences" / "judging.txt"


def ends(low, high, level=0.95):
    return Interval(low=low, high=high, method="made up", level=level)


def people(*beaten):
    return tuple(
        HumanLeftOut(human=f"p{place}", items=40 + place, judge_wins=0.5, human_wins=0.6, p=0.01 + place, beaten=one)
        for place, one in enumerate(beaten)
    )


def alt_test(passed, rate=0.5, interval=None, beaten=(True, False), left=()):
    return AltTest(
        judge="J",
        epsilon=0.2,
        humans=people(*beaten),
        winning_rate=rate,
        passed=passed,
        advantage=0.75,
        winning_interval=interval,
        advantage_interval=ends(0.6, 0.9) if interval else None,
        left=left,
    )


def alpha(judge, person, gap=None):
    return Made(
        title="α",
        judge=judge,
        people=person,
        difference=judge - person,
        judge_interval=ends(0.25, 0.5),
        p=0.04,
        people_interval=None,
        difference_interval=gap,
    )


def score(mean=3.5, interval=None, refused="", rated=12):
    return Made(
        mean=mean,
        interval=interval,
        refused=refused,
        rated=rated,
        judge_only=3.25,
        people_only=3.75,
        judged=90,
        weight=0.5,
    )


def effect(name="length", value=0.5, interval=None, p=0.01, adjusted=nan, note=""):
    return Effect(name=name, value=value, interval=interval, p=p, adjusted=adjusted, items=30, note=note)


def pair(adjusted, interval=None):
    return Made(first="A", second="B", adjusted=adjusted, p=adjusted / 2, corrected=score(0.5, interval))


def measured(*pairs, overall=None, systems=(), gaps=()):
    return (Made(name="mean", overall=overall or score(), differences=pairs, systems=systems, gaps=gaps),)


def part(**given):
    panel = Made(
        ordered=True,
        direction=Direction.HIGH,
        units="documents",
        items=[1] * 50,
        notes=(),
        targeted=0,
        name="J",
        answers=Made(weight=np.ones(3)),
        ends=None,
        labelled=np.arange(6),
        cluster=np.array([0, 0, 1, 1, 2, 2]),
    )
    whole = {
        "title": "all ratings",
        "test": None,
        "refused": "Too few people.",
        "beside": (alpha(0.4, 0.5),),
        "measures": (),
        "worth": None,
        "more_labels": None,
        "apart": effect(),
        "probes": (),
        "runs": None,
        "settings": (),
        "drift": "-",
        "verdicts": None,
        "groups": {},
        "far": (),
        "several": None,
        "next_items": (),
        "indicators": (),
    }
    more = {name.removeprefix("panel_"): given.pop(name) for name in [*given] if name.startswith("panel_")}
    return Made(**(whole | given), panel=Made(**(vars(panel) | more)))


def dossier(*parts, others=(), asked="", skipped=()):
    return Made(judge="J", parts=parts, others=others, asked=Made(judge=asked), skipped=skipped)


RATES = [None, ends(0.4, 0.6), ends(0.5, 0.9), ends(0.51, 0.9), ends(0.1, 0.5), ends(0.1, 0.49)]
GAPS = [None, ends(-0.3, -0.1), ends(-0.3, 0.0), ends(0.0, 0.3), ends(0.1, 0.3), ends(-0.1, 0.2, 0.9)]
ALL = {
    **{
        f"stands in {passed} {rate}": lambda passed=passed, rate=rate: words.stands_in(
            "J", part(test=alt_test(passed, 0.5, rate))
        )
        for passed, rate in product((True, False), RATES)
    },
    "stands in of one": lambda: words.stands_in("J", part(test=alt_test(True, 1.0, None, (True,)))),
    "stands in untested": lambda: words.stands_in("J", part()),
    **{
        f"agrees {judge} {person} {gap}": lambda judge=judge, person=person, gap=gap: words.agrees(
            alpha(judge, person, gap)
        )
        for judge, person, gap in [*product([0.4], [0.5], GAPS), (nan, 0.5, None), (0.4, nan, None), (nan, nan, None)]
    },
    **{
        f"at once {number}": lambda number=number: words.at_once(
            dossier(
                *(
                    part(title=f"t{place}", test=test)
                    for place, test in enumerate(
                        [
                            None,
                            alt_test(True, 1.0, ends(0.6, 1.0)),
                            alt_test(False, 0.0, ends(0.0, 0.4)),
                            alt_test(True, 0.5, ends(0.4, 0.6)),
                            alt_test(False, 0.5, ends(0.4, 0.6)),
                            alt_test(True, 1.0, ends(0.6, 1.0)),
                            alt_test(True, 1.0, ends(0.6, 1.0)),
                            alt_test(True, 1.0, ends(0.6, 1.0)),
                            alt_test(False, 0.0, ends(0.0, 0.4)),
                        ][:number]
                    )
                )
            )
        )
        for number in (1, 3, 5, 7, 8, 9)
    },
    **{
        f"answer of {number} {others} {asked}": lambda number=number, others=others, asked=asked: words.answer(
            dossier(
                *(part(title=f"t{place}") for place in range(number)), others=others, asked=asked, skipped=("Skipped.",)
            )
        )
        for number, others, asked in ((1, (), ""), (2, ("K", "L"), ""), (2, ("K",), "J"), (3, (), ""))
    },
    **{
        f"notes {targeted} {least} {ordered}": lambda targeted=targeted, least=least, ordered=ordered: (
            words.answers_notes(
                part(
                    panel_targeted=targeted,
                    panel_answers=Made(weight=np.array([1, least])),
                    panel_ordered=ordered,
                    panel_notes=("N.",),
                )
            )
        )
        for targeted, least, ordered in ((0, 1, True), (1, 0.5, True), (2, 0.34, False), (0, 0.7, True))
    },
    "no score": lambda: words.score_sentence("J", part()),
    **{
        f"score {rated} {interval}": lambda rated=rated, interval=interval: words.score_sentence(
            "J", part(measures=measured(overall=score(3.5, interval, "too few", rated)))
        )
        for rated, interval in ((12, ends(3, 4)), (1, ends(3.25, 4)), (5, None))
    },
    **{
        f"worth {labels} {wanted}": lambda labels=labels, wanted=wanted: words.found(
            part(
                worth=Made(interval=ends(10, 30), labels=labels, scores=1200, value=20),
                more_labels=wanted,
                measures=measured(gaps=(Made(words="A gap."),)),
            )
        )
        for labels, wanted in ((1, None), (40, 1), (40, 50), (40, 51))
    },
    "worth without an interval": lambda: words.found(part(worth=Made(interval=None, labels=1, scores=2, value=3))),
    **{
        f"ranking {given} {direction} {ordered}": lambda given=given, direction=direction, ordered=ordered: (
            words._ranking(
                part(
                    measures=measured(
                        *(pair(one, ends(0.1, 0.9)) for one in given), systems=(("A", score(interval=ends(3, 4))),)
                    ),
                    panel_direction=direction,
                    panel_ordered=ordered,
                )
            )
        )
        for given, direction, ordered in (
            ((0.049,), Direction.HIGH, True),
            ((0.05,), Direction.HIGH, True),
            ((0.01,), Direction.UNKNOWN, True),
            ((0.01,), Direction.UNKNOWN, False),
            ((0.01,) * 6, Direction.HIGH, True),
            ((0.01,) * 8, Direction.LOW, True),
            ((0.01, 0.2, 0.9), Direction.HIGH, True),
            ((), Direction.HIGH, True),
        )
    },
    "ranking refused": lambda: words._ranking(
        part(
            measures=measured(
                pair(nan),
                systems=(
                    ("", score(refused="too few")),
                    ("B", score(refused="none")),
                    ("C", score(interval=ends(3, 4))),
                ),
            )
        ),
    ),
    **{
        f"errors {value} {interval} {ordered}": lambda value=value, interval=interval, ordered=ordered: (
            words.errors_sentence("J", part(apart=effect(value=value, interval=interval), panel_ordered=ordered))
        )
        for value, interval, ordered in (
            (0.5, ends(0.1, 0.9), True),
            (-0.5, ends(-0.9, -0.1), True),
            (0.5, ends(0.0, 0.9), True),
            (-0.5, ends(-0.9, 0.0), True),
            (0.0, ends(-0.1, 0.1), True),
            (0.5, None, True),
            (0.25, ends(0.2, 0.3), False),
            (0.25, None, False),
        )
    },
    **{
        f"bias {given} {ordered}": lambda given=given, ordered=ordered: words.bias_sentence(
            part(
                probes=tuple(effect(f"probe {one}", -0.25, ends(-0.5, -0.1), adjusted=one) for one in given),
                panel_ordered=ordered,
            )
        )
        for given, ordered in (
            ((), True),
            ((0.049,), True),
            ((0.05,), True),
            ((0.01, 0.02, 0.5), False),
            ((0.5, 0.9), True),
        )
    },
    **{
        f"steady {runs}": lambda runs=runs: words.steadiness_sentences(part(runs=runs))
        for runs in (
            None,
            Made(same=0.75, items=1, share=nan, interval=None),
            Made(same=0.8, items=20, share=0.25, interval=ends(0.1, 0.4)),
            Made(same=0.8, items=20, share=0.25, interval=None),
        )
    },
    **{
        f"settings {given}": lambda given=given: words.steadiness_sentences(
            part(settings=tuple(effect(f"prompt {one}", 0.5, ends(0.1, 0.9), adjusted=one) for one in given))
        )
        for given in ((0.049,), (0.05,), (0.01, 0.02, 0.9))
    },
    **{
        f"drift {p}": lambda p=p: words.steadiness_sentences(part(drift=effect("week", -0.5, ends(-1, -0.1), p=p)))
        for p in (0.049, 0.05, 0.5)
    },
    "gate in words": lambda: words.gate_sentences(
        Gate(
            Verdict.UNTRUSTED,
            (
                Check("all ratings", "alpha", 0.5, 0.4, 0.3, 0.45, Verdict.UNTRUSTED),
                Check("fluency", "bias", 0.25, 0.1, -0.3, 0.3, Verdict.INCONCLUSIVE, 120),
                Check("fluency", "bias", 0.25, 0.1, -0.3, 0.3, Verdict.INCONCLUSIVE, 1),
                Check("all ratings", "unsteady", 0.25, None, None, None, Verdict.INCONCLUSIVE, None, "Why. "),
                Check("all ratings", "advantage", 0.5, 0.9, 0.8, 0.95, Verdict.TRUSTED),
            ),
            ("Not seen.",),
        )
    ),
    "ends": lambda: [words.ends(None), words.ends(ends(0.125, 0.5)), words.ends(ends(0.125, 0.5), 3)],
}


def tables(*made):
    return [line for table in made if table is not None for line in table.to_plain().splitlines()]


TABLES = {
    "people": lambda: tables(
        telling.people_table(part()),
        telling.people_table(part(test=alt_test(True), title="fluency")),
        telling.people_table(
            part(test=alt_test(True, 0.5, ends(0.4, 0.6), left=tuple(f"x{place}" for place in range(13))))
        ),
    ),
    "agreement": lambda: tables(
        telling.agreement_table(part(beside=(alpha(0.4, 0.5, ends(-0.3, 0.1)), alpha(nan, 0.5))))
    ),
    "scores": lambda: tables(
        telling.score_table(part()),
        telling.score_table(part(measures=measured(overall=score(interval=ends(3, 4))))),
        telling.score_table(
            part(measures=measured(systems=(("", score(refused="few")), ("B", score(interval=ends(3, 4))))))
        ),
    ),
    "differences": lambda: tables(
        telling.difference_table(part()),
        *(
            telling.difference_table(
                part(measures=measured(*(pair(one / 20, ends(0, one)) for one in range(number, 0, -1))))
            )
            for number in (15, 16)
        ),
        telling.difference_table(part(measures=measured(pair(nan), pair(0.5), pair(0.25))), most=2),
    ),
    "verdicts": lambda: tables(
        *(
            telling.verdict_table(part(verdicts=one))
            for one in (
                None,
                Made(
                    positive="yes",
                    true_positive=0.9,
                    true_positive_interval=ends(0.8, 0.95),
                    true_negative=0.7,
                    true_negative_interval=None,
                    judged_share=0.5,
                    corrected=0.4,
                    corrected_interval=ends(0.3, 0.5),
                    refused="few",
                ),
            )
        )
    ),
    "effects": lambda: tables(
        telling.effects_table("E", [effect()]),
        telling.effects_table("E", [effect(adjusted=0.02), effect(note="Note.")], "share"),
        telling.bias_table(part()),
        telling.bias_table(part(probes=(effect(adjusted=0.2),))),
    ),
    "groups": lambda: tables(
        *(
            one
            for ordered in (True, False)
            for one in telling.group_tables(
                part(
                    panel_ordered=ordered,
                    groups={
                        "length": [effect(f"l{n}", n - 6) for n in range(13)],
                        "my_column": [effect(f"g{n}", n - 6) for n in range(13)],
                    },
                )
            )
        )
    ),
    "far": lambda: tables(
        telling.far_table(part()),
        *(
            telling.far_table(part(far=[Made(item="i", judge="5", people="1, 2", text=text)]))
            for text in ("", "t" * 200, "t" * 201)
        ),
    ),
    "several": lambda: tables(
        telling.several_table(part()),
        *(
            telling.several_table(
                part(
                    several=Made(
                        judges=("J", "K"),
                        error=(0.5, 0.75),
                        weights=(0.6, 0.4),
                        correlation=0.25,
                        worth=1.6,
                        panel_error=mean,
                        best="J",
                        best_error=0.5,
                        p=p,
                        items=1234,
                    )
                )
            )
            for mean, p in ((0.4, 0.049), (0.6, 0.049), (0.5, 0.01), (0.4, 0.05), (0.4, nan))
        ),
    ),
    "the rest": lambda: tables(
        telling.next_table(part()),
        telling.indicators_table(part()),
        telling.indicators_table(part(indicators=[Made(name="ease", value=0.5, interval=ends(0.4, 0.6), words="W.")])),
        telling.gate_table(Gate(Verdict.TRUSTED, (Check("c", "alpha", 0.5, 0.6, 0.55, 0.7, Verdict.TRUSTED),))),
    ),
}


def checked(name, limit, low, high, **given):
    value, interval = (low + high) / 2, ends(low, high)
    found = {
        "winning_rate": {"test": alt_test(True, value, interval, (False,))},
        "alpha": {"beside": (alpha(value, 0.5),)},
        "alpha_loss": {"beside": (alpha(0.5 - value, 0.5, ends(-high, -low)),)},
        "bias": {"apart": effect(value=value, interval=interval)},
        "unsteady": {"runs": Made(share=value, interval=interval)},
        "true_positive": {"verdicts": Made(true_positive=value, true_positive_interval=interval)},
        "true_negative": {"verdicts": Made(true_negative=value, true_negative_interval=interval)},
        "half_width": {"measures": measured(overall=score(interval=ends(-value, value)))},
    }[name]
    if name == "alpha":
        found["beside"][0].judge_interval = interval
    check = gate._check(part(**found, **given), name, limit)
    return f"{check.verdict} {check.value:.4g} {check.low:.4g} {check.high:.4g} {check.why!r}"


MARKS = [(0.3, 0.4), (0.3, 0.5), (0.4, 0.6), (0.5, 0.6), (0.6, 0.7)]
GATES = {
    **{
        f"{name} 0.5 {low} {high}": lambda name=name, low=low, high=high: checked(name, 0.5, low, high)
        for name in ("winning_rate", "alpha", "alpha_loss", "true_positive", "true_negative", "unsteady")
        for low, high in MARKS
    },
    **{
        f"bias 0.5 {low} {high}": lambda low=low, high=high: checked("bias", 0.5, low, high)
        for low, high in (
            (-0.5, 0.5),
            (-0.51, 0.5),
            (-0.5, 0.51),
            (0.5, 0.9),
            (0.51, 0.9),
            (-0.9, -0.5),
            (-0.9, -0.51),
            (-0.9, 0.9),
        )
    },
    **{
        f"half width {half}": lambda half=half: (
            gate._check(
                part(measures=measured(overall=score(interval=ends(3, 3 + 2 * half)))), "half_width", 0.5
            ).verdict
        )
        for half in (0.25, 0.5)
    },
    **{
        f"no {name} {ordered}": lambda name=name, ordered=ordered: gate._check(
            part(
                beside=(Made(judge=0.5, judge_interval=None, difference=0.1, difference_interval=None),),
                apart=effect(),
                measures=measured(overall=score(refused="too few")),
                panel_ordered=ordered,
            ),
            name,
            0.5,
        )
        for name in gate.CRITERIA
        for ordered in (True, False)
    },
}


def asked(given):
    try:
        return gate.checked_criteria(given)
    except OptionError as refused:
        return str(refused)


def pointed(**limits):
    try:
        gate._check_points(part(panel_ends=(1, 5), title="fluency"), limits)
    except OptionError as refused:
        return str(refused)
    return "fine"


LIMITS = {
    **{
        f"limit {name} {limit}": lambda name=name, limit=limit: asked({name: limit})
        for name in gate.CRITERIA
        for limit in (-1.01, -1, -0.01, 0, 1, 1.01, 2, 2.01)
    },
    **{
        f"limits {given!r}": lambda given=given: asked(given)
        for given in ({}, None, {"alfa": 1}, {"alpha": True}, {"alpha": "x"}, {"alpha": nan}, {"alpha": 0.5, "bias": 1})
    },
    **{
        f"points {limits}": lambda limits=limits: pointed(**limits)
        for limits in ({"bias": 3.99}, {"bias": 4}, {"half_width": 1.99}, {"half_width": 2}, {"alpha": 1})
    },
    "exit codes": lambda: [Gate(one, ()).exit_code for one in Verdict],
}
QUESTIONS = {**ALL, **TABLES, **GATES, **LIMITS}


def told(name: str) -> str:
    said = QUESTIONS[name]()
    return f"{name} | " + (" ¶ ".join(map(str, said)) if isinstance(said, list) else str(said))


@pytest.mark.parametrize("theme", ["ALL", "TABLES", "GATES", "LIMITS"])
def test_what_is_said_of_a_judge_is_what_was_recorded(theme):
    known = RECORD.read_text(encoding="utf-8").splitlines()
    found = [told(name) for name in globals()[theme]]
    assert found == [line for line in known if line.partition(" | ")[0] in globals()[theme]]


if __name__ == "__main__":
    RECORD.write_text("\n".join(told(name) for name in QUESTIONS) + "\n", encoding="utf-8")
