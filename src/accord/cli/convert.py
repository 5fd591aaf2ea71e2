"""``accord convert IN OUT``: from any format to any other, with the log of repairs and the losses named."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from accord.cli.layout import say
from accord.cli.output import progress
from accord.cli.reading import names_how_to_read, say_overruled
from accord.errors import OptionError
from accord.formats.imported import Imported
from accord.formats.writing import format_for, write
from accord.ratings.data_package import read_codebook
from accord.reading import hidden_names_told, imported_from, is_study
from accord.words import counted

_SHOWN = 5


@names_how_to_read
def convert(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="File or folder to read, a pattern of files, or a study folder.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File or folder to write.")],
    format: Annotated[str | None, typer.Option(help="Format of IN; recognised by its content if not given.")] = None,
    to: Annotated[str | None, typer.Option(help="Format of OUT; taken from its ending if not given.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at any row that is dropped, repaired or guessed.")
    ] = False,
    log: Annotated[Path | None, typer.Option(help="Write every repaired row to this file.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite OUT if it exists.")] = False,
    encoding: Annotated[
        str | None, typer.Option(help="Encoding of IN, such as cp1250; recognised if not given.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="An option of one format, such as segments=position. Repeatable.",
        ),
    ] = None,
    reading: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Convert ratings from one format to another, and say what was repaired and what is lost."""
    spec = format_for(target, to)
    if target.exists() and not force:
        raise OptionError(f"{target} exists. Give --force to overwrite it.")
    with progress(f"Converting {source.name}"):
        given = {name: value for name, value in reading.items() if value not in (None, {}, ())}
        asked = {"format": format, "strict": strict, "encoding": encoding, **given, **_options(option or [])}
        imported = imported_from(source, **asked)
        lost = write(imported, target, to=spec.name, force=force)
    if log is not None:
        _write_log(imported, log)
    _tell(imported, source, target, spec.title, lost)
    say_overruled(imported.ratings)
    if is_study(source) and (told := hidden_names_told(imported.ratings.codebook)):
        typer.echo(told, err=True)


def _options(pairs: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not (sign and name and value):
            raise OptionError(f"--set {pair}: write it as NAME=VALUE, for example --set segments=position.")
        given[name] = {"true": True, "false": False}.get(value.lower(), value)
    return given


def _write_log(imported: Imported, path: Path) -> None:
    lines = [str(entry) for entry in imported.log] or ["Every row was taken as it stands."]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"The log {path} cannot be written: {error.strerror}.") from None


def _tell(imported: Imported, source: Path, target: Path, title: str, lost: tuple[str, ...]) -> None:
    ratings = imported.ratings
    spans = f" and {counted(len(imported.spans), 'span')}" if imported.spans else ""
    sizes = counted(ratings.items, "item"), counted(ratings.raters, "rater")
    say(f"Read {source} as {imported.format}: {imported.reason}.")
    typer.echo(f"{counted(len(ratings), 'rating')} of {sizes[0]} by {sizes[1]}{spans}.")
    for note in imported.notes:
        say(f"Note: {note}")
    if imported.account is not None:
        say(str(imported.account))
    if imported.log.entries:
        say(imported.log.summary())
        for entry in imported.log.entries[:_SHOWN]:
            typer.echo(f"  {entry}")
        if (more := len(imported.log) - _SHOWN) > 0:
            typer.echo(f"  ... and {more:,} more; --log FILE writes them all.")
    typer.echo(f"Wrote {target} as {title}.")
    if (said := read_codebook(target)) is not None:
        typer.echo(f"What it means: {said.where}.")
    for sentence in lost:
        say(f"Lost: {sentence}")
    if not lost:
        typer.echo("Nothing was lost.")
