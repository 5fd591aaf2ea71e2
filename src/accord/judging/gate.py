"""The gate: declared criteria, a verdict of each from its interval, and a certificate that a changed judge voids."""

import json
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from accord import __version__
from accord.design.toml_text import parse_toml
from accord.errors import OptionError, UnreadableFileError
from accord.inference.interval import Interval
from accord.judging.deciding import labels_to_decide, labels_to_win
from accord.judging.dossier import CriterionDossier, Dossier
from accord.judging.labels import labels_for
from accord.ratings.codebook import JudgeFacts
from accord.records import dataclass

__all__ = ["CRITERIA", "EXIT_CODES", "Check", "Gate", "Verdict", "certificate", "judged", "read_gate", "standing"]


class Verdict(StrEnum):
    """What a gate says."""

    TRUSTED = "TRUSTED"
    UNTRUSTED = "UNTRUSTED"
    INCONCLUSIVE = "INCONCLUSIVE"


EXIT_CODES = {Verdict.TRUSTED: 0, Verdict.UNTRUSTED: 1, Verdict.INCONCLUSIVE: 3}

CRITERIA: Mapping[str, str] = {
    "winning_rate": "share of people the judge must beat in the alternative annotator test, such as 0.5",
    "advantage": "least probability that it fits people as well as a person does",
    "alpha": "least α of the judge with people",
    "alpha_loss": "most that α with the judge may lie below α among people",
    "bias": "most that the judge's mean may lie off people's, either way, in score points",
    "true_positive": "least rate of yes where people say yes",
    "true_negative": "least rate of no where people say no",
    "half_width": "widest half-width of the corrected mean",
    "unsteady": "largest part of a score's variance that may be the judge's own unsteadiness",
}
"""What a gate may ask, by its key in the file."""


@dataclass(frozen=True, slots=True)
class Check:
    """One criterion of the gate on one criterion of the ratings."""

    criterion: str
    asked: str
    limit: float
    value: float | None
    low: float | None
    high: float | None
    verdict: Verdict
    labels: int | None = None
    """Labelled items in all until it would be decided, where it is not and labels can do it."""

    def to_dict(self) -> dict[str, object]:
        return {
            "labels_to_decide": self.labels,
            "criterion": self.criterion,
            "asked": self.asked,
            "limit": self.limit,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "verdict": str(self.verdict),
        }


@dataclass(frozen=True, slots=True)
class Gate:
    """The whole verdict: the worst of its checks."""

    verdict: Verdict
    checks: tuple[Check, ...]

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]


