"""Where in a TOML text a value stands: its line, by the path that leads to it."""

import re
from collections.abc import Sequence

__all__ = ["TomlLines"]

Path = tuple[str | int, ...]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_QUOTES = ('"""', "'''")


class TomlLines:
    """Lines of tables and keys, found by scanning the text; the parser itself keeps no places."""

    def __init__(self, text: str) -> None:
        self._line: dict[Path, int] = {}
        self._count: dict[Path, int] = {}
        self._scan(text)

    def line(self, path: Sequence[str | int]) -> int | None:
        """The line of this value, or of the nearest thing around it."""
        place = tuple(path)
        while place:
            if place in self._line:
                return self._line[place]
            place = place[:-1]
        return None

    def _scan(self, text: str) -> None:
        table: Path = ()
        inside = ""
        for number, line in enumerate(text.split("\n"), start=1):
            if inside:
                inside = "" if inside in line else inside
                continue
            if header := _HEADER.match(line):
                table = self._enter(header[1] == "[[", _parts(header[2]))
                self._line.setdefault(table, number)
            elif key := _KEY.match(line):
                self._line.setdefault((*table, *_parts(key[1])), number)
            inside = _opened(line)

    def _enter(self, is_array: bool, names: list[str]) -> Path:
        """The path of a table; a name of an array of tables means its latest member."""
        path: Path = ()
        for place, name in enumerate(names):
            path = (*path, name)
            last = place == len(names) - 1
            if last and is_array:
                self._count[path] = self._count.get(path, 0) + 1
            if path in self._count:
                path = (*path, self._count[path] - 1)
        return path


def _parts(dotted: str) -> list[str]:
    found: list[str] = re.findall(r"\"[^\"]*\"|'[^']*'|[A-Za-z0-9_-]+", dotted)
    return [part.strip("\"'") for part in found]


def _opened(line: str) -> str:
    """The long quotation mark that a line opens and does not close."""
    for mark in _QUOTES:
        if line.count(mark) % 2 == 1:
            return mark
    return ""
