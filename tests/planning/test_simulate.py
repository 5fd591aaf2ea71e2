"""Simulated raters give back the truth that was put into them."""

from collections import defaultdict

import numpy as np
import pytest

from accord.design.assignment import plan_assignment
from accord.design.items import own_columns
from accord.design.load import load_study
from accord.design.preset import PRESETS, copy_preset
from accord.errors import OptionError
from accord.planning.simulate import RATING_COLUMNS, simulate_study
from accord.planning.simulated_raters import RaterTraits
from accord.ratings.build import build_ratings
from design.study_folder import SCENARIO, items_text, write_study

QUIET = RaterTraits(severity=0.0, noise=0.3, drift=0.0, inattention=0.0)


def simulated(folder, traits=QUIET, seed=1):
    study = load_study(folder)
    return study, simulate_study(study, plan_assignment(study), traits, np.random.default_rng(seed))


def slider(tmp_path, raters=6):
    return write_study(tmp_path, assignment=f'design = "crossed"\nraters = {raters}', documents=30, segments=2)


def means(rows, key):
    found = defaultdict(list)
    for row in rows:
        found[row[key]].append(float(row["value"]))
    return {name: float(np.mean(values)) for name, values in found.items()}


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_filled_in_with_one_answer_a_question(name, tmp_path):
    copy_preset(name, tmp_path / "s")
    study, made = simulated(tmp_path / "s")
    plan = plan_assignment(study)
    wanted = sum(
        1 if criterion.once_per_task else len(task.systems)
        for task in plan.tasks()
        for criterion in study.settings.asked_in(task.scenario)
    )
    assert len(made.ratings) == wanted
    brought = {"ambiguity", *own_columns(study.items)}
    assert all(set(RATING_COLUMNS) <= set(row) <= {*RATING_COLUMNS, *brought} for row in made.ratings)
    assert all(row["value"] != "" for row in made.ratings)
    keys = [(row["item"], row["rater"], row["criterion"], row["scenario"], row["occasion"]) for row in made.ratings]
    assert len(set(keys)) == len(keys)


def test_mean_scores_follow_the_true_quality(tmp_path):
    _, made = simulated(slider(tmp_path))
    scores = means(made.ratings, "item")
    truth = [made.truth.of(*item.rsplit(":", 1)) for item in scores]
    assert np.corrcoef(list(scores.values()), truth)[0, 1] > 0.95


def test_the_strict_rater_is_found_where_it_was_put(tmp_path):
    _, made = simulated(slider(tmp_path), RaterTraits(severity={"R2": 1.0}, noise=0.3, inattention=0.0))
    by_rater = means(made.ratings, "rater")
    others = [mean for rater, mean in by_rater.items() if rater != "R2"]
    assert by_rater["R2"] < min(others) - 15 and np.ptp(others) < 5


def test_drift_makes_the_second_half_stricter(tmp_path):
    _, made = simulated(slider(tmp_path), RaterTraits(severity=0.0, noise=0.3, drift=1.5, inattention=0.0))
    half = np.median([row["order"] for row in made.ratings])
    early = np.mean([float(row["value"]) for row in made.ratings if row["order"] <= half])
    late = np.mean([float(row["value"]) for row in made.ratings if row["order"] > half])
    assert early - late > 10


def test_inattention_and_noise_lower_the_correlation_of_raters(tmp_path):
    folder = slider(tmp_path, raters=2)

    def correlation(traits):
        rows = simulated(folder, traits)[1].ratings
        values = {rater: {r["item"]: float(r["value"]) for r in rows if r["rater"] == rater} for rater in ("R1", "R2")}
        return np.corrcoef([[values[r][item] for item in values["R1"]] for r in ("R1", "R2")])[0, 1]

    good = correlation(QUIET)
    assert good > 0.8
    assert correlation(RaterTraits(severity=0.0, noise=0.3, inattention={"R2": 0.9})) < good - 0.4
    assert correlation(RaterTraits(severity=0.0, noise=2.0, inattention=0.0)) < good - 0.4


