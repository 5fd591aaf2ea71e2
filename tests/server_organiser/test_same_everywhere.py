"""One study, one number: dashboard, API, report, command line, Python and the export read back say the same."""

import json
import re
from math import isnan
from pathlib import Path
from zipfile import ZipFile

import pytest

from accord.design.preset import PRESETS, copy_preset
from accord.errors import OptionError, UnreadableFileError
from accord.planning.simulated_raters import RaterTraits
from accord.ratings.counting import count_source
from accord.reading import read
from accord.reliability.run import agreement
from long_tests import ALIKE

RECORDED = Path(__file__).parent.parent / "recorded" / "studies"
OLD = sorted(path.stem for path in RECORDED.glob("*.zip"))
"""Collected by the version before: one of each preset it had, error counts and two phases."""
NEW = sorted({"ranks", "checked", *PRESETS} - set(OLD))
"""What that version did not have: filled in here, by simulated raters."""

RANKS = """
title = "Three systems in order"
seed = 78
[languages]
source = "de"
target = "en"
[assignment]
design = "crossed"
raters = 3
[controls]
repeats = 2
[[scenarios]]
key = "side"
kind = "random-sentence"
show = ["source"]
systems = 3
[[criteria]]
key = "order"
question = "Rank the three translations."
kind = "ranking"
[analysis]
criterion = "order"
coefficient = "kendall_w"
comparison = "system"
unit = "document"
confidence = 0.9
"""
CHECKED = """
title = "Three systems side by side, alone and in context, with spoilt copies among them"
seed = 79
[languages]
source = "de"
target = "en"
[assignment]
design = "crossed"
raters = 3
[controls]
degraded = 3
repeats = 2
[[scenarios]]
key = "alone"
kind = "random-sentence"
systems = 3
[[scenarios]]
key = "context"
kind = "sentence-in-context"
show = ["source", "context"]
systems = 3
[[criteria]]
key = "errors"
question = "How many errors?"
kind = "number"
best = "low"
[[criteria]]
key = "order"
question = "Rank the three translations."
kind = "ranking"
"""
OWN = {"ranks": RANKS, "checked": CHECKED}
TEXTS = "document\tsegment\tsource\ttarget:A\ttarget:B\ttarget:C\n" + "".join(
    f"d{d}\t{s}\tEins {d} {s}.\tOne {d} {s}.\tA one {d} {s}.\tOne is {d} {s}.\n" for d in range(6) for s in range(2)
)


def new_study(name, place):
    study = place / "study"
    if name in PRESETS:
        copy_preset(name, study)
        return study
    study.mkdir()
    for file, text in (("study.toml", OWN[name]), ("items.tsv", TEXTS), ("guidelines.md", "# Read\n")):
        (study / file).write_text(text, encoding="utf-8")
    return study


MORE = ALIKE | {"document-context", "error-counts", "esa", "quality-check"}
"""Left to the whole run: what they ask is asked by the others too, one at a time."""
STUDIES = [pytest.param(name, marks=pytest.mark.long if name in MORE else ()) for name in (*OLD, *NEW)]


@pytest.fixture(scope="module", params=STUDIES)
def folder(request, django_on, tmp_path_factory):
    place = tmp_path_factory.mktemp(request.param)
    if request.param in NEW:
        study = django_on(new_study(request.param, place))
        from accord.server.rehearsal import fill_in
        from accord.server.study import current

        fill_in(current().settings.assignment.raters, RaterTraits(), 3)
        return study
    with ZipFile(RECORDED / f"{request.param}.zip") as archive:
        archive.extractall(place)
    return django_on(place / "study")


def numbers(groups):
    """Value, interval and signature of each coefficient of each group, undefined ones as None.

    The signature holds the fingerprints of ratings and codebook: the numbers come from the same meaning.
    """
    told = {}
    for group in groups:
        key = tuple(sorted((column, name) for column, name in group["by"].items() if column != "criterion"))
        for one in group["estimates"]:
            interval = one.get("interval") or one
            values = tuple(
                None if number is None or isnan(number) else number
                for number in (one["value"], interval.get("low"), interval.get("high"))
            )
            name = group.get("criterion") or group["by"].get("criterion"), key, one["coefficient"]
            told[name] = (*values, one["signature"])
    return told


def of_result(result, ratings):
    """The same of a result of the library; a study that asks one thing has no column to split by."""
    only = next(iter(ratings.codebook.criteria))
    groups = result if isinstance(result, list) else result["groups"]
    return numbers([{"criterion": group["by"].get("criterion", only), **group} for group in groups])


@pytest.fixture(scope="module")
def dashboard(folder):
    from accord.server.organiser.snapshot import compute_snapshot

    return compute_snapshot()


@pytest.fixture(scope="module")
def shown(dashboard):
    """Its numbers with all intervals, as its pages and API give them to whoever asks."""
    from accord.server.organiser.all_intervals import with_all_intervals

    return numbers(with_all_intervals(dashboard.results["groups"]))


@pytest.fixture(scope="module")
def ratings(folder):
    """The study as Python, and so every command, reads it."""
    return read(folder)


@pytest.fixture(scope="module")
def exported(folder, tmp_path_factory):
    """The table of ratings with its codebook, written by the server and read back."""
    from accord.server.export import write_table

    table = tmp_path_factory.mktemp("exported") / "ratings.csv"
    write_table("ratings", table)
    return read(table)


