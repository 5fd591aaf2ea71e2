"""A real Spark cluster for the tests that ask for one: a master and two workers, each a process of its own."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MASTER_CLASS = "org.apache.spark.deploy.master.Master"
WORKER_CLASS = "org.apache.spark.deploy.worker.Worker"
NEEDS_JAVA = "needs Java 17 or later for Spark: apt-get install openjdk-17-jre-headless"
QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


class Cluster:
    """Processes started through spark-class; only these are ended."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self.folder = folder
        self.home = Path(pyspark.__file__).parent
        self.processes: list[subprocess.Popen[bytes]] = []
        self.master = ""

    def start(self) -> None:
        log = self._launch("master", MASTER_CLASS, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.master = self._awaited(log, r"Starting Spark master at (spark://[\d.]+:\d+)")
        logs = []
        for number in (1, 2):
            work = self.folder / f"work{number}"
            logs.append(
                self._launch(
                    f"worker{number}", WORKER_CLASS, "--host", "127.0.0.1", "--cores", "1", "--memory", "1g",
                    "--webui-port", "0", "--work-dir", str(work), self.master,
                )
            )  # fmt: skip
        for worker_log in logs:
            self._awaited(worker_log, r"(Successfully registered with master)")

    def _launch(self, name: str, *arguments: str) -> Path:
        log = self.folder / f"{name}.log"
        environment = {
            **os.environ, "SPARK_HOME": str(self.home), "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": QUICK_START,
            "SPARK_LOCAL_DIRS": str(self.folder / "local"), "PYSPARK_PYTHON": sys.executable,
        }  # fmt: skip
        with log.open("wb") as out:
            command = [str(self.home / "bin" / "spark-class"), *arguments]
            process = subprocess.Popen(command, stdout=out, stderr=out, env=environment, start_new_session=True)
        self.processes.append(process)
        return log

    def _awaited(self, log: Path, pattern: str, seconds: float = 180) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := re.search(pattern, log.read_text(errors="replace")):
                return found[1]
            time.sleep(0.2)
        pytest.fail(f"Spark did not start within {seconds:.0f} s:\n{log.read_text(errors='replace')[-2000:]}")

    def stop(self) -> None:
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(timeout=10)


@pytest.fixture(scope="session")
def spark_cluster(tmp_path_factory):
    """The address of a running standalone cluster."""
    if shutil.which("java") is None:
        pytest.skip(NEEDS_JAVA)
    cluster = Cluster(tmp_path_factory.mktemp("spark"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


IN_THIS_MACHINE = "local[2]"
SMALL = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
"""To compile a program for each statement is for millions of rows; for thousands it takes longer than to count."""


@pytest.fixture(scope="session")
def spark(request, tmp_path_factory):
    """A session: on the cluster, with one executor on each worker, where a test of this run asks for the cluster.

    Else the same Spark, its planner and its SQL, in one process with two threads: six take a minute to start.
    """
    from pyspark.sql import SparkSession

    is_cluster = any("spark_cluster" in getattr(item, "fixturenames", ()) for item in request.session.items)
    if not is_cluster and shutil.which("java") is None:
        pytest.skip(NEEDS_JAVA)
    master = request.getfixturevalue("spark_cluster").master if is_cluster else IN_THIS_MACHINE
    folder = tmp_path_factory.mktemp("driver")
    settings = {
        "spark.driver.host": "127.0.0.1", "spark.driver.memory": "512m", "spark.executor.memory": "512m",
        "spark.executor.cores": "1", "spark.driver.extraJavaOptions": QUICK_START,
        "spark.executor.extraJavaOptions": QUICK_START, "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false", "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"), **({} if is_cluster else SMALL),
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master(master)
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        try:
            yield session
        finally:
            session.stop()
