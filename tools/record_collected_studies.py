"""Keep collected studies as a version of Accord left them, so that later versions are held against them.

Run it with the version that is to be kept, ``python tools/record_collected_studies.py``: it writes one archive a
study into tests/recorded/studies, with the study folder, its database, and ``told.json``: the exported tables and the
numbers of the dashboard as that version gives them. Raters, answers, times and identifiers come from seeds.
"""

import json
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5
from zipfile import ZIP_LZMA, ZipFile, ZipInfo

import accord
from accord.design.preset import PRESETS, copy_preset

TARGET = Path(__file__).parent.parent / "tests" / "recorded" / "studies"
NAMES = UUID("6f1d3c52-6a0c-4b57-9c1a-3f6a1b1f7c11")
BEGIN = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
RATERS = {"document-context": 4, "quality-check": 2}
TABLES = ("ratings", "judgements", "questionnaire")

ERROR_COUNTS = """
title = "Errors counted and texts ranked"
seed = 31
[languages]
source = "en"
target = "pt"
[assignment]
design = "crossed"
raters = 4
[[rater_questions]]
key = "years"
question = "Years of experience?"
[[scenarios]]
key = "alone"
kind = "random-sentence"
[[scenarios]]
key = "beside"
kind = "random-sentence"
systems = 3
[[criteria]]
key = "errors"
question = "How many errors are there?"
kind = "scale"
level = "ratio"
values = [0, 1, 2, 3, 4, 5]
best = "low"
scenarios = ["alone"]
[[criteria]]
key = "edit"
question = "Correct it."
kind = "post_edit"
required = false
scenarios = ["alone"]
[[criteria]]
key = "rank"
question = "Put them in order."
kind = "ranking"
scenarios = ["beside"]
"""
TWO_PHASES = """
title = "Two phases, the second after a discussion"
seed = 32
[languages]
source = "en"
target = "pt"
[assignment]
design = "complementary-halves"
raters = 4
[[phases]]
key = "before"
[[phases]]
key = "after"
[[scenarios]]
key = "alone"
kind = "random-sentence"
[[criteria]]
key = "meaning"
question = "How much of the meaning is there?"
kind = "scale"
level = "ordinal"
values = [0, 1, 2, 3]
comment = true
[questionnaire]
[[questionnaire.statements]]
key = "tiring"
text = "It was tiring."
"""
OWN = {"error-counts": ERROR_COUNTS, "two-phases": TWO_PHASES}
SYSTEMS = ("alpha", "beta", "gamma")


def main() -> None:
    """Make, fill in, export and pack each study."""
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in (*PRESETS, *OWN):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "study"
            if name in OWN:
                write_own(folder, OWN[name])
            else:
                copy_preset(name, folder)
            told = collected(folder, name)
            pack(folder, told, TARGET / f"{name}.zip")
        print(f"{name}: {len(told['judgements'])} judgements, {(TARGET / f'{name}.zip').stat().st_size:,} bytes")


