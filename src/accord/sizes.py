"""At which size another way is taken, each with what was measured: the one place to look, and to change.

Times are processor time of one thread, as ``tools/measure_sizes.py`` prints them; they change with the machine, their
ratios hardly do. A rule looks at sizes only, never at a clock: the same ratings give the same answer everywhere. Which
interval is chosen where several can be had is in :mod:`accord.reliability.ways`.
"""

from math import log

__all__ = [
    "BLOCK_CELLS", "COMMAND_GARBAGE_ROUNDS", "FEWEST_REPLICATES", "GARBAGE_ROUNDS", "MOST_PAIR_RATERS",
    "MOST_PATTERN_RATERS", "SHORT",
    "affordable_replicates", "are_compared_unasked", "are_cut_out", "are_drawn_exactly", "are_kept",
    "are_left_out_apart", "are_left_out_for_a_note", "are_looked_for_at_once", "count_tables", "few_cells", "few_cuts",
    "few_patterns", "few_ratings", "fits", "has_many", "is_affordable", "is_dense", "is_laid_out",
    "is_mostly_empty", "is_pool", "is_small_table", "is_sparse", "keys_are_counted", "meet_rarely",
    "pair_tables_fit", "pairs_are_looked_at", "pairs_are_multiplied", "patterns_give_all", "raters_meet_in_a_table",
    "sums_are_normal", "tables_are_mostly_empty", "units_are_weighed", "values_are_counted", "values_fill",
]  # fmt: skip

_BLOCK_WIDTH = 20_000
_MANY_UNITS = 5_000
_MANY_DRAWS = 50_000_000
BLOCK_CELLS = 20_000_000
"""The most features x patterns that are laid out: 160 MB."""
GARBAGE_ROUNDS = (20_000, 20, 50)
"""How many new objects, and rounds, before Python looks for objects that only hold each other. We make few: to look for
them as often as Python does by itself took 0.3 of 4.4 s for the state of 50,000 judgements, 0.2 of 4.4 s for a report
of the demonstration study, and a tenth of a second now and then in which the server answers nobody."""
COMMAND_GARBAGE_ROUNDS = (200_000, 20, 50)
"""The same for a command, which ends soon: nine looks at what a report loads and keeps took 0.07 of 3.7 s and found
5,000 objects."""
SHORT = 64
"""Up to so many numbers a row are summed and ranked by a product of matrices. 100,000 rows of 5 are summed in 0.3 ms
instead of 2.2, of 30 in 1.4 instead of 3.4, of 64 in the same time; 10,000 rows of 5 are ranked in a third."""
FEWEST_REPLICATES = 1_000
_STEPS = ((10_000, 2_000), (2_000, 5_000), (FEWEST_REPLICATES, 10_000))
_AFFORDABLE = 2e9
_TABLES_COST = 10
_COMPARED_PATTERNS = 1_500
_COMPARED_UNASKED = 400
_EXACT_CELLS = 2e8
_SETTLED_UNITS, _SETTLED_DISPUTED = 1_000, 100
_POOL, _POOL_CELLS = 20, 5e7
_SPARSE = 4
_COUNT_CELLS = 50_000_000
_KEPT_CELLS = 4_000_000
_FETCHED_PATTERNS = 2_000_000
_CUT_OUT = 400
_DOCUMENTS_APART = 200
_FEW_SIGNS = 2
_WEIGHED_PRODUCTS = 2e10
_NOTED_RATERS, _NOTED_RATINGS = 30, 5_000
_TABLE_CELLS = 150_000
_FORMED_TABLE_CELLS = 30_000_000
_FORMED_VALUES = 10
_CUTS = 12
_PRODUCT_WIDTH = 2_000
_PRODUCT_COST = 400
_ITEMS_A_KEY = 4
_MULTIPLIED_VALUES = 7
_MULTIPLIED_WIDTH = 512
_MULTIPLIED_MEETINGS = 1_000_000
_RARE_MEETINGS = 50
_SMALL_TABLE = 100_000
_MOST_MEETINGS = 20_000_000
_MEETING_CELLS = 2_000_000
_EMPTY_CELLS = 20
_DENSE_CELLS = 100_000_000
_SPARSE_CELLS, _SPARSE_SHARE = 2_000_000, 4
_SPREAD = 8
_PAIR_TABLE_CELLS = 30_000_000
_PAIR_WORK = 20_000_000_000
MOST_PATTERN_RATERS = 32
"""Raters up to whom stored ratings give patterns of who said what: each is a column of the statement that counts."""
MOST_PAIR_RATERS = 200
"""Raters up to whom every pair is looked at: 19,900 pairs; tables of more are nearly empty in any file we know."""


