"""Columns of the contract as options of their own (``--system sys_id`` for ``--map system=sys_id``), who counts, what
is pooled."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

__all__ = ["KeepAll", "LeaveOut", "Pool", "Systems", "Where", "names_columns"]

Pool = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN", help="Analyse the parts of this column together, such as phase; otherwise apart. Repeatable."
    ),
]

LeaveOut = Annotated[
    list[str] | None, typer.Option("--leave-out", metavar="RATER", help="Leave out this rater. Repeatable.")
]
KeepAll = Annotated[
    bool, typer.Option("--keep-all", help="Keep raters whom a gate, a rule or the organiser leaves out.")
]
Systems = Annotated[
    bool, typer.Option("--systems", help="Of a study folder: name the systems instead of system-1, system-2.")
]
Where = Annotated[
    list[str] | None, typer.Option(metavar="COLUMN=NAME", help="Use only these rows, such as lp=csen. Repeatable.")
]

_HELP = {
    "system": "Column that names the system.",
    "document": "Column that names the document, the unit of chance.",
    "segment": "Column that names the source segment (numbered within documents).",
    "role": "Column that tells system, repeat, reference and degraded items apart.",
    "batch": "Column that names the task (HIT) a rating was made in.",
    "time_s": "Column with the seconds a task (HIT) took.",
}


def names_columns(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command that takes ratings an option for each of these columns."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**options: Any) -> None:
            given = {name: options.pop(name) for name in names}
            pairs = [f"{name}={column}" for name, column in given.items() if column is not None]
            options["columns"] = [*(options["columns"] or ()), *pairs]
            command(**options)

        own = inspect.signature(command)
        flags = {name: f"--{name.removesuffix('_s').replace('_', '-')}" for name in names}
        added = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[str | None, typer.Option(flags[name], metavar="COLUMN", help=_HELP[name])],
            )
            for name in names
        ]
        parameters = [*own.parameters.values(), *added]
        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return run

    return decorate
