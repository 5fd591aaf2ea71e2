"""Sheets that others keep: names in their language, averages beside raters, running numbers, merged cells, titles."""

import io

import openpyxl
import pytest

import accord
from accord.errors import ColumnError
from accord.ratings.sanity import sanity

LONG = [(item, rater, (item * place) % 5 + 1) for item in range(1, 9) for place, rater in enumerate(("Ana", "Bo"), 2)]
WIDE = "".join(f"{item},{item * 2 % 5 + 1},{item * 3 % 5 + 1}\n" for item in range(1, 9))


def told(text, **options):
    """Item, rater and value of each rating of a table, as text, and the notes."""
    ratings = accord.read(io.StringIO(text), **options)
    values = [f"{value:g}" if isinstance(value, float) else str(value) for value in ratings.labels()]
    return set(zip(ratings.item.labels(), ratings.rater.labels(), values, strict=True)), ratings.notes


PLAIN = {(str(item), rater, str(value)) for item, rater, value in LONG}


@pytest.mark.parametrize(
    "header",
    ["Satz;Bewerterin;Bewertung", "Segmento;Anotador;Puntuación", "Élément;Évaluateur;Note", "N°;Juge;Note",
     "Nr.;Annotatorin;Note", "句子编号;评分员;评分", "Unità;Valutatore;Voto", "المعرف;المقيم;الدرجة",
     "Elemento;Avaliadora;Pontuação"],
)  # fmt: skip
def test_columns_are_known_by_their_names_in_other_languages(header):
    assert told(header + "\n" + "".join(f"{i};{r};{v}\n" for i, r, v in LONG))[0] == PLAIN


def test_two_columns_of_languages_are_a_language_pair_and_are_kept():
    rows = "".join(f"{n},en,{to},{who},{n % 5}\n" for n in range(1, 4) for to in ("de", "fr") for who in "ab")
    ratings = accord.read(io.StringIO("seg_id,src_lang,tgt_lang,annotator,score\n" + rows))
    assert ratings.columns["language_pair"].names == ("en-de", "en-fr")
    assert ratings.columns["tgt_lang"].names == ("de", "fr")
    assert "the language pair is taken to be src_lang + tgt_lang" in ratings.notes
    assert ratings.items == 6 and ratings.codebook.item.named_by == ("language_pair", "segment")


def test_columns_named_like_systems_are_systems_and_no_criteria():
    rows = "".join(f"{item},{rater},{value},{value % 3 + 1}\n" for item, rater, value in LONG)
    ratings = accord.read(io.StringIO("item,rater,sysA,sysB\n" + rows))
    assert ratings.columns["system"].names == ("sysA", "sysB") and not ratings.scales
    assert "read as one column per system: sysA, sysB" in ratings.notes
    assert ratings.items == 16 and len(ratings.columns["segment"].names) == 8


def test_the_csv_of_label_studio_is_known_and_the_likely_column_is_named():
    rows = "".join(
        f"{n},{n % 2 + 1},2024-01-01,{n // 2},3.5,{'Good' if n % 3 else 'Bad'},hello {n}\n" for n in range(8)
    )
    with pytest.raises(ColumnError, match=r"--value 'quality'.*Label Studio.*JSON export"):
        accord.read(io.StringIO("annotation_id,annotator,created_at,id,lead_time,quality,text\n" + rows))


def test_a_note_that_is_a_remark_stays_a_remark():
    text = "item,rater,Note,score\n" + "".join(f"{i},{r},fine,{v}\n" for i, r, v in LONG)
    assert told(text)[0] == PLAIN


@pytest.mark.parametrize(
    ("header", "cells"),
    [("Item,Ana,Bo,Average", ",2.5"), ("Item,Ana,Bo,Mittelwert,SD", ",2.5,1"), ("Satz,Ana,Bo,Words", ",17"),
     ("Stimulus,Ana,Bo", ""), (",Ana,Bo", "")],
)  # fmt: skip
def test_only_raters_are_raters_in_a_wide_table(header, cells):
    found, notes = told(header + "\n" + "".join(line + cells + "\n" for line in WIDE.splitlines()))
    assert found == PLAIN
    assert not cells or any("summary of the others" in note or "counts or measures" in note for note in notes)


def test_an_average_beside_criteria_is_no_criterion():
    text = "ID,Rater,Fluency,Adequacy,Average\n" + "".join(f"{i},{r},{v},{v},{v}\n" for i, r, v in LONG)
    assert set(accord.read(io.StringIO(text)).scales) == {"Fluency", "Adequacy"}


