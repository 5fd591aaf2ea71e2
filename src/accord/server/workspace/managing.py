"""What is done to whole studies from the home page: close, open again, archive, duplicate, take away, bring in."""

import io
import lzma
import struct
import tempfile
import tomllib
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accord.design.load import STUDY_FILE
from accord.design.toml_text import parse_toml
from accord.errors import AccordError, InputError
from accord.server.backup import write_backup
from accord.server.closing import change_study
from accord.server.creating import STUDY_FILE_NAME
from accord.server.guidelines import latest
from accord.server.models_organiser import StudyEvent
from accord.server.organiser.closing_effect import whom_closing_concerns
from accord.server.organiser.pages import who
from accord.server.serving import Place, in_study
from accord.server.study import current
from accord.server.workspace.cards import renew, study_titles
from accord.server.workspace.colleagues import is_at_least, note, role_in, roles_of
from accord.server.workspace.drafts import copy_files, create_draft, retitle
from accord.server.workspace.home import CHANGED, LEFT_OUT, may_create, signed_in
from accord.server.workspace.models import Role
from accord.server.workspace.restoring import is_whole, restored
from accord.server.workspace.studies import opened, place_of, why_not

__all__ = [
    "back_to",
    "backed_up",
    "bring_in",
    "change",
    "change_state",
    "draft_of_files",
    "duplicate",
    "make_copy",
    "packed",
    "require_maker",
    "require_role",
    "restore_study",
    "take_all",
    "take_away",
    "unpack_study",
]

_DONE: dict[str, str] = {
    StudyEvent.Action.CLOSE: "closed the study",
    StudyEvent.Action.REOPEN: "opened the study again",
    StudyEvent.Action.ARCHIVE: "archived the study",
    StudyEvent.Action.TAKE_BACK: "took the study back from the archive",
}


def require_role(user: Any, key: str, wanted: str) -> Place:
    """The study, for somebody who has this role in it; whoever has none is told that there is no such study."""
    place, role = place_of(key), role_in(key, user)
    if place is None or not role:
        raise Http404("There is no such study.")
    if not is_at_least(role, wanted):
        raise InputError("Your role in this study does not include this. Ask one of its owners.")
    return place


_LARGEST_ZIP = 20_000_000
_LARGEST_INSIDE = 60_000_000
_MOST_FILES = 200
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    struct.error,
)
"""What unpacking an entry raises: RuntimeError for what has a password or is packed in a way that is not known."""
_NOT_UNPACKED = (
    "cannot be unpacked: it is damaged, has a password or is packed in a way that is not known here. "
    "Make the zip again."
)


def back_to(given: Mapping[str, str], key: str) -> str:
    """The study's own overview, for whoever came from there; empty for whoever came from the list of studies."""
    return f"/s/{key}/organiser" if given.get("back") == "study" else ""


@signed_in("POST")
def duplicate(request: HttpRequest, key: str) -> HttpResponse:
    """A draft with the same settings, texts and guidelines; judgements and people stay where they are."""
    return redirect("new-draft", make_copy(request, key).key)


def make_copy(request: HttpRequest, key: str) -> Place:
    """A new draft made of a study."""
    place = require_role(request.user, key, Role.ORGANISER)
    require_maker(request)
    title = study_titles([place])[key]
    said = {"about": f"a copy of {title}", "step": 7, "has_texts": True}

    def fill(folder: Path) -> None:
        _copy_design(place, folder)
        # The file says it too: else whoever saves it unchanged gives the copy the name of its original.
        retitle(folder, f"{title} copy")

    made = create_draft(fill, f"{title} copy", who(request), said)
    note(who(request), f"made it as a copy of {key}", made.key)
    return made


def _copy_design(place: Place, target: Path) -> None:
    """The files that make a study, with the guideline that its raters read now: the folder has the first one."""
    copy_files(place.folder, target)
    if opened(place.key) is None:
        return
    with in_study(place):
        study, text = current().study, latest().text
    if text != study.guidelines:
        (target / Path(study.settings.guidelines.file).name).write_bytes(text.encode("utf-8"))


@signed_in("GET")
def take_away(request: HttpRequest, key: str) -> HttpResponse:
    """The files of a study as a zip: what makes it, without what was collected."""
    return packed(require_role(request.user, key, Role.ORGANISER))


