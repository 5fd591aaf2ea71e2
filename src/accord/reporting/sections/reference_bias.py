"""Does what raters saw bias them? Where a column puts every rater into one group (paper 003)."""

from collections.abc import Mapping, Sequence

from accord.comparisons.pair_settings import DIFF, SAME
from accord.comparisons.reference_bias import ReferenceBias
from accord.plots.comparisons import distributions, heat_maps, means_with_ranges
from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Evidence, Figure, Paragraph, Rows, Section
from accord.tables.table import Cell, Column, Table
from accord.words import listed, steady

__all__ = ["reference_bias", "settings_title"]

_SETTINGS = (
    Column("setting", "setting"),
    Column("pairs", "pairs"),
    Column("kappa", "mean κ"),
    Column("exact", "same rating"),
    Column("near", "at most one apart"),
)
_TESTS = (
    Column("value", "difference of mean κ"),
    Column("low", "low"),
    Column("high", "high"),
    Column("p", "p"),
    Column("method", "judged by"),
)
_SHARES = (
    Column("settings", "settings"),
    Column("comparisons", "comparisons"),
    Column("different", "different"),
    Column("share", "share"),
)
_MOST_VALUES = 12
_SOURCE = ", SOURCE within one that saw the source text, SOURCE vs REF between that and the others"


def reference_bias(analysis: Analysis) -> Section | None:
    blocks: list[Block] = []
    results: list[ReferenceBias] = []
    for column, found in analysis.biases.items():
        blocks.append(
            Paragraph(
                f"Every rater stands in one {column}, so pairs of raters can be told apart: SAME is within a "
                f"{column}, DIFF between two{_SOURCE if 'SOURCE' in found[0].settings.names else ''}. "
                "Where they differ, groups score apart; how far each agrees within itself is another question."
            )
        )
        for place, result in enumerate(found):
            inside = _criterion(place, result)
            if len(found) > 1:
                blocks.append(Paragraph(f"{result.criterion}: {result.verdict()}"))
                inside = [Evidence(f"bias-{place}", f"Tables and charts: {result.criterion}", inside[1:])]
            blocks += inside
        results += found
    if not results:
        return None
    return Section("reference-bias", "Do groups of raters judge differently?", _finding(results), blocks)


def _finding(results: Sequence[ReferenceBias]) -> str:
    """Of which criteria the test tells groups apart from chance; with one criterion the whole verdict."""
    if len(results) == 1:
        return results[0].verdict()
    clear = [one.criterion for one in results if one.differences and one.differences[0].is_clear]
    if not clear:
        return f"On none of {len(results)} criteria is a difference distinguished from chance."
    return (
        f"On {listed(clear)} pairs of one group agree differently from pairs of two; not on the other criteria."
        if (len(clear) < len(results))
        else f"On all {len(results)} criteria pairs of one group agree differently from pairs of two."
    )


def settings_title(means: Mapping[str, float]) -> str:
    """Which pairs agree more, with the means of all settings."""
    told = ", ".join(f"{setting} {steady(value):.2f}" for setting, value in means.items())
    if not {SAME, DIFF} <= set(means):
        return f"Mean κ of the pairs: {told}"
    word = "more" if means[SAME] >= means[DIFF] else "less"
    return f"Pairs of one group agree {word} than pairs of two: mean κ {told}"


def _criterion(place: int, result: ReferenceBias) -> list[Block]:
    name = f" ({result.criterion})" if result.criterion else ""
    counts = result.settings.counts()
    settings: list[dict[str, Cell]] = [
        {"setting": one.setting, "pairs": counts[one.setting], "kappa": result.mean_kappas[one.setting],
         "exact": one.exact, "near": one.within_one}
        for one in result.patterns
    ]  # fmt: skip
    tests: list[dict[str, Cell]] = [
        {"value": one.value, "low": one.interval.low if one.interval else None,
         "high": one.interval.high if one.interval else None, "p": one.p, "adjusted": one.adjusted,
         "method": f"another question: {one.method}" if one.sensitivity else one.method}
        for one in result.differences
    ]  # fmt: skip
    inside = max(result.ranges.within.values())
    words = "more" if result.ranges.is_attributable else "less"
    ranges = (
        f"Groups differ {words} than raters inside one group: {steady(result.ranges.between()):.2f} and up to "
        f"{steady(inside):.2f}"
    )
    pools = {name: result.kappas[result.settings.of(name)].tolist() for name in result.settings.names}
    note = "The first row decides; the others answer other questions. Intervals that overlap are no test."
    return [
        Paragraph(result.verdict(), "lead"),
        Figure(distributions(pools, title=f"{settings_title(result.mean_kappas)}{name}", axis="Cohen's κ of a pair")),
        Rows(Table(f"Pairs of raters by setting{name}, κ with {result.weights} weights", _SETTINGS, settings)),
        Rows(Table(f"Is the difference real?{name}", _TESTS, tests, (note,))),
        Paragraph(f"{ranges}. A difference between groups that raters of one group also show has no cause yet."),
        Evidence(
            f"bias-means-{place}",
            f"Mean ratings by group{name}",
            [Figure(means_with_ranges(result.ranges.rater_means, title=ranges, axis="mean rating"))],
        ),
        *_patterns(place, name, result),
        Evidence(f"bias-shares-{place}", f"Pairs whose κ differ{name}", [Rows(_shares(name, result))]),
    ]


def _shares(name: str, result: ReferenceBias) -> Table:
    rows: list[dict[str, Cell]] = [
        {"settings": f"{one.first} x {one.second}", "comparisons": one.comparisons, "different": one.different,
         "share": one.share}
        for one in result.shares
    ]  # fmt: skip
    return Table(f"Intervals of κ that do not overlap{name}", _SHARES, rows)


def _patterns(place: int, name: str, result: ReferenceBias) -> list[Block]:
    size = len(result.patterns[0].counts) if result.patterns else 0
    if not 2 <= size <= _MOST_VALUES:
        return []
    shares = {one.setting: one.row_shares for one in result.patterns}
    exact = ", ".join(f"{one.setting} {steady(one.exact):.0%}" for one in result.patterns)
    words = result.values or tuple(str(value + 1) for value in range(size))
    chart = heat_maps(words, shares, title=f"Same rating given: {exact}", subtitle="each row sums to 100%")
    return [Evidence(f"bias-maps-{place}", f"Which ratings meet which{name}", [Figure(chart)])]
