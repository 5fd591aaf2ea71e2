"""What is clicked twice, or by many at the same moment, is done once and answered in words."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from accord.server.one_at_a_time import in_turn
from served_study import ALL_KINDS, make_study
from served_workspace import Workspace
from server_workspace.test_api import send, token_of


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    make_study(folder / "first")
    server = Workspace(folder, is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def key(workspace):
    return token_of(workspace.owner())


def asked_at_once(number, ask):
    with ThreadPoolExecutor(number) as people:
        return list(people.map(ask, range(number)))


def files(workspace):
    names = ("items.tsv", "guidelines.md")
    texts = [{"name": name, "text": (workspace.folder / "first" / name).read_text()} for name in names]
    return [{"name": "study.toml", "text": ALL_KINDS}, *texts]


def test_studies_of_one_title_made_at_once_get_a_name_each(workspace, key):
    wanted = {"title": "Same", "files": files(workspace)}
    made = asked_at_once(6, lambda _: send(workspace, key, "POST", "/api/v1/studies", wanted))
    assert [status for status, _ in made] == [201] * 6
    assert len({one["key"] for _, one in made}) == 6


def test_a_study_launched_by_several_clicks_at_once_is_launched_once(workspace, key):
    wanted = {"title": "Twice", "files": files(workspace)}
    draft = send(workspace, key, "POST", "/api/v1/studies", wanted)[1]["key"]
    done = asked_at_once(6, lambda _: send(workspace, key, "POST", f"/api/v1/studies/{draft}/launch", {}))
    assert sorted(status for status, _ in done) == [201] + [400] * 5
    assert {one["error"] for status, one in done if status == 400} == {"The study is launched already."}


def test_a_draft_is_not_deleted_while_somebody_launches_it(workspace, key):
    """The launch had read half of the files when they were gone: items.tsv was not there."""
    wanted = {"title": "Held", "files": files(workspace)}
    draft = send(workspace, key, "POST", "/api/v1/studies", wanted)[1]["key"]
    with ThreadPoolExecutor(1) as other:
        with in_turn(workspace.folder):  # as a launch holds it
            gone = other.submit(send, workspace, key, "DELETE", f"/api/v1/studies/{draft}")
            assert not wait([gone], timeout=2).done and (workspace.folder / draft).is_dir()
        assert gone.result()[0] == 200 and not (workspace.folder / draft).exists()
