"""The process that computes: ``python -m accord.server.organiser.background``, started by the server itself."""

import os
from pathlib import Path

__all__ = ["main"]


def main() -> None:
    """Compute the results of the study the server serves, politely."""
    from accord.server.connect import connect

    os.nice(5)
    connect(Path(os.environ["ACCORD_STUDY"]), must_exist=True)
    from accord.server.organiser.snapshot import compute_snapshot

    compute_snapshot()


if __name__ == "__main__":
    main()
