"""The codebook: what a table of ratings means, so that nothing after it has to guess.

It is filled by whoever makes the ratings (a study, a reader of files, a Data Package beside a table) and asked by
every analysis. What nobody declared is guessed once, when the ratings are built, and stands in ``guesses``.
"""

import json
from collections.abc import Mapping
from dataclasses import field, replace
from hashlib import sha256

from accord.design.criterion import Criterion
from accord.design.scale import ASK_DIRECTION, SAY_DIRECTION, Direction, Scale
from accord.errors import OptionError
from accord.records import dataclass
from accord.words import listed

__all__ = ["KEPT_APART", "ROLES", "SIMULATED", "Codebook", "ItemMeaning", "JudgeFacts", "LeftOut", "StudyFacts"]

SIMULATED = "filled in by simulated raters"
"""How the source of a rehearsal ends."""
KEPT_APART = ("scenario", "condition", "phase", "round", "guideline", "language_pair", "kind")
"""Columns whose ratings are never paired with each other unless somebody asks for it by name."""

ROLES: Mapping[str, str] = {
    "practice": "trains the rater before the work; never a rating",
    "tutorial": "teaches the rater how the tool works; never a rating",
    "control": "checks the rater, or stands beside a text that does; no rating of a system",
    "attention": "checks that the rater reads, by a phrase that does not belong there; no rating of a system",
    "degraded": "a spoilt copy that must be scored lower than its original; no rating of a system",
    "gold": "an item whose answer is known; it measures accuracy",
    "repeat": "the same item again; it measures whether raters agree with themselves",
    "reference": "a human reference shown as if a system had written it; no rating of a system",
}
"""Roles of rows that are no ordinary ratings, and what each is for."""


