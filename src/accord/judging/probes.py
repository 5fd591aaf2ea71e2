"""Is a judge biased? Probes of length, formatting, own family, language and position, each with its effect and test."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from accord.arrays import Floats, Integers
from accord.judging.errs import Apart, Effect, adjusted_effects, effect_left_out
from accord.judging.panel import Panel
from accord.judging.position import position_effects
from accord.judging.summing import by_cluster
from accord.noise import order_of
from accord.words import listed

__all__ = ["ONE_LANGUAGE", "Probes", "family_of", "language_effect", "probe", "slope_effect"]

_FAMILIES = {
    "gpt": "GPT",
    "openai": "GPT",
    "o1": "GPT",
    "o3": "GPT",
    "claude": "Claude",
    "anthropic": "Claude",
    "gemini": "Gemini",
    "palm": "Gemini",
    "llama": "Llama",
    "mistral": "Mistral",
    "mixtral": "Mistral",
    "qwen": "Qwen",
    "deepseek": "DeepSeek",
    "command": "Command",
    "gemma": "Gemma",
    "phi": "Phi",
    "grok": "Grok",
}
_MARKED = re.compile(r"^\s*(?:[-*•]\s|\d+[.)]\s|#{1,6}\s)|\*\*|```|^\|", re.M)
_LEAST = 10
ONE_LANGUAGE = "Language: all ratings are of one language as far as the columns say."
_FIRST, _SECOND = ("first", "1", "a"), ("second", "2", "b")

Probes = tuple[list[Effect], list[str]]
"""The effects that could be tested, and a sentence for each probe that could not."""


def probe(panel: Panel, *, family: Sequence[str] = (), level: float = 0.95) -> Probes:
    """Every probe that the data allow; ``family`` names the systems of the judge's own family."""
    swapped = position_effects(panel, level=level)
    if not panel.ordered:
        unordered = "Length, formatting and family: these probes measure score points, and labels have no order."
        found = adjusted_effects(swapped) if isinstance(swapped, list) else []
        return found, [unordered] if isinstance(swapped, list) else [swapped, unordered]
    apart = Apart.of(panel)
    made = (
        _length(panel, apart, level),
        _formatting(panel, apart, level),
        _family(panel, apart, family, level),
        _language(panel, apart, level),
        *(swapped if isinstance(swapped, list) else [_between_positions(panel, apart, level) or swapped]),
    )
    effects = adjusted_effects([one for one in made if isinstance(one, Effect)])
    return effects, [one for one in made if isinstance(one, str)]


def _length(panel: Panel, apart: Apart, level: float) -> Effect | str:
    if panel.lengths is None:
        return "Length: the ratings hold no texts of what was judged. Add a column with the output."
    lengths = panel.lengths[apart.places]
    known = lengths > 0
    doubled = np.log2(np.where(known, lengths, 1.0))
    if known.sum() < _LEAST or not doubled[known].std() > 0.1:
        return "Length: the texts are too few or all of about the same length."
    return slope_effect("length, for each doubling", apart, doubled, known, panel, level)


def slope_effect(name: str, apart: Apart, x: Floats, rows: np.ndarray, panel: Panel, level: float) -> Effect:
    """Judge minus people regressed on x, with the error over documents; people's own liking of x is in their mean."""
    x, y = x[rows] - x[rows].mean(), apart.value[rows]
    sums, whole = _sums(np.column_stack([np.ones_like(x), x, y, x * x, x * y]), apart.cluster[rows])

    def slopes(of: Floats) -> Floats:
        n, sx, sy, sxx, sxy = of.T
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((sxy - sx * sy / n) / (sxx - sx * sx / n))

    return effect_left_out(
        name, float(slopes(whole)[0]), slopes(whole - sums), items=len(x), level=level, units=panel.units
    )


def _between(
    name: str, apart: Apart, first: np.ndarray, second: np.ndarray, units: str, level: float, note: str = ""
) -> Effect:
    """How much more the judge gives the first than the second, people's own difference taken off."""
    rows = first | second
    y, one, other = apart.value[rows], first[rows].astype(float), second[rows].astype(float)
    sums, whole = _sums(np.column_stack([one, one * y, other, other * y]), apart.cluster[rows])

    def gaps(of: Floats) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(of[:, 1] / of[:, 0] - of[:, 3] / of[:, 2])

    left = gaps(whole - sums)
    return effect_left_out(name, float(gaps(whole)[0]), left, items=len(y), level=level, units=units, note=note)


