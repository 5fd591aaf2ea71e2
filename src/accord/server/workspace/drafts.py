"""A draft is a study folder that is not launched: its files are the study, and every step of the wizard writes them."""

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.db import Error, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accord.design.assignment import AssignmentPlan, plan_assignment
from accord.design.fitting import EASINGS, fitted, unfitted
from accord.design.items import read_items
from accord.design.load import STUDY_FILE, Study, load_study
from accord.design.preset import copy_preset, preset_description, protocol_title
from accord.design.toml_text import parse_toml
from accord.design.toml_writing import to_toml
from accord.errors import AccordError, InputError, Problem
from accord.planning.plan_check import require_sound_plan
from accord.server.creating import STUDY_FILE_NAME
from accord.server.one_at_a_time import in_turn
from accord.server.serving import Place
from accord.server.study import LoadedStudy
from accord.server.workspace.aside import ASIDE
from accord.server.workspace.models import Entry, Grant, Invitation, ViewLink
from accord.server.workspace.studies import DRAFT_FILE, KEY, is_draft, mark_created, place_of, places, workspace_folder

__all__ = [
    "Draft",
    "change_settings",
    "checked",
    "copy_files",
    "create_draft",
    "draft_of",
    "finish_renaming",
    "from_protocol",
    "keep_items",
    "launch",
    "launching",
    "new_key",
    "note_step",
    "replace_file",
    "retitle",
    "settings_before_texts",
    "untouched",
]

ITEMS_FILE = "items.jsonl"
TABLE_FILE = "texts.json"
"""The table as it was pasted or uploaded, kept in the draft until it is launched."""
_FIRST_STEP = 2
"""A draft is made by choosing a protocol, and begins at its texts."""
_MOST_EASINGS = 12
_MOST_PROBLEMS = 5
_PEOPLE = (Grant, Invitation, ViewLink)
"""What says who may do something in a study, by its key."""
_ENDINGS = {".toml", ".md", ".tsv", ".jsonl"}
Raw = dict[str, Any]


