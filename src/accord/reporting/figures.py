"""Charts of ratings by name: what ``accord plot`` draws, each from the same results as the report."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isnan

import numpy as np

from accord.arrays import Floats, distinct
from accord.coefficients.registry import COHEN_KAPPA, COHEN_KAPPA_QUADRATIC, KRIPPENDORFF_ALPHA
from accord.comparisons.bootstrap_variants import VARIANTS, bootstrap_variant
from accord.comparisons.conditions import condition_names
from accord.comparisons.context_span import context_spans, passages
from accord.comparisons.misevaluation import context_roles, find_misevaluations
from accord.comparisons.reference_bias import ReferenceBias, compare_settings
from accord.comparisons.yardsticks import yardsticks
from accord.design.scale import ASK_DIRECTION, Direction
from accord.diagnosis.items import decomposition
from accord.diagnosis.part import Part, parts_of
from accord.diagnosis.severity import rater_effects
from accord.errors import ColumnError, NotEnoughDataError, OptionError
from accord.noise import first_of
from accord.plots import comparisons, context, raters, reliability
from accord.plots import ratings as of_ratings
from accord.plots.chart import Chart
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.answer import Answers, answers_of
from accord.reliability.estimate import Estimate
from accord.reliability.run import agreement
from accord.reporting.forest import thresholds
from accord.reporting.sections.raters import extremes, use_title
from accord.reporting.sections.reference_bias import settings_title
from accord.reporting.sections.reliability import matrix_title
from accord.reporting.sections.scores import ranking_chart
from accord.scoring.ranking.rank import rank
from accord.words import counted, listed, spelled, steady

__all__ = ["FIGURES", "FigureKind", "draw"]

_TENTHS = 10


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A chart by name: what it shows, and how it is drawn from ratings and the column of conditions."""

    name: str
    shows: str
    draw: Callable[[Ratings, str], Chart]


def draw(name: str, ratings: Ratings, column: str = "group") -> Chart:
    """The chart of this name."""
    if name not in FIGURES:
        from accord.design.nearest import did_you_mean

        raise OptionError(f"There is no chart {name!r}{did_you_mean(name, FIGURES)}")
    return FIGURES[name].draw(ratings, column)


def _one_part(ratings: Ratings) -> Part:
    """The ratings of the one criterion there is; a chart shows one at a time."""
    parts = parts_of(ratings)
    if len(parts) > 1:
        names = ", ".join(part.by.get("criterion", "") for part in parts)
        raise OptionError(f"A chart shows one criterion at a time. Choose it with --only criterion=NAME: {names}.")
    if len(parts[0].raters) < 2:
        raise NotEnoughDataError("There is one rater only, so there is no agreement to draw.")
    return parts[0]


def _intervals(ratings: Ratings, _: str) -> Chart:
    result = agreement(ratings)
    if len(result.groups) > 1:
        return _leads(answers_of(result))
    group = result.groups[0]
    defined = [estimate for estimate in group.estimates if not isnan(estimate.value) and estimate.interval]
    if not defined:
        raise NotEnoughDataError("No coefficient has a value and an interval for these ratings: nothing can be drawn.")
    main = next((one for one in defined if one.coefficient == KRIPPENDORFF_ALPHA), defined[0])
    ends = [estimate.interval for estimate in defined if estimate.interval]
    return reliability.intervals(
        [estimate.title for estimate in defined],
        [estimate.value for estimate in defined],
        [end.low for end in ends],
        [end.high for end in ends],
        marks=[thresholds(estimate.coefficient) for estimate in defined],
        title=f"{_about(group.by)}{main.title} is {steady(main.value):.2f}{_band(main)}",
        subtitle=f"{counted(main.items, 'item')}, {counted(main.raters, 'rater')}; hairlines: thresholds of "
        "each coefficient's own scale",
    )


def _leads(answers: Answers) -> Chart:
    """The number to report of each part; every coefficient of one is a chart of its own."""
    shown = [one for one in answers.leading if one.lead and one.lead.interval and not isnan(one.lead.value)]
    leads = [(one.name, one.lead, one.lead.interval) for one in shown if one.lead and one.lead.interval]
    if not leads:
        raise NotEnoughDataError("No coefficient has a value and an interval for these ratings: nothing can be drawn.")
    titles = listed(list(dict.fromkeys(lead.title for _, lead, _ in leads)))
    return reliability.intervals(
        [name for name, _, _ in leads],
        [lead.value for _, lead, _ in leads],
        [ends.low for _, _, ends in leads],
        [ends.high for _, _, ends in leads],
        marks=[thresholds(lead.coefficient) for _, lead, _ in leads],
        title=answers.summary.partition(". ")[0],
        subtitle=f"{titles} with its interval; hairlines: thresholds of its own scale",
        axis=titles,
    )


