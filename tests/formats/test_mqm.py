import csv
import tarfile

import pytest

from accord.errors import FormatError, UnreadableFileError
from accord.formats import read
from accord.formats.mqm_weights import UnknownSeverityError, error_weight, mqm_score
from formats.samples import GOOGLE_MQM, rated, written

MAROT = (
    "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
    "sysA\td1\t1\t1\t\tThe cat\tDie Katze\t\t\t"
    '{"segment":{"target_tokens":["Die"," ","Katze"],"source_tokens":["The"," ","cat"]}}\n'
    'sysA\td1\t1\t1\trater1\tThe cat\tDie <v>Katze</v>\tAccuracy\tMajor\t{"target_spans":[[2,2]]}\n'
    'sysA\td1\t1\t1\trater1\tThe <v>cat</v>\tDie Katze\tSource issue\tNeutral\t{"source_spans":[[0,2]]}\n'
    'sysA\td1\t1\t1\trater2\tThe cat\tDie <v>Katze</v>\tStyle\tMinor\t{"target_spans":[[2,9]]}\n'
    "sysA\td1\t1\t1\trater3\tThe cat\tDie Katze\tno-error\tno-error\t{}\n"
)


def test_weights_are_those_of_googles_scorer():
    assert error_weight("Accuracy/Mistranslation", "Major") == 5
    assert error_weight("Accuracy/Mistranslation", "MINOR ") == 1
    assert error_weight("Fluency/Punctuation", "Minor") == 0.1
    assert error_weight("Fluency/Punctuation", "Major") == 5
    assert error_weight("Non-translation!", "Major") == 25
    assert error_weight("Style", "Neutral") == 0


def test_an_unknown_severity_is_an_error_and_never_zero():
    with pytest.raises(UnknownSeverityError, match="catastrophic"):
        error_weight("Style", "catastrophic")


def test_more_than_five_errors_all_count():
    assert mqm_score([("Style", "Major")] * 6) == -30


def test_errors_of_a_segment_add_up_and_no_error_is_zero(tmp_path):
    imported = read(written(tmp_path / "mqm.tsv", GOOGLE_MQM))
    assert rated(imported) == {
        ("sysA:news.1:1", "rater1", "MQM"): -5.1, ("sysA:news.1:1", "rater2", "MQM"): 0.0,
        ("sysB:news.1:1", "rater1", "MQM"): -1.0, ("sysB:news.1:1", "rater2", "MQM"): -25.0,
    }  # fmt: skip


def test_tagged_stretches_become_spans_of_their_side_and_quotes_are_letters(tmp_path):
    imported = read(written(tmp_path / "mqm.tsv", GOOGLE_MQM))
    texts = imported.texts["sysA:news.1:1"]
    assert texts.target == 'Er sagte "hi.'
    marked = {(s.item, s.category): (s.side, s.start, s.end) for s in imported.spans}
    assert marked["sysA:news.1:1", "Accuracy/Mistranslation"] == ("target", 3, 8)
    assert marked["sysB:news.1:1", "Accuracy/Omission"] == ("source", 0, 2)
    assert marked["sysB:news.1:1", "Non-translation!"] == ("target", 0, 0)


def test_an_unknown_severity_in_a_file_names_every_line(tmp_path):
    text = GOOGLE_MQM.replace("\tMinor\n", "\tOdd\n")
    with pytest.raises(FormatError) as error:
        read(written(tmp_path / "mqm.tsv", text))
    assert [problem.row for problem in error.value.problems] == [3, 5]


def test_attention_checks_and_rows_of_wrong_width_are_dropped_with_a_reason(tmp_path):
    text = GOOGLE_MQM + "sysA\tn\t2\t2\tr\ts\tt\tx\tHOTW-test\nsysA\tn\n"
    log = read(written(tmp_path / "mqm.tsv", text)).log
    assert [(entry.line, entry.action) for entry in log] == [(7, "dropped"), (8, "dropped")]


def test_a_line_separator_inside_a_text_does_not_split_a_row(tmp_path):
    text = GOOGLE_MQM.replace("sagte</v>", "sagte\u2028</v>")
    assert len(read(written(tmp_path / "mqm.tsv", text)).log) == 0


def test_marot_tokens_become_code_points_with_the_last_token_included(tmp_path):
    imported = read(written(tmp_path / "marot.tsv", MAROT))
    assert imported.format == "marot"
    marked = [(s.rater, s.side, s.start, s.end) for s in imported.spans]
    assert marked == [("rater1", "target", 4, 9), ("rater1", "source", 0, 7), ("rater2", "target", 4, 9)]
    assert rated(imported)["sysA:d1:1", "rater1", "MQM"] == -5


def test_marot_tokens_outside_the_text_fall_back_on_the_tags_and_metadata_rows_are_named(tmp_path):
    log = read(written(tmp_path / "marot.tsv", MAROT)).log
    assert [(entry.line, entry.action) for entry in log] == [(2, "dropped"), (5, "repaired")]


def test_scores_equal_those_of_the_published_three_rater_study(data, tmp_path):
    with (data / "mqm3_wmt23_ende_errors.csv").open(encoding="utf-8") as file:
        errors = list(csv.DictReader(file))
    rows = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"]
    rows += [f"{e['item']}\t\t\t\t{e['rater']}\ts\tt\t{e['category']}\t{e['severity']}" for e in errors]
    found = rated(read(written(tmp_path / "mqm.tsv", "\n".join(rows) + "\n")))
    with (data / "mqm3_wmt23_ende.csv").open(encoding="utf-8") as file:
        printed = {(row["item"], row["rater"], "MQM"): float(row["score"]) for row in csv.DictReader(file)}
    assert found == pytest.approx(printed, abs=0.0005)


def test_marot_below_a_header_with_a_remark_and_inside_an_archive(tmp_path):
    header = MAROT.split("\n", 1)[0] + "\t# Documentation: x\n"
    rows = (
        "sysA\td\t1\t1\tr1\tsrc\t<v>tgt</v>\tAccuracy\tMajor\t{}\n"
        "sysA\td\t1\t1\tr1\tsrc\t<v>tgt</v>\tStyle\tMinor\t{}\n"
        "sysA\td\t1\t1\tr2\tsrc\ttgt\tNo-error\tNo-error\t{}\n"
        "sysA\td\t1\t1\tr2\tsrc\ttgt\tOther\tHOTW-test\t{}\n"
    )
    plain = written(tmp_path / "m.tsv", header + rows)
    packed = tmp_path / "m.tsv.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(plain, "folder/m.tsv")
    for path in (plain, packed):
        imported = read(path)
        assert imported.format == "marot"
        assert rated(imported) == {("sysA:d:1", "r1", "MQM"): -6.0, ("sysA:d:1", "r2", "MQM"): 0.0}
        account = imported.account
        assert (account.rows, account.ratings, account.merged, account.dropped, account.unknown) == (4, 2, 1, 1, 0)
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(plain, "one.tsv")
        archive.add(plain, "two.tsv")
    with pytest.raises(UnreadableFileError, match="holds 2 files"):
        read(packed)
    packed.write_bytes(packed.read_bytes()[:60])
    with pytest.raises(UnreadableFileError, match="damaged"):
        read(packed)
