"""The wizard: seven steps from a protocol to a launched study, each of which writes the files of a draft."""

import json
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord.design.fitting import shows_source
from accord.design.preset import PRESETS
from accord.errors import AccordError, FormatError, InputError
from accord.formats.language_guess import guessed_language
from accord.formats.text_tables import TextTable, read_text_table
from accord.server.organiser.pages import text_of, who
from accord.server.security import policy
from accord.server.workspace.colleagues import note, roles_of
from accord.server.workspace.drafts import (
    TABLE_FILE,
    Draft,
    change_settings,
    checked,
    draft_of,
    from_protocol,
    keep_items,
    note_step,
    settings_before_texts,
    untouched,
)
from accord.server.workspace.home import may_create, signed_in
from accord.server.workspace.language_names import follow_languages, languages_followed
from accord.server.workspace.managing import require_role
from accord.server.workspace.mapping import ROLES, guessed_roles
from accord.server.workspace.models import Grant, Role
from accord.server.workspace.plain_words import plain_problem
from accord.server.workspace.protocols import protocol_cards, protocol_name
from accord.server.workspace.systems_said import systems_said
from accord.server.workspace.table_items import items_of

__all__ = ["STEPS", "begin", "draft_step", "resume", "show_step", "texts"]

STEPS = (
    ("protocol", gettext_lazy("Protocol")),
    ("texts", gettext_lazy("Your texts")),
    ("questions", gettext_lazy("Questions")),
    ("guidelines", gettext_lazy("Guidelines")),
    ("plan", gettext_lazy("Raters and plan")),
    ("rehearse", gettext_lazy("Rehearse")),
    ("launch", gettext_lazy("Launch")),
)
_PLACE = {name: place for place, (name, _title) in enumerate(STEPS, start=1)}
_MOST_PASTED = 900_000
_LARGEST_FILE = 20_000_000
_ROWS_SHOWN = 4

View = Callable[..., HttpResponseBase]


