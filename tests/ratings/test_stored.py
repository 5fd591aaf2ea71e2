"""Counts of files by DuckDB are those of the same ratings in memory, to the last integer."""

import csv
import gzip
import os
import signal
import subprocess
import sys

import numpy as np
import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow.parquet import write_table

import accord
import accord.errors
from accord import sizes
from accord.errors import NotEnoughDataError, OperationError, OptionError, RatingsError, UnreadableFileError
from accord.ratings import stored as stored_module
from accord.ratings.checks import require_single
from accord.ratings.counting import count_source
from accord.ratings.duckdb_engine import DuckDBEngine
from accord.ratings.open_stored import open_stored
from accord.ratings.read import read


def assert_same_counts(stored, memory):
    """Every count of two sources; raters may come in another order."""
    assert sorted(stored.rater_names()) == sorted(memory.rater_names())
    order = [stored.rater_names().index(name) for name in memory.rater_names()]
    assert stored.facts() == memory.facts()
    np.testing.assert_array_equal(stored.marginals().counts[order], memory.marginals().counts)
    for kind in ("item_values", "moments"):
        ours, theirs = getattr(stored, kind)(), getattr(memory, kind)()
        for field in ours.__slots__:
            np.testing.assert_array_equal(getattr(ours, field), getattr(theirs, field), err_msg=f"{kind}.{field}")
    assert pattern_counts(stored.patterns(), order) == pattern_counts(memory.patterns(), range(len(order)))
    assert pair_counts(stored.pairs(), stored.rater_names()) == pair_counts(memory.pairs(), memory.rater_names())


def pattern_counts(patterns, order):
    rows = patterns.codes[:, list(order)].tolist()
    return sorted(zip(map(tuple, rows), patterns.multiplicity.tolist(), strict=True))


def pair_counts(pairs, names):
    """Tables by the names of the pair, in alphabetical order of the names."""
    found = {}
    for (first, second), table in zip(pairs.pairs.tolist(), pairs.tables, strict=True):
        straight = names[first] < names[second]
        key = (names[first], names[second]) if straight else (names[second], names[first])
        found[key] = (table if straight else table.T).tolist()
    return found


def write_csv(path, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("item", "rater", "value"), *rows])


cells = st.dictionaries(
    st.tuples(st.integers(0, 8), st.sampled_from(["ann", "bob", "c|d", "é'\"", "7"])),
    st.sampled_from(["0", "1", "2", "3", "", "NA", "1.0"]),
    min_size=1,
    max_size=30,
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells=cells)
def test_files_and_memory_give_the_same_integers(tmp_path, cells):
    if not any(value[:1].isdigit() for value in cells.values()):
        return
    path = tmp_path / "ratings.csv"
    write_csv(path, [(item, rater, value) for (item, rater), value in cells.items()])
    memory = count_source(read(path))
    assert_same_counts(open_stored(path), memory)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sizes, "patterns_give_all", lambda raters, values: False)
        apart = open_stored(path)
        assert_same_counts(apart, memory)
    assert apart.fingerprint == open_stored(path).fingerprint


