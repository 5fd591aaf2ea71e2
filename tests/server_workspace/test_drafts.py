"""Drafts are begun, named, deleted and launched; studies are closed and opened again: said before, noted after."""

import copy
import io
import re
import threading
import zipfile

import pytest

from accord.design.load import load_study
from served_study import make_study
from served_workspace import Workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    server = Workspace(tmp_path_factory.mktemp("workspace"), is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def owner(workspace):
    return workspace.owner()


def begun(owner, protocol):
    owner.post("/new", {"protocol": protocol})
    return owner.url.split("/")[-2]


TABLE = "source\ttarget\n" + "".join(f"The sentence {n} is here.\tDer Satz {n} ist da.\n" for n in range(12))


def named(owner, key, title):
    owner.post(f"/new/{key}/texts", {"what": "table", "pasted": TABLE})
    roles = {"role-0": "source", "role-1": "target"}
    owner.post(f"/new/{key}/texts", {"title": title, "source": "en", "target": "de", **roles})


def test_a_second_click_on_a_protocol_makes_no_second_draft(workspace, owner):
    first = begun(owner, "fluency")
    assert begun(owner, "fluency") == first
    owner.post(f"/new/{first}/guidelines", {"text": "Read."})
    assert begun(owner, "fluency") != first, "what somebody worked on is not handed out again"


def test_a_draft_is_deleted_after_a_question_and_the_log_says_so(workspace, owner):
    key = begun(owner, "mqm")
    assert f"/studies/{key}/remove" in owner.get("/")
    page = owner.get(f"/studies/{key}/remove")
    assert "cannot be undone" in page and (workspace.folder / key).exists()
    owner.post(f"/studies/{key}/delete", {}, page=f"/studies/{key}/remove")
    assert owner.status == 200 and not (workspace.folder / key).exists()
    assert not list(workspace.folder.glob(".deleted-*"))
    assert "deleted the draft" in owner.get("/log")
    owner.get(f"/new/{key}/texts")
    assert owner.status == 404


def test_a_launched_study_and_the_drafts_of_others_are_not_deleted(workspace, owner):
    make_study(workspace.folder / "launched")
    owner.post("/studies/launched/delete", {}, page="/")
    assert owner.status == 400 and (workspace.folder / "launched" / "study.toml").exists()
    key = begun(owner, "esa")
    page = owner.post("/people", {"study": "launched", "role": "organiser", "label": "x"})
    colleague = workspace.joined(re.search(r"http://\S+/join/[\w-]+", page)[0], "elsewhere")
    colleague.post(f"/studies/{key}/delete", {}, page="/")
    assert colleague.status == 404 and (workspace.folder / key).exists()


def test_the_address_follows_the_title_at_the_launch_and_the_people_go_along(workspace, owner):
    key = begun(owner, "direct-assessment-segments")
    named(owner, key, "Leaflets, spring")
    page = owner.post("/people", {"study": key, "role": "viewer", "label": "Vera"})
    assert ">Leaflets, spring</option>" in page, "people are asked by title"
    viewer = workspace.joined(re.search(r"http://\S+/join/[\w-]+", page)[0], "vera")
    owner.post(f"/new/{key}/launch", {})
    assert owner.url.endswith("/s/leaflets-spring/organiser/people")
    assert not (workspace.folder / key).exists()
    assert load_study(workspace.folder / "leaflets-spring").settings.title == "Leaflets, spring"
    viewer.get("/s/leaflets-spring/organiser")
    assert viewer.status == 200
    assert "<td>Leaflets, spring</td>" in owner.get("/log") and key not in owner.get("/people")


def test_a_draft_says_nothing_of_the_languages_of_its_protocol(workspace, owner):
    key = begun(owner, "document-context")
    assert load_study(workspace.folder / key).settings.description
    wide = "source\tone\ttwo\n" + "".join(f"The sentence {n}.\tDer Satz {n} da.\tDen Satz {n} da.\n" for n in range(30))
    page = owner.post(f"/new/{key}/texts", {"what": "table", "pasted": wide})
    assert "The description of the protocol was about its own texts" in page
    assert not load_study(workspace.folder / key).settings.description
    begun(owner, "esa")
    assert "English to Japanese" not in owner.get("/?show=draft")


def test_an_import_takes_its_title_and_says_in_one_sentence_what_is_no_zip(workspace, owner, tmp_path):
    hand = make_study(tmp_path / "x")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in hand.iterdir():
            archive.writestr(f"x/{path.name}", path.read_bytes())
    for key in ("final-v3", "final-v4"):
        owner.upload("/import", f"{key}.zip", packed.getvalue())
        assert f"/new/{key}/" in owner.url
    title, home, people = load_study(hand).settings.title, owner.get("/"), owner.get("/people")
    for key in ("final-v3", "final-v4"):
        assert f">{title} ({key})</a></h2>" in home, "what has one title is told apart by its address"
        assert f'<span class="unseen"> {title} ({key})</span>' in home
        assert people.count(f">{title} ({key})</option>") == 2, "in both forms"
    assert ">Leaflets, spring</option>" in people, "a title of its own is enough"
    page = owner.upload("/import", "x.zip", b"nonsense")
    assert "This is no zip file that can be opened. Choose the zip of a study folder." in page


def test_closing_names_whom_it_concerns_and_shows_the_way_back(workspace, owner):
    make_study(workspace.folder / "open-one")
    owner.get("/s/open-one/organiser")
    page = owner.get("/studies/open-one/close")
    assert "it concerns nobody" in page and "open it again at any time" in page
    page = owner.post("/studies/open-one/change", {"action": "close"}, page="/studies/open-one/close")
    notice = re.search(r'<form class="notice.*?</form>', page, re.S)[0]
    assert "is closed" in notice and 'value="reopen"' in notice
    owner.post("/studies/open-one/change", {"action": "reopen"}, page="/")
    assert "is closed" not in owner.get("/")


def test_an_invitation_that_waits_is_withdrawn(workspace, owner):
    page = owner.post("/people", {"study": "", "role": "viewer", "label": "Nobody yet"})
    link = re.search(r"http://\S+/join/[\w-]+", page)[0]
    address = re.search(r'action="(/people/invitations/\d+)"[^§]*?Nobody yet', page)[1]
    page = owner.post(address, {}, page="/people")
    assert "Nobody yet" not in page and "withdrew the invitation of Nobody yet" in owner.get("/log")
    stranger = workspace.stranger()
    assert 'name="password1"' not in stranger.get(link)


def test_two_requests_that_save_at_once_both_save(workspace, owner):
    """The page sends what was typed by itself, and a click sends it too."""
    key = begun(owner, "esa")
    form = {"what": "table", "pasted": TABLE}
    statuses = []

    def save(browser):
        for _ in range(8):
            browser.post(f"/new/{key}/texts", form)
            statuses.append(browser.status)

    people = [copy.copy(owner) for _ in range(3)]
    threads = [threading.Thread(target=save, args=(one,)) for one in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 24
    assert not [path.name for path in (workspace.folder / key).iterdir() if path.name.startswith(".study.toml.")]


def test_whoever_imports_a_study_with_its_judgements_is_told_that_these_stay_out(owner, tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in make_study(tmp_path / "whole").iterdir():
            archive.writestr(f"whole/{path.name}", path.read_bytes())
        archive.writestr("whole/accord.sqlite3", b"SQLite format 3")
    page = owner.upload("/import", "whole.zip", packed.getvalue())
    assert owner.url.endswith("/launch"), owner.url
    assert "Left out of the zip: accord.sqlite3. Judgements come with the zip of “Download everything”." in page


def _damaged(kind, packed):
    """The zip with its texts spoilt: packed in an unknown way, with a password, or with other bytes than it says."""
    content = bytearray(packed)
    place = content.rfind(b"PK\x01\x02", 0, content.rfind(b"x/study.toml"))
    local = int.from_bytes(content[place + 42 : place + 46], "little")
    match kind:
        case "unknown method":
            content[place + 10 : place + 12] = content[local + 8 : local + 10] = b"\x63\x00"
        case "password":
            content[place + 8] |= 1
            content[local + 6] |= 1
        case "other bytes":
            content[local + 60] ^= 0xFF
        case "wrong place":
            content[place + 42 : place + 46] = (local + 7).to_bytes(4, "little")
    return bytes(content)


@pytest.mark.parametrize("kind", ["unknown method", "password", "other bytes", "wrong place"])
def test_a_zip_that_cannot_be_unpacked_is_refused_in_words(owner, tmp_path, kind):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in make_study(tmp_path / "x").iterdir():
            archive.writestr(f"x/{path.name}", path.read_bytes())
    page = owner.upload("/import", "x.zip", _damaged(kind, packed.getvalue()))
    assert owner.status == 400
    assert "study.toml cannot be unpacked: it is damaged, has a password" in page


@pytest.mark.parametrize("file", ["../accord.secret", "accord.secret", "gone.md", "/etc/passwd"])
def test_guidelines_that_are_no_file_of_an_imported_study_are_empty_and_never_an_error(owner, tmp_path, file):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in make_study(tmp_path / "x").iterdir():
            text = path.read_text(encoding="utf-8")
            if path.name == "study.toml":
                text = text.replace("[guidelines]", "").replace('file = "guidelines.md"', "")
                text += f'\n[guidelines]\nfile = "{file}"\n'
            archive.writestr(f"x/{path.name}", text)
    owner.upload("/import", "out.zip", packed.getvalue())
    key = owner.url.split("/new/")[1].split("/")[0]
    owner.get(f"/new/{key}/guidelines")
    assert owner.status == 200
