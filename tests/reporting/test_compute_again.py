"""The lines "Compute it again" of a study's report run as printed and give the numbers of the report."""

import json
import re
import shlex
from html import unescape
from pathlib import Path
from zipfile import ZipFile

import pytest

RECORDED = Path(__file__).parent.parent / "recorded" / "studies"


@pytest.mark.parametrize("name", ["error-counts", "two-phases"])
def test_lines_of_a_study_s_report_gives_its_number_again(name, tmp_path, accord_command):
    with ZipFile(RECORDED / f"{name}.zip") as archive:
        archive.extractall(tmp_path)
    done = accord_command("report", "study", "-o", "report.html")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    groups = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])["reliability"]["groups"]
    found = re.findall(r"Compute it again</span>.*?<pre[^>]*>(.*?)</pre>", text, re.S)
    commands = list(dict.fromkeys(unescape(one) for one in found))
    told = {
        (json.dumps(group["by"], sort_keys=True), one["coefficient"]): one for group in groups
        for one in group["estimates"]
    }  # fmt: skip
    seen = set()
    for command in commands[::6]:  # each starts the program anew
        words = shlex.split(command)
        assert words[:2] == ["accord", "agree"]
        again = accord_command(*words[1:], "--json")
        assert again.returncode == 0, f"{command}\n{again.stderr}"
        for group in json.loads(again.stdout)["groups"]:
            for one in group["estimates"]:
                key = json.dumps(group["by"], sort_keys=True), one["coefficient"]
                assert one["value"] == (
                    pytest.approx(told[key]["value"], abs=1e-12) if told[key]["value"] is not None else None
                )
                seen.add(key)
    assert len(commands) > 6 and {key for _, key in seen} <= {key for _, key in told}
    assert len(seen) >= len(commands[::6])
