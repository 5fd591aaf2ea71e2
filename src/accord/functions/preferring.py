"""Pairwise preferences from Python: systems by who is preferred, with ties."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError
from accord.functions.answer import Answer
from accord.ratings.apart import people_of
from accord.ratings.codebook import StudyFacts
from accord.ratings.table import Ratings
from accord.reading import is_study, ratings_file, read
from accord.scoring.preference_words import further, pairs_table, preferred, systems_table
from accord.scoring.preferences import Preference, bradley_terry_davidson, people_sheet, preferences_in
from accord.scoring.ranks import PairwiseKappa, Placed, pairwise_kappa, placed_pairs, preferences_of, ranking_criterion
from accord.tables.table import Cell, Column, Table

__all__ = ["prefer"]


def prefer(
    comparisons: str | os.PathLike[str],
    *,
    criterion: str | None = None,
    ranks: bool = False,
    columns: Mapping[str, str] | None = None,
    confidence: float | None = None,
    seed: int | None = None,
) -> Answer:
    """Systems by pairwise preferences with ties (Bradley-Terry-Davidson), and circles among them.

    Parameters
    ----------
    comparisons
        File with one row per comparison (first, second, preferred, rater if known), or the ratings of a pairwise study.
    criterion
        Which criterion of a pairwise study, if it asks several.
    ranks
        The values are ranks: 1 is best.
    columns
        Which columns hold first, second, preferred, item, rater, value or system, where they are called otherwise.
    confidence, seed
        Confidence of the intervals, and seed of what is drawn at random; what the study declares, else 0.95 and 0.

    Returns
    -------
    Answer
        Systems, then pairs of systems; ``result`` is the :class:`~accord.scoring.preferences.Preferences`.

    Examples
    --------
    >>> import accord
    >>> answer = accord.prefer("preferences.csv")
    >>> answer.to_frame("pandas").columns.tolist()[:4]
    ['system', 'ability', 'low', 'high']
    """
    path = Path(comparisons)
    ratings = _ratings(path, ranks, columns or {})
    facts = ratings.codebook.study if ratings is not None else StudyFacts()
    confidence = (facts.confidence or 0.95) if confidence is None else confidence
    seed = (facts.seed or 0) if seed is None else seed
    people, models = (None, ()) if ratings is None else people_of(ratings)
    placed = None if people is None else _placed(people, criterion, ranks)
    with ratings_file(path) as file:
        made, told = (preferences_of(placed), models) if placed is not None else _compared(file, criterion, columns)
    result = bradley_terry_davidson(made, level=confidence)
    kappas = _kappas(placed or (), confidence, seed)
    data = result.to_dict() | ({"agreement": [one.to_dict() for one in kappas]} if kappas else {})
    tables = [systems_table(result), pairs_table(result), *([_agreement(kappas)] if kappas else [])]
    lines = (*(f"{line}." for line in told), *further(result, confidence))
    data["notes"] = [f"{line}." for line in told]
    return Answer(tuple(tables), lines, data, result, opening=(preferred(result, confidence),))


def _compared(
    file: Path, criterion: str | None, columns: Mapping[str, str] | None
) -> tuple[tuple[Preference, ...], tuple[str, ...]]:
    """One row per comparison by people, and a line where models compared too."""
    sheet, told = people_sheet(file, columns)
    return preferences_in(sheet, criterion), told


def _ratings(path: Path, ranks: bool, columns: Mapping[str, str]) -> Ratings | None:
    """The ratings of a file or a study; None where there is one row per comparison."""
    named = {name: column for name, column in columns.items() if name not in ("first", "second", "preferred")}
    if len(named) < len(columns):
        return None
    try:
        ratings = read(str(path)) if is_study(path) else read(str(path), engine="memory", columns=named)
    except AccordError:
        if ranks:
            raise
        return None
    assert isinstance(ratings, Ratings)  # noqa: S101 - nothing is stored that is read into memory
    return ratings


def _placed(ratings: Ratings, criterion: str | None, ranks: bool) -> tuple[Placed, ...] | None:
    """Pairs out of ranks, where the ratings are ranks; None where they are choices."""
    asked = ranking_criterion(ratings, criterion)
    if asked is None and not ranks:
        return None
    return placed_pairs(ratings, asked or criterion)


def _kappas(placed: Sequence[Placed], confidence: float, seed: int) -> list[PairwiseKappa]:
    """Between raters, and of raters with themselves where they ranked a screen again."""
    made = [pairwise_kappa(placed, np.random.default_rng(seed), within=within, level=confidence)
            for within in (False, True)] if placed else []  # fmt: skip
    return [one for one in made if one.comparisons]


def _agreement(kappas: Sequence[PairwiseKappa]) -> Table:
    rows: list[dict[str, Cell]] = [
        {"who": "raters with themselves" if one.within else "between raters", "kappa": one.value,
         "low": one.interval.low if one.interval else None, "high": one.interval.high if one.interval else None,
         "agreed": one.agreed, "expected": one.expected, "ties": one.ties, "comparisons": one.comparisons,
         "items": one.items}
        for one in kappas
    ]  # fmt: skip
    columns = [Column("who", "who"), Column("kappa", "κ"), Column("low", "low"), Column("high", "high"),
               Column("agreed", "agreed"), Column("expected", "by chance"), Column("ties", "ties"),
               Column("comparisons", "comparisons"), Column("items", "items")]  # fmt: skip
    note = "Pairwise κ of relative rankings as WMT reported it; intervals by bootstrap over items."
    return Table("Agreement on who is better", columns, rows, (note,))
