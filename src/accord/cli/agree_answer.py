"""What ``accord agree`` prints: the answer in sentences, the few rows to report, and where to look further."""

import re
from collections.abc import Iterable, Sequence
from math import nan

from accord.cli.layout import columns_of, paragraphs, print_answer, small_table, wrapped
from accord.coefficients.registry import KRIPPENDORFF_ALPHA
from accord.design.scale import LEVEL_GUESSED
from accord.ratings.guessing import in_short
from accord.reliability.answer import Answer, Answers
from accord.reliability.cautions import ORDER_IGNORED
from accord.reliability.estimate import Estimate
from accord.tables.bars import bar_heading, interval_bar
from accord.tables.table import Cell, Column, Table
from accord.words import counted, listed

__all__ = ["print_answers", "print_quiet"]

_MOST_TOLD = 4
"""So many answers are told one by one; more are summed up in a sentence."""
_MARKS = (2 / 3, 0.8)
_HEADING = {"0": 0.0, ".5": 0.5, ".67": 2 / 3, ".8": 0.8}
_PLAIN_HEADING = {"0": 0.0, ".5": 0.5}
"""Where .667 and .8 mean nothing: they are Krippendorff's."""
_BAR = 29


def print_quiet(answers: Answers) -> None:
    """One line an answer: value, interval, n."""
    alone = len(answers.leading) == 1
    print_answer([[one.quiet if alone else f"{one.name}: {one.quiet}" for one in answers.leading]])


def print_answers(answers: Answers, file: str, *, extra: Sequence[Table] = (), sanity: Sequence[str] = ()) -> None:
    """The whole screen; ``extra`` are tables asked for beside it, such as pairs."""
    several = len(answers.parts) > 1
    blocks = [list(sanity), _opening(answers), _rows_of_parts(answers) if several else _rows_of(answers.parts[0])]
    blocks += [[table.title, *small_table(table), *table.notes] for table in extra]
    blocks.append(_further(answers, file, shown_pairs=bool(extra)))
    print_answer(blocks)


def _opening(answers: Answers) -> list[str]:
    leading = answers.leading
    if len(leading) == 1:
        return paragraphs([(leading[0].name, leading[0].text)])
    if len(leading) > _MOST_TOLD:
        return wrapped(answers.summary)
    first, *others = leading
    told = [(first.name, " ".join((first.sentences[0], *first.short[1:])))]
    return paragraphs([*told, *((one.name, " ".join(one.short)) for one in others)])


def _rows_of(answer: Answer) -> list[str]:
    rows: list[dict[str, Cell]] = [
        {"title": one.title, "value": one.value, "interval": _ends(one), "items": one.items} for one in answer.rows
    ]
    level = next((f"{100 * one.interval.level:g}% " for one in answer.rows if one.interval), "")
    columns = (
        Column("title", "report"),
        Column("value", "value"),
        Column("interval", f"{level}interval"),
        Column("items", "items"),
    )
    lines = small_table(Table("", columns, rows))
    return [*lines, *(wrapped(f"Why these: {answer.reason}.") if answer.reason else ())]


def _rows_of_parts(answers: Answers) -> list[str]:
    """One row a part, and one for what combines the parts of a criterion."""
    shown = [one for one in _in_order(answers) if one.lead is not None]
    same = len({one.lead.coefficient for one in shown if one.lead}) == 1
    levels = len({one.group.level for one in shown}) > 1
    rows: list[dict[str, Cell]] = [
        {
            "name": f"{one.name}, combined" if one.group.combined else one.name, "level": one.group.level,
            "title": one.lead.title, "value": one.lead.value, "interval": _ends(one.lead, 2), "items": one.lead.items,
            "raters": one.lead.raters, "bar": _bar(one.lead),
        }
        for one in shown if one.lead
    ]  # fmt: skip
    by_alpha = any(one.lead.coefficient == KRIPPENDORFF_ALPHA for one in shown if one.lead)
    heading = bar_heading(_HEADING if by_alpha else _PLAIN_HEADING, width=_BAR)
    confidence = next((f"{100 * one.lead.interval.level:g}% " for one in shown if one.lead and one.lead.interval), "")
    of = shown[0].lead.title if same and shown and shown[0].lead else ""
    columns = [
        Column("name", _heading(shown)), *([Column("level", "level")] if levels else []),
        *([] if same else [Column("title", "report")]), Column("value", of or "value", 2),
        Column("interval", f"{confidence}interval"), Column("items", "items"), Column("raters", "raters"),
        Column("bar", heading),
    ]  # fmt: skip
    lines = small_table(Table("", columns, rows))
    if max(map(len, lines)) <= columns_of():
        return lines
    return small_table(Table("", columns[:-1], rows))


def _in_order(answers: Answers) -> list[Answer]:
    """Parts as they come, and behind the last part of a criterion what combines them."""
    parts = [one for one in answers.parts if not one.group.combined]
    for one in (one for one in answers.parts if one.group.combined):
        own = [place for place, part in enumerate(parts) if part.group.by.items() >= one.group.by.items()]
        parts.insert(own[-1] + 1 if own else len(parts), one)
    return parts


def _heading(shown: Sequence[Answer]) -> str:
    """The columns that the names of the parts come from."""
    columns = dict.fromkeys(column for one in shown for column in one.group.by)
    return ", ".join(column.replace("_", " ") for column in columns) or "ratings"


