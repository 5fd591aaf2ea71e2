"""Make the settings of a protocol fit other texts than those it came with; whatever is changed is said in words."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from accord.design.items import Item
from accord.errors import InputError

__all__ = ["EASINGS", "fitted", "shows_source", "unfitted"]

Raw = dict[str, Any]
Told = list[str]

_COMPARED = 2
"""Texts of one source that a comparison needs."""
_CHECKS = {"repeats": "repeats_differ", "degraded": "degraded_not_lower", "attention": "attention_failed"}
"""Control items, and the rule by which raters are left out that rests on them."""


def fitted(raw: Mapping[str, Any], items: Sequence[Item]) -> tuple[Raw, Told]:
    """Settings without what these items cannot give: references, documents by name, marks and practice of others."""
    settings = deepcopy(dict(raw))
    told: Told = []
    systems = {system for item in items for system in item.outputs}
    if not any(item.references for item in items):
        _without_text(settings, "reference", told)
        _without_control(settings, "references", "", "no text has a reference", told)
    if not any(item.post_edit for item in items):
        _without_text(settings, "post_edit", told)
    if not any(item.source for item in items):
        _without_text(settings, "source", told)
    if not any(item.gold for item in items):
        _without_control(settings, "gold", "gold_wrong", "no text has a known answer", told)
    _without_names(settings, {item.document for item in items}, told)
    if len(systems) < _COMPARED:
        _without_comparisons(settings, told)
    _fewer_systems(settings, len(systems), told)
    _without_examples(settings, told)
    return settings, told


_NOTHING = object()


def unfitted(now: Any, before: Any, after: Any) -> Any:
    """Take back what fitting to earlier texts changed from ``before`` to ``after``; what was changed since then stays.

    Parts of a list are compared by their keys, so that other questions or groups do no harm.
    """
    if before == after:
        return now
    if now == after:
        return deepcopy(before)
    if all(isinstance(one, Mapping) for one in (now, before, after)):
        names = dict.fromkeys([*now, *before])
        pairs = {
            name: unfitted(now.get(name, _NOTHING), before.get(name, _NOTHING), after.get(name, _NOTHING))
            for name in names
        }
        return {name: value for name, value in pairs.items() if value is not _NOTHING}
    keyed = [_by_key(one) for one in (now, before, after)]
    if all(one is not None for one in keyed):
        return list(unfitted(*keyed).values())
    return now


def _by_key(parts: Any) -> Raw | None:
    is_keyed = isinstance(parts, list) and all(isinstance(part, Mapping) and "key" in part for part in parts)
    return {str(part["key"]): part for part in parts} if is_keyed else None


def shows_source(raw: Mapping[str, Any]) -> bool:
    """Whether some rater sees the source."""
    shown = [part.get("show", ("source",)) for part in _parts(dict(raw), "scenarios")]
    shown += [part.get("show", ()) for part in _parts(dict(raw), "groups")]
    return any("source" in show for show in shown)


def _parts(settings: Raw, *names: str) -> list[Raw]:
    return [part for name in names for part in settings.get(name, []) if isinstance(part, dict)]


def _without_text(settings: Raw, name: str, told: Told) -> None:
    changed = False
    for part in _parts(settings, "scenarios", "groups"):
        if name in part.get("show", ("source",) if "kind" in part else ()):
            part["show"] = [one for one in part.get("show", ["source"]) if one != name]
            changed = True
        if name == "reference" and part.pop("reference", None):
            changed = True
    for part in _parts(settings, "criteria"):
        if name in part.get("consult", ()):
            part["consult"] = [one for one in part["consult"] if one != name]
    if changed:
        told.append(f"No text has a {name.replace('_', '-')}, so none is shown.")


def _without_control(settings: Raw, name: str, rule: str, why: str, told: Told) -> None:
    controls = settings.get("controls", {})
    if controls.pop(name, 0):
        told.append(f"Control items of the kind {name} are left out: {why}.")
    if rule:
        _without_rule(settings, rule, told)


def _without_rule(settings: Raw, rule: str, told: Told) -> None:
    kept = [one for one in settings.get("exclusions", []) if one.get("rule") != rule]
    if len(kept) < len(settings.get("exclusions", [])):
        told.append(f"The rule {rule} is left out: there is nothing to apply it to.")
        settings["exclusions"] = kept
        if not kept:
            del settings["exclusions"]


def _without_names(settings: Raw, documents: set[str], told: Told) -> None:
    for part in _parts(settings, "test_sets", "phases"):
        if set(part.get("documents", ())) - documents:
            del part["documents"]
            told.append(f"{part.get('key')}: named documents of other texts; documents are dealt evenly instead.")


def _without_comparisons(settings: Raw, told: Told) -> None:
    criteria = settings.get("criteria", [])
    kept = [one for one in criteria if one.get("kind") not in ("pairwise", "ranking")]
    if not kept:
        raise InputError("This protocol compares texts of one source: give at least two texts to judge in each row.")
    for one in criteria:
        if one not in kept:
            told.append(f"{one['key']} is not asked: it compares texts, and there is one in each row.")
    settings["criteria"] = kept


def _fewer_systems(settings: Raw, systems: int, told: Told) -> None:
    for part in _parts(settings, "scenarios"):
        if part.get("systems", 1) > max(systems, 1):
            told.append(f"{part.get('title') or part['key']}: {part['systems']} texts side by side became {systems}.")
            part["systems"] = max(systems, 1)
    assignment = settings.get("assignment", {})
    if assignment.get("systems_per_input", 0) > systems:
        del assignment["systems_per_input"]
        told.append("Every system is judged for each text: there are fewer systems than the protocol draws from.")


def _without_examples(settings: Raw, told: Told) -> None:
    if settings.pop("practice", None):
        told.append("The practice items of the protocol were about its own texts; add your own, or go without.")
    for part in _parts(settings, "criteria"):
        if part.pop("prefilled", None):
            told.append(f"{part['key']}: marks that stand in texts beforehand were for other texts; left out.")


def _fewer_controls(settings: Raw, told: Told) -> bool:
    controls = settings.get("controls", {})
    counted = [name for name in (*_CHECKS, "references", "gold") if controls.get(name)]
    if not counted:
        return False
    if controls.pop("batch", None) or controls.get("per") == "batch":
        controls.pop("per", None)
        told.append("Control items are counted for each rater: there are too few texts for batches.")
        return True
    for name in counted:
        controls[name] //= 2
        if not controls[name]:
            del controls[name]
            if name in _CHECKS:
                _without_rule(settings, _CHECKS[name], told)
    controls |= {"blocks": 2, "spacing": min(1, controls.get("spacing", 1))}
    left = {name: controls[name] for name in counted if name in controls}
    words = [f"{number} {name.removesuffix('s') if number == 1 else name}" for name, number in left.items()]
    told.append(f"Fewer control items, to fit so few texts: {', '.join(words) or 'none'}.")
    if not left:
        del settings["controls"]
    return True


def _plain_design(settings: Raw, told: Told) -> bool:
    assignment = settings.setdefault("assignment", {})
    if assignment.get("design", "crossed") == "crossed" and "source_once" not in assignment:
        return False
    raters = assignment.get("raters", 4)
    settings["assignment"] = {"design": "crossed", "raters": raters}
    dropped = [name for name in ("test_sets", "phases", "groups") if settings.pop(name, None)]
    words = f" ({', '.join(dropped).replace('_', ' ')} went with it)" if dropped else ""
    told.append(f"Everybody judges everything: these texts do not fit the design of the protocol{words}.")
    return True


EASINGS: tuple[Callable[[Raw, Told], bool], ...] = (_fewer_controls, _plain_design)
"""What is tried, in this order and again, while a plan cannot be made; each says whether it changed anything."""
