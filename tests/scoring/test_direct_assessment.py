"""Direct assessment: the gate, the flags, the means."""

import numpy as np
import pytest
from scipy import stats

import accord
from accord.errors import AccordError
from accord.scoring.assessment import direct_assessment
from accord.scoring.rater_gate import RaterGate

CAREFUL, CARELESS, CONSTANT = "careful", "careless", "constant"


def rows(rng, time_s=900.0):
    made = []
    for rater in (CAREFUL, CARELESS, CONSTANT):
        for k in range(30):
            base = float(rng.integers(40, 90))
            kinds = {"SYSTEM": base}
            if k < 10:
                kinds["BAD_REF"] = (
                    base - 25 + float(rng.integers(-5, 6)) if rater == CAREFUL else float(rng.integers(40, 90))
                )
            elif k < 20:
                kinds["REPEAT"] = base + 4
            elif k < 25:
                kinds["REF"] = 99.0
            for role, value in kinds.items():
                made.append({
                    "item": f"i{k}", "rater": rater, "value": 50.0 if rater == CONSTANT else value,
                    "system": f"S{k % 2}", "role": role, "batch": "h1",
                    "time_s": 100.0 if rater == CARELESS else time_s, "order": float(len(made)),
                })  # fmt: skip
    return made


@pytest.fixture
def ratings():
    import pandas as pd

    return accord.read(pd.DataFrame(rows(np.random.default_rng(1))), level="interval", direction="high")


def assess(ratings, **options):
    return direct_assessment(ratings, np.random.default_rng(1), **options)


def test_only_the_rater_who_scores_degraded_items_worse_passes(ratings):
    result = assess(ratings, minimum=1)
    assert result.passed == (CAREFUL,)
    gates = {gate.rater: gate for gate in result.raters}
    assert gates[CAREFUL].pairs == 10
    assert gates[CAREFUL].difference == pytest.approx(-25, abs=5)
    assert gates[CAREFUL].repeat_difference == pytest.approx(4)


def test_speed_constant_scores_and_long_runs_are_flagged(ratings):
    flags = {gate.rater: " ".join(gate.flags) for gate in assess(ratings).raters}
    assert "done in 100 s" in flags[CARELESS]
    assert "one and the same score" in flags[CONSTANT]
    assert "times in a row" in flags[CONSTANT]
    assert flags[CAREFUL] == ""


def test_a_rater_without_spread_is_removed_even_when_all_are_kept(ratings):
    result = assess(ratings, keep_all=True)
    assert sum(system.ratings for system in result.systems) == 80


def test_z_scores_use_the_raters_own_mean_and_deviation_and_systems_the_mean_of_segment_means(ratings):
    result = assess(ratings, minimum=2)
    scores = ratings.scores[ratings.rater.labels() == CAREFUL]
    mean, deviation = scores.mean(), scores.std(ddof=1)
    segment = next(s for s in result.segments if s.item == "i15")
    assert segment.ratings == 2
    assert segment.enough
    assert segment.z == pytest.approx((segment.raw - mean) / deviation)
    system = result.systems[0]
    assert system.z == pytest.approx(np.mean([s.z for s in result.segments if s.system == system.system]))


def test_the_gate_equals_the_paired_t_test_of_a_second_program_on_real_ratings(data, wmt22):
    import pandas as pd

    result = assess(wmt22, as_is=True)
    frame = pd.read_csv(data / "wmt22_da_mturk.csv")
    keys = ["rater", "hitno", "item"]
    original = frame[frame.type == "SYSTEM"].set_index(keys).score
    degraded = frame[frame.type == "BAD_REF"].set_index(keys).score
    pairs = pd.DataFrame({"bad": degraded, "good": original.reindex(degraded.index)}).dropna().reset_index()
    expected = {
        rater: stats.ttest_rel(part.bad, part.good, alternative="less").pvalue
        for rater, part in pairs.groupby("rater") if len(part) > 2
    }  # fmt: skip
    found = {gate.rater: gate.p for gate in result.raters if gate.rater in expected}
    # One rater scored every degraded item exactly as its original: t is 0/0 there, and that is no pass for us.
    (undefined,) = [rater for rater, p in expected.items() if np.isnan(p)]
    assert (undefined, found.pop(undefined)) == ("M0093", 1.0)
    expected.pop(undefined)
    assert found == pytest.approx(expected)
    assert sum(gate.pairs for gate in result.raters) == 5688


