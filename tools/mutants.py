"""Break the program in one place at a time and see whether a test fails: ./test --mutants [ROOM...] [--number 60].

Half of the mutants are aimed at meaning (directions, thresholds, names, words), half at arithmetic. They are drawn by a
seed and put into a copy of the repository, so that nothing here is touched. A first run of the tests of the room and of
those elsewhere that run all rooms, kept until the room changes, tells which tests run which line, and how long that is.
Then the tests that run the broken line are asked, quick ones first, and last those that start processes, whose lines
nobody sees, until one fails. Survivors want a better test. One run at a time.
"""

import argparse
import ctypes
import gc
import hashlib
import importlib
import importlib.util
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import types
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData
from mutant_places import ROOT, Mutant, drawn, is_run_at_import, lines_that_use

ROOMS = ("coefficients", "inference", "reliability", "scoring", "comparisons", "diagnosis", "reporting", "formats",
         "ratings", "design", "planning", "judging", "functions", "server", "plots", "tables", "cli")  # fmt: skip
MORE_TESTS = {"server": ["tests/server_organiser"]}
ELSEWHERE = ("tests/cli/test_recorded_answers.py", "tests/words", "tests/functions", "tests/papers")
MARKS = "not hard and not browser and not spark and not postgres"
QUICKEST = 60  # tests asked in the order of their speed; the others file by file, so that files share their set-up
RECORDS = ("recorded", "laws", "marks", "exact")  # words in the names of files that are asked before other files
IMPORTED = ("numpy", "scipy.stats", "scipy.optimize", "pandas", "polars", "pyarrow", "duckdb", "openpyxl", "pydantic",
            "jinja2", "hypothesis", "rich.table", "django.contrib.auth.hashers", "django.urls")  # fmt: skip
MEMORY = 12 << 30
NOT_RUN, SURVIVED, KILLED = "not run by any test", "survived", "killed by "


