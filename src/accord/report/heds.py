"""HEDS 3.0: the human evaluation datasheet as JSON, with the fields that the data answer."""

from accord import __version__
from accord.report.analysis import Analysis

__all__ = ["heds"]


def heds(analysis: Analysis) -> dict[str, dict[str, object]]:
    """Elements by id, each with its data by criterion ('' where it is about the whole study).

    Questions that only the author can answer are present and empty, so that the form shows them.
    """
    groups = analysis.reliability.groups
    criteria = {group.by.get("criterion", ""): group for group in groups}
    ratings = analysis.ratings
    whole: dict[str, tuple[str, object]] = {
        "3.1.1": ("number of evaluated items", ratings.items),
        "3.2.1": ("number of evaluators", ratings.raters),
        "3.2.2": ("type of evaluators", ""),
        "3.2.3": ("recruitment", ""),
        "3.2.4": ("training and practice", ""),
        "3.3.1": ("experimental design", ", ".join(ratings.columns)),
        "3.3.4": ("quality assurance", analysis.diagnosis.summary),
        "5.1": ("ethics approval", ""),
        "6.1": ("software", f"Accord {__version__}"),
    }
    elements = {number: _element(number, name, {"": value}) for number, (name, value) in whole.items()}
    by_criterion: dict[str, tuple[str, dict[str, object]]] = {
        "4.1.1": ("quality criterion", {name: name for name in criteria}),
        "4.2.1": ("response elicitation, level", {name: group.level for name, group in criteria.items()}),
        "4.2.3": ("size of scale", {name: group.values for name, group in criteria.items()}),
        "4.3.8": ("agreement, coefficient", {n: [e.title for e in g.estimates] for n, g in criteria.items()}),
        "4.3.9": (
            "agreement, value",
            {n: {e.coefficient: e.to_dict()["value"] for e in g.estimates} for n, g in criteria.items()},
        ),
    }
    elements |= {number: _element(number, name, data) for number, (name, data) in by_criterion.items()}
    return elements


def _element(number: str, name: str, data: dict[str, object]) -> dict[str, object]:
    return {"data": data, "control": {}, "number": number, "name": name}
