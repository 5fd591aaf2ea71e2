"""Record every value and interval of the program as it is: the guard of a redesign that must change none.

Run it before the redesign, never after: ``python tools/record_values.py``. Real sets are read from ACCORD_DATA; only
figures are written. ``--intervals`` records anew only intervals that are made in another way than before, and their
standard errors: values, parts and all other intervals stay as they were. ``--draws`` records anew only intervals that
are made as before, of other draws, and says by how much of their width an end moved at most.
"""

import gzip
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from recorded_cases import (
    RECORDED,
    TABLES,
    large_names,
    large_table,
    load,
    random_table,
    real_names,
    real_table,
    recorded,
)

SAME_ENDS = 1e-9


def write(name: str, found: dict[str, object]) -> None:
    text = json.dumps(found, separators=(",", ":"))
    with (RECORDED / f"{name}.json.gz").open("wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(text.encode())


def with_new_intervals(known: dict, found: dict) -> int:
    """Take over the intervals that another method or another number of replicates made; how many there were."""
    changed = 0
    for question, answers in known.items():
        for key, answer in answers.items():
            now = found[question][key]
            if key.startswith("pairs of ") or (now[3] and now[3][2:]) == (answer[3] and answer[3][2:]):
                continue
            answer[2:4] = now[2:4]
            changed += 1
    return changed


def with_new_draws(known: dict, found: dict) -> list[float]:
    """Take over the ends that other draws gave; how far each moved, as a share of the width."""
    moved = []
    for question, answers in known.items():
        for key, answer in answers.items():
            now = found[question][key]
            if (
                key.startswith("pairs of ")
                or not (answer[3] and now[3] and answer[3][3])
                or now[3][2:] != answer[3][2:]
            ):
                continue
            low, high = answer[3][:2]
            far = max(abs(now[3][0] - low), abs(now[3][1] - high))
            if far > SAME_ENDS * max(1.0, abs(low), abs(high)):
                moved.append(far / (high - low) if high > low else 1.0)
                answer[2:4] = now[2:4]
    return moved


def main() -> None:
    RECORDED.mkdir(exist_ok=True)
    folder = Path(os.environ["ACCORD_DATA"])
    made = {
        "random": {str(place): recorded(random_table(place), place) for place in range(TABLES)},
        "large": {name: recorded(large_table(name), real=True) for name in large_names()},
        "real": {name: recorded(real_table(name, folder), real=True) for name in real_names()},
    }
    for name, found in made.items():
        if "--intervals" in sys.argv:
            known = load(name)
            print(name, sum(with_new_intervals(known[case], found[case]) for case in known), "intervals recorded anew")
            found = known
        if "--draws" in sys.argv:
            known = load(name)
            moved = [share for case in known for share in with_new_draws(known[case], found[case])]
            print(
                name, len(moved), f"intervals recorded anew, moved by at most {max(moved, default=0):.3f} of the width"
            )
            found = known
        write(name, found)


if __name__ == "__main__":
    main()