def packed(place: Place) -> HttpResponse:
    """The files that make a study, in one file."""
    made = io.BytesIO()
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        _copy_design(place, Path(scratch))
        for path in sorted(Path(scratch).iterdir()):
            archive.write(path, f"{place.key}/{path.name}")
    response = HttpResponse(made.getvalue(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{place.key}.zip"'
    return response


@signed_in("GET")
def take_all(request: HttpRequest, key: str) -> FileResponse:
    """The whole study as a zip: its files and all that was collected, as ``accord backup`` makes it."""
    return backed_up(request, key)


def backed_up(request: HttpRequest, key: str) -> FileResponse:
    """A backup, for owners only: it holds what single people gave, without pseudonyms where a platform named them."""
    place = require_role(request.user, key, Role.OWNER)
    if opened(key) is None:
        raise InputError(why_not(key) or "The study is a draft: nothing was collected yet.")
    # Unlinked at once: the file is gone when it has been sent, or when sending it ends.
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "whole.zip"
        with in_study(place):
            write_backup(place.folder, file)
        content = file.open("rb")
    note(who(request), "downloaded the whole study with all judgements", key)
    return FileResponse(content, as_attachment=True, filename=f"{key}-backup.zip", content_type="application/zip")


@signed_in("GET", "POST")
def bring_in(request: HttpRequest) -> HttpResponse:
    """A study folder as a zip becomes a draft; nothing outside of it is written, whatever the zip says."""
    require_maker(request)
    upload = request.FILES.get("file") if request.method == "POST" else None
    if request.method == "GET" or upload is None:
        return _import_page(request, "Choose a zip file." if request.method == "POST" else "")
    content = upload.read(_LARGEST_ZIP + 1)
    try:
        if is_whole(content):
            return redirect(f"{restore_study(request, str(upload.name), content).prefix}/organiser")
        made = unpack_study(request, str(upload.name), content)
    except AccordError as error:
        return _import_page(request, str(error))
    return redirect("new-draft", made.key)


def restore_study(request: HttpRequest, name: str, content: bytes, *, key: str = "") -> Place:
    """Another study made of a whole zip, with all that was collected; its folder is called ``key``, or by its title."""
    require_maker(request)
    if len(content) > _LARGEST_ZIP:
        raise InputError(f"The file is larger than {_LARGEST_ZIP:,} bytes. Use accord restore.")
    place = restored(content, who(request), key)
    note(who(request), f"imported it with its judgements from {name}", place.key)
    renew(place)
    return place


def unpack_study(request: HttpRequest, name: str, content: bytes) -> Place:
    """A new draft made of the study in a zip."""
    require_maker(request)
    files, left_out = _unpacked(content)
    return draft_of_files(request, "", files, f"imported it from {name}", left_out, name.removesuffix(".zip"))


def draft_of_files(
    request: HttpRequest, title: str, files: dict[str, bytes], done: str, told: Sequence[str] = (), name: str = ""
) -> Place:
    """A new draft made of the files of a study, with its own title if none is given; ``name`` is for its folder."""
    settings = _readable(files.get(STUDY_FILE, b""))
    title = title or str(settings.get("title") or name)
    said = {"about": "imported", "step": 7, "has_texts": True, "told": list(told)}
    made = create_draft(lambda folder: _write_files(folder, files), title, who(request), said, name)
    note(who(request), done, made.key)
    return made


def _readable(settings: bytes) -> dict[str, Any]:
    """Whatever else is wrong with study.toml the wizard shows; what is no TOML it cannot open."""
    try:
        return parse_toml(settings.decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise InputError(f"{STUDY_FILE} is not UTF-8 text. Save it as UTF-8 and import it again.") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{STUDY_FILE} cannot be read: {error}. Mend it and import it again.") from None


def _import_page(request: HttpRequest, problem: str) -> HttpResponse:
    context = {"here": "home", "problem": problem}
    return render(request, "workspace/import.html", context, status=400 if problem else 200)


def _unpacked(content: bytes) -> tuple[dict[str, bytes], list[str]]:
    """The files of the one folder of the zip that holds a study.toml, by name."""
    if len(content) > _LARGEST_ZIP:
        raise InputError(f"The file is larger than {_LARGEST_ZIP:,} bytes.")
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except (zipfile.BadZipFile, ValueError):
        raise InputError("This is no zip file that can be opened. Choose the zip of a study folder.") from None
    if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > _LARGEST_INSIDE:
        raise InputError(f"A study has up to {_MOST_FILES} files and {_LARGEST_INSIDE:,} bytes; this holds more.")
    paths = [PurePosixPath(entry.filename) for entry in entries]
    homes = [path.parent for path in paths if path.name == STUDY_FILE]
    if len(homes) != 1:
        raise InputError(f"The zip must hold one {STUDY_FILE}; it holds {len(homes)}.")
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    for entry in entries:
        path = PurePosixPath(entry.filename)
        if path.parent != homes[0] or not STUDY_FILE_NAME.fullmatch(path.name):
            left_out.append(path.name)
            continue
        try:
            # No more is unpacked than the entry declares, whatever it swells to.
            with archive.open(entry) as inside:
                files[path.name] = inside.read(entry.file_size)
        except _UNREADABLE:
            raise InputError(f"{path.name} {_NOT_UNPACKED}") from None
    names = ", ".join(sorted(set(left_out))[:8])
    return files, [
        f"Left out of the zip: {names}. Judgements come with the zip of “Download everything”."
    ] if left_out else []


def _write_files(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def require_maker(request: HttpRequest) -> None:
    """Whoever organises every study may make a new one."""
    if not may_create(roles_of(request.user)):
        raise InputError("Your role does not include making studies. Ask an owner of this workspace.")


@signed_in("POST")
def change(request: HttpRequest, key: str) -> HttpResponse:
    """Close a study, open it again, archive it or take it back."""
    action = request.POST.get("action", "")
    place, back = require_role(request.user, key, Role.ORGANISER), back_to(request.POST, key)
    if action == StudyEvent.Action.CLOSE and not back and opened(key) is not None:
        with in_study(place):
            request.session[LEFT_OUT] = [one.rater for one in whom_closing_concerns()[0]]
    change_state(request, key, action)
    return redirect(back or f"/?{CHANGED[action][0]}={key}")


def change_state(request: HttpRequest, key: str, action: str) -> str:
    """Do it, note it, and let the home page know; gives the new state."""
    place = require_role(request.user, key, Role.ORGANISER)
    if opened(key) is None:
        raise InputError(why_not(key) or "The study is a draft: launch it first.")
    with in_study(place):
        state = change_study(action, who(request))
    note(who(request), _DONE[action], key)
    renew(place)
    return state
