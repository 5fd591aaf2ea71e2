"""Every mistake we can think of gets file, line, what and what to do, all at once."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.design import items as items_module
from accord.design.load import load_study
from accord.design.toml_lines import TomlLines
from accord.errors import AccordError, OptionError, StudyError, UnreadableFileError
from accord.judging.gate import read_gate
from design.study_folder import CRITERION, HEAD, SCENARIO, items_text, write_study


def problems(folder):
    with pytest.raises(StudyError) as error:
        load_study(folder)
    return [str(problem) for problem in error.value.problems]


def line_of(folder, text, file="study.toml"):
    lines = (folder / file).read_text(encoding="utf-8").split("\n")
    return next(number for number, line in enumerate(lines, start=1) if text in line)


SCALE = '[[criteria]]\nkey = "c"\nquestion = "?"\nkind = "scale"\n'

SPANS = '[[criteria]]\nkey = "e"\nquestion = "?"\nkind = "spans"\nseverities = [{ key = "minor" }]\n'

COMPARED = '[[criteria]]\nkey = "better"\nquestion = "?"\nkind = "pairwise"\n'

MISTAKES = {
    "unknown key": (
        {"more": "[cost]\nper_hur = 3.0\n"},
        "per_hur",
        "unknown key 'per_hur' in `cost`. Did you mean 'per_hour'?",
    ),
    "unknown table": ({"more": "[questionaire]\nlow = 1\n"}, "questionaire", "Did you mean 'questionnaire'?"),
    "scale without values": (
        {"criteria": SCALE + 'level = "ordinal"\n'},
        "[[criteria]]",
        "needs its `values`, two or more, in order",
    ),
    "scale without level": ({"criteria": SCALE + "values = [1, 2]\n"}, "[[criteria]]", "needs its `level`"),
    "scale out of order": (
        {"criteria": SCALE + 'level = "ordinal"\nvalues = [1, 3, 2]\n'},
        "values",
        "are in no order",
    ),
    "mixed values": ({"criteria": SCALE + 'level = "ordinal"\nvalues = [1, "two"]\n'}, "values", "numbers and words"),
    "words as interval": ({"criteria": SCALE + 'level = "interval"\nvalues = ["a", "b"]\n'}, "values", "needs numbers"),
    "labels that do not fit": (
        {"criteria": SCALE + 'level = "ordinal"\nvalues = [1, 2]\nlabels = ["a"]\n'},
        "labels",
        "1 label for 2 values",
    ),
    "value twice": ({"criteria": SCALE + 'level = "nominal"\nvalues = [1, 1]\n'}, "values", "is listed twice"),
    "slider without ends": ({"criteria": CRITERION.replace("high = 100\n", "")}, "low = 0", "needs `low` and `high`"),
    "slider upside down": ({"criteria": CRITERION.replace("high = 100", "high = -1")}, "low = 0", "must be less than"),
    "threshold outside": ({"criteria": CRITERION + "threshold = 120\n"}, "threshold", "lies outside"),
    "near kind": ({"criteria": CRITERION.replace("slider", "slidr")}, "kind", "Did you mean 'slider'?"),
    "too many systems of an input": (
        {"assignment": 'design = "crossed"\nraters = 3\nsystems_per_input = 5'},
        "systems_per_input",
        "taken in 5 systems, but there are 2",
    ),
    "too much overlap": (
        {"assignment": 'design = "minimum-overlap"\nraters = 3\noverlap = 99'},
        "overlap = 99",
        "only 24 texts to hand out",
    ),
    "source once with too few raters": (
        {"assignment": 'design = "incomplete-blocks"\nraters = 3\nratings_per_item = 2\nsource_once = true'},
        "source_once",
        "2 texts of a source x 2 raters need 4 raters, but there are 3",
    ),
    "more copies than items": ({"more": "[controls]\nrepeats = 500\n"}, "[controls]", "a rater has at most 24"),
    "rule without control items": (
        {"more": '[[exclusions]]\nrule = "repeats_differ"\n'},
        'rule = "repeats_differ"',
        "Set `repeats` in [controls], or drop the rule",
    ),
    "after itself": ({"scenarios": SCENARIO + 'after = "s"\n'}, "after", "is not handed out by itself"),
    "document in two test sets": (
        {
            "more": '[[test_sets]]\nkey = "a"\ndocuments = ["d1", "d2", "d3", "d4"]\n'
            '[[test_sets]]\nkey = "b"\ndocuments = ["d1"] # again\n'
        },
        "again",
        "the document 'd1' is in two test sets",
    ),
    "document in no test set": (
        {"more": '[[test_sets]]\nkey = "a"\ndocuments = ["d1", "d2"]\n'},
        "documents",
        "the document 'd3' and 1 more are in no test set",
    ),
    "no such language of the pages": (
        {"head": HEAD.replace("seed =", 'ui_language = "fr"\nseed =')},
        "ui_language",
        "en, pt, es, de, zh-hans, ar",
    ),
    "no language code": ({"head": HEAD.replace('"en"', '"English language"')}, "target", "Write one such as en"),
    "escaped control character": ({"head": HEAD.replace('"T"', '"T\\u0007"')}, "title", "U+0007"),
    "key twice": ({"assignment": "raters = 3\nraters = 4"}, "raters = 4", "The same key is there twice"),
    "unknown kind": ({"criteria": CRITERION.replace("slider", "dial")}, "kind", "not 'dial'"),
    "unknown severity": (
        {"criteria": SPANS + "[criteria.weights]\nmajor = 5.0\n"},
        "criteria.weights",
        "unknown severity",
    ),
    "key used twice": ({"criteria": CRITERION + CRITERION}, None, "the key 'quality' is used twice"),
    "key with a space": (
        {"criteria": CRITERION.replace('"quality"', '"my quality"')},
        "my quality",
        "may hold only letters",
    ),
    "unknown scenario": ({"criteria": CRITERION + 'scenarios = ["t"]\n'}, "scenarios = ", "there is no scenario 't'"),
    "comparison of one system": (
        {"criteria": '[[criteria]]\nkey = "p"\nquestion = "?"\nkind = "pairwise"\n'},
        "kind",
        "compares systems, but scenario 's' shows one",
    ),
    "too many systems": (
        {"scenarios": SCENARIO + "systems = 3\n"},
        "systems = 3",
        "shows 3 systems, but item 'd1-1' has 2",
    ),
    "post-edit not there": (
        {"scenarios": SCENARIO + 'show = ["post_edit"]\n'},
        "show",
        "12 items have none, first 'd1-1' (line 2)",
    ),
    "more groups than raters": (
        {"assignment": "raters = 1", "more": '[[groups]]\nkey = "a"\n[[groups]]\nkey = "b"\n'},
        "raters = 1",
        "2 groups for 1 rater",
    ),
    "groups do not add up": (
        {"more": '[[groups]]\nkey = "a"\nraters = 5\n'},
        "raters = 3",
        "5 raters together, but `raters` is 3",
    ),
    "more ratings than raters": (
        {"assignment": 'design = "incomplete-blocks"\nraters = 2\nratings_per_item = 3'},
        "ratings_per_item",
        "only 2",
    ),
    "blocks without number": (
        {"assignment": 'design = "incomplete-blocks"\nraters = 3'},
        "[assignment]",
        "needs `ratings_per_item`",
    ),
    "teams that do not divide": (
        {"assignment": 'design = "nested"\nraters = 3\nratings_per_item = 2'},
        "ratings_per_item",
        "Choose a divisor",
    ),
    "overlap not said": ({"assignment": 'design = "minimum-overlap"\nraters = 3'}, "[assignment]", "needs `overlap`"),
    "halves without phases": (
        {"assignment": 'design = "complementary-halves"\nraters = 3'},
        "design",
        "need two phases, not 0",
    ),
    "square without sets": (
        {"assignment": 'design = "latin-square"\nraters = 3', "scenarios": SCENARIO + SCENARIO.replace('"s"', '"t"')},
        "design",
        "one test set for each scenario: 0 for 2",
    ),
    "unknown document": (
        {"more": '[[test_sets]]\nkey = "T"\ndocuments = ["d7"]\n'},
        "documents",
        "hold no document 'd7'. Known here: d1, d2, d3, d4",
    ),
    "unknown reference": (
        {"scenarios": SCENARIO + 'reference = "refrence"\n'},
        "refrence",
        "Did you mean 'reference'?",
    ),
    "no gold answers": ({"more": "[controls]\ngold = 2\n"}, "gold", "no item has a known answer"),
    "copies too far": ({"more": "[controls]\nrepeats = 2\nblocks = 4\nspacing = 3\n"}, "spacing", "at most half"),
    "practice of nothing": (
        {"more": '[[practice]]\ntarget = "x"\ncriterion = "qualty"\n'},
        "qualty",
        "Did you mean 'quality'?",
    ),
    "practice of a choice": (
        {"more": COMPARED + '[[practice]]\ntarget = "x"\ncriterion = "better"\nexpected = [1]\n'},
        'criterion = "better"',
        "'better' compares texts, and a practice item has one. Practise another criterion, or show an example",
    ),
    "practice of an order": (
        {"more": COMPARED.replace("pairwise", "ranking") + '[[practice]]\ntarget = "x"\ncriterion = "better"\n'},
        'criterion = "better"',
        "'better' compares texts, and a practice item has one.",
    ),
    "questionnaire upside down": ({"more": "[questionnaire]\nlow = 6\nhigh = 1\n"}, "low = 6", "must be less than"),
    "text for a number": ({"head": HEAD.replace("7", '"seven"')}, "seed", "not 'seven'"),
    "no title": ({"head": HEAD.replace('title = "T"\n', "")}, None, "`title` is missing. Title of the study."),
    "unsafe address": ({"more": '[completion]\nurl = "javascript:alert(1)"\n'}, "url", "must begin with https://"),
    "path out of the folder": ({"head": 'items = "../../etc/passwd"\n' + HEAD}, None, "lies outside the study folder"),
    "guidelines not there": ({"more": '[guidelines]\nfile = "rules.md"\n'}, "rules.md", "are not there"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_in_study_toml_is_told_with_its_line(name, tmp_path):
    changes, place, words = MISTAKES[name]
    folder = write_study(tmp_path, **changes)
    found = [text for text in problems(folder) if words in text]
    assert found, problems(folder)
    if place is not None:
        assert any(text.startswith(f"study.toml:{line_of(folder, place)}: ") for text in found), found


HEADER = "document\tsegment\tsource\ttarget\n"
ITEM_MISTAKES = {
    "segment without document": (HEADER + "\t1\ts\tt\n", 2, "segment '1' has no document"),
    "no segment": (HEADER + "d\t\ts\tt\n", 2, "has no segment"),
    "the same item twice": (HEADER + "d\t1\ts\tt\nd\t1\ts\tt\n", 3, "item 'd-1' is already on line 2"),
    "ids given twice": ("id\t" + HEADER + "x\td\t1\ts\tt\nx\td\t2\ts\tt\n", 3, "item 'x' is already on line 2"),
    "nothing to judge": (HEADER + "d\t1\ts\t\n", 2, "has no text to judge"),
    "control character": (HEADER + "d\t1\ts\tt\x07\n", 2, "U+0007 at place 2"),
    "lone carriage return": (HEADER + "d\t1\ts\ta\rb\n", 2, "U+000D at place 2"),
    "missing tab": (HEADER + "d\t1\ts t\n", 2, "has 3 cells, but the first line names 4"),
    "unknown column": (HEADER.replace("source", "sorce") + "d\t1\ts\tt\n", 1, "Did you mean 'source'?"),
    "column twice": (HEADER.replace("source", "target") + "d\t1\ts\tt\n", 1, "is there twice"),
    "empty file": ("", None, "is empty"),
}


@pytest.mark.parametrize("name", ITEM_MISTAKES)
def test_a_mistake_in_the_items_is_told_with_its_line(name, tmp_path):
    text, line, words = ITEM_MISTAKES[name]
    folder = write_study(tmp_path, items=text)
    place = f"items.tsv:{line}: " if line else "items.tsv: "
    assert any(found.startswith(place) and words in found for found in problems(folder)), problems(folder)


def test_all_mistakes_are_told_at_once(tmp_path):
    folder = write_study(
        tmp_path,
        head=HEAD.replace('title = "T"\n', ""),
        items=HEADER + "\t1\ts\tt\n",
        more="[cost]\nper_hur = 1.0\n",
        assignment='design = "nested"\nraters = 3\nratings_per_item = 2',
        criteria=SCALE,
    )
    told = "\n".join(problems(folder))
    for words in ("`title` is missing", "no document", "per_hur", "Choose a divisor", "needs its `level`"):
        assert words in told


def test_items_over_the_limit_are_refused_before_they_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(items_module, "MAX_ITEMS_BYTES", 1000)
    folder = write_study(tmp_path, items=items_text(50, 3, 1))
    assert any("MB; the limit is" in text and text.startswith("items.tsv: ") for text in problems(folder))


def test_the_limit_of_items_is_fifty_megabytes():
    assert items_module.MAX_ITEMS_BYTES == 50_000_000


def test_toml_that_cannot_be_read_has_its_line(tmp_path):
    folder = write_study(tmp_path, head="title = T\n")
    assert problems(folder)[0].startswith("study.toml:1: is not TOML")


@pytest.mark.parametrize("file", ["study.toml", "items.tsv", "guidelines.md"])
def test_text_that_is_not_utf8_is_told(file, tmp_path):
    folder = write_study(tmp_path)
    (folder / file).write_bytes(b"title = \xff\xfe")
    assert any(file in text and "UTF-8" in text for text in problems(folder))


def test_a_folder_without_a_study_says_how_to_make_one(tmp_path):
    with pytest.raises(UnreadableFileError, match="accord new PRESET"):
        load_study(tmp_path)
    with pytest.raises(UnreadableFileError, match="is not a folder"):
        load_study(tmp_path / "nothing")


def test_json_lines_that_are_wrong_are_told(tmp_path):
    folder = write_study(tmp_path, head='items = "items.jsonl"\n' + HEAD)
    (folder / "items.jsonl").write_text('{"document": "d", "segmnt": 1}\n[1]\n{broken\n{"source": ["a"]}\n', "utf-8")
    told = "\n".join(problems(folder))
    for words in (
        "items.jsonl:1: unknown column 'segmnt'",
        "items.jsonl:2: is not a JSON object",
        "items.jsonl:3: is not JSON",
        "items.jsonl:4: 'source' must be text",
    ):
        assert words in told


def test_text_is_never_normalised(tmp_path):
    texts = ["cafe\u0301 🙂 \u202bעברית\u202c", 'a "quoted" text', "\u00a0 two  spaces "]
    rows = "".join(f"d\t{n}\ts\t{text}\n" for n, text in enumerate(texts, start=1))
    study = load_study(write_study(tmp_path, items=HEADER + rows))
    assert [item.outputs["system"] for item in study.items] == texts


def test_lines_may_end_as_on_windows(tmp_path):
    text = items_text(2, 2, 1)
    study = load_study(write_study(tmp_path, items=text.replace("\n", "\r\n")))
    assert study.items == load_study(write_study(tmp_path / "b", items=text)).items


def test_one_row_a_system_and_one_column_a_system_give_the_same_items(tmp_path):
    tall = "document\tsegment\tsource\tsystem\ttarget\nd\t1\ts\tA\ta\nd\t1\ts\tB\tb\n"
    wide = "document\tsegment\tsource\ttarget:A\ttarget:B\nd\t1\ts\ta\tb\n"
    one = load_study(write_study(tmp_path / "one", items=tall))
    two = load_study(write_study(tmp_path / "two", items=wide))
    assert one.items == two.items and one.systems == ("A", "B")


def test_lines_are_found_in_nested_and_repeated_tables():
    text = 'a = 1\n[[t]]\nk = """\nk = 2\n"""\n[t.x]\ny = 1\n[[t]]\nk = 3\n'
    lines = TomlLines(text)
    assert [lines.line(p) for p in (("a",), ("t", 0, "k"), ("t", 0, "x", "y"), ("t", 1, "k"), ("t", 1, "z"))] == [
        1,
        3,
        7,
        9,
        8,
    ]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_in_the_files_ends_in_anything_but_our_own_errors(tmp_path, toml, tsv):
    folder = write_study(tmp_path)
    (folder / "study.toml").write_bytes((toml + "\n" + HEAD).encode("utf-8", "surrogatepass"))
    (folder / "items.tsv").write_bytes((HEADER + tsv).encode("utf-8", "surrogatepass"))
    with pytest.raises(AccordError):
        load_study(folder)


def test_items_without_a_row_and_empty_guidelines_are_said(tmp_path):
    folder = write_study(tmp_path, items="document\tsegment\tsource\ttarget\n")
    (folder / "guidelines.md").write_text(" \n", encoding="utf-8")
    assert problems(folder) == [
        "guidelines.md: is empty. Write what raters must know",
        "items.tsv: names its columns but holds no items. Write one line per segment",
    ]


def test_known_answers_that_nobody_can_give_are_said_with_their_line(tmp_path):
    items = (
        "document\tsegment\tsource\ttarget\tgold:quality\tgold:qualiti\n"
        "d\t1\ts\tt\tgood\t\nd\t2\ts\tt\t400\t\nd\t3\ts\tt\t90\t1\n"
    )
    found = problems(write_study(tmp_path, items=items, more="[controls]\ngold = 1\n"))
    assert found == [
        "items.tsv:1: the column 'gold:qualiti' names no criterion. Did you mean 'quality'?",
        "items.tsv:2: the known answer 'good' to 'quality' is not a number from 0 to 100",
        "items.tsv:3: the known answer '400' to 'quality' is not a number from 0 to 100",
        f"study.toml:{line_of(tmp_path, 'gold = 1')}: every item has a known answer, so none is left to judge. "
        "Add items without one",
    ]


def test_one_wrong_criterion_is_told_once(tmp_path):
    found = problems(write_study(tmp_path, criteria=CRITERION.replace('"quality"', '"my quality"')))
    assert len(found) == 1 and "may hold only letters" in found[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a" + ".a" * 40_000 + " = 1\n", "a key on line 1 has more than 64 parts"),
        ("x = 1\n[" + "'a b' . " * 40_000 + "b]\n", "a key on line 2 has more than 64 parts"),
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("#" * 5_000_001, "more than 5,000,000"),
        ("seed = " + "9" * 5_000, "4300 digits"),
    ],
)
def test_a_toml_bomb_is_refused_before_it_goes_off(tmp_path, text, words):
    """Each would take gigabytes or the interpreter's stack."""
    folder = write_study(tmp_path)
    (folder / "study.toml").write_text(text)
    assert words in problems(folder)[0]
    gate = tmp_path / "gate.toml"
    gate.write_text(text)
    with pytest.raises(OptionError, match=words):
        read_gate(gate)
