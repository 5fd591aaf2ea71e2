"""``accord agree``: how far raters agree, in sentences, the few numbers to report, or every coefficient that fits."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from accord.cli import agree_options as options
from accord.cli.agree_answer import print_answers, print_opening, print_quiet
from accord.cli.agree_tables import closing, pair_table, tables
from accord.cli.column_options import Pool
from accord.cli.numbers import Confidence
from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit, progress
from accord.cli.reading import takes_counts
from accord.diagnosis.examination import diagnose
from accord.diagnosis.finding import Finding
from accord.errors import NotEnoughDataError, OptionError
from accord.functions.own_weights import named_or_own
from accord.ratings.apart import kept_apart, pooled
from accord.ratings.counting import count_source
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.reliability.answer import Answers, answers_of
from accord.reliability.interpretation import INTERPRETATION_SCALES
from accord.reliability.plan import Draws, IntervalKind, Unit
from accord.reliability.result import Reliability
from accord.reliability.run import agreement, told_agreement
from accord.tables.table import Table
from accord.words import counted

_DIAGNOSED = 1_000_000
"""Up to this many ratings the findings of ``accord diagnose`` are said along."""


@takes_counts
def agree(
    ratings: Ratings | StoredRatings,
    read_as: tuple[str, ...] = (),
    sanity: Sequence[dict[str, object]] = (),
    use: options.UseOf = None,
    every: options.All = False,
    pairs: options.Pairs = False,
    quiet: options.Quiet = False,
    by: options.By = None,
    pool: Pool = None,
    coefficient: options.Coefficients = None,
    interpretation: options.Interpretation = None,
    confidence: Confidence = 0.95,
    interval: options.IntervalOf = IntervalKind.AUTO,
    bootstrap: options.Bootstrap = None,
    resample: options.Resample = Unit.AUTO,
    seed: options.Seed = 0,
    draws: options.DrawsOf = Draws.AUTO,
    weights: options.Weights = None,
    metric: options.Metric = None,
    sampled_share: options.SampledShare = None,
    icc_missing: options.IccMissingOf = options.IccMissing.LISTWISE,
    parts: options.Parts = False,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """How far raters agree, which number to report, and what it allows to say."""
    form, scale = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex), _scale(interpretation)
    with progress("Counting" if isinstance(ratings, StoredRatings) else "Resampling") as advance:
        if isinstance(ratings, StoredRatings):
            ratings = replace(ratings, progress=advance)
        ratings = pooled(ratings, pool or ())
        result = _as_much_as_is_shown(use, whole=every or parts or form is not Form.TEXT)(
            ratings, coefficients=coefficient or None, by=by or (), confidence=confidence, interval=interval,
            replicates=bootstrap, resample=resample, seed=seed, draws=draws, weights=named_or_own(weights),
            metric=named_or_own(metric), sampled_share=sampled_share or 0.0, icc_missing=icc_missing, pairs=pairs,
            progress=advance,
        )  # fmt: skip
    _require_overlap(ratings, result)
    if isinstance(ratings, Ratings) and len(ratings) <= _DIAGNOSED and not quiet:
        result = result.with_findings(_findings(ratings, by or (), seed))
    answers = answers_of(result, use=use, asked=bool(coefficient), scale=scale) if form is Form.TEXT else None
    if every or parts or answers is None:
        if answers is not None:
            print_opening(answers)
        found = list(tables(result, form, parts=parts, scale=scale))
        emit(found, result.to_dict() | {"sanity": list(sanity)}, form, lines=closing(result))
        return
    _print(answers, quiet=quiet, file=shlex.join(read_as))


def _as_much_as_is_shown(use: str | None, *, whole: bool) -> Callable[..., Reliability]:
    """Most of the time goes into intervals, and the screen shows few of them."""
    return agreement if whole else partial(told_agreement, use=use)


def _print(answers: Answers, *, quiet: bool, file: str) -> None:
    if quiet:
        print_quiet(answers)
    else:
        print_answers(answers, file, extra=_pair_tables(answers))


def _pair_tables(answers: Answers) -> list[Table]:
    found = [pair_table(one.group, one.name) for one in answers.parts]
    return [table for table in found if table is not None]


def _scale(key: str | None) -> str:
    wanted = (key or "").lower().replace("-", "_")
    if wanted and wanted not in INTERPRETATION_SCALES:
        raise OptionError(f"There is no interpretation scale '{key}'. Known: {', '.join(INTERPRETATION_SCALES)}.")
    return wanted


def _findings(ratings: Ratings, by: Sequence[str], seed: int) -> list[Sequence[Finding]]:
    """What is wrong in each part."""
    parts = ratings.split((*by, *kept_apart(ratings, by)))
    return [diagnose(part.ratings, seed=seed).findings for part in parts]


def _require_overlap(ratings: Ratings | StoredRatings, result: Reliability) -> None:
    """Where no item has two ratings there is no table to show, only something to put right."""
    if any(estimate.items for estimate in result):
        return
    source = count_source(ratings) if isinstance(ratings, Ratings) else ratings
    if source.facts().pairable and any(group.raters > 1 for group in result.groups):
        return
    if split := ", ".join(dict.fromkeys(column for group in result.groups for column in group.by)):
        kept = [column for column in kept_apart(ratings) if column in split.split(", ")]
        pool = f" To pair them all the same: {' '.join(f'--pool {column}' for column in kept)}." if kept else ""
        raise NotEnoughDataError(f"No item was rated by two raters once the ratings are split by {split}.{pool}")
    seen = f"{counted(result.rows, 'rating')} of {counted(result.items, 'item')} by {counted(result.raters, 'rater')}"
    if result.raters < 2:
        why = "Agreement needs two raters or more, and there is one"
        do = "Check the rater column (--rater COLUMN, or --wide for one column per rater)"
    else:
        why = "No item was rated by two raters, so nothing can be compared"
        do = "Check the item column (--item COLUMN): raters must share item names"
    raise NotEnoughDataError(f"{why}: {seen}. {do}; accord score and accord rank need no overlap.")
