"""Intraclass correlations, and Cronbach's alpha, which is one of them."""

from functools import partial
from typing import ClassVar

from accord.arrays import Floats
from accord.coefficients import blocks
from accord.coefficients.anova import Anova, Form, anova
from accord.coefficients.coefficient import DEFAULTS, Analytic, Coefficient, Estimated, Sums, Values, bounded
from accord.coefficients.features import Block, View
from accord.coefficients.incomplete import incomplete_icc
from accord.coefficients.options import ICC_MISSING, Options
from accord.coefficients.reml import mixed_icc
from accord.design.scale import Level
from accord.errors import NotEnoughDataError
from accord.records import dataclass

__all__ = ["CronbachAlpha", "IntraclassCorrelation"]


@dataclass(frozen=True)
class IntraclassCorrelation(Coefficient):
    """An intraclass correlation over the items that all raters rated, or, if the user says so, over all ratings.

    The formula is :meth:`accord.coefficients.anova.Form.of_anova`.
    """

    form: Form
    author: str = "McGraw and Wong"
    whole_only: ClassVar[bool] = True

    def needs_moments_only(self, level: Level, options: Options) -> bool:
        return self.form.one_way

    def takes_all(self, view: View, options: Options) -> bool:
        """Whether items that not all raters rated count too."""
        return options.icc_missing != "listwise" and not view.is_complete

    def is_resampled(self, view: View, options: Options) -> bool:
        return not self.takes_all(view, options)

    def features(self, view: View, options: Options = DEFAULTS) -> tuple[Block, ...]:
        if self.takes_all(view, options):
            raise NotEnoughDataError(
                "Intraclass correlations of incomplete ratings are not resampled; their interval is analytic."
            )
        return (blocks.AVERAGES,)

    def evaluate(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Floats:
        return self.form.of_anova(_table(sums))

    def with_parts(self, sums: Sums, view: View, options: Options = DEFAULTS) -> Values:
        squares = _table(sums)
        return {"value": self.form.of_anova(squares), "items": squares.items}

    def analytic(self, view: View, value: float, confidence: float, options: Options = DEFAULTS) -> Analytic:
        low, high = self.form.ends(anova(view.summed(blocks.AVERAGES)), confidence)
        return Analytic(None, bounded(low, high, confidence, f"analytic, F distribution over items ({self.author})"))

    def estimate(self, view: View, confidence: float, options: Options = DEFAULTS) -> Estimated:
        if not self.takes_all(view, options):
            return super().estimate(view, confidence, options)
        fit = mixed_icc if options.icc_missing == "mixed" else incomplete_icc
        found = fit(view.codes, view.multiplicity, view.scale, self.form, confidence)
        parts = {"value": found.value, "items": float(found.items), **found.parts}
        return parts, partial(Analytic, None, found.interval)

    def missing_rule(self, options: Options) -> str:
        return "" if options.icc_missing == "listwise" else ICC_MISSING[options.icc_missing]


def _table(sums: Sums) -> Anova:
    return sums.shared("anova", lambda: anova(sums[blocks.AVERAGES]))


_CONSISTENCY_OF_MEANS = Form(of_mean=True)


@dataclass(frozen=True)
class CronbachAlpha(IntraclassCorrelation):
    r"""Cronbach's alpha, equal to the consistency of the mean of k raters; over complete items only.

    .. math:: \alpha = \frac{k}{k-1}\left(1 - \frac{\sum_g s_g^2}{s_T^2}\right) = \frac{MS_R - MS_E}{MS_R}
    """

    form: Form = _CONSISTENCY_OF_MEANS
    author: str = "Feldt"

    def takes_all(self, view: View, options: Options) -> bool:
        return False

    def missing_rule(self, options: Options) -> str:
        return ""
