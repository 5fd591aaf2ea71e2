import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.formats.offsets import (
    OffsetError,
    from_browser_marks,
    from_tokens,
    from_utf16,
    tagged,
    to_utf16,
    untagged,
)

PARTS = st.sampled_from(["a", "😀", "e\u0301", "\u0301", "ש", "\n", "🏳️‍🌈", " "])
TEXT = st.lists(PARTS, min_size=1, max_size=12).map("".join)


@st.composite
def stretches(draw):
    text = draw(TEXT)
    start = draw(st.integers(0, len(text)))
    return text, start, draw(st.integers(start, len(text)))


@given(stretches())
def test_utf16_offsets_come_back_as_they_were(stretch):
    text, start, end = stretch
    assert from_utf16(text, *to_utf16(text, start, end)) == (start, end)


@given(stretches())
def test_utf16_offsets_mean_what_an_encoder_of_utf16_says(stretch):
    text, start, end = stretch
    units = text.encode("utf-16-le")
    first, last = to_utf16(text, start, end)
    assert units[2 * first : 2 * last].decode("utf-16-le") == text[start:end]


@given(stretches())
def test_marks_on_every_unit_are_utf16_offsets_with_the_last_included(stretch):
    text, start, end = stretch
    if start == end:
        return
    first, after = to_utf16(text, start, end)
    assert from_browser_marks(text, first, after - 1, newlines=True) == (start, end)


@given(stretches())
def test_a_page_that_skips_newlines_marks_as_if_they_were_not_there(stretch):
    text, start, end = stretch
    inner = text[start:end].strip("\n")
    if not inner:
        return
    first, after = to_utf16(text.replace("\n", ""), *(len(text[:at].replace("\n", "")) for at in (start, end)))
    assert text[slice(*from_browser_marks(text, first, after - 1))] == inner


def test_half_of_an_emoji_marks_the_emoji():
    assert from_browser_marks("a😀b", 2, 3, newlines=True) == from_browser_marks("a😀b", 2, 3) == (1, 3)


@given(stretches())
def test_tags_put_into_a_text_come_out_again(stretch):
    text, start, end = stretch
    assert untagged(tagged(text, start, end)) == (text, [(start, end)])


def test_an_offset_inside_an_emoji_is_refused():
    with pytest.raises(OffsetError, match="inside a character"):
        from_utf16("😀", 0, 1)


def test_the_last_token_is_included():
    assert from_tokens(["Die", " ", "Katze", "."], 2, 3) == (4, 10)


def test_tokens_beyond_the_text_are_refused():
    with pytest.raises(OffsetError, match="do not lie"):
        from_tokens(["a"], 0, 1)


@pytest.mark.parametrize("text", ["a <v>b", "a</v>", "<v>a<v>b</v></v>"])
def test_tags_that_do_not_pair_are_refused(text):
    with pytest.raises(OffsetError):
        untagged(text)
