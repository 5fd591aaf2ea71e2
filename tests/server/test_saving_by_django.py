"""The tests of saving once more, with the small application switched off: what it leaves to Django is treated alike."""

import pytest

from server.test_saving import *  # noqa: F403 - every test of them
from server.test_storable import *  # noqa: F403

pytestmark = pytest.mark.parametrize("saves_go", ["by Django"], indirect=True)


def test_the_small_application_is_switched_off(working, save, saves_go):
    assert save(working, {"task": 1}).status_code == 200 and saves_go.answered == 0