@pytest.mark.parametrize(
    "values", [range(101), range(0, 101, 5), range(-2, 3), [1, 2, 4, 8], ["01", "02", "3"], [0.5, 1.0, 1.5], [7, 9]]
)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_values_of_equal_steps_are_coded_as_any_others(tmp_path, values, suffix):
    rng = np.random.default_rng(2)
    values = list(values)
    given = [values[place] for place in (*range(len(values)), *rng.integers(0, len(values), 600 - len(values)))]
    columns = {"item": np.arange(600) // 3, "rater": [f"r{n % 3}" for n in range(600)], "value": given}
    path = tmp_path / f"ratings.{suffix}"
    if suffix == "csv":
        write_csv(path, zip(*columns.values(), strict=True))
    else:
        write_table(pyarrow.table(columns), path)
    assert_same_counts(open_stored(path), count_source(read(path)))


occasions = st.dictionaries(
    st.tuples(st.integers(0, 5), st.sampled_from(["ann", "bob", "cy"]), st.sampled_from(["", "1", "2", "10", "2.5"])),
    st.tuples(st.sampled_from(["1", "2", "3", "NA"]), st.sampled_from(["", "practice", "system"])),
    min_size=1,
    max_size=25,
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=occasions)
def test_practice_and_later_occasions_are_left_out_as_in_memory(tmp_path, rows):
    if not any(value != "NA" and role != "practice" for value, role in rows.values()):
        return
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="") as file:
        lines = [(*key, *cells) for key, cells in rows.items()]
        csv.writer(file).writerows([("item", "rater", "occasion", "value", "role"), *lines])
    stored = open_stored(path)
    assert_same_counts(stored, count_source(read(path)))
    assert len(stored) == len(read(path))


