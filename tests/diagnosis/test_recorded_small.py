"""What is found wrong in small studies is what was recorded: every finding, number and sentence."""

import tempfile
from pathlib import Path
from random import Random

import numpy as np
import pytest

import accord
from accord.design.scale import Level
from accord.diagnosis.audit.bootstrap import audit_bootstrap, read_bootstrap
from accord.diagnosis.audit.report import audit_table
from accord.diagnosis.case import Case
from accord.diagnosis.categories import category_use, skew_cause
from accord.diagnosis.causes import causes_of, heaviest_rater
from accord.diagnosis.consistency import least_consistent
from accord.diagnosis.correlation import (
    agreement_with_correlation,
    explain,
    pair_averages,
    predictability,
    scope_averages,
    sign_test,
)
from accord.diagnosis.differential import differential_functioning
from accord.diagnosis.influence import influential_items
from accord.diagnosis.items import decomposition, disputed_items, far_apart, item_entropies
from accord.diagnosis.latent import latent_classes
from accord.diagnosis.level_hint import level_hint
from accord.diagnosis.part import parts_of
from accord.diagnosis.reliabilities import accuracy, replication, reproducibility, stability
from accord.diagnosis.score_patterns import score_patterns, task_association
from accord.diagnosis.severity import crossed_fit, rater_effects
from accord.diagnosis.terminology import normalised
from accord.diagnosis.text_level import crossed_icc, generalizability, text_level
from accord.diagnosis.triangulation import influence, subset_gammas, triangulate
from accord.diagnosis.what_if import finer_scale, sensitivity, uniform_chance, what_if
from small_studies import assert_as_recorded, said, small_study

SEEDS = range(12)
FEWER = {
    "findings": 6,
    "faults": 10,
    "causes": 4,
    "checked": 5,
    "audits": 12,
    "classes": 8,
    "functioning": 8,
    "models": 8,
    "raters": 8,
}


def random(seed):
    return np.random.default_rng(seed)


def parts(seed, **given):
    return parts_of(small_study(seed, **given))


