"""A study folder where a command takes ratings: what was collected in it."""

from pathlib import Path

from accord.ratings.table import Ratings

__all__ = ["is_study", "study_ratings"]


def is_study(path: Path) -> bool:
    """Whether this is a folder with a study in it."""
    return (path / "study.toml").is_file()


def study_ratings(folder: Path, *, named: bool = False) -> tuple[Ratings, tuple[str, ...]]:
    """The ratings collected so far, and the declared exclusion rules with whom they left out, in words."""
    from accord.server.connect import connect, prepare

    connect(folder, must_exist=True)
    prepare()
    from accord.server.reporting import analysed_ratings

    return analysed_ratings(named=named)
