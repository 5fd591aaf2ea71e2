"""Count ratings on a Spark cluster: the same SQL, translated; only counts come to the driver."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from accord.errors import MissingExtraError, OperationError, UnreadableFileError
from accord.ratings.engine import Progress
from accord.ratings.poisson_weights import KEY_DIGITS

__all__ = ["SparkEngine", "is_spark_frame", "open_frame", "open_session"]

_NUMBERS = count(1)


def is_spark_frame(source: Any) -> bool:
    """Whether this is a PySpark data frame, classic or connect; without importing PySpark."""
    return type(source).__module__.startswith("pyspark.") and hasattr(source, "createOrReplaceTempView")


def open_session(master: str | None = None) -> Any:
    """The Spark session that runs already, or one on this master."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError("Counting on Spark", "spark") from None
    builder = SparkSession.builder.appName("accord")
    if master is not None:
        builder = builder.master(master)
    try:
        return builder.getOrCreate()
    except Exception as error:  # py4j and Java raise many kinds when a master cannot be reached
        raise OperationError(
            f"Spark at {master or 'its default master'} does not answer: {_first_line(error)}"
        ) from None


def open_frame(paths: Sequence[str], master: str | None) -> Any:
    """The files as a Spark frame; paths are as the cluster sees them."""
    session = open_session(master)
    text = all(path.split("?")[0].endswith((".csv", ".csv.gz", ".tsv")) for path in paths)
    try:
        if text:
            separator = "\t" if paths[0].endswith(".tsv") else ","
            return session.read.csv(list(paths), header=True, sep=separator, multiLine=True, escape='"')
        return session.read.parquet(*paths)
    except Exception as error:  # whatever Spark raises for a path it cannot read
        raise UnreadableFileError(f"Spark cannot read {', '.join(paths[:3])}: {_first_line(error)}") from None


class SparkEngine:
    """Runs statements where the frame lies."""

    name = "spark"

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.session = frame.sparkSession
        self.table = f"accord_ratings_{next(_NUMBERS)}"
        frame.createOrReplaceTempView(self.table)

    def column_names(self) -> list[str]:
        """The columns of the frame."""
        return list(self.frame.columns)

    def run(self, statements: Sequence[str], progress: Progress | None = None) -> Iterator[Mapping[str, Any]]:
        for done, statement in enumerate(statements):
            if progress is not None:
                progress(done, len(statements))
            yield self._fetched(translated(statement))
        if progress is not None:
            progress(len(statements), len(statements))

    def _fetched(self, statement: str) -> dict[str, list[Any]]:
        try:
            frame = self.session.sql(statement)
            rows = frame.collect()
        except Exception as error:  # whatever Spark raises on the cluster
            raise OperationError(f"Spark could not count: {_first_line(error)}") from None
        return {name: [row[place] for row in rows] for place, name in enumerate(frame.columns)}

    def buckets(self, items: int, columns: int) -> int:
        """Spark divides and spills by itself."""
        return 1

    def in_bucket(self, item: str, bucket: int, buckets: int) -> str:
        return "TRUE"

    def item_key(self, item: str, place: int) -> str:
        digits = f"SUBSTR(MD5(CAST({item} AS VARCHAR)), {1 + place * KEY_DIGITS}, {KEY_DIGITS})"
        return f"CAST(CONV({digits}, 16, 10) AS BIGINT)"


def translated(statement: str) -> str:
    """The statement in Spark's dialect."""
    try:
        import sqlglot
    except ImportError:
        raise MissingExtraError("Counting on Spark", "spark") from None
    return str(sqlglot.transpile(statement, read="duckdb", write="spark")[0])


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:300] if str(error).strip() else type(error).__name__
