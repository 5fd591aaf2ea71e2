"""Pearmut, WMT25, ESA tables and the mt-metrics-eval layout."""

import json

import pytest

from accord.errors import FormatError
from accord.formats import read
from formats.samples import PEARMUT, SMILE, rated, written


def test_pearmut_counts_utf16_units_skips_newlines_and_includes_the_last_character(tmp_path):
    imported = read(written(tmp_path / "p.jsonl", PEARMUT))
    emoji, hebrew, omission = imported.spans
    assert SMILE[emoji.start : emoji.end] == "😀"
    assert SMILE[hebrew.start : hebrew.end] == "שלום"
    assert omission.missing and omission.severity == "major"


def test_pearmut_zero_is_a_score(tmp_path):
    assert rated(read(written(tmp_path / "p.jsonl", PEARMUT)))["sysB:seg-0", "anna"] == 0.0


def test_pearmut_a_reset_masks_what_came_before_and_a_later_submission_supersedes(tmp_path):
    entry = PEARMUT[0]
    again = {**entry, "annotation": [{"sysA": {"score": 10, "error_spans": []}}]}
    other = {**entry, "user_id": "bert"}
    reset = {"user_id": "anna", "item_i": 0, "annotation": "__RESET__"}
    welcome = {**entry, "item_i": "welcome_0"}
    imported = read(written(tmp_path / "p.jsonl", [entry, reset, again, other, other, welcome]))
    assert rated(imported)["sysA:seg-0", "anna"] == 10.0
    assert rated(imported)["sysA:seg-0", "bert"] == 70.0
    assert sorted(entry.line for entry in imported.log) == [1, 2, 4, 6]


def test_pearmut_a_reset_of_a_user_masks_all_of_theirs_and_one_of_an_item_that_of_all(tmp_path):
    entry = PEARMUT[0]
    other = {**entry, "item_i": 1, "item": [{**entry["item"][0], "item_id": "seg-1", "src": "more"}]}
    lines = [{**one, "user_id": user} for user in ("anna", "bert") for one in (entry, other)]
    whole_user = {"user_id": "anna", "annotation": "__RESET__"}
    imported = read(written(tmp_path / "p.jsonl", [whole_user, *lines, whole_user]))
    assert imported.format == "pearmut"
    assert {key[1] for key in rated(imported)} == {"bert"}
    assert sorted(entry.line for entry in imported.log) == [1, 2, 3, 6]
    item_of_all = {"user_id": None, "item_i": 0, "annotation": "__RESET__"}
    assert {key[0] for key in rated(read(written(tmp_path / "q.jsonl", [*lines, item_of_all])))} == {
        "sysA:seg-1",
        "sysB:seg-1",
    }


def test_pearmut_a_dynamic_campaign_shows_a_document_again_with_other_systems(tmp_path):
    def shown(system, score):
        item = {"src": "source", "tgt": {system: "text"}}
        return {"user_id": "anna", "item_i": 0, "annotation": [{system: {"score": score}}], "item": [item]}

    imported = read(written(tmp_path / "p.jsonl", [shown("sysA", 1), shown("sysB", 2), shown("sysA", 3)]))
    assert rated(imported) == {("sysA:0", "anna"): 3.0, ("sysB:0", "anna"): 2.0}
    assert [str(entry) for entry in imported.log] == ["line 1: dropped: superseded in line 3"]


def test_pearmut_item_i_of_a_task_counts_the_documents_of_one_user(tmp_path):
    def task(user, number, text, score):
        item = {"src": text, "tgt": {"sysA": "out"}}
        return {"user_id": user, "item_i": number, "annotation": [{"sysA": {"score": score}}], "item": [item]}

    lines = [task("anna", 0, "one", 1), task("anna", 1, "two", 2), task("bert", 0, "two", 3), task("bert", 1, "new", 4)]
    imported = read(written(tmp_path / "p.jsonl", lines))
    assert rated(imported) == {
        ("sysA:0", "anna"): 1.0, ("sysA:1", "anna"): 2.0, ("sysA:1", "bert"): 3.0, ("sysA:1 (2)", "bert"): 4.0,
    }  # fmt: skip
    assert list(imported.ratings.columns["document"].labels()) == ["0", "1", "1", "1 (2)"]
    assert any("told apart by their texts" in note for note in imported.notes)


def test_pearmut_offsets_count_newlines_unless_the_file_shows_that_they_do_not(tmp_path):
    def marked(*spans):
        answer = {"score": 5, "error_spans": [{"start_i": a, "end_i": b, "severity": "minor"} for a, b in spans]}
        item = {"src": "source", "tgt": {"sysA": "ab\ncd"}}
        return read(
            written(
                tmp_path / "p.jsonl", [{"user_id": "u", "item_i": 0, "annotation": [{"sysA": answer}], "item": [item]}]
            )
        )

    unclear = marked((3, 3))
    assert [(s.start, s.end) for s in unclear.spans] == [(3, 4)]
    assert "1.1.5" in str(unclear.log.entries[0])
    counted = marked((3, 4), (5, 5))
    assert [(s.start, s.end, s.missing) for s in counted.spans] == [(3, 5, False), (0, 0, True)]
    skipped = marked((2, 3), (4, 4))
    assert [(s.start, s.end, s.missing) for s in skipped.spans] == [(3, 5, False), (0, 0, True)]
    assert not counted.log and not skipped.log


def test_pearmut_sliders_are_criteria(tmp_path):
    entry = {
        **PEARMUT[0],
        "annotation": [{"sysA": {"score": None, "sliders": {"fluency": 3, "style": 1}, "error_spans": []}}],
    }
    found = rated(read(written(tmp_path / "p.jsonl", [entry])))
    assert found == {("sysA:seg-0", "anna", "fluency"): 3.0, ("sysA:seg-0", "anna", "style"): 1.0}