def fits(width: int, patterns: int) -> bool:
    """Whether features of this width can be laid out for every pattern: 20 million cells are 160 MB.

    Nothing else is possible beyond it: 3 raters x 3,000 items on 0 to 100 would take 730 MB a copy.
    """
    return width <= _BLOCK_WIDTH and width * patterns <= BLOCK_CELLS


def few_patterns(patterns: int) -> bool:
    """Whether every pattern can be compared with every other in each replicate.

    1,500 patterns x 10,000 replicates take 6 s for a pair of raters, 400 patterns 0.5 s: the default stops there
    (:mod:`accord.reliability.ways`), who insists on replicates may wait.
    """
    return patterns <= _COMPARED_PATTERNS


def sums_are_normal(units: int, replicates: int) -> bool:
    """Whether sums over units drawn again are drawn from their normal limit, which costs the same for any number.

    10,000 replicates of 16,667 items unit by unit: 6 s. The ends of one comparison of
    16,667 items moved by 0.00003 in a width of 0.019, those of one of 600 items by less than 6% of the width. A
    difference of mean kappas, 6 raters, 5 values, 10,000 replicates: of 1,000, 2,000 and 5,000 items the ends of the
    limit were .001, .017 and .005 of the width from exact ones, two exact draws .006, .021 and .020 from each other,
    in 0.15 s instead of 1.0, 1.6 and 4.6. Values that are rarely given were not studied: 5,000 is a cautious choice.
    """
    return units >= _MANY_UNITS and units * replicates >= _MANY_DRAWS


def few_ratings(ratings: int, values: int) -> bool:
    """Whether ratings of an item are compared pair by pair rather than by how often each value was given.

    One weighted agreement of 333,333 items by 3 raters on 0 to 100 took 600 ms by counts, for which most of 101
    cells are empty. 20,000 patterns of 101 values: 3 raters 1.2 against 26 ms, 14 (the limit) 6.9 against 34, 30 raters
    17 against 47; of 21 values, 6 raters (the limit) .8 against 7.8 ms, 12 raters 3.1 against 6.2. With 5 values both
    take a tenth of a millisecond. The limit counts the multiplications of both ways and errs on the side of counts.
    """
    return ratings * (ratings - 1) <= 2 * values


def few_cells(values: int) -> bool:
    """Whether a table has so few cells that order is a quadratic form in them.

    10,000 tables of 5 x 5: 3 ms as a form, 11 ms by running sums; of 10 x 10: 15 against 45 ms. A form grows with
    the fourth power of the values.
    """
    return values <= _FORMED_VALUES


def few_cuts(cuts: int) -> bool:
    """Whether numbers are cut into values by comparing all of them with each cut, not by a search for each number.

    32,000 numbers: by 4 cuts 0.05 ms, searched 0.52; by 10 cuts 0.10 against 0.61; by 100 cuts 1.0 against 1.3. 300
    numbers and 100 cuts, 1,000 times: 600 ms against 370.
    """
    return cuts <= _CUTS


def count_tables(raters: int, values: int) -> bool:
    """Whether order is read from a table of each pair of raters rather than from sorted columns.

    Gamma without each item, 3 raters x 33,333 items, on 0 to 100: 11 ms by tables, 21 ms by columns; on 0 to 400:
    83 against 21 ms; on 0 to 1,000: 510 against 20 ms.
    """
    cells = raters * (raters - 1) / 2 * values**2
    return cells <= (_FORMED_TABLE_CELLS if few_cells(values) else _TABLE_CELLS)


