"""A chart: a title that says the finding, the drawing, and its numbers as a table for those who cannot see it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.errors import MissingExtraError, OptionError
from accord.look.sheets import sheet
from accord.plots import theme
from accord.plots.grammar import Axis
from accord.plots.grammar import Chart as Drawing
from accord.plots.svg.drawing import svg_of
from accord.plots.svg.letters import width
from accord.records import dataclass
from accord.tables.table import Column, Table

__all__ = ["FORMATS", "Chart", "Rows", "drawn", "names_below"]

Rows = Sequence[Mapping[str, Any]]
FORMATS = (".svg", ".png", ".pdf", ".html", ".json")
_MOST_ROWS = 500
_LABEL = 12
"""Pixels of the letters of a label."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A Vega-Lite chart with the rows it shows; the same object becomes SVG, PNG, PDF or a page.

    ``headings`` gives each key of ``rows`` its heading in words, for the table under the chart.
    """

    title: str
    spec: Mapping[str, Any]
    rows: Rows
    headings: Mapping[str, str]
    note: str = ""

    def table(self) -> Table:
        """The numbers of the chart, for those who cannot see it."""
        columns = [Column(key, words) for key, words in self.headings.items()]
        more = len(self.rows) - _MOST_ROWS
        notes = [f"The first {_MOST_ROWS} of {len(self.rows):,} rows."] if more > 0 else []
        return Table(f"Numbers of: {self.title}", columns, self.rows[:_MOST_ROWS], notes)

    def to_svg(self, *, themed: bool = False, titled: bool = True) -> str:
        """The drawing; ``themed`` names the page's colours instead of fixed ones, a page may tell the title itself."""
        padding = theme.config()["padding"]
        if titled:
            svg = svg_of(self.spec, padding=padding)
        else:
            # Without a title there is room on top for words that stand above the axes.
            kept = {key: value for key, value in self.spec.items() if key != "title"} | {"description": self.title}
            svg = svg_of(kept, padding={**padding, "top": 22})
        if themed:
            for colour, variable in theme.VARIABLES.items():
                svg = svg.replace(colour, variable)
        return svg

    def to_png(self, *, scale: float = 2) -> bytes:
        return bytes(_convert("svg_to_png", self._on_white(), scale=scale))

    def to_pdf(self) -> bytes:
        return bytes(_convert("svg_to_pdf", self._on_white()))

    def to_html(self) -> str:
        """A page of its own, offline and without scripts: the drawing and its table."""
        from html import escape

        return (
            "<!doctype html><html lang='en'><meta charset='utf-8'>"
            "<meta name='viewport' content='width=device-width, initial-scale=1'>"
            "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">"
            f"<title>{escape(self.title)}</title><style>{sheet('tokens')}{_PAGE_STYLE}</style>"
            f"<figure role='group'>{self.to_svg(themed=True)}<figcaption>{escape(self.note)}</figcaption></figure>"
            f"<details><summary>The numbers</summary>{self.table().to_html()}</details></html>"
        )

    def save(self, path: str | Path) -> None:
        """Write the chart in the form that the file's name ends in."""
        target = Path(path)
        if target.suffix.lower() not in FORMATS:
            raise OptionError(f"A chart cannot be written as '{target.name}': name a file that ends in {_or(FORMATS)}.")
        try:
            target.write_bytes(self._written(target.suffix.lower()))
        except OSError as error:
            raise OptionError(
                f"The chart cannot be written to '{target}': {error.strerror or error}. Name another file."
            ) from None

    def _written(self, ending: str) -> bytes:
        match ending:
            case ".svg":
                return self.to_svg().encode()
            case ".png":
                return self.to_png()
            case ".pdf":
                return self.to_pdf()
            case ".html":
                return self.to_html().encode()
            case _:
                return json.dumps(self.spec, ensure_ascii=False, indent=1).encode()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {"image/svg+xml": self.to_svg(), "text/plain": self.title}

    def _on_white(self) -> str:
        return svg_of(self.spec, padding=theme.config()["padding"], background="white")


def drawn(drawing: Drawing, title: str, rows: Rows, headings: Mapping[str, str], *, subtitle: str = "") -> Chart:
    """A drawing dressed in the common theme, with its title and its table; tests check it against the schema."""
    spec = {
        "config": theme.config(),
        **drawing.to_dict(),
        "title": {"text": _wrapped(title), "subtitle": _wrapped(subtitle, 96) if subtitle else []},
        "description": f"{title} {subtitle}".strip(),
    }
    return Chart(title, spec, rows, headings, subtitle)


def _convert(function: str, svg: str, **options: Any) -> Any:
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError("Drawing charts as PNG or PDF", "report") from None
    return getattr(vl_convert, function)(svg, **options)


def _wrapped(text: str, width: int = 78) -> list[str]:
    from textwrap import wrap

    return wrap(text, width) or [""]


def _or(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


_PAGE_STYLE = """
body { font: 16px/1.5 var(--ui); color: var(--ink); background: var(--card); margin: 2rem auto; max-width: 60rem }
body { padding: 0 1rem } figure { margin: 0; overflow-x: auto } svg { max-width: 100%; height: auto }
table { border-collapse: collapse }
td, th { padding: .2rem .7rem; text-align: start; border-bottom: 1px solid var(--line) }
"""


def names_below(names: Sequence[str], room: float) -> dict[str, Any]:
    """An axis with names below it: level where each fits into its share of the room, else slanted."""
    longest = max((width(str(name), _LABEL) for name in names), default=0.0)
    return Axis(labelAngle=0 if longest * len(names) <= room else -40)
