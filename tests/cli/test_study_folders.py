"""A study folder wherever a command takes ratings, and in Python."""

import json
from zipfile import ZipFile

import pytest

import accord
from accord.design.load import load_study
from accord.errors import OptionError
from recorded_cases import RECORDED

STUDIES = RECORDED / "studies"


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory):
    """Unpack a collected study."""

    def unpack(name):
        place = tmp_path_factory.mktemp(name)
        with ZipFile(STUDIES / f"{name}.zip") as archive:
            archive.extractall(place)
        return place / "study"

    return unpack


@pytest.mark.parametrize(
    ("study", "words"),
    [
        ("esa", ["agree"]), ("esa", ["diagnose"]), ("esa", ["rank"]), ("esa", ["describe"]),
        ("direct-assessment", ["da", "--keep-all"]), ("document-context", ["compare"]),
        ("quality-check", ["score", "--criterion", "quality", "--threshold", "3", "--ratings"]),
        ("pairwise", ["prefer"]), ("mqm", ["mqm"]),
    ],
)  # fmt: skip
def test_every_command_that_takes_ratings_takes_a_study_folder(accord_command, folder_of, study, words):
    folder = folder_of(study)
    settings = folder / "study.toml"
    # Before a direction was asked for, these studies said none; whoever wants a gate or a winner adds the line.
    text = settings.read_text(encoding="utf-8")
    if "best =" not in text:
        settings.write_text(text.replace('kind = "slider"', 'kind = "slider"\nbest = "high"'), encoding="utf-8")
    done = accord_command(*words, folder)
    assert done.returncode == 0, done.stderr[-800:]


def test_the_ratings_of_a_study_are_converted_and_drawn(accord_command, folder_of, tmp_path):
    folder = folder_of("esa")
    assert accord_command("convert", folder, tmp_path / "ratings.jsonl").returncode == 0
    assert (
        accord_command(
            "plot", folder, "--chart", "severity", "--only", "criterion=score", "-o", tmp_path / "chart.svg"
        ).returncode
        == 0
    )
    assert (tmp_path / "ratings.jsonl").stat().st_size > 1000


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_converted_study_has_the_fingerprints_that_it_had(folder_of, tmp_path, ending):
    """One criterion has sets of labels, another numbers; there are rounds and no phases."""
    folder = folder_of("document-context")
    accord.convert(folder, tmp_path / f"ratings.{ending}")
    study, back = accord.read(folder), accord.read(tmp_path / f"ratings.{ending}")
    assert back.fingerprint == study.fingerprint
    assert back.codebook.fingerprint == study.codebook.fingerprint


def test_python_reads_a_study_folder(folder_of):
    ratings = accord.read(folder_of("esa"))
    assert ratings.codebook.study.title and {"score", "spans"} == set(ratings.codebook.criteria)
    assert "system-1" in ratings.columns["system"].names


@pytest.mark.parametrize("study", ["esa", "pairwise"])
def test_named_systems_leave_the_fingerprint_as_it_is(folder_of, study):
    folder = folder_of(study)
    coded, named = accord.read(folder), accord.read(folder, systems=True)
    assert coded.fingerprint == named.fingerprint
    assert coded.codebook.fingerprint == named.codebook.fingerprint
    systems = set(load_study(folder).systems)
    told = [{*map(str, one.labels()), *one.columns.get("system", one.item).names} for one in (coded, named)]
    assert not systems & told[0] and systems <= told[1]


def test_compared_systems_and_a_tie_are_declared_answers_of_which_none_is_guessed(folder_of, tmp_path, accord_command):
    folder = folder_of("pairwise")
    for options in ((), ("--systems",)):
        done = accord_command("export", folder, "-o", tmp_path / "ratings.csv", *options)
        assert done.returncode == 0, done.stderr
        (scale,) = (one.scale for one in accord.read(tmp_path / "ratings.csv").codebook.criteria.values())
        assert scale.declared and not scale.guesses and scale.values[-1] == "tie"
        assert (set(load_study(folder).systems) <= set(scale.values)) == bool(options)


def test_a_study_says_itself_what_its_ratings_mean(accord_command, folder_of):
    folder = folder_of("esa")
    with pytest.raises(OptionError, match="says itself what its ratings mean: level cannot be given"):
        accord.read(folder, level="nominal")
    with pytest.raises(OptionError, match=r'declared in its study\.toml: best = "high"'):
        accord.read(folder, direction="high")
    done = accord_command("agree", folder, "--level", "nominal")
    assert done.returncode == 2 and "accord export" in done.stderr


def test_raters_are_left_out_and_kept_by_options(accord_command, folder_of):
    folder = folder_of("document-context")
    names = accord.read(folder).rater.names
    done = accord_command("agree", folder, "--leave-out", names[0], "--json")
    told = json.loads(done.stdout)
    assert told["ratings"]["raters"] == len(names) - 1
    assert any(f"left out: rater {names[0]}: asked for in this analysis" in note for note in told["ratings"]["notes"])
    wrong = accord_command("agree", folder, "--leave-out", "nobody")
    assert wrong.returncode == 2 and "no rater 'nobody'" in wrong.stderr
