"""A workspace whose server is killed in the middle of moving or deleting a study: nobody gets in who should not, and
everybody who may still does."""

import re
import subprocess
import sys

from served_workspace import Workspace
from server_workspace.test_drafts import begun, named

KILLED = """
import os, sys
from pathlib import Path
from accord.server.connect import connect_workspace
connect_workspace(Path(sys.argv[1]))
from accord.server.serving import in_workspace
from accord.server.workspace import drafts
drafts._follow = lambda old, key: os._exit(9)
with in_workspace():
    drafts.launch(drafts.draft_of(sys.argv[2]))
"""


def killed_while_it_renames(folder, key):
    """After the folder has moved, and before its people have."""
    assert subprocess.run([sys.executable, "-c", KILLED, folder, key], timeout=300).returncode == 9


def test_a_server_killed_while_a_launch_renames_a_study_loses_no_one_of_its_people(tmp_path):
    server = Workspace(tmp_path, is_forked=True)
    try:
        owner = server.owner()
        key = begun(owner, "direct-assessment-segments")
        named(owner, key, "Leaflets, spring")
        page = owner.post("/people", {"study": key, "role": "viewer", "label": "Vera"})
        viewer = server.joined(re.search(r"http://\S+/join/[\w-]+", page)[0], "vera")
        server.stop()
        killed_while_it_renames(tmp_path, key)
        assert (tmp_path / "leaflets-spring" / "draft.json").exists() and not (tmp_path / key).exists()
        server.start()
        owner.post("/new/leaflets-spring/launch", {})
        assert owner.status == 200
        viewer.get("/s/leaflets-spring/organiser")
        assert viewer.status == 200
    finally:
        server.stop()


def test_a_new_study_does_not_inherit_the_people_of_one_that_is_gone(tmp_path):
    """A folder that was taken away by hand, or a server that was killed between a draft and its people."""
    server = Workspace(tmp_path, is_forked=True)
    try:
        owner = server.owner()
        key = begun(owner, "esa")
        page = owner.post("/people", {"study": key, "role": "viewer", "label": "Vera"})
        viewer = server.joined(re.search(r"http://\S+/join/[\w-]+", page)[0], "vera")
        (tmp_path / key).rename(tmp_path.parent / f"{tmp_path.name}-gone")
        other = begun(owner, "esa")
        assert other != key
        viewer.get(f"/studies/{other}/files.zip")
        assert viewer.status == 404
    finally:
        server.stop()
