"""A report as one self-contained page: offline, light and dark, no script but our own few lines."""

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

from accord.look.sheets import sheet
from accord.reporting.document import Block, Document, Evidence, Figure, Listing, Paragraph, Quoted, Rows

__all__ = ["to_html"]

_DIRECTIONS = {chr(code): f"[U+{code:04X}]" for code in range(0x202A, 0x202F)}
"""Marks that turn the direction of all letters after them: shown as words, so that a name cannot rewrite a sentence."""

_KINDS = {
    Paragraph: "paragraph", Listing: "listing", Quoted: "quoted", Rows: "rows", Figure: "figure", Evidence: "evidence",
}  # fmt: skip


def to_html(document: Document) -> str:
    """The page. Everything that came with the ratings is escaped; the policy in the page forbids the rest."""
    style = f"{sheet('tokens')}{sheet('components')}{sheet('answer')}{_asset('report.css')}"
    script = _asset("report.js")
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    drawings = _drawings(document)
    data = json.dumps(document.data, ensure_ascii=True, default=str).replace("<", "\\u003c")
    page: str = _template().render(
        document=document, style=style, script=script, policy=policy, kind=_kind, drawing=drawings, data=data
    )
    for mark, word in _DIRECTIONS.items():  # each by itself: to translate a page takes 0.1 s, letter by letter
        page = page.replace(mark, word)
    return page


def _kind(block: Block) -> str:
    return _KINDS[type(block)]


def _drawings(document: Document) -> dict[int, Any]:
    """Every chart drawn beforehand: one image with its title, as its numbers stand in the table below it."""
    from markupsafe import Markup

    return {
        id(chart): Markup(chart.to_svg(themed=True, titled=False))  # noqa: S704  drawn by us from escaped names
        for chart in document.charts()
    }


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _asset(name: str) -> str:
    return (files("accord.reporting") / "templates" / name).read_text(encoding="utf-8")


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["identity"] = id
    environment.filters["raw"] = lambda text: Markup(text)  # noqa: S704  our own assets and escaped JSON
    return environment.from_string(_asset("report.html.j2"))
