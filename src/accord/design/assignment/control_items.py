"""Control items: which items are copied, and where the copies stand, evenly spread and far from their originals."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.design.assignment.plan import Role
from accord.design.study import Controls
from accord.records import dataclass

__all__ = ["Placed", "batches", "spread"]

Bundles = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Placed:
    """Bundles of one rater in order, with their roles and batches."""

    bundle: Bundles
    role: NDArray[np.int8]
    batch: Bundles


def batches(
    bundles: Bundles, controls: Controls, gold: Bundles, sources: Sequence[str], rng: np.random.Generator
) -> Placed:
    """Cut a rater's bundles into batches and add the control items of each.

    ``sources[b]`` is what bundle b is about: the reference of one source is shown at most once.
    """
    taken: set[str] = set()
    size = controls.batch or max(len(bundles), 1)
    parts = [bundles[start : start + size] for start in range(0, len(bundles), size)]
    gold = rng.permutation(gold).astype(np.int32)
    made = []
    for number, part in enumerate(parts):
        share = len(part) / size if controls.per == "batch" else len(part) / max(len(bundles), 1)
        roles = _roles(controls, share)
        bundle, role = spread(part, roles, gold, controls, sources, taken, rng)
        gold = gold[sum(1 for wanted in roles if wanted is Role.GOLD) :]
        made.append(Placed(bundle, role, np.full(len(bundle), number, dtype=np.int32)))
    if not made:
        empty = np.empty(0, dtype=np.int32)
        return Placed(empty, empty.astype(np.int8), empty)
    return Placed(*(np.concatenate([getattr(part, name) for part in made]) for name in ("bundle", "role", "batch")))


def _roles(controls: Controls, share: float) -> list[Role]:
    """The control items of a batch, roles taking turns as evenly as their numbers allow."""
    wanted = {
        Role.REPEAT: controls.repeats,
        Role.DEGRADED: controls.degraded,
        Role.REFERENCE: controls.references,
        Role.GOLD: controls.gold,
        Role.ATTENTION: controls.attention,
    }
    turns = [
        ((step + 0.5) / count, role)
        for role, number in wanted.items()
        for count in [round(number * share)]
        for step in range(count)
    ]
    return [role for _, role in sorted(turns)]


def spread(
    bundles: Bundles, roles: list[Role], gold: Bundles, controls: Controls, sources: Sequence[str], taken: set[str],
    rng: np.random.Generator,
) -> tuple[Bundles, NDArray[np.int8]]:  # fmt: skip
    """Put control items between ordinary ones: each block gets its share, each copy is ``spacing`` blocks away."""
    count = max(1, min(controls.blocks, len(bundles)))
    spacing = min(controls.spacing, count // 2)
    blocks = np.array_split(bundles, count)
    unused = [rng.permutation(block).tolist() for block in blocks]
    placed: list[list[tuple[int, Role]]] = [[(int(bundle), Role.SYSTEM) for bundle in block] for block in blocks]
    known = gold.tolist()
    for turn, role in enumerate(roles):
        target = turn * count // len(roles)
        if role is Role.GOLD:
            chosen = known.pop(0) if known else None
        else:
            chosen = _original(unused, target, spacing, sources, taken if role is Role.REFERENCE else set())
        if chosen is not None:
            placed[target].insert(int(rng.integers(len(placed[target]) + 1)), (chosen, role))
    rows = _first_is_original([pair for block in placed for pair in block])
    return np.array([bundle for bundle, _ in rows], dtype=np.int32), np.array([role for _, role in rows], dtype=np.int8)


def _original(
    unused: list[list[int]], target: int, spacing: int, sources: Sequence[str], taken: set[str]
) -> int | None:
    """An item that has no copy yet, ``spacing`` blocks away or else farther; None if there is none."""
    count = len(unused)
    apart = [min((block - target) % count, (target - block) % count) for block in range(count)]
    far_enough = [block for block in range(count) if apart[block] >= spacing]
    for block in sorted(far_enough, key=lambda block: (apart[block], (target - block) % count)):
        for bundle in unused[block]:
            if sources[bundle] not in taken:
                unused[block].remove(bundle)
                taken.add(sources[bundle])
                return int(bundle)
    return None


def _first_is_original(rows: list[tuple[int, Role]]) -> list[tuple[int, Role]]:
    """Of an item shown twice, the later one is the repeat."""
    seen: dict[int, int] = {}
    for place, (bundle, role) in enumerate(rows):
        if role not in (Role.SYSTEM, Role.REPEAT):
            continue
        if bundle in seen and role is Role.SYSTEM:
            rows[seen[bundle]], rows[place] = (bundle, Role.SYSTEM), (bundle, Role.REPEAT)
        seen[bundle] = place
    return rows
