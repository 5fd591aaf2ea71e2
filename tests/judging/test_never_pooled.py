"""No command makes one number out of people and models unless somebody pools kinds by name."""

import json

import numpy as np
import pytest


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
