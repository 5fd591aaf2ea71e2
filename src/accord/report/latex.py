"""The tables of a report as LaTeX (booktabs), ready to paste."""

from accord.report.document import Document

__all__ = ["to_latex"]


def to_latex(document: Document) -> str:
    """Every table of the report, in order; they need \\usepackage{booktabs}."""
    head = f"% {document.title.splitlines()[0] if document.title else ''}\n% {document.signature}\n"
    return head + "\n".join(table.to_latex() for table in document.tables())
