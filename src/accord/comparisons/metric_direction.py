"""Which end of a metric is the good one: as the user says, or as metrics of that name are defined."""

import re
from collections.abc import Sequence

from accord.design.scale import Direction
from accord.errors import OptionError
from accord.records import dataclass
from accord.words import listed

__all__ = ["AskedMetric", "asked_metrics", "told_directions"]

_LOW = ("ter", "hter", "ster", "wer", "cer", "per", "character", "metricx", "perplexity", "ppl")
_HIGH = (
    "bleu", "sentbleu", "spbleu", "chrf", "chrf++", "chrfpp", "comet", "cometkiwi", "xcomet", "bleurt", "meteor",
    "nist", "bertscore", "yisi", "rouge", "prism", "bartscore", "unite", "ribes",
)  # fmt: skip
_WORD = re.compile(r"[a-z]+\+{0,2}")
_SAID = re.compile(r"(?P<name>.+)=(?P<end>high|low)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AskedMetric:
    """A metric and its good end; ``by_name`` where the end follows from what metrics of that name are."""

    name: str
    direction: Direction
    by_name: bool = False


def asked_metrics(asked: Sequence[str]) -> dict[str, AskedMetric]:
    """Each metric by its column: ``ter`` alone or, with its good end, ``ter=low``."""
    found: dict[str, AskedMetric] = {}
    for word in asked:
        said = _SAID.match(word)
        one = AskedMetric(said["name"].strip(), Direction(said["end"].lower())) if said else defined(word)
        if one.name in found:
            raise OptionError(
                f"The metric {one.name!r} is named twice. Name it once, with its good end: {one.name}=low."
            )
        found[one.name] = one
    return found


def defined(name: str) -> AskedMetric:
    """What metrics of this name are: an edit rate is an error rate, BLEU a likeness; unknown for any other name."""
    words = set(_WORD.findall(name.lower()))
    ends = {end for end, names in ((Direction.LOW, _LOW), (Direction.HIGH, _HIGH)) if words & set(names)}
    return AskedMetric(name, ends.pop(), by_name=True) if len(ends) == 1 else AskedMetric(name, Direction.UNKNOWN)


def told_directions(metrics: Sequence[AskedMetric]) -> list[str]:
    """What was taken from a name, and what has to be asked, in sentences."""
    by_name = [f"{one.direction} is good for {one.name}" for one in metrics if one.by_name]
    unsaid = [one.name for one in metrics if not one.direction.is_known]
    lines = [f"By the name of the metric, {listed(by_name)}; --metric NAME=high or NAME=low says otherwise."]
    ask = (
        f"Nobody said which end of {listed(unsaid)} is good, so its correlations have the sign of its own numbers and "
        f"none is called better. Say it: --metric {(unsaid or [''])[0]}=high, or =low."
    )
    return (lines if by_name else []) + ([ask] if unsaid else [])
