"""Whether the declared plan of analysis can be carried out: its coefficient exists and fits, its columns are there."""

from accord.coefficients.registry import COEFFICIENTS
from accord.design.items import own_columns
from accord.design.load import STUDY_FILE, Study
from accord.design.nearest import did_you_mean
from accord.errors import Problem, StudyError
from accord.ratings.table import OPTIONAL_COLUMNS

__all__ = ["require_sound_plan"]


def require_sound_plan(study: Study) -> None:
    """Raise one error with every mistake of the plan."""
    plan = study.settings.analysis
    if plan is None:
        return
    found = []
    spec = COEFFICIENTS.get(plan.coefficient)
    if plan.coefficient and spec is None:
        found.append(
            f"[analysis]: there is no coefficient {plan.coefficient!r}{did_you_mean(plan.coefficient, COEFFICIENTS)}"
        )
    if spec is not None and plan.criterion is not None:
        level = study.settings.criterion(plan.criterion).measured
        if level not in spec.levels:
            found.append(
                f"[analysis]: {spec.title} does not fit {plan.criterion!r}, which is {level}. "
                f"`accord coefficients` lists those that do"
            )
    columns = [*OPTIONAL_COLUMNS, *own_columns(study.items)]
    if plan.comparison and plan.comparison not in columns:
        found.append(f"[analysis]: ratings have no column {plan.comparison!r}{did_you_mean(plan.comparison, columns)}")
    if found:
        problems = [Problem(message, file=STUDY_FILE) for message in found]
        raise StudyError(f"{study.folder}: the plan of analysis cannot be carried out.", problems)