def test_one_stray_cell_does_not_remove_a_rater_from_a_wide_table():
    for stray in ("#DIV/0!", "oops"):
        text = "Item,Ana,Bo\n" + WIDE.replace("\n5,1,1\n", f"\n5,1,{stray}\n")
        assert text.count(stray) == 1
        assert told(text)[0] == PLAIN - {("5", "Bo", "1")}


def test_a_running_number_gives_way_to_what_several_raters_rated():
    rows = "".join(f"{place},text {i},{r},{v}\n" for place, (i, r, v) in enumerate(LONG, 1))
    for header in ("ID,Sentence,Annotator,Score", "ID,Text,Annotator,Score"):
        found, notes = told(header + "\n" + rows)
        assert found == {(f"text {i}", r, v) for i, r, v in PLAIN}
        assert any("'ID' numbers the rows" in note for note in notes)


def test_a_running_number_stays_the_item_where_nothing_else_is_shared():
    rows = "".join(f"{place},text {place},Ana,{place % 5}\n" for place in range(1, 9))
    assert accord.read(io.StringIO("ID,Text,Annotator,Score\n" + rows)).items == 8


def test_texts_and_systems_name_items_where_nothing_else_does():
    rows = "".join(f"source {i},{s},{r},{v}\n" for i, r, v in LONG for s in "xy")
    found, _ = told("Source,System,Rater,Score\n" + rows)
    assert {item for item, _, _ in found} == {f"source {i}|{s}" for i in range(1, 9) for s in "xy"}


def test_names_that_stand_above_several_rows_are_filled_in_and_said():
    rows = "".join(f"{i if r == 'Ana' else ''},{r},{v}\n" for i, r, v in LONG)
    found, notes = told("item,rater,value\n" + rows)
    assert found == PLAIN
    assert any("the item of 8 rows is empty and was taken from the row above" in note for note in notes)


def test_a_rater_whose_name_looks_like_a_missing_value_is_nobody_else():
    found, _ = told("item,rater,value\na,Ann,1\nb,Nan,2\nc,Ann,3\nd,Nan,1\n")
    assert {rater for _, rater, _ in found} == {"Ann", "Nan"}


def test_an_empty_item_stays_an_error_where_a_rater_would_rate_it_twice():
    rows = "".join(f"{i if i % 2 else ''},{r},{v}\n" for i, r, v in LONG)
    with pytest.raises(accord.errors.RatingsError, match="the item is empty"):
        told("item,rater,value\n" + rows)


def test_titles_and_a_block_of_remarks_stand_above_the_table(tmp_path):
    book = openpyxl.Workbook()
    for row in [["Project:", "WMT"], ["Date:", "2 May"], [], ["Item", "Ana", "Bo"]]:
        book.active.append(row)
    for line in WIDE.splitlines():
        book.active.append([int(cell) for cell in line.split(",")])
    book.active.append(["Moyenne", 2.5, 2.5])
    book.save(tmp_path / "book.xlsx")
    ratings = accord.read(tmp_path / "book.xlsx")
    assert (ratings.items, ratings.raters) == (8, 2)
    assert [line for line, _ in ratings.left_out] == [1, 2, 13]
    assert told("# ratings\n# of May\nitem,rater,value\n" + "".join(f"{i},{r},{v}\n" for i, r, v in LONG))[0] == PLAIN


def test_numbered_words_of_quality_are_a_scale_and_two_words_for_a_step_are_not_merged():
    words = {"1": "1. very bad", "2": "2. bad", "3": "3. fair", "4": "4. good", "5": "5. very good"}
    text = "item,rater,value\n" + "".join(f"{i},{r},{words[v]}\n" for i, r, v in sorted(PLAIN))
    assert told(text)[0] == PLAIN
    both = accord.read(io.StringIO("item,rater,value\n1,a,bad\n1,b,poor\n2,a,fair\n2,b,good\n3,a,good\n3,b,bad\n"))
    assert (str(both.scale.level), len(both.scale)) == ("nominal", 4)


def test_french_words_of_agreement_are_in_their_order():
    words = ["Pas du tout d’accord", "Pas d'accord", "Neutre", "D’accord", "Tout à fait d’accord"]
    rows = "".join(f"{i},{r},{words[v - 1]}\n" for i, r, v in LONG)
    assert list(accord.read(io.StringIO("item,rater,value\n" + rows)).scale.values) == words


def test_a_nine_that_stands_apart_is_no_answer_and_said():
    rows = "".join(f"{i},{r},{9 if i > 7 and r[-1] != 'x' else v}\n" for i, r, v in LONG for r in (r, r + "x"))
    ratings = accord.read(io.StringIO("item,rater,value\n" + rows))
    assert max(ratings.scale.values) == 5.0
    counted = accord.read(io.StringIO("item,rater,value\n" + rows.replace(",1\n", ",0\n")))
    assert max(counted.scale.values) == 9.0
    assert any("'9' (2 rows)" in note for note in ratings.notes)


