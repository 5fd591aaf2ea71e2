"""Names below a chart never lie over each other, and its title speaks of what is drawn."""

import pytest

from accord.plots.chart import names_below
from accord.plots.ratings import category_use, ratings_per_item, readable_items
from accord.plots.svg.letters import width


@pytest.mark.parametrize("beside", [-1, 1])
def test_names_are_level_as_long_as_each_has_its_room(beside):
    names = ["minor", "accuracy/mistranslation"]
    room = 2 * width(names[1], 12)
    assert names_below(names, room + beside)["labelAngle"] == (0 if beside > 0 else -40)


def test_long_names_of_categories_are_slanted_and_short_ones_level():
    angles = [
        category_use(names, {"ann": [1] * 10, "bob": [2] * 10}, title="").spec["encoding"]["x"]["axis"]["labelAngle"]
        for names in ([f"terminology/inconsistent use {place}" for place in range(10)], list("abcdefghij"))
    ]
    assert angles == [-40, 0]


@pytest.mark.parametrize(("items", "raters"), [(500, 2), (500, 4), (500, 40), (8, 3)])
def test_so_many_items_are_drawn_as_are_called_readable(items, raters):
    names = [f"i{place}" for place in range(items)]
    chart = ratings_per_item(names, {f"r{one}": [1.0] * items for one in range(raters)}, title="", axis="rating")
    assert len({row["item"] for row in chart.rows}) == readable_items(items, raters) <= items
