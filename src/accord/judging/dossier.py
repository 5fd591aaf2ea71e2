"""The dossier of one judge: every part of it computed, criterion by criterion."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from math import inf
from typing import Any

import numpy as np

from accord.diagnosis.part import Part, parts_of
from accord.errors import NotEnoughDataError, OptionError
from accord.judging.alternative import AltTest, alternative_annotator
from accord.judging.beside import Beside, agreement_beside
from accord.judging.errs import Apart, Effect, FarItem, adjusted_effects, effect_of, far_items, groups_of
from accord.judging.facts import facts_of
from accord.judging.indicators import Indicator, indicators_of
from accord.judging.labels import Next, labels_for, next_items
from accord.judging.panel import Panel, judges_of, known_judge, panel_of
from accord.judging.probes import ONE_LANGUAGE, language_effect, probe
from accord.judging.scores import Measure, Worth, measures_of, worth_of
from accord.judging.several import JudgePanel, together
from accord.judging.shares import Verdicts, verdicts_of
from accord.judging.steadiness import Runs, drift_of, runs_of, settings_of
from accord.ratings.apart import kept_apart
from accord.ratings.codebook import JudgeFacts
from accord.ratings.names import made_in_order
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.scoring.signature import signature
from accord.words import listed, set_by

__all__ = ["Asked", "CriterionDossier", "Dossier", "dossier_of"]

_LANGUAGE = "language_pair"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a user may ask: none of it is needed."""

    judge: str = ""
    epsilon: float = 0.2
    positive: str = ""
    family: tuple[str, ...] = ()
    setting: Mapping[str, str] = field(default_factory=dict)
    half_width: float = 0.0
    next_labels: int = 10
    level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, well in (
            ("half-width", self.half_width, 0 <= self.half_width < inf),
            ("confidence", self.level, 0 < self.level < 1),
            ("seed", self.seed, self.seed >= 0),
            ("number of items to label next", self.next_labels, self.next_labels >= 0),
        ):
            if not well:
                between = "lie between 0 and 1" if name == "confidence" else "not be below 0"
                raise OptionError(f"The {name} is {value} and must {between}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionDossier:
    """What is known about the judge on one criterion; ``refused`` says why there is no alternative annotator test."""

    title: str
    panel: Panel
    test: AltTest | None
    refused: str
    beside: tuple[Beside, ...]
    measures: tuple[Measure, ...]
    worth: Worth | None
    verdicts: Verdicts | None
    apart: Effect
    groups: Mapping[str, Sequence[Effect]]
    far: tuple[FarItem, ...]
    probes: tuple[Effect, ...]
    untested: tuple[str, ...]
    runs: Runs | None
    settings: tuple[Effect, ...]
    drift: Effect | str
    several: JudgePanel | None
    more_labels: int | None
    next_items: tuple[Next, ...]
    indicators: tuple[Indicator, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "criterion": self.title,
            "items": len(self.panel.items),
            "labelled": len(self.panel.labelled),
            "people": list(self.panel.people),
            "unit": self.panel.units,
            "alternative_annotator_test": None if self.test is None else self.test.to_dict(),
            "test_refused": self.refused,
            "agreement": [one.to_dict() for one in self.beside],
            "scores": [one.to_dict() for one in self.measures],
            "coverage": [gap.to_dict() for gap in (self.measures[0].gaps if self.measures else ())],
            "worth": None if self.worth is None else self.worth.to_dict(),
            "verdicts": None if self.verdicts is None else self.verdicts.to_dict(),
            "severity": self.apart.to_dict(),
            "groups": {name: [one.to_dict() for one in effects] for name, effects in self.groups.items()},
            "far_items": [one.to_dict() for one in self.far],
            "probes": [one.to_dict() for one in self.probes],
            "untested": list(self.untested),
            "runs": None if self.runs is None else self.runs.to_dict(),
            "settings": [one.to_dict() for one in self.settings],
            "drift": self.drift if isinstance(self.drift, str) else self.drift.to_dict(),
            "several_judges": None if self.several is None else self.several.to_dict(),
            "labels_for_half_width": self.more_labels,
            "next_items": [one.to_dict() for one in self.next_items],
            "indicators": [one.to_dict() for one in self.indicators],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """One judge, all criteria; ``others`` are models that are no people and not looked at here."""

    judge: str
    facts: JudgeFacts
    asked: Asked
    parts: tuple[CriterionDossier, ...]
    others: tuple[str, ...]
    skipped: tuple[str, ...]
    fingerprint: str
    notes: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """All that is needed to compute the dossier again, in one line."""
        asked = self.asked
        return signature(
            "judge",
            judge=f"{self.judge} {self.facts.fingerprint}",
            epsilon=asked.epsilon,
            positive=asked.positive or None,
            family=asked.family or None,
            setting=[f"{name}={value}" for name, value in asked.setting.items()] or None,
            level=asked.level,
            seed=asked.seed,
            ratings=self.fingerprint,
        )


def dossier_of(ratings: Ratings, asked: Asked, facts: Mapping[str, str] | None = None) -> Dossier:
    """Everything about one judge. Without a name it is the only model, or the one that rated most."""
    by = tuple(name for name in kept_apart(ratings) if name != "kind")
    parts = parts_of(ratings.by_name("document", "segment", ratings.codebook.item.cluster), by)
    models = list(dict.fromkeys(name for part in parts for name in judges_of(part)))
    judge = _chosen(ratings, asked.judge, models)
    rng = np.random.default_rng(asked.seed)
    skipped: list[str] = []

    def criterion(place: int) -> CriterionDossier | None:
        try:
            return _criterion(parts[place], judge, models, asked, rng)
        except NotEnoughDataError as error:
            skipped.append(str(error))
            return None

    made = made_in_order([part.title for part in parts], criterion)
    told = [one for one in made if one is not None]
    if not told:
        raise NotEnoughDataError(skipped[0])
    told = with_languages(told, asked.level)
    others = tuple(name for name in models if name != judge)
    return Dossier(
        judge=judge,
        facts=facts_of(ratings, judge, facts, told[0].panel.setting),
        asked=asked,
        parts=tuple(told),
        others=others,
        skipped=tuple(skipped),
        fingerprint=ratings.fingerprint,
        notes=ratings.notes,
    )


def _chosen(ratings: Ratings, asked: str, models: Sequence[str]) -> str:
    if asked:
        return known_judge(ratings.rater.names, asked)
    if not models:
        raise OptionError(
            "No rater is of the kind model. Say which one is the judge with "
            f"{set_by('judge', 'NAME')}, or give the ratings a column kind (human or model). "
            f"Raters: {listed(list(ratings.rater.names[:8]))}."
        )
    return models[0]


def _criterion(
    part: Part, judge: str, models: Sequence[str], asked: Asked, rng: np.random.Generator
) -> CriterionDossier:
    panel = panel_of(part, judge, models, asked.setting)
    level = asked.level
    test, refused = None, ""
    try:
        test = alternative_annotator(panel, epsilon=asked.epsilon, level=level, rng=rng)
    except NotEnoughDataError as error:
        refused = str(error)
    measures = measures_of(panel, level=level)
    apart = Apart.of(panel)
    probes, untested = probe(panel, family=asked.family, level=level)
    overall = measures[0].overall
    judges = _others(part, panel, models)
    every = panel_of(part, judge, models, asked.setting, with_targeted=True) if panel.targeted else panel
    beside = tuple(agreement_beside(panel, level=level))
    return CriterionDossier(
        title=part.title,
        panel=panel,
        test=test,
        refused=refused,
        beside=beside,
        measures=tuple(measures),
        worth=worth_of(measures[0].sums, level=level),
        verdicts=verdicts_of(panel, positive=asked.positive, level=level),
        apart=effect_of("all", apart.value, apart.cluster, level=level, units=panel.units),
        groups=groups_of(panel, apart, level=level),
        far=tuple(far_items(every)),
        probes=tuple(probes),
        untested=tuple(untested),
        runs=runs_of(panel, level=level),
        settings=tuple(settings_of(panel, level=level)),
        drift=drift_of(panel, level=level),
        several=together(judges),
        more_labels=labels_for(overall, asked.half_width) if asked.half_width else None,
        next_items=tuple(next_items(every, asked.next_labels, rng, judges[1:])),
        indicators=tuple(indicators_of(panel, beside[0], test, measures[0], level=level)),
    )


def with_languages(parts: list[CriterionDossier], level: float) -> list[CriterionDossier]:
    """The probe of language for parts that are kept apart by it: the same criterion in all its languages."""
    found = []
    for part in parts:
        key = {name: value for name, value in part.panel.part.by.items() if name != _LANGUAGE}
        alike = [one for one in parts if {**one.panel.part.by, _LANGUAGE: ""} == {**key, _LANGUAGE: ""}]
        if len(alike) < 2 or not part.panel.ordered:
            found.append(part)
            continue
        names = [one.panel.part.by.get(_LANGUAGE, "") for one in alike]
        each = [Apart.of(one.panel) for one in alike]
        codes = np.repeat(np.arange(len(alike)), [len(one.value) for one in each])
        documents = [name for one, own in zip(alike, each, strict=True) for name in one.panel.cluster_names(own.places)]
        cluster = np.unique(documents, return_inverse=True)[1]
        apart = Apart(codes, np.concatenate([one.value for one in each]), cluster)
        effect = language_effect(apart, codes, names, level, part.panel.units)
        tested = isinstance(effect, Effect)
        found.append(replace(
            part, probes=tuple(adjusted_effects([*part.probes, *([effect] if isinstance(effect, Effect) else [])])),
            untested=tuple(line for line in part.untested if not (tested and line == ONE_LANGUAGE)),
        ))  # fmt: skip
    return found


def _others(part: Part, panel: Panel, models: Sequence[str]) -> list[Panel]:
    made = [panel]
    for name in models:
        if name != panel.name:
            try:
                made.append(panel_of(part, name, [*models, panel.name]))
            except NotEnoughDataError:
                continue
    return made