class Room:
    """A copy of the repository in which one room is broken, and what its tests did while it was whole."""

    def __init__(self, name: str, tests: list[str], patience: float) -> None:
        self.name, self.tests, self.patience = name, tests, patience
        place = hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
        self.folder = Path(tempfile.gettempdir()).resolve() / f"accord-mutants-{place}"
        self._copy()
        self.kept, self.killed = self.folder / "kept.json", self.folder / "killed.json"
        self.traced = self.folder / "traced"
        self.watched = self._watch()
        self.seconds = {test: seconds for one in self.watched for test, seconds in one["seconds"].items()}
        self.starting = {test for one in self.watched for test in one["starting"]}
        self.killers: dict[str, str] = json.loads(self.killed.read_text()) if self.killed.exists() else {}
        self.seen = CoverageData(str(self.traced))
        self.seen.read()

    def _copy(self) -> None:
        """Bring the copy up to date: what is as it was keeps what was compiled of it."""
        for name in ("src", "tests", "docs", "tools", "benchmarks"):
            _sync(ROOT / name, self.folder / name)
        for path in (*ROOT.glob("*.md"), *ROOT.glob("*.toml"), ROOT / "CITATION.cff", ROOT / "LICENSE"):
            shutil.copy2(path, self.folder / path.name)

    def _watch(self) -> list[dict[str, Any]]:
        """What each file of tests takes; those that are new, changed or have not met the room are run and traced."""
        kept = json.loads(self.kept.read_text()) if self.kept.exists() and self.traced.exists() else {}
        files = [path for place in self.tests for path in _tests_in(self.folder / place)]
        now = {str(path.relative_to(self.folder)): _digest(path) for path in files}
        rooms = {path.name: _digest(path) for path in sorted((self.folder / "src/accord").iterdir()) if path.is_dir()}

        def is_known(name: str) -> bool:
            one = kept.get(name, {"digest": "", "rooms": {}})
            return bool(one["digest"] == now[name] and one["rooms"].get(self.name) == rooms[self.name])

        if new := sorted(name for name in now if not is_known(name)):
            timer = Timer()
            # The whole program is traced, so that a test that runs many rooms is traced once.
            watched = [f"--cov={self.folder / 'src/accord'}", "--cov-context=test", "--cov-report=", "--cov-append"]
            os.environ["COVERAGE_FILE"] = str(self.traced)
            ended = _in_a_fork(lambda: _pytest(self.folder, [*watched, *new], timer, timer.keep))
            if ended != 0:
                raise SystemExit(f"{self.name}: the tests fail without any mutant, see {self.folder / 'said.txt'}.")
            took = json.loads((self.folder / "took.json").read_text())
            for name in new:
                mine = {part: _of_file(tests, name) for part, tests in took.items()}
                kept[name] = {"digest": now[name], "rooms": rooms, **mine}
            self.kept.write_text(json.dumps(kept))
        return [kept[name] for name in now]

    def asked(self, mutant: Mutant) -> list[str]:
        """The tests to ask of a mutant: those that run its lines, quick ones first; no other can notice, unless it
        uses what was made at import, or starts a process."""
        uses = [(mutant.path, line) for line in mutant.lines]
        if is_run_at_import(mutant) or not any(self._running(*use) for use in uses):
            uses += lines_that_use(mutant, self.folder / "src/accord" / self.name)
        near = {test for use in uses for test in self._running(*use)}
        quick = self._in_turn(near)[:QUICKEST]
        every = quick + sorted(near - set(quick), key=lambda test: (not self._is_own(test), test))
        if is_run_at_import(mutant):
            # What is made at import may be used where no line tells: all are asked, records and those nearby first.
            file = {test for line in self._by_line(mutant.path) for test in self._running(mutant.path, line)}
            every += sorted(file - near) + sorted(self.seconds.keys() - file - near)
            every = self._in_turn(every)
        every = list(dict.fromkeys(every + sorted(self.starting, key=self.seconds.__getitem__)))
        spent = list(accumulate(self.seconds[test] for test in every))
        known = [test for test in (self.killers.get(str(mutant)),) if test in self.seconds]
        return list(dict.fromkeys(known + every[: bisect_right(spent, self.patience)]))

    def _is_own(self, test: str) -> bool:
        """Whether it stands among the tests of the room: they are the nearest to what is broken."""
        return test.startswith(f"tests/{self.name}/")

    def _in_turn(self, tests: Iterable[str]) -> list[str]:
        """One test of each file after the other, the quickest first; files of the room and of records before others."""
        turns: dict[str, int] = {}
        placed = {}
        for test in sorted(tests, key=self.seconds.__getitem__):
            file = test.partition("::")[0]
            turns[file] = turn = turns.get(file, -1) + 1
            placed[test] = (not self._is_own(test), not self._is_record(test), turn, self.seconds[test])
        return sorted(placed, key=placed.__getitem__)

    def _is_record(self, test: str) -> bool:
        """Whether it compares much with what was recorded, or with a law: such tests notice more than others."""
        return any(word in test.partition("::")[0] for word in RECORDS)

    def _running(self, path: Path, line: int) -> set[str]:
        contexts = self._by_line(path).get(line, [])
        return {context.rpartition("|")[0] for context in contexts} & self.seconds.keys()

    @cache  # noqa: B019 - a room lives as long as the run
    def _by_line(self, path: Path) -> dict[int, list[str]]:
        return self.seen.contexts_by_lineno(str(self.folder / path))

    def write(self, path: Path, text: str) -> None:
        place = self.folder / path
        place.write_text(text, encoding="utf-8")
        # What was compiled is told apart by whole seconds and size: two changes may look alike.
        Path(importlib.util.cache_from_source(str(place))).unlink(missing_ok=True)


def _sync(source: Path, copy: Path) -> None:
    copy.mkdir(parents=True, exist_ok=True)
    here = {path.name: path for path in source.iterdir() if path.name not in ("__pycache__", "_build")}
    for old in copy.iterdir():
        if old.name not in here and old.name != "__pycache__":
            shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
    for name, path in here.items():
        if path.is_dir():
            _sync(path, copy / name)
        elif not (copy / name).exists() or _stamp(path) != _stamp(copy / name):
            shutil.copy2(path, copy / name)


def _stamp(path: Path) -> tuple[int, int]:
    told = path.stat()
    return told.st_size, told.st_mtime_ns


def _tests_in(place: Path) -> list[Path]:
    return sorted(place.rglob("test_*.py")) if place.is_dir() else [place]


def _of_file(tests: dict[str, float], name: str) -> dict[str, float]:
    return {test: number for test, number in tests.items() if test.partition("::")[0] == name}


def _digest(place: Path) -> str:
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


