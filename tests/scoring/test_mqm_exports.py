"""Lists of MQM errors as tools and people write them: what ``agree`` reads, ``mqm`` scores."""

from pathlib import Path
from statistics import fmean

import pytest

import accord
from accord.errors import ColumnError, FormatError

EXPORTS = Path(__file__).parents[1] / "formats" / "exports"
GOOGLE = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
MAROT = ["system", "doc", "docSegId", "globalSegId", *GOOGLE[4:]]
ROWS = [
    ("A", "d", "1", "1", "r1", "<v>one</v>", "<v>eins</v>", "Accuracy/Mistranslation", "Major"),
    ("A", "d", "1", "1", "r1", "one", "<v>eins</v>", "Fluency/Punctuation", "minor"),
    ("A", "d", "1", "1", "r2", "one", "eins", "No-error", "No-error"),
    ("B", "d", "1", "1", "r1", "one", "<v>ein</v>", "Style/Awkward", "Minor"),
    ("B", "d", "1", "1", "r2", "one", "<v>ein</v>", "Style/Awkward", "Major"),
]


def scores(answer):
    return {row["system"]: row["score"] for row in answer.data["systems"]}


@pytest.mark.parametrize("header", [GOOGLE, MAROT], ids=["google", "marot names"])
def test_google_errors_count_once_however_many_places_they_have(tmp_path, header):
    file = tmp_path / "mqm.tsv"
    file.write_text("\n".join("\t".join(row) for row in (header, *ROWS)) + "\n", encoding="utf-8")
    answer = accord.mqm(file)
    # r1 of A: one error of 5 marked on both sides, one of 0.1; r2: none.
    assert scores(answer) == {"A": pytest.approx(-2.55), "B": -3}
    assert accord.mqm(file, limit=1).data["systems"][0]["score"] == pytest.approx(-2.5)
    ratings = accord.read(file)
    assert fmean(ratings.scores.tolist()) == pytest.approx(fmean([-5.1, 0, -1, -5]))


@pytest.mark.parametrize("name", ["google-mqm.tsv", "marot.tsv", "appraise-mqm.csv"])
def test_what_agree_reads_mqm_scores_alike(name):
    ratings = accord.read(EXPORTS / name)
    by_rater = {}
    for rater, value in zip(ratings.rater.labels(), ratings.scores.tolist(), strict=True):
        by_rater.setdefault(rater, []).append(value)
    answer = accord.mqm(EXPORTS / name)
    assert {row["rater"]: row["score"] for row in answer.data["raters"]} == {
        rater: pytest.approx(fmean(values)) for rater, values in by_rater.items()
    }
    assert any(line.startswith("Note: read as") for line in answer.data["notes"])


def test_googles_own_averages_of_a_real_file_are_met(data):
    answer = accord.mqm(data / "exports" / "google_mqm_ted_ende.tsv", segments=True)
    made = {(row["system"], row["item"].rpartition(":")[2]): [] for row in answer.data["items"]}
    for row in answer.data["items"]:
        made[row["system"], row["item"].rpartition(":")[2]].append(-row["score"])
    published = (data / "exports" / "google_mqm_ted_ende.avg_seg_scores.tsv").read_text().splitlines()[1:]
    compared = 0
    for line in published:
        system, score, segment = line.split()[:3]
        if score != "None" and (system, segment) in made:
            assert abs(fmean(made[system, segment])) == pytest.approx(abs(float(score)), abs=1e-6)
            compared += 1
    assert compared > 1000


def test_columns_by_other_names_are_found_and_said(tmp_path):
    file = tmp_path / "err.csv"
    file.write_text("Segment,Reviewer,Error type,Severity\n1,Rev1,Omission,major\n2,Rev1,Grammar,Minor\n")
    answer = accord.mqm(file)
    assert scores(answer) == {"all": -3}
    assert "Note: column 'Error type' is taken as category." in answer.data["notes"]
    assert "Note: an item is taken to be segment." in answer.data["notes"]


def test_columns_can_be_named(tmp_path):
    file = tmp_path / "err.csv"
    file.write_text("where,who,what,how bad,severity\n1,Rev1,Omission,major,x\n2,Rev1,Grammar,Minor,y\n")
    named = {"item": "where", "rater": "who", "category": "what", "severity": "how bad"}
    assert scores(accord.mqm(file, columns=named)) == {"all": -3}
    with pytest.raises(ColumnError, match="has no column 'whom'"):
        accord.mqm(file, columns=named | {"rater": "whom"})


def test_a_named_format_without_mqm_errors_is_refused():
    with pytest.raises(FormatError, match="lists no MQM errors"):
        accord.mqm(EXPORTS / "esa.csv", format="esa")
