"""Excel workbooks, SPSS files, rows of datasets, and plain tables."""

import json
import struct
import zipfile

import numpy as np
import openpyxl
import pyreadstat
import pytest
from pandas import DataFrame

import accord
from accord.design.scale import Level
from accord.errors import FormatError, OperationError, UnreadableFileError
from accord.formats import read, write
from formats.samples import imported_sample, rated, written


def workbook(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_sheets_named_like_raters_are_raters(tmp_path):
    rows = [["item", "fluency", "style"], ["i1", 3, "good"], ["i2", None, "bad"]]
    imported = read(workbook(tmp_path / "a.xlsx", {"Rater 1": rows, "Rater 2": rows}))
    assert imported.format == "xlsx-raters"
    assert rated(imported)["i1", "Rater 2", "style"] == "good"
    assert imported.ratings.missing == 2


def test_columns_named_like_raters_make_sheets_criteria(tmp_path):
    rows = [["item", "rater 1", "rater 2"], ["i1", 3, 4], ["i2", 1, 2]]
    imported = read(workbook(tmp_path / "a.xlsx", {"fluency": rows, "style": rows}))
    assert imported.format == "xlsx-criteria"
    assert rated(imported)["i2", "rater 2", "style"] == 2.0


@pytest.mark.parametrize(
    ("sheets", "columns", "format"),
    [(("Anna", "Bert"), ("fluency", "adequacy"), "raters"), (("fluency", "adequacy"), ("Anna", "Bert"), "criteria")],
)
def test_names_of_usual_criteria_tell_what_sheets_are(tmp_path, sheets, columns, format):
    rows = [["item", *columns], ["i1", 3, "n/a"], ["i2", 1, 2]]
    imported = read(workbook(tmp_path / "a.xlsx", dict.fromkeys(sheets, rows)))
    assert imported.format == f"xlsx-{format}"
    assert len(imported.ratings) == 6
    assert imported.ratings.missing == 2


def test_titles_above_a_table_and_sheets_without_one_are_in_the_log(tmp_path):
    table = [["item", "fluency"], ["i1", 3], ["i2", 1]]
    sheets = {"Anna": [["The pilot"], [], *table], "Bert": table, "Notes": [["read me"], ["twice"]]}
    imported = read(workbook(tmp_path / "a.xlsx", sheets))
    assert imported.ratings.raters == 2
    assert rated(imported)["i1", "Anna", "fluency"] == 3.0
    assert [(entry.file, entry.line) for entry in imported.log] == [("Anna", 1), ("Notes", 1), ("Notes", 2)]


def test_a_workbook_whose_names_do_not_tell_must_be_named(tmp_path):
    rows = [["item", "x", "y"], ["i1", 3, 4]]
    path = workbook(tmp_path / "a.xlsx", {"eins": rows, "zwei": rows})
    with pytest.raises(FormatError, match="--format"):
        read(path)
    assert rated(read(path, format="xlsx-raters"))["i1", "eins", "x"] == 3.0
    assert rated(read(path, format="xlsx-criteria"))["i1", "x", "eins"] == 3.0


def test_error_cells_and_rows_without_an_item_are_named_with_sheet_and_line(tmp_path):
    rows = [["item", "fluency"], ["i1", "#N/A"], [None, 3], ["i2", 2]]
    log = read(workbook(tmp_path / "a.xlsx", {"rater 1": rows, "rater 2": [["item", "fluency"], ["i2", 1]]})).log
    assert [(entry.file, entry.line) for entry in log] == [("rater 1", 2), ("rater 1", 3)]


def test_a_workbook_that_swells_when_unpacked_is_refused_before_it_is_opened(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/worksheets/sheet1.xml", bytes(123_457))
    # The archive says that the sheet unpacks to 600 MB, as a bomb of 600 KB does.
    path.write_bytes(path.read_bytes().replace(struct.pack("<I", 123_457), struct.pack("<I", 600 << 20)))
    with pytest.raises(UnreadableFileError, match=r"512 MB"):
        read(path)
    with pytest.raises(UnreadableFileError, match=r"512 MB"):
        read(path, format="xlsx-raters")


def test_text_that_looks_like_a_formula_is_written_as_text(tmp_path):
    ratings = accord.read(DataFrame({"item": ["=1+1", "b"], "rater": ["@x()", "-y"], "value": ["+a", "2"]}))
    imported = imported_sample(spans=False)
    formula = type(imported)(ratings)
    for name in ("a.xlsx", "r.xlsx"):
        write(formula, tmp_path / name, to="xlsx" if name == "a.xlsx" else "xlsx-raters")
        book = openpyxl.load_workbook(tmp_path / name)
        kinds = {cell.data_type for sheet in book for row in sheet for cell in row if cell.value is not None}
        assert "f" not in kinds
    lost = write(formula, tmp_path / "a.csv")
    text = (tmp_path / "a.csv").read_text()
    assert "'=1+1" in text and "'@x()" in text and "'-y" in text
    assert any("apostrophe" in sentence for sentence in lost)


def test_negative_numbers_are_no_formulas(tmp_path):
    ratings = accord.read(DataFrame({"item": ["a", "b"], "rater": ["x", "x"], "value": [-5.1, 2]}))
    assert write(type(imported_sample())(ratings), tmp_path / "a.csv") == ()
    assert "a,x,-5.1" in (tmp_path / "a.csv").read_text()


def test_spss_value_labels_become_a_declared_scale_and_user_missing_values_no_ratings(tmp_path):
    frame = DataFrame({"item": ["i1", "i2", "i3"], "rater1": [1.0, 3.0, 9.0], "rater2": [2.0, np.nan, 1.0]})
    labels = {1.0: "bad", 2.0: "fair", 3.0: "good", 4.0: "best", 9.0: "no idea"}
    pyreadstat.write_sav(
        frame, tmp_path / "s.sav", variable_value_labels={"rater1": labels, "rater2": labels},
        missing_ranges={"rater1": [9], "rater2": [9]}, variable_measure={"rater1": "ordinal", "rater2": "ordinal"},
    )  # fmt: skip
    imported = read(tmp_path / "s.sav")
    assert imported.format == "spss"
    assert rated(imported) == {
        ("i1", "rater1"): 1.0,
        ("i2", "rater1"): 3.0,
        ("i1", "rater2"): 2.0,
        ("i3", "rater2"): 1.0,
    }
    scale = imported.ratings.scale
    assert (scale.level, scale.values, scale.declared) == (Level.ORDINAL, (1.0, 2.0, 3.0, 4.0), True)
    assert scale.labels[4.0] == "best"
    assert imported.ratings.missing == 2
    assert any("declared missing" in note for note in imported.ratings.notes)


def test_spss_labels_of_raters_become_their_names(tmp_path):
    frame = DataFrame({"item": ["i1", "i1"], "rater": [1.0, 2.0], "value": [10.0, 20.0]})
    pyreadstat.write_sav(frame, tmp_path / "s.sav", variable_value_labels={"rater": {1.0: "Anna", 2.0: "Bert"}})
    assert rated(read(tmp_path / "s.sav")) == {("i1", "Anna"): 10.0, ("i1", "Bert"): 20.0}


def test_a_truncated_spss_file_is_one_sentence(tmp_path):
    write(imported_sample(spans=False), tmp_path / "s.sav")
    whole = (tmp_path / "s.sav").read_bytes()
    (tmp_path / "cut.sav").write_bytes(whole[:200])
    with pytest.raises(UnreadableFileError, match="SPSS"):
        read(tmp_path / "cut.sav")


def test_class_numbers_of_a_dataset_become_names(tmp_path):
    import pyarrow
    import pyarrow.parquet

    features = {
        "label": {"names": ["neg", "pos"], "_type": "ClassLabel"},
        "item": {"dtype": "string", "_type": "Value"},
    }
    table = pyarrow.table({"item": ["a", "a", "b", "b"], "annotator": ["x", "y", "x", "y"], "label": [0, 1, -1, 7]})
    metadata = {"huggingface": json.dumps({"info": {"features": features}})}
    pyarrow.parquet.write_table(table.replace_schema_metadata(metadata), tmp_path / "d.parquet")
    imported = read(tmp_path / "d.parquet")
    assert imported.format == "huggingface"
    assert rated(imported) == {("a", "x"): "neg", ("a", "y"): "pos"}
    assert imported.ratings.missing == 2
    assert [(entry.line, entry.action) for entry in imported.log] == [(4, "dropped")]


def test_a_page_of_dataset_rows_is_read_and_a_cut_cell_refused(tmp_path):
    page = {
        "features": [{"feature_idx": 0, "name": "value", "type": {"_type": "ClassLabel", "names": ["no", "yes"]}}],
        "rows": [
            {"row_idx": i, "row": {"item": "a", "rater": r, "value": v}}
            for i, (r, v) in enumerate([("x", 1), ("y", 0)])
        ],
    }
    assert rated(read(written(tmp_path / "page.json", page))) == {("a", "x"): "yes", ("a", "y"): "no"}
    page["rows"][0]["truncated_cells"] = ["value"]
    with pytest.raises(UnreadableFileError, match="cut off"):
        read(written(tmp_path / "page.json", page))


def test_a_wide_table_is_read_when_it_is_named(tmp_path):
    path = written(tmp_path / "w.csv", "item,Anna,Bert\ni1,good,bad\ni2,bad,\n")
    imported = read(path, format="wide-csv")
    assert rated(imported) == {("i1", "Anna"): "good", ("i1", "Bert"): "bad", ("i2", "Anna"): "bad"}


def test_frames_and_plain_files_pass_straight_to_the_ratings_room(tmp_path):
    frame = DataFrame({"item": ["a", "a"], "rater": ["x", "y"], "value": [1, 2]})
    assert len(accord.read(frame)) == 2
    frame.to_csv(tmp_path / "plain.csv", index=False)
    assert accord.read(tmp_path / "plain.csv").fingerprint == accord.read(frame).fingerprint


def test_accord_read_recognises_a_tools_file_and_says_so(tmp_path):
    from formats.samples import GOOGLE_MQM

    ratings = accord.read(written(tmp_path / "x.tsv", GOOGLE_MQM))
    assert ratings.notes[0].startswith("read as google-mqm: the header names")


def test_naming_columns_makes_a_tools_file_a_plain_table(tmp_path):
    from formats.samples import GOOGLE_MQM

    path = written(tmp_path / "x.tsv", GOOGLE_MQM.replace('"', ""))
    ratings = accord.read(path, item="seg_id", rater="rater", value="severity", duplicates="first")
    assert ratings.level is Level.NOMINAL


@pytest.mark.parametrize("installed", ["pandas", "polars", ""])
def test_spss_files_are_written_with_whichever_frame_library_there_is(tmp_path, monkeypatch, installed):
    from accord.formats import spss

    def only(name):
        if name != installed:
            raise ImportError(name)
        return __import__(name)

    monkeypatch.setattr(spss, "import_module", only)
    before = imported_sample(spans=False)
    if not installed:
        with pytest.raises(OperationError, match="pip install pandas"):
            write(before, tmp_path / "s.sav")
        return
    write(before, tmp_path / "s.sav")
    assert rated(read(tmp_path / "s.sav")) == rated(before)


def test_rows_beyond_a_stale_note_of_the_sheet_s_size_are_read(tmp_path):
    import re
    import zipfile

    book = openpyxl.Workbook()
    book.active.append(["item", "rater", "value"])
    for number in range(41):
        book.active.append([f"i{number // 2}", f"r{number % 2}", number % 3])
    book.save(tmp_path / "whole.xlsx")
    with zipfile.ZipFile(tmp_path / "whole.xlsx") as old, zipfile.ZipFile(tmp_path / "stale.xlsx", "w") as new:
        for part in old.infolist():
            content = old.read(part)
            if part.filename.endswith("sheet1.xml"):
                content, changed = re.subn(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:C10"', content)
                assert changed == 1
            new.writestr(part, content)
    assert len(accord.read(tmp_path / "stale.xlsx")) == 41


@pytest.mark.parametrize("beside", ["System", "Document", "Segment"])
def test_an_id_beside_a_part_of_the_item_names_it_in_sheets_as_in_a_plain_table(tmp_path, beside):
    parts = [("s1", "A"), ("s1", "B"), ("s2", "A"), ("s2", "B")] if beside == "System" else [("s1", "a"), ("s2", "b")]
    rows = [[*part, place % 3 + 1] for place, part in enumerate(parts)]
    sheets = {rater: [["ID", beside, "Fluency"], *rows] for rater in ("Anna", "Bert")}
    ratings = read(workbook(tmp_path / "a.xlsx", sheets)).ratings
    lines = [f"ID,{beside},rater,Fluency"]
    lines += [",".join(map(str, [*row[:2], rater, row[2]])) for rater in sheets for row in rows]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    plain = read(tmp_path / "a.csv").ratings
    assert list(ratings.scales) == ["Fluency"]
    assert list(ratings.item.labels()) == list(plain.item.labels())
    assert list(ratings.columns[beside.lower()].labels()) == list(plain.columns[beside.lower()].labels())
    assert "An item is taken to be ID" in ratings.notes


def test_document_and_segment_name_the_item_of_a_sheet_together(tmp_path):
    table = [["Document", "Segment", "Fluency", "Adequacy"], ["d1", 1, 2, 3], ["d1", 2, 3, 3], ["d2", 1, 1, 2]]
    ratings = read(workbook(tmp_path / "a.xlsx", {"Anna": table, "Bert": table})).ratings
    assert list(ratings.item.names) == ["d1|1", "d1|2", "d2|1"]


def _workbook(path, sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in [("ID", "Annotator", "Fluency"), *rows]:
            sheet.append(row)
    book.save(path)
    return path


def test_sheets_that_name_the_same_raters_are_systems(tmp_path):
    rows = {
        f"System {name}": [(item, rater, 1 + (item + place) % 5) for item in range(6) for rater in ("Ann", "Bob")]
        for place, name in enumerate("ABC")
    }
    ratings = accord.read(_workbook(tmp_path / "systems.xlsx", rows | {"Legend": []}))
    assert (len(ratings), set(ratings.columns["system"].names)) == (36, set(rows))
    assert any("each sheet is taken as a system: System A, System B, System C" in note for note in ratings.notes)
    assert len(accord.read(tmp_path / "systems.xlsx", sheet="System B")) == 12


def test_sheets_of_other_raters_are_one_table_and_a_copied_sheet_is_not_read(tmp_path):
    ann, bob = ([(item, rater, 1 + item % 5) for item in range(6)] for rater in ("Ann", "Bob"))
    ratings = accord.read(_workbook(tmp_path / "raters.xlsx", {"one": ann, "two": bob}))
    assert (ratings.items, ratings.raters, "system" in ratings.columns) == (6, 2, False)
    copied = accord.read(_workbook(tmp_path / "copied.xlsx", {"data": [*ann, *bob], "data (2)": [*ann, *bob]}))
    assert (len(copied), "system" in copied.columns) == (12, False)
