"""The questions and insertions of every commit of saves, put together without building them anew each time.

Django builds a statement for each question, an object for each row and a cursor around each cursor, which costs more
than the database needs to answer. Here a row is a tuple with the names that the model has, and the driver of the
database is asked directly. Values pass Django's own converters on the way in and out, so a row is the same whichever
way it came.
"""

import json
from collections import namedtuple
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DataError, IntegrityError, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

from accord.records import dataclass

__all__ = ["NewRow", "add", "every", "with_keys"]

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
_SAVEPOINT = "SAVEPOINT accord_rows"

_KEPT: dict[str, dict[str, bool]] = {"sqlite": {}, "postgresql": {"prepare": True}}
"""How a driver is told that a statement comes again."""

_Model = type[models.Model]
_Converters = list[tuple[int, Callable[..., Any], Any]]


@dataclass(frozen=True, slots=True)
class NewRow:
    """A row to be added: its values by the names of their columns; what is left out is the default of its field."""

    model: _Model
    values: Mapping[str, Any]


def with_keys(model: _Model, keys: Collection[Any], names: tuple[str, ...]) -> dict[Any, Any]:
    """The rows with these primary keys, with these columns, the key first, as tuples with names."""
    found: dict[Any, Any] = {}
    wanted = list(keys)
    for first in range(0, len(wanted), _MOST_KEYS):
        found |= {row[0]: row for row in _rows(model, names, wanted[first : first + _MOST_KEYS])}
    return found


def every(model: _Model, names: tuple[str, ...]) -> list[Any]:
    """All rows of a small table, by their keys."""
    return _rows(model, names, [])


def add(rows: Sequence[NewRow]) -> None:
    """Insert rows of one table inside of a transaction: all of them or, where one is refused, none."""
    here, model = _here(), rows[0].model
    _asked(here, _SAVEPOINT, [])
    try:
        with here.wrap_database_errors:
            if here.vendor == "postgresql":
                _cursor(here).execute(_insertion(model, here.vendor), [_as_json(rows)], prepare=True)
            else:
                here.connection.executemany(_insertion(model, here.vendor), _as_tuples(rows, here))
    except (IntegrityError, DataError):
        _asked(here, f"ROLLBACK TO {_SAVEPOINT}", [])
        raise


def _as_json(rows: Sequence[NewRow]) -> str:
    """For PostgreSQL: one statement with one value however many rows there are, and it takes them apart itself."""
    columns = _written(rows[0].model)
    return json.dumps([{column.name: _value(column, row) for column in columns} for row in rows], default=str)


def _as_tuples(rows: Sequence[NewRow], here: BaseDatabaseWrapper) -> list[list[Any]]:
    columns = _written(rows[0].model)
    # Nearly all moments of a commit are the same one: each is put into the words of the database once.
    known: dict[Any, Any] = {}
    return [[_for_database(column, _value(column, row), here, known) for column in columns] for row in rows]


def _value(column: "_Column", row: NewRow) -> Any:
    return row.values[column.name] if column.name in row.values else column.field.get_default()


def _for_database(column: "_Column", value: Any, here: BaseDatabaseWrapper, known: dict[Any, Any]) -> Any:
    if value is None or column.is_taken_as_it_is:
        return value
    if not column.is_moment:
        return column.field.get_db_prep_save(value, here)
    if value not in known:
        known[value] = column.field.get_db_prep_save(value, here)
    return known[value]


def _rows(model: _Model, names: tuple[str, ...], keys: list[Any]) -> list[Any]:
    here = _here()
    row_of = _row_type(model, names)
    converters = _converters(model, names, here.vendor)
    if here.vendor == "postgresql":
        answers = _asked(here, _question(model, names, len(keys[:1]), here.vendor), [keys] if keys else [])
    else:
        # Filled up to a power of two: so there are few statements, and the driver keeps them prepared.
        filled = keys + keys[-1:] * ((1 << (len(keys) - 1).bit_length()) - len(keys)) if keys else []
        answers = _asked(here, _question(model, names, len(filled), here.vendor), filled)
    if not converters:
        return [row_of._make(answer) for answer in answers]
    found = []
    for answer in answers:
        row = list(answer)
        for place, convert, expression in converters:
            row[place] = convert(row[place], expression, here)
        found.append(row_of._make(row))
    return found


