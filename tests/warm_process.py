"""``accord ...`` as a process of its own, forked from one that has imported beforehand what the program imports.

A second of imports is saved at every start; all else is as ``python -m accord`` has it: arguments, folder, environment,
pipes, exit status. That the program starts from nothing is tested where it is started with ``sys.executable``: the
light start, the demonstration, the servers.
"""

import atexit
import gc
import importlib
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from ast import literal_eval
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from warm_relay import EXEC, lines

RELAY = Path(__file__).with_name("warm_relay.py")
READ_AT_START = ("PYTHON", "LANG", "LC_", "OMP_", "OPENBLAS_", "MKL_", "LD_")
"""Variables that Python or a library reads when it starts: where they are others, the program starts from nothing."""
UNBUFFERED = "PYTHONUNBUFFERED"
"""This one can be obeyed later too."""
LIBRARIES = (
    "duckdb", "jinja2", "markdown_it", "openpyxl", "pydantic", "rich.console", "rich.table", "scipy.optimize",
    "scipy.special", "scipy.stats", "sqlite3", "django.contrib.auth.hashers", "django.core.management",
    "django.core.management.commands.migrate", "django.db.backends.sqlite3.base", "django.db.migrations.executor",
    "django.template.loader", "django.urls", "django.views.generic",
)  # fmt: skip
WITHOUT = ("accord.server", "accord.__main__")
"""The server is imported once it knows its study."""

SHARED = "WARM_PARENT"
"""Who started the parent that all processes of a run share, and where it listens."""

_started: dict[int, tuple[subprocess.Popen[bytes], str]] = {}


def accord_words(*arguments: object) -> list[str]:
    """The words to start ``accord ...`` with, by ``subprocess``."""
    return _words("-m", "accord", *map(str, arguments))


def code_words(code: str) -> list[str]:
    """The words to run this Python with, warnings as errors."""
    return _words("-W", "error", "-c", code)


def _words(*arguments: str) -> list[str]:
    """What follows ``python``, for the parent or, where a fork would not do, for Python itself."""
    return [sys.executable, "-S", "-I", str(RELAY), _address(), *arguments]


def share_parent() -> None:
    """Let the processes that this one starts fork from one parent: each would else import the whole program."""
    os.environ[SHARED] = f"{os.getpid()} {_address()}"


