"""``accord new``: make a study folder from a preset."""

from pathlib import Path
from typing import Annotated

import typer

from accord.design.preset import PRESETS, copy_preset, preset_title
from accord.errors import OptionError

__all__ = ["new"]

_Preset = Annotated[str | None, typer.Argument(metavar="PRESET", help=f"One of: {', '.join(PRESETS)}.")]
_Folder = Annotated[Path | None, typer.Argument(metavar="DIR", help="The folder to make; it must be new or empty.")]


def new(preset: _Preset = None, folder: _Folder = None) -> None:
    """Make a study folder from a preset; without arguments, list the presets."""
    if preset is None:
        width = max(map(len, PRESETS))
        typer.echo("Presets:\n" + "\n".join(f"  {name:<{width}}  {preset_title(name)}" for name in PRESETS))
        typer.echo("\nMake one with: accord new PRESET DIR")
        return
    if folder is None:
        raise OptionError(f"Name a folder for the study: accord new {preset} DIR")
    made = copy_preset(preset, folder)
    typer.echo(f"Made {folder} with {', '.join(path.name for path in made)}.\n")
    typer.echo("What next:")
    typer.echo(f"  1. Put your own texts into {next(p for p in made if p.stem == 'items')}.")
    typer.echo(f"  2. Change {folder / 'study.toml'} and {folder / 'guidelines.md'} as you need.")
    typer.echo(f"  3. accord check {folder}      what is wrong, and what the plan will give you")
    typer.echo(f"  4. accord simulate {folder}   rehearse the analysis with simulated raters")
    typer.echo(f"  5. accord serve {folder}      collect")
