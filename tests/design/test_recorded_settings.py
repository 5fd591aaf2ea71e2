"""What every setting of a study is when nobody says it, what it may be and is called; and small laws of the rest.

``tests/recorded/study-settings.txt`` has a line for each. Where one is to change, run
``python tests/design/test_recorded_settings.py``, read the difference, and keep it if every line of it is meant.
"""

import tomllib
from pathlib import Path

import pytest

from accord.design import prefilled
from accord.design.fitting import _fewer_controls, _plain_design
from accord.design.load import load_study
from accord.design.preset import copy_preset
from accord.design.study import Controls, StudySettings
from accord.design.toml_lines import TomlLines
from accord.design.toml_text import parse_toml
from accord.design.working_time import expected_seconds, paid_minutes, pay_of
from accord.errors import OperationError, StudyError
from design.study_folder import CRITERION, HEAD, SCENARIO, write_study
from recorded_answers import _lines

RECORD = Path(__file__).parents[1] / "recorded" / "study-settings.txt"


def told() -> list[str]:
    return list(_lines(StudySettings.model_json_schema()))


def test_every_setting_is_what_was_recorded():
    assert told() == RECORD.read_text(encoding="utf-8").splitlines()


def test_all_control_items_are_counted_together():
    assert Controls(repeats=1, degraded=2, references=4, gold=8, attention=16).total == 31


def test_time_is_that_of_the_scenario_and_pay_is_by_the_hour(tmp_path):
    two = SCENARIO + "seconds_per_item = 45.0\n" + SCENARIO.replace('"s"', '"t"')
    cost = "[cost]\nper_hour = 30.0\nminutes_fixed = 5.0\nseconds_per_item = 20.0\n"
    settings = load_study(write_study(tmp_path, scenarios=two, more=cost)).settings
    assert [expected_seconds(settings, key) for key in ("s", "t", "practice")] == [45, 20, 20]
    assert paid_minutes(settings, 120) == paid_minutes(settings, [60, 60]) == paid_minutes(settings, iter([120.0])) == 7
    assert pay_of(settings, 90) == 45 and pay_of(settings, 20) == 10


def test_lines_are_found_in_lists_of_tables_within_lists_of_tables():
    lines = TomlLines('[[a]]\n[[a.b]]\nk = 1\n[[a.b]]\nk = 2\n[[a]]\n[[a.b]]\n"k" = 3\n[c.d]\nx.y = 1\n')
    assert [lines.line(("a", *place, "k")) for place in ((0, "b", 0), (0, "b", 1), (1, "b", 0))] == [3, 5, 8]
    assert [lines.line(("c", "d", "x", "y")), lines.line(("c", "d", "z")), lines.line(("e",))] == [10, 9, None]


@pytest.mark.parametrize(("text", "line"), [("{}", 1), ("\n{}", 2), ("\nb = 1\n\n{}", 4)])
def test_a_key_of_too_many_parts_is_told_with_its_line(text, line):
    with pytest.raises(tomllib.TOMLDecodeError, match=f"a key on line {line} has more than 64 parts"):
        parse_toml(text.format("a." * 64 + "a = 1"))
    assert parse_toml(text.format("a." * 62 + "a = 1"))


def test_an_empty_list_is_told_beside_other_mistakes_and_not_beside_its_own(tmp_path):
    def problems(folder, **more):
        with pytest.raises(StudyError) as refused:
            load_study(write_study(folder, **more))
        return [str(problem) for problem in refused.value.problems]

    both = problems(tmp_path / "both", criteria="", head=HEAD.replace("seed = 7", 'seed = "x"\ncriteria = []'))
    assert len(both) == 2 and any("seed" in one for one in both) and any("criteria" in one for one in both)
    inner = problems(tmp_path / "inner", criteria=CRITERION.replace("slider", "dial"))
    assert len(inner) == 1 and "kind" in inner[0]


def test_a_folder_that_cannot_be_made_is_named_with_the_reason(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OperationError) as refused:
        copy_preset("mqm", tmp_path / "file" / "study")
    assert str(refused.value) == f"{tmp_path / 'file' / 'study'} cannot be written: Not a directory."