def _address() -> str:
    """Where the parent of this test process listens; it is started when first asked for, and ends with this process."""
    owner, _, shared = os.environ.get(SHARED, "").partition(" ")
    if owner == str(os.getppid()):  # what a test starts may have another environment, and has a parent of its own
        return shared
    if os.getpid() not in _started:
        address = str(Path(tempfile.mkdtemp(prefix="accord-warm-")) / "socket")
        parent = subprocess.Popen([sys.executable, __file__, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert parent.stdout is not None and parent.stdout.readline() == b"ready\n"
        _started[os.getpid()] = parent, address
        atexit.register(_end, os.getpid())
    return _started[os.getpid()][1]


def _end(owner: int) -> None:
    if owner == os.getpid():
        parent, address = _started.pop(owner)
        assert parent.stdin is not None
        parent.stdin.close()
        parent.wait(120)
        for place in (Path(address), Path(address).parent):
            with suppress(OSError):
                place.unlink() if place.is_socket() else place.rmdir()


def serve_forks(address: str) -> dict[str, object]:
    """Import, then fork for everyone who asks; returns in the forked process, with what it shall do."""
    import selectors

    import accord

    rooms = (module.name for module in pkgutil.walk_packages(accord.__path__, "accord."))
    for name in (*LIBRARIES, *(name for name in rooms if not name.startswith(WITHOUT))):
        with suppress(Exception):  # a module that is broken breaks those that need it, when they do
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listening, selectors.DefaultSelector() as waiting:
        listening.bind(address)
        listening.listen(64)
        waiting.register(listening, selectors.EVENT_READ)
        waiting.register(0, selectors.EVENT_READ)
        os.write(1, b"ready\n")
        forked: dict[int, Forked] = {}
        while True:
            # Who asks comes last: the number of what has just been closed may be given to it.
            for key, _ in sorted(waiting.select(), key=lambda ready: ready[0].fileobj is listening):
                if key.fd == 0:  # who started this has ended
                    for one in set(forked.values()):
                        one.kill()
                    os._exit(0)  # nothing is left to tidy up
                if key.fileobj is listening:
                    caller, _ = listening.accept()
                    if (one := _fork(caller)) is None:
                        continue
                    if not one.child:
                        for other in set(forked.values()):
                            other.close()
                        return one.asked
                    for descriptor in one.descriptors:
                        forked[descriptor] = one
                        waiting.register(descriptor, selectors.EVENT_READ)
                elif key.fd in forked:
                    one = forked[key.fd]
                    for descriptor in one.descriptors:
                        waiting.unregister(descriptor)
                        del forked[descriptor]
                    one.end(is_left=key.fd == one.caller.fileno())


@dataclass(frozen=True, eq=False)
class Forked:
    """A process that was asked for, and who waits for its end; in the process itself the child is 0."""

    asked: dict[str, object]
    caller: socket.socket
    child: int
    ending: int

    @property
    def descriptors(self) -> tuple[int, int]:
        """Readable when the process ends, or when who asked is gone."""
        return self.ending, self.caller.fileno()

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.child, signal.SIGKILL)

    def end(self, *, is_left: bool) -> None:
        """Tell how it ended; what nobody waits for any more is ended."""
        if is_left:
            self.kill()
        _, status = os.waitpid(self.child, 0)
        with suppress(OSError):
            self.caller.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
        self.close()

    def close(self) -> None:
        self.caller.close()
        os.close(self.ending)


def _fork(caller: socket.socket) -> Forked | None:
    """A child that does what is asked; None where a fork would not see what the program must see."""
    _, given, _, _ = socket.recv_fds(caller, 1, 3)
    asked = literal_eval(next(lines(caller), "None"))
    if asked is None or _at_start(asked["env"]) != _at_start(dict(os.environ)):
        child = -1
    elif (child := os.fork()) == 0:
        for place, descriptor in enumerate(given):
            os.dup2(descriptor, place)
    if child:
        with suppress(OSError):  # who asks may be gone
            caller.sendall(f"{child if child > 0 else EXEC}\n".encode())
    for descriptor in given:
        os.close(descriptor)
    if child <= 0:
        caller.close()
    return None if child < 0 else Forked(asked, caller, child, os.pidfd_open(child) if child else -1)


def _at_start(env: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name.startswith(READ_AT_START) and name != UNBUFFERED}


def run_as_asked(asked: dict[str, object]) -> int:
    """The program in this process, and the status with which it ends."""
    os.environ.clear()
    os.environ.update(asked["env"])
    time.tzset()  # Django sets the zone of the process that asks
    os.chdir(asked["cwd"])
    sys.path[0] = asked["cwd"]  # where ``python -m`` looks first
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(write_through=bool(os.environ.get(UNBUFFERED)))
    try:
        _run(*asked["arguments"])
    except SystemExit as stop:
        if isinstance(stop.code, str):
            print(stop.code, file=sys.stderr)
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _run(option: str, *arguments: str) -> None:
    import runpy
    import warnings

    if option == "-m":
        sys.argv = list(arguments)
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    else:
        warnings.simplefilter("error")
        sys.argv = ["-c"]
        exec(compile(arguments[-1], "<string>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    asked = serve_forks(sys.argv[1])
    status = run_as_asked(asked)
    # All that Python does at its end, but for freeing what was imported, which takes longer than most commands.
    threading._shutdown()
    atexit._run_exitfuncs()
    if (django := sys.modules.get("django.conf")) and django.settings.configured:
        sys.modules["django.db"].connections.close_all()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
