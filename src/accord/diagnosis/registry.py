"""The one table of findings: command line, docs, report and the false-alarm study read it."""

from collections.abc import Callable, Iterator

from accord.coefficients.icc import CronbachAlpha
from accord.coefficients.registry import COEFFICIENTS
from accord.diagnosis import behaviour, categories, correlation, coverage, reliabilities, severity
from accord.diagnosis.case import Case, Observation
from accord.diagnosis.finding import Severity
from accord.records import dataclass
from accord.reliability.cautions import SIGNS
from accord.reliability.signs.amount import thin_overlap

__all__ = ["FINDINGS", "FindingSpec"]

Check = Callable[[Case], Iterator[Observation]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingSpec:
    """All that the rest of the program may ask about one finding.

    ``counted`` says that it is a plain count, true whenever it is said, and so can raise no false alarm.
    ``about_strictness`` says that it is a true statement about honest raters who differ in strictness.
    """

    code: str
    title: str
    severity: Severity
    question: str
    invalidates: tuple[str, ...] = ()
    advice: str
    check: Check
    counted: bool = False
    about_strictness: bool = False


_ALL = tuple(COEFFICIENTS)
_CONSISTENCY = tuple(key for key, spec in COEFFICIENTS.items() if isinstance(spec.coefficient, CronbachAlpha))

# A table should look like one.
# fmt: off
FINDINGS = {spec.code: spec for spec in (
    FindingSpec(
        code="sorted_raters", title="Sorted columns", severity=Severity.ERROR, invalidates=SIGNS["sorted_raters"].keys,
        check=SIGNS["sorted_raters"].check, question="Are the values of each item sorted over the rater columns?",
        advice="Go back to the raw answers. Until then use only coefficients that do not tell raters apart, "
               "such as krippendorff_alpha or fleiss_kappa."),
    FindingSpec(
        code="duplicated_raters", title="Duplicated raters", severity=Severity.ERROR, invalidates=_ALL,
        check=SIGNS["duplicated_raters"].check, question="Is one rater's column a copy of another's?",
        advice="Find out which of the two is real and leave the other out."),
    FindingSpec(
        code="constant_raters", title="Constant raters", severity=Severity.WARNING,
        invalidates=SIGNS["constant_raters"].keys,
        check=SIGNS["constant_raters"].check, question="Did a rater give the same value to everything?",
        advice="Ask the rater. Kappa with a constant rater is 0 by construction, and a correlation has no value."),
    FindingSpec(
        code="one_value", title="One value only", severity=Severity.WARNING, invalidates=SIGNS["one_value"].keys,
        check=SIGNS["one_value"].check, question="Do all ratings have the same value?", counted=True,
        advice="Report plain agreement; use items that differ before asking how far raters agree beyond chance."),
    FindingSpec(
        code="out_of_scale", title="Values off the scale", severity=Severity.ERROR, check=coverage.out_of_scale,
        question="Are there values that the declared scale does not have?", counted=True,
        advice="Correct the values at their source, or declare the scale that was used."),
    FindingSpec(
        code="no_shared_items", title="No shared items", severity=Severity.ERROR, invalidates=_ALL,
        check=SIGNS["no_shared_items"].check, question="Did two raters rate the same item?", counted=True,
        advice="Have at least some items rated by two raters, or check the column that names the items."),
    FindingSpec(
        code="straight_lining", title="Straight-lining", severity=Severity.WARNING, check=behaviour.straight_lining,
        question="Did a rater give one value many times in a row?", invalidates=(),
        advice="Look at the run; if the rater did not read, leave the run out and say so."),
    FindingSpec(
        code="copied_runs", title="Copied runs", severity=Severity.WARNING, check=behaviour.copied_runs,
        question="Do two raters agree on a long stretch and not elsewhere?", invalidates=_ALL,
        advice="Ask whether the raters worked independently on these items."),
    FindingSpec(
        code="impossible_speed", title="Impossible speed", severity=Severity.WARNING,
        check=behaviour.impossible_speed, question="Was a rater too fast to have read the items?",
        advice="Check how time was taken; if it is right, leave the rater out and say so."),
    FindingSpec(
        code="negative_correlation", title="Opposite order", severity=Severity.WARNING,
        check=correlation.negative_correlation, question="Do two raters order the items in opposite ways?",
        invalidates=_CONSISTENCY,
        advice="Check that both read the scale in the same direction: 1 may have been best for one of them."),
    FindingSpec(
        code="inconsistent_rater", title="Inconsistent rater", severity=Severity.WARNING,
        check=severity.inconsistent_raters, question="Does a rater agree with the rest less than the others do?",
        advice="Look at the items on which this rater differs most from the others; talk about the guideline before "
               "leaving anyone out."),
    FindingSpec(
        code="severe_rater", title="Severe or lenient rater", severity=Severity.WARNING, check=severity.severe_raters,
        question="Does a rater lie far below or above the others on the same items?", about_strictness=True,
        advice="Compare only within raters, or standardise scores by rater; recalibrate before the next round."),
    FindingSpec(
        code="drift", title="Drift", severity=Severity.WARNING, check=severity.drifting_raters,
        question="Did a rater become stricter or more lenient in the course of the work?",
        advice="Randomise the order of items for each rater; repeat early items at the end."),
    FindingSpec(
        code="non_discriminating", title="Ratings do not tell the items apart", severity=Severity.WARNING,
        check=coverage.non_discriminating, question="Do ratings of two items differ more than ratings of one?",
        advice="Choose items that differ, or a finer scale."),
    FindingSpec(
        code="ceiling", title="Ceiling or floor", severity=Severity.WARNING, check=SIGNS["ceiling"].check,
        question="Do most ratings sit at one end of the scale?", invalidates=SIGNS["ceiling"].keys, counted=True,
        advice="Use harder items or a scale with room at that end."),
    FindingSpec(
        code="disconnected_raters", title="Raters that share nothing", severity=Severity.NOTE,
        check=coverage.disconnected_raters, question="Can all raters be compared, if only through others?",
        counted=True, advice="Analyse the groups apart, or plan items that link them."),
    FindingSpec(
        code="thin_overlap", title="Few shared items", severity=Severity.NOTE, check=thin_overlap,
        question="Do pairs of raters share enough items?", counted=True,
        advice="Do not read the coefficients of these pairs alone; look at their n."),
    FindingSpec(
        code="few_items", title="Few items", severity=Severity.NOTE, check=SIGNS["few_items"].check, counted=True,
        question="Are there enough items with two ratings for an interval?",
        advice="Have more items rated by two raters; until then do not rely on a single value."),
    FindingSpec(
        code="little_overlap", title="Items rated once", severity=Severity.NOTE, check=SIGNS["little_overlap"].check,
        question="Do most items have one rating only?", counted=True,
        advice="Plan more items for two raters; those rated once say nothing about agreement."),
    FindingSpec(
        code="identical_raters", title="Identical raters", severity=Severity.NOTE,
        check=SIGNS["identical_raters"].check, question="Do two raters without a third agree on everything?",
        counted=True, advice="Ask whether they worked apart, or have a third rater rate some of the items."),
    FindingSpec(
        code="one_sided_raters", title="One-sided raters", severity=Severity.NOTE,
        check=SIGNS["one_sided_raters"].check, counted=True,
        question="Is one of two raters the higher one wherever they differ?",
        advice="Look at the raw answers; have a third rater rate some of the items."),
    FindingSpec(
        code="stray_value", title="Stray values", severity=Severity.NOTE, check=coverage.stray_values,
        question="Is a hardly used value really on the scale?", advice="Declare the scale with --scale."),
    FindingSpec(
        code="prevalence", title="One value prevails", severity=Severity.NOTE, check=SIGNS["prevalence"].check,
        question="Is kappa low only because one value takes nearly all ratings?", counted=True,
        invalidates=SIGNS["prevalence"].keys,
        advice="Report plain agreement and a coefficient less affected by frequent values (Gwet's AC1) beside kappa."),
    FindingSpec(
        code="unequal_habits", title="Unequal habits", severity=Severity.NOTE, check=SIGNS["unequal_habits"].check,
        question="Do the raters' shares of the values lie far apart?", about_strictness=True,
        advice="Read Fleiss' kappa beside Cohen's: it is not raised by unequal shares."),
    FindingSpec(
        code="kappa_order", title="Kappa against agreement", severity=Severity.NOTE, check=SIGNS["kappa_order"].check,
        question="Does kappa put pairs of raters in another order than their agreement?", counted=True,
        advice="Do not rank raters or models by kappa here; read agreement, or the errors themselves, beside it."),
    FindingSpec(
        code="repeats", title="Repeated ratings", severity=Severity.NOTE, check=reliabilities.repeats, counted=True,
        question="Do raters give the same value again?",
        advice="Look at each rater with --show stability; a change below the smallest one beyond noise means nothing."),
    FindingSpec(
        code="unused_value", title="Unused values", severity=Severity.NOTE, check=categories.unused_values,
        question="Is a value of the scale never used?", counted=True,
        advice="Ask whether raters understood the value, or whether the scale is longer than needed."),
    FindingSpec(
        code="own_use_of_scale", title="Own use of the scale", severity=Severity.NOTE,
        check=categories.own_use_of_scale, question="Does a rater use a value more or less than the others do?",
        about_strictness=True, advice="Discuss examples of this value with the raters."),
    FindingSpec(
        code="strict_or_lenient", title="Strict or lenient, but consistent", severity=Severity.NOTE,
        check=correlation.strict_or_lenient, question="Is low agreement a matter of strictness only?",
        about_strictness=True,
        advice="Report correlation beside agreement: the ratings order the items reliably."),
)}
# fmt: on
