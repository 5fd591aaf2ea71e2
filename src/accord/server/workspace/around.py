"""What raters agree to before the work and what they get at its end, as a form, and back."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.utils.translation import gettext as _

from accord.errors import InputError

__all__ = ["changed_around", "shown_around"]

Raw = dict[str, Any]
_FIELDS = {
    "consent-text": ("consent", "text"),
    "consent-ethics_approval": ("consent", "ethics_approval"),
    "completion-message": ("completion", "message"),
    "completion-code": ("completion", "code"),
    "completion-url": ("completion", "url"),
}
_LONGEST = 20_000


def shown_around(raw: Mapping[str, Any], typed: Mapping[str, str]) -> Raw:
    """Each field by its name in the form, as study.toml has it or as it was typed; hyphens are no names in a page."""
    shown = {name: raw.get(part, {}).get(field, "") for name, (part, field) in _FIELDS.items()}
    required = "consent-required" in typed if "consent-text" in typed else raw.get("consent", {}).get("required", True)
    told = {name.replace("-", "_"): typed.get(name, value) for name, value in shown.items()}
    return {**told, "consent_required": required}


def changed_around(raw: Mapping[str, Any], form: Mapping[str, str]) -> Raw:
    """The settings with consent and completion of the form; a part of which nothing is left is taken away."""
    settings = deepcopy(dict(raw))
    for name, (part, field) in _FIELDS.items():
        if name not in form:
            continue
        text = form[name].replace("\r\n", "\n").replace("\x00", "").strip()[:_LONGEST]
        if text != settings.get(part, {}).get(field, ""):
            settings[part] = {**settings.get(part, {}), field: text}
    if "consent-text" in form:
        _require(settings, is_required="consent-required" in form)
    url = settings.get("completion", {}).get("url", "")
    if url and not url.startswith("https://"):
        raise InputError(_("The address to return to must begin with https://."))
    return settings


def _require(settings: Raw, *, is_required: bool) -> None:
    """Without a text there is nothing to agree to."""
    consent = settings.get("consent", {})
    if not consent.get("text"):
        settings.pop("consent", None)
    elif consent.get("required", True) != is_required:
        settings["consent"] = {**consent, "required": is_required}
