"""Findings by cause: what several signs say of one rater or one fault, what it does to α, and one thing to do."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from math import isnan

from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.diagnosis.examination import Diagnosis
from accord.diagnosis.finding import Finding, Severity
from accord.diagnosis.part import Part, parts_of
from accord.diagnosis.registry import FINDINGS
from accord.diagnosis.triangulation import influence
from accord.diagnosis.without_rater import interval_of_change
from accord.inference.interval import Interval
from accord.noise import first_of, ordered
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.reliability.signs.use_of_values import ALIKE_ITEMS
from accord.sentences import Sentence
from accord.words import counted, listed, part_name, steady

__all__ = [
    "OPENINGS", "Agreement", "Cause", "Effect", "Seen", "causes_of", "first_true",
    "heaviest_rater", "opening",
]  # fmt: skip

_MOST_RATERS = 60
"""So many raters are left out one by one to see what α is without them."""
_SEVERAL = 3
"""From so many raters on it is no longer one rater who differs, but raters who differ from each other."""
_MATTERS = 0.05
"""A change of α that is worth a sentence."""
_SURE = 0.95
"""The interval of such a change covers so often for all raters together: the one who stands out most is picked."""
_WEIGHS = 0.1
"""A change of α by leaving one rater out that is told though no check shows a fault: raters alike seldom reach it."""
_LOWEST = 2
"""So many parts of low agreement are told in the first sentence."""
_ORDER = {severity: place for place, severity in enumerate(Severity)}
_SEVERE = "severe_rater"
_SAME_CAUSE = ("strict_or_lenient", "unequal_habits", "own_use_of_scale")
"""Notes that say in another way what a strict or lenient rater of the same part says already."""

_BETWEEN = (*_SAME_CAUSE, "severe_rater", "negative_correlation")
"""Findings about raters who differ from each other: what each of them does to α is worked out."""

_OF_RATER = {
    "severe_rater": "",
    "inconsistent_rater": "correlates little with the other raters",
    "drift": "changed in the course of the work",
    "straight_lining": "gave the same value many times in a row",
    "impossible_speed": "was too fast to have read the items",
    "constant_raters": "gave one value to every item",
    "unequal_habits": "uses the values differently",
    "own_use_of_scale": "uses a value more or less than the others",
}
"""What a finding about one rater says of that rater."""
_SHIFTED = "α is lower than without it, as a shift counts as disagreement; two raters do not show how much"
_EFFECTS = {
    "ceiling": "items that hardly differ make α and every correlation low, however well raters agree",
    "prevalence": "α and κ are low although raters agree on most items",
    "one_value": "nothing varies, so α has no value",
    "non_discriminating": "α is low: the rating of one rater says little about that of another",
    "few_items": "α is uncertain: its interval is wide, or there is none",
    "little_overlap": "only items with two ratings count for α",
    "thin_overlap": "none on α, which takes all raters together; single pairs of raters are mostly chance",
    "identical_raters": "α is high; whether it should be, nobody can tell from two raters",
    "unused_value": "none on α; coefficients that count the declared values, such as AC1, are higher",
    "disconnected_raters": "none on α, which compares only ratings of one item",
    "repeats": "none on α, which takes the first rating of a rater",
    "stray_value": "hardly any on α; a value that is no rating counts as disagreement",
    "kappa_order": "none on α; κ puts the pairs of raters in another order than their agreement does",
    "one_sided_raters": _SHIFTED,
    "strict_or_lenient": _SHIFTED,
    "severe_rater": _SHIFTED,
    "unequal_habits": _SHIFTED,
    "own_use_of_scale": _SHIFTED,
}
"""What a finding that is about no single rater does to the number that leads."""


@dataclass(frozen=True, slots=True)
class Effect:
    """α of one part with everybody, and without the raters that are named; of the heaviest, how sure the change is."""

    part: str
    without: tuple[str, ...]
    alpha: float
    alpha_without: float
    of_change: Interval | None = None

    @property
    def change(self) -> float:
        return self.alpha_without - self.alpha

    @property
    def is_sure(self) -> bool:
        """Whether α rises by something that matters, and other items would say so too."""
        return self.change >= _MATTERS and self.of_change is not None and self.of_change.low > 0

    @property
    def words(self) -> str:
        of = f" of {self.part}" if self.part else ""
        before, without = f"{steady(self.alpha):.2f}", f"{steady(self.alpha_without):.2f}"
        stays = f"stays {before}" if before == without else f"is {without} instead of {before}"
        return f"without {listed(self.without)}, α{of} {stays}"

    @property
    def sure_words(self) -> str:
        """The same as a sentence, with the interval of the change."""
        words = f"{self.words[:1].upper()}{self.words[1:]}"
        if not self.of_change:
            return words
        return f"{words} (a change of {steady(self.of_change.low):.2f} to {steady(self.of_change.high):.2f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What is behind one or more findings: who, the evidence, what it does to α, and one thing to do."""

    title: str
    severity: Severity
    who: tuple[str, ...]
    findings: tuple[Finding, ...]
    effect: Effect | None = None

    @property
    def evidence(self) -> str:
        first = self.findings[0]
        more = len(self.findings) - 1
        also = f" ({counted(more, 'more sign')})" if more else ""
        return f"{_plain(first)}{also}"

    @property
    def effect_words(self) -> str:
        first = self.findings[0]
        if self.effect is not None and len(self.who) > len(self.effect.without):
            small = "small: " if abs(self.effect.change) < _MATTERS else ""
            return f"{small}at most, {self.effect.words}"
        if self.effect is not None:
            return self.effect.words
        if KRIPPENDORFF_ALPHA in first.invalidates:
            return _EFFECTS.get(first.code, "no coefficient can be trusted until this is clear")
        if first.invalidates:
            return f"α stands; {counted(len(first.invalidates), 'other coefficient')} cannot be used here"
        return _EFFECTS.get(first.code, "not measured on α")

    @property
    def action(self) -> str:
        """The first thing that the advice names."""
        return re.split(r"[.;] ", self.findings[0].advice)[0].rstrip(".")

    def to_dict(self) -> dict[str, object]:
        return {
            "title": self.title, "severity": str(self.severity), "who": list(self.who), "evidence": self.evidence,
            "effect": self.effect_words, "action": self.action, "findings": [one.code for one in self.findings],
        }  # fmt: skip


