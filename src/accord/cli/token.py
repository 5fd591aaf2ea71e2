"""``accord token``: make a key for a program, printed once."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["token"]


def token(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The study folder, or a workspace.")],
    label: Annotated[str, typer.Option(help="What the token is for; shown where tokens are listed.")] = "command line",
    rater: Annotated[str, typer.Option(help="Pseudonym of a rater: the token may only do what this rater may.")] = "",
    account: Annotated[str, typer.Option(help="In a workspace: the account that the token acts for.")] = "",
) -> None:
    """Make a token of the API; only its hash is kept, so copy it now."""
    from accord.errors import InputError
    from accord.server.connect import connect, is_workspace_folder, prepare

    if is_workspace_folder(folder):
        typer.echo(_token_of_account(folder, account, label))
        return
    if account:
        raise InputError("--account is for a workspace; a study has tokens of its own.")
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


def _token_of_account(folder: Path, name: str, label: str) -> str:
    from accord.errors import InputError
    from accord.server.connect import connect_workspace, prepare_workspace

    connect_workspace(folder)
    prepare_workspace()
    from django.contrib.auth import get_user_model

    from accord.server.serving import in_workspace
    from accord.server.workspace.programs import make_account_token

    with in_workspace():
        accounts = get_user_model()._default_manager
        found = accounts.filter(username=name).first()
        if found is None:
            known = ", ".join(accounts.values_list("username", flat=True)) or "none yet"
            raise InputError(f"Say with --account for whom the token acts. Accounts of this workspace: {known}.")
        return make_account_token(found, label)[1]
