"""A study of one's own: what its files say reaches the analyses that use it, by the commands that a user types."""

import csv
import json

import pytest

import accord
from accord.cli.main import main
from accord.design.load import load_study
from accord.design.preset import PRESETS, copy_preset

STUDY = """
title = "Work that is left, alone and in context"
seed = 11
[languages]
source = "de"
target = "en"
[assignment]
design = "crossed"
raters = 4
[[scenarios]]
key = "alone"
kind = "random-sentence"
[[scenarios]]
key = "context"
kind = "sentence-in-context"
show = ["source", "context"]
[[criteria]]
key = "effort"
question = "How much work is left?"
kind = "scale"
level = "ordinal"
values = [1, 2, 3, 4]
best = "low"
[[criteria]]
key = "register"
question = "Which register?"
kind = "scale"
level = "nominal"
values = ["formal", "neutral", "slang"]
[questionnaire]
low = 1
high = 6
[[questionnaire.statements]]
key = "tiring"
text = "It was tiring."
[[phases]]
key = "first"
[[phases]]
key = "second"
documents = ["d6", "d7"]
[[phases]]
key = "retest"
again = "first"
"""
ITEMS = "document\tsegment\tsource\ttarget:Alt\ttarget:Neu\tdomain\tambiguity\tresolved_by\n" + "".join(
    f"d{d}\t{s}\tSatz {s} aus {d}.\tSentence {s} of {d}.\tThe {s}. sentence of {d}.\t{('news', 'novel')[d % 2]}"
    f"\t{'gender' if s == 3 else ''}\t{1 if s == 3 else ''}\n"
    for d in range(8)
    for s in range(1, 5)
)


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory):
    """A folder with the rehearsal of the study, and a way to run a command in it."""
    place = tmp_path_factory.mktemp("own")
    (place / "study").mkdir()
    for name, text in (("study.toml", STUDY), ("items.tsv", ITEMS), ("guidelines.md", "# Read\n")):
        (place / "study" / name).write_text(text, encoding="utf-8")
    return place


@pytest.fixture
def run(rehearsed, monkeypatch, capsys):
    def command(*arguments):
        monkeypatch.chdir(rehearsed)
        monkeypatch.setattr("sys.argv", ["accord", *arguments])
        capsys.readouterr()
        try:
            main()
        except SystemExit as stop:
            assert not stop.code, capsys.readouterr().err
        return capsys.readouterr().out

    if not (rehearsed / "sim.csv").exists():
        command("simulate", "study", "-o", "sim.csv")
    return command


def compared(run):
    return run("compare", "sim.csv", "--design", "document-context", "--json", "--bootstrap", "100")


def effort_of(place):
    """The rows of the criterion effort, as a user keeps them in a sheet without a codebook."""
    text = (place / "sim.csv").read_text(encoding="utf-8")
    return [row for row in csv.DictReader(text.splitlines()) if row["criterion"] == "effort"]


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_columns_of_the_items_reach_spans_by_domain_and_what_was_misjudged(run):
    told = json.dumps(json.loads(compared(run)))
    assert '"domain": "news"' in told and '"domain": "novel"' in told
    assert '"gender"' in told


def test_the_questionnaire_of_a_rehearsal_is_taken_and_a_further_scenario_hides_no_difference(run, rehearsed):
    asked = ("--design", "document-context", "--bootstrap", "100", "--questionnaire")
    assert "tiring" in run("compare", "sim.csv", *asked, "sim.questionnaire.csv")
    named = {"alone": "RS", "context": "SC"}
    write(rehearsed / "own.csv", [row | {"scenario": named[row["scenario"]]} for row in effort_of(rehearsed)])
    text = (rehearsed / "sim.questionnaire.csv").read_text(encoding="utf-8")
    answers = [row | {"scenario": named[row["scenario"]]} for row in csv.DictReader(text.splitlines())]
    write(rehearsed / "answers.csv", answers + [row | {"scenario": "D"} for row in answers if row["scenario"] == "SC"])
    assert "SC - RS" in run("compare", "own.csv", "--level", "ordinal", "--direction", "low", *asked, "answers.csv")


def test_a_retest_that_was_planned_is_shown_as_stability_and_counts_in_no_agreement(run):
    told = run("diagnose", "sim.csv", "--show", "stability")
    assert "stability" in told and "effort" in told
    ratings = accord.read("sim.csv")
    assert {group.by.get("phase", "first") for group in accord.agreement(ratings).parts} == {"first", "second"}


def test_every_criterion_without_order_is_named_where_texts_are_averaged(run):
    told = " ".join(run("diagnose", "sim.csv", "--show", "text-level", "--unit", "document").split())
    assert "criterion effort, scenario alone" in told
    assert "register" in told.partition("Labels without order cannot be averaged")[0].rpartition(".")[2]


def test_a_disputed_item_shows_its_text_and_what_raters_said_of_it(run, rehearsed):
    said = {"comment": "I had to guess."}
    rows = [row | said | {"source": f"Satz {row['segment']} aus {row['document']}."} for row in effort_of(rehearsed)]
    write(rehearsed / "said.csv", rows)
    run("report", "said.csv", "--level", "ordinal", "--direction", "low", "-o", "said.md")
    disputed = (rehearsed / "said.md").read_text(encoding="utf-8").partition("## Disputed texts")[2]
    assert "Satz " in disputed and "I had to guess." in disputed


def settings_of(name, tmp_path):
    copy_preset(name, tmp_path / name)
    return load_study(tmp_path / name).settings


def test_every_criterion_of_plato_has_a_definition_and_a_unit_and_features_of_femti_their_name(tmp_path):
    criteria = settings_of("plato", tmp_path).criteria
    assert all(one.definition and one.unit for one in criteria)
    assert {one.key for one in criteria if "(ISLE/FEMTI)" in one.definition} >= {"clarity", "coherence", "syntax"}


@pytest.mark.parametrize(
    ("preset", "kind", "shown"),
    [
        ("direct-assessment", "random-sentence", {"source"}),
        ("direct-assessment-segments", "sentence-in-context", {"source", "context"}),
        ("direct-assessment-documents", "document", {"source"}),
        ("fluency", "random-sentence", set()),
        ("monolingual", "random-sentence", {"reference"}),
    ],
)
def test_direct_assessment_has_its_three_variants_and_those_without_a_source(preset, kind, shown, tmp_path):
    (scenario,) = settings_of(preset, tmp_path).scenarios
    assert str(scenario.kind) == kind and {str(one) for one in scenario.show} == shown
    assert preset in PRESETS and all(one.best for one in settings_of(preset, tmp_path / "again").criteria)
