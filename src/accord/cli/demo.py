"""``accord demo``: a populated study with its pages and its report, on this machine."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from accord.errors import OperationError, OptionError

__all__ = ["demo"]

_MORE_RATERS = {"raters = 8": "raters = 10", "raters = 4": "raters = 5"}
"""The preset plans eight raters; two more places are for those who look at the demo."""


def demo(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Keep the study in this new folder; a temporary one if left out.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the simulated raters.")] = 1,
    prepare_only: Annotated[bool, typer.Option("--prepare-only", help="Make the study, but do not serve it.")] = False,
) -> None:
    """Make a document-context study rated by eight simulated raters, and serve it on 127.0.0.1."""
    from accord.design.preset import copy_preset
    from accord.server.launch import check_port

    if prepare_only and folder is None:
        raise OptionError("--prepare-only needs --dir FOLDER: a temporary study would be gone at once.")
    if not prepare_only:
        check_port("127.0.0.1", port)
    if folder is not None:
        copy_preset("document-context", folder)
        _show(folder, port, seed, prepare_only)
        return
    with tempfile.TemporaryDirectory(prefix="accord-demo-") as scratch:
        copy_preset("document-context", Path(scratch) / "study")
        _show(Path(scratch) / "study", port, seed, prepare_only)


def _show(folder: Path, port: int, seed: int, prepare_only: bool) -> None:
    from accord.server.connect import connect, prepare
    from accord.server.launch import run

    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8")
    for eight, ten in _MORE_RATERS.items():
        text = text.replace(eight, ten)
    settings.write_text(text, encoding="utf-8")
    connect(folder)
    prepare()
    for line in _populate(f"http://127.0.0.1:{port}", seed):
        typer.echo(line)
    typer.echo(f"  Its report            {_report(folder).resolve().as_uri()}")
    if prepare_only:
        typer.echo(f"Serve it with: accord serve {folder} --port {port}")
        return
    typer.echo("Stop with Ctrl-C.")
    run(folder, "127.0.0.1", port, workers=1)


def _populate(address: str, seed: int) -> list[str]:
    from django.contrib.auth import get_user_model

    from accord.planning.simulated_raters import RaterTraits
    from accord.server.invitations import invite_raters
    from accord.server.models import Judgement
    from accord.server.rehearsal import fill_in
    from accord.server.tokens import new_token

    fill_in(8, RaterTraits(), seed)
    _, token = invite_raters(1)[0]
    password = new_token()
    get_user_model()._default_manager.create_user(username="demo", password=password)  # type: ignore[attr-defined]
    return [
        f"A study with {Judgement.objects.count():,} judgements of eight simulated raters:",
        f"  Judge as the ninth    {address}/i/{token}",
        f"  The organiser's page  {address}/organiser   (name demo, password {password})",
    ]


def _report(folder: Path) -> Path:
    """Made by a process of its own: what draws charts does not survive the fork that makes the server's workers."""
    path = folder / "report.html"
    command = [sys.executable, "-m", "accord", "report", str(folder), "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)  # noqa: S603 - our own program
    if done.returncode:
        raise OperationError(done.stderr.strip() or "The report of the demonstration could not be made.")
    return path