def test_none_is_an_answer_where_the_others_are_little_and_much():
    words = ["None", "Little", "Much", "Most", "All"]
    rows = "".join(f"{i},{r},{words[v - 1]}\n" for i, r, v in LONG)
    assert list(accord.read(io.StringIO("item,rater,value\n" + rows)).scale.values) == words


def test_dates_that_a_spreadsheet_made_of_ratings_are_refused_with_their_rows():
    with pytest.raises(accord.errors.RatingsError, match=r"4-May is a date, as spreadsheets make of 4/5") as refused:
        told("item,rater,value\n1,a,4-May\n1,b,3\n2,a,2\n2,b,2\n")
    assert [problem.row for problem in refused.value.problems] == [2]


def test_answers_that_differ_by_case_are_told_and_read_as_one_where_the_scale_is_declared():
    text = "item,rater,value\n" + "".join(
        f"{i},{r},{'Yes' if v > 3 else 'no' if i % 2 else 'No'}\n" for i, r, v in LONG
    )
    (remark,) = sanity(accord.read(io.StringIO(text)))
    assert remark.code == "label_twins"
    assert "--scale" in remark.do
    declared = accord.read(io.StringIO(text), scale="Yes,No")
    assert (set(declared.labels()), sanity(declared)) == ({"Yes", "No"}, ())


def test_chinese_text_as_spreadsheets_save_it_is_read(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_bytes(("编号,标注者,评分\n" + "".join(f"{i},{r},{v}\n" for i, r, v in LONG)).encode("gb18030"))
    assert any("GB 18030" in note for note in accord.read(path).notes)
    path.write_bytes("item,rater,value\n1,Jörg,2\n1,Renée,3\n2,Jörg,1\n2,Renée,1\n".encode("latin-1"))
    assert set(accord.read(path).rater.names) == {"Jörg", "Renée"}


def workbook(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_a_workbook_with_a_legend_is_one_table_and_another_sheet_can_be_named(tmp_path):
    table = [["Item", "Ana", "Bo"], *([int(cell) for cell in line.split(",")] for line in WIDE.splitlines())]
    legend, old = [["Score", "Meaning"], [1, "bad"]], [["Item", "Ana", "Cy"], *table[1:4]]
    path = workbook(tmp_path / "a.xlsx", {"Legend": legend, "Data": table, "Old": old})
    assert len(accord.read(path)) == 16
    assert len(accord.read(path, sheet="Old")) == 6


def test_sheets_of_raters_may_hold_texts_averages_and_means_below(tmp_path):
    def rows(rater):
        head = ["ID", "Text", "Fluency", "Adequacy", "Average", "Comment"]
        body = [[i, f"text {i}", v, 6 - v, 3, "fine"] for i, one, v in LONG if one == rater]
        return [head, *body, ["Mean", None, 3, 3, 3]]

    ratings = accord.read(workbook(tmp_path / "b.xlsx", {"Ana": rows("Ana"), "Bo": rows("Bo"), "Sum": [["a", "b"]]}))
    assert (set(ratings.scales), ratings.items, len(ratings)) == ({"Fluency", "Adequacy"}, 8, 32)
    assert {"Text", "comment"} <= set(ratings.columns)


def test_a_sheet_that_is_a_chart_is_passed_over(tmp_path):
    book = openpyxl.Workbook()
    for row in (("item", "rater", "score"), *((f"i{n}", rater, n % 4) for n in range(12) for rater in "ab")):
        book.active.append(row)
    chart = openpyxl.chart.BarChart()
    chart.add_data(openpyxl.chart.Reference(book.active, min_col=3, min_row=1, max_row=25))
    book.create_chartsheet("picture").add_chart(chart)
    book.save(tmp_path / "x.xlsx")
    assert len(accord.read(tmp_path / "x.xlsx")) == 24


def test_formulas_without_a_result_are_told_apart_from_empty_cells(tmp_path):
    book = openpyxl.Workbook()
    for row in (("item", "rater", "score"), *((f"i{n}", rater, n % 4) for n in range(12) for rater in "ab")):
        book.active.append(row)
    book.active["C2"] = book.active["C3"] = "=1+1"
    book.save(tmp_path / "x.xlsx")
    assert "2 cells hold formulas without a kept result" in "".join(accord.read(tmp_path / "x.xlsx").notes)
