"""The pictures of ``accord score``."""

import json

import pytest


def spec(path):
    return json.loads(path.read_text(encoding="utf-8"))


def rows(path):
    """All rows of data drawn, layer after layer."""
    drawn = spec(path)
    return [row for layer in drawn["layer"] for row in drawn["datasets"][layer["data"]["name"]]]


def test_one_score_and_two_scores_stand_side_by_side_with_the_threshold(accord_command, tmp_path):
    done = accord_command("score", 76.85, 81.99, "--prior", 90, "--threshold", 80, "--plot", "s.json")
    assert "Wrote s.json." in done.stdout
    drawn = rows(tmp_path / "s.json")
    bars = {row["name"]: row for row in drawn if "low" in row}
    # Half-width of t as printed in paper 000.
    assert bars["t, 2 scores, 0.8"]["high"] - bars["t, 2 scores, 0.8"]["centre"] == pytest.approx(7.91, abs=0.005)
    assert bars["ARF, one score, 0.8"]["centre"] == pytest.approx((90 + 76.85) / 2)
    assert {"threshold": 80.0, "word": "threshold 80"} in drawn
    assert [row["one"] for row in drawn if "one" in row] == [76.85, 76.85, 81.99]
    title = spec(tmp_path / "s.json")["title"]["text"][0]
    assert title.startswith("Borderline FAIL against 80: the mean of 2 scores is 79.42 ± 7.91")


def test_a_history_shows_each_decision_over_the_mean_known_before(accord_command, tmp_path):
    (tmp_path / "h.csv").write_text("date,score,exclude\n2025-01-01,95,\n2025-02-01,70,\n2025-03-01,20,broken file\n")
    accord_command("score", "--history", "h.csv", "--threshold", 80, "--plot", "h.json")
    drawn = {row["name"]: row for row in rows(tmp_path / "h.json") if "decision" in row}
    assert [row["decision"] for row in drawn.values() if row["name"] != "next"] == ["FAIL", "left out", "PASS"]
    assert drawn["2025-02-01"]["mean"] == 95
    assert drawn["next"]["mean"] == 82.5


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf", "html"])
def test_the_shrinking_interval_is_drawn_in_every_form(accord_command, tmp_path, suffix):
    (tmp_path / "s.csv").write_text("score\n" + "\n".join(str(60 + i % 30) for i in range(90)))
    done = accord_command("score", "--segments", "s.csv", "--plot", f"d.{suffix}")
    assert done.returncode == 0, done.stderr
    heads = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!doctype html>"}
    assert (tmp_path / f"d.{suffix}").read_bytes().startswith(heads[suffix])


@pytest.mark.parametrize(
    ("file", "words"), [("d.docx", "name a file that ends in"), ("nowhere/d.svg", "there is no folder")]
)
def test_a_picture_that_cannot_be_written_is_told_before_any_work(accord_command, file, words):
    done = accord_command("score", 80, 82, "--plot", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_equal_scores_have_no_interval_and_no_picture(accord_command, tmp_path):
    done = accord_command("score", 80, 80, "--plot", "e.svg")
    assert "no interval to draw" in done.stdout
    assert not (tmp_path / "e.svg").exists()