def test_the_system_scores_of_wmt22_are_reproduced(wmt22):
    result = assess(wmt22.only(lp="csen"), as_is=True, keep_all=True)
    found = {system.system: (round(system.z, 3), system.segments, system.ratings) for system in result.systems}
    # ad-sys-ranking-cs-en-z-names.csv
    assert found["Online-W.2"] == (0.133, 1370, 1711)
    assert found["HUMAN-C"] == (-0.29, 1285, 1600)
    assert found["ALMAnaCH-Inria.3"] == (-0.301, 1315, 1727)


@pytest.fixture(scope="module")
def wmt22(data):
    return accord.read(
        data / "wmt22_da_mturk.csv", item="item", rater="rater", value="score", system="sys_id", segment="sid",
        role="type", batch="hitno", time_s="time", level="interval", direction="high",
    )  # fmt: skip


def test_two_halves_of_raters_who_see_the_same_quality_correlate():
    import pandas as pd

    rng = np.random.default_rng(2)
    quality = rng.normal(0, 10, 40)
    made = [
        {"item": f"i{k}", "rater": f"r{r}", "value": round(60 + quality[k] + rng.normal(0, 10), 1) - 40 * bad,
         "system": "S", "role": "BAD" if bad else "TGT"}
        for r in range(10) for k in range(40) for bad in ((0, 1) if k < 10 else (0,))
    ]  # fmt: skip
    result = assess(accord.read(pd.DataFrame(made), level="interval", direction="high"))
    # Five raters a half: reliability 5*100 / (5*100 + 100)
    assert result.replication.correlation == pytest.approx(5 / 6, abs=0.1)


def test_a_rater_counts_once_for_a_segment_when_asked_and_the_original_is_what_counts(ratings):
    result = assess(ratings, minimum=1, unique=True)
    assert {segment.ratings for segment in result.segments} == {1}
    repeated = next(s for s in result.segments if s.item == "i15")
    original = (ratings.item.labels() == "i15") & (ratings.rater.labels() == CAREFUL)
    original &= ratings.columns["role"].labels() == "SYSTEM"
    assert repeated.raw == ratings.scores[original][0]
    assert "10 further ratings are left out" in " ".join(result.cautions)


def many_raters(rng, raters=8, items=12):
    return [
        {"item": f"i{k}", "rater": f"r{r}", "value": float(rng.integers(40, 90)) - 30 * bad, "system": "S",
         "role": "BAD" if bad else "TGT"}
        for r in range(raters) for k in range(items if r else items - 4) for bad in ((0, 1) if k < 6 else (0,))
    ]  # fmt: skip


def test_a_sample_takes_as_many_ratings_of_every_segment_and_leaves_out_segments_with_fewer():
    table = frame_of(many_raters(np.random.default_rng(3)))
    drawn = direct_assessment(table, np.random.default_rng(1), keep_all=True, sample=8)
    assert [segment.ratings for segment in drawn.segments] == [8] * 8
    again, other = (direct_assessment(table, np.random.default_rng(seed), keep_all=True, sample=3) for seed in (1, 2))
    assert [segment.ratings for segment in again.segments] == [3] * 12
    assert [s.raw for s in again.segments] != [s.raw for s in other.segments]
    with pytest.raises(AccordError, match="No segment has 9 ratings"):
        assess(table, keep_all=True, sample=9)


def test_tasks_open_at_once_share_their_time():
    made = rows(np.random.default_rng(1), time_s=500.0)
    for place, row in enumerate(made):
        row["batch"] = f"h{place % 2}"
        row["begun"] = f"2026-01-31T10:0{4 * (place % 2)}:00"
    flags = {g.rater: g.flags for g in assess(frame_of(made), keep_all=True, started="begun").raters}
    # 240 s alone, 260 s shared by two: 370 s each.
    assert "2 tasks open at once: 500 s of one are 370 s when shared" in flags[CAREFUL]
    plain = {g.rater: " ".join(g.flags) for g in assess(frame_of(made), keep_all=True).raters}
    assert "open at once" not in plain[CAREFUL]
    strict = {g.rater: g.flags for g in assess(frame_of(made), keep_all=True, started="begun", fastest=400).raters}
    assert "a task done in 370 s (less than 400)" in strict[CAREFUL]


