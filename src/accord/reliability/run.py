"""Run the coefficients that fit on ratings, group by group: ``accord.agreement``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accord.arrays import Floats
from accord.coefficients.options import Options
from accord.design.nearest import did_you_mean
from accord.errors import ColumnError, OptionError
from accord.inference.bootstrap import Progress
from accord.ratings.apart import kept_apart, note_of_parts, pooled
from accord.ratings.checks import require_single
from accord.ratings.counting import count_source
from accord.ratings.counts import CountSource
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.reliability.combined import combined_groups
from accord.reliability.group import group_reliability
from accord.reliability.plan import plan_of
from accord.reliability.request import Origin, Request, asked_keys
from accord.reliability.result import Reliability

__all__ = ["agreement"]


def agreement(
    ratings: Any,
    *,
    coefficients: Iterable[str] | str | None = None,
    by: Sequence[str] | str = (),
    pool: Sequence[str] | str = (),
    confidence: float = 0.95,
    interval: str = "auto",
    replicates: int | None = None,
    resample: str = "auto",
    seed: int | None = None,
    draws: str = "auto",
    weights: str | Floats | None = None,
    metric: str | Floats | None = None,
    sampled_share: float = 0.0,
    icc_missing: str = "listwise",
    pairs: bool = False,
    progress: Progress | None = None,
) -> Reliability:
    """How far raters agree: every coefficient that fits, with interval, n and cautions.

    Parameters
    ----------
    ratings
        Ratings, a source of counts, or anything :func:`accord.read` takes.
    coefficients
        Keys of coefficients; a key asked for is computed even where it does not fit, with the reason as
        a caution. By default all that fit.
    by
        Columns to split by; several criteria are always split, as their scales differ.
    pool
        Columns whose parts are put together. Scenario, condition, phase, round, guideline version and language pair
        are kept apart by default: each part is a group, and one group more combines them, its disagreement summed
        within the parts.
    confidence
        Confidence of the intervals.
    interval
        ``auto``: the one that holds the truth as often as it says for these items, raters and this coefficient
        (docs/explanation/intervals.md). Or ``bca``, ``percentile``, ``jackknife``, ``analytic``, ``none``.
    resample
        What another study would have other ones of: ``item``, ``document``, ``rater``, ``rater-and-item``; ``auto``
        is documents where every item names its own, else items.
    seed
        Seed of whatever is drawn at random; by default that of the study that the ratings come from, else 0.
    draws
        How resamples of items are drawn: ``exact``, from the ``normal`` limit, or by ``poisson`` weights hashed from
        (seed, item, replicate), which are summed where the ratings lie. ``auto`` is exact, and the normal limit where
        patterns x replicates pass 200 million. Documents take the first two.
    weights, metric
        Agreement weights of the coefficients that take them, and the metric of Krippendorff's alpha.
    sampled_share
        Share of all items there are that was rated: the finite-population correction of analytic intervals.
    icc_missing
        What intraclass correlations do about missing ratings: ``listwise`` (complete items only), ``anova``
        (all ratings, two-way random analysis of variance as in irrNA) or ``mixed`` (a mixed model by REML).
    replicates, seed
        Number of resamples, by default as many as the units ask for, and the seed they are drawn with.
    pairs
        Also give every pairwise coefficient for each pair of raters.
    progress
        Called with what is done and what there is to do.

    Returns
    -------
    Reliability
        Group by group; it prints itself, and ``result["krippendorff_alpha"]`` is one estimate of the first group.

    Examples
    --------
    >>> import accord
    >>> result = accord.agreement(accord.read("adequacy.csv"), coefficients=["krippendorff_alpha"])
    >>> result["krippendorff_alpha"].items
    48
    """
    from accord.formats.sources import read

    table = ratings if isinstance(ratings, Ratings | CountSource) else read(ratings)
    plan = plan_of(
        interval=interval, confidence=confidence, resample=resample, replicates=replicates,
        seed=_seed_of(table) if seed is None else seed, draws=draws,
    )  # fmt: skip
    options = Options(
        weights=_or_default(weights), metric=_or_default(metric), sampled_share=_share(sampled_share),
        icc_missing=icc_missing,
    )  # fmt: skip
    request = Request(asked=asked_keys(coefficients), options=options, plan=plan, pairs=pairs)
    columns = (by,) if isinstance(by, str) else tuple(by)
    if isinstance(table, Ratings | StoredRatings):
        table = pooled(table, pool)
    if isinstance(table, CountSource):
        return _of_source(table, columns, request, progress)
    return _of_ratings(table, columns, request, progress)


def _seed_of(ratings: Any) -> int:
    """The seed of the study that the ratings come from, so that every page and command draws the same; else 0."""
    codebook = getattr(ratings, "codebook", None)
    return (codebook.study.seed or 0) if codebook is not None else 0


def _of_ratings(ratings: Ratings, columns: Sequence[str], request: Request, progress: Progress | None) -> Reliability:
    for column in columns:
        if column not in ("item", "rater") and column not in ratings.columns:
            raise ColumnError(f"The ratings have no column {column!r}{did_you_mean(column, ratings.columns)}")
    apart = kept_apart(ratings, columns)
    fingerprint, parts = ratings.fingerprint, list(ratings.split((*columns, *apart)))
    for part in parts:
        require_single(part.ratings)
    groups = tuple(
        group_reliability(
            count_source(part.ratings), request, Origin.of(fingerprint, part.ratings), by=part.by, progress=progress
        )
        for part in parts
    )
    joined = combined_groups([(p.by, p.ratings) for p in parts], groups, apart, request, fingerprint)
    return Reliability(
        rows=len(ratings), items=ratings.items, raters=ratings.raters, fingerprint=fingerprint,
        groups=(*groups, *joined), source=ratings.source, notes=(*ratings.notes, *note_of_parts(apart)),
    )  # fmt: skip


def _of_source(source: CountSource, columns: Sequence[str], request: Request, progress: Progress | None) -> Reliability:
    if columns and not isinstance(source, StoredRatings):
        raise OptionError("Counts cannot be split any more; split the ratings before they are counted.")
    facts, fingerprint = source.facts(), source.fingerprint
    apart = kept_apart(source, columns) if isinstance(source, StoredRatings) else ()
    if isinstance(source, StoredRatings):
        split = source.split((*columns, *apart))
        parts: list[tuple[Mapping[str, str], CountSource]] = [(part.by, part.ratings) for part in split]
    else:
        parts = [({}, source)]
    for _, part in parts:
        require_single(part)
    groups = tuple(
        group_reliability(part, request, Origin.of(fingerprint, part), by=by, progress=progress) for by, part in parts
    )
    joined = combined_groups(parts, groups, apart, request, fingerprint)
    return Reliability(
        rows=facts.ratings, items=facts.items, raters=facts.raters, fingerprint=fingerprint,
        groups=(*groups, *joined), source=source.source, notes=(*source.notes, *note_of_parts(apart)),
    )  # fmt: skip


def _or_default(choice: str | Floats | None) -> str | Floats:
    return "" if choice is None else choice


def _share(share: float) -> float:
    if not 0 <= share <= 1:
        raise OptionError(f"The share of items that was rated lies between 0 and 1; {share:g} was given.")
    return share
