"""Times in a finding are said so that they say something."""

from accord.diagnosis.behaviour import _seconds


def test_a_time_below_a_tenth_of_a_second_is_not_said_to_be_none():
    """«R2 took less than 0.0 s for 65 of 90 items»."""
    assert [_seconds(time) for time in (0.008, 0.04, 0.05, 0.12, 1.25, 12.0)] == [
        "0.008",
        "0.04",
        "0.1",
        "0.1",
        "1.2",
        "12.0",
    ]
