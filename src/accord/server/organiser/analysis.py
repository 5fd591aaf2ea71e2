"""One state of the judgements, analysed by the library: what the dashboard and the drill-down show."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Any

from accord.coefficients.registry import COEFFICIENTS, KRIPPENDORFF_ALPHA
from accord.diagnosis.correlation import Side, agreement_with_correlation, words_beside
from accord.diagnosis.examination import diagnose, diagnose_parts
from accord.diagnosis.finding import Severity
from accord.diagnosis.items import DisputedItems, disputed_items
from accord.diagnosis.measured_later import measured_later
from accord.diagnosis.pairs import Pair
from accord.diagnosis.part import Part, parts_of
from accord.errors import AccordError
from accord.noise import ordered
from accord.ratings.apart import ROUNDS, kept_apart, words_of
from accord.ratings.counting import count_source
from accord.ratings.rated_elsewhere import items_elsewhere, part_named
from accord.ratings.sanity import sanity
from accord.ratings.table import Ratings
from accord.reliability.estimate import Estimate
from accord.reliability.result import GroupReliability
from accord.reliability.run import agreement, told_agreement
from accord.reliability.signs.amount import TWO_RATINGS
from accord.reporting.analysis import preferences_of
from accord.server.organiser.apart import apart_of
from accord.server.organiser.chosen import choices_in_brief
from accord.server.organiser.needed import what_is_needed
from accord.server.organiser.next_items import next_items
from accord.server.organiser.opening import answer_in_brief
from accord.server.organiser.ranked import rankings_in_brief, systems_ranked
from accord.server.organiser.which_part import part_of

__all__ = ["MAIN", "analyse", "estimates_of", "headline", "reliability_of", "rows_of"]

MAIN = KRIPPENDORFF_ALPHA
"""The coefficient a criterion is known by where the plan of analysis declares no other.

