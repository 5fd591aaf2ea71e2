"""What is asked wrongly or cannot be read, each once, to be told with its whole sentence."""

import gzip
import io
import json
import tempfile
import zipfile
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
from openpyxl import Workbook

import accord
from accord import sizes
from accord.design.scale import Level, Scale
from accord.formats import read as read_format
from accord.formats import write
from accord.ratings import checks, fetched, overview, raw, text_file, xlsx_file
from accord.ratings import stored as stored_ratings
from accord.ratings.build import build_ratings
from accord.ratings.codebook_json import codebook_of_json, json_of_codebook
from accord.ratings.counting import count_source
from accord.ratings.declared import parse_directions, parse_level, parse_scale, parse_scales
from accord.ratings.duckdb_engine import DuckDBEngine
from accord.ratings.kinds import models_among, with_kinds
from accord.ratings.only_rows import only_rows
from accord.ratings.questionnaire import read_answers
from accord.ratings.table import Factor
from ratings.odd_answers import read_as
from small_studies import said

OTHER = "item,rater,value\n" + "".join(f"j{n // 3},R{n % 3},{1 + n % 5}\n" for n in range(12))
PLAIN = "item,rater,value\n" + "".join(f"i{n // 3},R{n % 3},{1 + n % 5}\n" for n in range(12))


def read(text, **options):
    return read_as(accord.read(io.StringIO(text), **options))


def files(given, asked, patched=()):
    """What is said of files with these contents, without the place of their folder."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        for room, name, value in patched:
            stack.enter_context(patch.object(room, name, value))
        for name, content in given.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        told = said(lambda: asked(Path(folder)))
        found = [told] if isinstance(told, str) else told
        return [str(line).replace(folder, "FOLDER") for line in found]


def read_files(*names, **options):
    def asked(folder):
        paths = [folder / name for name in names]
        return read_as(accord.read(paths if len(paths) > 1 else paths[0], **options))

    return asked


def book(sheets, hidden=()):
    """A workbook of these rows by sheet."""
    made = Workbook()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
        if title in hidden:
            sheet.sheet_state = "hidden"
            sheet.row_dimensions[2].hidden = True
            sheet.column_dimensions["C"].hidden = True
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


def without(data, part):
    """A workbook that lacks one of its parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(made, "w") as kept:
        for name in given.namelist():
            if name != part:
                kept.writestr(name, given.read(name))
    return made.getvalue()


