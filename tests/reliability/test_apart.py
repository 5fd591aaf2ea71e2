"""What is kept apart is never paired unless asked for, and combined by disagreement summed within the parts."""

import json

import numpy as np
import pandas as pd
import pytest

import accord
from accord.diagnosis.part import parts_of
from accord.errors import AccordError
from accord.ratings.apart import kept_apart, pooled
from accord.ratings.counting import count_source
from accord.reliability.answer import answers_of

SCENARIOS = {"alone": ("ABC", 0.0), "context": ("DEF", -1.2), "revised": ("GHI", 0.9)}


def two_views(rng, items=60, shared=True, **columns):
    """The same sentences judged in three scenarios by other raters, who see another quality in each."""
    rows = []
    for place, (scenario, (raters, shift)) in enumerate(SCENARIOS.items()):
        quality = np.random.default_rng(place if not shared else 99).normal(size=items)
        for k in range(items):
            for rater in raters:
                value = int(np.clip(round(3 + quality[k] + shift + rng.normal(0, 0.6)), 1, 5))
                name = f"i{k}" if shared else f"{scenario}-{k}"
                rows.append({"item": name, "rater": rater, "value": value, "scenario": scenario, **columns})
    return pd.DataFrame(rows)


@pytest.fixture
def frame():
    return two_views(np.random.default_rng(0))


def alpha(ratings, **options):
    return accord.agreement(ratings, coefficients="krippendorff_alpha", interval="none", **options)


def test_scenarios_are_not_paired_and_pooling_is_said(frame):
    ratings = accord.read(frame, level="ordinal")
    apart, together = alpha(ratings), alpha(ratings, pool="scenario")
    assert [group.by for group in apart.parts] == [{"scenario": name} for name in SCENARIOS]
    for group in apart.parts:
        own = accord.read(frame[frame.scenario == group.by["scenario"]].drop(columns="scenario"), level="ordinal")
        assert group["krippendorff_alpha"].value == alpha(own)["krippendorff_alpha"].value
    # The effect of the issue: paired across scenarios, honest raters seem to disagree.
    least = min(group["krippendorff_alpha"].value for group in apart.parts)
    assert together["krippendorff_alpha"].value < least - 0.15
    assert any("within each scenario" in note and "--pool scenario" in note for note in apart.notes)
    assert any("pooled over scenario, as asked" in note for note in together.notes)
    assert not any(group.combined for group in together.groups)
    without = accord.read(frame.drop(columns="scenario"), level="ordinal")
    assert together["krippendorff_alpha"].value == alpha(without)["krippendorff_alpha"].value


