"""Words that stand for a state, a decision, a role or a file, in the reader's language."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

__all__ = ["CONTROLS", "CONTROL_ROLES", "FILE_TITLES", "MENU", "named"]

MENU: Mapping[str, str | Promise] = {
    "organiser": _("Overview"),
    "organiser-judgements": _("Judgements"),
    "organiser-people": _("Raters"),
    "organiser-phases": _("Phases"),
    "organiser-quality": _("Quality"),
    "organiser-comments": _("Comments"),
    "organiser-rounds": _("Guideline rounds"),
    "organiser-arbitration": _("Arbitration"),
    "organiser-reports": _("Report"),
    "organiser-tokens": "API",
}

CONTROLS: Mapping[str, Promise] = {
    "repeats": _("Repeats"),
    "degraded": _("Degraded"),
    "references": _("References"),
    "attention": _("Attention"),
}

CONTROL_ROLES: Mapping[str, Promise] = {
    "repeat": _("control: a repeat"),
    "degraded": _("control: a spoilt copy"),
    "reference": _("control: a reference"),
    "attention": _("control: an attention item"),
    "gold": _("control: a known answer"),
}
"""What a task is called whose role is to check the rater."""

FILE_TITLES: Mapping[str, Promise] = {
    "background": _("Background"),
    "suggestions": _("Suggestions"),
    "decisions": _("Decisions"),
    "revisions": _("Revisions"),
    "designers": _("Designers"),
    "arbitration": _("Arbitration"),
    "access": _("Access log"),
    "ratings": _("Ratings"),
    "judgements": _("Judgements"),
    "questionnaire": _("Questionnaire"),
    "timings": _("Timings"),
    "analysed": _("Analysed ratings"),
    "exclusions": _("Exclusions"),
}

_NAMES: Mapping[str, str | Promise] = {
    # Where a rater stands
    "invited": _("invited"),
    "active": _("at work"),
    "finished": _("finished"),
    "paused": _("paused"),
    # How grave a finding is
    "error": _("error"),
    "warning": _("warning"),
    "note": _("note"),
    # What was decided about a rater
    "pause": _("paused"),
    "resume": _("at work again"),
    "redo": _("asked to redo"),
    "exclude": _("left out"),
    "include": _("counted again"),
    "undo": "",  # its reason begins with it
    # What a remark is about
    "item": _("item"),
    "text": _("text"),
    "question": _("question"),
    "flag": _("flag"),
    # Who may do what
    "viewer": _("viewer"),
    "arbiter": _("arbiter"),
    "organiser": _("organiser"),
    "owner": _("owner"),
    "rater": _("rater"),
}


def named(word: str) -> str:
    """The word as pages say it; one that has no other name stands for itself."""
    return str(_NAMES.get(word, word))
