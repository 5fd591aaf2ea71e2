"""What a program may do at a workspace: its studies, their people, and the tokens of its own account."""

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from ninja.security import HttpBearer
from pydantic import Field

from accord.design.load import STUDY_FILE
from accord.design.preset import PRESETS, copy_preset
from accord.design.toml_text import parse_toml
from accord.design.toml_writing import to_toml
from accord.errors import AccordError, InputError
from accord.server.api import answers
from accord.server.api.scopes import Answer, Scope, file_answer, unknown_token
from accord.server.api.service import Service
from accord.server.api.shapes import File, Line, OneOf, Shape
from accord.server.api.tokens import bearer
from accord.server.creating import refuse_other_files
from accord.server.models_organiser import StudyEvent
from accord.server.organiser.pages import who
from accord.server.workspace import asking, managing, people
from accord.server.workspace.cards import Shown, renew, shown_studies
from accord.server.workspace.colleagues import held, note, roles_of
from accord.server.workspace.drafts import launch, launching
from accord.server.workspace.home import next_of
from accord.server.workspace.models import EVERY_STUDY, AccountToken, Role
from accord.server.workspace.programs import Program, make_account_token, program_of, revoke_account_token
from accord.server.workspace.restoring import is_whole
from accord.server.workspace.studies import place_of, places

__all__ = ["api", "urlpatterns"]


_ZIP = {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}}


class AccountKey(HttpBearer):
    """A token of an account in the header; what it may do is looked up where something is asked for."""

    def __call__(self, request: HttpRequest) -> Program:
        return self.authenticate(request, bearer(request))

    def authenticate(self, request: HttpRequest, token: str) -> Program:
        """The program, which the acts of the pages then take for the account."""
        program = program_of(token) if token else None
        if program is None:
            raise unknown_token(request, token)
        request.user = program  # type: ignore[assignment]
        return program


account = Scope(auth=AccountKey(), tags=["account"])


class _NewStudy(Shape):
    title: Line = ""
    preset: Annotated[str, OneOf(*PRESETS)] = ""
    files: Annotated[list[File], Field(max_length=20, default_factory=list)]
    launch: bool = False


class _Change(Shape):
    action: Annotated[str, OneOf(*StudyEvent.Action.values)]


class _Invitation(Shape):
    study: Line = EVERY_STUDY
    role: Annotated[str, OneOf(*Role.values)]
    label: Line = ""


class _RoleChange(Shape):
    role: Annotated[str, OneOf(*Role.values, people.NOBODY)]


class _View(Shape):
    study: Annotated[Line, Field(min_length=1)]
    label: Annotated[Line, Field(min_length=1)]


class _Label(Shape):
    label: Annotated[Line, Field(min_length=1)]


@account.get("studies", response=answers.Studies)
def list_studies(request: HttpRequest) -> Answer:
    """The studies of this account: state, progress, headline number, and what to do next."""
    roles = roles_of(request.user)
    found = [place for place in places() if place.key in roles or EVERY_STUDY in roles]
    return {"studies": [_study_in_words(one, held(roles, one.key)) for one in shown_studies(found)]}


@account.post("studies")
def create_study(request: HttpRequest, body: _NewStudy) -> Answer:
    """A new study from a preset, from files (a study.toml and its texts), or both; a draft unless it is launched."""
    managing.require_maker(request)
    title, files = _files_of(body)
    place = managing.draft_of_files(request, title, files, "made it")
    if body.launch:
        try:
            _launch(request, place.key)
        except AccordError:
            # Refused is refused: no draft is left that nobody knows of.
            shutil.rmtree(place.folder)
            raise
    return _study_of_key(request, place.key)


@account.post("studies/zip", openapi_extra=_ZIP)
def import_study(request: HttpRequest, name: Line) -> Answer:
    """A study folder as a zip, sent as it is, becomes a draft; a whole backup comes in with its judgements."""
    if is_whole(request.body):
        return _study_of_key(
            request, managing.restore_study(request, name, request.body, key=name.removesuffix(".zip")).key
        )
    return _study_of_key(request, managing.unpack_study(request, name, request.body).key)


@account.get("studies/{key}")
def show_study(request: HttpRequest, key: str) -> Answer:
    """One study: state, progress, headline number, and what to do next."""
    managing.require_role(request.user, key, Role.VIEWER)
    return _study_of_key(request, key)


@account.delete("studies/{key}")
def delete_draft(request: HttpRequest, key: str) -> Answer:
    """Delete a draft with its rehearsal; a study that was launched is never deleted."""
    asking.delete_draft(request, key)
    return {"key": key, "deleted": True}


@account.post("studies/{key}/launch")
def launch_study(request: HttpRequest, key: str) -> Answer:
    """Open a draft to whoever will be invited."""
    return _study_of_key(request, _launch(request, key))


@account.post("studies/{key}/state")
def change_study(request: HttpRequest, key: str, body: _Change) -> Answer:
    """Close a study, open it again, archive it or take it back; what was collected stays."""
    return {"state": managing.change_state(request, key, body.action)}


@account.post("studies/{key}/duplicate")
def duplicate_study(request: HttpRequest, key: str) -> Answer:
    """A draft with the same settings, texts and guidelines; judgements and people stay where they are."""
    return _study_of_key(request, managing.make_copy(request, key).key)


@account.get("studies/{key}/zip", openapi_extra=file_answer("application/zip"))
def fetch_study(request: HttpRequest, key: str) -> HttpResponse:
    """The files that make a study, without what was collected."""
    return managing.packed(managing.require_role(request.user, key, Role.ORGANISER))


@account.get("studies/{key}/backup", openapi_extra=file_answer("application/zip"))
def fetch_backup(request: HttpRequest, key: str) -> FileResponse:
    """The whole study with all that was collected, as accord restore takes it; for owners."""
    return managing.backed_up(request, key)


