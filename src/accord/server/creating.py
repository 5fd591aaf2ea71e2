"""Create the study of a server from a preset or from files, as long as nobody is invited to it."""

import json
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from accord.design.load import STUDY_FILE, load_study
from accord.design.preset import copy_preset
from accord.errors import AccordError, InputError
from accord.server.guidelines import publish
from accord.server.models import Rater
from accord.server.serving import study_folder
from accord.server.study import CREATED_FILE, LoadedStudy, current

__all__ = ["STUDY_FILE_NAME", "create_study", "refuse_other_files"]

STUDY_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.(toml|md|tsv|jsonl)")


def create_study(preset: str, files: Mapping[str, str], by: str) -> LoadedStudy:
    """A preset, files, or a preset with some files of one's own; what does not fit is refused and changes nothing."""
    if not preset and not files:
        raise InputError("Name a preset, or send the files of the study: study.toml, items.tsv and guidelines.md.")
    refuse_other_files(files)
    folder = study_folder()
    with tempfile.TemporaryDirectory(dir=folder, prefix=".new-") as scratch:
        made = Path(scratch) / "study"
        if preset:
            copy_preset(preset, made)
        made.mkdir(exist_ok=True)
        for name, text in files.items():
            (made / name).write_text(text, encoding="utf-8", newline="")
        new = _checked(made)
        _put_in_place(made, folder, by)
    publish(new.study.guidelines)
    return current()


def refuse_other_files(names: Iterable[str]) -> None:
    """Raise for what is no file of a study, wherever it would be written."""
    for name in names:
        if not STUDY_FILE_NAME.fullmatch(name):
            raise InputError(
                f"{name[:80]!r} is not a file of a study. Send .toml, .md, .tsv or .jsonl files, without a folder."
            )


def _checked(made: Path) -> LoadedStudy:
    try:
        return LoadedStudy(load_study(made))
    except AccordError as error:
        raise InputError(str(error).replace(str(made), "The study")) from None


def _put_in_place(made: Path, folder: Path, by: str) -> None:
    """Inside a transaction that keeps invitations out: a rater belongs to the study as it was when invited."""
    with transaction.atomic():
        if Rater.objects.exists():
            raise InputError("Raters are invited to this study, so it stays as it is. Serve a new folder for another.")
        # The settings come last, and then the mark by which every process of the server notices.
        for path in sorted(made.iterdir(), key=lambda path: path.name == STUDY_FILE):
            path.replace(folder / path.name)
        about = {"by": by, "at": timezone.now().isoformat()}
        (folder / CREATED_FILE).write_text(json.dumps(about), encoding="utf-8")
