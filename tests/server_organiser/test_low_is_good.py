"""Studies in which the low end is good, collected on the page's own way: a ranking, and a scale on which 1 is best."""

import json

import pytest

import accord
from accord.design.scale import Direction
from accord.reading import read
from served_study import write_folder

HEAD = """
title = "Low is good"
seed = 9
items = "items.tsv"
[languages]
target = "de"
[assignment]
design = "crossed"
raters = 4
"""
RANKING = """
[[scenarios]]
key = "side"
kind = "random-sentence"
systems = 3
show = ["source"]
[[criteria]]
key = "order"
question = "Rank them."
kind = "ranking"
[analysis]
criterion = "order"
comparison = "system"
confidence = 0.9
"""
MARKS = """
[[scenarios]]
key = "alone"
kind = "random-sentence"
show = ["source"]
[[criteria]]
key = "mark"
question = "Which school mark?"
kind = "scale"
level = "ordinal"
values = [1, 2, 3, 4, 5, 6]
threshold = 4
best = "BEST"
"""
TARGETS = ["target:a", "target:b", "target:c"]
ITEMS = [(f"d{d}", str(s), f"Source {d} {s}.", *(f"Text {x} {d} {s}." for x in "abc"))
         for d in range(1, 7) for s in range(1, 5)]  # fmt: skip


def collected(django_on, folder, settings):
    """The study with the answers of four simulated raters in its database; the first system is the best one."""
    from accord.planning.simulated_raters import RaterTraits

    write_folder(folder, HEAD + settings, "# Read.\n", TARGETS, ITEMS)
    django_on(folder)
    from accord.server.rehearsal import fill_in
    from accord.server.study import loaded

    loaded.cache_clear()
    fill_in(4, RaterTraits(), seed=2)
    return read(folder)


@pytest.fixture
def means():
    def of(ratings):
        names, scores = ratings.columns["system"].labels(), ratings.scores
        return {name: scores[names == name].mean() for name in set(names)}

    return of


def test_rank_prefer_and_report_of_a_ranking_name_the_system_with_the_lowest_ranks(
    django_on, tmp_path, means, accord_command
):
    ratings = collected(django_on, tmp_path / "study", RANKING)
    meaning = ratings.criterion
    assert (meaning.kind, meaning.direction) == ("ranking", Direction.LOW)
    assert meaning.scale.declared and meaning.scale.values == (1.0, 2.0, 3.0)
    mean = means(ratings)
    best = min(mean, key=mean.get)
    assert accord.rank(ratings).systems[0].name == best
    preferred = accord.prefer(tmp_path / "study")
    assert preferred.result.systems[0].name == best
    assert "level=0.9|" in preferred.result.signature  # the plan declares it
    told = json.loads(accord_command("prefer", "study", "--json").stdout)
    assert told == json.loads(json.dumps(preferred.to_dict()))
    report = tmp_path / "report.md"
    accord.report(ratings, report)
    text = report.read_text(encoding="utf-8")
    assert f"order, by system: {accord.rank(ratings, level=0.9).headline()}" in text
    assert not any(f"{name} is best" in text for name in set(mean) - {best})


@pytest.mark.parametrize("best", ["low", "high"])
def test_a_reversed_scale_is_followed_from_the_study_to_every_answer(django_on, tmp_path, means, accord_command, best):
    ratings = collected(django_on, tmp_path / "study", MARKS.replace("BEST", best))
    assert ratings.criterion.direction is Direction(best)
    mean = means(ratings)
    wanted = (min if best == "low" else max)(mean, key=mean.get)
    assert accord.rank(ratings).systems[0].name == wanted
    from accord.server.organiser.ranked import rankings_in_brief, shown_ranking, systems_ranked

    (brief,) = rankings_in_brief(ratings, systems_ranked(ratings)[0])["made"]
    for found in (brief, {**brief, "criterion": ""}):  # as it was kept before, without a name
        shown = shown_ranking(found)
        assert (shown.criterion, shown.is_low_good) == ("mark", best == "low"), "the page says which end is good"
    from accord.server.organiser.changing import changes_of

    assert "Pairs of systems told apart by mark" in [one.name for one in changes_of()], "before somebody is left out"
    scored = json.loads(accord_command("score", "--ratings", "study", "--json").stdout)
    assert scored["threshold"] == 4
    passed = {row["item"] for row in scored["items"] if row["verdict"] and row["verdict"].endswith("PASS")}
    sums = {}
    for item, value in zip(ratings.item.labels(), ratings.scores, strict=True):
        sums.setdefault(item, []).append(value)
    sign = 1 if best == "high" else -1
    assert passed == {item for item, values in sums.items() if sign * (sum(values) / len(values) - 4) >= 0}
    report = tmp_path / "report.md"
    accord.report(ratings, report)
    text = report.read_text(encoding="utf-8").replace("\n", " ")
    assert f"the {best} end" in text
    others = set(mean) - {wanted}
    assert not any(f"{name} is best" in text for name in others)
