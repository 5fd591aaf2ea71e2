"""Ranks become preferences with 1 as the best, and WMT's pairwise κ is what its formula gives by hand."""

import csv
import json
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from accord.ratings.build import build_ratings
from accord.ratings.codebook import LeftOut
from accord.ratings.data_package import write_codebook
from accord.scoring.preferences import bradley_terry_davidson
from accord.scoring.ranks import pairwise_kappa, pairwise_kappas, placed_pairs, preferences_of

SYSTEMS = ("A", "B", "C", "D", "E")
BETTER = {system: place for place, system in enumerate(SYSTEMS)}


@pytest.mark.parametrize("name", ["s{item}", "s{item}:{system}"])
def test_texts_of_one_item_are_ranked_together_however_items_are_named(name, tmp_path):
    """A reader that meets one item for several systems names them apart."""
    import accord

    lines = ["item,rater,system,value"]
    for item, rater in product(range(6), "ab"):
        lines += [f"{name.format(item=item, system=one)},{rater},{one},{place + 1}" for one, place in BETTER.items()]
    (tmp_path / "ranks.csv").write_text("\n".join(lines), encoding="utf-8")
    assert len(placed_pairs(accord.read(tmp_path / "ranks.csv"))) == 6 * 2 * 10


def rows(raters=4, items=30, noise=1.0, seed=0):
    """Five-way rankings of raters who mostly see that A is better than B, and so on."""
    rng = np.random.default_rng(seed)
    for item, rater in product(range(items), range(raters)):
        worth = [BETTER[system] + rng.normal(0, noise) for system in SYSTEMS]
        order = np.argsort(np.argsort(worth)) + 1
        for system, rank in zip(SYSTEMS, order, strict=True):
            yield {"item": f"s{item}:{system}", "rater": f"r{rater}", "system": system, "value": int(rank)}


def ratings_of(made):
    made = list(made)
    return build_ratings({name: [row[name] for row in made] for name in made[0]}, level="ordinal")


def test_who_has_rank_1_is_preferred():
    result = bradley_terry_davidson(preferences_of(placed_pairs(ratings_of(rows()))))
    assert [system.name for system in result.systems] == list(SYSTEMS)
    assert result.comparisons == 30 * 4 * 10


def test_equal_ranks_are_a_tie():
    ranks = {"A": 1, "B": 1, "C": 3}
    tied = [{"item": f"s:{name}", "rater": "r", "system": name, "value": rank} for name, rank in ranks.items()]
    assert [(one.first, one.second, one.winner) for one in placed_pairs(ratings_of(tied))] == [
        ("A", "B", ""), ("A", "C", "A"), ("B", "C", "B"),
    ]  # fmt: skip


def kappa_by_hand(made):
    """The formula of WMT13 written again, pair by pair."""
    ranks = {}
    for row in made:
        ranks.setdefault((row["item"].split(":")[0], row["rater"]), {})[row["system"]] = row["value"]
    same = total = ties = judged = 0
    for item in {key[0] for key in ranks}:
        screens = [given for (name, _), given in ranks.items() if name == item]
        for a, b in combinations(SYSTEMS, 2):
            signs = [int(np.sign(given[a] - given[b])) for given in screens]
            ties, judged = ties + signs.count(0), judged + len(signs)
            same += sum(one == other for one, other in combinations(signs, 2))
            total += len(signs) * (len(signs) - 1) // 2
    tied = ties / judged
    chance = tied**2 + 2 * ((1 - tied) / 2) ** 2
    return (same / total - chance) / (1 - chance)


@pytest.mark.parametrize("noise, coarse", [(0.5, False), (2.0, False), (1.0, True)])
def test_pairwise_kappa_is_the_formula_written_again(noise, coarse):
    made = [row | {"value": min(row["value"], 3) if coarse else row["value"]} for row in rows(noise=noise)]
    found = pairwise_kappa(placed_pairs(ratings_of(made)), np.random.default_rng(1))
    assert found.value == pytest.approx(kappa_by_hand(made), abs=1e-12)
    assert found.interval.low < found.value < found.interval.high
    assert (found.comparisons, found.items) == (30 * 10 * 6, 30)


def test_rankings_given_again_measure_raters_with_themselves_and_count_once():
    made = [row | {"occasion": "1"} for row in rows(raters=2)]
    made += [row | {"occasion": "2"} for row in made]
    pairs = placed_pairs(ratings_of(made))
    assert len(preferences_of(pairs)) == 30 * 2 * 10
    assert pairwise_kappa(pairs, np.random.default_rng(0), within=True).value == pytest.approx(1.0)
    assert pairwise_kappa(pairs, np.random.default_rng(0)).comparisons == 30 * 10


