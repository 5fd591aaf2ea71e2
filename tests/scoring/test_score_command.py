"""``accord score`` as a user meets it."""

import json
import re

import pytest

import accord
from accord.scoring.item_scores import ends_of_scale


def test_the_two_scores_of_the_paper_are_a_borderline_fail(accord_command):
    done = accord_command("score", "76.85", "81.99", "--threshold", "80", "--json")
    told = json.loads(done.stdout)
    assert told["decisions"][0]["verdict"] == "borderline FAIL"
    assert told["intervals"][0]["half_width"] == pytest.approx(7.91, abs=0.005)
    assert told["ratio_agreement"]["less"] == pytest.approx(0.0627, abs=0.00005)


def test_levels_stand_side_by_side_and_the_cautions_are_printed(accord_command):
    done = accord_command("score", "85.2", "--prior", "96.3", "--confidence", ".75", "--confidence", ".8")
    assert done.returncode == 0
    assert "22.00" in done.stdout
    assert "28.28" in done.stdout
    assert "only indicative" in done.stdout


def test_a_history_gives_the_prior_and_the_class(accord_command, tmp_path):
    (tmp_path / "h.csv").write_text("date,score\n2025-01-01,95\n2025-02-01,97\n")
    told = json.loads(accord_command("score", "--history", "h.csv", "--threshold", "80", "--json").stdout)
    assert told["classification"] == "undecided"  # two evaluations: the share of FAILs may be .68
    told = json.loads(accord_command("score", "85", "--history", "h.csv", "--json").stdout)
    assert told["prior"]["value"] == 96


def test_one_score_with_a_history_says_why_it_is_borderline_and_how_probable_a_low_value_is(accord_command, tmp_path):
    (tmp_path / "h.csv").write_text("score\n95\n78\n83\n77\n")
    told = accord_command("score", "79", "--history", "h.csv", "--threshold", "80", "--spread", "3").stdout
    assert "One score is never more than borderline." in told
    assert "the true value lies below the threshold with probability 0." in told


def test_the_second_score_of_an_arbitration_is_compared_with_the_first_alone(accord_command):
    done = accord_command("score", "76", "84", "--prior", "90", "--threshold", "80")
    assert "The first score alone gave" in done.stdout
    assert "; both give ± " in done.stdout
    assert "went from borderline FAIL to borderline PASS" in done.stdout
    equal = accord_command("score", "84", "84", "--prior", "90").stdout
    assert "; both show no spread." in equal
    assert "nan" not in equal


def test_tables_and_sampling_are_printed(accord_command, tmp_path):
    assert "636.619" in accord_command("score", "--tables", "t").stdout
    assert "48.389" in accord_command("score", "--tables", "k").stdout
    (tmp_path / "s.csv").write_text("score\n" + "\n".join(str(60 + i % 30) for i in range(90)))
    told = json.loads(accord_command("score", "--segments", "s.csv", "--json").stdout)
    assert told["sets"][0]["segments"] == 10
    assert told["sets"][0]["width"] > told["sets"][-1]["width"]


def test_the_share_of_segment_sets_below_a_threshold_falls_as_sets_grow(accord_command, tmp_path):
    (tmp_path / "s.csv").write_text("score\n" + "\n".join(str(60 + i % 30) for i in range(120)))
    told = json.loads(accord_command("score", "--segments", "s.csv", "--threshold", "72", "--json").stdout)
    shares = [one["below"] for one in told["sets"]]
    assert 0.05 < shares[0] < 0.3  # the mean is 74.5, the standard error of 10 segments 2.74
    assert shares[-1] == 0
    assert "are few to draw from" not in accord_command("score", "--segments", "s.csv").stdout


def test_few_segments_are_said_to_be_few(accord_command, tmp_path):
    (tmp_path / "s.csv").write_text("score\n" + "\n".join(str(60 + i) for i in range(9)))
    assert "9 segments are few to draw from" in accord_command("score", "--segments", "s.csv").stdout


def test_the_full_width_is_shown_and_the_factor_has_its_name(accord_command):
    one, two = accord_command("score", "85.2", "--prior", "96.3"), accord_command("score", "76.85", "81.99")
    assert "51.34" in one.stdout
    assert " k\n" in one.stdout
    assert "15.82" in two.stdout
    assert " t\n" in two.stdout
    many = accord_command("score", *(str(60 + i) for i in range(31)), "--threshold", "50")
    assert "probability" not in many.stdout
    assert " t  verdict\n" in many.stdout
    paper = accord_command("score", *(str(60 + i) for i in range(31)), "--method", "paper", "--threshold", "50")
    assert " z  verdict\n" in paper.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("50", "--prior", "50"), "interval of no width"),
        ((), "Give at least one score"),
        (("50", "--prior", "60", "--width", "5"), "--spread"),
        (("50", "--prior", "60", "--prior-fixed", "yesterday"), "write the day as"),
        (("50", "60", "--vendor", "Aster"), "--vendor chooses rows of --history"),
        (("50", "60", "--criterion", "fluency"), "--criterion chooses among the criteria of --ratings"),
        (("50", "60", "--spread", "3"), "give --width"),
        (("50", "60", "--law", "unknown"), "--law is for one score"),
        (("50", "60", "--tables", "t"), "takes no scores beside it"),
        (("50", "--segments", "s.csv"), "takes no scores beside it"),
        (("50", "--ratings", "r.csv"), "takes no scores beside it"),
        (("-5", "80"), "The score -5 lies off the scale from 0 to 100. Correct it, or declare the scale"),
        (("80", "-5"), "The score -5 lies off the scale"),
        (("80", "82", "--threshold", "-5"), "The threshold -5 lies off the scale"),
        (("80", "--prior", "-5"), "The prior -5 lies off the scale"),
    ],
)
def test_bad_input_ends_with_one_sentence_and_code_2(accord_command, arguments, words):
    done = accord_command("score", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments", [("-5", "80", "--scale", "-10", "100"), ("--scale", "-10", "100", "--", "-5", "80")]
)
def test_scores_below_zero_are_scores_wherever_they_stand(accord_command, arguments):
    assert json.loads(accord_command("score", "--json", *arguments).stdout)["values"] == [-5, 80]


