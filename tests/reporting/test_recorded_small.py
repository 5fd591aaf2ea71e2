"""Reports of small studies are what was recorded: every line in Markdown and LaTeX, every word of the page."""

import re
from dataclasses import replace

import pytest

import accord
from accord.design.scale import Direction, Level
from accord.inference.interval import Interval
from accord.reporting import verdicts, wording
from accord.reporting.analysis import analyse, part_name
from accord.reporting.bibliography import REFERENCES, bibtex
from accord.reporting.checklist import checklist
from accord.reporting.compose import compose, compose_analysis
from accord.reporting.departures import departures_from_plan
from accord.reporting.document import Evidence
from accord.reporting.figures import FIGURES, draw
from accord.reporting.first_screen import disputed_share, first_screen, grave_groups, methods_named
from accord.reporting.forest import thresholds
from accord.reporting.heds import heds
from accord.reporting.html import to_html
from accord.reporting.judge_page import judge_page
from accord.reporting.latex import to_latex
from accord.reporting.markdown import to_markdown
from accord.reporting.ranked import ranked_answer, ranked_numbers
from accord.reporting.scarce_scores import few_scores, few_scores_answer, few_scores_numbers
from reporting.odd_studies import DRAWN, JUDGED, ODD
from small_studies import assert_as_recorded, said, small_study

SEEDS = range(12)
FEWER = (
    {f"report-{number}": 1 for number in range(7)}
    | {f"odd-{name}": 1 for name in ODD}
    | {f"drawn-{name}": len(made) for name, made in DRAWN.items()}
    | {f"figure-{name}": 7 for name in FIGURES}
    | {"judge-pages": len(JUDGED), "figure-intervals": 2}
)


