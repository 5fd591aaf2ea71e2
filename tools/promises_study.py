"""Simulate every promise of Accord and write docs/explanation/promises.md: nominal beside measured.

Usage: python tools/promises_study.py [PART...] [--studies N] [--first N] [--workers N] [--quick] [--missing]
       [--truths] [--write-only]

Without parts all are run. The counts go to tools/promises/recorded/PART.json and the page is written from these files,
so that a part can be run alone. ``--quick`` records the fast version only, which the tests compare with; ``--missing``
runs only what is new since the last record; ``--truths`` draws the true values of the designs anew before.
``--first`` numbers the first study: where a method or a design was chosen after a look at some studies, others are
drawn, and the record says from which number on.
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

from promises.promise import Part, Promise, bound_error, parts
from promises.truths import save as save_truths

FOLDER = Path(__file__).parent / "promises" / "recorded"
PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "promises.md"
START, END = "<!-- results -->", "<!-- end of results -->"
_CHUNK = 25


def main() -> None:
    """Run what is asked for, record it, write the page."""
    asked = _arguments()
    found = [part for part in parts() if not asked.parts or part.name in asked.parts]
    if unknown := set(asked.parts) - {part.name for part in found}:
        sys.exit(f"There is no part {', '.join(sorted(unknown))}. Known: {', '.join(part.name for part in parts())}.")
    if asked.truths:
        save_truths(anew=True)
    for part in () if asked.write_only else found:
        record = recorded(part.name)
        for promise in part.promises:
            entry = record.setdefault(promise.key, {})
            known = entry.get("quick", (0, 0))[1] == promise.quick
            if asked.missing and known and "whole" in entry:
                continue
            start = perf_counter()
            entry["quick"] = [promise.kept(promise.quick), promise.quick]
            spent = perf_counter() - start
            if not asked.quick and not (asked.missing and "whole" in entry):
                entry["whole"] = [_kept(part, promise, asked), asked.studies]
                entry.pop("first", None)
                if asked.first:
                    entry["first"] = asked.first
            print(f"{part.name}: {promise.key}: {entry} (quick {spent:.1f} s)", flush=True)
            _save(part, record)
            save_truths()
    write_page()


def recorded(name: str) -> dict[str, dict[str, Any]]:
    """The counts of a part: by promise, [kept, studies] of the quick and of the whole version."""
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _save(part: Part, record: dict[str, dict[str, Any]]) -> None:
    FOLDER.mkdir(exist_ok=True)
    known = {promise.key: record[promise.key] for promise in part.promises if promise.key in record}
    lines = [f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(entry)}" for key, entry in known.items()]
    (FOLDER / f"{part.name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _kept(part: Part, promise: Promise, asked: argparse.Namespace) -> int:
    place, end = part.promises.index(promise), asked.first + asked.studies
    chunks = [(part.name, place, start, min(_CHUNK, end - start)) for start in range(asked.first, end, _CHUNK)]
    if asked.workers < 2:
        return sum(_chunk(chunk) for chunk in chunks)
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("fork")) as pool:
        return sum(pool.map(_chunk, chunks))


def _chunk(task: tuple[str, int, int, int]) -> int:
    name, place, start, studies = task
    part = next(part for part in parts() if part.name == name)
    return part.promises[place].kept(studies, start)


def write_page() -> None:
    """Put the tables of all recorded counts into the page."""
    text = "\n\n".join(_table(part) for part in parts())
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.split(START)[0], page.split(END)[1]
    PAGE.write_text(f"{before}{START}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def _table(part: Part) -> str:
    record = recorded(part.name)
    lines = [f"## {part.heading}", "", "| promise | where | design | nominal | must | measured | holds |"]
    lines.append("|---|---|---|---:|---:|---:|---|")
    for promise in part.promises:
        kept, studies = record.get(promise.key, {}).get("whole", (0, 0))
        nominal = "-" if promise.nominal is None else f"{promise.nominal:.3g}"
        must = f"≥ {promise.must:.3g}" if promise.most == 1 else f"{promise.must:.3g} to {promise.most:.3g}"
        measured, holds = "not yet run", ""
        if studies:
            share = kept / studies
            measured = f"{share:.3f} ± {bound_error(share, studies):.3f}"
            holds = "yes" if promise.is_kept(kept, studies) else f"**no**: {promise.fails}"
        lines.append(
            f"| {promise.name} | {promise.where} | {promise.design} | {nominal} | {must} | {measured} | {holds} |"
        )
    return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--studies", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first study")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="record the fast version only")
    parser.add_argument("--missing", action="store_true", help="run only what is new since the last record")
    parser.add_argument("--truths", action="store_true", help="draw the true values of the designs anew")
    parser.add_argument("--write-only", action="store_true", help="only write the page from the recorded counts")
    return parser.parse_args()


if __name__ == "__main__":
    main()
