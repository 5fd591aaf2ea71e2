"""Whoever left a workspace, or has a smaller role now, keeps no key to it."""

import re

import pytest

from served_study import make_study
from served_workspace import Workspace
from server_workspace.test_api import send
from server_workspace.test_people import invitation


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    make_study(folder / "first")
    server = Workspace(folder, is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def owner(workspace):
    return workspace.owner()


def give(owner, name, role):
    found = re.search(rf'<th scope="row">{name}</th>.*?action="(/people/\d+)"', owner.get("/people"), re.S)
    owner.post(found[1], {"role": role}, page="/people")


def test_the_tokens_of_a_dismissed_organiser_open_nothing(workspace, owner):
    """Those that were made on the study's own page, and those that such a token made, shrink and die with the role."""
    colleague = workspace.joined(invitation(owner, "first", "organiser"), "carl")
    made = re.search(r"accord_[\w-]{20,}", colleague.post("/s/first/organiser/tokens", {"label": "mine"}))[0]
    tokens = [made, send(workspace, made, "POST", "/s/first/api/v1/tokens", {"label": "of mine"})[1]["token"]]
    account = re.search(r"accord_[\w-]{20,}", colleague.post("/tokens", {"label": "account"}))[0]
    tokens.append(send(workspace, account, "POST", "/s/first/api/v1/tokens", {"label": "of the account"})[1]["token"])

    def may(path):
        return {send(workspace, token, "GET", f"/s/first/api/v1/{path}")[0] for token in tokens}

    assert may("tokens") == may("progress") == {200}
    give(owner, "carl", "viewer")
    assert may("tokens") == {403} and may("progress") == {200}
    give(owner, "carl", "none")
    assert may("tokens") == may("progress") == {401}


def test_a_dismissed_owner_does_not_come_back_by_an_own_invitation(workspace, owner):
    colleague = workspace.joined(invitation(owner, "", "owner"), "olga")
    kept, used = invitation(colleague, "", "owner"), invitation(colleague, "first", "viewer")
    assert "first" in workspace.joined(used, "friend").get("/"), "while she owns it her invitations are good"
    give(owner, "olga", "organiser")
    stranger = workspace.stranger()
    stranger.get(kept)
    assert stranger.status == 404