def test_occasions_without_numbers_are_refused_where_rows_have_no_order(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("item,rater,value,occasion\n1,a,3,test\n1,a,4,retest\n1,b,3,test\n")
    assert count_source(read(path)).facts().ratings == 2
    with pytest.raises(RatingsError, match=r"'test' is not a number|'retest' is not a number"):
        open_stored(path).facts()


def parquet(tmp_path, *, items=3000, pool=12, each=3, values=5, seed=1):
    """Random ratings with a tenth missing."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(seed)
    rater = np.argsort(rng.random((items, pool)), axis=1)[:, :each].ravel()
    value = rng.integers(1, values + 1, items * each)
    table = pa.table({
        "segment_id": np.repeat(np.arange(items), each), "worker": rater,
        "score": pa.array(value, mask=rng.random(items * each) < 0.1),
    })  # fmt: skip
    pq.write_table(table, tmp_path / "ratings.parquet")
    return tmp_path / "ratings.parquet"


def test_counting_in_buckets_changes_nothing(tmp_path, monkeypatch):
    path = parquet(tmp_path)
    monkeypatch.setattr(DuckDBEngine, "buckets", lambda self, items, columns: 7)
    stored = open_stored(path)
    assert_same_counts(stored, count_source(read(path)))
    whole = parquet(tmp_path)
    monkeypatch.undo()
    assert open_stored(whole).fingerprint == stored.fingerprint


def test_buckets_are_used_when_the_items_would_not_fit_into_memory():
    engine = DuckDBEngine.__new__(DuckDBEngine)
    engine.bytes = 1_500_000_000
    assert engine.buckets(100_000, 5) == 1
    assert engine.buckets(12_500_000, 5) == 1
    assert engine.buckets(50_000_000, 5) == 4


def test_rows_asked_of_stored_ratings_are_refused_in_plain_words(tmp_path):
    path = parquet(tmp_path, items=10)
    stored = open_stored(path)
    assert len(stored) == stored.facts().ratings
    for name in ("value", "item", "only"):
        with pytest.raises(OptionError, match="engine='memory'"):
            getattr(stored, name)
    assert not hasattr(stored, "colour")
    assert read(path, engine="memory").items == 10


def test_a_pattern_of_files_is_counted_as_one_table(tmp_path):
    for number in (1, 2):
        write_csv(tmp_path / f"part{number}.csv", [(f"i{number}", "a", "1"), (f"i{number}", "b", "2")])
    assert read(tmp_path / "part*.csv", engine="duckdb").facts().items == 2
    assert read([tmp_path / "part1.csv", tmp_path / "part2.csv"], engine="duckdb").facts().ratings == 4


def test_small_files_of_a_pattern_are_read_into_memory_unless_an_engine_is_named(tmp_path, monkeypatch):
    for number in (1, 2):
        write_csv(tmp_path / f"part{number}.csv", [(f"i{number}", "a", "1"), (f"i{number}", "b", "2")])
    whole = read(str(tmp_path / "part*.csv"))
    assert (whole.items, whole.raters, len(whole), whole.source) == (2, 2, 4, "part1.csv and 1 more")
    assert read([tmp_path / "part1.csv", tmp_path / "part2.csv"]).fingerprint == whole.fingerprint
    monkeypatch.setattr("accord.ratings.files._LARGE_TEXT", 50)
    assert isinstance(read(tmp_path / "part*.csv"), stored_module.StoredRatings)


def test_a_problem_in_one_of_several_files_names_that_file_and_line(tmp_path):
    write_csv(tmp_path / "part1.csv", [("i1", "a", "1"), ("i1", "b", "2")])
    write_csv(tmp_path / "part2.csv", [("i2", "a", "1"), ("i1", "a", "2")])
    with pytest.raises(RatingsError, match=r"part2.csv:3: a rated i1 already in row 2 of part1.csv"):
        read(tmp_path / "part*.csv")
    write_csv(tmp_path / "part2.csv", [("i2", "a", "1"), ("", "b", "2")])
    with pytest.raises(RatingsError, match=r"part2.csv:3: the item is empty"):
        read(tmp_path / "part*.csv")


def test_a_column_that_one_file_lacks_is_empty_there_and_said_so(tmp_path):
    (tmp_path / "part1.csv").write_text("item,rater,value,document\n1,a,3,d\n")
    (tmp_path / "part2.csv").write_text("item,rater,value\n1,b,3\n")
    ratings = read(tmp_path / "part*.csv")
    assert ratings.columns["document"].labels().tolist() == ["d", ""]
    assert "part2.csv has no column 'document'; it is empty there" in ratings.notes


def test_scores_with_decimals_are_counted_as_moments(tmp_path, monkeypatch):
    rng = np.random.default_rng(3)
    rows = [(item, rater, round(float(rng.normal(50, 10)), 3)) for item in range(200) for rater in "abc"]
    path = tmp_path / "r.csv"
    write_csv(path, [*rows, ("x", "a", "nan"), ("x", "b", "N/A")])
    memory = count_source(read(path)).moments()
    listed = open_stored(path).moments()
    monkeypatch.setattr(stored_module, "MOST_LISTED", 50)
    unlisted = open_stored(path)
    for moments in (listed, unlisted.moments()):
        assert moments.multiplicity.sum() == memory.multiplicity.sum() == 200
        for field in ("total", "squares"):
            np.testing.assert_allclose(np.sort(getattr(moments, field)), np.sort(getattr(memory, field)))
    assert unlisted.missing == 2
    with pytest.raises(NotEnoughDataError, match="interval"):
        unlisted.item_values()


@pytest.mark.parametrize("most", [{"_GLANCE": 1}, {"_GLANCE": 1, "_MARGINALS": 20}], ids=["values", "counts"])
def test_many_values_after_few_are_found_though_the_first_rows_hid_them(tmp_path, monkeypatch, most):
    rng = np.random.default_rng(3)
    rows = [(item, rater, round(float(rng.normal(50, 10)), 3)) for item in range(200) for rater in "abc"]
    write_csv(tmp_path / "r.csv", rows)
    memory = count_source(read(tmp_path / "r.csv")).moments()
    if "_MARGINALS" not in most:
        monkeypatch.setattr(stored_module, "MOST_LISTED", 50)
    for name, number in most.items():
        monkeypatch.setattr(stored_module, name, number)
    stored = open_stored(tmp_path / "r.csv")
    assert stored.scale.values == ()
    np.testing.assert_allclose(np.sort(stored.moments().total), np.sort(memory.total))
    assert len(stored) == 600


def test_each_criterion_has_its_own_counts_and_scale(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("item,rater,criterion,value\n1,a,fluency,3\n1,b,fluency,4\n1,a,style,good\n1,b,style,bad\n")
    groups = {group.by["criterion"]: group.ratings for group in open_stored(path, scale="fluency:1..5").split()}
    assert groups["fluency"].scale.values == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert groups["style"].scale.values == ("bad", "good")
    assert [part.facts().ratings for part in groups.values()] == [2, 2]


def test_values_off_the_declared_scale_are_named_with_their_number(tmp_path):
    path = tmp_path / "r.csv"
    write_csv(path, [(1, "a", 3), (1, "b", 9), (2, "a", 9)])
    with pytest.raises(RatingsError, match=r"'9' is not on the declared scale 1, 2, 3, 4, 5 \(2 ratings\)"):
        open_stored(path, scale="1..5").facts()


def test_rows_without_item_or_rater_are_an_error(tmp_path):
    path = tmp_path / "r.csv"
    write_csv(path, [(1, "a", 3), ("", "a", 2), (2, "", 1)])
    with pytest.raises(RatingsError, match=r"rater is empty in 1 row\n") as error:
        open_stored(path).facts()
    assert str(error.value).endswith("item is empty in 1 row")


def test_the_same_rater_twice_on_an_item_is_refused(tmp_path):
    path = tmp_path / "r.csv"
    write_csv(path, [(1, "a", 3), (1, "b", 2), (1, "a", 2)])
    with pytest.raises(RatingsError, match="a rated 1 more than once"):
        require_single(open_stored(path))
    with pytest.raises(RatingsError, match="a rated 1 more than once"):
        open_stored(path).require_no_repeats()
    write_csv(path, [(1, "a", 3), (1, "b", 2)])
    open_stored(path).require_no_repeats()


def test_a_repeat_is_found_by_its_patterns_too(tmp_path):
    path = tmp_path / "r.csv"
    write_csv(path, [*((item, rater, 1) for item in range(300) for rater in "ab"), (7, "a", 2)])
    for asked in (lambda stored: stored.patterns(), accord.agreement):
        with pytest.raises(RatingsError, match="a rated 7 more than once"):
            asked(open_stored(path))


def test_ratings_told_apart_by_a_phase_are_refused_until_they_are_split_by_it(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("item,rater,value,phase\n1,a,3,x\n1,a,4,y\n1,b,3,x\n1,b,2,y\n")
    with pytest.raises(RatingsError, match="--by phase"):
        require_single(open_stored(path))
    for group in open_stored(path).split(["phase"]):
        require_single(group.ratings)
        assert group.ratings.facts().ratings == 2


def test_large_pools_have_no_patterns_but_every_other_count(tmp_path):
    path = parquet(tmp_path, pool=300)
    stored = open_stored(path)
    assert stored.facts().raters == 300
    assert stored.marginals().counts.sum() == stored.facts().ratings
    with pytest.raises(NotEnoughDataError, match="300 raters"):
        stored.patterns()
    with pytest.raises(NotEnoughDataError, match="tables of pairs"):
        stored.pairs()


def test_progress_is_reported_and_the_spill_folder_is_gone_after_an_interrupt(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "spill"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "spill").mkdir()
    path = parquet(tmp_path)
    seen = []

    def stop(done, total):
        seen.append((done, total, len(list((tmp_path / "spill").iterdir()))))
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_stored(path, progress=stop).facts()
    assert seen[0][:2] == (0, 100)
    assert seen[0][2] == 1
    assert not list((tmp_path / "spill").iterdir())


COUNT_FOREVER = """
import sys
from accord.ratings.open_stored import open_stored
while True:
    open_stored(sys.argv[1]).facts()
    print("counted", flush=True)
"""


def test_ctrl_c_that_duckdb_notices_first_is_still_ctrl_c(tmp_path, monkeypatch):
    def interrupted(self, connection, folder):
        raise RuntimeError("Query interrupted")

    stored = open_stored(parquet(tmp_path))
    monkeypatch.setattr(DuckDBEngine, "_prepare", interrupted)
    with pytest.raises(KeyboardInterrupt):
        stored.facts()


def test_the_column_that_is_suggested_is_one_that_has_no_part_yet(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("item,rater,verdict\na,x,so so\na,y,not quite\n")
    for engine in ("memory", "duckdb"):
        with pytest.raises(accord.errors.ColumnError, match=r"for example --value 'verdict' \(value='verdict' in"):
            read(path, engine=engine)


def test_ctrl_c_leaves_no_file_behind(tmp_path):
    spill = tmp_path / "spill"
    spill.mkdir()
    command = [sys.executable, "-c", COUNT_FOREVER, str(parquet(tmp_path))]
    environment = {**os.environ, "TMPDIR": str(spill)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "counted\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in errors
    assert not list(spill.iterdir())


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"memory": "lots"}, OptionError, "800MB"),
        ({"memory": "1MB"}, OptionError, "too small"),
        ({"engine": "abacus"}, OptionError, "duckdb, spark"),
        ({"master": "spark://x"}, OptionError, "engine='spark'"),
        ({"level": "vague"}, OptionError, "nominal"),
        ({"rater": "nobody"}, accord.errors.ColumnError, "nobody"),
    ],
)
def test_wrong_options_are_one_clear_sentence(tmp_path, options, error, words):
    with pytest.raises(error, match=words):
        open_stored(parquet(tmp_path, items=10), **options)


def test_missing_directory_and_damaged_files_are_refused(tmp_path):
    with pytest.raises(UnreadableFileError, match="no file"):
        open_stored(tmp_path / "absent*.parquet")
    with pytest.raises(UnreadableFileError, match="directory"):
        open_stored(tmp_path)
    whole = parquet(tmp_path).read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UnreadableFileError, match="cannot be counted"):
        open_stored(tmp_path / "cut.parquet")
    (tmp_path / "text.csv").write_text("item,rater,value\n1,a,2\n")
    with pytest.raises(UnreadableFileError, match="one kind"):
        open_stored([tmp_path / "cut.parquet", tmp_path / "text.csv"])


def test_too_little_memory_is_an_operation_error():
    engine = DuckDBEngine.__new__(DuckDBEngine)
    engine.memory = "60MB"
    import duckdb

    assert isinstance(engine._explained(duckdb.OutOfMemoryException("full")), OperationError)


def test_files_counted_where_they_lie_say_how_many_ratings_are_missing_as_others_do(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item,rater,value\n1,a,1\n1,b,2\n2,a,n/a\n2,b,\n3,a,2\n3,b,2\n")
    line = "2 ratings are missing (spelled 'n/a' or empty)"
    for engine in ("memory", "duckdb"):
        assert line in accord.agreement(accord.read(path, engine=engine)).notes
    rows = "".join(f"{item},{rater},{name},{value}\n" for item in (1, 2, 3) for rater in "ab"
                   for name, value in (("good", item), ("fast", "" if item == 2 else 1)))  # fmt: skip
    path.write_text("item,rater,criterion,value\n" + rows)
    assert "fast: 2 ratings are missing (empty)" in accord.agreement(accord.read(path, engine="duckdb")).notes


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz", "r.csv"])
def test_json_is_not_counted_as_a_table_of_one_odd_column(tmp_path, name):
    path = tmp_path / name
    text = b'{"item": 1, "rater": "a", "value": 1}\n'
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    with pytest.raises(UnreadableFileError, match="is JSON, and an engine counts Parquet and CSV where they lie"):
        accord.read(path, engine="duckdb")


@pytest.mark.parametrize("value", [[[1], [2]], [{"a": 1}, {"a": 2}], [b"1", b"2"]])
def test_columns_of_lists_parts_or_bytes_are_not_counted_where_they_lie(tmp_path, value):
    path = tmp_path / "r.parquet"
    write_table(pyarrow.table({"item": [1, 1], "rater": ["a", "b"], "value": value}), path)
    with pytest.raises(accord.errors.ColumnError, match="no column is named like value"):
        accord.read(path, engine="duckdb")
