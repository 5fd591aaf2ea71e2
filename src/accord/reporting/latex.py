"""The tables of a report as LaTeX (booktabs), ready to paste."""

from accord.reporting.document import Document
from accord.tables.latex import PACKAGES

__all__ = ["to_latex"]


def to_latex(document: Document) -> str:
    """Every table of the report, in order, and the packages they need."""
    head = f"% {document.title.splitlines()[0] if document.title else ''}\n% {document.signature}\n% Needs {PACKAGES}\n"
    return head + "\n".join(table.to_latex() for table in document.tables())