def write_own(folder: Path, settings: str) -> None:
    """Ten sentences of two documents in three systems."""
    folder.mkdir()
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    (folder / "guidelines.md").write_text("# How to judge\n\nRead everything.\n", encoding="utf-8")
    lines = ["\t".join(("document", "segment", "source", *(f"target:{system}" for system in SYSTEMS)))]
    for number in range(10):
        texts = [f"O barco {number} sai cedo, diz {system}." for system in SYSTEMS]
        lines.append("\t".join((f"d{number // 5 + 1}", str(number % 5 + 1), f"Boat {number} leaves early.", *texts)))
    (folder / "items.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def collected(folder: Path, name: str) -> dict[str, Any]:
    """Collect in the folder and say what this version makes of it."""
    from accord.server.connect import connect, prepare

    connect(folder)
    prepare()
    from accord.server.export import TABLES as EXPORTED
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    fill_in(name)
    refresh(here=True)
    if name == "two-phases":
        measure_again()
    if name == "error-counts":
        decide()
    refresh(here=True)
    snapshot = latest_snapshot()
    close(folder)
    return {
        "version": accord.__version__,
        "fingerprint": snapshot.fingerprint,
        "dashboard": [group_told(group) for group in snapshot.results["groups"]],
        **{table: [dict(row) for row in EXPORTED[table].rows()] for table in TABLES},
    }


def group_told(group: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a criterion on the dashboard."""
    kept = ("coefficient", "value", "low", "high", "items", "raters")
    estimates = [{name: one[name] for name in kept} for one in group["estimates"]]
    return {"title": group["title"], "by": group["by"], "level": group["level"], "estimates": estimates}


def fill_in(name: str) -> None:
    """Everybody answers everything but the last rater, who answers the first half."""
    from accord.server.invitations import invite_raters
    from accord.server.models import RaterState

    invited = [rater for rater, _ in invite_raters(RATERS.get(name, 3))]
    for place, rater in enumerate(invited):
        rater.started_at = rater.consent_at = BEGIN + timedelta(days=place)
        rater.guidelines_read, rater.state, rater.owner = 1, RaterState.ACTIVE, named(name, rater.pseudonym)
        tasks = list(rater.tasks.order_by("order"))
        if rater is invited[-1]:
            tasks = tasks[: len(tasks) // 2]
        else:
            rater.state, rater.finished_at = RaterState.FINISHED, rater.started_at + timedelta(hours=8)
            answer_questions(name, rater)
        rater.save()
        answer(name, rater, tasks)


def answer(name: str, rater: Any, tasks: list[Any]) -> None:
    """A judgement on each question of the tasks; some cannot judge, some correct themselves, some comment."""
    from accord.server.guidelines import latest
    from accord.server.models import Judgement, Remark
    from accord.server.progress import _questions
    from accord.server.study import current

    study, version = current(), latest()
    clock = rater.started_at + timedelta(days=7 * (version.number - 1))
    made, remarks = [], []
    for task in tasks:
        for number, (_, key, place) in enumerate(_questions(study, task)):
            own = (name, version.number, rater.pseudonym, task.order, key, place)
            draw = random.Random(repr(own))
            shared = random.Random(repr((name, task.item, task.document, key, place and task.systems[place])))
            value = value_of(study.criteria[key], task, place or 0, shared.random(), draw)
            corrected = draw.random() < 0.05
            cannot = not corrected and draw.random() < 0.03
            revisions = [(1, None if cannot else value, cannot)]
            if corrected:
                revisions.append((2, value_of(study.criteria[key], task, place or 0, draw.random(), draw), False))
            for revision, told, could_not in revisions:
                seconds = round(4 + 20 * draw.random(), 2)
                clock += timedelta(seconds=seconds)
                made.append(Judgement(
                    uuid=named(*own, revision), task=task, criterion=key, place=place, value=told, seconds=seconds,
                    cannot_judge=could_not, revision=revision, guideline=version, made_at=clock, received_at=clock,
                ))  # fmt: skip
            if number == 0 and draw.random() < 0.05:
                remarks.append(Remark(
                    uuid=named(*own, "remark"), rater=rater, task=task, about=Remark.About.ITEM,
                    text=f"A remark on {task.item or task.document}, “quoted”", received_at=clock,
                ))  # fmt: skip
    Judgement.objects.bulk_create(made)
    Remark.objects.bulk_create(remarks)


def value_of(criterion: Any, task: Any, place: int, truth: float, draw: random.Random) -> Any:
    """An answer near the truth of the text (0 to 1), as the page would have sent it."""
    near = min(0.999, max(0.0, truth + draw.gauss(0, 0.15)))
    if criterion.kind == "scale":
        return criterion.values[int(near * len(criterion.values))]
    if criterion.kind == "slider":
        low, high = criterion.low or 0.0, 100.0 if criterion.high is None else criterion.high
        return round(low + (high - low) * near)
    if criterion.kind == "categories":
        chosen = criterion.values[int(near * len(criterion.values))]
        return [] if near < 0.3 else [chosen, chosen] if criterion.repeated and near > 0.9 else [chosen]
    if criterion.kind == "spans":
        return list(marks(criterion, near, draw))
    if criterion.kind == "pairwise":
        return "tie" if criterion.ties and 0.4 < near < 0.5 else int(near > 0.5)
    if criterion.kind == "ranking":
        qualities = [random.Random(f"{task.item}{system}").random() + draw.gauss(0, 0.2) for system in task.systems]
        return [1 + sum(other > own for other in qualities) for own in qualities]
    return None if near < 0.2 else f"O barco {int(near * 10)} sai cedo."


def marks(criterion: Any, near: float, draw: random.Random) -> Iterator[dict[str, Any]]:
    """No mark in a good text, up to two in a bad one."""
    for turn in range(int((1 - near) * 3)):
        start = draw.randrange(4) + 8 * turn
        mark: dict[str, Any] = {"side": "target", "start": start, "end": start + 3}
        if criterion.severities:
            mark["severity"] = draw.choice(criterion.severities).key
        if criterion.values:
            mark["category"] = draw.choice(criterion.values)
        yield mark


def answer_questions(name: str, rater: Any) -> None:
    """About the rater before, and the questionnaire after."""
    from accord.server.models import QuestionnaireAnswer
    from accord.server.questionnaire import ABOUT_YOU, parts_for
    from accord.server.study import current

    settings = current().settings
    draw = random.Random(f"{name} {rater.pseudonym}")
    given = [
        (ABOUT_YOU, question.key, draw.choice(question.choices or ("3", "10"))) for question in settings.rater_questions
    ]
    for part in parts_for(rater, settings):
        given += [(part["scenario"], asked["key"], draw.choice(asked["options"])["value"]) for asked in part["asked"]]
    for scenario, question, value in given:
        QuestionnaireAnswer.objects.create(
            uuid=named(name, rater.pseudonym, scenario, question), rater=rater, scenario=scenario, question=question,
            value=value, received_at=rater.started_at,
        )  # fmt: skip


def measure_again() -> None:
    """A guideline round: a new version, and the disputed items and others rated again by two raters."""
    from accord.server.models import Rater
    from accord.server.organiser.rounds import measure_again, open_round, publish_round

    turn = open_round("meaning", items=3, target=0.8, smallest_gain=0.05, by="ana")
    publish_round(turn, "# How to judge\n\nRead everything, twice.\n")
    measure_again(turn, "others")
    for rater in Rater.objects.all()[:2]:
        answer("two-phases", rater, list(rater.tasks.filter(again__isnull=False).order_by("order")))


def decide() -> None:
    """One rater is asked to redo and does half of it, another is left out."""
    from accord.server.models import Rater
    from accord.server.organiser.decisions import decide

    first, second = Rater.objects.all()[:2]
    decide(first, "redo", "misread the scale", "ana")
    tasks = list(first.tasks.filter(again__isnull=False).order_by("order"))
    answer("error-counts redone", first, tasks[: len(tasks) // 2])
    decide(second, "exclude", "knows the systems", "ana")


def named(*parts: object) -> UUID:
    """The same identifier for the same thing in every run."""
    return uuid5(NAMES, repr(parts))


def close(folder: Path) -> None:
    """One tidy database file without a journal."""
    from django.db import connections

    connections.close_all()
    database = sqlite3.connect(folder / "accord.sqlite3")
    database.execute("PRAGMA journal_mode=DELETE")
    database.execute("VACUUM")
    database.close()


def pack(folder: Path, told: dict[str, Any], target: Path) -> None:
    """The folder without the server's secret, and what was told of it."""
    with ZipFile(target, "w", ZIP_LZMA) as archive:
        for path in sorted(folder.iterdir()):
            if path.name not in ("accord.secret", ".gitignore"):
                write(archive, f"study/{path.name}", path.read_bytes())
        write(archive, "told.json", json.dumps(told, ensure_ascii=False, indent=0).encode())
    shutil.rmtree(folder)


def write(archive: ZipFile, name: str, content: bytes) -> None:
    """With a fixed date, so that equal contents are equal archives."""
    entry = ZipInfo(name, BEGIN.timetuple()[:6])
    entry.compress_type = ZIP_LZMA
    archive.writestr(entry, content)


if __name__ == "__main__":
    main()
