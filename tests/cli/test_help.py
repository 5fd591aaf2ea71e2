"""Help that a person reads: examples first, one screen, every option somewhere, types as people write them."""

import re
from contextlib import suppress

import pytest
import typer
from make_help import help_of

from accord.cli.helping import COMMON, EXAMPLES, HEADINGS, command_help
from accord.cli.main import COMMANDS, GROUPS, HELP, _application, main


def _command(name):
    group = typer.main.get_command(_application(name))
    command = group.commands[name]
    return command, command.make_context(name, ["--help"], resilient_parsing=True)


def _told(name, **options):
    return command_help(*_command(name), **options)


def test_the_help_of_agree_is_one_screen_with_examples_before_options():
    told = _told("agree")
    assert len(told.splitlines()) <= 30
    assert told.index("accord agree ratings.csv") < told.index("Common options") < told.index("How the file is read")


def test_the_help_that_is_written_down_is_that_of_the_commands():
    written = {path.stem: path.read_text(encoding="utf-8") for path in HELP.glob("*.txt")}
    made = {command.name: help_of(command.name) for command in COMMANDS}
    assert written == made, "run: .venv/bin/python tools/make_help.py"


def test_written_help_is_shown_as_the_command_itself_would_show_it(capsys, monkeypatch):
    shown = []
    for folder in (HELP, HELP / "none"):
        monkeypatch.setattr("accord.cli.main.HELP", folder)
        monkeypatch.setattr("sys.argv", ["accord", "agree", "--help"])
        with suppress(SystemExit):
            main()
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_option_is_named_on_the_screen_and_explained_by_help_all(name):
    screen, everything = _told(name), _told(name, everything=True)
    command, context = _command(name)
    for option in command.get_params(context):
        if option.param_type_name == "option" and option.name != "help":
            flag = max(option.opts, key=len)
            assert flag in screen and flag in everything
            assert " ".join((option.help or "").split()[:4]) in " ".join(everything.split())


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_types_are_as_people_write_them(name):
    assert not re.search(r"<(str|int|float|list|\w+\|)|list\[|None|\bstr\b|\bfloat\b", _told(name, everything=True))


def test_commands_are_grouped_by_what_one_wants(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["accord", "--help"])
    with pytest.raises(SystemExit):
        main()
    told = capsys.readouterr().out
    places = [told.index(f"\n{wanted}\n") for wanted in GROUPS]
    assert told.index("accord agree ratings.csv") < places[0]
    assert places == sorted(places)
    assert all(f"\n  {command.name} " in told for command in COMMANDS)


def test_examples_and_common_options_are_of_commands_and_options_that_exist():
    names = {command.name for command in COMMANDS}
    assert set(EXAMPLES) <= names
    for name, keys in COMMON.items():
        known = {option.name for option in _command(name)[0].params}
        assert set(keys) <= known
    for name, examples in EXAMPLES.items():
        flags = {flag for option in _command(name)[0].params for flag in option.opts}
        for words, _ in examples:
            assert words.split()[:2] == ["accord", name]
            assert {word for word in words.split() if re.match("-{1,2}[a-z]", word)} <= flags
    assert len({key for keys in HEADINGS.values() for key in keys}) == sum(map(len, HEADINGS.values()))


def test_help_all_is_an_option_of_every_command(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["accord", "agree", "--help-all"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert "How the file is read\n  --item COLUMN" in capsys.readouterr().out


def test_formulas_are_printed_without_latex():
    from accord.cli.plain_formula import plain_formula
    from accord.coefficients.registry import COEFFICIENTS

    assert plain_formula(COEFFICIENTS["krippendorff_alpha"].formula) == (
        "α = 1 - D_o/D_e, D_o = (1/n) Σ_ck o_ck δ²_ck, D_e = (1/(n(n-1))) Σ_ck n_c n_k δ²_ck"
    )
    assert plain_formula(COEFFICIENTS["kendall_tau_b"].formula) == "τ_b = (C - D)/(√((n₀-n₁)(n₀-n₂)))"
    assert plain_formula(COEFFICIENTS["lin_ccc"].formula).endswith("(mean(x₁) - mean(x₂))²)")
    for spec in COEFFICIENTS.values():
        plain = plain_formula(spec.formula)
        assert not re.search(r"[\\{}^]", plain), plain
        assert plain.count("(") == plain.count(")"), plain


def test_the_help_of_plot_names_every_chart():
    from accord.cli.plot import _CHARTS
    from accord.reporting.figures import FIGURES

    assert tuple(FIGURES) == _CHARTS