def test_a_copying_rater_gives_the_answers_of_the_one_before(tmp_path):
    _, made = simulated(slider(tmp_path, raters=2), RaterTraits(noise=1.0, copying={"R2": 1.0}))
    answers = defaultdict(set)
    for row in made.ratings:
        answers[row["item"]].add(row["value"])
    assert all(len(values) == 1 for values in answers.values())


def test_degraded_items_score_lower_and_references_higher(tmp_path):
    copy_preset("direct-assessment", tmp_path / "s")
    by_role = means(simulated(tmp_path / "s")[1].ratings, "role")
    assert by_role["degraded"] < by_role["system"] - 15 and by_role["reference"] > by_role["system"] + 10


def test_ambiguous_sentences_lose_adequacy_but_not_fluency_in_context(tmp_path):
    copy_preset("document-context", tmp_path / "s")
    study, made = simulated(tmp_path / "s", QUIET)
    unclear = {item.id for item in study.items if item.ambiguity}

    def drop(criterion):
        rows = [r for r in made.ratings if r["criterion"] == criterion and r["item"].split(":")[0] in unclear]
        by_scenario = means(rows, "scenario")
        return by_scenario["RS"] - by_scenario["SC"]

    assert drop("adequacy") > 0.4 and abs(drop("fluency")) < 0.2


def test_the_better_system_wins_most_comparisons(tmp_path):
    copy_preset("pairwise", tmp_path / "s")
    rows = simulated(tmp_path / "s")[1].ratings
    met = [row["value"] for row in rows if row["item"].endswith(":alpha~gamma")]
    assert met.count("alpha") > 2 * met.count("gamma")


def test_ranks_and_post_edits_are_filled_in_too(tmp_path):
    criteria = (
        '[[criteria]]\nkey = "r"\nquestion = "?"\nkind = "ranking"\n'
        '[[criteria]]\nkey = "p"\nquestion = "?"\nkind = "post_edit"\n'
    )
    _, made = simulated(write_study(tmp_path, criteria=criteria, scenarios=SCENARIO + "systems = 2\n"))
    ranks = {row["value"] for row in made.ratings if row["criterion"] == "r"}
    rates = [row["value"] for row in made.ratings if row["criterion"] == "p"]
    assert ranks <= {1, 2} and all(0 <= rate <= 1 for rate in rates)


def test_texts_ranked_against_several_others_are_read_back(tmp_path):
    rank = '[[criteria]]\nkey = "r"\nquestion = "?"\nkind = "ranking"\n'
    folder = write_study(tmp_path, criteria=rank, scenarios=SCENARIO + "systems = 2\n")
    (folder / "items.tsv").write_text(items_text(4, 2, 3), encoding="utf-8")
    made = simulated(folder)[1]
    names = ("item", "rater", "value", "criterion", "occasion")
    columns = {name: [row[name] for row in made.ratings] for name in names}
    assert max(columns["occasion"]) > 1
    assert len(build_ratings(columns)) == len(made.ratings)


def test_marked_spans_lie_inside_the_text_and_cost_what_the_study_says(tmp_path):
    copy_preset("mqm", tmp_path / "s")
    study, made = simulated(tmp_path / "s", RaterTraits())
    assert made.errors
    points = defaultdict(float)
    for error in made.errors:
        item = study.item_by_id[error["item"].split(":")[0]]
        text = item.source if error["side"] == "source" else item.outputs[error["system"]]
        assert 0 <= error["start"] < error["end"] <= len(text)
        assert error["text"] == text[error["start"] : error["end"]]
        weight = {"major": 5.0, "minor": 1.0, "neutral": 0.0}[error["severity"]]
        weight = {"minor/punctuation": 0.1, "major/non-translation": 25.0}.get(
            f"{error['severity']}/{error['category']}", weight
        )
        points[error["item"], error["rater"]] += weight
    for row in made.ratings:
        assert row["value"] == pytest.approx(points[row["item"], row["rater"]])


