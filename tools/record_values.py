"""Record every value and interval of the program as it is: the guard of a redesign that must change none.

Run it before the redesign, never after: ``python tools/record_values.py``. Real sets are read from ACCORD_DATA; only
figures are written.
"""

import gzip
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from recorded_cases import RECORDED, TABLES, large_names, large_table, random_table, real_names, real_table, recorded


def write(name: str, found: dict[str, object]) -> None:
    text = json.dumps(found, separators=(",", ":"))
    with (RECORDED / f"{name}.json.gz").open("wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(text.encode())


def main() -> None:
    RECORDED.mkdir(exist_ok=True)
    write("random", {str(place): recorded(random_table(place), place) for place in range(TABLES)})
    write("large", {name: recorded(large_table(name), real=True) for name in large_names()})
    folder = Path(os.environ["ACCORD_DATA"])
    write("real", {name: recorded(real_table(name, folder), real=True) for name in real_names()})


if __name__ == "__main__":
    main()
