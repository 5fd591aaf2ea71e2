"""Make docs/reference/python.md from the docstrings of every public name."""

import inspect
import re
import sys
from enum import StrEnum
from pathlib import Path

import accord

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "python.md"
HEAD = """# Python

Everything public is imported from `accord`; the rest may change. Each example runs in a folder with the example files
of this documentation. A name with `()` is a method; the others of a class are read without.
This page is made from the docstrings by `tools/make_python_page.py`.

"""
_SECTION = re.compile(r"^([A-Z][a-z]+)\n-+$", re.MULTILINE)
_BY_NAME = "    *,"
"""Stands before the parameters that are given by name."""


def page() -> str:
    """The whole page."""
    names = [name for name in accord.__all__ if name != "__version__"]
    functions = [name for name in names if inspect.isfunction(getattr(accord, name))]
    others = [name for name in names if name not in functions]
    parts = [f"## {title}\n\n" + "\n".join(map(entry, some)) for title, some in
             (("Functions", functions), ("What they give and take", others))]  # fmt: skip
    return HEAD + "\n".join(parts)


def entry(name: str) -> str:
    """One public name: its signature, its words, its public methods."""
    thing = getattr(accord, name)
    lines = [f"### `accord.{name}`", ""]
    if inspect.isfunction(thing):
        lines += ["```text", f"{name}{_signature(thing)}", "```", ""]
    lines += [_words(inspect.getdoc(thing) or ""), ""]
    if inspect.isclass(thing):
        lines += [*_methods(thing), ""]
    return "\n".join(lines)


def _signature(function: object) -> str:
    """One parameter a line, without the modules of the types; those after ``*`` are given by name."""
    lines: list[str] = []
    for one in inspect.signature(function).parameters.values():  # type: ignore[arg-type]
        if one.kind is inspect.Parameter.KEYWORD_ONLY and _BY_NAME not in lines:
            lines.append(_BY_NAME)
        # A user writes the word of a choice, not its class.
        shown = one.replace(default=str(one.default)) if isinstance(one.default, StrEnum) else one
        text = re.sub(r"[a-z_]+[.](?=[A-Za-z_])", "", str(shown))
        text = re.sub(r"[*]<class '(\w+)'>", r"Unpack[\1]", text)
        if isinstance(one.annotation, str):
            text = text.replace(repr(one.annotation), one.annotation)
        lines.append(f"    {text},")
    return "(\n" + "\n".join(lines) + "\n)"


def _words(text: str) -> str:
    """Sections of a docstring as bold words, parameters as a list, examples as Python."""
    text = re.sub(r":(?:func|class|meth):`~?([^`]+)`", lambda match: f"`{match[1].split('.')[-1]}`", text)
    text = text.replace("``", "`")
    head, *rest = _SECTION.split(text)
    parts = [head.strip()]
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        body = body.strip("\n")
        shown = f"```pycon\n{inspect.cleandoc(body)}\n```" if title == "Examples" else _listed(body)
        parts.append(f"**{title}**\n\n{shown}")
    return "\n\n".join(parts)


def _listed(body: str) -> str:
    """``name`` and its indented words as one line of a list."""
    found = re.findall(r"^(\S.*)\n((?:[ ]{4}.*\n?)*)", body + "\n", re.MULTILINE)
    return "\n".join(f"- `{name}`: {' '.join(words.split())}" if words.strip() else name for name, words in found)


def _methods(kind: type) -> list[str]:
    """Public methods, with (), and properties, with the first sentence of each."""
    told = []
    for name, member in sorted(vars(kind).items()):
        text = inspect.getdoc(member)
        if name.startswith("_") or not text or not (callable(member) or isinstance(member, property)):
            continue
        shown = name if isinstance(member, property) else f"{name}()"
        told.append(f"- `{shown}`: {text.split(chr(10) + chr(10))[0].replace(chr(10), ' ').replace('``', '`')}")
    return told


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n")
