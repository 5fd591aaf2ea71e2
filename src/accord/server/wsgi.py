"""The application that the web server calls: Django, the small one for saves beside it, and the gateway before both."""

import ctypes
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable

from django.core.wsgi import get_wsgi_application

from accord.server.gateway import Gateway
from accord.server.quick_save import QuickSave
from accord.server.serving import is_workspace
from accord.server.storable import takes_much
from accord.server.workspace.gate import Studies
from accord.sizes import GARBAGE_ROUNDS

__all__ = ["application", "gateway"]

_THREADS = 4

_TURN = 0.0005
"""Seconds after which a thread that computes must let others go on. A save waits for its turn after each question to
the database: at Python's 5 ms a page of the dashboard in another thread would hold it up for a tenth of a second."""

_SET_PARENT_DEATH_SIGNAL = 1


def _end_with_parent() -> None:
    """A worker must not outlive its server: it would keep the port after a crash of the parent."""
    if sys.platform == "linux" and os.environ.get("ACCORD_WORKER"):
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


_end_with_parent()
sys.setswitchinterval(_TURN)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "accord.server.settings")
application: Callable[..., Iterable[bytes]] = get_wsgi_application()
if is_workspace():
    application = Studies(application)
gateway = Gateway(application, _THREADS, takes_much=takes_much, quick=QuickSave())
# What is loaded now stays: to look through it for garbage took a tenth of a second, in which nobody is answered.
gc.collect()
gc.freeze()
gc.set_threshold(*GARBAGE_ROUNDS)
