"""The same SQL on a real Spark cluster gives the same counts to the last integer."""

import json

import numpy as np
import pytest

import accord
from accord.cli.main import main
from accord.errors import ColumnError, OperationError, RatingsError, UnreadableFileError
from accord.ratings.checks import require_single
from accord.ratings.open_stored import open_stored
from accord.ratings.read import read
from accord.ratings.spark_engine import translated
from accord.ratings.stored import StoredRatings

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Two Parquet files: 4,000 items, three of seven raters each, five values, a tenth missing, odd names."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path_factory.mktemp("parts")
    rng = np.random.default_rng(5)
    names = np.array(["ann", "bob", "c\\d", "é'x", 'd"q', "7", "z z"])
    for number in (1, 2):
        rater = names[np.argsort(rng.random((2000, 7)), axis=1)[:, :3].ravel()]
        table = pa.table({
            "item": [f"{number}-{item}" for item in np.repeat(np.arange(2000), 3)], "rater": rater,
            "value": pa.array(rng.integers(1, 6, 6000), mask=rng.random(6000) < 0.1),
            "criterion": np.where(rng.random(2000) < 0.5, "fluency", "style").repeat(3),
            "story": [f"{number}-{item % 40}" for item in np.repeat(np.arange(2000), 3)],
            "wave": [f"wave {number}"] * 6000,
        })  # fmt: skip
        pq.write_table(table, folder / f"part{number}.parquet")
    return folder


def assert_equal_counts(first, second):
    assert first.rater_names() == second.rater_names()
    assert first.facts() == second.facts()
    assert first.missing == second.missing
    assert first.fingerprint == second.fingerprint
    for kind in ("item_values", "moments", "marginals", "patterns", "pairs"):
        one, other = getattr(first, kind)(), getattr(second, kind)()
        for field in one.__slots__:
            np.testing.assert_array_equal(getattr(one, field), getattr(other, field), err_msg=f"{kind}.{field}")


@pytest.mark.hard
def test_the_cluster_has_two_workers_of_its_own(spark, spark_cluster):
    assert spark.sparkContext.master == spark_cluster.master
    assert all(process.poll() is None for process in spark_cluster.processes)
    assert len(spark_cluster.processes) == 3


def test_a_spark_frame_is_counted_where_it_lies_as_duckdb_counts_the_files(spark, parts):
    frame = spark.read.parquet(str(parts)).drop("criterion")
    stored = read(frame)
    assert isinstance(stored, StoredRatings)
    pattern = str(parts / "*.parquet")
    duckdb = open_stored(pattern)
    by_criterion = [group.ratings for group in open_stored(pattern).split()]
    assert sum(part.facts().ratings for part in by_criterion) == duckdb.facts().ratings
    assert_equal_counts(stored, duckdb)


@pytest.mark.hard
def test_paths_are_opened_on_the_master_that_is_named(spark, spark_cluster, parts):
    pattern = str(parts / "*.parquet")
    spark_groups = list(read(pattern, engine="spark", master=spark_cluster.master, scale="1..5").split())
    duckdb_groups = list(read(pattern, engine="duckdb", scale="1..5").split())
    assert [group.by for group in spark_groups] == [{"criterion": "fluency"}, {"criterion": "style"}]
    for one, other in zip(spark_groups, duckdb_groups, strict=True):
        assert_equal_counts(one.ratings, other.ratings)


@pytest.mark.hard
def test_poisson_weights_on_the_cluster_are_those_of_duckdb(spark, parts):
    frame = spark.read.parquet(str(parts)).drop("criterion")
    stored, duckdb = read(frame), open_stored(str(parts / "*.parquet"))
    for named in (True, False):
        ours = next(stored.draws(named=named, seed=5, replicates=3))
        np.testing.assert_array_equal(ours, next(duckdb.draws(named=named, seed=5, replicates=3)))
        assert ours.shape[1] == 3


@pytest.mark.hard
@pytest.mark.parametrize(
    "asked",
    [
        ["--interval", "jackknife"],
        ["--draws", "poisson", "--bootstrap", "100", "--seed", "3", "-c", "krippendorff_alpha", "-c", "cohen_kappa"],
        ["--resample", "rater", "-c", "fleiss_kappa", "-c", "cohen_kappa"],
        ["--resample", "document", "--map", "document=story", "--bootstrap", "100", "-c", "gwet_ac1"],
        ["--by", "wave", "-c", "krippendorff_alpha", "--bootstrap", "100"],
    ],
    ids=lambda asked: "-".join(asked[:2]).strip("-"),
)
def test_accord_agree_says_of_the_cluster_what_it_says_of_duckdb(
    spark, spark_cluster, parts, monkeypatch, capsys, asked
):
    told = {}
    for where in (["--engine", "spark", "--master", spark_cluster.master], ["--engine", "duckdb"]):
        command = ["accord", "agree", *where, str(parts / "*.parquet"), "--json", *asked]
        monkeypatch.setattr("sys.argv", command)
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code
        told[where[1]] = json.loads(capsys.readouterr().out)
    assert told["spark"]["groups"] == told["duckdb"]["groups"]
    assert {one["coefficient"] for group in told["spark"]["groups"] for one in group["estimates"] if one["value"]}
    assert told["spark"]["ratings"]["fingerprint"] == told["duckdb"]["ratings"]["fingerprint"]


