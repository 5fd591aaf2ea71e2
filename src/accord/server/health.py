"""Whether judgements can be saved: found out by writing, as a full disk still answers every question."""

import time
from pathlib import Path
from threading import Lock

from django.db import Error, transaction

from accord.server.models import Attempt
from accord.server.serving import study_folder

__all__ = ["can_save"]

_SECONDS = 2.0
"""Anybody may ask; a stranger must not make the disk busy."""
_asking = Lock()
_last: dict[Path, tuple[float, bool]] = {}
"""When this was last found out, and what, for each study of this server."""


def can_save() -> bool:
    """Write a row and take it back, unless somebody asked a moment ago."""
    folder = study_folder()
    with _asking:
        asked, answer = _last.get(folder, (float("-inf"), False))
        if time.monotonic() - asked >= _SECONDS:
            answer = _written()
            _last[folder] = (time.monotonic(), answer)
        return answer


def _written() -> bool:
    try:
        with transaction.atomic():
            Attempt.objects.create(address_hash="health").delete()
    except Error:
        return False
    return True
