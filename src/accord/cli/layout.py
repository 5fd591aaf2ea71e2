"""How an answer is set in a terminal: sentences beside the names they are about, a small table, then the rest."""

import re
import shutil
import sys
from collections.abc import Sequence
from textwrap import wrap

from accord.tables.table import Table

__all__ = ["WIDTH", "columns_of", "labelled", "paragraphs", "print_answer", "say", "small_table", "wrapped"]

WIDTH = 100
_LONGEST_NAME = 24


def columns_of() -> int:
    """The room there is: at most a hundred columns, as longer lines are hard to read."""
    if not sys.stdout.isatty():
        return WIDTH
    return max(60, min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns))


def wrapped(text: str, indent: str = "") -> list[str]:
    """One paragraph, its further lines indented."""
    return _wrap(text, "", indent) or [""]


def say(text: str) -> None:
    """Print one paragraph."""
    sys.stdout.write("\n".join(wrapped(text, indent="  ")) + "\n")


def _wrap(text: str, first: str, further: str) -> list[str]:
    """Lines of words; what stands in short brackets, such as (γ 0.80), and p = .012 are not torn apart."""
    held = re.sub(r"\((\S+) (\S+)\)", "(\\1\N{NO-BREAK SPACE}\\2)", text)
    held = re.sub(r"\bp ([=<]) (?=\.?\d)", "p\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", held)
    lines = wrap(
        held, columns_of(), initial_indent=first, subsequent_indent=further, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def paragraphs(named: Sequence[tuple[str, str]]) -> list[str]:
    """Sentences beside the names they are about; a name that is too long stands above its sentences."""
    longest = max((len(name) for name, _ in named), default=0)
    room = min(longest, _LONGEST_NAME) + 3
    lines = []
    for name, text in named:
        if len(name) > room - 2:
            lines.append(name)
            name = ""
        lines += _wrap(text, name.ljust(room), " " * room)
    return lines


def labelled(named: Sequence[tuple[str, str]], indent: int = 0, most: int = 2) -> list[str]:
    """Short labels with a line or two each; what is longer is cut, as the whole can be asked for."""
    room = indent + max(len(name) for name, _ in named) + 3
    lines = []
    for name, text in named:
        own = _wrap(text, f"{' ' * indent}{name}".ljust(room), " " * room)
        lines += own if len(own) <= most else [*own[: most - 1], _cut(own[most - 1], room)]
    return lines


def _cut(line: str, room: int) -> str:
    """A line that something followed: it ends after a clause where one ends late in it, else after a word."""
    words = line[: columns_of() - 2].rsplit(" ", 1)[0] if len(line) > columns_of() - 2 else line
    clause = max(words.rfind(mark) for mark in (", ", "; ", ": "))
    late = room + (columns_of() - room) // 2
    return f"{(words[:clause] if clause >= late else words).rstrip(' ,;:')} …"


def small_table(table: Table) -> list[str]:
    """The rows of a table without its title and notes, lines as they stand."""
    lines = table.to_plain().rstrip("\n").split("\n")
    return lines[1 : len(lines) - len(table.notes)]


def print_answer(blocks: Sequence[Sequence[str]]) -> None:
    """Print blocks of lines with an empty line between them; the first line is bold where somebody looks at it."""
    text = [list(block) for block in blocks if block]
    if sys.stdout.isatty() and text:
        from rich.console import Console
        from rich.text import Text

        console = Console(highlight=False, soft_wrap=True)
        console.print(Text(text[0][0], style="bold"))
        text[0] = text[0][1:]
    sys.stdout.write("\n\n".join("\n".join(block) for block in text) + "\n")
