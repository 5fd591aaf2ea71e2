"""What the form of the questions makes of a question, and of what was typed into it by people in a hurry."""

from copy import deepcopy

import pytest

from accord.design.load import load_study
from accord.design.toml_text import parse_toml
from accord.design.toml_writing import to_toml
from accord.errors import InputError
from design.study_folder import write_study


@pytest.fixture(scope="module")
def esa():
    from importlib.resources import files

    return parse_toml(files("accord.design").joinpath("presets", "esa", "study.toml").read_text("utf-8"))


@pytest.fixture(scope="module", autouse=True)
def spoken(tmp_path_factory):
    from accord.server.connect import connect
    from served_study import make_study

    connect(make_study(tmp_path_factory.mktemp("any") / "study"))


def sent(raw, **changed):
    """The form as a browser sends it, with some fields changed."""
    from accord.server.workspace.questions import shown_criteria

    form = {"asked": str(len(raw["criteria"]))}
    for one in shown_criteria(raw):
        names = ["question", *(["low_label", "high_label", "between"] if one["kind"] == "slider" else [])]
        form |= {f"{name}-{one['place']}": one[name] for name in names}
    return form | changed


def changed_criteria(raw, form):
    from accord.server.workspace.questions import changed_criteria

    return changed_criteria(raw, form)


def test_a_form_that_nobody_touched_changes_nothing(esa):
    before = deepcopy(esa)
    assert changed_criteria(esa, sent(esa)) == before


def test_words_of_an_end_and_its_anchor_are_one_thing(esa):
    made = changed_criteria(esa, sent(esa, **{"high_label-1": "flawless"}))["criteria"][1]
    assert made["high_label"] == "flawless" and "100" not in made["anchors"]
    assert made["anchors"] == {key: words for key, words in esa["criteria"][1]["anchors"].items() if key != "100"}
    assert made["low_label"] == esa["criteria"][1]["low_label"]


def test_words_between_the_ends_are_changed_added_and_taken_away(esa):
    made = changed_criteria(esa, sent(esa, **{"between-1": "75 = nearly all of it\n50 = half of it"}))["criteria"][1]
    between = {key: words for key, words in made["anchors"].items() if key not in ("0", "100")}
    assert between == {"50": "half of it", "75": "nearly all of it"}
    assert made["anchors"]["100"] == esa["criteria"][1]["anchors"]["100"]
    with pytest.raises(InputError, match="half of it"):
        changed_criteria(esa, sent(esa, **{"between-1": "half of it"}))


def test_a_form_that_is_sent_twice_adds_one_question(esa):
    form = sent(esa, add="scale")
    once = changed_criteria(esa, form)
    assert len(once["criteria"]) == len(esa["criteria"]) + 1
    assert changed_criteria(once, form) == once


def test_a_form_that_is_sent_twice_takes_one_question_away(esa):
    form = sent(esa, **{"remove-0": "yes"})
    once = changed_criteria(esa, form)
    assert [one["key"] for one in once["criteria"]] == ["score"]
    assert changed_criteria(once, form) == once


def test_a_form_of_other_questions_changes_none(esa):
    now = {**esa, "criteria": esa["criteria"][1:]}
    with pytest.raises(InputError, match="another page"):
        changed_criteria(now, sent(esa, **{"question-0": "How bad?"}))


def test_a_question_is_given_a_short_name_and_what_speaks_of_it_follows(esa):
    plan = {**esa, "analysis": {"criterion": "score"}, "practice": [{"target": "x", "criterion": "score"}]}
    made = changed_criteria(plan, sent(plan, **{"key-1": "adequacy"}))
    assert [one["key"] for one in made["criteria"]] == [esa["criteria"][0]["key"], "adequacy"]
    assert made["analysis"]["criterion"] == made["practice"][0]["criterion"] == "adequacy"
    assert set(made["criteria"][1]) == set(esa["criteria"][1]), "nothing else is kept of the old name"


@pytest.mark.parametrize(
    ("typed", "kept", "shown"),
    [
        ("0-30", [0, 30], "0 – 30"),
        ("60 bis 80", [60, 80], "60 – 80"),
        ("0, 30", [0, 30], "0 – 30"),
        ("10", [10], "0 – 20"),
    ],
)
def test_a_practice_item_on_a_line_takes_a_range_and_says_which_scores_are_right(esa, typed, kept, shown):
    from accord.server.workspace.questions import changed_practice, shown_practice

    form = {"practice-target": "x", "practice-criterion": "score", "practice-expected": typed}
    made = changed_practice(esa, form)
    assert made["practice"] == [{"target": "x", "criterion": "score", "expected": kept}]
    assert shown_practice(made)[0]["right"] == shown


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("1-2", [1, 2]), ("2 to 1, 5", [1, 2, 5]), ("4", [4]), ("7-9", ["7-9"]), ("1.5-2.5", [2])],
)
def test_a_practice_item_on_a_scale_takes_a_range_of_its_answers(typed, kept):
    from accord.server.workspace.questions import changed_practice, shown_practice

    raw = {"criteria": [{"key": "meaning", "kind": "scale", "values": [1, 2, 3, 4, 5]}]}
    form = {"practice-target": "x", "practice-criterion": "meaning", "practice-expected": typed}
    made = changed_practice(raw, form)
    assert made["practice"][0]["expected"] == kept
    assert shown_practice(made)[0]["right"] == ", ".join(map(str, kept))


