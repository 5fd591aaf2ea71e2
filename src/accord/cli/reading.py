"""The RATINGS argument and the column options of every command that reads ratings."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli.column_options import KeepAll, LeaveOut, Systems
from accord.cli.output import Form, chosen_form
from accord.cli.sanity_first import tell_first
from accord.design.scale import Level
from accord.errors import AccordError, OptionError, RatingsError
from accord.ratings.asked import OVERRULED
from accord.ratings.coding import MISSING_TOKENS
from accord.ratings.table import OPTIONAL_COLUMNS, Ratings

__all__ = [
    "Duplicates", "Engine", "in_memory", "names_how_to_read", "read_ratings", "reading_options", "reading_words",
    "say_overruled", "takes_counts", "takes_ratings",
]  # fmt: skip


class Duplicates(StrEnum):
    """What to do where one rater rated one item twice."""

    FIRST = "first"
    LAST = "last"
    MEAN = "mean"


class Engine(StrEnum):
    """Who counts ratings."""

    MEMORY = "memory"
    DUCKDB = "duckdb"
    SPARK = "spark"


def read_ratings(path: Path | str, **reading: Any) -> Ratings:
    """Ratings read into memory as the options of a command say, which are those of ``_OPTIONS``."""
    return in_memory(path, read_anything(str(path), **reading))


def in_memory(path: Path | str, ratings: Any) -> Ratings:
    """Ratings of this file, or an error where they are only counted."""
    if isinstance(ratings, Ratings):
        return ratings
    raise OptionError(
        f"{path} holds so many ratings that they are counted where they lie, and this command needs them in memory. "
        "accord agree takes them as they are; for the rest, take a part of them."
    )


def read_anything(path: str | Sequence[str], *, leave_out: Sequence[str] | None = None, **options: Any) -> Any:
    """Ratings, or a source of counts where they stay where they lie."""
    from accord.reading import read

    return read(path, leave_out=leave_out or (), **asked_reading(**options))


def asked_reading(
    *,
    item: Sequence[str] | None = None,
    value: Sequence[str] | str | None = None,
    columns: Sequence[str] = (),
    wide: bool = False,
    direction: Sequence[str] | None = None,
    duplicates: Duplicates | None = None,
    scale: Sequence[str] | str | None = None,
    missing: Sequence[str] | None = None,
    map_rater: Sequence[str] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The options of a command line as :func:`accord.read` takes them."""
    if missing:
        options["missing"] = (*MISSING_TOKENS, *missing)
    return options | {
        "item": _one_or_more(item), "value": _one_or_more(value), "columns": column_map(columns), "wide": wide or None,
        "direction": direction or None, "duplicates": None if duplicates is None else str(duplicates),
        "scale": scale if scale is None or isinstance(scale, str) else ("; ".join(scale) or None),
        "map_rater": _renamed(map_rater or ()),
    }  # fmt: skip


def _one_or_more(names: Sequence[str] | str | None) -> Sequence[str] | str | None:
    if not names or isinstance(names, str):
        return names or None
    return names[0] if len(names) == 1 else list(names)


def _renamed(pairs: Sequence[str]) -> Mapping[str, str] | None:
    """``ana=Ana`` and its like."""
    renamed = {}
    for pair in pairs:
        old, sign, new = pair.partition("=")
        if not (sign and old.strip() and new.strip()):
            raise OptionError(f"--map-rater {pair}: write it as OLD=NEW, for example --map-rater ana=Ana.")
        renamed[old.strip()] = new.strip()
    return renamed or None


def column_map(pairs: Sequence[str]) -> Mapping[str, str]:
    """``document=docId`` and its like, checked against the columns of the contract."""
    mapping = {}
    for pair in pairs:
        name, sign, column = pair.partition("=")
        if not (sign and name and column):
            raise OptionError(f"--map {pair}: write it as NAME=COLUMN, for example --map document=docId.")
        if name not in OPTIONAL_COLUMNS:
            raise OptionError(
                f"--map {pair}: {name!r} is not a column of ratings. Known: {', '.join(OPTIONAL_COLUMNS)}."
            )
        mapping[name] = column
    return mapping


