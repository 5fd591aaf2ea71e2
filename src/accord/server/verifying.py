"""Check what a study promises: every judgement is an answer, is exported once, and comes back from a backup."""

import csv
import hashlib
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.db import connection

from accord.records import dataclass
from accord.server.backup import Saved, check_backup, read_backup, without_named_database, write_backup
from accord.server.connect import connect, prepare
from accord.server.export import TABLES, csv_lines
from accord.server.models import Judgement, Rater
from accord.server.models_organiser import Again
from accord.server.one_moment import one_moment
from accord.server.sound_answers import impossible_answers
from accord.server.study import PRACTICE, current
from accord.server.taken_back import taken_back

__all__ = ["Verified", "verify_restored", "verify_study"]


@dataclass(frozen=True, slots=True)
class Verified:
    """How many judgements there are, and what is wrong with them, in words; nothing where all is well."""

    raters: int
    """Those who gave them."""
    waiting: int
    """Those who are invited and have judged nothing yet."""
    judgements: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Exported:
    """All judgements as they leave: their names, and a digest of each one's cells."""

    names: tuple[str, ...]
    digests: dict[str, bytes]


def verify_study(folder: Path) -> Verified:
    """Of the study that is connected; a copy is restored beside it and thrown away."""
    if impossible := _impossible():
        return impossible
    with one_moment():
        known = {str(name) for name in Judgement.objects.values_list("uuid", flat=True).iterator()}
        (raters, waiting), exported = _people(), _exported()
        problems = [*_export_problems(known, exported), *_rating_problems()]
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy.zip"
        write_backup(folder, copy)
        check_backup(copy)
        _restore(copy, Path(scratch) / "restored")
        # People go on working while the copy is made: what came later may be in it, what was there must be.
        problems += _restored_problems(exported.digests, _exported().digests)
        connection.close()
    connect(folder)
    return Verified(raters, waiting, len(known), tuple(problems))


@one_moment()
def verify_restored(saved: Saved) -> Verified:
    """Of a backup that was restored and is connected: what came out of it, beside what it says it holds."""
    if impossible := _impossible():
        return impossible
    known = {str(name) for name in Judgement.objects.values_list("uuid", flat=True)}
    problems = [*_export_problems(known, _exported()), *_rating_problems()]
    if len(known) != saved.judgements:
        problems.append(f"the backup says {saved.judgements:,} judgements, {len(known):,} came back")
    return Verified(*_people(), len(known), tuple(problems))


@one_moment()
def _impossible() -> Verified | None:
    """Where answers could not have been given: what reads them counts on their being answers, and is not tried."""
    if not (problems := tuple(impossible_answers())):
        return None
    not_tried = "somebody changed the database; whether it can be exported and restored was not tried"
    return Verified(*_people(), Judgement.objects.count(), (*problems, not_tried))


def _people() -> tuple[int, int]:
    """Raters with judgements, and without."""
    judging = Judgement.objects.values("task__rater").distinct().count()
    return judging, Rater.objects.count() - judging


def _restore(file: Path, folder: Path) -> None:
    read_backup(file, folder)
    with without_named_database():
        connect(folder)
        prepare()


def _exported() -> _Exported:
    """The table of judgements, written as a file and read back."""
    digests, names = {}, []
    for row in csv.DictReader(_lines("judgements")):
        names.append(row["uuid"])
        # A correction that comes while we look changes what replaced the row, and nothing else of it.
        del row["superseded_by"]
        digests[row["uuid"]] = hashlib.sha256(repr(sorted(row.items())).encode()).digest()
    return _Exported(tuple(names), digests)


def _restored_problems(before: dict[str, bytes], after: dict[str, bytes]) -> Iterator[str]:
    if missing := before.keys() - after.keys():
        yield f"{len(missing):,} judgements did not come back from a backup, such as {min(missing)}"
    if changed := sorted(name for name in before.keys() & after.keys() if before[name] != after[name]):
        yield f"{len(changed):,} judgements came back from a backup with other cells, such as {changed[0]}"


def _lines(table: str) -> Iterator[str]:
    """Lines of a table as a reader of the file meets them: a cell may hold line breaks."""
    yield from io.StringIO("".join(csv_lines(TABLES[table](named=True))), newline="")


def _export_problems(known: set[str], exported: _Exported) -> Iterator[str]:
    if missing := known - set(exported.names):
        yield f"{len(missing):,} judgements are not in the export, such as {min(missing)}"
    if twice := len(exported.names) - len(set(exported.names)):
        yield f"{twice:,} judgements are in the export more than once"


def _rating_problems() -> Iterator[str]:
    """Every question that somebody settled is in the ratings, and nothing else; what was asked again counts once."""
    begun = Again.objects.filter(round=None, task__judgements__isnull=False).values_list("original", flat=True)
    counting = Judgement.objects.exclude(task__role=PRACTICE).exclude(task__in=list(begun))
    asked = counting.filter(criterion__in=current().criteria)
    gone = taken_back(current())
    answered = asked.values_list("task_id", "criterion", "place", "task__rater__pseudonym", "task__order").distinct()
    settled = {(rater, order, name) for task, name, place, rater, order in answered if (task, name, place) not in gone}
    rows = csv.DictReader(_lines("ratings"))
    written = {(row["rater"], int(row["order"]), row["criterion"]) for row in rows}
    if missing := settled - written:
        yield f"{len(missing):,} questions that were settled are not in the ratings, such as {_question(min(missing))}"
    if more := written - settled:
        yield f"{len(more):,} rows of the ratings answer nothing that was asked, such as {_question(min(more))}"
    if strange := counting.exclude(criterion__in=current().criteria).count():
        yield f"{strange:,} judgements are on criteria that the study no longer has"


def _question(key: tuple[str, int, str]) -> str:
    return f"{key[2]} on screen {key[1]} of {key[0]}"
