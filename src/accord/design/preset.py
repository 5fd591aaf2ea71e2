"""Presets: study folders that come with Accord, to be copied and changed."""

import re
import shutil
import tomllib
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from accord.design.nearest import did_you_mean
from accord.errors import OperationError, OptionError

__all__ = [
    "PRESETS",
    "copy_preset",
    "preset_description",
    "preset_guidelines",
    "preset_settings",
    "preset_title",
    "protocol_title",
]


def _preset_names() -> tuple[str, ...]:
    """Every folder of presets that holds a study: a new one is known as soon as it is there."""
    folders = files("accord.design").joinpath("presets").iterdir()
    return tuple(sorted(folder.name for folder in folders if folder.joinpath("study.toml").is_file()))


PRESETS = _preset_names()
"""The names of all presets."""


def preset_title(name: str) -> str:
    """The title in the preset's study.toml."""
    return str(preset_settings(name)["title"])


def preset_settings(name: str) -> dict[str, Any]:
    """All that the preset's study.toml says; nothing where there is no such preset."""
    return tomllib.loads(_folder(name).joinpath("study.toml").read_text("utf-8")) if name in PRESETS else {}


def preset_description(name: str) -> str:
    """The description in the preset's study.toml; empty where it has none, or there is no such preset."""
    return str(preset_settings(name).get("description", ""))


def preset_guidelines(name: str) -> str:
    """The guidelines that come with the preset."""
    return _folder(name).joinpath("guidelines.md").read_text("utf-8")


def protocol_title(name: str) -> str:
    """The title of the preset without languages and number of its own texts: what other studies of this kind share."""
    plain = re.sub(r", [A-Z][a-z]+(?: to [A-Z][a-z]+| only)?\Z", "", preset_title(name))
    return re.sub(r" of four systems\Z", "", plain).replace("Three systems", "Systems")


def copy_preset(name: str, target: str | Path) -> list[Path]:
    """Copy a preset into a new or empty folder; gives the files made."""
    target = Path(target)
    if name not in PRESETS:
        raise OptionError(f"There is no preset {name!r}{did_you_mean(name, PRESETS)}")
    if target.exists() and not target.is_dir():
        raise OptionError(f"{target} is a file. Name a folder for the study.")
    if target.is_dir() and any(target.iterdir()):
        raise OptionError(f"{target} is not empty. Name a new folder, so that nothing of yours is overwritten.")
    try:
        target.mkdir(parents=True, exist_ok=True)
        with as_file(_folder(name)) as source:
            return [Path(shutil.copyfile(file, target / file.name)) for file in sorted(source.iterdir())]
    except OSError as error:
        raise OperationError(f"{target} cannot be written: {error.strerror}.") from None


def _folder(name: str) -> Traversable:
    return files("accord.design").joinpath("presets", name)
