"""WMT26, Mechanical Turk, Stata, SAS, contingency tables and tables of counts."""

import json

import pandas
import pyreadstat
import pytest

import accord
from accord.errors import FormatError, UnreadableFileError
from accord.formats import detect, read
from accord.ratings.roles import ordinary
from formats.samples import rated, written


def page(user, number, *items, score=50):
    """A submission of segments, each with one system."""
    return {
        "user_id": user, "item_i": number, "annotation": [{"sysA": {"score": score, "error_spans": []}} for _ in items],
        "item": [{**({"item_id": item} if item else {}), "src": "s", "tgt": {"sysA": "t"}} for item in items],
    }  # fmt: skip


WMT26 = {
    "ces_Latn---deu_Latn v3": [
        page("anna", 0, "ces_#_tutorial_#_1", score=1), page("anna", 1, "attention_check_7", score=2),
        page("anna", 2, "news_###_doc1_###_0", "news_###_doc1_###_1", score=70), page("anna", 3, "", score=3),
    ],
    "ces_Latn---ukr_Cyrl": [
        page("olha", 0, "news_###_doc1_###_0", score=10), {"user_id": "olha", "annotation": "__RESET__"},
        page("olha", 0, "news_###_doc1_###_0", score=80), "torn",
    ],
}  # fmt: skip


def test_wmt26_campaigns_are_language_pairs_and_tutorials_and_checks_stand_apart(tmp_path):
    imported = read(written(tmp_path / "annotations.json", WMT26))
    assert imported.format == "wmt26"
    assert rated(imported)["ces_Latn-ukr_Cyrl:sysA:news_###_doc1_###_0", "olha"] == 80.0
    rows = ordinary(imported.ratings)
    assert set(rows.columns["language_pair"].names) == {"ces_Latn-deu_Latn", "ces_Latn-ukr_Cyrl"}
    assert set(rows.item.labels()) == {
        "ces_Latn-deu_Latn:sysA:news_###_doc1_###_0", "ces_Latn-deu_Latn:sysA:news_###_doc1_###_1",
        "ces_Latn-ukr_Cyrl:sysA:news_###_doc1_###_0",
    }  # fmt: skip
    assert set(rows.columns["document"].names) == {"news_###_doc1"}
    assert rows.columns["domain"].names == ("news",)
    account = imported.account
    assert (account.rows, account.ratings, account.dropped, account.unknown) == (8, 2, 3, 0)
    assert account.roles == {"tutorial": 1, "attention": 2}


def test_wmt26_is_recognised_when_its_first_campaign_is_larger_than_the_sample(tmp_path):
    lines = [page(f"user{n}", 0, "news_###_doc1_###_0") for n in range(3000)]
    long = {"ces---deu": [{**line, "actions": ["x" * 2000]} for line in lines]}
    path = written(tmp_path / "annotations.json", long)
    assert path.stat().st_size > 5_000_000
    assert read(path).format == "wmt26"


MTURK = (
    '"HITId","HITTypeId","AssignmentId","WorkerId","AssignmentStatus","WorkTimeInSeconds","Input.segment_id",'
    '"Input.source","Input.target","Input.system","Answer.adequacy","Answer.kind.label","Answer.seen.no",'
    '"Answer.seen.yes","Answer.comment","Approve","Reject"\n'
    '"H1","T","A1","w1","Approved","31","s1","src","tgt","sysA","80","news","false","true","fine","",""\n'
    '"H1","T","A2","w2","Submitted","12","s1","src","tgt","sysA","60","news","true","false","","",""\n'
    '"H1","T","A3","w3","Rejected","3","s1","src","tgt","sysA","1","news","true","false","","",""\n'
    '"H2","T","A4","w1","Submitted","3","s2","src","tgt","sysA","2","sport","true","false","","","too fast"\n'
)


