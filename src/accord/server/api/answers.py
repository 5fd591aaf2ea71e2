"""What the answers of the API are made of: for the description, and checked against what is really answered."""

from typing import Any

from pydantic import BaseModel, ConfigDict

__all__ = [
    "Comments",
    "Contest",
    "Contests",
    "History",
    "Item",
    "Job",
    "Jobs",
    "Made",
    "Phase",
    "Phases",
    "Progress",
    "Quality",
    "RaterPage",
    "Raters",
    "Reliability",
    "Studies",
    "Study",
    "StudyCard",
    "Told",
    "Verdicts",
]


class Told(BaseModel):
    """An object with these fields; what a later version adds is no error for whoever reads it."""

    model_config = ConfigDict(extra="allow")


class Criterion(Told):
    key: str
    question: str
    kind: str


class Scenario(Told):
    key: str
    kind: str


class Study(Told):
    title: str
    state: str
    unblinded: bool
    fingerprint: str
    free_places: int
    criteria: list[Criterion]
    scenarios: list[Scenario]
    documents: int
    items: int
    exclusions: list[dict[str, Any]]


class Share(Told):
    name: str
    done: int
    screens: int
    open: bool


class Progress(Told):
    judgements: int
    done: int
    screens: int
    hours: float
    cost: float
    currency: str
    groups: list[Share]
    scenarios: list[Share]
    phases: list[Share]


class Phase(Told):
    phase: str
    title: str
    open: bool
    rule: str
    opens_on: str | None
    reserve: bool
    changed_by: str | None
    changed_at: str | None


class Phases(Told):
    phases: list[Phase]


class Reliability(Told):
    """``results`` is None before the first state is computed."""

    computing: bool
    problem: str
    judgements: int
    fingerprint: str
    made_at: str | None
    results: dict[str, Any] | None


class Coefficients(Told):
    """Each part of the criterion; what combines parts says so."""

    groups: list[dict[str, Any]]


class HistoryState(Told):
    judgements: int
    made_at: str
    criteria: list[Any]


class History(Told):
    states: list[HistoryState]


class Text(Told):
    segment: str
    source: str
    target: str
    is_here: bool


class ItemJudgement(Told):
    """``counts`` is false for what was corrected later, ``raw`` is the answer as the page sent it."""

    key: int
    rater: str
    criterion: str
    value: str
    cannot: bool
    counts: bool
    excluded: bool
    revision: int
    seconds: float
    guideline: int
    phase: str
    occasion: int
    made_at: str
    comments: list[str]
    task: int
    scenario: str
    raw: Any
    texts: dict[str, str]


class Item(Told):
    item: str
    texts: list[Text]
    judgements: list[ItemJudgement]


class RaterWork(Told):
    rater: str
    group: str
    state: str
    excluded: bool
    done: int
    screens: int
    judgements: int
    minutes: float
    cost: float
    last_saved: str | None


class Raters(Told):
    raters: list[RaterWork]


class Decided(Told):
    id: int
    action: str
    reason: str
    rule: str
    by: str
    at: str


class RaterPage(Told):
    rater: str
    work: RaterWork | None
    checks: list[dict[str, Any]]
    effect_of_leaving_out: list[dict[str, Any]]
    effect_computing: bool
    effect_made_at: str | None
    newer_judgements: int
    decisions: list[Decided]


class BrokenRule(Told):
    rater: str
    rule: str


class Quality(Told):
    declared: list[dict[str, Any]]
    checks: dict[str, list[dict[str, Any]]]
    to_apply: list[BrokenRule]
    at_work: list[BrokenRule]


class Comment(Told):
    id: int
    rater: str
    about: str
    item: str
    text: str
    answer: str
    at: str


class Comments(Told):
    comments: list[Comment]


class Made(Told):
    id: int


class Verdicts(Told):
    """Contested errors have points, rates and ``marks``; a contested score has its ``reviews`` and ``after``."""

    threshold: float | None
    passes_before: bool | None


class Contest(Verdicts):
    id: int
    judgement: int
    reason: str
    by: str


class Contests(Told):
    contests: list[Contest]


class Job(Told):
    id: int
    kind: str
    state: str
    done: float
    problem: str
    by: str
    begun_at: str
    finished_at: str | None
    bytes: int
    has_file: bool


class Jobs(Told):
    jobs: list[Job]
    kinds: list[str]


class StudyCard(Told):
    """A study of a workspace; counts are None until they are made."""

    key: str
    title: str
    state: str
    role: str
    address: str
    api: str
    counted_at: str | None
    next: str
    places: int | None
    invited: int | None
    working: int | None
    finished: int | None
    done: int | None
    judgements: int | None
    screens: int | None
    number: dict[str, Any] | None


class Studies(Told):
    studies: list[StudyCard]
