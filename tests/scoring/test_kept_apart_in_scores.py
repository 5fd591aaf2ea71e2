"""Commands that score go by the one rule of what is kept apart, what checks a rater and what was given again."""

import csv
import io
import json

import pytest

import accord
from accord.errors import FormatError, NotEnoughDataError, OptionError
from accord.ratings.codebook import Codebook, LeftOut
from accord.ratings.data_package import write_codebook

SEVERITIES = {"X": ("minor",), "Y": ("minor", "minor")}
"""What both raters find in each segment in the first round: Y has one error more."""
AGAIN = {"X": ("major",), "Y": ()}
"""What they find in the second: the systems change places."""


def written(path, rows):
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def errors(found=SEVERITIES, documents=6, **more):
    """A list of errors by two raters, one row each and one for each faultless segment."""
    places = [(f"d{d}", rater, system) for d in range(documents) for rater in "ab" for system in "XY"]
    return [
        {"document": document, "segment": "1", "system": system, "rater": rater, "category": category,
         "severity": severity, "start": 7 * place, **more}
        for document, rater, system in places
        for place, (category, severity) in enumerate(
            [("accuracy", severity) for severity in found[system]] or [("no-error", "no-error")]
        )
    ]  # fmt: skip


def scores(answer):
    return {row["system"]: row["score"] for row in answer.data["systems"]}


@pytest.mark.parametrize("column", ["phase", "round", "guideline", "condition", "scenario", "language_pair"])
def test_errors_of_two_rounds_are_not_added_up(tmp_path, column):
    path = written(tmp_path / "e.csv", errors(**{column: "p1"}) + errors(AGAIN, **{column: "p2"}))
    answer = accord.mqm(path)
    assert scores(answer) == {"X": -3, "Y": -1}
    words = f"Scores are means over every {column.replace('_', ' ')} (p1, p2); --where {column}=p1 scores one alone."
    assert words in answer.opening
    assert scores(accord.mqm(path, where=[f"{column}=p1"])) == {"X": -1, "Y": -2}
    assert scores(accord.mqm(path, where=[f"{column}=p2"])) == {"X": -5, "Y": 0}


def test_segments_judged_again_in_part_are_means_of_their_rounds(tmp_path):
    again = [row for row in errors(AGAIN, phase="2") if row["document"] == "d0"]
    made = scores(accord.mqm(written(tmp_path / "e.csv", errors(phase="1") + again)))
    assert made == {"X": pytest.approx(-(5 + 3) / 6), "Y": pytest.approx(-(5 * 2 + 1) / 6)}


@pytest.mark.parametrize(
    ("first", "second"),
    [({"occasion": "1"}, {"occasion": "2"}), ({"role": ""}, {"role": "repeat"}), ({"role": ""}, {"role": "dup"})],
)
def test_errors_marked_again_are_left_out_of_mqm_as_rank_leaves_out_repeats(tmp_path, first, second):
    path = written(tmp_path / "e.csv", errors(**first) + errors(AGAIN, **second))
    answer = accord.mqm(path)
    assert scores(answer) == {"X": -1, "Y": -2}
    assert any(line.startswith("24 ratings that raters gave again (repeats) are left out") for line in answer.words)


@pytest.mark.parametrize("role", ["degraded", "practice", "attention", "gold", "reference"])
def test_errors_in_texts_that_check_the_rater_are_left_out_of_mqm_by_their_role(tmp_path, role):
    spoilt = [row | {"document": f"z{row['document']}"} for row in errors(AGAIN, role=role)]
    answer = accord.mqm(written(tmp_path / "e.csv", errors(role="") + spoilt))
    assert scores(answer) == {"X": -1, "Y": -2}
    assert f"24 ratings of control items ({role}) are left out." in answer.words


def test_who_pools_rounds_of_an_mqm_list_adds_their_errors_up_and_is_told(tmp_path):
    path = written(tmp_path / "e.csv", errors(phase="1") + errors(AGAIN, phase="2"))
    answer = accord.mqm(path, pool=["phase"])
    assert scores(answer) == {"X": -6, "Y": -2}
    assert any(line.startswith("Pooled over phase, as asked") for line in answer.words)
    assert not any("means over every" in line for line in answer.opening)


