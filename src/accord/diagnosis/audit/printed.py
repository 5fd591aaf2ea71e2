"""A number as it is printed: its decimals, and what the true value may have been."""

from fractions import Fraction

from accord.records import dataclass

__all__ = ["Printed"]


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed number. ``low`` and ``high`` allow for rounding as well as for truncation."""

    text: str
    value: Fraction
    decimals: int

    @classmethod
    def of(cls, text: str) -> "Printed":
        """Read ``0.40``, ``.4``, ``-0.03`` or ``70%``; a percentage becomes a proportion. ValueError if it is none."""
        plain = text.strip().replace("\N{MINUS SIGN}", "-").replace(",", ".")
        percent = plain.endswith("%")
        number = plain.rstrip("%").strip()
        value = Fraction(number)
        if "/" in number or "e" in number.lower():
            raise ValueError(text)
        decimals = len(number.partition(".")[2])
        return cls(text.strip(), value / 100, decimals + 2) if percent else cls(text.strip(), value, decimals)

    @property
    def step(self) -> Fraction:
        """One unit of the last printed place."""
        return Fraction(1, 10**self.decimals)

    @property
    def low(self) -> float:
        """Rounding takes half a step, truncation of a negative number a whole one."""
        return float(self.value - (self.step if self.value < 0 else self.step / 2))

    @property
    def high(self) -> float:
        return float(self.value + (self.step if self.value >= 0 else self.step / 2))

    def __float__(self) -> float:
        return float(self.value)
