"""What leaves a study under pseudonyms names nobody: neither a rater nor a system, in the table or in its codebook."""

import json
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

import accord
from accord.design.load import load_study
from accord.ratings.codebook import LeftOut
from accord.ratings.named_in_texts import names_in_texts

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
    codebook = accord.read(tmp_path / "out.csv", keep_all=True).codebook
    raters = set(accord.read(folder, keep_all=True).rater.names)
    assert {one.rater for one in codebook.left_out} | set(codebook.study.raters) <= raters
    assert codebook.study.title == load_study(folder).settings.title


def test_an_export_says_which_hidden_names_the_texts_of_the_study_hold(tmp_path):
    with ZipFile(RECORDED / "esa.zip") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "study"
    system = load_study(folder).systems[0]
    book = accord.read(folder, keep_all=True).codebook
    assert names_in_texts(book, [system, "w-77"]) == ""
    told = replace(book, study=replace(book.study, description=f"We try {system.upper()}."), left_out=(
        LeftOut(rater="R1", reason="Worker w-77 did not read."),))  # fmt: skip
    said = names_in_texts(told, [system, "w-77", "w-7"])
    assert f"{system} (description) and w-77 (reason)" in said and "w-7 (" not in said


def test_the_export_of_a_study_whose_title_names_a_system_says_so(tmp_path):
    with ZipFile(RECORDED / "esa.zip") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "study"
    system = load_study(folder).systems[0]
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8")
    title = load_study(folder).settings.title
    settings.write_text(text.replace(title, f"{title}, {system}", 1), encoding="utf-8")
    for words in (["export", str(folder), "-o", "a.csv"], ["convert", str(folder), "b.csv"]):
        command = [sys.executable, "-m", "accord", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0 and f"they name what codes hide: {system} (title" in done.stderr, done.stderr
