"""``accord da``: direct assessment from quality control of raters to system scores."""

from math import isnan
from typing import Annotated

import typer

from accord.cli.column_options import names_columns
from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit, progress
from accord.cli.rank import Only, only
from accord.cli.reading import takes_ratings
from accord.ratings.table import Ratings
from accord.scoring.assessment import DirectAssessment, direct_assessment
from accord.scoring.rater_gate import Outcome
from accord.tables.table import Cell, Column, Table

__all__ = ["da", "raters_table", "systems_table", "told"]

_Alpha = Annotated[float, typer.Option(help="Level of the test that degraded items score worse than originals.")]
_Fastest = Annotated[float, typer.Option(help="Flag a task done in fewer seconds.")]
_Run = Annotated[int, typer.Option(help="Flag one score given more often than this in a row.")]
_Minimum = Annotated[int, typer.Option(help="Ratings a segment needs for a score of its own.")]
_Unique = Annotated[bool, typer.Option("--unique", help="Count a rater once for each segment, repeats not at all.")]
_Sample = Annotated[
    int | None, typer.Option(metavar="N", help="Draw N ratings of each segment; leave out segments with fewer.")
]
_Started = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="Column with the time a task was begun: tasks open at once share their time."),
]
_Rejections = Annotated[
    str | None, typer.Option(metavar="COLUMN", help="Column with the number of the rater's earlier rejected tasks.")
]
_Halvings = Annotated[int, typer.Option(min=1, help="Random halvings of the raters for self-replication.")]
_AsIs = Annotated[bool, typer.Option("--as-is", help="The scores are z-scores already.")]
_Raters = Annotated[bool, typer.Option("--raters", help="Print every rater, not only how many pass.")]
_Seed = Annotated[int, typer.Option(help="Seed of the random halves of self-replication and of --sample.")]


@names_columns("system", "segment", "role", "batch", "time_s")
@takes_ratings
def da(
    ratings: Ratings,
    alpha: _Alpha = 0.05,
    fastest: _Fastest = 300,
    longest_run: _Run = 8,
    minimum: _Minimum = 15,
    unique: _Unique = False,
    sample: _Sample = None,
    started: _Started = None,
    rejections: _Rejections = None,
    halvings: _Halvings = 100,
    keep_all: bool = False,
    as_is: _AsIs = False,
    raters: _Raters = False,
    where: Only = None,
    seed: _Seed = 1,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Check raters against their own scores, standardise, and average by segment and system."""
    import numpy as np

    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    kept = only(ratings, where or ())
    with progress("Direct assessment"):
        result = direct_assessment(
            kept, np.random.default_rng(seed), alpha=alpha, fastest=fastest, longest_run=longest_run, minimum=minimum,
            keep_all=keep_all, as_is=as_is, seed=seed, unique=unique, sample=sample, started=started,
            rejections=rejections, halvings=halvings,
        )  # fmt: skip
    tables = [systems_table(result), *([raters_table(result)] if raters else [])]
    emit(tables, result.to_dict(), form, lines=told(result))


def systems_table(result: DirectAssessment) -> Table:
    rows: list[dict[str, Cell]] = [
        {"system": s.system, "z": s.z, "raw": s.raw, "segments": s.segments, "ratings": s.ratings}
        for s in result.systems
    ]
    heads = {"system": "system", "z": "mean z", "raw": "mean score", "segments": "segments", "ratings": "ratings"}
    notes = ("Mean of segment means. Use accord rank for which systems differ.", result.signature)
    return Table("Direct assessment of systems", [Column(key, head) for key, head in heads.items()], rows, notes)


def raters_table(result: DirectAssessment) -> Table:
    rows: list[dict[str, Cell]] = [
        {"rater": g.rater, "kept": str(g.outcome), "power": g.power, "pairs": g.pairs,
         "difference": g.difference, "p": g.p,
         "repeat": g.repeat_difference, "deviation": g.deviation, "flags": "; ".join(g.flags) or None}
        for g in result.raters
    ]  # fmt: skip
    heads = {
        "rater": "rater", "kept": "gate", "pairs": "degraded pairs", "power": "power",
        "difference": "degraded - original", "p": "p", "repeat": "|repeat - original|",
        "deviation": "sd", "flags": "flags",
    }  # fmt: skip
    return Table("Raters against their own scores", [Column(key, head) for key, head in heads.items()], rows)


def told(result: DirectAssessment) -> list[str]:
    count = {outcome: sum(gate.outcome is outcome for gate in result.raters) for outcome in Outcome}
    flagged = sum(bool(gate.flags) for gate in result.raters)
    lines = [
        f"{count[Outcome.PASSED]} of {len(result.raters)} raters pass the quality control, {count[Outcome.FAILED]} "
        f"fail, {count[Outcome.CANNOT_TELL]} cannot be told; {flagged} carry a flag."
    ]
    power = sorted(gate.power for gate in result.raters if not isnan(gate.power))
    if power:
        lines.append(f"Power of the gate: a usual rater passes it with probability {power[len(power) // 2]:.2f} "
                     f"(median over raters; {power[0]:.2f} with the fewest pairs).")  # fmt: skip
    if r := result.replication:
        lines.append(
            f"Self-replication: two random halves of the raters correlate {r.correlation:.3f} on {r.segments:,} "
            f"segments (middle 95 % of {r.halvings} halvings [{r.low:.3f}, {r.high:.3f}])."
        )
    return [*lines, *result.cautions]
