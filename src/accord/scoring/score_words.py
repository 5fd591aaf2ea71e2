"""What scores and a history of them say first: the first line of the answer, and the title of the picture."""

from math import isnan

from accord.records import dataclass
from accord.scoring.ceiling import equal_words
from accord.scoring.history import History
from accord.scoring.scarce import Score, ScoreInterval
from accord.sentences import Sentence, said_of
from accord.words import steady

__all__ = ["HISTORIES", "LEVELS", "SCORES", "Level", "Past", "history_sentence", "score_sentence"]

_LEAST = 0.8


def _first(seen: Score) -> ScoreInterval:
    return seen.intervals[0]


def _with(seen: Score) -> str:
    return f"({_first(seen).raw.level_words})"


def _equal(seen: Score) -> str:
    judged = equal_words(seen.values[0], seen.n, _first(seen).raw.level, seen.scale)
    return f"{'both' if seen.n == 2 else f'all {seen.n}'} scores are {seen.values[0]:g} and show no spread. {judged}"


def _mean(seen: Score) -> str:
    return f"{_against(seen)}the mean of {seen.n} scores is {steady(_first(seen).centre):.2f}"


def _against(seen: Score) -> str:
    """The verdict, where there is a threshold."""
    return f"{seen.decision.verdict} against {seen.decision.threshold:g}: " if seen.decision else ""


def _one_score_in_words(seen: Score) -> str:
    """The centre of one score's interval is a by-product and no estimate, so both ends are said."""
    ends, prior = _first(seen).clipped, f"{steady(seen.prior.value):.4g}" if seen.prior else "none"
    between = f"between {steady(ends.low):.2f} and {steady(ends.high):.2f}"
    return f"{_against(seen)}one score of {seen.values[0]:g} and a prior of {prior} put the true value {between}"


# A table should look like one.
# fmt: off
SCORES: tuple[Sentence[Score], ...] = (
    Sentence("one", lambda seen: seen.n == 1, lambda seen: f"{_one_score_in_words(seen)} {_with(seen)}"),
    Sentence("equal", lambda seen: isnan(_first(seen).half_width),
             lambda seen: f"{_against(seen)}{_equal(seen)}"),
    Sentence("lopsided", lambda seen: _first(seen).is_lopsided,
             lambda seen: f"{_mean(seen)} ({_first(seen).raw.level_words} {steady(_first(seen).raw.low):.2f} to "
                          f"{steady(_first(seen).raw.high):.2f})"),
    Sentence("several", lambda seen: seen.n > 1,
             lambda seen: f"{_mean(seen)} ± {steady(_first(seen).half_width):.2f} {_with(seen)}"),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Past:
    """A history and the threshold it is read against, None where there is none."""

    history: History
    threshold: float | None

    @property
    def kind(self) -> str:
        return "" if self.threshold is None else self.history.classification(self.threshold)

    @property
    def fails(self) -> str:
        if self.threshold is None:
            return ""
        number = self.history.fails(self.threshold)
        return f"against {self.threshold:g}: {number} of {len(self.history.counted)} evaluations fail"


# fmt: off
HISTORIES: tuple[Sentence[Past], ...] = (
    Sentence("next", lambda seen: seen.threshold is None,
             lambda seen: f"The next score is expected at {steady(seen.history.prior().value):.2f}"),
    Sentence("undecided", lambda seen: seen.kind == "undecided",
             lambda seen: f"Undecided whether mostly PASS {seen.fails}"),
    Sentence("classified", lambda seen: bool(seen.kind),
             lambda seen: f"{seen.kind[:1].upper()}{seen.kind[1:]} {seen.fails}"),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Level:
    """The confidence that a score is read at: whether somebody chose it, and of how many scores."""

    lowest: float
    is_chosen: bool
    scores: int


# fmt: off
LEVELS: tuple[Sentence[Level], ...] = (
    Sentence("left_open", lambda seen: not seen.is_chosen,
             lambda seen: f"{100 * seen.lowest:.4g}% confidence is the least that most subject fields ask for; ask for "
                          "more where a wrong verdict is costly, as in medicine, law or safety: --confidence 95."),
    Sentence("low", lambda seen: seen.lowest < _LEAST and seen.scores > 1,
             lambda seen: f"{100 * seen.lowest:.4g}% confidence is little: most subject fields ask for at least 80%."),
)
# fmt: on
"""Which confidence the subject field of the texts asks for (paper 000)."""


def score_sentence(result: Score) -> str:
    """The verdict with its interval."""
    said = said_of(SCORES, result)
    return said[:1].upper() + said[1:]


def history_sentence(past: History, threshold: float | None) -> str:
    """How often a history fails, or what is expected next."""
    return said_of(HISTORIES, Past(past, threshold))
