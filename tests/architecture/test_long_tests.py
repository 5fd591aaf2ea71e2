"""What ``./test`` leaves to ``./test --whole`` is there, and what lands has passed it."""

from pathlib import Path

from long_tests import LONG

TESTS = Path(__file__).parents[1]


def test_every_test_that_is_left_to_the_whole_run_exists():
    for name in LONG:
        file, _, test = name.partition("::")
        text = (TESTS / file).read_text(encoding="utf-8")
        assert f"def {test.partition('[')[0]}" in text, name


def test_what_lands_has_passed_the_whole_run():
    assert "./test --whole" in (TESTS.parent / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
