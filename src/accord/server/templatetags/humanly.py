"""Numbers as people read them on the organiser's pages."""

from secrets import token_urlsafe
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.translation import gettext as _

from accord.server.addresses import is_only_here, whole_address
from accord.server.models import Remark
from accord.server.models_organiser import Contest
from accord.server.organiser import names
from accord.server.organiser.judgements import item_of, shortened, texts_of
from accord.server.organiser.once import FIELD
from accord.server.organiser.page_words import advice_on_page
from accord.server.organiser.progress import Progress, Share
from accord.server.organiser.spoken import spoken
from accord.server.organiser.titles import in_titles, part_title, scenario_title
from accord.server.organiser.toast import taken_toast
from accord.server.study import current
from accord.server.workspace.colleagues import may_act, may_open
from accord.words import p_text, steady

__all__ = ["register"]

register = template.Library()


@register.inclusion_tag("organiser/parts/menu.html", takes_context=True)
def organiser_menu(context: Any) -> dict[str, Any]:
    """The menu, with the entry of this page marked and what waits for the organiser counted."""
    here = context.get("here", "organiser-people")
    waiting = {
        "organiser-comments": Remark.objects.filter(about=Remark.About.QUESTION, answered_at=None).count(),
        "organiser-arbitration": Contest.objects.filter(rulings=None).count(),
    }
    user = getattr(context.get("request"), "user", None)
    shown = [
        (name, title)
        for name, title in names.MENU.items()
        if may_open(user, name) and (name != "organiser-phases" or current().settings.phases)
    ]
    return {"entries": [(name, title, name == here, waiting.get(name, 0)) for name, title in shown]}


@register.inclusion_tag("organiser/parts/toast.html", takes_context=True)
def organiser_toast(context: Any) -> dict[str, Any]:
    """What was just done, once."""
    request = context.get("request")
    return {"toast": taken_toast(request) if request else None, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("accord/only_here.html", takes_context=True)
def only_here(context: Any) -> dict[str, Any]:
    """Beside links to send: that nobody elsewhere can open them, and what to do, where that is so."""
    request = context.get("request")
    if request is None or not is_only_here(request):
        return {"only_here": False}
    return {"only_here": True, "address": whole_address(request, "/").rstrip("/")}


class _MayNode(template.Node):
    """What stands between ``may`` and ``endmay``, for those who may do it."""

    def __init__(self, name: str, inside: template.NodeList) -> None:
        self.name = name
        self.inside = inside

    def render(self, context: Any) -> Any:
        user = getattr(context.get("request"), "user", None)
        return self.inside.render(context) if may_act(user, self.name) else ""


@register.tag
def may(parser: Any, token: Any) -> _MayNode:
    """``{% may 'organiser-rule' %} ... {% endmay %}``: shown to whom the address would not refuse."""
    _, name = token.split_contents()
    inside = parser.parse(("endmay",))
    parser.delete_first_token()
    return _MayNode(name.strip("\"'"), inside)


@register.simple_tag
def once() -> str:
    """The field of a form that makes a link: loading its answer again makes no second one."""
    return format_html('<input type="hidden" name="{}" value="{}">', FIELD, token_urlsafe(16))


@register.filter
def decimals(number: float | None, places: int = 2) -> str:
    """Two decimals with a real minus; a dash where there is no value, such as the end of no interval."""
    if not isinstance(number, int | float) or number != number:
        return "–"
    return f"{steady(number):.{places}f}".replace("-", "−")


@register.filter
def ends(estimate: dict[str, Any]) -> str:
    """The ends of an interval as the report writes them, so that no dash is read as a minus."""
    low, high = estimate["low"], estimate["high"]
    return (
        _("{low} to {high}").format(low=decimals(low), high=decimals(high))
        if low < 0
        else f"{decimals(low)}–{decimals(high)}"
    )


@register.filter
def in_language(sentence: str) -> str:
    """A sentence of the library in the reader's language, or as the English that it is."""
    told, is_english = spoken(sentence)
    return format_html('<span lang="en">{}</span>', told) if is_english else told


@register.filter
def titled(text: str) -> str:
    """A sentence with the titles of scenarios instead of their keys."""
    return in_titles(text)


@register.filter
def on_page(advice: str) -> str:
    """Advice without options of commands."""
    return advice_on_page(advice)


@register.filter
def part_titled(title: str) -> str:
    """The name of a group of results with the titles of its scenarios and phases instead of their keys."""
    return " · ".join(part_title("phase", scenario_title(part)) for part in title.split(" · "))


@register.filter
def named(word: str) -> str:
    """A state, a decision or a role in the reader's language."""
    return names.named(word)


@register.filter
def chance(p: float) -> str:
    """A p value; one that is too small for three digits is never called 0."""
    return p_text(p).removeprefix("p ").removeprefix("= ")


@register.filter
def percent(number: float) -> str:
    """A share as a whole number of per cent."""
    return f"{steady(number):.0%}"


@register.filter
def score_text(number: float) -> str:
    """A mean score: two decimals on a short scale, one above 10."""
    return f"{steady(number):.{1 if abs(number) >= 10 else 2}f}".replace("-", "−")


@register.filter
def thousands(number: int | None) -> str:
    """1,234,567."""
    return "–" if number is None else f"{number:,}"


@register.filter
def hours(minutes: float) -> str:
    """Minutes as hours and minutes."""
    return f"{int(minutes // 60)}:{int(minutes % 60):02d}"


@register.filter
def share_tables(progress: Progress) -> list[tuple[str, tuple[Share, ...]]]:
    """Progress by group, scenario and phase; a single unnamed phase says nothing."""
    tables = [(_("Groups"), progress.groups), (_("Scenarios"), progress.scenarios), (_("Phases"), progress.phases)]
    return [
        (title, shares)
        for title, shares in tables
        if len(shares) > 1 or (shares and shares[0].name not in ("", "first"))
    ]


@register.filter
def of(table: Any, key: str) -> Any:
    """What a table has under a key; nothing where it has none."""
    return table.get(key, "")


@register.filter
def at(sequence: Any, place: int) -> Any:
    """The element at a place; nothing where there is none."""
    return sequence[place] if place < len(sequence) else ""


@register.filter
def item_text(name: str) -> str:
    """The text that was judged, shortened: a person knows it by its words, not by its code."""
    study = current()
    found = item_of(study, name)
    here = [one.target for one in texts_of(study, found) if one.is_here] if found else []
    return shortened(" ".join(here))