def test_times_of_single_ratings_are_summed_to_the_time_of_the_task():
    made = rows(np.random.default_rng(1))
    for place, row in enumerate(made):
        row["time_s"] = 20.0 + place % 7
    flags = {g.rater: " ".join(g.flags) for g in assess(frame_of(made), keep_all=True).raters}
    assert "a task done" not in flags[CAREFUL]


def test_earlier_rejections_are_flagged():
    made = [row | {"rejected": 2 if row["rater"] == CARELESS else 0} for row in rows(np.random.default_rng(1))]
    flags = {g.rater: g.flags for g in assess(frame_of(made), rejections="rejected").raters}
    assert "2 earlier tasks rejected" in flags[CARELESS]
    assert not any("rejected" in flag for flag in flags[CAREFUL])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"started": "nothing"}, "--started nothing: there is no such column"),
        ({"started": "role"}, "is not a time"),
        ({"rejections": "nothing"}, "--rejections nothing: there is no such column"),
        ({"rejections": "role"}, "must hold numbers"),
        ({"sample": 0}, "at least 1"),
    ],
)
def test_columns_and_numbers_that_cannot_be_used_are_told(ratings, options, words):
    with pytest.raises(AccordError, match=words):
        assess(ratings, **options)


def test_attention_items_are_neither_originals_nor_counted_for_a_system():
    made = rows(np.random.default_rng(1))
    extra = [row | {"role": "attention", "item": row["item"] + "#attention", "value": 0.0} for row in made[:10:2]]
    plain, mixed = (assess(frame_of(part), minimum=1) for part in (made, made + extra))
    assert [(s.system, s.raw, s.ratings) for s in plain.systems] == [
        (s.system, s.raw, s.ratings) for s in mixed.systems
    ]


def frame_of(made, **changes):
    import pandas as pd

    return accord.read(pd.DataFrame(made), level="interval", **({"direction": "high"} | changes))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda row: {k: v for k, v in row.items() if k != "role"}, "--role"),
        (lambda row: {k: v for k, v in row.items() if k != "system"}, "names the system"),
        (lambda row: row | {"role": "thing"}, "not known: thing"),
        (lambda row: row | {"role": "SYSTEM"}, "No item is degraded"),
        (lambda row: row | {"value": 50.0}, "No rater passes"),
    ],
)
def test_bad_input_is_told_in_one_clear_sentence(change, words):
    made = [change(row | {"occasion": row["role"]}) for row in rows(np.random.default_rng(1))]
    with pytest.raises(AccordError) as error:
        assess(frame_of(made))
    assert words in str(error.value)


def test_the_command_prints_systems_and_raters(accord_command, tmp_path):
    import pandas as pd

    pd.DataFrame(rows(np.random.default_rng(1))).to_csv(tmp_path / "da.csv", index=False)
    done = accord_command("da", "da.csv", "--raters", "--level", "interval", "--direction", "high")
    assert "Quality control of 3 raters: 1 passed" in done.stdout
    assert "degraded - original" in done.stdout


def test_the_power_of_the_gate_is_that_of_a_one_sided_t_test_of_a_second_program():
    from statsmodels.stats.power import TTestPower

    from accord.scoring.rater_gate import gate_power

    for pairs, effect in ((3, 0.8), (10, 1.0), (20, 0.4)):
        expected = TTestPower().power(effect, pairs, 0.05, alternative="larger")
        assert gate_power(pairs, effect, 0.05) == pytest.approx(expected, abs=1e-6)