def test_what_the_dashboard_shows_unasked_is_what_it_shows_when_asked(dashboard, shown):
    first = numbers(dashboard.results["groups"])
    assert {key: value[0] for key, value in first.items()} == {key: value[0] for key, value in shown.items()}
    told = {key: value for key, value in first.items() if value[1] is not None}
    # Drawn together with others, sums are added up in another order.
    assert [value[1:3] for value in told.values()] == [pytest.approx(shown[key][1:3], abs=1e-12) for key in told]
    assert [value[3] for value in told.values()] == [shown[key][3] for key in told]


def test_python_says_what_the_dashboard_says(ratings, dashboard, shown):
    assert ratings.fingerprint == dashboard.fingerprint
    assert of_result(agreement(ratings).to_dict(), ratings) == shown


def test_the_command_line_says_what_the_dashboard_says(folder, ratings, dashboard, shown, accord_command):
    told = json.loads(accord_command("agree", folder, "--json").stdout)
    assert told["ratings"]["fingerprint"] == dashboard.fingerprint
    assert of_result(told, ratings) == shown


def test_the_report_says_what_the_dashboard_says(ratings, dashboard, shown):
    from accord.reporting.compose import compose

    told = compose(ratings, seed=ratings.codebook.study.seed).data["reliability"]
    assert told["ratings"]["fingerprint"] == dashboard.fingerprint
    assert of_result(told, ratings) == shown


def test_the_overview_opens_as_the_report_does(ratings, dashboard):
    from accord.reporting.compose import compose
    from accord.server.organiser.ranked import first_sentence

    first = compose(ratings, seed=ratings.codebook.study.seed).first
    assert dashboard.results["answer"]["question"] == first.question
    assert first_sentence(dashboard.results) == first.answer.replace("system-", "System ")
    if dashboard.results["rankings"]["made"]:
        assert re.search(r"System \d|no system", first_sentence(dashboard.results)), "it says which is best, or why not"


def test_the_api_says_what_the_dashboard_says(folder, dashboard):
    from accord.server.api.organiser_calls import show_reliability

    told = show_reliability(None)
    assert told["fingerprint"] == dashboard.fingerprint
    assert numbers(told["results"]["groups"]) == numbers(dashboard.results["groups"])


def test_the_export_read_back_says_what_the_dashboard_says(exported, dashboard, shown):
    assert exported.fingerprint == dashboard.fingerprint
    assert of_result(agreement(exported).to_dict(), exported) == shown


def test_the_export_means_what_the_study_means(ratings, exported):
    kept, declared = exported.codebook, ratings.codebook
    assert kept.criteria == declared.criteria
    assert kept.study == declared.study and kept.left_out == declared.left_out
    assert set(exported.columns) >= {name for name, factor in ratings.columns.items() if len(factor.names)}


def test_a_download_holds_the_table_and_what_it_means(folder, ratings, tmp_path):
    from io import BytesIO

    from accord.server.export import TABLES, codebook_of_table, zip_of

    response = zip_of("ratings", TABLES["ratings"](), codebook_of_table("ratings"))
    with ZipFile(BytesIO(response.content)) as archive:
        assert archive.namelist() == ["ratings.csv", "ratings.csv.datapackage.json"]
        archive.extractall(tmp_path)
    assert read(tmp_path / "ratings.csv").fingerprint == ratings.fingerprint


def test_exports_lie_side_by_side_and_each_keeps_its_meaning(folder, ratings, tmp_path):
    from io import BytesIO

    from accord.server.export import TABLES, codebook_of_table, zip_of

    for name in TABLES:
        response = zip_of(name, TABLES[name](), codebook_of_table(name))
        (tmp_path / f"{name}.zip").write_bytes(response.content)
        with ZipFile(BytesIO(response.content)) as archive:
            archive.extractall(tmp_path)
    unpacked, packed = read(tmp_path / "ratings.csv"), read(tmp_path / "ratings.zip")
    assert unpacked.codebook.study == packed.codebook.study == ratings.codebook.study
    assert unpacked.fingerprint == packed.fingerprint == ratings.fingerprint
    assert packed.source == str(tmp_path / "ratings.zip") and str(tmp_path) not in "".join(packed.notes)
    with pytest.raises(OptionError, match="unpack it, and duckdb counts the table"):
        read(tmp_path / "ratings.zip", engine="duckdb")
    (tmp_path / "other.zip").write_bytes((tmp_path / "ratings.zip").read_bytes())
    with ZipFile(tmp_path / "other.zip", "a") as archive:
        archive.writestr("more.csv", "item,rater,value")
    with pytest.raises(UnreadableFileError, match="Unpack it first"):
        read(tmp_path / "other.zip")


def test_texts_beside_a_spoilt_copy_are_no_further_ratings(folder):
    """Each text counts once for each rater, wherever it was shown beside a copy that checks the rater."""
    ratings = read(folder, keep_all=True)
    for group in ratings.split([name for name in ("scenario", "phase", "round") if name in ratings.columns]):
        counted = count_source(group.ratings).facts().items
        assert counted <= len({name.partition("#")[0] for name in group.ratings.item.names})
