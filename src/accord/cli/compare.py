"""``accord compare``: reliability between conditions, rounds, groups, references and contexts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.column_options import Pool
from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit
from accord.cli.reading import takes_ratings
from accord.functions.compare_designs import Design
from accord.functions.comparing import compare as compare_answer
from accord.ratings.table import Ratings
from accord.reading import is_study

__all__ = ["compare"]

_Condition = Annotated[str | None, typer.Option("--condition", "--by", help="Column that tells the conditions apart.")]


@takes_ratings
def compare(
    ratings: Ratings,
    condition: _Condition = None,
    design: Annotated[
        Design | None, typer.Option(help="What is compared; guessed from the column, and said so.")
    ] = None,
    first: Annotated[str | None, typer.Option(help="The condition to start from.")] = None,
    second: Annotated[str | None, typer.Option(help="The condition to compare it with.")] = None,
    coefficient: Annotated[list[str] | None, typer.Option(help="Coefficient to compare. Repeatable.")] = None,
    source_group: Annotated[list[str] | None, typer.Option(help="Group that saw the source. Repeatable.")] = None,
    weights: Annotated[
        str, typer.Option(help="Weights of the kappa of a pair, or a CSV file of a matrix.")
    ] = "identity",
    test_set: Annotated[str | None, typer.Option(help="Column of test sets, for document-context.")] = None,
    questionnaire: Annotated[
        Path | None,
        typer.Option(help="File of questionnaire answers, for document-context; a study has its own."),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="Column of an automatic metric, NAME or NAME=low where low is good. Repeatable."),
    ] = None,
    task: Annotated[str, typer.Option(help="Column that says what an output is good for, for tasks.")] = "task",
    variants: Annotated[
        bool, typer.Option("--variants", help="Show six bootstraps side by side (Ma and others 2017).")
    ] = False,
    pairs: Annotated[bool, typer.Option("--pairs", help="List every pair of raters, for reference-bias.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Every table, item by item too.")] = False,
    most: Annotated[int | None, typer.Option(help="How many items to list; 10 with --all.", min=1)] = None,
    bootstrap: Annotated[int, typer.Option(help="Replicates.", min=100)] = 10_000,
    confidence: Annotated[float, typer.Option(help="Confidence level.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 0,
    pool: Pool = None,
    keep_all: bool = False,
    read_as: tuple[str, ...] = (),
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """Compare reliability between conditions, and test the difference."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    answers = questionnaire or _of_study(read_as)
    answer = compare_answer(
        ratings, condition, design=design, first=first, second=second, coefficients=coefficient or (),
        source_groups=source_group, weights=weights, test_set=test_set, questionnaire=answers, metrics=metric or (),
        task=task, variants=variants, pairs=pairs, most=most or 10, bootstrap=bootstrap, confidence=confidence,
        keep_all=keep_all, seed=seed, pool=pool or (),
    )  # fmt: skip
    lines = answer.words if form is Form.TEXT else ()
    emit(answer.parts, answer.data, form, lines=lines, opening=answer.opening, every=every or most is not None)


def _of_study(read_as: Sequence[str]) -> Path | None:
    """The study folder that the ratings come from: it has answers of its own."""
    return Path(read_as[0]) if read_as and is_study(read_as[0]) else None
