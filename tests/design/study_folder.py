"""Small study folders for tests, written as a user would."""

from pathlib import Path

CRITERION = '[[criteria]]\nkey = "quality"\nquestion = "How good?"\nkind = "slider"\nlow = 0\nhigh = 100\n'
SCENARIO = '[[scenarios]]\nkey = "s"\nkind = "random-sentence"\n'
HEAD = 'title = "T"\nseed = 7\n[languages]\ntarget = "en"\n'


def write_study(
    folder: Path, *, assignment: str = 'design = "crossed"\nraters = 3', more: str = "", criteria: str = CRITERION,
    scenarios: str = SCENARIO, head: str = HEAD, items: str | None = None, documents: int = 4, segments: int = 3,
    systems: int = 2,
) -> Path:  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    toml = f"{head}\n[assignment]\n{assignment}\n\n{criteria}\n{scenarios}\n{more}\n"
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    (folder / "guidelines.md").write_text("# Guidelines\n", encoding="utf-8")
    if items is None:
        items = items_text(documents, segments, systems)
    (folder / "items.tsv").write_bytes(items.encode())
    return folder


def items_text(documents: int, segments: int, systems: int) -> str:
    head = ["document", "segment", "source", "reference", *(f"target:S{number}" for number in range(1, systems + 1))]
    rows = ["\t".join(head)]
    for document in range(1, documents + 1):
        for segment in range(1, segments + 1):
            texts = [f"words of the text {document} {segment} by system {number}" for number in range(1, systems + 1)]
            source = f"source {document} {segment}"
            rows.append(
                "\t".join([f"d{document}", str(segment), source, f"the reference {document} {segment}", *texts])
            )
    return "\n".join(rows) + "\n"
