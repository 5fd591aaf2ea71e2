"""Run the coefficients that fit on ratings, group by group: ``accord.agreement``."""

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any

from accord.arrays import Floats
from accord.coefficients.options import Options
from accord.coefficients.registry import KRIPPENDORFF_ALPHA, coefficient
from accord.coefficients.reported import Use
from accord.coefficients.weights import require_known
from accord.design.nearest import did_you_mean
from accord.errors import ColumnError, OptionError
from accord.inference.bootstrap import Progress
from accord.ratings.apart import kept_apart, note_of_parts, pooled
from accord.ratings.checks import require_single
from accord.ratings.codebook import StudyFacts
from accord.ratings.counting import InMemory
from accord.ratings.counts import CountSource
from accord.ratings.rated_elsewhere import note_of_elsewhere
from accord.ratings.read import read
from accord.ratings.readable import Readable
from accord.ratings.sanity import sanity as look_over
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.reliability.combined import combined_groups
from accord.reliability.declared import carried_out, declared_unit
from accord.reliability.group import group_reliability
from accord.reliability.plan import Plan, plan_of
from accord.reliability.request import Origin, Request
from accord.reliability.result import GroupReliability, Reliability
from accord.reliability.same_items import with_same_items

__all__ = ["agreement", "charted_agreement", "told_agreement"]

_CONFIDENCE = 0.95


