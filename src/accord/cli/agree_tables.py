"""The tables of ``accord agree``: every coefficient that fits, what the values are made of, pairs of raters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isclose, isnan

from accord.cli.output import Form
from accord.coefficients.names import titles_once
from accord.coefficients.registry import COEFFICIENTS
from accord.coefficients.reported import equal_by_definition, reported
from accord.design.scale import Level
from accord.reliability.estimate import Estimate
from accord.reliability.interpretation import FEWEST_ITEMS, Interpretation, interpret, scale_for
from accord.reliability.matrix import PairMatrix
from accord.reliability.result import GroupReliability, Reliability
from accord.reliability.units import NOTHING
from accord.tables.table import Cell, Column, Table
from accord.words import counted, steady

__all__ = ["closing", "pair_table", "tables"]


def tables(result: Reliability, form: Form, *, parts: bool, scale: str = "") -> Iterable[Table]:
    """Every coefficient of every group; ``scale`` is the key of a scale to read on what it was made for."""
    if form is Form.CSV:
        yield from _csv_tables(result)
        return
    yield from (_table(group, scale) for group in result.groups)
    for group in result.groups:
        if parts:
            yield from _parts_tables(group)
        yield from (_pair_table(group, matrix) for matrix in group.matrices)


def _csv_tables(result: Reliability) -> Iterable[Table]:
    """One table of all estimates with their parts, and one of all pairs of raters where they are wanted."""
    yield _flat("agreement", [row for group in result.groups for row in group.rows()])
    if pairs := [{**group.by, **row} for group in result.groups for one in group.matrices for row in one.rows()]:
        yield _flat("pairs", pairs)


def _flat(title: str, rows: Sequence[Mapping[str, Cell]]) -> Table:
    """All columns of all rows: groups may be split by different columns, coefficients have parts of their own."""
    return Table(title, [Column(key, key) for key in dict.fromkeys(key for row in rows for key in row)], rows)


def _table(group: GroupReliability, scale: str) -> Table:
    columns = [
        Column("title", "coefficient"), Column("value", "value"), Column("low", "low"), Column("high", "high"),
        Column("items", "items"), Column("reading", "reading"),
    ]  # fmt: skip
    sizes = [counted(group.ratings, "rating"), counted(group.items, "item"), counted(group.raters, "rater")]
    values = counted(group.values, "value") if group.values else "too many values"
    title = f"Agreement, {group.title}: {', '.join(sizes)}, {group.level} scale of {values}"
    return Table(title, columns, _rows(group.estimates, scale), notes=_notes(group, scale))


def _rows(estimates: Sequence[Estimate], scale: str) -> list[dict[str, Cell]]:
    """A row a coefficient; one that is the same number by definition is named in the row of the other."""
    said: list[tuple[Estimate, list[str]]] = []
    for estimate in estimates:
        twin = next((names for one, names in said if _is_same(one, estimate)), None)
        if twin is None:
            said.append((estimate, []))
        else:
            twin.append(estimate.title)
    return [_row(estimate, names, scale) for estimate, names in said]


def _is_same(first: Estimate, second: Estimate) -> bool:
    same = equal_by_definition(first.coefficient, second.coefficient) and first.items == second.items
    return same and isclose(first.value, second.value, abs_tol=1e-9)


def _reading(estimate: Estimate, scale: str) -> Interpretation | None:
    own = scale_for(estimate.coefficient, scale)
    found = interpret(estimate.coefficient, estimate.interval, estimate.items, (own,) if own else ())
    return found[0] if found else None


def _row(estimate: Estimate, same: Sequence[str], scale: str) -> dict[str, Cell]:
    interval, reading = estimate.interval, _reading(estimate, scale)
    return {
        "title": " = ".join((estimate.title, *same)),
        "value": estimate.value,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "items": estimate.items,
        "reading": reading.words if reading else "",
    }


def _notes(group: GroupReliability, scale: str) -> list[str]:
    """Intervals, cautions, what did not fit and what was guessed: each said once."""
    estimates = group.estimates
    notes = [f"Interval: {words}" for words in _sorted_out(estimates, lambda one: _method(one) if one.interval else "")]
    notes += [
        f"The interval is about: {words}"
        for words in _sorted_out(estimates, lambda one: one.question if one.interval else "")
    ]
    if any(_reading(estimate, scale) for estimate in estimates):
        notes.append("Reading: what the interval shows at least; what is enough, the task decides.")
    elif any(estimate.interval and estimate.items < FEWEST_ITEMS for estimate in estimates):
        notes.append(f"Reading: none from fewer than {FEWEST_ITEMS} items.")
    notes += [f"Reading: {words}" for words in _sorted_out(estimates, lambda one: _scale_of(one, scale))]
    notes += [f"Finding: {str(told['message']).rstrip('.')}. See accord diagnose." for told in _errors(group)]
    cautions = [f"Caution: {words}" for words in _cautions(estimates)]
    notes = [words for words in cautions if NOTHING in words] + notes
    notes += [words for words in cautions if NOTHING not in words]
    notes += [f"Left out: {_titles(keys)}: {reason}." for reason, keys in group.left_out().items()]
    notes += [f"Note: {note}" for note in group.notes]
    return [*notes, *(f"Guess: {guess}." for guess in group.guesses)]


def _titles(keys: Iterable[str]) -> str:
    return ", ".join(titles_once(COEFFICIENTS[key].title for key in keys))


def _scale_of(estimate: Estimate, scale: str) -> str:
    reading = _reading(estimate, scale)
    return f"scale of {reading.scale}" if reading else ""


def _errors(group: GroupReliability) -> list[dict[str, object]]:
    """The gravest findings only; the others are told by accord diagnose."""
    told = [finding.to_dict() for finding in group.findings]
    return [finding for finding in told if finding["severity"] == "error"]


def _method(estimate: Estimate) -> str:
    interval = estimate.interval
    if interval is None:
        return ""
    drawn = f", {interval.replicates:,} replicates" if interval.replicates else ""
    return f"{interval.level:.0%}, {interval.method}{drawn}"


def _sorted_out(estimates: Sequence[Estimate], words_of: Callable[[Estimate], str]) -> list[str]:
    """What differs between coefficients: the rarer cases by name, then the one that holds for the others."""
    keys: dict[str, list[str]] = {}
    for estimate in estimates:
        if words := words_of(estimate):
            keys.setdefault(words, []).append(estimate.title)
    if len(keys) < 2:
        return [f"{words}." for words in keys]
    usual = max(keys, key=lambda words: len(keys[words]))
    told = [f"{', '.join(titles_once(named))}: {words}." for words, named in keys.items() if words != usual]
    return [*told, f"the others: {usual}."]


def _cautions(estimates: Sequence[Estimate]) -> list[str]:
    """Each caution once with the coefficients it belongs to, those of all coefficients without names."""
    keys: dict[str, list[str]] = {}
    for estimate in estimates:
        for caution in estimate.cautions:
            keys.setdefault(caution, []).append(estimate.title)
    told = [
        caution if len(named) == len(estimates) else f"{', '.join(titles_once(named))}: {caution}"
        for caution, named in keys.items()
    ]
    return [words if words.endswith("?") else f"{words}." for words in told]


_MADE_OF = {
    ("observed", "expected"): "Observed agreement, and what chance would give",
    ("observed_disagreement", "expected_disagreement"): (
        "Observed disagreement, and what chance would give, as mean squared distances"
    ),
    ("concordant", "discordant", "untied"): "Pairs of items in the same and in opposite order",
}
_COUNTED = frozenset({"concordant", "discordant", "untied"})


def _part_columns(names: Iterable[str]) -> list[Column]:
    return [Column(name, name.replace("_", " "), 0 if name in _COUNTED else 3) for name in names]


def _parts_tables(group: GroupReliability) -> Iterable[Table]:
    """What the values are made of: agreement observed and by chance, and pairs of items in the same order."""
    for names, title in _MADE_OF.items():
        rows: list[dict[str, Cell]] = [
            {"title": estimate.title, "value": estimate.value, **estimate.parts}
            for estimate in group.estimates
            if all(name in estimate.parts for name in names)
        ]
        columns = [Column("title", "coefficient"), Column("value", "value"), *_part_columns(names)]
        if rows:
            yield Table(f"{title}, {group.title}", columns, rows)


def _pair_table(group: GroupReliability, matrix: PairMatrix) -> Table:
    rows = matrix.rows()
    known = any(not isnan(float(row["low"])) for row in rows)
    ends = [Column("low", "low"), Column("high", "high")] if known else []
    names = [name for family in _MADE_OF for name in family if name in matrix.parts]
    columns = [
        Column("rater", "rater"), Column("other", "other"), Column("value", "value"), *ends, Column("items", "items"),
        *_part_columns(names),
    ]  # fmt: skip
    mean = "undefined" if isnan(matrix.mean) else f"{steady(matrix.mean):.3f}"
    method = [f"Interval: {matrix.confidence:.0%}, by the standard error of each pair."] if known else []
    return Table(f"{matrix.title} of each pair, {group.title}: mean {mean}", columns, rows, method)


def pair_table(group: GroupReliability, name: str) -> Table | None:
    """Every pair of raters on one line, by the coefficients that the table of what to report names for pairs."""
    wanted = reported(Level(group.level), group.raters).pairs
    matrices = [one for one in group.matrices if one.coefficient in wanted] or list(group.matrices)
    if not matrices:
        return None
    values = {one.coefficient: {(row["rater"], row["other"]): row for row in one.rows()} for one in matrices}
    rows: list[dict[str, Cell]] = [
        {
            "rater": str(pair[0]),
            "other": str(pair[1]),
            "items": int(row["items"]),
            **{key: float(found[pair]["value"]) for key, found in values.items() if pair in found},
        }
        for pair, row in next(iter(values.values())).items()
    ]
    columns = [Column("rater", "rater"), Column("other", "other"), Column("items", "items")]
    return Table(f"Each pair, {name}", [*columns, *(Column(one.coefficient, one.title) for one in matrices)], rows)


def closing(result: Reliability) -> list[str]:
    """Notes on reading the file, and one signature: the others differ in their own coefficient only."""
    guesses = tuple(guess for group in result.groups for guess in group.guesses)
    lines = [f"Note: {note}." for note in result.notes if not (guesses and note.endswith(guesses))]
    first = next(iter(result), None)
    if first is not None:
        lines.append(f"Signature of {first.title} (--csv and --json have all): {first.signature}")
    return lines
