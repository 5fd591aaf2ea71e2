"""Small studies, each odd in a way of its own: what they record of themselves, what is missing, how many there are."""

from dataclasses import replace
from random import Random

from accord.design.scale import Direction
from accord.ratings.build import build_ratings
from accord.ratings.codebook import SIMULATED, LeftOut, StudyFacts
from accord.ratings.leaving_out import with_exclusions
from judging.test_recorded_small import judged

FACTS = StudyFacts(
    title="News",
    guidelines=("1.2", "1.3"),
    blinding="system names were hidden",
    order="items came in an order of each rater's own",
    independence="raters worked alone",
    consent="You may stop.",
    ethics="board 12/20",
    recruitment="By an agency.",
    background="Translators.",
    pay="20 euros an hour",
    training="a lesson",
    sampling="Every tenth text.",
    shown="source and translation",
    names="systems stand under codes",
    controls="2 items shown twice",
    exclusions=("raters whose repeats differ (limit 10)", "raters who answer in a second"),
    comments="yes",
    again="3 answers were asked for again",
    raters={"R0": {"years": "5"}, "R1": {"years": "5"}, "R2": {"years": "2", "home": "Rome"}},
)
PLAN = {
    "criterion": "tone",
    "coefficient": "krippendorff_alpha",
    "comparison": "group",
    "unit": "item",
    "reliability": "0.5",
    "confidence": "0.9",
    "hypothesis": "experts agree more",
}


def rows_of(seed, items=13, raters=3, criteria=("",), noise=0.6, steps=5, parts=("",), keep=lambda item, rater: True):
    """Item, rater, criterion, part and value: honest work of a few."""
    rng = Random(seed)
    for criterion in criteria:
        truths = [rng.uniform(1, steps) for _ in range(items)]
        for place, part in enumerate(parts):
            for rater in range(raters):
                for item, truth in enumerate(truths):
                    value = round(truth + rng.gauss(0, noise) + 0.4 * (rater == 1) - 0.7 * place)
                    if keep(item, rater):
                        yield item, f"R{rater}", criterion, part, max(1, min(steps, value))


def study(rows, part="", more=None, facts=None, **given):
    """Ratings of these rows; ``more`` makes further columns of item, rater, criterion, part and value."""
    rows = list(rows)
    columns = {"item": [f"i{row[0]:02}" for row in rows], "rater": [row[1] for row in rows]}
    if rows[0][2]:
        columns["criterion"] = [row[2] for row in rows]
    if part:
        columns[part] = [row[3] for row in rows]
    columns |= {"value": [row[4] for row in rows]}
    columns |= {name: [of(*row) for row in rows] for name, of in (more or {}).items()}
    given = {"level": "interval", "direction": "high", "scale": [1, 2, 3, 4, 5]} | given
    ratings = build_ratings(columns, **given)
    return ratings if facts is None else recorded(ratings, facts)


def recorded(ratings, facts, **book):
    book = {"source": "study News"} | book
    return replace(ratings, codebook=replace(ratings.codebook, study=facts, **book))


