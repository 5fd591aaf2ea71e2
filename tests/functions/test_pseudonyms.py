"""What leaves a study under pseudonyms names nobody: neither a rater nor a system, in the table or in its codebook."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from accord.design.load import load_study

RECORDED = Path(__file__).parent.parent / "recorded" / "studies"


@pytest.mark.parametrize("name", ["direct-assessment", "esa"])
def test_the_codebook_of_a_pseudonymous_table_holds_pseudonyms_only(name, tmp_path):
    with ZipFile(RECORDED / f"{name}.zip") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "study"
    secrets = list(load_study(folder).systems)
    for database in folder.glob("*.sqlite*"):
        if database.suffix == ".sqlite3":
            with sqlite3.connect(database) as connection:
                connection.execute("UPDATE server_rater SET crowd_id = 'crowd-secret-' || slot")
                secrets += [row[0] for row in connection.execute("SELECT crowd_id FROM server_rater")]
            connection.close()
    assert any("crowd-secret" in one for one in secrets) and len(load_study(folder).systems) > 1
    done = subprocess.run(
        [sys.executable, "-m", "accord", "convert", str(folder), str(tmp_path / "out.csv")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "datapackage.json").read_text(encoding="utf-8")
    assert [name for name in secrets if json.dumps(name) in text or f" {name} " in text or "crowd-secret" in text] == []
    import accord

    codebook = accord.read(tmp_path / "out.csv", keep_all=True).codebook
    raters = set(accord.read(folder, keep_all=True).rater.names)
    assert {one.rater for one in codebook.left_out} | set(codebook.study.raters) <= raters
    assert codebook.study.title == load_study(folder).settings.title