def causes_of(diagnosis: Diagnosis, ratings: Ratings, by: Sequence[str] = ()) -> tuple[Cause, ...]:
    """The causes behind these findings, the gravest first, and among equally grave ones what lowers α most."""
    together: dict[tuple[str, ...], list[Finding]] = {}
    # The furthest is found first, and stands for the part.
    severe = {_place(one): one.who for one in reversed(diagnosis.findings) if one.code == "severe_rater"}
    for finding in diagnosis.findings:
        together.setdefault(_key(finding, severe), []).append(finding)
    alphas = _Alphas(ratings, by)
    made = _joined([_cause(key, found, alphas) for key, found in together.items()])
    # Of equal grave ones, in the order in which they were found.
    by_effect = ordered(made, lambda one: one.effect.change if one.effect else 0.0, highest=True, size=1.0)
    return tuple(sorted(by_effect, key=lambda one: _ORDER[one.severity]))


def heaviest_rater(parts: Iterable[Part]) -> Effect | None:
    """The rater without whom α of one of these parts would rise most; None where there are only two raters."""
    effects = [
        (Effect(part_name(part.by), (row.rater,), row.alpha_without - row.change, row.alpha_without), part)
        for part in parts
        if len(part.raters) <= _MOST_RATERS
        for row in influence(part)
        if not isnan(row.change)
    ]
    if not effects:
        return None
    most, part = first_of(effects, lambda one: one[0].change, lambda one: one[0].without[0], highest=True, size=1.0)
    if most.change < _MATTERS:
        return most
    return replace(most, of_change=interval_of_change(part, most.without[0], 1 - (1 - _SURE) / len(effects)))


