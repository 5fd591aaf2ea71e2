"""Degraded texts follow the table of direct assessment."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.design.assignment.degrading import degraded, replaced_words, with_foreign_phrase


@pytest.mark.parametrize(
    ("words", "replaced"),
    [(1, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (8, 4), (14, 4), (15, 5), (19, 5), (20, 5), (24, 6), (43, 10)],
)
def test_words_replaced_by_length(words, replaced):
    assert replaced_words(words) == replaced


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 40), st.integers(1, 30), st.integers(0, 999))
def test_one_span_is_replaced_and_long_texts_keep_their_first_and_last_word(length, donor, seed):
    text = " ".join(f"w{n}" for n in range(length))
    spoilt = degraded(text, " ".join(f"x{n}" for n in range(donor)), np.random.default_rng(seed)).split()
    changed = [place for place, word in enumerate(spoilt) if word.startswith("x")]
    assert len(spoilt) == length and len(changed) == replaced_words(length)
    assert changed == list(range(changed[0], changed[-1] + 1))
    if length >= 5:
        assert spoilt[0] == "w0" and spoilt[-1] == f"w{length - 1}"


def test_a_script_without_spaces_is_cut_by_characters():
    spoilt = degraded("猫は暖かい場所で寝ている", "駅の時計は二分進んでいる", np.random.default_rng(1))
    assert len(spoilt) == 12 and spoilt[0] == "猫" and spoilt != "猫は暖かい場所で寝ている"


def test_a_foreign_phrase_keeps_all_words_of_the_text():
    text = "one two three four"
    spoilt = with_foreign_phrase(text, "a b c d e f g", np.random.default_rng(2)).split()
    assert [word for word in spoilt if word in text.split()] == text.split()
    assert 2 <= len(spoilt) - 4 <= 6
