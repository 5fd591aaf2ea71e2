"""Write a report in the form its file name asks for; nothing half-written is left behind."""

import json
from pathlib import Path

from accord.errors import OptionError
from accord.ratings.table import Ratings
from accord.report.analysis import Progress
from accord.report.compose import compose
from accord.report.document import Document
from accord.report.html import to_html
from accord.report.latex import to_latex
from accord.report.markdown import to_markdown

__all__ = ["FORMS", "report", "write_document"]

FORMS = (".html", ".md", ".tex", ".pdf", ".json")


def report(
    ratings: Ratings,
    target: str | Path,
    *,
    title: str = "",
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> Path:
    """Analyse ratings and write the report: ``accord.report(ratings, "report.html")``."""
    path = _checked(target)
    document = compose(ratings, title=title, confidence=confidence, seed=seed, progress=progress)
    return write_document(document, path)


def _checked(target: str | Path) -> Path:
    path = Path(target)
    if path.suffix.lower() not in FORMS:
        known = f"{', '.join(FORMS[:-1])} or {FORMS[-1]}"
        raise OptionError(f"A report cannot be written as '{path.name}': name a file that ends in {known}.")
    if not path.parent.is_dir():
        raise OptionError(f"The folder '{path.parent}' does not exist: make it first, or write the report elsewhere.")
    return path


def write_document(document: Document, target: str | Path) -> Path:
    """Write a composed report; the file appears whole or not at all."""
    path = _checked(target)
    part = path.with_name(f".{path.name}.part")
    try:
        match path.suffix.lower():
            case ".pdf":
                from accord.report.pdf import to_pdf

                to_pdf(to_html(document), part)
            case ".json":
                part.write_text(json.dumps(document.data, indent=2, ensure_ascii=False, default=str), encoding="utf-8")
            case ending:
                text = {".html": to_html, ".md": to_markdown, ".tex": to_latex}[ending](document)
                part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path
