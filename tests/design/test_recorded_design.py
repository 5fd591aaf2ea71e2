"""What a study is refused with, word by word, and what a seed hands out to whom: as it was read and recorded.

A plan must stay as it is: raters at work were given it. ``tests/recorded/sentences/design.txt`` has the sentences,
``tests/recorded/plans.txt`` the plans. Where one is to change, run ``python tests/design/test_recorded_design.py``,
read the difference, and keep it if every line of it is meant.
"""

import hashlib
import tempfile
from pathlib import Path

import pytest

from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.design.nearest import did_you_mean, mistyped
from accord.design.preset import PRESETS, copy_preset
from accord.errors import StudyError
from design.study_folder import CRITERION, SCENARIO, write_study
from design.test_bad_studies import ITEM_MISTAKES, MISTAKES

RECORDED = Path(__file__).parents[1] / "recorded"
SENTENCES, PLANS = RECORDED / "sentences" / "design.txt", RECORDED / "plans.txt"
CHECKS = "[controls]\nrepeats = 2\ndegraded = 2\nattention = 1\nblocks = 4\nspacing = 1\n"
TWO = SCENARIO + SCENARIO.replace('"s"', '"t"')
SETS = "".join(f'[[test_sets]]\nkey = "{key}"\ndocuments = ["{one}", "{two}"]\n' for key, one, two in
               (("A", "d1", "d2"), ("B", "d3", "d4")))  # fmt: skip
DESIGNS = {
    "crossed, with checks": {"more": CHECKS},
    "crossed, pairs of systems": {
        "scenarios": SCENARIO + "systems = 2\n",
        "criteria": '[[criteria]]\nkey = "p"\nquestion = "?"\nkind = "pairwise"\n', "systems": 3,
    },
    "two of five raters": {"assignment": 'design = "incomplete-blocks"\nraters = 5\nratings_per_item = 2'},
    "three of seven raters": {"assignment": 'design = "incomplete-blocks"\nraters = 7\nratings_per_item = 3'},
    "a source once": {
        "assignment": 'design = "incomplete-blocks"\nraters = 6\nratings_per_item = 2\nsource_once = true',
    },
    "teams of two": {"assignment": 'design = "nested"\nraters = 4\nratings_per_item = 2'},
    "few shared": {"assignment": 'design = "minimum-overlap"\nraters = 4\noverlap = 5'},
    "a square": {"assignment": 'design = "latin-square"\nraters = 4', "scenarios": TWO, "more": SETS},
    "one system of each input": {"assignment": 'design = "crossed"\nraters = 3\nsystems_per_input = 1', "systems": 3},
    "two groups": {"more": '[[groups]]\nkey = "a"\nraters = 1\n[[groups]]\nkey = "b"\nraters = 2\n'},
    "in a fixed order": {"assignment": 'design = "crossed"\nraters = 3\norder = "fixed"'},
    "two criteria": {"criteria": CRITERION + CRITERION.replace('"quality"', '"style"')},
}  # fmt: skip


MISTAKEN = {name: changes for name, (changes, *_) in MISTAKES.items()} | {
    f"items: {name}": {"items": one[0]} for name, one in ITEM_MISTAKES.items()
}


def sentences(name: str, folder: Path) -> str:
    """All that a mistake is answered with."""
    with pytest.raises(StudyError) as refused:
        load_study(write_study(folder / "study", **MISTAKEN[name]))
    return " / ".join(str(problem) for problem in refused.value.problems).replace(str(folder), "").replace("\n", " ")


def handed_out(study) -> str:
    """Everybody's number of tasks and first tasks, and a fingerprint of all that is handed out."""
    plan = plan_assignment(study)
    lines, whole = [], hashlib.sha256()
    for rater in plan.raters:
        tasks = [
            (task.item or task.document, *task.systems, task.scenario, task.role, task.phase, task.group, task.batch,
             task.occasion, task.order, *(task.texts or ()))
            for task in plan.tasks_of(rater)
        ]  # fmt: skip
        whole.update(repr(tasks).encode())
        first = ", ".join(f"{task[0]} {task[1] if len(task) > 1 else ''}" for task in tasks[:4])
        lines.append(f"{rater}: {len(tasks)} tasks: {first}")
    return "; ".join([*lines, f"all {whole.hexdigest()[:16]}"])


