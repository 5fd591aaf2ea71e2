"""Language models of a study beside its people: what the dashboard shows apart from everybody's reliability."""

from typing import Any

from accord.errors import AccordError
from accord.inference.interval import Interval
from accord.judging.dossier import Asked, CriterionDossier, dossier_of
from accord.judging.panel import MODEL
from accord.judging.words import answer_of
from accord.ratings.roles import ordinary
from accord.ratings.table import Ratings

__all__ = ["beside_people"]

Plain = dict[str, Any]


def beside_people(ratings: Ratings | None, *, seed: int = 0) -> list[Plain]:
    """Each model on each criterion: agreement with people beside people's own, bias, and the answer in words."""
    plain = None if ratings is None else ordinary(ratings)
    if plain is None:
        return []
    models = [] if MODEL not in plain.columns["kind"].names else plain.only(kind=MODEL).rater.names
    found: list[Plain] = []
    for name in models:
        try:
            made = dossier_of(plain, Asked(judge=name, next_labels=0, seed=seed))
        except AccordError as error:
            found.append({"judge": name, "criterion": "", "words": str(error)})
            continue
        found += [_judge_in_words(name, part) for part in made.parts]
        found += [{"judge": name, "criterion": "", "words": words} for words in made.skipped]
    return found


def _judge_in_words(name: str, part: CriterionDossier) -> Plain:
    alpha = part.beside[0]
    return {
        "judge": name,
        "criterion": part.title.removeprefix("criterion "),
        "items": len(part.panel.labelled),
        "judged": len(part.panel.items),
        "people": len(part.panel.people),
        "alpha": _number(alpha.judge),
        **_ends("alpha", alpha.judge_interval),
        "alpha_people": _number(alpha.people),
        "bias": _number(part.apart.value) if part.panel.ordered else None,
        **_ends("bias", part.apart.interval if part.panel.ordered else None),
        "words": answer_of(name, part),
    }


def _ends(name: str, interval: Interval | None) -> Plain:
    return {f"{name}_low": interval.low if interval else None, f"{name}_high": interval.high if interval else None}


def _number(value: float) -> float | None:
    return None if value != value else value
