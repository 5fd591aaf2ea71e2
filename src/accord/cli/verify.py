"""``accord verify``: whether every judgement of a study or of a backup is there."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli.layout import say
from accord.words import counted

if TYPE_CHECKING:
    from accord.server.verifying import Verified

__all__ = ["verify"]


def verify(
    path: Annotated[Path, typer.Argument(metavar="DIR|FILE", help="A study folder, or what accord backup wrote.")],
    accept_changes: Annotated[
        bool,
        typer.Option("--accept-changes", help="Go on with a study whose files were changed; the report will say so."),
    ] = False,
) -> None:
    """Read every judgement, export it, restore it from a backup, and say whether all came through.

    Exit code 1 if something is missing.
    """
    found = _of_backup(path) if path.is_file() else _of_study(path, accept_changes)
    if found.problems:
        say(f"{path} is not whole: {'; '.join(found.problems)}.")
        raise typer.Exit(1)
    if found.judgements:
        say(
            f"All {found.judgements:,} judgements of {counted(found.raters, 'rater')} are there: each was read, is in "
            "the export once, and came back from a backup."
        )
    else:
        typer.echo("Nobody has judged anything yet; the study itself came back from a backup.")
    if found.waiting:
        say(f"{counted(found.waiting, 'more rater has', 'more raters have')} been invited and judged nothing yet.")


def _of_study(folder: Path, changes_are_accepted: bool) -> "Verified":
    from accord.server.connect import connect, prepare

    connect(folder, must_exist=True)
    prepare(changes_are_asked=changes_are_accepted)
    if changes_are_accepted:
        _accept()
    from accord.server.verifying import verify_study

    return verify_study(folder)


def _of_backup(file: Path) -> "Verified":
    from accord.server.backup import check_backup, read_backup, without_named_database
    from accord.server.connect import connect, prepare

    saved = check_backup(file)
    with tempfile.TemporaryDirectory() as scratch, without_named_database():
        folder = Path(scratch) / "restored"
        read_backup(file, folder)
        connect(folder)
        prepare()
        from accord.server.verifying import verify_restored

        return verify_restored(saved)


def _accept() -> None:
    from accord.server.kept_study import accept_changes

    changes = accept_changes()
    say(f"Accepted: {'; '.join(changes)}." if changes else "Nothing was changed since the first invitation.")
