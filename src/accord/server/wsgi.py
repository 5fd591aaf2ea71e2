"""The application that the web server calls: Django, the small one for saves beside it, and the gateway before both."""

import gc
import os
import sys
from collections.abc import Callable, Iterable

from django.core.wsgi import get_wsgi_application

from accord.server.gateway import Gateway
from accord.server.pages import beside, end_with_parent
from accord.server.quick_save import QuickSave
from accord.server.serving import is_workspace
from accord.server.storable import takes_much
from accord.server.workspace.gate import Studies
from accord.server.workspace.studies import note_opened
from accord.sizes import GARBAGE_ROUNDS

__all__ = ["application", "gateway"]

_THREADS = 4

_TURN = 0.0005
"""Seconds after which a thread that computes must let others go on. A save waits for its turn after each question to
the database: at Python's 5 ms a page of the dashboard in another thread would hold it up for a tenth of a second."""

_is_worker = bool(os.environ.get("ACCORD_WORKER"))
if _is_worker:
    end_with_parent()
sys.setswitchinterval(_TURN)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "accord.server.settings")
application: Callable[..., Iterable[bytes]] = get_wsgi_application()
if is_workspace():
    application = Studies(application)
# What is loaded now stays: to look through it for garbage took a tenth of a second, in which nobody is answered.
gc.collect()
gc.freeze()
gc.set_threshold(*GARBAGE_ROUNDS)
# Elsewhere to divide a process that uses the system's own libraries is not safe, or not known.
_pages = beside(application, _THREADS, note_opened) if _is_worker and sys.platform == "linux" else application
gateway = Gateway(_pages, _THREADS, takes_much=takes_much, quick=QuickSave())