def _plain(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "study"


def new_key(title: str) -> str:
    """A name for the folder, made of the title, that no other study has.

    Nor one that somebody has a role in or a link to: a folder that was taken away by hand, or a server that was killed
    while it deleted a draft, leaves people behind, and a new study must not inherit them.
    """
    plain = _plain(title)
    number, key = 2, plain
    while (workspace_folder() / key).exists() or any(
        model._default_manager.filter(study=key).exists() for model in _PEOPLE
    ):
        key, number = f"{plain}-{number}", number + 1
    return key


def create_draft(fill: Callable[[Path], object], title: str, by: str, said: Mapping[str, Any], name: str = "") -> Place:
    """A new study folder, whole or not at all: made aside and moved into its place, by ``name`` or by title."""
    folder = workspace_folder()
    with tempfile.TemporaryDirectory(dir=folder, prefix=ASIDE) as scratch:
        made = Path(scratch) / "study"
        made.mkdir()
        fill(made)
        about = {"title": title, "by": by, "at": timezone.now().isoformat(), **said}
        (made / DRAFT_FILE).write_text(json.dumps(about), encoding="utf-8")
        with in_turn(folder):  # two studies of one title at once would get one name
            key = new_key(name or title)
            made.rename(folder / key)
    return Place(key, folder / key)


def copy_files(folder: Path, target: Path) -> None:
    """The files that make a study; not its judgements, its secret, or what the wizard keeps."""
    for path in folder.iterdir():
        if path.is_file() and path.suffix in _ENDINGS and not path.name.startswith("."):
            shutil.copyfile(path, target / path.name)


def retitle(folder: Path, title: str) -> None:
    """Give a study another title, in its file too: only its line changes, so that comments stay.

    A file that cannot be read stays as it is: its problem is told where it is looked at.
    """
    text = (folder / STUDY_FILE).read_text(encoding="utf-8-sig")
    try:
        wanted = {**parse_toml(text), "title": title}
    except ValueError:
        return
    changed = re.sub(
        r"(?m)^title *=.*$", lambda found: f"title = {json.dumps(title, ensure_ascii=False)}", text, count=1
    )
    try:
        is_meant = parse_toml(changed) == wanted
    except ValueError:
        is_meant = False
    (folder / STUDY_FILE).write_text(changed if is_meant else to_toml(wanted), encoding="utf-8")


def from_protocol(protocol: str, title: str, by: str) -> Place:
    """A draft of a protocol, with the texts that come with it until others take their place."""

    def fill(made: Path) -> None:
        copy_preset(protocol, made)
        settings = parse_toml((made / STUDY_FILE).read_text(encoding="utf-8"))
        (made / STUDY_FILE).write_text(to_toml({**settings, "title": title}), encoding="utf-8")

    said = {"protocol": protocol, "about": protocol_title(protocol), "step": _FIRST_STEP, "working_title": title}
    return create_draft(fill, title, by, said)


def untouched(protocol: str, by: str) -> Place | None:
    """A draft of this protocol that this person made and did nothing with."""
    drafts = (draft_of(place.key) for place in places() if is_draft(place))
    return next(
        (
            one.place
            for one in drafts
            if one and one.said.get("protocol") == protocol and one.said.get("by") == by and "edited" not in one.said
        ),
        None,
    )


class Draft:
    """A draft as the wizard sees it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.said: Raw = json.loads((place.folder / DRAFT_FILE).read_text(encoding="utf-8"))

    @property
    def folder(self) -> Path:
        return self.place.folder

    @property
    def raw(self) -> Raw:
        return parse_toml(self.text)

    @property
    def text(self) -> str:
        return (self.folder / STUDY_FILE).read_text(encoding="utf-8-sig")

    @property
    def guidelines_file(self) -> Path:
        """Where the guidelines stand; a name that leads out of the folder or to no file of a study is not followed."""
        said = self.raw.get("guidelines")
        name = said.get("file") if isinstance(said, dict) else None
        return self.folder / (name if isinstance(name, str) and STUDY_FILE_NAME.fullmatch(name) else "guidelines.md")

    @property
    def guidelines(self) -> str:
        """What they say: nothing where an imported study came without."""
        return self.guidelines_file.read_text(encoding="utf-8") if self.guidelines_file.is_file() else ""

    def keep(self, **said: Any) -> None:
        """Remember where the wizard was."""
        self.said |= said | {"edited": timezone.now().isoformat()}
        _write(self.folder / DRAFT_FILE, json.dumps(self.said))


def draft_of(key: str) -> Draft | None:
    """The draft of this key; None where there is none, or the study is launched."""
    place = place_of(key)
    return Draft(place) if place is not None and (place.folder / DRAFT_FILE).is_file() else None


def note_step(draft: Draft, step: int) -> None:
    """The steps that were opened, and the furthest of them; the page that every draft begins on says nothing."""
    seen = draft.said.get("seen", [])
    if step > _FIRST_STEP and step not in seen:
        draft.keep(seen=sorted([*seen, step]), step=max(step, int(draft.said.get("step", 1))))


def change_settings(draft: Draft, settings: Mapping[str, Any]) -> None:
    """Write study.toml; what the title says is shown at home too."""
    replace_file(draft, STUDY_FILE, to_toml(settings))
    draft.keep(title=str(settings.get("title", draft.place.key)))


def replace_file(draft: Draft, name: str, text: str) -> None:
    """Write a file of the draft whole, and let every process of the server notice."""
    _write(draft.folder / name, text)
    mark_created(draft.folder, str(draft.said.get("by", "")), timezone.now().isoformat())


def _write(path: Path, text: str) -> None:
    # Two requests may write at once, one sent by the page itself and one by a click: each has a file of its own.
    aside = path.with_name(f".{path.name}.{uuid4().hex}")
    aside.write_text(text, encoding="utf-8", newline="")
    aside.replace(path)


def checked(draft: Draft) -> tuple[Study, AssignmentPlan]:
    """The study of a draft with its plan, if it can be collected as it is; else an error with every problem."""
    try:
        study = load_study(draft.folder)
        LoadedStudy(study)
        require_sound_plan(study)
        return study, plan_assignment(study)
    except AccordError as error:
        # Where the folder lies is nobody's business on a page.
        raise InputError(str(error).replace(str(draft.folder), "The draft")) from None


def settings_before_texts(draft: Draft) -> Raw:
    """The settings as they were before they were made to fit the texts, with all that was changed since then."""
    kept = draft.said.get("fitted")
    if not kept:
        return draft.raw
    settings: Raw = unfitted(draft.raw, parse_toml(kept["before"]), parse_toml(kept["after"]))
    return settings


def keep_items(draft: Draft, rows: Sequence[Mapping[str, Any]], numbers: Sequence[int]) -> list[str]:
    """Put these texts into the draft and make the protocol fit them; gives in words what had to change.

    ``numbers`` are the rows of the user's table in which they begin. Texts that cannot be used change nothing.
    """
    if not rows:
        raise InputError(_("No row has a text to judge. Say which column holds it."))
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with tempfile.TemporaryDirectory() as scratch:
        (aside := Path(scratch) / ITEMS_FILE).write_text(text, encoding="utf-8", newline="")
        found = read_items(aside)
    if found.problems:
        told = [_in_rows(problem, numbers) for problem in found.problems[:_MOST_PROBLEMS]]
        raise InputError(" ".join([_("These texts cannot be used."), *told]))
    old = draft.raw
    before = {**settings_before_texts(draft), "items": ITEMS_FILE}
    about = preset_description(str(draft.said.get("protocol", "")))
    is_of_the_protocol = bool(about) and before.get("description") == about
    if is_of_the_protocol:
        del before["description"]
    settings, told = fitted(before, found.items)
    told += ["The description of the protocol was about its own texts; left out."] if is_of_the_protocol else []
    replace_file(draft, ITEMS_FILE, text)
    if (name := str(old.get("items", "items.tsv"))) != ITEMS_FILE and KEY.fullmatch(name):
        (draft.folder / name).unlink(missing_ok=True)
    change_settings(draft, settings)
    told += _eased(draft, settings)
    draft.keep(fitted={"before": to_toml(before), "after": to_toml(draft.raw)})
    return told


def _in_rows(problem: Problem, numbers: Sequence[int]) -> str:
    """A problem of an item, at the row in which the user has it."""
    if problem.row is None or problem.row > len(numbers):
        return f"{problem.message}."
    return _("Row {n}: {problem}.").format(n=numbers[problem.row - 1], problem=problem.message)


def _eased(draft: Draft, settings: Raw) -> list[str]:
    """Give up what does not fit, step by step, until a plan can be made or nothing is left to give up."""
    told: list[str] = []
    for _time in range(_MOST_EASINGS):
        try:
            checked(draft)
        except AccordError:
            if not any(ease(settings, told) for ease in EASINGS):
                break
            change_settings(draft, settings)
        else:
            break
    return told


@contextmanager
def launching(key: str) -> Iterator[Draft | None]:
    """The draft, for one who launches or deletes it at a time; None for who comes second and finds it gone."""
    with in_turn(workspace_folder()):
        yield draft_of(key)


def launch(draft: Draft) -> Place:
    """From now on the study is open to whoever is invited; a rehearsal of it is taken away.

    A study that was named since it was begun gets an address of this name: raters will read it in their links.
    """
    checked(draft)
    (draft.folder / TABLE_FILE).unlink(missing_ok=True)
    for name in draft.said.get("rehearsals", []):
        shutil.rmtree(workspace_folder() / name, ignore_errors=True)
    mark_created(draft.folder, str(draft.said.get("by", "")), timezone.now().isoformat())
    place = _renamed(draft)
    (place.folder / DRAFT_FILE).unlink()
    return place


def _renamed(draft: Draft) -> Place:
    title, working = str(draft.raw.get("title", "")), draft.said.get("working_title")
    is_moved = draft.said.get("was", draft.place.key) != draft.place.key
    if is_moved or not working or title == working or _plain(title) == _plain(str(working)):
        return draft.place
    old, place = draft.place, Place(key := new_key(title), workspace_folder() / key)
    # Kept in the folder itself: a server that is killed after the next line finds out where the people still are.
    draft.keep(was=old.key)
    old.folder.rename(place.folder)
    try:
        _follow(old.key, place.key)
    except Error:
        place.folder.rename(old.folder)
        raise
    return place


def _follow(old: str, key: str) -> None:
    with transaction.atomic():
        for model in (*_PEOPLE, Entry):
            model._default_manager.filter(study=old).update(study=key)


def finish_renaming() -> None:
    """When a server starts: whoever belongs to a draft that was moved follows it, if the server died in between."""
    for place in places():
        if (draft := draft_of(place.key)) is None:
            continue
        old = str(draft.said.get("was") or place.key)
        if old != place.key and place_of(old) is None:
            _follow(old, place.key)
