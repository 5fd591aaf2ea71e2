"""Worked examples of a new guideline: disputed texts with the answer on which its designers agree, and why."""

import re
from collections.abc import Sequence
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from accord.errors import InputError
from accord.server.models_organiser import Round, RoundItem
from accord.server.organiser.judgements import item_of, shown_value, texts_of
from accord.server.study import LoadedStudy

__all__ = ["agreed_items", "with_examples"]

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|])")


def agreed_items(study: LoadedStudy, turn: Round) -> list[tuple[RoundItem, str]]:
    """Items of a round on which all designers who rated them agree, each with the answer in words."""
    found = []
    for item in turn.items.prefetch_related("ratings"):
        last = {rating.designer: rating.value for rating in item.ratings.all()}
        values = list(last.values())
        if values and all(value == values[0] for value in values):
            found.append((item, _answer(study, turn, values[0])))
    return found


def _answer(study: LoadedStudy, turn: Round, value: Any) -> str:
    points = study.criteria[turn.criterion].kind in ("spans", "post_edit")
    return f"{value:g}" if points else shown_value(study, turn.criterion, value)


def with_examples(study: LoadedStudy, turn: Round, text: str, keys: Sequence[int]) -> tuple[str, list[RoundItem]]:
    """The guideline with these items as examples at its end, in the language of the study, and the items."""
    known = {item.pk: (item, answer) for item, answer in agreed_items(study, turn)}
    if unknown := [key for key in keys if key not in known]:
        raise InputError(
            f"Item {unknown[0]} cannot be an example: it is not in this round, or its designers do not agree on it."
        )
    chosen = [known[key] for key in dict.fromkeys(keys)]
    if not chosen:
        return text, []
    with translation.override(study.settings.ui_language):
        parts = [f"## {_('Worked examples')}", *(_shown(study, item, answer) for item, answer in chosen)]
    return "\n\n".join([text.rstrip(), *parts]) + "\n", [item for item, _ in chosen]


def _shown(study: LoadedStudy, item: RoundItem, answer: str) -> str:
    """Source and text as raters saw them, no system named; then the answer and the reason."""
    name = item_of(study, item.name)
    here = next((text for text in texts_of(study, name) if text.is_here), None) if name else None
    texts = [(_("Source"), here.source), (_("Text to judge"), here.target)] if here else []
    lines = [f"> {title}: {_plain(text)}\n>" for title, text in texts if text]
    why = f" {_plain(item.note)}" if item.note else ""
    return "\n".join([*lines, f"> **{_('Answer')}: {_plain(answer)}**{why}"])


def _plain(text: str) -> str:
    """On one line, and as it is written: nothing in it is a sign of Markdown."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
