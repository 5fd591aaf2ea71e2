"""brat standoff, WebAnno TSV 3 and XLIFF with ITS 2.0."""

import pytest

from accord.errors import FormatError
from accord.formats import read
from formats.samples import rated, written


def brat_folder(folder):
    for rater, lines in (
        ("anna", "T1\tError 4 7\tcat\nA1\tSeverity T1 major\nT2\tStyle 0 3;8 10\tThe is\n#1\tAnnotatorNotes T1\todd\n"),
        ("bert", "T1\tError 4 7\tcat\nR1\tPart Arg1:T1 Arg2:T1\t\nT9\tError 90 99\tx\n"),
        ("cleo", ""),
    ):
        (folder / rater).mkdir(parents=True)
        written(folder / rater / "doc1.ann", lines)
        written(folder / rater / "doc1.txt", "The cat is 😀.")
    return folder


def test_brat_a_document_is_an_item_and_the_folder_the_rater(tmp_path):
    imported = read(brat_folder(tmp_path / "study"))
    assert imported.format == "brat"
    assert rated(imported) == {
        ("doc1", "anna", "spans"): 2.0, ("doc1", "bert", "spans"): 1.0, ("doc1", "cleo", "spans"): 0.0,
    }  # fmt: skip
    first = imported.spans[0]
    assert (first.start, first.end, first.category, first.severity) == (4, 7, "Error", "major")
    assert [(span.start, span.end) for span in imported.spans if span.category == "Style"] == [(0, 3), (8, 10)]
    assert imported.texts["doc1"].target == "The cat is 😀."
    assert {entry.reason for entry in imported.log} == {"relations are not read", "T9 has no place in the text"}
    assert (imported.account.rows, imported.account.ratings, imported.account.unknown) == (3, 3, 0)
    assert read(tmp_path / "study" / "anna" / "doc1.ann").format == "brat"


WEBANNO = (
    "#FORMAT=WebAnno TSV 3.3\n"
    "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS|PosValue\n"
    "#T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|identifier|value\n"
    "#T_SP=webanno.custom.Mark|\n\n\n"
    "#Text=😀 Bell in Los Angeles\n"
    "1-1\t0-2\t😀\tX\t_\t_\t_\n"
    "1-2\t3-7\tBell\tN\t*\tORG\t_\n"
    "1-3\t8-10\tin\tP\t_\t_\t*\n"
    "1-4\t11-14\tLos\tN\t*[1]|*[2]\tLOC[1]|GPE\\_X[2]\t_\n"
    "1-5\t15-22\tAngeles\tN\t*[1]\tLOC[1]\t_\n\n"
    "#Text=Nothing .\n2-1\t23-30\tNothing\tN\t_\t_\t_\n2-2\t31-32\t.\t.\t_\t_\t_\n"
)


def test_webanno_a_sentence_is_an_item_and_every_layer_of_people_a_criterion(tmp_path):
    for rater in ("anna", "bert", "CURATION_USER", "INITIAL_CAS"):
        (tmp_path / "annotation" / "doc.txt").mkdir(parents=True, exist_ok=True)
        text = WEBANNO if rater != "bert" else WEBANNO.replace("*\tORG", "_\t_")
        written(tmp_path / "annotation" / "doc.txt" / f"{rater}.tsv", text)
    imported = read(tmp_path)
    assert imported.format == "webanno"
    found = rated(imported)
    assert found["doc.txt:1", "anna", "NamedEntity"] == 3.0
    assert found["doc.txt:1", "bert", "NamedEntity"] == 2.0
    assert found["doc.txt:1", "anna", "Mark"] == 1.0
    assert found["doc.txt:2", "anna", "NamedEntity"] == 0.0
    text = imported.texts["doc.txt:1"].target
    marked = {(text[span.start : span.end], span.category) for span in imported.spans if span.rater == "anna"}
    assert marked == {("Bell", "ORG"), ("Los Angeles", "LOC"), ("Los", "GPE_X"), ("in", "")}
    roles = dict(zip(imported.ratings.rater.labels(), imported.ratings.columns["role"].labels(), strict=True))
    assert roles["CURATION_USER"] == "gold"
    account = imported.account
    assert (account.rows, account.ratings, account.roles, account.unknown) == (6, 4, {"gold": 2}, 0)


