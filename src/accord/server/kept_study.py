"""The study as it was when the first rater was invited: judgements belong to it, whatever the files say later."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection

from accord.design.study import CriterionSettings
from accord.errors import OperationError
from accord.server.models import Judgement, Rater, Task
from accord.server.models_organiser import KeptStudy
from accord.server.study import PRACTICE, LoadedStudy, current

__all__ = ["accept_changes", "check_study", "keep_study", "study_changes"]

Marks = Mapping[str, Mapping[str, str]]

_NAMED = 3
"""Examples in a sentence; the rest is counted."""
_SAID_LATER = {"best", "threshold"}
"""What a criterion may still declare when collecting has begun: raters never saw it, and the plan keeps it."""


def keep_study() -> None:
    """Keep the marks of the study, once somebody is invited to it."""
    if Rater.objects.exists() and not KeptStudy.objects.exists():
        _keep(current())


def accept_changes() -> list[str]:
    """Take the study as it is from now on; what changed is kept with the time and the judgements made before."""
    study = current()
    _refuse_foreign_judgements(study)
    changes = _changes(study)
    if changes:
        _keep(study, changes)
    return changes


def study_changes() -> tuple[str, ...]:
    """Every accepted change, in words for the report."""
    return tuple(
        f"On {kept.at.date().isoformat()}, after {kept.judgements:,} judgements, the study was changed: "
        f"{'; '.join(kept.changes)}."
        for kept in KeptStudy.objects.all()
        if kept.changes
    )


def check_study() -> None:
    """Raise in words if the files are not those the judgements were made on."""
    study = current()
    _refuse_foreign_judgements(study)
    if changes := _changes(study):
        raise OperationError(
            f"The study was changed since its first rater was invited: {'; '.join(changes)}. Judgements made before "
            "belong to the study as it was. Put the old files back (accord restore unpacks them from a backup), or "
            f"accept the change, which the report will say: accord verify {study.study.folder} --accept-changes. "
            "Another study needs a folder and a database of its own."
        )


def _refuse_foreign_judgements(study: LoadedStudy) -> None:
    """Screens that this study cannot show: it is another study's database, or items were taken away."""
    known = study.study
    missing = sorted(
        {
            item or document
            for document, item in Task.objects.exclude(role=PRACTICE).values_list("document", "item").distinct()
            if document not in known.documents or (item and item not in known.item_by_id)
        }
    )
    scenarios = set(Task.objects.exclude(role=PRACTICE).values_list("scenario", flat=True).distinct())
    missing += sorted(f"scenario {key}" for key in scenarios - set(study.scenarios))
    if missing:
        raise OperationError(
            f"Raters were given what this study does not have: {_names(missing)}. Either the files were changed after "
            f"raters were invited, or the database ({_database_name()}) belongs to another study. Put the old files "
            "back, or serve this study with a database of its own."
        )


def _database_name() -> str:
    return str(connection.settings_dict["NAME"]).rpartition("/")[2]


def _keep(study: LoadedStudy, changes: Iterable[str] = ()) -> None:
    judged = Judgement.objects.exclude(task__role=PRACTICE).count()
    KeptStudy.objects.create(marks=_marks(study), changes=list(changes), judgements=judged)


def _changes(study: LoadedStudy) -> list[str]:
    """What differs from the study that was kept last, in words; nothing if none was kept."""
    kept = KeptStudy.objects.last()
    if kept is None:
        return []
    now, found = _marks(study), []
    for part, words in (("items", "item"), ("criteria", "criterion"), ("scenarios", "scenario")):
        old, new = kept.marks.get(part, {}), now[part]
        found += _change_of_keys(words, "is gone", "are gone", [key for key in old if key not in new])
        found += _change_of_keys(words, "is new", "are new", [key for key in new if key not in old])
        found += _change_of_keys(
            words, "was changed", "were changed", [key for key in new if old.get(key, new[key]) != new[key]]
        )
    return found


_SEVERAL = {"item": "items", "criterion": "criteria", "scenario": "scenarios"}


def _change_of_keys(kind: str, one: str, many: str, keys: list[str]) -> list[str]:
    if not keys:
        return []
    return [f"{kind} {keys[0]} {one}" if len(keys) == 1 else f"{len(keys):,} {_SEVERAL[kind]} {many} ({_names(keys)})"]


def _names(names: list[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest:,} more" if rest > 0 else "")


def _marks(study: LoadedStudy) -> Marks:
    """A short hash of all that raters see of an item, a criterion, a scenario."""
    return {
        "items": {item.id: _mark([item.document, item.source, dict(item.references), dict(item.outputs)])
                  for item in study.study.items},
        "criteria": {key: _mark(_said_of(study, criterion)) for key, criterion in study.criteria.items()},
        "scenarios": {key: _mark(scenario.model_dump(mode="json", exclude_defaults=True))
                      for key, scenario in study.scenarios.items()},
    }  # fmt: skip


def _said_of(study: LoadedStudy, criterion: CriterionSettings) -> Any:
    """A criterion with the marks that stand in its texts beforehand, where there are any."""
    said = criterion.model_dump(mode="json", exclude_defaults=True, exclude=_SAID_LATER)
    if not criterion.prefilled:
        return said
    marks = [[*place, *marks] for place, marks in study.study.prefilled.items() if place[0] == criterion.key]
    return [said, sorted(marks, key=str)]


def _mark(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]
