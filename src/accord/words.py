"""Numbers and lists as they stand in a sentence: 1 item, 2,000 items; a, b and c."""

from collections.abc import Sequence

__all__ = ["counted", "listed"]


def counted(number: int, singular: str, plural: str = "") -> str:
    """The number with its noun: ``counted(1, "item")`` is ``1 item``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def listed(words: Sequence[str]) -> str:
    """Words joined as in a sentence: ``a, b and c``."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def shown_names(names: Sequence[str], most: int = 12) -> str:
    """Names in a sentence, shortened."""
    return ", ".join(names[:most]) + (f", ... ({len(names):,} in all)" if len(names) > most else "")
