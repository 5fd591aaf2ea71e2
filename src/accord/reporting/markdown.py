"""A report as Markdown: the same tables and sentences, charts named by their findings."""

from accord.reporting.document import Block, Document, Evidence, Figure, Listing, Paragraph, Quoted, Rows

__all__ = ["to_markdown"]


def to_markdown(document: Document) -> str:
    lines = [f"# {_plain(document.title)}", "", _plain(document.subtitle), ""]
    for section in document.sections:
        lines += [f"## {_plain(section.title)}", ""]
        for block in section.blocks:
            lines += _block(block, 3)
    lines += ["---", "", f"`{document.signature}`", ""]
    return "\n".join(lines)


def _block(block: Block, depth: int) -> list[str]:
    match block:
        case Paragraph(text, tone):
            mark = "" if tone in ("plain", "lead") else f"**{tone}:** "
            return [mark + _plain(text), ""]
        case Listing(lines):
            return [*(f"- {_plain(line)}" for line in lines), ""]
        case Quoted(text, label, _):
            fence = "`" * max(3, _longest_run(text) + 1)
            return [f"{label}:", "", f"{fence}text", text, fence, ""]
        case Rows(table, _):
            return [table.to_markdown()]
        case Figure(chart):
            return [f"*{_plain(chart.title)}.* {_plain(chart.note)}", ""]
        case Evidence(_, title, blocks):
            return [f"{'#' * depth} {_plain(title)}", "", *(line for one in blocks for line in _block(one, depth + 1))]


def _plain(text: str) -> str:
    """Text from ratings stays text: what Markdown or HTML would read as a command is escaped."""
    escaped = text.replace("\\", "\\\\").replace("<", "&lt;")
    for mark in "`*_[]#":
        escaped = escaped.replace(mark, f"\\{mark}")
    return escaped.replace("\n", " ")


def _longest_run(text: str) -> int:
    longest = run = 0
    for letter in text:
        run = run + 1 if letter == "`" else 0
        longest = max(longest, run)
    return longest
