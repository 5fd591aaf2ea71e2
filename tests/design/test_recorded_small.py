"""Small studies are planned, refused, fitted and written as it was recorded: whole plans, on and beside each limit."""

import tempfile
from copy import deepcopy
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from accord.design.assignment import blocks, plan_assignment, replan
from accord.design.assignment.control_items import batches
from accord.design.assignment.degrading import degraded, replaced_words, with_foreign_phrase
from accord.design.assignment.even_overlap import Overlap, even_out, overlap_targets, pairs_met
from accord.design.assignment.plan import shown_order
from accord.design.declared_plan import declared_plan, plan_changes, plan_hash
from accord.design.fitting import EASINGS, fitted, shows_source, unfitted
from accord.design.items import Item
from accord.design.load import load_study
from accord.design.nearest import did_you_mean, mistyped
from accord.design.preset import PRESETS, copy_preset, preset_settings, preset_title, protocol_title
from accord.design.scale import Direction, Level, Scale
from accord.design.study import Controls
from accord.design.toml_lines import TomlLines
from accord.design.toml_writing import to_toml
from accord.design.working_time import expected_seconds, paid_minutes, pay_of
from accord.errors import StudyError
from design.study_folder import CRITERION, SCENARIO, items_text, write_study
from small_studies import assert_as_recorded, said

SEEDS = range(30)
FEWER = {"presets": len(PRESETS), "written": 12, "scales": 20}
SETS = '[[test_sets]]\nkey = "A"\ndocuments = ["d1"]\n[[test_sets]]\nkey = "B"\n'
DESIGNS = (
    'design = "crossed"\nraters = 3',
    'design = "incomplete-blocks"\nraters = 5\nratings_per_item = 2',
    'design = "nested"\nraters = 4\nratings_per_item = 2',
    'design = "minimum-overlap"\nraters = 3\noverlap = 4',
    'design = "latin-square"\nraters = 5',
    'design = "complementary-halves"\nraters = 3',
    'design = "incomplete-blocks"\nraters = 6\nratings_per_item = 2\nsource_once = true',
    'design = "crossed"\nraters = 2\norder = "fixed"',
    'design = "crossed"\nraters = 2\nsystems_per_input = 1',
    'design = "incomplete-blocks"\nraters = 10\nratings_per_item = 4',
)
CONTROLS = (
    "",
    "[controls]\nrepeats = 2\ndegraded = 1\nblocks = 3\nspacing = 1\n",
    '[controls]\nattention = 1\nreferences = 2\nrepeats = 1\nbatch = 5\nper = "batch"\n',
    "[controls]\ngold = 2\nrepeats = 1\nblocks = 4\nspacing = 2\n",
)
TWO = '[[phases]]\nkey = "p1"\n[[phases]]\nkey = "p2"\n'
PHASES = (
    "",
    TWO,
    TWO + 'again = "p1"\n',
    TWO + 'keep_back = 1\n[[phases]]\nkey = "p3"\ndocuments = ["d2"]\n',
)
SCENARIOS = (
    SCENARIO,
    SCENARIO + SCENARIO.replace('"s"', '"t"'),
    SCENARIO.replace("random-sentence", "document"),
    SCENARIO.replace("random-sentence", "sentence-in-context")
    + '[[scenarios]]\nkey = "d"\nkind = "document"\nafter = "s"\n',
)
GROUPS = ("", "", '[[groups]]\nkey = "a"\nraters = 1\n[[groups]]\nkey = "b"\n')


def random(seed):
    return np.random.default_rng(seed)


def loaded(folder, seed, **given):
    """A study drawn from everything above, or the sentences it is refused with."""
    rng = Random(seed)
    systems = rng.choice((1, 2, 3))
    text = items_text(rng.choice((3, 4, 5)), rng.choice((1, 2, 3)), systems)
    if (controls := rng.choice(CONTROLS)).startswith("[controls]\ngold"):
        head, *rows = text.splitlines()
        text = "\n".join(
            [f"{head}\tgold:quality", *(f"{row}\t{50 if at % 3 == 0 else ''}" for at, row in enumerate(rows))]
        )
    drawn = {
        "assignment": DESIGNS[seed % len(DESIGNS)],
        "scenarios": rng.choice(SCENARIOS),
        "items": text,
        "more": controls + rng.choice(PHASES) + rng.choice(GROUPS) + (SETS if seed % len(DESIGNS) == 4 else ""),
        "criteria": CRITERION + (CRITERION.replace('"quality"', '"style"') if seed % 3 == 0 else ""),
    }
    try:
        return load_study(write_study(Path(folder), **(drawn | given)))
    except StudyError as refused:
        return [str(problem) for problem in refused.problems]