def changed(data, part, old, new):
    """A workbook with other words in one of its parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as given, zipfile.ZipFile(made, "w") as kept:
        for name in given.namelist():
            text = given.read(name)
            kept.writestr(name, text.replace(old, new) if part in name else text)
    return made.getvalue()


ROWS = [["item", "rater", "value"], ["a", "R1", 1], ["a", "R2", 2], ["b", "R1", 3], ["b", "R2", 1], ["c", "R1", 2]]
ONE = book({"All": ROWS})
NAMED = {
    "a sheet that is not there": (ONE, {"sheet": "Other"}),
    "a sheet by its number": (ONE, {"sheet": 1}),
    "a sheet before the first": (ONE, {"sheet": 0}),
    "a sheet after the last": (ONE, {"sheet": 2}),
    "hidden parts": (book({"All": ROWS, "Note": [["x"]]}, hidden=["All"]), {}),
    "a legend before the table": (book({"Legend": [["x", "y"]], "All": ROWS}), {}),
    "a note, as long as a quarter": (
        book({"Legend": [["x", "y"], ["1", "2"]], "All": [*ROWS, ["d", "R1", 2], ["d", "R2", 2]]}), {}),
    "a sheet for each system": (book({"S": ROWS, "T": [*ROWS[:4], ["b", "R2", 5]]}), {}),
    "sheets of other raters": (
        book({"S": ROWS, "T": [["item", "rater", "value"], ["a", "R3", 4]], "Note": [["x"]]}), {}),
    "a sheet that was copied": (book({"S": ROWS, "T": ROWS}), {}),
    "sheets with a system": (book({t: [["item", "rater", "value", "system"], ["a", t, 1, t]] for t in "ST"}), {}),
    "an empty sheet": (book({"All": []}), {}),
    "a formula without a result": (book({"All": [*ROWS, ["c", "R2", "=1+1"]]}), {}),
    "two formulas without a result": (book({"All": [*ROWS, ["c", "R2", "=1+1"], ["c", "R3", "=1+2"]]}), {}),
    "rows out of order": (changed(ONE, "sheet1", b'<row r="3"', b'<row r="2"'), {}),
    "a row after the last": (changed(ONE, "sheet1", b'<row r="6"', b'<row r="1048577"'), {}),
    "the last row": (changed(changed(ONE, "sheet1", b'<row r="6"', b'<row r="99"'), "sheet1", b'"C6"', b'"C99"'), {}),
    "a broken part": (changed(ONE, "sheet1", b"<sheetData>", b"<sheetData"), {}),
    "a cell far to the right": (changed(ONE, "sheet1", b'r="C6"', b'r="ALM6"'), {}),
    "no workbook": (without(ONE, "[Content_Types].xml"), {}),
}  # fmt: skip


def workbooks():
    found = {name: files({"t.xlsx": data}, read_files("t.xlsx", **given)) for name, (data, given) in NAMED.items()}
    found["columns"] = files(
        {"t.xlsx": NAMED["a cell far to the right"][0]}, read_files("t.xlsx"), [(xlsx_file, "MOST_COLUMNS", 1000)]
    )
    size = sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(ONE)).infolist())
    for most in (size - 1, size):
        found[f"unpacked {size - most}"] = files(
            {"t.xlsx": ONE}, read_files("t.xlsx"), [(xlsx_file, "MOST_UNPACKED", most)]
        )
    for most in (5, 6):
        found[f"rows {most}"] = files({"t.xlsx": ONE}, read_files("t.xlsx"), [(xlsx_file, "_MOST_ROWS", most)])
    return found


def texts():
    """Files of text: what they are packed in and spelled in, and how large they are."""
    german = PLAIN.replace("R1", "Jürgen")
    mixed = german.encode().replace("ü".encode(), b"\xfc", 1)
    chinese = PLAIN.replace("R1", "张伟先生").replace("R2", "李娜女士")
    asked = {
        "a folder": ({"in/t.csv": PLAIN}, ["in"], {}, ()),
        "no such file": ({}, ["t.csv"], {}, ()),
        "latin": ({"t.csv": german.encode("latin-1")}, ["t.csv"], {}, ()),
        "latin with a sign that windows has not": (
            {"t.csv": german.encode("latin-1") + b"i9,R\x81,1\n"}, ["t.csv"], {}, ()),
        "two encodings": ({"t.csv": mixed}, ["t.csv"], {}, ()),
        "two encodings, named": ({"t.csv": mixed}, ["t.csv"], {"encoding": "latin-1"}, ()),
        "not in it": ({"t.csv": german.encode("latin-1")}, ["t.csv"], {"encoding": "utf-8"}, ()),
        "not in its mark": ({"t.csv": b"\xef\xbb\xbf" + german.encode("latin-1")}, ["t.csv"], {}, ()),
        "chinese": ({"t.csv": chinese.encode("gb18030")}, ["t.csv"], {}, ()),
        "utf-16 without a mark": ({"t.csv": PLAIN.encode("utf-16-be")}, ["t.csv"], {}, ()),
        "large": ({"t.csv": PLAIN}, ["t.csv"], {}, [(text_file, "MOST_BYTES", len(PLAIN) - 1)]),
        "as large as may be": ({"t.csv": PLAIN}, ["t.csv"], {}, [(text_file, "MOST_BYTES", len(PLAIN))]),
        "large when unpacked": (
            {"t.csv.gz": gzip.compress(PLAIN.encode())}, ["t.csv.gz"], {}, [(text_file, "MOST_BYTES", len(PLAIN) - 1)]),
        "unpacked, as large as may be": (
            {"t.csv.gz": gzip.compress(PLAIN.encode())}, ["t.csv.gz"], {}, [(text_file, "MOST_BYTES", len(PLAIN))]),
        "swelling": (
            {"t.csv.gz": gzip.compress(PLAIN.encode() * 400)}, ["t.csv.gz"], {},
            [(text_file, "_PIECE", 9000), (text_file, "_MOST_SWELLING", 9)]),
        "packed nothing": ({"t.csv.gz": gzip.compress(b"")}, ["t.csv.gz"], {}, ()),
        "the same rows twice": ({"a.csv": PLAIN, "b.csv": PLAIN}, ["a.csv", "b.csv"], {}, ()),
        "the same rows with a column more": (
            {"a.csv": PLAIN, "b.csv": PLAIN.replace("\n", ",x\n").replace("x", "note", 1)},
            ["a.csv", "b.csv"], {}, ()),
        "a column that one has": (
            {"a.csv": PLAIN, "b.csv": "item,rater,value,note\nz,R1,1,x\nz,R2,1,x\nTotal,,2,\n"},
            ["a.csv", "b.csv"], {}, ()),
        "a file for each rater": (
            {"Ann.csv": "item,value\na,1\nb,2\n", "Ben.csv": "item,value\na,2\nb,2\n"}, ["Ann.csv", "Ben.csv"], {}, ()),
        "text and columnar": ({"a.csv": PLAIN, "b.csv": b"PAR1"}, ["a.csv", "b.csv"], {"engine": "duckdb"}, ()),
        "a damaged columnar file": ({"t.parquet": b"PAR1 nothing here PAR1"}, ["t.parquet"], {}, ()),
        "a cut columnar file": ({"t.parquet": b"PAR1 nothing here"}, ["t.parquet"], {}, ()),
        "a long name": ({"t.csv": PLAIN}, ["t.csv"], {}, [(raw, "_LONGEST_NAME", 4)]),
        "as long as may be": ({"t.csv": PLAIN}, ["t.csv"], {}, [(raw, "_LONGEST_NAME", 5)]),
        "many columns": ({"t.csv": PLAIN}, ["t.csv"], {}, [(raw, "MOST_COLUMNS", 2)]),
        "as many as may be": ({"t.csv": PLAIN}, ["t.csv"], {}, [(raw, "MOST_COLUMNS", 3)]),
        "an array of numbers": ({"t.json": "[1, {\"item\": 1}, 2]"}, ["t.json"], {}, ()),
        "an empty array": ({"t.json": "[]"}, ["t.json"], {}, ()),
        "half an array": ({"t.json": "[{\"item\": 1}"}, ["t.json"], {}, ()),
        "one object": ({"t.jsonl": "{\n\"item\": 1,\n\"value\": 2}"}, ["t.jsonl"], {}, ()),
        "one object and another line": ({"t.jsonl": "{\"item\": 1}\n[2]\nthree"}, ["t.jsonl"], {}, ()),
        "a name twice": ({"t.csv": "item,rater,value,value\na,R,1,2\n"}, ["t.csv"], {}, ()),
        "rows that do not fit": ({"t.csv": "item,rater,value\na,R\nb,R,1,2\nc,R,1\n"}, ["t.csv"], {}, ()),
        "a table of Label Studio": (
            {"t.csv": "annotation_id,annotator,created_at,id,lead_time,quality,text\n1,1,x,1,2,good,a\n"},
            ["t.csv"], {}, ()),
    }  # fmt: skip
    return {name: files(given, read_files(*names, **options), patched)
            for name, (given, names, options, patched) in asked.items()}  # fmt: skip


def read_two_codebooks(folder):
    """A codebook beside one file, beside both, and two that contradict each other."""
    first, second = folder / "a.csv", folder / "b.csv"
    paths = [folder / "c.csv", folder / "d.csv"]
    for given, path, low in ((first, paths[0], "high"), (second, paths[1], "low")):
        write(read_format(given, scale="1..5", direction=low), path, to="csv")
    told = [said(lambda: read_as(accord.read(paths)))]
    for beside in folder.glob("d.csv.*"):
        beside.unlink()
    return [str(told), str(said(lambda: read_as(accord.read(paths)))), *sorted(path.name for path in folder.iterdir())]


SCALES = (
    "1,2,3", "3,1,2", "1..5", "0-100", "1 to 7", "0..1000", "0..1001", "0.5..3.5", "5..1", "3..3", "bad<fair<good",
    "1<2<3", "3<2<1", "1<x<3", "1=None,2=Little", "a,b,c", "a", "", "a,,b", "1,1,2", "1,inf,3", "-3..3", "1\u20135",
    "fluency:1..4; style:1..5", "1..5; fluency:1..4", "1..5; 1..4", "; ", "a,a", ("bad", "good"), (1, 2), range(3),
    {"x": "1..3"}, (frozenset("a"), frozenset("b")), (None, 1),
)  # fmt: skip
DIRECTIONS = (
    None, "high", "low", "none", "up", "unknown", "high; errors:low", "low; low", "errors:low; errors:high",
    ("high", "x : low"), {"x": "low", "y": "High"}, ";", "a:b:low",
)  # fmt: skip


def declared():
    """Scales, levels and directions as people write them."""

    def shown(scale):
        return f"{scale.level} {scale.values[:9]} {dict(scale.labels)} {scale.low} {scale.high} {scale.guesses}"

    def scales(text, level):
        general, own = parse_scales(text, level)
        return [*([shown(general)] if general else []), *(f"{name}: {shown(one)}" for name, one in own.items())]

    found = {f"{text} {level}": said(lambda text=text, level=level: scales(text, level))
             for text in SCALES for level in (None, Level.NOMINAL, Level.ORDINAL, Level.INTERVAL)}  # fmt: skip
    found |= {f"good {text}": said(lambda text=text: parse_directions(text)) for text in DIRECTIONS}
    found |= {f"level {text}": said(lambda text=text: parse_level(text)) for text in (None, "ordinal", "Ordinal", "x")}
    found["known"] = shown(parse_scale(Scale(Level.ORDINAL, (1.0, 2.0)), Level.INTERVAL))
    return found


CRITERION = {"key": "x", "level": "ordinal", "values": [1, 2]}
BOOKS = (
    None, [], {"criteria": {}}, {"criteria": [CRITERION]}, {"criteria": [CRITERION, CRITERION]}, {"criteira": []},
    {"zzzzz": 1}, {"criteria": [None]}, {"criteria": [{"key": "x"}]}, {"criteria": [CRITERION | {"level": "odd"}]},
    {"criteria": [CRITERION | {"values": [1, 1]}]}, {"criteria": [CRITERION | {"values": 3}]},
    {"criteria": [CRITERION | {"values": [True, None, {}, [1], ["a", "b"], "c", 2.5]}]},
    {"criteria": [CRITERION | {"values": [], "declared": True}]},
    {"criteria": [CRITERION | {"values": [], "declared": True, "low": 1, "high": 5}]},
    {"criteria": [CRITERION | {"values": [], "declared": True, "any_between": True}]},
    {"criteria": [CRITERION | {"low": 3, "high": 2}]}, {"criteria": [CRITERION | {"low": 2, "high": 2}]},
    {"criteria": [CRITERION | {"level": "interval", "values": ["a", "b"]}]},
    {"criteria": [CRITERION | {"labels": [{"value": 1, "label": "poor"}]}]},
    {"criteria": [CRITERION | {"labels": [{"value": 1}, {"value": 1, "label": 2}, 3, {"value": None, "label": "x"}]}]},
    {"criteria": [CRITERION | {"labels": {"1": "poor"}}]}, {"criteria": [CRITERION | {"declared": "yes"}]},
    {"criteria": [CRITERION | {"question": 4, "definition": None}]}, {"criteria": [CRITERION | {"direction": "up"}]},
    {"criteria": [CRITERION | {"low": "one", "high": True}]}, {"item": 4}, {"item": {"unit": 3}}, {"source": ["x"]},
    {"left_out": [{}]}, {"left_out": [{"who": "R1"}]}, {"plan": {}}, {"kept_apart": "system"}, {"kept_apart": [1]},
    {"facts": 3}, {"raters": {"R1": 1}}, {"guesses": [None]}, {"units": {"x": 1.5}},
)  # fmt: skip


def codebooks():
    """Codebooks with a mistake in each: where it is, what it is, and what is kept."""

    def told(data):
        mistakes = []
        made = codebook_of_json(data, lambda place, why: mistakes.append(f"{'.'.join(map(str, place))}: {why}"))
        told_again = json.dumps(json_of_codebook(made))
        again = json_of_codebook(codebook_of_json(json.loads(told_again), lambda *_: None))
        return [*mistakes, told_again.partition(', "item"')[0], json.dumps(again) == told_again]

    return {json.dumps(data): told(data) for data in BOOKS}


def frame(**columns):
    return pd.DataFrame(columns)


def frames():
    """Data frames and arrays of every shape, and what is said of each."""
    plain = frame(item=["a", "a", "b", "b"], rater=["x", "y", "x", "y"], value=[1, 2, 3, 1])
    twice = pd.DataFrame([["a", "x", 1, 2]], columns=["item", "rater", "value", "value"])
    down = pd.Categorical([3, 2, 1, 2], categories=[3, 2, 1], ordered=True)
    up, mixed = (pd.Categorical([3, 2, 1, 2], categories=one, ordered=True) for one in ([1, 2, 3], [2, 3, 1]))
    labels = pd.Categorical(["bad", "good", "bad", "good"], categories=["bad", "good"], ordered=True)
    wide = plain.pivot_table(index="item", columns="rater", values=["value"])
    levels = pd.DataFrame(
        [["a", 1, 2], ["b", 2, 2]], columns=pd.MultiIndex.from_tuples([("item", ""), ("q", "x"), ("q", "y")])
    )
    asked = {
        "plain": plain, "no rows": plain[:0], "a name twice": twice, "of bytes": b"item", "of a set": {1},
        "an index": plain.set_index("item"), "two names in the index": plain.set_index(["item", "rater"]),
        "an index that is a column too": plain.set_index("item", drop=False), "a pivot": wide, "levels": levels,
        "down": plain.assign(value=down), "up": plain.assign(value=up), "mixed": plain.assign(value=mixed),
        "labels": plain.assign(value=labels),
        "an array": np.array([[1, 2], [2, 2], [3, 1]]), "a row": np.array([1, 2]), "a cube": np.zeros((2, 2, 2)),
        "nothing": np.zeros((0, 2)), "gaps": np.array([[1, np.nan], [2, 2]]), "a number": 3,
    }  # fmt: skip
    return {name: said(lambda one=one: read_as(accord.read(one))) for name, one in asked.items()}


def rated(rows, raters=3, **more):
    """Ratings of so many items by raters in turn."""
    cells = {"item": [f"i{n // raters}" for n in range(rows)], "rater": [f"R{n % raters}" for n in range(rows)]}
    return build_ratings({**cells, "value": [1 + n % 5 for n in range(rows)], **more})


def asked():
    """Questions that ratings cannot answer, and rows that nobody has."""
    ratings = rated(12, system=[f"S{n % 2}" for n in range(12)])
    again = {
        "by a column": accord.read(io.StringIO("item,rater,value,system\na,x,1,S\na,y,2,S\na,x,3,T\na,y,1,T\n")),
        "by none": accord.read(frame(item=["a"] * 4, rater=list("xyxy"), value=[1, 2, 2, 1], occasion=[1, 1, 2, 2])),
    }  # fmt: skip
    found = {
        "not ratings": lambda: checks.require_ratings("t.csv", "agreement"),
        **{name: lambda one=one: [checks.require_single(one), checks.told_apart_by(one)]
           for name, one in again.items()},
        **{f"where {one}": lambda one=one: len(only_rows(ratings, one))
           for one in ([], ["system=S0"], ["system=S0", "system=S1"], ["system=x"], ["system"], ["=x"], ["no=x"],
                       ["item=i0", "rater=R1"], ["item=i0", "rater=x"])},
        **{f"role {one}": lambda one=one: accord.read(io.StringIO(PLAIN), **one)
           for one in ({"rater": "no"}, {"valeu": "value"}, {"value": ["value", "no"]}, {"criterion": "value"})},
        "an engine for a frame": lambda: accord.read(ratings.to_frame(), engine="duckdb"),
        "an engine that is not there": lambda: accord.read(io.StringIO(PLAIN), engine="odd"),
        "means between": lambda: read(PLAIN + "i0,R0,4\n", scale="1,2,3,4,5", duplicates="mean"),
        "means": lambda: read(PLAIN + "i0,R0,4\n", duplicates="mean"),
        "means of labels": lambda: read("item,rater,value\na,x,yes\na,x,no\n", duplicates="mean"),
        "the same rows again": lambda: read(PLAIN + PLAIN.partition("\n")[2]),
        "errors": lambda: read("item,rater,value,severity\na,x,1,minor\na,x,2,major\n"),
        "two columns tell": lambda: read("item,rater,value,turn\na,x,1,1\na,x,2,2\na,y,1,1\n"),
        "no level": lambda: read(PLAIN, level="interval", scale="a,b"),
        "labels of a level": lambda: read("item,rater,value\na,x,bad\na,y,good\n", level="ordinal"),
        "a word of a level": lambda: read(PLAIN + "i9,R0,four\n", level="interval"),
    }  # fmt: skip
    for name, most in (("too empty", True), ("laid out", False)):
        with patch.object(sizes, "is_laid_out", lambda *_, most=most: not most):
            found[name] = (lambda told: lambda: told)(said(lambda: count_source(rated(11)).matrix))
    with patch.object(sizes, "pair_tables_fit", lambda *_: False):
        found["pairs"] = (lambda told: lambda: told)(said(lambda: count_source(rated(12)).pairs()))
    return {name: said(ask) for name, ask in found.items()}


def kinds():
    """Words for people and models, and what is made of a column of them."""
    words = (
        ["human", "model"], ["Mensch", "KI"], ["a", "b"], ["a"], ["human", "other", "model"], ["people", "GPT-4o", ""],
        ["human raters", "claude-3"], ["model", *"abcdefg"], ["humano", "IA", "expert", "novice"],
    )  # fmt: skip
    found = {}
    for given in words:
        rows = [(kind, f"R{at}", f"i{item}") for item in range(2) for at, kind in enumerate(given)]
        for name, order in (("raters", (0, 1, 2)), ("texts", (0, 2, 1))):
            kind, rater, item = (Factor.of([row[at] for row in rows]) for at in order)
            made, told = with_kinds(kind, rater, item)
            found[f"{given} by {name}"] = [" ".join(map(str, made.labels())), *told]
    for names in (
        ["Ann", "gpt-4"],
        ["gpt-4"],
        ["Ann"],
        ["Ann", "gpt-4", "Llama 3"],
        ["x", *(f"gpt-{n}" for n in range(8))],
    ):
        found[f"named {names}"] = list(models_among(Factor.of(names)))
    return found


def stored():
    """Files that are counted where they lie: what they cannot be asked, and what cannot be counted."""
    long = {"t.csv": PLAIN}

    def of(*names, ask=None, **options):
        def asked(folder):
            paths = [folder / name for name in names]
            made = accord.read(paths if len(paths) > 1 else paths[0], engine="duckdb", **options)
            return ask(made) if ask else [made.facts().items, made.rater_names(), *made.notes, str(made.scale)]

        return asked

    few = [(overview, "MOST_LISTED", 3), (stored_ratings, "MOST_LISTED", 3)]
    asked = {
        "plain": (long, of("t.csv"), ()), "a column that is not there": ({"t.csv": "a,b,c\n1,2,3\n"}, of("t.csv"), ()),
        "rows": (long, of("t.csv", ask=lambda made: made.scores), ()),
        "no such thing": (long, of("t.csv", ask=lambda made: [getattr(made, "nothing", "nothing")]), ()),
        "no rater": ({"t.csv": PLAIN + "i9,,1\ni8,,2\n"}, of("t.csv"), ()),
        "no item": ({"t.csv": PLAIN + ",R1,1\n"}, of("t.csv"), ()),
        "no value": ({"t.csv": "item,rater,value\na,R1,\na,R2,NA\n"}, of("t.csv"), ()),
        "odd values": ({"t.csv": PLAIN + "i9,R1,x\ni8,R1,x\n"}, of("t.csv", scale="1..5"), ()),
        "again": ({"t.csv": PLAIN + "i0,R0,2\n"}, of("t.csv", ask=lambda made: [len(made.patterns().codes)]), ()),
        "again in a system": (
            {"t.csv": "item,rater,value,system,document\na,R1,1,S,d\na,R1,2,T,d\na,R2,1,S,d\n"},
            of("t.csv", ask=lambda made: [len(made.patterns().codes)]), ()),
        "memory": (long, of("t.csv", memory="lots"), ()), "little memory": (long, of("t.csv", memory="49MB"), ()),
        "enough memory": (long, lambda folder: [DuckDBEngine([str(folder / "t.csv")], memory="50MB").bytes], ()),
        "a folder": ({"in/t.csv": PLAIN}, of("in"), ()), "no file": ({}, of("t.csv"), ()),
        "damaged": ({"t.parquet": b"PAR1 x PAR1", "u.parquet": b"PAR1 y PAR1"}, of("t.parquet", "u.parquet"), ()),
        "two files": ({"t.csv": PLAIN, "u.csv": OTHER}, of("t.csv", "u.csv"), ()),
        "patterns": (long, of("t.csv", ask=lambda made: [made.patterns()]), [(sizes, "MOST_PATTERN_RATERS", 2)]),
        "pairs": (
            long, of("t.csv", ask=lambda made: [made.pairs()]),
            [(sizes, "MOST_PATTERN_RATERS", 2), (sizes, "MOST_PAIR_RATERS", 2)]),
        "cells": (
            long, of("t.csv", ask=lambda made: [made.item_values()]),
            [(fetched, "MOST_CELLS", 5), (sizes, "MOST_PATTERN_RATERS", 2)]),
    }  # fmt: skip
    found = {name: files(given, ask, patched) for name, (given, ask, patched) in asked.items()}
    for given in (
        {},
        {"level": "ordinal"},
        {"level": "ratio"},
        {"scale": "1,2,3,4,5"},
        {"scale": "1.5..4"},
        {"scale": "1.5..6"},
    ):
        found[f"many values {given}"] = files(long, of("t.csv", **given), few)
    return found


def questionnaires():
    text = "rater,group,scenario,question,value\nR1,g,s,Was it easy?,4\nR2,g,,Was it easy?,2\nR1,g,@rater,Age?,30\n"
    given = {
        "whole": text, "in other words": text.replace("question", "statement").replace("value", "answer"),
        "nothing of the work": "rater,scenario,question,value\nR1,@rater,Age?,30\n",
        "two columns less": "rater,group,who,what\nR1,g,s,x\n", "one less": text.replace("scenario", "round"),
    }  # fmt: skip

    def told(folder):
        made = read_answers(folder / "q.csv")
        return [*read_as(made), made.columns["scenario"].labels()]

    return {name: files({"q.csv": one}, told) for name, one in given.items()}


REFUSED = {
    "refused-workbooks": workbooks,
    "refused-texts": texts,
    "refused-declared": declared,
    "refused-codebooks": codebooks,
    "refused-frames": frames,
    "refused-asked": asked,
    "refused-kinds": kinds,
    "refused-stored": stored,
    "refused-questionnaires": questionnaires,
    "refused-two-codebooks": lambda: files({"a.csv": PLAIN, "b.csv": OTHER}, read_two_codebooks),
}
"""What is recorded of each."""
