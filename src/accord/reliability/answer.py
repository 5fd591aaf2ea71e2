"""The answer first: what to say of the agreement of each part, which few coefficients to report, and why."""

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import PurePath

from accord.coefficients.reported import ORDERS, SHOWN, Use, reported, unfit_use
from accord.design.scale import Level
from accord.noise import ordered
from accord.records import dataclass
from accord.reliability.digits import decisive_digits
from accord.reliability.estimate import Estimate
from accord.reliability.interpretation import INTERPRETATION_SCALES, scale_for
from accord.reliability.measured_again import leading_of, measured_again
from accord.reliability.result import GroupReliability, Reliability
from accord.reliability.rounds_apart import rounds_apart
from accord.reliability.sentences import ORDER, VERDICTS, Apart, Evidence, is_artefact, more_of, symbol
from accord.sentences import chosen
from accord.words import counted, steady

__all__ = ["Answer", "Answers", "Use", "answer_of", "answers_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What to say of one part: a person could say ``sentences`` aloud, and report ``rows`` for the ``reason``.

    ``lead`` is the estimate that the sentences are about, the first of ``rows``; None if nothing has a value.
    ``verdict`` is the key of the first sentence in its table; ``short`` the same sentences where several answers
    stand together. ``others`` counts the coefficients that fit and are not shown; ``guesses`` says what was guessed.
    """

    name: str
    group: GroupReliability
    lead: Estimate | None
    rows: tuple[Estimate, ...]
    reason: str
    verdict: str
    sentences: tuple[str, ...]
    short: tuple[str, ...]
    others: int
    guesses: tuple[str, ...]
    absent: str = ""
    """Why another coefficient leads than the one to report, which has no value."""

    @property
    def text(self) -> str:
        return " ".join(self.sentences)

    def combines(self, other: "Answer") -> bool:
        """Whether this is the answer for the other, too: it is the same, or combines it with its like."""
        return self is other or (
            bool(self.group.combined) and _outside(other.group.by, self.group.combined) == dict(self.group.by)
        )

    @property
    def interval_words(self) -> str:
        """``95% interval 0.60 to 0.81``"""
        if self.lead is None or (interval := self.lead.interval) is None:
            return "no interval"
        digits = decisive_digits(self.lead)
        return (
            f"{100 * interval.level:g}% interval {steady(interval.low):z.{digits}f} to "
            f"{steady(interval.high):z.{digits}f}"
        )

    @property
    def quiet(self) -> str:
        """Value, interval and n on one line."""
        if self.lead is None:
            return "no value"
        return f"{_numbers(self.lead, 3, named=True)}, {counted(self.lead.items, 'item')}"


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of all parts: ``parts`` one by one, ``leading`` those that open.

    That is a combined alpha for its parts; after a guideline round the newest measurement of most items.
    """

    parts: tuple[Answer, ...]
    leading: tuple[Answer, ...]
    notes: tuple[str, ...] = ()

    @property
    def whole(self) -> tuple[Answer, ...]:
        """Those that no other combines."""
        return tuple(one for one in self.parts if not any(each.combines(one) for each in self.parts if each is not one))

    @property
    def summary(self) -> str:
        """One sentence over many answers: the range of values, and how many say what."""
        having = [one for one in self.leading if one.lead]
        # What stands in for a coefficient without a value is on another scale.
        comparable = [one for one in having if not one.absent] or having
        known = ordered(comparable, lambda one: one.lead.value if one.lead else 0.0)
        low, high = (known[0], known[-1]) if known else (None, None)
        if low is None or high is None or low.lead is None or high.lead is None:
            return "Nothing has a value."
        said: dict[str, int] = {}
        for one in self.leading:
            value, _, verdict = one.short[0].rpartition(": ") if one.short else ("", "", "without a value")
            # Only α and what has bands gets a verdict; another number says nothing that could be counted.
            words = verdict.rstrip(".") if value or not one.short else "without a verdict"
            said[words] = said.get(words, 0) + 1
        counts = "; ".join(f"{number} {words}" for words, number in sorted(said.items(), key=lambda pair: -pair[1]))
        lowest, highest = f"{steady(low.lead.value):.2f} ({low.name})", f"{steady(high.lead.value):.2f} ({high.name})"
        ends = f"runs from {lowest} to {highest}" if len(known) > 1 else f"is {lowest}"
        return f"{symbol(low.lead)} {ends}. Of {len(self.leading)}: {counts}."


def answers_of(
    result: Reliability, *, use: Use | str | None = None, asked: bool = False, scale: str = "", name: str = ""
) -> Answers:
    """The answer of each group. ``asked`` says that the coefficients were named by the user: all of them are rows.

    ``scale`` is the key of a scale of interpretation; ``name`` stands for ratings of one criterion without a name.
    """
    wanted = Use(use) if use else None
    plain = name or _stem(result.source)
    parts = tuple(
        answer_of(group, use=wanted, asked=asked, scale=scale, name=_name(group, plain), among=result.groups)
        for group in result.groups
    )
    leading = tuple(each for one in Answers(parts, ()).whole for each in _newest(one, parts))
    notes = tuple(result.notes)
    people = tuple(one for one in leading if not _lone_model(one))
    if people and len(people) < len(leading):
        parts, leading = tuple(one for one in parts if not _lone_model(one)), people
        notes = (*notes, _LONE_MODEL)
    unfit = dict.fromkeys(unfit_use(Level(group.level), wanted) for group in result.groups)
    return Answers(parts, leading, (*notes, *filter(None, unfit), *_unused(scale, leading)))


def _newest(one: Answer, parts: Sequence[Answer]) -> Sequence[Answer]:
    """What leads for a criterion: the newest measurement of most items, else the answer itself."""
    newest = leading_of(one.group, [part.group for part in parts]) if one.group.combined else []
    return [part for part in parts if any(part.group is group for group in newest)] or [one]


def _unused(scale: str, answers: Sequence[Answer]) -> tuple[str, ...]:
    """That a scale of words is not used for a coefficient that it was not made for."""
    if not scale:
        return ()
    leads = [one.lead for one in answers if one.lead and not scale_for(one.lead.coefficient, scale)]
    asked = INTERPRETATION_SCALES[scale]
    names = dict.fromkeys(one.title for one in leads)
    return tuple(
        f"the scale of {asked.name} was made for {asked.made_for} and is not used for {name}: --all shows what it fits"
        for name in names
    )


_LONE_MODEL = (
    "one model rated beside people, and these are people's numbers: accord judge tells how far it agrees with them"
)


def _lone_model(one: Answer) -> bool:
    """Whether a part is that of a single model: with nobody of its kind to compare, it has no number of its own."""
    return one.group.by.get("kind") == "model" and one.group.raters < 2


def answer_of(
    group: GroupReliability, *, use: Use | None = None, asked: bool = False, scale: str = "",
    name: str = "all ratings", among: Sequence[GroupReliability] = (),
) -> Answer:  # fmt: skip
    """The answer of one group of ratings; ``among`` holds the parts that it may combine."""
    row = reported(Level(group.level), group.raters, use)
    keys: Sequence[str] = tuple(dict.fromkeys((group.deciding, *row.keys)))
    if asked or group.combined:
        keys = [one.coefficient for one in group.estimates]
    present = [group[key] for key in keys if key in group and (asked or not is_artefact(group[key]))]
    rows = [one for one in present if not isnan(one.value) or asked][: len(present) if asked else SHOWN]
    rows = rows or present[:1] or list(group.estimates[:1])
    why = "" if asked or group.combined else row.reason([one.coefficient for one in rows])
    if why and group.deciding:
        why = f"{group[group.deciding].title} was declared to decide. {why}"
    lead = rows[0] if rows else None
    sentences: tuple[str, ...] = (_nothing(group),)
    short, verdict = sentences, ""
    absent: tuple[str, ...] = ()
    if lead is not None:
        order = next((group[key] for key in ORDERS if key in group and key != lead.coefficient), None)
        seen = Evidence(lead=lead, order=order, apart=_apart(group), scale=scale_for(lead.coefficient, scale))
        verdict = found.key if (found := chosen(VERDICTS, seen)) else ""
        absent = () if asked else _absent_lead(group, group.deciding or row.keys[0], lead)
        rounds = rounds_apart(group, among, lead.coefficient)
        again = measured_again(group, among, lead.coefficient)
        told = f"{again}." if again else ""
        sentences = (*_sentences(group, seen, rounds, told), *absent)
        short = (*_said_shortly(group, seen, rounds, told), *absent)
    fitting = sum(not isnan(one.value) for one in group.estimates if one not in rows)
    return Answer(
        name=name, group=group, lead=lead, rows=tuple(rows), reason=why, verdict=verdict, sentences=sentences,
        short=short, others=0 if asked else fitting, guesses=group.guesses, absent="".join(absent),
    )  # fmt: skip


def _nothing(group: GroupReliability) -> str:
    """Why no coefficient has a value."""
    if group.raters > 1:
        return "No coefficient fits these ratings."
    beside = " How far it agrees with people: accord judge." if group.by.get("kind") == "model" else ""
    return f"One rater only, so there is nobody to compare with.{beside}"


def _absent_lead(group: GroupReliability, wanted: str, lead: Estimate) -> tuple[str, ...]:
    """Why another coefficient leads than the one to report."""
    if wanted == lead.coefficient or wanted not in group or not isnan(group[wanted].value):
        return ()
    why = next(iter(group[wanted].cautions), "").removeprefix("undefined: ").partition(": ")[0]
    return (f"{group[wanted].title} has no value{f', as {why}' if why else ''}.",)


def _sentences(group: GroupReliability, seen: Evidence, rounds: str, again: str) -> tuple[str, ...]:
    """Verdict; rounds that differ; what is gravely wrong, else who lies apart; how many more."""
    lead = seen.lead
    where = f"{group.level}, {counted(lead.items, 'item')}, {counted(lead.raters, 'rater')}{_within_words(group)}"
    verdict = chosen(VERDICTS, seen)
    first = f"{_numbers(lead, 2, named=True)} ({where})"
    lines = [f"{first}: {verdict.said(seen)}." if verdict else f"{first}."]
    # What would follow if α stayed where it is does not, where the rounds show that it moved.
    order, more = chosen(ORDER, seen), "" if rounds else more_of(seen)
    lines += filter(None, (again, f"{rounds}." if rounds else ""))
    if grave := _grave(group):
        lines.append(grave)
    elif order:
        lines.append(f"{order.said(seen)}.")
    if more:
        lines.append(f"{more}.")
    return tuple(lines)


def _said_shortly(group: GroupReliability, seen: Evidence, rounds: str, again: str) -> tuple[str, ...]:
    verdict, order = chosen(VERDICTS, seen), chosen(ORDER, seen)
    first = _numbers(seen.lead, 2, named=False)
    lines = [f"{first}: {verdict.said(seen, short=True)}." if verdict else f"{first}."]
    lines += filter(None, (again, f"{rounds}." if rounds else ""))
    if grave := _grave(group):
        lines.append(grave)
    elif order:
        lines.append(f"{order.said(seen, short=True)}.")
    return tuple(lines)


def _numbers(estimate: Estimate, digits: int, *, named: bool) -> str:
    """``α = 0.71, 95% interval 0.60 to 0.81``; the word interval is left out where it was said before."""
    name, digits = symbol(estimate), max(digits, decisive_digits(estimate))
    if isnan(estimate.value):
        return f"{name} is undefined"
    value = f"{name} = {steady(estimate.value):z.{digits}f}"
    interval = estimate.interval
    if interval is None:
        return f"{value}, no interval"
    words = f"{100 * interval.level:g}% interval " if named else ""
    return f"{value}, {words}{steady(interval.low):z.{digits}f} to {steady(interval.high):z.{digits}f}"


def _grave(group: GroupReliability) -> str:
    """The gravest finding, where something is wrong that no coefficient survives."""
    for finding in group.findings:
        told = finding.to_dict()
        if told["severity"] == "error":
            message = str(told["message"]).removeprefix(f"{group.title}: ").rstrip(".")
            return f"Check this first: {message}."
    return ""


def _apart(group: GroupReliability) -> tuple[Apart, ...]:
    """Raters whom the findings call severe or lenient, the furthest first."""
    found = []
    for finding in group.findings:
        told = finding.to_dict()
        who, evidence = told["who"], told["evidence"]
        if told["code"] == "severe_rater" and isinstance(who, list) and isinstance(evidence, Mapping):
            found.append(Apart(str(who[0]), float(evidence["apart"]), str(evidence.get("strictness", ""))))
    return tuple(ordered(found, lambda one: abs(one.by), highest=True))


def _within_words(group: GroupReliability) -> str:
    columns = " and ".join(column.replace("_", " ") for column in group.combined)
    return f", combined within each {columns}" if columns else ""


def _stem(source: str) -> str:
    stem = PurePath(source).stem if source and "\n" not in source else ""
    return stem or "all ratings"


def _name(group: GroupReliability, plain: str) -> str:
    """What a part is called: its criterion, and the names it was split by."""
    names = [value or f"no {column}" for column, value in group.by.items()]
    return ", ".join(names) or plain


def _outside(by: Mapping[str, str], within: Sequence[str]) -> dict[str, str]:
    return {column: value for column, value in by.items() if column not in within}
