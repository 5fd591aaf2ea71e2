"""The first commands of a study as a user runs them, and the chain from preset to agreement."""

import csv
import json
import re
from itertools import combinations
from types import SimpleNamespace

import pytest

import accord
from accord.cli.main import main
from accord.design.preset import PRESETS
from accord.ratings.roles import ordinary, under_study
from accord.reporting.compose import compose
from accord.reporting.markdown import to_markdown


@pytest.fixture
def accord_command(tmp_path, monkeypatch, capsys):
    """Run ``accord ...`` in an empty folder without the cost of a new process each time."""

    def run(*arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["accord", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        shown = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=shown.out, stderr=shown.err)

    return run


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_made_checked_simulated_and_analysed(preset, accord_command, tmp_path):
    for arguments in (
        ("new", preset, "d"), ("check", "d", "--studies", 50), ("simulate", "d", "-o", "r.csv"),
        ("agree", "r.csv", "--bootstrap", 100),
    ):  # fmt: skip
        done = accord_command(*arguments)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
    assert "Krippendorff" in done.stdout
    with (tmp_path / "r.csv").open(encoding="utf-8") as file:
        assert next(csv.reader(file))[:4] == ["item", "rater", "criterion", "value"]


def test_new_lists_the_presets_and_says_what_next(accord_command):
    listed = accord_command("new").stdout
    assert all(name in listed for name in PRESETS)
    made = accord_command("new", "esa", "study").stdout
    assert "items.jsonl" in made and "accord check study" in made


def test_new_never_writes_over_what_is_there(accord_command, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine", encoding="utf-8")
    done = accord_command("new", "esa", "mine")
    assert done.returncode == 2 and "is not empty" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("new", "plto", "d"), "Did you mean 'plato'?"),
        (("new", "plato"), "Name a folder"),
        (("check", "nothing"), "is not a folder"),
        (("simulate", "nothing"), "is not a folder"),
        (("simulate", "s", "--noise", "loud"), "is not a number, nor RATER=NUMBER"),
        (("simulate", "s", "--inattention", "2"), "is a share of the answers"),
        (("simulate", "s", "--severity", "R99=1"), "names the rater 'R99'"),
        (("simulate", "s", "-o", "no/such/r.csv"), "cannot be written"),
        (("check", "s", "--guess", "1.5"), "guessed reliability"),
        (("check", "s", "--coefficient", "kapa"), "kapa"),
        (("check", "s", "--plan", "plan.doc"), "plan.doc"),
    ],
)
def test_wrong_use_is_told_in_words(arguments, words, accord_command):
    assert accord_command("new", "quality-check", "s").returncode == 0
    done = accord_command(*arguments)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr


def test_check_tells_all_problems_with_file_and_line(accord_command, tmp_path):
    accord_command("new", "quality-check", "s")
    study = tmp_path / "s" / "study.toml"
    study.write_text(study.read_text("utf-8").replace("overlap = 6", "overlp = 6"), encoding="utf-8")
    items = tmp_path / "s" / "items.tsv"
    items.write_text(items.read_text("utf-8") + "\t1\tsource\ttarget\n", encoding="utf-8")
    done = accord_command("check", "s")
    assert done.returncode == 2
    assert "items.tsv:14: segment '1' has no document" in done.stderr
    assert "study.toml:13: unknown key 'overlp' in `assignment`. Did you mean 'overlap'?" in done.stderr


