"""No Python value is ever printed: every command over data that are awkward in a way of their own."""

import json
import re

import numpy as np
import pytest

from accord.cli.main import main

PYTHON = re.compile(
    r"frozenset|\bNone\b(?! of)|\bnan\b|\bNaN\b|\binf\b|\bnp\.|numpy|array\(|dtype|<[\w.]+ object|Traceback|"
    r"\{'|\['|\('|\bTrue\b|\bFalse\b|PosixPath|datetime\.|Interval\(|<(Estimate|Reliability|Ranking)"
)
HEAD = "item,rater,value"


def _awkward():
    """Tables by name: header and rows."""
    rng = np.random.default_rng(0)
    whole = [
        (f"{s}{i}", r, c, s, f"d{i // 3}", sc)
        for i in range(6)
        for r in "AB"
        for c in "xy"
        for s in ("S1", "S2")
        for sc in ("RS", "SC")
    ]
    head = f"{HEAD},criterion,system,document,scenario"
    return {
        "all alike": (HEAD, [(i, r, 5) for i in range(12) for r in "AB"]),
        "one item": (HEAD, [(1, "A", 3), (1, "B", 4)]),
        "one rater": (HEAD, [(i, "A", i % 4) for i in range(12)]),
        "nothing shared": (HEAD, [(i, "AB"[i % 2], i % 4) for i in range(12)]),
        "labels": (HEAD, [(i, r, ("yes", "no", "n/a?")[rng.integers(3)]) for i in range(15) for r in "ABC"]),
        "sets of labels": (HEAD, [(i, r, ("a|b", "a", "b|c", "c")[rng.integers(4)]) for i in range(15) for r in "AB"]),
        "fine numbers": (HEAD, [(i, r, round(rng.normal(), 3)) for i in range(15) for r in "ABC"]),
        "gaps": (HEAD, [(i, r, ("1", "2", "", "3")[rng.integers(4)]) for i in range(20) for r in "ABCD"]),
        "a constant rater": (HEAD, [(i, r, 3 if r == "A" else rng.integers(1, 6)) for i in range(30) for r in "ABC"]),
        "scenarios": (head, [(i, r, rng.integers(1, 5), *rest) for i, r, *rest in whole]),
        "two systems, one rater": (f"{HEAD},system", [(1, "A", 1, "S1"), (2, "A", 2, "S2")]),
    }


AWKWARD = _awkward()
VIEWS = (
    "agreement",
    "pairs",
    "raters",
    "items",
    "categories",
    "latent",
    "text-level",
    "stability",
    "what-if",
    "influence",
)
COMMANDS = [
    ("agree",),
    ("agree", "--all", "--parts"),
    ("agree", "--pairs"),
    ("agree", "--quiet"),
    ("diagnose",),
    ("diagnose", "--all"),
    *(("diagnose", "--show", view) for view in VIEWS),
    ("describe",),
    ("rank", "--direction", "high"),
    ("compare", "--condition", "rater", "--bootstrap", "200"),
    ("da", "--direction", "high"),
    ("score", "--ratings"),
]


