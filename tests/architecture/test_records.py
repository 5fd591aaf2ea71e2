import copy
import dataclasses
import inspect
import pickle
from dataclasses import field
from typing import Any

import pytest

from accord.records import dataclass

WAYS = [
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "kw_only": True},
    {"frozen": True, "eq": False},
    {"frozen": True, "repr": False},
]


def both(**options: Any) -> tuple[Any, Any]:
    """The same class by this module and by the standard library."""

    def written() -> Any:
        class Word:
            """A word."""

            text: str
            count: int = 1
            tags: list[str] = field(default_factory=list)
            hidden: float = field(default=0.5, init=False, repr=False)
            aside: int = field(default=0, compare=False)

            def __post_init__(self) -> None:
                object.__setattr__(self, "hidden", len(self.text) / 2)

        return Word

    return dataclass(**options)(written()), dataclasses.dataclass(**options)(written())


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_a_record_behaves_as_a_dataclass(options: dict[str, Any]) -> None:
    ours, theirs = both(**options)

    assert inspect.signature(ours) == inspect.signature(theirs).replace(
        parameters=list(inspect.signature(ours).parameters.values())
    )
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    for made in (ours, theirs):
        one, same, other = made(text="ab"), made(text="ab"), made(text="ab", count=2, tags=["x"])
        assert (one.text, one.count, one.tags, one.hidden, one.aside) == ("ab", 1, [], 1.0, 0)
        assert one.tags is not same.tags
        assert (one == same) is options.get("eq", True)
        assert one != other
        assert one != ("ab", 1, [], 1.0)
        assert dataclasses.replace(other, count=5).tags == ["x"]
        assert dataclasses.asdict(other) == {"text": "ab", "count": 2, "tags": ["x"], "hidden": 1.0, "aside": 0}
        assert copy.deepcopy(other).tags == ["x"]
        assert made.__match_args__ == theirs.__match_args__
        with pytest.raises(TypeError):
            made()
        with pytest.raises(TypeError):
            made(text="a", wrong=1)
    if options.get("repr", True):
        assert repr(ours(text="ab", aside=3)) == repr(theirs(text="ab", aside=3))
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)


def test_a_frozen_record_cannot_be_changed() -> None:
    for options in ({"frozen": True}, {"frozen": True, "slots": True}):
        ours, _ = both(**options)
        one = ours(text="ab")
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.text = "c"
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.new = "c"
        with pytest.raises(dataclasses.FrozenInstanceError):
            del one.text


@dataclass(frozen=True, slots=True)
class Point:
    """A point."""

    x: int
    y: int = field(default=0, hash=False)


@dataclass(frozen=True)
class Base:
    """A base."""

    name: str = "base"

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass(frozen=True)
class Derived(Base):
    """A class that adds a field."""

    more: int = 0


@dataclasses.dataclass(frozen=True)
class Outside(Base):
    """A class that another package derives by the standard library."""

    more: int = 0


def test_equal_records_have_one_hash_and_survive_pickling() -> None:
    assert hash(Point(1, 2)) == hash(Point(1, 3))
    assert {Point(1, 2): "a"}[Point(1, 2)] == "a"
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)


def test_a_record_may_be_derived_here_and_by_the_standard_library() -> None:
    assert Base() != Base()
    for made in (Derived, Outside):
        assert made("a", 2) == made("a", 2)
        assert repr(made()).endswith("(name='base', more=0)")
        with pytest.raises(dataclasses.FrozenInstanceError):
            made().more = 3  # type: ignore[misc]


def test_a_subclass_that_is_no_record_may_have_attributes_of_its_own() -> None:
    class Loose(Base):
        pass

    loose = Loose("x")
    loose.seen = 1  # type: ignore[attr-defined]
    with pytest.raises(dataclasses.FrozenInstanceError):
        loose.name = "y"  # type: ignore[misc]
