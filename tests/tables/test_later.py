"""Fields that are worked out when somebody looks at them."""

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, replace

import pytest

from accord.tables.later import Later, Settles


@dataclass(frozen=True, kw_only=True)
class Answer(Settles):
    value: int
    words: Later[str] = Later()
    notes: Later[tuple[str, ...]] = Later(())


class Asked:
    """A function that counts how often it is asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> str:
        self.times += 1
        return "few items"


def test_a_field_is_worked_out_once_and_only_when_somebody_looks():
    asked = Asked()
    answer = Answer(value=1, words=asked)
    assert asked.times == 0
    assert answer.words == answer.words == "few items"
    assert asked.times == 1


def test_a_plain_value_is_taken_as_it_is_and_a_default_stands_for_none():
    answer = Answer(value=1, words="plain")
    assert answer.words == "plain" and answer.notes == ()
    with pytest.raises(TypeError, match="words"):
        Answer(value=1)
    with pytest.raises(FrozenInstanceError):
        answer.words = "other"


@pytest.mark.parametrize("through", [lambda one: pickle.loads(pickle.dumps(one)), copy.copy, replace])
def test_what_is_pickled_copied_or_replaced_is_whole(through):
    answer = Answer(value=1, words=lambda: "few items")
    again = through(answer)
    assert again == answer and again.words == "few items"
    assert not callable(again.__dict__["words"])


def test_settling_works_out_every_field():
    asked = Asked()
    Answer(value=1, words=asked).settled()
    assert asked.times == 1