def by_hand(frame, metric):
    """Disagreements summed within parts, pair by pair of ratings: a second program."""
    observed = expected = 0.0
    for _, part in frame.groupby("scenario"):
        groups = [g.value.to_numpy(float) for _, g in part.groupby("item") if len(g) > 1]
        ratings = np.concatenate(groups)
        distance = metric(ratings)
        n = len(ratings)
        for values in groups:
            observed += sum(distance(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j) / (
                len(values) - 1
            )
        expected += sum(distance(a, b) for i, a in enumerate(ratings) for j, b in enumerate(ratings) if i != j) / (
            n - 1
        )
    return 1 - observed / expected


def _ordinal(ratings):
    share = {v: ((ratings < v).sum() + (ratings == v).sum() / 2) / len(ratings) for v in set(ratings.tolist())}
    return lambda a, b: (share[a] - share[b]) ** 2


METRICS = {
    "nominal": lambda _: lambda a, b: float(a != b), "interval": lambda _: lambda a, b: (a - b) ** 2,
    "ratio": lambda _: lambda a, b: ((a - b) / (a + b)) ** 2, "ordinal": _ordinal,
}  # fmt: skip


@pytest.mark.parametrize("level", METRICS)
def test_the_combined_alpha_sums_disagreement_within_the_parts(level):
    frame = two_views(np.random.default_rng(1), items=12)
    # Parts of unequal size, and items with one rating.
    frame = frame[~((frame.scenario == "context") & (frame.item.isin(["i1", "i2", "i3"])))].drop(index=[0, 1, 20])
    result = alpha(accord.read(frame, level=level))
    (group,) = [group for group in result.groups if group.combined]
    assert group.combined == ("scenario",)
    assert group["krippendorff_alpha"].value == pytest.approx(by_hand(frame, METRICS[level]), abs=1e-12)
    assert result["krippendorff_alpha"] is group["krippendorff_alpha"]
    parts = [part["krippendorff_alpha"].value for part in result.parts]
    assert min(parts) < group["krippendorff_alpha"].value < max(parts)


@pytest.mark.parametrize("level", METRICS)
def test_parts_that_are_copies_of_one_another_combine_to_their_common_alpha(level):
    one = two_views(np.random.default_rng(2)).query("scenario == 'alone'")
    both = pd.concat([one, one.assign(scenario="again", item="x" + one.item)])
    expected = alpha(accord.read(one, level=level))["krippendorff_alpha"].value
    assert alpha(accord.read(both, level=level))["krippendorff_alpha"].value == pytest.approx(expected, abs=1e-12)


def test_a_fine_ordered_scale_is_combined_at_its_own_ranks():
    rng = np.random.default_rng(3)
    frame = two_views(rng, items=15).assign(value=lambda f: 20 * f.value + rng.integers(-9, 10, len(f)))
    result = alpha(accord.read(frame, level="ordinal"))
    assert result["krippendorff_alpha"].value == pytest.approx(by_hand(frame, _ordinal), abs=1e-12)


def test_an_item_in_several_parts_is_one_item_when_items_are_drawn():
    shared = two_views(np.random.default_rng(4), items=40)
    # The same numbers with items of their own in each part: as if nothing linked the scenarios.
    unlinked = shared.assign(item=shared.scenario + shared.item)
    intervals = []
    for frame in (shared, unlinked):
        found = accord.agreement(accord.read(frame, level="interval"), coefficients="krippendorff_alpha")
        estimate = found["krippendorff_alpha"]
        assert estimate.items == frame.item.nunique()
        intervals.append(estimate)
    linked, apart = intervals
    assert linked.value == apart.value
    assert linked.standard_error > apart.standard_error


@pytest.mark.parametrize("unit", ["item", "document", "rater", "rater-and-item"])
def test_the_combined_alpha_has_an_interval_over_every_unit(unit):
    frame = two_views(np.random.default_rng(5)).assign(
        document=lambda f: "d" + (f.item.str[1:].astype(int) // 4).astype(str)
    )
    result = accord.agreement(accord.read(frame, level="ordinal"), coefficients="krippendorff_alpha", resample=unit)
    estimate = result["krippendorff_alpha"]
    assert estimate.interval.low < estimate.value < estimate.interval.high
    assert all(word in estimate.interval.method for word in unit.replace("-and-", " ").split())


@pytest.mark.parametrize(("documents", "has_interval"), [(15, True), (3, False)])
def test_the_combined_alpha_is_over_documents_also_where_a_part_has_one_item_each(documents, has_interval):
    frame = two_views(np.random.default_rng(8)).assign(
        document=lambda f: "d" + (f.item.str[1:].astype(int) % documents).astype(str)
    )
    one_each = (frame.scenario != "revised") | (frame.item.str[1:].astype(int) < documents)
    result = accord.agreement(accord.read(frame[one_each], level="ordinal"), coefficients="krippendorff_alpha")
    combined = result["krippendorff_alpha"]
    assert (combined.interval is not None) is has_interval
    if has_interval:
        assert "over documents" in combined.interval.method
        assert combined.question.startswith("other documents")
        assert "over documents" in combined.signature
    else:
        assert any("the items come from 3 documents" in said for said in combined.cautions)


def test_leaving_a_rater_out_leaves_him_out_of_every_part():
    frame = two_views(np.random.default_rng(6), items=20)
    frame["rater"] = frame.rater.map(dict(zip("ABCDEFGHI", "RSTRSTRST", strict=True)))
    ratings = accord.read(frame, level="interval")
    options = {"coefficients": "krippendorff_alpha", "resample": "rater"}
    found = accord.agreement(ratings, **options)["krippendorff_alpha"]
    without = [alpha(ratings.where(ratings.rater.labels() != name))["krippendorff_alpha"].value for name in "RST"]
    assert found.raters == 3
    assert found.standard_error == pytest.approx(np.sqrt(2 / 3 * np.square(without - np.mean(without)).sum()))


def test_parts_that_share_nothing_are_kept_apart_too(frame):
    ratings = accord.read(two_views(np.random.default_rng(7), shared=False), level="ordinal")
    result = alpha(ratings)
    assert len(result.parts) == 3
    assert result["krippendorff_alpha"].items == 180


def test_every_column_of_the_contract_is_kept_apart_where_it_has_several_names(frame):
    half = np.where(frame.item.str[1:].astype(int) % 2 == 0, "x", "y")
    for column in ("condition", "phase", "round", "guideline", "language_pair"):
        named = {column: column, "level": "ordinal"}
        several = accord.read(frame.drop(columns="scenario").assign(**{column: half}), **named)
        assert kept_apart(several) == (column,)
        one = accord.read(frame.drop(columns="scenario").assign(**{column: "x"}), **named)
        assert kept_apart(one) == ()
    assert kept_apart(accord.read(frame.assign(domain=half), level="ordinal")) == ("scenario",)


def test_a_column_that_adds_no_part_is_not_named(frame, tmp_path):
    frame["guideline"] = frame.scenario.map({"alone": "v1", "context": "v1", "revised": "v2"})
    frame["phase"] = np.where(frame.scenario == "alone", "", "second")
    assert kept_apart(accord.read(frame, level="ordinal")) == ("scenario",)
    assert kept_apart(accord.read(frame.drop(columns="scenario"), level="ordinal")) == ("phase", "guideline")
    frame.drop(columns="scenario").to_parquet(tmp_path / "r.parquet")
    stored = accord.read(str(tmp_path / "r.parquet"), engine="duckdb", level="ordinal")
    assert kept_apart(stored) == ("phase", "guideline")
    assert kept_apart(stored, ("phase",)) == ("guideline",)


def test_a_column_that_only_tells_control_items_apart_parts_nothing(frame):
    checks = frame.head(6).assign(item="c", role="attention", scenario="check", rater=list("ABCDEF"))
    plain = frame[frame.scenario == "alone"].assign(role="")
    assert kept_apart(accord.read(pd.concat([plain, checks]), level="ordinal")) == ()


def test_criteria_and_columns_asked_for_are_combined_each_by_itself(frame):
    both = pd.concat([frame.assign(criterion="fluency"), frame.assign(criterion="style", value=6 - frame.value)])
    both["group"] = np.where(both.rater.isin(list("ADG")), "g", "h")
    result = alpha(accord.read(both, level="ordinal"), by="group")
    combined = [group.by for group in result.groups if group.combined]
    assert combined == [{"criterion": c, "group": "h"} for c in ("fluency", "style")]


def test_what_cannot_be_pooled_is_told(frame):
    ratings = accord.read(frame, level="ordinal")
    with pytest.raises(AccordError, match="no column 'scenaro' to pool over"):
        accord.agreement(ratings, pool="scenaro")
    assert pooled(ratings, ()) is ratings


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_files_counted_where_they_lie_are_kept_apart_alike(frame, tmp_path, level):
    path = tmp_path / "r.parquet"
    frame.to_parquet(path)
    stored = alpha(accord.read(str(path), engine="duckdb", level=level))
    here = alpha(accord.read(frame, level=level))
    assert [g.by for g in stored.groups] == [g.by for g in here.groups]
    assert [e.value for e in stored] == pytest.approx([e.value for e in here], abs=1e-12)
    assert stored["krippendorff_alpha"].parts == pytest.approx(here["krippendorff_alpha"].parts)
    with_interval = accord.agreement(
        accord.read(str(path), engine="duckdb", level=level), coefficients="krippendorff_alpha"
    )
    assert with_interval["krippendorff_alpha"].interval is not None
    assert len(alpha(accord.read(str(path), engine="duckdb", level=level), pool="scenario").groups) == 1
    path.unlink()
    # What is said of the numbers was found before: the file may be gone when somebody reads it.
    assert [group["krippendorff_alpha"].signature.count("combined within") for group in stored.groups] == [0, 0, 0, 1]


def test_the_command_marks_the_combined_group(frame, tmp_path, accord_command):
    frame.to_csv(tmp_path / "r.csv", index=False)
    done = accord_command("agree", "r.csv", "-c", "krippendorff_alpha", "--level", "ordinal", "--json")
    groups = json.loads(done.stdout)["groups"]
    assert [group["by"] for group in groups] == [{"scenario": name} for name in SCENARIOS] + [{}]
    assert [group["combined"] for group in groups] == [[], [], [], ["scenario"]]
    shown = accord_command("agree", "r.csv", "-c", "krippendorff_alpha", "--level", "ordinal").stdout
    assert "combined within each scenario" in " ".join(shown.split())
    assert "--pool scenario" in shown
    together = accord_command("agree", "r.csv", "--level", "ordinal", "--pool", "scenario", "--json")
    assert [group["by"] for group in json.loads(together.stdout)["groups"]] == [{}]
    looked = accord_command("diagnose", "r.csv", "--level", "ordinal", "--show", "raters", "--json")
    assert {row["criterion"] for row in json.loads(looked.stdout)["raters"]} == {f"scenario {n}" for n in SCENARIOS}


def test_the_source_of_counts_of_one_part_is_left_alone(frame):
    source = count_source(accord.read(frame, level="ordinal"))
    assert len(accord.agreement(source, interval="none").groups) == 1


def of_kinds(kinds):
    rows = [
        {"item": f"i{k}", "rater": rater, "value": (k * 7 + shift) % 5 + 1, "kind": kind}
        for rater, (kind, shift) in kinds.items()
        for k in range(30)
    ]
    return accord.read(pd.DataFrame(rows), level="ordinal")


def test_models_and_people_are_not_paired_unless_asked():
    ratings = of_kinds({"ana": ("human", 0), "ben": ("human", 0), "gpt": ("model", 2), "llama": ("model", 2)})
    apart, together = alpha(ratings), alpha(ratings, pool="kind")
    assert [group.by for group in apart.parts] == [{"kind": "human"}, {"kind": "model"}]
    assert [group["krippendorff_alpha"].value for group in apart.parts] == [1, 1]
    assert together["krippendorff_alpha"].value < 0.6
    assert any("within each kind" in note and "--pool kind" in note for note in apart.notes)


def test_a_kind_of_anything_else_keeps_nothing_apart():
    ratings = of_kinds({"ana": ("expert", 0), "ben": ("crowd", 1)})
    assert kept_apart(ratings) == ()


def test_models_and_people_in_a_stored_file_are_not_paired_either(tmp_path):
    ratings = of_kinds({"ana": ("human", 0), "ben": ("human", 0), "gpt": ("model", 2), "llama": ("model", 2)})
    file = tmp_path / "judged.csv"
    ratings.to_frame("pandas").to_csv(file, index=False)
    stored = accord.read(file, engine="duckdb", level="ordinal")
    assert kept_apart(stored) == ("kind",)


def test_of_two_ratings_of_one_rater_a_pool_leaves_none_out_whatever_the_order_of_rows():
    frame = two_views(np.random.default_rng(3), items=30).assign(occasion=1)
    again = frame[(frame.scenario == "alone") & frame.item.isin([f"i{k}" for k in range(10)])]
    frame = pd.concat([frame, again.assign(scenario="context", value=6 - again.value)], ignore_index=True)
    both = frame.item.isin(again.item)
    # By hand: an item that a rater rated in two scenarios has a name in each.
    apart = frame.assign(item=frame.item.where(~both, frame.item + frame.scenario)).drop(columns="scenario")
    expected = alpha(accord.read(apart, level="ordinal"))["krippendorff_alpha"]
    for seed in range(4):
        ratings = accord.read(frame.sample(frac=1, random_state=seed), level="ordinal")
        made = alpha(ratings, pool="scenario")
        assert made["krippendorff_alpha"].value == pytest.approx(expected.value, abs=1e-12)
        assert made.groups[0].ratings == len(frame)
        assert made.groups[0].items == 20 + 3 * 10
        assert made.fingerprint == ratings.fingerprint
        note = (
            "10 items count once in each, rated in several by the same rater; ratings of the other 20 items are paired"
        )
        assert any(line.endswith(note) for line in made.notes)
        assert len(parts_of(pooled(ratings, "scenario"))[0].rows) == len(frame)


def test_a_later_occasion_in_another_part_of_a_pool_is_a_repeat():
    frame = two_views(np.random.default_rng(4), items=30).assign(occasion=1)
    again = frame[frame.scenario == "alone"].assign(scenario="context", occasion=2, value=5)
    both = accord.read(pd.concat([again, frame]), level="ordinal")
    once = alpha(accord.read(frame, level="ordinal"), pool="scenario")["krippendorff_alpha"]
    assert alpha(both, pool="scenario")["krippendorff_alpha"].value == pytest.approx(once.value, abs=1e-12)


@pytest.mark.parametrize("documents", [False, True])
@pytest.mark.parametrize("pool", [(), ("scenario",)])
def test_a_seed_draws_the_same_of_all_parts_together_whatever_the_order_of_rows(documents, pool):
    frame = two_views(np.random.default_rng(8), items=30)
    if documents:
        frame = frame.assign(document="d" + (frame.item.str[1:].astype(int) // 3).astype(str))
    ends = set()
    for seed in range(3):
        ratings = accord.read(frame.sample(frac=1, random_state=seed), level="ordinal")
        made = accord.agreement(
            ratings, coefficients="krippendorff_alpha", pool=pool, interval="percentile", replicates=200, seed=1
        )
        whole = next(group for group in made.groups if "scenario" not in group.by)
        found = [one.interval for one in whole.estimates]
        ends.add(tuple((round(one.low, 12), round(one.high, 12)) for one in found))
    assert len(ends) == 1


def test_one_model_beside_people_has_no_row_of_its_own_and_a_line_says_so():
    answers = answers_of(alpha(of_kinds({"ana": ("human", 0), "ben": ("human", 0), "gpt": ("model", 2)})))
    assert [one.group.by for one in answers.parts] == [{"kind": "human"}] == [one.group.by for one in answers.leading]
    assert any("one model rated beside people" in note for note in answers.notes)
    several = answers_of(alpha(of_kinds({name: (kind, 0) for name, kind in (
        ("ana", "human"), ("ben", "human"), ("gpt", "model"), ("llama", "model"))})))  # fmt: skip
    assert len(several.parts) == 2 and not any("one model" in note for note in several.notes)
