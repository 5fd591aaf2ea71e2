"""Rows that sum up others are no items, wherever they stand; items that are only named like them stay."""

import io

import pytest

import accord
from accord.ratings.total_rows import total_rows

ROWS = ["4,4,4", "5,5,5", "4,4,5", "2,3,2", "2,1,2", "3,3,5"]
SUM, MEAN = "20,20,23", "3.33,3.33,3.83"
IDS = [str(number) for number in range(1, 7)]
FILMS = ["Alien", "Blade Runner", "The Third Man", "Vertigo", "Brazil", "Metropolis"]


def items_and_notes(rows, header="ID,Ana,Ben,Cy"):
    ratings = accord.read(io.StringIO("\n".join([header, *rows])))
    return list(ratings.item.names), " ".join(ratings.notes)


def with_row(row, place, names=IDS):
    rows = [f"{name},{cells}" for name, cells in zip(names, ROWS, strict=True)]
    return [*rows[:place], row, *rows[place:]]


@pytest.mark.parametrize("place", [0, 3, 6])
@pytest.mark.parametrize(
    "name",
    ["Total", "Mean", "Subtotal", "Subtotal doc 1", "Total doc 1", "doc1 Total", "Total general", "StdDev", "Std.-Abw.",
     "Standardabweichung", "Overall", "Zwischensumme: Text 1", "Gesamtergebnis"],
)  # fmt: skip
def test_a_row_named_like_a_summary_is_left_out_wherever_it_stands(name, place):
    items, notes = items_and_notes(with_row(f"{name},9,8,7", place))
    assert items == IDS
    assert f"left out row {place + 2}: a row of totals ({name})" in notes


def test_summaries_below_each_document_are_said_in_one_line():
    rows = with_row("Subtotal doc 1,13,13,14", 3)
    items, notes = items_and_notes(
        [*rows, "Subtotal doc 2,7,7,9", "Mittelwert,3.3,3.3,3.8", "Std.-Abw.,1,1,1", "N,6,6,6"]
    )
    assert items == IDS
    assert (
        "left out rows 5, 9, 10, 11, 12: rows of totals (Subtotal doc 1, Subtotal doc 2, Mittelwert, Std.-Abw., N)"
        in notes
    )


@pytest.mark.parametrize("name", ["Total eclipse", "Mean Streets", "Overall", "The Big Average"])
def test_among_texts_an_unclear_name_is_a_summary_only_with_the_sums_or_means(name):
    assert items_and_notes(with_row(f"{name},5,4,3", 6, FILMS))[0] == [*FILMS, name]
    for cells in (SUM, MEAN):
        items, notes = items_and_notes(with_row(f"{name},{cells}", 6, FILMS))
        assert items == FILMS
        assert f"left out row 8: a row of totals ({name})" in notes


def test_a_rated_word_and_a_numbered_item_stay():
    words = ["table", "dog", "idea", "run", "blue", "soft"]
    assert "mean" in items_and_notes(with_row("mean,3,2,3", 2, words))[0]
    codes = ["src_1", "sum_1", "src_2", "sum_2", "src_3", "sum_3"]
    assert items_and_notes([f"{name},{cells}" for name, cells in zip(codes, ROWS, strict=True)])[0] == codes


def test_with_one_row_a_rating_a_summary_names_no_rater():
    rows = [f"{name},{rater},{value}" for name in ("mean", "dog", "idea") for rater, value in (("Ana", 3), ("Ben", 4))]
    assert items_and_notes(rows, "item,rater,value")[0] == ["mean", "dog", "idea"]
    items, notes = items_and_notes([*rows[:4], "Total,,14", *rows[4:]], "item,rater,value")
    assert items == ["mean", "dog", "idea"]
    assert "left out row 6: a row of totals (Total)" in notes


def test_a_summary_in_the_middle_of_a_long_file_is_found():
    rows = [f"segment {number},{number % 5 + 1},{number % 4 + 1},{number % 3 + 1}" for number in range(2000)]
    items, notes = items_and_notes([*rows[:1000], "Total,9,9,9", *rows[1000:]])
    assert len(items) == 2000
    assert "left out row 1002: a row of totals (Total)" in notes


@pytest.mark.parametrize("letter", ["", "ü"])
def test_a_row_of_totals_is_left_out_of_a_long_table_too(letter):
    """Many names are kept as bytes until somebody looks at them."""
    rows = [f"s{letter}{n},{n % 5},{n % 4},{n % 3}" for n in range(3000)]
    items, notes = items_and_notes([*rows[:900], "Grand Total,1800,1350,900", *rows[900:]])
    assert items == [row.partition(",")[0] for row in rows]
    assert "left out row 902: a row of totals (Grand Total)" in notes
    assert len(items_and_notes(rows)[0]) == 3000


TEXTS = [["tree", "3", "4"], ["sea", "5", "1"], ["old car", "1", "2"]]
SUMS = {
    "Total": {("9", "7"): True, ("2", "2"): True},
    "Mean of all": {("3", "2.3"): True, ("3.5", "2.3"): False},
    "Mean eclipse": {("3", "2.3"): True, ("3.5", "2.3"): False, ("3", "2.33"): True, ("3", "2.34"): False},
    "Total eclipse": {("9", "7"): True, ("9", "8"): False, ("9", ""): False},
    "Overall": {("9", "7"): True, ("1", "1"): False},
    "Sum_1": {("2", "2"): False},
    "x" * 61 + " total": {("9", "7"): False},
}  # fmt: skip


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("place", [1, 3])
def test_a_row_sums_up_others_by_a_clear_name_or_by_its_numbers_as_far_as_they_are_spelled(name, place):
    for cells, found in SUMS[name].items():
        rows = [*TEXTS[:place], [name, *cells], *TEXTS[place:]]
        assert (place in total_rows(rows)) is found, cells
        assert total_rows([[name, *cells]]) == {}