def _asked(here: BaseDatabaseWrapper, statement: str, values: list[Any]) -> list[Any]:
    if not here.in_atomic_block:
        # What Django does before every question, and where a transaction begins.
        here.close_if_health_check_failed()
        here.ensure_connection()
    with here.wrap_database_errors:
        cursor = _cursor(here).execute(statement, values, **_KEPT[here.vendor])
        return list(cursor.fetchall()) if cursor.description else []


def _cursor(here: BaseDatabaseWrapper) -> Any:
    """Of the driver. Django's for PostgreSQL writes values into the statement, so that it is never the same twice."""
    if here.vendor != "postgresql":
        return here.connection.cursor()
    from psycopg import Cursor

    return Cursor(here.connection)


@lru_cache
def _question(model: _Model, names: tuple[str, ...], keys: int, vendor: str) -> str:
    """For rows with so many keys; for all of them, in their order, where there is none."""
    columns = [_quoted(field.column) for field in _fields(model, names)]
    some = "= ANY(%s)" if vendor == "postgresql" else f"IN ({', '.join('?' * keys)})"
    which = f"WHERE {columns[0]} {some}" if keys else f"ORDER BY {columns[0]}"
    return f"SELECT {', '.join(columns)} FROM {_quoted(model._meta.db_table)} {which}"  # noqa: S608 - names of our own


@lru_cache
def _insertion(model: _Model, vendor: str) -> str:
    fields = [column.field for column in _written(model)]
    start = f"INSERT INTO {_quoted(model._meta.db_table)} ({', '.join(_quoted(field.column) for field in fields)})"
    if vendor != "postgresql":
        return f"{start} VALUES ({', '.join('?' * len(fields))})"
    names = ", ".join(_quoted(field.attname) for field in fields)
    kinds = ", ".join(f"{_quoted(field.attname)} {_kind(field)}" for field in fields)
    return f"{start} SELECT {names} FROM json_to_recordset(%s) AS new({kinds})"  # noqa: S608


def _kind(field: Any) -> str:
    """Of a column; texts as texts: read as texts of a length they would be cut off in silence, and not refused."""
    kind = str(field.db_type(_here()))
    return "text" if kind.startswith("varchar") else kind


@dataclass(frozen=True, slots=True)
class _Column:
    """What is to be done with the values of a field, found out once."""

    field: Any
    name: str
    is_taken_as_it_is: bool
    is_moment: bool


@lru_cache
def _written(model: _Model) -> list[_Column]:
    return [
        _Column(field, field.attname, isinstance(field, _AS_THEY_ARE), isinstance(field, models.DateTimeField))
        for field in model._meta.concrete_fields
        if not isinstance(field, models.AutoField)
    ]


@lru_cache
def _row_type(model: _Model, names: tuple[str, ...]) -> Any:
    """A tuple whose names are those of the model, the key also as ``pk``."""
    columns = [field.attname for field in _fields(model, names)]
    return type(model.__name__, (namedtuple("_Row", columns),), {"__slots__": (), "pk": property(itemgetter(0))})


@lru_cache
def _converters(model: _Model, names: tuple[str, ...], vendor: str) -> _Converters:
    """What Django does with the answers of this kind of database; of most columns nothing."""
    here = _here()
    columns = [field.get_col(model._meta.db_table) for field in _fields(model, names)]
    return [
        (place, convert, column)
        for place, column in enumerate(columns)
        for convert in (*here.ops.get_db_converters(column), *column.get_db_converters(here))
    ]


def _fields(model: _Model, names: tuple[str, ...]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


def _quoted(name: str) -> str:
    return str(_here().ops.quote_name(name))


def _here() -> BaseDatabaseWrapper:
    """The database of the study that is served now: looked up once for a statement, not once for a value."""
    return connections[DEFAULT_DB_ALIAS]
