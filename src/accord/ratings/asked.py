"""What was said about ratings before they are read: by options now, else by a codebook; the rest must be guessed."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from accord.design.criterion import Criterion
from accord.design.scale import Direction, Level, Scale
from accord.errors import OptionError
from accord.ratings.codebook import Codebook
from accord.ratings.declared import (
    DeclaredDirection,
    DeclaredScale,
    parse_directions,
    parse_level,
    parse_scales,
)
from accord.ratings.header_scales import HeaderScale
from accord.records import dataclass

__all__ = ["OVERRULED", "SET_SEPARATOR", "Asked"]

SET_SEPARATOR = "|"
"""Parts the labels of an answer that is a set, where a codebook says that it is one."""
OVERRULED = "the declared good end is overruled"
"""How the line on a direction begins that options turn round."""


@dataclass(frozen=True)
class Asked:
    """How the values of each criterion are to be read, and what is known of their meaning."""

    codebook: Codebook = field(default_factory=Codebook)
    level: Level | None = None
    general: Scale | None = None
    own: Mapping[str, Scale] = field(default_factory=dict)
    directions: Mapping[str, Direction] = field(default_factory=dict)
    parted: str | None = None
    headers: Mapping[str, HeaderScale] = field(default_factory=dict)
    """Criterion -> the scale that the header of its column names; for criteria of which nobody said more."""

    @classmethod
    def of(
        cls,
        *,
        level: Level | str | None = None,
        scale: DeclaredScale | Mapping[str, DeclaredScale] | None = None,
        scales: Mapping[str, DeclaredScale] | None = None,
        direction: DeclaredDirection | Mapping[str, DeclaredDirection] | Sequence[str] | None = None,
        codebook: Codebook | None = None,
        separator: str | None = None,
        headers: Mapping[str, HeaderScale] | None = None,
    ) -> "Asked":
        """The options as a user gives them, before a codebook that somebody declared."""
        chosen = None if level is None else parse_level(level)
        general, own = (None, {}) if scale is None else parse_scales(scale, chosen)
        own |= parse_scales(scales, chosen)[1] if scales else {}
        directions = {} if direction is None else parse_directions(direction)
        return cls(codebook or Codebook(), chosen, general, own, directions, separator, headers or {})

    def for_criteria(self, names: Sequence[str]) -> "Asked":
        """The same for ratings that name these criteria; () where they name none.

        A codebook that describes one criterion without a name speaks of all of them.
        """
        for what, given in (("scale", self.own), ("direction", self.directions)):
            if unknown := sorted(set(given) - set(names) - {""}):
                there = ", ".join(names) or "none, as there is no criterion column"
                raise OptionError(f"A {what} is declared for {', '.join(unknown)}, but the criteria are: {there}.")
        known = self.codebook.criteria
        if not names or set(known) != {""}:
            return self
        return replace(self, codebook=replace(self.codebook, criteria={n: replace(known[""], key=n) for n in names}))

    def scale_of(self, criterion: str = "") -> tuple[Scale | None, Level | None]:
        """The declared scale, or at least the declared level; neither where it must be guessed."""
        said = self.own.get(criterion, self.general)
        if said is not None:
            return said, self.level
        known = self._declared_criterion(criterion) if self.codebook.criteria else None
        if known is None:
            return None, self.level
        scale = known.scale if self.level is None else replace(known.scale, level=self.level, guesses=())
        if scale.any_between:
            return replace(scale, values=()), None
        if scale.declared and scale.values:
            return scale, None
        has_ends = scale.low is not None and scale.high is not None
        if has_ends and scale.level.has_distance and not scale.guesses:
            return replace(scale, values=()), None
        return None, None if scale.has_guessed_level else scale.level

    def separator(self, criterion: str = "") -> str | None:
        """The sign that parts the labels of one answer; None where an answer is one value."""
        known = self._declared_criterion(criterion) if self.codebook.criteria else None
        return SET_SEPARATOR if self.parted is None and known is not None and known.several else self.parted

    def _declared_criterion(self, criterion: str) -> Criterion | None:
        known = self.codebook.criteria.get(criterion)
        if known is None and criterion == "" and len(self.codebook.criteria) == 1:
            return self.codebook.criterion()
        return known

    def meaning(self, scales: Mapping[str, Scale]) -> Codebook:
        """The codebook of the scales that the values turned out to lie on, with every guess named."""
        if set(scales) == {""} and len(self.codebook.criteria) == 1:
            scales = {next(iter(self.codebook.criteria)): scales[""]}
        codebook = self.codebook.with_scales(scales)
        criteria = codebook.criteria
        if self.directions or any(scale.has_sets for scale in scales.values()):
            criteria = {key: self._directed(key, one, len(scales) == 1) for key, one in criteria.items()}
        former = set(_scale_guesses(self.codebook.criteria))
        kept = [words for words in codebook.guesses if words not in former]
        return replace(codebook, criteria=criteria, guesses=tuple(dict.fromkeys((*kept, *_scale_guesses(criteria)))))

    def overruled(self) -> tuple[str, ...]:
        """A line on each criterion whose declared good end the options turn round: no winner changes in silence."""
        told = []
        for key, one in self.codebook.criteria.items():
            wanted = self.directions.get(key, self.directions.get("", one.direction))
            if one.direction.is_known and wanted is not one.direction:
                of = f" for {key}" if key else ""
                who = f" (by {self.codebook.source})" if self.codebook.source else ""
                told.append(f"{OVERRULED}{of}: {one.direction} was declared{who}, {wanted} is asked for and used")
        return tuple(told)

    def _directed(self, key: str, criterion: Criterion, is_only: bool) -> Criterion:
        """The criterion with the direction that the options say."""
        if criterion.scale.has_sets and not criterion.several:
            criterion = replace(criterion, several=True)
        wanted = self.directions.get(key, self.directions.get(""))
        if wanted is None:
            return criterion
        if wanted.is_known and not criterion.level.has_order:
            if is_only or key in self.directions:
                raise OptionError(
                    f"Which end is good was said ({wanted}), but the values of {criterion.title} are labels without an "
                    "order. Declare the order too, for example --scale 'bad<fair<good'."
                )
            return criterion
        return replace(criterion, scale=replace(criterion.scale, direction=wanted))


def _scale_guesses(criteria: Mapping[str, Criterion]) -> list[str]:
    """What was guessed about each scale; with the name of its criterion where there are several."""
    named = len(criteria) > 1
    return [f"{one.title}: {words}" if named else words for one in criteria.values() for words in one.scale.guesses]
