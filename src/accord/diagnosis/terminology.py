"""One word for each thing: the many names papers give to agreement, and what they mean here."""

from accord.records import dataclass

__all__ = ["TERMS", "Term", "normalised"]


@dataclass(frozen=True, slots=True)
class Term:
    """The word used here, what it means, how to have it, and the names it goes by elsewhere."""

    word: str
    meaning: str
    command: str
    names: tuple[str, ...]


TERMS = (
    Term("reproducibility", "how far different raters give the same value to the same item",
         "accord agree; accord diagnose --show stability",
         ("iaa", "ira", "irr", "icr", "inter-annotator agreement", "inter-rater agreement", "inter-rater reliability",
          "inter-coder agreement", "inter-coder reliability", "inter-judge agreement", "inter-observer agreement",
          "inter-observer reliability", "inter-assessor agreement", "inter-subjective agreement")),
    Term("stability", "how far a rater gives the same value to the same item later",
         "accord diagnose --show stability",
         ("intra-annotator agreement", "intra-rater reliability", "intra-rater agreement", "intra-coder agreement",
          "test-retest", "test-retest reliability", "self-agreement", "self-consistency", "repeatability")),
    Term("accuracy", "how far raters give the right value, where one is known (gold)",
         "accord diagnose --show stability",
         ("gold agreement", "agreement with gold", "deviation from gold", "criterion validity", "rater accuracy")),
    Term("correlation", "how far raters put the items in the same order, whatever the values",
         "accord diagnose --show agreement",
         ("consistency", "association", "rank correlation", "inter-rater correlation", "inter-rater consistency")),
    Term("cross-replication reliability", "how far two groups of raters agree with each other",
         "accord diagnose --show stability", ("xrr", "cross-replication", "cross-group agreement")),
    Term("internal consistency", "how far several criteria or raters measure one thing",
         "accord agree --coefficient cronbach_alpha", ("scale reliability", "composite reliability", "tau-equivalent")),
)  # fmt: skip
"""The words of this program, with the names they go by in papers."""


def normalised(name: str) -> Term | None:
    """The word for what a paper calls by this name; None if it is no name of this kind."""
    wanted = _plain(name)
    for term in TERMS:
        if wanted in {_plain(term.word), *map(_plain, term.names)}:
            return term
    return None


def _plain(name: str) -> str:
    """Inter-Rater Reliability, interrater_reliability and inter rater reliability are one name."""
    return "".join(letter for letter in name.lower() if letter.isalnum())
