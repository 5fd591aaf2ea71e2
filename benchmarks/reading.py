"""How long ``accord.read`` takes for a million rows of CSV or Parquet, and ``accord agree`` for ten million of Parquet.

``python reading.py csv``, ``parquet`` or ``agree10m`` prints processor seconds as JSON; the program is loaded before.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from shapes import csv_of  # noqa: E402

DATA = HERE.parent / ".bench" / "data"
TURNS = 3


def parquet_of(rows: int) -> Path:
    """The 0-100 scores of three raters as Parquet, made once."""
    import duckdb

    path = DATA / f"3x100-{rows}.parquet"
    if not path.exists():
        source = csv_of("3x100", rows, DATA)
        duckdb.execute(f"COPY (SELECT * FROM '{source}') TO '{path}' (FORMAT parquet)")
    return path


def read_seconds(path: Path) -> float:
    import accord
    from accord.ratings.table import Ratings

    times = []
    for _ in range(TURNS):
        begun = time.process_time()
        ratings = accord.read(path)
        times.append(time.process_time() - begun)
        assert isinstance(ratings, Ratings) or ratings.facts().ratings
    return min(times)


def agree_seconds(path: Path) -> float:
    child = subprocess.Popen([sys.executable, "-m", "accord", "agree", str(path)], stdout=subprocess.DEVNULL)
    usage = os.wait4(child.pid, 0)[2]
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    what = sys.argv[1]
    if what == "agree10m":
        seconds = agree_seconds(parquet_of(10_000_000))
    else:
        seconds = read_seconds(csv_of("3x100", 1_000_000, DATA) if what == "csv" else parquet_of(1_000_000))
    print(json.dumps({"seconds": seconds}))
