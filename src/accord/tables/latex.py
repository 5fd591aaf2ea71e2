r"""One table as LaTeX that fits the page: needs \usepackage{array,booktabs,longtable}."""

import re
from collections.abc import Sequence
from functools import partial
from math import ceil

__all__ = ["PACKAGES", "latex_table"]

PACKAGES = r"\usepackage{array,booktabs,longtable}"

_SHORT = 14
_LEAST = 12
_EASY = 24
_PAGE = 35
_TIGHT = r"\setlength{\tabcolsep}{3pt}"
_SIZES = (
    ("", 68.0, 2.4),
    (r"\small", 74.0, 2.6),
    (rf"\footnotesize{_TIGHT}", 83.0, 1.5),
    (rf"\scriptsize{_TIGHT}", 92.0, 1.7),
)
"""How letters may be set: letters on a line of a one-column article, and those that the space between columns takes."""


def latex_table(
    title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool], notes: Sequence[str]
) -> str:
    """A booktabs table: words wrap where they would run off the page, and a long table goes on over pages."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    size, line, rooms = _rooms(widths)
    shape = "".join(map(partial(_column, line), rooms, numbers))
    top = [r"\toprule", " & ".join(map(_cell, heads, rooms)) + r" \\", r"\midrule"]
    body = [" & ".join(map(_cell, row, rooms)) + r" \\" for row in rows]
    below = [rf"\par\small {_tex(note)}" for note in notes]
    if sum(_height(row, rooms) for row in rows) > _PAGE:
        lines = [
            "{", *size, rf"\begin{{longtable}}{{{shape}}}", rf"\caption{{{_tex(title)}}}\\",
            *top, r"\endfirsthead", *top, r"\endhead", r"\bottomrule", r"\endlastfoot", *body, r"\end{longtable}",
            *below, r"\par", "}",
        ]  # fmt: skip
    else:
        lines = [
            r"\begin{table}", r"\centering", rf"\caption{{{_tex(title)}}}", *size, rf"\begin{{tabular}}{{{shape}}}",
            *top, *body, r"\bottomrule", r"\end{tabular}", *below, r"\end{table}",
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _rooms(widths: Sequence[int]) -> tuple[list[str], float, list[float]]:
    """Size of the letters, the letters on a line, and the room of each column that must wrap (0 for the others)."""
    _, line, gap = _SIZES[0]
    if sum(widths) + gap * len(widths) <= line:
        return [], line, [0.0] * len(widths)
    wordy = [width if width > _SHORT else 0 for width in widths]
    fixed = sum(widths) - sum(wordy)
    easy, least = (sum(min(width, most) for width in wordy) for most in (_EASY, _LEAST))
    fitting = [one for one in _SIZES if one[1] - fixed - one[2] * len(widths) >= easy]
    size, line, gap = fitting[0] if fitting else _SIZES[-1]
    return [size] if size else [], line, _shared(wordy, max(line - fixed - gap * len(widths), least))


def _column(line: float, room: float, number: bool) -> str:
    if room:
        side = r"\raggedleft" if number else r"\raggedright"
        return rf">{{{side}\arraybackslash}}p{{{room / line:.3f}\linewidth}}"
    return "r" if number else "l"


def _height(row: Sequence[str], rooms: Sequence[float]) -> int:
    """Lines that a row takes."""
    return max(ceil(len(cell) / room) if room else 1 for cell, room in zip(row, rooms, strict=True))


def _shared(widths: Sequence[int], left: float) -> list[float]:
    """Room for each wordy column: what it needs if that is little, else an even part of what is left."""
    parts = [0.0] * len(widths)
    waiting = [place for place in sorted(range(len(widths)), key=widths.__getitem__) if widths[place]]
    for done, place in enumerate(waiting):
        parts[place] = min(float(widths[place]), left / (len(waiting) - done))
        left -= parts[place]
    return parts


_TEX = str.maketrans({
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "α": r"$\alpha$", "κ": r"$\kappa$", "γ": r"$\gamma$",
    "π": r"$\pi$", "ρ": r"$\rho$", "τ": r"$\tau$", "±": r"$\pm$", "–": "--", "≥": r"$\geq$", "≤": r"$\leq$",
    "<": r"$<$", ">": r"$>$", "|": r"\textbar{}", "Δ": r"$\Delta$", "×": r"$\times$", "−": "$-$", "∞": r"$\infty$",
})  # fmt: skip


def _tex(text: str) -> str:
    """Text as it stands: signs of LaTeX escaped, a minus before a number as one, two hyphens not run into a dash."""
    held = re.sub("-(?=-)", "-{}", text.replace("\n", " ").translate(_TEX | {ord("–"): "–"}))
    return re.sub(r"(?<![\w)}])-(?=\.?\d)", "$-$", held).replace("–", "--")


def _cell(text: str, room: float) -> str:
    """A long name without spaces may break after its signs, so that it stays in its column."""
    if not room:
        return _tex(text)
    return " ".join(
        r"\allowbreak{}".join(map(_tex, re.split(r"(?<=[_:/#.@=|-])(?=.)", word))) if len(word) > room else _tex(word)
        for word in text.split(" ")
    )
