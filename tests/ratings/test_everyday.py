"""Spreadsheets as people keep them: criteria as columns, judges beside criteria, forms, merged headers, totals."""

import numpy as np
import pytest

import accord
from accord.errors import ColumnError, OptionError
from accord.ratings.column_names import is_criterion, is_metadata, rater_and_criterion

EVERYDAY = """ID,Text,System,Annotator,Fluency,Adequacy
1,Der Hund,A,Ann,4,5
1,Der Hund,A,Bob,4,4
1,Die Katze,B,Ann,3,2
1,Die Katze,B,Bob,3,3
2,Ein Haus,A,Ann,5,5
2,Ein Haus,A,Bob,4,5
"""


@pytest.fixture
def written(tmp_path):
    def write(content, name="ratings.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return write


def cells(ratings):
    """Criterion (or ''), item, rater and value of each rating."""
    criteria = ratings.columns["criterion"].labels() if "criterion" in ratings.columns else [""] * len(ratings)
    return {
        (criterion, item, rater): value
        for criterion, item, rater, value in zip(
            criteria, ratings.item.labels(), ratings.rater.labels(), ratings.labels(), strict=True
        )
    }


def test_columns_beside_item_and_annotator_are_criteria_and_texts_are_kept(written):
    ratings = accord.read(written(EVERYDAY))
    assert len(ratings) == 12
    assert set(ratings.scales) == {"Fluency", "Adequacy"}
    assert cells(ratings)["Adequacy", "1|A", "Bob"] == 4.0
    assert cells(ratings)["Fluency", "2|A", "Ann"] == 5.0
    assert ratings.codebook.item.texts == ("Text",)
    assert set(ratings.columns["Text"].names) == {"Der Hund", "Die Katze", "Ein Haus"}
    assert any("one column per criterion: Fluency, Adequacy" in note for note in ratings.notes)


def test_several_value_columns_are_several_criteria(written):
    ratings = accord.read(written(EVERYDAY), value=["Fluency", "Adequacy"])
    assert len(ratings) == 12
    alone = accord.read(written(EVERYDAY), value="Fluency")
    assert len(alone) == 6
    assert "criterion" not in alone.columns


def test_several_value_columns_and_a_criterion_column_contradict_each_other(written):
    table = "item,rater,criterion,a,b\n1,x,f,1,2\n1,y,f,2,2\n"
    with pytest.raises(ColumnError, match="names the criterion already"):
        accord.read(written(table), value=["a", "b"])


def test_the_single_column_that_looks_like_a_rating_is_the_value(written):
    ratings = accord.read(written("segment,annotator,fluency,comment\n1,a,3,x\n1,b,4,\n2,a,4,\n2,b,5,\n"))
    assert (len(ratings), ratings.items) == (4, 2)
    assert any("'fluency' is taken as value" in note for note in ratings.notes)


def test_numbers_that_count_or_measure_are_no_criteria(written):
    table = "item,rater,Fluency,Adequacy,words,seconds,bleu\n" + "".join(
        f"{i},{r},{i % 5 + 1},{(i + 1) % 5 + 1},{i * 7},{i * 3.5},{i / 9}\n" for i in range(9) for r in "ab"
    )
    assert set(accord.read(written(table)).scales) == {"Fluency", "Adequacy"}


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Judge 1 Fluency", ("Judge 1", "Fluency")), ("fluency_r2", ("r2", "fluency")),
        ("Fluency (Annotator A)", ("Annotator A", "Fluency")),
        ("rater3-Overall quality", ("rater3", "Overall quality")),
        ("Ana Fluency", ("Ana", "Fluency")), ("Adequacy - Ben", ("Ben", "Adequacy")), ("Fluency", None), ("ID", None),
    ],
)  # fmt: skip
def test_a_name_of_judge_and_criterion_is_taken_apart(name, parts):
    assert rater_and_criterion(name) == parts


def test_columns_of_judges_and_criteria_become_ratings_of_both(written):
    header = "ID,Judge 1 Fluency,Judge 1 Adequacy,Judge 2 Fluency,Judge 2 Adequacy\n"
    ratings = accord.read(written(header + "1,3,4,3,5\n2,4,4,2,1\n3,5,5,4,4\n"))
    assert (len(ratings), ratings.items, ratings.raters) == (12, 3, 2)
    assert cells(ratings)["Adequacy", "2", "Judge 2"] == 1.0


