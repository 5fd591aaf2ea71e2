"""Quality control: each rater against known answers, spoilt copies and their own earlier scores."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.design.known_answers import SLACK
from accord.design.study import Controls, CriterionSettings, Exclusion
from accord.quantiles import median_of
from accord.ratings.roles import BESIDE
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.scoring.gate_exclusions import better_is_higher
from accord.scoring.rater_gate import Outcome, RaterGate, gate_raters
from accord.server.organiser.work import Worker
from accord.server.study import LoadedStudy
from accord.words import p_text, steady

__all__ = ["INCOMPLETE", "RULES", "Check", "RuleSpec", "checks_of"]


INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """A rule of study.toml in words, with the limit it has where none was declared."""

    title: str
    limit: float
    always: bool = True
    """Whether it is looked at without having been declared."""


RULES: Mapping[str, RuleSpec] = {
    "degraded_not_lower": RuleSpec("Spoilt copies scored below the originals", 0.05),
    "repeats_differ": RuleSpec("The same score for the same item again", 0.25),
    "gold_wrong": RuleSpec("Known answers", 0.5),
    "attention_failed": RuleSpec("Planted phrases noticed", 0.5),
    "too_fast": RuleSpec("Seconds for a batch", 300, always=False),
    "constant_run": RuleSpec("One score many times in a row", 8, always=False),
    "no_variation": RuleSpec("Scores vary", 0.0),
    INCOMPLETE: RuleSpec("Work finished", 1.0, always=False),
}


@dataclass(frozen=True, slots=True)
class Check:
    """One rule looked at for one rater: what was seen, and whether it lies beyond the limit."""

    rater: str
    rule: str
    criterion: str
    words: str
    failed: bool
    declared: bool

    @property
    def title(self) -> str:
        return RULES[self.rule].title


def checks_of(study: LoadedStudy, criteria: Mapping[str, Ratings], work: Iterable[Worker]) -> dict[str, list[Check]]:
    """Every check of every rater on the ratings of each criterion, by rater; failed ones first."""
    rules: dict[str, Exclusion] = {rule.rule: rule for rule in study.settings.exclusions}
    raters = list(work)
    found: dict[str, list[Check]] = {rater.name: [] for rater in raters}
    for key, ratings in criteria.items():
        for check in _of_criterion(study, study.criteria[key], ratings, rules):
            found.setdefault(check.rater, []).append(check)
    for check in _speed(study.settings.controls, criteria, rules):
        found.setdefault(check.rater, []).append(check)
    for rater in raters:
        found[rater.name] += _incomplete(rater.name, rater.done, rater.tasks + rater.left, rules)
    return {name: sorted(checks, key=lambda check: not check.failed) for name, checks in found.items()}


def _limit(rule: str, rules: Mapping[str, Exclusion]) -> float:
    declared = rules.get(rule)
    return RULES[rule].limit if declared is None or declared.limit is None else declared.limit


def _is_looked_at(rule: str, rules: Mapping[str, Exclusion]) -> bool:
    return RULES[rule].always or rule in rules


def _of_criterion(
    study: LoadedStudy, criterion: CriterionSettings, ratings: Ratings, rules: Mapping[str, Exclusion]
) -> list[Check]:
    """All rules that look at the answers to one criterion."""
    checks: list[Check] = []
    if ratings.level.has_order and ratings.scale.is_numeric:
        known = ratings.criterion.direction.is_known
        scored = better_is_higher(ratings) if known else ratings
        for gate in gate_raters(scored, _roles(scored), alpha=0.05, fastest=0, longest_run=10**9):
            checks += _gated(criterion, gate, _range(scored), rules)
        checks += _attention(criterion, scored, rules)
        checks += _runs(criterion, scored, rules)
        # Nobody fails, and nobody passes, a test of what is worse where nobody said what worse is.
        checks = checks if known else [_asking(check) for check in checks]
    return checks + _gold(study, criterion, ratings, rules)


def _asking(check: Check) -> Check:
    """The question instead of a verdict that needs to know which end is good."""
    if check.rule not in ("degraded_not_lower", "attention_failed"):
        return check
    return replace(check, failed=False, words=f"cannot be judged: which end of {check.criterion} is good was not said")


def _range(ratings: Ratings) -> float:
    ends = (ratings.scale.low, ratings.scale.high)
    numbers = [end for end in ends if end is not None] or list(ratings.scale.numbers)
    return max(max(numbers) - min(numbers), 1e-12)


def _roles(ratings: Ratings) -> NDArray[np.object_]:
    factor = ratings.columns.get("role")
    if factor is None:
        return np.full(len(ratings), "system", dtype=object)
    known = {
        "repeat": "repeat",
        "degraded": "degraded",
        "reference": "reference",
        "attention": "other",
        "gold": "other",
        BESIDE: "other",
    }
    names = np.array([known.get(name, "system") for name in factor.names] + ["system"], dtype=object)
    return np.asarray(names[factor.codes], dtype=object)


def _check(rater: str, rule: str, criterion: str, words: str, failed: bool, rules: Mapping[str, Exclusion]) -> Check:
    return Check(rater, rule, criterion, words, failed, rule in rules)


def _gated(criterion: CriterionSettings, gate: RaterGate, width: float, rules: Mapping[str, Exclusion]) -> list[Check]:
    made = []
    if gate.pairs >= 2:
        limit = _limit("degraded_not_lower", rules)
        words = f"{gate.worse_words} on average, {p_text(gate.p)} (one-sided, own scores)"
        failed = not isnan(gate.p) and gate.p >= limit and gate.outcome is not Outcome.CANNOT_TELL
        if gate.outcome is Outcome.CANNOT_TELL:
            usual = "" if isnan(gate.power) else f": a usual rater passes in {steady(gate.power):.0%} of cases"
            words += f"; too few pairs to tell{usual}"
        made.append(_check(gate.rater, "degraded_not_lower", criterion.key, words, failed, rules))
    if not isnan(gate.repeat_difference):
        share = gate.repeat_difference / width
        limit = _limit("repeats_differ", rules)
        words = f"{steady(share):.0%} of the scale apart on average"
        made.append(_check(gate.rater, "repeats_differ", criterion.key, words, share > limit, rules))
    if not gate.deviates and gate.ratings > 2:
        words = f"one and the same score {gate.ratings} times"
        made.append(_check(gate.rater, "no_variation", criterion.key, words, True, rules))
    return made


def _attention(criterion: CriterionSettings, ratings: Ratings, rules: Mapping[str, Exclusion]) -> list[Check]:
    """An alien phrase must cost something: the copy is scored below the rater's own middle score."""
    factor = ratings.columns.get("role")
    if factor is None or "attention" not in factor.names:
        return []
    alien = factor.codes == list(factor.names).index("attention")
    scores, made = ratings.scores, []
    limit = _limit("attention_failed", rules)
    for code, name in enumerate(ratings.rater.names):
        own = ratings.rater.codes == code
        seen, usual = scores[own & alien], scores[own & ~alien]
        if len(seen) and len(usual):
            missed = int((seen >= median_of(usual)).sum())
            words = f"{len(seen) - missed} of {len(seen)} noticed"
            made.append(_check(name, "attention_failed", criterion.key, words, missed / len(seen) > limit, rules))
    return made


