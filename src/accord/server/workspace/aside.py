"""Where a study is made before it has its name, and what is left there by who was killed meanwhile."""

import shutil
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["ASIDE", "sweep_up"]

ASIDE = ".new-"
"""How such folders begin."""
_LONGEST = 24 * 60 * 60
"""Seconds that no import takes."""


def sweep_up(workspace: Path) -> None:
    """Take away what was left: of a zip that was brought in it may hold answers of raters."""
    for made in workspace.glob(f"{ASIDE}*"):
        with suppress(OSError):  # somebody else takes it away
            if time.time() - made.stat().st_mtime > _LONGEST:
                shutil.rmtree(made)
