"""``accord rank`` on the tables people hold: an item for each system, no documents, criteria without order."""

import json
import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

import accord
from accord.scoring import rank

SYSTEMS = {"Alpha": 4, "Beta": 3, "Gamma": 1}


@pytest.fixture
def table(tmp_path):
    """ID, System, Annotator and two criteria; 12 items, no documents."""
    rows = ["ID,Text,System,Annotator,Fluency,Kind"]
    for item in range(12):
        for system, good in SYSTEMS.items():
            for rater in ("Anna", "Bert"):
                value = min(5, max(1, good + (item + len(rater)) % 2))
                rows.append(f"{item},Satz {item},{system},{rater},{value},{'style' if item % 2 else 'terms'}")
    path = tmp_path / "table.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_an_item_that_every_system_has_is_what_they_are_compared_on(table, accord_command):
    done = accord_command("rank", table, "--value", "Fluency", "--direction", "high")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Alpha is best") and "Gamma is last" in done.stdout


def test_without_documents_no_word_speaks_of_them(table, accord_command):
    told = " ".join(accord_command("rank", table, "--value", "Fluency", "--direction", "high").stdout.split())
    assert "mean over segments" in told and "for other segments like these" in told
    assert "over documents" not in told and "other documents" not in told


def test_few_segments_are_a_caution(table, accord_command, tmp_path):
    few = tmp_path / "few.csv"
    few.write_text("\n".join(table.read_text(encoding="utf-8").splitlines()[:19]) + "\n", encoding="utf-8")
    assert "share only 3 segments" in accord_command("rank", few, "--value", "Fluency", "--direction", "high").stdout


def test_criteria_without_an_order_are_named_and_the_others_ranked(table, accord_command):
    done = accord_command("rank", table, "--value", "Fluency", "--value", "Kind", "--direction", "Fluency:high")
    assert done.returncode == 0, done.stderr
    assert "Fluency: Alpha is best" in done.stdout and "Not ranked, as their values have no order: Kind." in done.stdout


def test_what_holds_for_one_criterion_only_is_said_with_its_name(tmp_path, accord_command):
    rows = ["item,segment,system,rater,criterion,value,role"]
    for item in range(12):
        for system, good in SYSTEMS.items():
            rated = f"{item}:{system},{item},{system},Anna"
            rows += [f"{rated},{criterion},{good + item % 2},system" for criterion in ("fluency", "style")]
        rows.append(f"{item}:Alpha#bad,{item},Alpha,Anna,fluency,1,degraded")
    path = tmp_path / "checked.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    told = " ".join(accord_command("rank", path, "--direction", "high", "--keep-all").stdout.split())
    assert "fluency: 12 ratings of control items (degraded) are left out" in told


@pytest.fixture
def long_and_short(tmp_path):
    """Four systems in one long document and eleven short ones; D wins in the long one, A in the short ones."""
    rng = np.random.default_rng(3)
    rows = ["document,segment,system,rater,value"]
    for document in range(12):
        for segment in range(40 if not document else 2):
            for system, mean in (("A", 65), ("B", 50), ("C", 50), ("D", 95 if not document else 60)):
                rows.append(f"d{document},{segment},{system},R,{mean + rng.normal(0, 8):.0f}")
    path = tmp_path / "documents.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def said(done):
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def test_what_a_score_is_is_named_and_plain_means_can_be_had(long_and_short, accord_command):
    asked = ("rank", long_and_short, "--direction", "high")
    weighted = said(accord_command(*asked))
    assert "Score: weighted mean over documents; a document of ten segments counts" in weighted
    assert "times as much as a document of one segment (--average document or segment gives plain means)" in weighted
    ratings = pd.read_csv(long_and_short)
    by_document = ratings.groupby(["system", "document"])["value"].mean().groupby("system").mean()
    for average, means in (("document", by_document), ("segment", ratings.groupby("system")["value"].mean())):
        found = json.loads(accord_command(*asked, "--average", average, "--json").stdout)["rankings"][0]
        assert {row["system"]: row["score"] for row in found["systems"]} == pytest.approx(means.to_dict())
        assert found["score_is"] == f"mean over {average}s, each counting alike"


