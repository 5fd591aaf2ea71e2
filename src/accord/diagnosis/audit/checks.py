"""What the printed numbers of one row say about each other."""

from collections.abc import Iterator, Mapping

from accord.coefficients.registry import COEFFICIENTS as TITLES
from accord.design.scale import Level
from accord.diagnosis.audit.grim import Grim, grim_mean, grim_percentage
from accord.diagnosis.audit.printed import Printed
from accord.diagnosis.audit.reported import COEFFICIENTS, ReportedRow
from accord.diagnosis.finding import Finding, Severity
from accord.records import dataclass
from accord.words import steady

__all__ = ["ImpliedChance", "check_row", "implied_chance"]

_FEW_RATINGS = 0.02
"""How far alpha may exceed Fleiss where the number of ratings is not known: 50 ratings at kappa 0."""
_SURE = "certain, if the numbers are what their columns say"


@dataclass(frozen=True, slots=True)
class ImpliedChance:
    """The chance agreement that agreement and kappa imply together: (po - kappa) / (1 - kappa)."""

    value: float
    low: float
    high: float


def implied_chance(agreement: Printed, kappa: Printed) -> ImpliedChance | None:
    """None where chance is undefined: kappa prints as 1, or one of the two lies off its range.

    The ends allow for rounding and truncation.
    """
    if kappa.high >= 1 or float(kappa) < -1 or not 0 <= float(agreement) <= 1:
        return None

    def chance(po: float, k: float) -> float:
        return (po - k) / (1 - k)

    return ImpliedChance(
        chance(float(agreement), float(kappa)), chance(agreement.low, kappa.high), chance(agreement.high, kappa.low)
    )


def check_row(row: ReportedRow) -> Iterator[Finding]:
    """All findings of one row."""
    yield from _range(row)
    yield from _chance(row)
    if row.level is Level.NOMINAL:
        yield from _alpha_against_fleiss(row)
    yield from _grim(row)


def _finding(
    row: ReportedRow, code: str, severity: Severity, message: str, evidence: Mapping[str, float] | None = None,
    *, sure: str = _SURE, advice: str = "", invalidates: tuple[str, ...] = (),
) -> Finding:  # fmt: skip
    return Finding(
        code=code, severity=severity, message=f"{row.title}: {message}", who=(row.title,), evidence=evidence or {},
        sure=sure, invalidates=invalidates, advice=advice or "Ask the authors for the ratings, or compute it again.",
    )  # fmt: skip


def _said(name: str) -> str:
    """A column of coefficients as people write it: Fleiss' κ."""
    return TITLES[name].title if name in TITLES else name.replace("_", " ")


def _range(row: ReportedRow) -> Iterator[Finding]:
    for name in COEFFICIENTS:
        printed = row.printed.get(name)
        if printed is not None and not -1 <= float(printed) <= 1:
            words = f"{_said(name)} {printed.text} lies outside -1 to 1"
            yield _finding(row, "out_of_range", Severity.ERROR, words, {"printed": float(printed)})
    agreement = row.printed.get("agreement")
    if agreement is not None and not 0 <= float(agreement) <= 1:
        words = f"an agreement of {agreement.text} lies outside 0 to 1; write percentages with a % sign"
        yield _finding(row, "out_of_range", Severity.ERROR, words, {"printed": float(agreement)})


def _chance(row: ReportedRow) -> Iterator[Finding]:
    agreement = row.printed.get("agreement")
    if agreement is None:
        return
    for name in ("fleiss_kappa", "cohen_kappa"):
        kappa = row.printed.get(name)
        if kappa is None:
            continue
        if _exceeds(agreement, kappa):
            above = _above(name, kappa, agreement)
            most = {"highest_kappa": agreement.high}
            yield _finding(
                row, "impossible_kappa", Severity.ERROR, above, most, invalidates=(name, "percent_agreement")
            )
            continue
        if (implied := implied_chance(agreement, kappa)) is None:
            continue
        # Fleiss' chance term is a sum of squares of q shares, so it is at least 1/q; Cohen's may be anything.
        least = 1 / row.categories if row.categories and name == "fleiss_kappa" else 0.0
        if implied.high >= least and implied.low <= 1:
            continue
        highest = (agreement.high - least) / (1 - least)
        words = (
            f"{_said(name)} {kappa.text} with an agreement of {agreement.text} implies a chance agreement of "
            f"{steady(implied.value):.3f} [{steady(implied.low):.3f}, {steady(implied.high):.3f}], impossible for "
            f"{row.categories or 'any'} "
            f"categories (at least {steady(least):.3f}); {_said(name)} can be {steady(highest):.2f} at most"
        )
        evidence = {"implied": implied.value, "low": implied.low, "high": implied.high, "least": least}
        evidence["highest_kappa"] = highest
        spoilt = (name, "percent_agreement")
        yield _finding(row, "impossible_kappa", Severity.ERROR, words, evidence, invalidates=spoilt)


