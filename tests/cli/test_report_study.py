"""``accord report`` on a study folder: what was collected, with the rules declared before."""

import json
import subprocess
import sys

REHEARSE = """
import sys
from pathlib import Path
from accord.server.connect import connect, prepare
connect(Path(sys.argv[1]))
prepare()
from accord.planning.simulated_raters import RaterTraits
from accord.server.rehearsal import fill_in
fill_in(4, RaterTraits(), 3)
"""


def test_a_study_folder_is_reported_with_its_declared_exclusions(accord_command, tmp_path):
    folder = tmp_path / "study"
    assert accord_command("new", "document-context", folder).returncode == 0
    page = folder / "study.toml"
    page.write_text(
        page.read_text() + '\n[[exclusions]]\nrule = "too_fast"\nlimit = 2\nreason = "nobody reads so fast"\n'
    )
    done = subprocess.run([sys.executable, "-c", REHEARSE, str(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-800:]
    found = accord_command("report", folder, "-o", tmp_path / "r.md", "--heds", tmp_path / "heds.json")
    assert found.returncode == 0, found.stderr[-800:]
    text = (tmp_path / "r.md").read_text()
    assert "declared before collection: answers given too fast (limit 2): nobody reads so fast" in text
    assert "## Comparisons" in text
    assert "heds-criteria-criterion" in json.loads((tmp_path / "heds.json").read_text())


def test_a_study_without_judgements_says_so(accord_command, tmp_path):
    folder = tmp_path / "study"
    assert accord_command("new", "pairwise", folder).returncode == 0
    found = accord_command("report", folder, "-o", tmp_path / "r.md")
    assert found.returncode == 2
    assert "holds no judgements yet" in found.stderr
