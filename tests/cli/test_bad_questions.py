"""Questions that the data cannot answer: one clear sentence and exit code 2, or an answer; never a traceback."""

import sys

import pytest

from accord.cli.main import main

TABLES = {
    "one_item": "item,rater,value\na,R1,1\na,R2,2\n",
    "no_shared_items": "item,rater,value\na,R1,1\nb,R2,2\nc,R3,1\n",
    "all_ties": "item,rater,value\n" + "".join(f"{item},{rater},1\n" for item in "abcd" for rater in ("R1", "R2")),
    "one_condition": "item,rater,value,group,phase,scenario\n"
    + "".join(f"{item},{rater},{n % 3},G,p,s\n" for n, item in enumerate("abcdef") for rater in ("R1", "R2")),
    "one_document": "item,rater,value,system,document,segment\n"
    + "".join(f"{s}{n},R1,{n + (s == 'A')},{s},d,{n}\n" for s in "AB" for n in range(4)),
    "no_shared_segments": "item,rater,value,system,document,segment\n"
    + "".join(f"{s}{n},R1,{n},{s},{s}d{n},{s}{n}\n" for s in "AB" for n in range(4)),
}
SHOWN = ("findings", "agreement", "pairs", "raters", "items", "categories", "latent", "text-level", "stability",
         "what-if", "clusters", "influence")  # fmt: skip
ASKED = (
    ("agree",), *(("diagnose", "--show", view) for view in SHOWN), ("compare", "--condition", "group"),
    ("compare", "--condition", "group", "--design", "reference-bias"), ("compare", "--condition", "phase"),
    ("compare", "--condition", "scenario"), ("compare", "--design", "metrics"), ("compare", "--design", "tasks"),
    ("compare", "--design", "quadrants"),
    ("rank",), ("rank", "--preset", "wmt23"), ("da",), ("report", "-o", "report.md"),
    *(("plot", "--chart", chart, "-o", "chart.json") for chart in
      ("intervals", "pair-boxes", "agreement-parts", "ratings-per-item", "category-use", "severity", "drift",
       "pair-matrix", "distributions", "means-with-ranges", "rank-intervals", "context", "misevaluation", "quadrants")),
)  # fmt: skip


@pytest.fixture
def ask(tmp_path, monkeypatch, capsys):
    """Run a command on one of the tables; returns its exit code and what it says on standard error."""

    def run(table: str, *words: str) -> tuple[int, str]:
        path = tmp_path / f"{table}.csv"
        path.write_text(TABLES[table])
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["accord", words[0], str(path), *words[1:]])
        with pytest.raises(SystemExit) as stopped:
            main()
        code = stopped.value.code
        return (code if isinstance(code, int) else 0), capsys.readouterr().err

    return run


@pytest.mark.parametrize("words", ASKED, ids=" ".join)
def test_whatever_is_asked_the_answer_is_an_answer_or_a_sentence(ask, words):
    for table in TABLES:
        code, said = ask(table, *words)
        assert code in (0, 2), f"{table}: {said}"
        if code == 2:
            assert said.strip().endswith((".", "?")), f"{table}: {said}"
            assert len(said.strip().splitlines()) <= 2, f"{table}: {said}"
            assert "Traceback" not in said
            assert "Error" not in said


@pytest.mark.parametrize(
    ("table", "words", "sentence"),
    [
        ("no_shared_items", ("diagnose", "--show", "pairs"), "No two raters share an item"),
        ("no_shared_items", ("diagnose", "--show", "items"), "no item has two ratings"),
        ("all_ties", ("diagnose", "--show", "what-if"), "every rater uses one value"),
        ("one_condition", ("compare", "--condition", "group"), "holds one condition only (G)"),
        ("one_condition", ("compare", "--condition", "group", "--design", "reference-bias"), "belong to one group"),
        ("one_condition", ("compare", "--condition", "scenario"), "holds one condition only (s)"),
        ("no_shared_segments", ("rank",), "share no"),
        ("one_item", ("compare",), "Name it with --condition"),
    ],
)
def test_the_sentence_says_what_is_missing(ask, table, words, sentence):
    code, said = ask(table, *words)
    assert code == 2
    assert sentence in said
