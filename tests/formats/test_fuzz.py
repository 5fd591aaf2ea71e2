"""Any bytes in: either ratings or our error, never a traceback and never a hang."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.formats import FORMATS, Imported, detect, write
from accord.formats.options import ReadOptions
from accord.formats.registry import format_named
from formats.samples import APPRAISE, GOOGLE_MQM, LABEL_STUDIO, PEARMUT, imported_sample, written
from formats.test_annotation_tools import ARGILLA_2, potato_state
from formats.test_crowd_and_counts import MTURK, WMT26
from formats.test_judge_logs import deepeval, inspect_log, langfuse, mlflow, promptfoo
from formats.test_standoff import WEBANNO, XLIFF_2, XLIFF_12
from formats.test_wmt_tools import WMT25

QUICK = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)

WORDS = [
    "text", "label", "labels", "entities", "responses", "fields", "answer", "accept", "spans", "user_id",
    "item_i", "annotation", "annotations", "data", "result", "value", "start", "end", "start_i", "end_i",
    "scores", "src_text", "tgt_text", "human1", "errors1", "error_spans", "score", "item", "tgt",
    "completed_by", "choices", "from_name", "_annotator_id", "_input_hash", "instance_id_to_label_to_value",
    "instance_id_to_span_to_value", "schema", "name", "features", "rows", "row", "rank", "start_offset",
    "end_offset", "errors", "meta", "metadata", "id", "sliders", "rater", "names", "_type", "was_cancelled",
    "results", "gradingResult", "componentResults", "assertion", "eval", "samples", "source", "traceId", "testCases",
    "metricsData", "info", "assessments", "feedback", "columns", "history", "campaign",
]  # fmt: skip
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.floats()
    | st.sampled_from(["", "a", "missing", "accept", "1", "😀"])
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=6),
    max_leaves=25,
)
SAMPLES = {
    "appraise": APPRAISE, "google-mqm": GOOGLE_MQM, "marot": GOOGLE_MQM, "pearmut": json.dumps(PEARMUT[0]),
    "label-studio": json.dumps(LABEL_STUDIO), "esa": "login,systemID,score,span_errors\nu,s,1,[]\n",
    "mt-metrics-eval": "sysA\t1\nsysB\tNone\n", "mturk": MTURK, "webanno": WEBANNO, "xliff": XLIFF_12 + XLIFF_2,
    "brat": "T1\tError 4 7;9 11\tcat\nA1\tSeverity T1 major\n#1\tNote T1\tx\n",
    "counts": "item,a,b\n1,2,0\n", "contingency": "x / y,a,b\na,2,0\nb,1,1\n",
}  # fmt: skip


def reads_or_refuses(path, name):
    """The reader itself, without the net that formats.read spreads under it."""
    try:
        assert isinstance(format_named(name).reads(path, ReadOptions()), Imported)
    except AccordError as error:
        assert str(error)


@pytest.mark.parametrize("name", FORMATS)
@QUICK
@given(content=st.binary(min_size=1, max_size=400))
def test_any_bytes_are_read_or_refused(tmp_path_factory, name, content):
    path = tmp_path_factory.mktemp("fuzz") / "file"
    path.write_bytes(content)
    reads_or_refuses(path, name)


@pytest.mark.parametrize(
    "name", [name for name in FORMATS if name not in ("xlsx", "xlsx-raters", "xlsx-criteria", "spss")]
)
@QUICK
@given(rows=st.lists(JSON, min_size=1, max_size=3), lines=st.booleans())
def test_any_json_is_read_or_refused(tmp_path_factory, name, rows, lines):
    path = tmp_path_factory.mktemp("fuzz") / "user_state.json"
    path.write_text("\n".join(map(json.dumps, rows)) if lines else json.dumps(rows[0] if len(rows) == 1 else rows))
    reads_or_refuses(path, name)


@pytest.mark.parametrize("name", SAMPLES)
@QUICK
@given(cut=st.floats(0, 1), noise=st.binary(max_size=6), times=st.integers(0, 3))
def test_a_damaged_file_is_read_or_refused(tmp_path_factory, name, cut, noise, times):
    whole = SAMPLES[name].encode()
    place = int(cut * len(whole))
    path = tmp_path_factory.mktemp("fuzz") / "file"
    path.write_bytes(whole[:place] + noise + whole[place + times :])
    reads_or_refuses(path, name)


WHOLE = {
    "pearmut": PEARMUT,
    "label-studio": LABEL_STUDIO,
    "wmt25": [WMT25],
    "argilla": ARGILLA_2,
    "potato": potato_state("anna", "good"),
    "doccano": [
        {"id": 1, "text": "a", "label": [[0, 1, "x"]]},
        {"id": 2, "text": "a", "entities": [{"start_offset": 0}]},
    ],
    "prodigy": [
        {"text": "t", "_input_hash": 1, "answer": "accept", "accept": ["a"], "spans": [{"start": 0, "end": 1}]}
    ],
    "wmt26": WMT26,
    "promptfoo": promptfoo(),
    "inspect": inspect_log(),
    "langfuse": langfuse(),
    "deepeval": deepeval(),
    "mlflow": [mlflow()],
    "huggingface": {
        "features": [{"name": "value", "type": {"_type": "ClassLabel", "names": ["no", "yes"]}}],
        "rows": [{"row_idx": 0, "row": {"item": "a", "rater": "x", "value": 1}}],
    },
}


@st.composite
def spoiled(draw, whole):
    """A sample with one to three of its parts replaced by something that should not be there."""
    copy = json.loads(json.dumps(whole))
    for _ in range(draw(st.integers(1, 3))):
        holder, key = {"whole": copy}, "whole"
        while isinstance(holder[key], dict | list) and holder[key] and draw(st.integers(0, 5)):
            holder = holder[key]
            key = draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
        holder[key] = draw(JSON)
        if key == "whole":
            copy = holder[key]
    return copy


@pytest.mark.parametrize("name", WHOLE)
@settings(QUICK, max_examples=40)
@given(choice=st.data())
def test_a_file_with_spoiled_parts_is_read_or_refused(tmp_path_factory, name, choice):
    content = choice.draw(spoiled(WHOLE[name]))
    path = tmp_path_factory.mktemp("fuzz") / ("file.jsonl" if isinstance(content, list) else "file.json")
    reads_or_refuses(written(path, content), name)


@pytest.mark.parametrize("name", ["xlsx", "xlsx-raters", "xlsx-criteria", "spss", "parquet"])
@settings(QUICK, max_examples=6)
@given(cut=st.floats(0, 1), noise=st.binary(max_size=4))
def test_a_damaged_binary_file_is_read_or_refused(tmp_path_factory, name, cut, noise):
    path = tmp_path_factory.mktemp("fuzz") / "file.sav"
    write(imported_sample(criteria=True, spans=False), path, to=name)
    whole = bytearray(path.read_bytes())
    place = int(cut * (len(whole) - 1))
    whole[place : place + len(noise)] = noise
    path.write_bytes(bytes(whole))
    reads_or_refuses(path, name)
    path.write_bytes(bytes(whole[:place]))
    reads_or_refuses(path, name)


@QUICK
@given(content=st.binary(min_size=1, max_size=300) | JSON.map(lambda value: json.dumps(value).encode()))
def test_detection_always_answers(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("fuzz") / "file"
    path.write_bytes(content)
    try:
        spec, reason = detect(path)
        assert format_named(spec.name) is spec and reason
    except AccordError as error:
        assert str(error)


def test_json_nested_a_hundred_thousand_deep_is_refused(tmp_path):
    for name in ("label-studio", "pearmut", "argilla", "doccano", "prodigy", "potato", "wmt25", "huggingface"):
        reads_or_refuses(written(tmp_path / "deep.json", "[" * 100_000), name)
        reads_or_refuses(written(tmp_path / "deep.json", '{"text":' * 100_000), name)
    reads_or_refuses(
        written(tmp_path / "deep.csv", 'a,b,1,TGT,e,d,5,x,False,"' + "[" * 100_000 + '",1,2\n'), "appraise"
    )
    assert detect(tmp_path / "deep.json")
