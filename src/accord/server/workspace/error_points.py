"""What marked errors cost, as lines of a form, and back: severities with their words, and points of one category."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from accord.errors import InputError

__all__ = ["point_lines", "with_points"]

Raw = dict[str, Any]


def point_lines(criterion: Mapping[str, Any]) -> str:
    """``major = 5 = Words`` for each severity, then ``minor/punctuation = 0.1`` for what costs something else."""
    graded = [
        [one["key"], f"{one.get('weight', 1):g}", one.get("label", "")] for one in criterion.get("severities", [])
    ]
    single = [[name, f"{points:g}"] for name, points in criterion.get("weights", {}).items()]
    return "\n".join(" = ".join(filter(None, line)) for line in (*graded, *single))


def with_points(criterion: Raw, given: str | None) -> Raw:
    """The question with the points of these lines; lines that were left as they were shown change nothing."""
    lines = [line.strip() for line in (given or "").splitlines() if line.strip()]
    if given is None or lines == point_lines(criterion).splitlines():
        return criterion
    severities: list[Raw] = []
    weights: dict[str, float] = {}
    for line in lines:
        key, points, words = _parts(line)
        if "/" in key:
            weights[key] = points
        else:
            severities.append({"key": key, **({"label": words} if words else {}), "weight": points})
    rest = {name: value for name, value in criterion.items() if name not in ("severities", "weights")}
    return {**rest, "severities": severities, **({"weights": weights} if weights else {})}


def _parts(line: str) -> tuple[str, float, str]:
    key, points, words = [part.strip() for part in (line + "==").split("=", 2)]
    try:
        number = float(points)
    except ValueError:
        number = -1.0
    if not key or not 0 <= number < 1e9:
        raise InputError(_("Points of errors: write a severity, “=” and its points, not “{line}”.").format(line=line))
    return key, int(number) if number.is_integer() else number, words.rstrip("=").strip()
