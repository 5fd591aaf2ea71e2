"""Write docs/reference/formats-rows.md: what became of every row of files of each format; --check says if it holds.

Files of our own making lie in tests/formats/exports. Real exports may not be shipped: where ACCORD_DATA names them,
their rows are counted anew and kept in tests/recorded/real_exports.json; elsewhere the page shows what is kept there.
"""

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from accord.errors import AccordError
from accord.formats import read
from accord.formats.imported import RowAccount

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "formats-rows.md"
OWN = ROOT / "tests" / "formats" / "exports"
KEPT = ROOT / "tests" / "recorded" / "real_exports.json"
REAL = (
    "appraise_wmt24_esa_wave2.csv", "appraise_esa_rc5_esa.scores.csv", "appraise_esa_rc5_mqm.scores.csv",
    "appraise_example_mqmesa.scores.csv", "appraise_example_pairwise_errors.scores.csv",
    "marot_sxs_mqm_generalMT2023_ende.tsv.tar.gz", "google_mqm_ted_ende.tsv", "potato_solo_mode",
    "prodigy_reddit_product_ner_teach.jsonl", "prodigy_reddit_insult_textcat.jsonl",
)  # fmt: skip
REFUSED = ("appraise_example_data.scores.csv", "label_studio_rectangles.json")
COLUMNS = ("format", "file", "rows", "ratings", "roles", "into another", "no answer", "dropped", "unknown")

Row = list[str]


def row_of(path: Path) -> Row:
    """The cells of one file."""
    imported = read(path, format="counts" if path.stem == "counts" else None)
    account = imported.account
    assert account is not None, path
    return [imported.format, path.name, *_cells(account)]


def _cells(account: RowAccount) -> Row:
    roles = ", ".join(f"{n:,} {role}" for role, n in account.roles.items())
    numbers = (account.merged, account.unanswered, account.dropped, account.unknown)
    return [f"{account.rows:,}", f"{account.ratings:,}", roles or "0", *(f"{n:,}" for n in numbers)]


def real_rows(folder: Path) -> list[Row]:
    """The rows of the real exports in a folder, and why two of them are refused."""
    rows = [row_of(folder / name) for name in REAL]
    for name in REFUSED:
        try:
            read(folder / name)
        except AccordError as error:
            words = str(error).split("\n")[0].replace(f"{folder}/", "")
            rows.append(["refused", name, words])
    return rows


def own_rows() -> list[Row]:
    return [row_of(path) for path in sorted(OWN.iterdir())]


def _table(rows: Iterable[Row]) -> list[str]:
    whole = [row for row in rows if len(row) == len(COLUMNS)]
    lines = [f"| {' | '.join(COLUMNS)} |", "|---|---|" + "---:|" * (len(COLUMNS) - 2)]
    return [*lines, *(f"| {' | '.join([row[0], f'`{row[1]}`', *row[2:]])} |" for row in whole)]


def page(real: list[Row]) -> str:
    """The whole page."""
    refused = [f"- `{row[1]}`: {row[2]}" for row in real if len(row) != len(COLUMNS)]
    return "\n".join([
        "# What becomes of every row", "",
        "Reading a file of another tool tells what became of each of its rows (`Imported.account`, and a note of",
        "every command). A row is a line, an annotation or a submission, whatever the tool writes once. Rows of a",
        "file = rows with ratings + rows with a role + rows that go into the rating of another row (a further error",
        "of a segment) + rows without an answer + dropped rows; what is left over is unknown, and is 0.",
        "{doc}`formats` says what each format becomes.", "",
        "## Real exports", "",
        "These files were written by the tools themselves and may not be shipped. A test compares the numbers where",
        "they are at hand (`ACCORD_DATA`).", "", *_table(real), "",
        "Refused, with these words:", "", *refused, "",
        "## Files of our own making", "",
        "Small files in the same shapes, in `tests/formats/exports`; a test reads each of them.", "",
        *_table(own_rows()), "",
        "## Damaged files", "",
        "`./test --hard` damages these files 500 times (cut, bytes flipped, another encoding, huge cells, a million",
        "columns, deep nesting) and runs `accord agree` on each. Every run ends with ratings or with exit code 2 and a",
        "sentence, within 20 seconds of processor time and 2 GB. Last run: 66 were still read, 434 refused; the",
        "longest took 3.1 seconds, the largest 335 MB (a million columns). `./test` runs 30 of them.", "",
    ])  # fmt: skip


def main() -> int:
    """Write the page, or only look whether it is current."""
    real = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else []
    folder = Path(os.environ.get("ACCORD_DATA", "")) / "exports"
    if os.environ.get("ACCORD_DATA") and folder.is_dir():
        found = real_rows(folder)
        if "--check" in sys.argv[1:] and found != real:
            print(f"{KEPT} is not what the real exports give; run tools/make_format_table.py", file=sys.stderr)
            return 1
        real = found
    text = page(real)
    if "--check" in sys.argv[1:]:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            print(f"{PAGE} is not what the files give; run tools/make_format_table.py", file=sys.stderr)
            return 1
        return 0
    KEPT.write_text(json.dumps(real, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