@dataclass(frozen=True, slots=True)
class ItemMeaning:
    """What an item is: the columns that name it together, the column of clusters, and the columns of its texts."""

    named_by: tuple[str, ...] = ("item",)
    cluster: str = ""
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A rater whose ratings do not count, by which rule and why; decided before collection or afterwards."""

    rater: str
    rule: str = ""
    reason: str = ""
    date: str = ""
    declared: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFacts:
    """What a language model judged with; ``prompt`` and ``rubric`` are texts, or a name if that is all there is.

    The same name with another model, prompt, rubric or setting is another judge: nothing that was found out about the
    one holds for the other.
    """

    name: str
    model: str = ""
    prompt: str = ""
    rubric: str = ""
    parameters: str = ""

    @property
    def fingerprint(self) -> str:
        """The same for the same judge, model, prompt, rubric and parameters."""
        told = [self.name, self.model, self.prompt, self.rubric, self.parameters]
        return sha256(json.dumps(told, ensure_ascii=True).encode()).hexdigest()[:12]


@dataclass(frozen=True, kw_only=True)
class StudyFacts:
    """What a study records about itself, for the report and its checklist; empty where nobody recorded it."""

    title: str = ""
    description: str = ""
    fingerprint: str = ""
    seed: int | None = None
    guidelines: tuple[str, ...] = ()
    blinding: str = ""
    order: str = ""
    independence: str = ""
    consent: str = ""
    ethics: str = ""
    recruitment: str = ""
    background: str = ""
    pay: str = ""
    training: str = ""
    sampling: str = ""
    shown: str = ""
    """What raters saw: scenarios, and what stood beside the text."""
    scenarios: Mapping[str, str] = field(default_factory=dict)
    """Scenario -> its kind: random-sentence, sentence-in-context or document."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Scenario -> its title, as pages call it; those without one are called by their key."""
    names: str = ""
    """Whether systems and raters stand under their own names or under others, in words."""
    phases: tuple[str, ...] = ()
    """The phases in the order in which they were done."""
    controls: str = ""
    exclusions: tuple[str, ...] = ()
    """Rules declared before collection, in words."""
    comments: str = ""
    again: str = ""
    """Answers that an organiser asked for a second time, in words: they count instead of the first ones."""
    raters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Pseudonym -> question -> answer: what raters said about themselves."""
    plan: Mapping[str, str] = field(default_factory=dict)
    """The plan of analysis as declared: primary criterion and coefficient, comparison, unit, level, exclusions."""
    plan_hash: str = ""
    plan_date: str = ""
    """Hash of the plan and when collection started with it; empty where it was not declared before."""
    plan_changes: tuple[str, ...] = ()
    """What was declared or changed after collection had begun, in words."""

    @property
    def confidence(self) -> float | None:
        """The declared confidence of the intervals, None where nobody declared one."""
        word = self.plan.get("confidence", "")
        try:
            return float(word) if word else None
        except ValueError:
            raise OptionError(
                f"The plan of analysis declares the confidence {word!r}, which is not a number."
            ) from None

    @property
    def unit(self) -> str:
        """What the plan declares to be resampled; "auto" where it does not say."""
        return self.plan.get("unit", "") or "auto"

    def deciding(self, criterion: str) -> str:
        """The key of the coefficient that was declared to decide on this criterion, or ""."""
        meant = self.plan.get("criterion", "")
        return self.plan.get("coefficient", "") if not meant or meant == criterion else ""


@dataclass(frozen=True)
class Codebook:
    """What the ratings mean. ``criteria`` is by key; ratings without a criterion column have the one key ""."""

    criteria: Mapping[str, Criterion] = field(default_factory=dict)
    item: ItemMeaning = field(default_factory=ItemMeaning)
    kept_apart: tuple[str, ...] = KEPT_APART
    roles: Mapping[str, str] = field(default_factory=lambda: dict(ROLES))
    left_out: tuple[LeftOut, ...] = ()
    study: StudyFacts = field(default_factory=StudyFacts)
    source: str = ""
    """Where this was declared: a study, a file, a format; empty where all was guessed."""
    guesses: tuple[str, ...] = ()
    """What was guessed because nobody declared it, in words."""
    judges: tuple[JudgeFacts, ...] = ()
    """Raters of the kind model, each with what it judged with."""
    breaks_rules: tuple[LeftOut, ...] = ()
    """Raters who break a rule and count, as they are at work or an organiser decided so: every command says it."""

    @property
    def is_simulated(self) -> bool:
        """Whether nobody judged: the ratings rehearse a study."""
        return self.source.endswith(SIMULATED)

    def criterion(self, key: str = "") -> Criterion:
        """The criterion of this key; the only one where ratings have one without a name."""
        if key in self.criteria:
            return self.criteria[key]
        return next(iter(self.criteria.values())) if len(self.criteria) == 1 else Criterion(key)

    @property
    def fingerprint(self) -> str:
        """The same for the same meaning, as far as a number depends on it; words, texts and guesses do not count.

        It covers each criterion (key, kind, level, direction, and the values where they were declared), the column of
        clusters, what is kept apart, and who was left out by which rule. Values that nobody declared are those of the
        ratings, which have a fingerprint of their own.
        """
        meaning = {
            "criteria": sorted([one.key, one.kind, *_scale_facts(one)] for one in self.criteria.values()),
            "cluster": self.item.cluster,
            "kept_apart": sorted(self.kept_apart),
            "left_out": sorted({(one.rater, one.rule) for one in self.left_out}),
        }
        return sha256(json.dumps(meaning, sort_keys=True).encode()).hexdigest()[:8]

    @property
    def direction_question(self) -> str:
        """What is asked where something would be called better and nobody said which end is good; "" if all is said."""
        unsaid = [one.key for one in self.criteria.values() if one.direction is Direction.UNKNOWN]
        if not unsaid or unsaid == [""]:
            return ASK_DIRECTION if unsaid else ""
        return f"Nobody said which end of {listed(unsaid)} is good, so nothing is called better there. {SAY_DIRECTION}"

    def only(self, key: str) -> "Codebook":
        """The codebook of the ratings of one criterion."""
        return replace(self, criteria={key: self.criterion(key)})

    def with_scales(self, scales: Mapping[str, Scale]) -> "Codebook":
        """The same meaning with the scales that the values turned out to lie on; other criteria leave."""
        known = self.criteria
        return replace(
            self,
            criteria={
                key: known[key].on(scale) if key in known else Criterion(key, scale=scale)
                for key, scale in scales.items()
            },
        )


def _scale_facts(criterion: Criterion) -> list[str]:
    """Level, direction, and what was declared of the answers, as words; of compared systems how many, as they may be
    named or have codes."""
    scale = criterion.scale
    if criterion.kind == "pairwise":
        return [str(scale.level), str(scale.direction), str(len(scale.values)) if scale.declared else ""]
    ends = [str(end) for end in (scale.low, scale.high)] if scale.declared else []
    values = scale.values if scale.declared and not scale.any_between else ()
    told = [" ".join(sorted(value)) if isinstance(value, frozenset) else str(value) for value in values]
    return [str(scale.level), str(scale.direction), *ends, *told]