_OPTIONS: dict[str, Any] = {
    "item": Annotated[
        list[str] | None, typer.Option(help="Column that names what was rated; repeat it where two columns do.")
    ],
    "rater": Annotated[str | None, typer.Option(help="Column that names who rated it.")],
    "value": Annotated[
        list[str] | None, typer.Option(help="Column that holds the rating; repeat it where each criterion has one.")
    ],
    "criterion": Annotated[str | None, typer.Option(help="Column that names what was judged, such as fluency.")],
    "columns": Annotated[
        list[str] | None,
        typer.Option("--map", metavar="NAME=COLUMN", help="Any other column, such as document=docId. Repeatable."),
    ],
    "level": Annotated[
        Level | None, typer.Option(help="Level of measurement; guessed if not given, and the guess is printed.")
    ],
    "scale": Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCALE",
            help="1,2,3 or bad<fair<good or 0..100 (0 100); fluency:1..4 for one criterion. Repeatable.",
        ),
    ],
    "direction": Annotated[
        list[str] | None,
        typer.Option(metavar="END", help="Which end is good: high or low; errors:low for one criterion. Repeatable."),
    ],
    "separator": Annotated[
        str | None, typer.Option(metavar="SIGN", help="Each value is a set of labels with this sign between them.")
    ],
    "encoding": Annotated[
        str | None, typer.Option(help="Encoding of the file, such as cp1250; recognised if not given.")
    ],
    "sheet": Annotated[
        str | None, typer.Option(metavar="NAME", help="Sheet of an Excel workbook, if not the main one.")
    ],
    "wide": Annotated[bool, typer.Option("--wide", help="The file has one column for each rater.")],
    "format": Annotated[str | None, typer.Option(help="Format of the file; recognised by its content if not given.")],
    "strict": Annotated[bool, typer.Option("--strict", help="Stop at any row that would be dropped or repaired.")],
    "duplicates": Annotated[
        Duplicates | None, typer.Option(help="Which rating counts where a rater rated an item twice.")
    ],
    "missing": Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD", help="Another word for no answer, such as 99; nothing more is guessed. Repeatable."
        ),
    ],
    "drop_off_scale": Annotated[
        bool, typer.Option("--drop-off-scale", help="Leave out values off the scale, declared or evident.")
    ],
    "map_rater": Annotated[
        list[str] | None,
        typer.Option("--map-rater", metavar="OLD=NEW", help="The rater OLD is the rater NEW. Repeatable."),
    ],
    "leave_out": LeaveOut,
    "keep_all": KeepAll,
    "systems": Systems,
}
_STORED: dict[str, Any] = {
    "engine": Annotated[
        Engine | None, typer.Option(help="What counts the ratings: duckdb or spark where the files lie, or memory.")
    ],
    "master": Annotated[
        str | None, typer.Option(metavar="URL", help="Spark master, such as spark://head:7077, with --engine spark.")
    ],
    "memory": Annotated[
        str | None, typer.Option(metavar="SIZE", help="Memory that DuckDB may use; 1.5GB if not given.")
    ],
}
_PATH = Annotated[
    str,
    typer.Argument(metavar="RATINGS", help="File of ratings (CSV, TSV, JSON lines, Parquet, xlsx), or a study folder."),
]
_PATHS = Annotated[
    list[str],
    typer.Argument(
        metavar="RATINGS", help="Files of ratings (CSV, TSV, JSON lines, Parquet, xlsx), a pattern, or a study folder."
    ),
]


