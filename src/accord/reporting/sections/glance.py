"""Data at a glance: items, raters, overlap, missing, fingerprint."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.arrays import Floats, Integers, distinct, distinct_rows, every_pair
from accord.quantiles import median_of
from accord.ratings.apart import kept_apart, note_of_parts, words_of
from accord.ratings.guideline_rounds import round_of
from accord.ratings.rated_elsewhere import note_of_elsewhere
from accord.ratings.repeats import row_keys
from accord.ratings.roles import ordinary, repeat_rows, under_study
from accord.ratings.table import Ratings
from accord.reporting.analysis import Analysis
from accord.reporting.document import Block, Evidence, Listing, Paragraph, Rows, Section
from accord.reporting.wording import capital, for_readers
from accord.sizes import raters_meet_in_a_table
from accord.tables.table import Cell, Column, Table
from accord.words import counted, steady

__all__ = ["glance"]

_MOST_RATERS = 3_000
_AGAIN = "of them repeats by the same rater"


def glance(analysis: Analysis) -> Section:
    """What was read, and what was guessed on the way in."""
    ratings = analysis.ratings
    facts: list[dict[str, Cell]] = [{"what": name, "value": value} for name, value in _facts(ratings).items()]
    table = Table("What was read", (Column("what", ""), Column("value", "")), facts)
    blocks: list[Block] = [Rows(table)]
    blocks += [Paragraph(f"{line.partition(';')[0]}.") for line in analysis.models]
    blocks += [Paragraph(f"{capital(line)}.") for line in note_of_elsewhere(ratings, kept_apart(ratings))]
    if again := ratings.codebook.study.again:
        blocks.append(Paragraph(f"{capital(again)}."))
    if analysis.exclusions:
        blocks.append(Paragraph("Rules of exclusion and whom they left out; what was declared before says so:"))
        blocks.append(Listing(analysis.exclusions))
    notes = _notes(analysis)
    if notes:
        blocks.append(Evidence("guesses", f"What was guessed or repaired ({len(notes)})", [Listing(notes)], kept=True))
    if analysis.left_out:
        blocks.append(Listing([f"Left out. {line}" for line in analysis.left_out]))
    return Section("data", "Data", _finding(analysis, notes), blocks)


def _notes(analysis: Analysis) -> list[str]:
    """What was guessed or repaired, once each: what is told of a criterion by name is not told again without it."""
    apart = kept_apart(analysis.ratings)
    # Declared, or a fact of the data: told with the facts.
    kept = (*note_of_parts(apart), *note_of_elsewhere(analysis.ratings, apart)) if apart else ()
    # Answers left open are counted among the facts, with those that nobody was asked for.
    open_ones = counted(analysis.ratings.missing, "rating is missing", "ratings are missing")
    told = (*kept, *analysis.exclusions, open_ones, f"{open_ones} (empty)")
    notes = [for_readers(note) for note in analysis.reliability.notes if note not in told]
    guesses = [guess for group in analysis.reliability.groups for guess in group.guesses]
    untold = [guess for guess in guesses if not any(note.endswith(f": {guess}") for note in notes)]
    return [*dict.fromkeys([*notes, *untold])]


def _finding(analysis: Analysis, notes: Sequence[str]) -> str:
    """What a reader must know of the data before the numbers: what was guessed, and what is not there."""
    guessed = (
        f"{counted(len(notes), 'thing was', 'things were')} guessed or repaired" if notes else "nothing was guessed"
    )
    left = f"; {counted(len(analysis.left_out), 'analysis', 'analyses')} left out" if analysis.left_out else ""
    texts, _ = under_study(analysis.ratings)
    return f"{capital(guessed)}{left}; missing: {_missing(texts, _criteria(texts))}."


def _criteria(ratings: Ratings) -> int:
    criteria = ratings.columns.get("criterion")
    return len(criteria.names) if criteria is not None else 1


def _facts(ratings: Ratings) -> dict[str, Cell]:
    texts, checking = under_study(ratings)
    turned = _turned(texts)
    per_item = np.bincount(_cells(texts, turned)[:, 0], minlength=texts.items)
    criteria = ratings.columns.get("criterion")
    several = _criteria(ratings)
    repeated = _given_again(texts)
    facts: dict[str, Cell] = {
        "ratings": f"{len(ratings):,}, {repeated:,} {_AGAIN}" if repeated else len(ratings),
        "items": f"{texts.items:,}, and {checking:,} that check the rater" if checking else texts.items,
        "raters": ratings.raters,
        "criteria": ", ".join(criteria.names) if criteria is not None and several <= 12 else several,
        "ratings per item": _span(per_item / several),
        "missing": _missing(texts, several),
        "items rated by one rater only": _rated_by_one(texts),
    }
    facts["overlap"] = _overlap(ordinary(ratings) or ratings)
    for column in ("system", "document", "scenario", "condition", "group", "phase"):
        if column in ratings.columns and ratings.columns[column].names:
            # What was rated before the first round has no phase, and is one of its own.
            unnamed = column == "phase" and bool((texts.columns[column].codes < 0).any())
            facts[f"{column}s"] = len(ratings.columns[column].names) + unnamed
    if apart := kept_apart(ratings):
        facts["kept apart"] = f"agreement is computed within each {words_of(apart)}"
    facts["source"] = ratings.source or "a table in memory"
    if names := ratings.codebook.study.names:
        facts["names"] = names
    if ratings.codebook.study.title:
        facts["meaning declared by"] = ratings.codebook.source
    facts["fingerprint"] = ratings.fingerprint
    return facts


def _given_again(ratings: Ratings) -> int:
    """Ratings that a rater gave again: those marked as repeats, and those of one item in one part beyond the first."""
    marked = repeat_rows(ratings)
    # What a rater judges in another scenario or phase is no repeat, unless it was asked as one.
    first = ratings if marked is None else ratings.where(~marked)
    return len(ratings) - len(first) + _complete_rows(first) - len(_cells(first, kept_apart(ratings)))


def _complete_rows(ratings: Ratings) -> int:
    return int(((ratings.item.codes >= 0) & (ratings.rater.codes >= 0)).sum())


def _cells(ratings: Ratings, apart: Sequence[str] = ()) -> NDArray[np.int64]:
    """Item, rater and criterion of every rating (and its part), once where a rater rated an item again."""
    known = (ratings.item.codes >= 0) & (ratings.rater.codes >= 0)
    criteria = ratings.columns.get("criterion")
    criterion = criteria.codes if criteria is not None else np.zeros(len(ratings), dtype=np.int64)
    parting = [ratings.columns[name].codes for name in apart]
    columns = [ratings.item.codes, ratings.rater.codes, criterion, *parting]
    return distinct_rows([column[known] for column in columns])


def _rated_by_one(ratings: Ratings) -> Cell:
    """Items of which no two raters judged the same: by no criterion, and in no part of those that are kept apart."""
    item, _, *rest = _cells(ratings, kept_apart(ratings)).T
    case = item
    for column in rest:
        case = case * (int(column.max(initial=-1)) + 2) + column + 1
    _, first, raters = np.unique(case, return_index=True, return_counts=True)
    shared, alone = distinct(item[first[raters > 1]]), distinct(item[first[raters == 1]])
    partly = len(np.intersect1d(alone, shared, assume_unique=True))
    nowhere = len(alone) - partly
    return f"{nowhere:,}, and {partly:,} by some criterion or in some part" if partly else nowhere


def _missing(ratings: Ratings, criteria: int) -> str:
    """What a full design would hold and these ratings do not; answers left open are counted apart.

    What was measured again after a guideline round is a design of its own, of the items that were.
    """
    turned = _turned(ratings)
    full = ratings.items * ratings.raters * criteria
    if turned:
        full = ratings.raters * len(distinct_rows(list(np.delete(_cells(ratings, turned), 1, axis=1).T)))
    empty = full - len(_cells(ratings, turned))
    share = f"{steady(empty / full):.0%}" if empty > full / 200 else "less than 1%"
    words = f"{empty:,} of {full:,} ({share}) of a full design" if empty > 0 else ""
    seen = f"{ratings.missing:,} seen and left without an answer" if ratings.missing else ""
    return "; ".join(filter(None, (words, seen))) or "none"


def _turned(ratings: Ratings) -> tuple[str, ...]:
    """The column of phases where some were measured again after a guideline round."""
    phases = ratings.columns.get("phase")
    return ("phase",) if phases is not None and any(map(round_of, phases.names)) else ()


def _span(counts: NDArray[np.float64]) -> str:
    if not len(counts):
        return "none"
    least, most = f"{steady(counts.min()):.3g}", f"{steady(counts.max()):.3g}"
    return least if least == most else f"{least} to {most}"


def _meetings(item: Integers, rater: Integers, raters: int) -> Floats:
    """How many items each two raters share, from the cells of items x raters that hold a rating."""
    items = int(item.max(initial=-1)) + 1
    if raters_meet_in_a_table(items * raters):
        met = np.zeros((items, raters))
        met[item, rater] = 1
        return np.asarray(met.T @ met)
    from scipy.sparse import coo_array

    sparse = coo_array((np.ones(len(item)), (item, rater)), shape=(items, raters)).tocsr()
    return np.asarray((sparse.T @ sparse).toarray())


def _overlap(ratings: Ratings) -> str:
    """How many items two raters share: what every coefficient of pairs rests on.

    An item in another scenario, phase or other part that is kept apart is another item here.
    """
    if not 2 <= ratings.raters <= _MOST_RATERS:
        return "one rater only" if ratings.raters < 2 else "too many raters to pair"
    known = (ratings.item.codes >= 0) & (ratings.rater.codes >= 0)
    apart = kept_apart(ratings)
    keys, _ = row_keys([ratings.item[known], *(ratings.columns[name][known] for name in apart)])
    item = np.unique(keys, return_inverse=True)[1]
    cells = distinct(item * ratings.raters + ratings.rater.codes[known])
    shared = _meetings(*np.divmod(cells, ratings.raters), ratings.raters)[every_pair(ratings.raters)]
    pairs, meeting = len(shared), int((shared > 0).sum())
    middle = counted(int(median_of(shared)), "item")
    once = f"; an item counts once in each {words_of(apart)}" if apart else ""
    if pairs == 1:
        return f"the two raters share {middle}{once}"
    if shared.min() == shared.max():
        return f"every two raters share {middle} ({pairs:,} pairs){once}"
    return (
        f"{meeting:,} of {pairs:,} pairs of raters share items: {int(shared.min()):,} to {int(shared.max()):,}, "
        f"median {int(median_of(shared)):,}{once}"
    )
