"""Open the database of a study folder from a command, and bring it up to date."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

from accord.errors import MissingExtraError, OperationError
from accord.server.environment import DATABASE_FILE, WORKSPACE_FILE, Environment
from accord.sizes import GARBAGE_ROUNDS

__all__ = [
    "connect",
    "connect_workspace",
    "database_in_words",
    "is_workspace_folder",
    "prepare",
    "prepare_workspace",
    "private_database",
]


def connect(folder: Path, *, must_exist: bool = False) -> None:
    """Point Django at this study folder; commands call it once, before they touch a model."""
    from accord.design.load import load_study

    load_study(folder)
    if must_exist and not os.environ.get("ACCORD_DATABASE_URL") and not (folder / DATABASE_FILE).exists():
        raise OperationError(f"{folder} holds no judgements yet. Start collecting with: accord serve {folder}")
    os.environ["ACCORD_STUDY"] = str(folder.resolve())
    os.environ.pop("ACCORD_WORKSPACE", None)
    os.environ["DJANGO_SETTINGS_MODULE"] = "accord.server.settings"
    private_database(folder)
    try:
        import django
    except ImportError:
        raise MissingExtraError("Collecting judgements", "server") from None
    gc.set_threshold(*max(GARBAGE_ROUNDS, gc.get_threshold()))  # a command looks for it more rarely still
    django.setup()
    _move_to(folder.resolve())


def connect_workspace(folder: Path) -> None:
    """Point Django at a workspace: a folder of study folders, or one in which there will be some."""
    try:
        import django
    except ImportError:
        raise MissingExtraError("Collecting judgements", "server") from None
    os.environ["ACCORD_WORKSPACE"] = str(folder.resolve())
    os.environ["DJANGO_SETTINGS_MODULE"] = "accord.server.settings"
    private_database(folder, WORKSPACE_FILE)
    django.setup()


def prepare_workspace() -> None:
    """Create or upgrade the tables of the workspace itself; each study's own are seen to when it is first opened."""
    from django.conf import settings
    from django.core.management import call_command
    from django.db import Error

    from accord.server.one_at_a_time import one_at_a_time
    from accord.server.serving import WORKSPACE_ALIAS, in_workspace
    from accord.server.workspace.aside import sweep_up
    from accord.server.workspace.drafts import finish_renaming

    try:
        with in_workspace(), one_at_a_time(Path(settings.WORKSPACE_FOLDER)):
            make_schema()
            if _lacks_tables():
                call_command("migrate", interactive=False, verbosity=0, database=WORKSPACE_ALIAS)
            finish_renaming()
        sweep_up(Path(settings.WORKSPACE_FOLDER))
    except Error as error:
        raise OperationError(f"The database of the workspace cannot be used: {error}") from None


def is_workspace_folder(folder: Path) -> bool:
    """Whether a folder is served as a workspace: it is no study, and it is empty, holds studies, or was served so."""
    from accord.design.load import STUDY_FILE

    if not folder.is_dir() or (folder / STUDY_FILE).exists():
        return False
    inside = [path for path in folder.iterdir() if not path.name.startswith(".")]
    return not inside or (folder / WORKSPACE_FILE).exists() or any((path / STUDY_FILE).is_file() for path in inside)


def make_schema() -> None:
    """In PostgreSQL a study of a workspace has a schema of its own, made when it is first opened."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW search_path")
        name = cursor.fetchone()[0]
        if "," not in name and name != "public":
            # The name was checked when it was read: letters, digits and underscores.
            cursor.execute(f"CREATE SCHEMA IF NOT EXISTS {name}")


def _move_to(folder: Path) -> None:
    """A process that was on another study before works on this one from now on."""
    from django.conf import settings
    from django.db import connections

    if folder == settings.STUDY_FOLDER:
        return
    connections.close_all()
    environment = Environment.read()
    settings.STUDY_FOLDER, settings.SECRET_KEY = environment.folder, environment.secret
    connections.settings["default"].update(environment.databases["default"])
    with suppress(AttributeError):  # this thread may not have asked for the database yet
        del connections["default"]


def private_database(folder: Path, name: str = DATABASE_FILE) -> None:
    """The file holds personal data: only its owner may read it, from the first moment.

    A file that is there is never opened here. To close it again would end the locks that SQLite holds on it in this
    process, and another process could then take away the log that judgements are being written to.
    """
    if os.environ.get("ACCORD_DATABASE_URL"):
        return
    path = folder / name
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        if not os.access(path, os.R_OK | os.W_OK):
            raise OperationError(f"{folder}: cannot keep the database here ({os.strerror(EACCES)}).") from None
    except OSError as error:
        raise OperationError(f"{folder}: cannot keep the database here ({error.strerror}).") from None


@contextmanager
def database_in_words() -> Iterator[None]:
    """For commands: a database that is full or away while something is written is told in one sentence."""
    from django.db import Error

    try:
        yield
    except Error as error:
        raise OperationError(f"The database cannot be used: {error}") from None


def prepare(*, changes_are_asked: bool = False) -> None:
    """Create or upgrade the tables, check that they hold this study, and publish the guidelines if they are new."""
    from django.core.management import call_command
    from django.db import Error

    from accord.planning.plan_check import require_sound_plan
    from accord.server.guidelines import publish_file
    from accord.server.kept_plan import keep_plan
    from accord.server.kept_study import check_study, keep_study
    from accord.server.one_at_a_time import one_at_a_time
    from accord.server.study import current

    study = current()
    require_sound_plan(study.study)
    try:
        with one_at_a_time(study.study.folder):
            make_schema()
            if _lacks_tables():
                call_command("migrate", interactive=False, verbosity=0)
            if not changes_are_asked:
                check_study()
            publish_file(study.study.guidelines)
            keep_study()
            keep_plan()
    except Error as error:
        raise OperationError(f"The database cannot be used: {error}") from None


def _lacks_tables() -> bool:
    """Whether tables are to be made or upgraded: names are enough to tell, and no step of the past is loaded for it.

    An older program cannot know what a newer one keeps where, so it keeps its hands off.
    """
    from django.db import connection
    from django.db.migrations.recorder import MigrationRecorder

    from accord import __version__

    known, applied = _steps_on_disk(), set(MigrationRecorder(connection).applied_migrations())
    unknown = sorted(name for app, name in applied - known if app in ("server", "workspace"))
    if unknown:
        raise OperationError(
            f"The database was written by a newer Accord than this one ({__version__}; it holds {unknown[-1]}). "
            "Install the newer version; this one changes nothing here."
        )
    return not known <= applied


def _steps_on_disk() -> set[tuple[str, str]]:
    """The app and the name of every step that makes or changes tables."""
    from django.apps import apps

    found = set()
    for app in apps.get_app_configs():
        place = find_spec(f"{app.name}.migrations")
        folders = place.submodule_search_locations if place else None
        found |= {(app.label, step.name) for step in iter_modules(folders or []) if step.name[0] not in "_~"}
    return found
