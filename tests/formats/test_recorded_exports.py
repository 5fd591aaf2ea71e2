"""The exports of our own making are read as they were when somebody held the record beside the file.

``tests/recorded/exports.txt`` has a section for each file: how it was recognised, every rating with its columns, every
span, repair and note. Where reading is to change, the test writes what it found beside its name into the folder it
names; read the difference, and put it into the record.
"""

from pathlib import Path

import pytest

from accord.formats import read
from accord.words import spelled
from formats.mutations import EXPORTS

RECORD = Path(__file__).parents[1] / "recorded" / "exports.txt"
NAMES = sorted(path.name for path in EXPORTS.iterdir())


def recorded() -> dict[str, str]:
    parts = RECORD.read_text(encoding="utf-8").split("== ")[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def told(name: str) -> str:
    """All that was read from a file, a line each."""
    found = read(EXPORTS / name)
    ratings = found.ratings
    lines = [f"{found.format}: {found.reason}"]
    labels = {"item": ratings.item, "rater": ratings.rater, **ratings.columns}
    columns = {key: factor.labels() for key, factor in labels.items()}
    for row, code in enumerate(ratings.value.tolist()):
        cells = [f"{key}={cell[row]}" for key, cell in columns.items() if cell[row] not in (None, "")]
        cells += [f"{key}={number[row]:g}" for key, number in ratings.numbers.items() if number[row] == number[row]]
        lines.append(f"{spelled(ratings.scale.values[code])} | {' | '.join(cells)}")
    lines += [f"span {span}" for span in found.spans]
    lines += [f"repair {entry}" for entry in found.log.entries]
    lines += [f"note {note}" for note in found.notes]
    return "\n".join(line.replace("\n", "⏎").replace(str(EXPORTS), "exports") for line in lines) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_an_export_is_read_as_it_was_recorded(name, tmp_path):
    found = told(name)
    (tmp_path / f"{name}.txt").write_text(f"== {name}\n{found}", encoding="utf-8")
    assert found == recorded()[name], f"see {tmp_path}"


def test_every_record_is_that_of_a_file():
    assert sorted(recorded()) == NAMES
