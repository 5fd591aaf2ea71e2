"""Compare reliability between conditions from Python."""

import os
from collections.abc import Sequence
from pathlib import Path

from accord.arrays import Floats
from accord.errors import OptionError
from accord.functions.answer import Answer, notes_in_words
from accord.functions.compare_designs import Asked, Design, answered
from accord.functions.own_weights import named_or_own
from accord.ratings.apart import people_of, pooled
from accord.ratings.checks import require_ratings
from accord.ratings.sanity import sanity
from accord.ratings.stored import StoredRatings
from accord.ratings.table import Ratings
from accord.scoring.gate_exclusions import gated

__all__ = ["compare"]


def compare(
    ratings: Ratings | StoredRatings,
    condition: str | None = None,
    *,
    design: str | None = None,
    first: str | None = None,
    second: str | None = None,
    coefficients: Sequence[str] = (),
    source_groups: Sequence[str] | None = None,
    weights: str | Floats | None = None,
    test_set: str | None = None,
    questionnaire: str | os.PathLike[str] | None = None,
    metrics: Sequence[str] = (),
    task: str = "task",
    variants: bool = False,
    pairs: bool = False,
    most: int = 10,
    bootstrap: int = 10_000,
    confidence: float | None = None,
    keep_all: bool = False,
    seed: int | None = None,
    pool: Sequence[str] = (),
) -> Answer:
    """Compare reliability between conditions, rounds or groups, and test the difference.

    Parameters
    ----------
    ratings
        Ratings with a column that tells the conditions apart.
    condition
        That column; scenario, phase or group are found by themselves.
    design
        reference-bias, document-context, rounds, groups, quadrants, metrics or tasks; by the column if not given.
    first, second
        The two conditions, where there are more.
    coefficients, weights
        Coefficients to compare, and the weights of the kappa of a pair: a name, a matrix or a CSV file of one.
    source_groups, test_set, questionnaire, metrics, task
        What single designs need: see the pages on them.
    variants, pairs, most
        Show the six bootstraps of paper 003, list every pair, and how many items to list.
    bootstrap, confidence, seed
        Replicates, confidence level and seed; the last two as a study declares them if not given, else .95 and 0.
    keep_all
        Count raters who fail the gate of direct assessment too.
    pool
        Columns whose parts are put together, such as phase; else agreement is compared within them.

    Returns
    -------
    Answer
        The tables of the design, its verdict in words, and its plain data.

    Examples
    --------
    >>> import accord
    >>> answer = accord.compare(accord.read("rounds.csv"), "phase", bootstrap=200)
    >>> answer.to_dict()["design"]
    'rounds'
    """
    ratings = require_ratings(ratings, "compare")
    known = list(Design)
    if design is not None and design not in known:
        raise OptionError(f"The design {design!r} is not known. Known: {', '.join(known)}.")
    facts = ratings.codebook.study
    asked = Asked(
        first=first, second=second, coefficients=tuple(coefficients),
        weights=named_or_own(weights),
        test_set=test_set,
        source_groups=list(source_groups) if source_groups is not None else None, variants=variants, pairs=pairs,
        questionnaire=None if questionnaire is None else Path(questionnaire), metrics=tuple(metrics), task=task,
        most=most, replicates=bootstrap, confidence=(facts.confidence or 0.95) if confidence is None else confidence,
        seed=(facts.seed or 0) if seed is None else seed,
    )  # fmt: skip
    chosen = None if design is None else Design(design)
    people, told = (ratings, ()) if "kind" in (condition, *pool) else people_of(ratings)
    counted = gated(people, keep_all=keep_all)
    table = pooled(counted, pool)
    said = [note for note in table.notes if note not in counted.notes]
    tables, data, lines = answered(table, condition, chosen, asked)
    models = [f"{line}." for line in told]
    shown = (*models, *said, *lines)
    notes = notes_in_words(note for note in counted.notes if not any(note in line for line in shown))
    remarks = sanity(ratings)
    data = {**data, "left_out": [*models, *data["left_out"]], "pooled": said}
    data |= {"notes": list(counted.notes), "sanity": [remark.to_dict() for remark in remarks]}
    return Answer(tuple(tables), (*shown, *notes), data, opening=tuple(data["answer"]), remarks=remarks)
