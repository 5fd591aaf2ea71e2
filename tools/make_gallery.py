"""Draw every chart type on data the project ships, and write docs/gallery.md."""

import subprocess
import sys
from pathlib import Path

import accord
from accord.reporting.figures import FIGURES, draw

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
PICTURES = ROOT / "docs" / "_static" / "gallery"

SOURCES: dict[str, tuple[str, dict[str, str]]] = {
    "intervals": ("adequacy.csv", {}),
    "pair-boxes": ("rounds.csv", {"phase": "2"}),
    "agreement-parts": ("rounds.csv", {"phase": "2", "criterion": "clarity"}),
    "ratings-per-item": ("adequacy.csv", {}),
    "category-use": ("adequacy.csv", {}),
    "bootstrap-panels": ("references.csv", {}),
    "distributions": ("references.csv", {}),
    "means-with-ranges": ("references.csv", {}),
    "heat-maps": ("references.csv", {}),
    "quadrants": ("quadrants.csv", {}),
    "bleu-quadrants": ("quadrants.csv", {}),
    "context": ("context-spans.csv", {}),
    "misevaluation": ("context-spans.csv", {}),
    "severity": ("references.csv", {}),
    "drift": ("direct-assessment.csv", {}),
    "pair-matrix": ("references.csv", {}),
    "rank-intervals": ("systems.csv", {}),
}
"""Chart -> the file it is drawn from, and the rows of it."""

NEED_DIRECTION = ("quadrants", "misevaluation", "rank-intervals")
"""Charts that name a better and a worse: they must be told which end is good."""

SCORES = {
    "score-intervals": (
        "what one or two scores say, with the threshold (paper 000)",
        "accord score 76.85 81.99 --prior 90 --threshold 80 --confidence 0.8 --confidence 0.95",
    ),
    "score-history": (
        "the scores of a vendor with their decisions, over the running mean (paper 000)",
        "accord score --history vendor-history.csv --vendor Aster --threshold 80",
    ),
}
"""Chart of scores that are given by hand or by a history -> what it shows, and the command without its picture."""


def command(name: str) -> str:
    file, rows = SOURCES[name]
    only = "".join(f" --only {column}={value}" for column, value in rows.items())
    only += " --direction high" if name in NEED_DIRECTION else ""
    return f"accord plot {file} --chart {name}{only} -o {name}.svg"


def page() -> str:
    lines = [
        "# Gallery", "",
        "Every chart that `accord plot` and `accord score` draw, on the example files of this documentation.",
        "The title says what was found; the same chart is written as SVG, PNG, PDF or a page with its numbers.", "",
    ]  # fmt: skip
    for name, kind in FIGURES.items():
        lines += [
            f"## {name}", "", f"{kind.shows[0].upper()}{kind.shows[1:]}.", "",
            f"![{kind.shows}](_static/gallery/{name}.svg)", "", "```console", f"$ {command(name)}", "```", "",
        ]  # fmt: skip
    for name, (shows, words) in SCORES.items():
        lines += [
            f"## {name}", "", f"{shows[0].upper()}{shows[1:]}.", "", f"![{shows}](_static/gallery/{name}.svg)", "",
            "```console", f"$ {words} --plot {name}.svg", "```", "",
        ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, (file, rows) in SOURCES.items():
        ratings = accord.read(EXAMPLES / file, direction="high" if name in NEED_DIRECTION else None)
        chart = draw(name, ratings.only(**rows) if rows else ratings)
        (PICTURES / f"{name}.svg").write_text(chart.to_svg(), encoding="utf-8")
        print(name, file=sys.stderr)
    for name, (_, words) in SCORES.items():
        program = Path(sys.executable).with_name("accord")
        picture = str(PICTURES / f"{name}.svg")
        subprocess.run([program, *words.split()[1:], "--plot", picture], cwd=EXAMPLES, check=True, capture_output=True)
    (ROOT / "docs" / "gallery.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
