"""Raters who do not count are left out everywhere, with a word; whoever asks keeps them."""

from dataclasses import replace

import numpy as np
import pytest

from accord.errors import NotEnoughDataError, OptionError
from accord.ratings.build import build_ratings
from accord.ratings.codebook import Codebook, LeftOut, StudyFacts
from accord.ratings.leaving_out import exclusion_notes, with_exclusions
from accord.ratings.sanity import sanity
from accord.reading import read
from accord.scoring.gate_exclusions import GATE, gated

LEFT_OUT = LeftOut(rater="C", rule="too_fast", reason="in a hurry", date="2026-03-02", declared=True)


@pytest.fixture
def ratings():
    items, raters = [f"i{number}" for number in range(6) for _ in "ABC"], list("ABC") * 6
    values = [1 + (place * 7) % 5 for place in range(18)]
    return build_ratings({"item": items, "rater": raters, "value": values}, codebook=Codebook(left_out=(LEFT_OUT,)))


def test_whom_the_codebook_leaves_out_does_not_count(ratings):
    kept = with_exclusions(ratings)
    assert kept.rater.names == ("A", "B") and len(kept) == 12
    told = "left out: rater C, by the rule 'too fast' declared before collection: in a hurry (2026-03-02)"
    assert exclusion_notes(kept) == [told]


def test_everybody_is_kept_where_somebody_asks_for_it(ratings):
    kept = with_exclusions(ratings, keep_all=True)
    assert len(kept) == 18 and kept.codebook.left_out == ()
    assert exclusion_notes(kept) == ["kept, though left out before: rater C"]


def test_others_can_be_left_out_too(ratings):
    kept = with_exclusions(ratings, leave_out=["A"])
    assert kept.rater.names == ("B",)
    assert [one.rater for one in kept.codebook.left_out] == ["C", "A"]
    assert with_exclusions(ratings, leave_out=["A"], keep_all=True).rater.names == ("B", "C")


def test_leaving_out_twice_is_leaving_out_once(ratings):
    once = with_exclusions(ratings)
    assert with_exclusions(once).notes == once.notes and with_exclusions(once).fingerprint == once.fingerprint


def test_a_rater_who_is_not_there_cannot_be_left_out(ratings):
    with pytest.raises(OptionError, match="There is no rater 'D' to leave out"):
        with_exclusions(ratings, leave_out=["D"])
    with pytest.raises(NotEnoughDataError, match="Every rater is left out"):
        with_exclusions(ratings, leave_out=["A", "B"])


def test_ratings_that_stay_where_they_lie_are_left_out_there(tmp_path):
    file = tmp_path / "ratings.csv"
    rows = [f"i{item},{rater},{1 + (item * place) % 4}" for item in range(20) for place, rater in enumerate("ABC", 1)]
    file.write_text("item,rater,value\n" + "\n".join(rows) + "\n", encoding="utf-8")
    stored = read(file, engine="duckdb", leave_out=["B"])
    assert stored.rater_names() == ("A", "C") and "left out: rater B" in " ".join(stored.notes)


@pytest.fixture
def assessed():
    """Two criteria with spoilt copies; on the second high is bad. C takes no note of what is spoilt."""
    rng = np.random.default_rng(5)
    rows = []
    for criterion, sign in (("quality", 1), ("errors", -1)):
        for rater in "ABC":
            for item in range(12):
                good = 50 + 10 * rng.normal()
                spoilt = good if rater == "C" else good - sign * (20 + 5 * rng.normal())
                if rater == "C":
                    spoilt = 50 + 10 * rng.normal() + sign * 5
                rows.append((f"i{item}:S", rater, good, criterion, "system"))
                rows.append((f"i{item}:S#bad", rater, spoilt, criterion, "degraded"))
    names = ("item", "rater", "value", "criterion", "role")
    from accord.design.criterion import Criterion
    from accord.design.scale import Direction, Level, Scale

    criteria = {
        key: Criterion(key, scale=Scale(Level.INTERVAL, (), direction=way))
        for key, way in (("quality", Direction.HIGH), ("errors", Direction.LOW))
    }
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return build_ratings(columns, codebook=Codebook(criteria=criteria))


def test_raters_who_fail_the_gate_are_left_out_whichever_end_is_good(assessed):
    kept = gated(assessed)
    assert [(one.rater, one.rule, one.reason[-9:]) for one in kept.codebook.left_out] == [("C", GATE, "(quality)")]
    assert set(kept.rater.names) == {"A", "B"} and len(exclusion_notes(kept)) == 1
    assert [one.rater for one in gated(assessed.only(criterion="errors")).codebook.left_out] == ["C"]
    everybody = gated(assessed, keep_all=True)
    assert everybody.fingerprint == assessed.fingerprint and not everybody.codebook.left_out
    told = exclusion_notes(everybody)
    assert len(told) == 1 and "would leave them out: rater C does not score spoilt copies worse" in told[0]


def test_whoever_fails_on_one_criterion_is_out_of_all(assessed):
    errors = assessed.columns["criterion"].labels() == "errors"
    careless = errors & (assessed.rater.labels() == "C")
    passed = assessed.where(~careless)  # C is left on the criterion quality alone
    assert set(gated(passed).rater.names) == {"A", "B"}


def test_in_a_study_its_codebook_says_who_counts_and_the_gate_only_tells(assessed):
    book = replace(assessed.codebook, study=StudyFacts(title="A study"))
    kept = gated(replace(assessed, codebook=book))
    assert kept.fingerprint == assessed.fingerprint and not kept.codebook.left_out
    assert all("would leave them out: rater C" in told for told in exclusion_notes(kept))


def test_who_breaks_a_declared_rule_and_counts_is_told_first_until_left_out(assessed):
    broken = LeftOut(rater="C", rule=GATE, reason="p = 0.900", declared=True)
    ratings = replace(assessed, codebook=replace(assessed.codebook, breaks_rules=(broken,)))
    told = [str(one) for one in sanity(ratings) if one.code == "rule_not_applied"]
    assert len(told) == 1 and "rater C breaks the declared rule 'degraded not lower' (p = 0.900)" in told[0]
    without = with_exclusions(ratings, leave_out=["C"])
    assert not [one for one in sanity(without) if one.code == "rule_not_applied"]


def test_there_is_no_gate_where_nothing_was_spoilt(ratings):
    assert gated(ratings).fingerprint == ratings.fingerprint


def test_where_nobody_passes_everybody_is_kept_and_it_is_said(assessed):
    only_c = assessed.only(rater="C", criterion="quality")
    kept = gated(only_c)
    assert len(kept) == len(only_c) and "no rater passes the gate" in exclusion_notes(kept)[0]
