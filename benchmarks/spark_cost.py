"""What Spark costs beside DuckDB on one machine: processor seconds for the same counts, the Java machine included.

``python benchmarks/spark_cost.py MILLIONS ...`` makes Parquet files as tools/big_data_study.py does and prints a line
for each size: seconds that a session takes to start, and those of counting.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds() -> float:
    """Of this process and of all that it started, alive or not."""
    mine = os.times()
    total, family = sum(mine[:4]), {os.getpid()}
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, fields = int(path.parent.name), path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        stats[name] = int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS
    for name, (parent, seconds) in sorted(stats.items()):
        if parent in family:
            family.add(name)
            total += seconds
    return total


def count(engine: str, path: str) -> dict[str, float]:
    """Names, marginals, value counts, moments and fingerprint, as every result needs them; after one small count."""
    from big_data_study import make

    import accord

    with tempfile.TemporaryDirectory() as folder:
        small = str(Path(folder) / "small.parquet")
        make(small, 0.001)
        accord.read(small, engine=engine).facts()
        begun = processor_seconds()
        stored = accord.read(path, engine=engine)
        stored.marginals()
        stored.moments()
        ratings = stored.facts().ratings
        assert stored.fingerprint
        return {"start": begun, "seconds": processor_seconds() - begun, "ratings": ratings}


def main() -> None:
    from big_data_study import make

    for millions in map(float, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "ratings.parquet")
            make(path, millions)
            found = {}
            for engine in ("duckdb", "spark"):
                command = [sys.executable, __file__, "--count", engine, path]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                found[engine] = json.loads(done.stdout.splitlines()[-1])
        duck, spark = found["duckdb"], found["spark"]
        assert duck["ratings"] == spark["ratings"]
        ratio = spark["seconds"] / duck["seconds"]
        print(
            f"{millions:g} million: DuckDB {duck['seconds']:.1f} s, Spark {spark['seconds']:.1f} s, {ratio:.0f} times, "
            f"session {spark['start']:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--count"]:
        print(json.dumps(count(*sys.argv[2:4])))
    else:
        main()