def test_a_round_is_asked_for_on_the_command_line_by_its_name_in_the_file(tmp_path, accord_command):
    path = written(tmp_path / "e.csv", errors(lp="en-de") + errors(AGAIN, lp="en-fr"))
    rows = json.loads(accord_command("mqm", path, "--where", "lp=en-fr", "--json").stdout)["systems"]
    assert {row["system"]: row["score"] for row in rows} == {"X": -5, "Y": 0}


def ratings(value, documents=6, **more):
    """Penalties of the segments of the same raters."""
    return [
        {"item": f"d{d}:{system}", "rater": rater, "value": value[system], "system": system, "document": f"d{d}",
         "segment": "1", "criterion": "errors", **more}
        for d in range(documents) for rater in "ab" for system in "XY"
    ]  # fmt: skip


ONE, TWO = {"role": "system", "phase": "one", "occasion": "1"}, {"role": "repeat", "phase": "two", "occasion": "2"}


def test_penalties_given_again_are_left_out_of_mqm_as_of_rank(tmp_path):
    path = written(tmp_path / "r.csv", ratings({"X": 1, "Y": 2}, **ONE) + ratings({"X": 5, "Y": 0}, **TWO))
    answer = accord.mqm(path, criterion="errors")
    ranked = accord.rank(accord.read(str(path), direction="low"))
    assert scores(answer) == {"X": -1, "Y": -2} == {one.name: -one.score for one in ranked.systems}
    told = "24 ratings that raters gave again (repeats) are left out: an item counts once for each rater and phase"
    assert f"{told}." in answer.data["notes"]
    assert told in ranked.cautions


def named_by_item(rows):
    return [{**row, "item": f"{row['document']}:{row['system']}"} for row in rows]


def test_errors_belong_to_the_judgement_that_counts(tmp_path):
    judged = written(tmp_path / "r.csv", ratings({"X": 1, "Y": 2}, **ONE) + ratings({"X": 5, "Y": 0}, **TWO))
    marked = [row for row in (*errors(**ONE), *errors(AGAIN, **TWO)) if row["category"] != "no-error"]
    path = written(tmp_path / "e.csv", named_by_item(marked))
    answer = accord.mqm(path, ratings=judged, criterion="errors")
    assert scores(answer) == {"X": -1, "Y": -2}
    assert not any("weights of its own" in line for line in answer.words)
    rounds = {"phase": "one"}, {"phase": "two"}
    judged = written(
        tmp_path / "r.csv", [*ratings({"X": 1, "Y": 2}, **rounds[0]), *ratings({"X": 5, "Y": 0}, **rounds[1])]
    )
    path = written(tmp_path / "e.csv", named_by_item(row for row in (*errors(**rounds[0]), *errors(AGAIN, **rounds[1]))
                                                     if row["category"] != "no-error"))  # fmt: skip
    answer = accord.mqm(path, ratings=judged, criterion="errors")
    assert scores(answer) == {"X": -3, "Y": -1}
    assert scores(accord.mqm(path, ratings=judged, criterion="errors", where=["phase=two"])) == {"X": -5, "Y": 0}


def test_errors_of_which_nobody_knows_the_round_are_refused(tmp_path):
    judged = written(tmp_path / "r.csv", ratings({"X": 1, "Y": 2}, **ONE) + ratings({"X": 5, "Y": 0}, **TWO))
    path = written(tmp_path / "e.csv", named_by_item(row for row in errors()))
    with pytest.raises(FormatError, match=r"24 segments were judged more than once .* role, occasion and phase"):
        accord.mqm(path, ratings=judged, criterion="errors")


@pytest.fixture
def two_phases(tmp_path, accord_command):
    """A simulated MQM study in which everything is judged again in a second phase."""
    accord_command("new", "mqm", tmp_path / "study")
    study = tmp_path / "study" / "study.toml"
    phases = '[[phases]]\nkey = "one"\n\n[[phases]]\nkey = "two"\nagain = "one"\nopens = "at-once"\n\n'
    text = study.read_text("utf-8")
    study.write_text(text.replace("[[scenarios]]", f"{phases}[[scenarios]]", 1), "utf-8")
    accord_command("simulate", tmp_path / "study", "-o", tmp_path / "s.csv")
    return tmp_path


