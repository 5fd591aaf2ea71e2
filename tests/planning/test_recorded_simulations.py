"""A seed simulates the study that it simulated before: who answered what, how often, and how long it took.

``tests/recorded/simulated`` has a file for each preset. Where simulated raters are to answer otherwise, run
``python tests/planning/test_recorded_simulations.py``, read the difference, and keep it if every line of it is meant.
"""

import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from accord.design.assignment import plan_assignment
from accord.design.load import load_study
from accord.design.preset import PRESETS, copy_preset
from accord.planning.simulate import simulate_study
from accord.planning.simulated_raters import RaterTraits
from recorded_answers import differences

RECORDS = Path(__file__).parents[1] / "recorded" / "simulated"
TRAITS = RaterTraits(severity=0.4, noise=0.5, drift=0.3, inattention=0.05, copying=0.1)
COLUMNS = ("criterion", "scenario", "system", "group", "phase", "role", "occasion")


def told(preset: str, folder: Path) -> str:
    """Answers by what they belong to: how many, their mean or how often each was given, and the seconds they took."""
    copy_preset(preset, folder)
    study = load_study(folder)
    made = simulate_study(study, plan_assignment(study), TRAITS, np.random.default_rng(5))
    parts = defaultdict(list)
    for row in made.ratings:
        parts[" ".join(str(row[column]) or "-" for column in COLUMNS)].append(row)
    lines = [f"{part}: {len(rows)} {_summed(row['value'] for row in rows)} seconds {_mean(rows, 'time_s')}"
             for part, rows in sorted(parts.items())]  # fmt: skip
    first = [
        f"first: {[str(row[column]) for column in ('item', 'rater', 'value', 'order')]}" for row in made.ratings[:9]
    ]
    errors = Counter((row["side"], row["category"], row["severity"]) for row in made.errors)
    lines += [*first, *(f"errors: {' '.join(map(str, key))}: {count}" for key, count in sorted(errors.items()))]
    lines += [f"marked: {row['start']} {row['end']} {row['text']!r}" for row in made.errors[:9]]
    asked = Counter((row["scenario"], row["question"], str(row["value"])) for row in made.questionnaire)
    return "\n".join([*lines, *(f"asked: {' '.join(key)}: {count}" for key, count in sorted(asked.items()))])


def _summed(values) -> str:
    given = list(values)
    if all(isinstance(value, int | float) for value in given):
        return f"mean {np.mean(given):.6g} from {min(given):g} to {max(given):g}"
    return " ".join(f"{value}={count}" for value, count in sorted(Counter(map(str, given)).items()))


def _mean(rows, column) -> str:
    return f"{np.mean([row[column] for row in rows]):.6g}"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_seed_simulates_the_study_that_was_recorded(preset, tmp_path):
    known = (RECORDS / f"{preset}.txt").read_text(encoding="utf-8").rstrip("\n")
    changed = differences(told(preset, tmp_path / preset), known)
    assert not changed, "\n".join(changed[:20])


if __name__ == "__main__":
    RECORDS.mkdir(exist_ok=True)
    for preset in PRESETS:
        with tempfile.TemporaryDirectory() as place:
            (RECORDS / f"{preset}.txt").write_text(told(preset, Path(place) / preset) + "\n", encoding="utf-8")
