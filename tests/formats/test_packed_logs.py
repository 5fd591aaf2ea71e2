"""Logs as Inspect writes them today: archives packed by Zstandard, and grades without partial credit."""

import json
import struct
import zipfile

import pyarrow as pa
import pytest

from accord.errors import UnreadableFileError
from accord.formats.joining import read_several
from accord.formats.reading import read
from formats.samples import rated

_ZSTANDARD = 93


def log(model, grades):
    """A log of one sample a grade, each changed by a person to the same grade."""
    edited = [{"value": grade, "provenance": {"author": "anna"}} for grade in grades]
    samples = [
        {"id": place, "epoch": 1, "input": f"What is {place} + 1?",
         "scores": {"model_graded_qa": {"value": grade, "history": [{"value": grade}, edited[place]]}}}
        for place, grade in enumerate(grades)
    ]  # fmt: skip
    head = {"run_id": "r", "task": "t", "model": model, "scorers": [{"name": "model_graded_qa"}],
            "model_roles": {"grader": {"model": "mockllm/grader"}}}  # fmt: skip
    return {"version": 2, "eval": head}, samples


def packed(path, files):
    """Write an archive whose files are packed by Zstandard, which zipfile cannot write: its heads are set by hand."""
    sizes = {}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            text = content.encode()
            sizes[name] = len(text)
            archive.writestr(name, pa.compress(text, codec="zstd", asbytes=True))
        infos, start = archive.infolist(), archive.start_dir
    whole = bytearray(path.read_bytes())
    place = whole.index(b"PK\x01\x02", start)
    for info in infos:
        struct.pack_into("<H", whole, info.header_offset + 8, _ZSTANDARD)
        struct.pack_into("<I", whole, info.header_offset + 22, sizes[info.filename])
        struct.pack_into("<H", whole, place + 10, _ZSTANDARD)
        struct.pack_into("<I", whole, place + 24, sizes[info.filename])
        place = whole.find(b"PK\x01\x02", place + 4)
    path.write_bytes(whole)
    return path


def files_of(model, grades):
    head, samples = log(model, grades)
    named = {f"samples/{place}_epoch_1.json": json.dumps(sample) for place, sample in enumerate(samples)}
    return {"header.json": json.dumps(head), **named}


def test_files_packed_by_zstandard_say_the_same_as_plain_ones(tmp_path):
    files = files_of("mockllm/a", "CICC")
    with zipfile.ZipFile(tmp_path / "plain.eval", "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    today = read(packed(tmp_path / "today.eval", files))
    assert today.format == "inspect" and len(today.ratings) == 8
    assert rated(today) == rated(read(tmp_path / "plain.eval"))


def test_a_damaged_packed_file_is_one_sentence(tmp_path):
    path = packed(tmp_path / "log.eval", files_of("mockllm/a", "CICC"))
    whole = path.read_bytes()
    place = whole.index(b"\x28\xb5\x2f\xfd", whole.index(b"samples/1"))
    path.write_bytes(whole[:place] + b"\0\0\0\0" + whole[place + 4 :])
    with pytest.raises(UnreadableFileError, match=r"damaged log.*inspect log dump log\.eval"):
        read(path)


def test_a_packed_file_that_is_larger_than_it_says_is_not_unpacked(tmp_path):
    files = files_of("mockllm/a", "CI")
    path = packed(tmp_path / "log.eval", files | {"samples/9_epoch_1.json": json.dumps({"id": "0" * 50_000_000})})
    whole = bytearray(path.read_bytes())
    place = whole.rindex(b"PK\x01\x02")
    struct.pack_into("<I", whole, place + 24, 100)
    path.write_bytes(whole)
    with pytest.raises(UnreadableFileError, match="damaged log"):
        read(path)


def test_grades_without_partial_credit_are_two_values_and_with_it_three(tmp_path):
    two, three = (
        packed(tmp_path / f"{name}.eval", files_of(name, grades)) for name, grades in (("a", "CIC"), ("b", "CPI"))
    )
    assert read(two).ratings.scale.values == ("I", "C")
    assert read(three).ratings.scale.values == ("I", "P", "C")
    for order in ([two, three], [three, two]):
        both = read_several(order).ratings
        assert both.scale.values == ("I", "P", "C") and str(both.scale.direction) == "high"