def is_dense(patterns: int, width: int, meetings: float) -> bool:
    """Whether the cells of all raters together are multiplied faster than looked up pair by pair.

    Kappa without each item, 30 raters x 400 items x 4 values, complete: 0.9 ms as a product, 12 ms by meetings; with
    one rating in 20 it is 0.9 against 1.7 ms.
    """
    return width <= _PRODUCT_WIDTH and patterns * width**2 <= _PRODUCT_COST * meetings


def keys_are_counted(keys: int, items: int) -> bool:
    """Whether patterns of ratings are counted by their keys rather than sorted.

    100,000 items, 5 raters, 5 values (7,776 keys): 0.8 ms counted, 2.2 ms sorted; with 6 raters (46,656 keys) 3.3
    against 3.5 ms; 3,000 items with 7,776 keys 0.17 against 0.08 ms.
    """
    return keys * _ITEMS_A_KEY <= items


def meet_rarely(meetings: int, possible: int) -> bool:
    """Whether tables of pairs are counted from the meetings there are, and not from every pair on every pattern.

    60 raters, 3,000 items, 5 values: with 5% rated 3.4 ms by meetings, 13 ms otherwise; with 20% rated 27 against 20.
    """
    return meetings * _RARE_MEETINGS <= possible and meetings <= _MOST_MEETINGS


def pairs_are_multiplied(raters: int, values: int, possible: int) -> bool:
    """Whether tables of all pairs are one product of matrices: few values, and many pairs on many patterns.

    60 raters, 3,000 items, 5 values: 15 ms as a product, 47 ms counted; 15 raters 2.5 against 2.8 ms; 30 raters,
    1,000 items, 11 values 5.0 against 2.0 ms.
    """
    width = raters * values
    return values <= _MULTIPLIED_VALUES and width <= _MULTIPLIED_WIDTH and possible > _MULTIPLIED_MEETINGS


def affordable_replicates(patterns: int, width: int, costs_tables: bool = False) -> int:
    """10,000 replicates where patterns are few, fewer where they are many, 0 where even 1,000 take long.

    20 million numbers are drawn in 0.3 s where each item is a pattern of its own, in 1.2 s where patterns repeat.
    """
    fitting = (
        number
        for number, most in _STEPS
        if patterns <= most and is_affordable(patterns * max(width, 1), number, costs_tables)
    )
    return next(fitting, 0)


def is_affordable(cells: int, replicates: int, costs_tables: bool = False) -> bool:
    """Whether so many replicates of patterns x features take no time to speak of: 2e9 as one product are 0.06 s.

    Where order is read from tables a replicate takes 12 to 15 ns a cell; a product of matrices about 0.03 ns for each
    of its terms, of which there are as many as patterns: ten times as much.
    """
    return cells * replicates <= _AFFORDABLE / (_TABLES_COST if costs_tables else 1)


def are_compared_unasked(patterns: int) -> bool:
    """Whether patterns are compared with each other in every replicate: 400, 10,000 times, take 0.5 s a pair."""
    return patterns <= _COMPARED_UNASKED


def has_many(units: float, disputed: int) -> bool:
    """Whether drawing resamples adds nothing: the ends they would have in the limit are computed (ABC).

    16 coefficients of 1,000 to 20,000 items by 2 to 5 raters, .70 to .998 agreed: the ends differed from those of BCa
    with 40,000 replicates by .01 standard errors in the median, .055 at most, as two draws do from each other; with 16
    disputed items by .1 to .25. Ordinal alpha of 5 raters x 100,000 items with gaps: 4 ms instead of 170.
    """
    return units >= _SETTLED_UNITS and disputed >= _SETTLED_DISPUTED


def are_drawn_exactly(patterns: int, replicates: int) -> bool:
    """Whether resamples are drawn exactly and not from their normal limit: 2e8 numbers take 3 to 12 s."""
    return patterns * replicates <= _EXACT_CELLS


def is_pool(items: int, raters: int, values: int) -> bool:
    """Whether a table of items x raters x values would be too large and nearly empty: 50 million cells are 400 MB."""
    return raters > _POOL and items * raters * max(values, 1) > _POOL_CELLS


def is_sparse(raters: int, most_ratings: float) -> bool:
    """Whether a pattern has ratings by few of the raters only, as where a pool of raters shares the items."""
    return raters > _POOL and most_ratings * _SPARSE <= raters