def test_a_rater_with_few_pairs_has_not_failed_and_one_with_many_has():
    from accord.scoring.rater_gate import Outcome

    rng = np.random.default_rng(3)
    made = []
    for rater, pairs, drop in (("a", 12, 20), ("b", 12, 20), ("c", 12, 20), ("few", 3, 0), ("many", 12, 0)):
        for number in range(12):
            score = rng.normal(60, 15)
            made.append({"item": f"i{number}", "rater": rater, "value": score, "system": "S", "role": "system"})
            if number < pairs:
                low = score - drop + rng.normal(0, 15)
                made.append({"item": f"i{number}#bad", "rater": rater, "value": low, "system": "S", "role": "degraded"})
    result = assess(frame_of(made), minimum=1)
    outcome = {gate.rater: gate.outcome for gate in result.raters}
    assert outcome["few"] is Outcome.CANNOT_TELL
    assert outcome["many"] is Outcome.FAILED
    assert {gate.rater for gate in result.raters if gate.power > 0.8} == {"a", "b", "c", "many"}
    assert any("Whether one rater tells" in caution for caution in result.cautions)


def test_two_raters_are_halved_in_one_way_and_get_no_ends(accord_command, tmp_path):
    rng = np.random.default_rng(5)
    made = ["item,rater,system,value,role"]
    for rater in ("a", "b"):
        for number in range(12):
            score = round(rng.normal(60, 10))
            made += [f"i{number},{rater},S,{score},system", f"i{number},{rater},S,{score - 30},degraded"]
    path = tmp_path / "two.csv"
    path.write_text("\n".join(made))
    said = " ".join(accord_command("da", path, "--direction", "high").stdout.split())
    assert "there is one way to halve them" in said and "halvings: " not in said
    three = tmp_path / "three.csv"
    three.write_text("\n".join([*made, *(line.replace(",b,", ",c,") for line in made if ",b," in line)]))
    assert "halvings: " in " ".join(accord_command("da", three, "--direction", "high").stdout.split())


def test_who_cannot_be_judged_is_not_said_to_have_failed():
    """Copies with names of their own belong to no original; careless raters fail by their copies."""
    made = rows(np.random.default_rng(1))
    lost = [row | {"item": f"{row['item']} copy"} if row["role"] == "BAD_REF" else row for row in made]
    with pytest.raises(AccordError, match="No rater can be judged: no degraded copy belongs to an original"):
        assess(frame_of(lost))
    careless = [row for row in made if row["rater"] == CARELESS]
    with pytest.raises(AccordError, match="No rater passes the quality control"):
        assess(frame_of(careless))


@pytest.mark.parametrize(("difference", "words"), [(-2.5, "copies 2.50 worse"), (1.0, "copies 1.00 better")])
def test_how_copies_were_scored_is_said_without_a_sign(difference, words):
    # Scores are turned round where low is good: a sign would be that of no scale that the rater saw.
    gate = RaterGate(
        rater="A",
        pairs=12,
        difference=difference,
        p=0.5,
        passed=False,
        flags=(),
        deviation=1.0,
        repeat_difference=0.0,
        ratings=24,
    )
    assert gate.worse_words == f"12 pairs, {words}"


def test_the_answer_says_first_which_systems_differ_by_those_who_pass():
    import pandas as pd

    rng = np.random.default_rng(3)
    made = []
    for k in range(40):
        for system, gap in (("A", 0.0), ("B", -15.0), ("C", -15.0)):
            for rater in ("one", "two", "asleep"):
                score = float(rng.integers(0, 100)) if rater == "asleep" else 70 + gap + float(rng.normal(0, 5))
                bad = float(rng.integers(0, 100)) if rater == "asleep" else score - 30 + float(rng.normal(0, 5))
                row = {"item": f"{system}:{k}", "segment": f"{k}", "rater": rater, "system": system}
                made.append(row | {"value": score, "role": "system"})
                if k < 12:
                    made.append(row | {"value": bad, "role": "degraded"})
    answer = accord.da(accord.read(pd.DataFrame(made), level="interval", direction="high"), minimum=1)
    assert answer.opening[0].startswith("A is best. 2 of 3 pairs differ. Not told apart: ")
    assert "Scores rest on 2 of 3 raters (without asleep)." in answer.opening[0]
    assert {pair["winner"] for pair in answer.data["pairs"]} == {"A", None}
