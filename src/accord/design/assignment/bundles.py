"""What is handed out together: a sentence alone, or a document with its sentences and its final question."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from accord.design.assignment.plan import Unit
from accord.design.items import Item
from accord.design.load import Study
from accord.design.study import Scenario
from accord.records import dataclass

__all__ = ["Bundle", "bundles_of", "main_scenarios", "test_set_of"]


@dataclass(frozen=True, slots=True)
class Bundle:
    """Units that stay together and in order: rows ``first`` to ``first + size`` of the plan's units."""

    first: int
    size: int
    source: str
    document: str
    systems: tuple[str, ...]
    test_set: str
    is_gold: bool


def main_scenarios(study: Study) -> tuple[Scenario, ...]:
    """The scenarios that are handed out by themselves; the others follow one of these."""
    return tuple(scenario for scenario in study.settings.scenarios if scenario.after is None)


def bundles_of(
    study: Study, scenario: Scenario, units: list[Unit], sets: dict[str, str], rng: np.random.Generator
) -> list[Bundle]:
    """All bundles of a scenario; their units are added to ``units``."""
    made: list[Bundle] = []
    for place, (document, items) in enumerate(_shuffled(study, rng)):
        groups = [[item] for item in items] if scenario.kind == "random-sentence" else [list(items)]
        for group in groups:
            shown = _systems(study, scenario, group, place)
            made += [_bundle(study, scenario, document, group, systems, units, sets) for systems in shown]
    return made


def _shuffled(study: Study, rng: np.random.Generator) -> list[tuple[str, Sequence[Item]]]:
    documents = list(study.documents.items())
    if study.settings.assignment.order == "fixed":
        return list(documents)
    return [documents[place] for place in rng.permutation(len(documents))]


def _systems(study: Study, scenario: Scenario, items: list[Item], place: int) -> list[tuple[str, ...]]:
    """The sets of systems shown at once; a share of them where each input takes only some."""
    present = [system for system in study.systems if all(system in item.outputs for item in items)]
    if (wanted := study.settings.assignment.systems_per_input) is not None and scenario.systems == 1:
        present = [present[(place + step) % len(present)] for step in range(min(wanted, len(present)))]
    return list(combinations(present, scenario.systems))


def _bundle(
    study: Study, scenario: Scenario, document: str, items: list[Item], systems: tuple[str, ...],
    units: list[Unit], sets: dict[str, str],
) -> Bundle:  # fmt: skip
    first = len(units)
    source = items[0].id if scenario.kind == "random-sentence" else document
    test_set = sets.get(document, "")
    followers = [follower for follower in study.settings.scenarios if follower.after == scenario.key]
    for part in (scenario, *followers):
        names = [""] if part.kind == "document" else [item.id for item in items]
        units.extend(Unit(name, document, part.key, systems, source, test_set) for name in names)
    gold = all(item.gold for item in items)
    return Bundle(first, len(units) - first, source, document, systems, test_set, gold)


def test_set_of(study: Study) -> dict[str, str]:
    """The test set of each document: as declared, as the items say, or dealt evenly by length."""
    declared = {document: part.key for part in study.settings.test_sets for document in part.documents}
    keys = [part.key for part in study.settings.test_sets]
    size = dict.fromkeys(keys, 0)
    found: dict[str, str] = {}
    by_length = sorted(study.documents.items(), key=lambda pair: -len(pair[1]))
    for document, items in by_length:
        if name := declared.get(document) or items[0].test_set:
            found[document] = name
        elif keys:
            found[document] = min(keys, key=lambda key: size[key])
        if document in found:
            size[found[document]] = size.get(found[document], 0) + len(items)
    return found


test_set_of.__test__ = False  # type: ignore[attr-defined]  # a name of the field, not a test