def test_a_span_outside_its_text_is_dropped_and_the_rating_kept(tmp_path):
    entry = json.loads(json.dumps(PEARMUT[0]))
    entry["annotation"][0]["sysB"]["error_spans"] = [{"start_i": 3, "end_i": 99, "severity": "minor"}]
    imported = read(written(tmp_path / "p.jsonl", [entry]))
    assert ("sysB:seg-0", "anna") in rated(imported)
    assert "do not lie" in str(imported.log.entries[0])


WMT25 = {
    "doc_id": "en-cs_#_news_#_doc1_#_0", "src_text": "src", "tgt_text": {"sysA": SMILE},
    "scores": {"sysA": {
        "human1": 70.0, "annotator1": "en-cs_#_annotator1", "times1": [1.0, 9.0],
        "errors1": [{"start_i": 1, "end_i": 2, "severity": "major"}, {"start_i": 8, "end_i": 11, "severity": "minor"}],
        "human2": 0, "errors2": [], "annotator2": "unknown", "chrF": 0.5,
    }},
}  # fmt: skip


def test_wmt25_every_wave_is_a_rating_and_newlines_count(tmp_path):
    imported = read(written(tmp_path / "w.jsonl", [WMT25]))
    item = "sysA:en-cs_#_news_#_doc1_#_0"
    assert rated(imported) == {(item, "en-cs_#_annotator1"): 70.0, (item, "unknown2"): 0.0}
    assert [SMILE[s.start : s.end] for s in imported.spans] == ["😀", "שלום"]
    assert imported.ratings.columns["document"].names == ("en-cs_#_news_#_doc1",)
    assert imported.ratings.numbers["time_s"][0] == 8.0
    assert [entry.action for entry in imported.log] == ["guessed"]


ESA = (
    "login,systemID,itemID,is_bad,score,documentID,span_errors,start_time,end_time,AnnotatorID\n"
    'u1,sysA,3,TGT,55,doc1#sysA,"[{""start_i"":0,""end_i"":0,""severity"":""minor""}]",10,14,anna\n'
    'u1,sysA,4,BAD,2,doc1#sysA#bad1,"[{""start_i"":""missing"",""end_i"":""missing"",""severity"":""major""}]",14,15,anna\n'
)


def test_esa_tables_keep_role_person_and_omissions(tmp_path):
    imported = read(written(tmp_path / "esa.csv", ESA))
    assert imported.format == "esa"
    assert rated(imported) == {("sysA:doc1:3", "anna"): 55.0, ("sysA:doc1:4#bad", "anna"): 2.0}
    assert [(s.start, s.end, s.missing) for s in imported.spans] == [(0, 1, False), (0, 0, True)]


def layout(folder):
    scores = folder / "human-scores"
    scores.mkdir(parents=True)
    written(scores / "en-de.mqm.seg.score", "sysA\t-1.5\nsysA\tNone\nsysB\t0\nsysB\t-5\n")
    written(scores / "en-de.mqm.sys.score", "sysA\t-1.5\nsysB\t-2.5\n")
    (folder / "documents").mkdir()
    written(folder / "documents" / "en-de.docs", "news\tdoc1\nnews\tdoc2\n")
    return folder


def test_the_layout_numbers_segments_by_system_and_none_is_no_score(tmp_path):
    imported = read(layout(tmp_path / "wmt"))
    assert imported.format == "mt-metrics-eval"
    assert rated(imported) == {
        ("sysA:0", "mqm", "mqm"): -1.5,
        ("sysB:0", "mqm", "mqm"): 0.0,
        ("sysB:1", "mqm", "mqm"): -5.0,
    }
    assert imported.ratings.missing == 1
    assert list(imported.ratings.columns["document"].labels()) == ["doc1", "doc1", "doc2"]
    assert any("averages" in note for note in imported.notes)


def test_numbered_names_are_raters_of_one_criterion(tmp_path):
    folder = layout(tmp_path / "wmt")
    for number in (1, 2):
        written(folder / "human-scores" / f"en-de.ESA-{number}.seg.score", "sysA\t1\nsysA\t2\nsysB\t3\nsysB\t4\n")
    ratings = read(folder).ratings
    assert ratings.only(criterion="ESA").raters == 2


def test_seg_ratings_have_an_exclusive_end_and_are_scored(tmp_path):
    error = {"start": 2, "end": 5, "category": "Style", "severity": "Minor", "is_source_error": True}
    lines = f"sysA\t{json.dumps({'errors': [error]})}\trater1\nsysA\tNone\nsysA\t{json.dumps({'errors': []})}\trater2\n"
    imported = read(written(tmp_path / "en-de.mqm.seg.rating", lines))
    assert rated(imported) == {("sysA:0", "rater1", "MQM"): -1.0, ("sysA:2", "rater2", "MQM"): 0.0}
    assert [(s.start, s.end, s.side) for s in imported.spans] == [(2, 5, "source")]


def test_a_score_that_is_no_number_is_dropped_with_its_file_and_line(tmp_path):
    folder = layout(tmp_path / "wmt")
    written(folder / "human-scores" / "en-de.mqm.seg.score", "sysA\t-1.5\nsysA\tfine\n")
    entry = read(folder).log.entries[0]
    assert (entry.file, entry.line) == ("en-de.mqm.seg.score", 2)


def test_a_truncated_jsonl_file_is_refused_with_its_line(tmp_path):
    whole = json.dumps(PEARMUT[0])
    with pytest.raises(FormatError, match=r":2: not JSON, or cut off"):
        read(written(tmp_path / "p.jsonl", f"{whole}\n{whole[:50]}"))
