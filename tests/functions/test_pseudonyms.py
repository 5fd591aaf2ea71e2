"""What leaves a study under pseudonyms names nobody: neither a rater nor a system, in the table or in its codebook."""

import json
import re
import sqlite3
import subprocess
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest

import accord
from accord.design.criterion import Criterion
from accord.design.load import load_study
from accord.design.scale import Level, Scale
from accord.ratings.codebook import Codebook, LeftOut, StudyFacts
from accord.ratings.named_in_texts import A_SYSTEM, coded_texts, names_in_texts
from accord.ratings.study_codebook import system_names
from warm_process import accord_words

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
        accord_words("convert", str(folder), str(tmp_path / "out.csv")),
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


def test_no_text_of_a_pseudonymous_codebook_is_a_key_to_its_codes(tmp_path):
    """The title is on every page as it was typed: with a code in its place here, both together named each system."""
    with ZipFile(RECORDED / "esa.zip") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "study"
    system = load_study(folder).systems[0]
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8")
    title = load_study(folder).settings.title
    told = text.replace(f'"{title}"', f'"{title}, {system.upper()}"\ndescription = "We try {system}."', 1)
    settings.write_text(re.sub(r'(?m)^description = "(?!We).*\n', "", told), encoding="utf-8")
    code = system_names(load_study(folder))[system]
    for words, table in (
        (["export", str(folder), "-o", "a.csv"], "a.csv"),
        (["convert", str(folder), "b.csv"], "b.csv"),
    ):
        command = accord_words(*words)
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0 and f"{system} (title)" in done.stderr, done.stderr
        book = accord.read(tmp_path / table, keep_all=True).codebook
        assert book.study.title == f"{title}, {system.upper()}" and book.study.description == "We try [system]."
    package = (tmp_path / "datapackage.json").read_text(encoding="utf-8")
    assert f"{title}, {code}" not in package and f"We try {system}" not in package
    assert accord.read(folder, systems=True).codebook.study.title == f"{title}, {system.upper()}"


def test_reasons_and_hypotheses_name_nobody_and_keys_values_and_titles_stay():
    scale = Scale(Level.NOMINAL, ("NewMT", "tie"), {"tie": "like NewMT"}, declared=True)
    plan = {"hypothesis": "NEWMT beats w-77's favourite.", "criterion": "NewMT"}
    facts = StudyFacts(plan=plan, title="Try newmt", titles={"a": "NewMT"})
    book = Codebook(
        {"NewMT": Criterion("NewMT", "Is NewMT good?", kind="pairwise", scale=scale)}, study=facts,
        left_out=(LeftOut(rater="R1", reason="w-77 did not read NewMT2."),),
    )  # fmt: skip
    made = coded_texts(book, {"NewMT": A_SYSTEM, "w-77": "R1", "human": A_SYSTEM})
    (criterion,) = made.criteria.values()
    assert (criterion.key, criterion.question) == ("NewMT", "Is [system] good?")
    assert criterion.scale == replace(scale, labels={"tie": "like [system]"})
    assert made.study.plan["hypothesis"] == "[system] beats R1's favourite."
    assert (made.study.title, made.study.titles) == ("Try newmt", {"a": "NewMT"})
    assert made.left_out[0].reason == "R1 did not read NewMT2."
    assert made.fingerprint == book.fingerprint


def test_a_name_that_is_a_word_too_is_hidden_behind_the_word_system_and_said_elsewhere():
    book = Codebook(study=StudyFacts(description="A human evaluation of system human and system B. B is a letter."))
    made = coded_texts(book, {"human": A_SYSTEM, "B": A_SYSTEM})
    assert made.study.description == "A human evaluation of system [system] and system [system]. B is a letter."
    assert "B (description) and human (description)" in names_in_texts(made, ["human", "B"])
