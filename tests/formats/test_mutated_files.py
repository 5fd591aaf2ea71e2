"""Damaged files of every format: no traceback, no hang, no heap of memory; what cannot be read has exit code 2."""

import subprocess
import sys
from pathlib import Path

import pytest

import accord
import accord.cli.agree
from accord.formats import read
from formats.mutations import EXPORTS, LIMIT_BYTES, LIMIT_SECONDS, Outcome, mutated, run_apart

ROOT = Path(__file__).parents[2]


def ended_well(outcome: Outcome) -> bool:
    """Read, or refused in words with exit code 2; in time, and within the memory of a small machine."""
    refused = outcome.code == 2 and outcome.words.strip() and "Traceback" not in outcome.words
    return bool((outcome.code == 0 or refused) and outcome.seconds <= LIMIT_SECONDS and outcome.bytes <= LIMIT_BYTES)


def bad_ends(folder: Path, number: int, seed: int) -> list[str]:
    accord.agreement(accord.read(EXPORTS / "appraise-esa.csv"), interval="none")  # each child begins with these imports
    bad = []
    for path in mutated(folder, number, seed):
        outcome = run_apart(["agree", str(path), "--interval", "none"], folder)
        if not ended_well(outcome):
            size = f"{outcome.seconds:.1f} s, {outcome.bytes / 1e6:.0f} MB"
            bad.append(f"{path.name}: exit code {outcome.code}, {size}: {outcome.words[-300:]}")
    return bad


def test_some_mutated_files_are_read_or_refused_in_words(tmp_path):
    assert bad_ends(tmp_path, 30, seed=1) == []


@pytest.mark.hard
def test_five_hundred_mutated_files_are_read_or_refused_in_words(tmp_path):
    assert bad_ends(tmp_path, 500, seed=2) == []


@pytest.mark.parametrize("path", sorted(EXPORTS.iterdir()), ids=lambda path: path.name)
def test_every_row_of_an_export_has_a_fate(path):
    imported = read(path, format="counts" if path.stem == "counts" else None)
    assert imported.account.rows > 0
    assert imported.account.unknown == 0
    assert imported.ratings.codebook.source == f"the format {imported.format}"


def test_the_page_of_rows_is_what_the_files_give():
    command = [sys.executable, str(ROOT / "tools" / "make_format_table.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
