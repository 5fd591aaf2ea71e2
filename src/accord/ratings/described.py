"""What a codebook beside files says when they are read, and one meaning for several files."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.errors import FormatError
from accord.ratings.codebook import Codebook
from accord.ratings.data_package import Described, found_beside
from accord.ratings.several import is_several, listed_files

__all__ = ["described_source"]


def described_source(source: Any) -> Described:
    """The codebook beside a file, or the one that several files share; an empty one for anything else."""
    if is_several(source):
        return _together(listed_files(source))
    if isinstance(source, str | os.PathLike) and "://" not in str(source):
        said, notes = found_beside(source)
        return replace(said or Described(Codebook()), notes=(*notes, *(said.notes if said else ())))
    return Described(Codebook())


def _together(files: Sequence[Path]) -> Described:
    """One meaning for several files: their criteria side by side; two that contradict each other are an error."""
    looked = [(path, *found_beside(path)) for path in files]
    found = [(path, said) for path, said, _ in looked if said is not None]
    notes = list(dict.fromkeys(note for _, _, told in looked for note in told))
    if not found:
        return Described(Codebook(), notes=tuple(notes))
    first, whole = found[0]
    criteria = dict(whole.codebook.criteria)
    for path, said in found[1:]:
        for key, criterion in said.codebook.criteria.items():
            if criteria.setdefault(key, criterion) != criterion:
                raise FormatError(
                    f"The codebooks of {first.name} and {path.name} say different things about {criterion.title}. "
                    "Make them the same, or read the files one by one."
                )
    notes += dict.fromkeys(note for _, said in found for note in said.notes)
    if without := [path.name for path in files if path not in dict(found)]:
        notes.append(f"{without[0]} has no codebook; that of {first.name} is taken for it")
    guesses = dict.fromkeys(guess for _, said in found for guess in said.codebook.guesses)
    codebook = replace(whole.codebook, criteria=criteria, guesses=tuple(guesses))
    return replace(whole, codebook=codebook, notes=tuple(notes))