It takes any level, any number of raters, and missing ratings.
"""

_MOST_DISPUTED = 200
_MOST_PAIRS = 500
_CROWD = 150
"""Above this many raters there are too many pairs to look at each while judgements come in: minutes for 200."""
_BIG = 150_000
"""From so many ratings on, findings are looked for in an even share of the items."""

_GRAVITY = [str(severity) for severity in Severity]

Plain = dict[str, Any]


def reliability_of(ratings: Ratings, *, whole: bool = False, **options: Any) -> tuple[GroupReliability, ...]:
    """All coefficients that fit; of a crowd only those that need no table of each rater with each.

    Those to report have intervals, all of them where the ``whole`` is asked for: drawing the others takes most of the
    time, and one page shows them.
    """
    if ratings.raters <= _CROWD:
        return (agreement if whole else told_agreement)(ratings, **options).groups
    found: list[GroupReliability] = []
    for criterion in ratings.split():
        part = replace(criterion.ratings, known_as=ratings.fingerprint)
        facts = [count_source(group.ratings).facts() for group in part.split(kept_apart(part))]
        keys = [
            spec.key
            for spec in COEFFICIENTS.values()
            if not any(spec.identity or spec.objections(one) for one in facts)
        ]
        groups = agreement(part, coefficients=keys, **options).groups
        found += [replace(group, by={**criterion.by, **group.by}) for group in groups]
    return tuple(found)


class Disputed:
    """What raters dispute by any criterion: each text once, and from how far apart on scores are disputed.

    Of a text that was measured again the newest measurement counts: what was disputed before it may be settled.
    """

    def __init__(self) -> None:
        self.is_measured_again = False
        self.by: dict[str, set[str]] = {}
        self.far: set[float] = set()

    def add(self, criterion: str, found: DisputedItems, later: frozenset[str]) -> None:
        self.by.setdefault(criterion, set()).update(found.names - later)
        self.far |= {found.far} - {0.0}
        self.is_measured_again |= bool(later)

    def to_dict(self) -> Plain:
        texts = len(set().union(*self.by.values()))
        by = {key: len(own) for key, own in self.by.items()}
        return {"texts": texts, "far": sorted(self.far), "by": by, "again": self.is_measured_again}


def analyse(ratings: Ratings, *, seed: int = 0) -> Plain:
    """Every criterion: coefficients with intervals, pairs, disputed items, findings, what is still needed."""
    reliability = reliability_of(ratings, seed=seed)
    parts = parts_of(ratings, kept_apart(ratings))
    waiting, disputed = zip(parts, measured_later(parts), strict=True), Disputed()
    made = [
        _combined(ratings, group) if group.combined else _group(*next(waiting), group, seed, disputed)
        for group in reliability
    ]
    alone = items_elsewhere(ratings, kept_apart(ratings))
    groups = [
        {"title": title, **_within(one), "alone": 0 if group.combined else alone.get(part_named(ratings, group.by), 0)}
        for title, one, group in zip(titles_of(ratings, reliability), made, reliability, strict=True)
    ]
    findings = [found for criterion in ratings.split() for found in _findings(criterion.ratings, parts, seed)]
    findings.sort(key=lambda finding: _GRAVITY.index(finding["severity"]))
    odd = [remark.to_dict() for remark in sanity(ratings)]
    rankings, unranked = systems_ranked(ratings)
    found = {"groups": groups, "findings": findings, "sanity": odd, **_looked_into(parts, groups)}
    found["differ"] = disputed.to_dict()
    doubts = [
        ({"criterion": one["criterion"], **one["by"]}, one["invalidates"])
        for one in findings
        if one["severity"] != Severity.NOTE
    ]
    confidence = ratings.codebook.study.confidence or 0.95
    chosen = preferences_of(ratings, confidence, [])
    answer = answer_in_brief(ratings, parts, reliability, (rankings, chosen), doubts)
    ranked = rankings_in_brief(ratings, rankings, unranked)
    found |= {"answer": answer, "rankings": ranked, "chosen": choices_in_brief(chosen, confidence)}
    return {**found, "fingerprint": ratings.fingerprint}


def _within(group: Plain) -> Plain:
    """A part of which few texts have two answers says that it speaks of itself: elsewhere they may have more."""
    main = group["main"]
    if not main or not any(group["by"].get(name) for name in ROUNDS):
        return group
    told = [words.replace(TWO_RATINGS, f"{TWO_RATINGS} in this version or round") for words in main["cautions"]]
    return {**group, "main": {**main, "cautions": told}}


def _looked_into(parts: Sequence[Part], groups: Sequence[Plain]) -> Plain:
    """Who is apart from whom, and which texts to look at next."""
    by_criterion: dict[str, list[Part]] = {}
    for part in parts:
        if len(part.raters) <= _CROWD:
            by_criterion.setdefault(_key(part.ratings), []).append(part)
    alone = [group for group in groups if not group.get("combined")]
    return {"apart": apart_of(by_criterion), "next": next_items(list(zip(alone, parts, strict=True)))}


def _key(ratings: Ratings) -> str:
    """The criterion of ratings that have one."""
    return next(iter(ratings.codebook.criteria))


def titles_of(ratings: Ratings, groups: Sequence[GroupReliability]) -> list[str]:
    """The title of each group: its criterion, and the scenario and other parts where that has several of them."""
    only = _key(ratings)
    names: dict[tuple[str, str], set[str]] = {}
    for group in groups:
        for column, name in group.by.items():
            names.setdefault((group.by.get("criterion", only), column), set()).add(name)
    return [
        " · ".join([key, *(
            name for column, name in group.by.items()
            if column != "criterion" and name and len(names[key, column]) > 1
        ), *([f"combined within {words_of(group.combined)}"] if group.combined else [])])
        for group in groups if (key := group.by.get("criterion", only))
    ]  # fmt: skip


def rows_of(ratings: Ratings, groups: Sequence[GroupReliability]) -> list[Plain]:
    """Each group with its title and of what it is, as the pages know it."""
    rows = []
    for title, group in zip(titles_of(ratings, groups), groups, strict=True):
        of = {"criterion": group.by.get("criterion", _key(ratings)), "of": part_of(ratings, group.by)}
        rows.append({**of, "by": dict(group.by), "title": title, "combined": list(group.combined), "group": group})
    return rows


def headline(results: Plain) -> list[Plain]:
    """The main number of each group, which the history keeps, and who was left out of it."""
    without = sorted({one["rater"] for one in results["excluded"]})
    kept = ("value", "low", "high", "items", "raters")
    return [
        {
            "title": group["title"],
            "criterion": group["criterion"],
            "of": group["of"],
            "combined": bool(group.get("combined")),
            **{name: group["main"][name] for name in kept},
            "without": without,
        }
        for group in results["groups"]
        if group["main"]
    ]


def _group(part: Part, later: frozenset[str], group: GroupReliability, seed: int, texts: Disputed) -> Plain:
    key = _key(part.ratings)
    estimates = estimates_of(group)
    first = group.deciding or MAIN
    main = next((one for one in group.estimates if one.coefficient == first), None)
    needed = what_is_needed(part.ratings, main, seed=seed) if main else None
    disputed = disputed_items(part, most=_MOST_DISPUTED, agreed=0)
    texts.add(key, disputed, later)
    pairs = part.pairs if len(part.raters) <= _CROWD else []
    return {
        "criterion": key, "by": dict(group.by), "of": part_of(part.ratings, group.by), "items": group.items,
        "raters": group.raters, "ratings": group.ratings, "level": group.level, "estimates": estimates,
        "main": _estimate(main) if main and not isnan(main.value) else None,
        "needed": needed.to_dict() if needed else None, "guesses": list(group.guesses),
        "disputed": [
            {**one.to_dict(), "mean": _number(one.mean), "apart": _number(one.apart)} for one in disputed.most
        ],
        "far": disputed.far, "later": sorted(later & {one.item for one in disputed.most}),
        "side": _side(key, part), "pairs": [_pair(pair) for pair in _furthest_apart(pairs)], "pairs_in_all": len(pairs),
        "crowd": _CROWD if len(part.raters) > _CROWD else 0,
    }  # fmt: skip


def _combined(ratings: Ratings, group: GroupReliability) -> Plain:
    """The group that puts parts together: its numbers only, as raters and items are looked at part by part."""
    estimates = estimates_of(group)
    return {
        "criterion": group.by.get("criterion", _key(ratings)), "by": dict(group.by), "of": {}, "items": group.items,
        "combined": list(group.combined),
        "raters": group.raters, "ratings": group.ratings, "level": group.level, "estimates": estimates,
        "main": estimates[0] if estimates[0]["value"] is not None else None, "needed": None,
        "guesses": list(group.notes), "disputed": [], "side": None, "pairs": [], "pairs_in_all": 0, "crowd": 0,
    }  # fmt: skip


def estimates_of(group: GroupReliability) -> list[Plain]:
    """Every coefficient of a group as the pages know it."""
    return [_estimate(estimate) for estimate in group.estimates]


def _estimate(estimate: Estimate) -> Plain:
    interval = estimate.interval
    return {
        "coefficient": estimate.coefficient, "title": estimate.title, "value": _number(estimate.value),
        "low": _number(interval.low) if interval else None, "high": _number(interval.high) if interval else None,
        "level": interval.level if interval else None, "method": interval.method if interval else "",
        "items": estimate.items, "raters": estimate.raters, "cautions": list(estimate.cautions),
        "reading": str(estimate.interpretations[0]) if estimate.interpretations else "",
        "signature": estimate.signature,
    }  # fmt: skip


def _number(number: float | None) -> float | None:
    return None if number is None or isnan(number) else number


def _furthest_apart(pairs: Sequence[Pair]) -> list[Pair]:
    return ordered(pairs, lambda pair: pair.kappa, size=1.0)[:_MOST_PAIRS]


def _pair(pair: Pair) -> Plain:
    return {
        "first": pair.first, "second": pair.second, "items": pair.items, "agreement": _number(pair.agreement),
        "kappa": _number(pair.kappa), "gamma": _number(pair.gamma), "higher": pair.higher, "lower": pair.lower,
    }  # fmt: skip


def _side(key: str, part: Part) -> Plain | None:
    """Agreement beside correlation, for criteria with an order."""
    if not part.ordered or len(part.raters) > _CROWD:
        return None
    sides: Sequence[Side] = agreement_with_correlation(part.ratings, scopes=("all",), parts=[part])
    if not sides:
        return None
    side = sides[0].to_dict()
    plain = {name: value for name, value in side.items() if not isinstance(value, float) or not isnan(value)}
    words = words_beside(str(plain["words"]), is_weighted=part.is_fine)
    return {**plain, "criterion": key, "is_weighted": part.is_fine, "words": words}


def _findings(ratings: Ratings, parts: Sequence[Part], seed: int) -> list[Plain]:
    key, (looked, remark) = _key(ratings), _looked_at(ratings)
    try:
        if looked is ratings:
            apart = kept_apart(ratings)
            own = [part.among(apart) for part in parts if _key(part.ratings) == key]
            found = diagnose_parts(ratings, own, seed=seed)
        else:
            found = diagnose(looked, seed=seed)
    except AccordError as error:
        return [{"criterion": key, "severity": "note", "code": "", "message": str(error), "advice": "", "who": []}]
    # A message that begins with its part, as in "scenario RS: ...", follows the criterion by a comma.
    return [
        {
            "criterion": key,
            "join": "," if finding.by else ":",
            **_plain(finding.to_dict()),
            "by": dict(finding.by),
            "remark": remark,
        }
        for finding in found.findings
    ]


def _plain(finding: dict[str, object]) -> Plain:
    evidence = finding.pop("evidence", {})
    known = evidence if isinstance(evidence, dict) else {}
    return {**finding, "evidence": {name: _json(value) for name, value in known.items()}}


def _json(value: object) -> object:
    return None if isinstance(value, float) and isnan(value) else value


def _looked_at(ratings: Ratings) -> tuple[Ratings, str]:
    """An even share of the raters of a crowd, and of very many items: each is held against each."""
    remarks = []
    if ratings.raters > _CROWD:
        step = -(-ratings.raters // _CROWD)
        ratings = ratings.where(ratings.rater.codes % step == 0)
        remarks.append(f"looked for among every {_th(step)} rater")
    if len(ratings) > _BIG:
        step = -(-len(ratings) // _BIG)
        ratings = ratings.where(ratings.item.codes % step == 0)
        remarks.append(f"looked for in every {_th(step)} item")
    return ratings, "; ".join(remarks)


def _th(number: int) -> str:
    """Second, third, 4th, ..."""
    return {2: "second", 3: "third"}.get(number, f"{number}th")
