"""Draw every figure of the five papers that released data allow: draw_paper_figures.py DATA_FOLDER OUT_FOLDER."""

import sys
from pathlib import Path

import accord
from accord.plots.chart import Chart
from accord.plots.scores import score_intervals
from accord.reporting.figures import draw


def figures(data: Path) -> dict[str, Chart]:
    """Figure name -> chart; the ratings of papers 001 and 004 and the pilot of 002 were never released."""
    bias = accord.read(data / "refbias.csv")
    flickr = accord.read(data / "flickr8k_expert.csv")
    contrast = accord.read(data / "da_coling16.csv").only(lp="en-es")
    questions = accord.read(data / "qgstec_reeval.csv").only(criterion="Variety")
    one = accord.score([85.2], prior=96.3, confidence=0.8)
    two = accord.score([76.85, 81.99], threshold=80, confidence=0.8)
    made = {
        "000-intervals": score_intervals(
            ["one score with a prior", "two scores"], [one.centre, two.centre],
            [one.intervals[0].clipped.low, two.intervals[0].clipped.low],
            [one.intervals[0].clipped.high, two.intervals[0].clipped.high],
            title="Neither one score nor two are clearly above or below the threshold", threshold=80, ends=(60, 100),
            subtitle="80% intervals",
        ),
        "001-2-style-joint-agreement": draw("pair-boxes", accord.read(data / "qgstec_reeval.csv")),
        "001-5-style-parts": draw("agreement-parts", questions),
        "002-3": draw("category-use", flickr),
        "003-5a-6a-proxy": draw("quadrants", contrast),
        "003-5b-6b-proxy": draw("bleu-quadrants", contrast),
    }  # fmt: skip
    for number, name in (
        ("1", "bootstrap-panels"),
        ("2", "distributions"),
        ("3", "means-with-ranges"),
        ("4", "heat-maps"),
    ):
        made[f"003-{number}"] = draw(name, bias)
    return made


def main() -> None:
    data, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for name, chart in figures(data).items():
        chart.save(out / f"{name}.svg")
        print(f"{name}: {chart.title}")


if __name__ == "__main__":
    main()
