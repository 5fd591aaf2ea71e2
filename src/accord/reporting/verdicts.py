"""What an answer says of judgements as a whole, for each verdict on their reliability.

Which verdict holds is decided by ``accord/reliability/sentences.py``, the table that ``accord agree`` reads too; this
one has the words for the first screen, where judgements are spoken of and not a coefficient.
"""

from accord.records import dataclass

__all__ = ["IN_DOUBT", "JUDGEMENTS", "REACHED", "THIN", "Judgements"]


@dataclass(frozen=True, slots=True)
class Judgements:
    """``several`` follows "judgements of adequacy"; ``alone`` is the answer where there is nothing else to say."""

    several: str
    alone: str


REACHED = ("tentative", "reliable")
"""Verdicts of criteria that are shown to reach .667."""
THIN = ("few_items", "no_interval", "few_documents")
"""Verdicts that there is too little for one."""
IN_DOUBT = Judgements(
    "cannot be relied on until what was found in them is clear",
    "These judgements cannot be relied on until what was found in them is clear.",
)
"""Of judgements whose coefficient is high enough, but not to be trusted for what a check found."""

# A table should look like one.
# fmt: off
JUDGEMENTS = {
    "undefined": Judgements(
        "cannot be said to agree or to disagree",
        "These judgements cannot be said to agree or to disagree: agreement beyond chance has no value."),
    "few_documents": Judgements(
        "come from too few documents to say",
        "How far these judgements can be trusted is not shown: they come from too few documents for an interval."),
    "no_interval": Judgements(
        "are too little to judge by",
        "How far these judgements can be trusted is not shown: there is too little for an interval."),
    "worse_than_chance": Judgements(
        "agree less than by chance",
        "Single judgements here cannot be relied on: raters agree less than by chance."),
    "few_items": Judgements(
        "are of too few items to say",
        "There are too few items to say how far these judgements can be trusted."),
    "chance": Judgements(
        "are not shown to agree better than by chance",
        "These judgements are not shown to agree better than by chance."),
    "unreliable": Judgements(
        "cannot be relied on one by one",
        "Single judgements here cannot be relied on."),
    "not_shown": Judgements(
        "are not shown to be reliable",
        "Single judgements here are not shown to be reliable."),
    "tentative": Judgements(
        "allow tentative conclusions",
        "These judgements allow tentative conclusions."),
    "reliable": Judgements(
        "can be relied on",
        "These judgements can be relied on."),
    "band": Judgements(
        "are read on the scale of their own coefficient",
        "How far to rely on these judgements is read on the scale of their coefficient."),
    "": Judgements(
        "have a coefficient without a published scale",
        "How far to rely on these judgements has no published answer: their coefficient has no scale."),
}
# fmt: on
