"""Laws of tables: where a bar draws its signs, what a width allows, and on which side of each limit a cell falls."""

import re
import sys
from math import nan

import pytest

from accord.errors import OptionError
from accord.look.bar import Bar
from accord.tables.bars import bar_heading, interval_bar
from accord.tables.frames import FRAME_LIBRARIES, frame_of
from accord.tables.latex import _SIZES, _cell, _rooms, _shared
from accord.tables.result import Result
from accord.tables.table import Column, Table
from accord.tables.terminal import _shared as shared_in_terminal
from accord.tables.terminal import _widths

WIDTH = 11
PLACES = [(place / 10, place) for place in range(WIDTH)]


@pytest.mark.parametrize(("number", "place"), PLACES)
def test_a_bar_of_eleven_signs_has_one_for_each_tenth(number, place):
    drawn = interval_bar(number, nan, nan, width=WIDTH)
    assert drawn == "·" * place + "●" + "·" * (WIDTH - 1 - place)
    assert interval_bar(2 + 4 * number, nan, nan, start=2, stop=6, width=WIDTH) == drawn


def test_a_bar_draws_both_ends_of_its_interval_and_its_marks_on_and_off_the_line():
    drawn = interval_bar(0.5, 0.3, 0.8, width=WIDTH, marks=(0.1, 0.3, 0.7, 0.9))
    assert drawn == "·┊·┿━●━┿━┊·"
    assert interval_bar(0.5, 0.5, 0.5, width=WIDTH, marks=(0.5,)) == "·····●·····", "the value stands before its mark"


def test_what_lies_beyond_the_ends_is_drawn_at_them_and_nothing_without_a_value():
    assert interval_bar(-3, -5, -2, width=5) == "●····"
    assert interval_bar(7, 0.5, 9, width=5) == "··━━●"
    assert interval_bar(nan, 0.1, 0.2) == ""
    assert interval_bar(0.5, nan, 0.2, width=5) == interval_bar(0.5, 0.2, nan, width=5) == "··●··"
    assert interval_bar(4, 4, 4, start=4, stop=4, width=5) == "●····", "a scale of one value has one place"
    assert len(interval_bar(0.5, 0, 1)) == 29


def test_words_of_marks_stand_over_their_places_and_are_left_out_where_they_would_touch():
    assert bar_heading({"x": 0.5}, width=WIDTH) == "     x"
    assert bar_heading({"mid": 0.5}, width=WIDTH) == "    mid"
    assert bar_heading({"zero": 0.0, "end": 1.0}, width=WIDTH) == "zero     end"
    assert bar_heading({"b": 0.2, "a": 0.0}, width=WIDTH) == "a b"
    assert bar_heading({"b": 0.1, "a": 0.0}, width=WIDTH) == "a", "two marks side by side would read as one word"
    assert bar_heading({"low": 0.1}, width=WIDTH) == "low", "a word in the middle of its mark, as far as there is room"
    assert bar_heading({"above": 0.5}, width=WIDTH) == "   above"
    assert bar_heading({}) == ""


def page(rows, columns=("name", "value"), **more):
    return Table("T", [Column(key, key.title()) for key in columns], rows, ["Note <1>"]).to_html(**more)


def test_numbers_are_set_apart_from_words_in_html_and_only_wide_tables_repeat_their_headings():
    narrow = page([{"name": "a", "value": 0.5}, {"name": "b", "value": None}])
    assert narrow.count('class="number"') == 3 and 'class="number">Value<' in narrow and ">Name<" in narrow
    assert 'class="number">Name' not in narrow and "data-head" not in narrow
    words = [{"name": "a", "value": 0.5, "why": "fifteen letters"}]
    wide = page(words, ("name", "value", "why"))
    assert re.findall(r' data-head="(\w+)"', wide) == ["Value", "Why"], "the first cell needs no heading"
    assert "data-head" not in page([{**words[0], "why": "fourteen lette"}], ("name", "value", "why"))
    assert "data-head" not in page([{"name": "a", "value": "fifteen letters"}]), "two columns fit side by side"
    assert '<p class="small">Note &lt;1&gt;</p>' in narrow


def test_a_link_leads_from_the_first_cell_of_its_row_to_its_key():
    told = page([{"name": "one", "value": 1}, {"name": "two", "value": 2}], links=["key-1"])
    assert '<a href="#key-1">one</a>' in told and told.count("<a ") == 1 and ">two<" in told


