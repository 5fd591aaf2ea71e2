"""The same ratings in another order of rows or columns have the same intervals: a signature can be computed again."""

import csv
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import accord
from accord.ratings.build import build_ratings
from accord.ratings.names import in_order, order_of_names
from accord.ratings.open_stored import open_stored

ROOT = Path(__file__).parents[2]
# Names whose order is not that of the rows, nor that of their lengths.
PEOPLE = ("Zoe", "Bartholomew", "Al", "rater 10", "rater 9", "Ümit")
LEVELS = {"nominal": ("yes", "no", "perhaps"), "ordinal": (1, 2, 3, 4, 5), "interval": (0.1, 12.7, 33.3, 70.01, 99.9)}
METHODS = (
    {},
    {"interval": "bca", "replicates": 200},
    {"interval": "percentile", "replicates": 200},
    {"interval": "bca", "replicates": 200, "draws": "poisson", "resample": "item"},
    {"interval": "jackknife"},
    {"resample": "item", "replicates": 100},
    {"resample": "document", "replicates": 100},
    {"resample": "rater", "interval": "percentile", "replicates": 100},
    {"resample": "rater-and-item"},
    {"resample": "rater-and-document"},
    {"resample": "pair"},
)


def rows_of(level, items=36, people=PEOPLE, gaps=0.25, seed=1, **columns):
    """Ratings that go together a little, of which a share is not there; ``columns`` say the rest of each row."""
    rng, values = Random(seed), LEVELS[level]
    rows = []
    for item in range(items):
        truth = rng.randrange(len(values))
        for place, rater in enumerate(people):
            if rng.random() >= gaps:
                code = truth if rng.random() < 0.6 else rng.randrange(len(values))
                row = {"item": f"s{item}", "rater": rater, "value": values[code]}
                rows.append(row | {name: named(item, place) for name, named in columns.items()})
    return rows


def read(rows, level):
    return build_ratings({name: [row[name] for row in rows] for name in rows[0]}, level=level)


def shuffled(rows, seed=3):
    return Random(seed).sample(rows, len(rows))


def ends(result):
    return {
        (*group.by.items(), *group.combined, one.coefficient): (
            one.value, one.standard_error, *((one.interval.low, one.interval.high) if one.interval else ()),
        )
        for group in result.groups for one in group.estimates
    }  # fmt: skip


def numbers(data, where=()):
    """Every number of plain data, by the names on the way to it; parts of a list by what they are called."""
    if isinstance(data, dict):
        called = (data.get(key) for key in ("name", "system", "rater", "item", "unit", "what"))
        named = tuple(name for name in called if isinstance(name, str))
        for key, part in data.items():
            yield from numbers(part, (*where, *named, str(key)))
    elif isinstance(data, list | tuple):
        for part in data:
            yield from numbers(part, where)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield where, float(data)


def assert_equal(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert one[name] == pytest.approx(other[name], abs=1e-12, nan_ok=True), name


def assert_same_answer(one, other):
    mine, theirs = (sorted(numbers(answer.to_dict())) for answer in (one, other))
    assert [name for name, _ in mine] == [name for name, _ in theirs]
    for (name, value), (_, again) in zip(mine, theirs, strict=True):
        assert value == pytest.approx(again, rel=1e-10, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_intervals_do_not_depend_on_the_order_of_rows(level, method):
    rows = rows_of(level, document=lambda item, _: f"d{item // 4}")
    one, other = (accord.agreement(read(some, level), **method) for some in (rows, shuffled(rows)))
    assert [estimate.signature for estimate in one] == [estimate.signature for estimate in other]
    assert_equal(ends(one), ends(other))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 2**20),
    level=st.sampled_from(tuple(LEVELS)),
    people=st.permutations(PEOPLE).map(lambda names: names[:4]),
    gaps=st.sampled_from((0.0, 0.3)),
    items=st.sampled_from((12, 45)),
    method=st.sampled_from(METHODS),
)
def test_any_order_of_any_ratings_gives_one_interval(seed, level, people, gaps, items, method):
    rows = rows_of(level, items, people, gaps, seed, document=lambda item, _: f"d{item // 3}")
    one, other = (accord.agreement(read(some, level), **method) for some in (rows, shuffled(rows, seed)))
    assert_equal(ends(one), ends(other))


