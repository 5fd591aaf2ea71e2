"""Backup and restore: the folder's own files and one consistent copy of the database in a zip."""

import json
import os
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from accord import __version__
from accord.errors import OperationError, UnreadableFileError
from accord.server.environment import DATABASE_FILE, SECRET_FILE

__all__ = ["Saved", "read_backup", "write_backup"]

_ABOUT = "accord-backup.json"
_DATA = "database.json"
_LARGEST = 20_000_000_000


@dataclass(frozen=True, slots=True)
class Saved:
    """What a backup holds."""

    raters: int
    judgements: int


def write_backup(folder: Path, file: Path) -> Saved:
    """Copy everything while people go on working: SQLite by its online backup, PostgreSQL as portable data."""
    from django.db import connection

    from accord.server.models import Judgement, Rater

    partial = file.with_name(f"{file.name}.partial")
    try:
        with tempfile.TemporaryDirectory() as scratch, _private_zip(partial) as archive:
            for path in sorted(_own_files(folder)):
                archive.write(path, path.relative_to(folder).as_posix())
            if connection.vendor == "sqlite":
                copy = Path(scratch) / DATABASE_FILE
                saved = _copy_sqlite(folder / DATABASE_FILE, copy)
                archive.write(copy, DATABASE_FILE)
            else:
                saved = Saved(Rater.objects.count(), Judgement.objects.count())
                archive.write(_dump(Path(scratch)), _DATA)
            about = {"accord": __version__, "raters": saved.raters, "judgements": saved.judgements}
            archive.writestr(_ABOUT, json.dumps(about, indent=2))
        partial.replace(file)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise OperationError(f"{file}: cannot be written ({error.strerror}).") from None
    return saved


def _private_zip(path: Path) -> zipfile.ZipFile:
    """The archive holds personal data and password hashes: only the owner may read it."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)


def _own_files(folder: Path) -> list[Path]:
    """All but the database, which is copied in its own way, and the secret, which is made anew."""
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.name != SECRET_FILE
        and not path.name.startswith(DATABASE_FILE)
    ]  # fmt: skip


def _copy_sqlite(source: Path, target: Path) -> Saved:
    with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(target)) as copy:
        live.backup(copy)
        copy.execute("DELETE FROM django_session")
        copy.commit()
        raters, judgements = (
            copy.execute(f"SELECT COUNT(*) FROM server_{table}").fetchone()[0]  # noqa: S608 - names of our own
            for table in ("rater", "judgement")
        )
    return Saved(raters, judgements)


def _dump(scratch: Path) -> Path:
    from django.core.management import call_command
    from django.db import transaction

    path = scratch / _DATA
    with transaction.atomic():
        _repeatable_read()
        call_command("dumpdata", "auth.user", "server", output=str(path), verbosity=0)
    return path


def _repeatable_read() -> None:
    """One moment of the database for the whole dump."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


def read_backup(file: Path, folder: Path) -> None:
    """Unpack into a new folder; nothing of an existing study is touched."""
    if not file.is_file():
        raise UnreadableFileError(f"{file} is not there.")
    if folder.exists() and any(folder.iterdir()):
        raise OperationError(f"{folder} already holds something. Restore into a new folder.")
    try:
        with zipfile.ZipFile(file) as archive:
            _check(archive, file)
            folder.mkdir(parents=True, exist_ok=True)
            archive.extractall(folder)
    except (zipfile.BadZipFile, EOFError):
        raise UnreadableFileError(f"{file} is not a backup, or only a part of one.") from None
    if (data := folder / _DATA).exists():
        _load(folder, data)
    (folder / _ABOUT).unlink()
    if (folder / DATABASE_FILE).exists():
        (folder / DATABASE_FILE).chmod(0o600)


def _check(archive: zipfile.ZipFile, file: Path) -> None:
    names = archive.namelist()
    if _ABOUT not in names:
        raise UnreadableFileError(f"{file} is a zip file, but not a backup of Accord.")
    if any(Path(name).is_absolute() or ".." in Path(name).parts or "\\" in name for name in names):
        raise UnreadableFileError(f"{file} holds names that lead out of the folder; it is not restored.")
    if sum(entry.file_size for entry in archive.infolist()) > _LARGEST:
        raise UnreadableFileError(f"{file} would unpack to more than {_LARGEST / 1e9:,.0f} GB; it is not restored.")
    if (broken := archive.testzip()) is not None:
        raise UnreadableFileError(f"{file} is damaged: {broken} does not match its checksum.")


def _load(folder: Path, data: Path) -> None:
    """Portable data goes into whatever database the folder is served from."""
    from django.core.management import call_command

    from accord.server.connect import connect, prepare

    connect(folder)
    prepare()
    from accord.server.models import GuidelineVersion

    GuidelineVersion.objects.all().delete()
    call_command("loaddata", str(data), verbosity=0)
    data.unlink()
