"""Systems as the judgements rank them so far, under codes until an organiser unblinds them."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from accord.design.scale import Direction
from accord.look.bar import Bar
from accord.ratings.study_codebook import system_names
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reporting.analysis import rankings_of
from accord.reporting.ranked import Rankings, system_bars
from accord.scoring.gate_exclusions import gated
from accord.scoring.ranking.result import Ranking
from accord.scoring.ranking.segments import MEANS_OVER
from accord.server.blinding import are_named
from accord.server.organiser.drawing import drawn_bar
from accord.server.organiser.titles import in_titles
from accord.server.study import current

__all__ = [
    "ShownRanking",
    "first_sentence",
    "rankings_in_brief",
    "shown_name",
    "shown_ranking",
    "systems_ranked",
    "with_system_names",
]

_MOST_PAIRS = 4
_MOST_SYSTEMS = 8

Plain = dict[str, Any]


def systems_ranked(ratings: Ratings) -> tuple[Rankings, list[str]]:
    """The rankings of the report, by the codes of the systems; then what could not be ranked, and why."""
    unranked: list[str] = []
    # As the report and ``accord rank`` do: whom the gate of direct assessment leaves out ranks nobody.
    counted = gated(ratings)
    return rankings_of(counted, counted.codebook.study.confidence or 0.95, unranked), unranked


def rankings_in_brief(ratings: Ratings, made: Rankings, unranked: Sequence[str] = ()) -> Plain:
    """These rankings as results keep them."""
    # Where a study asks one question its ratings have no column that names it.
    only = next(iter(ratings.codebook.criteria))
    return {"made": [_plain(criterion or only, ranking) for criterion, ranking in made], "unranked": list(unranked)}


def _plain(criterion: str, ranking: Ranking) -> Plain:
    bars = system_bars(ranking) or [None] * len(ranking.systems)
    return {
        "criterion": criterion,
        "known": ranking.direction.is_known,
        "systems": [
            {"system": one.name, "score": one.score, "ranks": one.ranks, "bar": _bar(bar)}
            for one, bar in zip(ranking.systems, bars, strict=True)
        ],
        "pairs": len(ranking.pairs),
        "apart": sum(one.winner is not None for one in ranking.pairs),
        "together": [[one.first, one.second] for one in ranking.pairs if one.winner is None],
        "cautions": list(ranking.cautions),
        "signature": ranking.signature,
    }


def _bar(bar: Bar | None) -> Plain | None:
    if bar is None:
        return None
    return {"value": bar.value, "low": bar.low, "high": bar.high, "words": bar.words, "ends": list(bar.ends)}


@dataclass(frozen=True, slots=True)
class ShownRanking:
    """A ranking as the page draws it: systems with ranks, score and bar, and who cannot be told apart yet."""

    criterion: str
    rows: Sequence[tuple[str, str, str, float]]
    """System, ranks, drawing and score."""
    ends: tuple[float, float] | None
    together: str
    more: int
    apart: int
    pairs: int
    known: bool
    is_low_good: bool = False
    means_over: Sequence[str] = ()
    """That versions or rounds which are kept apart elsewhere are in one mean here."""


def shown_ranking(found: Plain) -> ShownRanking:
    """Under codes, or under the systems' own names once somebody unblinded them."""
    names = _names()
    criterion = found["criterion"] or next(iter(current().criteria))
    systems = found["systems"][:_MOST_SYSTEMS]
    bars = [one["bar"] for one in systems if one["bar"]]
    together = [
        _("{first} and {second}").format(first=names(a), second=names(b)) for a, b in found["together"][:_MOST_PAIRS]
    ]
    if found["known"] and (more := len(found["together"]) - len(together)) > 0:
        together.append(_("further pairs: {n}").format(n=more))
    return ShownRanking(
        criterion,
        [(names(one["system"]), one["ranks"].replace("-", "–"), _drawn(one["bar"]), one["score"]) for one in systems],
        tuple(bars[0]["ends"]) if bars else None,
        ", ".join(together) if found["known"] else "",
        len(found["systems"]) - len(systems),
        found["apart"],
        found["pairs"],
        found["known"],
        _is_low_good(criterion),
        [words.partition(";")[0] for words in found["cautions"] if words.startswith(MEANS_OVER)],
    )


def _is_low_good(criterion: str) -> bool:
    asked = current().criteria.get(criterion)
    return asked is not None and asked.meaning().scale.direction is Direction.LOW


def _drawn(bar: Plain | None) -> str:
    return drawn_bar(Bar(**{**bar, "ends": tuple(bar["ends"])})) if bar else ""


def _names() -> Callable[[str], str]:
    """How a code is told: as it is, or as the system is called."""
    known: Mapping[str, str] = {}
    if are_named():
        known = {code: system for system, code in system_names(current().study).items()}
    return lambda code: known.get(code) or code.replace("system-", "System ")


def shown_name(code: str) -> str:
    """A system as the pages call it."""
    return _names()(code)


def with_system_names(text: str) -> str:
    """A sentence in which the codes of systems stand as the pages call them."""
    names = _names()
    return re.sub(r"\bsystem-\d+\b", lambda found: names(found[0]), text)


def first_sentence(results: Plain) -> str:
    """What the report says first, with systems and scenarios as the pages call them; empty before there are results."""
    return in_titles(with_system_names(results.get("answer", {}).get("sentence", "")))
