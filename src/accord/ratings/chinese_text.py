"""Chinese text without a mark of its encoding, as spreadsheets on Chinese systems save it."""

__all__ = ["chinese_text"]

_SAMPLE = 20_000
_MOSTLY = 0.8
_FEWEST = 4


def chinese_text(data: bytes) -> str | None:
    """The text if these bytes are GB 18030 beyond doubt: nearly all pairs are common Chinese letters or signs."""
    beyond, common = _pairs(data[:_SAMPLE])
    if beyond < _FEWEST or common < _MOSTLY * beyond:
        return None
    try:
        return data.decode("gb18030")
    except UnicodeDecodeError:
        return None


def _pairs(sample: bytes) -> tuple[int, int]:
    """How many letters are beyond ASCII if two bytes make one, and how many of them are common in Chinese."""
    beyond = common = place = 0
    while place < len(sample) - 1:
        if sample[place] < 0x80:
            place += 1
            continue
        beyond += 1
        common += sample[place + 1] >= 0xA1 and (0xB0 <= sample[place] <= 0xD7 or sample[place] in (0xA1, 0xA3))
        place += 2
    return beyond, common
