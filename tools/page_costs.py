"""Processor time of the pages of a workspace of 20 studies, one of 500,000 judgements: docs/reliability.md.

    .venv/bin/python tools/page_costs.py FOLDER

makes the workspace in FOLDER if it is not there, computes the state of the large study once, and asks for each page
again and again. Processor time of the server's processes is measured, not waiting.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parent)]

from capacity_study import processor_seconds  # noqa: E402

from organised_study import write_study  # noqa: E402
from served_study import write_folder  # noqa: E402
from served_workspace import Workspace  # noqa: E402

SMALL, TIMES = 19, 20
DOCUMENTS, SEGMENTS, SYSTEMS, RATERS, EACH = 1_000, 10, 5, 50, 10
LARGE = f"""
title = "Half a million judgements"
seed = 3
items = "items.tsv"
[languages]
source = "en"
target = "de"
[assignment]
design = "incomplete-blocks"
raters = {RATERS}
ratings_per_item = {EACH}
[[scenarios]]
key = "alone"
kind = "random-sentence"
title = "One sentence"
[[criteria]]
key = "quality"
question = "How good is it?"
kind = "slider"
best = "high"
low = 0
high = 100
"""
FILL = '''
from pathlib import Path
from accord.server.connect import connect, prepare
connect(Path({folder!r}))
prepare()
from django.db import connection
from accord.server.guidelines import latest
from accord.server.kept_plan import keep_plan
from accord.server.kept_study import keep_study
from accord.server.models import Rater
from accord.server.organiser.snapshot import refresh
Rater.objects.bulk_create(
    [Rater(pseudonym=f"R{{n + 1}}", slot=n, state="active", guidelines_read=1) for n in range({raters})])
keep_plan()
keep_study()
# What invitations and saves would write, by the database itself: a text of a system is judged by raters that follow
# each other, with a true value of each text, raters who differ from it and in how strict they are.
with connection.cursor() as cursor:
    cursor.execute("""
        WITH RECURSIVE
          texts(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM texts WHERE n < {texts} - 1),
          each(k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM each WHERE k < {each} - 1)
        INSERT INTO server_task (rater_id, "order", scenario, document, item, systems, texts, altered, phase, condition,
                                 batch, role, occasion)
        SELECT 1 + (n + k) % {raters}, 1 + n, 'alone', 'd' || (1 + n / {systems} / {segments}),
               'd' || (1 + n / {systems} / {segments}) || '-' || (1 + n / {systems} % {segments}),
               '["s' || (n % {systems}) || '"]', '[]', '', '', '', '', 'system', 1
        FROM texts, each""")
    cursor.execute("""
        INSERT INTO server_judgement (uuid, task_id, criterion, place, value, cannot_judge, revision, seconds,
                                      guideline_id, made_at, received_at)
        SELECT lower(hex(randomblob(16))), id, 'quality', 0,
               CAST(max(0, min(100, 15 + ("order" * 7919) %% 41 + rater_id %% 9 + abs(random()) %% 31)) AS TEXT), 0, 1,
               5 + abs(random()) %% 40, %s,
               datetime('now', '-' || (abs(random()) %% 28000) || ' minutes'), datetime('now')
        FROM server_task WHERE role <> 'practice'""", [latest().pk])
connection.close()
assert refresh(here=True)
'''
PAGES = (
    "/", "/people", "/s/large/organiser", "/s/large/organiser/live", "/s/large/organiser/results",
    "/s/large/organiser/judgements", "/s/large/organiser/quality", "/s/large/organiser/raters/R1",
    "/s/large/organiser/agreement/quality", "/s/large/organiser/arbitration", "/s/large/organiser/people",
    "/s/large/organiser/comments", "/s/large/organiser/rounds", "/s/large/organiser/reports",
    "/s/large/organiser/items/d1-1:system-1", "/s/small-1/organiser", "/s/small-1/organiser/live",
)  # fmt: skip


def made(folder: Path) -> Path:
    """The workspace, made once; who may enter it is forgotten, so that the next run is let in as the first was."""
    for left in folder.glob("workspace.sqlite3*"):
        left.unlink()
    for number in range(1, SMALL + 1):
        if not (folder / f"small-{number}").exists():
            write_study(folder / f"small-{number}")
    large = folder / "large"
    if not large.exists():
        items = [
            (f"d{d}", str(s), f"Source {d} {s}.", *(f"Text {d} {s} of {system}." for system in range(SYSTEMS)))
            for d in range(1, DOCUMENTS + 1)
            for s in range(1, SEGMENTS + 1)
        ]
        write_folder(large, LARGE, "# Judge.\n", [f"target:s{one}" for one in range(SYSTEMS)], items)
        subprocess.run([sys.executable, "-c", _filling(large)], check=True)
    return folder


def _filling(folder: Path) -> str:
    texts = DOCUMENTS * SEGMENTS * SYSTEMS
    return FILL.format(folder=str(folder), texts=texts, raters=RATERS, each=EACH, systems=SYSTEMS, segments=SEGMENTS)


def main() -> None:
    """Measure every page."""
    server = Workspace(made(Path(sys.argv[1])))
    try:
        owner = server.owner()
        for path in PAGES:
            owner.get(path)
        # What is counted beside the pages is counted, and would be measured with them.
        time.sleep(20)
        print("| page | processor milliseconds | kB |\n|---|---|---|")
        for path in PAGES:
            text = owner.get(path)
            start = processor_seconds(server.process.pid)
            for _ in range(TIMES):
                owner.get(path)
            spent = (processor_seconds(server.process.pid) - start) / TIMES
            shown = re.sub(r"^/s/", "", path)
            print(f"| {shown} ({owner.status}) | {1000 * spent:.0f} | {len(text.encode()) / 1000:.0f} |", flush=True)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
