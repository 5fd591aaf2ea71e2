"""Agreement in small studies is what was recorded: every coefficient, interval, caution and sentence."""

from itertools import product
from random import Random

import pytest

import accord
from accord.coefficients.registry import coefficient
from accord.design.scale import Level
from accord.inference.interval import Interval
from accord.ratings.counting import count_source
from accord.reliability.answer import answers_of
from accord.reliability.cautions import few_shared_caution, gamma_caution
from accord.reliability.interpretation import INTERPRETATION_SCALES, interpret, scale_for, scales_for
from accord.reliability.request import Use
from accord.reliability.run import charted_agreement, told_agreement
from accord.reliability.sentences import rounded
from accord.reliability.signs.amount import rated_once
from accord.reliability.signs.latent_scale import log_odds_of_sorting
from accord.reliability.signs.observation import in_words
from accord.reliability.suitability import choose
from accord.reliability.units import too_few
from accord.reliability.ways import interval_alone
from small_studies import assert_as_recorded, said, small_study

SEEDS = range(16)
FEWER = {"whole": 5, "told": 8, "larger": 6, "charted": 6, "by-raters": 8}
KEYS = (
    "krippendorff_alpha",
    "fleiss_kappa",
    "gwet_ac1",
    "percent_agreement",
    "cohen_kappa",
    "kendall_tau_b",
    "pearson",
)


def of(ratings, **asked):
    made = said(lambda: accord.agreement(ratings, **asked))
    return made if isinstance(made, str) else {"said": str(made).splitlines(), "numbers": made.to_dict()}


def options(seed):
    rng = Random(seed)
    interval = ("auto", "jackknife", "analytic", "percentile", "bca", "none")[seed % 6]
    drawn = {"replicates": 100, "draws": rng.choice(("exact", "poisson", "normal"))} if seed % 6 in (3, 4) else {}
    return drawn | {
        "interval": interval,
        "confidence": rng.choice((None, 0.9)),
        "icc_missing": rng.choice(("listwise", "anova")),
        "sampled_share": rng.choice((0.0, 0.3)),
        "pairs": rng.random() < 0.4,
        "coefficients": rng.choice((None, rng.sample(KEYS, 3))),
        "weights": rng.choice((None, "linear", "quadratic")) if seed % 6 != 2 else None,
    }


def larger(seed, **given):
    return small_study(seed, items=(20, 29, 30, 41)[seed % 4], raters=3, noise=0.8, steps=(2, 3, 5)[seed % 3], **given)


def told(seed):
    ratings = larger(seed, criteria=1 + seed % 2, column="phase", conditions=((), ("1", "2"))[seed % 3 == 1])
    asked = {
        "coefficients": None,
        "by": ((), ("phase",))[seed % 6 == 1],
        "weights": None,
        "metric": None,
        "sampled_share": 0.0,
        "icc_missing": "listwise",
        "pairs": False,
        "progress": None,
        "use": (None, *map(str, Use))[seed % (1 + len(Use))],
    }
    made = said(lambda: told_agreement(ratings, **asked))
    if isinstance(made, str):
        return made
    answers = answers_of(made, use=asked["use"], asked=seed % 4 == 3, scale=("", "landis_koch")[seed % 2])
    return {
        "said": str(made).splitlines(),
        "summary": answers.summary,
        "notes": answers.notes,
        "answers": [
            [one.text, one.interval_words, one.quiet, list(one.short)] for one in answers.parts + answers.leading
        ],
    }


def by_raters(seed):
    unit = ("rater", "pair", "rater-and-item", "rater-and-document", "document")[seed % 5]
    keys = ("krippendorff_alpha",) if unit != "pair" else ("cohen_kappa",)
    return of(
        small_study(seed, raters=5, items=12, steps=4, criteria=1, level=Level.ORDINAL),
        resample=unit,
        replicates=100,
        coefficients=keys,
    )


def read(seed):
    ends = sorted((0.1 * (seed - 6), 0.1 * (seed - 6) + 0.2 * (seed % 4)))
    interval = Interval(low=ends[0], high=ends[1], level=0.95, method="m")
    return [
        [interpret(key, interval, items) for key, items in product(KEYS, (9, 10, 40))],
        said(lambda: interpret(KEYS[0], interval, 30, (*INTERPRETATION_SCALES, "x")[seed % 3 : seed % 3 + 2])),
        [one.name for key in KEYS for one in scales_for(key)],
        [scale_for(KEYS[0], "landis_koch"), scale_for(KEYS[6], "x")],
    ]


def marks(seed):
    shares = (0.0, 1e-9, 0.0004, 0.001, 0.004, 0.01, 0.049, 0.05, 0.2, 0.5, 0.9, 1.0, 0.3, 0.02, 0.1, 0.005)
    return [
        in_words(shares[seed]),
        in_words(shares[seed], "people"),
        rounded(shares[seed]),
        rounded(-seed / 7),
        [rated_once(10, seed - 2, whole=whole) for whole in (True, False)],
        few_shared_caution({"median_shared_items": float(seed)}),
        gamma_caution({"untied": 7.0 * seed, "compared": 100.0 + seed}),
        [too_few(seed, None), too_few(30, seed)],
    ]


def suited(seed):
    source = count_source(small_study(seed, criteria=1))
    facts = source.facts()
    asked = (None, KEYS, ("cohen_kappa", "gamma"))[seed % 3]
    made = choose(asked, facts, ("", "tone")[seed % 2])
    return {
        "chosen": [one.key for one in made.specs],
        "insisted": made.insisted,
        "unsuitable": made.unsuitable,
        "alone": [interval_alone(source, key) if facts.raters in coefficient(key).raters else "" for key in KEYS[:2]],
        "sorting": log_odds_of_sorting(source.patterns()) if facts.scale.level.has_order and seed < 2 else "",
    }


ASKED = {
    "whole": lambda seed: of(small_study(seed, column="scenario", conditions=((), ("a", "b"))[seed % 4 == 3])),
    "options": lambda seed: of(small_study(seed), **options(seed)),
    "larger": lambda seed: of(larger(seed), interval=("jackknife", "auto")[seed % 2], replicates=100),
    "told": told,
    "by-raters": by_raters,
    "charted": lambda seed: charted_agreement(
        small_study(seed, criteria=1, conditions=((), ("1", "2"))[seed % 2]), "krippendorff_alpha", replicates=100
    ),
    "read": read,
    "marks": marks,
    "suited": suited,
}


@pytest.mark.parametrize("name", ASKED)
def test_agreement_in_small_studies_is_what_was_recorded(name):
    assert_as_recorded("reliability", name, ASKED[name], SEEDS[: FEWER.get(name)])
