"""Backup and restore: the folder's own files and one consistent copy of the database in a zip."""

import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from accord import __version__
from accord.design.load import STUDY_FILE
from accord.errors import OperationError, UnreadableFileError
from accord.records import dataclass
from accord.server.environment import ASIDE, DATABASE_FILE, SECRET_FILE

__all__ = [
    "BACKUP_FILE",
    "Saved",
    "check_backup",
    "is_sound_database",
    "read_backup",
    "without_named_database",
    "write_backup",
]

BACKUP_FILE = "accord-backup.json"
"""What says in the zip what it holds."""
_MANIFEST = "accord-manifest.json"
_DATA = "database.json"
_LARGEST = 20_000_000_000
_MOST_SWELLING = 300
_FEW_BYTES = 10_000_000
"""What unpacks to no more harms nobody, however well it was packed."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What a backup holds."""

    raters: int
    judgements: int


def write_backup(folder: Path, file: Path) -> Saved:
    """Copy everything while people go on working: SQLite by its online backup, PostgreSQL as portable data."""
    from django.db import connection

    if file.resolve().is_relative_to(folder.resolve()):
        raise OperationError(
            f"{file} lies in the study folder itself: each backup would hold all others, and be lost with the study. "
            "Write it to another folder."
        )
    if taken := [name for name in (_DATA, BACKUP_FILE, _MANIFEST) if (folder / name).exists()]:
        raise OperationError(
            f"{folder} holds {taken[0]}, a name that a backup uses for itself. Rename that file and back up again."
        )
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
                saved = _dump(Path(scratch) / _DATA)
                archive.write(Path(scratch) / _DATA, _DATA)
            about = {
                "accord": __version__,
                "made": datetime.now(UTC).isoformat(timespec="seconds"),
                "raters": saved.raters,
                "judgements": saved.judgements,
            }
            archive.writestr(BACKUP_FILE, json.dumps(about, indent=2))
        manifest = _digests(partial)
        with zipfile.ZipFile(partial, "a") as archive:
            archive.writestr(_MANIFEST, json.dumps(manifest, indent=2))
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


def _digests(file: Path) -> dict[str, str]:
    """SHA-256 of each file in the archive, read back from it."""
    found = {}
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            with archive.open(name) as content:
                found[name] = hashlib.file_digest(content, "sha256").hexdigest()  # type: ignore[arg-type]
    return found


def check_backup(file: Path) -> Saved:
    """Raise in words unless the archive holds what its manifest says; returns what it holds."""
    with _opened(file) as archive:
        saved = _check(archive, file)
        if _MANIFEST not in archive.namelist():
            raise UnreadableFileError(f"{file} was made by an older version and has no manifest to check it against.")
    return saved


def _manifest_holds(archive: zipfile.ZipFile, file: Path) -> None:
    manifest = _described(archive, _MANIFEST, file)
    found = {name: digest for name, digest in _digests(file).items() if name != _MANIFEST}
    if wrong := sorted(name for name in found.keys() | manifest.keys() if found.get(name) != manifest.get(name)):
        raise UnreadableFileError(f"{file} does not match its manifest: {', '.join(wrong[:5])}. Do not rely on it.")


def _described(archive: zipfile.ZipFile, name: str, file: Path) -> dict[str, Any]:
    """What a backup says of itself."""
    with suppress(ValueError):
        if isinstance(told := json.loads(archive.read(name)), dict):
            return told
    raise UnreadableFileError(f"{file} is damaged: {name} cannot be read.")


def _own_files(folder: Path) -> list[Path]:
    """All but the database, which is copied in its own way, and the secret, which is made anew."""
    return [
        path
        for path in folder.rglob("*")
        if path.is_file()
        and not path.is_symlink()
        and path.name != SECRET_FILE
        and not path.name.startswith(DATABASE_FILE)
    ]


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


def _dump(path: Path) -> Saved:
    from django.core import serializers

    from accord.server.models import Judgement, Rater
    from accord.server.one_moment import one_moment

    with one_moment():
        with path.open("w", encoding="utf-8") as file:
            serializers.serialize("json", _every_row(), stream=file, cls=_encoder())
        # Of the same moment: who saves meanwhile is in neither.
        return Saved(Rater.objects.count(), Judgement.objects.count())


def _every_row() -> Iterator[Any]:
    from django.apps import apps
    from django.contrib.auth import get_user_model

    for model in (get_user_model(), *apps.get_app_config("server").get_models()):
        yield from model._base_manager.order_by("pk").iterator(chunk_size=2000)


def _encoder() -> type[json.JSONEncoder]:
    from django.core.serializers.json import DjangoJSONEncoder

    class WholeTimes(DjangoJSONEncoder):
        """Django's own drops microseconds, and with them the order of two saves."""

        def default(self, o: Any) -> Any:
            return o.isoformat() if isinstance(o, datetime) else super().default(o)

    return WholeTimes