def _sums(features: Floats, cluster: Integers) -> tuple[Floats, Floats]:
    """Sums of each document, and of all."""
    used, place = np.unique(cluster, return_inverse=True)
    sums = by_cluster(features, place, len(used))
    return sums, sums.sum(axis=0, keepdims=True)


def _formatting(panel: Panel, apart: Apart, level: float) -> Effect | str:
    texts = panel.texts([int(place) for place in apart.places])
    marked = np.array([bool(_MARKED.search(text)) for text in texts])
    if not any(texts):
        return "Formatting: the ratings hold no texts of what was judged."
    if min(marked.sum(), (~marked).sum()) < _LEAST:
        return f"Formatting: {marked.sum()} of {len(marked)} labelled texts have lists or headings, and ten are needed."
    return _between("lists, headings or bold", apart, marked, ~marked, panel.units, level)


def family_of(name: str) -> str:
    """The family that a name of a model gives away; "" if none."""
    words = re.split(r"[^a-z0-9]+", name.casefold())
    return next((family for key, family in _FAMILIES.items() if any(word.startswith(key) for word in words)), "")


def _family(panel: Panel, apart: Apart, family: Sequence[str], level: float) -> Effect | str:
    system, names = panel.systems
    own = family_of(panel.name)
    mine = [place for place, name in enumerate(names) if (name in family if family else own and family_of(name) == own)]
    if not mine or len(mine) == len(names):
        return (
            "Own family: no labelled system is known to be of the judge's own family beside others that are not. "
            "Name them with --family SYSTEM."
        )
    first = np.isin(system[apart.places], mine)
    if min(first.sum(), (~first).sum()) < _LEAST:
        return "Own family: fewer than ten labelled items of its own family, or of others."
    told = listed([names[place] for place in mine])
    guess = "" if family else ", by their names"
    few = "" if min(len(mine), len(names) - len(mine)) > 2 else "few systems: it need not be the family"
    return _between(f"own family ({told}{guess})", apart, first, ~first, panel.units, level, few)


def _language(panel: Panel, apart: Apart, level: float) -> Effect | str:
    found = panel.column("language_pair")
    if found is None:
        return ONE_LANGUAGE
    return language_effect(apart, found[0][apart.places], found[1], level, panel.units)


def language_effect(apart: Apart, codes: Integers, names: Sequence[str], level: float, units: str) -> Effect | str:
    """The two languages furthest apart of those with ten labelled items; p counts how many pairs there were to choose.

    The interval is widened likewise (Bonferroni), so that it goes with the p.
    """
    counts = np.bincount(codes[codes >= 0], minlength=len(names))
    enough = [code for code in range(len(counts)) if counts[code] >= _LEAST]
    if len(enough) < 2:
        return ONE_LANGUAGE if (counts > 0).sum() < 2 else "Language: fewer than two languages have ten labelled items."
    means = [apart.value[codes == code].mean() for code in enough]
    told = [names[code] for code in enough]
    most, least = (enough[int(order_of(means, told, highest=highest)[0])] for highest in (True, False))
    pairs = len(enough) * (len(enough) - 1) // 2
    note = "" if pairs == 1 else f"the furthest apart of {len(enough)} languages; p and interval count {pairs} pairs"
    rows = (codes == most) | (codes == least)
    found = _between(
        f"language, {names[most]} against {names[least]}", apart, codes == most, codes == least, units,
        1 - (1 - level) / pairs, note,
    )  # fmt: skip
    return replace(found, items=int(rows.sum()), p=min(1.0, pairs * found.p))


def _between_positions(panel: Panel, apart: Apart, level: float) -> Effect | None:
    """Other items first than second, held against people: weaker than a swap, for data where nothing was swapped."""
    found = panel.column("shown")
    if found is None:
        return None
    codes, names = found[0][apart.places], [name.strip().casefold() for name in found[1]]
    first, second = (np.isin(codes, [names.index(one) for one in side if one in names]) for side in (_FIRST, _SECOND))
    if min(first.sum(), second.sum()) < _LEAST:
        return None
    return _between("position, items first against others second", apart, first, second, panel.units, level)
