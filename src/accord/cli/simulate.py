"""``accord simulate``: simulated raters fill in a study."""

import csv as csv_module
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TextIO

import numpy as np
import typer

from accord.design.assignment import plan_assignment
from accord.design.declared_plan import declared_plan, plan_hash
from accord.design.load import Study, load_study
from accord.errors import OperationError, OptionError
from accord.planning.simulate import simulate_study
from accord.planning.simulated_raters import RaterTraits, Trait
from accord.ratings.codebook import SIMULATED, Codebook, LeftOut
from accord.ratings.data_package import write_codebook
from accord.ratings.questionnaire import QUESTIONNAIRE_COLUMNS
from accord.ratings.study_codebook import codebook_of
from accord.ratings.study_facts import KeptPlanFacts
from accord.reading import read
from accord.scoring.gate_exclusions import GATE, who_fails

__all__ = ["simulate"]

_Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The study folder.")]
_Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="CSV of ratings; printed if left out.")
]
_Raters = Annotated[int | None, typer.Option(min=1, help="Raters, if not as many as the study says.")]
_PER_RATER = "One number, or RATER=NUMBER (repeatable) for single raters."
_Severity = Annotated[list[str] | None, typer.Option(help=f"Spread of strictness, 0.3. {_PER_RATER}")]
_Noise = Annotated[list[str] | None, typer.Option(help=f"Spread of error from answer to answer, 0.6. {_PER_RATER}")]
_Drift = Annotated[list[str] | None, typer.Option(help=f"How much stricter at the end, 0. {_PER_RATER}")]
_Inattention = Annotated[list[str] | None, typer.Option(help=f"Share of random answers, 0.02. {_PER_RATER}")]
_Copying = Annotated[list[str] | None, typer.Option(help=f"Share of copied answers, 0. {_PER_RATER}")]
_Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the answers; the study's own if left out.")]


def simulate(
    folder: _Folder,
    output: _Output = None,
    raters: _Raters = None,
    severity: _Severity = None,
    noise: _Noise = None,
    drift: _Drift = None,
    inattention: _Inattention = None,
    copying: _Copying = None,
    seed: _Seed = None,
) -> None:
    """Let simulated raters fill in a study, to rehearse its analysis and report."""
    study = load_study(folder, raters=raters)
    usual = RaterTraits()
    traits = RaterTraits(
        severity=_trait("severity", severity, usual.severity),
        noise=_trait("noise", noise, usual.noise),
        drift=_trait("drift", drift, usual.drift),
        inattention=_trait("inattention", inattention, usual.inattention),
        copying=_trait("copying", copying, usual.copying),
    )
    rng = np.random.default_rng([study.settings.seed if seed is None else seed, 4])
    made = simulate_study(study, plan_assignment(study), traits, rng)
    if output is None:
        _write(sys.stdout, made.rating_columns, made.ratings)
        return
    _save(output, made.rating_columns, made.ratings)
    described = write_codebook(_meaning(study), output, made.rating_columns)
    if broken := _breaking_rules(study, output):
        write_codebook(replace(_meaning(study), breaks_rules=broken), output, made.rating_columns)
    typer.echo(f"{len(made.ratings):,} simulated ratings: {output}; what they mean: {described}")
    for name, columns, rows in (
        ("errors", made.error_columns, made.errors),
        ("questionnaire", QUESTIONNAIRE_COLUMNS, made.questionnaire),
    ):
        if rows:
            path = output.with_name(f"{output.stem}.{name}{output.suffix}")
            _save(path, columns, rows)
            write_codebook(None, path, columns)
            typer.echo(f"{len(rows):,} rows: {path}")


def _meaning(study: Study) -> Codebook:
    """What the study declares, its plan of analysis too; the ratings are said to be simulated."""
    plan = declared_plan(study.settings)
    book = codebook_of(study, named=True, kept=KeptPlanFacts(plan, plan_hash(plan)))
    return replace(book, source=f"{book.source}, {SIMULATED}")


def _breaking_rules(study: Study, output: Path) -> tuple[LeftOut, ...]:
    """Simulated raters whom the gate would leave out of a collected study: every command says so first.

    They count, as an organiser rehearses to see what such a rater does to the numbers.
    """
    if not study.settings.controls.degraded:
        return ()
    declared = any(one.rule == GATE for one in study.settings.exclusions)
    failed = who_fails(read(output, engine="memory"))
    return tuple(
        LeftOut(rater=name, rule=GATE, reason=f"{reason}; a rehearsal leaves nobody out", declared=declared)
        for name, reason in failed.items()
    )


def _trait(name: str, given: Sequence[str] | None, usual: Trait) -> Trait:
    """``["0.2"]`` is a number for all, ``["R3=0.9", "R4=0.5"]`` numbers for some; the others keep the usual one."""
    if not given:
        return usual
    pairs = [text.rpartition("=") for text in given]
    try:
        numbers = {rater: float(number) for rater, _, number in pairs}
    except ValueError:
        raise OptionError(f"--{name} {given[0]!r} is not a number, nor RATER=NUMBER.") from None
    if len(numbers) < len(given) or not np.isfinite(list(numbers.values())).all():
        raise OptionError(f"--{name}: give one finite number, or one for each named rater.")
    return numbers[""] if set(numbers) == {""} else {"": _for_all(usual), **numbers}


def _for_all(usual: Trait) -> float:
    return usual.get("", 0.0) if isinstance(usual, Mapping) else usual


def _save(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as out:
            _write(out, columns, rows)
    except OSError as error:
        raise OperationError(f"{path} cannot be written: {error.strerror}.") from None


def _write(out: TextIO, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    writer = csv_module.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