def names_how_to_read(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that reads by itself the options that say how; it gets those that were given as ``reading``."""
    own = list(inspect.signature(command).parameters.values())
    own = [parameter for parameter in own if parameter.name != "reading"]
    names = [name for name in _OPTIONS if name not in {parameter.name for parameter in own} | set(_OF_RATERS)]

    @wraps(command)
    def run(**options: Any) -> None:
        given = {name: options.pop(name) for name in names}
        command(**options, reading=asked_reading(**{name: value for name, value in given.items() if value}))

    shared = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=False if _OPTIONS[name].__origin__ is bool else None,
            annotation=_OPTIONS[name],
        )
        for name in names
    ]
    run.__signature__ = inspect.Signature([*own, *shared])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *shared)}
    return run


_OF_RATERS = ("leave_out", "keep_all", "systems")
"""Options that say who counts, not how a file is read."""


def reading_options(options: dict[str, Any], choices: Mapping[str, Any] = _OPTIONS) -> dict[str, Any]:
    """Take the options that say how to read out of the options of a command."""
    reading = {name: options.pop(name) for name in choices}
    reading["columns"] = reading["columns"] or ()
    return reading


def say_overruled(ratings: Any) -> None:
    """Where ``--direction`` turns a declared good end round, say so whatever the command prints: winners change."""
    for note in getattr(ratings, "notes", ()):
        if note.startswith(OVERRULED):
            typer.echo(f"{note[:1].upper()}{note[1:]}.", err=True)


def _form_of(options: Mapping[str, Any]) -> Form:
    """The form that a command prints; a command without a choice prints words."""
    return chosen_form(**{form: bool(options.get(form)) for form in ("json", "csv", "markdown", "latex")})


_TOLD = {"keep_all", "strict", "read_as", "sanity"}
"""What a command may ask of the reading: whether everybody is kept, whether no row may be left out, the words that read
the same again, and what was said to be checked first, for ``--json``."""


def reading_words(path: Path | str | Sequence[str], reading: Mapping[str, Any]) -> tuple[str, ...]:
    """The words of a command line that read this file in this way again."""
    words = [str(path)] if isinstance(path, Path | str) else [str(one) for one in path]
    for name, value in reading.items():
        flag = "--map" if name == "columns" else f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value:
            each = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
            words += [word for one in each for word in (flag, str(one))]
    return tuple(words)


def takes_ratings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the RATINGS argument and the column options.

    The command is written as ``def agree(ratings: Ratings, by: ... = ...)``; on the command line
    ``ratings`` becomes the file and the options of this module, and the command receives what was read.
    """

    return _taking(command, _PATH, _OPTIONS, read_ratings)


def takes_counts(command: Callable[..., None]) -> Callable[..., None]:
    """The same for a command that also takes several files, and ratings that are counted where they lie."""

    def read(paths: Sequence[str], **reading: Any) -> Any:
        given = {name: value for name, value in reading.items() if value is not None}
        return read_anything(paths[0] if len(paths) == 1 else paths, **given)

    return _taking(command, _PATHS, _OPTIONS | _STORED, read)


def _taking(
    command: Callable[..., None], argument: Any, choices: Mapping[str, Any], read: Callable[..., Any]
) -> Callable[..., None]:
    own = list(inspect.signature(command).parameters.values())[1:]
    told = {parameter.name for parameter in own} & _TOLD
    own = [parameter for parameter in own if parameter.name not in told]
    usual = {parameter.name: parameter.default for parameter in own if parameter.name in _OF_STUDY}

    @wraps(command)
    def run(ratings: Any, **options: Any) -> None:
        reading = reading_options(options, choices)
        found = _read_with_condition(read, ratings, reading, options.get("condition"))
        say_overruled(found)
        sanity = tell_first(found, _form_of(options), quiet=options.get("quiet", False))
        if "sanity" in told:
            options["sanity"] = sanity
        options |= _by_contract(options, getattr(found, "contract_name", str))
        options |= {name: reading[name] for name in told & set(reading)}
        if "read_as" in told:
            options["read_as"] = reading_words(ratings, reading)
        for name, value in usual.items():
            if options[name] is None:
                options[name] = _of_study(found, name, value)
        command(found, **options)

    own = [_left_open(parameter) if parameter.name in usual else parameter for parameter in own]
    keyword = inspect.Parameter.KEYWORD_ONLY
    shared = [
        inspect.Parameter(name, keyword, default=False if kind.__origin__ is bool else None, annotation=kind)
        for name, kind in choices.items()
    ]
    path = inspect.Parameter("ratings", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=argument)
    parameters = [path, *shared, *(parameter.replace(kind=keyword) for parameter in own)]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _read_with_condition(read: Callable[..., Any], source: Any, reading: dict[str, Any], condition: Any) -> Any:
    """What was read; where only the column of ``--condition`` tells two ratings of one item apart, it does so."""
    try:
        return read(source, **reading)
    except RatingsError as refused:
        if not isinstance(condition, str) or any(pair.startswith("condition=") for pair in reading["columns"]):
            raise
        try:
            return read(source, **reading | {"columns": (*reading["columns"], f"condition={condition}")})
        except AccordError:
            raise refused from None


_OF_STUDY = ("seed", "confidence")
"""Options that a study answers where the user does not: its seed, and the confidence that its plan declares."""
_COLUMNS = ("by", "pool", "condition", "unit", "between", "of", "task", "test_set", "metric")
"""Options of commands that name columns of the ratings."""


def _by_contract(options: Mapping[str, Any], contract_name: Callable[[str], str]) -> dict[str, Any]:
    """The options that name columns, with the names that the table of ratings has for the user's own."""

    def name(given: Any) -> Any:
        return contract_name(given) if isinstance(given, str) else given

    return {
        option: [name(one) for one in given] if isinstance(given, list) else name(given)
        for option, given in options.items()
        if option in _COLUMNS
    }


def _left_open(option: inspect.Parameter) -> inspect.Parameter:
    """An option without a default on the command line: a study brings its own."""
    kind, said = option.annotation.__origin__, option.annotation.__metadata__[0]
    usual = "" if option.default is None else f"; that of the study if not given, else {option.default}"
    help_words = f"{said.help.rstrip('.')}{usual}."
    words = typer.Option(help=help_words, metavar=said.metavar)
    return option.replace(default=None, annotation=Annotated[kind | None, words])


def _of_study(ratings: Any, name: str, usual: Any) -> Any:
    """What the study that the ratings come from says, so that every page and command says the same."""
    codebook = getattr(ratings, "codebook", None)
    declared = getattr(codebook.study, name) if codebook is not None else None
    return usual if declared is None else declared
