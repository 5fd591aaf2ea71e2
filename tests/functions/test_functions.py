"""What the command line can do, Python can: the same numbers, printed, drawn, as frames, and pickled."""

import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.errors import OptionError
from accord.functions.answer import Answer
from accord.ratings.build import build_ratings

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture
def here(tmp_path, monkeypatch):
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


ANSWERS = {
    "da": (lambda: accord.da(accord.read("direct-assessment.csv", direction="high"), minimum=1),
           ("da", "direct-assessment.csv", "--direction", "high", "--minimum", "1")),
    "prefer": (lambda: accord.prefer("preferences.csv"), ("prefer", "preferences.csv")),
    "mqm": (lambda: accord.mqm("mqm-errors.csv"), ("mqm", "mqm-errors.csv")),
    "audit": (lambda: accord.audit("castilho-tables.csv"), ("audit", "castilho-tables.csv")),
    "compare": (lambda: accord.compare(accord.read("rounds.csv"), "phase", bootstrap=200),
                ("compare", "rounds.csv", "--condition", "phase", "--bootstrap", "200")),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_a_function_says_what_its_command_prints(here, accord_command, name):
    function, words = ANSWERS[name]
    answer = function()
    printed = json.loads(accord_command(*words, "--json").stdout)
    told = json.loads(json.dumps(answer.to_dict(), default=float).replace("NaN", "null"))
    # The last bits of a product of matrices are the library's own: they may differ between two processes.
    for one, other in zip(_leaves(told), _leaves(printed), strict=True):
        assert one == (pytest.approx(other, rel=1e-12) if isinstance(other, float) else other)


def _leaves(part):
    """Every name, text and number of an answer, in its order."""
    if not isinstance(part, dict | list):
        yield part
        return
    yield str(list(part)) if isinstance(part, dict) else len(part)
    for inner in part.values() if isinstance(part, dict) else part:
        yield from _leaves(inner)


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_prints_shows_draws_and_turns_into_a_frame(here, name):
    answer = ANSWERS[name][0]()
    assert answer.tables()[0].title in str(answer)
    assert "<table" in answer._repr_html_()
    assert len(answer.to_frame("pandas")) == len(answer.tables()[0].rows)
    assert len(answer.head(1).rows) == 1
    assert answer.plot().to_svg().startswith("<svg")
    again = pickle.loads(pickle.dumps(answer))
    assert str(again) == str(answer)


def test_convert_says_what_was_repaired_and_lost(here):
    answer = accord.convert("appraise-export.csv", "plain.csv")
    assert answer.to_frame("pandas").action.tolist() == ["repaired", "dropped"]
    assert "Lost: 3 spans: the format holds ratings only." in answer.lines()
    assert accord.read("plain.csv").fingerprint == accord.read("appraise-export.csv").fingerprint


def test_simulated_ratings_carry_the_codebook_of_their_study_and_its_file_says_the_same(here, accord_command):
    assert accord_command("new", "esa", "study").returncode == 0
    ratings = accord.simulate("study")
    assert accord_command("simulate", "study", "-o", "esa.csv").returncode == 0
    written = accord.read("esa.csv")
    assert written.codebook.study == ratings.codebook.study
    assert {key: (one.level, one.direction) for key, one in written.codebook.criteria.items()} == {
        key: (one.level, one.direction) for key, one in ratings.codebook.criteria.items()
    }
    assert written.fingerprint == ratings.fingerprint
    from frictionless import validate

    report = validate("datapackage.json")
    assert report.valid, report.flatten(["message"])


def test_ratings_turn_into_frames_and_back(here):
    ratings = accord.read("adequacy.csv")
    for kind in ("pandas", "polars", "pyarrow"):
        assert accord.read(ratings.to_frame(kind)).fingerprint == ratings.fingerprint
    assert len(ratings.head(3).rows) == 3
    assert "<table" in ratings._repr_html_()


def test_everything_public_pickles(here):
    ratings = accord.read("adequacy.csv")
    made = [
        ratings, ratings.codebook, ratings.scale, accord.describe(ratings), accord.diagnose(ratings),
        accord.agreement(ratings, coefficients=("krippendorff_alpha",), replicates=100), accord.score([80, 70]),
        accord.rank(accord.read("systems.csv")), accord.Level.ORDINAL,
    ]  # fmt: skip
    for one in made:
        again = pickle.loads(pickle.dumps(one))
        assert str(again) == str(one)
    for name in accord.__all__:
        assert pickle.loads(pickle.dumps(getattr(accord, name))) is getattr(accord, name) or name == "__version__"


def test_only_public_names_are_listed():
    assert dir(accord) == sorted(accord.__all__)
    assert accord.agreement is accord.agreement


def test_a_table_with_nothing_to_draw_says_so():
    from accord.functions.answer import Answer
    from accord.tables.table import Column, Table

    with pytest.raises(accord.AccordError, match="nothing to draw"):
        Answer((Table("words", [Column("a", "a")], [{"a": "b"}]),)).plot()


def test_results_have_frames_heads_and_pages_and_most_draw_themselves(here):
    ratings = accord.read("adequacy.csv")
    made = {
        "agreement": accord.agreement(ratings, coefficients=("krippendorff_alpha",), replicates=100),
        "diagnose": accord.diagnose(ratings), "score": accord.score([80, 70]),
        "rank": accord.rank(accord.read("systems.csv", direction="high")),
    }  # fmt: skip
    for name, result in made.items():
        assert result.to_frame("pandas").shape[0] == len(result.tables()[0].rows), name
        assert len(result.head(1).rows) <= 1
        assert result._repr_html_()
        if name != "diagnose":
            assert result.plot().to_svg().startswith("<svg")


def test_ratings_descriptions_and_findings_draw_themselves(here):
    ratings = accord.read("adequacy.csv")
    fine = accord.read("direct-assessment.csv")
    for chart in (ratings.plot(), fine.plot(), accord.describe(ratings).plot()):
        assert chart.to_svg().startswith("<svg")
    assert sum(row["count"] for row in fine.plot().rows) == len(fine)
    copied = np.random.default_rng(0).integers(1, 6, (60, 3))
    copied[:, 1] = copied[:, 0]
    drawn = {row["rater"] for row in accord.diagnose(accord.read(copied)).plot().rows}
    assert {"rater 1", "rater 2"} <= drawn


def test_items_that_changed_between_rounds_are_looked_at_within_a_scenario():
    """Alone everybody agrees in both rounds, in context in none but i7 in the second: only i7 changed."""

    def value(item, rater, round_, scenario):
        agreed = scenario == "alone" or (item, round_) == (7, 2)
        return 1 + item % 4 if agreed else 1 + 2 * (rater > "b")

    rows = [
        (f"i{item}", rater, value(item, rater, round_, scenario), round_, scenario)
        for item in range(8) for rater in "abcd" for round_ in (1, 2) for scenario in ("alone", "context")
        # The first items were seen alone in round 1 and in context in round 2: another task, and no change.
        if item >= 4 or (round_ == 1) == (scenario == "alone")
    ]  # fmt: skip
    names = ("item", "rater", "value", "round", "scenario")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    told = accord.compare(build_ratings(columns, level="ordinal"), "round", design="rounds")
    tables = [table for table in told.tables() if table.title.startswith("Items that") and table.rows]
    moved = {table.title: [row["item"] for row in table.rows] for table in tables}
    assert list(moved.values()) == [["i7"]] and "gained" in str(moved) and "context" in str(moved)


@pytest.mark.parametrize("name", ["compare", "da", "diagnose", "judge", "rank"])
def test_the_name_of_a_file_is_refused_with_the_way_to_read_it(name):
    with pytest.raises(accord.AccordError, match=rf"takes ratings, not str: .*accord.{name}\(accord.read"):
        getattr(accord, name)("adequacy.csv")


@pytest.mark.parametrize("name", ["compare_conditions", "describe"])
def test_so_is_it_by_functions_that_take_more_or_less(name):
    more = ("round", "1", "2") if name == "compare_conditions" else ()
    with pytest.raises(accord.AccordError, match=rf"takes ratings, not str: .*accord.{name}\(accord.read"):
        getattr(accord, name)("adequacy.csv", *more, **({"rng": np.random.default_rng(0)} if more else {}))


def test_a_report_of_the_name_of_a_file_is_refused_with_the_way_to_read_it():
    with pytest.raises(accord.AccordError, match=r"accord.report\(accord.read"):
        accord.report("adequacy.csv", "report.html")


def test_what_needs_rows_says_how_to_have_them_of_stored_ratings(here):
    stored = accord.read("adequacy.csv", engine="duckdb")
    with pytest.raises(accord.AccordError, match='engine="memory"'):
        accord.diagnose(stored)


def test_an_answer_in_sentences_only_says_that_it_has_no_table():
    answer = accord.mqm(words=500, count=2)
    for asked in (answer.to_frame, answer.head):
        with pytest.raises(accord.AccordError, match="It has sentences only"):
            asked()


def test_a_table_beyond_the_last_is_named(here):
    answer = accord.prefer("preferences.csv")
    with pytest.raises(accord.AccordError, match=r"no table 9. It has \d tables"):
        answer.to_frame(table=9)


def test_a_choice_that_is_not_known_is_said_with_the_known_ones(here):
    ratings = accord.read("systems.csv", direction="high")
    with pytest.raises(accord.AccordError, match="no preset of a ranking named 'wmt99'"):
        accord.rank(ratings, preset="wmt99")
    with pytest.raises(accord.AccordError, match=r"no law of errors named 'norml'\. Did you mean 'normal'"):
        accord.score([76.85], prior=80, law="norml")
    assert accord.score([76.85], prior=80, law="normal").intervals == accord.score([76.85], prior=80).intervals


@pytest.mark.parametrize("function", [accord.mqm, accord.prefer])
def test_a_frame_where_a_file_is_read_is_refused_with_what_to_do(function):
    pandas = pytest.importorskip("pandas")
    with pytest.raises(accord.AccordError, match=r"reads a file, but was given a DataFrame.*to_csv"):
        function(pandas.DataFrame({"item": [1]}))


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("read", lambda **options: accord.read("wide.csv", **options)),
        ("convert", lambda **options: accord.convert("wide.csv", "plain.csv", **options)),
    ],
)
def test_a_misspelt_option_of_reading_is_called_an_option_and_not_a_column(name, call):
    said = rf"^{name} has no option 'levle'; did you mean level\? Known options: "
    with pytest.raises(OptionError, match=said) as told:
        call(levle="ordinal")
    assert "wide" in str(told.value)
    assert "column" not in str(told.value).split("Known")[0]
    with pytest.raises(OptionError, match=r"has no option 'qqq'\. Known options: "):
        call(qqq=1)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"coefficients": 3}, "coefficients takes a key or several"),
        ({"confidence": "0.95"}, "A confidence level is a number between 0 and 1"),
        ({"seed": "x"}, "A seed is a whole number from 0 on"),
        ({"replicates": 150.5}, "The number of replicates is a whole number"),
        ({"replicates": 10}, "at least 100 replicates; 10 were asked for. Without a number"),
    ],
)
def test_an_option_of_another_kind_is_refused_in_a_sentence_and_not_by_python(asked, said):
    with pytest.raises(OptionError, match=said):
        accord.agreement(np.array([[1, 2], [2, 2], [3, 3]]), **asked)


