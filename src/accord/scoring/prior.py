"""A prior: what was expected of a score before it was measured, and where that came from."""

from collections.abc import Sequence
from datetime import date

from accord.errors import OptionError
from accord.records import dataclass

__all__ = ["Prior"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """A guess of the true value, fixed before the measurement and independent of it.

    ``origin`` says in words where it comes from, ``fixed`` when it was set, ``measured`` when the score
    was taken, ``earlier`` the scores it was computed from.
    """

    value: float
    origin: str = ""
    fixed: date | None = None
    measured: date | None = None
    earlier: tuple[float, ...] = ()
    works: tuple[tuple[float, ...], ...] = ()
    """The same scores, those of one work together."""

    def __post_init__(self) -> None:
        if self.fixed and self.measured and self.fixed > self.measured:
            raise OptionError(
                f"The prior was set on {self.fixed}, after the score was measured on {self.measured}. "
                "It must be fixed before the measurement: use what was known then."
            )

    @property
    def words(self) -> str:
        when = f", fixed on {self.fixed}" if self.fixed else ""
        return (self.origin or "given") + when

    def cautions(self, measured: Sequence[float]) -> tuple[str, ...]:
        """What must be said about this prior beside the scores it is used with."""
        said = []
        if shared := sorted(set(self.earlier) & set(measured)):
            said.append(
                f"The prior was computed from scores that include {', '.join(f'{value:g}' for value in shared)}, the "
                "score it is used with: if that is the same evaluation, the interval is not valid. Leave it out."
            )
        if self.fixed is None and not self.earlier:
            said.append(
                "The interval holds only if the prior was fixed before the measurement, without knowing the score; "
                "record the date with --prior-fixed."
            )
        return tuple(said)

    def to_dict(self) -> dict[str, object]:
        return {
            "value": self.value, "origin": self.words, "fixed": str(self.fixed) if self.fixed else None,
            "measured": str(self.measured) if self.measured else None, "earlier_scores": len(self.earlier),
        }  # fmt: skip