def test_mturk_rejected_assignments_do_not_count_and_answers_are_criteria(tmp_path):
    imported = read(written(tmp_path / "batch.csv", MTURK))
    assert imported.format == "mturk"
    assert rated(imported) == {
        ("s1", "w1", "adequacy"): 80.0, ("s1", "w1", "kind"): "news", ("s1", "w1", "seen"): "yes",
        ("s1", "w2", "adequacy"): 60.0, ("s1", "w2", "kind"): "news", ("s1", "w2", "seen"): "no",
    }  # fmt: skip
    assert imported.texts["s1"].target == "tgt"
    assert imported.ratings.numbers["time_s"].max() == 31.0
    account = imported.account
    assert (account.rows, account.ratings, account.dropped, account.unknown) == (4, 2, 2, 0)
    assert [entry.line for entry in imported.log] == [4, 5]
    assert "AssignmentStatus Rejected" in next(iter(imported.log)).reason


def test_mturk_forms_hold_their_answers_as_json_and_hits_name_items_where_nothing_else_does(tmp_path):
    def row(hit, worker, answers):
        cell = json.dumps(answers).replace('"', '""')
        return f'{hit},a-{hit}-{worker},{worker},Approved,a text,"{cell}"\n'

    text = (
        "HITId,AssignmentId,WorkerId,AssignmentStatus,Input.text,Answer.taskAnswers\n"
        + row("H1", "w1", [{"fluency": 4, "kind": {"good": True, "bad": False}, "topic": {"label": "news"}}])
        + row("H1", "w2", [{"fluency": 2, "kind": {"good": False, "bad": True}, "topic": {"label": "sport"}}])
        + row("H2", "w2", "torn")
    )
    imported = read(written(tmp_path / "batch.csv", text))
    found = rated(imported)
    assert (found["H1", "w1", "fluency"], found["H1", "w1", "kind"], found["H1", "w2", "topic"]) == (
        4.0,
        "good",
        "sport",
    )
    assert (imported.account.rows, imported.account.dropped, imported.account.unknown) == (3, 1, 0)


@pytest.mark.parametrize("name", ["stata", "sas"])
def test_tables_of_stata_and_sas_are_read_as_those_of_spss(tmp_path, name):
    frame = pandas.DataFrame(
        {"item": ["a", "b", "a", "b"], "rater": ["x", "x", "y", "y"], "value": [1.0, 2.0, 1.0, float("nan")]}
    )
    if name == "stata":
        path = tmp_path / "ratings.dta"
        pyreadstat.write_dta(frame, str(path), variable_value_labels={"value": {1: "bad", 2: "good"}})
    else:
        path = tmp_path / "ratings.xpt"
        pyreadstat.write_xport(frame, str(path))
    imported = read(path)
    assert imported.format == name
    assert rated(imported) == {("a", "x"): 1.0, ("b", "x"): 2.0, ("a", "y"): 1.0}
    assert imported.ratings.missing == 1
    if name == "stata":
        assert dict(imported.ratings.scale.labels) == {1.0: "bad", 2.0: "good"}
    path.write_bytes(path.read_bytes()[:90])
    with pytest.raises((UnreadableFileError, FormatError)):
        read(path)


def test_values_that_stata_declares_missing_are_no_ratings(tmp_path):
    frame = pandas.DataFrame({"item": ["a", "b"], "rater": ["x", "x"], "value": [1.0, "a"]})
    pyreadstat.write_dta(frame, str(tmp_path / "r.dta"), missing_user_values={"value": ["a"]})
    imported = read(tmp_path / "r.dta")
    assert rated(imported) == {("a", "x"): 1.0}
    assert imported.notes == ("1 values are declared missing in the Stata file; they are no ratings",)


def test_a_contingency_table_is_two_raters_with_as_many_items_as_it_counts(tmp_path):
    text = "Anna / Ben,yes,no,Total\nyes,20,5,25\nno,10,15,25\nTotal,30,20,50\n"
    imported = read(written(tmp_path / "table.csv", text))
    assert imported.format == "contingency"
    ratings = imported.ratings
    assert (ratings.items, set(ratings.rater.names)) == (50, {"Anna", "Ben"})
    (group,) = accord.agreement(ratings, coefficients="cohen_kappa", interval="none").groups
    assert group.estimates[0].value == pytest.approx(0.4)  # 2 raters, 35 of 50 agree, half expected by chance
    assert imported.account.unknown == 0


