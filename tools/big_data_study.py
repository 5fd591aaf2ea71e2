"""Time and memory of counting ratings out of core, against the same GROUP BY written by hand.

Run it as ``python tools/big_data_study.py [MILLIONS ...]``; it writes docs/benchmarks-big-data.md and its picture.
``--ratio MILLIONS`` writes nothing and prints how many times the processor time of the GROUP BY a result takes.
The ratings (Parquet, 5 values, 4 raters an item of a pool of 1,000, a tenth missing) are made in a temporary folder
and removed.
Each measurement is a process of its own; both ways take turns, and the better of two runs counts.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MEMORY = "1.5GB"
DOCS = Path(__file__).parents[1] / "docs"
PAGE, PICTURE = DOCS / "benchmarks-big-data.md", DOCS / "_static" / "big-data.svg"
RUNS = 2


def make(path: str, millions: float) -> None:
    """Ratings that scatter around a value of the item."""
    import duckdb

    rows = int(millions * 1_000_000)
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(
            f"""COPY (
                SELECT i // 4 AS item,
                       ((i // 4) * 7919 + (i % 4) * (1 + (i // 4) % 83)) % 1000 AS rater,
                       CASE WHEN hash(i * 31 + 7) % 10 = 0 THEN NULL
                            ELSE 1 + least(4, greatest(0, (hash(i // 4) % 5)::INT + (hash(i) % 3)::INT - 1))
                       END AS value
                FROM range({rows}) AS t(i)) TO '{path}' (FORMAT parquet)"""
        )


def by_hand(path: str) -> int:
    """The GROUP BY a person would write, under the same memory limit."""
    import duckdb

    counts = ", ".join(f"count(*) FILTER (WHERE value = {value}) AS c{value}" for value in range(1, 6))
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        connection.execute(f"SET memory_limit = '{MEMORY}'; SET temp_directory = '{folder}'")
        connection.execute("SET enable_progress_bar = false; SET preserve_insertion_order = false")
        rows = connection.execute(
            f"SELECT c1, c2, c3, c4, c5, count(*) FROM (SELECT item, {counts} FROM '{path}' "
            "WHERE value IS NOT NULL GROUP BY item) GROUP BY ALL"
        ).fetchall()
    return sum(row[-1] for row in rows)


def counted(path: str) -> int:
    """All counts that a pool of 1,000 raters allows: sizes, marginals, value counts, moments, fingerprint."""
    from accord.ratings.open_stored import open_stored

    stored = open_stored(path, memory=MEMORY)
    stored.marginals()
    stored.moments()
    assert stored.fingerprint
    return stored.facts().items


def estimated(path: str) -> int:
    """Every coefficient that fits, with intervals."""
    import accord

    return accord.agreement(accord.read(path, engine="duckdb", memory=MEMORY)).items


WAYS = {"by_hand": by_hand, "counted": counted, "estimated": estimated}


def measured(way: str, path: str) -> dict[str, float]:
    """Wall and processor seconds, and the peak of memory, of one way in a process of its own."""
    done = subprocess.run([sys.executable, __file__, "--way", way, path], check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def run_way(way: str, path: str) -> None:
    # Loaded before the clock starts, for every way.
    import duckdb  # noqa: F401

    import accord.formats.sources
    import accord.ratings.open_stored
    import accord.reliability.run  # noqa: F401

    start, processor = time.perf_counter(), time.process_time()
    items = WAYS[way](path)
    wall, processor = time.perf_counter() - start, time.process_time() - processor
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(json.dumps({"items": items, "wall": wall, "processor": processor, "memory": memory}))


def study(sizes: list[float]) -> dict[float, dict[str, dict[str, float]]]:
    found = {}
    with tempfile.TemporaryDirectory(prefix="accord-study-") as folder:
        for millions in sizes:
            path = str(Path(folder) / "ratings.parquet")
            make(path, millions)
            runs = [{way: measured(way, path) for way in WAYS} for _ in range(RUNS)]
            best = {way: {key: min(run[way][key] for run in runs) for key in runs[0][way]} for way in WAYS}
            assert len({run[way]["items"] for run in runs for way in WAYS}) == 1
            found[millions] = best
            print(row(millions, best), flush=True)
            Path(path).unlink()
    return found


NAMES = {"by_hand": "GROUP BY by hand", "counted": "counted", "estimated": "estimated, with intervals"}


def draw(found: dict[float, dict[str, dict[str, float]]]) -> None:
    """Processor seconds against millions of ratings, both logarithmic: a straight line of slope one is linear."""
    from accord.plots import grammar as alt
    from accord.plots.chart import drawn

    rows = [
        {"millions": millions, "seconds": best[way]["processor"], "way": name}
        for millions, best in found.items()
        for way, name in NAMES.items()
    ]
    chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_line(point=True, strokeWidth=1.5)
        .encode(
            x=alt.X("millions:Q", title="million ratings", scale=alt.Scale(type="log", nice=False)),
            y=alt.Y("seconds:Q", title="processor seconds", scale=alt.Scale(type="log")),
            color=alt.Color("way:N", sort=list(NAMES.values()), title=None),
        )
        .properties(width=560, height=320)
    )
    headings = {"millions": "million ratings", "seconds": "processor seconds", "way": "way"}
    PICTURE.parent.mkdir(exist_ok=True)
    drawn(chart, slope_words(found), rows, headings, subtitle="1,000 raters, 4 an item, a tenth missing").save(PICTURE)


def slope(found: dict[float, dict[str, dict[str, float]]], way: str) -> float:
    """By which power of the number of ratings processor time grows, from 5 million on."""
    import numpy as np

    sizes = [millions for millions in found if millions >= 5] or list(found)
    seconds = [found[millions][way]["processor"] for millions in sizes]
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0]) if len(sizes) > 1 else float("nan")


def slope_words(found: dict[float, dict[str, dict[str, float]]]) -> str:
    return f"Processor time grows as the number of ratings to the power {slope(found, 'estimated'):.2f}"


def row(millions: float, best: dict[str, dict[str, float]]) -> str:
    hand, ours, whole = best["by_hand"], best["counted"], best["estimated"]
    cells = [
        f"{millions:g}", f"{hand['items']:,.0f}", f"{hand['wall']:.1f}", f"{ours['wall']:.1f}",
        f"{ours['wall'] / hand['wall']:.2f}", f"{ours['processor'] / hand['processor']:.2f}",
        f"{hand['memory']:.2f}", f"{ours['memory']:.2f}", f"{whole['wall']:.1f}",
        f"{whole['wall'] / hand['wall']:.2f}", f"{whole['processor'] / hand['processor']:.2f}",
        f"{whole['memory']:.2f}",
    ]  # fmt: skip
    return f"| {' | '.join(cells)} |"


def page(found: dict[float, dict[str, dict[str, float]]]) -> str:
    lines = [row(millions, best) for millions, best in found.items()]
    return "\n".join([
        "---", "orphan: true", "---", "", "# Benchmarks for big data", "",
        "How long counting takes where the ratings lie, against the same GROUP BY written by hand in DuckDB.",
        "Ratings: Parquet, 5 values, 4 raters an item of a pool of 1,000, a tenth missing. DuckDB may use "
        f"{MEMORY} in both.",
        f"{os.cpu_count()} processors; the better of {RUNS} runs, each in a process of its own. "
        "`python tools/big_data_study.py` makes this page.",
        f"When the study ended, {os.getloadavg()[1]:.0f} processes competed for them: seconds grow with that number, "
        "the ratio of processor time hardly does.", "",
        "*By hand* is one statement, for the value counts of the items. *Counted* is all that a result needs: names,",
        "marginals of the raters, value counts and moments of the items, and the fingerprint. *Estimated* is",
        "`accord.agreement`: every coefficient that fits, with intervals, and the search for the same rater twice.", "",
        "![Processor seconds against millions of ratings, both on logarithmic axes](_static/big-data.svg)", "",
        f"{slope_words(found)} from 5 million on (estimated); counted,",
        f"to the power {slope(found, 'counted'):.2f}; the GROUP BY by hand, to the power {slope(found, 'by_hand'):.2f}."
        " 1 is linear. From 20 million on",
        "*counted* holds the search for the same rater twice as well, which then tells how many items there are.",
        "Below 5 million, starting DuckDB and drawing replicates take most of the time. Single ratios of seconds are",
        "uneven where other work came in between; those of processor time tell more.", "",
        "| million rows | items | by hand, s | counted, s | ratio | ratio of processor time | by hand, GB "
        "| counted, GB | estimated, s | ratio | ratio of processor time | estimated, GB |",
        f"|{'---:|' * 12}", *lines, "",
    ])  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        run_way(*sys.argv[2:])
    elif sys.argv[1:2] == ["--ratio"]:
        ((best,),) = [study([float(size)]).values() for size in sys.argv[2:3]]
        print(json.dumps({"seconds": best["estimated"]["processor"] / best["by_hand"]["processor"]}))
    else:
        results = study([float(size) for size in sys.argv[1:]] or [1, 2, 5, 10, 20, 50])
        draw(results)
        PAGE.write_text(page(results), encoding="utf-8")
