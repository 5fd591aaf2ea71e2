"""Count the files and functions of ours that ratings pass on their way from a data frame to alpha with its interval.

``python tools/profile_path.py`` prints the counts; with ``--names`` also what was passed.
"""

import sys
from pathlib import Path
from types import FrameType

import numpy as np
import pandas as pd

import accord

HOME = str(Path(accord.__file__).parent)


def passed() -> set[tuple[str, str]]:
    """(file, function) of all of our functions that are called; a lambda or a comprehension is part of its function."""
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, (60, 1))
    frame = pd.DataFrame(np.clip(truth + rng.integers(-1, 2, (60, 3)), 1, 5), columns=["ann", "ben", "cho"])
    seen: set[tuple[str, str]] = set()

    def watch(at: FrameType, event: str, _: object) -> None:
        code = at.f_code
        if event == "call" and code.co_filename.startswith(HOME) and not code.co_name.startswith("<"):
            seen.add((code.co_filename.removeprefix(HOME + "/"), code.co_qualname))

    def work() -> None:
        str(accord.agreement(frame, coefficients="krippendorff_alpha")["krippendorff_alpha"])

    work()  # what is imported and cached on the first call is not part of the way
    sys.setprofile(watch)
    work()
    sys.setprofile(None)
    return seen


if __name__ == "__main__":
    found = passed()
    if "--names" in sys.argv:
        for file, function in sorted(found):
            print(file, function)
    print(f"{len({file for file, _ in found})} files, {len(found)} functions")
