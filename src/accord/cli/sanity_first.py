"""What looks wrong in ratings, said before any number: on the screen, or beside a form for machines."""

from collections.abc import Sequence
from typing import Any

import typer

from accord.cli.layout import wrapped
from accord.cli.output import Form
from accord.ratings.remark import Remark
from accord.ratings.sanity import sanity

__all__ = ["tell", "tell_first"]

_MOST = 8


def tell_first(ratings: Any, form: Form, *, quiet: bool = False) -> list[dict[str, object]]:
    """Say what to check first, and give the same for ``--json``; whatever is for machines is not mixed with words."""
    return tell(sanity(ratings), form, quiet=quiet)


def tell(remarks: Sequence[Remark], form: Form, *, quiet: bool = False) -> list[dict[str, object]]:
    """The same of remarks that are known already."""
    beside = form is not Form.TEXT or quiet
    for remark in remarks[:_MOST]:
        typer.echo("\n".join(wrapped(f"Check first: {remark}", indent="  ")), err=beside)
    if (more := len(remarks) - _MOST) > 0:
        typer.echo(f"Check first: {more:,} more remarks of this kind; --json lists them all.", err=beside)
    if remarks and not beside:
        typer.echo()
    return [remark.to_dict() for remark in remarks]
