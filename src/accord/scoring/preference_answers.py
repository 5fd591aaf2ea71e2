"""Which of two is better, in the words that people write: a system, left, «A better», the same."""

import re
from collections.abc import Iterable, Sequence

from accord.errors import FormatError

__all__ = ["check_are_systems", "chosen", "named_systems"]

_TIES = frozenset({
    "tie", "tied", "draw", "equal", "equals", "=", "==", "same", "both", "neither", "none", "no preference",
    "no difference", "equally good", "equally bad", "equal quality", "about the same", "about equal", "the same",
    "both equal", "both good", "both bad", "both the same", "both are equal", "both are the same", "cannot decide",
    "can't decide", "undecided", "a tie", "it is a tie", "gleich", "gleich gut", "beide gleich", "unentschieden",
    "kein unterschied", "igual", "iguales", "iguais", "empate", "ambos", "sin preferencia", "sem preferência", "égal",
    "égalité", "pareil", "uguale", "pari", "一样", "一样好", "平局", "相同", "متساويان", "تعادل",
})  # fmt: skip
_PLACES = {
    "first": 0, "left": 0, "links": 0, "erste": 0, "izquierda": 0, "esquerda": 0, "gauche": 0, "sinistra": 0, "左": 0,
    "second": 1, "right": 1, "rechts": 1, "zweite": 1, "derecha": 1, "direita": 1, "droite": 1, "destra": 1, "右": 1,
}  # fmt: skip
_LETTERS = {"a": 0, "b": 1, "1": 0, "2": 1}
"""What stands for the first and the second where no system is called so."""
_AROUND = re.compile(
    r"(?:(?:i )?prefer(?:red)?|the|system|option|model|translation|text|output|version|candidate)\s+|"
    r"\s+(?:(?:is|was) )?(?:(?:much|slightly|clearly|a bit|somewhat|far|a little|strongly) )?"
    r"(?:better|best|preferred|wins|won|besser|mejor|melhor|meilleure?|migliore|one|side)|"
    r"(?:much|slightly|clearly|somewhat|strongly) (?=(?:prefer|the|system|option|\S+ (?:is )?(?:better|preferred)))",
    re.I,
)


def _bare(answer: str) -> str:
    """An answer without the words around the name: «A is better», «prefer the left one»."""
    text = answer.strip().strip(".!")
    before = ""
    while text != before:
        before = text
        for match in _AROUND.finditer(text):
            if match.start() == 0 or match.end() == len(text):
                text = (text[: match.start()] + text[match.end() :]).strip()
                break
    return text or answer.strip()


def _is_tie(answer: str) -> bool:
    return answer.strip().strip(".!").casefold() in _TIES


def chosen(first: str, second: str, preferred: str) -> tuple[str, str]:
    """The system that was chosen, '' for a tie; and what is wrong with the row."""
    if first == second or not first or not second:
        return "", "a comparison needs two different systems"
    own = {first.casefold(): first, second.casefold(): second} | {first: first, second: second}
    places = {word: (first, second)[place] for word, place in (*_LETTERS.items(), *_PLACES.items())}
    if {"a", "b", "1", "2"} & {first.casefold(), second.casefold()}:
        # Who is called B may stand first: there a letter is a name and no place.
        places = {word: name for word, name in places.items() if word not in _LETTERS}
    for word in (preferred, preferred.casefold(), _bare(preferred), _bare(preferred).casefold()):
        named = word in own and word in _LETTERS and word not in (first, second)
        if named and own[word] != (first, second)[_LETTERS[word]]:
            # With «a» somebody may mean the system A or the one that stood first: only the writer knows.
            return "", f"{preferred!r} may be a name or a place here: write {first!r} or {second!r}, first or second"
        if word in own:
            return own[word], ""
        if _is_tie(word):
            return "", ""
        if word in places:
            return places[word], ""
    return "", f"{preferred!r} is neither {first!r}, {second!r}, first, second nor tie"


def named_systems(answers: Iterable[str]) -> tuple[str, ...]:
    """The two systems that answers such as «A better» name; () where they name others than two."""
    names = sorted({_bare(answer) for answer in answers if answer and not _is_tie(answer)})
    return tuple(names) if len(names) == 2 else ()


def check_are_systems(names: Sequence[str], source: str) -> None:
    """Left and right are places: without the systems that stood there nothing can be said of systems."""
    if all(name.casefold() in _PLACES for name in names):
        raise FormatError(
            f"{source} says {' or '.join(names)}, but not which system stood there. Add the columns first and second "
            "with the systems, or write the system that was preferred."
        )