def _runs(criterion: CriterionSettings, ratings: Ratings, rules: Mapping[str, Exclusion]) -> list[Check]:
    if not _is_looked_at("constant_run", rules) or "order" not in ratings.numbers:
        return []
    limit, made = _limit("constant_run", rules), []
    turns = [ratings.columns["round"]] if "round" in ratings.columns else []
    for code, name in enumerate(ratings.rater.names):
        rows = np.flatnonzero(ratings.rater.codes == code)
        rows = rows[np.argsort(ratings.numbers["order"][rows], kind="stable")]
        # What is measured again begins anew: days may lie between, and the screens around it were others.
        changes = [one[1:] != one[:-1] for one in (ratings.value[rows], *(turn.codes[rows] for turn in turns))]
        edges = np.flatnonzero(np.r_[True, np.logical_or.reduce(changes), True])
        longest = int(np.diff(edges).max()) if len(rows) else 0
        words = f"{longest} times in a row at most"
        made.append(_check(name, "constant_run", criterion.key, words, longest > limit, rules))
    return made


def _gold(
    study: LoadedStudy, criterion: CriterionSettings, ratings: Ratings, rules: Mapping[str, Exclusion]
) -> list[Check]:
    """Answers to items whose answer is known; a slider may miss by a tenth of its length."""
    known = {item.id: item.gold[criterion.key] for item in study.study.items if item.gold.get(criterion.key)}
    if not known:
        return []
    right = [_expected(known, name) for name in ratings.item.names]
    slack = SLACK * _range(ratings) if criterion.kind == "slider" else 0.0
    counts: dict[str, list[int]] = {}
    for row in range(len(ratings)):
        wanted = right[int(ratings.item.codes[row])]
        if wanted is not None:
            seen = counts.setdefault(ratings.rater.names[int(ratings.rater.codes[row])], [0, 0])
            seen[0] += not _same(ratings.scale.values[int(ratings.value[row])], wanted, slack)
            seen[1] += 1
    limit = _limit("gold_wrong", rules)
    return [
        _check(name, "gold_wrong", criterion.key, f"{total - wrong} of {total} right", wrong / total > limit, rules)
        for name, (wrong, total) in counts.items()
    ]


