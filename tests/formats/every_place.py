"""Each value of an export in turn is lost or another one, and what is read of it then."""

import copy
import csv
import io
import json
import re
import tempfile
from dataclasses import fields
from pathlib import Path

from accord.formats import detect, read
from accord.words import spelled
from formats.mutations import EXPORTS
from small_studies import said

LOST = object()
OTHERS = (LOST, None, "", "x", -1, 2.5, True, [], {}, ["x"])
CELLS = (LOST, "", "x", "-1", "2.5", "None", "[]", "a b")
MOST_LINES = 5


def lines_of(found):
    """All that was read, a line each."""
    ratings = found.ratings
    labels = {"item": ratings.item, "rater": ratings.rater, **ratings.columns}
    columns = {key: factor.labels() for key, factor in labels.items()}
    made = [found.format, str(ratings.level), str(ratings.scale.direction)]
    for row, code in enumerate(ratings.value.tolist()):
        cells = [f"{key}={cell[row]}" for key, cell in columns.items() if cell[row] not in (None, "")]
        cells += [f"{key}={number[row]:g}" for key, number in ratings.numbers.items() if number[row] == number[row]]
        made.append(f"{spelled(ratings.scale.values[code])} | {' | '.join(cells)}")
    made += [f"{ratings.missing} missing", f"account {found.account}", *map(str, ratings.codebook.judges)]
    made += [f"criterion {key}: {vars_of(one)}" for key, one in ratings.codebook.criteria.items()]
    made += [f"span {span}" for span in found.spans] + [f"error {error}" for error in found.errors]
    return [*made, *(f"repair {entry}" for entry in found.log.entries), *(f"note {note}" for note in found.notes)]


def vars_of(criterion):
    """What a criterion says of itself beside its values."""
    known = {one.name: getattr(criterion, one.name) for one in fields(criterion) if one.name != "scale"}
    return " ".join(f"{name}={value}" for name, value in known.items() if value not in ("", None, False, ()))


def told(text, path, format=None):
    """What is read of a text in this file, and in which format if it is not told."""
    path.write_text(text, encoding="utf-8")
    found = said(lambda: lines_of(read(path, format=format)))
    seen = said(lambda: detect(path)[0].name)
    found = [found] if isinstance(found, str) else found
    return [line.replace(f"{path.parents[1]}/", "") for line in (*found, f"seems {seen}")]


def changed(text, whole, path):
    """The lines that come and go where a text stands in for the whole one."""
    found = told(text, path, whole[0])
    if len(found) == 2:
        return " ¶ ".join([found[0], *({found[1]} - {whole[-1]})])
    lost = [f"- {line}" for line in whole if line not in found]
    new = [f"+ {line}" for line in found if line not in whole]
    return " ¶ ".join([f"{len(lost)} lost, {len(new)} new", *new[:MOST_LINES], *lost[: MOST_LINES - len(new)]])


def paths(value, way=()):
    """The way to every value of a document, once for the entries of a list that are alike."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield (*way, key)
        yield from paths(part, (*way, key))


def distinct(value):
    """The ways whose names are met for the first time, and those of the second entry of a list."""
    met = {}
    for way in paths(value):
        names = tuple("#" if isinstance(key, int) else key for key in way)
        met[names] = met.get(names, 0) + 1
        if met[names] <= 1 or (met[names] == 2 and len(way) > 3):
            yield way


def with_other(value, way, other):
    made = copy.deepcopy(value)
    holder = made
    for key in way[:-1]:
        holder = holder[key]
    if other is LOST:
        del holder[way[-1]]
    else:
        holder[way[-1]] = other
    return made


def documents(name):
    """The same export with one value of its JSON lost or another."""
    text = (EXPORTS / name).read_text(encoding="utf-8")
    by_line = name.endswith(".jsonl")
    whole = [json.loads(line) for line in text.splitlines() if line.strip()] if by_line else json.loads(text)
    for number, way in enumerate(distinct(whole)):
        here = whole
        for key in way:
            here = here[key]
        for place, other in enumerate(OTHERS):
            # Every value is lost once; the other kinds take turns, so that each kind comes to each depth.
            if (other is LOST or (place + number) % 3 == 0) and type(other) is not type(here):
                made = with_other(whole, way, other)
                kind = "lost" if other is LOST else json.dumps(other)
                written = "\n".join(map(json.dumps, made)) if by_line else json.dumps(made)
                yield f"{'.'.join(map(str, way))} {kind}", written


def tables(name):
    """The same export with one cell of its table emptied or another, or a column lost."""
    text = (EXPORTS / name).read_text(encoding="utf-8")
    sign = "\t" if "\t" in text.split("\n", 1)[0] else ","
    rows = list(csv.reader(io.StringIO(text), delimiter=sign))
    for column in range(max(map(len, rows))):
        for row in (0, 1, len(rows) - 1):
            for other in CELLS:
                if column >= len(rows[row]) or (other is LOST) != (row == 0) or rows[row][column] == other:
                    continue
                made = [list(cells) for cells in rows]
                if other is LOST:
                    made = [[*cells[:column], *cells[column + 1 :]] for cells in made]
                else:
                    made[row][column] = other
                kept = io.StringIO()
                csv.writer(kept, delimiter=sign, lineterminator="\n").writerows(made)
                yield f"{row}.{column} {'lost' if other is LOST else repr(other)}", kept.getvalue()


def markup(name):
    """The same export with one attribute, element or word of its markup lost or another."""
    text = (EXPORTS / name).read_text(encoding="utf-8")
    for number, match in enumerate(re.finditer(r' [\w:-]+="[^"]*"|<[\w:]+[^>]*/>|>[^<>\n]+<|^\S.*$', text, re.M)):
        word = match.group()
        for other in ("", ' x="1"' if word[0] == " " else ">x<" if word[0] == ">" else "x y"):
            yield f"{number} {word[:30]} {other!r}", text[: match.start()] + other + text[match.end() :]


def every_place(name):
    make = (
        documents if "json" in name else tables if name.endswith((".csv", ".tsv")) and "webanno" not in name else markup
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "exports" / name  # one file for all, written anew: thousands of folders take a second
        path.parent.mkdir()
        whole = told((EXPORTS / name).read_text(encoding="utf-8"), path)
        return {place: changed(text, whole, path) for place, text in make(name)}
