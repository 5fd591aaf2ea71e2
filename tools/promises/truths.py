"""True values of the designs, each found once by one very large draw and written down."""

import json
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

__all__ = ["drawn_anew", "known", "save", "written_down"]

_FILE = Path(__file__).parent / "recorded" / "truths.json"
_DRAWS: dict[str, Callable[..., Any]] = {}


def written_down(draw: Callable[..., Any]) -> Callable[..., Any]:
    """Take the result of a function of plain values (a number or a list of them) from the file; draw what is not there.

    The draws took a third of the fast version's time. A test of the long suite draws them all again.
    """
    name = f"{draw.__module__.removeprefix('promises.')}.{draw.__name__}"
    _DRAWS[name] = draw

    @wraps(draw)
    def found(*given: Any) -> Any:
        truths, key = known().setdefault(name, {}), json.dumps(given)
        if key not in truths:
            truths[key] = draw(*given)
        return truths[key]

    return cache(found)


@cache
def known() -> dict[str, dict[str, Any]]:
    """What was written down, by function and arguments."""
    return dict(json.loads(_FILE.read_text(encoding="utf-8"))) if _FILE.exists() else {}


def drawn_anew(name: str, given: str) -> Any:
    """The truth of a function and its arguments, as they stand in the file, by a new draw."""
    return _DRAWS[name](*(tuple(one) if isinstance(one, list) else one for one in json.loads(given)))


def save(*, anew: bool = False) -> None:
    """Write down what is known, or all of it drawn anew."""
    if anew:
        for name, truths in known().items():
            truths.update({given: drawn_anew(name, given) for given in truths})
    _FILE.write_text(json.dumps(known(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
