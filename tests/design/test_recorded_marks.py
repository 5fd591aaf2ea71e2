"""On which side of each limit a study is fine, and what is said on the other: studies with one thing changed each.

``tests/recorded/sentences/design-marks.txt`` has a line for each change. Where an answer is to change, run
``python tests/design/test_recorded_marks.py``, read the difference, and keep it if every line of it is meant.
"""

import json
import tempfile
from pathlib import Path

import pytest

from accord.design.load import load_study
from accord.errors import StudyError
from design.study_folder import CRITERION, HEAD, SCENARIO, write_study

RECORD = Path(__file__).parents[1] / "recorded" / "sentences" / "design-marks.txt"


def scale(values, more="", level="ordinal"):
    return f'[[criteria]]\nkey = "c"\nquestion = "?"\nkind = "scale"\nlevel = "{level}"\nvalues = {values}\n{more}'


def kind(name, more=""):
    return f'[[criteria]]\nkey = "c"\nquestion = "?"\nkind = "{name}"\n{more}'


def planned(design, raters=3, more=""):
    return f'design = "{design}"\nraters = {raters}\n{more}'


def groups(*sizes):
    return "".join(
        f'[[groups]]\nkey = "g{place}"\n' + (f"raters = {size}\n" if size else "") for place, size in enumerate(sizes)
    )


def scenarios(*more):
    return "".join(SCENARIO.replace('"s"', f'"s{place}"') + one for place, one in enumerate(more))


def phases(*more):
    return "".join(f'[[phases]]\nkey = "p{place}"\n{one}' for place, one in enumerate(more))


def test_sets(*documents):
    return "".join(f'[[test_sets]]\nkey = "t{place}"\ndocuments = {one}\n' for place, one in enumerate(documents))


test_sets.__test__ = False

SEVERITIES = 'severities = [{ key = "minor" }, { key = "major" }]\nvalues = ["style", "omission"]\n'
SPANS = kind("spans", SEVERITIES)
PAIRS = {"criteria": kind("pairwise"), "scenarios": SCENARIO + "systems = 2\n"}


def practised(more, criteria=CRITERION, key="quality"):
    text = f'[[practice]]\nsource = "Quelle"\ntarget = "some text"\ncriterion = "{key}"\n{more}'
    return {"criteria": criteria, "more": text}


def marked(mark, more=""):
    return practised(f"marks = [{mark}]\n", SPANS + more, "c")


def rows(*lines, head="document\tsegment\tsource\ttarget"):
    return {"items": "\n".join([head, *lines]) + "\n"}


