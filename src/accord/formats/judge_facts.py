"""What a log says that a judge judged with: model, prompt, rubric and parameters, gathered row by row."""

import json
from collections.abc import Mapping
from hashlib import sha256

from accord.ratings.codebook import JudgeFacts

__all__ = ["JudgeLog", "settings_text"]

_MOST = 20
"""More texts than these come from the tests, not from the judge: they are told by their number and a hash."""


class JudgeLog:
    """The facts of every judge of one log, as they are met."""

    def __init__(self) -> None:
        self._told: dict[str, dict[str, dict[str, dict[str, None]]]] = {}

    def told(self, judge: str, criterion: str = "", **facts: object) -> None:
        """Some facts of this judge on one criterion; what is empty or no text is left."""
        known = self._told.setdefault(judge, {})
        for field, fact in facts.items():
            text = fact if isinstance(fact, str) else settings_text(fact)
            if text.strip():
                known.setdefault(field, {}).setdefault(criterion, {})[text.strip()] = None

    def facts(self) -> tuple[JudgeFacts, ...]:
        """One entry a judge; what differs by criterion is told criterion by criterion."""
        return tuple(
            JudgeFacts(name=judge, **{field: _joined(texts) for field, texts in known.items()})
            for judge, known in self._told.items()
        )


def _joined(texts: Mapping[str, Mapping[str, None]]) -> str:
    parts = {criterion: _texts_as_one(sorted(found)) for criterion, found in texts.items()}
    if len(set(parts.values())) == 1:
        return next(iter(parts.values()))
    return "\n".join(f"{criterion}: {text}" if criterion else text for criterion, text in sorted(parts.items()))


def _texts_as_one(texts: list[str]) -> str:
    if len(texts) <= _MOST:
        return " | ".join(texts)
    return f"{len(texts):,} different texts ({sha256(json.dumps(texts).encode()).hexdigest()[:12]})"


def settings_text(settings: object) -> str:
    """Settings as ``temperature=0, top_p=1``, in the order of their names; what is not set is left out."""
    if not isinstance(settings, Mapping):
        return "" if settings is None else json.dumps(settings, sort_keys=True, default=str, ensure_ascii=False)
    told = {str(name): value for name, value in settings.items() if value not in (None, "", [], {})}
    return ", ".join(
        f"{name}={value if isinstance(value, str | int | float) else json.dumps(value, sort_keys=True, default=str)}"
        for name, value in sorted(told.items())
    )