def test_plain_data_of_an_answer_hold_nothing_that_json_has_no_word_for():
    answer = Answer((), (), {"p": float("nan"), "deep": [{"adjusted_p": float("nan"), "n": 3}]}, None)
    assert answer.to_dict() == {"p": None, "deep": [{"adjusted_p": None, "n": 3}]}
    json.dumps(answer.to_dict(), allow_nan=False)


def test_conventions_name_only_the_weights_that_were_used():
    ratings = accord.read(np.array([[1, 2], [2, 2], [3, 3], [1, 1]]), level="ordinal")
    found = accord.agreement(ratings, coefficients="cohen_kappa", weights=np.eye(3), interval="none")["cohen_kappa"]
    assert "identity weights" not in found.conventions
    assert any("the user's weights stand in" in one for one in found.conventions)
    usual = accord.agreement(ratings, coefficients="cohen_kappa", interval="none")["cohen_kappa"]
    assert "identity weights" in usual.conventions


def test_what_cannot_carry_an_interval_is_drawn_as_points():
    rng = np.random.default_rng(0)
    result = accord.agreement(rng.integers(1, 17, (6, 40)))
    drawn = {row["name"]: (row["value"], row["low"], row["high"]) for row in result.plot().rows}
    assert drawn == {one.coefficient: (one.value,) * 3 for one in result if not np.isnan(one.value)} != {}


def test_results_show_themselves_in_sentences_and_not_as_records():
    made = np.random.default_rng(0).integers(1, 5, (40, 3))
    for result in (accord.diagnose(accord.read(made)), accord.score([80, 90]), accord.agreement(made)):
        assert str(result) in repr(result) and f"{type(result).__name__}(" not in repr(result)
