"""What a plan will cost and what can be learnt from it, before a single rating is collected."""

from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct
from accord.coefficients.registry import COEFFICIENTS, KRIPPENDORFF_ALPHA
from accord.design.assignment import AssignmentPlan
from accord.design.load import Study
from accord.design.scale import Level, Scale
from accord.design.study import CriterionSettings
from accord.design.working_time import expected_seconds, paid_minutes, pay_of
from accord.errors import NotEnoughDataError
from accord.planning.precision import Expected, expected_interval
from accord.records import dataclass
from accord.reliability.units import FEWEST_DOCUMENTS
from accord.words import counted

__all__ = [
    "Precision",
    "Preview",
    "Reserve",
    "Workload",
    "phases_apart",
    "planned_coefficient",
    "planned_confidence",
    "planned_scale",
    "preview_study",
    "rated_design",
    "rated_documents",
]


@dataclass(frozen=True, slots=True)
class Workload:
    """What one rater has to do."""

    rater: str
    group: str
    tasks: int
    controls: int
    answers: int
    minutes: float
    cost: float


@dataclass(frozen=True, slots=True)
class Precision:
    """What reliability of a criterion can be estimated in a scenario and phase; ``why_not`` where it cannot.

    Agreement is computed within a phase, so each has a precision of its own; "" where there is one phase at most.
    """

    criterion: str
    scenario: str
    phase: str
    items: int
    raters_per_item: float
    coefficient: str
    confidence: float
    expected: Expected | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Reserve:
    """The part of a plan that is asked for only if more is needed: its screens, and the time on them."""

    screens: int
    hours: float
    cost: float


@dataclass(frozen=True, slots=True)
class Preview:
    """The plan at a glance; ``reserve`` is the part of its work that may never be needed."""

    workloads: tuple[Workload, ...]
    overlap: NDArray[np.int64]
    precision: tuple[Precision, ...]
    currency: str
    reserve: Reserve | None = None

    @property
    def hours(self) -> float:
        return sum(load.minutes for load in self.workloads) / 60

    @property
    def cost(self) -> float:
        return sum(load.cost for load in self.workloads)


def preview_study(
    study: Study, plan: AssignmentPlan, *, guess: float = 0.6, key: str | None = None, level: float | None = None,
    studies: int = 200,
) -> Preview:  # fmt: skip
    """Work, cost, overlap and expected precision of a plan; ``guess`` is the reliability hoped for or piloted.

    Coefficient and confidence are those of the declared plan of analysis unless ``key`` and ``level`` say others.
    """
    level = planned_confidence(study) if level is None else level
    rng = np.random.default_rng([plan.seed, 1])
    found: list[Precision] = []
    known: dict[tuple[object, ...], Precision] = {}
    for scenario, phase in product(study.settings.scenarios, phases_apart(plan)):
        for criterion in study.settings.asked_in(scenario.key):
            scale = planned_scale(criterion, scenario.systems)
            each = 1 if criterion.once_per_task else scenario.systems
            # Criteria of one scenario with equal scales have equal precision: simulate once.
            asked = key or planned_coefficient(study, criterion)
            same = (scenario.key, phase, each, scale.level, len(scale), criterion.kind, asked)
            if same not in known:
                design = np.repeat(rated_design(plan, scenario.key, phase), each, axis=0)
                blank = Precision(criterion.key, scenario.key, phase, len(design), _mean_raters(design), asked, level)
                documents = rated_documents(plan, scenario.key, phase)
                known[same] = _too_few_documents(blank, documents) or _expected(
                    blank, design, scale, guess, studies, rng
                )
            found.append(replace(known[same], criterion=criterion.key))
    currency, reserve = study.settings.cost.currency, _reserve(study, plan)
    return Preview(_workloads(study, plan), plan.overlap(), tuple(found), currency, reserve)


def _mean_raters(design: NDArray[np.bool_]) -> float:
    return float(design.sum(axis=1).mean()) if len(design) else 0.0


def _too_few_documents(part: Precision, documents: int) -> Precision | None:
    """The part with the reason why collecting will give no interval, where texts of few documents stand together."""
    if not documents < min(FEWEST_DOCUMENTS, part.items):
        return None
    return replace(
        part,
        why_not=f"no interval: the texts come from {counted(documents, 'document')}, and an interval over documents "
        f"takes {FEWEST_DOCUMENTS} at least; bring texts of more documents",
    )


def _expected(
    part: Precision, design: NDArray[np.bool_], scale: Scale, guess: float, studies: int, rng: np.random.Generator
) -> Precision:
    key, level = part.coefficient, part.confidence
    try:
        expected = expected_interval(design, scale, guess, rng, key=key, level=level, studies=studies)
    except NotEnoughDataError as reason:
        return replace(part, why_not=str(reason))
    return replace(part, expected=expected)