class Timer:
    """Notes how many seconds of the processor each test takes that is run: a busy machine does not change them."""

    def __init__(self) -> None:
        self.took: dict[str, float] = {}
        self.starting: dict[str, float] = {}
        self.skipped: set[str] = set()
        self.started = 0
        sys.addaudithook(self._hear)

    def _hear(self, event: str, _: object) -> None:
        self.started += event == "subprocess.Popen"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        before, started = sum(os.times()[:4]), self.started
        said = yield
        self.took[item.nodeid] = round(sum(os.times()[:4]) - before, 2)
        if self.started > started:
            self.starting[item.nodeid] = self.started - started
        return said

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.skipped.add(report.nodeid)

    def keep(self) -> None:
        told = {"seconds": self.took, "starting": self.starting}
        run = {part: {test: n for test, n in tests.items() if test not in self.skipped} for part, tests in told.items()}
        Path("took.json").write_text(json.dumps(run))


class Loop:
    """Does something else with the collected tests than to run them all."""

    def __init__(self, loop: Callable[[pytest.Session], object]) -> None:
        self.loop = loop

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.loop(session)
        return True


def _pytest(folder: Path, options: list[str], plugin: object, then: Callable[[], object] = int) -> int:
    """Pytest in this process, which has not imported the program yet, on a copy of it."""
    os.chdir(folder)
    sys.path.insert(0, str(folder / "src"))
    os.environ["PYTHONPATH"] = str(folder / "src")  # for those that are started by tests
    said = os.open("said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(said, 1)
    os.dup2(said, 2)
    imported = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis is there before pytest
    status = pytest.main(
        ["-q", "-x", "-W", imported, "-p", "no:cacheprovider", "-m", MARKS, *options], plugins=[plugin]
    )
    then()
    return int(status)


def _in_a_fork(work: Callable[[], int]) -> int:
    """Let a child do it; its status, or the negative number of the signal that ended it. Nothing is left running."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # it ends with this process, whatever ends that
        status = 70
        try:
            status = work()
        except BaseException:
            traceback.print_exc()
        os._exit(status)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(status)


def _end_after_ticks(number: float) -> None:
    """End this process after so many seconds in which it was let run: ticks of a process that is paused are one."""
    left = [number]

    def tick(*_: object) -> None:
        left[0] -= 1
        if left[0] < 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGALRM)

    signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)


def first_failing(session: pytest.Session, tests: list[str], seconds: dict[str, float]) -> int:
    """Ask tests one after the other: 1 at the first that fails. One that takes ten times as long ends this process."""
    # What is written counts, not what is reserved: to draw a chart reserves more than this and uses little.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    items = {item.nodeid: item for item in session.items}
    chosen = [items[test] for test in tests if test in items]
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        Path("asking.txt").write_text(item.nodeid)
        signal.setitimer(signal.ITIMER_PROF, 5 + 10 * seconds[item.nodeid])
        _end_after_ticks(60 + 100 * seconds[item.nodeid])  # for one that waits for ever; the machine may be busy
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return 1
    return 0


def function_change(old: types.CodeType, new: types.CodeType) -> tuple[types.CodeType, types.CodeType] | None:
    """The code of the function that differs; None where the difference is in what runs when the file is imported."""
    parts = list(zip(old.co_consts, new.co_consts, strict=False))
    differing = [(one, other) for one, other in parts if one != other]
    if (old.co_code, old.co_names) != (new.co_code, new.co_names) or len(differing) != 1:
        return None
    one, other = differing[0]
    if not isinstance(one, types.CodeType) or one.co_name in ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"):
        return None
    return (one, other) if one.co_flags & 1 else function_change(one, other)  # the body of a class has no such flag


def _changed_in_place(mutant: Mutant) -> tuple[types.CodeType, types.CodeType] | None:
    text = (ROOT / mutant.path).read_text(encoding="utf-8")
    try:
        return function_change(*(compile(code, "", "exec") for code in (text, mutant.broken(text))))
    except SyntaxError:
        return None


def _functions_with(code: types.CodeType) -> list[types.FunctionType]:
    return [thing for thing in gc.get_objects() if type(thing) is types.FunctionType and thing.__code__ == code]


def outcomes(room: Room, mutants: list[Mutant]) -> Iterator[tuple[Mutant, str]]:
    """What became of each mutant: killed and by which test, or survived, or never run.

    A function is exchanged in a fork of a process that has imported and collected everything; what runs at import is
    told to a process that imports it broken.
    """
    asked = {mutant: room.asked(mutant) for mutant in mutants}
    yield from ((mutant, NOT_RUN) for mutant in mutants if not asked[mutant])
    tried = [mutant for mutant in mutants if asked[mutant]]
    warm = {mutant: change for mutant in tried if not is_run_at_import(mutant)
            and (change := _changed_in_place(mutant)) is not None}  # fmt: skip
    told = room.folder / "outcomes.txt"
    told.unlink(missing_ok=True)

    def in_place(session: pytest.Session, mutant: Mutant) -> int:
        old, new = warm[mutant]
        for function in _functions_with(old):
            function.__code__ = new
        return first_failing(session, asked[mutant], room.seconds)

    def each_in_place(session: pytest.Session) -> None:
        for mutant in warm:
            with told.open("a") as lines:
                outcome = _one(room, mutant, lambda mutant=mutant: in_place(session, mutant))
                lines.write(f"{outcome} | {str(mutant).encode('unicode_escape').decode()}\n")  # to be read meanwhile

    def afresh(tests: list[str]) -> int:
        files = sorted({test.partition("::")[0] for test in tests})
        failed = []
        loop = Loop(lambda session: failed.append(first_failing(session, tests, room.seconds)))
        return max(_pytest(room.folder, files, loop), *failed)

    if warm:
        _in_a_fork(lambda: _pytest(room.folder, room.tests, Loop(each_in_place)))
        became = [line.partition(" | ")[0] for line in told.read_text().splitlines()]
        yield from zip(warm, became, strict=True)
    for mutant in tried:
        if mutant not in warm:
            # The nearest first by themselves: to import the files of all others takes longer than to ask them.
            parts = [part for part in (asked[mutant][:QUICKEST], asked[mutant][QUICKEST:]) if part]
            said = (_one(room, mutant, lambda part=part: afresh(part)) for part in parts)
            yield mutant, next((one for one in said if one.startswith(KILLED)), SURVIVED)


def _one(room: Room, mutant: Mutant, work: Callable[[], int]) -> str:
    whole = (room.folder / mutant.path).read_text(encoding="utf-8")
    room.write(mutant.path, mutant.broken(whole))
    (room.folder / "asking.txt").unlink(missing_ok=True)
    status = _in_a_fork(work)
    room.write(mutant.path, whole)
    asking = room.folder / "asking.txt"
    if status == 0:
        return SURVIVED
    slow = " (never ended)" if status in (-signal.SIGALRM, -signal.SIGPROF) else ""
    return f"{KILLED}{asking.read_text() if asking.exists() else 'the import'}{slow}"


def run(room: Room, mutants: list[Mutant]) -> None:
    """Try the mutants of a room and tell what became of them, once tests are seen to pass where nothing is broken."""
    nothing = next((mutant for mutant in mutants if is_run_at_import(mutant)), mutants[0])
    for _, outcome in outcomes(room, [replace(nothing, new=nothing.old)]):
        if outcome.startswith(KILLED):
            raise SystemExit(f"{room.name}: a change that changes nothing was {outcome}: nothing can be counted.")
    became = {}
    for mutant, outcome in outcomes(room, mutants):
        became[mutant] = outcome
        print(outcome, "|", mutant, flush=True)
        if outcome.startswith(KILLED):
            room.killers[str(mutant)] = outcome.removeprefix(KILLED)
    room.killed.write_text(json.dumps(room.killers))  # who noticed it is asked first the next time
    killed = [mutant for mutant in mutants if became[mutant].startswith(KILLED)]
    meant, counted = (
        f"{sum(mutant in killed for mutant in kind)} of {len(kind)}"
        for kind in ([mutant for mutant in mutants if mutant.meaning is meaning] for meaning in (True, False))
    )
    print(f"{room.name}: {len(killed)} of {len(mutants)} killed: meaning {meant}, arithmetic {counted}.", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", choices=[*ROOMS, []], metavar="ROOM", help="all if left out")
    parser.add_argument("--number", type=int, default=60, help="mutants of a room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="*", default=[], help="tests to run instead of those of the room")
    seconds = "of the processor that the tests of one mutant may take; what they have not noticed by then has survived"
    parser.add_argument("--patience", type=float, default=20, metavar="SECONDS", help=seconds)
    given = parser.parse_args()
    os.environ.update({f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")})
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for library in IMPORTED:
        with suppress(Exception):  # where it is missing, the tests that need it say so
            importlib.import_module(library)
    for room in given.rooms or ROOMS:
        tests = given.tests or [f"tests/{room}", *MORE_TESTS.get(room, []), *ELSEWHERE]
        run(Room(room, tests, given.patience), drawn(room, given.number, given.seed))


if __name__ == "__main__":
    main()
