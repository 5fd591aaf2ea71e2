"""A rehearsal: a copy of the draft, filled in by simulated raters, with its own dashboard and report."""

import json
import shutil

from accord.errors import InputError
from accord.planning.simulated_raters import RaterTraits
from accord.server.connect import prepare, private_database
from accord.server.serving import Place, in_study
from accord.server.workspace.drafts import Draft, checked, copy_files, create_draft, retitle
from accord.server.workspace.studies import DRAFT_FILE, REHEARSAL_FILE, workspace_folder

__all__ = ["rehearse"]

_MOST_ANSWERS = 20_000


def rehearse(draft: Draft, by: str) -> Place:
    """Fill in a new copy; an older rehearsal of this draft goes."""
    from accord.server.invitations import places
    from accord.server.organiser.snapshot import refresh
    from accord.server.rehearsal import fill_in

    study, plan = checked(draft)
    if len(plan) * len(study.settings.criteria) > _MOST_ANSWERS:
        raise InputError(f"A rehearsal in the browser takes up to {_MOST_ANSWERS:,} answers. Use: accord simulate DIR")
    for name in draft.said.get("rehearsals", []):
        shutil.rmtree(workspace_folder() / name, ignore_errors=True)
    title = f"Rehearsal: {study.settings.title}"
    place = create_draft(lambda made: copy_files(draft.folder, made), f"{draft.place.key} rehearsal", by, {})
    (place.folder / REHEARSAL_FILE).write_text(json.dumps({"of": draft.place.key}), encoding="utf-8")
    retitle(place.folder, title)
    private_database(place.folder)
    with in_study(place):
        prepare()
        fill_in(places(), RaterTraits(), study.settings.seed)
        (place.folder / DRAFT_FILE).unlink()
        refresh()
    draft.keep(rehearsals=[place.key])
    return place
