"""What reading the real exports must give: counts and coefficients found by parsing each file a second way.

The files may not be shipped: the tests run where ACCORD_DATA names them. Small files of the same shapes are in the
other tests of this folder.
"""

import csv
import json
from collections import Counter

import pytest

import accord
from accord.errors import FormatError
from accord.formats import read
from accord.ratings.roles import ordinary


@pytest.fixture(scope="session")
def exports(data):
    if not (data / "exports").is_dir():
        pytest.skip("the folder of real ratings holds no exports of other tools")
    return data / "exports"


def alpha_of(ratings):
    (group,) = accord.agreement(ratings, coefficients="krippendorff_alpha", interval="none").groups
    (estimate,) = group.estimates
    return estimate.value


@pytest.fixture(scope="module")
def esa(exports):
    return read(exports / "appraise_wmt24_esa_wave2.csv")


def test_every_row_of_the_wmt24_campaign_has_a_fate(esa):
    account = esa.account
    assert (account.rows, account.unknown, account.dropped) == (20_434, 0, 134)
    assert account.roles == {"practice": 1_218, "incomplete": 739, "degraded": 2_436, "repeat": 166}


def test_the_language_pair_is_part_of_the_item_and_tutorials_are_none(esa):
    rated = ordinary(esa.ratings)
    assert (len(rated), rated.items) == (16_480, 15_741)
    assert not any("tutorial" in name for name in rated.columns["system"].names)
    pairs = {(item, rater) for item, rater in zip(rated.item.labels(), rated.rater.labels(), strict=True)}
    raters = {}
    for item, rater in pairs:
        raters.setdefault(item, set()).add(rater)
    assert sum(len(names) > 1 for names in raters.values()) == 739


@pytest.mark.parametrize(
    ("pair", "alpha"), [("eng-jpn", 0.452), ("eng-zho", 0.012), ("eng-hin", 0.398), ("eng-ces", 0.499)]
)
def test_alpha_of_the_wmt24_campaign_is_that_of_its_language(esa, pair, alpha):
    part = esa.ratings.only(language_pair=pair)
    # Printed for the last of all answers; a repeat (#dup) is another occasion here, which moves Hindi by .0001.
    assert alpha_of(part) == pytest.approx(alpha, abs=0.0006)


def test_without_the_documents_that_fill_batches_no_item_has_two_raters(esa):
    roles = esa.ratings.columns["role"].labels()
    rated = esa.ratings.where(roles == "system")
    assert rated.items == len(rated)


def test_scores_of_the_mqm_campaign_come_from_its_2095_spans(exports):
    imported = read(exports / "appraise_esa_rc5_mqm.scores.csv")
    assert (imported.account.rows, imported.account.unknown, imported.account.dropped) == (3_308, 0, 8)
    rated = ordinary(imported.ratings)
    assert rated.criterion.definition == "minus the weighted errors: 0 is best"
    with (exports / "appraise_esa_rc5_mqm.scores.csv").open(newline="") as file:
        rows = [row for row in csv.reader(file) if row[3] == "TGT" and "tutorial" not in row[1]]
    weights = {("major", ""): 5, ("minor", ""): 1, ("minor", "Punctuation"): 0.1}
    second = Counter(
        round(-sum(
            weights.get((error["severity"], (error.get("error_type") or [""])[-1]), weights[error["severity"], ""])
            for error in json.loads(row[9])
        ), 1)
        for row in rows
    )  # fmt: skip
    found = Counter(rated.scores.round(1).tolist())
    assert sum((second - found).values()) == len(rows) - len(rated)  # the answers that a later one replaces
    assert 0.3 < (rated.scores < 0).mean() < 0.5
    lines = (exports / "en-de.MQM-IAA.seg.score").read_text().split("\n")
    published = [float(line.split()[1]) for line in lines if line and line.split()[1] != "None"]
    assert (len(published), sum(score < 0 for score in published)) == (984, 414)


def test_the_last_of_14_repeats_of_the_esa_campaign_counts(exports):
    imported = read(exports / "appraise_esa_rc5_esa.scores.csv")
    assert (imported.account.rows, imported.account.dropped, imported.account.unknown) == (3_314, 14, 0)
    assert len(imported.ratings) == 3_300


def test_the_examples_of_appraise_are_read_or_refused_by_the_name_of_a_column(exports):
    assert len(read(exports / "appraise_example_pairwise_errors.scores.csv").ratings) == 17
    assert read(exports / "appraise_example_mqmesa.scores.csv").account.roles == {"practice": 5}
    with pytest.raises(FormatError, match="column score"):
        read(exports / "appraise_example_data.scores.csv")


def test_marot_is_recognised_inside_an_archive_and_below_a_header_with_a_remark(exports):
    imported = read(exports / "marot_sxs_mqm_generalMT2023_ende.tsv.tar.gz")
    assert imported.format == "marot"
    account = imported.account
    assert (account.rows, account.ratings, account.dropped, account.unknown) == (10_970, 3_120, 245, 0)
    named = {entry.reason for entry in imported.log if entry.action == "dropped"}
    assert len(named) == 1
    assert "HOTW" in named.pop()


def test_all_published_averages_of_google_mqm_are_equal(exports):
    imported = read(exports / "google_mqm_ted_ende.tsv")
    account = imported.account
    assert (account.rows, account.ratings, account.merged, account.unknown) == (8_435, 7_406, 1_029, 0)
    ratings = imported.ratings
    assert (ratings.raters, len(ratings.columns["system"].names)) == (4, 14)
    places = ratings.columns["system"].labels(), ratings.columns["segment"].labels()
    found = dict(zip(zip(*places, strict=True), ratings.scores, strict=True))
    lines = (exports / "google_mqm_ted_ende.avg_seg_scores.tsv").read_text().split("\n")[1:]
    published = [line.split() for line in lines if line.strip()]
    scored = {("ref" if system == "ref-A" else system, segment): score for system, score, segment in published}
    scored = {place: float(score) for place, score in scored.items() if score != "None"}
    assert set(scored) == set(found)
    assert scored == pytest.approx(found, abs=5e-7)


def test_the_label_of_a_choice_counts_in_potato_and_not_its_number(exports):
    ratings = accord.read(exports / "potato_solo_mode")
    assert ratings.scale.values == ("negative", "neutral", "positive")
    assert alpha_of(ratings) == pytest.approx(0.759, abs=0.0005)


def test_an_item_of_prodigy_is_a_task(exports):
    imported = read(exports / "prodigy_reddit_product_ner_teach.jsonl")
    assert (imported.account.rows, imported.account.unknown) == (1_800, 0)
    assert imported.ratings.items + imported.ratings.missing == 1_800
    textcat = read(exports / "prodigy_reddit_insult_textcat.jsonl").account
    assert (textcat.rows, textcat.dropped, textcat.unknown) == (500, 1, 0)


def test_regions_of_pictures_are_no_rating(exports):
    with pytest.raises(FormatError, match="rectanglelabels"):
        read(exports / "label_studio_rectangles.json")


def test_a_form_is_read_with_questions_as_items_and_respondents_as_raters(exports):
    ratings = accord.read(exports / "google_forms_poll.csv")
    assert (ratings.items, ratings.raters) == (23, 23)
    assert any("Instructions were clear" in name for name in ratings.item.names)
