"""``accord describe``: what ratings mean, answer first, and a codebook to edit."""

import json

import pytest

from accord.ratings.codebook import Codebook, StudyFacts
from accord.ratings.description import Description

TABLE = (
    "segment,annotator,points,Source\ns1,Ann,1,ein Satz\ns1,Ben,2,ein Satz\ns2,Ann,4,noch einer\ns2,Ben,3,noch einer\n"
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "errors.csv"
    path.write_text(TABLE)
    return path


@pytest.fixture
def accord(accord_command):
    def run(*words, check=True):
        done = accord_command(*words)
        assert not check or done.returncode == 0, done.stderr
        return done

    return run


def test_the_answer_comes_first_and_guesses_are_named(accord, table):
    said = accord("describe", table, "--value", "points").stdout.splitlines()
    assert said[0] == "4 ratings of 2 items by 2 raters."
    assert " ".join(said[1:3]).replace("   ", " ") == (
        "All ratings: ordinal scale (a guess), 1 < 2 < 3 < 4; nobody said which end is good, so no winner will be "
        "named; say it with --direction."
    )
    assert "Texts of the items: Source." in said
    assert "Guess: column 'Source' is taken as a text of the item." in said
    assert "Guess: level guessed: ordinal, as there are 4 different whole numbers." in said


def test_texts_that_a_codebook_names_are_told_only_where_the_file_has_them(accord, table):
    accord("describe", table, "--value", "points", "--write")
    assert "Texts of the items: Source." in accord("describe", table).stdout
    table.write_text("\n".join(line.rsplit(",", 1)[0] for line in TABLE.splitlines()))
    assert "Texts of the items" not in accord("describe", table).stdout


def test_what_is_written_is_used_by_every_command_from_then_on(accord, table):
    asked = ("--value", "points", "--level", "ratio", "--scale", "0", "20", "--direction", "low")
    written = accord("describe", table, *asked, "--write")
    assert "datapackage.json" in written.stdout
    said = accord("describe", table).stdout
    assert "All ratings: ratio scale, from 0 to 20; low is good." in said
    assert "level guessed" not in said
    shown = json.loads(accord("agree", table, "--json", "--coefficient", "krippendorff_alpha").stdout)
    assert shown["groups"][0]["level"] == "ratio"


def test_a_codebook_that_was_edited_wrongly_gets_a_sentence_with_file_and_line(accord, table):
    accord("describe", table, "--value", "points", "--write")
    package = table.with_name("datapackage.json")
    lines = package.read_text().splitlines()
    wrong = next(number for number, line in enumerate(lines) if '"direction"' in line)
    lines[wrong] = lines[wrong].replace("unknown", "downwards")
    package.write_text("\n".join(lines))
    done = accord("describe", table, check=False)
    assert done.returncode == 2
    assert f"{package}:{wrong + 1}: direction is 'downwards'; it can be high, low, none, unknown" in done.stderr
    assert accord("rank", table, check=False).returncode == 2


def test_json_holds_the_codebook_and_a_file_of_a_tool_can_be_described(accord, tmp_path):
    from formats.samples import GOOGLE_MQM, written

    path = written(tmp_path / "mqm.tsv", GOOGLE_MQM)
    shown = json.loads(accord("describe", path, "--json").stdout)
    assert shown["codebook"]["criteria"][0]["direction"] == "high"
    assert accord("describe", path, "--write").returncode == 0
    assert json.loads(accord("describe", path, "--json").stdout) == shown


def test_a_codebook_for_several_files_at_once_is_refused(accord, table):
    done = accord("describe", str(table.with_name("*.csv")), "--value", "points", "--write", check=False)
    assert done.returncode == 2
    assert "stands for several files" in done.stderr


def test_the_description_of_python_is_that_of_the_command(table):
    import accord as package

    described = package.describe(package.read(table, value="points", direction="low"))
    assert "low is good" in str(described)
    assert described.to_frame("pandas").shape == (1, 6)
    assert "What was judged" in described._repr_html_()


def test_a_plan_of_analysis_ends_with_one_full_stop():
    plan = {"hypothesis": "A is better than B.", "exclusions": "one value: Says nothing.; too fast: Not read."}
    book = Codebook(study=StudyFacts(plan=plan))
    told = Description(book, 1, 1, 1).lines()
    assert "Plan of analysis, hypothesis: A is better than B." in told
    assert "Plan of analysis, exclusions: one value: Says nothing; too fast: Not read." in told
