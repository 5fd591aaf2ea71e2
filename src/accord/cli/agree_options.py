"""The options of ``accord agree`` beside those of reading ratings."""

from enum import StrEnum
from typing import Annotated

import typer

from accord.coefficients.metrics import METRICS
from accord.coefficients.weights import SET_WEIGHTS, WEIGHTS
from accord.reliability.answer import Use
from accord.reliability.interpretation import INTERPRETATION_SCALES
from accord.reliability.plan import Draws, IntervalKind, Unit

__all__ = [
    "All", "Bootstrap", "By", "Coefficients", "DrawsOf", "IccMissing", "IccMissingOf", "Interpretation", "IntervalOf",
    "Metric", "Pairs", "Parts", "Quiet", "Resample", "SampledShare", "Seed", "UseOf", "Weights",
]  # fmt: skip

_WEIGHTS = ", ".join([*WEIGHTS, *SET_WEIGHTS])
_METRICS = ", ".join(["ordinal", *METRICS, *SET_WEIGHTS])


class IccMissing(StrEnum):
    """What intraclass correlations do about missing ratings."""

    LISTWISE = "listwise"
    ANOVA = "anova"
    MIXED = "mixed"


UseOf = Annotated[Use | None, typer.Option("--use", help="What the ratings are used for: it decides what to report.")]
All = Annotated[bool, typer.Option("--all", help="Every coefficient that fits.")]
Pairs = Annotated[bool, typer.Option("--pairs", help="Also show every pair of raters.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="One line: value, interval, items.")]
By = Annotated[list[str] | None, typer.Option("--by", help="Column to split by. Repeatable.")]
Coefficients = Annotated[
    list[str] | None,
    typer.Option("--coefficient", "-c", metavar="KEY", help="Only this coefficient, fit or not. Repeatable."),
]
Interpretation = Annotated[
    str | None,
    typer.Option(
        "--interpretation", metavar="SCALE", help=f"Read values on this scale: {', '.join(INTERPRETATION_SCALES)}."
    ),
]
IntervalOf = Annotated[IntervalKind, typer.Option("--interval", help="How intervals are made.")]
Bootstrap = Annotated[int | None, typer.Option("--bootstrap", metavar="N", help="Number of bootstrap replicates.")]
Resample = Annotated[
    Unit, typer.Option(help="What another study would draw anew: documents if they are named, else items.")
]
Seed = Annotated[int, typer.Option(help="Seed of the bootstrap.")]
DrawsOf = Annotated[
    Draws,
    typer.Option("--draws", help="How resamples are drawn: poisson sums hashed weights where the ratings lie."),
]
Weights = Annotated[
    str | None,
    typer.Option(help=f"Weights where a coefficient takes them: {_WEIGHTS}, or a CSV file of your own matrix."),
]
Metric = Annotated[
    str | None,
    typer.Option(
        help=f"Distance of Krippendorff's α, instead of the level: {_METRICS}, or a CSV file of your own squared "
        "distances."
    ),
]
SampledShare = Annotated[
    float | None, typer.Option(help="Share of all items there are that was rated: narrows analytic intervals.")
]
IccMissingOf = Annotated[
    IccMissing, typer.Option("--icc-missing", help="What intraclass correlations do about missing ratings.")
]
Parts = Annotated[
    bool, typer.Option("--parts", help="With --all: observed and chance (dis)agreement, or concordant pairs.")
]