def test_a_text_of_more_than_220_letters_is_folded_at_a_word():
    whole, longer = ("word " * 44), ("word " * 44 + "x")
    assert len(whole) == 220 and "<details" not in page([{"name": "a", "value": whole}])
    told = page([{"name": "a", "value": longer}])
    assert f"<summary>{'word ' * 43}word …</summary>{longer}</details>" in told


def test_rows_after_those_kept_are_on_the_screen_alone_and_their_number_is_on_paper():
    rows = [{"name": f"r{place}", "value": place} for place in range(31)]
    assert '<table class="paged">' in page(rows) and '<table class="">' in page(rows[:30])
    told = page(rows, kept=28)
    assert told.count('<tr class="screen">') == 3 and '<tr class="screen"><td dir="auto">r28<' in told
    assert "3 more rows are in the page." in told and "<tr><td" in told
    assert "more rows" not in page(rows, kept=31) and 'class="screen"' not in page(rows, kept=31)
    assert "more rows" not in page(rows)


def test_a_bar_stands_beside_its_name_and_a_short_name_is_not_broken():
    bar = Bar(0.5, 0.4, 0.6, "0.5, from 0.4 to 0.6")
    told = page([{"name": "n" * 18, "value": 1}, {"name": "n" * 19, "value": 2}], bars=[bar, None])
    assert told.count('<td class="short"') == 1 and f'<td class="short" dir="auto">{"n" * 18}</td>' in told
    assert told.count('<td class="bar">') == 2 and told.count("<svg") == 1 and '<td class="bar"></td>' in told
    assert re.findall(r">(n+)<", told) == ["n" * 18, "n" * 19]
    heads = re.findall(r"<th [^>]*>(.*?)</th>", told)
    assert heads == ["Name", '<span class="unseen">drawn</span>', "Value"]
    wide = page([{"name": "one", "value": 2, "more": 3}], ("name", "value", "more"), bars=[bar])
    assert re.findall(r"<td[^>]*>([^<]*)<", wide) == ["one", "", "2", "3"], "every cell keeps its place"
    assert Table("T", [], []).is_detail is False


@pytest.mark.parametrize("columns", [1, 2, 4, 5])
def test_a_latex_table_is_set_plainly_up_to_the_last_letter_that_fits_its_line(columns):
    _, line, gap = _SIZES[0]
    room = int(line - gap * columns)
    widths = [room - (columns - 1), *[1] * (columns - 1)]
    assert _rooms(widths) == ([], line, [0.0] * columns)
    assert _rooms([widths[0] + 1, *widths[1:]])[2][0] > 0, "one letter more, and the column wraps"


@pytest.mark.parametrize("widths", [[15, 90], [14, 90], [30, 200, 60], [13, 13, 13, 13, 40], [80, 80, 80, 80, 80]])
def test_wrapped_columns_of_latex_fill_the_line_that_was_chosen_and_short_ones_stay_whole(widths):
    size, line, rooms = _rooms(widths)
    gap = next(one[2] for one in _SIZES if one[1] == line)
    assert size == [one[0] for one in _SIZES if one[1] == line and one[0]]
    wrapped = [room for room in rooms if room]
    assert [bool(room) for room in rooms] == [width > 14 for width in widths]
    left = line - gap * len(widths) - sum(width for width in widths if width <= 14)
    assert sum(wrapped) == pytest.approx(min(left, sum(width for width in widths if width > 14)))
    bigger = [one for one in _SIZES if one[1] < line]
    fixed, easy = sum(w for w in widths if w <= 14), sum(min(w, 24) for w in widths if w > 14)
    assert all(one[1] - fixed - one[2] * len(widths) < easy for one in bigger), "larger letters would not do"


def test_room_is_shared_evenly_once_those_who_need_little_have_it():
    assert _shared([10, 100, 50], 90) == [10, 40, 40]
    assert _shared([10, 0, 20], 90) == [10, 0, 20]
    assert _shared([5, 30, 100], 60) == [5, 27.5, 27.5]


@pytest.mark.parametrize(("letters", "is_broken"), [(9, False), (10, False), (11, True)])
def test_a_name_is_broken_in_latex_only_where_it_is_longer_than_its_column(letters, is_broken):
    name = "a-" + "x" * (letters - 2)
    assert _cell(name, 10.0) == (rf"a-\allowbreak{{}}{name[2:]}" if is_broken else name)
    assert _cell(f"{name} b", 0.0) == f"{name} b", "a column that does not wrap has room for all"


