"""What became of the marks that stood in the texts before their raters began: kept, changed or deleted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from accord.ratings.study_codebook import system_names
from accord.server.models import Task
from accord.server.progress import current_judgements
from accord.server.screens import prefilled_marks, shown_texts
from accord.server.study import PRACTICE, current
from accord.words import steady

__all__ = ["SUGGESTION_COLUMNS", "acceptance", "suggestion_rows"]

SUGGESTION_COLUMNS = (
    "rater", "group", "document", "segment", "item", "system", "criterion", "number", "side", "start", "end", "text",
    "severity", "category", "fate",
)  # fmt: skip


def suggestion_rows(*, named: bool = False) -> Iterator[Mapping[str, Any]]:
    """One row for each mark that a rater found on a page; ``fate`` is open until the rater has answered."""
    study = current()
    names = system_names(study.study, named=named)
    keys = [criterion.key for criterion in study.settings.criteria if criterion.prefilled]
    if not keys:
        return
    tasks = Task.objects.exclude(role=PRACTICE)
    answers = current_judgements(tasks)
    for task in tasks.select_related("rater").order_by("rater__slot", "order"):
        item = study.study.item_by_id.get(task.item)
        for key in keys:
            judgement = answers.get((task.pk, key, 0))
            marks = judgement.value if judgement else None
            for number, mark in enumerate(prefilled_marks(study, task, key)):
                text = shown_texts(study, task, 0)[mark["side"]]
                yield {
                    "rater": task.rater.pseudonym, "group": task.rater.group, "document": task.document,
                    "segment": item.segment if item else "", "item": task.item, "criterion": key, "number": number,
                    "system": names.get(task.systems[0], task.systems[0]), "fate": _fate(mark, number, marks), **mark,
                    "text": text[mark["start"] : mark["end"]],
                }  # fmt: skip


def _fate(mark: Mapping[str, Any], number: int, marks: list[Mapping[str, Any]] | None) -> str:
    if marks is None:
        return "open"
    own = [one for one in marks if one.get("prefilled") == number]
    if not own:
        return "deleted"
    return "kept" if own == [{**mark, "prefilled": number}] else "changed"


def acceptance(rows: Iterable[Mapping[str, Any]]) -> str:
    """How many were kept, in words."""
    fates = Counter(str(row["fate"]) for row in rows)
    judged = fates["kept"] + fates["changed"] + fates["deleted"]
    if not judged:
        return "No mark that stood in the texts beforehand has been judged yet."
    share = f"{steady(100 * fates['kept'] / judged):.0f}%"
    told = f"Of {judged:,} marks that stood there beforehand {fates['kept']:,} ({share}) were kept as they were"
    rest = f", {fates['changed']:,} changed and {fates['deleted']:,} deleted"
    return told + rest + (f"; {fates['open']:,} are not judged yet." if fates["open"] else ".")
