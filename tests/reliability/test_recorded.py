"""No value changes unseen: every coefficient still gives what was recorded before it was written anew."""

import pytest

from recorded_cases import TABLES, large_names, large_table, load, random_table, real_names, real_table, recorded

VALUE, ENDS = 1e-12, 1e-9
# The mixed model is found by a numerical search: on the program that was recorded, another build of scipy moves its
# values by up to 3e-8. Everything else is a formula and must be equal.
SEARCHED = 1e-6


def close(found, known, bound):
    """Equal up to the bound, relative to numbers beyond 1; None is equal to None only."""
    if found is None or known is None:
        return found is known
    return abs(found - known) <= bound * max(1.0, abs(known))


def same_ends(found, known, bound=ENDS, unasked=False):
    """Ends are compared where method and replicates are the same: another way to resample has other ends.

    The intervals given unasked have other methods by now; those that kept theirs keep their ends.
    """
    if unasked and (found is None or known is None or found[2:] != known[2:]):
        return True
    if found is None or known is None:
        return found is known
    if found[2:] != known[2:]:
        return bool(found[3] or known[3])
    return all(close(one, other, bound) for one, other in zip(found[:2], known[:2], strict=True))


def differences(found, known):
    for question, answers in known.items():
        values, ends_bound = (SEARCHED, SEARCHED) if question == "mixed" else (VALUE, ENDS)
        # A coefficient that was added since has nothing recorded; those that have keep their order.
        assert [key for key in found[question] if key in answers] == list(answers), question
        for key, answer in answers.items():
            now = found[question][key]
            if key.startswith("pairs of "):
                pairs = [
                    (a, b) for one, other in zip(now, answer, strict=True) for a, b in zip(one, other, strict=True)
                ]
                if not all(close(a, b, ENDS) for a, b in pairs):
                    yield question, key, "pairs"
                continue
            value, items, error, ends, parts = answer
            if is_rounding(key, now, error):
                continue
            if not close(now[0], value, values) and not is_declared_unanimity(key, now[0], value):
                yield question, key, now[0], value
            if now[1] != items or set(now[4]) != set(parts):
                yield question, key, "items or parts", now[1], items
            elif not all(close(now[4][name], part, ends_bound) for name, part in parts.items()):
                yield question, key, now[4], parts
            if not close(now[2], error, ends_bound) and same_way(now[3], ends):
                yield question, key, "error", now[2], error
            if is_past_one(value) or is_divided_by_rounding(ends):
                continue
            if not same_ends(now[3], ends, ends_bound, unasked=question == "auto"):
                yield question, key, now[3], ends


def is_declared_unanimity(key, found, known):
    """Undefined before; 1 since declared categories count as ones that could have been used."""
    return key in ("gwet_ac1", "gwet_ac2", "brennan_prediger") and known is None and found == 1


def is_rounding(key, now, error):
    """Scores from 1 to 2 to the power of 100: a variance was rounding and nothing else, and so was what it divided."""
    return key == "lin_ccc" and now[0] == now[2] == 0 and error is not None and error > 1000


def is_divided_by_rounding(ends):
    """An end at 1e16: a replicate was divided by what rounding had left, and is undefined now."""
    return ends is not None and min(ends[:2]) < -1e12


def is_past_one(known):
    """A correlation that rounding had put above 1, and that had no interval for it: now it is 1 and has one."""
    return known is not None and known > 1


def same_way(found, known):
    return (found and found[2:]) == (known and known[2:])


# Tables are drawn alike in all blocks: two are asked every time, three more by ./test --whole, the others by --hard.
BLOCKS = [
    pytest.param(start, marks=pytest.mark.hard if start % 40 else pytest.mark.long if start % 80 or start > 80 else ())
    for start in range(0, TABLES, 20)
]


@pytest.mark.parametrize("start", BLOCKS)
def test_random_tables_have_the_recorded_values(start):
    known = load("random")
    for place in range(start, start + 20):
        assert not list(differences(recorded(random_table(place), place), known[str(place)])), place


@pytest.mark.parametrize("name", large_names())
def test_large_tables_have_the_recorded_values(name):
    assert not list(differences(recorded(large_table(name), real=True), load("large")[name]))


@pytest.mark.parametrize("name", real_names())
def test_real_ratings_have_the_recorded_values(name, data):
    assert not list(differences(recorded(real_table(name, data), real=True), load("real")[name]))