def _expected(known: Mapping[str, str], name: str) -> str | None:
    """The known answer to a rated item; a spoilt copy has none."""
    return None if "#" in name else known.get(name) or known.get(name.rpartition(":")[0])


def _same(value: Any, wanted: str, slack: float) -> bool:
    try:
        return abs(float(value) - float(wanted)) <= slack
    except (TypeError, ValueError):
        return str(value) == wanted


def _speed(controls: Controls, criteria: Mapping[str, Ratings], rules: Mapping[str, Exclusion]) -> list[Check]:
    """The time of a batch over all criteria; of a batch that is not whole, its share of the limit.

    A rest of a few texts says little: batches with less than half the answers of the rater's largest are not looked at.
    """
    if not _is_looked_at("too_fast", rules):
        return []
    spent: dict[str, dict[str, float]] = {}
    answers: dict[str, Counter[str]] = {}
    for ratings in criteria.values():
        batch = ratings.columns["batch"].labels() if "batch" in ratings.columns else np.full(len(ratings), "")
        seconds = ratings.numbers.get("time_s", np.zeros(len(ratings)))
        given: dict[str, Counter[str]] = {}
        for code, part, time in zip(ratings.rater.codes.tolist(), batch.tolist(), seconds.tolist(), strict=True):
            name = ratings.rater.names[code]
            own = spent.setdefault(name, {})
            own[part] = own.get(part, 0.0) + (0.0 if isnan(time) else time)
            given.setdefault(name, Counter())[part] += 1
        for name, counts in given.items():
            answers[name] = answers.get(name, Counter()) | counts
    limit, whole = _limit("too_fast", rules), _answers_of_a_batch(controls)
    found = []
    for name, own in spent.items():
        share = {part: min(1.0, answers[name][part] / whole) if whole else 1.0 for part in own}
        enough = max(answers[name].values()) / 2
        part = min((one for one in own if answers[name][one] >= enough), key=lambda one: own[one] / share[one])
        words = f"{steady(own[part]):.0f} s for the fastest batch"
        if share[part] < 1:
            words += f", of {answers[name][part]} answers, which take {steady(limit * share[part]):.0f} s at least"
        found.append(_check(name, "too_fast", "", words, own[part] < limit * share[part], rules))
    return found


def _answers_of_a_batch(controls: Controls) -> int:
    """How many answers a whole batch has; 0 where a batch is all that a rater does, whatever that is."""
    if controls.batch is None:
        return 0
    return controls.batch + (controls.total if controls.per == "batch" else 0)


def _incomplete(name: str, done: int, tasks: int, rules: Mapping[str, Exclusion]) -> Sequence[Check]:
    if not _is_looked_at(INCOMPLETE, rules) or not tasks:
        return []
    short = done / tasks < _limit(INCOMPLETE, rules)
    return [_check(name, INCOMPLETE, "", f"{done} of {tasks} screens", short, rules)]