def read_gate(path: Path) -> dict[str, float]:
    """The criteria of a file: ``winning_rate = 0.5`` and its like, perhaps below [gate]."""
    try:
        content = parse_toml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFileError(f"The gate {path} cannot be read: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise OptionError(f"The gate {path} is no TOML: {error}. Write lines such as: winning_rate = 0.5") from None
    given = content.get("gate", content)
    known = ", ".join(CRITERIA)
    if not isinstance(given, dict) or not given:
        raise OptionError(f"The gate {path} asks nothing. Criteria: {known}.")
    for name, limit in given.items():
        if name not in CRITERIA:
            raise OptionError(f"The gate {path} asks for {name!r}, which is not known. Criteria: {known}.")
        if isinstance(limit, bool) or not isinstance(limit, int | float):
            raise OptionError(f"The gate {path}: {name} is {limit!r}, and must be a number.")
    return {name: float(limit) for name, limit in given.items()}


def judged(dossier: Dossier, criteria: Mapping[str, float]) -> Gate:
    """Every criterion on every part: within its limit for certain, beyond it for certain, or not decided."""
    checks = tuple(_check(part, name, limit) for part in dossier.parts for name, limit in criteria.items())
    verdicts = {check.verdict for check in checks}
    worst = next((one for one in (Verdict.UNTRUSTED, Verdict.INCONCLUSIVE) if one in verdicts), Verdict.TRUSTED)
    return Gate(worst, checks)


def _check(part: CriterionDossier, name: str, limit: float) -> Check:
    value, interval, at_least = _found(part, name)
    low, high = (None, None) if interval is None else (interval.low, interval.high)
    verdict = Verdict.INCONCLUSIVE
    if name == "bias" and low is not None and high is not None:
        within, beyond = -limit <= low and high <= limit, low > limit or high < -limit
        verdict = Verdict.TRUSTED if within else Verdict.UNTRUSTED if beyond else verdict
    elif low is not None and high is not None:
        if low >= limit if at_least else high <= limit:
            verdict = Verdict.TRUSTED
        elif name != "half_width" and (high < limit if at_least else low > limit):
            # A wide interval is no fault of the judge: labels are lacking.
            verdict = Verdict.UNTRUSTED
    labels = _labels(part, name, limit, value, interval) if verdict is Verdict.INCONCLUSIVE else None
    return Check(part.title, name, limit, value, low, high, verdict, labels)


def _labels(
    part: CriterionDossier, name: str, limit: float, value: float | None, interval: Interval | None
) -> int | None:
    """How many labelled items would decide, if what was found stays as it is."""
    if name == "winning_rate":
        return None if part.test is None else labels_to_win(part.test, limit)
    if value is None or interval is None or name == "unsteady":
        return None
    if name == "half_width":
        return labels_for(part.measures[0].overall, limit)
    labelled = part.panel.labelled
    documents = len(np.unique(part.panel.cluster[labelled]))
    return labels_to_decide(value, interval, limit, len(labelled), documents, either_side=name == "bias")


def _found(part: CriterionDossier, name: str) -> tuple[float | None, Interval | None, bool]:
    """The value, its interval, and whether more is better; what is exact has an interval of no width."""
    if name in ("winning_rate", "advantage"):
        test = part.test
        if test is None:
            return None, None, True
        rate = name == "winning_rate"
        return (
            test.winning_rate if rate else test.advantage,
            test.winning_interval if rate else test.advantage_interval,
            True,
        )
    if name in ("alpha", "alpha_loss"):
        one = part.beside[0]
        if name == "alpha":
            return one.judge, one.judge_interval, True
        gap = one.difference_interval
        turned = None if gap is None else Interval(low=-gap.high, high=-gap.low, level=gap.level, method=gap.method)
        return -one.difference, turned, False
    if name == "bias":
        return part.apart.value, part.apart.interval, False
    if name in ("true_positive", "true_negative"):
        if part.verdicts is None:
            return None, None, True
        return getattr(part.verdicts, name), getattr(part.verdicts, f"{name}_interval"), True
    if name == "half_width":
        interval = part.measures[0].overall.interval
        return (None, None, False) if interval is None else _exact(interval.width / 2)
    return (None, None, False) if part.runs is None else (part.runs.share, part.runs.interval, False)


def _exact(value: float) -> tuple[float, Interval | None, bool]:
    return value, Interval(low=value, high=value, method="as it is"), False


def certificate(dossier: Dossier, gate: Gate, criteria: Mapping[str, float]) -> dict[str, Any]:
    """What a later run is held against: verdict, criteria, hash of the data, version, and the judge's fingerprint."""
    facts = dossier.facts
    return {
        "verdict": str(gate.verdict),
        "judge": dossier.judge,
        "fingerprint": facts.fingerprint,
        "judged_with": {
            "model": facts.model,
            "prompt": facts.prompt,
            "rubric": facts.rubric,
            "parameters": facts.parameters,
        },
        "data": dossier.fingerprint,
        "accord": __version__,
        "seed": dossier.asked.seed,
        "epsilon": dossier.asked.epsilon,
        "confidence": dossier.asked.level,
        "gate": dict(criteria),
        "checks": [check.to_dict() for check in gate.checks],
    }


def standing(path: Path, facts: JudgeFacts) -> tuple[bool, str]:
    """Whether a certificate still stands for this judge, and the sentence that says so."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        old, verdict, with_what = held["fingerprint"], Verdict(held["verdict"]), held["judged_with"]
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFileError(f"The certificate {path} cannot be read: {error}.") from None
    except (ValueError, KeyError, TypeError):
        raise OptionError(
            f"{path} is no certificate of accord judge. Write one with --gate and --certificate."
        ) from None
    if old == facts.fingerprint:
        return True, f"The certificate {path.name} stands: {verdict} for {facts.name} as it is ({old})."
    changed = [
        name
        for name in ("model", "prompt", "rubric", "parameters")
        if isinstance(with_what, dict) and with_what.get(name, "") != getattr(facts, name)
    ]
    if held.get("judge") != facts.name:
        changed.insert(0, "name")
    what = " and ".join(changed) or "fingerprint"
    return False, (
        f"The certificate {path.name} is void: the judge's {what} changed since ({old}, now {facts.fingerprint}). "
        "What is known about the old judge says nothing about this one."
    )
