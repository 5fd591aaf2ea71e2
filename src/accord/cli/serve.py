"""``accord serve``: collect judgements for a study folder in the browser."""

from pathlib import Path
from typing import Annotated

import typer

from accord.errors import UnreadableFileError

__all__ = ["serve", "serve_workspace"]


def serve(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A study folder, or a workspace: a folder of study folders.")
    ],
    host: Annotated[str, typer.Option(help="Address to listen on; others than this machine's need ACCORD_ORIGIN.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that answer requests.")] = 2,
    organiser: Annotated[bool, typer.Option("--organiser", help="Print a link for one more organiser.")] = False,
) -> None:
    """Create or upgrade the database of the folder, print how to come in, and serve until Ctrl-C."""
    from accord.server.connect import connect, is_workspace_folder, prepare
    from accord.server.launch import first_organiser_link, refuse_unsafe, run, web_address

    refuse_unsafe(host)
    if not folder.is_dir():
        raise UnreadableFileError(
            f"There is no folder {folder}. To make studies in the browser begin with an empty one (mkdir {folder}); "
            f"a single study is made by: accord new PRESET {folder}"
        )
    if is_workspace_folder(folder):
        serve_workspace(folder, host, port, workers, owner=organiser)
        return
    connect(folder)
    prepare()
    address = web_address(host, port)
    link = first_organiser_link(address, always=organiser)
    typer.echo(f"Accord serves {folder} at {address}")
    if link:
        typer.echo(f"Make your organiser account, once, at\n  {link}")
    else:
        typer.echo(f"The organiser's page is {address}/organiser")
    typer.echo("Stop with Ctrl-C; everything acknowledged is on disk.")
    run(folder, host, port, workers)


def serve_workspace(folder: Path, host: str, port: int, workers: int, *, owner: bool) -> None:
    """Serve every study of a folder, and the home page above them, until Ctrl-C."""
    from accord.server.connect import connect_workspace, prepare_workspace
    from accord.server.launch import run, web_address

    connect_workspace(folder)
    prepare_workspace()
    from accord.server.serving import in_workspace
    from accord.server.workspace.accounts import owner_link

    address = web_address(host, port)
    with in_workspace():
        link = owner_link(address, always=owner)
    typer.echo(f"Accord serves the studies of {folder} at {address}")
    if link:
        typer.echo(f"Make your account, once, at\n  {link}")
    typer.echo("Stop with Ctrl-C; everything acknowledged is on disk.")
    run(folder, host, port, workers)