def _about(by: Mapping[str, str]) -> str:
    return f"{by['criterion']}: " if "criterion" in by else ""


def _band(estimate: Estimate) -> str:
    return f", {estimate.interpretations[0].words}" if estimate.interpretations else ""


def _pair_boxes(ratings: Ratings, _: str) -> Chart:
    groups = {part.by.get("criterion", part.title): decomposition(part).joint.tolist() for part in parts_of(ratings)}
    groups = {name: values for name, values in groups.items() if values}
    if not groups:
        raise NotEnoughDataError("No two raters share an item: there are no pairs to draw.")
    best = first_of(groups, lambda name: float(np.median(groups[name])), str, highest=True)
    if len(groups) > 1:
        title = f"Raters agree most on {best}: median joint agreement {steady(np.median(groups[best])):.2f}"
    else:
        low, middle, high = np.quantile(groups[best], [0, 0.5, 1])
        title = (
            f"Joint agreement of the pairs runs from {steady(low):.2f} to {steady(high):.2f}, "
            f"median {steady(middle):.2f}"
        )
    return reliability.pair_boxes(groups, title=title, axis="joint agreement of a pair")


def _agreement_parts(ratings: Ratings, _: str) -> Chart:
    parts = decomposition(_one_part(ratings))
    if not len(parts.pairs):
        raise NotEnoughDataError("No two raters share an item: there are no pairs to draw.")
    joint, independent, kappa = parts.means
    value = "κ has no value" if isnan(kappa) else f"κ {steady(kappa):.2f}"
    chance = f"{steady(independent):.2f} is what independent raters would reach"
    title = f"Of {steady(joint):.2f} joint agreement, {chance}: {value}"
    return reliability.agreement_parts(
        parts.joint.tolist(),
        parts.independent.tolist(),
        parts.kappa.tolist(),
        title=title,
        subtitle=f"{counted(len(parts.pairs), 'pair')} of raters, {parts.weights} weights",
    )


def _per_item(ratings: Ratings, _: str) -> Chart:
    part = _one_part(ratings)
    table = part.matrix()
    names = [part.item_names[code] for code in distinct(part.item)]
    series = {part.name(int(rater)): table[:, at].tolist() for at, rater in enumerate(part.raters)}
    # The title speaks of items that a reader can look at in the chart.
    shown = of_ratings.readable_items(len(names), len(series))
    among = "" if shown == len(names) else " on these items"
    title = f"Raters are up to {_furthest(table[:shown], names, among)}" if part.ordered else _same(table[:shown])
    return of_ratings.ratings_per_item(names, series, title=title, axis=part.by.get("criterion", "rating"))


def _furthest(table: Floats, names: Sequence[str], among: str) -> str:
    """``3 apart: on i7 and 2 more items``"""
    spread = np.nanmax(table, axis=1) - np.nanmin(table, axis=1)
    furthest = np.flatnonzero(spread == spread.max())
    more = f" and {counted(len(furthest) - 1, 'more item')}" if len(furthest) > 1 else ""
    return f"{spread.max():g} apart{among}: on {names[int(furthest[0])]}{more}"


def _same(table: Floats) -> str:
    """Of how many items all gave one value: labels without an order are not apart by any number."""
    same = int((np.nanmax(table, axis=1) == np.nanmin(table, axis=1)).sum())
    return f"All ratings are the same on {same} of {counted(len(table), 'item')}"


def _category_use(ratings: Ratings, _: str) -> Chart:
    part = _one_part(ratings)
    words = [spelled(value) for value in part.ratings.scale.values]
    counts = {part.name(int(rater)): part.value_counts[rater].tolist() for rater in part.raters}
    return of_ratings.category_use(words, counts, title=use_title(words, counts))


def _severity(ratings: Ratings, _: str) -> Chart:
    part = _one_part(ratings)
    effects = [effect for effect in rater_effects(part) if effect.interval is not None]
    if not effects:
        raise NotEnoughDataError("Raters share too few items, or the scale has no order: severity cannot be estimated.")
    return raters.severity(
        [effect.rater for effect in effects],
        [effect.severity for effect in effects],
        [effect.interval.low for effect in effects if effect.interval],
        [effect.interval.high for effect in effects if effect.interval],
        title=extremes(effects, part.direction),
        subtitle="95% intervals",
    )


