"""Texts to be judged are read however people have them."""

import io
import json

import pytest

from accord.errors import AccordError
from accord.formats.text_tables import read_text_table

ROWS = [("source", "mt"), ("Hello, world.", "Hallo, Welt."), ('She said "yes".', "Sie sagte „ja“.")]


def delimited(sign):
    return "\n".join(sign.join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in ROWS)


def workbook():
    import openpyxl

    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(row)
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


XLIFF = (
    '<?xml version="1.0"?><xliff version="1.2"><file original="a"><body>'
    + "".join(
        f"<trans-unit id='{n}'><source>{s}</source><target>{t}</target></trans-unit>"
        for n, (s, t) in enumerate(ROWS[1:])
    )
    + "</body></file></xliff>"
)
JSONL = "\n".join(json.dumps(dict(zip(ROWS[0], row, strict=True))) for row in ROWS[1:])
WAYS = {
    "csv": ("texts.csv", delimited(",").encode()),
    "semicolon": ("texts.csv", delimited(";").encode()),
    "tsv": ("texts.tsv", delimited("\t").encode()),
    "utf-16": ("texts.tsv", delimited("\t").encode("utf-16")),
    "xlsx": ("texts.xlsx", workbook()),
    "jsonl": ("texts.jsonl", JSONL.encode()),
    "json list": ("texts.json", json.dumps([json.loads(line) for line in JSONL.splitlines()]).encode()),
    "xliff": ("texts.xlf", XLIFF.encode()),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_the_same_texts(way):
    name, content = WAYS[way]
    table = read_text_table(content, name)
    texts = [place for place, column in enumerate(table.columns) if column in ("source", "mt", "target")]
    assert [tuple(row[place] for place in texts) for row in table.rows] == ROWS[1:]


def test_lines_with_commas_are_lines():
    table = read_text_table(b"Well, that is it.\nNo, it is not, is it?\n", "pasted")
    assert table.columns == ("text",) and [row[0] for row in table.rows] == [
        "Well, that is it.",
        "No, it is not, is it?",
    ]


def test_a_first_row_of_sentences_names_no_columns():
    table = read_text_table(b"One sentence.\tEin Satz.\nTwo of them.\tZwei davon.\n", "pasted")
    assert len(table.rows) == 2 and table.columns == ("column 1", "column 2")


@pytest.mark.parametrize(
    "content", [b"", b"  \n ", b"{broken", b'"just a text"\n\x00', b"<xliff><a></xliff>", b"PK\x03\x04nonsense"]
)
def test_what_cannot_be_read_is_said_in_words(content):
    with pytest.raises(AccordError):
        read_text_table(content, "x")


LONG_LINE = "one text,another text that is long\n"
UNCLOSED = "source,target\n" + LONG_LINE * 300 + '"a,b\n' + LONG_LINE * 9_000


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (UNCLOSED, "a quotation mark opens a cell and none closes it"),
        (f"source,target\na,{'b' * 200_000}\n", "a cell has more than 131,072 characters"),
        (
            ",".join(f"c{place}" for place in range(500)) + "\n" + ",".join("1" * 500),
            "It has 500 columns, more than 200",
        ),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 10_000 + "}", "a number of thousands of digits"),
    ],
)
def test_a_table_that_is_out_of_hand_is_refused_in_words(content, words):
    with pytest.raises(AccordError, match=words):
        read_text_table(content.encode(), "x.csv")


def test_entities_of_an_xliff_are_not_opened():
    with pytest.raises(AccordError, match="entities"):
        read_text_table(b'<!DOCTYPE x [<!ENTITY a "b">]><xliff>&a;</xliff>', "x")