def read_backup(file: Path, folder: Path, *, into_database: bool = False) -> None:
    """Unpack into a new folder; nothing of an existing study is touched.

    A database that the environment names may be a live one: it is filled only if that is asked for, and if it is empty.
    """
    if folder.exists() and any(folder.iterdir()):
        raise OperationError(f"{folder} already holds something. Restore into a new folder.")
    with _opened(file) as archive:
        _check(archive, file)
        if into_database and _DATA not in archive.namelist():
            raise OperationError(f"{file} holds an SQLite database. Restore it without --into-database.")
        try:
            aside = folder / ASIDE
            _unpack(archive, aside, into_database=into_database)
            _move_in(aside, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise


def _move_in(aside: Path, folder: Path) -> None:
    """Its study.toml last: what was killed before is no study, and half of one is never served as if it were whole."""
    for path in sorted(aside.iterdir(), key=lambda path: path.name == STUDY_FILE):
        path.rename(folder / path.name)
    aside.rmdir()


def _unpack(archive: zipfile.ZipFile, folder: Path, *, into_database: bool) -> None:
    try:
        # Its data hold hashes of passwords, and files that were made hold raters' words.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        archive.extractall(folder)
        if (made := folder / "results").is_dir():
            made.chmod(0o700)
    except OSError as error:
        raise OperationError(f"{folder}: cannot be written ({error.strerror}).") from None
    if (folder / DATABASE_FILE).exists():
        (folder / DATABASE_FILE).chmod(0o600)
        is_sound_database(folder / DATABASE_FILE)
    if (data := folder / _DATA).exists():
        with nullcontext() if into_database else without_named_database():
            _load(folder, data)
    for name in (BACKUP_FILE, _MANIFEST):
        (folder / name).unlink(missing_ok=True)


def is_sound_database(path: Path) -> None:
    """Raise in words unless SQLite itself finds the file in order."""
    try:
        with closing(sqlite3.connect(path)) as database:
            told = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        told = str(error)
    if told != "ok":
        raise UnreadableFileError(f"The database in the backup is damaged: {told}. Nothing was restored.")


@contextmanager
def without_named_database() -> Iterator[None]:
    """Whatever database the environment names is left alone: the restored folder gets one of its own."""
    live = os.environ.pop("ACCORD_DATABASE_URL", None)
    try:
        yield
    finally:
        if live is not None:
            os.environ["ACCORD_DATABASE_URL"] = live


@contextmanager
def _opened(file: Path) -> Iterator[zipfile.ZipFile]:
    if not file.is_file():
        raise UnreadableFileError(f"{file} is not there.")
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except (zipfile.BadZipFile, EOFError, zlib.error, RuntimeError):
        # RuntimeError: what is encrypted, or packed in a way that we never do.
        raise UnreadableFileError(f"{file} is not a backup, or only a part of one.") from None


def _check(archive: zipfile.ZipFile, file: Path) -> Saved:
    """Raise in words unless it is a whole backup of a study, and nothing but that; returns what it says it holds."""
    names = archive.namelist()
    if BACKUP_FILE not in names:
        raise UnreadableFileError(f"{file} is a zip file, but not a backup of Accord.")
    if any(Path(name).is_absolute() or ".." in Path(name).parts or "\\" in name for name in names):
        raise UnreadableFileError(f"{file} holds names that lead out of the folder; it is not restored.")
    if sum(entry.file_size for entry in archive.infolist()) > _LARGEST:
        raise UnreadableFileError(f"{file} would unpack to more than {_LARGEST / 1e9:,.0f} GB; it is not restored.")
    if swollen := [entry.filename for entry in archive.infolist() if _swells(entry)]:
        raise UnreadableFileError(
            f"{file} is not restored: {swollen[0]} swells to more than {_MOST_SWELLING} times its size when unpacked, "
            "as nothing of a study does."
        )
    if (broken := archive.testzip()) is not None:
        raise UnreadableFileError(f"{file} is damaged: {broken} does not match its checksum.")
    if STUDY_FILE not in names or (DATABASE_FILE in names) == (_DATA in names):
        raise UnreadableFileError(f"{file} is no whole backup: it lacks {STUDY_FILE} or a database, or has two.")
    # Whoever knows the secret can forge log-ins; a log of SQLite's would be played into the database.
    if planted := [
        name for name in names if name == SECRET_FILE or (name.startswith(DATABASE_FILE) and name != DATABASE_FILE)
    ]:
        raise UnreadableFileError(f"{file} holds {planted[0]}, which no backup has; it is not restored.")
    if _MANIFEST in names:
        _manifest_holds(archive, file)
    about = _described(archive, BACKUP_FILE, file)
    raters, judgements = about.get("raters"), about.get("judgements")
    if not isinstance(raters, int) or not isinstance(judgements, int):
        raise UnreadableFileError(f"{file} is damaged: {BACKUP_FILE} does not say what it holds.")
    return Saved(raters, judgements)


def _swells(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > max(_FEW_BYTES, _MOST_SWELLING * entry.compress_size)


def _load(folder: Path, data: Path) -> None:
    """Portable data goes into a database that holds nothing yet."""
    from django.core.management import call_command
    from django.core.serializers.base import DeserializationError
    from django.db import Error, connection, transaction

    from accord.server.connect import connect, prepare

    connect(folder)
    if "server_rater" in connection.introspection.table_names():
        from accord.server.models import Rater

        if Rater.objects.exists():
            raise OperationError(
                "The database that ACCORD_DATABASE_URL names holds a study already. Nothing there was touched. Make an "
                "empty database and name that one."
            )
    prepare()
    from accord.server.models import GuidelineVersion

    try:
        with transaction.atomic():
            GuidelineVersion.objects.all().delete()
            call_command("loaddata", str(data), verbosity=0)
    except (DeserializationError, Error):
        raise UnreadableFileError("The data in the backup cannot be read. Nothing was restored.") from None
    data.unlink()
    connection.close()  # the folder is moved to its place