def in_columns(plan):
    columns = ("rater", "unit", "role", "phase", "batch", "turn")
    return {name: getattr(plan, name) for name in columns} | {
        "units": [
            f"{one.item}/{one.document}/{one.scenario}/{'+'.join(one.systems)}/{one.test_set}" for one in plan.units
        ],
        "notes": plan.notes,
        "altered": {str(key): text for key, text in plan.altered.items()},
        "groups": plan.groups,
        "raters": plan.raters,
        "overlap": plan.overlap(),
        "loads": plan.loads(),
        "by phase": [plan.overlap(phase) for phase in plan.phases],
        "tasks": [str(task) for task in list(plan.tasks())[::7]],
    }


def planned(seed):
    with tempfile.TemporaryDirectory() as folder:
        study = loaded(folder, seed)
    if isinstance(study, list):
        return study
    return {
        "plan": said(lambda: in_columns(plan_assignment(study))),
        "print": study.fingerprint,
        "order": said(lambda: plan_assignment(study, order=2).unit),
    }


def planned_again(seed):
    rng = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        study = loaded(folder, seed, scenarios=SCENARIO, more=CONTROLS[seed % 3] + GROUPS[seed % 3] * (seed < 6))
    if isinstance(study, list):
        return study
    plan = plan_assignment(study)
    found = {}
    for left, joined in product(range(3), range(3)):
        given = {name: rng.choice((0, 1, 3, 99)) for name in plan.raters}
        more = [plan.groups[at % len(plan.groups)] for at in range(joined)]
        asked = {"given": given, "left": plan.raters[:left], "joined": more}
        made = said(lambda asked=asked: replan(study, plan, **asked))
        if isinstance(made, str):
            found[f"{left} {joined}"] = made
        else:
            parts = {
                name: getattr(made, name) for name in ("rater", "unit", "role", "batch", "notes", "raters", "groups")
            }
            found[f"{left} {joined}"] = parts | {"altered": len(made.altered)}
    return found | {
        "nobody": said(lambda: replan(study, plan, given={}, left=["R77"])),
        "no group": said(lambda: replan(study, plan, given={}, joined=["zz"])),
    }


