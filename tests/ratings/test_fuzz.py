"""Any bytes in: either ratings or our own error, never another one and never a hang."""

import gzip
import io
import json
import zipfile

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.ratings.declared import parse_scales
from accord.ratings.read import read
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings

BUDGET = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def read_or_refuse(path, data, **options):
    path.write_bytes(data)
    try:
        found = read(path, **options)
    except AccordError as error:
        assert str(error).strip()
        return None
    assert isinstance(found, Ratings | StoredRatings)
    assert len(found.fingerprint) == 16
    assert (found.value >= 0).all()
    assert (found.value < len(found.scale)).all()
    return found


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.jsonl", "r.json", "r.parquet", "r.xlsx", "r", "r.csv.gz"])
@BUDGET
@given(data=st.binary(max_size=300))
def test_any_bytes_are_ratings_or_our_error(tmp_path, name, data):
    read_or_refuse(tmp_path / name, data)


cell = st.one_of(
    st.text(max_size=6), st.sampled_from(["1", "2", "0", "", "NA", "1,5", '"', "nan", "inf", "1e400", "-0", "٣", "1_0"])
)
row = st.lists(cell, min_size=1, max_size=5)


@BUDGET
@given(
    header=st.permutations(["item", "rater", "value", "criterion", "time_s"]),
    rows=st.lists(row, max_size=8),
    separator=st.sampled_from([",", ";", "\t"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"]),
    options=st.fixed_dictionaries(
        {},
        optional={
            "level": st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
            "scale": st.sampled_from(["1..5", "0..100", "a<b<c", "1=a,2=b", "fluency:1..4", "0..1"]),
            "duplicates": st.sampled_from(["first", "last", "mean"]),
            "separator": st.just("|"),
            "wide": st.booleans(),
        },
    ),
)
def test_any_table_is_ratings_or_our_error(tmp_path, header, rows, separator, encoding, options):
    text = "\n".join(separator.join(cells) for cells in [header, *rows])
    read_or_refuse(tmp_path / "r.csv", text.encode(encoding, "replace"), **options)


json_value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
record = st.dictionaries(st.sampled_from(["item", "rater", "value", "criterion", "x"]), json_value, max_size=5)


@BUDGET
@given(records=st.lists(record | json_value, max_size=6), lines=st.booleans())
def test_any_json_is_ratings_or_our_error(tmp_path, records, lines):
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    read_or_refuse(tmp_path / "r.jsonl", text.encode())


def workbook_bytes(rows):
    import openpyxl

    book = openpyxl.Workbook()
    for cells in rows:
        book.active.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def parquet_bytes():
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    pq.write_table(pa.table({"item": [1, 1, 2], "rater": ["a", "b", "a"], "value": [1.0, 2.0, None]}), out)
    return out.getvalue()


WHOLE = {
    "r.parquet": parquet_bytes(),
    "r.xlsx": workbook_bytes([("item", "rater", "value"), (1, "a", 3), (1, "b", 4)]),
    "r.csv.gz": gzip.compress(b"item,rater,value\n1,a,3\n1,b,4\n", mtime=0),
}


@pytest.mark.parametrize("name", WHOLE)
@BUDGET
@given(data=st.data())
def test_damaged_files_are_ratings_or_our_error(tmp_path, name, data):
    whole = bytearray(WHOLE[name])
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    read_or_refuse(tmp_path / name, bytes(whole[: data.draw(st.integers(1, len(whole)))]))
    read_or_refuse(tmp_path / name, bytes(whole))


@BUDGET
@given(text=st.text(alphabet="ab12.,<=:;- \n", max_size=20))
def test_any_declared_scale_is_a_scale_or_our_error(text):
    try:
        general, own = parse_scales(text)
    except AccordError:
        return
    assert general is not None or own


@BUDGET
@given(table=st.lists(st.lists(st.sampled_from([0, 1, 2.5, None, "x", True]), min_size=3, max_size=3), max_size=6))
def test_any_frame_is_ratings_or_our_error(table):
    import pandas as pd

    try:
        read(pd.DataFrame(table, columns=["item", "rater", "value"]))
    except AccordError as error:
        assert str(error)


def test_a_zip_bomb_in_a_workbook_is_refused_before_it_is_unpacked(tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", b"<x/>")
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            for _ in range(600):
                part.write(bytes(1024**2))
    (tmp_path / "bomb.xlsx").write_bytes(out.getvalue())
    with pytest.raises(AccordError, match="over 512 MB are refused"):
        read(tmp_path / "bomb.xlsx")


@pytest.mark.parametrize(("cell", "words"), [("XFD1048576", "16,384 columns in row 1,048,576"), ("A1048576", "")])
def test_a_stray_cell_far_from_the_table_takes_no_memory(tmp_path, cell, words):
    """Filled up to it, a sheet of 6 kB would be a table of 17 billion cells."""
    book = openpyxl.Workbook()
    for row in (["item", "rater", "value"], ["1", "a", 3], ["1", "b", 2], ["2", "a", 4], ["2", "b", 4]):
        book.active.append(row)
    book.save(tmp_path / "plain.xlsx")
    stray = f'<row r="1048576"><c r="{cell}" t="str"><v> </v></c></row></sheetData>'.encode()
    with zipfile.ZipFile(tmp_path / "plain.xlsx") as plain, zipfile.ZipFile(tmp_path / "far.xlsx", "w") as far:
        for name in plain.namelist():
            far.writestr(name, plain.read(name).replace(b"</sheetData>", stray))
    if not words:
        assert len(read(tmp_path / "far.xlsx")) == 4
        return
    with pytest.raises(AccordError, match=words):
        read(tmp_path / "far.xlsx")


def test_a_gzip_bomb_is_refused_while_it_is_unpacked(tmp_path):
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(bytes(40_000_000)))
    with pytest.raises(AccordError, match="swells to more than 300 times"):
        read(tmp_path / "bomb.csv.gz")
