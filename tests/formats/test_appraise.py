import json

import pytest

from accord.errors import FormatError, RatingsError
from accord.formats import read
from formats.samples import APPRAISE, rated, written


@pytest.fixture
def imported(tmp_path):
    return read(written(tmp_path / "scores.csv", APPRAISE))


def test_scores_become_ratings_of_system_document_and_segment(imported):
    assert rated(imported) == {
        ("sysA:news.1:1", "anna"): 87.0, ("sysB:news.1:1", "anna"): 40.0, ("sysA:news.1:1", "bert"): 90.0,
        ("sysA:news.1:2#bad", "bert"): 5.0,
    }  # fmt: skip


def test_the_type_becomes_the_role_and_the_suffix_leaves_the_document(imported):
    assert list(imported.ratings.columns["role"].labels()) == ["system", "system", "system", "degraded"]
    assert imported.ratings.columns["document"].names == ("news.1",)


def test_the_two_times_become_seconds(imported):
    assert imported.ratings.numbers["time_s"].tolist() == [12.0, 7.5, 3.0, 1.0]


def test_the_last_marked_character_is_included_and_an_omission_has_no_place(imported):
    first, omission = imported.spans
    assert (first.start, first.end, first.severity, first.missing) == (4, 9, "minor", False)
    assert (omission.rater, omission.missing, omission.severity) == ("bert", True, "major")


def test_spans_written_as_a_python_literal_are_repaired_and_said_so(imported):
    assert [(entry.line, entry.action) for entry in imported.log] == [(3, "repaired")]
    assert any("UTF-16" in note for note in imported.notes)


def test_the_export_to_json_lines_says_the_same_by_name_and_its_texts_place_the_spans(tmp_path):
    shared = {
        "annotator": "anna", "source_id": "s", "source_text": "source", "item_type": "TGT", "source_language": "eng",
        "target_language": "deu", "document_id": "news.1#sysA", "is_complete_document": False, "batch_number": 3,
    }  # fmt: skip
    mark = [{"start_i": 3, "end_i": 3, "severity": "minor", "error_type": None}]
    one = {
        **shared, "target_id": "sysA", "target_text": "😀<br>bc", "item_id": 1, "score": 87, "start_time": 1.0,
        "end_time": 4.5, "mqm_annotations": json.dumps(mark), "task_type": "Document",
    }  # fmt: skip
    targets = [{"target_id": name, "target_text": "x", "score": score} for name, score in (("sysA", 0), ("sysB", 40))]
    two = {**shared, "item_id": 2, "targets": targets, "comment": "hm", "task_type": "PairwiseDocument"}
    imported = read(written(tmp_path / "scores.jsonl", [one, two, {**two, "targets": [{"target_id": "sysC"}]}]))
    assert imported.format == "appraise"
    assert rated(imported) == {
        ("sysA:news.1:1", "anna"): 87.0, ("sysA:news.1:2", "anna"): 0.0, ("sysB:news.1:2", "anna"): 40.0,
    }  # fmt: skip
    assert [(s.start, s.end) for s in imported.spans] == [(2, 3)]
    assert imported.texts["sysA:news.1:1"].target == "😀\nbc"
    assert imported.ratings.numbers["time_s"][0] == 3.5
    assert [str(entry) for entry in imported.log] == ["line 3: dropped: no score"]


def test_strict_reading_refuses_what_would_be_repaired(tmp_path):
    with pytest.raises(FormatError, match=r"line|3") as error:
        read(written(tmp_path / "scores.csv", APPRAISE), strict=True)
    assert "Python literal" in str(error.value)


def test_rows_that_are_no_ratings_are_dropped_with_their_line(tmp_path):
    text = APPRAISE + "anna,sysA,9,TGT,eng,deu,,d,False,[],1,2\nanna,sysA,9,XXX,eng,deu,3,d,False,[],1,2\nshort,row\n"
    log = read(written(tmp_path / "scores.csv", text)).log
    assert {entry.line for entry in log if entry.action == "dropped"} == {5, 6, 7}


def test_a_repeat_is_another_occasion_and_an_item_rated_twice_is_an_error(tmp_path):
    repeat = "anna,sysA,1,CHK,eng,deu,80,news.1#sysA,False,[],1,2\n"
    twice = read(written(tmp_path / "repeat.csv", APPRAISE + repeat))
    assert list(twice.ratings.columns["occasion"].labels())[-1] == "2"
    with pytest.raises(RatingsError, match="duplicates"):
        read(written(tmp_path / "twice.csv", APPRAISE + APPRAISE))


def test_batches_that_number_segments_anew_are_noticed_and_can_be_read_by_position(tmp_path):
    rows = "".join(
        f"{user},sysA,{first + place},TGT,eng,deu,{50 + place},doc#sysA,False,[],1,2\n"
        for user, first in (("anna", 1), ("bert", 31))
        for place in range(2)
    )
    path = written(tmp_path / "scores.csv", rows)
    assert any("segments=position" in note for note in read(path).notes)
    assert read(path, segments="position").ratings.items == 2
    assert read(path).ratings.items == 4


def test_old_exports_without_document_and_spans_are_read(tmp_path):
    nine = "anna,sysA,12,TGT,eng,deu,60,1.0,2.0\nbert,sysA,12,TGT,eng,deu,61,1.0,2.0\n"
    assert rated(read(written(tmp_path / "a.csv", nine))) == {("sysA:12", "anna"): 60.0, ("sysA:12", "bert"): 61.0}


SPANS = '"[{""start_i"":0,""end_i"":3,""severity"":""major""}]"'


@pytest.mark.parametrize(
    ("rest", "batch", "spans", "seconds"),
    [
        ("", None, 0, None),
        (",100.0,102.5", None, 0, 2.5),
        (",100.0,102.5,7,4711", "7", 0, 2.5),
        (",doc-1,False", None, 0, None),
        (f",doc-1,False,{SPANS}", None, 1, None),
        (",doc-1,True,100.0,102.5", None, 0, 2.5),
        (f",doc-1,False,{SPANS},100.0,102.5", None, 1, 2.5),
        (",doc-1,False,100.0,102.5,7,4711,1", "7", 0, 2.5),
        (f",doc-1,False,{SPANS},100.0,102.5,7,4711", "7", 1, 2.5),
        (f",doc-1,False,{SPANS},100.0,102.5,7,4711,1", "7", 1, 2.5),
    ],
    ids=lambda cell: str(cell.count(",")) if isinstance(cell, str) else None,
)
def test_every_width_of_export_is_read(tmp_path, rest, batch, spans, seconds):
    path = tmp_path / "a.csv"
    path.write_text(f"u1,sysA,1,TGT,eng,deu,87{rest}\nu2,sysA,1,TGT,eng,deu,55{rest}\n")
    imported = read(path)
    assert imported.format == "appraise"
    assert len(imported.ratings) == 2
    assert len(imported.log) == 0
    assert len(imported.spans) == 2 * spans
    column = imported.ratings.columns.get("batch")
    assert (list(column.names) if column else None) == ([batch] if batch else None)
    times = imported.ratings.numbers.get("time_s")
    assert (None if times is None or times[0] != times[0] else float(times[0])) == seconds


def test_cells_that_cannot_be_told_apart_are_named_by_line(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("u1,sysA,1,TGT,eng,deu,87,1.0,2.0\nu2,sysA,1,TGT,eng,deu,55,1.0,2.0,well done\n")
    (entry,) = read(path).log
    assert entry.line == 2
    assert entry.reason.startswith("10 cells that cannot be told apart")
