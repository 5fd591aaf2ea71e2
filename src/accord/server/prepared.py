"""The questions and insertions of every commit of saves, put together without building them anew each time.

Django builds a statement for each question, which costs more than the database needs to answer it. Values pass Django's
own converters on the way in and out, so a row is the same whichever way it came.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

__all__ = ["add", "every", "with_keys"]

_MOST_KEYS = 512
"""Of one question: any database takes that many."""
_AS_THEY_ARE = (
    models.CharField,
    models.TextField,
    models.IntegerField,
    models.FloatField,
    models.BooleanField,
    models.ForeignKey,
)
"""Fields whose values every database takes as they are."""

Row = TypeVar("Row", bound=models.Model)
_Converters = list[tuple[int, Callable[..., Any], Any]]


def with_keys(model: type[Row], keys: Collection[Any], names: tuple[str, ...]) -> dict[Any, Row]:
    """The rows with these primary keys, with these columns, the key first; a row fetches another when it is asked."""
    found: dict[Any, Row] = {}
    wanted = list(keys)
    for first in range(0, len(wanted), _MOST_KEYS):
        some = wanted[first : first + _MOST_KEYS]
        # Filled up to a power of two: so there are few statements, and the driver keeps them prepared.
        some += some[-1:] * ((1 << (len(some) - 1).bit_length()) - len(some))
        which = f" WHERE {_quoted(names[0])} IN ({', '.join(['%s'] * len(some))})"
        found |= {row.pk: row for row in _rows(model, names, which, some)}
    return found


def every(model: type[Row], names: tuple[str, ...]) -> list[Row]:
    """All rows of a small table, by their keys."""
    return list(_rows(model, names, f" ORDER BY {_quoted(names[0])}", []))


def add(rows: Sequence[models.Model]) -> None:
    """Insert rows of one table."""
    here = _here()
    fields = [field for field in rows[0]._meta.concrete_fields if not isinstance(field, models.AutoField)]
    columns = ", ".join(_quoted(field.column) for field in fields)
    one = f"({', '.join(['%s'] * len(fields))})"
    most = here.ops.bulk_batch_size(fields, rows)
    for first in range(0, len(rows), most):
        some = rows[first : first + most]
        with here.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {_quoted(rows[0]._meta.db_table)} ({columns}) "  # noqa: S608 - names of our own
                f"VALUES {', '.join([one] * len(some))}",
                [_for_database(field, getattr(row, field.attname), here) for row in some for field in fields],
            )


def _for_database(field: Any, value: Any, here: BaseDatabaseWrapper) -> Any:
    return value if isinstance(field, _AS_THEY_ARE) else field.get_db_prep_save(value, here)


def _rows(model: type[Row], names: tuple[str, ...], which: str, values: list[Any]) -> Iterator[Row]:
    here = _here()
    fields = _fields(model, names)
    columns = ", ".join(_quoted(field.column) for field in fields)
    converters = _converters(model, names, here.vendor)
    with here.cursor() as cursor:
        cursor.execute(f"SELECT {columns} FROM {_quoted(model._meta.db_table)}{which}", values)  # noqa: S608 - as above
        answers = cursor.fetchall()
    for answer in answers:
        row = list(answer)
        for place, convert, expression in converters:
            row[place] = convert(row[place], expression, here)
        yield model.from_db(here.alias, [field.attname for field in fields], row)


@lru_cache
def _converters(model: type[models.Model], names: tuple[str, ...], vendor: str) -> _Converters:
    """What Django does with the answers of this kind of database; of most columns nothing."""
    here = _here()
    columns = [field.get_col(model._meta.db_table) for field in _fields(model, names)]
    return [
        (place, convert, column)
        for place, column in enumerate(columns)
        for convert in (*here.ops.get_db_converters(column), *column.get_db_converters(here))
    ]


def _fields(model: type[models.Model], names: tuple[str, ...]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


def _quoted(name: str) -> str:
    return str(_here().ops.quote_name(name))


def _here() -> BaseDatabaseWrapper:
    """The database of the study that is served now: looked up once for a statement, not once for a value."""
    return connections[DEFAULT_DB_ALIAS]
