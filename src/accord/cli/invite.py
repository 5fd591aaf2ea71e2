"""``accord invite``: make links for raters, printed once."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit
from accord.errors import OptionError
from accord.tables.table import Column, Table

__all__ = ["invite"]

_CROWD_FIELDS = "?PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}"
"""What the platform fills in."""


def invite(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The study folder.")],
    number: Annotated[int, typer.Argument(min=0, max=10_000, help="How many raters.")] = 1,
    address: Annotated[
        str, typer.Option(help="Where the server is found; ACCORD_ORIGIN or http://127.0.0.1:8000 if left out.")
    ] = "",
    crowd: Annotated[
        bool, typer.Option("--crowd", help="One link for a recruiting platform that adds PROLIFIC_PID.")
    ] = False,
    instead_of: Annotated[
        str, typer.Option(metavar="RATER", help="Replace a rater who left: answers stay, open work is handed on.")
    ] = "",
    completion_code: Annotated[str, typer.Option(help="With --crowd: code shown at the end.")] = "",
    full_code: Annotated[
        str, typer.Option(help="With --crowd: code shown to whoever comes when no place is left.")
    ] = "",
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Make invitations; only their hashes are kept, so copy the links now."""
    from accord.server.connect import connect, prepare

    for option, given in {"--completion-code": completion_code, "--full-code": full_code}.items():
        if given and not crowd:
            raise OptionError(f"{option} belongs to --crowd.")
    if instead_of and (crowd or number != 1):
        raise OptionError("--instead-of invites one rater in the place of another: leave out --crowd and the number.")
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    connect(folder)
    prepare()
    from accord.server.invitations import fewer_words, invite_raters, open_entrance
    from accord.server.launch import web_address

    address = address.rstrip("/") or web_address("127.0.0.1", 8000)
    if crowd:
        link = f"{address}/join/{open_entrance(completion_code, full_code=full_code)}{_CROWD_FIELDS}"
        rows = [{"rater": "", "group": "", "link": link}]
    else:
        from accord.server.replacing import invite_instead_of

        invited = [invite_instead_of(instead_of, by="accord invite")] if instead_of else invite_raters(number)
        rows = [{"rater": r.pseudonym, "group": r.group, "link": f"{address}/i/{token}"} for r, token in invited]
        if fewer := fewer_words(number, len(rows)):
            typer.echo(fewer, err=True)
    columns = [Column("rater", "Rater"), Column("group", "Group"), Column("link", "Link")]
    table = Table("Invitations", columns, rows, ("Each link is shown once; only its hash is kept.",))
    emit([table], {"invitations": rows}, form)
