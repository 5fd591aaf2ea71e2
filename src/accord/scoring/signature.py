"""What is needed to compute a score or a ranking again, in one line."""

from accord import __version__

__all__ = ["signature"]


def signature(method: str, **options: object) -> str:
    """Version, method and options, in the order given: ``accord 0.2.0|score|level=0.8``."""
    parts = [f"{name}={_short(value)}" for name, value in options.items() if value is not None]
    return "|".join([f"accord {__version__}", method, *parts])


def _short(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, tuple | list):
        return ",".join(_short(part) for part in value)
    return str(value)