FAULTS = (
    lambda item, rater, value: 2 if rater == 0 and 4 <= item <= 26 else value,
    lambda item, rater, value: 1 + (item * 7) % 5 if rater < 2 else value,
    lambda item, rater, value: 6 - value if rater == 2 else value,
    lambda item, rater, value: max(1, value - 2) if rater == 1 else value,
    lambda item, rater, value: max(1, value - item // 12) if rater == 3 else value,
    lambda item, rater, value: 5 if item % 9 else value,
    lambda item, rater, value: min(5, rater + 1),
    lambda item, rater, value: 3 if rater == 1 else value,
    lambda item, rater, value: value if rater else 1 + (item * 3) % 5,
    lambda item, rater, value: 1 + 4 * (value > 3),
    lambda item, rater, value: value,
    lambda item, rater, value: min(value + (item % 2), 5) if rater == 0 else value,
)
ROLES = ("system", "system", "system", "repeat", "gold", "system")


def faulty(seed, **given):
    """Forty items with one thing wrong in each study."""
    drawn = {
        "items": 40,
        "raters": 4,
        "steps": 5,
        "criteria": 1,
        "noise": (0.4, 0.8)[seed % 2],
        "each": 4,
        "systems": 2,
        "gaps": (0, 0.2)[seed % 3 == 2],
        "level": (Level.ORDINAL, Level.INTERVAL, Level.NOMINAL)[seed % 5 % 3],
        "value": FAULTS[seed % len(FAULTS)],
        "columns": {
            "group": lambda item, rater, _: "AB"[rater % 2],
            "task": lambda item, *_: ("gist", "law")[item % 4 > 2],
        },
    }
    return small_study(seed, **(drawn | given))


def found(ratings, seed):
    made = accord.diagnose(ratings, seed=seed)
    return {"said": str(made).splitlines(), "numbers": made.to_dict()}


def causes(seed):
    ratings = faulty(seed)
    diagnosis = accord.diagnose(ratings)
    return {"causes": causes_of(diagnosis, ratings), "heaviest": heaviest_rater(parts_of(ratings))}


def checked(seed):
    """Repeats and known answers among the items."""
    names = {3: -3, 4: -4}
    ratings = faulty(
        seed,
        items=36,
        name=lambda item: f"i{item + names.get(item % 6, 0)}",
        columns={
            "role": lambda item, *_: ROLES[item % 6],
            "occasion": lambda item, *_: "2" if item % 6 == 3 else "1",
            "gold": lambda item, *_: str(1 + item % 5) if item % 6 == 4 else "",
        },
    )
    made = parts_of(ratings)
    return [[stability(part), accuracy(part), said(lambda part=part: reproducibility(part))] for part in made] + [
        found(ratings, seed)["said"]
    ]


def of_parts(seed):
    return [
        {
            "use": category_use(part),
            "skew": said(lambda part=part: skew_cause(part)),
            "hint": level_hint(part),
            "entropy": item_entropies(part, 4),
            "disputed": disputed_items(part, most=2, agreed=2),
            "far": far_apart(part),
            "parts": said(lambda part=part: decomposition(part)),
            "latin": part.title,
            "linear": said(lambda part=part: decomposition(part, weights="identity")),
            "influential": said(lambda part=part: influential_items(part, ("krippendorff_alpha",), most=3)),
            "unsteady": said(lambda part=part: least_consistent(part, np.arange(len(part.rater_names)), random(seed))),
        }
        for part in parts(seed)
    ]


def pairs(seed):
    ratings = small_study(
        seed,
        raters=4,
        columns={"group": lambda item, rater, _: "AB"[rater % 2], "batch": lambda item, *_: "xy"[item % 2]},
    )
    part = parts_of(ratings)[0]
    sides = agreement_with_correlation(ratings)
    return {
        "sides": sides,
        "scopes": scope_averages(sides),
        "averages": pair_averages(ratings),
        "explained": [explain(pair) for pair in part.pairs],
        "predicted": predictability(Case(part, random(seed))),
        "three": said(lambda: triangulate(part.pairs)),
        "subsets": {str(k): v for k, v in subset_gammas(part.pairs, 3).items()},
        "influence": said(lambda: influence(part)),
        "signs": [sign_test(high, seed) for high in (0, 1, 5)],
    }


def raters(seed):
    part = parts_of(faulty(seed))[0]
    fit = crossed_fit(part)
    return {
        "effects": said(lambda: rater_effects(part, confidence=0.9)),
        "fit": fit,
        "text": said(lambda: text_level(part)),
        "worth": said(lambda: generalizability(part, future_raters=(None, 3)[seed % 2])),
        "icc": crossed_icc(random(seed).integers(1, 5, (6, 3)).astype(float)),
    }


def models(seed):
    ratings = faulty(seed, items=16, criteria=2, level=(Level.ORDINAL, Level.INTERVAL)[seed % 2])
    patterns = said(lambda: score_patterns(ratings, clusters=(0, 2)[seed % 2]))
    first, second = parts_of(faulty(seed, items=12)), parts_of(faulty(seed, items=12, noise=1.2))
    return {
        "patterns": patterns,
        "tasks": ""
        if isinstance(patterns, str)
        else said(lambda: task_association(ratings, patterns, "task", random(seed), permutations=50)),
        "again": said(lambda: replication(first[0], second[0])),
    }


def functioning(seed):
    ratings = faulty(
        seed, steps=(2, 5)[seed % 2], value=lambda item, rater, value: max(1, value - (rater == 1 and item % 2))
    )
    return [
        said(
            lambda of=of: differential_functioning(
                ratings, between="system", of=of, correct=seed % 2 == 0, purify=seed % 3 > 0
            )
        )
        for of in ("rater", "item", "criterion", "x")
    ] + [said(lambda: differential_functioning(ratings, between="task", reference=("", "law", "none")[seed % 3]))]


def imagined(seed):
    weights = ("identity", "linear", "quadratic")[seed % 3]
    part = parts(seed, steps=3, level=Level.ORDINAL)[0]
    return [
        said(lambda: sensitivity(0.05 * seed, 0.3, target=(0.67, 0.3, 1.0)[seed % 3], weights=weights)),
        [uniform_chance(values, weights) for values in (2, 3, 5, 100)],
        said(lambda: finer_scale(part, values=4 + seed % 2)),
        said(lambda: what_if(part, weights=weights)),
    ]


NAMES = (
    "Cohen's kappa",
    "κ",
    "fleiss",
    "Krippendorff alpha",
    "IAA",
    "ICC(2,1)",
    "percent agreement",
    "weighted kappa",
    "x",
    "Pearson r",
    "Kendall's tau",
    "gwet ac1",
)


def audits(seed):
    rng = Random(seed)
    rows = ["table,condition,raters,items,answers,categories,agreement,fleiss_kappa,cohen_kappa,mean"]
    for at in range(5):
        counts = [rng.choice(of) for of in ((2, 3, ""), (10, 25, ""), (8, 20, ""), (2, 5, ""))]
        values = (
            ("0.5", "0.85", "1", "85", "1.2", ""),
            ("0.2", "0.71", "-0.3", "1", "1.1", ""),
            ("0.5", ""),
            ("3.37", ""),
        )
        rows.append(",".join(map(str, (1 + at // 3, f"c{at}", *counts, *(rng.choice(of) for of in values)))))
    asked = (
        "replicates=50,drawn=20,units=40,replacement=no,level=0.99,half_width=0.0067,deviation=0.0144,unit=pair",
        "replicates=1000,drawn=40,units=40,replacement=yes",
        "replicates=999",
        "level=0.95,half_width=0.1,deviation=0.05",
        "level=1",
        "drawn=40",
        "units=40,drawn=41",
        "x=1",
        "replacement=maybe",
        "",
        "unit=item,replicates=100",
        "level=a",
    )[seed]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text("\n".join(rows) + "\n")
        made = said(lambda: audit_table(path).findings)
    return {
        "table": made,
        "bootstrap": said(lambda: audit_bootstrap(read_bootstrap(asked))),
        "name": normalised(NAMES[seed]),
    }


ASKED = {
    "findings": lambda seed: found(small_study(seed), seed),
    "faults": lambda seed: found(faulty(seed), seed),
    "causes": causes,
    "checked": checked,
    "parts": of_parts,
    "pairs": pairs,
    "raters": raters,
    "models": models,
    "classes": lambda seed: [said(lambda part=part: latent_classes(part, rounds=20)) for part in parts(seed, steps=3)],
    "functioning": functioning,
    "imagined": imagined,
    "audits": audits,
}


@pytest.mark.parametrize("name", ASKED)
def test_what_is_wrong_in_small_studies_is_what_was_recorded(name):
    assert_as_recorded("diagnosis", name, ASKED[name], SEEDS[: FEWER.get(name)])