@pytest.mark.parametrize(
    "many",
    ({"items": 1_500, "people": PEOPLE[:3]}, {"items": 60, "people": tuple(map(str, range(90)))}),
    ids=("items", "raters"),
)
def test_many_items_and_many_raters_have_one_interval_too(many):
    rows = rows_of("ordinal", gaps=0.4, **many)
    for method in ({}, {"interval": "bca", "replicates": 100}, {"resample": "rater"}):
        one, other = (
            accord.agreement(
                read(some, "ordinal"), coefficients=["krippendorff_alpha", "gwet_ac2", "conger_kappa"], **method
            )
            for some in (rows, shuffled(rows))
        )
        assert_equal(ends(one), ends(other))


@pytest.mark.parametrize("pool", ((), ("phase",)), ids=("apart", "pooled"))
def test_parts_that_are_kept_apart_combined_or_pooled_have_one_interval(pool):
    phase = lambda item, place: ("late", "early")[(item + place) % 2]  # noqa: E731
    rows = rows_of("ordinal", 60, phase=phase, document=lambda item, _: f"d{item // 4}")
    for method in ({}, {"replicates": 100, "resample": "item", "interval": "bca"}):
        one, other = (accord.agreement(read(some, "ordinal"), pool=pool, **method) for some in (rows, shuffled(rows)))
        assert_equal(ends(one), ends(other))


@pytest.mark.parametrize("gaps", (0.0, 0.25))
def test_the_columns_of_a_wide_table_may_stand_in_any_order(gaps, tmp_path):
    rows = rows_of("ordinal", gaps=gaps)
    given = {(row["item"], row["rater"]): row["value"] for row in rows}
    items = list(dict.fromkeys(row["item"] for row in rows))
    found = []
    for people, order in product((PEOPLE, PEOPLE[::-1]), (items, items[::-1])):
        path = tmp_path / f"{len(found)}.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            written = ([item, *(given.get((item, rater), "") for rater in people)] for item in order)
            csv.writer(file).writerows([["item", *people], *written])
        found.append(ends(accord.agreement(accord.read(path, wide=list(people), level="ordinal"), interval="bca")))
    long = ends(accord.agreement(read(rows, "ordinal"), interval="bca"))
    for one in found:
        assert_equal(one, long)


