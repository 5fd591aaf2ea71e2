"""What the first screen advises fits what it counts, and no reader of a report is told options of a command."""

import re

import numpy as np
import pytest

from accord.diagnosis.causes import causes_of
from accord.diagnosis.examination import diagnose
from accord.ratings.build import build_ratings
from accord.ratings.description import describe
from accord.reporting.compose import compose
from accord.reporting.document import Paragraph
from accord.reporting.markdown import to_markdown


def in_documents(items, documents, **options):
    """Two raters, of whom the second differs on each fifth item."""
    rows = [(item, rater) for item in range(items) for rater in "AB"]
    return build_ratings(
        {
            "item": [f"i{item}" for item, _ in rows],
            "rater": [rater for _, rater in rows],
            "document": [f"d{item % documents}" for item, _ in rows],
            "value": [1 + (item + (rater == "B" and item % 5 == 0)) % 4 for item, rater in rows],
        },
        **options,
    )


def of_systems():
    """Three raters on two systems in twelve documents; nobody said which end is good."""
    rng = np.random.default_rng(1)
    rows = [(f"d{document}", segment, system, rater) for document in range(12) for segment in range(4)
            for system in ("X", "Y") for rater in "ABC"]  # fmt: skip
    columns = dict(zip(("document", "segment", "system", "rater"), map(list, zip(*rows, strict=True)), strict=True))
    worth = {key: rng.normal(5, 2) for key in dict.fromkeys(row[:3] for row in rows)}
    columns["item"] = [f"{document}-{segment}-{system}" for document, segment, system, _ in rows]
    return build_ratings(
        {**columns, "value": [max(0, round(worth[row[:3]] + rng.normal(0, 1))) for row in rows]}, level="interval"
    )


@pytest.mark.parametrize(("items", "documents", "lacking"), [(63, 3, "3 documents"), (30, 1, "1 document")])
def test_where_documents_lack_more_documents_are_advised_and_not_items(items, documents, lacking):
    first = compose(in_documents(items, documents)).first
    assert f"All items come from {lacking}, so other documents may say otherwise." in first.wrong
    assert any(line.startswith(f"Have more documents rated: {lacking}") for line in first.todo)
    assert not any("at least 30 items" in line or "Only" in line for line in (*first.todo, *first.wrong))


def test_where_items_lack_items_are_advised_and_not_documents():
    first = compose(in_documents(12, 12)).first
    assert any("at least 30 items" in line for line in first.todo)
    assert not any("documents rated" in line for line in first.todo)


def test_no_reader_is_told_options_of_a_command():
    for ratings in (in_documents(63, 3), of_systems()):
        prose = re.sub(r"```.*?```", "", to_markdown(compose(ratings)), flags=re.DOTALL)
        assert not re.findall(r" --[a-z-]+", prose.replace(" ---", ""))


def test_the_intervals_of_systems_are_told_as_their_own_kind():
    first = compose(of_systems()).first
    (systems,) = [rows.table for rows in first.forests if rows.table.title.startswith("Systems")]
    assert systems.notes[-1] == "Intervals: 95%, Student's t over documents."
    assert first.footnote.startswith("Intervals of agreement: 95%, Bayesian bootstrap")


def of_pairs(values):
    """Two raters on the items of these values."""
    rows = [
        (f"i{item}", rater, value) for item, pair in enumerate(values) for rater, value in zip("AB", pair, strict=True)
    ]
    return build_ratings(dict(zip(("item", "rater", "value"), zip(*rows, strict=True), strict=True)), level="ordinal")


def test_low_kappa_with_high_gamma_is_called_strictness_only_where_one_rater_is_lower_throughout():
    rng = np.random.default_rng(3)
    first = rng.integers(2, 9, 60)
    strict = of_pairs(np.stack([first, first + (np.arange(60) % 4 > 0)], axis=1).tolist())
    either = of_pairs(np.stack([first, first + rng.choice([-1, 1], 60)], axis=1).tolist())
    assert "one is strict" in to_markdown(compose(strict))
    assert "one is strict" not in to_markdown(compose(either))


def facts_of(ratings):
    section = next(section for section in compose(ratings).sections if section.key == "data")
    return {row["what"]: row["value"] for row in section.blocks[0].table.rows}


