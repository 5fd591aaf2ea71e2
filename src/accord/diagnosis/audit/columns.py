"""Columns that were copied: the same numbers in tables that are about different things."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from accord.diagnosis.audit.reported import COEFFICIENTS, ReportedRow
from accord.diagnosis.finding import Finding, Severity
from accord.words import steady

__all__ = ["check_columns"]

_CHECKED = (*COEFFICIENTS, "agreement")
_FEWEST = 4
_COPIED = 0.75
_Key = tuple[str, ...]


def check_columns(rows: Sequence[ReportedRow]) -> Iterator[Finding]:
    """Columns that agree cell by cell between tables, and columns that stand still while others move."""
    tables = _tables(rows)
    for (first, cells), (second, others) in combinations(tables.items(), 2):
        yield from _copied(first, cells, second, others)
    for name, cells in tables.items():
        yield from _still(name, cells)


def _tables(rows: Sequence[ReportedRow]) -> dict[str, dict[_Key, ReportedRow]]:
    tables: dict[str, dict[_Key, ReportedRow]] = {}
    for row in rows:
        if table := row.place.get("table", ""):
            key = tuple(row.place.get(part, "") for part in ("set", "condition", "group"))
            tables.setdefault(table, {}).setdefault(key, row)
    return tables


def _copied(
    first: str, cells: dict[_Key, ReportedRow], second: str, others: dict[_Key, ReportedRow]
) -> Iterator[Finding]:
    shared = [key for key in cells if key in others]
    same: dict[str, tuple[int, int]] = {}
    for name in _CHECKED:
        pairs = [(cells[key].printed.get(name), others[key].printed.get(name)) for key in shared]
        both = [(a.value, b.value) for a, b in pairs if a is not None and b is not None]
        if both:
            same[name] = (sum(a == b for a, b in both), len(both))
    for name, (equal, of) in same.items():
        rest = [part for other, part in same.items() if other != name]
        moving = sum(part[0] for part in rest) <= 0.5 * sum(part[1] for part in rest)
        if of >= _FEWEST and equal >= _COPIED * of and rest and moving:
            yield Finding(
                code="copied_column",
                severity=Severity.WARNING,
                message=f"Tables {first} and {second}: {equal} of {of} cells of {name} are identical, though the "
                "tables are about different ratings and their other columns differ: one seems copied",
                who=(f"Table {first}", f"Table {second}"),
                evidence={"identical": equal, "cells": of},
                sure="suspect: identical values could be chance, but hardly this many",
                invalidates=(name,),
                advice="Compute the column again from the ratings of each table.",
            )


def _still(table: str, cells: dict[_Key, ReportedRow]) -> Iterator[Finding]:
    """One value three times in a set while another coefficient of the same cells moves a lot."""
    for chosen in sorted({key[0] for key in cells}):
        part = [row for key, row in cells.items() if key[0] == chosen]
        for name in COEFFICIENTS:
            values = [float(row.printed[name]) for row in part if name in row.printed]
            if len(values) < 3 or len(set(values)) > 1:
                continue
            for other in COEFFICIENTS:
                moves = [float(row.printed[other]) for row in part if other in row.printed]
                if other != name and len(moves) == len(values) and max(moves) - min(moves) > 0.15:
                    place = f"Table {table}" + (f", {chosen}" if chosen else "")
                    yield Finding(
                        code="constant_column",
                        severity=Severity.WARNING,
                        message=f"{place}: {name} is {steady(values[0]):.2f} in all {len(values)} cells while {other} "
                        f"goes from {steady(min(moves)):.2f} to {steady(max(moves)):.2f}",
                        who=(place,),
                        evidence={"value": values[0], "low": min(moves), "high": max(moves)},
                        sure="suspect: they measure nearly the same and should move together",
                        invalidates=(name,),
                        advice="Compute the column again from the ratings.",
                    )
                    break
