"""Which values were given: numbers, labels or sets of labels; and the scale they lie on, declared or guessed."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.arrays import distinct
from accord.design.scale import Level, Scale, Value
from accord.errors import OptionError
from accord.ratings.coding import MISSING_TOKENS, spelled_cell
from accord.ratings.dates import dates_among
from accord.ratings.declared import scale_between
from accord.ratings.guessing import (
    LOWEST_CODE,
    codes_of_no_answer,
    is_slip,
    level_of_labels,
    level_of_numbers,
    level_of_shares,
    level_of_words,
    no_answer,
    signs_of_no_answer,
    some_names,
    strays,
    values_of_labels,
    values_of_numbers,
    values_of_sets,
)
from accord.ratings.header_scales import HeaderScale
from accord.ratings.known_words import is_none_an_answer, known_order, plain_word
from accord.ratings.names import spelled_number
from accord.ratings.number_spellings import numbers_in, plain_number
from accord.ratings.worded_values import WordedNumbers, forms_of_numbers, ordered_words, worded_numbers
from accord.records import dataclass
from accord.tables.csv_lines import unguarded
from accord.words import counted

__all__ = ["OFF_DECLARED", "Resolved", "missing_in_words", "resolve_values", "spelled_values"]

OFF_DECLARED = "is not on the declared scale"
_NONE_COUNTS = "'none' counts as an answer, as it is written like the other labels; --missing none says that it is none"
_NO_ANSWER_SIGNS = "such signs and words stand among answers"
_LARGEST = 1e100
"""No rating is larger; the squares of such numbers, which a damaged file may hold, would overflow."""
Times = NDArray[np.int64]
Counted = Callable[[], Times]
"""How often each value was given; counted when somebody asks, as on most scales nobody does."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What each distinct raw value means: a value, None (missing), or a reason why it cannot be one."""

    values: Sequence[Value | None]
    scale: Scale
    places: NDArray[np.int32] | None = None
    """Where each value stands on the scale, if that is known already."""
    bad: dict[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    strays: dict[int, str] = field(default_factory=dict)
    """Values that are none of the scale and were taken for no answer, with the reason."""
    codes: dict[int, str] = field(default_factory=dict)
    """Numbers that were taken for codes of no answer, with the reason."""


def missing_in_words(number: int, spelled: Iterable[str]) -> str:
    """How many ratings are missing, and how that is written."""
    shown = ", ".join(sorted(repr(text) for text in {*spelled} if text)[:5])
    how = f"spelled {shown} or empty" if shown else "empty"
    return f"{counted(number, 'rating is missing', 'ratings are missing')} ({how})"


def resolve_values(
    raw: Any,
    *,
    declared: Scale | None = None,
    level: Level | None = None,
    missing: Iterable[str] = MISSING_TOKENS,
    separator: str | None = None,
    counts: Counted | None = None,
    drop_off_scale: bool = False,
    header: HeaderScale | None = None,
) -> Resolved:
    """Read distinct raw values, given ``counts`` times each, as the answers of one criterion.

    What stands for no answer is guessed only where nobody said it by ``missing``.
    """
    tokens = frozenset(token.lower() for token in missing)
    is_numbers = isinstance(raw, np.ndarray) and raw.dtype.kind in "iuf"
    if not is_numbers and (dates := dates_among(raw)):
        return Resolved([None] * len(raw), declared or Scale(Level.NOMINAL, ()), bad=dates)
    times = cache(counts or (lambda: np.ones(len(raw), dtype=np.int64)))
    may_guess = missing is MISSING_TOKENS
    if declared is not None:
        found = _on_declared(raw, declared, tokens, separator, may_guess=may_guess)
        return replace(found, strays=found.bad, bad={}) if drop_off_scale else found
    if is_numbers and np.isfinite(raw).all():
        found = _of_array(raw.astype(np.float64), level, times, frozenset() if may_guess else tokens)
    else:
        found = _of_cells(raw, level, times(), tokens, separator, may_guess=may_guess)
    scale = found.scale
    if scale.is_numeric and len(scale) and max(-scale.array[0], scale.array[-1]) > _LARGEST:
        huge = {place: f"{number:g} is too large for a rating" for place, number in enumerate(found.values)
                if isinstance(number, float) and abs(number) > _LARGEST}  # fmt: skip
        return replace(found, bad=found.bad | huge)
    if may_guess and scale.is_numeric and len(scale) > 3 and (scale.array[0] < 0 or scale.array[-1] >= LOWEST_CODE):
        found = _without_codes(found, level, times)
    return found if header is None else _on_header_scale(found, header, level, times())


def _of_cells(
    raw: Any, level: Level | None, times: Times, tokens: frozenset[str], separator: str | None, *, may_guess: bool
) -> Resolved:
    notes: tuple[str, ...] = ()
    if may_guess and is_none_an_answer(spelled := [_answer_as_text(cell) for cell in raw]):
        tokens -= {"none"}
        # The order of words such as none, little and much is told as a guess of its own.
        notes = () if known_order([text for text in spelled if text]) else (_NONE_COUNTS,)
    texts = [None if (text := _answer_as_text(cell)).lower() in tokens else text for cell in raw]
    if may_guess and (signs := signs_of_no_answer([text for text in texts if text is not None])):
        rows = sum(int(often) for text, often in zip(texts, times, strict=True) if text in signs)
        notes = (*notes, no_answer(signs, rows, _NO_ANSWER_SIGNS))
        texts = [None if text in signs else text for text in texts]
    numbers, how = numbers_in(texts)
    if any(isinstance(cell, frozenset) for cell in raw) or _holds_sets(texts, numbers, separator):
        return replace(_as_sets(raw, texts, separator, level), notes=notes)
    found = _as_plain_numbers(texts, numbers, level, times) or _as_worded(texts, level) or _as_words(texts, level)
    if found is None and level is None:
        found = _without_strays(texts, numbers, times) or _in_mixed_forms(texts, times)
    if found is None:
        bad = {place: text for place, (text, number) in enumerate(zip(texts, numbers, strict=True))
               if text is not None and number is None}  # fmt: skip
        return replace(_as_labels(texts, numbers, bad, level), notes=notes)
    return replace(found, notes=(*notes, *(how if found.values == numbers else ()), *found.notes))


def _as_plain_numbers(
    texts: Sequence[str | None], numbers: Sequence[float | None], level: Level | None, times: Times
) -> Resolved | None:
    if any(text is not None and number is None for text, number in zip(texts, numbers, strict=True)):
        return None
    values, often = _tallied(numbers, times)
    return Resolved(numbers, _numeric_scale(values, lambda: often, level))


def _tallied(numbers: Sequence[float | None], times: Times) -> tuple[NDArray[np.float64], Times]:
    """The different numbers in order, and how often each was given."""
    known = [(number, often) for number, often in zip(numbers, times, strict=True) if number is not None]
    values, place = np.unique([number for number, _ in known], return_inverse=True)
    return values, np.bincount(place, weights=[often for _, often in known], minlength=len(values)).astype(np.int64)


def _as_worded(texts: Sequence[str | None], level: Level | None) -> Resolved | None:
    """Numbers with something beside them: «3 - good», «4/5», «40%», stars."""
    given = [text for text in texts if text is not None]
    found = worded_numbers(given)
    if found is None or level is Level.NOMINAL:
        return None
    number_of = dict(zip(given, found.numbers, strict=True))
    numbers = [None if text is None else number_of[text] for text in texts]
    return Resolved(numbers, _worded_scale(found, level), notes=(f"read {found.seen}",))


def _worded_scale(found: WordedNumbers, level: Level | None) -> Scale:
    values = distinct(np.asarray(found.numbers))
    guesses: tuple[str, ...] = ()
    if level is None and found.share:
        level, words = level_of_shares()
        guesses = (words,)
    scale = _numeric_scale(values, None, level)
    low, high = (end if told is None else told for end, told in ((scale.low, found.low), (scale.high, found.high)))
    return replace(scale, labels=found.labels, low=low, high=high, guesses=(*guesses, *scale.guesses))


def _as_words(texts: Sequence[str | None], level: Level | None) -> Resolved | None:
    """Words whose order everybody knows, spelled as most spell them."""
    given = [text for text in texts if text is not None]
    found = ordered_words(given)
    if found is None or level is Level.NOMINAL or (level is not None and level.has_distance):
        return None
    spelling: dict[int, str] = {}
    for text, place in zip(given, found.places, strict=True):
        spelling.setdefault(place, text)
    label_of = {text: spelling[place] for text, place in zip(given, found.places, strict=True)}
    merged = tuple(f"read {text!r} as {label!r}" for text, label in label_of.items() if text != label)
    labels = [spelling[place] for place in sorted(spelling)]
    guesses: tuple[str, ...] = ()
    if level is None:
        level, words = level_of_words(found.kind)
        guesses = (words,)
    scale = Scale(level, tuple(labels), guesses=(*guesses, values_of_labels(labels)))
    return Resolved([None if text is None else label_of[text] for text in texts], scale, notes=merged)


def _without_strays(texts: list[str | None], numbers: Sequence[float | None], times: Times) -> Resolved | None:
    """One stray word does not make a scale nominal: what is left without it is read, and the word is no answer."""
    given = [(text, int(often)) for text, often in zip(texts, times, strict=True) if text is not None]
    names, often = [text for text, _ in given], [count for _, count in given]
    numeric = [number is not None for text, number in zip(texts, numbers, strict=True) if text is not None]
    rare = [count <= 1 for count in often]
    for fits in (numeric, [not few for few in rare]):
        odd = set(strays(names, often, fits))
        if not odd or len(names) - len(odd) < 2:
            continue
        kept = [None if text in odd else text for text in texts]
        number, how = numbers_in(kept)
        found = _as_plain_numbers(kept, number, None, times) or _as_worded(kept, None) or _as_words(kept, None)
        if found is not None:
            bad = {place: f"{text!r} is none of the values of the others" for place, text in enumerate(texts)
                   if text in odd}  # fmt: skip
            rows = sum(count for text, count in given if text in odd)
            are = "it is" if len(odd) == 1 else "they are"
            said = no_answer(sorted(odd), rows, f"{are} none of the values of the others")
            return replace(found, notes=(*how, *found.notes, said), strays=bad)
    return None


def _in_mixed_forms(texts: Sequence[str | None], times: Times) -> Resolved | None:
    """4/5 beside 8/10, 40% beside 3: numbers of several scales, which nobody can compare until they are made one."""
    forms = forms_of_numbers([text for text in texts if text is not None])
    if len(set(forms)) < 2 or "" in forms:
        return None
    rows: dict[str, int] = {}
    form_of = iter(forms)
    of_place = ["" if text is None else next(form_of) for text in texts]
    for form, often in zip(of_place, times.tolist(), strict=True):
        rows[form] = rows.get(form, 0) + often
    main = max(dict.fromkeys(forms), key=rows.__getitem__)
    why = f"but {rows[main]:,} are {main}: write all on one scale, or take them for labels with --level nominal"
    bad = {
        place: f"{text!r} is among {form}, {why}"
        for place, (text, form) in enumerate(zip(texts, of_place, strict=True))
        if form not in ("", main)
    }
    return Resolved([None] * len(texts), Scale(Level.NOMINAL, ()), bad=bad)


def _without_codes(found: Resolved, level: Level | None, counted: Counted) -> Resolved:
    """The same where 99 or -1 stand for no answer."""
    given: Sequence[Value | None] = found.values
    times = counted()
    if found.places is not None:
        # Nearly always there is none: a look at the numbers as they are costs little on a scale of many values.
        often = np.bincount(found.places[found.places >= 0], times[found.places >= 0], len(found.scale))
        if not codes_of_no_answer(found.scale.array, often.astype(np.int64)):
            return found
        given = [found.scale.values[place] if place >= 0 else None for place in found.places.tolist()]
    numbers = [number if isinstance(number, float) else None for number in given]
    values, often = _tallied(numbers, times)
    codes = codes_of_no_answer(values, often)
    if not codes:
        return found
    kept = [None if number in codes else number for number in numbers]
    rows = int(often[np.isin(values, codes)].sum())
    left = values[~np.isin(values, codes)]
    ends = f"{spelled_number(left[0])} to {spelled_number(left[-1])}"
    said = no_answer([spelled_number(code) for code in codes], rows, f"the others lie from {ends}")
    scale = _numeric_scale(left, lambda: often[~np.isin(values, codes)], level)
    scale = replace(scale, labels={value: label for value, label in found.scale.labels.items() if value not in codes})
    why = {place: f"{spelled_number(number)} is read as no answer, as the others lie from {ends}"
           for place, number in enumerate(numbers) if number is not None and number in codes}  # fmt: skip
    return Resolved(kept, scale, notes=(*found.notes, said), strays=found.strays, codes=why)


def _on_header_scale(found: Resolved, header: HeaderScale, level: Level | None, times: Times) -> Resolved:
    """The same on the scale that the header names; the few values off it are no answers until they are corrected."""
    if not found.scale.is_numeric or not found.scale.level.has_order or found.bad:
        return found
    place_of = found.places.tolist() if found.places is not None else None
    given = found.values if place_of is None else [None if p < 0 else found.scale.values[p] for p in place_of]
    numbers = [number if isinstance(number, float) else None for number in given]
    off = {place: number for place, number in enumerate(numbers)
           if number is not None and not header.low <= number <= header.high}  # fmt: skip
    rows, total = (sum(int(times[place]) for place in places) for places in (off, _places_of_numbers(numbers)))
    if not is_slip(rows, total):
        said = f"the header names the scale {header}, but {rows:,} of {total:,} ratings lie off it: it is not used"
        return replace(found, notes=(*found.notes, said))
    kept = [None if place in off else number for place, number in enumerate(numbers)]
    fractions = any(number is not None and not number.is_integer() for number in kept)
    scale = scale_between(header.low, header.high, level, fractions=fractions)
    if not scale.values:
        scale = replace(scale, values=tuple(sorted({n for n in kept if n is not None})), any_between=True)
    notes = (*found.notes, f"the scale {header} is taken from the header")
    why = f"off the scale {header} that the header names"
    strays = {place: f"{spelled_number(number)} is {why}" for place, number in off.items()}
    if off:
        shown = sorted({spelled_number(number) for number in off.values()})
        notes += (no_answer(shown, rows, f"{'it is' if len(shown) == 1 else 'they are'} {why}"),)
    scale = replace(scale, labels={v: label for v, label in found.scale.labels.items() if v in scale.values})
    return Resolved(kept, scale, notes=notes, strays=found.strays | strays, codes=found.codes)


def _places_of_numbers(numbers: Sequence[float | None]) -> list[int]:
    return [place for place, number in enumerate(numbers) if number is not None]


def _holds_sets(texts: Sequence[str | None], numbers: Sequence[float | None], separator: str | None) -> bool:
    """A criterion of plain numbers stays one where another criterion of the file holds sets of labels."""
    if separator is None:
        return False
    cells = [(text, number) for text, number in zip(texts, numbers, strict=True) if text is not None]
    return any(separator in text or number is None for text, number in cells)


def _of_array(given: NDArray[np.float64], level: Level | None, times: Counted, tokens: frozenset[str]) -> Resolved:
    """Numbers that are numbers already; mostly in order, so that their places need no looking up."""
    said = [number for token in tokens if (number := plain_number(token)) is not None]
    if said and np.isin(given, said).any():
        numbers = [None if number in said else number for number in given.tolist()]
        values, often = _tallied(numbers, times())
        return Resolved(numbers, _numeric_scale(values, lambda: often, level))
    if (given[1:] > given[:-1]).all():
        scale = _numeric_scale(given, times, level)
        return Resolved(scale.values, scale, np.arange(len(given), dtype=np.int32))
    ordered, places = np.unique(given, return_inverse=True)
    scale = _numeric_scale(ordered, lambda: np.bincount(places, times(), len(ordered)).astype(np.int64), level)
    return Resolved(given.tolist(), scale, places.astype(np.int32))


def _as_labels(
    texts: list[str | None], numbers: list[float | None], bad: dict[int, str], level: Level | None
) -> Resolved:
    labels = sorted({text for text in texts if text is not None})
    if level not in (None, Level.NOMINAL):
        if any(number is not None for number in numbers):
            reasons = {place: f"{text!r} is not a number, as the level {level} needs" for place, text in bad.items()}
            return Resolved(numbers, _numeric_scale(np.zeros(0), None, level), bad=reasons)
        example = "<".join(labels[:4])
        raise OptionError(
            f"The level {level} needs numbers or a declared order, but the values are labels "
            f"({some_names(labels)}), and an order is never taken from the alphabet. "
            f"Declare the scale in its true order, for example scale={example!r}, or use level='nominal'."
        )
    guesses: tuple[str, ...] = ()
    if level is None:
        level, words = level_of_labels(sorted(bad.values()) if len(labels) > len(bad) else ())
        guesses = (words,)
    return Resolved(texts, Scale(level, tuple(labels), guesses=(*guesses, values_of_labels(labels))))


def _as_sets(raw: Sequence[Any], texts: list[str | None], separator: str | None, level: Level | None) -> Resolved:
    if level not in (None, Level.NOMINAL):
        raise OptionError(f"The values are sets of labels; they are nominal and cannot be {level}.")
    sets: list[Value | None] = []
    for cell, text in zip(raw, texts, strict=True):
        if isinstance(cell, frozenset):
            sets.append(frozenset(map(str, cell)))
        else:
            sets.append(None if text is None else _label_set(text, separator))
    occurring = sorted({one for one in sets if isinstance(one, frozenset)}, key=lambda one: sorted(one))
    # Sets have no order, whoever gives them: that is no guess.
    return Resolved(sets, Scale(Level.NOMINAL, tuple(occurring), guesses=(values_of_sets(len(occurring)),)))


def _label_set(text: str, separator: str | None) -> frozenset[str]:
    parts = text.split(separator) if separator else [text]
    return frozenset(part.strip() for part in parts if part.strip())


def _numeric_scale(values: NDArray[np.float64], times: Counted | None, level: Level | None) -> Scale:
    """The scale of these numbers, which are different and in order."""
    guesses = []
    if level is None:
        level, words = level_of_numbers(values, times)
        guesses.append(words)
    guesses.append(values_of_numbers(values))
    return Scale.of_numbers(level, values, tuple(guesses))


def _on_declared(
    raw: Sequence[Any], declared: Scale, tokens: frozenset[str], separator: str | None, *, may_guess: bool
) -> Resolved:
    accepted: dict[object, Value] = {label: value for value, label in declared.labels.items()}
    accepted |= {value: value for value in declared.values}
    texts = [_answer_as_text(cell) for cell in raw]
    values = [_accepted(text, cell, accepted, declared, separator) for text, cell in zip(texts, raw, strict=True)]
    odd = [place for place, value in enumerate(values) if value is None and texts[place].lower() not in tokens]
    alike = _spelled_otherwise([texts[place] for place in odd], declared)
    values = [alike.get(text, value) if value is None else value for text, value in zip(texts, values, strict=True)]
    odd = [place for place in odd if values[place] is None]
    signs = signs_of_no_answer(texts) if may_guess and odd else []
    notes = tuple(f"read {text!r} as {spelled_cell(value)!r}" for text, value in alike.items())
    if signs:
        notes += (no_answer(signs, sum(texts[place] in signs for place in odd), _NO_ANSWER_SIGNS),)
        odd = [place for place in odd if texts[place] not in signs]
    if odd and declared.is_numeric and (worded := worded_numbers([texts[place] for place in odd])) is not None:
        said = {place: _accepted(repr(number), number, accepted, declared, separator)
                for place, number in zip(odd, worded.numbers, strict=True)}  # fmt: skip
        values = [said.get(place, value) for place, value in enumerate(values)]
        odd, notes = [place for place in odd if values[place] is None], (*notes, f"read {worded.seen}")
    on_scale = f"{OFF_DECLARED} {_described(declared)}"
    bad = {place: f"{texts[place]!r} {on_scale}" for place in odd}
    if not declared.values:
        found = sorted({value for value in values if isinstance(value, float)})
        declared = replace(declared, values=tuple(found), any_between=True)
    return Resolved(values, declared, bad=bad, notes=notes)


def _answer_as_text(cell: Any) -> str:
    """An answer as text; an apostrophe that only keeps a spreadsheet from taking + or = for a formula is none of it."""
    return unguarded(spelled_cell(cell))


def _spelled_otherwise(texts: Sequence[str], declared: Scale) -> dict[str, Value]:
    """Labels of the scale that differ from a text by case or blanks only, where there is one such label."""
    labels = [(label, value) for value, label in declared.labels.items()]
    labels += [(value, value) for value in declared.values if isinstance(value, str)]
    plain: dict[str, set[Value]] = {}
    for label, value in labels:
        plain.setdefault(plain_word(label), set()).add(value)
    found = {text: plain.get(plain_word(text), set()) for text in texts}
    return {text: next(iter(values)) for text, values in found.items() if len(values) == 1}


def _accepted(
    text: str, cell: Any, accepted: dict[object, Value], declared: Scale, separator: str | None
) -> Value | None:
    if declared.has_sets:
        return accepted.get(cell if isinstance(cell, frozenset) else _label_set(text, separator))
    if text in accepted:
        return accepted[text]
    number = plain_number(text)
    if number is None:
        return None
    if declared.values:
        return accepted.get(number)
    low, high = declared.low, declared.high
    inside = (low is None or number >= low) and (high is None or number <= high)
    return number if inside else None


def _described(scale: Scale) -> str:
    if scale.values:
        return some_names(spelled_values(scale.values), 12)
    return f"from {spelled_number(scale.low or 0)} to {spelled_number(scale.high or 0)}"


def spelled_values(values: Sequence[Value]) -> list[str]:
    """Values as a person writes them."""
    return [spelled_cell(value) for value in values]
