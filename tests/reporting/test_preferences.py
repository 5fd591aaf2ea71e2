"""A report of choices between systems: who is preferred as ``accord prefer`` says it, and no means of labels."""

import numpy as np

import accord
from accord.ratings.build import build_ratings
from accord.reporting.analysis import analyse
from accord.reporting.compose import compose
from accord.reporting.document import Evidence, Listing, Rows

HEADER = ("item", "rater", "value")


def choices():
    """Six raters choose between three systems on thirty items; B wins mostly, every fourth choice is a tie."""
    rng = np.random.default_rng(4)
    rows = []
    for item in range(30):
        first, second = [("A", "B"), ("B", "C"), ("A", "C")][item % 3]
        better = "B" if "B" in (first, second) else "A"
        for rater in "uvwxyz":
            choice = (
                "tie" if rng.random() < 0.25 else better if rng.random() < 0.8 else str(rng.choice([first, second]))
            )
            rows.append((f"s{item}:{first}~{second}", rater, choice))
    return rows


def section(document, key):
    return next(section for section in document.sections if section.key == key)


def test_a_report_tells_preferences_as_accord_prefer_does(tmp_path):
    rows = choices()
    path = tmp_path / "choices.csv"
    path.write_text("\n".join(",".join(row) for row in [HEADER, *rows]))
    expected = accord.prefer(path)
    document = compose(accord.read(path))
    told = section(document, "preferences")
    assert told.finding == expected.opening[0]
    assert document.first.answer.startswith(expected.opening[0])
    tables = [block.table for block in told.blocks if isinstance(block, Rows)]
    # What reading guessed stands under Data in a report.
    own = [words for words in expected.words if not words.startswith("Note: ")]
    assert next(block.lines for block in told.blocks if isinstance(block, Listing)) == own
    folded = [block.table for one in told.blocks if isinstance(one, Evidence) for block in one.blocks
              if isinstance(block, Rows)]  # fmt: skip
    systems, raters, pairs = expected.parts
    assert [table.rows for table in tables] == [systems.rows, pairs.rows]
    assert [table.rows for table in folded] == [raters.rows]
    ((_, made),) = analyse(accord.read(path)).preferences
    assert made.signature == expected.result.signature and "|ratings=" in made.signature


def test_values_without_an_order_have_no_means_and_raters_are_not_said_to_share_nothing():
    ratings = build_ratings(dict(zip(HEADER, map(list, zip(*choices(), strict=True)), strict=True)))
    told = section(compose(ratings), "raters")
    assert "no order" in told.finding and "too few items" not in told.finding
    (table,) = [block.table for block in told.blocks if isinstance(block, Rows)]
    assert [column.title for column in table.columns] == ["rater", "ratings", "A", "B", "C", "tie"]
    assert not any("mean" in row for row in table.rows)


def test_scores_are_no_choices():
    rows = [(f"i{item}", rater, str(1 + item % 4)) for item in range(12) for rater in "ab"]
    document = compose(
        build_ratings(dict(zip(HEADER, map(list, zip(*rows, strict=True)), strict=True)), level="nominal")
    )
    assert "preferences" not in [one.key for one in document.sections]