def is_laid_out(items: int, raters: int) -> bool:
    """Whether ratings in memory are laid out as a table of items and raters: 100 million cells are 400 MB."""
    return items * raters <= _DENSE_CELLS


def is_mostly_empty(cells: int, ratings: int) -> bool:
    """Whether a table of items and raters would be large and mostly empty, as in crowd work: 2 million cells are 8 MB.

    It spares memory, not time: 20,000 items by 500 raters, three an item, take 0.17 s without, 0.12 s with it.
    """
    return cells > _SPARSE_CELLS and ratings * _SPARSE_SHARE < cells


def values_fill(cells: int, ratings: int) -> bool:
    """Whether a table of items and values has a rating for every eighth cell at least; else ratings are sorted."""
    return cells <= _SPREAD * ratings


def pair_tables_fit(pairs: int, values: int) -> bool:
    """Whether the tables of all pairs are counted at once: 30 million cells are 240 MB."""
    return pairs * values**2 <= _PAIR_TABLE_CELLS


def pairs_are_looked_at(raters: int, values: int, patterns: int) -> bool:
    """Whether every pair of raters is compared to say who copies whom; it serves words, not numbers."""
    return raters <= MOST_PAIR_RATERS and values * raters**2 * patterns <= _PAIR_WORK


def is_small_table(cells: int) -> bool:
    """Whether a table that is mostly empty is laid out all the same, because loading scipy.sparse takes 0.1 s."""
    return cells <= _SMALL_TABLE


def raters_meet_in_a_table(cells: int) -> bool:
    """Whether who rated what is laid out whole to count shared items: 2 million cells are 16 MB and take 0.1 s.

    Loading scipy.sparse for it takes as long.
    """
    return cells <= _MEETING_CELLS


def tables_are_mostly_empty(values: int, patterns: int) -> bool:
    """Whether a pair of raters is compared column by column, as a table of its values has 20 cells for each pattern.

    Two raters of 1,200 items on 2,400 different values take 0.2 ms in this way, and 150 ms by a table.
    """
    return values**2 > _EMPTY_CELLS * patterns


def values_are_counted(patterns: int, values: int) -> bool:
    """Whether each value can be counted for each pattern: 50 million cells are 400 MB."""
    return patterns * values <= _COUNT_CELLS


def patterns_give_all(raters: int, values: int) -> bool:
    """Whether stored ratings have so few possible patterns that one pass counts them and all else follows from them.

    10 million scores from 0 to 100 of three raters (DuckDB): patterns 1.9 s; with moments and pairs in passes of
    their own 10.2 s more.
    """
    return raters * log(max(values, 1)) <= log(_FETCHED_PATTERNS)


def are_kept(cells: int) -> bool:
    """Whether features are kept for the next coefficient that asks: 4 million are 32 MB."""
    return cells <= _KEPT_CELLS


def are_cut_out(names: int) -> bool:
    """Whether different names are cut out of a file one by one, and not kept as bytes until somebody looks at them.

    1,000 names: 0.12 ms one by one, 0.03 ms kept; 200: 0.025 against 0.02.
    """
    return names <= _CUT_OUT


def are_left_out_apart(documents: int) -> bool:
    """Whether documents are left out one by one where features cannot be laid out: 30 raters x 1,500 items take 3 s."""
    return documents <= _DOCUMENTS_APART


def are_looked_for_at_once(signs: int) -> bool:
    """Whether signs of formats are looked for in the beginning of a file as it is, and not in its different lines.

    64 KB of ratings: 0.04 ms a sign, 0.17 ms for the different lines, in which a sign is found in no time.
    """
    return signs <= _FEW_SIGNS


def units_are_weighed(units: int, compared: float) -> bool:
    """Whether units are left out by comparing the items that each pair of raters shares, once, with each other.

    137 documents and 45 pairs of raters that share 1,500 items each, 1.4e10 products of two numbers, take 1.9 s: at the
    limit somebody waits three seconds.
    """
    return units * compared <= _WEIGHED_PRODUCTS


def are_left_out_for_a_note(raters: int, ratings: int) -> bool:
    """Whether each rater, item and rating is left out only to say how wide an interval over raters would be."""
    return raters <= _NOTED_RATERS and ratings <= _NOTED_RATINGS