def test_merged_header_rows_titles_totals_and_notes_are_no_ratings(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Evaluation in May"], [None, "Judge 1", None, "Judge 2", None],
        ["ID", "Fluency", "Adequacy", "Fluency", "Adequacy"], [1, 3, 4, 3, 5], [2, 4, 4, 2, 1], [3, 5, 5, 4, 4],
        ["Mean", 4, 4.3, 3, 3.3], [None], ["Judge 2 was new"],
    ):  # fmt: skip
        sheet.append(row)
    sheet.merge_cells("B2:C2")
    sheet.merge_cells("D2:E2")
    path = tmp_path / "sheet.xlsx"
    book.save(path)
    ratings = accord.read(path)
    assert (len(ratings), ratings.items, ratings.raters) == (12, 3, 2)
    assert cells(ratings)["Fluency", "3", "Judge 2"] == 4.0
    assert [line for line, _ in ratings.left_out] == [1, 3, 7, 9]
    told = " ".join(ratings.notes)
    assert "row 7: a row of totals (Mean)" in told
    assert "row 9: a note below the table" in told


def test_an_export_of_qualtrics_is_one_row_a_respondent(written):
    table = (
        "StartDate,Progress,ResponseId,Q1_1,Q1_2,Q2\nStart Date,Progress,Response ID,Rate - first,Rate - second,Why?\n"
        + ",".join(f'"{{""ImportId"":""{name}""}}"' for name in ("start", "p", "_r", "QID1_1", "QID1_2", "QID2"))
        + "\n2024-01-01,100,R_1,4,5,no\n2024-01-02,100,R_2,3,5,fine\n2024-01-02,100,R_3,4,4,\n"
    )
    ratings = accord.read(written(table))
    assert cells(ratings) == {
        ("", "Q1_1", "R_1"): 4.0, ("", "Q1_1", "R_2"): 3.0, ("", "Q1_1", "R_3"): 4.0,
        ("", "Q1_2", "R_1"): 5.0, ("", "Q1_2", "R_2"): 5.0, ("", "Q1_2", "R_3"): 4.0,
    }  # fmt: skip
    assert any("rows 2, 3: questions and ids" in note for note in ratings.notes)


def test_an_export_of_prolific_keeps_what_is_no_answer_out(written):
    table = (
        "Submission id,Participant id,Status,Started at,Time taken,Age,Text 1,Text 2\n"
        "s1,p1,APPROVED,2024,300,33,4,5\ns2,p2,APPROVED,2024,400,44,3,4\n"
    )
    ratings = accord.read(written(table))
    assert set(ratings.item.names) == {"Text 1", "Text 2"}
    assert set(ratings.rater.names) == {"p1", "p2"}


def test_a_form_with_grids_has_its_questions_as_criteria_and_the_rows_of_a_grid_as_items(written):
    table = (
        "Timestamp,How much do you agree? [It is fluent],How much do you agree? [It is true],Was it good? [first],"
        "Hobby\n"
        "2024/01/01,Agree,Strongly agree,+1,chess\n2024/01/02,Disagree,Neutral,-2 (negative),tea\n"
        "2024/01/03,Agree,Agree,0,\n"
    )
    ratings = accord.read(written(table))
    assert set(ratings.scales) == {"How much do you agree?", "Was it good?"}
    assert ratings.scales["How much do you agree?"].values == ("Disagree", "Neutral", "Agree", "Strongly agree")
    assert cells(ratings)["Was it good?", "first", "respondent 2"] == -2.0


def test_one_file_a_rater_needs_no_column_of_raters(tmp_path):
    for name, shift in (("ann", 0), ("bob", 1)):
        rows = "".join(f"{i},text {i},{(i + shift) % 5 + 1},{i % 5 + 1}\n" for i in range(8))
        (tmp_path / f"{name}.csv").write_text("ID,Text,Fluency,Adequacy\n" + rows, encoding="utf-8")
    ratings = accord.read([tmp_path / "ann.csv", tmp_path / "bob.csv"])
    assert tuple(ratings.rater.names) == ("ann", "bob")
    assert len(ratings) == 32


def test_criteria_without_anybody_who_rated_are_refused(written):
    with pytest.raises(ColumnError, match="look like criteria, and no column names who rated"):
        accord.read(written("ID,Text,Fluency,Adequacy\n1,a,3,4\n2,b,4,5\n"))


def test_names_of_columns_give_away_what_they_hold():
    assert all(map(is_criterion, ("Fluency", "adequacy score", "Overall quality", "Fluency (1-5)", "Flüssigkeit")))
    assert all(map(is_metadata, ("seconds", "Duration (in seconds)", "startTime", "n_errors", "item id")))
    assert not any(map(is_metadata, ("Fluency", "Tone", "Rating")))


def test_arrays_and_wide_tables_are_read_as_before():
    assert accord.read(np.array([[1, 2], [3, 3], [5, 4]])).raters == 2


def test_a_rater_can_be_given_another_name_and_the_note_counts_the_rows(written):
    table = "item,rater,value\n1,Ana,3\n1,Ben,4\n2,ana,2\n2,Ben,2\n"
    ratings = accord.read(written(table), map_rater={"ana": "Ana"})
    assert ratings.raters == 2
    assert any("1 row of the rater 'ana' count" in note for note in ratings.notes)
    with pytest.raises(OptionError, match="There is no rater 'Bert'"):
        accord.read(written(table), map_rater={"Bert": "Ben"})


