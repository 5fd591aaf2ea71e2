"""Whether the declared plan of analysis can be carried out: its coefficient exists and fits, its columns are there."""

from accord.coefficients.registry import COEFFICIENTS
from accord.design.items import own_columns
from accord.design.load import STUDY_FILE, Study
from accord.design.nearest import did_you_mean
from accord.design.toml_lines import TomlLines
from accord.errors import Problem, StudyError
from accord.ratings.table import OPTIONAL_COLUMNS

__all__ = ["require_sound_plan"]


def require_sound_plan(study: Study) -> None:
    """Raise one error with every mistake of the plan."""
    plan = study.settings.analysis
    if plan is None:
        return
    found: list[tuple[str, str]] = []
    spec = COEFFICIENTS.get(plan.coefficient)
    if plan.coefficient and spec is None:
        hint = did_you_mean(plan.coefficient, COEFFICIENTS)
        found.append(("coefficient", f"there is no coefficient {plan.coefficient!r}{hint}"))
    if spec is not None and plan.criterion is not None:
        level = study.settings.criterion(plan.criterion).measured
        if level not in spec.levels:
            words = f"{spec.title} does not fit {plan.criterion!r}, which is {level}"
            found.append(("coefficient", f"{words}. `accord coefficients` lists those that do"))
    columns = [*OPTIONAL_COLUMNS, *own_columns(study.items)]
    if plan.comparison and plan.comparison not in columns:
        hint = did_you_mean(plan.comparison, columns)
        found.append(("comparison", f"ratings have no column {plan.comparison!r}{hint}"))
    if found:
        lines = TomlLines((study.folder / STUDY_FILE).read_text(encoding="utf-8-sig"))
        problems = [
            Problem(f"[analysis]: {message}", lines.line(("analysis", key)), STUDY_FILE) for key, message in found
        ]
        raise StudyError(f"{study.folder}: the plan of analysis cannot be carried out.", problems)
