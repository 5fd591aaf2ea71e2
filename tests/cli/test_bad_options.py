"""Bad options and names are answered in one plain sentence, and an absent file without loading what computes."""

import subprocess
import sys

import pytest

from warm_process import accord_words


def accord(*arguments):
    return subprocess.run(accord_words(*arguments), capture_output=True, text=True, timeout=600)


def test_an_absent_file_is_said_without_loading_what_computes():
    program = "import sys; from accord.cli.main import main\ntry: main()\nfinally: print(sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program, "agree", "nosuch.csv"], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 2
    assert done.stderr.strip() == "There is no file nosuch.csv."
    assert "'accord.cli.main'" in done.stdout
    assert "'scipy'" not in done.stdout
    assert "'numpy'" not in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("score", "abc"), "accord score: 'abc' must be a number. See accord score --help."),
        (("agre", "x"), "accord: No such command 'agre'. Did you mean 'agree'? See accord --help."),
        (("--nosuch",), "accord has no option --nosuch. See accord --help."),
        (("rank", "--forma"), "accord rank has no option --forma. Did you mean --format"),
        (("rank",), "accord rank needs RATINGS. See accord rank --help."),
        (
            ("rank", __file__, "--preset"),
            "accord rank: Option '--preset' requires an argument. See accord rank --help.",
        ),
        (("agree", __file__, "--level", "foo"), "--level: 'foo' is not one of 'nominal', 'ordinal', 'interval', "),
    ],
)
def test_a_wrong_call_is_answered_in_one_line(words, said):
    done = accord(*words)
    assert done.returncode == 2
    assert done.stderr.startswith(said) and done.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["agree", "rank", "mqm", "diagnose", "report"])
def test_help_is_given_whether_the_file_is_there_or_not(command):
    done = accord(command, "nosuch.csv", "--help")
    assert done.returncode == 0
    assert "accord " + command in done.stdout


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--level", "ordnal"), "'ordnal' is not one of"),
        (("--seed", "x7"), "'x7' must be a whole number."),
        (("--sampled-share", "much"), "'much' must be a number."),
    ],
)
def test_a_bad_value_is_said_with_the_value_and_in_our_words(tmp_path, option, said):
    file = tmp_path / "r.csv"
    file.write_text("item,rater,value\n1,a,1\n1,b,2\n")
    done = accord("agree", str(file), *option)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Value error" not in done.stderr
    assert "Input should" not in done.stderr