GROUP = {"group": lambda item, rater, *_: ("expert", "crowd")[rater in ("R1", "R3")]}
SYSTEMS = {
    "system": lambda item, *_: "ABCDEF"[item % 3],
    "segment": lambda item, *_: str(item // 3),
    "document": lambda item, *_: f"d{item // 6}",
}


def declared(**more):
    """A plan that was kept before the first judgement, on two criteria and two groups; somebody is left out."""
    rows = rows_of(3, raters=4, criteria=("tone", "flow"))
    kept = {"plan": {**PLAN, **more.pop("plan", {})}, "plan_hash": "abc", "plan_date": "2026-11-02"}
    facts = replace(FACTS, **kept | more)
    gone = (LeftOut(rater="R9", rule="repeats_differ", reason="12 apart", date="2026-11-05", declared=True),)
    return recorded(study(rows, more=GROUP), facts, left_out=gone)


def departed():
    """Another confidence, a rater left out whom no rule leaves out, one kept, parts pooled, changes afterwards."""
    made = declared(
        plan_changes=("the unit: rater became item", "the title"), plan={"reliability": "0.999", "unit": "rater"}
    )
    made = with_exclusions(made, leave_out=["R3"], keep_all=False)
    kept = LeftOut(rater="R2", rule="too_fast", reason="2 s, counted again on 5 November", declared=True)
    return replace(recorded(made, made.codebook.study, breaks_rules=(kept,)), pooled=("phase",))


def late():
    """A plan declared when judgements were there, whose coefficient does not fit, on one criterion."""
    plan = {"coefficient": "gwet_ac1", "comparison": "system", "confidence": "0.95"}
    made = study(rows_of(4, items=18, steps=9, noise=1.3), more=SYSTEMS, scale=list(range(1, 10)))
    return recorded(made, replace(FACTS, plan=plan, controls="", exclusions=()))


def several_systems():
    """Systems declared to be compared on two criteria, neither of which is declared to decide."""
    plan = {"comparison": "system", "unit": "rater", "coefficient": "krippendorff_alpha", "reliability": "0.2"}
    made = study(rows_of(5, items=18, criteria=("tone", "flow")), more=SYSTEMS, direction={"tone": "high"})
    return recorded(made, replace(FACTS, plan=plan, plan_hash="abc", names=""), source=f"study {SIMULATED}")


def unplanned():
    """A study without a plan, with questions, definitions and units; the good end of one criterion is not known."""
    made = study(rows_of(6, criteria=("tone", "flow", "ease"), items=7), direction={"tone": "high", "ease": "low"})
    asked = {
        "tone": {"question": "Is it polite?", "unit": "points"},
        "flow": {"question": "Does it flow?"},
        "ease": {"definition": "How hard it is to read"},
    }
    criteria = {name: replace(made.codebook.criterion(name), **more) for name, more in asked.items()}
    return recorded(made, replace(FACTS, exclusions=FACTS.exclusions[:1]), criteria=criteria)


def bare():
    """A study that recorded its title and a question alone."""
    made = study(rows_of(7, items=5, raters=2))
    one = replace(made.codebook.criterion(""), question="How good?")
    return recorded(made, StudyFacts(title="Bare"), criteria={"": one})


def spans():
    """Sentences that need others of their document, a few away, by two raters."""
    needs = {2: "1", 4: "1|3", 7: "8", 9: "7", 15: "13", 17: "12", 22: "25"}
    more = {
        "document": lambda item, *_: f"d{item // 10}",
        "segment": lambda item, *_: str(item % 10 + 1),
        "resolved_by": lambda item, *_: str(int(needs[item].partition("|")[0]) % 10 + 1) if item in needs else "",
        "text": lambda item, *_: f"Sentence {item}.",
        "issue": lambda item, *_: ("gender", "number")[item % 2],
        "domain": lambda item, *_: ("news", "talk")[item // 10 % 2],
    }
    return study(rows_of(8, items=28, raters=2), more=more)


def scenarios():
    """Texts alone and in context, with titles, by test set and group; what context shows to be faulty."""
    rows = list(rows_of(29, items=9, raters=3, criteria=("tone", "flow"), parts=("alone", "whole"), noise=0.3))
    worse = {(1, "alone"): 5, (4, "alone"): 5, (1, "whole"): 1, (4, "whole"): 1}
    rows = [(*row[:4], worse.get((row[0], row[3]), row[4])) for row in rows]
    more = {
        "comment": lambda item, rater, *_: "who is she?" if item == 4 and rater == "R1" else "",
        "test_set": lambda item, *_: ("news", "talk")[item % 2],
        "issue": lambda item, *_: "gender" if item == 4 else "",
    }
    facts = StudyFacts(
        title="Context",
        scenarios={"alone": "random-sentence", "whole": "sentence-in-context"},
        titles={"alone": "One sentence", "whole": "Whole text"},
        plan={"comparison": "scenario", "coefficient": "krippendorff_alpha", "confidence": "0.95"},
        plan_hash="f00",
    )
    return study(rows, part="scenario", more=more, level="ordinal", facts=facts)


def phases():
    """Four phases of two criteria: more comparisons than are shown at once; in one of them nobody differs."""
    rows = rows_of(31, items=7, criteria=("tone", "flow"), parts=("1", "2", "3", "4"), noise=0.9)
    return study(rows, part="phase")


def settings():
    """Raters who saw the source, a reference or neither, on two criteria, and who agree within what they saw."""
    saw = {"R0": "source", "R1": "source", "R2": "reference", "R3": "reference", "R4": "reference", "R5": "other"}
    rows = [
        (*row[:4], max(1, min(5, row[4] + (saw[row[1]] == "reference") * (1 + row[0] % 2))))
        for row in rows_of(11, items=9, raters=6, criteria=("tone", "flow"), noise=0.3)
    ]
    return study(rows, more={"condition": lambda item, rater, *_: saw[rater]})


def few(items, ratings, steps=5):
    """So many items with so many scores each, at most."""
    keep = lambda item, rater: rater < ratings[item % len(ratings)]  # noqa: E731
    return study(rows_of(12, items=items, raters=max(ratings), keep=keep), scale=[*range(1, steps + 1)])


def many_systems():
    """Fourteen systems, some of which lack texts."""
    rows = rows_of(14, items=70, raters=2, keep=lambda item, rater: item not in (3, 17, 30), noise=0.8)
    more = {
        "system": lambda item, *_: f"S{item % 14:02}",
        "segment": lambda item, *_: str(item // 14),
        "document": lambda item, *_: f"d{item // 14}",
    }
    lifted = [(*row[:4], max(1, min(5, row[4] + (row[0] % 14 == 5) * 2 - (row[0] % 14 == 8)))) for row in rows]
    return study(lifted, more=more)


def one_value():
    """Everybody gave the same but for one text; a criterion on which all agree."""
    rows = [(item, f"R{rater}", name, "", 4 if name == "flow" or (item, rater) != (3, 1) else 1)
            for name in ("tone", "flow") for rater in range(3) for item in range(11)]  # fmt: skip
    return study(rows, level="nominal", direction=None)


def checked():
    """Texts beside spoilt copies and repeats; a model among the raters."""
    rows = [*rows_of(16, items=19, raters=4, noise=0.5)]
    rows += [(17 + at, f"R{rater}", "", "", 5 - rater % 2) for at in range(2) for rater in range(4)]
    more = {
        "role": lambda item, rater, criterion, part, value: "degraded" if item in (1, 8) else "",
        "kind": lambda item, rater, *_: "model" if rater == "R3" else "human",
        "time_s": lambda item, rater, criterion, part, value: 3.0 + item % 7 + value,
        "order": lambda item, *_: item + 1,
        "occasion": lambda *_: "1",
    }
    return study(rows[:76], more=more)


def labels():
    """Seventeen labels without an order by fourteen raters, one of whom has a favourite."""
    rng = Random(17)
    rows = []
    for item in range(11):
        truth = rng.randrange(17)
        for rater in range(14):
            value = truth if rng.random() < 0.6 else rng.randrange(17)
            rows.append((item, f"R{rater:02}", "", "", "abcdefghijklmnopq"[3 if rater == 4 and item % 2 else value]))
    return study(rows, level="nominal", direction=None, scale=[*"abcdefghijklmnopq"])


def sets():
    """Sets of labels, which have no order, by three raters."""
    rng = Random(18)
    kinds = ("joy", "joy|fear", "anger", "fear")
    rows = [(item, f"R{rater}", "", "", kinds[(item + (rng.random() < 0.3)) % 4])
            for rater in range(3) for item in range(9)]  # fmt: skip
    return study(rows, level="nominal", direction=None, scale=None, separator="|")


def chosen():
    """Choices between three systems on two criteria."""
    rng = Random(19)
    rows = []
    for name in ("tone", "flow"):
        for item in range(21):
            first, second = (("A", "B"), ("B", "C"), ("A", "C"))[item % 3]
            for rater in range(3):
                value = first if rng.random() < 0.55 else second if rng.random() < 0.8 else "tie"
                rows.append((f"{item}:{first}~{second}", f"R{rater}", name, "", value))
    columns = {name: [row[at] for row in rows] for name, at in (("item", 0), ("rater", 1), ("criterion", 2))}
    return build_ratings(columns | {"value": [row[4] for row in rows]})


def asked_afterwards():
    """Answers to a questionnaire: numbers on two statements in two scenarios, and words."""
    rows = [(s, f"R{r}", scenario, str(1 + (2 * s + r + 2 * (scenario == "whole")) % 5))
            for s in range(2) for r in range(3) for scenario in ("alone", "whole")]  # fmt: skip
    columns = {
        "item": [*(("It was hard", "It was long")[row[0]] for row in rows), *["Which did you like?"] * 2],
        "rater": [*(row[1] for row in rows), "R0", "R1"],
        "scenario": [*(row[2] for row in rows), "", ""],
        "value": [*(row[3] for row in rows), "both", "neither"],
    }
    return build_ratings(columns)


def hurried():
    """One rater gives one value in a row, one answers at once, one turns the scale round; some texts are told apart."""
    rows = list(rows_of(21, items=41, raters=5, noise=0.4))
    change = {"R0": lambda item, value: 2 if item > 5 else value, "R4": lambda item, value: 6 - value}
    rows = [(*row[:4], change[row[1]](row[0], row[4]) if row[1] in change else row[4]) for row in rows]
    more = {
        "order": lambda item, *_: item + 1,
        "time_s": lambda item, rater, *_: (0.3 if rater == "R2" else 9.0) + (item * 7 % 11) / 10,
        "comment": lambda item, rater, *_: f"see {item}" if item % 9 == 4 and rater == "R1" else "",
    }
    return study(rows, more=more)


def alone():
    """One rater."""
    return study(rows_of(22, items=9, raters=1))


def apart():
    """Two raters who never judged the same text, and two texts that both did."""
    return study(rows_of(23, items=12, raters=2, keep=lambda item, rater: item < 2 or item % 2 == rater))


GIVEN = {
    "hasty": ["R1 (2 s for a text, 30 s expected)", "R2 (3 s, 30 s expected)"],
    "sanity": ["The values of two columns are sorted; each by itself."],
    "exclusions": ["declared before collection: none"],
    "read_as": ["ratings of mine.csv", "--direction", "high"],
    "title": "Ours",
    "seed": 7,
    "confidence": 0.9,
}
ODD = {
    "declared": (declared, {}),
    "met": (lambda: declared(plan={"reliability": "-0.9", "unit": "rater", "criterion": "flow"}, plan_date=""), {}),
    "departed": (departed, {"confidence": 0.8}),
    "late": (late, {}),
    "several-systems": (several_systems, {}),
    "unplanned": (unplanned, {}),
    "bare": (bare, {}),
    "spans": (spans, {}),
    "scenarios": (scenarios, {"answers": asked_afterwards}),
    "phases": (phases, {}),
    "settings": (settings, {}),
    "few-6": (lambda: few(6, (3, 2, 1)), {}),
    "few-5": (lambda: few(5, (3, 1, 4)), {}),
    "few-1": (lambda: few(1, (4,)), {}),
    "many-systems": (many_systems, {}),
    "one-value": (one_value, {}),
    "checked": (checked, {}),
    "labels": (labels, {}),
    "sets": (sets, {}),
    "chosen": (chosen, {}),
    "hurried": (hurried, GIVEN),
    "alone": (alone, {}),
    "apart": (apart, {}),
}


def edited():
    """Translations beside a reference and a post-edit, some close to the one and far from the other."""
    words = [*"abcdefghijklmnopqrst"]
    texts = {
        "mt": lambda item, *_: " ".join(words[item : item + 6]),
        "reference": lambda item, *_: " ".join([*words[item : item + 6 - item % 5], *["far"] * (item % 5)]),
        "post_edit": lambda item, *_: " ".join([*words[item : item + 6 - item % 4], *["near"] * (item % 4)]),
    }
    return study(rows_of(24, items=11, raters=2, noise=1.1), more=texts)


DRAWN = {
    "context": (spans, edited),
    "misevaluation": (scenarios, phases, lambda: study(rows_of(9, items=4, parts=("RS", "SC")), part="scenario")),
    "quadrants": (edited, spans, lambda: replace(edited(), scale=replace(edited().scale, direction=Direction.UNKNOWN))),
    "bleu-quadrants": (edited,),
    "bootstrap-panels": (settings,),
    "intervals": (lambda: declared(plan={"unit": "rater"}), unplanned, one_value, alone, lambda: few(4, (2, 3))),
    "pair-boxes": (alone, settings, labels),
    "agreement-parts": (apart, labels, lambda: study(rows_of(25, items=4, raters=2, keep=lambda i, r: i % 2 == r))),
    "pair-matrix": (hurried, one_value, apart),
    "rank-intervals": (many_systems, late, several_systems),
    "severity": (hurried, labels, apart),
    "category-use": (labels, one_value),
    "drift": (hurried, spans),
    "ratings-per-item": (many_systems, labels, lambda: few(5, (3, 1, 4))),
    "distributions": (settings,),
    "means-with-ranges": (settings,),
    "heat-maps": (settings,),
}
JUDGED = (
    *(lambda seed=seed: judged(seed) for seed in range(3)),
    lambda: judged(3, people=4, labelled=1),
    lambda: judged(4, people=3, labelled=1, documents=8),
    lambda: judged(6, people=4, documents=8, each=3, labelled=1, shift=0.7),
    lambda: judged(7, people=3),
    lambda: judged(8, people=4, labelled=1, noise=0.5),
    lambda: judged(9, people=3, runs=3),
)
