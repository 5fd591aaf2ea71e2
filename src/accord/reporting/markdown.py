"""A report as Markdown: the first screen, then each section with its finding; what a page folds away is left out."""

from accord.reporting.document import (
    Block,
    Document,
    Evidence,
    Figure,
    FirstScreen,
    Listing,
    Paragraph,
    Quoted,
    Rows,
    Section,
)
from accord.words import counted

__all__ = ["to_markdown"]

_FOLDED = "What stands behind each number, every pair of raters and all disputed items are in the page (.html)."


def to_markdown(document: Document) -> str:
    lines = [f"# {_plain(document.title)}", "", _plain(document.subtitle), "", *_first(document.first)]
    for section in document.sections:
        lines += _section(section)
    lines += ["---", "", _FOLDED, "", f"`{document.signature}`", ""]
    return "\n".join(lines)


def _first(first: FirstScreen) -> list[str]:
    lines = [*(f"> {_plain(notice)}\n" for notice in first.notices)]
    lines += [f"*{_plain(first.question)}*", "", f"**{_plain(first.answer)}**", ""]
    lines += [_plain(first.why), ""] if first.why else []
    for number in first.numbers:
        interval = f" ({_plain(number.interval)})" if number.interval else ""
        note = f": {_plain(number.note)}" if number.note else ""
        lines.append(f"- {_plain(number.label)} **{_plain(number.value)}**{interval}{note}")
    lines += [""] if first.numbers else []
    wrong = [*first.wrong, *([first.calm] if first.calm else [])]
    for title, told in (("What is wrong", wrong), ("What to do", first.todo)):
        lines += [f"**{title}**", "", *(f"- {_plain(line)}" for line in told), ""] if told else []
    for forest in first.forests:
        lines += _block(forest, 3)
    return [*lines, *([_plain(first.footnote), ""] if first.footnote else [])]


def _section(section: Section) -> list[str]:
    lines = [f"## {_plain(section.title)}", ""]
    lines += [_plain(section.finding), ""] if section.finding else []
    for block in section.blocks:
        lines += _block(block, 3)
    return lines


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
        case Rows():
            return [_rows(block)]
        case Figure(chart):
            return [f"*{_plain(chart.title)}.* {_plain(chart.note)}", ""]
        case Evidence(_, title, blocks, kept, _):
            inside = [line for one in blocks for line in _block(one, depth + 1)]
            return [f"{'#' * depth} {_plain(title)}", "", *inside] if kept else []


def _rows(block: Rows) -> str:
    table, more = block.table, len(block.table.rows) - (block.kept or len(block.table.rows))
    if more <= 0:
        return table.to_markdown()
    words = f"{counted(more, 'more row is', 'more rows are')} in the page."
    return f"{table.head(block.kept or 0).to_markdown()}\n{words}\n"


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
