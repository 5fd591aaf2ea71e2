"""Values written with words or signs: «3 - good», «4/5», «40%», ★★★, «strongly agree»; each read as what it says."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from accord.design.scale import Value
from accord.patterns import pattern
from accord.ratings.known_words import known_order, plain_word
from accord.ratings.number_spellings import plain_number
from accord.records import dataclass

__all__ = ["OrderedWords", "WordedNumbers", "forms_of_numbers", "ordered_words", "worded_numbers"]

_NUMBER = r"([-+\u2212]?\d+(?:[.,]\d+)?)"
_NUMBER_FIRST = pattern(_NUMBER + r"\s*(?:[-\u2013\u2014:=]\s*([^\d\s].*)|\(\s*([^\d\s][^()]*)\))\Z")
_NUMBERED = pattern(r"\d+\s*[.)]\s*[^\d\s]")
_NUMBER_LAST = pattern(r"([^\d\s][^\d()\[\]]*?)\s*[(\[]\s*" + _NUMBER + r"\s*[)\]]\Z")
_OF = pattern(_NUMBER + r"\s*(?:/|out of|of|von|de|من)\s*(\d+)\Z", re.I)
_PERCENT = pattern(_NUMBER + r"\s*[%\uff05\u066a]\Z")
_STARS = pattern(r"([\u2605\u2b50*\U0001f31f]*)\ufe0f?([\u2606\u2729]*)\Z")
_STAR_WORDS = pattern(
    _NUMBER + r"\s*(?:stars?|sterne?|estrellas?|estrelas?|\u661f|نجوم|نجمة|نجمات|"
    r"points?|pts?\.?|punkte?|pkt\.?|puntos?|pontos?|\u5206|نقاط|نقطة|درجات|درجة)\Z",
    re.I,
)
_LETTER = pattern(r"[^\W\d_]")


@dataclass(frozen=True)
class WordedNumbers:
    """The number of each text, the words that stand beside numbers, the ends if the texts tell, and what was seen."""

    numbers: Sequence[float]
    seen: str
    labels: Mapping[Value, str] = field(default_factory=dict)
    high: float | None = None
    low: float | None = None
    share: bool = False


@dataclass(frozen=True)
class OrderedWords:
    """The place of each text in an order that everybody knows, and what the words speak of."""

    kind: str
    places: Sequence[int]


def ordered_words(texts: Sequence[str], fewest: int = 3) -> OrderedWords | None:
    """Words of a known order, at least ``fewest`` different ones; two words could mean anything."""
    found = known_order(texts)
    if found is None or len(set(found[1])) < fewest:
        return None
    return OrderedWords(*found)


def worded_numbers(texts: Sequence[str]) -> WordedNumbers | None:
    """The numbers that all these texts say with something beside them; None if one does not."""
    if not texts:
        return None
    for reads in (_percents, _parts, _stars, _labelled):
        if (found := reads(texts)) is not None:
            return found
    return None


def forms_of_numbers(texts: Sequence[str]) -> list[str]:
    """In which form each text says its number: plain numbers, percentages, parts of 5, stars; '' where in none."""
    return [_form_of_number(text) for text in texts]


def _form_of_number(text: str) -> str:
    if plain_number(text) is not None:
        return "plain numbers"
    if _PERCENT.match(text):
        return "percentages"
    if match := _OF.match(text):
        return f"parts of {match[2]}"
    if _STAR_WORDS.match(text) or _STARS.match(text.replace("\ufe0f", "").replace(" ", "")):
        return "stars or points"
    return ""


def _percents(texts: Sequence[str]) -> WordedNumbers | None:
    found = [_PERCENT.match(text) for text in texts]
    numbers = [_number(match[1]) for match in found if match]
    if len(numbers) < len(texts):
        return None
    return WordedNumbers(numbers, f"percentages: {texts[0]} as {numbers[0]:g}", low=0.0, high=100.0, share=True)


def _parts(texts: Sequence[str]) -> WordedNumbers | None:
    """«4/5» and «4»: all of the same number, and none above it."""
    found = [_OF.match(text) for text in texts]
    whole = {float(match[2]) for match in found if match}
    if len(whole) != 1:
        return None
    most = whole.pop()
    numbers = [_number(match[1]) if match else plain_number(text) for match, text in zip(found, texts, strict=True)]
    known = [number for number in numbers if number is not None]
    if len(known) < len(texts) or max(known) > most or min(known) < 0:
        return None
    example = next(text for match, text in zip(found, texts, strict=True) if match)
    return WordedNumbers(known, f"parts of {most:g}: {example} as {example.split()[0].split('/')[0]}", high=most)


def _stars(texts: Sequence[str]) -> WordedNumbers | None:
    drawn = [_STARS.match(text.replace("\ufe0f", "").replace(" ", "")) for text in texts]
    if all(drawn):
        counts = [(float(len(match[1])), float(len(match[1]) + len(match[2]))) for match in drawn if match]
        wholes = {whole for _, whole in counts}
        high = wholes.pop() if len(wholes) == 1 and any(whole > number for number, whole in counts) else None
        return WordedNumbers([number for number, _ in counts], f"stars: {texts[0]} as {counts[0][0]:g}", high=high)
    spelled = [_STAR_WORDS.match(text) for text in texts]
    numbers = [_number(match[1]) if match else plain_number(text) for match, text in zip(spelled, texts, strict=True)]
    known = [number for number in numbers if number is not None]
    if not any(spelled) or len(known) < len(texts):
        return None
    shown = next((text, number) for match, text, number in zip(spelled, texts, known, strict=True) if match)
    return WordedNumbers(known, f"stars or points: {shown[0]} as {shown[1]:g}")


def _labelled(texts: Sequence[str]) -> WordedNumbers | None:
    """«3 - good» beside «4»: a number that always has the same word, and a word that always has the same number."""
    numbers: list[float] = []
    labels: dict[Value, str] = {}
    example = ""
    for text in texts:
        number, label = _number_and_label(text)
        if number is None or (label and plain_word(labels.setdefault(number, label)) != plain_word(label)):
            return None
        numbers.append(number)
        example = example or (text if label else "")
    if not labels or len(set(labels.values())) < len(labels):
        return None
    if any(map(_NUMBERED.match, texts)) and not _rises(labels):
        return None  # «4. Neurosis» is the fourth of a list of classes
    shown = next(number for number, text in zip(numbers, texts, strict=True) if text == example)
    return WordedNumbers(numbers, f"numbers with words: {example} as {shown:g}", labels=labels)


def _rises(labels: Mapping[Value, str]) -> bool:
    """Whether the words beside the numbers are in the order of the numbers, from the low or from the high end."""
    found = known_order([labels[number] for number in sorted(labels, key=float)])  # type: ignore[arg-type]
    return found is not None and found[1] in (sorted(found[1]), sorted(found[1], reverse=True))


def _number_and_label(text: str) -> tuple[float | None, str]:
    if (plain := plain_number(text)) is not None:
        return plain, ""
    text = re.sub(r"^(\d+)\s*[.)]\s*(?=[^\d\s])", r"\1: ", text)
    if match := _NUMBER_FIRST.match(text):
        number, label = match[1], (match[2] or match[3] or "").strip()
    elif match := _NUMBER_LAST.match(text):
        number, label = match[2], match[1].strip(" -:=")
    else:
        return None, ""
    return (_number(number), label) if _LETTER.search(label) else (None, "")


def _number(text: str) -> float:
    return float(text.replace(",", ".").replace("\u2212", "-"))