@pytest.mark.hard
def test_poisson_intervals_of_the_cluster_are_those_of_memory(spark, spark_cluster, parts):
    pattern = str(parts / "part1.parquet")
    asked = {"draws": "poisson", "replicates": 100, "seed": 3, "coefficients": ["krippendorff_alpha"]}
    counted = accord.read(pattern, engine="spark", master=spark_cluster.master, level="ordinal")
    on_cluster = accord.agreement(counted, **asked).to_dict()
    here = accord.agreement(accord.read(pattern, level="ordinal"), **asked).to_dict()
    for one, other in zip(on_cluster["groups"], here["groups"], strict=True):
        for ours, theirs in zip(one["estimates"], other["estimates"], strict=True):
            ends = [[estimate["interval"][end] for end in ("low", "high")] for estimate in (ours, theirs)]
            np.testing.assert_allclose(*ends, rtol=0, atol=1e-12)


@pytest.mark.hard
def test_practice_occasions_documents_and_repeats_are_counted_as_here(spark, tmp_path):
    path = tmp_path / "r.csv"
    header = "item,rater,value,occasion,role,document"
    rows = ["1,a,3,1,,x", "1,a,2,2,,x", "1,b,3,10,,x", "1,b,1,9,,x", "2,a,1,1,practice,y", "2,b,2,,,y", "2,a,2,3,,y"]
    path.write_text("\n".join([header, *rows, ""]))
    on_cluster, here = open_stored(path, engine="spark"), open_stored(path)
    assert_equal_counts(on_cluster, here)
    assert on_cluster.facts().ratings == 4
    for named in (True, False):
        ours, theirs = on_cluster.by_document(named=named), here.by_document(named=named)
        for field in ("rows", "multiplicity", "document"):
            np.testing.assert_array_equal(getattr(ours, field), getattr(theirs, field))
    path.write_text("item,rater,value\n1,a,3\n1,a,2\n1,b,3\n")
    with pytest.raises(RatingsError, match="a rated 1 more than once"):
        require_single(open_stored(path, engine="spark"))


@pytest.mark.hard
def test_text_with_missing_tokens_gives_the_same_counts(spark, tmp_path):
    path = tmp_path / "r.csv"
    path.write_text('item,rater,value\n1,a,good\n1,b,NA\n2,a,"so, so"\n2,b,good\n3,b,n/a\n3,a,it\'s\n')
    assert_equal_counts(open_stored(path, engine="spark"), open_stored(path))


@pytest.mark.hard
def test_scores_with_decimals_are_counted_as_moments(spark, tmp_path, monkeypatch):
    monkeypatch.setattr("accord.ratings.stored.MOST_LISTED", 10)
    path = tmp_path / "r.csv"
    rng = np.random.default_rng(2)
    rows = [f"{item},{rater},{rng.integers(0, 999) / 4}" for item in range(50) for rater in "ab"]
    path.write_text("\n".join(["item,rater,value", *rows, "50,a,nan", "50,b,NA", ""]))
    on_cluster, here = open_stored(path, engine="spark"), open_stored(path)
    assert on_cluster.facts() == here.facts()
    for field in ("ratings", "total", "squares", "multiplicity"):
        np.testing.assert_array_equal(getattr(on_cluster.moments(), field), getattr(here.moments(), field))


@pytest.mark.hard
def test_errors_of_the_cluster_are_one_sentence(spark, tmp_path):
    with pytest.raises(UnreadableFileError, match="Spark cannot read"):
        open_stored(tmp_path / "absent.parquet", engine="spark")
    frame = spark.createDataFrame([("1", "a", 3)], ["item", "who", "value"])
    with pytest.raises(ColumnError, match="rater"):
        read(frame)
    with pytest.raises(RatingsError, match="not on the declared scale"):
        read(frame, rater="who", scale="1,2").facts()
    stored = read(frame, rater="who")
    spark.catalog.dropTempView(stored.engine.table)
    with pytest.raises(OperationError, match="Spark could not count"):
        stored.facts()


def test_statements_are_translated_with_their_quoting():
    assert translated("""SELECT COUNT(*) FILTER (WHERE "a b" = 'c\\d') AS n FROM t""") == (
        "SELECT COUNT(*) FILTER(WHERE `a b` = 'c\\\\d') AS n FROM t"
    )
