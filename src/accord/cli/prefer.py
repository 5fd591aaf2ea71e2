"""``accord prefer``: systems by pairwise preferences with ties."""

from pathlib import Path
from typing import Annotated

import typer

from accord.cli.column_options import KeepAll, LeaveOut, Pool, Systems, Where
from accord.cli.output import Csv, Json, Latex, Markdown, chosen_form, emit
from accord.cli.sanity_first import tell
from accord.functions.preferring import prefer as prefer_answer

__all__ = ["prefer"]

_Comparisons = Annotated[
    Path,
    typer.Argument(
        metavar="COMPARISONS",
        help="One row per comparison: first, second, preferred (a system, first, second or tie), rater and item if "
        "known; or the ratings of a pairwise study or of a ranking, or a study folder.",
    ),
]
_Confidence = Annotated[
    float | None,
    typer.Option(min=0.01, max=0.999, help="Confidence of the intervals; that of the study if not given, else 0.95."),
]
_Criterion = Annotated[str | None, typer.Option(help="Which criterion of a pairwise study, if it asks several.")]
_Column = Annotated[str | None, typer.Option(metavar="COLUMN", help="Column of the file that holds it.")]


def prefer(
    comparisons: _Comparisons,
    criterion: _Criterion = None,
    confidence: _Confidence = None,
    ranks: Annotated[
        bool, typer.Option("--ranks", help="Values are ranks, 1 the best; a study's ranking says so by itself.")
    ] = False,
    pool: Pool = None,
    where: Where = None,
    leave_out: LeaveOut = None,
    keep_all: KeepAll = False,
    systems: Systems = False,
    pairs: Annotated[bool, typer.Option("--pairs", "--all", help="Also show every pair of systems.")] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the random numbers; that of the study, else 0.")] = None,
    first: _Column = None,
    second: _Column = None,
    preferred: _Column = None,
    item: _Column = None,
    rater: _Column = None,
    value: _Column = None,
    system: _Column = None,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Rank systems by pairwise preferences with ties (Bradley-Terry-Davidson), and look for circles."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    named = {"first": first, "second": second, "preferred": preferred, "item": item, "rater": rater, "value": value,
             "system": system}  # fmt: skip
    columns = {name: column for name, column in named.items() if column is not None}
    answer = prefer_answer(
        comparisons,
        criterion=criterion,
        ranks=ranks,
        columns=columns,
        pool=pool or (),
        where=where or (),
        leave_out=leave_out or (),
        keep_all=keep_all,
        systems=systems,
        confidence=confidence,
        seed=seed,
    )
    tell(answer.remarks, form)
    emit(answer.parts, answer.data, form, lines=answer.words, opening=answer.opening, every=pairs)