def test_a_simulated_list_of_errors_says_in_which_phase_each_was_marked(two_phases):
    with (two_phases / "s.errors.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {(row["phase"], row["occasion"], row["role"]) for row in rows} == {
        ("one", "1", "system"),
        ("two", "2", "repeat"),
    }
    own = scores(accord.mqm(two_phases / "s.csv"))
    ranked = accord.rank(accord.read(str(two_phases / "s.csv")), average="segment")
    assert own == {one.name: pytest.approx(-one.score) for one in ranked.systems}
    listed = accord.mqm(two_phases / "s.errors.csv", ratings=two_phases / "s.csv")
    alone = [row for row in rows if row["phase"] == "one"]
    assert sum(row["errors"] for row in listed.data["systems"]) == len(alone) < len(rows)


def test_a_study_without_phases_has_no_columns_for_them_in_its_errors(tmp_path, accord_command):
    accord_command("new", "mqm", tmp_path / "study")
    accord_command("simulate", tmp_path / "study", "-o", tmp_path / "s.csv")
    header = next(csv.reader(io.StringIO((tmp_path / "s.errors.csv").read_text("utf-8"))))
    assert header == ["item", "rater", "criterion", "system", "document", "segment", "scenario", "side", "start", "end",
                      "category", "severity", "text"]  # fmt: skip


def test_a_list_whose_part_is_there_twice_is_to_be_checked_first(tmp_path, accord_command):
    rows = errors()
    answer = accord.mqm(written(tmp_path / "e.csv", rows + rows[:12]))
    (remark,) = answer.remarks
    assert remark.code == "rows_again"
    assert remark.message.startswith("12 of 48 rows that can be told apart are there again, cell for cell (rows 38, 39")
    assert answer.data["sanity"] == [remark.to_dict()]
    assert accord_command("mqm", tmp_path / "e.csv").stdout.startswith("Check first: 12 of 48 rows")


def test_a_row_of_errors_that_is_there_again_is_noted(tmp_path):
    rows = errors(documents=12)
    answer = accord.mqm(written(tmp_path / "e.csv", rows + rows[:1]))
    told = "Note: 1 of 73 rows that can be told apart is there again, cell for cell (row 74); it counts once more."
    assert not answer.remarks
    assert told in answer.words


def test_two_errors_that_nothing_tells_apart_are_no_copies(tmp_path):
    rows = [{name: cell for name, cell in row.items() if name != "start"} for row in errors()]
    answer = accord.mqm(written(tmp_path / "e.csv", rows))
    assert not answer.remarks
    assert not any("cell for cell" in line for line in answer.words)


def comparisons(better="X", items=20, **more):
    """X met Y in every item, with three raters; one in four prefers the other system."""
    other = {"X": "Y", "Y": "X"}[better]
    return [
        {"item": f"i{i}", "rater": rater, "first": "X", "second": "Y",
         "preferred": better if (i + place) % 4 else other, **more}
        for i in range(items) for place, rater in enumerate("abc")
    ]  # fmt: skip


@pytest.mark.parametrize("role", ["degraded", "attention", "practice", "gold", "bad"])
def test_comparisons_that_check_the_rater_count_for_no_system(tmp_path, role):
    checks = [row | {"item": f"z{row['item']}"} for row in comparisons("Y", role=role)]
    answer = accord.prefer(written(tmp_path / "c.csv", comparisons(role="") + checks))
    assert answer.result.comparisons == 60
    assert {one.name: one.wins for one in answer.result.systems} == {"X": 45, "Y": 15}
    assert f"60 ratings of control items ({role}) are left out." in answer.words


@pytest.mark.parametrize(
    ("first", "second"), [({"role": ""}, {"role": "repeat"}), ({"occasion": "1"}, {"occasion": "2"})]
)
def test_comparisons_made_again_count_once_for_each_rater(tmp_path, first, second):
    again = [row | {"first": "Y", "second": "X"} for row in comparisons("Y", **second)]
    answer = accord.prefer(written(tmp_path / "c.csv", comparisons(**first) + again))
    assert {one.name: one.wins for one in answer.result.systems} == {"X": 45, "Y": 15}
    assert any(line.startswith("60 ratings that raters gave again (repeats) are left out") for line in answer.words)


