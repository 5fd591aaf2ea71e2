"""Dossiers of judges that were made for it, every number and every sentence, as they were read and recorded.

``tests/recorded/dossiers`` has a file for each. Where one is to change, run
``python tests/judging/test_recorded_dossiers.py``, read the difference, and keep it if every line of it is meant.
"""

from pathlib import Path

import pytest

import accord
from accord.design.scale import Level
from judging.conftest import study
from recorded_answers import _lines, differences

RECORDS = Path(__file__).parents[1] / "recorded" / "dossiers"
GATE = {"winning_rate": 0.5, "alpha": 0.4, "alpha_loss": 0.1, "bias": 0.3, "half_width": 0.2}


def columns(**by):
    """One cell for each row of a small study: what each item is, told by its number."""
    rows, found = [], {name: [] for name in by}
    for system in range(2):
        for document in range(12):
            for segment in range(3):
                rows += [(system, document, segment)] * (2 + 3 * (document < 8 and segment < 2))
    for name, of in by.items():
        found[name] = [of(*row) for row in rows]
    return found


SMALL = {"documents": 12, "each": 3, "labelled": 8}
DOSSIERS = {
    "plain": lambda: accord.judge(study(**SMALL), "judge", next_labels=4, seed=3),
    "gated": lambda: accord.judge(study(**SMALL, shift=0.0, noise=0.2), "judge", gate=GATE, half_width=0.1, seed=3),
    "noisy": lambda: accord.judge(study(**SMALL, shift=-1.0, noise=1.5), "judge", gate=GATE, confidence=0.9, seed=3),
    "runs": lambda: accord.judge(study(**SMALL, runs=3), "judge", gate={"unsteady": 0.3}, next_labels=3, seed=3),
    "labels": lambda: accord.judge(
        study(**SMALL, level=Level.NOMINAL), "judge", positive="4", gate={"true_positive": 0.5}, seed=3
    ),
    "grades": lambda: accord.judge(study(**SMALL, level=Level.ORDINAL), "judge", positive="3", epsilon=0.1, seed=3),
    "few-labels": lambda: accord.judge(study(documents=12, each=3, labelled=2), "judge", half_width=0.1, seed=3),
    "family": lambda: accord.judge(study(**SMALL, systems=3), "judge", family=("s1",), seed=3),
    "languages": lambda: accord.judge(
        study(**SMALL, extra=columns(language_pair=lambda system, document, _: ("en-de", "en-fr")[document % 2])),
        "judge", next_labels=2, seed=3,
    ),
    "shown-first": lambda: accord.judge(
        study(**SMALL, extra=columns(shown=lambda _, *place: ("first", "second")[sum(place) % 2])),
        "judge", seed=3,
    ),
}  # fmt: skip


def told(name: str) -> str:
    answer = DOSSIERS[name]()
    return "\n".join([str(answer), "-- numbers", *_lines(answer.to_dict())])


@pytest.mark.parametrize("name", DOSSIERS)
def test_a_dossier_says_what_was_recorded(name):
    changed = differences(told(name), (RECORDS / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n"))
    assert not changed, "\n".join(changed[:20])


def test_every_record_is_that_of_a_dossier():
    assert {path.stem for path in RECORDS.glob("*.txt")} == set(DOSSIERS)


if __name__ == "__main__":
    RECORDS.mkdir(exist_ok=True)
    for name in DOSSIERS:
        (RECORDS / f"{name}.txt").write_text(told(name) + "\n", encoding="utf-8")