def test_an_answer_without_words_of_its_own_is_not_said_twice(tmp_path):
    from accord.server.organiser.judgements import shown_value
    from accord.server.study import LoadedStudy
    from accord.server.workspace.questions import shown_criteria

    asked = {"key": "meaning", "question": "How much?", "kind": "scale", "level": "ordinal", "values": [1, 2, 3]}
    made = changed_criteria({"criteria": [asked]}, {"question-0": "How much?", "answers-0": "1 = none\n2\n3 = all"})
    assert made["criteria"][0]["labels"] == ["none", "2", "all"]
    assert shown_criteria(made)[0]["answers"] == "1 = none\n2\n3 = all"
    study = LoadedStudy(load_study(write_study(tmp_path / "s", criteria=to_toml(made))))
    assert [shown_value(study, "meaning", value) for value in (1, 2, 3)] == ["1 – none", "2", "3 – all"]


def test_an_answer_that_reads_like_a_range_stays_one_answer():
    from accord.server.workspace.questions import changed_practice

    raw = {"criteria": [{"key": "errors", "kind": "scale", "values": ["0", "1-2", "3-5"]}]}
    form = {"practice-target": "x", "practice-criterion": "errors", "practice-expected": "1-2"}
    assert changed_practice(raw, form)["practice"][0]["expected"] == ["1-2"]


@pytest.mark.parametrize(("key", "why"), [("two words", "must begin with a letter"), ("spans", "Two questions")])
def test_a_short_name_that_cannot_be_one_is_refused(esa, key, why):
    assert esa["criteria"][0]["key"] == "spans"
    with pytest.raises(InputError, match=why):
        changed_criteria(esa, sent(esa, **{"key-1": key}))


def test_consent_and_completion_are_shown_changed_and_taken_away(esa):
    from accord.server.workspace.around import changed_around, shown_around

    raw = {**esa, "consent": {"text": "You agree.", "ethics_approval": "E 12"}, "completion": {"code": "C0DE"}}
    shown = shown_around(raw, {})
    assert (shown["consent_text"], shown["consent_required"], shown["completion_code"]) == ("You agree.", True, "C0DE")
    form = {
        "consent-text": "You agree.", "consent-ethics_approval": "E 12", "consent-required": "yes",
        "completion-code": "C0DE", "completion-message": "", "completion-url": "",
    }  # fmt: skip
    assert changed_around(raw, form) == raw, "a form that nobody touched changes nothing"
    made = changed_around(raw, {**form, "consent-text": "You may stop.", "completion-code": "NEW"})
    assert made["consent"] == {"text": "You may stop.", "ethics_approval": "E 12"}
    assert made["completion"] == {"code": "NEW"}
    del form["consent-required"]
    assert changed_around(raw, form)["consent"]["required"] is False
    assert "consent" not in changed_around(raw, {**form, "consent-text": " "})
    with pytest.raises(InputError, match="https://"):
        changed_around(raw, {**form, "completion-url": "http://x.org"})


def test_the_plan_says_how_many_control_items_it_has_where_a_batch_is_not_whole(tmp_path):
    from accord.design.assignment.make import plan_assignment
    from accord.design.load import load_study
    from accord.server.workspace.controls import planned_controls
    from organised_study import STUDY, write_study

    asked = STUDY.replace("repeats = 3", 'repeats = 10\nper = "batch"\nbatch = 70')
    plan = plan_assignment(load_study(write_study(tmp_path, asked)))
    each = sum(task.role == "repeat" for task in plan.tasks_of("R1"))
    told = dict(planned_controls(plan, {"repeats": 10, "degraded": 4, "references": 0, "per": "batch", "batch": 70}))
    assert 0 < each < 10 and told["Repeats"] == f"{each} (in a whole batch of 70 texts 10)"
    assert set(told) == {"Repeats", "Degraded"}


def test_a_question_is_taken_away_where_that_is_asked_for_and_not_while_its_words_are_written_anew(esa):
    with pytest.raises(InputError, match="“score” has no words"):
        changed_criteria(esa, sent(esa, **{"question-1": " "}))
    made = changed_criteria(esa, sent(esa, **{"question-1": " ", "remove-1": "yes"}))
    assert [one["key"] for one in made["criteria"]] == ["spans"]


MQM_POINTS = """major = 5 = Major: the meaning is changed or the reader is stopped
minor = 1 = Minor: noticed, but understood
neutral = 0 = Neutral: I would write it otherwise
minor/punctuation = 0.1
major/non-translation = 25"""


def test_what_errors_cost_is_seen_and_changed_beside_their_categories():
    from accord.design.preset import preset_settings
    from accord.server.workspace.questions import shown_criteria

    mqm = preset_settings("mqm")
    assert shown_criteria(mqm)[0]["points"] == MQM_POINTS
    assert changed_criteria(mqm, sent(mqm, **{"points-0": MQM_POINTS.replace("\n", "\r\n")})) == mqm
    lines = "major = 10 = Major: the meaning is changed\nminor = 0.5\nmajor/non-translation = 25"
    made = changed_criteria(mqm, sent(mqm, **{"points-0": lines}))["criteria"][0]
    assert made["severities"] == [
        {"key": "major", "label": "Major: the meaning is changed", "weight": 10},
        {"key": "minor", "weight": 0.5},
    ]
    assert made["weights"] == {"major/non-translation": 25}
    with pytest.raises(InputError, match="“grave = many”"):
        changed_criteria(mqm, sent(mqm, **{"points-0": "grave = many"}))