def test_comparisons_of_two_rounds_are_said_to_count_over_both(tmp_path):
    path = written(tmp_path / "c.csv", comparisons(phase="1") + comparisons("Y", phase="2"))
    told = "wins and losses are counted over every phase (1 and 2); --where phase=1 counts one alone."
    assert told in accord.prefer(path).words
    assert [one.wins for one in accord.prefer(path, where=["phase=2"]).result.systems] == [45, 15]


def test_repeats_of_a_pairwise_study_are_said_to_be_left_out(tmp_path):
    rows = [
        {"item": f"{row['item']}:X~Y", "rater": row["rater"], "value": row["preferred"], "criterion": "better",
         "role": role}
        for better, role in (("X", ""), ("Y", "repeat")) for row in comparisons(better)
    ]  # fmt: skip
    answer = accord.prefer(written(tmp_path / "c.csv", rows))
    assert {one.name: one.wins for one in answer.result.systems} == {"X": 45, "Y": 15}
    assert any(line.startswith("60 ratings that raters gave again (repeats) are left out") for line in answer.words)


def test_a_rater_whose_comparisons_are_gone_already_is_named_and_no_error(tmp_path):
    rows = [{"item": f"{row['item']}:X~Y", "rater": row["rater"], "value": row["preferred"]} for row in comparisons()]
    path = written(tmp_path / "c.csv", rows)
    codebook = Codebook(left_out=(LeftOut(rater="gone", reason="clicked at random"),))
    write_codebook(codebook, path, list(rows[0]))
    for options in ({}, {"leave_out": ["gone"]}, {"leave_out": ["gone"], "keep_all": True}):
        answer = accord.prefer(path, **options)
        assert {one.name: one.wins for one in answer.result.systems} == {"X": 45, "Y": 15}
        assert "rater gone is left out and gave none of these ratings." in answer.words
    with pytest.raises(OptionError, match="no rater 'Z' to leave out"):
        accord.prefer(path, leave_out=["Z"])
    with pytest.raises(OptionError, match="no rater 'Z' to leave out"):
        accord.prefer(written(tmp_path / "pairs.csv", comparisons()), leave_out=["Z"])


def test_comparisons_of_which_none_counts_are_an_error(tmp_path):
    path = written(tmp_path / "c.csv", comparisons(role="practice"))
    with pytest.raises(
        NotEnoughDataError, match=r"no comparison that counts: 60 ratings of control items \(practice\)"
    ):
        accord.prefer(path)


LENIENT = {"X": 70, "Y": 40}
STRICT = {"X": 30, "Y": 60}


def assessed(rater, means, documents=6, spoilt=-20, again=(), **more):
    """Scores of one rater, with a spoilt copy of each text, and controls that are asked again."""
    rows = []
    for d in range(documents):
        for place, system in enumerate("XY"):
            score = means[system] + 3 * ((d + place) % 3)
            row = {"item": f"d{d}", "document": f"d{d}", "system": system, "rater": rater, **more}
            rows.append(row | {"value": score, "role": more.get("role", "system")})
            if d in again:
                rows.append(row | {"value": score + 1, "role": "repeat"})
            if "role" not in more:
                noise = (0, 1, 2)[d % 3] if spoilt < 0 else (d % 2) * 4 - 2
                rows.append(row | {"value": score + spoilt + noise, "role": "degraded"})
    return rows


def frame_of(rows):
    import pandas as pd

    return accord.read(pd.DataFrame(rows), level="interval", direction="high")


def test_who_keeps_all_raters_of_da_is_told_of_the_pairs_that_all_of_them_show():
    rows = [
        *assessed("careful", LENIENT),
        *(row for name in ("one", "two") for row in assessed(name, STRICT, spoilt=0)),
    ]
    passed, everybody = (accord.da(frame_of(rows), minimum=1, keep_all=keep) for keep in (False, True))
    assert passed.opening[0].startswith("X is better than Y.")
    assert passed.opening[0].endswith("Scores rest on 1 of 3 raters (without one and two).")
    assert [one.system for one in everybody.result.systems] == ["Y", "X"]
    assert everybody.opening[0].startswith("Y and X cannot be told apart" if not _winner(everybody) else "Y is better")
    assert everybody.opening[0].endswith("Scores rest on 3 of 3 raters.")
    (pair,) = everybody.data["pairs"]
    ranked = accord.rank(frame_of(rows), standardise=True)
    assert (pair["first"], pair["p"]) == ("Y", pytest.approx(ranked.pairs[0].p))


