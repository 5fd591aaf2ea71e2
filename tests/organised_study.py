"""A study with two systems, control items and declared rules, and raters of known habits who fill it in."""

from datetime import timedelta
from itertools import product
from pathlib import Path
from uuid import uuid4

import numpy as np

from served_study import write_folder

STUDY = """
title = "Notices, English to Portuguese"
seed = 11
items = "items.tsv"
[languages]
source = "en"
target = "pt"
[assignment]
design = "crossed"
raters = 6
[controls]
repeats = 3
degraded = 4
attention = 2
gold = 2
blocks = 4
spacing = 1
[[groups]]
key = "novice"
raters = 3
[[groups]]
key = "expert"
raters = 3
[[scenarios]]
key = "alone"
kind = "random-sentence"
title = "One sentence"
show = ["source"]
[[criteria]]
key = "meaning"
question = "How much of the meaning is there?"
kind = "scale"
best = "high"
level = "ordinal"
values = [0, 1, 2, 3]
labels = ["none", "little", "most", "all"]
comment = true
[[criteria]]
key = "quality"
question = "How good is it?"
kind = "slider"
best = "high"
low = 0
high = 100
threshold = 60
[[criteria]]
key = "marks"
question = "Mark the errors."
kind = "spans"
values = ["accuracy", "fluency"]
severities = [{ key = "minor", label = "Minor", weight = 1 }, { key = "major", label = "Major", weight = 5 }]
[[exclusions]]
rule = "degraded_not_lower"
limit = 0.05
reason = "Degraded copies must be scored lower."
[[exclusions]]
rule = "constant_run"
limit = 8
reason = "More than eight equal scores in a row."
[[exclusions]]
rule = "gold_wrong"
limit = 0.5
reason = "Half of the known answers."
[cost]
per_hour = 30.0
"""
DOCUMENTS, SEGMENTS, SYSTEMS = 2, 5, ("alpha", "beta")


def write_study(folder: Path, settings: str = STUDY) -> Path:
    """The folder; texts have eight words, and one holds markup that must stay text."""
    items = []
    for document, segment in product(range(1, DOCUMENTS + 1), range(1, SEGMENTS + 1)):
        source = f"Source {document} {segment} says that the old bridge is closed <b>today</b>."
        texts = [f"Texto {system} {document} {segment} diz que a ponte fechou hoje." for system in SYSTEMS]
        items.append((f"d{document}", str(segment), source, *texts, "3" if segment == 1 else ""))
    columns = [*(f"target:{system}" for system in SYSTEMS), "gold:meaning"]
    return write_folder(folder, settings, "# How to judge\n\nRead everything.\n", columns, items)


def fill_in(raters: int = 4) -> None:
    """Three careful raters and one, the last, who answers the same throughout and in no time."""
    from accord.server.invitations import invite_raters

    rng = np.random.default_rng(5)
    for place, (rater, _) in enumerate(invite_raters(raters)):
        rater.started_at, rater.guidelines_read, rater.state = rater_start(), 1, "finished"
        rater.save()
        answer_all(rater, rng, careless=place == raters - 1)


def rater_start():
    from django.utils import timezone

    return timezone.now() - timedelta(hours=2)


def truth_of(task) -> int:
    """A true value of each item and system, spread over the scale; disputed items lie in the middle."""
    return 1 + (sum(map(ord, task.item + task.systems[0])) * 7) % 3


def answer_all(rater, rng, *, careless: bool = False, tasks=None, version=None, noise=0.4) -> None:
    from django.utils import timezone

    from accord.server.guidelines import latest
    from accord.server.models import Judgement

    version = version or latest()
    made = []
    for task in tasks if tasks is not None else rater.tasks.exclude(role="practice"):
        wrong = task.role in ("degraded", "attention")
        level = 2 if careless else int(np.clip(truth_of(task) + rng.integers(-1, 2) * (rng.random() < noise), 1, 3))
        level = 0 if wrong and not careless else 3 if task.role == "gold" and not careless else level
        quality = 50 if careless else float(np.clip(level * 30 + rng.integers(-8, 9), 0, 100))
        marks = [{"side": "target", "start": 0, "end": 5, "severity": "major" if level < 2 else "minor",
                  "category": "accuracy"}] * (3 - level)  # fmt: skip
        for key, value in (("meaning", level), ("quality", quality), ("marks", marks)):
            made.append(Judgement(
                uuid=uuid4(), task=task, criterion=key, place=0, value=value, guideline=version,
                seconds=0.4 if careless else float(rng.integers(8, 20)), made_at=timezone.now(),
            ))  # fmt: skip
    Judgement.objects.bulk_create(made)


def logged_in(name: str):
    from django.contrib.auth import get_user_model
    from django.test import Client

    user, _ = get_user_model().objects.get_or_create(username=name)
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    return client
