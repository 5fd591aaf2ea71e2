"""A package of somebody else's: Bangdiwala's B, as one object and one row."""

import numpy as np

from accord.coefficients.pairs import PairCoefficient, TableValues
from accord.coefficients.registry import CoefficientSpec
from accord.design.scale import Level


class BangdiwalaB(PairCoefficient):
    r"""Bangdiwala's :math:`B = \sum_k n_{kk}^2 / \sum_k n_{k\cdot} n_{\cdot k}`: squares in the agreement chart."""

    ignores_order = True

    def of_pair_table(self, tables, scale, options=None):
        tables = np.asarray(tables, dtype=float)
        agreed = np.square(np.einsum("...kk->...k", tables)).sum(axis=-1)
        chance = (tables.sum(axis=-1) * tables.sum(axis=-2)).sum(axis=-1)
        value = np.divide(agreed, chance, out=np.full(agreed.shape, np.nan), where=chance > 0)
        return TableValues(value, np.full(value.shape, np.nan))


ROW = CoefficientSpec(
    key="bangdiwala_b",
    title="Bangdiwala's B",
    family="agreement",
    coefficient=BangdiwalaB(),
    levels=frozenset({Level.NOMINAL, Level.ORDINAL}),
    missing_ok=True,
    missing_rule="each pair of raters is compared on the items both rated",
    undefined_when="no two raters share a value",
    reference="bangdiwala1985",
    citation="Bangdiwala, S. I. (1985). A graphical test for observer agreement. Proceedings of the ISI 1, 307-308.",
    formula=r"B = \frac{\sum_k n_{kk}^2}{\sum_k n_{k\cdot} n_{\cdot k}}",
    peers=("vcd::agreementplot",),
    conventions=("with more than two raters the mean over pairs of raters",),
    identity=True,
)
