"""Names in the memory of a frame: the same ratings as from a list of texts, and no text is made before it is read."""

import pickle

import pandas as pd
import pyarrow as pa
import pytest

import accord
from accord.ratings.names import LaterNames
from accord.ratings.read import read

NAMES = {
    "plain": ["b", "a", "c"],
    "blanks around": [" b", "b", "c "],
    "space that is no blank": ["b\u3000", "b", "\x1fc"],
    "beyond ASCII": ["é", "ß", "日本"],
    "an empty text": ["b", "", "c"],
    "nothing": ["b", None, "c"],
    "numbers as texts": ["10", "9", "2"],
}


def _columns(items):
    rows = [(item, rater, value) for item in items for rater, value in (("ann", 1), ("ben", 2), ("eve", 1))]
    return dict(zip(("item", "rater", "value"), map(list, zip(*rows, strict=True)), strict=True))


def _frames(columns):
    frame = pd.DataFrame(columns | {"item": pd.array(columns["item"], dtype="str")})
    parts = pd.concat([frame[:4], frame[4:]], ignore_index=True)
    return {
        "pandas": frame, "pandas in parts": parts, "a slice of pandas": pd.concat([frame, frame])[len(frame) :],
        "pandas without Arrow": frame.astype({"item": pd.StringDtype("python")}), "pyarrow": pa.table(columns),
    }  # fmt: skip


@pytest.mark.parametrize("kind", _frames(_columns("ab")))
@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_names_in_a_frame_are_those_of_a_list_of_texts(names, kind):
    columns = _columns(names)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    try:
        expected = read(rows, duplicates="first")
    except accord.errors.AccordError as error:
        with pytest.raises(type(error)):
            read(_frames(columns)[kind], duplicates="first")
        return
    found = read(_frames(columns)[kind], duplicates="first")
    assert list(found.item.labels()) == list(expected.item.labels())
    assert list(found.item.names) == list(expected.item.names)
    assert found.fingerprint == expected.fingerprint
    assert [note for note in found.notes if "row" in note] == [note for note in expected.notes if "row" in note]


def test_a_number_is_had_of_a_frame_without_a_look_at_the_names_of_its_items():
    ratings = read(pd.DataFrame(_columns([f"text {place}" for place in range(60)])), level="ordinal")
    alpha = accord.agreement(ratings, coefficients="krippendorff_alpha", interval="none")["krippendorff_alpha"]
    assert alpha.value < 1
    assert isinstance(ratings.item.names, LaterNames)
    assert ratings.item.names._made is None


def test_names_made_later_are_a_tuple_to_whoever_looks():
    later = LaterNames(3, ["a", "b", "c"].copy)
    assert (len(later), later[1], later[1:], later == ("a", "b", "c")) == (3, "b", ("b", "c"), True)
    assert hash(later) == hash(("a", "b", "c"))
    assert later == LaterNames(3, ["a", "b", "c"].copy)
    assert pickle.loads(pickle.dumps(later)) == ("a", "b", "c")