def agreement(
    ratings: "Ratings | CountSource | Readable",
    *,
    coefficients: Iterable[str] | str | None = None,
    by: Sequence[str] | str = (),
    pool: Sequence[str] | str = (),
    confidence: float | None = None,
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
        Confidence of the intervals; by default what the study declares in its plan of analysis, else 0.95.
    interval
        ``auto``: the one that holds the truth as often as it says for these items, raters and this coefficient
        (docs/explanation/intervals.md). Or ``bca``, ``percentile``, ``jackknife``, ``analytic``, ``none``.
    resample
        What another study would have other ones of: ``item``, ``document``, ``rater``, ``pair`` (of raters),
        ``rater-and-item``, ``rater-and-document``; ``auto`` is what the study declares in its plan of analysis,
        else documents where every item names its own, else items.
    seed
        Seed of whatever is drawn at random; by default that of the study that the ratings come from, else 0.
    draws
        How resamples of items are drawn: ``exact``, from the ``normal`` limit, or by ``poisson`` weights hashed from
        (seed, item, replicate), which are summed where the ratings lie. ``auto`` draws none from 1,000 items on unless
        ``interval`` asks for it, and then exactly, or from the normal limit where patterns x replicates pass 200
        million. Documents take the first two.
    weights, metric
        Agreement weights of the coefficients that take them, and the metric of Krippendorff's alpha. Both are names or
        matrices of your own, used as they stand: of weights the credit for two values (1 on the diagonal), of the
        metric their disagreement, the delta squared of the formula (0 on the diagonal; for distances, give their
        squares). A matrix need not be symmetric: Cohen's and Scott's kappas take the value of the rater who is first
        by name by row; all others do not tell raters apart, count a pair both ways and so give the value of the mean
        of both sides.
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
    return _agreement(
        ratings,
        coefficients=coefficients,
        by=by,
        pool=pool,
        confidence=confidence,
        interval=interval,
        replicates=replicates,
        resample=resample,
        seed=seed,
        draws=draws,
        weights=weights,
        metric=metric,
        sampled_share=sampled_share,
        icc_missing=icc_missing,
        pairs=pairs,
        progress=progress,
    )


def told_agreement(ratings: Ratings | StoredRatings, *, use: str | None = None, **asked: Any) -> Reliability:
    """The same where a person is told which few numbers to report: only these get an interval."""
    return _agreement(ratings, told=True, use=Use(use) if use else None, **asked)


def _agreement(
    ratings: "Ratings | CountSource | Readable",
    *,
    coefficients: Iterable[str] | str | None = None,
    by: Sequence[str] | str = (),
    pool: Sequence[str] | str = (),
    weights: str | Floats | None = None,
    metric: str | Floats | None = None,
    sampled_share: float = 0.0,
    icc_missing: str = "listwise",
    pairs: bool = False,
    progress: Progress | None = None,
    told: bool = False,
    use: Use | None = None,
    **planned: Any,
) -> Reliability:
    if isinstance(ratings, str | os.PathLike | list | tuple):
        from accord.formats.sources import read as read_files

        ratings = read_files(ratings)
    table: Ratings | CountSource = ratings if isinstance(ratings, Ratings | CountSource) else read(ratings)
    # What the study declares makes every page and command say the same.
    facts = table.codebook.study if isinstance(table, Ratings | StoredRatings) else StudyFacts()
    plan = _plan_of(table, facts, **planned)
    if isinstance(weights, str) and weights:
        require_known(weights)
    options = Options(
        weights="" if weights is None else weights,
        metric="" if metric is None else metric,
        sampled_share=sampled_share,
        icc_missing=icc_missing,
    )
    named = (coefficients,) if isinstance(coefficients, str) else _keys_of(coefficients)
    asked = tuple(coefficient(key).key for key in named)
    request = Request(
        asked=asked or None,
        options=options,
        plan=plan,
        pairs=pairs,
        told=told and not asked,
        use=use,
        deciding=facts.plan.get("coefficient", ""),
    )
    given = table
    if pool and isinstance(table, Ratings | StoredRatings):
        table = pooled(table, pool)
    made = _by_parts(table, (by,) if isinstance(by, str) else tuple(by), request, progress, given)
    return carried_out(made, table, facts) if facts.plan and isinstance(table, Ratings | StoredRatings) else made


def _keys_of(coefficients: object) -> tuple[str, ...]:
    """The keys asked for; none where nothing was asked for."""
    if isinstance(coefficients, Iterable):
        return tuple(coefficients)
    if coefficients is not None:
        given = f"{coefficients!r} was given"
        raise OptionError(f"coefficients takes a key or several, such as 'krippendorff_alpha'; {given}.")
    return ()


def charted_agreement(ratings: Ratings, key: str, *, replicates: int, seed: int = 0) -> tuple[GroupReliability, ...]:
    """One coefficient of the ratings of one criterion as a chart shows it: what combines the parts, or else each part.

    As :func:`agreement` has it, but for the number of replicates; parts that are combined get no interval of their own.
    """
    plan = _plan_of(ratings, ratings.codebook.study, replicates=replicates, seed=seed)
    request = Request(asked=(coefficient(key).key,), plan=plan)
    apart = kept_apart(ratings)
    if _within(apart) and request.asked == (KRIPPENDORFF_ALPHA,):
        parts = [(part.by, part.ratings) for part in ratings.split(apart)]
        for _, part in parts:
            if part.repeats_cells:
                require_single(part)
        together = combined_groups(parts, [InMemory(part) for _, part in parts], _within(apart), request, ratings)
        if together:
            return together
    return tuple(_by_parts(ratings, (), request, None).groups)


def _within(apart: Sequence[str]) -> list[str]:
    """Columns whose parts are combined: what models and people agree on among themselves is never made one number."""
    return [name for name in apart if name != "kind"]


def _plan_of(
    table: Ratings | CountSource, facts: StudyFacts, *, interval: str = "auto", confidence: float | None = None,
    resample: str = "auto", replicates: int | None = None, seed: int | None = None, draws: str = "auto",
) -> Plan:  # fmt: skip
    """What the user wants of the intervals, and where nothing was said what the study declares."""
    if facts.plan and isinstance(table, Ratings | StoredRatings) and resample == interval == draws == "auto":
        resample = declared_unit(table, facts)
    seed = (facts.seed or 0) if seed is None else seed
    if confidence is None:
        confidence = (facts.confidence if facts.plan else None) or _CONFIDENCE
    return plan_of(
        interval=interval, confidence=confidence, resample=resample, replicates=replicates, seed=seed, draws=draws
    )


def _by_parts(
    table: Ratings | CountSource,
    columns: Sequence[str],
    request: Request,
    progress: Progress | None,
    given: Ratings | CountSource | None = None,
) -> Reliability:
    """Each part by itself, and those that are kept apart combined; what to check first is looked for in those given."""
    apart: tuple[str, ...] = ()
    parts: list[tuple[Mapping[str, str], Ratings | CountSource]] = [({}, table)]
    if columns and not isinstance(table, Ratings | StoredRatings):
        raise OptionError("Counts cannot be split any more; split the ratings before they are counted.")
    if isinstance(table, Ratings):
        for column in columns:
            if column not in ("item", "rater") and column not in table.columns:
                raise ColumnError(f"The ratings have no column {column!r}{did_you_mean(column, table.columns)}")
    if isinstance(table, StoredRatings) or (isinstance(table, Ratings) and (columns or table.columns)):
        apart = kept_apart(table, columns)
        parts = [(part.by, part.ratings) for part in table.split((*columns, *apart))]
    groups, counts = [], []
    for by, part in parts:
        if not isinstance(part, Ratings) or part.repeats_cells:
            require_single(part)
        source = InMemory(part) if isinstance(part, Ratings) else part
        counts.append(source)
        origin = cache(partial(Origin.of, table, part))  # the fingerprints are those of all its estimates
        groups.append(group_reliability(source, request, origin, by=by, progress=progress))
    groups = with_same_items(groups, table, request) if apart and isinstance(table, Ratings) else groups
    joined: tuple[GroupReliability, ...] = ()
    if apart and (within := _within(apart)):
        without_alpha = [place for place, group in enumerate(groups) if KRIPPENDORFF_ALPHA not in group]
        joined = combined_groups(parts, counts, within, request, table, without_alpha)
    notes = (*table.notes, *note_of_parts(apart)) if apart else table.notes
    if apart and isinstance(table, Ratings):
        notes = (*notes, *note_of_elsewhere(table, apart))
    if isinstance(table, StoredRatings):
        notes = (*notes, *table.counted_notes)
    whole = table if isinstance(table, Ratings) else table.facts()
    return Reliability(
        rows=len(table) if isinstance(table, Ratings) else table.facts().ratings, items=whole.items,
        raters=whole.raters, groups=(*groups, *joined), source=table.source, notes=notes,
        sanity=lambda: look_over(given),
        fingerprint=(lambda: table.fingerprint) if isinstance(table, Ratings) else table.fingerprint,
    )  # fmt: skip
