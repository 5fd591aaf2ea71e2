"""The progress bar shows that something is going on, also where nobody can say how far it is."""

import io
import sys
import time

import pytest

from accord.cli import output


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch, patience=0.02):
    """Standard error as a terminal: set within a test, because pytest sets it between fixtures and tests."""
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setattr(output, "_PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    return sys.stderr


def test_work_that_never_says_how_far_it_is_has_a_bar(monkeypatch):
    screen = terminal(monkeypatch)
    with output.progress("Converting"):
        time.sleep(0.3)
    assert "Converting" in screen.getvalue()


def test_work_that_is_soon_done_has_none(monkeypatch):
    screen = terminal(monkeypatch, patience=60)
    with output.progress("Counting") as advance:
        advance(1, 2)
    assert screen.getvalue() == ""


def test_a_bar_is_taken_away_when_the_work_fails(monkeypatch):
    screen = terminal(monkeypatch)
    with pytest.raises(KeyboardInterrupt), output.progress("Counting") as advance:
        advance(1, 2)
        time.sleep(0.3)
        raise KeyboardInterrupt
    assert "Counting" in screen.getvalue()
    assert screen.getvalue().endswith("\x1b[?25h\r\x1b[1A\x1b[2K")
