"""What ``accord agree`` prints: the answer in sentences, the few rows to report, and where to look further."""

import re
from collections.abc import Iterable, Sequence

from accord.cli.agree_rows import is_by_criterion, rows_of, rows_of_parts
from accord.cli.layout import paragraphs, print_answer, small_table, wrapped
from accord.design.scale import LEVEL_GUESSED
from accord.ratings.guessing import in_short
from accord.reliability.answer import Answer, Answers
from accord.reliability.cautions import ORDER_IGNORED
from accord.reliability.question import about_lead
from accord.reliability.signs.amount import AS_SCORES
from accord.reliability.units import NOTHING
from accord.tables.table import Table
from accord.words import counted, listed

__all__ = ["print_answers", "print_opening", "print_quiet"]

_MOST_TOLD = 4
"""So many answers are told one by one; more are summed up in a sentence."""


def print_quiet(answers: Answers) -> None:
    """One line an answer: value, interval, n."""
    alone = len(answers.leading) == 1
    print_answer([[one.quiet if alone else f"{one.name}: {one.quiet}" for one in answers.leading]])


def print_opening(answers: Answers) -> None:
    """The answer alone, above tables that are asked for."""
    print_answer([[*_opening(answers), ""]])


def print_answers(answers: Answers, file: str, *, extra: Sequence[Table] = (), sanity: Sequence[str] = ()) -> None:
    """The whole screen; ``extra`` are tables asked for beside it, such as pairs."""
    several = len(answers.parts) > 1
    blocks = [list(sanity), _opening(answers), rows_of_parts(answers) if several else rows_of(answers.parts[0])]
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


def _further(answers: Answers, file: str, *, shown_pairs: bool) -> list[str]:
    lines = [f"Caution: {words}" for words in (*_few_items(answers), *_cautions(answers))]
    lines += [f"Note: {words}" for words in _notes(answers)]
    if words := _intervals(answers):
        lines.append(words)
    others = max((one.others for one in answers.parts), default=0)
    ways = []
    if others:
        ways.append(f"{counted(others, 'more coefficient fits', 'more coefficients fit')}: --all.")
    if is_by_criterion(answers):
        columns = dict.fromkeys(column for one in answers.whole for column in one.group.combined)
        ways.append(f"Each {' and '.join(columns).replace('_', ' ')} in a row: --by {' --by '.join(columns)}.")
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
    """What the intervals answer: which other ones another study would have."""
    if len(answers.parts) == 1:
        return _intervals_of_rows(answers.parts[0])
    leads = [one.lead for one in answers.parts if one.lead and one.lead.interval]
    asked = list(dict.fromkeys(one.question for one in leads if one.question))
    if len(asked) > 1:
        # Parts have their own raters: what differs between the questions is then their number only.
        asked = list(dict.fromkeys(re.sub(r"these [\d,]+ raters", "these raters", one) for one in asked))
    return f"The interval is about {_judged('; or about '.join(asked[:2]))}." if asked else ""


def _intervals_of_rows(answer: Answer) -> str:
    """Rows of one table may answer different questions: the analytic interval of ICC(A,1) is about other raters too."""
    by_question: dict[str, list[str]] = {}
    for row in answer.rows:
        if row.interval and row.question:
            by_question.setdefault(row.question, []).append(row.title)
    if len(by_question) < 2:
        return "".join(f"The interval is about {_judged(question)}." for question in by_question)
    told = []
    for question, titles in by_question.items():
        subject, verb = ("those", "are") if len(titles) > 1 else ("that", "is")
        told.append(f"{subject} of {listed(titles)} {verb} about {_judged(question)}")
    first = told[0].replace("those", "The intervals", 1).replace("that", "The interval", 1)
    return f"{'; '.join([first, *told[1:]])}."


def _judged(question: str) -> str:
    return question.replace(", these ", ", judged by these ")


def _cautions(answers: Answers) -> list[str]:
    """Each caution about what is shown once, with the names it belongs to unless it belongs to all.

    That percent agreement ignores the order is why other coefficients stand beside it.
    """
    rows = [(one, row) for one in answers.parts for row in (one.rows if len(answers.parts) == 1 else one.rows[:1])]
    where: dict[str, list[str]] = {}
    for one, row in rows:
        opens = [each for each in (*answers.whole, *answers.leading) if each.combines(one)]
        said = " ".join(text for each in opens for text in each.sentences)
        for caution in row.cautions:
            if len(answers.parts) > 1 and _is_of_few_items(caution):
                continue
            if caution != ORDER_IGNORED and not _is_said(caution, said):
                where.setdefault(caution, []).append(one.name if len(answers.parts) > 1 else row.title)
    whole = sum(not one.group.combined for one, _ in rows)
    return [f"{words}." if len(names) >= whole else f"{_names(names)}: {words}." for words, names in where.items()]


def _is_of_few_items(caution: str) -> bool:
    return re.match(r"only [\d,]+ items? ha(s|ve) two or more ratings", caution) is not None or (
        caution.startswith(NOTHING) and "item" in caution
    )


def _few_items(answers: Answers) -> Iterable[str]:
    """Parts of few items in one line, where there are several parts."""
    few = [
        f"{one.name} ({one.lead.items})"
        for one in answers.parts
        if len(answers.parts) > 1 and one.lead and any(map(_is_of_few_items, one.lead.cautions))
    ]
    if few:
        yield f"few items, so an interval is wide or there is none: {_names(few, most=6)}."


def _is_said(caution: str, sentence: str) -> bool:
    """Whether the sentence has the caution in its own words already."""
    bare = caution.removeprefix("nothing to go on: ").removeprefix("undefined: ").removeprefix("no interval: ")
    if AS_SCORES in caution and AS_SCORES[1:] in sentence:
        return True
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
        for written in one.group.notes:
            note = about_lead(written, one.lead.title) if one.lead else written
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