def test_spans_are_marked_in_the_source_only_where_the_study_asks_for_it(tmp_path):
    copy_preset("mqm", tmp_path / "s")
    _, made = simulated(tmp_path / "s", RaterTraits())
    missing = [error for error in made.errors if error["side"] == "source"]
    assert missing and {error["category"] for error in missing} == {"omission"}
    assert len(missing) < len(made.errors) / 2
    path = tmp_path / "s" / "study.toml"
    path.write_text(
        path.read_text("utf-8").replace('sides = ["target", "source"]\nomissions = true\n', ""), encoding="utf-8"
    )
    assert {error["side"] for error in simulated(tmp_path / "s", RaterTraits())[1].errors} == {"target"}


def test_attentive_raters_mark_the_foreign_phrase_and_all_marks_lie_in_the_text_shown(tmp_path):
    copy_preset("esa", tmp_path / "s")
    study, made = simulated(tmp_path / "s", QUIET)
    shown = {
        (f"{task.item}:{task.systems[0]}#attention", task.rater): task.texts[0]
        for task in plan_assignment(study).tasks()
        if task.role == "attention"
    }
    marked = defaultdict(list)
    for error in made.errors:
        marked[error["item"], error["rater"]].append(error)
        if (key := (error["item"], error["rater"])) in shown and error["side"] == "target":
            assert error["text"] == shown[key][error["start"] : error["end"]] != ""
    assert shown and all(marked[key] for key in shown)


def test_inattention_and_copying_reach_marks_too(tmp_path):
    copy_preset("mqm", tmp_path / "s")
    _, made = simulated(tmp_path / "s", RaterTraits(copying={"R6": 1.0}, inattention={"R1": 1.0}))
    value = {(row["item"], row["rater"]): row["value"] for row in made.ratings}
    own = [item for item, rater in value if rater == "R6"]
    assert all(any(value.get((item, f"R{n}")) == value[item, "R6"] for n in range(1, 6)) for item in own)
    careless = simulated(tmp_path / "s", RaterTraits(inattention={"R1": 1.0}))[1]
    careful = simulated(tmp_path / "s", RaterTraits())[1]
    assert [r for r in careless.ratings if r["rater"] == "R1"] != [r for r in careful.ratings if r["rater"] == "R1"]


def test_careful_raters_know_the_answers_of_gold_items_and_careless_ones_do_not(tmp_path):
    lines = items_text(4, 3, 1).splitlines()
    known = [f"{line}\t{'90' if place % 3 == 0 else ''}" for place, line in enumerate(lines[1:])]
    items = "\n".join([f"{lines[0]}\tgold:quality", *known]) + "\n"
    folder = write_study(tmp_path, more="[controls]\ngold = 4\nblocks = 4\nspacing = 0\n", items=items)
    _, made = simulated(folder, RaterTraits(noise=0.3, inattention={"R2": 1.0}))
    shown = {
        rater: [row["value"] for row in made.ratings if row["role"] == "gold" and row["rater"] == rater]
        for rater in ("R1", "R2", "R3")
    }
    assert all(len(values) == 4 for values in shown.values())
    assert all(abs(value - 90) <= 5 for value in shown["R1"] + shown["R3"])
    assert max(abs(value - 90) for value in shown["R2"]) > 20


def test_the_same_seed_gives_the_same_ratings(tmp_path):
    folder = slider(tmp_path)
    assert simulated(folder)[1].ratings == simulated(folder)[1].ratings
    assert simulated(folder)[1].ratings != simulated(folder, seed=2)[1].ratings


def test_traits_out_of_range_and_unknown_raters_are_refused(tmp_path):
    with pytest.raises(OptionError, match="inattention is a share"):
        RaterTraits(inattention=1.5)
    with pytest.raises(OptionError, match="names the rater 'R99'"):
        simulated(slider(tmp_path), RaterTraits(severity={"R99": 1.0}))
