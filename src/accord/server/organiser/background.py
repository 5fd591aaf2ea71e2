"""The process that computes: ``python -m accord.server.organiser.background``, started by the server itself."""

import os
import sys
import threading
import time
from pathlib import Path

__all__ = ["main"]


def main() -> None:
    """Compute the results of the study the server serves, or the effect of one rater, politely."""
    from accord.server.connect import connect

    os.nice(15)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    connect(Path(os.environ["ACCORD_STUDY"]), must_exist=True)
    from accord.server.organiser.kept_effect import compute_effect
    from accord.server.organiser.snapshot import compute_snapshot

    if rater := sys.argv[1:]:
        compute_effect(rater[0])
    else:
        compute_snapshot()


def _end_with(server: int) -> None:
    """Nobody waits for results of a server that is gone, however it went."""
    while os.getppid() == server:
        time.sleep(1)
    os._exit(0)


if __name__ == "__main__":
    main()
