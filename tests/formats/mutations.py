"""Files of every format, damaged in every way that happens to files, and a way to run a command on them safely."""

import gzip
import io
import json
import os
import random
import resource
import signal
import sys
import tarfile
import traceback
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from accord.cli.main import main
from accord.formats import FORMATS, write
from formats.samples import imported_sample

LIMIT_SECONDS = 20
LIMIT_BYTES = 2 * 1024**3
EXPORTS = Path(__file__).parent / "exports"
PLAIN = {
    "long.csv": b"item,rater,value\na,x,1\na,y,2\nb,x,2\nb,y,2\n", "wide.csv": b"item,Ann,Ben\na,1,2\nb,2,2\nc,5,4\n",
    "semicolons.csv": b"item;rater;value\na;x;1,5\na;y;2,5\n",
    "plain.jsonl": b'{"item": "a", "rater": "x", "value": 1}\n{"item": "a", "rater": "y", "value": 2}\n',
}  # fmt: skip


def whole_files(folder: Path) -> dict[str, bytes]:
    """A small file of every format, by name: those of our own making, plain tables, and what is packed."""
    files = {path.name: path.read_bytes() for path in EXPORTS.iterdir()} | PLAIN
    for name in ("xlsx", "xlsx-raters", "spss", "parquet"):
        path = folder / f"sample-{name}{FORMATS[name].suffixes[0]}"
        write(imported_sample(criteria=name == "xlsx-raters", spans=False), path, to=name, force=True)
        files[path.name] = path.read_bytes()
    files["long.csv.gz"] = gzip.compress(files["long.csv"])
    with tarfile.open(folder / "a.tar.gz", "w:gz") as archive:
        (folder / "long.csv").write_bytes(files["long.csv"])
        archive.add(folder / "long.csv", "long.csv")
    files["long.tar.gz"] = (folder / "a.tar.gz").read_bytes()
    with zipfile.ZipFile(folder / "log.eval", "w") as archive:
        log = json.loads(files["inspect.json"])
        archive.writestr("header.json", json.dumps({"version": 2, "eval": log["eval"]}))
        archive.writestr("samples/1.json", json.dumps(log["samples"][0]))
    files["log.eval"] = (folder / "log.eval").read_bytes()
    return files


def _cut(whole: bytes, rng: random.Random) -> bytes:
    return whole[: rng.randrange(1, len(whole))]


def _flipped(whole: bytes, rng: random.Random) -> bytes:
    changed = bytearray(whole)
    for _ in range(rng.choice((1, 3, 30))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _noise(whole: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(whole))
    return whole[:place] + rng.randbytes(rng.choice((1, 8, 400))) + whole[place:]


def _without(whole: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(whole))
    return whole[:place] + whole[place + rng.choice((1, 10, 100)) :] or b"x"


def _doubled(whole: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(whole))
    return whole[:place] + whole[place // 2 :]


def _recoded(whole: bytes, rng: random.Random) -> bytes:
    text = whole.decode("utf-8", errors="replace") + "é\u3042"
    return text.encode(rng.choice(("utf-16", "utf-16-le", "utf-32", "shift-jis", "cp1252", "utf-7")), errors="replace")


def _mixed(whole: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(whole))
    return whole[:place] + "é".encode("latin-1") + whole[place:] + "é".encode()


def _nul(whole: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(whole))
    return whole[:place] + bytes(rng.choice((1, 4096))) + whole[place:]


def _huge_cell(whole: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(whole))
    return whole[:place] + rng.choice((b"9", b"x", b'"', b"[", b" ")) * 5_000_000 + whole[place:]


def _many_columns(whole: bytes, rng: random.Random) -> bytes:
    first, _, rest = whole.partition(b"\n")
    sign = rng.choice((b",", b"\t", b";"))
    return first + sign + sign.join(b"c%d" % n for n in range(1_000_000)) + b"\n" + rest


def _many_keys(whole: bytes, rng: random.Random) -> bytes:
    keys = b",".join(b'"k%d":%d' % (n, n) for n in range(300_000))
    return whole.replace(b"{", b"{" + keys + b",", 1)


def _many_lines(whole: bytes, rng: random.Random) -> bytes:
    return whole + b"\n" * 3_000_000 + whole


def _deep(whole: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(whole))
    return whole[:place] + rng.choice((b"[", b'{"a":', b"<g>")) * 100_000 + whole[place:]


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _cut, _flipped, _noise, _without, _doubled, _recoded, _mixed, _nul, _cut, _flipped, _huge_cell, _many_columns,
    _many_keys, _many_lines, _deep,
)  # fmt: skip


def mutated(folder: Path, number: int, seed: int) -> Iterator[Path]:
    """This many damaged files, one after the other: every way of damage on files of every format in turn."""
    rng = random.Random(seed)
    files = sorted(whole_files(folder).items())
    for place in range(number):
        name, whole = files[(place * 7 + place // len(files)) % len(files)]
        mutate = MUTATIONS[place % len(MUTATIONS)]
        path = folder / f"{place}{mutate.__name__}-{name}"
        path.write_bytes(mutate(whole, rng))
        yield path
        path.unlink()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended: its exit code, what it wrote to stderr, seconds of processor and the most memory it held."""

    code: int
    words: str
    seconds: float
    bytes: int


def run_apart(arguments: list[str], folder: Path) -> Outcome:
    """Run ``accord ...`` in a child of this process, which has all modules already, under limits of time and memory."""
    out = folder / "stderr.txt"
    child = os.fork()
    if child == 0:
        _in_child(arguments, out)
    _, status, usage = os.wait4(child, 0)
    seconds = usage.ru_utime + usage.ru_stime
    words = out.read_text(errors="replace")
    return Outcome(os.waitstatus_to_exitcode(status), words, seconds, usage.ru_maxrss * 1024)


def _in_child(arguments: list[str], out: Path) -> None:
    code = 1
    try:
        limit = LIMIT_BYTES + 2 * 1024**3  # address space is more than memory; the memory itself is measured
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_SECONDS, LIMIT_SECONDS))
        signal.alarm(15 * LIMIT_SECONDS)  # one that waits for something that never comes
        sys.stderr, sys.stdout = out.open("w"), io.StringIO()
        sys.argv = ["accord", *arguments]
        main()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1 if ended.code else 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
