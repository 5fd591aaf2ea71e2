"""WMT26 annotations: one JSON object with the lines of each campaign, as Pearmut writes them, by its name.

Campaigns are named by their language pair (``ces_Latn---deu_Latn``). Items of the tutorial and checks of attention
are told by their names, and are no ratings.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord.errors import FormatError
from accord.formats.collect import Collector
from accord.formats.content import read_json
from accord.formats.detection import first_object
from accord.formats.imported import Imported
from accord.formats.meanings import SCORE_TO_100
from accord.formats.options import ReadOptions
from accord.formats.pearmut import take_lines

__all__ = ["detect", "read"]

_BETWEEN = "---"
_VERSION = re.compile(r" v\d+$")
_START = re.compile(r'^\s*\{\s*"[^"]*"\s*:\s*\[\s*(\{|\])')


def detect(sample: str, path: Path) -> str | None:
    """An object of lists whose entries have user_id and annotation; the first may be larger than the sample."""
    whole = first_object(sample)
    if whole is not None:
        lists = list(whole.values())
        lines = [line for lines in lists if isinstance(lines, list) for line in lines[:1]]
        found = bool(lines) and all(isinstance(lines, list) for lines in lists) and all(map(_is_line, lines))
    else:
        found = bool(_START.match(sample)) and '"user_id"' in sample and '"annotation"' in sample
    return "an object of campaigns with lines that have user_id and annotation" if found else None


def _is_line(line: object) -> bool:
    return isinstance(line, Mapping) and {"user_id", "annotation"} <= set(line)


def read(path: Path, options: ReadOptions) -> Imported:
    """Read each campaign by itself: a reset masks what its user submitted in this campaign."""
    collect = Collector(path)
    campaigns = read_json(path, options, collect)
    if not isinstance(campaigns, Mapping):
        raise FormatError(f"{path}: an object of campaigns should be here, each with the list of its lines.")
    for name, lines in campaigns.items():
        collect.file = str(name)
        if not isinstance(lines, list):
            collect.dropped(None, "the campaign is not a list of lines")
            continue
        rows = [(place, _named(line)) for place, line in collect.counted(enumerate(lines, 1))]
        for place, line in rows:
            if not line:
                collect.dropped(place, "not an object with user_id and annotation")
        take_lines(collect, [row for row in rows if row[1]], _pair(str(name)))
    collect.file = ""
    return collect.imported("wmt26", options, SCORE_TO_100)


def _pair(campaign: str) -> str:
    return _VERSION.sub("", campaign).replace(_BETWEEN, "-")


def _named(line: object) -> Mapping[str, Any]:
    """The line; a page whose items have no name is a check of attention, and gets a name that says so."""
    if not isinstance(line, Mapping):
        return {}
    shown = line.get("item")
    if isinstance(shown, list) and shown and isinstance(shown[0], Mapping) and "item_id" not in shown[0]:
        named = [
            {**one, "item_id": f"attention_check_{line.get('item_i')}_{place}"}
            for place, one in enumerate(shown)
            if isinstance(one, Mapping)
        ]
        return {**line, "item": named}
    return line
