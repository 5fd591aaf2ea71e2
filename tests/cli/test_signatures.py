"""Every result that can be computed again says how, in one signature, as its last line and only once."""

import json
import re

import pytest

from accord.cli.main import main

RATINGS = "item,rater,value\n" + "".join(
    f"i{item},{rater},{1 + (item * 7 + place * (item % 3)) % 5}\n"
    for item in range(40)
    for place, rater in enumerate("ABC")
)
SYSTEMS = "item,rater,system,document,value\n" + "".join(
    f"{item},{rater},{system},d{item // 4},{50 + (item * 13) % 30 + 6 * (system == 'X') + (item + place) % 5}\n"
    for item in range(40)
    for system in "XY"
    for place, rater in enumerate("AB")
)
ERRORS = "item,rater,system,document,category,severity\n" + "".join(
    f"{item},{rater},S{item % 2},d{item // 4},Accuracy,{('Minor', 'Major', 'No-error')[(item + place) % 3]}\n"
    for item in range(24)
    for place, rater in enumerate("AB")
)
JUDGE = "item,rater,kind,value\n" + "".join(
    f"i{item},{rater},{'model' if rater == 'gpt' else 'human'},{1 + (item + (item * place) % 2) % 5}\n"
    for item in range(40)
    for place, rater in enumerate(("A", "B", "gpt"))
)
PHASES = "item,rater,phase,value\n" + "".join(
    f"i{item},{rater},{phase},{1 + (item + place * (item % (4 - phase) == 0)) % 5}\n"
    for phase in (1, 2)
    for item in range(40)
    for place, rater in enumerate("ABC")
)
PRINTED = "table,criterion,categories,raters,items,agreement,fleiss_kappa\n1,adequacy,4,3,50,0.70,0.55\n"
SURVEY = "paper,coefficient,value\nP1,Fleiss kappa,0.4\nP2,alpha,0.6\n"
CHOICES = "item,rater,first,second,preferred\n" + "".join(
    f"i{item},{rater},X,Y,{'X' if item % 3 else 'Y'}\n" for item in range(30) for rater in "ABCD"
)
FILES = {"ratings": RATINGS, "systems": SYSTEMS, "errors": ERRORS, "judge": JUDGE, "phases": PHASES,
         "printed": PRINTED, "survey": SURVEY, "choices": CHOICES}  # fmt: skip

COMMANDS = {
    "agree": ("agree", "ratings.csv"),
    "compare": ("compare", "phases.csv", "--condition", "phase", "--bootstrap", "200"),
    "rank": ("rank", "systems.csv", "--direction", "high"),
    "score": ("score", "78", "81", "--threshold", "80"),
    "score of ratings": ("score", "--ratings", "ratings.csv"),
    "mqm": ("mqm", "errors.csv"),
    "mqm of a sample": ("mqm", "--count", "5", "--words", "1000", "--acceptable", "10"),
    "mqm of points": ("mqm", "--points", "20", "--words", "2000", "--passing", "90", "--acceptable", "10"),
    "prefer": ("prefer", "choices.csv"),
    "judge": ("judge", "judge.csv"),
    "audit": ("audit", "printed.csv"),
    "audit of a bootstrap": ("audit", "--bootstrap", "replicates=100,drawn=20,units=40,replacement=no"),
    "audit of a survey": ("audit", "--survey", "survey.csv"),
}


@pytest.fixture
def printed(tmp_path, monkeypatch, capsys):
    """What a command prints on these files, or on others."""

    def run(*arguments, **files):
        for name, text in (FILES | files).items():
            (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["accord", *arguments])
        try:
            main()
        except SystemExit as end:
            assert not end.code
        return capsys.readouterr().out.strip()

    return run


@pytest.mark.parametrize("name", COMMANDS)
def test_the_signature_is_the_last_line_and_the_only_one(printed, name):
    lines = printed(*COMMANDS[name]).splitlines()
    assert re.match(r"Signature: accord \d\S*\|", lines[-1])
    assert sum("Signature" in line or "accord 0." in line for line in lines) == 1
    assert not re.search(r"\b(True|False|None)\b", lines[-1])


@pytest.mark.parametrize(("name", "file", "old", "new"), [
    ("mqm", "errors", "Major", "Critical"), ("audit", "printed", "0.70", "0.71"),
    ("audit of a survey", "survey", "0.4", "0.5"), ("judge", "judge", "i0,A,human,1", "i0,A,human,3"),
])  # fmt: skip
def test_the_signature_changes_with_the_data_and_not_with_the_order_of_rows(printed, name, file, old, new):
    head, *rows = FILES[file].strip().splitlines()
    as_it_is = printed(*COMMANDS[name]).splitlines()[-1]
    turned = "\n".join([head, *reversed(rows)]) + "\n"
    assert printed(*COMMANDS[name], **{file: turned}).splitlines()[-1] == as_it_is
    changed = FILES[file].replace(old, new, 1)
    assert changed != FILES[file]
    assert printed(*COMMANDS[name], **{file: changed}).splitlines()[-1] != as_it_is


TWO_CRITERIA = "item,rater,system,document,criterion,value\n" + "".join(
    f"{item},{rater},{system},d{item // 4},{criterion},{50 + item * 13 % 30 + 6 * (system == 'X') + (item + at) % 5}\n"
    for criterion in ("adequacy", "fluency")
    for item in range(40)
    for system in "XY"
    for at, rater in enumerate("AB")
)


def test_a_ranking_of_each_criterion_is_signed_with_the_fingerprint_of_all_ratings(printed):
    """As agreement is: whoever holds the file finds its fingerprint in every number."""
    systems = {"systems": TWO_CRITERIA}
    fingerprint = json.loads(printed("agree", "systems.csv", "--json", **systems))["ratings"]["fingerprint"]
    rankings = json.loads(printed("rank", "systems.csv", "--direction", "high", "--json", **systems))["rankings"]
    signatures = [one["signature"] for one in rankings]
    assert [f"|ratings={fingerprint}" in one for one in signatures] == [True, True]
    assert ["|criterion=adequacy|" in one for one in signatures] == [True, False]
    assert len({*signatures}) == 2