@pytest.mark.parametrize("method", METHODS[1:3], ids=str)
def test_files_in_memory_and_counted_by_duckdb_have_the_interval_of_a_frame(method, tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = [row | {"rater": PEOPLE.index(row["rater"]) + 5} for row in rows_of("ordinal", 50)]  # 5 to 10
    frame = pandas.DataFrame(shuffled(rows))
    path = tmp_path / "rows.csv"
    frame.sample(frac=1, random_state=1).to_csv(path, index=False)
    keys = ["krippendorff_alpha", "cohen_kappa", "gamma"]
    found = [
        accord.agreement(table, coefficients=keys, resample="item", **method)
        for table in (frame, accord.read(path, engine="memory", level="ordinal"), open_stored(path, level="ordinal"))
    ]
    for one in found[1:]:
        assert_equal(ends(found[0]), ends(one))


def test_pairs_are_shown_in_the_order_in_which_raters_came():
    rows = rows_of("ordinal", gaps=0.0)
    (matrix, *_) = accord.agreement(read(rows, "ordinal"), coefficients="cohen_kappa", pairs=True).groups[0].matrices
    assert matrix.raters == PEOPLE
    for other, name in enumerate(PEOPLE[1:], 1):
        two = [row for row in rows if row["rater"] in (PEOPLE[0], name)]
        alone = accord.agreement(read(two, "ordinal"), coefficients="cohen_kappa", interval="none")
        assert matrix.values[0, other] == pytest.approx(alone["cohen_kappa"].value)


def test_names_are_drawn_in_an_order_of_their_own():
    assert in_order(["10", "9", "-2", "007", "7"]) == ["-2", "007", "7", "9", "10"]
    assert in_order(["r10", "b", "r9", "B"]) == ["B", "b", "r10", "r9"]
    assert order_of_names(["a", "b"]) is None
    assert order_of_names([]) is None


QUESTIONS = {
    "rank": lambda table: accord.rank(table, test="permutation", direction="high"),
    "diagnose": accord.diagnose,
    "rounds": lambda table: accord.compare(table, "phase", first="one", second="two", bootstrap=100),
    "groups": lambda table: accord.compare(table, "group", design="groups", first="x", second="y", bootstrap=100),
    "reference bias": lambda table: accord.compare(
        table, "group", design="reference-bias", bootstrap=100, variants=True
    ),
    "metrics": lambda table: accord.compare(table, design="metrics", metrics=["score"], bootstrap=100),
    "tasks": lambda table: accord.compare(table, design="tasks", task="task", bootstrap=100),
}
BESIDE = {
    "rank": {"document": lambda item, _: f"d{item // 6}", "system": lambda item, _: ("Oak", "Ash", "Elm")[item % 3],
             "segment": lambda item, _: f"{item // 3}"},
    "diagnose": {"document": lambda item, _: f"d{item // 4}"},
    "rounds": {"phase": lambda item, place: ("one", "two")[(item // 2 + place) % 2],
               "criterion": lambda item, _: ("fluency", "adequacy")[item % 2]},
    "groups": {"group": lambda _, place: "xy"[place % 2], "document": lambda item, _: f"d{item // 4}"},
    "reference bias": {"group": lambda _, place: "xy"[place % 2]},
    "metrics": {"score": lambda item, _: str((item * 7919) % 101), "system": lambda item, _: "ba"[item % 2]},
    "tasks": {"task": lambda item, _: ("read", "edit")[(item * 31 % 7) % 2],
              "document": lambda item, _: f"d{item // 4}"},
}  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_else_is_drawn_does_not_depend_on_the_order_of_rows(question):
    level, items = ("interval" if question == "rank" else "ordinal"), {"metrics": 450, "rank": 160}.get(question, 72)
    rows = rows_of(level, items, gaps=0.1, **BESIDE[question])
    first = list({tuple(row.get(name) for name in ("criterion", "phase", "group")): row for row in rows[::-1]}.values())
    # Which part and which condition comes first is said by the rows, and stays: what is drawn must not follow the rest.
    one, other = read(rows, level), read([*first[::-1], *(row for row in shuffled(rows) if row not in first)], level)
    assert_same_answer(QUESTIONS[question](one), QUESTIONS[question](other))


EXAMPLES = {
    "direct-assessment.csv": lambda path: accord.da(
        accord.read(path, level="interval", direction="high"), sample=3, minimum=3
    ),
    "ranks.csv": lambda path: accord.prefer(path, ranks=True),
    "summary-judge.csv": lambda path: accord.judge(accord.read(path), "judge-a", next_labels=6),
    "retest-and-gold.csv": lambda path: accord.diagnose(accord.read(path)),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_is_drawn_from_the_examples_does_not_depend_on_the_order_of_rows(example, tmp_path):
    head, *lines = (ROOT / "docs" / "examples" / example).read_text(encoding="utf-8").splitlines()
    answers = []
    for order in (lines, shuffled(lines)):
        path = tmp_path / example
        path.write_text("\n".join([head, *order]), encoding="utf-8")
        answers.append(EXAMPLES[example](path))
    assert_same_answer(*answers)
