"""Reading ratings from files, frames and arrays."""

import gzip
import io
import json
from itertools import product

import numpy as np
import pytest

from accord.design.scale import Level
from accord.errors import (
    ColumnError,
    FormatError,
    InputError,
    OptionError,
    RatingsError,
    UnreadableFileError,
)
from accord.ratings.apart import kept_apart
from accord.ratings.checks import require_single
from accord.ratings.read import read

LONG = "item,rater,value\n1,ann,3\n1,bob,4\n2,ann,0\n2,bob,NA\n"


@pytest.fixture
def written(tmp_path):
    def write(content, name="ratings.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


def triples(ratings):
    items, raters = ratings.item.labels(), ratings.rater.labels()
    return sorted(zip(items, raters, ratings.labels(), strict=True))


EXPECTED = [("1", "ann", 3.0), ("1", "bob", 4.0), ("2", "ann", 0.0)]


def test_zero_is_a_score_and_missing_ratings_are_counted(written):
    ratings = read(written(LONG))
    assert triples(ratings) == EXPECTED
    assert ratings.missing == 1
    assert any("1 rating is missing" in note for note in ratings.notes)


def frames():
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    columns = {"item": [1, 1, 2, 2], "rater": ["ann", "bob", "ann", "bob"], "value": [3.0, 4.0, 0.0, None]}
    return [pd.DataFrame(columns), pl.DataFrame(columns), pa.table(columns), pl.DataFrame(columns).lazy()]


@pytest.mark.parametrize("place", range(4))
def test_every_frame_gives_the_same_ratings_and_fingerprint_as_the_file(written, place):
    ratings = read(frames()[place])
    assert triples(ratings) == EXPECTED
    assert ratings.missing == 1
    assert ratings.fingerprint == read(written(LONG)).fingerprint


@pytest.mark.parametrize("name", ["r.tsv", "r.jsonl", "r.json", "r.parquet", "r.xlsx", "r.csv.gz", "r.csv"])
def test_every_kind_of_file_gives_the_same_ratings(tmp_path, name):
    frame = frames()[0]
    path = tmp_path / name
    records = [
        {key: None if value != value else value for key, value in record.items()} for record in frame.to_dict("records")
    ]
    if name == "r.parquet":
        frame.to_parquet(path)
    elif name == "r.xlsx":
        frame.to_excel(path, index=False)
    elif name == "r.jsonl":
        path.write_text("\n".join(map(json.dumps, records)))
    elif name == "r.json":
        path.write_text(json.dumps(records, indent=1))
    elif name == "r.csv.gz":
        path.write_bytes(gzip.compress(LONG.encode()))
    else:
        frame.to_csv(path, index=False, sep="\t" if name == "r.tsv" else ";")
    ratings = read(path)
    assert triples(ratings) == EXPECTED
    assert ratings.missing == 1
    assert ratings.source == name


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_letters_survive_every_encoding(written, encoding):
    ratings = read(written("item,rater,value\n1,Zoë,3\n1,Bob,4\n", encoding=encoding))
    assert set(ratings.rater.names) == {"Zoë", "Bob"}
    guessed = any("was read as" in note for note in ratings.notes)
    assert guessed == (encoding in ("utf-16-le", "cp1252"))


def test_an_encoding_can_be_named(written):
    path = written("item,rater,value\n1,Łucja,3\n1,Bob,4\n", encoding="cp1250")
    assert "Łucja" in read(path, encoding="cp1250").rater.names
    with pytest.raises(OptionError, match="not known"):
        read(path, encoding="martian")
    with pytest.raises(UnreadableFileError, match="not text in ascii"):
        read(path, encoding="ascii")


def test_the_order_of_rows_does_not_change_the_fingerprint(written):
    head, *rows = LONG.splitlines()
    backwards = "\n".join([head, *reversed(rows)])
    assert read(written(backwards)).fingerprint == read(written(LONG)).fingerprint
    assert read(written(LONG.replace("bob,4", "bob,3"))).fingerprint != read(written(LONG)).fingerprint


def test_decimal_commas_are_read_and_said(written):
    ratings = read(written("item;rater;value\n1;a;2,5\n1;b;3\n"))
    assert [value for *_, value in triples(ratings)] == [2.5, 3.0]
    assert any("decimal commas: 2,5 as 2.5" in note for note in ratings.notes)


def test_quoted_newlines_stay_in_the_cell_and_errors_name_the_true_line(written):
    text = 'item,rater,value,comment\n1,a,3,"two\nlines"\n1,b,9,x\n'
    with pytest.raises(RatingsError) as error:
        read(written(text), scale="1..5")
    assert "ratings.csv:4: '9' is not on the declared scale 1, 2, 3, 4, 5" in str(error.value)
    assert read(written(text)).columns["comment"].names == ("two\nlines", "x")


def test_all_bad_rows_are_reported_at_once(written):
    with pytest.raises(RatingsError) as error:
        read(written("item,rater,value\n1,a,9\n,b,3\n2,,3\n2,b,x\n"), scale="1,2,3,4,5")
    assert [problem.row for problem in error.value.problems] == [2, 3, 4, 5]


def test_columns_are_found_by_common_names_and_the_guess_is_stated(written):
    ratings = read(written("sent_id,Annotator ID,Rating\ns1,a,3\ns1,b,4\n"))
    assert ratings.items == 1
    assert "column 'Annotator ID' is taken as rater" in ratings.notes
    assert "column 'Rating' is taken as value" in ratings.notes
    assert any("item is taken to be sent_id" in note for note in ratings.notes)


def test_columns_can_be_named_and_wrong_names_get_a_hint(written):
    path = written("seg,who,adequacy,docId\n1,a,3,d\n1,b,4,d\n")
    ratings = read(path, item="seg", rater="who", value="adequacy", document="docId")
    assert ratings.columns["document"].names == ("d",)
    with pytest.raises(ColumnError, match="Did you mean 'adequacy'"):
        read(path, item="seg", rater="who", value="adequacie")
    with pytest.raises(OptionError, match="not a column of ratings"):
        read(path, colour="who")
    with pytest.raises(ColumnError, match="named like rater or value"):
        read(path)


def test_an_item_can_be_made_of_several_columns(written):
    path = written("doc,seg,rater,value\nd1,1,a,3\nd2,1,a,4\n")
    assert read(path, item="doc+seg").item.names == ("d1|1", "d2|1")
    assert read(path, item=["doc", "seg"]).items == 2


@pytest.mark.parametrize(
    ("values", "level"),
    [(["1", "2", "5"], "ordinal"), ([str(n) for n in range(40)], "interval"), (["1.5", "2"], "interval"),
     (["good", "bad"], "nominal"), (["1", "good"], "nominal")],
)  # fmt: skip
def test_the_level_is_guessed_and_stated(written, values, level):
    rows = "\n".join(f"{place},a,{value}" for place, value in enumerate(values))
    ratings = read(written(f"item,rater,value\n{rows}\n"))
    assert ratings.level == level
    assert any(f"level guessed: {level}" in guess for guess in ratings.scale.guesses)
    assert any("level guessed" in note for note in ratings.notes)


def test_order_is_never_taken_from_the_alphabet(written):
    path = written("item,rater,value\n1,a,good\n1,b,bad\n")
    with pytest.raises(OptionError, match="never taken from the alphabet"):
        read(path, level="ordinal")
    ratings = read(path, scale="bad<fair<good")
    assert ratings.level is Level.ORDINAL
    assert ratings.scale.values == ("bad", "fair", "good")
    assert ratings.scale.declared


@pytest.mark.parametrize(
    ("scale", "level", "values"),
    [
        ("1,2,3", Level.ORDINAL, (1.0, 2.0, 3.0)),
        ("1..3", Level.ORDINAL, (1.0, 2.0, 3.0)),
        ("0..100", Level.INTERVAL, (1.0, 3.0)),
        ("1=None,2=Little,3=Much", Level.ORDINAL, (1.0, 2.0, 3.0)),
        ([1, 2, 3], Level.ORDINAL, (1.0, 2.0, 3.0)),
    ],
)
def test_a_declared_scale_is_the_category_set(written, scale, level, values):
    ratings = read(written("item,rater,value\n1,a,1\n1,b,3\n"), scale=scale)
    assert (ratings.level, ratings.scale.values, ratings.scale.declared) == (level, values, True)


def test_labels_of_a_declared_scale_may_stand_in_the_file(written):
    ratings = read(written("item,rater,value\n1,a,None\n1,b,Little\n2,a,\n"), scale="1=None,2=Little")
    assert [value for *_, value in triples(ratings)] == [1.0, 2.0]
    assert ratings.missing == 1


@pytest.mark.parametrize("scale", ["", "5..1", "1", "a<a", "2<1", "1..5;1..4"])
def test_a_scale_that_makes_no_sense_is_refused(written, scale):
    with pytest.raises(OptionError):
        read(written(LONG), scale=scale)


def test_each_criterion_has_its_own_scale(written):
    path = written("item,rater,criterion,value\n1,a,fluency,4\n1,b,fluency,1\n1,a,style,good\n1,b,style,bad\n")
    ratings = read(path, scale="fluency:1..4; style:bad<good")
    levels = {group.by["criterion"]: group.ratings.scale.values for group in ratings.split()}
    assert levels == {"fluency": (1.0, 2.0, 3.0, 4.0), "style": ("bad", "good")}
    guessed = {group.by["criterion"]: group.ratings.level for group in read(path).split()}
    assert guessed == {"fluency": "ordinal", "style": "nominal"}
    with pytest.raises(RatingsError, match="fluency: '4' is not on"):
        read(path, scale={"fluency": "1..3"})
    with pytest.raises(OptionError, match="the criteria are: fluency, style"):
        read(path, scale="colour:1..4")


def test_a_criterion_of_numbers_stays_one_beside_a_criterion_of_sets(written):
    rows = "1,a,2,score\n1,b,3,score\n1,a,x|y,errors\n1,b,z,errors\n1,a,1;2,codes\n1,b,2,codes\n"
    ratings = read(written("item,rater,value,criterion\n" + rows), separator="|")
    assert [str(ratings.scales[name].level) for name in ("score", "errors")] == ["ordinal", "nominal"]
    assert frozenset({"x", "y"}) in ratings.scales["errors"].values
    assert frozenset({"1", "2"}) in read(written("item,rater,value\n1,a,1;2\n1,b,2\n"), separator=";").scale.values


def test_sets_of_labels_are_split_by_a_separator(written):
    ratings = read(written("item,rater,value\n1,a,x|y\n1,b,y|x\n2,a,y\n"), separator="|")
    assert ratings.scale.has_sets
    assert len(ratings.scale) == 2
    listed = read(written('{"item": 1, "rater": "a", "value": ["x", "y"]}\n', "r.jsonl"))
    assert listed.labels() == [frozenset({"x", "y"})]


REPEATED = "item,rater,value,round,system\n1,a,1,1,A\n1,a,2,2,B\n1,b,2,1,A\n"


def test_the_same_rater_twice_is_an_error_that_names_both_lines(written):
    with pytest.raises(RatingsError, match=r"ratings\.csv:3: a rated 1 already in row 2"):
        read(written("item,rater,value\n1,a,1\n1,a,2\n"))


def test_a_repeat_is_told_with_the_other_mistakes_though_an_item_is_empty(written):
    path = written("item,rater,value\n1,a,1\n1,b,9\n1,a,2\n,b,2\n2,,1\n")
    with pytest.raises(RatingsError) as refused:
        read(path, scale="1..4")
    assert [problem.row for problem in refused.value.problems] == [3, 5, 6, 4]
    assert "a rated 1 already in row 2" in str(refused.value)


def test_means_of_repeated_ratings_are_named_among_the_values_that_occur(written):
    ratings = read(written("item,rater,value\n1,a,1\n1,a,2\n1,b,2\n"), duplicates="mean")
    assert "values guessed: the 3 that occur, means of repeated ratings among them" in ratings.scale.guesses
    assert set(ratings.scale.guesses) <= set(ratings.notes)


@pytest.mark.parametrize(("duplicates", "value"), [("first", 1.0), ("last", 2.0), ("mean", 1.5)])
def test_duplicates_are_settled_as_the_user_says(written, duplicates, value):
    ratings = read(written("item,rater,value\n1,a,1\n1,a,2\n1,b,2\n"), duplicates=duplicates)
    assert triples(ratings) == [("1", "a", value), ("1", "b", 2.0)]
    assert any("1 time a rater rated an item again" in note for note in ratings.notes)


def test_values_off_the_scale_and_repeats_are_told_at_once(written):
    with pytest.raises(RatingsError) as caught:
        read(written("item,rater,value\na,A,9\na,B,1\nb,A,7\nb,B,2\nb,B,3\n"), scale="1,2,3")
    told = str(caught.value)
    assert told.startswith(
        "2 rows cannot be read as ratings (to leave out what is off the scale: --drop-off-scale (drop_off_scale=True"
    )
    assert ", and 1 rating repeats an item" in told
    assert [problem.row for problem in caught.value.problems] == [2, 4, 6]


def test_an_occasion_tells_repeats_apart(written):
    ratings = read(written(REPEATED.replace("system", "x")), occasion="round")
    assert len(ratings) == 3


def test_ratings_of_several_systems_make_several_items(written):
    ratings = read(written(REPEATED.replace("round", "x")))
    assert ratings.item.names == ("1|A", "1|B")
    assert any("once for each system" in note for note in ratings.notes)


SEGMENTS = "seg,ann,{column},score\n1,A,x,3\n1,A,y,4\n1,B,x,3\n1,B,y,5\n2,A,x,1\n2,A,y,2\n2,B,x,1\n2,B,y,2\n"


def of_segments(written, column):
    return read(written(SEGMENTS.format(column=column)), item="seg", rater="ann", value="score")


def test_a_segment_of_two_language_pairs_is_two_items_though_the_user_named_the_segment(written):
    ratings = of_segments(written, "lp")
    assert ratings.item.names == ("1|x", "1|y", "2|x", "2|y")
    assert any("once for each language pair" in note for note in ratings.notes)


def test_systems_are_compared_on_the_segments_of_each_language_pair(written):
    rows = [f"{s},{a},{p},{y},{n}" for n, (s, a, p, y) in enumerate(product("12", "AB", ("de", "fr"), "XY"))]
    text = "\n".join(["seg,ann,lp,system,score", *rows])
    ratings = read(written(text), item="seg", rater="ann", value="score")
    assert ratings.item.names[:3] == ("1|de|X", "1|de|Y", "1|fr|X")
    assert set(ratings.columns["segment"].names) == {"1|de", "1|fr", "2|de", "2|fr"}


@pytest.mark.parametrize("column", ["guideline", "round", "scenario"])
def test_what_is_kept_apart_tells_ratings_of_an_item_apart(written, column):
    ratings = of_segments(written, column)
    assert len(ratings) == 8 and kept_apart(ratings) == (column,)


def test_the_error_names_the_column_that_would_tell_repeats_apart(written):
    with pytest.raises(RatingsError, match=r"The column 'topic' tells them apart\. .*--item 'topic'"):
        of_segments(written, "topic")
    numbered = "seg,ann,id,score\n1,A,1,3\n1,A,2,4\n1,B,3,3\n2,A,4,5\n"
    with pytest.raises(RatingsError, match="Name the column that tells them apart"):
        read(written(numbered), item="seg", rater="ann", value="score")


@pytest.mark.parametrize("wide", [None, True, ["r1", "r2"]])
def test_a_wide_table_has_one_column_a_rater(written, wide):
    ratings = read(written("item,r1,r2\nx,1,2\ny,3,\n"), wide=wide)
    assert triples(ratings) == [("x", "r1", 1.0), ("x", "r2", 2.0), ("y", "r1", 3.0)]
    assert ratings.missing == 1


def test_a_wide_table_of_labels_without_items_is_read_by_rows(written):
    ratings = read(written("anna,ben,group\nyes,no,g\nyes,,h\n"), wide=["anna", "ben"])
    assert triples(ratings) == [("1", "anna", "yes"), ("1", "ben", "no"), ("2", "anna", "yes")]
    assert ratings.columns["group"].labels().tolist() == ["g", "h", "g"]


def test_an_array_is_items_by_raters():
    ratings = read(np.array([[1.0, 2.0], [3.0, np.nan]]))
    assert triples(ratings) == [("1", "rater 1", 1.0), ("1", "rater 2", 2.0), ("2", "rater 1", 3.0)]
    with pytest.raises(OptionError, match="two dimensions"):
        read(np.arange(3))
    with pytest.raises(InputError, match="empty"):
        read(np.zeros((0, 2)))


def test_an_unknown_object_is_refused():
    with pytest.raises(OptionError, match="cannot be read from something of the type int"):
        read(7)


BAD_FILES = {
    "empty": (b"", "r.csv", UnreadableFileError, "is empty"),
    "blank": (b" \n\n", "r.csv", UnreadableFileError, "is empty"),
    "header only": (b"item,rater,value\n", "r.csv", UnreadableFileError, "a header and no rows"),
    "binary": (b"\x00\x01\x02\x90" * 50, "r.csv", UnreadableFileError, "binary file"),
    "zeros as in UTF-16": (b"\x7fELF" + b"\x03\x00\x00\xd8" * 60, "r.csv", UnreadableFileError, "binary file"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(30), "r.csv", UnreadableFileError, "a picture"),
    "old excel": (b"\xd0\xcf\x11\xe0" + bytes(30), "r.xls", UnreadableFileError, "old Excel"),
    "short row": (b"item,rater,value\n1,a\n", "r.csv", FormatError, r"r\.csv:2: 2 cells, but the header has 3"),
    "long row": (b"item,rater,value\n1,a,1\n1,b,2,9\n", "r.csv", FormatError, r"r\.csv:3: 4 cells"),
    "open quote": (b'item,rater,value\n1,"a,3\n', "r.csv", FormatError, "never closed"),
    "twice": (b"item,item,value\n1,1,3\n", "r.csv", ColumnError, "more than one column named item"),
    "one column": (b"value\n1\n", "r.csv", UnreadableFileError, "single column"),
    "not json": (LONG.encode(), "r.jsonl", FormatError, r"r\.jsonl:1: this line is not JSON"),
    "one object": (b'{\n"a": 1\n}', "r.json", FormatError, "one JSON object"),
    "cut array": (b'[{"item": 1}', "r.json", FormatError, "may be truncated"),
    "not objects": (b"[1, 2]", "r.json", FormatError, "not of objects"),
    "cut parquet": (b"PAR1" + bytes(90), "r.parquet", UnreadableFileError, "truncated"),
    "no parquet": (LONG.encode(), "r.parquet", UnreadableFileError, "not a whole Parquet file"),
    "cut gzip": (gzip.compress(LONG.encode())[:20], "r.csv.gz", UnreadableFileError, "truncated gzip"),
    "cut workbook": (b"PK\x03\x04" + bytes(60), "r.xlsx", UnreadableFileError, "Excel workbook"),
    "all missing": (b"item,rater,value\n1,a,NA\n", "r.csv", RatingsError, "every value is missing"),
    "nothing": (b'{"item":1,"rater":1,"value":null,"criterion":null}', "r.jsonl", RatingsError, "is missing"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_is_one_clear_sentence(written, case):
    data, name, error, words = BAD_FILES[case]
    with pytest.raises(error, match=words):
        read(written(data, name))


def test_a_missing_file_and_a_directory_are_refused(tmp_path):
    with pytest.raises(UnreadableFileError, match="no file"):
        read(tmp_path / "absent.csv")
    with pytest.raises(UnreadableFileError, match="is a directory"):
        read(tmp_path)


def test_a_table_of_a_thousand_columns_is_read_by_the_names_given(written):
    header = ",".join(["item", "rater", "value", *(f"x{n}" for n in range(1000))])
    row = ",".join(["1", "a", "3", *["0"] * 1000])
    assert len(read(written(f"{header}\n{row}\n"))) == 1


def test_tabs_without_quoting_keep_their_quotation_marks(written):
    ratings = read(written('item\trater\tvalue\n5"\ta\t1\n5"\tb\t2\n', "r.tsv"))
    assert ratings.item.names == ('5"',)


def test_ratings_under_two_conditions_must_be_looked_at_apart(written):
    ratings = read(written("item,rater,value,condition\n1,a,1,x\n1,a,2,y\n1,b,1,x\n"))
    with pytest.raises(RatingsError, match="--by condition"):
        require_single(ratings)
    for group in ratings.split(["condition"]):
        require_single(group.ratings)


def test_a_sheet_of_a_workbook_can_be_named(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title = "readme"
    sheet = book.create_sheet("data")
    for row in [("item", "rater", "value"), (1, "a", 3), (None, None, None), (1, "b", 9)]:
        sheet.append(row)
    path = tmp_path / "r.xlsx"
    book.save(path)
    assert len(read(path, sheet="data")) == len(read(path, sheet=2)) == 2
    with pytest.raises(ColumnError, match="readme, data"):
        read(path, sheet="other")
    with pytest.raises(RatingsError, match=r"r\.xlsx:4: '9'"):
        read(path, sheet="data", scale="1..5")


def test_real_ratings_are_read_whole(data):
    refbias = read(data / "refbias.csv")
    assert (len(refbias), refbias.items, refbias.raters, refbias.level) == (2500, 100, 25, "ordinal")
    flickr = read(data / "flickr8k_expert.csv")
    assert (len(flickr), flickr.items, flickr.raters) == (17466, 5822, 3)
    turk = read(data / "wmt22_da_mturk.csv", role="type")
    assert (len(turk), turk.items, turk.raters, turk.level) == (57006, 35217, 241, "interval")


def test_ratings_show_themselves_in_words_and_with_every_note(written):
    shown = repr(read(written("item,rater,score,domain\n1,a,1,news\n1,b,2,news\n2,a,3,talk\n")))
    assert shown.splitlines()[:2] == [
        "<Ratings: 3 ratings of 2 items by 2 raters, ordinal scale of 3 values>",
        "columns: domain",
    ]
    assert "note: column 'score' is taken as value" in shown


@pytest.mark.parametrize(
    "text",
    [
        "Lause,Arvioija,Pisteet\n1,anna,4\n1,bert,5\n2,anna,2\n2,bert,2\n",
        "item,Arvioija,Pisteet,Aika\n1,anna,4,30\n1,bert,5,20\n2,anna,2,11\n2,bert,2,40\n",
    ],
)
def test_a_long_table_with_names_in_an_unknown_language_is_not_taken_for_a_wide_one(written, text):
    with pytest.raises(ColumnError, match=r"no column is named like .*--wide \(wide=True in Python\)"):
        read(written(text))
    assert len(read(written(text), item=text.split(",")[0], rater="Arvioija", value="Pisteet")) == 4


def test_columns_of_numbers_are_raters_where_each_row_is_another_item(written):
    assert read(written("A,B,C\n1,2,1\n2,2,2\n")).raters == 3
    assert read(written("item,text,A,B\n1,x,1,2\n2,x,2,2\n")).raters == 2


def test_a_list_of_errors_is_pointed_to_the_command_that_counts_them(written):
    path = written("item,rater,category,severity\ns1,ann,Accuracy,Minor\ns1,ann,Fluency,Major\ns1,ben,Accuracy,Minor\n")
    with pytest.raises(RatingsError, match=r"accord mqm counts them.* --duplicates first"):
        read(path)


def test_two_notes_below_a_table_are_no_items():
    ratings = read(io.StringIO("item,Ann,Ben\ni,1,2\nj,3,4\nNote one,,\nNote two,,\n"))
    assert list(ratings.item.names) == ["i", "j"] and ratings.missing == 0
    assert "left out rows 4, 5: a note below the table" in ratings.notes


def test_a_column_that_is_taken_is_not_suggested_for_another_role():
    with pytest.raises(
        ColumnError, match=r"like value\. Say which it is with --value COLUMN \(value=COLUMN in Python\), or --wide"
    ):
        read(io.StringIO("item,rater\ni,R\nj,S\n"))


def test_an_unknown_format_is_refused_whatever_is_read(tmp_path):
    (tmp_path / "t.csv").write_text("item,rater,value\ni,R,1\n")
    for source in (tmp_path / "t.csv", io.StringIO("item,rater,value\ni,R,1\n")):
        with pytest.raises(OptionError, match=r"^The format 'odd' is not known"):
            read(source, format="odd")
