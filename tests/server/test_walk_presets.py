"""Every preset from the invitation to the thanks, by mouse or by keyboard; the export is what was answered."""

import csv
import io
import json
import tomllib
from concurrent.futures import ThreadPoolExecutor

import pytest

from accord.design.preset import PRESETS, copy_preset
from browser_walk import DESK, PHONE, Walk
from hands import Keyboard, Mouse
from served_study import Served

pytest.register_assert_rewrite("preset_walk")
from preset_walk import Rater, compare  # noqa: E402

pytestmark = pytest.mark.browser
SMALL_CONTROLS = {
    " = 10\n": " = 1\n",
    "batch = 70": "batch = 10",
    "blocks = 1\n": "blocks = 2\n",
    "spacing = 5": "spacing = 1",
}
SMALL = {
    "plato": ("", 1, {'key = "after"\n': 'key = "after"\nopens = "at-once"\n'}),
    "document-context": (
        "news-bridge news-ferry", 2,
        {', "talk-bees", "story-key", "review-lamp"': "", ', "talk-maps", "story-well", "review-tent"': ""},
    ),
    "reference-bias": ("garden", 5, {}),
    "direct-assessment": ("garden", 5, SMALL_CONTROLS),
    "mqm": ("notice", 4, {}),
    "esa": ("hike", 4, {}),
    "pairwise": ("garden", 4, {"repeats = 3": "repeats = 1", "blocks = 6": "blocks = 2", "spacing = 3": "spacing = 1"}),
    "quality-check": ("job-101 job-102 job-103 job-104 job-105 job-106", 1, {"overlap = 6": "overlap = 3"}),
}  # fmt: skip
_FIRST = ("garden", 4, {"repeats = 4": "repeats = 1", "degraded = 4": "degraded = 1", "blocks = 6": "blocks = 2",
                        "spacing = 3": "spacing = 1"})  # fmt: skip
"""Documents and segments that are kept, and what has to change with them: some ten screens instead of a hundred."""


def make(preset, folder):
    """The preset, small."""
    copy_preset(preset, folder)
    documents, last, changes = SMALL.get(preset, _FIRST)
    settings = folder / "study.toml"
    text = settings.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text or preset not in SMALL
        text = text.replace(old, new)
    settings.write_text(text, encoding="utf-8")
    items = next(folder.glob("items.*"))
    lines = items.read_text(encoding="utf-8").splitlines(keepends=True)
    items.write_text("".join(line for line in lines if is_kept(line, documents.split(), last)), encoding="utf-8")
    return folder


def is_kept(line, documents, last):
    if line.startswith("{"):
        item = json.loads(line)
        document, segment = item["document"], item["segment"]
    else:
        document, segment, *_ = line.split("\t")
    return segment == "segment" or (int(segment) <= last and (not documents or document in documents))


def command(*arguments):
    """``accord ...`` in this process: forty starts of Python are saved; beside the loop of the browser."""
    from typer.testing import CliRunner

    from accord.cli.main import _application

    def run():
        from django.db import connections

        try:
            return CliRunner().invoke(_application(arguments[0]), [str(part) for part in arguments])
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(run).result()
    assert done.exit_code == 0, done.output
    return done.stdout


def exported(folder, rater, *options):
    rows = csv.DictReader(io.StringIO(command("export", folder, "--systems", *options)))
    return [row for row in rows if row["rater"] == rater]


HANDS = (Mouse, DESK), (Keyboard, PHONE)
BY_BOTH = {"document-context"}
"""Has a kind of question that no other preset has."""
OFTEN = [
    (preset, hand)
    for place, preset in enumerate(PRESETS)
    for turn, (hand, _) in enumerate(HANDS)
    if preset in BY_BOTH or turn == place % 2
]
"""Which hand walks a preset every time; the other one walks it with --hard."""
WALKS = [
    pytest.param(preset, hand, size, id=f"{preset} by {hand.__name__.lower()}",
                 marks=() if (preset, hand) in OFTEN else pytest.mark.hard)
    for preset in PRESETS for hand, size in HANDS
]  # fmt: skip


@pytest.mark.parametrize(("preset", "hand", "size"), WALKS)
def test_a_preset_walked_by_mouse_or_by_keyboard_exports_exactly_what_was_answered(
    chromium, tmp_path, preset, hand, size
):
    folder = make(preset, tmp_path / preset)
    server = Served(folder, is_forked=True)
    try:
        (row,) = json.loads(command("invite", folder, 1, "--address", server.address, "--json"))["invitations"]
        walk = Walk(chromium, size, server.address)
        rater = Rater(walk, hand, folder, f"{preset} {hand.__name__}").walk_through(row["link"])
        walk.close()
        asked = ([], ["--judgements"], ["--questionnaire"], ["--background"])
        compare(rater, folder, *(exported(folder, row["rater"], *options) for options in asked))
    finally:
        server.stop()


def test_every_kind_of_question_of_the_presets_is_answered_by_both_hands_every_time(tmp_path):
    kinds = {}
    for preset in PRESETS:
        study = tomllib.loads((make(preset, tmp_path / preset) / "study.toml").read_text(encoding="utf-8"))
        kinds[preset] = {criterion["kind"] for criterion in study["criteria"]}
    met = {(kind, hand) for preset, hand in OFTEN for kind in kinds[preset]}
    assert met == {(kind, hand) for kind in set().union(*kinds.values()) for hand, _ in HANDS}
    assert {preset for preset, _ in OFTEN} == set(PRESETS)
