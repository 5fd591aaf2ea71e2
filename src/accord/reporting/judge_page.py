"""The dossier of a judge as a page with the look of the report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.errors import OptionError
from accord.judging import telling, words
from accord.judging.dossier import CriterionDossier, Dossier
from accord.judging.gate import Gate, Verdict
from accord.look.bar import Bar, shared_ends
from accord.plots.judges import agreement_chart, effect_chart, score_chart
from accord.reporting.document import Block, Document, Figure, FirstScreen, Listing, Number, Paragraph, Rows, Section
from accord.reporting.wording import for_readers
from accord.tables.table import Table
from accord.words import counted, steady

__all__ = ["judge_page"]

_NEXT = 5


def judge_page(dossier: Dossier, gate: Gate | None, data: Mapping[str, Any]) -> Document:
    """Answer, numbers, and one section for each question."""
    several = len(dossier.parts) > 1
    sections = [section for part in dossier.parts for section in _sections(dossier, part, several)]
    if gate is not None:
        sections.insert(0, Section("gate", "The gate", words.gate_sentences(gate)[0],
                                   [Rows(telling.gate_table(gate))]))  # fmt: skip
    sections.append(_with_what(dossier))
    claims = _without_options(telling.claims_table(dossier))
    sections.append(Section("claims", "What these data cannot say",
                            f"{counted(len(claims.rows), 'claim')} that this dossier refuses to make.",
                            [Rows(claims)]))  # fmt: skip
    first = dossier.parts[0]
    subtitle = (
        f"{counted(len(first.panel.items), 'item')} judged, {counted(len(first.panel.labelled), 'item')} labelled by "
        f"{counted(len(first.panel.people), 'person', 'people')}"
    )
    return Document(f"Judge {dossier.judge}", subtitle, _first(dossier, gate), sections, dict(data), dossier.signature)


def _first(dossier: Dossier, gate: Gate | None) -> FirstScreen:
    first = dossier.parts[0]
    several = len(dossier.parts) > 1
    # The headline of several criteria counts them, and each is told below it.
    head = words.at_once(dossier) if several else words.stands_in(dossier.judge, first)
    told = [line for line in words.answer(dossier) if line != head] if several else [
        words.agrees(first.beside[0]), words.score_sentence(dossier.judge, first), *words.answer(dossier)[1:]
    ]  # fmt: skip
    verdict = "" if gate is None else f"{gate.verdict}. "
    found = [(part, gap.words) for part in dossier.parts for gap in (part.measures[0].gaps if part.measures else ())]
    found += [(part, words.errors_sentence(dossier.judge, part)) for part in dossier.parts if _off(part)]
    found += [(part, words.bias_sentence(part)) for part in dossier.parts if words.biases(part)]
    wrong = [f"{part.title}: {line}" if several else line for part, line in found]
    wrong += [] if gate is None or gate.verdict is Verdict.TRUSTED else words.gate_sentences(gate)[1:]
    todo = [line for line in words.steadiness_sentences(first) if "Judge some items again" in line]
    if first.next_items:
        more = " …" if len(first.next_items) > _NEXT else ""
        todo.append(f"Label next: {', '.join(one.item for one in first.next_items[:_NEXT])}{more} (below, with why).")
    return FirstScreen(
        question=f"May {dossier.judge} stand in for people, and what are its scores worth?",
        answer=f"{verdict}{head}", why=" ".join(map(for_readers, told)), numbers=_numbers(first), wrong=wrong,
        calm="" if wrong else _calm(dossier), todo=todo,
    )  # fmt: skip


def _calm(dossier: Dossier) -> str:
    """Nothing is shown to be wrong; what was not tested is not said to be well."""
    tested = all(part.probes for part in dossier.parts)
    bias = "No bias is shown by the probes below" if tested else "Not every criterion could be tested for bias"
    return f"{bias}, and no check of coverage found anything wrong."


def _without_options(table: Table) -> Table:
    """The table for a reader of the page, who has no command line."""
    rows = [
        {key: for_readers(cell) if isinstance(cell, str) else cell for key, cell in row.items()} for row in table.rows
    ]
    return replace(table, rows=rows)


def _off(part: CriterionDossier) -> bool:
    ends = part.apart.interval
    return part.panel.ordered and ends is not None and not ends.low <= 0 <= ends.high


def _numbers(part: CriterionDossier) -> list[Number]:
    numbers = []
    if part.test is not None:
        rate = part.test.winning_interval
        bar = None if rate is None else Bar(part.test.winning_rate, rate.low, rate.high, words.ends(rate), marks=(0.5,))
        numbers.append(Number("Winning rate over people", f"{steady(part.test.winning_rate):.2f}", words.ends(rate),
                              f"passes from 0.50 on, ε = {part.test.epsilon:g}", bar))  # fmt: skip
    alpha = part.beside[0]
    ends = alpha.judge_interval
    bar = None if ends is None else Bar(alpha.judge, ends.low, ends.high, words.ends(ends),
                                        shared_ends([ends.low, ends.high], (0.0, 1.0)))  # fmt: skip
    people = f"among people {steady(alpha.people):.2f}" if alpha.people == alpha.people else ""
    numbers.append(Number("α of judge and people", f"{steady(alpha.judge):.2f}", words.ends(ends), people, bar))
    if part.measures:
        one = part.measures[0].overall
        if one.interval is not None:
            numbers.append(Number(f"Corrected {part.measures[0].name}", f"{steady(one.mean):.2f}",
                                  words.ends(one.interval),
                                  f"the judge alone says {steady(one.judge_only):.2f}"))  # fmt: skip
    return numbers


def _sections(dossier: Dossier, part: CriterionDossier, several: bool) -> list[Section]:
    name = dossier.judge
    made = (
        ("stand-in", "May it stand in?", f"{words.stands_in(name, part)} {words.agrees(part.beside[0])}",
         [telling.agreement_table(part), telling.people_table(part)], lambda: agreement_chart(name, part.beside)),
        ("worth", "What are its scores worth?", " ".join(words.found(part)),
         [telling.score_table(part), telling.difference_table(part)], lambda: _scores(name, part)),
        ("errs", "Where does it err?", words.errors_sentence(name, part),
         [telling.verdict_table(part), telling.scale_table(part), telling.confusion_table(part),
          *telling.group_tables(part), telling.far_table(part)],
         lambda: effect_chart(name, "Judge minus people", [one for group in part.groups.values() for one in group])),
        ("bias", "Is it biased?", words.bias_sentence(part), [telling.bias_table(part)],
         lambda: effect_chart(name, "Bias probes", part.probes)),
        ("steady", "Is it steady?", " ".join(words.steadiness_sentences(part)),
         [_effects("The same items under another prompt or version", part.settings),
          _effects("Drift", () if isinstance(part.drift, str) else (part.drift,))], None),
        ("several", "Several judges", _together(part), [telling.several_table(part)], None),
        ("fit", "Is the criterion fit for automation?", _fit(part), [telling.indicators_table(part)], None),
        ("labels", "Which items to label next", "A random part is always kept.", [telling.next_table(part)], None),
    )  # fmt: skip
    sections = []
    for key, title, finding, tables, draw in made:
        blocks: list[Block] = [Rows(table) for table in tables if table is not None and table.rows]
        blocks += _figure(draw)
        if key == "bias" and part.untested:
            blocks += [Paragraph("Not tested:"), Listing([for_readers(line) for line in part.untested])]
        if blocks or (finding and key in ("bias", "steady")):
            head = f"{part.title}: {title}" if several else title
            place = f"{key}-{dossier.parts.index(part)}"
            sections.append(Section(place, head, finding, blocks))
    return sections


def _figure(draw: Any) -> list[Block]:
    if draw is None:
        return []
    try:
        return [Figure(draw())]
    except OptionError:
        # Nothing of this part has an interval: the table says so.
        return []


def _scores(name: str, part: CriterionDossier) -> Any:
    measure = part.measures[0]
    return score_chart(name, measure.name, [("all", measure.overall), *measure.systems])


def _effects(title: str, effects: Sequence[Any]) -> Table | None:
    return telling.effects_table(title, effects) if effects else None


def _together(part: CriterionDossier) -> str:
    one = part.several
    return "" if one is None else f"{len(one.judges)} judges are worth {steady(one.worth):.1f} independent ones."


def _fit(part: CriterionDossier) -> str:
    found = [one for one in part.indicators if one.name == "automatability"]
    return f"Automatability: {found[0].words}." if found else ""


def _with_what(dossier: Dossier) -> Section:
    facts = dossier.facts
    told = {"model": facts.model, "prompt": facts.prompt, "rubric": facts.rubric, "parameters": facts.parameters}
    lines = [f"{name}: {text if len(text) < 300 else text[:299] + '…'}" for name, text in told.items() if text]
    finding = f"Fingerprint {facts.fingerprint}. If any of it changes, this dossier no longer holds."
    return Section("with-what", "What it judged with", finding, [Listing(lines)] if lines else ())
