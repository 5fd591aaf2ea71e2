"""What a judge judged with, from the codebook, from columns of the ratings, or as the user says it."""

from collections.abc import Mapping
from dataclasses import fields, replace

import numpy as np

from accord.judging.answers import settings_in
from accord.ratings.codebook import JudgeFacts
from accord.ratings.table import Ratings

__all__ = ["facts_of"]

_COLUMNS = {
    "model": ("model",),
    "prompt": ("prompt",),
    "rubric": ("rubric",),
    "parameters": ("parameters", "temperature"),
}


def facts_of(
    ratings: Ratings, judge: str, given: Mapping[str, str] | None = None, setting: Mapping[str, str] | None = None
) -> JudgeFacts:
    """The judge with all that is known of it.

    What is ``given`` comes first, then the way of asking (``setting``) that was chosen among several, then the
    codebook, then columns.
    """
    known = next((one for one in ratings.codebook.judges if one.name == judge), JudgeFacts(name=judge))
    told = {field.name: getattr(known, field.name) for field in fields(known)} | _of_columns(ratings, judge, known)
    chosen = {name: text for name, text in (setting or {}).items() if name in told}
    if setting and "version" in setting:
        chosen["model"] = " ".join(filter(None, (chosen.get("model", told["model"]), setting["version"])))
    return replace(known, **{**told, **chosen, **{name: text for name, text in (given or {}).items() if text}})


def _of_columns(ratings: Ratings, judge: str, known: JudgeFacts) -> dict[str, str]:
    rows = ratings.rater.codes == list(ratings.rater.names).index(judge)
    found = {}
    for name, columns in _COLUMNS.items():
        for column in columns:
            factor = ratings.columns.get(column)
            if getattr(known, name) or factor is None:
                continue
            used = [factor.names[code] for code in settings_in(factor.codes[rows].astype(np.int64), column)]
            if used:
                # A judge that was asked in several ways is all of them together.
                found[name] = " | ".join(sorted(used))
    return found
