"""The questions and insertions of every commit of saves, put together without building them anew each time.

Django builds a statement for each question and an object for each row, which costs more than the database needs to
answer. Here a row is a tuple with the names that the model has. Values pass Django's own converters on the way in and
out, so a row is the same whichever way it came.
"""

from collections import namedtuple
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models
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
        some = wanted[first : first + _MOST_KEYS]
        # Filled up to a power of two: so there are few statements, and the driver keeps them prepared.
        some += some[-1:] * ((1 << (len(some) - 1).bit_length()) - len(some))
        found |= {row[0]: row for row in _rows(model, names, len(some), some)}
    return found


def every(model: _Model, names: tuple[str, ...]) -> list[Any]:
    """All rows of a small table, by their keys."""
    return _rows(model, names, 0, [])


def add(rows: Sequence[NewRow]) -> None:
    """Insert rows of one table."""
    here, model = _here(), rows[0].model
    fields = _written_fields(model)
    most = here.ops.bulk_batch_size(fields, rows)
    # Nearly all moments of a commit are the same one: each is put into the words of the database once.
    known: dict[Any, Any] = {}
    for first in range(0, len(rows), most):
        some = rows[first : first + most]
        values = [_for_database(field, row.values, here, known) for row in some for field in fields]
        with here.cursor() as cursor:
            cursor.execute(_insertion(model, len(some), here.vendor), values)


def _for_database(field: Any, values: Mapping[str, Any], here: BaseDatabaseWrapper, known: dict[Any, Any]) -> Any:
    value = values[field.attname] if field.attname in values else field.get_default()
    if value is None or isinstance(field, _AS_THEY_ARE):
        return value
    if not isinstance(field, models.DateTimeField):
        return field.get_db_prep_save(value, here)
    if value not in known:
        known[value] = field.get_db_prep_save(value, here)
    return known[value]


def _rows(model: _Model, names: tuple[str, ...], keys: int, values: list[Any]) -> list[Any]:
    here = _here()
    row_of = _row_type(model, names)
    converters = _converters(model, names, here.vendor)
    with here.cursor() as cursor:
        cursor.execute(_question(model, names, keys, here.vendor), values)
        answers = cursor.fetchall()
    if not converters:
        return [row_of._make(answer) for answer in answers]
    found = []
    for answer in answers:
        row = list(answer)
        for place, convert, expression in converters:
            row[place] = convert(row[place], expression, here)
        found.append(row_of._make(row))
    return found


@lru_cache
def _question(model: _Model, names: tuple[str, ...], keys: int, vendor: str) -> str:
    """For rows with so many keys; for all of them, in their order, where there is none."""
    columns = [_quoted(field.column) for field in _fields(model, names)]
    which = f"WHERE {columns[0]} IN ({', '.join(['%s'] * keys)})" if keys else f"ORDER BY {columns[0]}"
    return f"SELECT {', '.join(columns)} FROM {_quoted(model._meta.db_table)} {which}"  # noqa: S608 - names of our own


@lru_cache
def _insertion(model: _Model, rows: int, vendor: str) -> str:
    fields = _written_fields(model)
    columns = ", ".join(_quoted(field.column) for field in fields)
    one = f"({', '.join(['%s'] * len(fields))})"
    return f"INSERT INTO {_quoted(model._meta.db_table)} ({columns}) VALUES {', '.join([one] * rows)}"  # noqa: S608


@lru_cache
def _written_fields(model: _Model) -> list[Any]:
    return [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]


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
