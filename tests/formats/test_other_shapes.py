"""Exports in shapes of other versions of the tools: read as meant, or refused with what to do."""

import json

import pytest

from accord import formats
from accord.errors import FormatError


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def assessment(trace, judge, kind, value):
    source = {"source_type": kind, "source_id": judge}
    return {"assessment_name": "correct", "trace_id": trace, "source": source, "feedback": {"value": value}}


GIVEN = [
    assessment(f"tr-{trace}", judge, kind, "yes" if trace % place else "no")
    for trace in range(5) for place, (judge, kind) in enumerate((("gpt", "LLM_JUDGE"), ("me", "HUMAN")), 2)
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bare.json", GIVEN),
        ("bare.jsonl", "\n".join(map(json.dumps, GIVEN))),
        ("answer.json", {"assessments": GIVEN}),
        ("frame.json", [{"trace_id": f"tr-{t}", "assessments": GIVEN[2 * t : 2 * t + 2]} for t in range(5)]),
    ],
)
def test_assessments_of_mlflow_need_no_trace_around_them(tmp_path, name, content):
    found = formats.read(written(tmp_path, name, content))
    assert (found.format, len(found.ratings), found.ratings.items) == ("mlflow", 10, 5)
    assert set(found.ratings.columns["kind"].names) == {"model", "human"}
    assert str(found.account).startswith("10 rows: 10 with ratings")


def test_completions_of_old_label_studio_are_annotations(tmp_path):
    said = {"from_name": "sentiment", "to_name": "text", "type": "choices"}
    tasks = [
        {"id": task, "data": {"text": "t"}, "completions": [
            {"completed_by": who, "result": [{**said, "value": {"choices": ["a" if task % who else "b"]}}]}
            for who in (1, 2)]}
        for task in range(4)
    ]  # fmt: skip
    found = formats.read(written(tmp_path, "old.json", tasks))
    assert (found.format, len(found.ratings), found.ratings.raters) == ("label-studio", 8, 2)


def test_argilla_of_version_one_on_the_hub_has_answers_beside_suggestions(tmp_path):
    rows = [
        {"text": f"t{row}", "external_id": f"e{row}", "quality-suggestion": None, "quality": [
            {"user_id": who, "value": (row + place) % 5 + 1, "status": status}
            for place, (who, status) in enumerate((("a", "submitted"), ("b", "submitted"), ("c", "draft")))]}
        for row in range(5)
    ]  # fmt: skip
    found = formats.read(written(tmp_path, "hub.jsonl", "\n".join(map(json.dumps, rows))))
    assert (found.format, len(found.ratings), found.ratings.raters) == ("argilla", 10, 2)


def test_portable_files_of_spss_are_read(tmp_path):
    pyreadstat = pytest.importorskip("pyreadstat")
    pandas = pytest.importorskip("pandas")
    rows = [(item, rater, item * place % 5 + 1.0) for item in range(6) for place, rater in enumerate(("a", "b"), 1)]
    path = tmp_path / "ratings.por"
    pyreadstat.write_por(pandas.DataFrame(rows, columns=["item", "rater", "fluency"]), str(path))
    found = formats.read(path)
    assert (found.format, len(found.ratings), found.ratings.items) == ("spss", 12, 6)


def test_webanno_of_version_two_says_how_to_export(tmp_path):
    path = written(tmp_path, "old.tsv", "# webanno.custom.Error | value\n#id=1\n#text=The cat\n1-1\tThe\tO\n")
    with pytest.raises(FormatError, match="Export it as WebAnno TSV v3"):
        formats.read(path)
