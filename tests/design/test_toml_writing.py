"""What is written as TOML is read back as it was."""

import tomllib
from datetime import date
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from accord.design.preset import PRESETS
from accord.design.toml_text import parse_toml
from accord.design.toml_writing import to_toml

KEYS = some.text(min_size=1, max_size=8)
PLAIN = some.one_of(
    some.booleans(), some.integers(-(2**60), 2**60), some.floats(allow_nan=False, allow_infinity=False),
    some.text(some.characters(exclude_categories=["Cs"]), max_size=20), some.dates(date(1900, 1, 1)),
)  # fmt: skip
VALUES = some.recursive(
    PLAIN, lambda inside: some.lists(inside, max_size=3) | some.dictionaries(KEYS, inside, max_size=3), max_leaves=8
)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_written_as_it_was_read(preset):
    raw = tomllib.loads(files("accord.design").joinpath("presets", preset, "study.toml").read_text("utf-8"))
    assert tomllib.loads(to_toml(raw)) == raw


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    some.dictionaries(some.text(some.characters(exclude_categories=["Cs"]), min_size=1, max_size=8), VALUES, max_size=4)
)
def test_whatever_is_written_comes_back(written):
    assert tomllib.loads(to_toml(written)) == written


def test_a_text_of_a_million_letters_is_read_once():
    """From each letter on the rest was looked at again: half an hour, in which a server answered nobody."""
    assert len(parse_toml(f'title = "{"x" * 1_000_000}"')["title"]) == 1_000_000


def test_what_is_none_is_left_out():
    assert to_toml({"a": None, "b": 1}) == "b = 1\n"
