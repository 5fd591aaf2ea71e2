"""The study this server collects for, read once from its folder."""

import os
from collections.abc import Mapping
from functools import lru_cache

from accord.design.load import Study, load_study
from accord.design.study import CriterionSettings, Scenario, StudySettings
from accord.errors import Problem, StudyError
from accord.server.serving import study_folder

__all__ = ["CREATED_FILE", "PRACTICE", "current", "loaded"]

CREATED_FILE = "created.json"
"""Written when a program puts another study into the folder; its time says which one is meant."""

PRACTICE = "practice"
"""The role and scenario of items that are tried first and never count."""


class LoadedStudy:
    """A study with what the pages ask of it again and again."""

    def __init__(self, study: Study) -> None:
        _refuse_unshowable(study.settings)
        self.study = study
        self.criteria: Mapping[str, CriterionSettings] = {
            criterion.key: criterion for criterion in study.settings.criteria
        }
        self.scenarios: Mapping[str, Scenario] = {scenario.key: scenario for scenario in study.settings.scenarios}
        self.rows: Mapping[str, Mapping[str, int]] = {
            document: {item.id: row for row, item in enumerate(items)} for document, items in study.documents.items()
        }

    @property
    def settings(self) -> StudySettings:
        return self.study.settings

    @property
    def title(self) -> str:
        return self.study.settings.title

    def asked_in(self, scenario: str, item: str) -> tuple[CriterionSettings, ...]:
        """The criteria of a screen; practice asks one."""
        if scenario == PRACTICE:
            return (self.criteria[self.settings.practice[practice_number(item)].criterion],)
        return self.settings.asked_in(scenario)


def _refuse_unshowable(settings: StudySettings) -> None:
    """Places are marked, and texts edited, in one sentence of one system at a time."""
    problems = [
        Problem(
            f"scenario {scenario.key!r} asks {criterion.key!r} ({criterion.kind}), which pages ask for one sentence of "
            f"one system at a time. Name other `scenarios` for the criterion",
            file="study.toml",
        )
        for scenario in settings.scenarios
        for criterion in settings.asked_in(scenario.key)
        if (criterion.kind in ("spans", "post_edit") and scenario.kind == "document")
        or (criterion.kind == "spans" and scenario.systems > 1)
    ]
    if problems:
        raise StudyError("These questions cannot be asked in the browser.", problems)


def practice_number(item: str) -> int:
    """Practice items are called practice-1, practice-2, ..."""
    return int(item.rpartition("-")[2]) - 1


@lru_cache(maxsize=256)
def loaded(folder: str, created: int = 0) -> LoadedStudy:
    """The study of a folder; files changed by hand are read at the next start."""
    return LoadedStudy(load_study(folder))


def current() -> LoadedStudy:
    """The study that this request is about, or the one of this server."""
    folder = str(study_folder())
    try:
        # Asked several times in every commit of saves: a path put together by hand costs a tenth.
        created = os.stat(f"{folder}{os.sep}{CREATED_FILE}").st_mtime_ns  # noqa: PTH116
    except OSError:
        created = 0
    return loaded(folder, created)