def test_counts_of_categories_are_ratings_of_nobody_in_particular(tmp_path):
    path = written(tmp_path / "counts.csv", "item,a,b,c\n1,3,0,0\n2,1,2,0\n3,0,0,0\n")
    imported = read(path, format="counts")
    assert (len(imported.ratings), imported.ratings.items, imported.ratings.raters) == (6, 2, 3)
    assert any("does not say who" in entry.reason for entry in imported.log)
    account = imported.account
    assert (account.rows, account.ratings, account.dropped, account.unknown) == (3, 2, 1, 0)
    patterns = read(written(tmp_path / "p.csv", "Anna,Ben,count\nyes,yes,3\nyes,no,2\nno,no,0\n"), format="counts")
    assert (patterns.ratings.items, set(patterns.ratings.rater.names)) == (5, {"Anna", "Ben"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("item,a,b\n1,0.5,0.5\n", "Shares need the number of items"),
        ("item,a,b\n1,x,2\n", "'x' is no count"),
        ("item,a,b\n1,2\n", "2 cells where the header has 3"),
        ("item,a,b\n1,90000000,2\n", "too many to be written out"),
        ("item,a\n1,2\n", "two or more categories"),
    ],
)
def test_a_table_that_holds_no_counts_is_refused_with_its_line(tmp_path, text, words):
    with pytest.raises(FormatError, match=words):
        read(written(tmp_path / "counts.csv", text), format="counts")


def test_a_table_of_sas_is_recognised_by_its_first_bytes_and_refused_if_damaged(tmp_path):
    path = tmp_path / "ratings"
    path.write_bytes(bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011") + bytes(4000))
    assert detect(path)[0].name == "sas"
    with pytest.raises(UnreadableFileError, match="damaged or truncated SAS file"):
        read(path)


FLEISS = "subject,1,2,3,4,5\n1,0,0,0,0,14\n2,0,2,6,4,2\n3,0,0,3,5,6\n4,0,3,9,2,0\n7,2,2,8,1,1\n"


def test_rows_that_add_up_to_the_same_number_are_counts_and_not_raters(tmp_path):
    imported = read(written(tmp_path / "fleiss.csv", FLEISS))
    assert imported.format == "counts"
    assert imported.reason == "every one of 5 rows adds up to 14 ratings"
    assert len(imported.ratings) == 70
    with pytest.raises(FormatError, match=r"could be in several formats: contingency.*counts"):
        read(written(tmp_path / "square.csv", FLEISS.replace("\n7,", "\n5,")))


@pytest.mark.parametrize(
    "text",
    [
        "item,a,b,c\n1,1,2,0\n2,2,1,0\n3,0,1,2\n4,1,0,2\n5,2,0,1\n",
        FLEISS.replace("7,2,2,8,1,1", "7,2,2,8,1,2"),
        "item,Ann,Ben\n1,1,4\n2,2,3\n3,3,2\n4,4,1\n5,1,4\n",
    ],
    ids=["rankings", "another sum", "no zero"],
)
def test_rankings_and_wide_ratings_are_no_counts(tmp_path, text):
    assert detect(written(tmp_path / "a.csv", text))[0].name == "csv"
    assert read(written(tmp_path / "f.csv", FLEISS), wide=True).format == "csv"


def test_the_totals_of_a_contingency_table_are_dropped_with_their_line(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("Anna / Ben,yes,no,Total\nyes,20,3,23\nno,4,13,17\nTotal,24,16,40\n", encoding="utf-8")
    imported = read(path)
    (repair,) = imported.log.entries
    assert (repair.line, repair.reason) == (4, "the row Total sums up the others")
    assert (imported.account.rows, imported.account.dropped, imported.account.unknown) == (3, 1, 0)
    assert any("column Total" in note for note in imported.notes)
    assert len(imported.ratings) == 80