def test_raters_of_a_segment_are_no_further_segments(accord_command, tmp_path):
    rows = [f"s{segment},r{rater},{70 + segment + rater}" for segment in range(20) for rater in range(3)]
    (tmp_path / "s.csv").write_text("\n".join(["item,rater,score", *rows]))
    assert json.loads(accord_command("score", "--segments", "s.csv", "--json").stdout)["segments"] == 20
    assert "60 ratings of 20 segments" in accord_command("score", "--segments", "s.csv").stdout
    (tmp_path / "s.csv").write_text("item,system,score\na,X,70\na,Y,80\nb,X,75\n")
    done = accord_command("score", "--segments", "s.csv")
    assert done.returncode == 2
    assert "holds several systems (X, Y)" in done.stderr


def test_the_report_and_the_command_give_every_item_the_same_interval(accord_command, tmp_path):
    rows = ["s1,3,3,4", "s2,3,3,2", "s3,5,4,4", "s4,4,3,4"]
    (tmp_path / "s.csv").write_text("\n".join(["item,Ann,Bob,Cem", *rows]), encoding="utf-8")
    made = json.loads(accord_command("score", "--ratings", "s.csv", "--json").stdout)["items"]
    accord_command("report", "s.csv", "-o", "report.html")
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", (tmp_path / "report.html").read_text(encoding="utf-8")))
    for one in made:
        mean = sum(map(int, one["scores"].split(", "))) / 3
        assert f"{one['item']} {one['scores']} {mean:.2f} {one['low']:.2f} {one['high']:.2f}" in page
    assert (made[2]["low"], made[2]["high"]) == pytest.approx((3.434, 4.966), abs=0.001)
    assert "room for rare scores" in page and "Nobody declared the ends of the scale: 1 and 5 are taken" in page


@pytest.mark.parametrize(
    ("scores", "ends"),
    [((1, 1), (1, 5)), ((0, 1), (0, 1)), ((2, 5), (1, 5)), ((2, 6), (1, 7)), ((0, 4), (0, 5)), ((-2, 3), (-2, 5)),
     ((12, 40), (0, 100)), ((90, 140), (0, 140))],
)  # fmt: skip
def test_a_scale_that_nobody_declared_is_the_shortest_usual_one(scores, ends, tmp_path):
    rows = [f"i{place},r,{value}" for place, value in enumerate(scores)]
    (tmp_path / "s.csv").write_text("\n".join(["item,rater,value", *rows]), encoding="utf-8")
    found, said = ends_of_scale(accord.read(tmp_path / "s.csv", level="interval"))
    assert found == ends
    assert f"{ends[0]:g} and {ends[1]:g} are taken" in said


def test_equal_scores_are_told_once_and_in_words(accord_command):
    printed = accord_command("score", "85", "85", "85", "--threshold", "80").stdout
    assert printed.startswith("PASS against 80: all 3 scores are 85 and show no spread. Judged as if one lay 1 away:")
    assert "between 84.37 and 85.63 (80% interval)" in " ".join(printed.split())
    assert "no interval" not in printed and "–" not in printed and "[" not in printed
    assert len(printed.splitlines()) <= 7


def test_ends_of_a_scale_that_nobody_declared_are_named_and_scores_seen_are_no_ends(accord_command, tmp_path):
    rows = [f"s{item},r{rater},{96 + (item + rater) % 4}" for item in range(4) for rater in range(3)]
    (tmp_path / "s.csv").write_text("\n".join(["item,rater,score", *rows]))
    done = accord_command("score", "--ratings", "s.csv")
    assert "Nobody declared the ends of the scale: 0 and 100 are taken." in done.stdout
    made = json.loads(accord_command("score", "--ratings", "s.csv", "--json").stdout)["items"]
    assert min(one["low"] for one in made) < 96
    (tmp_path / "s.csv").write_text("\n".join(["item,rater,score", "a,x,2", "a,y,4", "b,x,3", "b,y,1"]))
    shown = " ".join(accord_command("score", "--ratings", "s.csv").stdout.split())
    assert "Nobody declared the ends of the scale: 1 and 5 are taken." in shown
    assert "Nobody" not in accord_command("score", "--ratings", "s.csv", "--scale", "1", "7").stdout


@pytest.mark.parametrize(
    ("scores", "options"),
    [((3, 4, 5), {}), ((76.85, 81.99), {"threshold": 80}), ((80, 80), {}), ((85.2,), {"prior": 90})],
)
def test_python_opens_with_the_sentence_of_the_command(accord_command, scores, options):
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    opening = " ".join(accord_command("score", *scores, *words).stdout.split("\n\n")[0].split())
    assert opening.startswith(str(accord.score(scores, **options)).splitlines()[0])