def test_repeats_neither_fill_gaps_nor_count_as_ratings_of_an_item():
    rows = [(f"i{item}", rater, 1) for item in range(20) for rater in "ABC" if (item + "ABC".index(rater)) % 3]
    rows += [("i1", "A", 2), ("i2", "A", 2), ("i4", "A", 2)]
    columns = dict(zip(("item", "rater", "occasion"), map(list, zip(*rows, strict=True)), strict=True))
    facts = facts_of(build_ratings({**columns, "value": [1 + place % 3 for place in range(len(rows))]}))
    assert facts["missing"] == "20 of 60 (33%) of a full design"
    assert facts["ratings per item"] == "2"
    assert facts["ratings"] == "43, 3 of them repeats by the same rater"


def test_a_guess_is_told_once_with_its_criterion():
    rows = [(f"i{item}", rater, name) for item in range(12) for rater in "AB" for name in ("ease", "style")]
    columns = dict(zip(("item", "rater", "criterion"), map(list, zip(*rows, strict=True)), strict=True))
    ratings = build_ratings({**columns, "value": [1 + place % 5 for place in range(len(rows))]})
    section = next(section for section in compose(ratings).sections if section.key == "data")
    told = [
        line for block in section.blocks if getattr(block, "key", "") == "guesses" for line in block.blocks[0].lines
    ]
    assert told
    assert all(line.startswith(("ease: ", "style: ")) for line in told if "guessed" in line)


def test_what_is_wrong_has_the_causes_of_diagnose_with_their_effect():
    rng = np.random.default_rng(2)
    truth = rng.integers(3, 8, 60)
    table = np.stack([truth, truth + rng.integers(-1, 2, 60), truth + rng.integers(-1, 2, 60), truth - 3], axis=1)
    rows = [(f"i{item}", "ABCD"[at], int(value)) for item, line in enumerate(table) for at, value in enumerate(line)]
    columns = dict(zip(("item", "rater", "value"), map(list, zip(*rows, strict=True)), strict=True))
    ratings = build_ratings(columns, level="interval", direction="high")
    causes = [one for one in causes_of(diagnose(ratings), ratings) if one.effect is not None]
    section = next(section for section in compose(ratings).sections if section.key == "findings")
    told = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    assert causes and causes[0].who == ("D",)
    assert any(line.casefold() == f"effect: {causes[0].effect_words}.".casefold() for line in told)
    assert causes[0].title in section.finding


def test_items_under_study_are_counted_apart_from_those_that_check_the_rater():
    rows = [
        (f"i{item}", rater, scenario, "system", 1)
        for item in range(12)
        for rater in "AB"
        for scenario in ("alone", "seen")
    ]
    rows += [(f"i{item}#bad", "A", "alone", "degraded", 1) for item in range(5)]
    rows += [(f"i{item}", "B", "seen", "repeat", 2) for item in range(4)]
    names = ("item", "rater", "scenario", "role", "occasion")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    ratings = build_ratings({**columns, "value": [1 + place % 3 for place in range(len(rows))]})
    facts = facts_of(ratings)
    assert facts["items"] == "12, and 5 that check the rater"
    assert facts["missing"] == "none"
    assert facts["items rated by one rater only"] == 0
    assert facts["ratings"] == "57, 4 of them repeats by the same rater"
    assert describe(ratings).answer()[0] == "57 ratings of 12 items and 5 that check the rater, by 2 raters."


def test_an_item_that_two_raters_judged_in_parts_kept_apart_is_rated_by_one_rater_only():
    rows = [(f"i{item}", rater, scenario) for item in range(12) for rater, scenario in (("A", "alone"), ("B", "seen"))]
    columns = dict(zip(("item", "rater", "scenario"), map(list, zip(*rows, strict=True)), strict=True))
    value = [1 + place % 3 for place in range(len(rows))]
    assert facts_of(build_ratings({**columns, "value": value}))["items rated by one rater only"] == 12
    criterion = ["tone", "terms"] * 12
    by_criterion = build_ratings(
        {"item": columns["item"], "rater": columns["rater"], "criterion": criterion, "value": value}
    )
    assert facts_of(by_criterion)["items rated by one rater only"] == 12


def test_items_that_one_rater_alone_judged_by_some_criterion_are_counted_beside():
    rows = [(f"i{item}", rater, "tone") for item in range(12) for rater in "AB"]
    rows += [(f"i{item}", "A", "terms") for item in range(5)]
    columns = dict(zip(("item", "rater", "criterion"), map(list, zip(*rows, strict=True)), strict=True))
    found = facts_of(build_ratings({**columns, "value": [1 + place % 3 for place in range(len(rows))]}))
    assert found["items rated by one rater only"] == "0, and 5 by some criterion or in some part"
