"""A base install without DuckDB: plain tables are read, and the rest says what to install."""

import sys

import pytest

import accord
from accord.errors import MissingExtraError


def test_a_csv_is_read_and_parquet_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    plain = tmp_path / "ratings.csv"
    plain.write_text("item,rater,value\n1,a,2\n1,b,3\n")
    assert len(accord.read(plain)) == 2
    packed = tmp_path / "ratings.parquet"
    packed.write_bytes(b"PAR1....PAR1")
    with pytest.raises(MissingExtraError, match=r"pip install '.\[formats\]'"):
        accord.read(packed)