def test_check_previews_the_plan_as_data_and_as_a_picture(accord_command, tmp_path):
    accord_command("new", "direct-assessment", "s")
    options = ("--json", "--studies", 50, "--width", 0.2, "--plan", "plan.svg")
    done = accord_command("check", "s", *options)
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert {row["tasks"] for row in data["raters"]} == {100} and {row["controls"] for row in data["raters"]} == {30}
    assert {pair["items"] for pair in data["overlap"]} <= {27, 28, 29}
    (adequacy,) = data["reliability"]
    assert adequacy["items"] == 140 and 0.05 < adequacy["width"] < 0.4
    assert data["needed"][0]["items_needed"] > 20
    assert data["hours"] == pytest.approx(3.0) and data["cost"] == pytest.approx(36.0)
    assert (tmp_path / "plan.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize("width", ["0", "-1", "nan", "2"])
def test_a_width_that_no_interval_has_is_refused(accord_command, width):
    accord_command("new", "mqm", "s")
    done = accord_command("check", "s", "--studies", 50, "--width", width)
    assert done.returncode == 2 and "between 0 and 2" in done.stderr


def test_preferences_that_name_no_system_are_reported(accord_command, tmp_path):
    accord_command("new", "pairwise", "s")
    accord_command("simulate", "s", "-o", "preferences.csv")
    assert accord_command("report", "preferences.csv", "-o", "preferences.md").returncode == 0
    page = (tmp_path / "preferences.md").read_text("utf-8")
    assert "63 items" in page and "documents" in page and "| systems | 0" not in page and "| phases | 0" not in page
    told = accord_command("prefer", "preferences.csv", "--pairs").stdout
    assert "adjusted p" in told and " 0.000 " not in told
    assert "0.004       0.011               <0.001    52     6       5" in told


def test_simulate_takes_other_raters_and_single_bad_ones(accord_command):
    accord_command("new", "reference-bias", "s")
    done = accord_command("simulate", "s", "--raters", 12, "--inattention", "R01=1", "--seed", 5)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert len({row["rater"] for row in rows}) == 12
    assert {row["group"] for row in rows} == {"source", "generic", "second"}


def test_careful_simulated_raters_pass_the_gate_of_direct_assessment_and_careless_ones_fail(accord_command):
    accord_command("new", "direct-assessment", "s")
    accord_command("simulate", "s", "-o", "r.csv", "--inattention", "R2=1", "--inattention", "R1=0")
    done = accord_command("da", "r.csv", "--minimum", 3, "--fastest", 1, "--direction", "high")
    assert "Quality control of 6 raters: 5 passed, 1 failed" in done.stdout


def test_check_asks_for_the_good_end_that_the_version_before_took_for_granted(accord_command, tmp_path):
    accord_command("new", "quality-check", "study")
    place = tmp_path / "study" / "study.toml"
    assert "good is not declared" not in accord_command("check", "study", "--studies", "50").stdout
    place.write_text(place.read_text(encoding="utf-8").replace('best = "high"\n', ""), encoding="utf-8")
    told = " ".join(accord_command("check", "study", "--studies", "50").stdout.split())
    assert "Which end of quality and terminology is good is not declared, so nothing will be called better" in told
    assert 'best = "high" (which was taken for granted before)' in told


PRACTICE = '[[practice]]\npair = "{}"\nsource = "It rains."\ntarget = "Es regnet."\ncriterion = "fluency"\n'


def test_check_says_when_no_practice_item_is_for_the_study_s_languages(accord_command, tmp_path):
    accord_command("new", "fluency", "study")
    place = tmp_path / "study" / "study.toml"
    settings = place.read_text(encoding="utf-8").replace('target = "en"', 'source = "en"\ntarget = "de"')

    def told(*pairs):
        place.write_text(settings + "".join(map(PRACTICE.format, pairs)), encoding="utf-8")
        return " ".join(accord_command("check", "study", "--studies", "50").stdout.split())

    assert "practice" not in told("en-de", "")
    assert "1 of 2 practice items is for en-pt and not shown in this study, which is en-de." in told("en-pt", "en-de")
    both = told("en-pt", "en-es")
    assert "2 of 2 practice items are for en-es and en-pt and not shown in this study, which is en-de." in both
    assert "Raters practise nothing: write practice items for en-de, or leave out `pair`" in both


def test_a_rehearsal_carries_the_declared_plan_and_says_that_raters_are_simulated(accord_command, tmp_path):
    accord_command("new", "fluency", "study")
    with (tmp_path / "study" / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[analysis]\ncriterion = "fluency"\ncoefficient = "krippendorff_alpha"\nconfidence = 0.9\n')
    accord_command("simulate", "study", "-o", "sim.csv")
    ratings = accord.read(tmp_path / "sim.csv")
    facts = ratings.codebook.study
    assert facts.confidence == 0.9 and facts.plan_hash and not facts.plan_date
    assert ratings.codebook.source.endswith("filled in by simulated raters")
    result = accord.agreement(ratings, coefficients=["krippendorff_alpha"])
    assert [group.deciding for group in result.groups] == ["krippendorff_alpha"]


def test_a_rehearsal_says_first_whom_the_gate_would_leave_out_and_that_nobody_judged(accord_command, tmp_path):
    accord_command("new", "direct-assessment", "study")
    plan = '\n[analysis]\ncriterion = "adequacy"\ncoefficient = "krippendorff_alpha"\n'
    with (tmp_path / "study" / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write(plan)
    accord_command("simulate", "study", "-o", "rehearsal.csv", "--inattention", "R2=1")
    book = accord.read(tmp_path / "rehearsal.csv").codebook
    assert "R2" in {one.rater for one in book.breaks_rules if one.declared and one.rule == "degraded_not_lower"}
    assert not book.left_out
    told = accord_command("agree", "rehearsal.csv").stdout
    assert "rater R2 breaks the declared rule 'degraded not lower'" in " ".join(told.split())
    page = compose(accord.read(tmp_path / "rehearsal.csv"))
    texts, checking = under_study(accord.read(tmp_path / "rehearsal.csv"))
    assert f"simulated ratings of {texts.items} items and {checking} that check the rater, by 6" in page.subtitle
    written = to_markdown(page)
    assert "carried out as declared" not in written and "raters counted though they break a declared rule" in written
    assert "These ratings are simulated" in written


def test_repeats_of_a_later_phase_are_counted_as_repeats_and_make_no_overlap(accord_command, tmp_path):
    accord_command("new", "quality-check", "study")
    settings = tmp_path / "study" / "study.toml"
    phases = '\n[[phases]]\nkey = "first"\n[[phases]]\nkey = "again"\nagain = "first"\n'
    settings.write_text(settings.read_text(encoding="utf-8") + phases, encoding="utf-8")
    done = accord_command("simulate", "study", "-o", "rehearsal.csv")
    assert done.returncode == 0, done.stderr
    ratings = accord.read(tmp_path / "rehearsal.csv")
    data = next(section for section in compose(ratings).sections if section.key == "data")
    facts = {row["what"]: str(row["value"]) for row in data.blocks[0].table.rows}
    roles = ratings.columns["role"].labels().tolist()
    assert f"{roles.count('repeat'):,} of them repeats" in facts["ratings"]
    first = ordinary(ratings)
    pairs = [set(first.only(rater=name).item.names) for name in first.rater.names]
    shared = {len(one & other) for one, other in combinations(pairs, 2)}
    assert any(f"{number:,}" in facts["overlap"] for number in shared)
    assert max(map(int, re.findall(r"\d+", facts["overlap"].partition(";")[0]))) <= max(shared | {len(pairs)})
