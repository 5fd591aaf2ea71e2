import json

import pytest

from accord.errors import FormatError, OptionError, UnreadableFileError
from accord.formats import FORMATS, detect, read
from accord.formats.content import sample_of
from accord.formats.reading import may_be
from formats.mutations import whole_files
from formats.samples import APPRAISE, GOOGLE_MQM, LABEL_STUDIO, PEARMUT, written

FILES = {
    "appraise": ("a.csv", APPRAISE),
    "google-mqm": ("a.tsv", GOOGLE_MQM),
    "pearmut": ("a.jsonl", PEARMUT),
    "label-studio": ("a.json", LABEL_STUDIO),
    "doccano": ("a.jsonl", [{"id": 1, "text": "a", "label": ["x"]}]),
    "csv": ("a.csv", "item,rater,value\na,x,1\n"),
    "tsv": ("a.tsv", "item\trater\tvalue\na\tx\t1\n"),
    "jsonl": ("a.jsonl", [{"item": "a", "rater": "x", "value": 1}]),
}


@pytest.mark.parametrize("name", FILES)
def test_the_content_tells_the_format_whatever_the_name_says(tmp_path, name):
    path = written(tmp_path / FILES[name][0], FILES[name][1])
    spec, reason = detect(path.rename(tmp_path / "export"))
    assert spec.name == name
    assert len(reason) > 10


def test_the_user_overrides_what_the_content_tells(tmp_path):
    path = written(tmp_path / "a.csv", APPRAISE)
    with pytest.raises(OptionError, match="no format 'apraise'"):
        read(path, format="apraise")
    with pytest.raises(FormatError):
        read(path, format="label-studio")


def test_a_long_first_line_that_is_cut_by_the_sample_is_still_recognised(tmp_path):
    entry = {**PEARMUT[0], "actions": [{"time": i} for i in range(20_000)]}
    path = written(tmp_path / "p.jsonl", json.dumps(entry) + "\n")
    assert path.stat().st_size > 1 << 16
    assert detect(path)[0].name == "pearmut"


def test_a_tool_file_does_not_take_names_of_columns_it_cannot_use(tmp_path):
    path = written(tmp_path / "a.json", LABEL_STUDIO)
    with pytest.raises(OptionError, match="names its own columns"):
        read(path, format="label-studio", document="x")


def test_a_folder_that_is_no_known_layout_and_a_file_that_is_not_there_are_named(tmp_path):
    with pytest.raises(UnreadableFileError, match="folder"):
        detect(tmp_path)
    with pytest.raises(UnreadableFileError, match="no file"):
        detect(tmp_path / "absent.csv")


@pytest.mark.parametrize("spec", FORMATS.values(), ids=lambda spec: spec.name)
def test_every_format_has_words_for_the_docs(spec):
    assert all(text.endswith(".") for text in (spec.becomes, spec.loss, spec.traps))
    assert spec.title


@pytest.mark.parametrize("spec", FORMATS.values(), ids=lambda spec: spec.name)
def test_every_format_names_functions_that_exist_and_signs_in_small_letters(spec):
    assert callable(spec.detects) and callable(spec.reads) and (spec.writes is None or callable(spec.writes))
    assert spec.signs and all(sign == sign.lower() for sign in spec.signs)


def test_signs_hide_no_file_that_a_format_would_recognise(tmp_path):
    files = whole_files(tmp_path) | dict(_listed_files(tmp_path))
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        beginning = f"{name}\n{sample_of(path)}".lower()
        claims = [spec for spec in FORMATS.values() if not spec.plain and spec.detects(sample_of(path), path)]
        assert {spec.name for spec in claims} <= {spec.name for spec in may_be(beginning)}, name


def test_a_sign_is_found_wherever_it_stands_and_however_many_could_be_there():
    rows = "".join(f"item {n},ann,{n % 5}\n" for n in range(2000))
    assert {spec.name for spec in may_be(f"a.csv\n{rows}")}.isdisjoint({"google-mqm", "mturk", "langfuse"})
    assert "mturk" in {spec.name for spec in may_be(f"a.csv\n{rows}hitid,1,2\n")}
    every_letter = "the quick brown fox jumps over the lazy dog . / _\n"
    found = {spec.name for spec in may_be(f"a.csv\n{every_letter}{rows}seve1rity\n")}
    assert "mturk" not in found
    assert "mturk" in {spec.name for spec in may_be(f"a.csv\n{every_letter}{rows}hitid\n")}


def _listed_files(folder):
    for format, (name, content) in FILES.items():
        path = written(folder / f"{format}-{name}", content)
        yield path.name, path.read_bytes()
