"""The effect of leaving a rater out: computed for the page, or kept and renewed beside it where that takes long."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from django.utils import timezone

from accord.errors import AccordError
from accord.records import dataclass
from accord.server.models import Judgement, Rater
from accord.server.models_organiser import KeptEffect
from accord.server.organiser import ratings
from accord.server.organiser.computing import claim, due, is_under_way, let_go, problem_of, start
from accord.server.organiser.effect import Effect, effect_of
from accord.server.organiser.ratings import collect, state_of_judgements

__all__ = ["ShownEffect", "compute_effect", "shown_effect"]

_NAME = "effect"


@dataclass(frozen=True, slots=True)
class ShownEffect:
    """Effects, and which state they are of: ``made_at`` is None where they are of this moment."""

    effects: Sequence[Effect]
    made_at: datetime | None = None
    newer: int = 0
    computing: bool = False
    problem: str = ""

    @property
    def known(self) -> list[Effect]:
        """Without coefficients that have no value either way: there is nothing to compare."""
        return [one for one in self.effects if one.with_rater is not None or one.without is not None]

    @property
    def leaves_nothing(self) -> bool:
        """Whether no agreement can be computed without the rater, as of one of two."""
        return bool(self.effects) and all(one.without is None for one in self.effects)

    @property
    def is_kept(self) -> bool:
        return self.computing or self.made_at is not None or bool(self.problem)


def shown_effect(rater: Rater) -> ShownEffect:
    """At once, whatever the number of judgements; the newest results are on their way if these are old."""
    judgements = Judgement.objects.count()
    if judgements <= ratings.MANY:
        return ShownEffect(effect_of(collect(), rater.pseudonym))
    kept = KeptEffect.objects.filter(rater=rater).first()
    old = kept is None or (kept.state != state_of_judgements() and due(kept.made_at, kept.seconds))
    if old and claim(_NAME):
        start("effect", rater.pseudonym)
    if kept is None:
        return ShownEffect((), computing=True, problem=problem_of(_NAME))
    effects = [Effect(**one) for one in kept.effects]
    return ShownEffect(effects, kept.made_at, judgements - kept.judgements, is_under_way(_NAME))


def compute_effect(name: str) -> None:
    """Read everything, compare with and without the rater, and keep it."""
    begun = time.monotonic()
    told = ""
    try:
        collected = collect()
        effects = [asdict(one) for one in effect_of(collected, name)]
        KeptEffect.objects.update_or_create(
            rater=Rater.objects.get(pseudonym=name),
            defaults={
                "state": collected.state, "judgements": collected.judgements, "effects": effects,
                "made_at": timezone.now(), "seconds": time.monotonic() - begun,
            },
        )  # fmt: skip
    except AccordError as error:
        told = str(error)
    finally:
        let_go(_NAME, told)
