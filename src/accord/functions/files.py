"""Convert files and rehearse studies from Python."""

import os
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.formats.options import Reading, require_options
from accord.formats.writing import format_for, write
from accord.functions.answer import Answer
from accord.planning.simulate import simulate_study
from accord.planning.simulated_raters import RaterTraits, Trait
from accord.ratings.build import build_ratings
from accord.ratings.data_package import read_codebook
from accord.ratings.study_codebook import codebook_of
from accord.ratings.table import Ratings
from accord.reading import imported_from
from accord.tables.table import Cell, Column, Table

__all__ = ["convert", "simulate"]


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    to: str | None = None,
    force: bool = False,
    **options: Unpack[Reading],
) -> Answer:
    """Read a file of any format and write it in another, with its codebook beside it.

    Parameters
    ----------
    source, target
        What to read (a file, a folder, a pattern or a study folder) and what to write.
    to
        Format of the target; taken from its ending if not given.
    force
        Overwrite the target if it exists.
    options
        As for :func:`accord.read`.

    Returns
    -------
    Answer
        One row a repaired row; the sentences say what was lost. ``result`` is what was read.

    Examples
    --------
    >>> import accord
    >>> answer = accord.convert("appraise-export.csv", "plain.csv")
    >>> answer.to_dict()["lost"]
    ['3 spans: the format holds ratings only.']
    """
    require_options("convert", options, ("to", "force"))
    place = Path(target)
    spec = format_for(place, to)
    imported = imported_from(source, **options)
    lost = write(imported, place, to=spec.name, force=force)
    said = read_codebook(place)
    rows: list[dict[str, Cell]] = [
        {"line": entry.line, "file": entry.file or None, "action": str(entry.action), "reason": entry.reason}
        for entry in imported.log
    ]
    columns = [Column(key, key) for key in ("line", "file", "action", "reason")]
    words = (f"Wrote {place} as {spec.title}.", *([f"What it means: {said.where}."] if said else []))
    data = {
        "source": str(source), "target": str(place), "read_as": imported.format, "written_as": spec.name,
        "rows": None if imported.account is None else imported.account.to_dict(), "repairs": rows, "lost": list(lost),
    }  # fmt: skip
    table = Table("Rows that were not taken as they stand", columns, rows)
    return Answer((table,), (*words, *(f"Lost: {one}" for one in lost)), data, imported)


def simulate(
    study: str | os.PathLike[str],
    *,
    raters: int | None = None,
    severity: Trait | None = None,
    noise: Trait | None = None,
    drift: Trait | None = None,
    inattention: Trait | None = None,
    copying: Trait | None = None,
    seed: int | None = None,
) -> Ratings:
    """Let simulated raters fill in a study, to rehearse its analysis and report.

    Parameters
    ----------
    study
        The study folder.
    raters
        Number of raters, if not as many as the study says.
    severity, noise, drift, inattention, copying
        What raters are like: a number for all, or a mapping from rater to number; the usual if not given.
    seed
        Seed of the answers; that of the study if not given.

    Returns
    -------
    Ratings
        With the codebook of the study.

    Examples
    --------
    >>> import accord
    >>> ratings = accord.simulate("study")
    >>> ratings.codebook.source
    "the study 'Direct assessment of four systems, German to English'"
    """
    loaded = load_study(Path(study), raters=raters)
    given: dict[str, Any] = {
        "severity": severity,
        "noise": noise,
        "drift": drift,
        "inattention": inattention,
        "copying": copying,
    }
    traits = RaterTraits(**{name: trait for name, trait in given.items() if trait is not None})
    rng = np.random.default_rng([loaded.settings.seed if seed is None else seed, 4])
    made = simulate_study(loaded, plan_assignment(loaded), traits, rng)
    columns = {name: [row.get(name, "") for row in made.ratings] for name in made.rating_columns}
    source = f"simulated raters of {loaded.settings.title}"
    return build_ratings(columns, codebook=codebook_of(loaded, named=True), missing=("",), source=source)