def test_another_leader_by_plain_means_is_said(long_and_short):
    ratings = accord.read(long_and_short, direction="high", level="interval")
    weighted, plain = rank(ratings), rank(ratings, average="document")
    assert [one.systems[0].name for one in (weighted, plain)] == ["D", "A"]
    (line,) = [line for line in weighted.cautions if "plain means" in line]
    assert line.startswith(f"By plain means over documents A leads ({plain.systems[0].score:.2f}) and not D (")
    assert not any("plain means" in line for line in plain.cautions)


def test_without_a_good_end_it_is_said_who_scores_higher_and_by_how_much(table, accord_command):
    told = said(accord_command("rank", table, "--value", "Fluency", "--level", "interval"))
    assert "Alpha scores 1 to 3 higher than Beta and Gamma; Beta scores 2 higher than Gamma." in told
    assert "better than" not in told and "--direction high" in told


def test_without_degraded_items_that_is_said_before_any_direction_is_asked(long_and_short, accord_command):
    done = accord_command("da", long_and_short)
    assert done.returncode == 2
    assert done.stderr.startswith("No column says which items are degraded copies or repeats")
    assert "accord rank --standardise" in done.stderr and "--direction" not in done.stderr


def test_scores_have_one_decimal_where_their_intervals_are_wider_than_one(long_and_short, table, accord_command):
    wide = accord_command("rank", long_and_short, "--direction", "high", "--pairs").stdout
    row = next(line for line in wide.splitlines() if re.match(r"[1-4-]+ +D ", line)).split()
    assert all(re.fullmatch(r"\d+\.\d", number) for number in row[2:5])
    narrow = accord_command("rank", table, "--value", "Fluency", "--direction", "high").stdout
    assert " 4.500  4.168  4.832 " in narrow


def test_pairs_are_labelled_as_simultaneous_and_the_method_is_said_once(long_and_short, accord_command):
    told = said(accord_command("rank", long_and_short, "--direction", "high", "--all"))
    assert told == said(accord_command("rank", long_and_short, "--direction", "high", "--pairs"))
    assert "simultaneous intervals, all of them hold together with 95% confidence" in told
    assert told.count("paired t-test over documents") == 1
    assert "A new cluster begins only where every system above is shown to beat every system below" in told


def test_a_difference_near_nought_is_told_by_its_interval(tmp_path):
    rng = np.random.default_rng(5)
    noise = rng.normal(0, 5, 20)
    noise -= noise.mean()
    rows = [(f"s{item}", "R", "A", 50.0) for item in range(20)]
    rows += [(f"s{item}", "R", "B", 50.01 + noise[item]) for item in range(20)]
    frame = pd.DataFrame(rows, columns=["segment", "rater", "system", "value"])
    ranking = rank(accord.read(frame, level="interval", direction="high"))
    ends = ranking.pairs[0].interval
    assert (
        f"may be anything from {ends.low:.3g} to {ends.high:.3g}; about 210 segments in all would show one of 1"
        in ranking.closing()
    )


@pytest.mark.parametrize(
    "command",
    [
        ("rank", "s.csv"),
        ("agree", "s.csv", "--engine", "duckdb"),
        ("score", "--ratings", "s.csv"),
        ("diagnose", "s.csv"),
    ],
    ids=lambda words: words[0],
)
def test_a_direction_against_the_declared_one_is_said_in_one_line(accord_command, tmp_path, command):
    cells = product(range(20), ("Ann", "Benjamin"), ("A", "BB"))
    rows = [f"{item},{rater},{system},{1 + (item + len(system) + len(rater)) % 5}" for item, rater, system in cells]
    (tmp_path / "s.csv").write_text("\n".join(["item,rater,system,value", *rows]), encoding="utf-8")
    assert accord_command("describe", "s.csv", "--direction", "low", "--write").returncode == 0
    said = "The declared good end is overruled: low was declared (by accord describe), high is asked for and used."
    assert accord_command(*command, "--direction", "high").stderr.count(said) == 1
    assert said not in accord_command(*command, "--direction", "low").stderr