def latex(rows, why):
    columns = (Column("item", "item"), Column("value", "value"), Column("why", "why"))
    return Table("T", columns, [{"item": f"i{row}", "value": row / 2, "why": why} for row in range(rows)]).to_latex()


def test_a_wrapped_row_of_latex_is_as_many_lines_as_its_words_take():
    shape = latex(1, "word " * 30)
    share = float(re.search(r"p\{([\d.]+)\\linewidth", shape)[1])
    room = share * 68
    assert share == pytest.approx((68 - 3 * 2.4 - len("item") - len("value")) / 68, abs=5e-4)
    lines = -(-150 // int(room))  # letters of the text by letters of a line
    fitting = 35 // lines
    assert r"\begin{table}" in latex(fitting, "word " * 30)
    assert r"\begin{longtable}" in latex(fitting + 1, "word " * 30)
    assert r"{lr>{\raggedright\arraybackslash}p{" in shape


def columns_of(*cells, heads=None):
    heads = heads or [f"c{place}" for place in range(len(cells))]
    return Table("T", [Column(head, head) for head in heads], [dict(zip(heads, cells, strict=True))])


def test_a_terminal_gives_every_column_what_it_needs_where_there_is_room_and_none_where_there_is_not():
    table = columns_of("some words here", 1234.5, "and others there")
    assert _widths(table, 80) == [15, 8, 16]
    least = 15 + 8 + len("others")
    assert sum(_widths(table, least + 6)) == least
    assert _widths(table, least + 5) == [], "one sign less, and rows are told one by one"


def test_a_first_column_of_at_most_30_letters_is_never_cut():
    names = "word " * 6
    assert _widths(columns_of(names[:30], "other words"), 30 + 5 + 4) == [30, 5 + 0]
    assert _widths(columns_of(names + "x", "other words"), 30 + 5 + 4)[0] < 31


def test_a_heading_is_broken_after_five_letters_before_a_cell_is():
    table = columns_of(1.5, 2.5, heads=["quantity", "quality"])
    assert _widths(table, 15 + 4) == [8, 7]
    assert sum(_widths(table, 10 + 4)) == 10 and _widths(table, 9 + 4) == []


def test_columns_that_need_little_more_are_served_first():
    assert shared_in_terminal([2, 2, 2], [3, 10, 30], 20) == [3, 8, 9]
    assert shared_in_terminal([2, 2], [3, 4], 50) == [3, 4]


def test_plain_columns_are_lined_up_numbers_to_the_right_and_folded_at_120_signs():
    table = Table("T", [Column("a", "name"), Column("b", "n")], [{"a": "x", "b": 5}, {"a": "longer", "b": 1234}], ["N"])
    assert table.to_plain() == "T\nname        n\nx           5\nlonger  1,234\nN\n"
    fits, folds = ("x" * 60 + " " + "y" * size for size in (56, 57))
    one, two = (Table("T", [Column("a", "a"), Column("b", "b")], [{"a": "i", "b": text}]) for text in (fits, folds))
    assert [len(line) for line in one.to_plain().splitlines()][2:] == [120]
    assert two.to_plain().splitlines()[2:] == ["i  " + "x" * 60, "   " + "y" * 57]
    narrow = Table("T", [Column("a", "a"), Column("b", "b")], [{"a": "i" * 100, "b": "word " * 8}])
    assert narrow.to_plain().splitlines()[2].endswith("word word word word word word word"), (
        "36 signs are kept for words"
    )


@pytest.mark.parametrize("kind", FRAME_LIBRARIES)
def test_a_frame_is_of_the_library_that_was_asked_for_and_of_one_in_use_where_none_was(kind, monkeypatch):
    rows = [{"a": 1}, {"a": 2, "b": "x"}]
    assert type(frame_of(rows, kind)).__module__.partition(".")[0] == kind
    for other in FRAME_LIBRARIES:
        if other != kind:
            monkeypatch.delitem(sys.modules, other, raising=False)
    assert type(frame_of(rows)).__module__.partition(".")[0] == kind


def test_a_library_without_frames_and_none_at_all_are_refused_in_words(monkeypatch):
    with pytest.raises(OptionError, match=r"^A frame can be of pandas, polars, pyarrow; 'numpy' is none of them\.$"):
        frame_of([], "numpy")
    for name in FRAME_LIBRARIES:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(OptionError, match=r"^polars is not installed\. Install it, or use to_dict\(\) instead\.$"):
        frame_of([], "polars")


# One table in every shape, whole: what a reader gets.


def told_in_full():
    columns = [
        Column("name", "Name"),
        Column("why", "Why"),
        Column("n", "Items"),
        Column("p", "p"),
        Column("v", "Value", 2),
    ]
    rows = [
        {"name": "a|b", "why": "words that need more room", "n": 1234, "p": 0.0001, "v": -0.001},
        {"name": "c", "why": "<few>", "n": 7, "p": 0.0, "v": nan},
        {"name": "", "why": None, "n": 0, "p": 1.0, "v": 2.5},
    ]
    return Table("Title", columns, rows, ["A note."])


def test_a_table_as_csv_has_whole_numbers_and_nothing_where_there_is_nothing():
    assert told_in_full().to_csv() == (
        "name,why,n,p,v\na|b,words that need more room,1234,0.0001,-0.001\nc,<few>,7,0.0,\n,,0,1.0,2.5\n"
    )


def test_a_table_as_plain_text_is_lined_up_and_tells_small_probabilities_apart_from_none():
    assert told_in_full().to_plain() == (
        "Title\n"
        "Name  Why                        Items       p  Value\n"
        "a|b   words that need more room  1,234  <0.001   0.00\n"
        "c     <few>                          7   0.000      –\n"
        "      –                              0   1.000   2.50\n"
        "A note.\n"
    )


def test_a_table_as_markdown_keeps_its_cells_apart():
    assert told_in_full().to_markdown() == (
        "**Title**\n\n| Name | Why | Items | p | Value |\n| --- | --- | ---: | ---: | ---: |\n"
        "| a\\|b | words that need more room | 1,234 | <0.001 | 0.00 |\n".replace("<", "&lt;")
        + "| c | &lt;few> | 7 | 0.000 | – |\n|  | – | 0 | 1.000 | 2.50 |\n\nA note.  \n"
    )


@pytest.mark.parametrize("place", [1, 2])
def test_words_in_any_column_but_the_first_make_a_table_wordy(place):
    for length, wordy in ((14, False), (15, True)):
        row = {"a": "one", "b": "two", "c": "three", "abc"[place]: "w" * length}
        assert Table("T", [Column(key, key) for key in "abc"], [row]).is_wordy() is wordy
    first = {"a": "w" * 99, "b": "two", "c": "three"}
    assert not Table("T", [Column(key, key) for key in "abc"], [first]).is_wordy()


class Answer(Result):
    def tables(self):
        return [Table("T", [Column("n", "N")], [{"n": number} for number in range(9)])] * 2

    def lines(self):
        return ["A <line>."]

    def to_dict(self):
        return {}


def test_an_answer_shows_five_rows_of_its_first_table_and_says_how_many_tables_it_has():
    answer = Answer()
    assert [row["n"] for row in answer.head().rows] == [0, 1, 2, 3, 4] and len(answer.head(2).rows) == 2
    assert [row["n"] for row in answer.tables()[0].head().rows] == [0, 1, 2, 3, 4]
    assert str(answer) == repr(answer) and str(answer).endswith("\nA <line>.") and str(answer).count("T\n") == 2
    assert answer._repr_html_().endswith("<p>A &lt;line&gt;.</p>") and answer._repr_html_().count("<table") == 2
    assert list(answer.to_frame("pandas")["n"]) == list(range(9)) and answer._table(1).title == "T"
    for place in (2, -1):
        with pytest.raises(OptionError, match=f"no table {place}. It has 2 tables, counted from 0; to_dict"):
            answer._table(place)


@pytest.mark.parametrize("place", range(len(_SIZES)))
def test_the_largest_letters_are_taken_in_which_all_words_have_twenty_four(place):
    """At the mark and one letter beyond it: letters on a line less those that stand whole and the space between."""
    name, line, gap = [
        ("", 68, 2.4), (r"\small", 74, 2.6), (r"\footnotesize", 83, 1.5), (r"\scriptsize", 92, 1.7),
    ][place]  # fmt: skip
    fixed = int(line - gap * 6 - 24)
    short = [fixed // 5 + (part < fixed % 5) for part in range(5)]
    assert max(short) <= 14 and sum(short) == fixed
    found, letters, rooms = _rooms([*short, 99])
    assert (found[0] if found else "").startswith(name) and letters == line
    assert rooms == [0.0] * 5 + [pytest.approx(line - fixed - gap * 6)]