def studies(seed):
    """Rounds, scenarios, systems, groups, a handful of scores, and labels."""
    given = (
        {"column": "phase", "conditions": ("1", "2"), "items": 12, "own": False, "steps": 5, "raters": 3},
        {
            "items": 18,
            "systems": 3,
            "each": 3,
            "steps": 5,
            "raters": 3,
            "level": Level.INTERVAL,
            "noise": 0.4,
            "direction": Direction.HIGH,
            "columns": {"segment": lambda item, *_: str(item // 3)},
        },
        {
            "column": "scenario",
            "conditions": ("sentence", "document"),
            "own": False,
            "items": 12,
            "steps": 5,
            "criteria": 2,
            "level": Level.ORDINAL,
            "columns": {"comment": lambda item, *_: "odd" if item % 3 else ""},
        },
        {"items": 3, "raters": 2, "criteria": 1, "level": Level.INTERVAL, "steps": 5},
        {"column": "group", "conditions": ("source", "reference"), "own": True, "items": 12, "steps": 3, "raters": 2},
        {
            "items": 40,
            "raters": 4,
            "steps": 5,
            "value": lambda item, rater, value: 2 if rater == 0 and item > 5 else value,
        },
        {"level": Level.NOMINAL, "items": 12, "raters": 3},
    )
    return small_study(seed, **given[seed])


TEXT = re.compile(r"<(script|style|svg)\b.*?</\1>|<[^>]+>", re.S)


def on_page(page):
    lines = (re.sub(r"\s+", " ", part).strip() for part in TEXT.sub("\n", page).split("\n"))
    return [line for line in lines if line]


def reported(seed):
    found = analyse(studies(seed), confidence=(None, 0.9)[seed % 2])
    document = compose_analysis(found, title=("", "A title")[seed % 2])
    page, few = to_html(document), few_scores(found)
    tags = ("table", "tr", "td", "th", "section", "svg", "path")
    return {
        "markdown": to_markdown(document).splitlines(),
        "latex": to_latex(document).splitlines(),
        "page": on_page(page),
        "marks": [f"{name} {len(re.findall(f'<{name}[ >]', page))}" for name in tags],
        "checks": [str(one) for one in checklist(found)],
        "departures": departures_from_plan(found),
        "heds": heds(found),
        "screen": str(first_screen(found))[:6000],
        "disputed": disputed_share(found),
        "left": found.left_out,
        "grave": [[one.message for one in some] for some in grave_groups(found)],
        "ranked": [ranked_answer(found.rankings), *map(str, ranked_numbers(found.rankings))] if found.rankings else "",
        "few": [few_scores_answer(few), *map(str, few_scores_numbers(few))] if few else "",
    }


SVG = re.compile(r"<svg\b.*?</svg>", re.S)
UNSPOKEN = re.compile(r"<(script|style|svg)\b.*?</\1>", re.S)
SHAPES = re.compile(r"<(?!t[dhr]|span|button|pre)(\w+)((?: (?:id|class|href|aria-label|title)=\"[^\"]*\")+)")


def odd(name):
    """A report of an odd study: every word of its page, its shape and what is printed of it, and the datasheet."""
    make, given = ODD[name]
    given = given | ({"answers": given["answers"]()} if "answers" in given else {})
    document = compose(make(), **given)
    # What stands behind each number is what the other reports tell, too.
    sections = [replace(one, blocks=without(one.blocks, "behind-")) for one in document.sections]
    page = to_html(replace(document, sections=sections))
    return {
        "page": on_page(page),
        "drawn": [marks_of(drawn) for drawn in SVG.findall(page)],
        "shapes": ["".join(told) for told in SHAPES.findall(UNSPOKEN.sub("", page))],
        "printed": [line for line in to_markdown(document).splitlines() if line.startswith(("#", "*"))],
        "heds": {key: told["data"] for key, told in document.data["heds"].items() if any(told["data"].values())},
    }


def without(blocks, key):
    kept = [one for one in blocks if not (isinstance(one, Evidence) and one.key.startswith(key))]
    return [replace(one, blocks=without(one.blocks, key)) if isinstance(one, Evidence) else one for one in kept]


def worded(seed):
    number = (-1.005, -0.004, 0.0, 0.004, 0.005, 0.5, 0.995, 1.0, 12.345, 1234.5, float("nan"), 1e6)[seed]
    ends = Interval(low=number - 0.1, high=number + 0.1, level=0.95, method="m") if number == number else None
    return [
        wording.number_text(number),
        wording.number_text(number, 0),
        wording.ends_text(ends),
        wording.ends_text(ends, 3),
        wording.cases(seed, 1 + seed % 3),
        wording.items_text(seed, seed % 3),
        wording.capital("αβ of", {"αβ"}),
        wording.sentence("x says so."),
        wording.on(("", "tone")[seed % 2]),
        wording.for_readers("--direction high, say"),
        part_name({"criterion": "tone", "phase": str(seed)}, "all"),
        [*thresholds("krippendorff_alpha"), *thresholds("pearson")],
        said(lambda: methods_named([("a", "x"), ("b", "x"), ("c", "y")][: seed % 4])),
        bibtex(list(REFERENCES)[seed : seed + 2]),
    ]


def judged(seed):
    return [f"{key}: {one}" for key, one in verdicts.JUDGEMENTS.items()][seed % 5 :: 5]


def drawn(name, ratings, column):
    """A chart in words and in the sums of its marks."""
    chart = said(lambda: draw(name, ratings(), column))
    if isinstance(chart, str):
        return chart
    text = chart.to_svg()
    return [on_page(re.sub(r"</?svg[^>]*>", "", text)), *marks_of(text)]


def marks_of(drawn):
    """How far all marks of a drawing stand, in one number, and how many numbers they have."""
    numbers = [float(one) for one in re.findall(r"[ \"](-?\d+\.?\d*)(?=[ \",])", drawn)]
    return [sum((1 + at % 7) * one for at, one in enumerate(numbers)), len(numbers)]


def of_judge(seed):
    answer = accord.judge(JUDGED[seed](), "judge", gate={"bias": 0.3} if seed % 2 else None)
    document = judge_page(answer.result, answer.gate, {})
    return {"markdown": to_markdown(document).splitlines(), "page": on_page(to_html(document))}


ASKED = {
    **{f"report-{number}": lambda _, number=number: reported(number) for number in range(7)},
    **{f"odd-{name}": lambda _, name=name: odd(name) for name in ODD},
    "worded": worded,
    "judged": judged,
    **{
        f"figure-{name}": lambda seed, name=name: drawn(
            name, lambda: studies(seed), ("phase", "system", "scenario", "group")[min(seed, 3)]
        )
        for name in FIGURES
    },
    **{
        f"drawn-{name}": lambda seed, name=name, made=made: drawn(name, made[seed], "condition")
        for name, made in DRAWN.items()
    },
    "judge-pages": of_judge,
}


@pytest.mark.parametrize("name", ASKED)
def test_reports_of_small_studies_are_what_was_recorded(name):
    assert_as_recorded("reporting", name, ASKED[name], SEEDS[: FEWER.get(name)])
