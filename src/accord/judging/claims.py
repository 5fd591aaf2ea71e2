"""What the data cannot support, and what would: claims that the dossier refuses to make."""

from accord.judging.dossier import CriterionDossier, Dossier
from accord.words import counted

__all__ = ["refused_claims"]


def refused_claims(dossier: Dossier) -> list[tuple[str, str]]:
    """Each claim with what would support it; those that hold for every dossier come last."""
    told: dict[str, str] = {}
    for part in dossier.parts:
        told |= dict(_of_part(dossier.judge, part))
    if not (dossier.facts.prompt or dossier.facts.model):
        told["that this holds for the judge's prompt and model"] = (
            "model, prompt and rubric said with the ratings, so that a change can be noticed"
        )
    return [*told.items(), *_ALWAYS]


_ALWAYS = (
    ("that the judge does as well on another language, domain, prompt or model", "a human sample from there"),
    ("that the judge understands the texts, or errs for the reasons it gives", "nothing in ratings could"),
    ("that it may replace people where their disagreement itself matters", "people, and each of their answers kept"),
)


_WOULD = {
    "Length": "ten labelled items or more with texts of different length",
    "Formatting": "ten labelled texts or more with lists or headings, and ten without",
    "Own family": "ten labelled items or more of systems of the judge's own family, said to be so, and ten of others",
    "Language": "labelled items in two languages or more, with a column that says which",
    "Position": "the same outputs judged in both orders, with a column that says which came first",
}


def _of_part(judge: str, part: CriterionDossier) -> list[tuple[str, str]]:
    told = []
    if part.test is None:
        told.append(
            (
                f"that {judge} may stand in for a person",
                "two people or more who rate 30 items each that the judge and another person rated too",
            )
        )
    elif len(part.test.humans) < 3:
        told.append(
            (
                "that it may stand in for people other than these",
                f"more than {counted(len(part.test.humans), 'person', 'people')}, drawn from those you mean",
            )
        )
    if part.measures and part.measures[0].overall.interval is None:
        told.append(("a mean of all it scored", f"more labels: {part.measures[0].overall.refused}"))
    bare = [name for name, one in (part.measures[0].systems if part.measures else ()) if one.interval is None]
    if bare:
        told.append((f"scores of {', '.join(bare[:5])}", "ten human labels of each in five documents, drawn at random"))
    if part.panel.column("sampling") is None and len(part.panel.labelled) < len(part.panel.items):
        told.append(
            (
                "that the labelled items were drawn at random, on which all corrected scores rest",
                "a random draw; label what is listed as random among the items to label next",
            )
        )
    if part.runs is None:
        told.append(("that it would say the same again", "the same items judged again, in a column run"))
    untested = [words.partition(": ") for words in part.untested]
    return told + [(f"about {name.lower()} bias", _WOULD.get(name, why)) for name, _, why in untested]
