"""Tables in a terminal: whole words at 80 columns, names told in full however long."""

import re
import sys

import pytest

from accord.cli.coefficients import coefficients
from accord.cli.output import Form, emit
from accord.coefficients.registry import COEFFICIENTS
from accord.tables.table import Column, Table


@pytest.fixture
def terminal(monkeypatch, capsys):
    """What a terminal of so many columns shows."""

    def show(columns, print_it):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        print_it()
        return re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)

    return show


@pytest.mark.parametrize("columns", [80, 120])
def test_the_list_of_coefficients_fits_a_terminal_without_cutting_a_word(terminal, columns):
    shown = terminal(columns, coefficients)
    assert max(map(len, shown.splitlines())) <= columns
    assert "…" not in shown
    for spec in COEFFICIENTS.values():
        assert any(line.startswith(f"{spec.key} ") for line in shown.splitlines())
        assert all(word in shown for word in spec.title.split())
    listed = shown.splitlines()[shown.splitlines().index("Coefficients") :]
    assert len(listed) <= len(COEFFICIENTS) + 9, "a line each, none broken in two"


LONG = "annotator.firstname.lastname@university-of-somewhere.example.org"


def pairs_of(name):
    columns = [Column("rater", "rater"), Column("other", "other"), Column("value", "value"), Column("items", "items")]
    return Table("Pairs", columns, [{"rater": name, "other": "second " + name, "value": -0.25, "items": 1200}])


def test_names_too_long_for_a_table_are_told_row_by_row_and_in_full(terminal):
    shown = terminal(80, lambda: emit([pairs_of(LONG)], {}, Form.TEXT))
    assert shown.splitlines() == ["Pairs", LONG, f"  other: second {LONG}", "  value -0.250, items 1,200"]


def test_short_names_stay_in_a_table(terminal):
    shown = terminal(40, lambda: emit([pairs_of("Ana"), pairs_of("Ben")], {}, Form.TEXT))
    assert [line.split() for line in shown.splitlines()][3] == ["Ana", "second", "Ana", "-0.250", "1,200"]
    assert "" in shown.splitlines()


def test_headings_break_before_a_table_of_numbers_is_taken_apart(terminal):
    names = [f"quantity{place}" for place in range(8)]
    table = Table("Sums", [Column(name, name) for name in names], [dict.fromkeys(names, 1.5)])
    shown = terminal(60, lambda: emit([table], {}, Form.TEXT)).splitlines()
    assert shown[-1].split() == ["1.500"] * 8
    assert max(map(len, shown)) <= 60
    assert "".join("".join(line.split()) for line in shown[1:3]).count("quant") == 8


def test_a_row_told_by_itself_names_the_number_it_begins_with(terminal):
    columns = [Column("level", "confidence"), Column("verdict", "verdict")]
    table = Table("Scores", columns, [{"level": 0.8, "verdict": LONG}])
    assert terminal(40, lambda: emit([table], {}, Form.TEXT)).splitlines()[1] == "confidence 0.800"
