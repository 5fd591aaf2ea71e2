"""A language model as judge, from Python: may it stand in for people, and what are its scores worth?"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from accord import __version__
from accord.functions.answer import Answer
from accord.functions.judge_charts import chart_of, gate_chart
from accord.judging import telling, words
from accord.judging.certificates import certificate
from accord.judging.dossier import Asked, CriterionDossier, Dossier, dossier_of
from accord.judging.gate import Gate, checked_criteria, judged, read_gate
from accord.plots.chart import Chart
from accord.ratings.checks import require_ratings
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.tables.table import Table

__all__ = ["JudgeAnswer", "judge"]


@dataclass(frozen=True, repr=False)
class JudgeAnswer(Answer):
    """The dossier: sentences and tables; ``result`` is the :class:`~accord.judging.dossier.Dossier`."""

    gate: Gate | None = None

    def plot(self, *, table: int | None = None, part: str = "agreement", criterion: int = 0) -> Chart:
        """One part drawn: agreement, people, scores, differences, worth, verdicts, confusion, groups, probes.

        Also steadiness, settings, several, labels and gate.
        """
        if table is not None:
            return super().plot(table=table)
        if part == "gate":
            return gate_chart(self.result.judge, self.gate)
        one: CriterionDossier = self.result.parts[criterion]
        return chart_of(part, self.result.judge, one)

    def save(self, target: str | os.PathLike[str]) -> Path:
        """Write the dossier as a page: .html, .pdf, .md, .tex or .json."""
        from accord.reporting.judge_page import judge_page
        from accord.reporting.writing import write_document

        return write_document(judge_page(self.result, self.gate, self.to_dict()), Path(target))


def judge(
    ratings: Ratings | StoredRatings,
    judge: str = "",
    *,
    epsilon: float = 0.2,
    positive: str = "",
    family: Sequence[str] = (),
    setting: Mapping[str, str] | None = None,
    half_width: float = 0.0,
    next_labels: int = 10,
    facts: Mapping[str, str] | None = None,
    gate: str | os.PathLike[str] | Mapping[str, float] | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> JudgeAnswer:
    """The dossier of a language model: may it stand in for people, where does it err, what are its scores worth.

    Parameters
    ----------
    ratings
        Ratings in which a column ``kind`` says who is human and who a model, or ``judge`` names the model.
    judge
        The rater to look at; the model that rated most if not given.
    epsilon
        What a person costs more than the judge: 0.2 for experts, 0.15 for skilled, 0.1 for crowd workers.
    positive
        The value from which on a verdict counts as yes; the upper half of the scale if not given.
    family
        Systems of the judge's own family; guessed from their names if not given, and said.
    setting
        The way of asking to look at where the same items were judged in several, such as ``{"prompt": "v2"}``; the
        one with most items if not given.
    half_width, next_labels
        A wanted half-width of the corrected mean, and how many items to propose for labelling.
    facts
        model, prompt, rubric and parameters of the judge, for its fingerprint.
    gate
        A file or a mapping of criteria, such as ``{"winning_rate": 0.5, "bias": 0.3}``.
    confidence, seed
        Confidence of the intervals, and seed of what is drawn at random.

    Returns
    -------
    JudgeAnswer
        Sentences, tables and plain data; ``gate`` has the verdict where one was asked for.

    Examples
    --------
    >>> import accord
    >>> answer = accord.judge(accord.read("summary-judge.csv"), seed=1)
    >>> answer.result.judge
    'judge-a'
    """
    ratings = require_ratings(ratings, "judge")
    asked = Asked(
        judge=judge,
        epsilon=epsilon,
        positive=positive,
        family=tuple(family),
        setting=dict(setting or {}),
        half_width=half_width,
        next_labels=next_labels,
        level=confidence,
        seed=seed,
    )
    made = dossier_of(ratings, asked, facts)
    criteria = None
    if gate is not None:
        criteria = checked_criteria(gate) if isinstance(gate, Mapping) else read_gate(Path(gate))
    passed = None if criteria is None else judged(made, criteria)
    parts = [table for one in made.parts for table in _tables(one)]
    if passed is not None:
        parts.insert(0, telling.gate_table(passed))
    data = data_of(made, passed, criteria)
    heads = [f"{one.title}: " if len(made.parts) > 1 else "" for one in made.parts]
    lines = [f"{head}{line}" for head, one in zip(heads, made.parts, strict=True) for line in _lines(made.judge, one)]
    opening = [*([] if passed is None else words.gate_sentences(passed)), *words.answer(made)]
    signed = f"Signature: {made.signature}"
    return JudgeAnswer(tuple(parts), (*lines, signed), data, made, tuple(opening), gate=passed)


def _tables(one: CriterionDossier) -> list[Table]:
    found: list[Table | None] = [
        telling.agreement_table(one),
        telling.people_table(one),
        telling.score_table(one),
        telling.difference_table(one),
        telling.verdict_table(one),
        telling.scale_table(one),
        telling.confusion_table(one),
        *telling.group_tables(one),
        telling.bias_table(one),
        telling.effects_table("The same items under another prompt or version", one.settings) if one.settings else None,
        telling.effects_table("Drift of judge minus people", [one.drift]) if not isinstance(one.drift, str) else None,
        telling.several_table(one),
        telling.indicators_table(one),
        telling.far_table(one),
        telling.next_table(one),
    ]
    return [table for table in found if table is not None and table.rows]


def _lines(name: str, one: CriterionDossier) -> list[str]:
    return [
        words.errors_sentence(name, one),
        words.bias_sentence(one),
        *words.found(one),
        *words.steadiness_sentences(one),
    ]


def data_of(made: Dossier, passed: Gate | None, criteria: Mapping[str, float] | None) -> dict[str, object]:
    """What ``--json`` prints."""
    return {
        "answer": words.answer(made),
        "judge": made.judge,
        "fingerprint": made.facts.fingerprint,
        "others": list(made.others),
        "ratings": made.fingerprint,
        "accord": __version__,
        "seed": made.asked.seed,
        "signature": made.signature,
        "criteria": [one.to_dict() for one in made.parts],
        "not_claimed": [dict(row) for row in telling.claims_table(made).rows],
        **({} if passed is None or criteria is None else {"certificate": certificate(made, passed, criteria)}),
    }
