"""Swapped pairs show what a judge makes of the first place, without labels of people."""

import numpy as np
import pytest

import accord
from accord.errors import OptionError


def _pairs(tmp_path, *, liking, column, ties=0.1, pairs=200, seed=1):
    """Pairs in documents of four, judged in both orders by a judge with a liking for the first, and some by people."""
    rng = np.random.default_rng(seed)
    rows = [f"item,rater,kind,document,{column},value"]
    for pair in range(pairs):
        better = rng.random() < 0.5
        for swapped in (False, True):
            chance = 0.5 + (0.3 if better else -0.3) + (-liking if swapped else liking)
            chosen = "alpha" if rng.random() < chance else "beta"
            chosen = "tie" if rng.random() < ties else chosen
            shown = {"shown_first": "beta" if swapped else "alpha", "swapped": "yes" if swapped else "no"}[column]
            value = chosen if column == "shown_first" else {"alpha": "A", "beta": "B", "tie": "tie"}[chosen]
            rows.append(f"p{pair},judge,model,d{pair // 4},{shown},{value}")
        if pair < 40:
            mine = "alpha" if better else "beta"
            value = mine if column == "shown_first" else {"alpha": "A", "beta": "B"}[mine]
            shown = "alpha" if column == "shown_first" else "no"
            rows += [f"p{pair},{name},human,d{pair // 4},{shown},{value}" for name in ("ann", "bob")]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(rows) + "\n")
    return accord.judge(accord.read(path), seed=1).result.parts[0]


@pytest.mark.parametrize("column", ["shown_first", "swapped"])
def test_a_liking_for_the_first_place_is_found_in_its_size(tmp_path, column):
    part = _pairs(tmp_path, liking=0.15, column=column)
    effect = part.probes[0]
    assert effect.items == 200 and effect.p < 0.001
    # A tenth of the choices are ties, which take no side.
    assert 0.15 * 0.9 in effect.interval
    assert "survive the swap" in effect.note
    assert part.runs is None, "the other order is no second run"


def test_no_liking_is_not_found(tmp_path):
    found = [_pairs(tmp_path, liking=0.0, column="swapped", seed=seed).probes[0].p < 0.05 for seed in range(20)]
    assert sum(found) <= 3


def test_without_swaps_the_dossier_says_what_would_show_them(make_study):
    part = accord.judge(make_study()).result.parts[0]
    assert any(line.startswith("Position: no column says where an output stood") for line in part.untested)


def test_scores_of_the_same_output_in_both_places_are_compared(tmp_path):
    rng = np.random.default_rng(2)
    rows = ["item,rater,kind,document,shown,value"]
    for item in range(60):
        quality = rng.normal(60, 10)
        rows += [f"i{item},judge,model,d{item // 3},{place},{quality + more + rng.normal(0, 3):.0f}"
                 for place, more in (("first", 4), ("second", 0))]  # fmt: skip
        rows += [f"i{item},{name},human,d{item // 3},first,{quality + rng.normal(0, 3):.0f}" for name in ("ann", "bob")]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(rows) + "\n")
    effect = accord.judge(accord.read(path)).result.parts[0].probes[-1]
    assert effect.name == "position, the same output first against second"
    assert 4 in effect.interval and effect.p < 0.001


def test_every_part_of_a_dossier_can_be_drawn_or_says_why_not(make_study):
    from accord.functions.judge_charts import PARTS

    answer = accord.judge(make_study(runs=2), gate={"bias": 0.3})
    refused = []
    for part in (*PARTS, "gate"):
        try:
            assert answer.plot(part=part).rows, part
        except OptionError as error:
            refused.append((part, str(error)))
    assert {part for part, _ in refused} <= {"settings", "probes"}, refused
    with pytest.raises(OptionError, match="There is no part 'sound' to draw"):
        answer.plot(part="sound")
