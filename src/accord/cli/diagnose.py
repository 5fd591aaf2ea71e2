"""``accord diagnose``: what is wrong with ratings and with whom, or one view of them in detail."""

import shlex
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from accord.cli.column_options import Pool
from accord.cli.diagnose_answer import print_causes
from accord.cli.diagnose_more import MORE_VIEWS
from accord.cli.diagnose_views import VIEWS, ViewOptions, findings_view
from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit, progress
from accord.cli.reading import takes_ratings
from accord.diagnosis.examination import diagnose as examine
from accord.ratings.apart import kept_apart, pooled
from accord.ratings.table import Ratings

__all__ = ["diagnose"]


class View(StrEnum):
    """What can be shown."""

    FINDINGS = "findings"
    AGREEMENT = "agreement"
    PAIRS = "pairs"
    RATERS = "raters"
    ITEMS = "items"
    CATEGORIES = "categories"
    LATENT = "latent"
    TEXT_LEVEL = "text-level"
    STABILITY = "stability"
    WHAT_IF = "what-if"
    JUDGE = "judge"
    CLUSTERS = "clusters"
    INFLUENCE = "influence"
    DIF = "dif"


@takes_ratings
def diagnose(
    ratings: Ratings,
    read_as: tuple[str, ...] = (),
    sanity: Sequence[dict[str, object]] = (),
    every: Annotated[bool, typer.Option("--all", help="Every finding with all its numbers.")] = False,
    show: Annotated[View, typer.Option(help="The findings, or one view in detail.")] = View.FINDINGS,
    by: Annotated[list[str] | None, typer.Option(help="Column whose groups are analysed apart. Repeatable.")] = None,
    pool: Pool = None,
    unit: Annotated[
        str, typer.Option(help="text-level: column to average over (document); clusters: what is clustered (item).")
    ] = "",
    weights: Annotated[str, typer.Option(help="categories, what-if: linear or identity.")] = "linear",
    target: Annotated[float, typer.Option(help="what-if: the kappa to reach.")] = 0.67,
    values: Annotated[int, typer.Option(help="what-if: number of values of another scale; 0 is one more.")] = 0,
    top: Annotated[int, typer.Option(help="items, raters, pairs: rows to show at most; 0 shows all.")] = 20,
    subsets: Annotated[int, typer.Option(help="pairs: mean γ of each set of this many raters too; 0 is none.")] = 0,
    judge: Annotated[str, typer.Option(help="judge: the rater that is a language model.")] = "",
    epsilon: Annotated[float, typer.Option(help="judge: 0.2 against experts, 0.15 skilled, 0.1 crowd.")] = 0.2,
    clusters: Annotated[int, typer.Option(help="clusters: how many; 0 takes the number that lies furthest apart.")] = 0,
    task: Annotated[str, typer.Option(help="clusters: column to set against them, such as a task.")] = "",
    between: Annotated[str, typer.Option(help="dif: column whose groups are compared at equal level.")] = "",
    of: Annotated[str, typer.Option(help="dif: what is studied: rater, criterion or item.")] = "rater",
    reference: Annotated[str, typer.Option(help="dif: the group to compare with; the largest if not given.")] = "",
    seed: Annotated[int, typer.Option(help="Seed of whatever is drawn at random.")] = 0,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """What is wrong with ratings, with whom, what it does to the numbers, and what to do."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    ratings = pooled(ratings, pool or ())
    columns = tuple(by or ())
    options = ViewOptions(
        unit=unit or ("item" if show is View.CLUSTERS else "document"), weights=weights, clusters=clusters, task=task,
        target=target, values=values, top=top, seed=seed, by=(*columns, *kept_apart(ratings, columns)), judge=judge,
        epsilon=epsilon, between=between, of=of, reference=reference, subsets=subsets,
    )  # fmt: skip
    with progress("Looking at the ratings") as advance:
        if show is View.FINDINGS:
            found = examine(ratings, by=options.by, seed=seed, progress=advance)
            if form is Form.TEXT and not every:
                print_causes(found, ratings, options.by, shlex.join(read_as))
                return
            page = findings_view(found)
        else:
            page = {**VIEWS, **MORE_VIEWS}[str(show)](ratings, options)
    tables = () if page.prose and form is Form.TEXT else page.tables
    emit(tables, {**page.data, "sanity": list(sanity)} if show is View.FINDINGS else page.data, form, lines=page.lines)
