"""The studies of a workspace, as its folder has them at this moment."""

import json
import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from django.conf import settings

from accord.design.load import STUDY_FILE
from accord.errors import AccordError
from accord.server.serving import Place, in_study
from accord.server.study import CREATED_FILE

__all__ = [
    "DRAFT_FILE",
    "KEY",
    "REHEARSAL_FILE",
    "is_draft",
    "mark_of",
    "misnamed",
    "note_opened",
    "opened",
    "opened_before",
    "place_of",
    "places",
    "rehearsed_draft",
    "unreadable",
    "why_not",
]

_LOG = logging.getLogger("accord.workspace")

DRAFT_FILE = "draft.json"
"""Stands in a study folder until the study is launched; its content is where the wizard was."""

REHEARSAL_FILE = "rehearsal.json"
"""Stands in the folder of a rehearsal and says of which draft it is one."""

KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
"""What a folder may be called to be a part of an address."""
_PATIENCE = 5.0
"""A study that could not be opened is tried again after so many seconds: somebody may have mended it."""

Mark = tuple[str, int]
"""Of a study: its folder, and when a study was put there."""

_opening = Lock()
_ready: set[Mark] = set()
_failed: dict[str, tuple[float, str, Mark]] = {}
"""When a study could not be opened and why, by its key; another study that gets the key later has another mark."""


def workspace_folder() -> Path:
    """The folder of all studies."""
    return Path(settings.WORKSPACE_FOLDER)


def places() -> Iterator[Place]:
    """Every study folder there is now, by name; whatever was added since the last request is there."""
    for folder in _study_folders():
        if KEY.fullmatch(folder.name):
            yield Place(folder.name, folder)


def misnamed() -> list[str]:
    """Study folders whose name cannot stand in an address."""
    return [folder.name for folder in _study_folders() if not KEY.fullmatch(folder.name)]


def _study_folders() -> list[Path]:
    found = workspace_folder().iterdir()
    return sorted(folder for folder in found if not folder.name.startswith(".") and (folder / STUDY_FILE).is_file())


def place_of(key: str) -> Place | None:
    """The study of this key; None where there is none."""
    if not KEY.fullmatch(key):
        return None
    folder = workspace_folder() / key
    return Place(key, folder) if (folder / STUDY_FILE).is_file() else None


def is_draft(place: Place) -> bool:
    """Whether the study still waits to be launched."""
    return (place.folder / DRAFT_FILE).is_file()


def rehearsed_draft(place: Place) -> str:
    """The key of the draft that a study rehearses; empty for a study of its own."""
    try:
        return str(json.loads((place.folder / REHEARSAL_FILE).read_text(encoding="utf-8"))["of"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def opened_before(key: str) -> Place | None:
    """A launched study that this process has opened already; None where that would have to be done first."""
    place = place_of(key)
    return place if place is not None and not is_draft(place) and mark_of(place) is not None else None


def opened(key: str) -> Place | None:
    """A launched study with its tables made, ready to be entered; None where there is none or it cannot be opened."""
    if (known := opened_before(key)) is not None:
        return known
    place = place_of(key)
    if place is None or is_draft(place):
        return None
    mark = (str(place.folder), _created(place))
    with _opening:
        if mark not in _ready and not _prepared(place):
            return None
        _ready.add(mark)
    return place


def mark_of(place: Place) -> Mark | None:
    """By what a study is known that was opened; None where it was not."""
    mark = (str(place.folder), _created(place))
    return mark if mark in _ready else None


def note_opened(mark: Mark) -> None:
    """Another process has opened this study: its tables are made."""
    _ready.add(mark)


def why_not(key: str) -> str:
    """Why a study could not be opened, in words; empty if it could or was not tried."""
    return _failed[key][1] if key in _failed else ""


def unreadable(error: Exception) -> str:
    """What is said of a study whose database holds what no study can; what exactly stands in the log."""
    return f"Its database holds what cannot be read ({type(error).__name__}). Put it back from a backup."


def _prepared(place: Place) -> bool:
    from accord.server.connect import prepare, private_database

    mark = (str(place.folder), _created(place))
    tried, _, failed = _failed.get(place.key, (float("-inf"), "", mark))
    if failed == mark and time.monotonic() - tried < _PATIENCE:
        return False
    try:
        private_database(place.folder)
        with in_study(place):
            prepare()
    except AccordError as error:
        _failed[place.key] = (time.monotonic(), str(error), mark)
        return False
    except Exception as error:  # one study that is damaged must not take the others' pages down
        _LOG.exception("study %s cannot be opened", place.key)
        _failed[place.key] = (time.monotonic(), unreadable(error), mark)
        return False
    _failed.pop(place.key, None)
    return True


def _created(place: Place) -> int:
    try:
        return (place.folder / CREATED_FILE).stat().st_mtime_ns
    except OSError:
        return 0


def mark_created(folder: Path, by: str, at: str) -> None:
    """Written last: by its time every process of the server notices that another study stands in the folder."""
    (folder / CREATED_FILE).write_text(json.dumps({"by": by, "at": at}), encoding="utf-8")
