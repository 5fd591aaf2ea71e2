"""What a report says beside its numbers must not contradict them: the table of data, intervals, raters."""

import numpy as np
import pandas as pd

import accord
from accord.reporting.analysis import analyse
from accord.reporting.first_screen import first_screen
from accord.reporting.sections.glance import glance
from accord.reporting.sections.scores import scores


def frame(raters=(0.0, 0.0, 0.0), systems=("A", "B", "C"), gain=0.0):
    """Thirty texts of each system in as many documents, on a scale of 0 to 100."""
    rng = np.random.default_rng(11)
    rows = []
    for document in range(30):
        text = rng.normal(0, 15)
        for place, system in enumerate(systems):
            truth = 50 + text + rng.normal(0, 12) + gain * (place == 0)
            rows += [
                (
                    f"{document}:{system}",
                    f"R{number}",
                    f"d{document}",
                    system,
                    np.clip(truth + off + rng.normal(0, 6), 0, 100).round(),
                )
                for number, off in enumerate(raters, 1)
            ]
    return pd.DataFrame(rows, columns=["item", "rater", "document", "system", "value"]).assign(segment="1")


def read(table):
    return accord.read(table, level="interval", direction="high")


def test_the_table_of_data_counts_what_was_measured_again():
    """It said one phase, three ratings an item and nothing missing."""
    first = frame().assign(phase="")
    again = frame().assign(phase="after-round-1").query("document != 'd0'")
    ratings = read(pd.concat([first.iloc[1:], again]))
    facts = {row["what"]: row["value"] for row in glance(analyse(ratings)).blocks[0].table.rows}
    assert facts["phases"] == 2 and facts["ratings per item"] == "2 to 6"
    assert facts["missing"] == "1 of 531 (less than 1%) of a full design"


def test_answers_left_open_are_told_once_and_not_as_none():
    table = frame()
    table.loc[:1, "value"] = np.nan
    section = glance(analyse(read(table)))
    facts = {row["what"]: row["value"] for row in section.blocks[0].table.rows}
    assert facts["missing"].endswith("2 seen and left without an answer") and "none" not in facts["missing"]
    assert "ratings are missing" not in str(section)


def test_the_first_screen_says_what_interval_a_difference_has():
    """An upper end by Bonferroni and a lower one cut at 0 read as an interval of 95%."""
    words = {}
    for gain in np.arange(0.0, 14.0, 0.5):
        ranking = accord.rank(read(frame(gain=gain)))
        for pair in ranking.pairs:
            words["cut" if 0.0 in (pair.interval.low, pair.interval.high) else "whole"] = pair.interval.method
        if len(words) == 2:
            break
    assert words["cut"].endswith("together (Bonferroni), cut at 0 as the test tells the two apart")
    assert words["whole"].endswith("together (Bonferroni)")
    analysis = analyse(read(frame(gain=gain)))
    note = next(one for one in first_screen(analysis).numbers if " against " in one.label).note
    assert "; interval of 3 differences together (Bonferroni)" in note
    told = "3 differences together (Bonferroni); one is cut at 0 where the test tells the two apart."
    assert told in str(scores(analysis))


def test_that_no_check_warns_does_not_deny_what_the_section_on_raters_shows():
    analysis = analyse(read(frame(raters=(3.0, -3.0, 0.0))))
    calm = first_screen(analysis).calm
    assert calm.startswith("None of ") and "R1 and R2 rate slightly higher or lower than the others" in calm


def test_a_part_without_a_phase_is_called_so():
    """It was called ``phase , guideline 1``."""
    from accord.reporting.analysis import part_name

    assert part_name({"criterion": "a", "phase": "", "guideline": "1"}, "") == "a, no phase, guideline 1"


def test_a_criterion_on_which_all_agree_has_no_value_and_not_another_scale():
    rows = [(f"s{item}", rater, "fluency", 3) for item in range(30) for rater in "ABC"]
    rows += [(f"s{item}", rater, "adequacy", item % 5 + 1) for item in range(30) for rater in "ABC"]
    table = pd.DataFrame(rows, columns=["item", "rater", "criterion", "value"])
    screen = first_screen(analyse(accord.read(table, level="ordinal", scale=[1, 2, 3, 4, 5])))
    assert screen.answer.startswith("Judgements of fluency cannot be said to agree or to disagree")
    assert "Percent agreement" not in screen.why
    assert screen.why.endswith("fluency: Krippendorff's α has no value, as all ratings have the same value.")
    alone = table[table.criterion == "fluency"]
    screen = first_screen(analyse(accord.read(alone, level="ordinal", scale=[1, 2, 3, 4, 5])))
    assert screen.answer.endswith("agreement beyond chance has no value.")
    assert screen.why.endswith("Krippendorff's α has no value, as all ratings have the same value.")


def test_the_bars_of_systems_say_over_which_measurements_they_are_means():
    again = pd.concat([frame().assign(phase=""), frame(gain=5.0).assign(phase="after-round-1")])
    systems = first_screen(analyse(read(again))).forests[0].table
    assert systems.title == "Systems, mean score"
    assert "Scores are means over every phase (none, after-round-1)." in systems.notes
