"""What preferences say: systems, pairs of systems, and the choices of each rater."""

from accord.inference.interval import Interval
from accord.records import dataclass
from accord.tables.plain import PlainData
from accord.words import steady

__all__ = ["Preference", "PreferencePair", "Preferences", "PreferredSystem", "RaterChoices"]


@dataclass(frozen=True, slots=True)
class Preference:
    """One comparison: ``winner`` is one of the two, or '' for a tie."""

    first: str
    second: str
    winner: str
    rater: str = ""
    item: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredSystem:
    """A system's ability on a log scale centred at 0, and how often it won, tied and lost."""

    name: str
    ability: float
    interval: Interval
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencePair:
    """Two systems: difference of ability, p after Holm, and the counts.

    ``p`` and ``adjusted`` are about other raters, ``adjusted_here`` takes these raters as given: it is about other
    documents, or about other items where documents are not known or fewer than four.
    """

    first: str
    second: str
    difference: float
    p: float
    adjusted: float
    adjusted_here: float
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterChoices(PlainData):
    """How often one rater preferred the first of two systems, called a tie, and preferred the second."""

    rater: str
    first: str
    second: str
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """Systems from best to worst. ``tie`` is nu: at equal ability a tie has probability nu / (2 + nu).

    ``misfit`` is the deviance of wins and losses, ties apart, from one ability for each system. ``circles`` are those
    that are shown: each of the three preferences by its own test, adjusted over all pairs.
    """

    systems: tuple[PreferredSystem, ...]
    pairs: tuple[PreferencePair, ...]
    tie: float
    misfit: float
    misfit_freedom: int
    misfit_p: float
    circles: tuple[tuple[str, str, str], ...]
    comparisons: int
    method: str
    cautions: tuple[str, ...]
    signature: str
    raters: int = 0
    """How many raters are named; 0 where none is."""
    by_rater: tuple[RaterChoices, ...] = ()
    """The choices of each rater between each two systems, where raters are few."""
    texts: str = ""
    """What ``adjusted_here`` speaks of besides those seen: documents or items; '' where neither is named."""

    def __str__(self) -> str:
        lines = [f"{steady(s.ability):7.3f} {s.interval}  {s.name}" for s in self.systems]
        return "\n".join([f"Preferences, {self.method}", *lines, *self.cautions])

    def to_dict(self) -> dict[str, object]:
        return {
            "systems": [{"system": s.name, "ability": s.ability, "interval": s.interval.to_dict(), "wins": s.wins,
                         "ties": s.ties, "losses": s.losses} for s in self.systems],
            "pairs": [{"first": p.first, "second": p.second, "difference": p.difference, "p": p.p,
                       "adjusted": p.adjusted, "adjusted_with_these_raters": p.adjusted_here, "wins": p.wins,
                       "ties": p.ties, "losses": p.losses} for p in self.pairs],
            "by_rater": [one.to_dict() for one in self.by_rater],
            "tie": self.tie, "misfit": {"deviance": self.misfit, "degrees_of_freedom": self.misfit_freedom,
                                        "p": self.misfit_p},
            "circles": [list(circle) for circle in self.circles], "comparisons": self.comparisons,
            "method": self.method, "cautions": list(self.cautions), "signature": self.signature,
        }  # fmt: skip
