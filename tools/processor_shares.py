"""Who took the processor between two moments: a server's workers, what computes beside it, the database, others."""

import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Shares", "shares"]

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Shares:
    """Seconds of the processor, of the machine's start or between two moments."""

    saving: float
    """The server and its workers."""
    pages: float
    """Processes that make pages."""
    computing: float
    """Processes that compute results; what those spent that have ended is in the server's own children."""
    database: float
    busy: float
    """All processes of the machine."""
    stolen: float
    """Other machines on the same host."""

    def __sub__(self, before: "Shares") -> "Shares":
        return Shares(*(getattr(self, name) - getattr(before, name) for name in self.__slots__))


def shares(server: int) -> Shares:
    """What has been spent until now by a server and those beside it."""
    parents, own, ended, commands, names = {}, {}, {}, {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (path / "stat").read_text().rpartition(")")
            commands[int(path.name)] = (path / "cmdline").read_text()
        except OSError:
            continue
        pid, fields = int(path.name), rest.split()
        names[pid] = name.partition("(")[2]
        parents[pid] = int(fields[1])
        own[pid] = (int(fields[11]) + int(fields[12])) / TICKS
        ended[pid] = (int(fields[13]) + int(fields[14])) / TICKS
    family = {pid for pid in parents if _descends(pid, server, parents)}
    computing = {pid for pid in family if "organiser.background" in commands[pid]}
    pages = {pid for pid in family - computing if names[pid] == "accord-pages"}
    workers = family - computing - pages
    database = [pid for pid in parents if commands[pid].startswith("postgres") or "/postgres\0" in commands[pid]]
    busy, stolen = _machine()
    return Shares(
        saving=sum(own[pid] for pid in workers),
        pages=sum(own[pid] for pid in pages),
        computing=sum(own[pid] for pid in computing) + sum(ended[pid] for pid in workers | pages),
        database=sum(own[pid] for pid in database),
        busy=busy,
        stolen=stolen,
    )


def _descends(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid > 1:
        if pid == ancestor:
            return True
        pid = parents.get(pid, 0)
    return False


def _machine() -> tuple[float, float]:
    user, nice, system, _, _, irq, soft, stolen, *_ = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    )
    return (user + nice + system + irq + soft) / TICKS, stolen / TICKS