def _drift(ratings: Ratings, _: str) -> Chart:
    part = _one_part(ratings)
    if not part.has_order:
        raise ColumnError("Drift needs to know what each rater did first: a column 'order' with its number or time.")
    fit = part.crossed
    if fit is None:
        raise NotEnoughDataError("Raters share too few items, or the scale has no order: drift cannot be estimated.")
    series = {}
    for rater in part.raters:
        mine = part.rater[fit.rows] == rater
        order = np.argsort(part.place[fit.rows][mine], kind="stable")
        tenths = np.array_split(fit.residual[mine][order], min(_TENTHS, max(1, int(mine.sum()))))
        series[part.name(int(rater))] = (
            list(range(1, len(tenths) + 1)),
            [float(tenth.mean()) for tenth in tenths],
        )
    moved = {name: abs(values[-1] - values[0]) for name, (_, values) in series.items()}
    most = first_of(moved, moved.__getitem__, str, highest=True, size=float(np.abs(part.score).max()))
    change = steady(series[most][1][-1] - series[most][1][0])
    return raters.drift(
        series,
        title=f"{most} changes most: {steady(abs(change)):.2f} {'higher' if change > 0 else 'lower'} at the end"
        if change
        else "Nobody changes from the first tenth to the last",
        marked=most,
        subtitle="the last tenth against the first; the other raters are thin lines",
        across="tenth of the rater's items, in the order rated",
        axis="difference from what was expected",
    )


def _pair_matrix(ratings: Ratings, _: str) -> Chart:
    # Unweighted, two scores from 0 to 100 hardly ever meet: their κ is about 0 whoever rates.
    kappa = COHEN_KAPPA_QUADRATIC if ratings.level.has_distance else COHEN_KAPPA
    _one_part(ratings)
    found = agreement(ratings, coefficients=[kappa], interval="none", pairs=True).groups[0].matrices
    matrix = next((one for one in found if one.coefficient == kappa and not isnan(one.mean)), None)
    if matrix is None:
        raise NotEnoughDataError("Cohen's κ has no value for any pair of these raters: there is no matrix to draw.")
    return raters.pair_matrix(
        matrix.raters,
        matrix.values,
        matrix.items,
        title=matrix_title(matrix),
        axis=matrix.title,
    )


def _rank_intervals(ratings: Ratings, _: str) -> Chart:
    found = rank(ratings)
    if not found.direction.is_known:
        raise OptionError(ASK_DIRECTION)
    chart = ranking_chart(found)
    assert chart is not None  # noqa: S101
    return chart


def _bias(ratings: Ratings, column: str) -> ReferenceBias:
    (result, *_) = compare_settings(ratings, column, replicates=1_000, rng=np.random.default_rng(0))
    return result


def _bootstrap_panels(ratings: Ratings, column: str) -> Chart:
    result = _bias(ratings, column)
    pools = {name: result.kappas[result.settings.of(name)].tolist() for name in ("SAME", "DIFF")}
    rng = np.random.default_rng(0)
    panels = {}
    for key, variant in VARIANTS.items():
        runs = bootstrap_variant(pools, key, rng)
        panels[variant.title] = {run.setting: (run.draws.tolist(), run.interval.low, run.interval.high) for run in runs}
    apart = [name.split()[0] for name, panel in panels.items() if _part(panel)]
    if 0 < len(apart) < len(panels):
        title = f"The intervals of SAME and DIFF lie apart in {listed(apart)} only"
    else:
        title = f"The intervals of SAME and DIFF {'lie apart' if apart else 'overlap'} in all {len(panels)} bootstraps"
    return comparisons.bootstrap_panels(
        panels,
        title=title,
        axis="mean κ",
        subtitle="the same pairs of raters in each panel; (f) is the usual bootstrap",
    )


def _part(panel: comparisons.Panel) -> bool:
    (_, low, high), (_, other_low, other_high) = panel.values()
    return high < other_low or other_high < low


def _distributions(ratings: Ratings, column: str) -> Chart:
    result = _bias(ratings, column)
    groups = {name: result.kappas[result.settings.of(name)].tolist() for name in result.settings.names}
    return comparisons.distributions(groups, title=settings_title(result.mean_kappas), axis="Cohen's κ of a pair")


def _means_with_ranges(ratings: Ratings, column: str) -> Chart:
    ranges = _bias(ratings, column).ranges
    words = "more" if ranges.is_attributable else "less"
    inside = max(ranges.within.values())
    title = (
        f"Groups differ {words} than raters inside one group: {steady(ranges.between()):.2f} and up to "
        f"{steady(inside):.2f}"
    )
    return comparisons.means_with_ranges(ranges.rater_means, title=title, axis="mean rating")


def _heat_maps(ratings: Ratings, column: str) -> Chart:
    result = _bias(ratings, column)
    words = [spelled(value) for value in ratings.scale.values]
    shares = {pattern.setting: pattern.row_shares for pattern in result.patterns}
    exact = ", ".join(f"{pattern.setting} {steady(pattern.exact):.0%}" for pattern in result.patterns)
    return comparisons.heat_maps(words, shares, title=f"Same rating given: {exact}", subtitle="each row sums to 100%")


def _quadrants(ratings: Ratings, _: str) -> Chart:
    return _quadrant_chart(ratings, human=True)


