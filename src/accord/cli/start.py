"""``accord`` as a process: run the command line, then leave without tidying up what ends with the process."""

import gc
import os
import sys

__all__ = ["start"]


def start() -> None:
    """Run the command line and end the process with its status."""
    gc.disable()  # until the command is loaded: nothing that is loaded is garbage
    from accord.cli.main import main

    status: object = 0
    try:
        main()
    except SystemExit as stop:
        status = stop.code or 0
    if isinstance(status, int) and _nobody_watches():
        _leave(status)
    raise SystemExit(status)


def _nobody_watches() -> bool:
    """A profiler, a debugger and ``python -i`` have something to do once the command has ended."""
    return sys.getprofile() is None and sys.gettrace() is None and not sys.flags.inspect


def _leave(status: int) -> None:
    """All that Python does at its end, but for freeing each object, a fifth of the time that the smallest file takes.

    Threads are waited for, what registered for the end is called, databases are closed. Where what was printed cannot
    be written, Python ends as ever, and says so.
    """
    import atexit
    import threading

    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    if (django := sys.modules.get("django.conf")) and django.settings.configured:
        sys.modules["django.db"].connections.close_all()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return
    os._exit(status)
