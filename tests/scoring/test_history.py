"""The history of a vendor: priors, flags, classification; and how it is read."""

from datetime import date

import pytest

from accord.errors import AccordError, FormatError, NotEnoughDataError, OptionError
from accord.scoring import Evaluation, History, read_history

SCORES = (96.0, 95.0, 97.0, 96.5, 60.0, 96.0)


def history(**changes):
    made = [Evaluation(score=value, day=date(2025, 1 + place, 1)) for place, value in enumerate(SCORES)]
    return History(evaluations=tuple(made), **changes)


def test_the_prior_is_the_running_mean_of_what_was_known_before():
    records = history().records()
    assert records[1].prior == 96
    assert records[2].prior == 95.5
    prior = history().prior(before=date(2025, 3, 1))
    assert (prior.value, prior.fixed) == (95.5, date(2025, 2, 1))
    assert "2 earlier evaluations" in prior.words


def test_an_outlier_is_flagged_but_still_counts_until_a_cause_is_named():
    records = history().records(threshold=80)
    assert [record.flags for record in records].count(("outlier",)) == 1
    assert records[4].flags == ("outlier",)
    assert records[4].passed is False
    assert len(history().counted) == 6
    named = [*history().evaluations[:4], Evaluation(score=60, exclude="wrong file"), history().evaluations[5]]
    assert History(evaluations=tuple(named)).fails(80) == 0


def test_sample_size_training_specification_and_misuse_are_flagged():
    odd = Evaluation(score=90, words=40, trained=False, specification="v1", improper="repeated errors counted")
    rest = [Evaluation(score=90, words=50_000, specification="v2")] * 2
    flags = [record.flags for record in History(evaluations=(odd, *rest)).records()]
    assert len(flags[0]) == 4
    assert flags[1] == ("very large sample (more than 10000 words)",)


@pytest.mark.parametrize(
    ("fails", "of", "kind"),
    [(0, 1, "undecided"), (1, 4, "undecided"), (1, 10, "undecided"), (0, 22, "mostly PASS"), (1, 40, "mostly PASS"),
     (4, 10, "not mostly PASS")],
)  # fmt: skip
def test_a_history_is_mostly_pass_or_not_where_the_interval_of_its_fails_says_so(fails, of, kind):
    made = History(evaluations=tuple(Evaluation(score=60.0 if i < fails else 90.0) for i in range(of)))
    assert made.classification(80) == kind


def test_the_share_of_fails_equals_clopper_and_pearson():
    from scipy.stats import binomtest

    share = history().fail_share(80, level=0.95)
    exact = binomtest(1, 6).proportion_ci(0.95, "exact")
    assert (share.low, share.high) == pytest.approx((exact.low, exact.high))


def test_a_history_is_read_in_the_order_of_its_dates(tmp_path):
    file = tmp_path / "h.csv"
    file.write_text("date,score,words\n2025-02-01,90,100\n2025-01-01,80,\n")
    read = read_history(file)
    assert [evaluation.score for evaluation in read.evaluations] == [80, 90]
    assert read.evaluations[0].words is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("date,score\n2025-13-01,90\n", "is not a date"),
        ("score\nninety\n", "'ninety' in column 'score' is not a number"),
        ("date,points\n2025-01-01,90\n", "no column 'score'"),
        ("score\n", "no rows"),
        ("vendor,score\nA,1\nB,2\n", "choose it with --vendor"),
        ("score,score\n1,2\n", "more than one column named score"),
        ("score,date\n1,2025-01-01,9\n", "3 cells, but the header has 2"),
        ("", "empty"),
    ],
)
def test_a_bad_history_is_told_in_words(tmp_path, text, words):
    file = tmp_path / "h.csv"
    file.write_text(text)
    with pytest.raises(AccordError) as error:
        read_history(file)
    assert words in str(error.value)


def test_all_bad_rows_are_named_at_once(tmp_path):
    file = tmp_path / "h.csv"
    file.write_text("score\nx\n1\ny\n")
    with pytest.raises(FormatError) as error:
        read_history(file)
    assert [problem.row for problem in error.value.problems] == [2, 4]


def test_the_same_history_is_read_from_csv_tsv_toml_and_xlsx(tmp_path):
    from openpyxl import Workbook

    (tmp_path / "h.csv").write_text("score,vendor\n90.5,A\n")
    (tmp_path / "h.tsv").write_text("score\tvendor\n90.5\tA\n")
    (tmp_path / "h.toml").write_text('[[row]]\nscore = 90.5\nvendor = "A"\n')
    book = Workbook()
    book.active.append(["score", "vendor"])
    book.active.append([90.5, "A"])
    book.save(tmp_path / "h.xlsx")
    read = {read_history(tmp_path / f"h.{kind}").evaluations for kind in ("csv", "tsv", "toml", "xlsx")}
    assert len(read) == 1


def test_no_history_before_the_measurement_is_an_error():
    with pytest.raises(NotEnoughDataError):
        history().prior(before=date(2025, 1, 1))


def test_a_prior_fixed_after_the_measurement_is_refused():
    with pytest.raises(OptionError, match="must be fixed before the measurement"):
        history().prior(before=date(2025, 4, 1), fixed=date(2025, 5, 1))


@pytest.mark.parametrize(("name", "words"), [("none.csv", "no file"), ("", "is a directory"), ("a.pdf", "no rows")])
def test_files_that_are_no_sheets_are_told(tmp_path, name, words):
    (tmp_path / "a.pdf").write_text("x")
    with pytest.raises(AccordError) as error:
        read_history(tmp_path / name if name else tmp_path)
    assert words in str(error.value)


def test_a_european_history_with_other_names_is_read_as_ratings_are(tmp_path):
    path = tmp_path / "history.csv"
    path.write_text("Date;Vendor;Score;Words\n2026-01-01;A;85,5;1.200\n2026-02-01;A;80,0;900\n", encoding="cp1252")
    history = read_history(path)
    assert [one.score for one in history.evaluations] == [85.5, 80.0]
    assert [one.words for one in history.evaluations] == [1200, 900]


def test_scores_off_the_scale_are_refused_with_their_rows(tmp_path):
    path = tmp_path / "history.csv"
    path.write_text("score\n85\n120\n-10\n", encoding="utf-8")
    with pytest.raises(AccordError) as error:
        read_history(path, scale=(0.0, 100.0))
    assert "history.csv:3: the score 120 is off the scale 0 to 100" in str(error.value)
    assert "history.csv:4: the score -10" in str(error.value)
    assert len(read_history(path).evaluations) == 3


def test_rows_of_a_history_that_do_not_count_are_named(tmp_path):
    path = tmp_path / "history.csv"
    path.write_text("Score;Lieferant\n88,5;A\n70;B\n91;A\nMittelwert;83,2\n", encoding="utf-8")
    past = read_history(path, vendor="A")
    assert [evaluation.score for evaluation in past.evaluations] == [88.5, 91.0]
    assert any("row 5" in note for note in past.notes)
    assert "1 row of other vendors left out, as asked" in past.notes