def _ends(estimate: Estimate, digits: int = 3) -> str:
    interval = estimate.interval
    return f"{interval.low:z.{digits}f} – {interval.high:z.{digits}f}" if interval else "–"


def _bar(estimate: Estimate) -> str:
    """Marks are those of Krippendorff, and belong to his coefficient alone."""
    interval = estimate.interval
    low, high = (interval.low, interval.high) if interval else (nan, nan)
    marks = _MARKS if estimate.coefficient == KRIPPENDORFF_ALPHA else ()
    return interval_bar(estimate.value, low, high, width=_BAR, marks=marks)


def _further(answers: Answers, file: str, *, shown_pairs: bool) -> list[str]:
    lines = [f"Caution: {words}" for words in _cautions(answers)]
    lines += [f"Note: {words}" for words in _notes(answers)]
    if words := _intervals(answers):
        lines.append(words)
    others = max((one.others for one in answers.parts), default=0)
    ways = []
    if others:
        ways.append(f"{counted(others, 'more coefficient fits', 'more coefficients fit')}: --all.")
    if not shown_pairs and any(one.group.raters > 1 for one in answers.parts):
        ways.append("Each pair of raters: --pairs.")
    lines.append(" ".join(ways))
    told = [part for line in lines for part in wrapped(line, "  ")]
    # Not wrapped: these two are there to be copied.
    told.append(f"What is wrong, and with whom: accord diagnose {file}")
    told += wrapped(guessed, "  ") if (guessed := _guessed(answers)) else []
    signature = next((one.lead.signature for one in answers.leading if one.lead), "")
    return told + ([f"Signature: {signature}"] if signature else [])


def _intervals(answers: Answers) -> str:
    """What the interval answers: which other ones another study would have."""
    leads = [one.lead for one in answers.parts if one.lead and one.lead.interval]
    asked = list(dict.fromkeys(one.question for one in leads if one.question))
    words = "; or about ".join(asked[:2]).replace(", these ", ", judged by these ")
    return f"The interval is about {words}." if asked else ""


def _cautions(answers: Answers) -> list[str]:
    """Each caution about what is shown once, with the names it belongs to unless it belongs to all.

    That percent agreement ignores the order is why other coefficients stand beside it.
    """
    rows = [(one, row) for one in answers.parts for row in (one.rows if len(answers.parts) == 1 else one.rows[:1])]
    where: dict[str, list[str]] = {}
    for one, row in rows:
        said = " ".join(each.sentences[0] for each in answers.leading if each.combines(one))
        for caution in row.cautions:
            if caution != ORDER_IGNORED and not _is_said(caution, said):
                where.setdefault(caution, []).append(one.name if len(answers.parts) > 1 else row.title)
    whole = sum(not one.group.combined for one, _ in rows)
    return [f"{words}." if len(names) >= whole else f"{_names(names)}: {words}." for words, names in where.items()]


def _is_said(caution: str, sentence: str) -> bool:
    """Whether the sentence has the caution in its own words already."""
    bare = caution.removeprefix("nothing to go on: ").removeprefix("undefined: ").removeprefix("no interval: ")
    return bare in sentence or ("no band of a scale is named" in caution and "too few items" in sentence)


def _names(names: Sequence[str], most: int = 3) -> str:
    own = list(dict.fromkeys(names))
    return listed([*own[:most], f"{len(own) - most} more"] if len(own) > most + 1 else own)


def _notes(answers: Answers) -> Iterable[str]:
    """What was read, left out or kept apart; guesses have a line of their own, and combining is said by its row."""
    guesses = tuple(guess for one in answers.parts for guess in one.guesses)
    told = [note for note in answers.notes if not (guesses and note.endswith(guesses))]
    parts = [one for one in answers.parts if not one.group.combined]
    alike: dict[str, list[tuple[str, str]]] = {}
    for one in parts:
        for note in one.group.notes:
            alike.setdefault(re.sub(r"\d[\d.,]*", "#", note), []).append((one.name, note))
    for found in alike.values():
        (name, first), others = found[0], len({note for _, note in found}) - 1
        if others:
            told.append(f"{name}: {first.rstrip('.')} (much the same in {counted(others, 'other part')})")
        else:
            told.append(first if len(found) == len(parts) else f"{_names([name for name, _ in found])}: {first}")
    return (f"{note.rstrip('.')}." for note in dict.fromkeys(told))


def _guessed(answers: Answers) -> str:
    """``Guessed: ordinal, values 1 to 5. Say --level and --scale.``"""
    by_guess: dict[str, list[str]] = {}
    for one in answers.parts:
        if one.guesses:
            by_guess.setdefault(", ".join(map(in_short, one.guesses)), []).append(_criterion(one))
    if not by_guess:
        return ""
    several = len(by_guess) > 1
    told = [f"{listed(list(dict.fromkeys(names)))}: {words}" if several else words for words, names in by_guess.items()]
    flags = [
        flag
        for flag, start in (("--level", LEVEL_GUESSED), ("--scale", "values"))
        if any(guess.startswith(start) for one in answers.parts for guess in one.guesses)
    ]
    say = f" Say {' and '.join(flags)} to set {'them' if len(flags) > 1 else 'it'}." if flags else ""
    return f"Guessed: {'. '.join(told)}.{say}"


def _criterion(answer: Answer) -> str:
    return answer.group.by.get("criterion", answer.name)
