"""Each preset from its folder to its natural analysis: new, simulate, analyse."""

import csv
import json

import pytest

import accord


@pytest.fixture
def simulated(accord_command, tmp_path):
    """Make a study of a preset and let simulated raters fill it in; the rows of the ratings."""

    def make(preset: str) -> list[dict[str, str]]:
        assert accord_command("new", preset, "d").returncode == 0
        assert accord_command("simulate", "d", "-o", "r.csv").returncode == 0
        with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return make


def told(accord_command, *arguments):
    done = accord_command(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def mean_of_items(rows, system, criterion):
    """Mean over items of the mean over ratings of a system's own texts."""
    by_item = {}
    for row in rows:
        if (row["system"], row["criterion"], row["role"]) == (system, criterion, "system"):
            by_item.setdefault(row["item"], []).append(float(row["value"]))
    return mean(mean(values) for values in by_item.values())


def test_pairwise_goes_to_prefer_and_repeats_count_once(accord_command, simulated):
    rows = simulated("pairwise")
    found = told(accord_command, "prefer", "r.csv")
    first = {(row["rater"], row["item"]): row for row in reversed(rows)}
    assert 0 < len(first) < len(rows)
    assert found["comparisons"] == len(first)
    wins = {s["system"]: s["wins"] for s in found["systems"]}
    assert wins == {name: sum(row["value"] == name for row in first.values()) for name in ("alpha", "beta", "gamma")}
    refused = accord_command("rank", "r.csv")
    assert refused.returncode == 2
    assert "accord prefer" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1


def test_two_systems_are_known_by_the_choices_where_items_do_not_name_them(accord_command, tmp_path):
    rows = [("s1", "A"), ("s2", "A"), ("s3", "B"), ("s4", "tie")]
    lines = [f"{item},r{r},better,{value}" for item, value in rows for r in (1, 2)]
    (tmp_path / "r.csv").write_text("\n".join(["item,rater,criterion,value", *lines]))
    best = told(accord_command, "prefer", "r.csv")["systems"][0]
    assert (best["system"], best["wins"], best["ties"], best["losses"]) == ("A", 4, 2, 2)


def test_mqm_counts_faultless_segments_from_ratings_and_with_errors_beside_them(accord_command, simulated):
    rows = simulated("mqm")
    scores = {s["system"]: s for s in told(accord_command, "mqm", "r.csv")["systems"]}
    for name in ("first", "second"):
        assert scores[name]["score"] == pytest.approx(-mean_of_items(rows, name, "errors"))
    whole = told(accord_command, "mqm", "r.errors.csv", "--ratings", "r.csv")
    listed = told(accord_command, "mqm", "r.errors.csv")
    assert sum(s["items"] for s in whole["systems"]) == sum(s["items"] for s in scores.values())
    assert whole["systems"][0]["score"] > listed["systems"][0]["score"]
    assert any("scores are too low" in line for line in listed["notes"])
    best = told(accord_command, "rank", "r.csv", "--direction", "low")["rankings"][0]["systems"][0]
    assert best["system"] == whole["systems"][0]["system"]


def test_esa_leaves_attention_items_out_of_spans_and_scores(accord_command, simulated):
    rows = simulated("esa")
    assert any(row["item"].endswith("#attention") for row in rows)
    spans = {s["system"]: s for s in told(accord_command, "mqm", "r.csv", "--criterion", "spans")["systems"]}
    marks = told(accord_command, "mqm", "r.errors.csv", "--ratings", "r.csv", "--criterion", "spans")
    ranking = told(accord_command, "rank", "r.csv", "--where", "criterion=score")["rankings"][0]
    for made in marks["systems"]:
        assert made["score"] == pytest.approx(spans[made["system"]]["score"])
        assert made["score"] == pytest.approx(-mean_of_items(rows, made["system"], "spans"))
    for made in ranking["systems"]:
        assert made["score"] == pytest.approx(mean_of_items(rows, made["system"], "score"))
    refused = accord_command("mqm", "r.csv")
    assert "--criterion" in refused.stderr


def test_direct_assessment_needs_no_more_than_its_ratings(accord_command, simulated):
    rows = simulated("direct-assessment")
    found = told(accord_command, "da", "r.csv", "--minimum", "3", "--direction", "high")
    assert {s["system"] for s in found["systems"]} == {"sys-a", "sys-b", "sys-c", "sys-d"}
    assert sum(s["ratings"] for s in found["systems"]) == sum(row["role"] in ("system", "repeat") for row in rows)
    assert all(gate["pairs"] == 10 and not gate["flags"] for gate in found["raters"])
    assert found["self_replication"]["correlation"] > 0.4
    ranking = told(accord_command, "rank", "r.csv", "--standardise")["rankings"][0]
    assert {s["system"] for s in ranking["systems"]} == {"sys-a", "sys-b", "sys-c", "sys-d"}
    assert any("control items" in caution for caution in ranking["cautions"])


def test_quality_check_scores_each_job_against_the_threshold(accord_command, simulated, tmp_path):
    rows = [row for row in simulated("quality-check") if row["criterion"] == "quality"]
    arguments = ("score", "--ratings", "r.csv", "--criterion", "quality", "--prior", "60.5", "--threshold", "80")
    found = told(accord_command, *arguments, "--plot", "jobs.json")
    jobs = {job["item"]: job for job in found["items"]}
    assert set(jobs) == {row["item"] for row in rows}
    twice = next(item for item in jobs if sum(row["item"] == item for row in rows) == 2)
    alone = told(accord_command, "score", *[row["value"] for row in rows if row["item"] == twice], "--threshold", "80")
    assert jobs[twice]["half_width"] == pytest.approx(alone["intervals"][0]["half_width"])
    assert jobs[twice]["verdict"] == alone["decisions"][0]["verdict"]
    assert (tmp_path / "jobs.json").exists()
    without = told(accord_command, *arguments[:5], "--threshold", "80")
    assert any("--prior" in (job["note"] or "") for job in without["items"])
    refused = accord_command("rank", "r.csv", "--where", "criterion=quality")
    assert "only one system" in refused.stderr


def test_penalties_that_are_no_penalties_are_named(accord_command, tmp_path):
    (tmp_path / "r.csv").write_text("item,rater,value\na,R1,-2\nb,R1,bad\n")
    done = accord_command("mqm", "r.csv")
    assert done.returncode == 2
    assert "below 0" in done.stderr
    assert "not a number" in done.stderr


def test_ratings_are_penalties_only_where_somebody_said_that_low_is_good(accord_command, tmp_path):
    (tmp_path / "r.csv").write_text(
        "item,rater,system,value\n" + "".join(f"i{i},R{r},A,{i % 5}\n" for i in range(12) for r in "12")
    )
    done = accord_command("mqm", "r.csv")
    assert done.returncode == 2
    assert "nothing says that their values are penalties" in done.stderr
    assert accord_command("describe", "r.csv", "--direction", "low", "--write").returncode == 0
    assert "A scores" in accord_command("mqm", "r.csv").stdout


def test_a_system_without_any_error_has_no_interval_of_no_width(tmp_path):
    rows = [
        f"i{i},R1,{'No-error' if system == 'A' else 'Minor'},x,{system},d{i % 4}" for i in range(8) for system in "AB"
    ]
    rows.append("i9,R1,Major,x,B,d1")
    (tmp_path / "e.csv").write_text("\n".join(["item,rater,severity,category,system,document", *rows]))
    answer = accord.mqm(tmp_path / "e.csv")
    ends = {row["system"]: row["low"] for row in answer.data["systems"]}
    assert ends["A"] is None
    assert ends["B"] is not None
    assert "they say nothing about the spread" in str(answer)