@account.get("people")
def list_people(request: HttpRequest) -> Answer:
    """Who may do what, invitations that wait, and view-only links, of the studies that this account owns."""
    found = people.people_of(request)
    return {
        "people": [
            {"id": one.pk, "name": one.account.get_username(), "study": one.study, "role": one.role, "by": one.by}
            for one in found["grants"]
        ],
        "invitations": [
            {
                "id": one.pk,
                "label": one.label,
                "study": one.study,
                "role": one.role,
                "by": one.by,
                "made_at": one.made_at.isoformat(),
            }
            for one in found["invitations"]
        ],
        "views": [
            {"id": one.pk, "label": one.label, "study": one.study, "made_at": one.made_at.isoformat()}
            for one in found["views"]
        ],
    }


@account.post("people/{int:person}/role")
def change_role(request: HttpRequest, person: int, body: _RoleChange) -> Answer:
    """Another role for somebody, or none; the number is the one of `GET people`."""
    people.give_role(request, person, body.role)
    return {"id": person, "role": body.role}


@account.post("invitations")
def invite(request: HttpRequest, body: _Invitation) -> Answer:
    """Invite a colleague, for one study or for every study; the link is in this answer and nowhere else."""
    return {"link": people.invitation_link(request, body.study, body.role, body.label)}


@account.delete("invitations/{int:invitation}")
def withdraw_invitation(request: HttpRequest, invitation: int) -> Answer:
    """Take back an invitation that nobody used yet; the number is the one of `GET people`."""
    people.withdraw_invitation(request, invitation)
    return {"id": invitation, "withdrawn": True}


@account.post("views")
def share(request: HttpRequest, body: _View) -> Answer:
    """A link that shows one study without an account; it is in this answer and nowhere else."""
    return {"link": people.view_link(request, body.study, body.label)}


@account.delete("views/{int:view}")
def end_view(request: HttpRequest, view: int) -> Answer:
    """Revoke a view-only link."""
    people.end_view(request, view)
    return {"id": view, "revoked": True}


@account.get("log")
def show_log(request: HttpRequest) -> Answer:
    """Who came in, made, invited and changed what, newest first; for owners."""
    lines = people.log_of(request)
    return {"lines": [{"by": one.by, "what": one.what, "study": one.study, "at": one.at.isoformat()} for one in lines]}


@account.get("tokens")
def list_tokens(request: HttpRequest) -> Answer:
    """The tokens of this account, without their secrets."""
    rows = AccountToken.objects.filter(account_id=request.user.pk)
    return {"tokens": [{"id": one.pk, "label": one.label, "revoked": one.revoked_at is not None} for one in rows]}


@account.post("tokens")
def new_token(request: HttpRequest, body: _Label) -> Answer:
    """Make one more token of this account; it is in this answer and nowhere else."""
    row, token = make_account_token(request.user, body.label)
    return {"id": row.pk, "token": token}


@account.delete("tokens/{int:token}")
def revoke_token(request: HttpRequest, token: int) -> Answer:
    """Revoke a token of this account."""
    if not revoke_account_token(request.user, token):
        raise Http404("There is no such token.")
    return {"id": token, "revoked": True}


def _files_of(body: _NewStudy) -> tuple[str, dict[str, bytes]]:
    """The title, and the files: those of the preset, with those that were sent in their place."""
    refuse_other_files([one.name for one in body.files])
    files: dict[str, bytes] = {}
    if body.preset:
        with tempfile.TemporaryDirectory() as scratch:
            copy_preset(body.preset, Path(scratch) / "study")
            files = {path.name: path.read_bytes() for path in (Path(scratch) / "study").iterdir()}
    files |= {one.name: one.text.encode() for one in body.files}
    if STUDY_FILE not in files:
        raise InputError("Name a preset, or send the files of the study: study.toml, items.tsv and guidelines.md.")
    try:
        settings = parse_toml(files[STUDY_FILE].decode("utf-8-sig"))
    except ValueError as error:
        raise InputError(f"{STUDY_FILE} is not TOML: {error}.") from None
    if body.title:
        files[STUDY_FILE] = to_toml({**settings, "title": body.title}).encode()
    return body.title or str(settings.get("title", "study")), files


def _launch(request: HttpRequest, key: str) -> str:
    """Launch it; gives the key it has from now on."""
    managing.require_role(request.user, key, Role.ORGANISER)
    with launching(key) as draft:
        if draft is None and place_of(key) is None:
            raise InputError("There is no such draft any more: it was launched under its new name, or deleted.")
        if draft is None:
            raise InputError("The study is launched already.")
        place = launch(draft)
    note(who(request), "launched the study", place.key)
    renew(place)
    return place.key


def _study_of_key(request: HttpRequest, key: str) -> Answer:
    place = place_of(key)
    if place is None:
        raise Http404("There is no such study.")
    return _study_in_words(shown_studies([place])[0], held(roles_of(request.user), key))


def _study_in_words(shown: Shown, role: str) -> Answer:
    said: dict[str, Any] = shown.said
    number = said.get("number")
    return {
        "key": shown.key, "title": shown.title, "state": shown.state, "role": role,
        "address": f"{shown.place.prefix}/", "api": f"{shown.place.prefix}/api/v1/",
        "counted_at": shown.made_at.isoformat() if shown.made_at else None, "next": next_of(shown, role).words,
        **{name: said.get(name) for name in ("places", "invited", "working", "finished", "done", "judgements")},
        "screens": said.get("tasks"), "number": number,
    }  # fmt: skip


api = Service("workspace", "A workspace, for programs.", lambda request: program_of(bearer(request)), account)
urlpatterns = api.addresses()
