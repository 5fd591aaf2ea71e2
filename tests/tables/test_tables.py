"""Tables: how numbers are set."""

import csv
import io
import re

from accord.tables.table import Column, Table


def test_a_small_probability_is_never_shown_as_nought():
    rows = [{"p": 0.00004, "value": 0.00004}, {"p": 0.0, "value": 0.0}, {"p": 0.0006, "value": None}]
    table = Table("Tests", (Column("p", "p"), Column("value", "difference")), rows)
    assert table.texts() == [["<0.001", "0.000"], ["0.000", "0.000"], ["0.001", "–"]]
    assert r"$<$0.001" in table.to_latex()
    assert "&lt;0.001" in table.to_markdown()
    assert "4e-05" in table.to_csv()


WORDS = "the source was read with its reference, " * 4


def _wordy(rows, **more):
    cells = [{"item": f"doc_{row}#1", "value": 0.5, "why": WORDS, **more} for row in range(rows)]
    return Table("A & B", (Column("item", "item"), Column("value", "value"), Column("why", "reason")), cells).to_latex()


def test_long_words_wrap_in_latex_and_short_ones_do_not():
    assert r"\begin{tabular}{lr>{\raggedright\arraybackslash}p{0." in _wordy(2)
    share = float(re.search(r"p\{(0\.\d+)\\linewidth", _wordy(2))[1])
    assert 0.5 < share < 0.9
    assert r"\begin{tabular}{lrl}" in _wordy(2, why="read")


def test_a_long_name_may_break_after_its_signs_in_latex():
    name = "eng-ces:ecommerce_en_29#3-13:Online-W:0"
    broken = _wordy(2, item=name, why=name * 2)
    assert r"eng-\allowbreak{}ces:\allowbreak{}ecommerce\_\allowbreak{}en\_" in broken


def test_a_table_longer_than_a_page_goes_on_over_pages_in_latex():
    short, long = _wordy(36, why="read"), _wordy(20)
    for text in (short, long):
        assert text.count(r"\begin{longtable}") == text.count(r"\end{longtable}") == 1
        assert r"\begin{table}" not in text
        assert text.index(r"\endhead") < text.index(r"doc\_0\#1")
    assert r"\begin{longtable}" not in _wordy(35, why="read")


def test_text_from_ratings_stays_text_in_latex():
    hostile = r"\input{/etc/passwd} $x$ 50% #1 a_b {c} ~ ^ & <d>"
    text = _wordy(1, why=hostile)
    assert r"\textbackslash{}input\{/etc/passwd\} \$x\$ 50\% \#1 a\_b \{c\} " in text
    assert r"\textasciitilde{} \textasciicircum{} \& $<$d$>$" in text


def test_latex_keeps_minus_signs_options_and_bars_as_they_were_meant():
    table = Table("x|y", [Column("name", "name"), Column("value", "value")], [{"name": "--pairs a-1", "value": -0.25}],
                  ["within [-0.3, 0.1], 2–3"])  # fmt: skip
    told = table.to_latex()
    assert r"\caption{x\textbar{}y}" in told
    assert "-{}-pairs a-1 & $-$0.250" in told
    assert "within [$-$0.3, 0.1], 2--3" in told


def test_a_carriage_return_within_a_cell_is_quoted_in_csv():
    table = Table("t", (Column("name", "name"),), ({"name": "one\rtwo"}, {"name": "three"}))
    lines = list(csv.reader(io.StringIO(table.to_csv(), newline="")))
    assert lines == [["name"], ["one\rtwo"], ["three"]]


def test_text_from_ratings_stays_text_in_html_and_long_text_is_folded():
    cells = [{"item": "<script>x</script>", "why": "long " * 60}, {"item": 'a"b', "why": "short"}]
    page = Table("A & B", (Column("item", "item"), Column("why", "reason")), cells).to_html(links=['" onclick="'])
    assert "<script>" not in page
    assert '<a href="#&quot; onclick=&quot;">&lt;script&gt;' in page
    assert page.count("<details") == 1
    assert "<caption>A &amp; B</caption>" in page


def test_a_frame_holds_the_raw_values_and_the_head_only_the_first_rows():
    table = Table("t", (Column("p", "p"),), [{"p": 0.00004, "hidden": 1}, {"p": None}, {"p": 0.5}])
    assert table.to_frame("pandas").to_dict("list")["p"][::2] == [0.00004, 0.5]
    assert [row["p"] for row in table.head(2).rows] == [0.00004, None]
    assert str(table.head(1)) == "t\n     p\n<0.001"


def test_words_at_the_end_of_a_plain_row_go_on_below_under_their_column():
    columns = (Column("item", "item"), Column("value", "value"), Column("why", "judged by"))
    plain = Table("Tests", columns, [{"item": "a", "value": 0.5, "why": WORDS}]).to_plain()
    lines = plain.splitlines()
    start = lines[1].index("judged by")
    assert max(map(len, lines)) <= 120 < len(WORDS)
    assert " ".join(line[start:] for line in lines[2:]).split() == WORDS.split()
    assert lines[3][:start].strip() == ""