def of_blocks(seed):
    rng, bundles, raters = random(seed), 4 + seed, 3 + seed % 4
    sources = (np.arange(bundles) // 2).astype(np.int32)
    width = 1 + seed % raters
    asks = {
        "crossed": lambda: blocks.crossed(bundles, 2),
        "nested": lambda: blocks.nested(bundles, raters, 1 + seed % 2, rng),
        "shared": lambda: blocks.minimum_overlap(bundles, raters, seed, rng),
        "halves": lambda: blocks.complementary_halves(bundles, raters, rng).astype(int),
        "even": lambda: blocks.incomplete_blocks(sources, raters, width, rng),
        "once": lambda: blocks.incomplete_blocks(sources, raters, 1 + seed % 3, rng, source_once=True),
        "alone": lambda: blocks.incomplete_blocks(sources[:1], raters, width, rng),
        "williams": lambda: blocks.williams(1 + seed % 7),
        "targets": lambda: overlap_targets(bundles, raters, width),
    }
    found = {name: said(ask) for name, ask in asks.items()}
    if not isinstance(found["even"], str):
        met = blocks.overlap_of(found["even"], bundles, raters)
        found |= {"met": met, "overlap": Overlap.of(met, width, bundles)}
    shared = random(seed).integers(0, 5, (raters, raters))
    return found | {"uneven": Overlap.of(shared + shared.T, 2, bundles)}


def evened(seed):
    rng = random(seed)
    inside = np.zeros((10, 6), dtype=bool)
    for row in inside:
        row[rng.choice(6, 1 + seed % 4, replace=False)] = True
    sources = np.repeat(np.arange(5), 2).astype(np.int32) if seed % 2 else None
    found = even_out(inside, seed % 3, sources, rng)
    return [found, inside.astype(int), pairs_met(inside)]


def checked(seed):
    rng = random(seed)
    controls = Controls(
        repeats=seed % 3,
        degraded=(seed + 1) % 4,
        references=seed % 2,
        gold=(0, 2, 3)[seed % 3],
        attention=seed % 2,
        blocks=2 + seed % 4,
        spacing=seed % 3,
        batch=(None, 4, 5)[seed % 3] or None,
        per=("rater", "batch")[seed % 2],
    )
    bundles = np.arange((0, 1, 7, 12)[seed % 4], dtype=np.int32)
    sources = [f"s{at // 2}" for at in range(20)]
    return batches(bundles, controls, np.arange(15, 19, dtype=np.int32), sources, rng)


def spoilt(seed):
    texts = ("", "one", "a b", "one two three four", "a b c d e", "w " * 20, "这是一句话没有空格", "  so  it is ")
    rng = random(seed)
    text, donor = texts[seed % 8], texts[(seed * 3 + 3) % 8]
    return [
        degraded(text, donor, rng),
        with_foreign_phrase(text, donor, rng),
        [replaced_words(2 * seed + at) for at in (0, 1)],
    ]


WORDS = ("document", "segment", "row", "time_s", "cohen_kappa", "fleiss_kappa", "id")
SLIPS = (
    "document",
    "Document",
    "documnt",
    "docuemnt",
    "dacument",
    "documentt",
    "xdocument",
    "docu-ment",
    "doc",
    "kappa",
    "ka",
    "rwo",
    "row",
    "ro",
    "time s",
    "timee_s",
    "segmnet",
    "segmen",
    "sgmnt",
    "idd",
    "kapp",
    "",
    "cohenkappa",
    "ab",
    "dc",
)


def near(_):
    found = [(word, did_you_mean(word, WORDS), mistyped(word, WORDS[:4], absent=WORDS[:2])) for word in SLIPS]
    other = [
        (word, did_you_mean(word, ["abc", "abd"]), mistyped(word, ["abcd", "abdc"], absent=["abcdefg"]))
        for word in ("abc", "acb", "bac", "abdd", "abcde", "acbd", "badc", "abcdef", "ABCD", "abxd", "abcx", "axc")
    ]
    return [*map(list, found), *map(list, other)]


def item(seed, place):
    rng = Random(seed * 9 + place)
    return Item(
        f"i{place}",
        f"d{place // 2}",
        str(place),
        rng.choice(("", "source")) if seed % 2 else "source",
        {f"S{at}": "text" for at in range(1 + seed % 3)},
        {"r": "ref"} if rng.random() < 0.2 * (seed % 3) else {},
        "edit" if seed % 4 == 1 else "",
        gold={"quality": "5"} if seed % 5 == 2 else {},
    )


def raw(seed):
    rng = Random(seed)
    return {
        "criteria": [
            {"key": "q", "kind": "slider", "consult": ["reference", "source"]},
            {"key": "p", "kind": "pairwise", "prefilled": "m"},
        ][: 1 + seed % 2]
        if seed % 6
        else [{"key": "p", "kind": "ranking"}],
        "scenarios": [
            {
                "key": "s",
                "kind": "random-sentence",
                "systems": 1 + seed % 4,
                "show": ["source", "reference"],
                "reference": "r",
            },
            {"key": "t", "kind": "document", "title": "T"},
        ],
        "groups": [{"key": "a", "show": ["post_edit"]}, {"key": "b"}] if seed % 3 else [],
        "controls": {
            "repeats": rng.randint(0, 3),
            "degraded": rng.randint(0, 2),
            "references": seed % 2,
            "gold": seed % 3,
            "attention": rng.randint(0, 1),
            "spacing": seed % 4,
        }
        | ({"batch": 20, "per": "batch"} if seed % 4 == 0 else {}),
        "exclusions": [{"rule": one} for one in ("repeats_differ", "gold_wrong", "too_fast", "degraded_not_lower")][
            seed % 2 :
        ],
        "test_sets": [{"key": "A", "documents": ["d0", "d9"]}, {"key": "B", "documents": ["d0"]}],
        "assignment": [
            {"design": "nested", "raters": 6, "systems_per_input": 2},
            {"design": "crossed", "source_once": True},
            {"design": "crossed"},
            {},
        ][seed % 4],
        "practice": [{"source": "x"}] if seed % 2 else [],
    }


def fitting(seed):
    items = [item(seed, place) for place in range(4)]
    made = said(lambda: fitted(raw(seed), items))
    if isinstance(made, str):
        return made
    settings, told = made
    later = deepcopy(settings)
    later |= {"title": "new", "groups": [{"key": "c"}, *later.get("groups", [])]}
    back = [str(unfitted(later, raw(seed), settings)), str(unfitted(settings, raw(seed), settings))]
    eased, more = deepcopy(settings), []
    steps = [[easing(eased, more) for easing in EASINGS] for _ in range(5)]
    return {
        "settings": str(settings),
        "told": told,
        "back": back,
        "eased": str(eased),
        "steps": str(steps),
        "more": more,
        "source": [
            shows_source(settings),
            shows_source(raw(seed)),
            shows_source({"scenarios": [{"show": []}]}),
            shows_source({"groups": [{"show": ["source"]}]}),
            shows_source({}),
        ],
    }


def written(seed):
    settings = raw(seed) | {
        "a key": None,
        "nested": {"only": {"tables": {"x": 1.5}}},
        "empty": {},
        "on": True,
        "\x7f": "\n\x7f",
    }
    text = to_toml(settings) + '[long]\nwords = """\nkey = 1\n"""\n"a b".c = 2\n'
    lines = TomlLines(text)
    places = [
        ("criteria", 0, "kind"),
        ("criteria", 1),
        ("scenarios", 1, "title"),
        ("nested", "only", "tables", "x"),
        ("long", "words"),
        ("long", "a b", "c"),
        ("key",),
        ("groups", 0, "show"),
        ("none",),
        (),
    ]
    return [text, [str(lines.line(place)) for place in places]]


def scales(seed):
    values = ((1.0, 2.0, 3.0), ("a", "b"), (frozenset("a"), frozenset()), (5.0,), ())[seed % 5]
    scale = Scale(list(Level)[seed % 4], values, declared=seed % 2 == 0, direction=list(Direction)[seed % 4])
    made = Scale.of_numbers(Level.INTERVAL, np.array([0.5, 2.0][: seed % 3]), ("level guessed: interval",))
    return {
        "facts": [
            str(scale.is_numeric),
            str(scale.has_sets),
            str(scale.numbers),
            str(scale.array),
            str(scale.direction),
        ],
        "fewer": str(scale.restricted_to(values[:1]).values),
        "length": len(scale),
        "made": made,
        "of": str(made.array),
        "strict": [one.strictness(difference) for one in Direction for difference in (-1, 0, 1)],
    }


def presets(seed):
    name = PRESETS[seed]
    settings = preset_settings(name)
    with tempfile.TemporaryDirectory() as folder:
        copy_preset(name, Path(folder) / "study")
        study = load_study(Path(folder) / "study", raters=4)
    plan = declared_plan(study.settings)
    scenario = study.settings.scenarios[0].key
    return {
        "titles": [preset_title(name), protocol_title(name), str(shows_source(settings))],
        "plan": plan,
        "hash": plan_hash(plan),
        "changes": plan_changes(plan, {**plan, "unit": "x", "new": "y"}),
        "gone": plan_changes(plan, {}),
        "work": [
            expected_seconds(study.settings, scenario),
            paid_minutes(study.settings, 90),
            paid_minutes(study.settings, [30, 60]),
            pay_of(study.settings, 90),
        ],
        "print": study.fingerprint,
        "columns": [str(study.columns_of(one.document, one.id)) for one in study.items[:2]],
        "of document": str(study.columns_of(study.items[0].document)),
    }


def turned(seed):
    return ["".join(shown_order(tuple("ABCD"[:systems]), seed)) for systems in range(1, 5)]


ASKED = {
    "planned": planned,
    "planned-again": planned_again,
    "blocks": of_blocks,
    "evened": evened,
    "checked": checked,
    "spoilt": spoilt,
    "near": lambda seed: near(seed) if seed == 0 else "",
    "fitting": fitting,
    "written": written,
    "scales": scales,
    "presets": presets,
    "turned": turned,
}


@pytest.mark.parametrize("name", ASKED)
def test_small_studies_are_planned_as_it_was_recorded(name):
    assert_as_recorded("design", name, ASKED[name], SEEDS[: FEWER.get(name)])
