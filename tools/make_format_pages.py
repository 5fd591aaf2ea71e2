"""Write docs/reference/formats.md and one page a format from the table of formats; --check says if they are current."""

import sys
from pathlib import Path

from accord.formats.registry import FORMATS, FormatSpec

DOCS = Path(__file__).parents[1] / "docs" / "reference"


def pages() -> dict[Path, str]:
    """Every page and its text."""
    return {
        DOCS / "formats.md": index(),
        **{DOCS / "formats" / f"{name}.md": page(spec) for name, spec in FORMATS.items()},
    }


def index() -> str:
    rows = [
        f"| [{spec.title}](formats/{spec.name}.md) | `{spec.name}` | {'read, write' if spec.writes else 'read'} |"
        for spec in FORMATS.values()
    ]
    return "\n".join([
        "# Formats", "",
        "Accord recognises a file by its content and says why; `--format NAME` (`format=` in Python) overrides.",
        "{doc}`/howto/convert` shows how to read and convert.", "",
        "| format | name | Accord can |", "|---|---|---|", *rows, "",
        "```{toctree}", ":hidden:", ":glob:", "", "formats/*", "```", "",
    ])  # fmt: skip


def page(spec: FormatSpec) -> str:
    written = f"Yes: `accord convert IN OUT --to {spec.name}`." if spec.writes else "No."
    shape = " It is a folder." if spec.folder else ""
    return "\n".join([
        f"# {spec.title}", "",
        f"Name: `{spec.name}`.{shape}", "",
        "## What it becomes", "", spec.becomes, "",
        "## What is lost", "", spec.loss, "",
        "## Traps", "", spec.traps, "",
        "## Can it be written?", "", written, "",
    ])  # fmt: skip


def main() -> int:
    """Write the pages, or only look whether they are current."""
    texts = pages()
    if "--check" in sys.argv[1:]:
        stale = [path for path, text in texts.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
        extra = [path for path in (DOCS / "formats").glob("*.md") if path not in texts]
        for path in (*stale, *extra):
            print(f"{path} is not what the table of formats says; run tools/make_format_pages.py", file=sys.stderr)
        return 1 if stale or extra else 0
    (DOCS / "formats").mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
