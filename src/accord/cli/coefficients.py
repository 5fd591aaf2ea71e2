"""``accord coefficients``: the table of coefficients, and all that is known about one of them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit
from accord.cli.plain_formula import plain_formula
from accord.coefficients.names import family_named
from accord.coefficients.registry import COEFFICIENTS, CoefficientSpec, coefficient
from accord.coefficients.reported import REPORTED
from accord.design.scale import Level
from accord.diagnosis.terminology import Term, normalised
from accord.reliability.interpretation import INTERPRETATION_SCALES
from accord.tables.table import Column, Table
from accord.words import listed


def coefficients(
    key: Annotated[
        str | None,
        typer.Argument(help="A coefficient, or a name that papers give to agreement (IAA, IRR), to have it explained."),
    ] = None,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """List the coefficients, or explain one."""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    if key is None:
        data = {"coefficients": [_plain(spec) for spec in COEFFICIENTS.values()]}
        shown = [_advice(), _list(form)] if form is Form.TEXT else [_list(form)]
        emit(shown, data, form, lines=[_MORE], opening=[_FIRST])
    elif (term := normalised(key)) is not None:
        emit([_term(term)], {"term": asdict(term)}, form)
    elif (family := family_named(key)) is not None:
        specs = [COEFFICIENTS[each] for each in family.keys]
        data = {"coefficients": [_plain(spec) for spec in specs]}
        said = [f"{key} is the name of {len(specs)} coefficients. {family.when}"]
        emit([_list(form, specs)], data, form, lines=[_MORE], opening=said)
    else:
        spec = coefficient(key)
        emit([_explained(spec)], _plain(spec), form, opening=[_opening(spec)])


def _opening(spec: CoefficientSpec) -> str:
    """What a coefficient is for, in a sentence."""
    chance = {"yes": "Agreement by chance is taken out.", "no": "Agreement by chance is not taken out."}
    order = "It asks whether raters order the items alike, not whether they give the same values."
    said = chance.get(_CHANCE.get(spec.family, ""), order)
    named = listed([level for level in Level if level in spec.levels])
    return f"{spec.title} is for {named} ratings of {raters(spec)} raters. {said}"


_MORE = "accord coefficients KEY explains one of them."
_FIRST = "Report Krippendorff's α with its interval unless the table says otherwise, and beside it what else is named."


_MEANING = {
    Level.NOMINAL: "labels (nominal)",
    Level.ORDINAL: "an order (ordinal)",
    Level.INTERVAL: "numbers (interval or ratio)",
}


def _advice() -> Table:
    """What to report by level, use and raters: the table that accord agree follows."""
    rows = [
        {
            "level": _MEANING[next(level for level in Level if level in row.levels)],
            "use": str(row.use or "any"),
            "raters": {True: "2", False: "3+", None: "2+"}[row.two_raters],
            "report": ", ".join(COEFFICIENTS[key].title for key in row.keys[:3]),
        }
        for row in REPORTED
    ]
    columns = [
        Column("level", "level"),
        Column("use", "used for"),
        Column("raters", "raters"),
        Column("report", "report"),
    ]
    notes = ("What ratings are used for is said with accord agree --use.",)
    return Table("What to report when", columns, rows, notes)


def _term(term: Term) -> Table:
    rows = [
        {"what": "called here", "words": term.word},
        {"what": "means", "words": term.meaning},
        {"what": "have it by", "words": term.command},
        {"what": "elsewhere called", "words": "; ".join(term.names)},
    ]
    return Table(term.word.capitalize(), [Column("what", "what"), Column("words", "in words")], rows)


def levels(spec: CoefficientSpec) -> str:
    """The levels of measurement in words."""
    return ", ".join(level for level in Level if level in spec.levels)


def raters(spec: CoefficientSpec) -> str:
    """The number of raters in words."""
    return str(spec.raters.start) if len(spec.raters) == 1 else f"{spec.raters.start} or more"


def _list(form: Form, specs: Sequence[CoefficientSpec] = ()) -> Table:
    """One line a coefficient where a terminal has 80 columns: levels of measurement by their first letters."""
    short = form is Form.TEXT
    columns = [
        Column("key", "key"), Column("title", "coefficient"), Column("levels", "levels"), Column("raters", "raters"),
        Column("chance", "chance taken out"), Column("weights", "weights"),
    ]  # fmt: skip
    rows = [
        {
            "key": spec.key,
            "title": spec.title,
            "raters": f"{spec.raters.start}{'+' if len(spec.raters) > 1 else ''}",
            "levels": " ".join(level[0].upper() for level in Level if level in spec.levels) if short else levels(spec),
            "chance": _CHANCE.get(spec.family, "–"),
            "weights": "any" if spec.coefficient.weighted else spec.coefficient.weights or "–",
        }
        for spec in (specs or COEFFICIENTS.values())
    ]
    legend = [f"Levels: {', '.join(f'{level[0].upper()} {level}' for level in Level)}."] if short else []
    return Table("Coefficients", columns, rows, legend)


_CHANCE = {"agreement": "no", "kappa": "yes", "alpha": "yes", "icc": "yes"}
"""Whether agreement by chance is taken out; correlations ask for the same order, where there is none to take."""


_PARTS = {
    "observed": "agreement observed",
    "expected": "agreement expected by chance",
    "observed_disagreement": "disagreement observed (mean squared distance of two ratings of an item)",
    "expected_disagreement": "disagreement expected by chance (mean squared distance of any two ratings)",
    "concordant": "pairs of items in the same order",
    "discordant": "in opposite order",
    "untied": "untied",
}


_BELOW = (
    "raters agree less than chance would make them: they read the question or the scale in opposite ways, a column is "
    "turned round, or there are few items and it is chance; 0 is agreement as by chance, not no agreement"
)


def comes_with(spec: CoefficientSpec) -> str:
    """What each value is made of, in words."""
    return ", ".join(_PARTS.get(part, part) for part in spec.parts)


def facts(spec: CoefficientSpec) -> list[tuple[str, str]]:
    """All that the registry knows of a coefficient, as (what, words)."""
    scales, of = [INTERPRETATION_SCALES[key].name for key in spec.scales], spec.coefficient
    told = [
        ("key", spec.key),
        ("levels", levels(spec)),
        ("raters", raters(spec)),
        ("missing ratings", spec.missing_rule),
        ("undefined when", spec.undefined_when),
        ("weights", f"{of.weights}{' by default; others by --weights' if of.weighted else ''}"),
        ("comes with", comes_with(spec)),
        ("tells raters apart", "yes" if spec.identity else "no"),
        ("conventions", "; ".join(spec.conventions)),
        ("read on", "; ".join(scales)),
        ("elsewhere called", "; ".join(spec.peers)),
        ("formula", plain_formula(spec.formula)),
        ("in counts", spec.in_counts),
        ("below 0", _BELOW if spec.family in ("kappa", "alpha") else ""),
        ("reference", spec.publication),
    ]
    return [(what, words) for what, words in told if words]


def _explained(spec: CoefficientSpec) -> Table:
    rows = [{"what": what, "words": words} for what, words in facts(spec)]
    return Table(spec.title, [Column("what", "what"), Column("words", "in words")], rows)


def _plain(spec: CoefficientSpec) -> dict[str, object]:
    return {
        "key": spec.key, "title": spec.title, "family": spec.family,
        "levels": [str(level) for level in Level if level in spec.levels],
        "raters": raters(spec), "missing_ok": spec.missing_ok, "missing_rule": spec.missing_rule,
        "undefined_when": spec.undefined_when, "weights": spec.coefficient.weights, "tells_raters_apart": spec.identity,
        "parts": list(spec.parts), "conventions": list(spec.conventions), "scales": list(spec.scales),
        "peers": list(spec.peers), "formula": spec.formula, "reference": spec.publication,
    }  # fmt: skip
