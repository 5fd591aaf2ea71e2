"""The rows that somebody asks for by ``COLUMN=NAME``, as --where of every command takes them."""

from collections.abc import Callable, Mapping, Sequence

from accord.errors import ColumnError, OptionError
from accord.ratings.table import Ratings

__all__ = ["asked_rows", "nothing_left", "only_rows"]


def asked_rows(
    where: Sequence[str], columns: Sequence[str], contract_name: Callable[[str], str] = str
) -> Mapping[str, list[str]]:
    """The names asked for in each column; several names of one column are joined by 'or'."""
    wanted: dict[str, list[str]] = {}
    for pair in where:
        column, sign, name = pair.partition("=")
        if not (column and sign):
            raise OptionError(f"--where {pair}: write it as COLUMN=NAME, for example --where lp=csen.")
        known = contract_name(column)
        if known not in ("item", "rater") and known not in columns:
            raise ColumnError(f"--where {pair}: there is no column {column!r}. Known: {', '.join(columns)}.")
        wanted.setdefault(known, []).append(name)
    return wanted


def nothing_left(where: Sequence[str]) -> OptionError:
    """What is said where no row has these names."""
    return OptionError(f"No rating is left with --where {' --where '.join(where)}.")


def only_rows(ratings: Ratings, where: Sequence[str]) -> Ratings:
    """The ratings with these names."""
    wanted = asked_rows(where, tuple(ratings.columns), ratings.contract_name)
    kept = ratings.only(**wanted) if wanted else ratings
    if len(kept) == 0:
        raise nothing_left(where)
    if len(wanted.get("criterion", ())) == 1:
        # A criterion by itself has its own scale: numbers, though another criterion of the file has names.
        return next(kept.split(["criterion"])).ratings
    return kept
