"""What was measured again after a guideline round: the phase that its ratings are in, numbered as the round is."""

import re

__all__ = ["phase_after", "round_of"]


def phase_after(number: int) -> str:
    """The name of the phase in which ratings were measured again after this round."""
    return f"after-round-{number}"


def round_of(phase: str) -> int:
    """The round after which a phase was measured; 0 where it was not measured again."""
    found = re.fullmatch(r"after-round-(\d+)", phase)
    return int(found[1]) if found else 0
