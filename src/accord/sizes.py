"""At which size another way is taken, each with what was measured: the one place to look, and to change.

Times are processor time of one thread, as ``tools/measure_sizes.py`` prints them; they change with the machine, their
ratios hardly do. A rule looks at sizes only, never at a
clock: the same ratings give the same answer everywhere. How intervals are chosen is in :mod:`accord.reliability.ways`.
"""

__all__ = [
    "BLOCK_CELLS", "count_tables", "few_cells", "few_patterns", "fits", "is_dense", "keys_are_counted",
    "meet_rarely", "pairs_are_multiplied",
]  # fmt: skip

_BLOCK_WIDTH = 20_000
BLOCK_CELLS = 20_000_000
"""The most features x patterns that are laid out: 160 MB."""
_COMPARED_PATTERNS = 1_500
_TABLE_CELLS = 150_000
_FORMED_TABLE_CELLS = 30_000_000
_FORMED_VALUES = 10
_PRODUCT_WIDTH = 2_000
_PRODUCT_COST = 400
_ITEMS_A_KEY = 4
_MULTIPLIED_VALUES = 7
_MULTIPLIED_WIDTH = 512
_MULTIPLIED_MEETINGS = 1_000_000
_RARE_MEETINGS = 50
_MOST_MEETINGS = 20_000_000


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


def few_cells(values: int) -> bool:
    """Whether a table has so few cells that order is a quadratic form in them.

    10,000 tables of 5 x 5: 3 ms as a form, 11 ms by running sums; of 10 x 10: 15 against 45 ms. A form grows with
    the fourth power of the values.
    """
    return values <= _FORMED_VALUES


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