def test_the_command_takes_a_file_of_ranks(tmp_path, accord_command):
    with (tmp_path / "ranks.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["item", "rater", "system", "value"])
        writer.writeheader()
        writer.writerows(rows())
    done = accord_command("prefer", "ranks.csv", "--ranks", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [one["system"] for one in told["systems"]] == list(SYSTEMS)
    assert told["agreement"][0]["value"] == pytest.approx(kappa_by_hand(list(rows())), abs=1e-9)
    refused = accord_command("prefer", "ranks.csv")
    assert refused.returncode == 2 and "--ranks" in refused.stderr


def test_a_study_s_ranking_is_known_by_its_codebook_and_keeps_its_direction():
    from accord.design.study import CriterionSettings
    from accord.ratings.codebook import Codebook
    from accord.scoring.ranks import ranking_criterion

    order = CriterionSettings(key="order", question="Put them in order.", kind="ranking")
    fluency = CriterionSettings(key="fluency", question="How fluent?", kind="scale", level="ordinal", values=(1, 2, 3))
    made = [row | {"criterion": "order"} for row in rows(items=4)]
    book = Codebook(criteria={"order": order.meaning(), "fluency": fluency.meaning()})
    ratings = build_ratings({name: [row[name] for row in made] for name in made[0]}, codebook=book)
    assert ratings.criterion.direction == "low"
    assert ranking_criterion(ratings) == "order"
    assert ranking_criterion(ratings, "fluency") is None


def in_two_scenarios(again=False):
    """Every rater ranks the items alone and in context; alone with much more noise. ``again``: half of them twice."""
    made = [row | {"scenario": name, "role": ""} for name, noise, seed in (("alone", 4.0, 1), ("context", 0.5, 2))
            for row in rows(raters=3, noise=noise, seed=seed)]  # fmt: skip
    if again:
        made += [row | {"role": "repeat"} for row in rows(raters=3, items=15, noise=0.5, seed=2)
                 for row in [row | {"scenario": "context"}]]  # fmt: skip
    return made


def by_parts(made, parts):
    """κ of parts put together by hand: observed and expected agreement weighted by the comparisons of each part."""
    agreed = expected = total = 0.0
    for name in parts:
        (one,) = pairwise_kappas(placed_pairs(ratings_of([r for r in made if r["scenario"] == name])), 0)
        agreed, expected = agreed + one.agreed * one.comparisons, expected + one.expected * one.comparisons
        total += one.comparisons
    return (agreed - expected) / (total - expected)


def test_rankings_of_two_scenarios_are_never_compared_with_each_other():
    made = in_two_scenarios()
    together, alone, context = pairwise_kappas(placed_pairs(ratings_of(made)), 0)
    assert [one.within for one in (together, alone, context)] == [False, False, False]  # nobody ranked anything again
    assert (together.part, alone.part, context.part) == ("", "alone", "context")
    assert together.comparisons == alone.comparisons + context.comparisons == 2 * 30 * 10 * 3
    for one, name in ((alone, "alone"), (context, "context")):
        own = [row for row in made if row["scenario"] == name]
        assert one.value == pytest.approx(kappa_by_hand(own), abs=1e-12)
    assert together.value == pytest.approx(by_parts(made, ("alone", "context")), abs=1e-12)
    assert alone.value < together.value < context.value


def test_only_a_screen_ranked_again_says_how_raters_agree_with_themselves():
    *_, own = pairwise_kappas(placed_pairs(ratings_of(in_two_scenarios(again=True))), 0)
    # The repeats are the same rankings again, of three raters on fifteen items.
    assert own.within and own.value == pytest.approx(1.0) and own.comparisons == 3 * 15 * 10


def test_a_screen_ranked_again_in_a_later_phase_is_a_repeat():
    made = [row | {"phase": "main", "role": ""} for row in rows(raters=2)]
    made += [row | {"phase": "retest", "role": "repeat"} for row in made]
    between, own = pairwise_kappas(placed_pairs(ratings_of(made)), 0)
    assert (between.comparisons, own.comparisons, own.value) == (30 * 10, 2 * 30 * 10, pytest.approx(1.0))


def test_scenarios_are_pooled_by_name_and_never_a_rater_with_himself():
    from accord.ratings.apart import pooled

    crossed = [row for row in in_two_scenarios() if (row["scenario"] == "alone") == (row["rater"] == "r0")]
    apart = pairwise_kappas(placed_pairs(ratings_of(crossed)), 0)
    together = pairwise_kappas(placed_pairs(pooled(ratings_of(crossed), ["scenario"])), 0)
    assert apart[0].comparisons == 30 * 10 and together[0].comparisons == 3 * 30 * 10
    both = pairwise_kappas(placed_pairs(pooled(ratings_of(in_two_scenarios()), ["scenario"])), 0)
    assert not any(one.within for one in both)


def write(path, made):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(made[0]))
        writer.writeheader()
        writer.writerows(made)


def test_the_command_says_what_is_apart_pools_by_name_and_leaves_raters_out(tmp_path, accord_command):
    write(tmp_path / "ranks.csv", in_two_scenarios())

    def told(*options):
        done = accord_command("prefer", "ranks.csv", "--ranks", "--json", *options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    usual, pooled_by_name, without = told(), told("--pool", "scenario"), told("--leave-out", "r1")
    assert any("within each scenario" in note for note in usual["notes"])
    assert (
        "wins and losses are counted over every scenario (alone and context); --where scenario=alone counts one alone."
        in usual["notes"]
    )
    assert any(note.startswith("pooled over scenario, as asked") for note in pooled_by_name["notes"])
    assert usual["agreement"][0]["value"] == pytest.approx(by_parts(in_two_scenarios(), ("alone", "context")))
    assert without["comparisons"] == usual["comparisons"] * 2 // 3
    assert any("left out: rater r1" in note for note in without["notes"])
    signatures = {one["signature"] for one in (usual, pooled_by_name, without)}
    assert len(signatures) == 3 and all("|ratings=" in one for one in signatures)
    refused = accord_command("prefer", "ranks.csv", "--ranks", "--leave-out", "r9")
    assert refused.returncode == 2 and "no rater 'r9'" in refused.stderr


def test_whom_the_codebook_leaves_out_ranks_nothing_unless_everybody_is_kept(tmp_path):
    import accord

    write(tmp_path / "ranks.csv", list(rows(raters=3)))
    book = accord.read(tmp_path / "ranks.csv", level="ordinal").codebook
    book = replace(book, left_out=(LeftOut(rater="r2", rule="too_fast", reason="in a second"),))
    write_codebook(book, tmp_path / "ranks.csv", ["item", "rater", "system", "value"])
    usual, everybody = (accord.prefer(tmp_path / "ranks.csv", ranks=True, keep_all=all_of) for all_of in (False, True))
    assert usual.result.comparisons == 30 * 2 * 10 and everybody.result.comparisons == 30 * 3 * 10
    assert any("left out: rater r2" in line for line in usual.words)
    assert any("kept, though left out before: rater r2" in line for line in everybody.words)


def test_one_scenario_is_looked_at_alone_and_the_signature_says_so(tmp_path, accord_command):
    made = in_two_scenarios()
    write(tmp_path / "ranks.csv", made)

    def told(*options):
        done = accord_command("prefer", "ranks.csv", "--ranks", "--json", *options)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    alone, usual = told("--where", "scenario=alone"), told()
    assert alone["comparisons"] * 2 == usual["comparisons"]
    assert "|where=scenario=alone|" in alone["signature"] and "where" not in usual["signature"]
    refused = accord_command("prefer", "ranks.csv", "--ranks", "--where", "scenario=elsewhere")
    assert refused.returncode == 2 and "No rating has the scenario elsewhere. Known here: alone" in refused.stderr
    refused = accord_command("prefer", "ranks.csv", "--ranks", "--where", "place=alone")
    assert refused.returncode == 2 and "there is no column 'place'" in refused.stderr


def test_comparisons_row_by_row_are_chosen_by_their_columns_too(tmp_path, accord_command):
    rows_of_two = "item,rater,domain,first,second,preferred\n" + "".join(
        f"i{item},{rater},{('news', 'novel')[item % 2]},X,Y,{'X' if item % 3 else 'Y'}\n"
        for item in range(30)
        for rater in "ABCD"
    )
    (tmp_path / "choices.csv").write_text(rows_of_two, encoding="utf-8")
    told = json.loads(accord_command("prefer", "choices.csv", "--where", "domain=news", "--json").stdout)
    assert told["comparisons"] == 60