def _bleu_quadrants(ratings: Ratings, _: str) -> Chart:
    return _quadrant_chart(ratings, human=False)


def _quadrant_chart(ratings: Ratings, *, human: bool) -> Chart:
    for name in ("mt", "reference", "post_edit"):
        if name not in ratings.columns:
            raise ColumnError(f"There is no column {name!r}: quadrants need the texts mt, reference and post_edit.")
    # What an edit changed and BLEU counts has no good end that somebody would have to name.
    rated = ratings if human else replace(ratings, scale=replace(ratings.scale, direction=Direction.HIGH))
    name = "human scores" if human else "sentence BLEU"
    found = dict(yardsticks(rated).results)[name]
    contradict = [item.item for item in (*found.similar, *found.dissimilar)]
    return comparisons.quadrants(
        found.items, found.against_reference.tolist(), found.against_post_edit.tolist(), marked=contradict,
        across_axis=f"{name} against the reference (z)", up_axis="likeness to the post-edit (z)",
        title=f"{len(contradict)} of {len(found.items)} items contradict; "
        f"r = {steady(found.correlation):.2f} for {name}",
    )  # fmt: skip


def _context(ratings: Ratings, _: str) -> Chart:
    spans = context_spans(ratings)
    passage = passages(ratings, spans)[0]
    here = [span for span in spans if span.document == passage.document]
    reach = max(span.reach for span in here)
    return context.context_view(
        [(s.item, s.text, s.role, s.note) for s in passage.sentences],
        title=f"{passage.document or 'The text'}: {len(here)} sentences need context, up to {reach} sentences away",
        subtitle="Choose another document with --only document=NAME." if len({s.document for s in spans}) > 1 else "",
    )


def _misevaluation(ratings: Ratings, column: str) -> Chart:
    scenario = "scenario" if "scenario" in ratings.columns else column
    names = condition_names(ratings, scenario)
    roles = context_roles(names, ratings.codebook.study.scenarios)
    if roles is None:
        raise OptionError(
            f"Which scenario had no context is not clear from the names ({', '.join(names)}). Call them "
            "random-sentence and sentence-in-context, or RS and SC."
        )
    alone, seen = roles
    found = find_misevaluations(ratings, without=alone, with_context=seen, scenario=scenario)
    if not found and (question := ratings.codebook.direction_question):
        raise OptionError(f"What counts as fine is not known. {question}")
    if not found:
        raise NotEnoughDataError(
            f"No item is fine under {alone!r} and faulty under {seen!r}: there is nothing to draw."
        )
    items = list({one.item: one for one in found}.values())
    return context.misevaluation_view(
        [(one.item, [(v.rater, v.scenario, v.criterion, v.value) for v in one.verdicts]) for one in items[:4]],
        title=f"{counted(len(items), 'item is', 'items are')} fine without context and faulty with it",
        subtitle=f"verdicts of each rater on {min(4, len(items))} of them",
    )


FIGURES = {
    kind.name: kind
    for kind in (
        FigureKind("intervals", "every coefficient with its interval over a named scale", _intervals),
        FigureKind("pair-boxes", "joint agreement of every pair of raters, by criterion (001 Figure 2)", _pair_boxes),
        FigureKind("agreement-parts", "joint, independent and kappa of the pairs (001 Figures 5, 6)", _agreement_parts),
        FigureKind("ratings-per-item", "the rating of each item by each rater (002 Figures 1, 2)", _per_item),
        FigureKind("category-use", "how raters use the scale (002 Figure 3)", _category_use),
        FigureKind("bootstrap-panels", "six bootstraps of a mean kappa (003 Figure 1)", _bootstrap_panels),
        FigureKind("distributions", "kappas of all pairs by setting (003 Figure 2)", _distributions),
        FigureKind("means-with-ranges", "mean ratings of raters in groups (003 Figure 3)", _means_with_ranges),
        FigureKind("heat-maps", "which ratings meet which, by setting (003 Figure 4)", _heat_maps),
        FigureKind("quadrants", "human scores against the post-edit (003 Figures 5a, 6a)", _quadrants),
        FigureKind("bleu-quadrants", "sentence BLEU against the post-edit (003 Figures 5b, 6b)", _bleu_quadrants),
        FigureKind("context", "ambiguous sentences and what resolves them (004 Figure 1)", _context),
        FigureKind("misevaluation", "verdicts on items that context shows to be faulty (004 Figure 2)", _misevaluation),
        FigureKind("severity", "how strict each rater is, with intervals", _severity),
        FigureKind("drift", "how raters change from their first to their last item", _drift),
        FigureKind("pair-matrix", "kappa of every pair of raters", _pair_matrix),
        FigureKind("rank-intervals", "the ranks each system may have", _rank_intervals),
    )
}
"""Every chart that ratings can give; scarce scores are drawn by ``accord score --plot``."""