def _greatest(effects: Sequence[Effect], by: Callable[[Effect], float]) -> Effect | None:
    return first_of(effects, by, lambda effect: " ".join(effect.without), highest=True, size=1.0) if effects else None


def _joined(causes: Sequence[Cause]) -> list[Cause]:
    """Strict and lenient raters of whom no single one moves α are one cause: raters differ in strictness."""
    mild = [one for one in causes if _is_mild(one)]
    if len(mild) < _SEVERAL:
        return list(causes)
    names = [one.who[0] for one in mild]
    shown = listed([*names[:3], f"{len(names) - 3} more"] if len(names) > 3 else names)
    most = _greatest([one.effect for one in mild if one.effect], lambda effect: abs(effect.change))
    joined = Cause(
        title=f"{shown} score apart from the others",
        severity=mild[0].severity,
        who=tuple(names),
        findings=tuple(found for one in mild for found in one.findings),
        effect=most,
    )
    return [*(one for one in causes if one not in mild), joined]


def _is_mild(cause: Cause) -> bool:
    of_strictness = all(one.code in ("severe_rater", *_SAME_CAUSE) for one in cause.findings)
    small = cause.effect is None or abs(cause.effect.change) < _MATTERS
    return of_strictness and small and len(cause.who) == 1 and cause.findings[0].code == "severe_rater"


