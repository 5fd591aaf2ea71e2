"""A promise: something a number, a test or a verdict of Accord says, and a simulated study in which it holds or not.

Every other module of this folder is one part of the study: its first docstring line is the heading of its table, and
it exposes ``PROMISES: tuple[Promise, ...]``. Nothing else has to be registered.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from math import sqrt
from pkgutil import iter_modules
from types import ModuleType
from zlib import crc32

import numpy as np

__all__ = ["Part", "Promise", "parts"]


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise in one design.

    ``hold`` draws one study with the generator it is given, runs what a user would run, and tells whether the promise
    was kept in it: the interval held the truth, the test found no false difference, the verdict was right, a true
    difference was found. It must depend on the generator alone. What is costly and the same in every study (the
    truth, by one large draw) belongs into a cached function outside.

    ``nominal`` is the share of studies in which the program says that it holds; None where nothing is said (power).
    ``must`` is the least share that is accepted; ``most`` the greatest, where an interval may not be too wide either.
    A test at .05 is written as nominal .95 and must .94.
    ``quick`` is the number of studies in the fast version, which all parts together must finish in a minute.
    ``fails`` is empty, or says in one sentence what the program does about a promise that is known not to hold
    (the caution it prints); only then may a measured share lie outside.
    """

    name: str
    where: str
    design: str
    nominal: float | None
    must: float
    hold: Callable[[np.random.Generator], bool]
    most: float = 1.0
    quick: int = 20
    fails: str = ""

    @property
    def key(self) -> str:
        """The name by which the counts are recorded."""
        return f"{self.name} | {self.where} | {self.design}"

    def kept(self, studies: int, start: int = 0) -> int:
        """In how many of so many studies the promise was kept; each study has a seed of its own."""
        seeds = ((crc32(self.key.encode()), study) for study in range(start, start + studies))
        return sum(bool(self.hold(np.random.default_rng(seed))) for seed in seeds)

    def is_kept(self, kept: int, studies: int) -> bool:
        """Whether a count is compatible with the bounds, within two Monte-Carlo errors."""
        share = kept / studies
        low, high = (bound_error(bound, studies) for bound in (self.must, self.most))
        return self.must - 2 * low <= share <= self.most + 2 * high


def bound_error(share: float, studies: int) -> float:
    """The Monte-Carlo error of a share."""
    return sqrt(share * (1 - share) / studies)


@dataclass(frozen=True, slots=True)
class Part:
    """A module of promises: its name, the heading of its table, and the promises."""

    name: str
    heading: str
    promises: tuple[Promise, ...]


def parts() -> Iterator[Part]:
    """All parts of the study, in the order of their names."""
    import promises as folder

    for found in sorted(iter_modules(folder.__path__), key=lambda module: module.name):
        module: ModuleType = import_module(f"promises.{found.name}")
        if hasattr(module, "PROMISES"):
            heading = (module.__doc__ or found.name).strip().splitlines()[0].rstrip(".")
            yield Part(found.name, heading, module.PROMISES)
