"""No command makes one number out of people and models unless somebody pools kinds by name."""

import json

import numpy as np
import pytest

import accord


@pytest.fixture
def both(tmp_path):
    """Two systems, two people who prefer A and a model that prefers B; the same without the model."""
    rng = np.random.default_rng(4)
    head, people, model = "document,segment,system,rater,kind,role,value", [], []
    for document in range(10):
        for segment in range(4):
            for system, quality in (("A", 70), ("B", 60)):
                place = f"d{document},{segment},{system}"
                people += [f"{place},{name},human,system,{quality + rng.integers(-10, 11)}" for name in ("Ana", "Bo")]
                model.append(f"{place},gpt,model,system,{130 - quality + rng.integers(-5, 6)}")
    (tmp_path / "both.csv").write_text("\n".join([head, *people, *model]) + "\n")
    (tmp_path / "people.csv").write_text("\n".join([head, *people]) + "\n")
    return tmp_path


def test_a_ranking_is_that_of_people_and_says_whom_it_leaves_out(both, accord_command):
    of_both, of_people = (
        json.loads(accord_command("rank", both / name, "--direction", "high", "--json").stdout)
        for name in ("both.csv", "people.csv")
    )
    assert _numbers(of_both) == _numbers(of_people)
    assert "80 ratings of models (gpt) are left out" in json.dumps(of_both, ensure_ascii=False)


def _numbers(found):
    return sorted(part for part in json.dumps(found["rankings"][0]["systems"]).replace(",", " ").split() if "." in part)


def test_scores_of_items_are_those_of_people(both, accord_command):
    of_both, of_people = (
        accord_command("score", "--ratings", both / name, "--json").stdout for name in ("both.csv", "people.csv")
    )
    assert json.loads(of_both)["items"] == json.loads(of_people)["items"]
    told = accord_command("score", "--ratings", both / "both.csv")
    assert "80 ratings of models (gpt) are left out" in " ".join((told.stdout + told.stderr).split())


def test_agreement_of_models_and_of_people_is_never_one_number(both, accord_command):
    found = json.loads(accord_command("agree", both / "both.csv", "--json").stdout)
    assert {group["by"].get("kind") for group in found["groups"]} == {"human", "model"}
    alone = json.loads(accord_command("agree", both / "people.csv", "--json").stdout)["groups"][0]
    human = next(group for group in found["groups"] if group["by"]["kind"] == "human")
    assert [one["value"] for one in human["estimates"]] == [one["value"] for one in alone["estimates"]]


HEADS = {
    "da": "system,role,value",
    "prefer": "first,second,preferred",
    "mqm": "system,category,severity",
    "penalties": "system,value",
    "rounds": "phase,value",
    "groups": "group,value",
}
RATERS = (("Ana", "human"), ("Bo", "human"), ("Cy", "human"), ("Di", "human"), ("gpt", "model"), ("opus", "model"))


def _cells(rng, name, rater, is_model, place):
    """What a rater says of an item in a table of each sort; models say something else than people."""
    bad = rng.random() < (0.9 if is_model else 0.3)
    score = int(rng.integers(0, 60) if is_model else 60 + rng.integers(-9, 10))
    value = int(rng.integers(1, 6) if is_model else np.clip(place % 5 + 1 + rng.integers(-1, 2), 1, 5))
    return {
        "da": [f"A,system,{score}", f"B,system,{score - 5}", f"A,degraded,{score - 30}"],
        "prefer": [f"A,B,{'B' if bad else 'A'}"],
        "mqm": [f"{system},Accuracy,{'Major' if bad else 'No-error'}" for system in "AB"],
        "penalties": [f"A,{5 * bad}"],
        "rounds": [f"{place % 2 + 1},{value}"],
        "groups": [f"{'expert' if rater in ('Ana', 'Bo', 'gpt') else 'student'},{value}"],
    }[name]


@pytest.fixture
def tables(tmp_path):
    """A function that writes a table of each sort, of people and models and of people alone."""

    def write(name):
        rng = np.random.default_rng(9)
        rows = [
            (kind, f"i{place},d{place // 4},{rater},{kind},{cells}")
            for place in range(40)
            for rater, kind in RATERS
            for cells in _cells(rng, name, rater, kind == "model", place)
        ]
        for file, kinds in (("both", ("human", "model")), ("people", ("human",))):
            lines = [f"item,document,rater,kind,{HEADS[name]}", *(row for kind, row in rows if kind in kinds)]
            (tmp_path / file).mkdir()
            (tmp_path / file / "ratings.csv").write_text("\n".join(lines) + "\n")
        return tmp_path / "both" / "ratings.csv", tmp_path / "people" / "ratings.csv"

    return write


ANSWERS = {
    "da": lambda path: accord.da(accord.read(path, direction="high"), minimum=1),
    "prefer": accord.prefer,
    "mqm": accord.mqm,
    "penalties": lambda path: accord.mqm(path, criterion=""),
    "rounds": lambda path: accord.compare(accord.read(path), "phase", bootstrap=200),
    "groups": lambda path: accord.compare(accord.read(path), "group", bootstrap=200),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_command_gives_the_numbers_of_people_and_says_whom_it_leaves_out(name, tables):
    of_both, of_people = map(ANSWERS[name], tables(name))
    assert [table.rows for table in of_both.tables()] == [table.rows for table in of_people.tables()]
    said = "ratings of models (gpt and opus) are left out"
    assert said in " ".join(of_both.words) and said in json.dumps(of_both.to_dict())
    assert said not in " ".join(of_people.words)


def test_models_are_compared_with_people_where_that_is_asked_for(tables):
    answer = accord.compare(accord.read(tables("rounds")[0]), "kind", bootstrap=200)
    assert {row["condition"] for row in answer.tables()[0].rows} == {"human", "model"}


def test_rows_without_a_kind_are_not_pooled_with_models(tables):
    both, people = tables("prefer")
    both.write_text(both.read_text().replace(",human,", ",,"))
    assert accord.prefer(both).tables()[0].rows == accord.prefer(people).tables()[0].rows


def test_a_report_is_of_people_and_says_whom_it_leaves_out(tables, tmp_path):
    both, people = (
        accord.report(accord.read(path), tmp_path / f"{path.parent.name}.md", title="Report").read_text()
        for path in tables("rounds")
    )
    said = "80 ratings of models (gpt and opus) are left out: they are not pooled with people."
    assert said in both and both.replace(said, "").split() == people.split()
