"""WMT25 human evaluation, JSON lines: one line per segment; scores[system] holds human1, errors1, annotator1, ..."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.formats.browser_spans import mark_errors
from accord.formats.collect import Collector, as_name, as_number, as_text, joined
from accord.formats.content import json_lines
from accord.formats.imported import Imported
from accord.formats.meanings import SCORE_TO_100
from accord.formats.options import ReadOptions

__all__ = ["detect", "read"]

_HUMAN = re.compile(r"^human(\d*)$")


def detect(sample: str, path: Path) -> str | None:
    """JSON lines with scores, src_text and tgt_text."""
    from accord.formats.detection import first_object

    row = first_object(sample)
    if row is not None and isinstance(row.get("scores"), Mapping) and {"src_text", "tgt_text"} <= set(row):
        return "JSON lines with scores for each system, src_text and tgt_text"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read every human score of every wave; automatic scores are left."""
    collect = Collector(path)
    for line, row in json_lines(path, options, collect):
        scores, targets = row.get("scores"), row.get("tgt_text")
        if not isinstance(scores, Mapping):
            collect.dropped(line, "no scores for systems")
            continue
        targets = targets if isinstance(targets, Mapping) else {}
        for system, given in scores.items():
            if isinstance(given, Mapping):
                target = targets.get(system)
                _take(collect, line, row, str(system), given, target if isinstance(target, str) else None)
            else:
                collect.dropped(line, f"scores of {system} are not an object")
    return collect.imported("wmt25", options, SCORE_TO_100)


def _take(
    collect: Collector, line: int, row: Mapping[str, Any], system: str, given: Mapping[str, Any], target: str | None
) -> None:
    name = as_name(row.get("doc_id")) or str(line)
    document, _, segment = name.rpartition("_#_")
    item = joined(system, name)
    collect.text(item, as_text(row.get("src_text")), target or "")
    for key, score in given.items():
        found = _HUMAN.match(str(key))
        if not found:
            continue
        wave = found[1]
        number = as_number(score)
        if number is None:
            collect.dropped(line, f"{system}: {key} is {score!r}, not a number")
            continue
        rater = as_name(given.get(f"annotator{wave}"))
        if rater in ("", "unknown"):
            rater = f"unknown{wave}"
            collect.guessed(line, f"{system}: the annotator of {key} is not known; called {rater}")
        parts = name.split("_#_")
        collect.rate(
            line,
            item,
            rater,
            number,
            system=system,
            document=document or name,
            segment=segment,
            batch=f"wave{wave}" if wave else None,
            language_pair=parts[0] if len(parts) == 4 else None,
            domain=parts[1] if len(parts) == 4 else None,
            time_s=_seconds(given.get(f"times{wave}")),
        )
        errors = given.get(f"errors{wave}")
        listed = [error for error in errors if isinstance(error, Mapping)] if isinstance(errors, list) else []
        mark_errors(collect, item, rater, listed, line, target)


def _seconds(times: object) -> float | None:
    if not isinstance(times, list) or len(times) != 2:
        return None
    began, ended = as_number(times[0]), as_number(times[1])
    return None if began is None or ended is None else round(abs(ended - began), 6)