def _exceeds(agreement: Printed, kappa: Printed) -> bool:
    """Agreement is kappa and a share of the rest that chance gives: kappa exceeds it in no table, whatever chance is.

    Where kappa prints as 1 no chance agreement can be told, but that it lies above the agreement can.
    """
    in_range = -1 <= float(kappa) <= 1 and 0 <= float(agreement) <= 1
    return in_range and kappa.high >= 1 and kappa.low > agreement.high


def _above(name: str, kappa: Printed, agreement: Printed) -> str:
    return (
        f"{_said(name)} {kappa.text} lies above an agreement of {agreement.text}, which is impossible: to correct for "
        f"chance takes away from agreement and never adds; {_said(name)} can be {steady(agreement.high):.2f} at most"
    )


def _alpha_against_fleiss(row: ReportedRow) -> Iterator[Finding]:
    """On complete nominal ratings alpha = Fleiss + (1 - Fleiss) / (number of ratings): never less, hardly more."""
    alpha, fleiss = row.printed.get("krippendorff_alpha"), row.printed.get("fleiss_kappa")
    if alpha is None or fleiss is None:
        return
    difference = float(alpha.value - fleiss.value)
    evidence = {"alpha": float(alpha), "fleiss": float(fleiss), "difference": difference}
    if difference < 0:
        far = alpha.high < fleiss.low
        yield _finding(
            row,
            "alpha_below_fleiss",
            Severity.ERROR if far else Severity.WARNING,
            f"alpha {alpha.text} lies below Fleiss' kappa {fleiss.text}; on complete nominal ratings it never does"
            + _slip(fleiss, alpha),
            evidence,
            sure=_SURE if far else "suspect: missing ratings, or different rounding, could explain it",
            invalidates=("krippendorff_alpha", "fleiss_kappa"),
        )
        return
    ratings = (row.items or 0) * (row.raters or 0)
    most = (1 - fleiss.low) / ratings if ratings else _FEW_RATINGS
    # Both numbers are printed alike, so their difference is off by less than one step.
    if difference - float(alpha.step) >= most:
        bound = f"{steady(most):.3f} with {ratings:,} ratings" if ratings else f"about {steady(most):.2f}"
        yield _finding(
            row,
            "alpha_not_nominal",
            Severity.WARNING,
            f"alpha {alpha.text} exceeds Fleiss' kappa {fleiss.text} by {steady(difference):.2f}; at the nominal "
            f"level it can by {bound} at most: alpha was computed at another level, which is not stated",
            evidence,
            sure="certain that they are not of one level and the same complete ratings",
            advice="State the level of measurement beside every alpha.",
        )


def _slip(high: Printed, low: Printed) -> str:
    """A hint where a decimal point seems to have moved one place."""
    moved = float(high) / 10
    if moved <= low.high + float(low.step) and moved >= low.low - float(low.step):
        return f". A decimal point may have slipped: {steady(moved):.3f} would fit"
    return ""


def _grim(row: ReportedRow) -> Iterator[Finding]:
    mean, agreement = row.printed.get("mean"), row.printed.get("agreement")
    if mean is not None and row.answers:
        yield from _grim_finding(row, grim_mean(mean, row.answers), f"a mean of {mean.text}", f"{row.answers} answers")
    if agreement is not None and row.items and row.raters and row.raters > 1:
        pairs = row.items * row.raters * (row.raters - 1) // 2
        if pairs < 10**agreement.decimals:
            words = f"{row.items} items and {row.raters} raters ({pairs} pairs)"
            grim = grim_percentage(agreement, row.items, row.raters)
            yield from _grim_finding(row, grim, f"an agreement of {agreement.text}", words)


def _grim_finding(row: ReportedRow, grim: Grim, what: str, behind: str) -> Iterator[Finding]:
    if grim is Grim.IMPOSSIBLE:
        yield _finding(row, "grim_impossible", Severity.ERROR, f"{what} cannot come from {behind}")
    elif grim is Grim.TRUNCATED:
        yield _finding(
            row,
            "truncated",
            Severity.NOTE,
            f"{what} comes from {behind} only if it was truncated, not rounded",
            advice="Round, and say so.",
        )
