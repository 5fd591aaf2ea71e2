"""Memory of a command that ends soon: what one large array leaves, the next one takes."""

__all__ = ["keep_freed_memory"]

_TRIM_THRESHOLD, _MMAP_MAX = -1, -4
"""What ``mallopt`` of the GNU C library calls them."""
_KEPT = 1 << 30


def keep_freed_memory() -> None:
    """Give no memory back to the system before the end, and take it without a mapping for each array.

    Else every large array gets new pages, which the system fills with zeros one by one: of a million ratings that took
    as long as a third of the work. Other C libraries have no such switch and go on as they do.
    """
    import ctypes

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):
        return
    mallopt(_MMAP_MAX, 0)
    mallopt(_TRIM_THRESHOLD, _KEPT)