def _winner(answer):
    return answer.data["pairs"][0]["winner"]


def test_a_lone_rater_who_is_kept_is_not_said_to_be_left_out():
    answer = accord.da(frame_of(assessed("one", STRICT, spoilt=0)), minimum=1, keep_all=True)
    assert answer.opening[0].endswith("Scores rest on 1 of 1 rater.")


def test_a_round_judged_again_is_no_control_repeat_of_da():
    first = [row for name in "ab" for row in assessed(name, LENIENT, again=(0, 1), phase="one", occasion="1")]
    later = [row for name in "ab" for row in assessed(name, STRICT, role="repeat", phase="two", occasion="2")]
    alone, both = (accord.da(frame_of(rows), minimum=1) for rows in (first, [*first, *later]))
    assert both.data["systems"] == alone.data["systems"]
    assert {one.system: one.ratings for one in both.result.systems} == {"X": 16, "Y": 16}
    told = "24 ratings that raters gave again in another round or on a later occasion are left out"
    assert any(line.startswith(told) for line in both.words)
    assert not any(line.startswith("24 ratings") for line in alone.words)


def test_a_later_occasion_is_no_further_rating_of_da():
    first = [row for name in "ab" for row in assessed(name, LENIENT, occasion="1")]
    later = [row for name in "ab" for row in assessed(name, {"X": 60, "Y": 65}, role="system", occasion="2")]
    alone, both = (accord.da(frame_of(rows), minimum=1) for rows in (first, [*first, *later]))
    assert both.data["systems"] == alone.data["systems"]


def test_copies_that_were_shown_on_other_occasions_change_nothing_of_da():
    rows = [row for name in "ab" for row in assessed(name, LENIENT, again=(0, 1))]
    turns = {"system": "2", "repeat": "3", "degraded": "1"}
    turned = [row | {"occasion": turns[row["role"]]} for row in rows]
    alone, told = (accord.da(frame_of(some), minimum=1) for some in (rows, turned))
    assert told.data["systems"] == alone.data["systems"]
    assert not any("gave again" in line for line in told.words)


def test_da_over_two_rounds_says_so():
    rows = [row for name, phase in (("a", "one"), ("b", "two")) for row in assessed(name, LENIENT, phase=phase)]
    told = "Scores are means over every phase (one, two); --where phase=one takes one alone."
    assert told in accord.da(frame_of(rows), minimum=1).words


def few_scores(values, **more):
    return [{"item": "a", "rater": rater, "value": value, **more} for rater, value in zip("xyz", values, strict=True)]


def test_two_rounds_of_one_rater_are_no_two_scores_of_an_item(tmp_path, accord_command):
    first, later = (80, 90, 85), (10, 10, 10)
    path = written(tmp_path / "s.csv", few_scores(first, phase="1") + few_scores(later, phase="2"))
    asked = ("score", "--ratings", path, "--threshold", "70", "--scale", "0", "100", "--direction", "high", "--json")
    both, alone = (json.loads(accord_command(*asked, *more).stdout) for more in ((), ("--where", "phase=1")))
    assert both["items"][0]["scores"] == "45, 47.5, 50"
    assert both["notes"][0] == "Scores are means over every phase (1, 2); --where phase=1 scores one alone."
    assert alone["items"][0]["scores"] == "80, 85, 90"
    assert alone["items"][0]["verdict"] == "PASS"
    assert not any("means over every" in note for note in alone["notes"])


def test_what_item_scores_leave_out_is_said(tmp_path, accord_command):
    rows = (
        few_scores((80, 90, 85), role="")
        + few_scores((10, 10, 10), role="practice")
        + few_scores((1, 2, 3), role="repeat")
    )
    path = written(tmp_path / "s.csv", rows)
    answer = accord_command("score", "--ratings", path, "--scale", "0", "100", "--direction", "high")
    assert "80, 85, 90" in answer.stdout
    assert "3 ratings of control items (practice) are left out." in answer.stdout
    assert "3 ratings that raters gave again (repeats) are left out" in answer.stdout


def test_where_without_ratings_is_refused_by_score(accord_command):
    assert "--where chooses rows of --ratings" in accord_command("score", "70", "80", "--where", "phase=1").stderr
