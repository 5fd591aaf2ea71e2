"""What was collected for a study, as ratings for a report: without control items and without excluded raters."""

import tempfile
from pathlib import Path
from typing import Any

from accord.errors import NotEnoughDataError
from accord.ratings.build import build_ratings
from accord.ratings.roles import is_control
from accord.ratings.table import Ratings
from accord.server.export import RATING_COLUMNS, rating_rows
from accord.server.organiser.ratings import excluded_raters
from accord.server.study import current

__all__ = ["analysed_ratings", "report_html"]

_RULES = {
    "degraded_not_lower": "raters who do not score degraded copies lower",
    "repeats_differ": "raters whose repeats differ",
    "gold_wrong": "raters who fail items with known answers", "attention_failed": "raters who fail attention items",
    "too_fast": "answers given too fast", "constant_run": "long runs of one value",
    "no_variation": "raters who give one value throughout", "incomplete": "raters who did not finish",
}  # fmt: skip


def analysed_ratings(*, named: bool = False) -> tuple[Ratings, tuple[str, ...]]:
    """The ratings collected so far, and the declared exclusion rules with whom they left out, in words."""
    study = current()
    left_out = excluded_raters()
    kept = [
        row for row in rating_rows(named=named)
        if not is_control(row["role"]) and row["role"] != "repeat" and row["rater"] not in left_out
    ]  # fmt: skip
    if not kept:
        raise NotEnoughDataError("There are no judgements yet, so there is nothing to report.")
    columns = {name: [row.get(name, "") for row in kept] for name in RATING_COLUMNS}
    used = {name: cells for name, cells in columns.items() if any(cell not in ("", None) for cell in cells)}
    present = set(columns["criterion"])
    scales = {key: one.scale() for key, one in study.criteria.items() if key in present and one.kind == "scale"}
    ratings = build_ratings(
        used, scales=scales or None, missing=("",), duplicates="last", source=study.title,
        separator="|" if any(one.kind == "categories" and one.several for one in study.criteria.values()) else None,
    )  # fmt: skip
    return ratings, _in_words(study.settings.exclusions, left_out)


def report_html() -> bytes:
    """The report as one page that needs nothing else."""
    from accord.reporting.compose import compose
    from accord.reporting.writing import write_document

    ratings, exclusions = analysed_ratings()
    with tempfile.TemporaryDirectory() as scratch:
        document = compose(ratings, title=current().title, exclusions=exclusions)
        return write_document(document, Path(scratch) / "report.html").read_bytes()


def _in_words(rules: Any, left_out: Any) -> tuple[str, ...]:
    told = []
    for rule in rules:
        limit = f" (limit {rule.limit:g})" if rule.limit is not None else ""
        reason = f": {rule.reason}" if rule.reason else ""
        told.append(f"declared before collection: {_RULES[rule.rule]}{limit}{reason}")
    for name, decision in left_out.items():
        rule = f" by the rule {decision.rule}" if decision.rule else ""
        told.append(f"left out{rule}: rater {name}, {decision.reason or 'no reason given'}")
    return tuple(told)
