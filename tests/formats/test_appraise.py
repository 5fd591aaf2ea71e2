import json

import pytest

from accord.errors import FormatError
from accord.formats import read
from accord.ratings.roles import ordinary
from formats.samples import APPRAISE, rated, written


@pytest.fixture
def imported(tmp_path):
    return read(written(tmp_path / "scores.csv", APPRAISE))


def test_scores_become_ratings_of_system_document_and_segment(imported):
    assert rated(imported) == {
        ("eng-deu:sysA:news.1:1", "anna"): 87.0, ("eng-deu:sysB:news.1:1", "anna"): 40.0,
        ("eng-deu:sysA:news.1:1", "bert"): 90.0, ("eng-deu:sysA:news.1:2#bad", "bert"): 5.0,
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
        ("eng-deu:sysA:news.1:1", "anna"): 87.0, ("eng-deu:sysA:news.1:2", "anna"): 0.0,
        ("eng-deu:sysB:news.1:2", "anna"): 40.0,
    }  # fmt: skip
    assert [(s.start, s.end) for s in imported.spans] == [(2, 3)]
    assert imported.texts["eng-deu:sysA:news.1:1"].target == "😀\nbc"
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


def test_a_repeat_is_another_occasion(tmp_path):
    repeats = (
        "anna,sysA,1,CHK,eng,deu,80,news.1#sysA,False,[],1,2\nanna,sysA,1,TGT,eng,deu,82,news.1#dup,False,[],3,4\n"
    )
    ratings = read(written(tmp_path / "repeat.csv", APPRAISE + repeats)).ratings
    assert list(ratings.columns["role"].labels())[-2:] == ["repeat", "repeat"]
    assert list(ratings.columns["occasion"].labels())[-2:] == ["2", "3"]


def test_the_last_answer_by_time_counts_wherever_it_stands(tmp_path):
    later = "anna,sysA,1,TGT,eng,deu,20,news.1#sysA,False,[],200.0,201.0\n"
    for text in (later + APPRAISE, APPRAISE + later):
        imported = read(written(tmp_path / "twice.csv", text))
        assert rated(imported)["eng-deu:sysA:news.1:1", "anna"] == 20.0
        assert [entry.reason for entry in imported.log if entry.action == "dropped"] == [
            "the rater answered this item again later, and the later answer counts"
        ]
        assert imported.account.rows == 5
        assert imported.account.dropped == 1
    assert rated(read(tmp_path / "twice.csv", duplicates="first"))["eng-deu:sysA:news.1:1", "anna"] == 87.0


def test_raters_of_another_language_pair_rated_another_item(tmp_path):
    rows = "ann,sysA,1,TGT,eng,ces,40,d,False,[],1,2\nken,sysA,1,TGT,eng,jpn,90,d,False,[],1,2\n"
    ratings = read(written(tmp_path / "a.csv", rows)).ratings
    assert ratings.items == 2
    assert ratings.columns["language_pair"].names == ("eng-ces", "eng-jpn")
    assert ratings.codebook.item.named_by == ("language_pair", "system", "document", "segment")


def test_a_tutorial_is_practice_and_fillers_of_a_batch_count_under_their_own_role(tmp_path):
    rows = "".join(
        f"{user},{system},{item},TGT,eng,jpn,50,{document},False,[],1,2\n"
        for user, system, item, document in (
            ("a", "ende-tutorial1", 1000001, "ende-tutorial1"), ("a", "sysA", 1, "d"), ("b", "sysA", 1, "d#incomplete"),
            ("b", "sysA", 2, "d#duplicate1"),
        )
    )  # fmt: skip
    imported = read(written(tmp_path / "a.csv", rows))
    assert list(imported.ratings.columns["role"].labels()) == ["practice", "system", "incomplete", "duplicate"]
    assert imported.account.roles == {"practice": 1, "incomplete": 1, "duplicate": 1}
    assert "fills up a batch" in imported.ratings.codebook.roles["incomplete"]
    counted = ordinary(imported.ratings)
    assert counted.items == 2
    assert set(counted.item.labels()) == {"eng-jpn:sysA:d:1", "eng-jpn:sysA:d:2"}


MQM = (
    'u1,sysA,1,TGT,eng,deu,0,d,False,"[{""start_i"":0,""end_i"":3,""severity"":""major"",""error_type"":'
    '[""Accuracy"",""Mistranslation""]},{""start_i"":5,""end_i"":5,""severity"":""minor"",""error_type"":'
    '[""Linguistic conventions"",""Punctuation""]}]",1,2\nu1,sysB,1,TGT,eng,deu,0,d,False,[],1,2\n'
)