def draft_step(*methods: str) -> Callable[[View], View]:
    """A page about one draft, for those who organise it."""

    def decorate(view: View) -> View:
        @signed_in(*methods)
        @wraps(view)
        def checked_view(request: HttpRequest, key: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            require_role(request.user, key, Role.ORGANISER)
            draft = draft_of(key)
            if draft is None:
                return redirect(f"/s/{key}/organiser")
            return view(request, draft, *args, **kwargs)

        return checked_view

    return decorate


def show_step(
    request: HttpRequest, draft: Draft | None, step: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """Render a step; ``draft`` is None before there is one."""
    here = _PLACE[step]
    if draft is not None:
        note_step(draft, here)
    # Every later step has a default that can be launched: whoever has texts in may go straight to the end.
    is_ready = draft is not None and bool(draft.said.get("is_put_in"))
    reached = len(STEPS) if is_ready else int(draft.said.get("step", 1)) if draft is not None else 1
    steps = [
        {
            "name": name,
            "title": title,
            "number": place,
            "here": place == here,
            "done": place != here and _is_done(draft, name),
            "open": draft is not None and place <= max(reached, here),
        }
        for place, (name, title) in enumerate(STEPS, start=1)
    ]
    following = STEPS[here][0] if here < len(STEPS) else ""
    more = {"steps": steps, "draft": draft, "step": step, "following": following, "here": "home"}
    response = render(request, f"workspace/{step}.html", more | context, status=status)
    # The rating page of the draft is shown inside of the step.
    response["Content-Security-Policy"] = policy(frame_src="'self'")
    return response


def _is_done(draft: Draft | None, step: str) -> bool:
    """Whether somebody did what the step is for; of those with defaults, whether somebody looked at them."""
    if draft is None or step == "launch":
        return False
    said = draft.said
    has_texts = said.get("has_texts") and said.get("is_put_in", True)
    has = {"protocol": True, "texts": has_texts, "rehearse": said.get("rehearsals")}
    return bool(has.get(step, _PLACE[step] in said.get("seen", [])))


@signed_in("GET", "POST")
def begin(request: HttpRequest) -> HttpResponse:
    """Choose a protocol; the draft is made at once."""
    if not may_create(roles_of(request.user)):
        raise InputError(_("Your role does not include making studies. Ask an owner of this workspace."))
    if request.method == "POST":
        protocol = request.POST.get("protocol", "")
        if protocol not in PRESETS:
            raise InputError("Choose one of the protocols.")
        given = text_of(request, "title", 200)
        # A second click on a card is no second study.
        if not given and (before := untouched(protocol, who(request))) is not None:
            return redirect(f"/new/{before.key}/texts")
        title = given or f"{_('New study')}: {protocol_name(protocol)}"
        place = from_protocol(protocol, title, who(request))
        Grant.objects.get_or_create(
            account_id=request.user.pk, study=place.key, defaults={"role": Role.OWNER, "by": who(request)}
        )
        note(who(request), "began a draft", place.key)
        return redirect(f"/new/{place.key}/texts")
    return show_step(request, None, "protocol", {"protocols": protocol_cards()})


@draft_step("GET")
def resume(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Go on where the draft was left."""
    step = min(max(int(draft.said.get("step", 2)), 2), len(STEPS))
    return redirect(f"/new/{draft.place.key}/{STEPS[step - 1][0]}")


@draft_step("GET", "POST")
def texts(request: HttpRequest, draft: Draft) -> HttpResponse:
    """Paste or upload texts, say what each column holds, and see them as raters will."""
    if request.method == "POST" and request.POST.get("what") == "table":
        return _new_table(request, draft)
    if request.method == "POST":
        return _mapped(request, draft)
    return show_step(request, draft, "texts", _texts_context(draft))


def _new_table(request: HttpRequest, draft: Draft) -> HttpResponse:
    upload = request.FILES.get("file")
    try:
        if upload is not None:
            content, name = upload.read(_LARGEST_FILE + 1), str(upload.name)[:100]
            if len(content) > _LARGEST_FILE:
                raise FormatError(f"{name} is larger than {_LARGEST_FILE:,} bytes. Split it.")
        else:
            pasted = request.POST.get("pasted", "")[:_MOST_PASTED]
            content, name = pasted.encode("utf-8", "replace"), _("What you pasted")
        table = read_text_table(content, name)
        if not table.rows:
            raise FormatError(f"{name} names columns but holds no rows.")
    except AccordError as error:
        return show_step(request, draft, "texts", {**_texts_context(draft), "problem": str(error)}, 400)
    kept = {"name": name, "told": table.told, "columns": table.columns, "rows": table.rows, "numbers": table.numbers}
    (draft.folder / TABLE_FILE).write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    guess = guessed_roles(table)
    roles = guess.roles
    languages = table.languages if table.languages[1] else _guessed_languages(table, roles)
    draft.keep(
        roles=roles, unsure=guess.unsure, one_text=False, is_put_in=False, table=True,
        languages_told=bool(languages[1]), languages_guessed=bool(languages[1]) and not table.languages[1],
    )  # fmt: skip
    if languages[1]:
        told = zip(("source", "target"), languages, strict=True)
        change_settings(draft, follow_languages(draft, draft.raw, {side: code for side, code in told if code}))
    # The guess is put in at once: whoever has nothing to change goes straight on.
    return _keep_texts(request, draft, table, roles, one_text=False)


def _guessed_languages(table: TextTable, roles: list[str]) -> tuple[str, str]:
    """Of the sources and of the texts to judge; said as a guess, and empty where the texts do not tell."""

    def texts(wanted: str) -> Iterator[str]:
        places = [place for place, role in enumerate(roles) if role == wanted]
        return (row[place] for row in table.rows for place in places)

    return guessed_language(texts("source")), guessed_language(texts("target"))


def _mapped(request: HttpRequest, draft: Draft) -> HttpResponse:
    table = _table(draft)
    raw = draft.raw
    wanted = request.POST.get("then", "")
    following = wanted if wanted in _PLACE else "questions"
    languages = {name: text_of(request, name, 40) for name in ("source", "target") if text_of(request, name, 40)}
    # Whoever only says what a column holds is not asked for the rest yet.
    if table is not None and "target" not in languages and following != "texts":
        problem = _("Say which language the texts to judge are in, by its code: de, pt-BR.")
        return show_step(request, draft, "texts", {**_texts_context(draft), "problem": problem}, 400)
    if "target" in languages:
        raw = follow_languages(draft, raw, languages)
        draft.keep(languages_told=True, languages_guessed=draft.said.get("languages_guessed") and following == "texts")
    raw["title"] = text_of(request, "title", 200) or raw.get("title", draft.place.key)
    change_settings(draft, raw)
    if table is None:
        return redirect(f"/new/{draft.place.key}/{following}")
    roles = [request.POST.get(f"role-{place}", "") for place in range(len(table.columns))]
    roles = [role if role in ROLES else "" for role in roles]
    one_text = request.POST.get("one_text") == "yes"
    draft.keep(unsure=[])  # somebody has looked
    if roles != draft.said.get("roles") or one_text != draft.said.get("one_text") or not draft.said.get("is_put_in"):
        return _keep_texts(request, draft, table, roles, one_text=one_text, following=following)
    return redirect(f"/new/{draft.place.key}/{following}")


def _keep_texts(
    request: HttpRequest, draft: Draft, table: TextTable, roles: list[str], *, one_text: bool, following: str = "texts"
) -> HttpResponse:
    draft.keep(roles=roles, one_text=one_text, is_put_in=False, told=[], doubts=[])
    try:
        needs_source = shows_source(settings_before_texts(draft))
        made = items_of(table, roles, one_text=one_text, needs_source=needs_source)
        told = keep_items(draft, made.items, made.rows)
    except AccordError as error:
        return show_step(request, draft, "texts", {**_texts_context(draft), "problem": str(error)}, 400)
    said = [{"words": one.words, "where": one.where, "done": one.done} for one in made.doubts]
    draft.keep(has_texts=True, is_put_in=True, told=told, doubts=said, items=len(made.items))
    return redirect(f"/new/{draft.place.key}/{following}")


def _table(draft: Draft) -> TextTable | None:
    try:
        kept = json.loads((draft.folder / TABLE_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return TextTable(
        tuple(kept["columns"]),
        tuple(tuple(row) for row in kept["rows"]),
        f"{kept['name']}: {kept['told']}",
        numbers=tuple(kept.get("numbers", ())),
    )


def _texts_context(draft: Draft) -> dict[str, Any]:
    table, raw, has_texts = _table(draft), draft.raw, draft.said.get("has_texts", False)
    roles = draft.said.get("roles") or (guessed_roles(table).roles if table else [])
    columns = []
    if table is not None:
        columns = [
            {
                "name": name,
                "place": place,
                "role": roles[place],
                "cells": [row[place] for row in table.rows[:_ROWS_SHOWN]],
            }
            for place, name in enumerate(table.columns)
        ]
    problem = ""
    summary = ""
    try:
        study, _plan = checked(draft)
        summary = _texts_summary(len(study.items), len(study.documents), len(study.systems))
    except AccordError as error:
        problem = plain_problem(str(error))
    return {
        "table": table,
        "columns": columns,
        "roles": ROLES,
        "rows": list(zip(*(one["cells"] for one in columns), strict=True)),
        # The protocol's own languages say nothing about texts that came later.
        "languages": raw.get("languages", {}) if draft.said.get("languages_told") or not table else {},
        "languages_guessed": draft.said.get("languages_guessed", False),
        "title": raw.get("title", ""),
        "summary": summary,
        "problem": problem if table or has_texts else "",
        "has_texts": has_texts,
        "is_put_in": table is not None and draft.said.get("is_put_in", has_texts),
        "has_document": "document" in roles,
        "unsure": ", ".join(draft.said.get("unsure", [])),
        "one_text": draft.said.get("one_text", False),
        "told": [*draft.said.get("told", []), *(languages_followed(draft) if has_texts else [])],
        "doubts": draft.said.get("doubts", []),
        "systems_said": [one for one in systems_said(draft) if one[0] == "texts"],
    }


def _texts_summary(items: int, documents: int, systems: int) -> str:
    if 1 < documents < items:
        words = _("{items} segments in {documents} documents, texts to judge for each: {n}.")
    else:
        words = _("{items} segments, texts to judge for each: {n}.")
    return words.format(items=f"{items:,}", documents=f"{documents:,}", n=systems)