def plans(name: str, folder: Path) -> str:
    if name in DESIGNS:
        return handed_out(load_study(write_study(folder / "study", **DESIGNS[name])))
    copy_preset(name.removeprefix("preset "), folder / "study")
    return handed_out(load_study(folder / "study"))


def known(record: Path) -> dict[str, str]:
    lines = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
    return dict(line.split(" | ", 1) for line in lines)


PLANNED = [*DESIGNS, *(f"preset {name}" for name in PRESETS)]


@pytest.mark.parametrize("name", MISTAKEN)
def test_a_mistake_is_answered_with_the_sentences_that_were_recorded(name, tmp_path):
    assert sentences(name, tmp_path) == known(SENTENCES)[name]


@pytest.mark.parametrize("name", PLANNED)
def test_a_seed_hands_out_what_was_recorded(name, tmp_path):
    assert plans(name, tmp_path) == known(PLANS)[name]


def test_every_record_is_that_of_a_mistake_or_a_plan():
    assert [*known(SENTENCES)] == [*MISTAKEN] and [*known(PLANS)] == PLANNED


def test_every_plan_hands_out_what_its_design_says():
    """The record is not only old, it is right: how many tasks each rater has, counted by hand."""
    numbers = {
        name: [int(part.split(": ")[1].split()[0]) for part in told.split("; ")[:-1]]
        for name, told in known(PLANS).items()
    }
    assert numbers["crossed, with checks"] == [24 + 5] * 3 and numbers["two criteria"] == [24] * 3
    assert sum(numbers["two of five raters"]) == 24 * 2 and max(numbers["two of five raters"]) <= 10
    assert sum(numbers["three of seven raters"]) == 24 * 3 and max(numbers["three of seven raters"]) <= 11
    assert sum(numbers["teams of two"]) == 24 * 2 and sum(numbers["a source once"]) == 24 * 2
    assert sum(numbers["one system of each input"]) == 12 * 3 and numbers["two groups"] == [24] * 3
    assert numbers["crossed, pairs of systems"] == [12 * 3] * 3, "three pairs of three systems"
    assert numbers["a square"] == [24] * 4


@pytest.mark.parametrize(
    ("word", "known", "told"),
    [
        ("qualty", ["quality", "style"], ". Did you mean 'quality'?"),
        ("xyz", ["quality", "style"], ". Known here: quality, style"),
        ("xyz", [], ". There is no other here."),
        ("kap", ["cohen_kappa", "fleiss_kappa", "alpha"], ". Did you mean 'cohen_kappa' or 'fleiss_kappa'?"),
        ("ka", ["cohen_kappa", "fleiss_kappa"], ". Known here: cohen_kappa, fleiss_kappa"),
        ("KAPPA", ["cohen_kappa"], ". Did you mean 'cohen_kappa'?"),
        ("zzz", [f"a{n:02}" for n in range(30)], ". Known here: " + ", ".join(f"a{n:02}" for n in range(30))),
        ("zzz", [f"a{n:02}" for n in range(32)],
         ". Known here: " + ", ".join(f"a{n:02}" for n in range(30)) + " and 2 more"),
    ],
)  # fmt: skip
def test_the_nearest_word_is_named_or_those_that_there_are(word, known, told):
    assert did_you_mean(word, known) == told


@pytest.mark.parametrize(
    ("word", "absent", "meant"),
    [
        ("Document", (), "document"), ("documnt", (), "document"), ("docuument", (), "document"),
        ("docment", (), "document"), ("docuemnt", (), "document"), ("dacument", (), "document"),
        ("documents", (), "document"), ("documen", (), "document"), ("docmnt", (), ""), ("documentation", (), ""),
        ("document_id", (), ""), ("document_id", ("document",), "document"), ("docs", ("document",), ""),
        ("ro", (), ""), ("row", (), "row"), ("rows", (), ""), ("rows", ("row",), ""), ("time-s", (), "time_s"),
    ],
)  # fmt: skip
def test_one_slip_of_a_letter_is_seen_through_and_two_are_not(word, absent, meant):
    assert mistyped(word, ("document", "row", "time_s"), absent=absent) == meant


if __name__ == "__main__":
    for record, found, names in ((SENTENCES, sentences, MISTAKEN), (PLANS, plans, PLANNED)):
        lines = []
        for name in names:
            with tempfile.TemporaryDirectory() as place:
                lines.append(f"{name} | {found(name, Path(place))}")
        record.write_text("\n".join(lines) + "\n", encoding="utf-8")
