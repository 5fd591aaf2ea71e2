"""Formulas in characters that a terminal has: the registry writes them as LaTeX, for pages and papers."""

import re

__all__ = ["plain_formula"]

_SIGNS = {
    r"\alpha": "α", r"\kappa": "κ", r"\gamma": "γ", r"\tau": "τ", r"\rho": "ρ", r"\pi": "π", r"\delta": "δ",
    r"\sum": "Σ", r"\sqrt": "√", r"\binom": "C", r"\cdot": "·", r"\ne": "≠", r"\le": "≤", r"\ge": "≥", r"\min": "min",
    r"\max": "max", r"\times": "×", r"\sigma": "σ", r"\mu": "μ", r"\lambda": "λ", r"\infty": "∞", r"\pm": "±",
    r"\approx": "≈", r"\in": "in",
}  # fmt: skip
_SPACES = (r"\quad", r"\left", r"\right", r"\,", r"\ ", r"\;", r"\!")
_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FACTOR = r"(?<!\S)(\w+/(?:\((?:[^()]|\([^()]*\))*\)|[\w'²]+)) +(?=[Σ(])"
"""A fraction that something follows: 1/n Σ might be read as one over all of it."""
_MARKS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_POWERS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain_formula(latex: str) -> str:
    r"""``\frac{a - b}{c}`` as (a - b)/c, Greek letters and sums as signs, indices after an underscore."""
    text = latex
    for space in _SPACES:
        text = text.replace(space, " ")
    text = re.sub(r"\\(?:mathrm|text|operatorname)" + _GROUP, r"\1", text)
    while (shorter := _fractions(text)) != text:
        text = shorter
    text = re.sub(r"\\bar ?" + _GROUP, r"mean(\1)", text)
    text = re.sub(r"\\bar ?(\w(?:_\w)?)", r"mean(\1)", text)
    for name, sign in sorted(_SIGNS.items(), key=lambda pair: -len(pair[0])):
        text = re.sub(re.escape(name) + r"(?![a-zA-Z])", sign, text)
    text = re.sub(r"\^\{(-?\d+)\}|\^(\d)", lambda found: (found[1] or found[2]).translate(_POWERS), text)
    text = re.sub(r"_\{(\d+)\}|_(\d)", lambda found: (found[1] or found[2]).translate(_MARKS), text)
    text = re.sub(r"_" + _GROUP, lambda found: f"_{found[1].replace(' ', '')}", text.replace("^*", "*"))
    text = re.sub(_FACTOR, r"(\1) ", text.replace("{", "").replace("}", ""))
    return re.sub(r" +([,)])", r"\1", re.sub(r"\( +", "(", re.sub(r" +", " ", text))).strip()


def _fractions(text: str) -> str:
    """Fractions, roots and binomials from the inside out, with brackets where a part has several terms."""
    text = re.sub(r"\\frac" + _GROUP + _GROUP, lambda found: f"{_whole(found[1])}/{_whole(found[2])} ", text)
    text = re.sub(r"\\binom" + _GROUP + _GROUP, r"C(\1, \2)", text)
    return re.sub(r"\\sqrt" + _GROUP, r"√(\1)", text)


def _whole(part: str) -> str:
    """In brackets unless it is one number or name."""
    bare = re.sub(r"[_^]" + _GROUP, "", part)
    return part if re.fullmatch(r"\\?[\w'^_]+", bare) else f"({part})"
