"""Every line "Compute it again" of a report runs as printed and gives the numbers of the report."""

import json
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "recorded" / "studies"

# One process for all lines: each is given to the program as a terminal would give it, without a new start.
RUN = """
import contextlib, io, json, shlex, sys
from accord.cli.main import main

told = []
for line in json.load(sys.stdin):
    program, *words = shlex.split(line)
    assert program == "accord", line
    sys.argv, said = [program, *words, "--json"], io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            main()
        except SystemExit as end:
            assert not end.code, (line, end.code)
    told.append(json.loads(said.getvalue()))
json.dump(told, sys.stdout)
"""


def study(name, place):
    with ZipFile(RECORDED / f"{name}.zip") as archive:
        archive.extractall(place)
    return ("study",)


def file(name, place):
    shutil.copy(ROOT / "docs" / "examples" / name, place)
    return (name, "--level", "interval", "--direction", "high")


SOURCES = {"error-counts": study, "two-phases": study, "context.csv": file}


def by_group(groups):
    """The estimates of each group by its parts and coefficient."""
    return {
        (json.dumps(group["by"], sort_keys=True), bool(group["combined"]), one["coefficient"]): one
        for group in groups for one in group["estimates"]
    }  # fmt: skip


# Half a minute of processor time for one study: the other study keeps the same promise each time.
LONG = [pytest.param(name, marks=pytest.mark.hard) if name == "error-counts" else name for name in SOURCES]


@pytest.mark.parametrize("name", LONG)
def test_every_line_of_a_report_gives_its_number_again(name, tmp_path, accord_command):
    asked = SOURCES[name](name, tmp_path)
    done = accord_command("report", *asked, "-o", "report.html")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    report = by_group(json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])["reliability"]["groups"])
    found = re.findall(r"Compute it again</span>.*?<pre[^>]*>(.*?)</pre>", text, re.S)
    lines = list(dict.fromkeys(unescape(one) for one in found))
    ran = subprocess.run(
        [sys.executable, "-c", RUN], input=json.dumps(lines), cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    seen = {}
    for one in json.loads(ran.stdout):
        seen |= by_group(one["groups"])
    # A coefficient asked for by name is computed where it does not fit, too: more may be told than the report has.
    assert set(report) <= set(seen) and len(lines) > 6
    for key, one in report.items():
        again = seen[key]
        assert again["signature"] == one["signature"], key
        assert again["value"] == (None if one["value"] is None else pytest.approx(one["value"], abs=1e-12)), key
        assert (again["interval"] is None) == (one["interval"] is None), key
        for end in ("low", "high") if one["interval"] else ():
            assert again["interval"][end] == pytest.approx(one["interval"][end], abs=1e-9), key
