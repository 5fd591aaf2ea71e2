"""``accord token``: make a key for a program, printed once."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["token"]


def token(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The study folder.")],
    label: Annotated[str, typer.Option(help="What the token is for; shown where tokens are listed.")] = "command line",
    rater: Annotated[str, typer.Option(help="Pseudonym of a rater: the token may only do what this rater may.")] = "",
) -> None:
    """Make a token of the API; only its hash is kept, so copy it now."""
    from accord.errors import InputError
    from accord.server.connect import connect, prepare

    connect(folder)
    prepare()
    from accord.server.api.tokens import make_token
    from accord.server.models import Rater
    from accord.server.models_organiser import ApiToken

    person = Rater.objects.filter(pseudonym=rater).first() if rater else None
    if rater and person is None:
        raise InputError(f"There is no rater {rater!r}.")
    _, made = make_token(ApiToken.Scope.RATER if person else ApiToken.Scope.ORGANISER, label, person)
    typer.echo(made)
