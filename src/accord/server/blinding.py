"""Who sees the systems' own names: whoever may, once somebody unblinded the study; in arbitration nobody."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from accord.server.models_organiser import Unblinding
from accord.server.workspace.models import Role

__all__ = ["are_named", "in_the_eyes_of", "staying_blind", "unblind"]

_BLIND: ContextVar[bool] = ContextVar("blind", default=False)


@contextmanager
def staying_blind(*, is_blind: bool = True) -> Iterator[None]:
    """Inside of it systems have codes, whoever unblinded the study."""
    before = _BLIND.set(is_blind)
    try:
        yield
    finally:
        _BLIND.reset(before)


@contextmanager
def in_the_eyes_of(role: str) -> Iterator[None]:
    """What a page or program of this role is told.

    A ruling decides how good a text counts as, so whoever only arbitrates never learns whose text it is: a name that is
    known is in the ruling, and unblinding for the organiser cannot be undone in the arbiter's head.
    """
    with staying_blind(is_blind=role == Role.ARBITER):
        yield


def are_named() -> bool:
    """Whether the names of the systems are shown here; raters never see them."""
    return not _BLIND.get() and _is_unblinded()


def _is_unblinded() -> bool:
    last = Unblinding.objects.last()
    return last is not None and last.named


def unblind(by: str, *, named: bool) -> None:
    """Show the names of the systems, or hide them again; either is kept with who did it and when."""
    if _is_unblinded() is not named:
        Unblinding.objects.create(by=by, named=named)