def test_webanno_one_file_is_one_rater(tmp_path):
    imported = read(written(tmp_path / "anna.tsv", WEBANNO))
    assert imported.ratings.rater.names == ("anna",)
    with pytest.raises(FormatError, match="no layer of spans"):
        read(written(tmp_path / "b.tsv", "#FORMAT=WebAnno TSV 3.3\n\n#Text=a\n1-1\t0-1\ta\n"))


XLIFF_12 = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:its="http://www.w3.org/2005/11/its">
 <file original="a.html" source-language="en" target-language="fr"
   its:annotatorsRef="localization-quality-issue|anna"><body>
  <trans-unit id="1"><source>This is the content</source>
   <target><mrk mtype="x-its" its:locQualityIssuesRef="#lq1">c'es</mrk> le <g id="1">contenu</g></target>
  </trans-unit>
  <trans-unit id="2"><source>Two</source>
   <target its:locQualityIssueType="untranslated" its:locQualityIssueSeverity="90">Two</target></trans-unit>
  <trans-unit id="3"><source>Three</source><target>Trois</target></trans-unit>
  <trans-unit id="4"><source>Four</source></trans-unit>
  <trans-unit id="5"><source>Five</source>
   <target><mrk mtype="x-its" its:locQualityIssueType="style" its:locQualityIssueEnabled="no">Cinq</mrk></target>
  </trans-unit>
 </body></file>
 <its:locQualityIssues xml:id="lq1">
  <its:locQualityIssue locQualityIssueType="misspelling" locQualityIssueSeverity="50"/>
  <its:locQualityIssue locQualityIssueType="typographical" locQualityIssueSeverity="30"/>
 </its:locQualityIssues>
</xliff>"""
XLIFF_2 = """<xliff version="2.1" srcLang="en" trgLang="de" xmlns="urn:oasis:names:tc:xliff:document:2.0"
 xmlns:its="http://www.w3.org/2005/11/its"><file id="f1"><unit id="u1">
 <segment id="s1"><source>A cat</source>
  <target>Eine <sm id="m1" type="its:generic" its:locQualityIssueType="mistranslation"/>Hund<em startRef="m1"/></target>
 </segment><segment id="s2" its:locQualityRatingScore="80" its:revPerson="ben"><source>B</source><target>B</target>
 </segment></unit></file></xliff>"""


def test_xliff_issues_inline_and_standoff_are_spans_and_their_number_is_the_rating(tmp_path):
    imported = read(written(tmp_path / "review.xlf", XLIFF_12))
    assert imported.format == "xliff"
    assert rated(imported) == {
        ("en-fr:a.html:1", "anna", "quality issues"): 2.0, ("en-fr:a.html:2", "anna", "quality issues"): 1.0,
        ("en-fr:a.html:3", "anna", "quality issues"): 0.0, ("en-fr:a.html:5", "anna", "quality issues"): 0.0,
    }  # fmt: skip
    texts = imported.texts
    assert texts["en-fr:a.html:1"].target == "c'es le contenu"
    assert [(texts[s.item].target[s.start : s.end], s.category, s.severity) for s in imported.spans] == [
        ("c'es", "misspelling", "50"), ("c'es", "typographical", "30"), ("Two", "untranslated", "90"),
    ]  # fmt: skip
    assert str(imported.ratings.criterion.direction) == "low"
    account = imported.account
    assert (account.rows, account.ratings, account.dropped, account.unknown) == (5, 4, 1, 0)


def test_xliff_2_marks_stretches_between_two_elements_and_rates_segments(tmp_path):
    imported = read(written(tmp_path / "review.xlf", XLIFF_2))
    found = rated(imported)
    assert found["en-de:f1:u1:s1", "review", "quality issues"] == 1.0
    assert found["en-de:f1:u1:s2", "ben", "quality rating"] == 80.0
    (span,) = imported.spans
    assert imported.texts[span.item].target[span.start : span.end] == "Hund"
    assert str(imported.ratings.codebook.criteria["quality rating"].direction) == "high"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (XLIFF_12[:400], "not whole XML"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><xliff>&a;</xliff>', "declares entities"),
        ("<xliff><file><trans-unit id='1'><target>x</target></trans-unit></file></xliff>", "no localization quality"),
    ],
)
def test_xliff_that_is_torn_or_holds_no_review_is_refused(tmp_path, text, words):
    with pytest.raises(FormatError, match=words):
        read(written(tmp_path / "a.xlf", text))
