"""A study whose guideline was changed while raters were at work: some texts were judged under the first version,
some under the second, and some by one rater under each."""

from datetime import timedelta
from itertools import product
from pathlib import Path
from uuid import uuid4

from served_study import write_folder

STUDY = """
title = "Notices under two versions"
seed = 5
items = "items.tsv"
[languages]
source = "en"
target = "pt"
[assignment]
design = "crossed"
raters = 3
order = "fixed"
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
[[criteria]]
key = "quality"
question = "How good is it?"
kind = "slider"
best = "high"
low = 0
high = 100
"""
DOCUMENTS, SEGMENTS = 12, 5


def write_study(folder: Path) -> Path:
    """Sixty texts of one system."""
    items = [
        (f"d{document:02}", str(segment), f"Source {document} {segment}.", f"Texto {document} {segment}.")
        for document, segment in product(range(1, DOCUMENTS + 1), range(1, SEGMENTS + 1))
    ]
    return write_folder(folder, STUDY, "# How to judge\n\nThe first text.\n", ["target:alpha"], items)


class People:
    """The raters, and a clock: what is answered later was made later."""

    def __init__(self) -> None:
        from django.utils import timezone

        from accord.server.invitations import invite_raters

        self.raters = [rater for rater, _ in invite_raters(3)]
        self.at = timezone.now() - timedelta(days=2)

    def tasks(self, place: int) -> list:
        return list(self.raters[place].tasks.exclude(role="practice").order_by("document", "item", "order"))

    def answer(self, place: int, tasks, version=None) -> None:
        """Each rater differs from the others on texts of their own, and rarely."""
        from accord.server.guidelines import latest
        from accord.server.models import Judgement

        version, made = version or latest(), []
        for task in tasks:
            self.at += timedelta(seconds=7)
            seed = sum(map(ord, task.item)) * 7
            value = (seed + (seed // (place + 2) % 4 == 0) * (place + 1)) % 4
            for key, answer in (("meaning", value), ("quality", 30.0 * value)):
                made.append(Judgement(
                    uuid=uuid4(), task=task, criterion=key, place=0, value=answer, guideline=version, seconds=7.0,
                    made_at=self.at,
                ))  # fmt: skip
        Judgement.objects.bulk_create(made)


def judged_under_two(second: int = 30) -> People:
    """Under version 1 all judge 26 texts, and R1 four more; under 2 the others judge those four, and all the rest."""
    from accord.server.guidelines import publish

    people = People()
    for place in range(3):
        people.answer(place, people.tasks(place)[: 30 if place == 0 else 26])
    publish("# How to judge\n\nThe second text.\n", "what changed")
    for place in range(3):
        people.answer(place, people.tasks(place)[30 if place == 0 else 26 : 30 + second])
    return people