def _key(finding: Finding, severe: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """A rater, or a kind of finding."""
    if finding.code in _OF_RATER and len(finding.who) == 1:
        return ("rater", finding.who[0])
    if finding.code in (*_SAME_CAUSE, _SEVERE) and (who := severe.get(_place(finding))):
        # Of two raters both are named, as nobody can tell which one is off.
        return ("rater", who[0]) if len(who) == 1 else (_SEVERE, *who)
    if finding.code in ("duplicated_raters", "copied_runs", "negative_correlation"):
        return (finding.code, *finding.who)
    return (finding.code,)


def _place(finding: Finding) -> str:
    return part_name(finding.by)


def _cause(key: tuple[str, ...], found: Sequence[Finding], alphas: "_Alphas") -> Cause:
    first = found[0]
    if key[0] == "rater":
        rater = key[1]
        said = dict.fromkeys(_said_of(one) for one in found if one.who == (rater,) and one.code in _OF_RATER)
        title = f"{rater} {listed([*said][:2])}"
        return Cause(
            title=title,
            severity=first.severity,
            who=(rater,),
            findings=tuple(found),
            effect=alphas.without((rater,), found),
        )
    if key[0] == _SEVERE:
        first = next(one for one in found if one.code == _SEVERE)
        return Cause(title=_of_two(first), severity=first.severity, who=first.who, findings=tuple(found), effect=None)
    title = f"{FINDINGS[first.code].title}{f': {listed(first.who[:2])}' if len(key) > 1 else ''}"
    left_out = first.who[-1:] if first.code == "duplicated_raters" else first.who if first.code in _BETWEEN else ()
    # Raters who differ from each other are not left out together: the one who moves α most tells how much.
    effects = [effect for name in left_out if (effect := alphas.without((name,), found))]
    return Cause(
        title=title,
        severity=first.severity,
        who=first.who,
        findings=tuple(found),
        effect=_greatest(effects, lambda effect: effect.change),
    )


def _of_two(finding: Finding) -> str:
    return f"{finding.who[0]} scores {_side(finding)} than {finding.who[1]}"


def _side(finding: Finding) -> str:
    apart = finding.evidence.get("apart", 0.0)
    return "lower" if isinstance(apart, float) and apart < 0 else "higher"


def _said_of(finding: Finding) -> str:
    if finding.code != _SEVERE:
        return _OF_RATER[finding.code]
    side = _side(finding)
    called = finding.evidence.get("strictness", "")
    return f"scores {side} than the others{f' ({called})' if called else ''}"


def _plain(finding: Finding) -> str:
    """The message; the part it was found in goes behind it."""
    title = ", ".join(f"{column} {name}" if name else f"no {column}" for column, name in finding.by.items())
    message = finding.message.removeprefix(f"{title}: ") if title else finding.message
    names = part_name(finding.by)
    return f"{names}: {message}" if names else message


@dataclass
class _Alphas:
    """α of each part with everybody and without each rater, computed when somebody asks."""

    ratings: Ratings
    by: Sequence[str]
    known: dict[str, dict[str, tuple[float, float]]] = field(default_factory=dict)

    def without(self, raters: Sequence[str], found: Iterable[Finding]) -> Effect | None:
        """The greatest change in the parts where something was found of a rater."""
        if not raters:
            return None
        effects = []
        for place in dict.fromkeys(_place(one) for one in found):
            alpha, left = self.of_all().get(place, {}).get(raters[0], (float("nan"),) * 2)
            if not isnan(alpha) and not isnan(left):
                effects.append(Effect(place, tuple(raters), alpha, left))
        return _greatest(effects, lambda effect: abs(effect.change))

    def of_all(self) -> dict[str, dict[str, tuple[float, float]]]:
        """By part and rater: α with everybody, and without."""
        if not self.known:
            for part in parts_of(self.ratings, self.by):
                self.known[part_name(part.by)] = {}
                if len(part.raters) <= _MOST_RATERS:
                    rows = influence(part)
                    self.known[part_name(part.by)] = {
                        row.rater: (row.alpha_without - row.change, row.alpha_without) for row in rows
                    }
        return self.known


@dataclass(frozen=True, slots=True)
class Agreement:
    """α of one part with its interval in words, where it is not shown to be enough, and what it is not enough for."""

    part: str
    alpha: float
    interval: str
    verdict: str
    is_shown_low: bool = True
    """Whether the whole interval lies below what is asked for; else too little is known to call it low."""

    @property
    def words(self) -> str:
        of = f" of {self.part}" if self.part else ""
        return f"α{of} is {steady(self.alpha):z.2f} ({self.interval}), {self.verdict}"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a first sentence is chosen from: the causes, where agreement is low, how few items there are, who weighs."""

    causes: Sequence[Cause]
    low: Sequence[Agreement] = ()
    scarce: str = ""
    heaviest: Effect | None = None
    """The rater without whom a low α would be highest."""

    @property
    def grave(self) -> list[Cause]:
        return [one for one in self.causes if one.severity is not Severity.NOTE]

    @property
    def first(self) -> Cause:
        return self.causes[0]

    @property
    def is_one_rater(self) -> bool:
        return bool(self.grave) and self.first.effect is not None and self.first.effect.change >= _MATTERS

    @property
    def is_readable(self) -> bool:
        """Whether α can be read although something is to be fixed."""
        return not self.low and not any(KRIPPENDORFF_ALPHA in one.findings[0].invalidates for one in self.grave)

    def lowest(self, without: str | None = None) -> list[Agreement]:
        """The parts of the lowest agreement that a first sentence has room for."""
        return ordered((one for one in self.low if one.part != without), lambda one: one.alpha)[:_LOWEST]

    @property
    def prevailing(self) -> Finding | None:
        """That one value takes nearly all ratings, where this lies in the items and in every part of low agreement."""
        alike = {
            part_name(found.by): found
            for cause in self.causes for found in cause.findings
            if found.code == "prevalence" and str(found.evidence.get("cause")).endswith(ALIKE_ITEMS)
        }  # fmt: skip
        return alike[self.low[0].part] if self.low and all(one.part in alike for one in self.low) else None

    def low_words(self, without: str | None = None) -> str:
        """The lowest two, and how many more; not the part that a cause explains."""
        told = self.lowest(without)
        more = sum(one.part != without for one in self.low) - len(told)
        shown = [one.words for one in told]
        return "; ".join([*shown, counted(more, "more is", "more are") + " not shown to be enough"] if more else shown)


def _one_rater(seen: Seen) -> str:
    effect = seen.first.effect
    explained = effect.part if effect else None
    besides = seen.low_words(explained)
    also = f" Besides, {besides}." if besides else ""
    # Of two raters who differ, the one without whom α is higher is the one to name.
    who, words = (effect.without, effect.words) if effect else (seen.first.who, seen.first.effect_words)
    return f"{who[0]} lowers agreement most: {words}.{_more(seen.grave[1:])}{also}"


def _worth_fixing(seen: Seen) -> str:
    meanwhile = "; the numbers can be read meanwhile" if seen.is_readable else ""
    called = "Agreement is low: " if any(one.is_shown_low for one in seen.lowest()) else ""
    low = f" {called}{seen.low_words()}." if seen.low else ""
    return f"{_things(seen.grave)} worth fixing{meanwhile}.{low}"


def _one_value(seen: Seen) -> str:
    found = seen.prevailing.evidence if seen.prevailing else {}
    seldom = "by chance alone they would agree nearly as often. Rate more items that deserve the rarer values."
    share, agreement = (float(found[name]) for name in ("share", "agreement"))
    shares = f"One value takes {steady(share):.0%} of the ratings and raters agree on {steady(agreement):.0%}"
    return f"{shares}, yet {seen.low_words()}: {seldom}"


def _no_cause(seen: Seen) -> str:
    # A check warns from half a standard deviation on; who is stricter by less is told with the raters.
    strictness, most = "Smaller differences in strictness: --show raters.", seen.heaviest
    if most and most.is_sure:
        first = f"No check shows a fault, yet {seen.low_words()}. {strictness}"
        return f"{first} {most.sure_words}: look first at the items on which {listed(most.without)} differs."
    first = f"No cause is found, yet {seen.low_words()}. {strictness}"
    if most is None or most.change < _WEIGHS:
        return f"{first} Look at the items that raters dispute, and at the guideline."
    chance = f"that may be chance, but look first at the items on which {listed(most.without)} differs."
    return f"{first} {most.words[:1].upper()}{most.words[1:]}: {chance}"


# A table should look like one.
# fmt: off
OPENINGS: tuple[Sentence[Seen], ...] = (
    Sentence("first_put_right", lambda seen: bool(seen.causes) and seen.first.severity is Severity.ERROR,
             lambda seen: f"Put this right first: {_lower(seen.first.title)}.{_more(seen.grave[1:])}"),
    Sentence("one_rater", lambda seen: seen.is_one_rater, _one_rater),
    Sentence("worth_fixing", lambda seen: bool(seen.grave), _worth_fixing),
    Sentence("scarce", lambda seen: bool(seen.scarce),
             lambda seen: f"There is too little to look for faults in: {seen.scarce}."),
    Sentence("one_value", lambda seen: seen.prevailing is not None, _one_value),
    Sentence("no_cause", lambda seen: bool(seen.low), _no_cause),
    Sentence("nothing", lambda seen: not seen.causes, lambda seen: "Nothing is wrong that these checks can see."),
    Sentence("remarks", lambda seen: bool(seen.causes),
             lambda seen: f"Nothing grave: {counted(len(seen.causes), 'small remark')} only."),
)
# fmt: on


def opening(seen: Seen) -> str:
    """The first sentence that is true here."""
    return first_true(seen).words(seen)


def first_true(seen: Seen) -> Sentence[Seen]:
    return next(one for one in OPENINGS if one.holds(seen))


def _lower(title: str) -> str:
    """A title of ours inside a sentence; the name of a rater is left as it is."""
    known = {spec.title for spec in FINDINGS.values()}
    return title[:1].lower() + title[1:] if any(title.startswith(one) for one in known) else title


def _things(causes: Sequence[Cause]) -> str:
    return "One thing is" if len(causes) == 1 else f"{len(causes)} things are"


def _more(causes: Sequence[Cause]) -> str:
    if not causes:
        return ""
    return f" {'One more thing is' if len(causes) == 1 else f'{len(causes)} more things are'} worth fixing."
