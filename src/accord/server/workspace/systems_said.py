"""Where raters of a draft can read the name of a system, which they should not know."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from accord.design.load import Study, load_study
from accord.errors import AccordError
from accord.ratings.named_in_texts import ORDINARY, names_in
from accord.server.workspace.drafts import Draft

__all__ = ["systems_said"]

Said = tuple[str, str, str]
"""The step at which it can be changed, where it stands, and the names."""


def systems_said(draft: Draft) -> list[Said]:
    """The names of systems in what raters read, place by place; words of every text, as human, are no names."""
    if not draft.said.get("has_texts"):
        return []
    try:
        study = load_study(draft.folder)
    except AccordError:
        return []
    names = [name for name in study.systems if len(name) > 1 and name.lower() not in ORDINARY]
    told = ((step, place, _said_in(texts, names)) for (step, place), texts in _read_by_raters(study, draft).items())
    return [(step, place, ", ".join(found)) for step, place, found in told if found]


def _said_in(texts: Sequence[str], names: Sequence[str]) -> list[str]:
    """A column «My system» is the system My-system."""
    text = "\n".join(texts)
    return [name for name in names if names_in(text, [name, name.replace("-", " ")])]


def _read_by_raters(study: Study, draft: Draft) -> Mapping[tuple[str, str], list[str]]:
    settings = study.settings
    asked = [words for one in settings.criteria for words in (one.question, *one.labels)]
    asked += [words for one in settings.scenarios for words in (one.title, one.instruction)]
    shown = [text for item in study.items for text in (item.source, *item.outputs.values())]
    return {
        ("texts", _("Name of the study")): [settings.title],
        ("texts", _("Your texts")): shown,
        ("questions", _("Questions")): asked,
        ("guidelines", _("Guidelines")): [draft.guidelines, settings.consent.text if settings.consent else ""],
    }
