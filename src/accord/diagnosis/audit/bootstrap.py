"""What is wrong with a bootstrap as a paper reports it."""

from collections.abc import Iterator
from math import sqrt

from accord.diagnosis.finding import Finding, Severity
from accord.errors import OptionError
from accord.quantiles import ndtr
from accord.records import dataclass
from accord.words import steady

__all__ = ["ENOUGH_REPLICATES", "ReportedBootstrap", "audit_bootstrap", "read_bootstrap"]

ENOUGH_REPLICATES = 1000
_TOLERANCE = 0.004


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedBootstrap:
    """A bootstrap in the words of its report; leave out what it does not say.

    ``drawn`` of ``units`` were drawn for each of ``replicates`` replicates; ``deviation`` is the standard
    deviation of the replicates, ``half_width`` half the width of the interval printed at ``level``.
    """

    replicates: int | None = None
    drawn: int | None = None
    units: int | None = None
    replacement: bool | None = None
    level: float | None = None
    half_width: float | None = None
    deviation: float | None = None
    unit: str = ""


def read_bootstrap(text: str) -> ReportedBootstrap:
    """``replicates=100,drawn=20,units=40,replacement=no,level=0.99,half_width=0.0067,deviation=0.0144,unit=pair``."""
    known = {"replicates": int, "drawn": int, "units": int, "level": float, "half_width": float, "deviation": float}
    found: dict[str, object] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or (name not in known and name not in ("replacement", "unit")):
            raise OptionError(
                f"{part!r} says nothing about a bootstrap. Known: {', '.join([*known, 'replacement', 'unit'])}."
            )
        if name == "unit":
            found[name] = value
        elif name == "replacement":
            if value.lower() not in ("yes", "no"):
                raise OptionError(f"replacement={value}: write yes or no.")
            found[name] = value.lower() == "yes"
        else:
            try:
                number = known[name](value)
            except ValueError:
                raise OptionError(f"{name}={value}: write a number.") from None
            if number <= 0 or (name == "level" and number >= 1):
                raise OptionError(f"{name}={value} is not possible.")
            found[name] = number
    if not found:
        raise OptionError("Say what the paper reports, for example replicates=100,drawn=20,units=40,replacement=no.")
    return ReportedBootstrap(**found)  # type: ignore[arg-type]


def audit_bootstrap(reported: ReportedBootstrap) -> tuple[Finding, ...]:
    """Every departure from the standard bootstrap: with replacement, as many as there are, 1,000 times or more."""
    return (*_replicates(reported), *_drawing(reported), *_interval(reported), *_unit(reported))


def _finding(code: str, severity: Severity, message: str, advice: str, **evidence: float | str) -> Finding:
    return Finding(
        code=code, severity=severity, message=message, advice=advice, evidence=evidence,
        sure="certain, if the report says what was done", invalidates=("confidence interval",),
    )  # fmt: skip


def _replicates(reported: ReportedBootstrap) -> Iterator[Finding]:
    m = reported.replicates
    if m is None:
        yield _finding("replicates_unstated", Severity.NOTE, "the number of replicates is not stated", "State it.")
    elif m < ENOUGH_REPLICATES:
        tail = m * (1 - (reported.level or 0.95)) / 2
        yield _finding(
            "too_few_replicates",
            Severity.WARNING,
            f"{m} replicates are too few for a percentile interval: {tail:.3g} of them lie beyond each end",
            f"Draw at least {ENOUGH_REPLICATES:,}.",
            replicates=m,
            beyond_each_end=tail,
        )


def _drawing(reported: ReportedBootstrap) -> Iterator[Finding]:
    n, total = reported.drawn, reported.units
    if reported.replacement is False:
        left = (
            f", {steady(sqrt(1 - n / total)):.2f} times as wide as with replacement"
            if n and total and n <= total
            else ""
        )
        yield _finding(
            "without_replacement",
            Severity.ERROR,
            f"drawn without replacement: replicates scatter too little{left}",
            "Draw with replacement.",
        )
    if n and total and n != total:
        yield _finding(
            "wrong_sample_size",
            Severity.ERROR,
            f"{n} of {total} units are drawn: the replicates have the spread of a sample of {n}, "
            f"{steady(sqrt(total / n)):.2f} times that of {total} (with replacement)",
            f"Draw {total} units in each replicate.",
            drawn=n,
            units=total,
        )


def _interval(reported: ReportedBootstrap) -> Iterator[Finding]:
    h, sd, m, level = reported.half_width, reported.deviation, reported.replicates, reported.level
    if not (h and sd):
        return

    direct = float(2 * ndtr(h / sd) - 1)
    of_mean = float(2 * ndtr(h * sqrt(m) / sd) - 1) if m else None
    if of_mean is not None and direct < 0.6 and of_mean > 0.6:
        yield _finding(
            "interval_of_the_mean",
            Severity.ERROR,
            f"the interval is that of the Monte-Carlo mean (deviation / sqrt({m})): it shrinks with the number of "
            f"replicates and covers {steady(direct):.1%} of them",
            "Take percentiles of the replicates.",
            covers=direct,
            level_as_mean=of_mean,
        )
    implied = of_mean if of_mean is not None and direct < 0.6 and of_mean > 0.6 else direct
    if level and abs(implied - level) > _TOLERANCE + 0.05 * (1 - level):
        yield _finding(
            "wrong_level",
            Severity.ERROR,
            f"printed as {level:.4g}, but the half-width is that of {steady(implied):.4g}",
            "State the level that was used.",
            stated=level,
            implied=implied,
        )


def _unit(reported: ReportedBootstrap) -> Iterator[Finding]:
    if not reported.unit:
        yield _finding("unit_unstated", Severity.NOTE, "what was resampled is not stated", "Name the resampling unit.")
    elif reported.unit.startswith("pair"):
        yield _finding(
            "dependent_units",
            Severity.WARNING,
            "pairs of raters are resampled as if independent, but pairs share raters",
            "Resample raters, items, or both, and name the unit.",
        )
