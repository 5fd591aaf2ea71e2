"""How long the state of a dashboard takes, from the database to what its pages show, in processor seconds.

``python benchmarks/states.py demo``, ``... 50000`` or ``... 500000``: makes the study once, in ``.bench/states``, and
computes its state in a process of its own. Studies other than the demo: three criteria, two of 1 to 5 and one of 0 to
100, four systems, ten raters, three of them an item, one answer in twenty corrected later.
"""

import json
import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy asks once, when it is loaded

import numpy as np

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".bench" / "states"
SYSTEMS, RATERS, EACH = 4, 10, 3
CRITERIA = (("adequacy", 5), ("fluency", 5), ("overall", 100))
CORRECTED = 20

STUDY = """title = "A large study"
seed = 7
items = "items.tsv"

[languages]
source = "en"
target = "de"

[assignment]
design = "incomplete-blocks"
raters = {raters}
ratings_per_item = {each}

[[scenarios]]
key = "RS"
kind = "random-sentence"
title = "One sentence"
show = ["source"]
systems = 1
seconds_per_item = 20

{criteria}
[cost]
per_hour = 20
seconds_per_item = 20
minutes_fixed = 5
"""
SCALE = """[[criteria]]
key = "{key}"
question = "How good is it?"
kind = "scale"
best = "high"
level = "ordinal"
values = [1, 2, 3, 4, 5]

"""
SLIDER = """[[criteria]]
key = "{key}"
question = "How good is it, all in all?"
kind = "slider"
best = "high"
low = 0
high = 100

"""


def study_of(name: str) -> Path:
    """The folder of the study, made if it is not there yet."""
    folder = FOLDER / name
    if (folder / "made").exists():
        return folder
    if name == "demo":
        _make_demo(folder)
    else:
        _make_large(folder, int(name))
    (folder / "made").touch()
    return folder


def _make_demo(folder: Path) -> None:
    from accord.design.preset import copy_preset
    from accord.planning.simulated_raters import RaterTraits
    from accord.server.connect import connect, prepare

    copy_preset("document-context", folder)
    connect(folder)
    prepare()
    from accord.server.rehearsal import fill_in

    fill_in(8, RaterTraits(), 1)


def _make_large(folder: Path, judgements: int) -> None:
    from accord.server.connect import connect, prepare

    folder.mkdir(parents=True)
    criteria = "".join((SLIDER if top == 100 else SCALE).format(key=key) for key, top in CRITERIA)
    (folder / "study.toml").write_text(STUDY.format(raters=RATERS, each=EACH, criteria=criteria))
    segments = judgements // (len(CRITERIA) * EACH * SYSTEMS)
    targets = [f"target:{name}" for name in ("north", "south", "east", "west")]
    lines = ["\t".join(["document", "segment", "source", *targets])]
    lines += [
        "\t".join(
            [f"text {place // 10}", str(place % 10 + 1), f"Sentence {place}.", *(f"Satz {place}." for _ in targets)]
        )
        for place in range(segments)
    ]
    (folder / "items.tsv").write_text("\n".join(lines) + "\n")
    (folder / "guidelines.md").write_text("Read the sentence, then answer.\n")
    connect(folder)
    prepare()
    from accord.server.invitations import invite_raters

    invite_raters(RATERS)
    _answer()


def _answer() -> None:
    """Every task of every rater, in the order of a month's work; the rows are written as they are."""
    from django.db import connection, transaction

    from accord.server.guidelines import latest
    from accord.server.models import Rater, RaterState, Task

    rng = np.random.default_rng(7)
    tasks = list(Task.objects.order_by("order", "rater__slot").values_list("id", "rater__slot", "item", "systems"))
    texts = {key: place for place, key in enumerate(dict.fromkeys((item, tuple(shown)) for *_, item, shown in tasks))}
    text = np.array([texts[item, tuple(shown)] for *_, item, shown in tasks])
    rater = np.array([slot for _, slot, *_ in tasks])
    latent = rng.normal(0, 1, len(texts))[text] + rng.normal(0, 0.3, RATERS)[rater]
    begun, version = datetime(2026, 1, 5, 8, tzinfo=UTC), latest().pk
    rows: list[tuple[Any, ...]] = []
    for key, top in CRITERIA:
        seen = latent + rng.normal(0, 0.7, len(tasks))
        scores = np.clip(np.rint(60 + 18 * seen), 0, 100) if top == 100 else np.clip(np.rint(3 + seen), 1, 5)
        for place, ((task, *_), score) in enumerate(zip(tasks, scores.astype(int).tolist(), strict=True)):
            made = begun + timedelta(seconds=2 * place)
            rows.append((task, key, score, 1, made))
            if place % CORRECTED == 0:
                rows.append((task, key, max(1, score - 1), 2, made + timedelta(hours=1)))
    rows.sort(key=lambda row: row[4])
    insert = (
        "INSERT INTO server_judgement (uuid, task_id, criterion, place, value, cannot_judge, revision, seconds,"
        " guideline_id, made_at, received_at) VALUES (%s, %s, %s, 0, %s, %s, %s, 6.0, %s, %s, %s)"
    )
    bits = rng.bytes(16 * len(rows))
    told = [
        (UUID(bytes=bits[16 * at : 16 * at + 16], version=4).hex, task, key, json.dumps(score), False, revision,
         version, made.replace(tzinfo=None), made.replace(tzinfo=None))
        for at, (task, key, score, revision, made) in enumerate(rows)
    ]  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(insert, told)
        Rater.objects.update(state=RaterState.FINISHED, started_at=begun, consent_at=begun, finished_at=rows[-1][4],
                             guidelines_read=1)  # fmt: skip


def measure(folder: Path) -> dict[str, float]:
    """Seconds of the processor for the state, and for all that the process does, with its start."""
    from accord.server.connect import connect, prepare

    connect(folder)
    prepare()  # of a study made by an older version
    from accord.server.models import Judgement
    from accord.server.models_organiser import Computation, Snapshot
    from accord.server.organiser.snapshot import compute_snapshot, problem

    Snapshot.objects.all().delete()
    Computation.objects.all().delete()
    begun = time.process_time()
    made = compute_snapshot()
    seconds = time.process_time() - begun
    if made is None:
        raise SystemExit(f"The state of {folder} could not be computed: {problem()}")
    return {"judgements": Judgement.objects.count(), "seconds": seconds, "with start": time.process_time()}


if __name__ == "__main__":
    print(json.dumps(measure(study_of(sys.argv[1]))))
