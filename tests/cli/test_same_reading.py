"""Commands read the same way: one reader, the same options, the same words; and what looks wrong stands first."""

import json

import pytest

from accord.cli.main import main

SHEET = """ID;Text;System;Annotator;Fluency;Adequacy
1;Der Hund;A;Ann;4;5
1;Der Hund;A;Bob;4;4
1;Die Katze;B;Ann;3;2
1;Die Katze;B;Bob;3;3
2;Ein Haus;A;Ann;5;5
2;Ein Haus;A;Bob;4;5
2;Das Haus;B;Ann;2;1
2;Das Haus;B;Bob;2;2
"""


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sheet.csv").write_text(SHEET, encoding="utf-8")

    def command(*words):
        monkeypatch.setattr("sys.argv", ["accord", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        done = capsys.readouterr()
        return code, done.out, done.err

    return command


def test_repeated_values_are_criteria_and_columns_have_the_users_names(run):
    code, out, _ = run("agree", "sheet.csv", "--value", "Fluency", "--value", "Adequacy", "--by", "System", "--json")
    groups = json.loads(out)["groups"]
    assert code == 0
    assert {(group["by"]["criterion"], group["by"].get("system")) for group in groups} >= {
        ("Fluency", "A"),
        ("Adequacy", "B"),
    }


def test_an_option_that_holds_one_thing_is_refused_twice(run):
    code, _, err = run("agree", "sheet.csv", "--rater", "Annotator", "--rater", "System")
    assert (code, err) == (2, "--rater is given twice (Annotator and System), but it can hold one. Drop one.\n")


def test_convert_takes_the_options_of_agree(run, tmp_path):
    code, out, _ = run(
        "convert", "sheet.csv", "out.csv", "--value", "Fluency", "--rater", "Annotator", "--scale", "1..5"
    )
    assert code == 0
    assert "8 ratings of 4 items by 2 raters" in out
    package = json.loads((tmp_path / "datapackage.json").read_text(encoding="utf-8"))
    assert "out.csv" in json.dumps(package)


def test_compare_takes_the_weights_of_agree_and_no_option_is_ignored(run, tmp_path):
    code, _, err = run("compare", "sheet.csv", "--condition", "System", "--weights", "linear")
    assert code == 2
    assert "--weights belongs to --design reference-bias" in err
    (tmp_path / "w.csv").write_text("1;0,5\n0,5;x\n", encoding="utf-8")
    code, _, err = run("agree", "sheet.csv", "--weights", "w.csv")
    assert (code, err.strip()) == (
        2,
        "The matrix w.csv cannot be read as rows of numbers: 'x' is not a number.",
    )


def test_what_looks_wrong_stands_first_and_in_json(run, tmp_path):
    rows = [f"s{i},{r},{(i * 37 + ord(r)) % 60 + 40}" for i in range(40) for r in "abc"]
    rows[17] = rows[17].rpartition(",")[0] + ",8888"
    (tmp_path / "typed.csv").write_text("item,rater,value\n" + "\n".join(rows) + "\n", encoding="utf-8")
    for command in ("agree", "diagnose"):
        code, out, _ = run(command, "typed.csv")
        assert code == 0
        assert out.startswith("Check first: Row 19: c gave s5 8888; all other values lie from 40 to")
        _, out, err = run(command, "typed.csv", "--json")
        (remark,) = json.loads(out)["sanity"]
        assert (remark["code"], remark["rows"]) == ("off_scale", ["19"])
        assert err.startswith("Check first: Row 19")
    _, out, _ = run("agree", "typed.csv", "--drop-off-scale")
    assert "Check first" not in out
    _, out, _ = run("report", "typed.csv", "-o", "report.md")
    assert out.startswith("Check first: Row 19")
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert text.index("8888") < text.index("Krippendorff")


def test_a_value_off_the_declared_scale_is_dropped_when_asked(run, tmp_path):
    (tmp_path / "scale.csv").write_text("item,rater,value\n" + "".join(f"{i},{r},{i % 5 + 1}\n" for i in range(12)
                                        for r in "ab") + "12,a,9\n12,b,3\n", encoding="utf-8")  # fmt: skip
    code, _, err = run("agree", "scale.csv", "--scale", "1", "5")
    assert code == 2
    assert "scale.csv:26: '9' is not on the declared scale" in err
    code, out, _ = run("agree", "scale.csv", "--scale", "1..5", "--drop-off-scale")
    assert code == 0
    assert out.startswith("Check first: Row 26: '9' is not on the declared scale")


def test_a_column_of_conditions_may_have_any_name(tmp_path, run):
    path = tmp_path / "ratings.csv"
    rows = "".join(
        f"{i},{r},{(i * k) % 3 + 1},{c}\n" for i in range(1, 21) for k, r in enumerate("ab", 2) for c in "xy"
    )
    path.write_text("item,rater,value,Setup\n" + rows, encoding="utf-8")
    assert run("compare", path, "--condition", "Setup")[0] == 0
    assert run("compare", path, "--condition", "Nope")[0] == 2


@pytest.mark.parametrize(
    "command", [("agree",), ("agree", "--all"), ("agree", "--json"), ("diagnose",), ("compare", "--condition", "Half")]
)
def test_items_with_one_rating_only_are_counted_by_every_command_on_agreement(run, tmp_path, command):
    rows = [
        f"{item},{rater},{'first' if item < 40 else 'second'},{item * (5 + (rater == 'Bob')) % 9}"
        for item in range(80)
        for rater in ("Ann", "Bob", "Cy")
        if item % 8 or rater == "Ann"  # every eighth item, five in each half, is Ann's alone
    ]
    (tmp_path / "once.csv").write_text("\n".join(["ID,Annotator,Half,Score", *rows]) + "\n")
    name, *options = command
    code, out, err = run(name, "once.csv", *options)
    assert code == 0, err
    seen = " ".join(out.split())
    if name == "compare":
        assert "first: 5 of 40 items have one rating only: agreement is about the other 35." in seen
        assert "second: 5 of 40 items" in seen
    else:
        assert "10 of 80 items have one rating only: agreement is about the other 70" in seen


OWN = "Satz;Eins;Zwei;Wer;Prüferin\n" + "".join(
    f"{item};neu;alt;{'neu' if item % 3 else 'alt'};{who}\n" for item in range(12) for who in ("Eva", "Uta")
)


def test_prefer_takes_columns_under_the_users_names(run, tmp_path):
    (tmp_path / "own.csv").write_text(OWN, encoding="utf-8")
    assert run("prefer", "own.csv")[0] == 2
    code, out, _ = run("prefer", "own.csv", "--first", "Eins", "--second", "Zwei", "--preferred", "Wer", "--json")
    assert code == 0
    assert json.loads(out)["systems"][0]["system"] == "neu"


def test_prefer_reads_left_and_right_and_never_a_place_for_a_system(run, tmp_path):
    rows = [f"{item},b,a,{'a' if item % 3 else 'left'}" for item in range(12)]  # a is the system, left is b
    (tmp_path / "sides.csv").write_text("item,Left,Right,Winner\n" + "\n".join(rows) + "\n")
    code, out, _ = run("prefer", "sides.csv", "--json")
    assert code == 0
    assert json.loads(out)["systems"][0]["system"] == "a"


def test_score_reads_ratings_and_histories_by_the_users_columns(run, tmp_path):
    code, out, _ = run(
        "score", "--ratings", "sheet.csv", "--value", "Fluency", "--item", "ID", "--item", "System", "--csv"
    )
    assert code == 0
    assert len(out.splitlines()) == 5
    (tmp_path / "history.csv").write_text("Kunde;Punkte;Wert\n" + "".join(f"k;{80 + n},5;1\n" for n in range(5)))
    code, out, _ = run("score", "84", "--history", "history.csv", "--value", "Punkte")
    assert code == 0
    assert "a prior of 82.5" in out
    code, _, err = run("score", "84", "--prior", "80", "--value", "Punkte")
    assert code == 2
    assert "belong to --ratings or --history" in err


HISTORY = "Auftrag;Prüfer;Punkte\n1;Ann;81,5\n2;Bob;99\n3;Ann;79,25\n4;Bob;450\n5;Ann;80\n"


def test_a_history_takes_the_options_of_reading(run, tmp_path):
    (tmp_path / "history.csv").write_text(HISTORY, encoding="cp1250")
    options = ["--value", "Punkte", "--item", "Auftrag", "--rater", "Prüfer", "--encoding", "cp1250"]
    code, out, err = run("score", "82", "--history", "history.csv", *options, "--missing", "99", "--drop-off-scale")
    assert (code, err) == (0, "")
    assert "running mean of 3 earlier evaluations" in out
    assert "Note: left out row 3: no score, as --missing says." in out
    assert "Note: left out row 5: off the scale, as asked." in out


@pytest.mark.parametrize("words", [["--wide"], ["--map", "document=Auftrag"], ["--duplicates", "first"]])
def test_options_that_say_nothing_about_a_history_are_refused(run, tmp_path, words):
    (tmp_path / "history.csv").write_text("job,score\n1,80\n2,81\n", encoding="utf-8")
    code, _, err = run("score", "82", "--history", "history.csv", *words)
    assert code == 2
    assert err.startswith(f"{words[0]}: an earlier evaluation is one score in a row")


def test_a_condition_that_is_the_rater_is_refused_in_the_users_own_words(run):
    code, _, err = run("compare", "sheet.csv", "--condition", "Annotator")
    assert code == 2
    assert err.startswith("The column 'Annotator' holds the rater, so it cannot tell conditions apart")
    assert "Columns: System, Text" in err


def test_describe_says_which_codes_were_taken_for_no_answer(run, tmp_path):
    rows = [f"{i},{r},{99 if i % 7 == 3 else (i + len(r)) % 5 + 1}" for i in range(30) for r in ("a", "bc")]
    (tmp_path / "codes.csv").write_text("\n".join(["item,rater,value", *rows]), encoding="utf-8")
    code, out, _ = run("describe", "codes.csv")
    assert code == 0
    assert out.startswith("Check first: Rows ")


def test_an_interval_that_nobody_asked_for_is_not_said_to_lack_data(run):
    _, out, _ = run("agree", "sheet.csv", "--interval", "none")
    assert "too little for an interval" not in out


def test_what_is_not_read_of_a_counted_file_is_named(run, tmp_path):
    rows = [f"{i},{r},{i % 5},{i % 2},x" for i in range(20) for r in "ab"]
    (tmp_path / "long.csv").write_text("\n".join(["item,rater,value,Fluency,Verdict", *rows]), encoding="utf-8")
    code, out, _ = run("agree", "long.csv", "--engine", "duckdb", "--interval", "none")
    assert code == 0
    assert "ratings are read from 'value' only; not read as ratings: Fluency, Verdict" in " ".join(out.split())
