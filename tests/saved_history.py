"""A record of every save that was sent and answered, and a check that replays it against the export.

Nothing acknowledged is lost, nothing is kept twice, nothing is kept that nobody sent or that was refused, every value
is the one that was sent, and of each question the last revision counts.
"""

import csv
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

SAVED, REFUSED, UNKNOWN = "saved", "refused", "unknown"
"""What a sender was told of an entry; unknown where no answer came: it may be kept or not."""


@dataclass
class History:
    """Entries as they were sent and what was answered, in the order in which it happened."""

    events: list[dict[str, Any]] = field(default_factory=list)
    _one_at_a_time: Lock = field(default_factory=Lock)

    def sent(self, entry: dict[str, Any]) -> None:
        """Written down before the first byte leaves."""
        with self._one_at_a_time:
            self.events.append({"event": "sent", **entry})

    def answered(self, uuid: str, status: str) -> None:
        """Written down when the answer has arrived, or is known not to come."""
        with self._one_at_a_time:
            self.events.append({"event": "answered", "uuid": uuid, "status": status})

    @property
    def acknowledged(self) -> int:
        """How many entries were acknowledged, each counted once."""
        return len({event["uuid"] for event in self.events if event.get("status") == SAVED})

    def write(self, path: Path) -> None:
        path.write_text("".join(json.dumps(event) + "\n" for event in self.events), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> "History":
        return cls([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()])


def complaints(history: History, exported: list[dict[str, str]]) -> list[str]:
    """What the export of all judgements has wrong; ``exported`` are the rows of ``accord export --judgements``."""
    sent, told = _replayed(history)
    kept = Counter(row["uuid"] for row in exported)
    found = [f"lost: {uuid}" for uuid, status in told.items() if status == SAVED and uuid not in kept]
    found += [f"kept {times} times: {uuid}" for uuid, times in kept.items() if times > 1]
    found += [f"never sent: {uuid}" for uuid in kept if uuid not in sent]
    found += [f"refused, but kept: {uuid}" for uuid, status in told.items() if status == REFUSED and uuid in kept]
    for row in exported:
        entry = sent.get(row["uuid"])
        if entry is not None and (json.loads(row["value"]), int(row["revision"])) != (
            entry["value"],
            entry["revision"],
        ):
            found.append(f"changed: {row['uuid']}")
    return found + _not_the_last(sent, exported)


def _replayed(history: History) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Each entry by its uuid, and the last word about it; an acknowledgement is never taken back."""
    sent: dict[str, dict[str, Any]] = {}
    told: dict[str, str] = {}
    for event in history.events:
        uuid = event["uuid"]
        if event["event"] == "sent":
            assert sent.setdefault(uuid, event) == event, "an entry that is sent again is the same entry"
        elif told.get(uuid) != SAVED:
            told[uuid] = event["status"]
    return sent, told


def _not_the_last(sent: dict[str, dict[str, Any]], exported: list[dict[str, str]]) -> list[str]:
    """Questions for which another answer counts than the one with the highest revision that is kept."""
    by_question: dict[tuple[Any, ...], list[dict[str, str]]] = {}
    for row in exported:
        if (entry := sent.get(row["uuid"])) is not None:
            by_question.setdefault((entry["task"], entry["criterion"], entry["place"]), []).append(row)
    found = []
    for question, rows in by_question.items():
        counting = [row for row in rows if not row["superseded_by"]]
        if len(counting) != 1 or int(counting[0]["revision"]) != max(int(row["revision"]) for row in rows):
            found.append(f"another answer than the last counts: {question}")
    return found


def main() -> None:
    """python tests/saved_history.py HISTORY.jsonl JUDGEMENTS.csv"""
    history = History.read(Path(sys.argv[1]))
    with Path(sys.argv[2]).open(encoding="utf-8", newline="") as file:
        found = complaints(history, list(csv.DictReader(file)))
    print("\n".join(found) or f"{history.acknowledged:,} acknowledged, nothing lost, nothing twice")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
