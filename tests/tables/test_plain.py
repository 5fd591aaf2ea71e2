"""Plain data of a dataclass: its fields in their order, with all that they hold."""

from enum import StrEnum

from accord.inference.interval import Interval
from accord.records import dataclass
from accord.tables.plain import PlainData


class Side(StrEnum):
    LEFT = "left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(PlainData):
    _called = {"inner": "named", "aside": ""}
    _beside = ("twice",)

    inner: float
    interval: Interval | None
    side: Side
    names: tuple[str, ...]
    aside: str = "not told"

    @property
    def twice(self) -> float:
        return 2 * self.inner


def test_fields_are_told_in_their_order_under_their_names_with_properties_after_them():
    found = Found(inner=0.5, interval=Interval(low=0.0, high=1.0, method="m"), side=Side.LEFT, names=("a", "b"))
    told = found.to_dict()
    ends = {"low": 0.0, "high": 1.0, "level": 0.95, "method": "m", "replicates": 0, "undefined": 0}
    assert told == {"named": 0.5, "interval": ends, "side": "left", "names": ["a", "b"], "twice": 1.0}
    assert list(told) == ["named", "interval", "side", "names", "twice"]
    assert type(told["side"]) is str