def test_lists_of_dicts_and_texts_in_memory_are_read_like_files():
    import io

    rows = [{"ID": i, "Annotator": r, "Fluency": i % 5 + 1, "Adequacy": 3} for i in range(6) for r in "ab"]
    text = "ID,Annotator,Fluency,Adequacy\n" + "".join(f"{','.join(map(str, row.values()))}\n" for row in rows)
    listed, streamed = accord.read(rows), accord.read(io.StringIO(text))
    assert listed.fingerprint == streamed.fingerprint
    assert len(listed) == 24
    empty = io.StringIO("")
    with pytest.raises(accord.AccordError, match="empty"):
        accord.read(empty)


def test_columns_of_two_levels_are_put_together_and_taken_apart_again():
    pandas = pytest.importorskip("pandas")
    columns = pandas.MultiIndex.from_product([["Judge 1", "Judge 2"], ["Fluency", "Adequacy"]])
    frame = pandas.DataFrame([[1, 2, 3, 4], [2, 2, 3, 3], [5, 4, 5, 4]], columns=columns)
    ratings = accord.read(frame)
    assert (len(ratings), ratings.raters, set(ratings.scales)) == (12, 2, {"Fluency", "Adequacy"})


def test_a_named_index_holds_columns_and_equal_names_are_refused_in_our_words():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"item": [1, 1, 2, 2], "rater": list("abab"), "value": [1, 2, 2, 2]})
    indexed = accord.read(frame.set_index(["item", "rater"]))
    assert indexed.fingerprint == accord.read(frame).fingerprint
    twice = frame.set_axis(["item", "item", "value"], axis=1)
    with pytest.raises(ColumnError, match="more than one column named item"):
        accord.read(twice)


def test_a_real_poll_is_read_as_questions_by_respondents(data):
    ratings = accord.read(data / "exports" / "google_forms_poll.csv")
    assert (len(ratings), ratings.items, ratings.raters, len(ratings.scales)) == (529, 23, 23, 2)
    assert {scale.level for scale in ratings.scales.values()} == {"ordinal"}


@pytest.mark.parametrize("last", ["P5,,,", "2026/03/09 10:11:12,,,"])
def test_a_respondent_who_gave_no_answer_is_no_note_below_the_table(written, last):
    names = ["P1", "P2", "P3", "P4"] if last[0] == "P" else [f"2026/03/0{day} 10:00:00" for day in (1, 2, 3, 4)]
    rows = [f"{name},{place % 3 + 1},{place % 2 + 1},3" for place, name in enumerate(names)]
    ratings = accord.read(written("\n".join(["Timestamp,a,b,c", *rows, last])))
    assert ratings.missing == 3
    assert not any("note below" in note for note in ratings.notes)


def test_a_word_below_ratings_one_a_row_is_a_note(written):
    rows = [f"{word},{rater},3" for word in ("cat", "dog", "cow") for rater in ("Ann", "Bob")]
    ratings = accord.read(written("\n".join(["item,rater,value", *rows, "Source,,"])))
    assert len(ratings) == 6
    assert any("row 8: a note below the table" in note for note in ratings.notes)


def test_names_beside_numbered_questions_are_those_of_respondents(written):
    rows = [f"{name},{place % 3 + 1},{place % 2 + 1},3" for place, name in enumerate(("Ann", "Bob", "Cyd"))]
    ratings = accord.read(written("\n".join(["Name,Q1,Q2,Q3", *rows])))
    assert (list(ratings.rater.names), list(ratings.item.names)) == (["Ann", "Bob", "Cyd"], ["Q1", "Q2", "Q3"])


def test_a_column_is_not_said_to_be_taken_for_its_own_name(written):
    notes = accord.read(written("Item,RATER,Value\n1,a,2\n1,b,3\n2,a,1\n2,b,1\n")).notes
    assert not [note for note in notes if "is taken as" in note]


def test_rows_left_out_of_several_files_keep_their_file_and_line(written):
    table = "item,rater,value\n1,{0},2\n2,{0},3\nTotal,,5\n"
    files = [written(table.format(rater), f"{rater}.csv") for rater in ("ann", "bob")]
    ratings = accord.read(files)
    assert [divmod(place, 1 << 40) for place, _ in ratings.left_out] == [(0, 4), (1, 4)]
    told = [note for note in ratings.notes if "row 4" in note]
    assert [note.partition(":")[0] for note in told] == ["ann.csv", "bob.csv"]


def test_a_guessed_scale_no_longer_names_the_value_that_was_left_out(written):
    rows = [f"{item},{rater},{40 + item * 7 % 50 + len(rater)}" for item in range(30) for rater in ("Ann", "Berta")]
    path = written("\n".join(["item,rater,value", *rows, "31,Ann,8888"]))
    ratings = accord.read(path, drop_off_scale=True)
    assert not any("8888" in words for words in (*ratings.notes, *ratings.scale.guesses))