EACH = "repeats = 1\ndegraded = 1\nattention = 1\nreferences = 1\n"
STATEMENT = '[[questionnaire.statements]]\nkey = "q"\ntext = "?"\nscenarios = ["x"]\n'
CASES = {
    "scales": [
        *({"criteria": scale(values)}
          for values in ("[1]", "[1, 2]", "[2, 1]", "[3, 2, 1]", "[1, 2, 2]", '["a", "b"]')),
        *({"criteria": scale("[2, 1, 3]", level=level)} for level in ("nominal", "ordinal", "interval", "ratio")),
        *({"criteria": scale('["a", "b"]', level=level)} for level in ("nominal", "ordinal", "interval", "ratio")),
        *({"criteria": scale("[1, 2, 3]", f"threshold = {mark}\n")} for mark in (0.9, 1, 2, 3, 3.1)),
        {"criteria": scale('["a", "b"]', "threshold = 1\n")},
        *({"criteria": scale("[1, 2]", f"labels = {labels}\n")}
          for labels in ('["a"]', '["a", "b"]', '["a", "b", "c"]')),
    ],
    "sliders and numbers": [
        *({"criteria": CRITERION.replace("high = 100", f"high = {high}")} for high in (-1, 0, 1)),
        *({"criteria": CRITERION + f"threshold = {mark}\n"} for mark in (-0.1, 0, 100, 100.1)),
        *({"criteria": CRITERION + f'[criteria.anchors]\n{mark} = "a"\n'}
          for mark in ('"-1"', "0", "100", "101", "word")),
        {"criteria": CRITERION.replace("low = 0\n", "")},
        {"criteria": kind("number")},
        *({"criteria": kind("number", f"low = 1\nhigh = {high}\n")} for high in (0, 1, 2)),
        *({"criteria": kind("number", f"high = {high}\n")} for high in (-1, 0, 1)),
        {"criteria": kind("number", 'per = "word"\n')}, {"criteria": CRITERION + 'per = "word"\n'},
    ],
    "marks, categories and comparisons": [
        {"criteria": kind("categories")}, {"criteria": kind("categories", 'values = ["a"]\n')},
        *({"criteria": kind("categories", f'values = ["a", "b"]\nrepeated = true\nseveral = {several}\n')}
          for several in ("true", "false")),
        {"criteria": kind("spans")}, {"criteria": kind("spans", 'severities = [{ key = "minor" }]\n')},
        {"criteria": kind("spans", 'values = ["a"]\n')},
        *({"criteria": SPANS + f'[criteria.weights]\n"{name}" = 2.0\n'}
          for name in ("minor", "minor/style", "minor/stile", "mino", "mino/style")),
        {"criteria": kind("pairwise", 'values = ["a"]\n'), "scenarios": SCENARIO + "systems = 2\n"}, PAIRS,
        {"criteria": kind("post_edit", 'values = ["a"]\n')}, {"criteria": CRITERION + 'prefilled = "marks.jsonl"\n'},
        {"criteria": kind("ranking")}, {"criteria": kind("ranking"), "scenarios": SCENARIO + "systems = 2\n"},
        {"criteria": kind("pairwise", 'scenarios = ["s1"]\n') + CRITERION,
         "scenarios": scenarios("", "systems = 2\n")},
    ],
    "raters and groups": [
        *({"assignment": planned("crossed", raters), "more": groups(None, None, None)} for raters in (2, 3, 4)),
        *({"more": groups(*sizes)} for sizes in ((1, 2), (1, 1), (2, 2), (2, None), (3, None), (2, None, None))),
        *({"assignment": planned("incomplete-blocks", 3, f"ratings_per_item = {number}\n")} for number in (1, 3, 4)),
        *({"assignment": planned("incomplete-blocks", 6, f"ratings_per_item = {number}\n"), "more": groups(3, 3)}
          for number in (2, 3, 4)),
        *({"assignment": planned("nested", 6, f"ratings_per_item = {number}\n")} for number in (2, 3, 4)),
        {"assignment": planned("nested", 6)}, {"assignment": planned("incomplete-blocks", 6)},
    ],
    "designs and sizes": [
        *({"assignment": planned("minimum-overlap", 3, f"overlap = {number}\n")} for number in (0, 23, 24, 25)),
        *({"assignment": planned("minimum-overlap", 3, f"overlap = {number}\n"), **PAIRS} for number in (12, 13)),
        *({"assignment": planned("crossed", 3, f"systems_per_input = {number}\n")} for number in (1, 2, 3)),
        *({"assignment": planned("incomplete-blocks", raters, "ratings_per_item = 2\nsource_once = true\n")}
          for raters in (3, 4, 5)),
        *({"assignment": planned("incomplete-blocks", raters,
                                 "ratings_per_item = 2\nsource_once = true\nsystems_per_input = 1\n")}
          for raters in (2, 3)),
        {"assignment": planned("crossed", 2, "source_once = true\n")},
        *({"assignment": planned("incomplete-blocks", raters, "ratings_per_item = 2\nsource_once = true\n"),
           "systems": 3} for raters in (5, 6)),
        *({"assignment": planned("incomplete-blocks", raters,
                                 "ratings_per_item = 2\nsource_once = true\nsystems_per_input = 2\n"), "systems": 3}
          for raters in (3, 4)),
        *({"assignment": planned("complementary-halves", 4), "more": phases(*[""] * number)} for number in (1, 2, 3)),
        {"assignment": planned("complementary-halves", 4), "more": phases("", "", 'again = "p0"\n')},
        {"assignment": planned("complementary-halves", 4), "more": phases("", "", 'documents = ["d1"]\n')},
        *({"assignment": planned("latin-square", 4), "scenarios": scenarios("", ""), "more": sets}
          for sets in (test_sets('["d1", "d2"]', '["d3", "d4"]'), test_sets('["d1", "d2", "d3", "d4"]'))),
        *({"assignment": planned("latin-square", 4), "scenarios": scenarios("", ""),
           "more": test_sets('["d1", "d2"]', '["d3", "d4"]') + groups(*[None] * number)} for number in (1, 2, 3)),
        {"assignment": planned("latin-square", 4), "scenarios": scenarios("", "", 'after = "s0"\n'),
         "more": test_sets('["d1", "d2"]', '["d3", "d4"]')},
    ],
    "controls": [
        *({"more": f"[controls]\nrepeats = {number}\nblocks = 4\nspacing = 1\n"} for number in (24, 25)),
        *({"more": f"[controls]\n{EACH}batch = {number}\nspacing = 0\n"}
          for number in (3, 4, 5)),
        *({"more": f"[controls]\nrepeats = 1\nblocks = {blocks}\nspacing = 2\n"} for blocks in (3, 4, 5)),
        *({"more": f"[controls]\n{name} = 1\nspacing = 0\n", "scenarios": SCENARIO.replace("random-sentence",
           where) + more}
          for name in ("repeats", "degraded", "attention", "references")
          for where, more in (("document", ""), ("random-sentence", "systems = 2\n"))),
        {"more": "[controls]\nreferences = 1\nspacing = 0\n", **rows("d\t1\ts\tt", "d\t2\ts\tu")},
        *({"more": f"[controls]\n{name} = 1\nspacing = 0\n", **rows(*["d\t1\ts\tt", "d\t2\ts\tu"][:count])}
          for name in ("degraded", "attention", "repeats") for count in (1, 2)),
        *({"more": "[controls]\ngold = 1\nspacing = 0\n",
           **rows(f"d\t1\ts\tt\t{one}", f"d\t2\ts\tu\t{two}", head="document\tsegment\tsource\ttarget\tgold:quality")}
          for one, two in (("", ""), ("5", ""), ("5", "6"), ("0", ""), ("100", ""), ("-1", ""), ("101", ""),
             ("x", ""))),
        *({"more": f'[controls]\n{name} = 1\nspacing = 0\n[[exclusions]]\nrule = "{rule}"\n'}
          for rule in ("degraded_not_lower", "repeats_differ", "attention_failed")
          for name in ("degraded", "repeats", "attention")),
        *({"criteria": scale("[1, 2]"),
           **rows(f"d\t1\ts\tt\t{gold}", "d\t2\ts\tt\t", head="document\tsegment\tsource\ttarget\tgold:c")}
          for gold in (1, 2, 3)),
    ],
    "what is shown": [
        *({"scenarios": SCENARIO + f"systems = {number}\n"} for number in (1, 2, 3)),
        *({"scenarios": SCENARIO + f'show = ["{what}"]\n'} for what in ("source", "reference", "post_edit", "context")),
        *({"scenarios": SCENARIO.replace("random-sentence", where) + 'show = ["context"]\n'}
          for where in ("document", "sentence-in-context")),
        *({"scenarios": SCENARIO + f'show = ["{what}"]\n',
           **rows("d\t1\ts\tt\tr", "d\t2\t\tu\t", head="document\tsegment\tsource\ttarget\treference")}
          for what in ("source", "reference")),
        *({"scenarios": scenarios("", f'after = "{key}"\n')} for key in ("s0", "s1", "s9")),
        {"scenarios": scenarios("", 'after = "s0"\n', 'after = "s1"\n')},
        *({"criteria": CRITERION + f'scenarios = ["{key}"]\n'} for key in ("s", "t")),
        *({"scenarios": SCENARIO + f'reference = "{name}"\n'} for name in ("reference", "other")),
        *({"more": f'[[groups]]\nkey = "g"\nreference = "{name}"\n'} for name in ("reference", "other")),
        *({"head": HEAD.replace('"en"', f'"{code}"')}
          for code in ("e", "en", "eng", "engl", "pt-BR", "zh_Hans", "en-")),
        *({"head": HEAD.replace("seed =", f'ui_language = "{code}"\nseed =')} for code in ("de", "pt-BR", "zh", "xx")),
    ],
    "phases and test sets": [
        *({"more": phases(*more)} for more in (
            ("", 'again = "p0"\n'), ('again = "p1"\n', ""), ("", 'again = "p1"\n'), ("", 'again = "x"\n'),
            ("", 'again = "p0"\ndocuments = ["d1"]\n'), ("", 'again = "p0"\n', 'again = "p1"\n'),
            ("", 'documents = ["d1"]\n'), ("", 'documents = ["d9"]\n'), ('documents = ["d1"]\n',),
            ("", 'documents = ["d1"]\n', 'documents = ["d1", "d2"]\n'), ("", 'documents = ["d1", "d1"]\n'),
            ("", 'documents = ["d1", "d2", "d3"]\n'), ("", 'documents = ["d1", "d2", "d3", "d4"]\n'),
            ("", "keep_back = 3\n"), ("", "keep_back = 4\n"), ("", 'keep_back = 2\ndocuments = ["d1"]\n'),
            ("", "keep_back = 2\n", 'documents = ["d1", "d2"]\n'), ('opens = "finished"\n', ""),
            ("", 'opens = "finished"\n'), ("", 'opens = "finished"\nopens_on = 2026-01-01\n'), ("",
               "opens_on = 2026-01-01\n"),
        )),
        *({"more": test_sets(*sets)} for sets in (
            ('["d1", "d2", "d3", "d4"]',), ('["d1", "d2", "d3"]',), ('["d1", "d2"]',), ("[]",),
            ('["d1", "d2"]', '["d2", "d3", "d4"]'), ('["d1", "d2", "d3", "d4", "d9"]',),
        )),
    ],
    "practice and questions": [
        *(practised(f"expected = [{answer}]\n") for answer in (-1, 0, 100, 101, '"x"')),
        *(practised(f"expected = [{answer}]\n", scale("[1, 2]"), "c") for answer in (0, 1, 2, '"1"')),
        *(practised(f"expected = [{answer}]\n", kind("categories", 'values = ["a"]\n'), "c")
          for answer in ('"a"', '"b"', '"no-error"', '"none"')),
        *(practised(f"expected = [{answer}]\n", kind("number", "low = 2\n"), "c") for answer in (1, 2, 999999)),
        practised('marks = [{ text = "some" }]\n'), practised('marks = [{ text = "some" }]\n', scale("[1, 2]"), "c"),
        *(marked(f'{{ text = "{text}" }}') for text in ("some", "Quelle", "sum")),
        *(marked(f'{{ text = "{text}", side = "source" }}', 'sides = ["target", "source"]\n')
          for text in ("some", "Quelle")),
        marked('{ text = "Quelle", side = "source" }'),
        *(marked(f'{{ text = "some", severity = "{one}" }}') for one in ("minor", "grave")),
        *(marked(f'{{ text = "some", category = "{one}" }}') for one in ("style", "taste")),
        *({"more": f"[questionnaire]\nlow = 1\nhigh = {high}\n"} for high in (0, 1, 2)),
        {"more": "[questionnaire]\nlow = 1\nhigh = 5\n" + STATEMENT},
        *({"more": f'[analysis]\ncriterion = "{key}"\n'} for key in ("quality", "qualiti")),
        *({"more": f'[translations.{code}]\n"{text}" = "x"\n'}
          for code, text in (("de", "How good?"), ("de", "How god?"), ("xx", "How good?"), ("de", "zzz"))),
    ],
    "items": [
        rows("d\t1\ts\tt", "\t2\ts\tt"), rows("d\t1\ts\tt", "\t\ts\tt"), rows("d\t\ts\tt"), rows("d\t1\ts\t "),
        rows("d\t1\ts\tt", "d\t1\ts\tt"), rows("d\t1\ts\tt", "", "d\t2\ts\tt"), rows("d\t1\ts\tt", "\t\t\t"),
        rows("d\t1\ts"), rows("d\t1\ts\tt\tu"), rows("d\t1\ts\t\x01t"), rows("d\t1\ts\tt\u200e"),
        *(rows("d\t1\ts\tt\tx", head=f"document\tsegment\tsource\ttarget\t{name}") for name in (
            "mine", "target:", "target", "gold", "gold:", "gold:quality", ":x", "reference:", "reference:two",
               "post_edit",
            "rater", "value", "documents", "sources", "scource", "targets:A", "reference:a:b", "system",
        )),
        rows("a\td\t1\ts\tt", "b\td\t1\ts\tt", head="id\tdocument\tsegment\tsource\ttarget"),
        rows("a\td\t1\ts\tt", "a\td\t2\ts\tt", head="id\tdocument\tsegment\tsource\ttarget"),
        *(rows(f"d\t1\ts\tA\tt\t{one}", f"d\t1\t{source}\t{system}\tu\t{two}",
               head="document\tsegment\tsource\tsystem\ttarget\tmine")
          for source, system, one, two in (("s", "B", "x", "x"), ("s", "B", "x", "y"), ("s", "A", "x", "x"),
             ("z", "B", "x", ""))),
    ],
}  # fmt: skip


def told(case: dict, folder: Path) -> str:
    """What a study is refused with, or what was read."""
    try:
        study = load_study(write_study(folder, **case))
    except StudyError as refused:
        return " / ".join(str(problem) for problem in refused.problems).replace(str(folder), "").replace("\n", " ")
    if "items" not in case:
        return "fine"
    read = [(item.id, item.outputs, item.references, item.gold, item.more, item.more_of_system) for item in study.items]
    return f"fine: {read}"


def lines(theme: str, folder: Path) -> list[str]:
    made = []
    for place, case in enumerate(CASES[theme]):
        short = {name: text for name, text in case.items() if case != PAIRS or name == "criteria"}
        made.append(f"{theme}: {json.dumps(short)} | {told(case, folder / str(place))}")
    return made


@pytest.mark.parametrize("theme", CASES)
def test_each_side_of_a_limit_is_answered_as_it_was_recorded(theme, tmp_path):
    known = [line for line in RECORD.read_text(encoding="utf-8").splitlines() if line.startswith(f"{theme}: ")]
    assert lines(theme, tmp_path) == known


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        made = [line for theme in CASES for line in lines(theme, Path(place) / theme.replace(" ", "-"))]
    RECORD.write_text("\n".join(made) + "\n", encoding="utf-8")