def phases_apart(plan: AssignmentPlan) -> tuple[str, ...]:
    """The phases whose ratings are kept apart, those of a retest left out; one without a name where there is one."""
    used = {plan.phases[place] for place in distinct(plan.phase[plan.ordinary])} if len(plan.phases) > 1 else set()
    return tuple(phase for phase in plan.phases if phase in used) or ("",)


def _ordinary(plan: AssignmentPlan, phase: str) -> NDArray[np.bool_]:
    """The tasks of a phase, or of all, without control items."""
    return plan.ordinary & (plan.phase == plan.phases.index(phase)) if phase else plan.ordinary


def rated_design(plan: AssignmentPlan, scenario: str, phase: str = "") -> NDArray[np.bool_]:
    """(units of the scenario, raters): who judges what in a phase, control items left out, raters without work too."""
    units = [place for place, unit in enumerate(plan.units) if unit.scenario == scenario]
    tasks = _ordinary(plan, phase)
    seen = np.zeros((len(plan.units), len(plan.raters)), dtype=bool)
    seen[plan.unit[tasks], plan.rater[tasks]] = True
    seen = seen[units]
    return seen[seen.any(axis=1)]


def rated_documents(plan: AssignmentPlan, scenario: str, phase: str = "") -> int:
    """How many documents are judged in a scenario and phase; they are what is resampled where texts share them."""
    units = (plan.units[place] for place in distinct(plan.unit[_ordinary(plan, phase)]))
    return len({unit.document for unit in units if unit.scenario == scenario})


def planned_confidence(study: Study) -> float:
    """The confidence that the plan of analysis declares, else 95%."""
    plan = study.settings.analysis
    return 0.95 if plan is None or plan.confidence is None else plan.confidence


def planned_coefficient(study: Study, criterion: CriterionSettings) -> str:
    """The coefficient that the plan of analysis declares for a criterion it fits, else Krippendorff's α."""
    plan = study.settings.analysis
    if plan is None or not plan.coefficient or plan.criterion not in (None, criterion.key):
        return KRIPPENDORFF_ALPHA
    return plan.coefficient if criterion.measured in COEFFICIENTS[plan.coefficient].levels else KRIPPENDORFF_ALPHA


def planned_scale(criterion: CriterionSettings, systems: int) -> Scale:
    """The scale as far as it is known before collection; sliders in steps of five, penalties in few steps."""
    if criterion.kind == "scale":
        return criterion.scale()
    steps = {"slider": 21, "number": 11, "spans": 8, "post_edit": 11, "categories": len(criterion.values) + 1,
             "pairwise": 2 + criterion.ties, "ranking": systems}[criterion.kind]  # fmt: skip
    # Penalties and edit rates have a true zero, but a coefficient on intervals is what they get.
    level = Level.INTERVAL if criterion.measured is Level.RATIO else criterion.measured
    return Scale(level, tuple(float(step) for step in range(steps)), declared=True)


def _reserve(study: Study, plan: AssignmentPlan) -> Reserve | None:
    """The screens of phases that are a reserve; what comes around the work is paid whether they open or not."""
    reserved = {phase.key for phase in study.settings.phases if phase.reserve}
    held = np.isin(plan.phase, [place for place, phase in enumerate(plan.phases) if phase in reserved])
    if not held.any():
        return None
    seconds = np.array([expected_seconds(study.settings, unit.scenario) for unit in plan.units])
    minutes = float(seconds[plan.unit[held]].sum()) / 60
    return Reserve(int(held.sum()), minutes / 60, pay_of(study.settings, minutes))


def _workloads(study: Study, plan: AssignmentPlan) -> tuple[Workload, ...]:
    settings = study.settings
    seconds = np.array([expected_seconds(settings, unit.scenario) for unit in plan.units])
    asked = {
        scenario.key: sum(1 if c.once_per_task else scenario.systems for c in settings.asked_in(scenario.key))
        for scenario in settings.scenarios
    }
    answers = np.array([asked[unit.scenario] for unit in plan.units])
    slots = len(plan.raters)
    spent = np.bincount(plan.rater, seconds[plan.unit], minlength=slots)
    time = [paid_minutes(settings, float(one)) for one in spent]
    given = np.bincount(plan.rater, answers[plan.unit], minlength=slots)
    controls = np.bincount(plan.rater[~plan.ordinary], minlength=slots)
    tasks = plan.loads()
    return tuple(
        Workload(
            plan.raters[slot], plan.groups[slot], int(tasks[slot]), int(controls[slot]), int(given[slot]),
            time[slot], pay_of(settings, time[slot]),
        )
        for slot in range(slots)
    )  # fmt: skip
