"""Where in a JSON text a value stands: its line, by the path that leads to it."""

import json
import re
from collections.abc import Sequence

__all__ = ["JsonPlaces"]

Path = tuple[str | int, ...]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


class JsonPlaces:
    """Lines of values, found by scanning the text; the parser itself keeps no places."""

    def __init__(self, text: str) -> None:
        self._line: dict[Path, int] = {}
        self._scan(text)

    def line(self, path: Sequence[str | int]) -> int | None:
        """The line of this value, or of the nearest thing around it."""
        place = tuple(path)
        while place and place not in self._line:
            place = place[:-1]
        return self._line.get(place)

    def _scan(self, text: str) -> None:
        """Only for text that is JSON: a stack of what is open, and the name or number that the next value has."""
        self._line[()] = 1
        path: list[str | int] = []
        waiting = ""
        line, seen = 1, 0
        for token in _TOKEN.finditer(text):
            line += text.count("\n", seen, token.start())
            seen = token.start()
            word = token[0]
            if word in "{[":
                self._line.setdefault(tuple(path), line)
                path.append(0 if word == "[" else "")
            elif word in "}]":
                path.pop()
            elif word == ",":
                path[-1] = path[-1] + 1 if isinstance(path[-1], int) else ""
            elif word == ":":
                path[-1] = waiting
                self._line.setdefault(tuple(path), line)
            else:
                waiting = json.loads(word) if word.startswith('"') else ""
                self._line.setdefault(tuple(path), line)
