"""Write a report in the form its file name asks for; nothing half-written is left behind."""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from accord.errors import OptionError
from accord.ratings.checks import require_ratings
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.reporting.analysis import Progress
from accord.reporting.compose import compose
from accord.reporting.document import Document
from accord.reporting.html import to_html
from accord.reporting.latex import to_latex
from accord.reporting.markdown import to_markdown

__all__ = ["FORMS", "checked_target", "report", "write_document", "write_json"]

FORMS = (".html", ".md", ".tex", ".pdf", ".json")


def report(
    ratings: Ratings | StoredRatings,
    target: str | Path,
    *,
    title: str = "",
    confidence: float | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    exclusions: Sequence[str] = (),
) -> Path:
    """Analyse ratings and write the report: ``accord.report(ratings, "report.html")``.

    ``exclusions`` are rules declared before collection, and what they left out, in words for the reader.

    Parameters
    ----------
    ratings
        Ratings in memory.
    target
        File to write: .html, .md, .tex, .pdf or .json.
    title, confidence, seed
        Title of the report, confidence of the intervals, and seed of the random numbers; what the study declares
        if not given, else 0.95 and 0.
    progress
        Called with what is done and what there is to do.
    exclusions
        As said above.

    Returns
    -------
    Path
        The file that was written.

    Examples
    --------
    >>> import accord
    >>> print(accord.report(accord.read("adequacy.csv"), "report.md"))
    report.md
    """
    ratings = require_ratings(ratings, "report")
    path = checked_target(target)
    document = compose(ratings, title=title, confidence=confidence, seed=seed, progress=progress, exclusions=exclusions)
    return write_document(document, path)


def checked_target(target: str | Path) -> Path:
    """A file that a report can be written to, or an error that says why not, before any work is done."""
    path = Path(target)
    if path.suffix.lower() not in FORMS:
        known = f"{', '.join(FORMS[:-1])} or {FORMS[-1]}"
        raise OptionError(f"A report cannot be written as '{path.name}': name a file that ends in {known}.")
    if path.is_dir():
        raise OptionError(f"'{path}' is a folder: name a file to write the report to.")
    if not path.parent.is_dir():
        raise OptionError(f"The folder '{path.parent}' does not exist: make it first, or write the report elsewhere.")
    return path


def write_document(document: Document, target: str | Path) -> Path:
    """Write a composed report; the file appears whole or not at all."""
    path = checked_target(target)
    part = path.with_name(f".{path.name}.part")
    try:
        match path.suffix.lower():
            case ".pdf":
                from accord.reporting.pdf import to_pdf

                to_pdf(to_html(document), part)
            case ".json":
                part.write_text(json.dumps(document.data, indent=2, ensure_ascii=False, default=str), encoding="utf-8")
            case ending:
                text = {".html": to_html, ".md": to_markdown, ".tex": to_latex}[ending](document)
                part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return path


def _unwritable(path: Path, error: OSError) -> OptionError:
    return OptionError(f"The report cannot be written to '{path}': {error.strerror or error}. Name another file.")


def write_json(data: object, target: str | Path) -> Path:
    """Write one part of a report for another program, such as ``document.data["heds"]``."""
    path = Path(target)
    if path.suffix.lower() != ".json":
        raise OptionError(f"'{path.name}' must end in .json.")
    checked_target(path)
    try:
        path.write_text(json.dumps(data, indent=2, ensure_ascii=False, default=str), encoding="utf-8")
    except OSError as error:
        raise _unwritable(path, error) from None
    return path
