"""A whole study out of its zip, with what was collected: it becomes another study of this workspace.

The zip may come from anybody. Only the study's own files and its database are taken, and of the database neither what
opens doors (accounts, sessions, tokens of programs, links for organisers) nor what names files (jobs and results).
"""

import logging
import os
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import BytesIO
from pathlib import Path

from django.utils import timezone

from accord.design.load import STUDY_FILE, load_study
from accord.errors import AccordError, InputError
from accord.server.backup import BACKUP_FILE, Saved, check_backup, is_sound_database
from accord.server.connect import prepare
from accord.server.creating import STUDY_FILE_NAME
from accord.server.environment import DATABASE_FILE
from accord.server.one_at_a_time import in_turn
from accord.server.organiser.progress import progress
from accord.server.organiser.ratings import all_ratings
from accord.server.serving import Place, in_study, let_go
from accord.server.verifying import verify_restored
from accord.server.workspace.aside import ASIDE
from accord.server.workspace.drafts import new_key
from accord.server.workspace.studies import mark_created, opened, why_not, workspace_folder

__all__ = ["is_whole", "restored"]

_LARGEST = 1_000_000_000
_MOST_FILES = 2_000
_REFUSED = "This zip cannot be imported:"
_LOG = logging.getLogger("accord.workspace")
_LEFT_BEHIND = (
    "auth_user_groups",
    "auth_user_user_permissions",
    "auth_user",
    "django_session",
    "server_apitoken",
    "server_organiserlink",
    "server_attempt",
    "server_job",
    "server_computation",
    "server_sentform",
)


def is_whole(content: bytes) -> bool:
    """Whether this is what «Download everything» and ``accord backup`` make."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return BACKUP_FILE in archive.namelist()
    except (zipfile.BadZipFile, ValueError):
        return False


def restored(content: bytes, by: str, name: str = "") -> Place:
    """The study of a whole zip, under a name that no other has, made of ``name`` or the title; whole or not at all."""
    if os.environ.get("ACCORD_DATABASE_URL"):
        raise InputError(
            "This workspace keeps its studies in PostgreSQL, into which a page cannot bring judgements. Whoever runs "
            "the server can: accord restore FILE DIR --into-database."
        )
    with tempfile.TemporaryDirectory(dir=workspace_folder(), prefix=ASIDE) as scratch:
        file, made = Path(scratch) / "whole.zip", Path(scratch) / "study"
        file.write_bytes(content)
        made.mkdir(mode=0o700)
        with _said_of_the_zip(file, made):
            saved = _unpack(file, made)
            _leave_behind(made / DATABASE_FILE)
            _look_over(made, saved)
            title = load_study(made).settings.title
        mark_created(made, by, timezone.now().isoformat())
        with in_turn(workspace_folder()):  # two studies of one title at once would get one name
            key = new_key(name or title)
            made.rename(workspace_folder() / key)
    if (place := opened(key)) is None:
        let_go(Place(key, workspace_folder() / key))
        shutil.rmtree(workspace_folder() / key, ignore_errors=True)
        raise InputError(f"{_REFUSED} {why_not(key)}")
    return place


@contextmanager
def _said_of_the_zip(file: Path, made: Path) -> Iterator[None]:
    """Where it was unpacked is nobody's business on a page."""
    try:
        yield
    except AccordError as error:
        told = str(error).replace(str(made), "The study").replace(str(file), "The zip")
        raise InputError(f"{_REFUSED} {told}") from None
    except Exception as error:  # a zip may come from anybody: what it holds can break whatever reads it
        _LOG.exception("a zip was not imported")
        raise InputError(f"{_REFUSED} its database holds what cannot be read ({type(error).__name__}).") from None


def _look_over(made: Path, saved: Saved) -> None:
    """Read all that pages will read, where it does no harm yet, as ``accord verify`` does."""
    place = Place(f"{made.parent.name}-study", made)
    try:
        with in_study(place):
            prepare()
            found = verify_restored(saved)
            progress()
            all_ratings()
    finally:
        let_go(place)
    if found.problems:
        raise InputError(f"{'; '.join(found.problems)}.")


def _unpack(file: Path, made: Path) -> Saved:
    """The files of the study and its database, no more; first that it is whole and as its manifest says."""
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > _LARGEST:
            raise InputError(
                f"The zip would unpack to more than {_LARGEST / 1e9:g} GB or {_MOST_FILES:,} files. Whoever runs the "
                "server can bring it in: accord restore FILE DIR."
            )
        saved = check_backup(file)
        if DATABASE_FILE not in archive.namelist():
            raise InputError("The zip was made of a study in PostgreSQL. Whoever runs the server can bring it in.")
        for name in archive.namelist():
            if name == DATABASE_FILE or STUDY_FILE_NAME.fullmatch(name):
                # No more is unpacked than the entry declares, and under its plain name.
                with archive.open(name) as inside:
                    (made / name).write_bytes(inside.read(archive.getinfo(name).file_size))
    (made / DATABASE_FILE).chmod(0o600)
    if not (made / STUDY_FILE).is_file():
        raise InputError(f"The zip holds no {STUDY_FILE}.")
    return saved


def _leave_behind(database: Path) -> None:
    """No account, token or session of where it comes from opens anything here; a program in the database is refused."""
    is_sound_database(database)
    try:
        with closing(sqlite3.connect(database)) as opened_file:
            kinds = dict(opened_file.execute("SELECT name, type FROM sqlite_master"))
            if planted := sorted(name for name, kind in kinds.items() if kind in ("trigger", "view")):
                raise InputError(
                    f"The database in the zip holds {planted[0]}, which no study has. Nothing was imported."
                )
            for table in _LEFT_BEHIND:
                if kinds.get(table) == "table":
                    opened_file.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own
            opened_file.commit()
    except sqlite3.Error as error:
        raise InputError(f"The database in the zip cannot be read ({error}). Nothing was imported.") from None
