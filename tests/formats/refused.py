"""Files and options of every format that are refused or told apart, each once, to be told with the whole sentence."""

import csv
import json
import tempfile
import zipfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pandas as pd
import pyreadstat

import accord
from accord.formats import FORMATS, counted, detect, read, text_tables, write
from accord.formats.describing import write_description
from accord.formats.exported_zip import is_exported_zip, unpacked_table
from accord.formats.imported import Action, Imported, Repair, RepairLog
from accord.formats.text_tables import read_text_table
from accord.formats.writing import format_for
from accord.ratings.build import build_ratings
from formats.every_place import lines_of
from formats.mutations import EXPORTS
from formats.samples import imported_sample
from ratings.refused import book
from small_studies import said


def told(given, ask, patched=()):
    """What is said of files with these contents, without the place of their folder."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        for room, name, value in patched:
            stack.enter_context(patch.object(room, name, value))
        place = Path(folder) / "files"
        for name, content in given.items():
            path = place / name
            path.parent.mkdir(exist_ok=True, parents=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        place.mkdir(exist_ok=True)
        found = said(lambda: ask(place))
    found = [found] if isinstance(found, str) else found
    return [str(line).replace(f"{folder}/", "") for line in found]


def of(name, **options):
    return lambda folder: [*lines_of(found := read(folder / name, **options)), found.reason]


LONG = "item,rater,value\na,x,1\na,y,2\nb,x,2\nb,y,1\n"
COUNTS = {
    "two raters": "Ann / Ben,yes,no\nyes,2,1\nno,0,1\n", "of no names": "x,yes,no\nyes,2,1\nno,0,1\n",
    "by": "Ann by Ben,yes,no\nyes,2,1\nno,0,1\n", "half a corner": "Ann /,yes,no\nyes,2,1\nno,0,1\n",
    "margins": "A\\B,yes,no,total\nyes,2,1,3\nno,0,1,1\nTotal,2,2,4\n",
    "a row of none": "A|B,yes,no\nyes,2,1\nno,0,0\n",
    "semicolons": "A / B;yes;no\nyes;2;1\nno;0;1\n", "shares": "A / B,yes,no\nyes,0.5,0.2\nno,0.1,0.2\n",
    "thousands": "A / B,yes,no\nyes,\"1,0\",1\nno,,1\n", "names that differ": "A / B,yes,no\nyes,2,1\nmaybe,0,1\n",
    "a cell too few": "A / B,yes,no\nyes,2\nno,0,1\n", "one category": "A / B,yes\nyes,2\n",
    "one column": "A / B\nyes\n",
    "items": "item,a,b\n1,3,0\n2,2,1\n3,1,2\n4,0,3\n5,3,0\n", "four items": "item,a,b\n1,3,0\n2,2,1\n3,1,2\n4,0,3\n",
    "unlike sums": "item,a,b\n1,3,0\n2,2,1\n3,1,2\n4,0,3\n5,3,1\n",
    "one each": "item,a,b\n1,1,0\n2,0,1\n3,1,0\n4,0,1\n5,1,0\n",
    "rankings": "item,a,b,c\n1,1,2,0\n2,2,1,0\n3,0,1,2\n4,1,0,2\n5,2,0,1\n",
    "no nought": "item,a,b\n1,2,1\n2,1,2\n3,2,1\n4,1,2\n5,2,1\n",
    "item twice": "item,a,b\n1,3,0\n2,2,1\n3,1,2\n4,0,3\n4,3,0\n",
    "nobody": "item,a,b\n1,0,0\n2,2,1\n3,1,2\n4,0,3\n5,3,0\n",
    "patterns": "Ann,Ben,count\nyes,yes,2\nyes,no,1\nno,,0\n", "half a pattern": "Ann,Ben,n\nyes,yes,1.5\nyes,no,1\n",
    "two columns of counts": "Ann,n,count\nyes,2,2\nno,1,1\n", "a pattern too short": "Ann,Ben,n\nyes,yes\n",
    "few columns": "item,a\n1,2\n",
    "nothing": "\n",
}  # fmt: skip


def counts():
    found = {}
    for name, text in COUNTS.items():
        found[name] = told(
            {"t.csv": text}, lambda folder: [detect(folder / "t.csv")[0].name, detect(folder / "t.csv")[1]]
        )
        for format in ("contingency", "counts"):
            found[f"{name} as {format}"] = told({"t.csv": text}, of("t.csv", format=format))
    for format, name, number in (("contingency", "two raters", 4), ("counts", "items", 15), ("counts", "patterns", 6)):
        for most in (number - 1, number):
            found[f"{name} {most}"] = told(
                {"t.csv": COUNTS[name]}, of("t.csv", format=format), [(counted, "_MOST", most)]
            )[:1]
    return found


TABLE = [["item", "fluency", "adequacy"], ["a", 1, 2], ["b", 3, 4], ["c", 2, 2]]
PEOPLE = [["item", "Rater 1", "Rater 2"], *TABLE[1:]]
BOOKS = {
    "raters": {"Rater 1": TABLE, "Rater 2": TABLE}, "criteria": {"fluency": PEOPLE, "adequacy": PEOPLE},
    "either": {"One": [["item", "p", "q"], *TABLE[1:]], "Two": [["item", "p", "q"], *TABLE[1:]]},
    "one table": {"Rater 1": TABLE}, "columns of both": {t: [["item", "rater", "value"], ["a", "x", 1]] for t in "ST"},
    "who in a column": {t: [["item", "Annotator", "score"], ["a", "x", 1]] for t in "ST"},
    "another sheet": {"Rater 1": TABLE, "Rater 2": TABLE, "Note": [["x", "y", "z"], ["1", "2", "3"]]},
    "titles": {n: [["My study"], *TABLE] for n in ("Rater 1", "Rater 2")},
    "texts beside": {n: [["item", "source", "fluency", "comment", "mean", "document"],
                         ["a", "A text.", 1, "hm", 1.5, "d"], ["b", "Another.", 2, None, 2, "d"]]
                     for n in ("Rater 1", "Rater 2")},
    "errors": {n: [*TABLE, ["d", "#DIV/0!", "#N/A"], ["e", True, "NA"], [None, 1, 2], ["f", 1, 2, 9]]
               for n in ("Rater 1", "Rater 2")},
    "two names": {n: [["document", "segment", "fluency"], ["d", 1, 2], ["d", 2, 3]] for n in ("Rater 1", "Rater 2")},
    "all sorts": {"Ann": [["item", "fluency"], ["a", 1]], "fluency": [["item", "fluency"], ["a", 2]]},
}  # fmt: skip


def workbooks():
    found = {}
    for name, sheets in BOOKS.items():
        data = {"t.xlsx": book(sheets)}
        found[name] = told(data, of("t.xlsx"))
        for kind in ("raters", "criteria"):
            found[f"{name} as {kind}"] = told(data, of("t.xlsx", format=f"xlsx-{kind}"))
        found[f"{name}, a sheet"] = told(data, of("t.xlsx", sheet=1))
    return found


TEXTS = {
    "lines": "One text.\nAnother one.\n", "one line": "Only one text, with a comma.", "nothing": " \n",
    "tabs": "a\tb\nc\td\n",
    "half tabs": "a\tb\nc\nd\te\nf\n", "fewer tabs": "a\tb\nc\nd\ne\n", "commas": "a,b\nc,d\n",
    "a comma in one": "a,b\nc,d,e\n",
    "semicolons": "a;b\nc;d\n", "names": "id,text\n1,Hello there.\n2,Bye.\n",
    "a sentence first": "id,A text.\n1,Hello.\n",
    "twice": "text,text\na,b\n", "an empty name": "text,\na,b\n", "long": f"id,{'x' * 40}\n1,a\n",
    "too long": f"id,{'x' * 41}\n1,a\n",
    "a quotation mark": 'a,b\n"c,d\n', "objects": '{"id": 1, "text": "a"}\n{"id": 2, "more": {"x": null, "y": 2}}\n',
    "a list": '[{"text": "a"}, {"text": "b"}]', "half a list": '[{"text": "a"}', "no objects": "[1, 2]",
        "empty list": "[]",
    "deep": "[" * 5000, "xliff": (EXPORTS / "xliff-12.xlf").read_text(encoding="utf-8"), "gaps": "a,b\n\n,\nc,d\n",
    "binary": b"\x00\x01\x02", "ragged": "a\tb\tc\nd\te\tf\ng\n",
    "sheets": book({"S": [["id", "text"], [1, "a"]], "T": [["id", "text"], [1, "a"], [None, None], [2, "b"]]}),
    "no sheet": b"PK\x03\x04 nothing",
}  # fmt: skip


def texts():
    """Texts as people paste them: how they are parted, and whether the first row names the columns."""

    def asked(content, name, has_names):
        data = content if isinstance(content, bytes) else content.encode()
        made = read_text_table(data, name, has_names=has_names)
        return [made.told, *map(str, (made.columns, made.languages, made.numbers, made.number_of(1), made.rows[:4]))]

    found = {}
    for name, content in TEXTS.items():
        for file, has_names in (("t.csv", None), ("pasted", None), ("t.csv", True), ("t.csv", False)):
            found[f"{name} {file} {has_names}"] = said(lambda c=content, f=file, h=has_names: asked(c, f, h))
    for mark, most, text in (("_MOST_ROWS", 3, "a\tb\n" * 3), ("_MOST_ROWS", 2, "a\tb\n" * 3), ("_MOST_COLUMNS", 2,
        "a\tb\n"),
                             ("_MOST_COLUMNS", 1, "a\tb\n")):  # fmt: skip
        with patch.object(text_tables, mark, most):
            found[f"{mark} {most}"] = said(lambda text=text: asked(text, "t.tsv", None))
    limit = csv.field_size_limit(20)
    found["cell"] = said(lambda: asked("a\t" + "b" * 30 + "\n", "t.tsv", None))
    csv.field_size_limit(limit)
    return found


def statistics():
    """Files of SPSS with labels, measures and values that are declared missing; what is no such file."""
    long = pd.DataFrame({"item": ["a", "a", "b", "b"], "rater": [1, 2, 1, 2], "value": [1, 2, 2, 9]})
    wide = pd.DataFrame({"item": ["a", "b", "c"], "Ann": [1, 2, 3], "Ben": [2, 2, 9], "note": ["x", "", "NA"]})
    named = {"1": "bad", "2": "fair", "3": "good"}
    full = {int(code): word for code, word in named.items()}
    made = {
        "plain": (long, {}), "labels": (long, {"variable_value_labels": {"value": full | {9: "none"}}}),
        "labels of some": (long, {"variable_value_labels": {"value": full}}),
        "labels and missing": (long, {"variable_value_labels": {"value": full | {9: "none"}},
                                      "missing_ranges": {"value": [9]}}),
        "a range missing": (long, {"missing_ranges": {"value": [{"lo": 2, "hi": 9}]}}),
        "names of raters": (long, {"variable_value_labels": {"rater": {1: "Ann", 2: "Ben"}}}),
        **{f"measured {kind}": (long, {"variable_value_labels": {"value": full | {9: "none"}},
                                       "variable_measure": {"value": kind}}) for kind in ("nominal", "ordinal",
                                           "scale")},
        "wide": (wide, {"variable_value_labels": {"Ann": full | {9: "x"}, "Ben": full | {9: "x"}}}),
        "unlike labels": (wide, {"variable_value_labels": {"Ann": full | {9: "x"}, "Ben": full}}),
        "a text missing": (wide, {"missing_ranges": {"note": ["x"]}}), "no rows": (long[:0], {}),
    }  # fmt: skip
    found = {}
    for name, (frame, more) in made.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "t.sav"
            pyreadstat.write_sav(frame, str(path), **more)
            found[name] = [
                line.replace(folder, "FOLDER") for line in _list(said(lambda path=path: lines_of(read(path))))
            ]
    cut = told({"t.sav": b"$FL2 nothing"}, of("t.sav"))
    for format, file in (("spss", "t.sav"), ("stata", "t.dta"), ("sas", "t.sas7bdat"), ("sas", "t.xpt")):
        found[f"no {file}"] = told({file: LONG}, of(file, format=format))
    return found | {"cut": cut}


def _list(told):
    return [told] if isinstance(told, str) else told


def odd_samples():
    """Ratings that some formats cannot hold: sets, labels, gaps, several rounds, odd names."""
    base = {"item": ["a", "a", "b", "b"], "rater": ["x", "y", "x", "y"]}
    again = {name: cells * 2 for name, cells in base.items()}
    yield "labels", imported_sample(labels=True)
    yield (
        "sets",
        Imported(build_ratings({**base, "value": [frozenset("pq"), frozenset("p"), frozenset("q"), frozenset("pq")]})),
    )
    yield "gaps", Imported(build_ratings({**base, "value": [1, None, 2, 1]}))
    yield (
        "rounds",
        Imported(build_ratings({**again, "value": [1, 2, 2, 1, 2, 2, 1, 1], "phase": ["1"] * 4 + ["2"] * 4})),
    )
    yield "no answers", Imported(build_ratings({**base, "value": ["NA", "good", "none", "good"]}, missing=("",)))
    yield (
        "odd names",
        Imported(build_ratings({"item": ["=a", "#b"], "rater": ["a/b", "A/B"], "value": [1, 2], "my own": ["p", "q"]})),
    )
    yield (
        "numbers",
        Imported(
            build_ratings({**base, "value": [1, 2, 2, 1], "time_s": [1.5, 2.0, None, 3.25], "order": [1, 2, 3, 4]})
        ),
    )
    kept = imported_sample(spans=False)
    codebook = replace(kept.ratings.codebook, kept_apart=("system", "wave"))
    yield "kept apart", replace(kept, ratings=replace(kept.ratings, codebook=codebook))


def losses():
    """What each format cannot hold of odd ratings, in words, and how many come back."""
    found = {}
    for name, sample in odd_samples():
        for format, spec in FORMATS.items():
            if spec.writes is None:
                continue

            def ask(folder, sample=sample, format=format, spec=spec):
                path = folder / f"t{[*spec.suffixes, '.csv'][0]}"
                lost = write(sample, path, to=format)
                again = said(lambda: lines_of(read(path, format=format)))
                return [*lost, *(again[1:9] if isinstance(again, list) else [again])]

            found[f"{name} to {format}"] = told({}, ask)
    return found


def asked():
    """Paths and options that cannot be."""
    sample = imported_sample(spans=False)
    zipped = {"t.csv": LONG, "datapackage.json": "{}"}

    def archive(folder, names):
        path = folder / "t.zip"
        with zipfile.ZipFile(path, "w") as made:
            for name in names:
                made.writestr(name, zipped.get(name, "x"))
        return path

    names = (["t.csv", "datapackage.json"], ["t.csv", "t.csv.datapackage.json"], ["t.csv"], ["datapackage.json"],
             ["t.csv", "u.csv", "datapackage.json"], ["a/t.csv", "datapackage.json"], ["t.csv", "datapackage.json",
                 "x"])  # fmt: skip
    found = {
        f"zip of {given}": told({}, lambda folder, given=given: [is_exported_zip(archive(folder, given))])
        for given in names
    }
    ways = {
        "a damaged zip": ({"t.zip": b"PK nothing"}, lambda folder: [is_exported_zip(folder / "t.zip"),
            unpacked_table(folder / "t.zip").__enter__()]),
        "a table called zip": ({"t.txt": b"x"}, lambda folder: [is_exported_zip(folder / "t.txt")]),
        "a folder": ({}, lambda folder: write(sample, folder, to="csv", force=True)),
        "there already": ({"t.csv": LONG}, lambda folder: write(sample, folder / "t.csv")),
        "a folder that is a format": ({}, lambda folder: write(sample, folder / "new", to="mt-metrics-eval")),
        "no ending": ({}, lambda folder: [format_for(Path("t.odd"))]),
        "read only": ({}, lambda folder: [format_for(Path("t.csv"), "marot")]),
        "no format": ({"t.csv": LONG}, of("t.csv", format="odd")),
        "columns of a tool": ({"t.json": (EXPORTS / "argilla.json").read_bytes()}, of("t.json", format="argilla",
            item="id")),
        "columns of what looks like a tool": ({"t.tsv": (EXPORTS / "google-mqm.tsv").read_bytes()}, of("t.tsv",
            value="severity")),
        "an option that is not there": ({"t.csv": LONG}, of("t.csv", vlaue="x")),
        "segments": ({"t.csv": LONG}, of("t.csv", segments="name")),
        "strict": ({"t.json": (EXPORTS / "argilla.json").read_bytes()}, of("t.json", strict=True)),
        "strict and well": ({"t.csv": LONG}, of("t.csv", strict=True)),
        "half of JSON": ({"t.json": '{"a": [1, 2'}, of("t.json", format="inspect")),
        "no JSON": ({"t.json": '{"a": nothing}'}, of("t.json", format="inspect")),
        "too deep": ({"t.json": "[" * 99999}, of("t.json", format="inspect")),
        "pages": ({"t.json": json.dumps({"rows": [1, {"row": {}}]})}, of("t.json", format="huggingface")),
        "no pages": ({"t.json": json.dumps({"rows": []})}, of("t.json", format="huggingface")),
        "pages cut": ({"t.json": json.dumps({"rows": [{"row": {"item": 1}, "truncated_cells": ["item"]}]})},
            of("t.json", format="huggingface")),
        "classes": ({"t.json": json.dumps({
            "features": [{"name": "value", "type": {"_type": "ClassLabel", "names": ["no", "yes"]}}],
            "rows": [{"row": {"item": n, "rater": "x", "value": v}} for n, v in enumerate((0, 1, -1, 2, None))]})},
            of("t.json", format="huggingface")),
        "two formats": ({"a.csv": LONG, "b.tsv": (EXPORTS / "google-mqm.tsv").read_bytes()},
                        lambda folder: [len(accord.read([folder / "a.csv", folder / "b.tsv"]))]),
        "described, a folder": ({}, lambda folder: [write_description(folder, sample.ratings, {})]),
        "described, several": ({}, lambda folder: [write_description(folder / "*.csv", sample.ratings, {})]),
        "described": ({"t.csv": LONG}, lambda folder: [
            write_description(folder / "t.csv", accord.read(folder / "t.csv"),
                {"columns": ["item=item"]}).read_text()]),
        "described, wide": ({"t.csv": "text,Ann,Ben\na,1,2\nb,2,2\n"}, lambda folder: [
            write_description(folder / "t.csv", accord.read(folder / "t.csv"), {"item": ["text"]}).read_text()]),
    }  # fmt: skip
    found |= {name: told(given, ask) for name, (given, ask) in ways.items()}
    for number in (1, 2, 5, 6, 7):
        entries = tuple(Repair(action, f"reason {n % number}", n) for n in range(12) for action in Action)
        log = RepairLog(entries)
        found[f"repairs of {number} reasons"] = [log.summary(), said(lambda log=log: log.refuse("t.csv"))]
    return found


REFUSED = {
    "refused-counts": counts, "refused-workbooks": workbooks, "refused-texts": texts, "refused-statistics": statistics,
    "refused-losses": losses, "refused-asked": asked,
}  # fmt: skip
"""What is recorded of each."""
