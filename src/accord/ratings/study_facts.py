"""What a study records about itself, in sentences a reader can be told: the facts of the codebook."""

from collections.abc import Mapping
from dataclasses import field

from accord.design.assignment.order_notes import orders_of_scenarios
from accord.design.declared_plan import exclusion_words
from accord.design.load import Study
from accord.design.study import Scenario, StudySettings
from accord.ratings.codebook import StudyFacts
from accord.records import dataclass
from accord.words import counted, listed

__all__ = ["KeptPlanFacts", "is_in_context", "study_facts"]


@dataclass(frozen=True)
class KeptPlanFacts:
    """The plan of analysis that was kept when collection started, and what was changed afterwards, in words."""

    plan: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""
    date: str = ""
    changes: tuple[str, ...] = ()


_SINGLE, _IN_CONTEXT = "random-sentence", "sentence-in-context"


def study_facts(
    study: Study,
    *,
    guidelines: tuple[str, ...] = (),
    raters: Mapping[str, Mapping[str, str]] | None = None,
    kept: KeptPlanFacts | None = None,
    named: bool = False,
) -> StudyFacts:
    """All that the study declares; versions of guidelines, answers of raters and the kept plan come from outside.

    ``named`` says that the ratings hold the systems' own names.
    """
    settings, people, consent = study.settings, study.settings.people, study.settings.consent
    plan = kept or KeptPlanFacts()
    return StudyFacts(
        title=settings.title, description=settings.description, fingerprint=study.fingerprint, seed=settings.seed,
        guidelines=guidelines or (settings.guidelines.version,), blinding=_blinding(settings), order=_order(settings),
        independence=people.independence, consent=consent.text if consent else "",
        ethics=consent.ethics_approval if consent else "", recruitment=people.recruitment,
        background=people.background, pay=_pay(settings), training=_training(settings), sampling=settings.sampling,
        shown=_what_raters_see(study), scenarios={one.key: one.kind for one in settings.scenarios},
        titles={one.key: one.title for one in settings.scenarios if one.title},
        names=_names(len(study.systems), named=named),
        phases=tuple(phase.key for phase in settings.phases), controls=_controls(settings),
        exclusions=exclusion_words(settings.exclusions), comments=_comments(settings), raters=raters or {},
        plan=plan.plan, plan_hash=plan.digest, plan_date=plan.date, plan_changes=plan.changes,
    )  # fmt: skip


def _names(systems: int, *, named: bool) -> str:
    """A reader must know which names stand for others; raters are never called by their own."""
    told = [f"systems under {'their own names' if named else 'codes'}"] if systems else []
    return "; ".join([*told, "raters under pseudonyms"])


def _blinding(settings: StudySettings) -> str:
    several = any(scenario.systems > 1 for scenario in settings.scenarios)
    sides = " Texts side by side carry letters, and each order of systems comes equally often." if several else ""
    return f"Raters do not see which system wrote a text.{sides}"


def _order(settings: StudySettings) -> str:
    own = {
        "random": "Each rater sees the items in a random order of their own.",
        "fixed": "All raters see the items in the order of the file.",
    }[settings.assignment.order]
    main = [scenario for scenario in settings.scenarios if scenario.after is None]
    balanced = _balance(len(main), settings.assignment.raters) if len(main) > 1 else ""
    phases = f" The phases come in the order {listed([phase.key for phase in settings.phases])}."
    return f"{own}{balanced}{phases if len(settings.phases) > 1 else ''}"


def _balance(scenarios: int, raters: int) -> str:
    """As ``accord check`` says it: orders come equally often only where their number divides that of the raters."""
    orders = orders_of_scenarios(scenarios)
    if raters % orders == 0:
        return " The order of scenarios is balanced over raters."
    return (
        f" The order of scenarios varies over raters, but is not balanced: there are {orders} orders and "
        f"{counted(raters, 'rater')}."
    )


def _pay(settings: StudySettings) -> str:
    cost = settings.cost
    hourly = f"{cost.per_hour:g} {cost.currency} an hour" if cost.per_hour else ""
    return "; ".join(filter(None, (hourly, settings.people.pay)))


def _training(settings: StudySettings) -> str:
    practice = len(settings.tutorial())
    tries = f"{counted(practice, 'practice item')} with feedback before the work" if practice else ""
    return "; ".join(filter(None, ("guidelines read before the work", tries, settings.people.training)))


_KINDS = {
    "random-sentence": "one sentence alone",
    "sentence-in-context": "each sentence within its document",
    "document": "the whole document",
}
_BESIDE = {
    "source": "the source",
    "reference": "a reference",
    "post_edit": "a corrected text",
    "context": "its context",
}


def _what_raters_see(study: Study) -> str:
    settings = study.settings
    told = [f"{scenario.title or scenario.key}: {_of_scenario(scenario, study)}" for scenario in settings.scenarios]
    has_context = any(is_in_context(scenario, study) for scenario in settings.scenarios)
    told += [
        f"group {group.key}: {_beside(group.show, has_context=has_context) or 'nothing beside the text'}"
        for group in settings.groups
        if group.show is not None
    ]
    return "; ".join(told)


def _of_scenario(scenario: Scenario, study: Study) -> str:
    systems = f", {scenario.systems} systems side by side" if scenario.systems > 1 else ""
    in_context = is_in_context(scenario, study)
    beside = _beside(scenario.show, has_context=in_context)
    alone = [items for items in study.documents.values() if len(items) == 1] if in_context else []
    some = f" ({len(alone):,} of {len(study.documents):,} documents are one sentence only)" if alone else ""
    kind = _SINGLE if scenario.kind == _IN_CONTEXT and not in_context else scenario.kind
    return f"{_KINDS[kind]}{some}{f' with {beside}' if beside else ''}{systems}"


def is_in_context(scenario: Scenario, study: Study) -> bool:
    """Whether other sentences stand around one: a document of one sentence has none, whatever was asked for."""
    return scenario.kind == _IN_CONTEXT and any(len(items) > 1 for items in study.documents.values())


def _beside(show: tuple[str, ...], *, has_context: bool) -> str:
    return listed([_BESIDE[one] for one in show if one != "context" or has_context])


def _controls(settings: StudySettings) -> str:
    """How many, and for whom: numbers hold for each sitting, which is a scenario of a phase."""
    controls = settings.controls
    words = {
        "repeats": "item shown twice",
        "degraded": "degraded copy",
        "references": "hidden reference",
        "gold": "item with a known answer",
        "attention": "attention item",
    }
    plurals = {
        "repeats": "items shown twice",
        "degraded": "degraded copies",
        "references": "hidden references",
        "gold": "items with a known answer",
        "attention": "attention items",
    }
    told = [counted(number, words[name], plurals[name]) for name in words if (number := int(getattr(controls, name)))]
    if not told:
        return ""
    several = [name for name, parts in (("scenario", settings.scenarios), ("phase", settings.phases)) if len(parts) > 1]
    sittings = f" in each {listed(several)}" if several and controls.per == "rater" else ""
    whole = len(settings.scenarios) > 1 and any(one.kind != _SINGLE for one in settings.scenarios)
    texts = "; where sentences stand in their context, a whole text is shown again" if whole else ""
    short = ", fewer in a batch that is not full" if controls.per == "batch" else ""
    return f"{listed(told)} for each {controls.per}{short}{sittings}{texts}"


def _comments(settings: StudySettings) -> str:
    """Every page has a field for comments; some criteria ask for one."""
    asked = [criterion.key for criterion in settings.criteria if criterion.comment]
    return "yes, on every sentence and text" + (f"; asked for with {listed(asked)}" if asked else "")
