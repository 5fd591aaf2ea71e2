"""``accord agree`` and ``accord coefficients`` as a user meets them."""

import csv
import io
import json
import re
from typing import NamedTuple

import numpy as np
import pytest

from accord.cli.main import main
from accord.cli.output import _finite
from accord.ratings.read import read
from accord.reliability.run import agreement

HEADER = "item,rater,value\n"


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def accord_here(tmp_path, monkeypatch, capsys):
    """The same command line inside this process, which starts much faster."""

    def run(*arguments: object) -> Done:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["accord", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return run


@pytest.fixture
def ratings(tmp_path):
    rng = np.random.default_rng(0)
    lines = []
    for item in range(50):
        truth = rng.integers(1, 5)
        for rater in ("Ann", "Bob", "Cy"):
            value = rng.integers(1, 5) if rng.random() < 0.3 else truth
            lines.append(f"s{item},{rater},{value},{'news' if item % 2 else 'talks'}")
    path = tmp_path / "ratings.csv"
    path.write_text("item,rater,value,domain\n" + "\n".join(lines) + "\n")
    return path


def test_the_answer_comes_first_and_the_signature_last_and_once(accord_command, ratings):
    done = accord_command("agree", ratings)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("ratings   α = 0.")
    assert "(ordinal, 50 items, 3 raters): " in first
    assert "would give ±0." in " ".join(done.stdout.split())
    assert "\nreport             value  95% interval   items\nKrippendorff's α   0." in done.stdout
    assert "\n13 more coefficients fit: --all. Each pair of raters: --pairs.\n" in done.stdout
    assert f"What is wrong, and with whom: accord diagnose {ratings}\n" in done.stdout
    assert "Guessed: ordinal, values 1 to 4. Say --level and --scale to set them." in done.stdout
    assert last.startswith("Signature: accord ")
    assert done.stdout.count("accord 0.") == 1
    assert len(done.stdout.splitlines()) <= 24


def test_quiet_is_one_line(accord_here, ratings):
    done = accord_here("agree", ratings, "--quiet")
    assert re.fullmatch(r"α = 0\.\d{3}, 95% interval 0\.\d{3} to 0\.\d{3}, 50 items\n", done.stdout)


@pytest.mark.parametrize("confidence", ["95", "95%", ".95", "0.95"])
def test_confidence_is_understood_as_people_write_it(accord_here, ratings, confidence):
    assert "95% interval" in accord_here("agree", ratings, "--quiet", "--confidence", confidence).stdout


def test_a_confidence_below_an_even_chance_is_taken_for_a_slip(accord_here, ratings):
    done = accord_here("agree", ratings, "--confidence", "3")
    assert done.returncode == 2 and "write 0.95 or 95" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_confidence_that_is_none_is_refused_in_a_sentence(accord_here, ratings):
    done = accord_here("agree", ratings, "--confidence", "200")
    assert done.returncode == 2
    assert "--confidence 200 is not between 0% and 100%: write 95, 95% or .95." in done.stderr


def test_pairs_are_one_small_table(accord_here, ratings):
    told = accord_here("agree", ratings, "--pairs").stdout
    assert "Each pair, ratings\nrater  other  items  Cohen's κ, quadratic weights  Goodman-Kruskal γ\n" in told
    assert told.count("Ann    Bob ") == 1


def test_rows_that_are_equal_by_definition_are_said_once(accord_here, ratings):
    told = accord_here("agree", ratings, "--all", "--interval", "none").stdout
    assert "Cohen's κ = Light's κ " in told
    assert sum(line.startswith(("Light's κ ", "Cohen's κ = Light's κ ")) for line in told.splitlines()) == 1
    two = accord_here("agree", ratings, "--all", "--interval", "none", "--leave-out", "Cy").stdout
    assert "Fleiss' κ = Scott's π " in two


def test_a_scale_of_interpretation_can_be_chosen(accord_here, ratings):
    told = accord_here("agree", ratings, "--use", "labels", "--interpretation", "altman").stdout
    assert "on the scale of Altman (1991)" in " ".join(told.split())
    done = accord_here("agree", ratings, "--interpretation", "mine")
    assert done.returncode == 2
    assert "There is no interpretation scale 'mine'. Known: landis_koch, krippendorff" in done.stderr


def test_a_scale_of_words_is_used_only_for_what_it_was_made_for(accord_here, ratings):
    told = " ".join(accord_here("agree", ratings, "--interpretation", "fleiss").stdout.split())
    assert "on the scale of Fleiss" not in told
    assert "the scale of Fleiss (1981) was made for kappas and is not used for Krippendorff's α" in told
    rows = accord_here("agree", ratings, "--all", "--interpretation", "fleiss").stdout.splitlines()
    assert next(row for row in rows if row.startswith("Percent agreement")).split()[-1].isdigit()
    assert "Krippendorff's α: scale of Krippendorff (2004)." in " ".join(rows)


def test_no_note_speaks_of_alpha_where_another_coefficient_leads(accord_here, tmp_path):
    rng = np.random.default_rng(3)
    quality = rng.normal(3, 1.2, 60)
    rows = [
        f"i{item},r{rater},{int(np.clip(round(quality[item] + 0.8 * (rater - 2) + rng.normal(0, 0.4)), 1, 5))}"
        for item in range(60)
        for rater in range(5)
    ]
    (tmp_path / "r.csv").write_text("\n".join(["item,rater,value", *rows]) + "\n")
    leads = accord_here("agree", tmp_path / "r.csv").stdout
    assert "the interval of Krippendorff's α would be about" in " ".join(leads.split())
    labels = accord_here("agree", tmp_path / "r.csv", "--use", "labels").stdout
    assert "for other raters too the interval would be wider: --resample rater-and-item" in " ".join(labels.split())
    assert "α" not in labels


def test_four_criteria_take_one_screen_and_the_first_line_answers(accord_here, tmp_path):
    rng = np.random.default_rng(3)
    rows = [
        f"i{item},{rater},{min(5, max(1, base + rng.integers(-1, 2)))},{name}"
        for name in ("accuracy", "clarity", "fluency", "style")
        for item in range(60)
        for base in [rng.integers(1, 6)]
        for rater in "abc"
    ]
    (tmp_path / "four.csv").write_text("item,rater,value,criterion\n" + "\n".join(rows) + "\n")
    told = accord_here("agree", "four.csv").stdout.splitlines()
    assert len(told) <= 24
    assert told[0].startswith("accuracy   α = 0.")
    assert "95% interval" in told[0]
    assert all(len(line) <= 100 for line in told[:-1])


@pytest.fixture
def scenarios(tmp_path):
    """Four criteria in three scenarios, of which the last has few items."""
    rng = np.random.default_rng(3)
    rows = [
        f"i{item},{rater},{min(5, max(1, base + rng.integers(-1, 2)))},{name},{scenario}"
        for name in ("adequacy", "clarity", "fluency", "style")
        for scenario, items in (("RS", 60), ("SC", 60), ("D", 12))
        for item in range(items)
        for base in [rng.integers(1, 6)]
        for rater in "abcd"
    ]
    (tmp_path / "many.csv").write_text("item,rater,value,criterion,scenario\n" + "\n".join(rows) + "\n")


def test_four_criteria_in_three_scenarios_take_one_screen_with_a_row_each(accord_here, scenarios):
    lines = accord_here("agree", "many.csv", "--level", "ordinal").stdout.splitlines()
    assert len(lines) <= 24
    assert all(len(line) <= 100 for line in lines[:-1])
    heading = next(place for place, line in enumerate(lines) if line.startswith("Krippendorff's α "))
    assert lines[heading].split()[-4:] == ["combined", "RS", "SC", "D"]
    each = r"0\.\d\d \(0\.\d\d – 0\.\d\d\)"
    for line, name in zip(lines[heading + 1 :], ("adequacy", "clarity", "fluency", "style"), strict=False):
        assert line.startswith(name)
        assert len(re.findall(each, line)) == 4
    told = " ".join(lines)
    assert "few items, so an interval is wide or there is none: adequacy, D (12)" in told
    assert "Each scenario in a row: --by scenario." in told


def test_the_option_that_shows_parts_in_rows_names_the_column_as_it_is(accord_here, scenarios, tmp_path):
    table = tmp_path / "many.csv"
    table.write_text(table.read_text().replace("scenario", "language_pair", 1))
    told = " ".join(accord_here("agree", "many.csv", "--level", "ordinal").stdout.split())
    assert "Each language pair in a row: --by language_pair." in told


def test_each_scenario_in_a_row_can_be_asked_for(accord_here, scenarios):
    told = accord_here("agree", "many.csv", "--level", "ordinal", "--by", "scenario").stdout
    assert sum(line.startswith(("adequacy, ", "clarity, ", "fluency, ", "style, ")) for line in told.splitlines()) == 12


def test_all_is_every_coefficient_with_intervals_readings_and_signature(accord_command, ratings):
    done = accord_command("agree", ratings, "--all")
    assert done.returncode == 0, done.stderr
    assert "150 ratings, 50 items, 3 raters, ordinal scale of 4 values" in done.stdout
    assert "Krippendorff's α" in done.stdout
    assert "95%, Bayesian bootstrap over items with pseudo-items, 5,000 replicates." in done.stdout
    assert "The interval is about: other items, these 3 raters." in done.stdout
    assert "Landis and Koch (1977)" in done.stdout
    assert "Left out: Scott's π: takes exactly 2 raters, but there are 3." in done.stdout
    assert "Guess: level guessed: ordinal" in done.stdout
    assert "Signature of Percent agreement (--csv and --json have all): accord" in done.stdout


def test_json_has_the_shape_of_the_contract(accord_command, ratings):
    done = accord_command("agree", ratings, "--json", "--coefficient", "krippendorff_alpha", "--bootstrap", 500)
    data = json.loads(done.stdout)
    assert data["ratings"]["rows"] == 150
    assert len(data["ratings"]["fingerprint"]) == 16
    (group,) = data["groups"]
    assert (group["by"], group["items"], group["raters"], group["level"]) == ({}, 50, 3, "ordinal")
    assert isinstance(group["findings"], list)
    (estimate,) = group["estimates"]
    assert estimate["coefficient"] == "krippendorff_alpha"
    assert estimate["interval"]["low"] < estimate["value"] < estimate["interval"]["high"]
    assert estimate["interval"]["level"] == 0.95
    assert estimate["interval"]["method"] == "Bayesian bootstrap over items with pseudo-items"
    assert estimate["question"] == "other items, these 3 raters"
    assert estimate["interval"]["replicates"] == 500
    assert estimate["cautions"] == []
    assert estimate["signature"].endswith(data["ratings"]["fingerprint"])


def test_an_undefined_value_is_null_in_json(accord_here, tmp_path):
    path = tmp_path / "same.csv"
    path.write_text(HEADER + "".join(f"{item},{rater},1\n" for item in range(5) for rater in "AB"))
    done = accord_here("agree", path, "--level", "nominal", "--json")
    estimates = {one["coefficient"]: one for one in json.loads(done.stdout)["groups"][0]["estimates"]}
    assert estimates["krippendorff_alpha"]["value"] is None
    assert estimates["krippendorff_alpha"]["interval"] is None
    assert "every rating is 1" in " ".join(estimates["krippendorff_alpha"]["cautions"])
    assert estimates["percent_agreement"]["value"] == 1.0


def test_csv_is_one_table_with_full_precision(accord_here, ratings):
    done = accord_here("agree", ratings, "--csv", "--by", "domain", "--bootstrap", 200)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {row["domain"] for row in rows} == {"news", "talks"}
    assert max(len(row["value"]) for row in rows) > 10
    assert {"coefficient", "low", "high", "method", "items", "signature"} <= set(rows[0])


@pytest.mark.parametrize(("form", "mark"), [("--markdown", "| coefficient |"), ("--latex", r"\toprule")])
def test_tables_can_be_pasted_into_a_paper(accord_here, ratings, form, mark):
    assert mark in accord_here("agree", ratings, form, "--interval", "analytic").stdout


def test_pairs_shows_every_pair_with_its_n(accord_here, ratings):
    done = accord_here("agree", ratings, "--pairs", "--coefficient", "cohen_kappa", "--interval", "none")
    assert "Each pair, ratings" in done.stdout
    for pair in ("Ann    Bob", "Ann    Cy", "Bob    Cy"):
        assert pair in done.stdout


def test_pairs_carry_an_interval_and_what_they_are_made_of(accord_here, ratings):
    options = ["-c", "cohen_kappa", "-c", "gamma", "--interval", "analytic"]
    done = accord_here("agree", ratings, "--pairs", "--json", *options)
    kappa, gamma = json.loads(done.stdout)["groups"][0]["pairs"]
    assert kappa["low"][0][1] < kappa["values"][0][1] < kappa["high"][0][1]
    observed, expected = (kappa["parts"][name][0][1] for name in ("observed", "expected"))
    assert kappa["values"][0][1] == pytest.approx((observed - expected) / (1 - expected))
    concordant, discordant, untied = (gamma["parts"][name][0][1] for name in ("concordant", "discordant", "untied"))
    assert concordant + discordant == untied
    assert gamma["values"][0][1] == pytest.approx((concordant - discordant) / untied)


def test_parts_shows_observed_agreement_beside_what_chance_would_give(accord_here, ratings):
    told = accord_here(
        "agree", ratings, "--parts", "-c", "fleiss_kappa", "-c", "gamma", "--interval", "analytic"
    ).stdout
    assert "observed  expected" in told
    assert "concordant  discordant  untied" in told
    assert "expected" not in accord_here("agree", ratings, "-c", "fleiss_kappa", "--interval", "analytic").stdout


def test_a_guess_is_told_once_where_criteria_are_split(accord_here, tmp_path):
    rows = [f"i{item},{rater},{(item + place) % 3},{name}" for item in range(30) for place, rater in enumerate("ab")
            for name in ("clarity", "fluency")]  # fmt: skip
    (tmp_path / "two.csv").write_text("item,rater,value,criterion\n" + "\n".join(rows) + "\n")
    told = accord_here("agree", "two.csv", "-c", "krippendorff_alpha", "--interval", "analytic").stdout
    assert told.count("Guessed: ") == 1


def test_a_note_names_the_criterion_that_it_is_about(accord_here, tmp_path):
    rng = np.random.default_rng(5)
    truth, shifts = rng.normal(size=60), {"clarity": (0, 0, 0, 3), "fluency": (0, 0, 0, 0)}
    rows = [
        f"i{item},{rater},{truth[item] + shift + 0.5 * rng.normal():.4f},{name}"
        for name, own in shifts.items()
        for rater, shift in zip("abcd", own, strict=True)
        for item in range(60)
    ]
    (tmp_path / "two.csv").write_text("item,rater,value,criterion\n" + "\n".join(rows) + "\n")
    told = accord_here("agree", "two.csv", "--level", "interval").stdout
    assert "Note: clarity: these raters differ" in told
    assert told.count("these raters differ") == 1


def test_the_seed_and_the_unit_are_in_the_signature(accord_here, ratings):
    done = accord_here("agree", ratings, "--seed", 7, "--resample", "item", "--bootstrap", 200, "--interval", "bca")
    assert "bootstrap over items, BCa|confidence:0.95|replicates:200|seed:7|" in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--coefficient", "alfa"], "There is no coefficient 'alfa'"),
        (["--coefficient", "krippendorf_alpha"], "Did you mean 'krippendorff_alpha'?"),
        (["--bootstrap", "3"], "at least 100 replicates"),
        (["--by", "domian"], "Did you mean 'domain'?"),
        (["--weights", "cubic"], "There are no weights named 'cubic'"),
        (["--resample", "document"], "name no documents"),
        (["--json", "--csv"], "cannot be printed at once"),
        (["--map", "docId"], "write it as NAME=COLUMN"),
        (["--map", "colour=domain"], "'colour' is not a column of ratings"),
        (["--item", "sentence"], "sentence"),
    ],
)
def test_a_bad_option_is_one_sentence_and_exit_code_2(accord_here, ratings, options, message):
    done = accord_here("agree", ratings, *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_missing_file_is_one_sentence_and_exit_code_2(accord_here):
    done = accord_here("agree", "nowhere.csv")
    assert done.returncode == 2
    assert "nowhere.csv" in done.stderr
    assert "Traceback" not in done.stderr


def test_columns_of_any_name_and_wide_tables_are_read(accord_here, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("segment,Ann,Bob\n" + "".join(f"{n},{n % 3},{(n + n // 7) % 3}\n" for n in range(30)))
    done = accord_here("agree", path, "--wide", "--item", "segment", "--scale", "0,1,2", "--interval", "none")
    assert done.returncode == 0, done.stderr
    assert "(ordinal, 30 items, 2 raters)" in done.stdout


def test_an_unsuitable_coefficient_is_given_with_its_caution(accord_here, ratings):
    done = accord_here("agree", ratings, "--coefficient", "icc_a1", "--interval", "analytic")
    assert done.returncode == 0
    assert "Caution: does not fit: needs a" in done.stdout


def test_coefficients_lists_every_row_of_the_registry(accord_here):
    from accord.coefficients.registry import COEFFICIENTS

    data = json.loads(accord_here("coefficients", "--json").stdout)
    assert [row["key"] for row in data["coefficients"]] == list(COEFFICIENTS)
    text = accord_here("coefficients").stdout
    assert all(key in text for key in COEFFICIENTS)


def test_a_coefficient_is_explained(accord_here):
    text = accord_here("coefficients", "fleiss_kappa").stdout
    assert "Fleiss' κ" in text
    assert "undefined when" in text
    assert "irr::kappam.fleiss" in text
    assert "Landis and Koch (1977)" in text


def test_an_unknown_coefficient_is_answered_with_the_nearest(accord_here):
    done = accord_here("coefficients", "fleis_kappa")
    assert done.returncode == 2
    assert "Did you mean 'fleiss_kappa'?" in done.stderr


def test_missing_ratings_of_intraclass_correlations_are_treated_as_asked(tmp_path, accord_here):
    path = tmp_path / "scores.csv"
    path.write_text("item,r1,r2,r3\na,1,2,1\nb,30,32,\nc,51,44,50\nd,22,,21\ne,43,41,40\n", encoding="utf-8")
    found = {}
    for rule in ("listwise", "anova", "mixed"):
        options = ("--level", "interval", "--coefficient", "icc_a1", "--icc-missing", rule, "--json")
        done = accord_here("agree", path, *options)
        assert done.returncode == 0, done.stderr
        estimate = json.loads(done.stdout)["groups"][0]["estimates"][0]
        found[rule] = estimate["items"], f"missing:{rule}" in estimate["signature"]
    assert found == {"listwise": (3, False), "anova": (5, True), "mixed": (5, True)}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,A,9\nb,B,1\n", "No item was rated by two raters, so nothing can be compared: 2 ratings of 2 items"),
        ("a,A,9\nb,A,1\n", "Agreement needs two raters or more, and there is one: 2 ratings of 2 items by 1 rater."),
    ],
)
def test_ratings_without_overlap_are_an_error_and_not_a_table_of_dashes(accord_here, tmp_path, rows, message):
    (tmp_path / "apart.csv").write_text(HEADER + rows)
    done = accord_here("agree", "apart.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_an_interval_without_width_says_that_it_says_nothing(accord_here, tmp_path):
    (tmp_path / "never.csv").write_text(HEADER + "".join(f"i{n},A,{n % 3}\ni{n},B,{(n + 1) % 3}\n" for n in range(40)))
    told = accord_here("agree", "never.csv", "-c", "percent_agreement", "--interval", "bca").stdout
    assert "every resample gives the same value" in told


SETS = HEADER + "1,a,x|y\n1,b,x\n2,a,z\n2,b,z\n3,a,x|z\n3,b,z\n"


def test_cells_with_several_labels_are_sets_where_the_separator_is_said(accord_here, tmp_path):
    (tmp_path / "sets.csv").write_text(SETS)
    options = ("-c", "weighted_agreement", "--weights", "jaccard", "--interval", "none")
    done = accord_here("agree", "sets.csv", "--separator", "|", "--json", *options)
    assert json.loads(done.stdout)["groups"][0]["estimates"][0]["value"] == pytest.approx((1 / 2 + 1 + 1 / 2) / 3)
    refused = accord_here("agree", "sets.csv", *options)
    assert refused.returncode == 2
    assert "for sets of labels, but each rating here is a single value" in refused.stderr


def test_weights_may_come_from_a_file(accord_here, ratings, tmp_path):
    linear = "1,.6667,.3333,0\n.6667,1,.6667,.3333\n.3333,.6667,1,.6667\n0,.3333,.6667,1\n"
    (tmp_path / "weights.csv").write_text(linear)
    asked = ("-c", "fleiss_kappa", "--interval", "none", "--json")
    named, own = (
        json.loads(accord_here("agree", ratings, "--weights", weights, *asked).stdout)["groups"][0]["estimates"][0]
        for weights in ("linear", "weights.csv")
    )
    assert own["value"] == pytest.approx(named["value"], abs=1e-3)
    (tmp_path / "words.csv").write_text("1,a\n")
    assert "cannot be read as rows of numbers" in accord_here("agree", ratings, "--weights", "words.csv").stderr


def test_alpha_takes_another_distance_by_name(accord_here, ratings):
    asked = ("-c", "krippendorff_alpha", "--interval", "none", "--json")
    values = {
        json.loads(accord_here("agree", ratings, "--metric", metric, *asked).stdout)["groups"][0]["estimates"][0][
            "value"
        ]
        for metric in ("nominal", "ordinal", "circular")
    }
    assert len(values) == 3


def test_a_metric_may_come_from_a_file_and_means_what_its_name_means(accord_here, ratings, tmp_path):
    (tmp_path / "squares.csv").write_text("0,1,4,9\n1,0,1,4\n4,1,0,1\n9,4,1,0\n")
    asked = ("-c", "krippendorff_alpha", "--interval", "none", "--json")
    named, own = (
        json.loads(accord_here("agree", ratings, "--metric", metric, *asked).stdout)["groups"][0]["estimates"][0]
        for metric in ("interval", "squares.csv")
    )
    assert own["value"] == pytest.approx(named["value"], abs=1e-12)


def test_the_encoding_can_be_said(accord_here, tmp_path):
    (tmp_path / "polish.csv").write_bytes(
        (HEADER + "1,Łucja,1\n1,Zoë,1\n2,Łucja,2\n2,Zoë,1\n").encode("cp1250", "replace")
    )
    done = accord_here(
        "agree", "polish.csv", "--encoding", "cp1250", "--pairs", "-c", "cohen_kappa", "--interval", "none"
    )
    assert "Łucja" in done.stdout


def test_a_large_share_of_all_items_narrows_an_analytic_interval(accord_here, ratings):
    asked = ("-c", "fleiss_kappa", "--interval", "analytic", "--json")
    widths = []
    for share in (0, 0.75):
        told = json.loads(accord_here("agree", ratings, "--sampled-share", share, *asked).stdout)
        interval = told["groups"][0]["estimates"][0]["interval"]
        widths.append(interval["high"] - interval["low"])
    assert widths[1] == pytest.approx(widths[0] / 2)


def test_alpha_comes_with_the_disagreement_it_is_made_of(accord_here, ratings):
    options = ["-c", "krippendorff_alpha", "--interval", "analytic"]
    told = accord_here("agree", ratings, "--parts", *options).stdout
    assert "observed disagreement  expected disagreement" in told
    alpha = json.loads(accord_here("agree", ratings, "--json", *options).stdout)["groups"][0]["estimates"][0]
    observed, expected = (alpha["parts"][f"{name}_disagreement"] for name in ("observed", "expected"))
    assert alpha["value"] == pytest.approx(1 - observed / expected)
    (row,) = csv.DictReader(io.StringIO(accord_here("agree", ratings, "--csv", *options).stdout))
    assert float(row["expected_disagreement"]) == pytest.approx(expected)


def test_a_column_to_split_by_where_there_is_none_is_answered_in_words(accord_here, ratings, tmp_path):
    (tmp_path / "bare.csv").write_text("item,rater,value\n1,a,1\n1,b,2\n")
    assert "no column 'domain'. There is no other here." in accord_here("agree", "bare.csv", "--by", "domain").stderr


def test_pairs_as_csv_name_their_coefficient_and_group(accord_here, ratings):
    options = ["--pairs", "--by", "domain", "-c", "cohen_kappa", "-c", "gamma", "--interval", "none"]
    estimates, pairs = accord_here("agree", ratings, "--csv", *options).stdout.split("\n\n")
    rows = list(csv.DictReader(io.StringIO(pairs)))
    assert {(row["domain"], row["coefficient"]) for row in rows} == {
        (domain, key) for domain in ("news", "talks") for key in ("cohen_kappa", "gamma")
    }
    assert len(list(csv.DictReader(io.StringIO(estimates)))) == 4


def test_a_split_that_leaves_no_two_raters_together_is_refused(accord_here, ratings):
    done = accord_here("agree", ratings, "--by", "rater")
    assert (done.returncode, done.stdout) == (2, "")
    assert "No item was rated by two raters once the ratings are split by rater." in done.stderr


def test_every_coefficient_comes_after_the_answer(accord_command, tmp_path):
    rows = [f"{item},{rater},{(item + (rater == 'B') * (item % 7 == 0)) % 4}" for item in range(40) for rater in "AB"]
    (tmp_path / "ratings.csv").write_text("\n".join(["item,rater,value", *rows]), encoding="utf-8")
    answer = accord_command("agree", "ratings.csv", "--level", "ordinal").stdout.split("\n\n")[0]
    every = accord_command("agree", "ratings.csv", "--level", "ordinal", "--all").stdout
    assert every.startswith(f"{answer}\n\nAgreement, all ratings")


def test_rows_whose_intervals_are_about_other_raters_too_say_so(accord_here, tmp_path):
    rows = [
        f"{item},{rater},{30 + 5 * (item * 7 % 11) + 3 * (item * rater % 5)}"
        for item in range(30)
        for rater in (1, 2, 3)
    ]
    (tmp_path / "scores.csv").write_text("\n".join(["item,rater,value", *rows]) + "\n")
    told = " ".join(accord_here("agree", "scores.csv", "--scale", "0..100").stdout.split())
    assert (
        "The interval of Krippendorff's α is about other items, judged by these 3 raters; "
        "those of ICC(A,1) and ICC(A,k) are about other items and other raters." in told
    )


def test_what_lacks_an_interval_for_another_reason_is_not_called_too_little(accord_here, tmp_path):
    rows = [f"{item},{rater},{30 + item + 3 * (item * rater % 5)}" for item in range(40) for rater in (1, 2, 3)]
    (tmp_path / "scores.csv").write_text("\n".join(["item,rater,value", *rows[1:]]) + "\n")
    asked = "agree", "scores.csv", "--level", "interval", "--icc-missing", "anova", "-c", "icc_a1"
    told = " ".join(accord_here(*asked, "--resample", "rater").stdout.split())
    assert "without one, no verdict, as an intraclass correlation of incomplete ratings" in told
    assert "too little" not in told
    shown = accord_here("diagnose", "scores.csv", "--level", "interval", "--show", "raters").stdout
    assert "on the same items, the lowest first" in shown
    shown = accord_here(
        "diagnose", "scores.csv", "--level", "interval", "--direction", "high", "--show", "raters"
    ).stdout
    assert "on the same items, the strictest first" in shown


def test_json_is_what_python_gives_but_for_the_findings(accord_here, tmp_path):
    rng = np.random.default_rng(2)
    truth = rng.integers(2, 7, 60)
    lines = []
    for item, good in enumerate(truth):
        given = {"Ann": good + rng.integers(-1, 2), "Bob": good + rng.integers(-1, 2), "Cy": 8 - good}
        lines += [f"s{item},{rater},{value}" for rater, value in given.items()]
    (tmp_path / "turned.csv").write_text("item,rater,value\n" + "\n".join(lines) + "\n")
    told = json.loads(accord_here("agree", "turned.csv", "--json").stdout)
    result = agreement(read(tmp_path / "turned.csv"))
    given = json.loads(json.dumps(_finite(result.to_dict())))
    assert [one.pop("findings") for one in given["groups"]] == [[]]
    assert [bool(one.pop("findings")) for one in told["groups"]] == [True]
    assert told.pop("ratings") | {"source": ""} == given.pop("ratings") | {"source": ""}
    assert told == given and told["sanity"][0]["code"] == "reversed"
    assert str(result).startswith("Check first: Cy orders the items against all others")
    assert "<p>Check first: Cy orders" in result._repr_html_()
