"""The gate: declared criteria, and a verdict of each from its interval."""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from math import inf, isfinite
from pathlib import Path

from accord.arrays import distinct
from accord.design.toml_text import parse_toml
from accord.errors import OptionError, UnreadableFileError
from accord.inference.interval import Interval
from accord.judging.deciding import labels_to_decide, labels_to_win
from accord.judging.dossier import CriterionDossier, Dossier
from accord.judging.labels import labels_for
from accord.records import dataclass

__all__ = ["CRITERIA", "EXIT_CODES", "Check", "Gate", "Verdict", "checked_criteria", "judged", "read_gate"]


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
_RANGES: Mapping[str, tuple[float, float]] = {
    "winning_rate": (0, 1), "advantage": (0, 1), "alpha": (-1, 1), "alpha_loss": (0, 2), "bias": (0, inf),
    "true_positive": (0, 1), "true_negative": (0, 1), "half_width": (0, inf), "unsteady": (0, 1),
}  # fmt: skip
"""Between what a limit lies that a judge may meet and may miss."""
_IN_POINTS = {"bias": 1.0, "half_width": 0.5}
"""Limits in score points, and the part of the scale's width from which on nobody could miss them."""


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
    why: str = ""
    """Why there is no value, where there is none."""

    def to_dict(self) -> dict[str, object]:
        return {
            "labels_to_decide": self.labels,
            "why": self.why,
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
    """The whole verdict: the worst of its checks; what could not be looked at at all is in ``unseen``."""

    verdict: Verdict
    checks: tuple[Check, ...]
    unseen: tuple[str, ...] = ()

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
        raise OptionError(
            f"The gate {path} is not valid TOML: {error}. Write lines such as: winning_rate = 0.5"
        ) from None
    return checked_criteria(content.get("gate", content), f"The gate {path}")


def checked_criteria(given: object, who: str = "The gate") -> dict[str, float]:
    """Known criteria with limits that a judge may meet or miss, or an error that says which is not."""
    known = ", ".join(CRITERIA)
    if not isinstance(given, Mapping) or not given:
        raise OptionError(f"{who} asks nothing. Criteria: {known}.")
    for name, limit in given.items():
        if name not in CRITERIA:
            raise OptionError(f"{who} asks for {name!r}, which is not known. Criteria: {known}.")
        if isinstance(limit, bool) or not isinstance(limit, int | float) or not isfinite(limit):
            raise OptionError(f"{who}: {name} is {limit!r}, and must be a number.")
        low, high = _RANGES[name]
        if not low <= limit <= high or (limit == 0 and name in _IN_POINTS):
            between = "be more than 0" if high == inf else f"lie between {low:g} and {high:g}"
            raise OptionError(f"{who}: {name} is {limit:g} and must {between} ({CRITERIA[name]}).")
    return {str(name): float(limit) for name, limit in given.items()}


def judged(dossier: Dossier, criteria: Mapping[str, float]) -> Gate:
    """Every criterion on every part: within its limit for certain, beyond it for certain, or not decided."""
    limits = checked_criteria(criteria)
    for part in dossier.parts:
        _check_points(part, limits)
    checks = tuple(_check(part, name, limit) for part in dossier.parts for name, limit in limits.items())
    verdicts = {check.verdict for check in checks} | ({Verdict.INCONCLUSIVE} if dossier.skipped else set())
    worst = next((one for one in (Verdict.UNTRUSTED, Verdict.INCONCLUSIVE) if one in verdicts), Verdict.TRUSTED)
    return Gate(worst, checks, dossier.skipped)


def _check_points(part: CriterionDossier, limits: Mapping[str, float]) -> None:
    ends = part.panel.ends
    for name, share in _IN_POINTS.items():
        if ends is not None and name in limits and limits[name] >= share * (ends[1] - ends[0]):
            raise OptionError(
                f"The gate asks {name} {limits[name]:g}, and the scale of {part.title} goes from {ends[0]:g} to "
                f"{ends[1]:g}: no judge could miss it. Give a limit in points of that scale."
            )


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
    return Check(
        part.title, name, limit, value, low, high, verdict, labels, "" if low is not None else _why(part, name)
    )


def _why(part: CriterionDossier, name: str) -> str:
    """Why a criterion has no interval here."""
    match name:
        case "winning_rate" | "advantage":
            return part.refused
        case "bias" if not part.panel.ordered:
            return "Labels have no score points: ask for true_positive and true_negative, or for alpha."
        case "true_positive" | "true_negative" if part.verdicts is None:
            return "Say which value is a yes with --positive VALUE."
        case "half_width":
            return f"No corrected mean: {part.measures[0].overall.refused}."
        case "unsteady" if part.runs is None:
            return "No item was judged twice in the same way."
        case "unsteady" if not part.panel.ordered:
            return "Labels have no variance."
        case "unsteady":
            return f"Too few {part.panel.units} were judged again for an interval, or every score is the same."
        case _:
            return f"There are too few labelled {part.panel.units} for an interval."


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
    documents = len(distinct(part.panel.cluster[labelled]))
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
        return (part.apart.value, part.apart.interval, False) if part.panel.ordered else (None, None, False)
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
