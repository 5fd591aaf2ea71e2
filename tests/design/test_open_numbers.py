"""Open numbers: what they mean to the ratings, what is refused, and that a study with one can be simulated."""

import numpy as np
import pytest

from accord.design.assignment.make import plan_assignment
from accord.design.load import load_study
from accord.design.scale import Level
from accord.errors import StudyError
from accord.planning.simulate import simulate_study
from accord.planning.simulated_raters import RaterTraits
from accord.ratings.answer_values import value_of
from served_study import write_folder

STUDY = """
title = "Numbers"
seed = 1
[languages]
source = "en"
target = "de"
[assignment]
design = "crossed"
raters = 2
[[scenarios]]
key = "one"
kind = "random-sentence"
[[criteria]]
key = "changes"
question = "How many words must change?"
kind = "number"
best = "low"
MORE
"""


def load(folder, more=""):
    items = [("d", str(n), "A b c d.", f"Ein zwei drei {n}.") for n in range(4)]
    return load_study(write_folder(folder, STUDY.replace("MORE", more), "# R\n", ["target:a"], items))


def test_a_number_is_a_ratio_without_an_end_and_by_the_word_it_is_a_rate(tmp_path):
    plain = load(tmp_path / "a").settings.criteria[0]
    assert plain.measured is Level.RATIO and plain.scale().high is None
    assert value_of(plain, 117, (), "Ein zwei drei vier.") == 117
    rate = load(tmp_path / "b", 'per = "word"\nhigh = 50').settings.criteria[0]
    assert value_of(rate, 2, (), "Ein zwei drei vier.") == 0.5
    assert value_of(rate, 2, (), "道は凍って") == 0.4, "characters where a script has no spaces"
    assert rate.scale().high is None, "50 is the end of the count, not of the rate"


def test_a_study_with_a_number_is_simulated_as_it_would_be_exported(tmp_path):
    study = load(tmp_path, 'per = "word"')
    made = simulate_study(study, plan_assignment(study), RaterTraits(), np.random.default_rng(1))
    values = [float(row["value"]) for row in made.ratings]
    assert len(values) == 8 and all((4 * value).is_integer() for value in values)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("low = 5\nhigh = 5", "must be less than `high`"),
        ('prefilled = "x.jsonl"', "has no marks that could stand there"),
    ],
)
def test_what_no_number_has_is_refused(tmp_path, more, words):
    with pytest.raises(StudyError) as error:
        load(tmp_path, more)
    assert words in str(error.value)
