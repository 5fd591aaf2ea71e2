"""``accord describe``: what ratings mean, as a person reads it, or as a codebook to edit."""

import inspect
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli.layout import say
from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit
from accord.cli.reading import read_anything, reading_options, takes_ratings
from accord.cli.sanity_first import tell_first
from accord.errors import OptionError
from accord.formats.describing import write_description
from accord.ratings.description import Description
from accord.ratings.description import describe as description_of
from accord.ratings.table import Ratings
from accord.reading import is_study

__all__ = ["describe"]


@takes_ratings
def _options(
    ratings: Ratings,
    write: Annotated[
        bool, typer.Option("--write", help="Write the codebook beside the file, to be edited and used from then on.")
    ] = False,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """The options of the command; the ratings are read by ``describe`` itself, which needs their path."""


def describe(**options: Any) -> None:
    """Show what ratings mean: what was judged, on which scale, which end is good, and what is only guessed."""
    path = options.pop("ratings")
    reading = reading_options(options)
    write = options.pop("write")
    form = chosen_form(**options)
    if write and is_study(path):
        raise OptionError(f"{path} is a study folder: what its ratings mean is written in study.toml, so edit that.")
    read = read_anything(path, **reading)
    tell_first(read, form)
    described = description_of(read)
    _show(described, form)
    if write:
        written = write_description(Path(path), read, reading)
        typer.echo(f"Wrote {written}. Edit it, then run accord describe {path}: it names mistakes with their line.")


describe.__signature__ = inspect.signature(_options)  # type: ignore[attr-defined]
describe.__annotations__ = _options.__annotations__


def _show(described: Description, form: Form) -> None:
    if form is Form.TEXT:
        for sentence in described.answer():
            say(sentence)
        typer.echo("")
    emit(described.tables(), described.to_dict(), form, lines=described.lines())