MARKS = 'key = "e"\nquestion = "?"\nkind = "spans"\nseverities = [{ key = "minor" }]\nprefilled = "m.jsonl"\n'
ITEMS = "document\tsegment\tsource\ttarget\nd\t1\tQuelle\tten chars.\nd\t2\ts\tt\n"


@pytest.mark.parametrize(
    ("start", "end", "more", "fine"),
    [(0, 10, "", True), (9, 10, "", True), (0, 11, "", False), (-1, 2, "", False), (3, 3, "", False), (4, 3, "", False),
     (10, 10, ', "omission": true', True), (11, 11, ', "omission": true', False), ("1", 2, "", False)],
)  # fmt: skip
def test_a_mark_that_stands_beforehand_lies_within_its_text(start, end, more, fine, tmp_path):
    folder = write_study(tmp_path, criteria=f"[[criteria]]\n{MARKS}omissions = true\n", items=ITEMS)
    shown = f'"{start}"' if isinstance(start, str) else start
    mark = f'{{"start": {shown}, "end": {end}, "severity": "minor"{more}}}'
    (folder / "m.jsonl").write_text(f'{{"document": "d", "segment": 1, "system": "system", "marks": [{mark}]}}\n')
    if fine:
        (marks,) = load_study(folder).prefilled.values()
        assert [(one["start"], one["end"]) for one in marks] == [(start, end)]
    else:
        with pytest.raises(StudyError) as refused:
            load_study(folder)
        assert [str(one) for one in refused.value.problems] == [
            f"m.jsonl:1: a mark from {start!r} to {end!r} is not inside the text"
        ]


@pytest.mark.parametrize(("most", "is_fine"), [(0, True), (-1, False)])
def test_marks_that_take_too_much_room_are_not_read(most, is_fine, tmp_path, monkeypatch):
    folder = write_study(tmp_path, criteria=f"[[criteria]]\n{MARKS}", items=ITEMS)
    (folder / "m.jsonl").write_text("\n" * 3_000_000)
    monkeypatch.setattr(prefilled, "MAX_ITEMS_BYTES", 3_000_000 + most)
    if is_fine:
        assert not load_study(folder).prefilled
    else:
        with pytest.raises(StudyError) as refused:
            load_study(folder)
        assert [str(one) for one in refused.value.problems] == ["m.jsonl: holds more than 3 MB"]


@pytest.mark.parametrize("controls", [{"batch": 9}, {"per": "batch"}, {"batch": 9, "per": "batch"}])
def test_control_items_of_batches_are_first_counted_for_each_rater_and_then_halved(controls):
    settings, said = {"controls": {"repeats": 5, "gold": 1, **controls}}, []
    assert _fewer_controls(settings, said) and settings == {"controls": {"repeats": 5, "gold": 1}}
    assert _fewer_controls(settings, said)
    assert settings == {"controls": {"repeats": 2, "blocks": 2, "spacing": 1}}
    assert _fewer_controls(settings, said) and settings["controls"]["repeats"] == 1
    assert _fewer_controls(settings, said) and "controls" not in settings
    assert not _fewer_controls(settings, said)
    assert said == [
        "Control items are counted for each rater: there are too few texts for batches.",
        "Fewer control items, to fit so few texts: 2 repeats.", "Fewer control items, to fit so few texts: 1 repeat.",
        "Fewer control items, to fit so few texts: none.",
    ]  # fmt: skip


def test_a_design_that_does_not_fit_becomes_the_plain_one_and_says_what_went_with_it():
    said: list[str] = []
    for plain in ({}, {"assignment": {"design": "crossed", "raters": 3}}):
        assert not _plain_design(plain, said)
    for other in ({"design": "nested", "raters": 6}, {"design": "crossed", "raters": 6, "source_once": True}):
        settings = {"assignment": other, "test_sets": [1], "groups": [1], "phases": []}
        assert _plain_design(settings, said)
        assert settings == {"assignment": {"design": "crossed", "raters": 6}}
    without = {"assignment": {"design": "nested"}}
    assert _plain_design(without, said) and without["assignment"]["raters"] == 4
    words = "Everybody judges everything: these texts do not fit the design of the protocol"
    assert said == [f"{words} (test sets, groups went with it)."] * 2 + [f"{words}."]


if __name__ == "__main__":
    RECORD.write_text("\n".join(told()) + "\n", encoding="utf-8")