PAIRS = "item,rater,first,second,preferred"
ERRORS = "system,document,segment,rater,category,severity"
JUDGED = "item,rater,value,kind,system"
PAPERS = "table,level,items,raters,cohen_kappa,krippendorff_alpha,agreement"
OWN = {
    "every comparison a tie": ("prefer", PAIRS, [(i, "A", "S1", "S2", "tie") for i in range(4)]),
    "one comparison": ("prefer", PAIRS, [(1, "A", "S1", "S2", "S1")]),
    "always the same winner": ("prefer", PAIRS, [(i, r, "S1", "S2", "S1") for i in range(8) for r in "AB"]),
    "a circle": ("prefer", PAIRS, [(i, "A", a, b, a) for i in range(4) for a, b in ("xy", "yz", "zx")]),
    "never compared": ("prefer", PAIRS, [(1, "A", "S1", "S2", "S1"), (2, "A", "S3", "S4", "S3")]),
    "neither of the two": ("prefer", PAIRS, [(1, "A", "S1", "S2", "S9")]),
    "one error": ("mqm", ERRORS, [("S1", "d", 1, "A", "Accuracy", "Major")]),
    "no error at all": ("mqm", ERRORS, [(s, "d", 1, "A", "No-error", "No-error") for s in ("S1", "S2")]),
    "an unknown severity": ("mqm", ERRORS, [("S1", "d", 1, "A", "Accuracy", "Grave")]),
    "no category": (
        "mqm",
        ERRORS,
        [(s, f"d{i}", i, r, "", "Minor") for s in ("S1", "S2") for i in range(4) for r in "AB"],
    ),
    "a judge and one label": ("judge", JUDGED, [(1, "m", 3, "model", "S1"), (1, "A", 4, "human", "S1")]),
    "a judge alone": ("judge", JUDGED, [(i, "m", i % 4, "model", "S1") for i in range(12)]),
    "a judge that never varies": (
        "judge",
        JUDGED,
        [
            (i, r, 3 if r == "m" else (i * 7 + ord(r)) % 4, "model" if r == "m" else "human", "S1")
            for i in range(12)
            for r in ("m", "A", "B", "C")
        ],
    ),
    "values out of reach": ("audit", PAPERS, [("p1", "nominal", 0, 2, 1.7, "", 3), ("p2", "", 10, 1, "", 0.5, "")]),
    "one line of a paper": ("audit", PAPERS, [("p1", "nominal", 100, 2, 0.41, 0.4, 0.7)]),
}
"""Tables of the commands that take others than ratings: the command, header and rows."""


@pytest.mark.parametrize("name", OWN)
def test_no_command_with_a_table_of_its_own_prints_a_value_of_python(name, printed, tmp_path):
    command, head, rows = OWN[name]
    (tmp_path / "r.csv").write_text(f"{head}\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    more = ("--judge", "m", "--direction", "high") if command == "judge" else ()
    code, out, err = printed(command, "r.csv", *more)
    assert code in (0, 2), err
    assert [line for line in (out + err).splitlines() if PYTHON.search(line)] == []
    assert out or err


@pytest.fixture
def printed(tmp_path, monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["accord", *arguments])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def _arguments(command, file, *more):
    name, *rest = command
    return (name, *rest, file, *more) if name == "score" else (name, file, *rest, *more)


@pytest.mark.parametrize("name", AWKWARD)
def test_no_command_prints_a_value_of_python(name, printed, tmp_path):
    head, rows = AWKWARD[name]
    (tmp_path / "r.csv").write_text(f"{head}\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    separated = ("--separator", "|") if "sets" in name else ()
    for command in COMMANDS:
        more = separated if command[0] in ("agree", "diagnose") else ()
        code, out, err = printed(*_arguments(command, "r.csv", *more))
        assert code in (0, 2), (command, err)
        shown = [line for line in (out + err).splitlines() if PYTHON.search(line)]
        assert shown == [], command
        assert out or err, command


@pytest.mark.parametrize("name", AWKWARD)
def test_json_has_no_number_that_json_does_not_know(name, printed, tmp_path):
    head, rows = AWKWARD[name]
    (tmp_path / "r.csv").write_text(f"{head}\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")

    def unknown(word):
        raise AssertionError(word)

    for command in (("agree",), ("diagnose",), ("rank", "--direction", "high"), ("da", "--direction", "high")):
        code, out, err = printed(*_arguments(command, "r.csv", "--json"))
        assert code in (0, 2), (command, err)
        if code == 0:
            json.loads(out, parse_constant=unknown)


def test_the_report_in_words_has_no_value_of_python(printed, tmp_path):
    head, rows = AWKWARD["scenarios"]
    (tmp_path / "r.csv").write_text(f"{head}\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    code, _, err = printed("report", "r.csv", "-o", "r.md", "--direction", "high")
    assert code == 0, err
    told = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert [line for line in told.splitlines() if PYTHON.search(line)] == []
