"""``accord demo``: a populated study with its pages and its report, on this machine."""

import os
import shutil
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

from accord.errors import OperationError, OptionError

__all__ = ["demo"]

_KEY = "demo"
"""The study in the workspace of the demonstration, and in its addresses."""
_MORE_RATERS = {"raters = 8": "raters = 10", "raters = 4": "raters = 5"}
"""The preset plans eight raters; two more places are for those who look at the demo."""
_KEPT = "accord-studies"
"""Where studies go that somebody made beside the demonstration."""


def demo(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8000,
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Keep the study in this new folder; gone at the end if left out.")
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
    scratch = Path(tempfile.mkdtemp(prefix="accord-demo-"))
    try:
        copy_preset("document-context", scratch / _KEY)
        _show_workspace(scratch, port, seed)
    finally:
        typer.echo(leave(scratch, Path.cwd(), port))


def leave(scratch: Path, here: Path, port: int) -> str:
    """Remove the demonstration, unless somebody made a study beside it: then all is kept here, and it is said where."""
    from accord.design.load import STUDY_FILE

    if not any((path / STUDY_FILE).is_file() for path in scratch.iterdir() if path.name != _KEY):
        shutil.rmtree(scratch, ignore_errors=True)
        return "The demonstration is removed."
    names = (f"{_KEPT}{f'-{number}' if number > 1 else ''}" for number in count(1))
    kept = next(here / name for name in names if not (here / name).exists())
    try:
        shutil.move(scratch, kept)
    except OSError:  # nothing can be written here: better far away than gone
        kept = scratch
    return (
        f"Your studies are kept in {kept}, with the demonstration, the account demo and its password.\n"
        f"Open them again, at the same addresses, with: {_program()} serve {kept} --port {port}"
    )


def _program() -> str:
    """How this program is called: who started it by ./run has no command of its name."""
    if called := os.environ.get("ACCORD_CALLED_AS"):
        return called
    return "accord" if shutil.which("accord") else f"{Path(sys.executable).with_name('accord')}"


def _show_workspace(folder: Path, port: int, seed: int) -> None:
    """The study as one of a workspace, so that the next one can be made in the browser."""
    from accord.server.connect import connect_workspace, prepare, prepare_workspace, private_database
    from accord.server.launch import run

    study, address = folder / _KEY, f"http://127.0.0.1:{port}"
    _give_places(study)
    connect_workspace(folder)
    prepare_workspace()
    from accord.server.serving import Place, in_study, in_workspace
    from accord.server.workspace.accounts import make_owner

    private_database(study)
    with in_study(Place(_KEY, study)):
        prepare()
        judgements, token = _filled_in(seed)
    password = new_password()
    with in_workspace():
        make_owner("demo", password, "accord demo")
    for line in _how_to_enter(judgements, f"{address}/s/{_KEY}", token, password):
        typer.echo(line)
    typer.echo(f"  All studies           {address}/   (make one of your own)")
    typer.echo(f"  Its report            {_report(study).resolve().as_uri()}")
    typer.echo(f"Stop with Ctrl-C; studies that you make are then kept in {Path.cwd() / _KEPT}.")
    run(folder, "127.0.0.1", port, workers=1)


def _give_places(folder: Path) -> None:
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8")
    for eight, ten in _MORE_RATERS.items():
        text = text.replace(eight, ten)
    settings.write_text(text, encoding="utf-8")


def _show(folder: Path, port: int, seed: int, prepare_only: bool) -> None:
    from accord.server.connect import connect, prepare
    from accord.server.launch import run

    _give_places(folder)
    connect(folder)
    prepare()
    from django.contrib.auth import get_user_model

    judgements, token = _filled_in(seed)
    password = new_password()
    get_user_model()._default_manager.create_user(username="demo", password=password)  # type: ignore[attr-defined]
    for line in _how_to_enter(judgements, f"http://127.0.0.1:{port}", token, password):
        typer.echo(line)
    typer.echo(f"  Its report            {_report(folder).resolve().as_uri()}")
    if prepare_only:
        typer.echo(f"Serve it with: accord serve {folder} --port {port}")
        return
    typer.echo("Stop with Ctrl-C.")
    run(folder, "127.0.0.1", port, workers=1)


def _filled_in(seed: int) -> tuple[int, str]:
    """Eight simulated raters answer everything; gives the judgements, and the token of the ninth rater."""
    from accord.planning.simulated_raters import RaterTraits
    from accord.server.invitations import invite_raters
    from accord.server.models import Judgement
    from accord.server.rehearsal import fill_in

    fill_in(8, RaterTraits(), seed)
    _, token = invite_raters(1)[0]
    return Judgement.objects.count(), token


def new_password() -> str:
    """Nobody's default: another one at every start."""
    from accord.server.tokens import new_token

    return new_token()


def _how_to_enter(judgements: int, address: str, token: str, password: str) -> list[str]:
    return [
        f"A study with {judgements:,} judgements of eight simulated raters:",
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