def test_scores_of_an_mqm_campaign_come_from_the_spans_with_the_weights_of_mqm(tmp_path):
    imported = read(written(tmp_path / "mqm.csv", MQM))
    assert rated(imported) == {
        ("eng-deu:sysA:d:1", "u1", "MQM"): -5.1, ("eng-deu:sysB:d:1", "u1", "MQM"): 0.0,
    }  # fmt: skip
    assert imported.spans[0].category == "Accuracy/Mistranslation"
    assert imported.ratings.codebook.criterion().definition.startswith("minus the weighted errors")


def test_an_error_of_an_mqm_campaign_without_a_weight_drops_its_rating_and_never_counts_as_0(tmp_path):
    undecided = 'u1,sysC,1,TGT,eng,deu,0,d,False,"[{""start_i"":0,""end_i"":3,""severity"":""undecided""}]",1,2\n'
    imported = read(written(tmp_path / "mqm.csv", MQM + undecided))
    assert len(imported.ratings) == 2
    assert [entry.line for entry in imported.log] == [3]
    assert "'undecided' has no weight" in next(iter(imported.log)).reason


def test_zeros_with_spans_that_have_no_category_are_scores(tmp_path):
    rows = APPRAISE.replace(",87,", ",0,").replace(",40,", ",0,").replace(",90,", ",0,").replace(",5,news", ",0,news")
    assert set(rated(read(written(tmp_path / "esa.csv", rows))).values()) == {0.0}


def test_what_a_rater_of_pairs_said_of_errors_is_kept(tmp_path):
    rows = "u,sysA,1,TGT,eng,deu,10,bad-word,None\nu,sysB,1,TGT,eng,deu,20,None,odd-source,1.0,2.5\n"
    ratings = read(written(tmp_path / "pairs.csv", rows)).ratings
    assert list(ratings.columns["target_error"].labels()) == ["bad-word", ""]
    assert list(ratings.columns["source_error"].labels()) == ["", "odd-source"]


def test_an_assessment_of_parallel_data_is_read_and_refused_by_the_name_of_the_column_it_lacks(tmp_path):
    whole = "u,news,doc1,f.tsv::1.2,1,TGT,eng,deu,70,3\nv,news,doc1,f.tsv::1.2,1,TGT,eng,deu,60,2,1.0,2.0\n"
    ratings = read(written(tmp_path / "data.csv", whole)).ratings
    assert sorted(ratings.labels()) == [60.0, 70.0]
    assert ratings.columns["domain"].names == ("news",)
    assert not ratings.scale.direction.is_known
    with pytest.raises(FormatError, match="the column score is not there"):
        read(written(tmp_path / "cut.csv", "u,news,doc1,f.tsv::1.2,1,TGT,eng\n"))


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
    assert rated(read(written(tmp_path / "a.csv", nine))) == {
        ("eng-deu:sysA:12", "anna"): 60.0, ("eng-deu:sysA:12", "bert"): 61.0,
    }  # fmt: skip


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
    assert entry.reason.startswith("10 cells, which is no known layout")


def test_a_score_of_a_whole_document_is_another_criterion_and_no_repeat_of_its_last_segment(tmp_path):
    rows = "".join(
        f"u,sysA,{item},TGT,eng,deu,{score},d,{flag},1,{time}\n"
        for item, score, flag, time in ((1, 80, False, 2), (2, 60, False, 3), (2, 70, True, 4))
    )
    imported = read(written(tmp_path / "doc.csv", rows))
    assert rated(imported) == {
        ("eng-deu:sysA:d:1", "u", "segment score"): 80.0, ("eng-deu:sysA:d:2", "u", "segment score"): 60.0,
        ("eng-deu:sysA:d:document", "u", "document score"): 70.0,
    }  # fmt: skip
    assert {str(one.direction) for one in imported.ratings.codebook.criteria.values()} == {"high"}


def test_systems_whose_segments_are_numbered_by_batch_are_noticed(tmp_path):
    rows = "".join(
        f"u{first},{system},{first + place},TGT,eng,deu,{50 + place},doc#{system},False,[],1,2\n"
        for system, first in (("sysA", 1), ("sysB", 31))
        for place in range(2)
    )
    path = written(tmp_path / "scores.csv", rows)
    assert any(note.startswith("Systems share documents but hardly an item number") for note in read(path).notes)
    assert set(read(path, segments="position").ratings.columns["segment"].names) == {"0", "1"}
    assert not any("item number" in note for note in read(path, segments="position").notes)
