"""One coefficient on counted ratings: its value, parts, and the analytic error and interval that belong to it."""

from collections.abc import Callable
from dataclasses import field
from functools import cached_property

from accord import sizes
from accord.coefficients.coefficient import DEFAULTS, Analytic
from accord.coefficients.features import View
from accord.coefficients.options import Options
from accord.coefficients.registry import coefficient
from accord.inference.interval import Interval
from accord.ratings.counts import CountSource
from accord.records import dataclass

__all__ = ["Computed", "compute"]


@dataclass(frozen=True, kw_only=True)
class Computed:
    """A value with its parts by name; ``items`` is how many entered it, ``own`` gives its own error and interval."""

    key: str
    value: float
    items: int
    parts: dict[str, float] = field(default_factory=dict)
    conventions: tuple[str, ...] = ()
    own: Callable[[], Analytic] = Analytic

    @cached_property
    def analytic(self) -> Analytic:
        """Made when somebody asks: resamples mostly give a better one."""
        return self.own()

    @property
    def standard_error(self) -> float | None:
        return self.analytic.standard_error

    @property
    def interval(self) -> Interval | None:
        return self.analytic.interval


def compute(
    source: CountSource,
    key: str,
    options: Options = DEFAULTS,
    confidence: float = 0.95,
    view: View | None = None,
) -> Computed:
    """The coefficient of these ratings, nan where it is undefined; ``view`` keeps what several can share."""
    spec = coefficient(key)
    facts = source.facts()
    words = spec.coefficient.chosen(facts.scale, options)
    if not facts.complete:
        rule = spec.coefficient.missing_rule(options)
        words = (rule,) if rule else (*words, f"missing ratings: {spec.missing_rule}")
    nameless = not spec.identity and spec.family != "icc"
    if view is None and nameless and not sizes.is_laid_out(facts.items, facts.raters):
        # Many raters with few items each are never laid out for a coefficient that does not tell raters apart.
        view = View(source.unnamed_patterns(), facts.scale)
    view = view or View.of(source)
    if nameless:
        view = view.nameless
    parts, own = spec.coefficient.estimate(view, confidence, options)
    return Computed(
        key=key, value=parts.pop("value"), items=int(parts.pop("items", facts.pairable)), parts=parts,
        conventions=words, own=own,
    )  # fmt: skip
