"""Ranking of systems: official tables reproduced, laws kept, bad input told."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import accord
from accord.errors import AccordError
from accord.scoring.ranking import Preset, rank, rank_criteria
from accord.scoring.ranking.document_tests import DocumentSums, document_sums, segment_t, sign_flips, weighted_t
from accord.scoring.ranking.rank import clusters_by_wins


def table(scores, documents=None, raters=1, **changes):
    """Ratings of (systems, segments) scores in a frame."""
    import pandas as pd

    systems, segments = scores.shape
    rows = [
        {
            "item": f"{s}:{k}", "rater": f"r{r}", "value": float(scores[s, k]), "system": f"S{s}", "segment": f"k{k}",
            "document": f"d{k if documents is None else documents[k]}",
        }
        for s in range(systems) for k in range(segments) for r in range(raters)
    ]  # fmt: skip
    said = {"direction": "high"} | changes
    return accord.read(pd.DataFrame(rows), item="item", rater="rater", value="value", level="interval", **said)


def normal_scores(rng, systems=3, documents=12, segments=4, gap=0.0):
    means = -gap * np.arange(systems)
    scores = means[:, None] + rng.normal(0, 5, (systems, documents * segments)) + 60
    return np.round(scores, 1), np.repeat(np.arange(documents), segments)


@pytest.mark.parametrize(("documents", "winner"), [(3, None), (4, "S0")])
def test_fewer_than_four_documents_name_no_winner_however_clear_the_difference(documents, winner):
    first = np.linspace(70, 71, documents)
    found = rank(table(np.stack([first + 10.0, first + np.linspace(0, 0.02, documents)])))
    assert found.pairs[0].winner == winner
    assert any("cannot show a difference" in caution for caution in found.cautions) == (winner is None)


def test_the_document_test_equals_the_paired_t_test_on_document_means_of_equal_documents():
    rng = np.random.default_rng(1)
    differences = rng.normal(1, 3, (4, 15 * 6))
    document = np.repeat(np.arange(15), 6)
    sums = document_sums(differences, document, 15)
    test = weighted_t(sums, np.ones(sums.counts.shape), borrow=False)
    means = differences.reshape(4, 15, 6).mean(axis=-1)
    assert test.p == pytest.approx(stats.ttest_1samp(means, 0, axis=1).pvalue)
    assert test.difference == pytest.approx(differences.mean(axis=1))


def test_the_sign_flip_test_equals_counting_every_flip():
    rng = np.random.default_rng(2)
    sums = rng.normal(0.5, 1, (2, 8))
    exact = [stats.permutation_test((row,), lambda x, axis: x.mean(axis=axis), permutation_type="samples",
                                    vectorized=True).pvalue for row in sums]  # fmt: skip
    assert sign_flips(sums, rng) == pytest.approx(exact)


def test_many_documents_are_flipped_at_random_with_nearly_the_same_answer_as_t():
    rng = np.random.default_rng(3)
    means = rng.normal(0.3, 1, (1, 40))
    expected = stats.ttest_1samp(means[0], 0).pvalue
    assert sign_flips(means, rng)[0] == pytest.approx(expected, abs=0.02)


def test_clearly_different_systems_get_a_rank_and_a_cluster_each_in_the_right_order():
    scores, documents = normal_scores(np.random.default_rng(4), gap=10)
    result = rank(table(scores, documents))
    assert [system.name for system in result.systems] == ["S0", "S1", "S2"]
    assert result.headline(" in fluency") == "S0 is best in fluency"
    assert [system.ranks for system in result.systems] == ["1", "2", "3"]
    assert [system.cluster for system in result.systems] == [1, 2, 3]
    assert all(pair.winner == pair.first for pair in result.pairs)
    assert "Holm over 3 pairs" in result.method
    assert "documents" in result.method
    assert "----" in str(result)


def test_a_low_good_end_turns_the_order_round():
    scores, documents = normal_scores(np.random.default_rng(4), gap=10)
    low = table(scores, documents, direction="low")
    result = rank(low)
    assert [system.name for system in result.systems] == ["S2", "S1", "S0"]
    assert result.headline() == "S2 is best"
    assert [system.ranks for system in result.systems] == ["1", "2", "3"]
    for preset in (Preset.WMT23, Preset.WMT25):
        assert rank(low, preset=preset).systems[0].wins == 2
    assert all(pair.difference < 0 and pair.winner == pair.first for pair in result.pairs)


def test_equal_systems_share_all_ranks_and_one_cluster():
    scores, documents = normal_scores(np.random.default_rng(9))
    result = rank(table(scores, documents))
    assert {system.ranks for system in result.systems} == {"1-3"}
    assert {system.cluster for system in result.systems} == {1}


def test_every_rater_of_a_segment_counts_and_the_order_of_rows_does_not():
    import pandas as pd

    rng = np.random.default_rng(5)
    rows = [
        {"item": f"{s}-{k}", "rater": f"r{r}", "value": float(rng.integers(0, 101)), "system": s, "segment": k,
         "document": k // 3}
        for s in "AB" for k in range(30) for r in range(2)
    ]  # fmt: skip
    frame = pd.DataFrame(rows)
    one = rank(accord.read(frame, level="interval"))
    other = rank(accord.read(frame.sample(frac=1, random_state=1), level="interval"))
    assert one.to_dict() == other.to_dict()
    expected = frame.groupby("system").value.mean()
    assert {s.name: s.score for s in one.systems} == pytest.approx(expected.to_dict())
    assert one.systems[0].ratings == 60


def test_false_alarms_keep_to_their_level_where_segment_tests_do_not():
    rng = np.random.default_rng(6)
    runs, documents, segments = 1500, 20, 6
    differences = rng.normal(0, np.sqrt(2) * 8, (runs, documents, 1)) + rng.normal(
        0, np.sqrt(2) * 12, (runs, documents, segments)
    )
    flat = differences.reshape(runs, -1)
    by_document = segment_t(document_sums(flat, np.repeat(np.arange(documents), segments), documents)).p
    by_segment = stats.ttest_1samp(flat, 0, axis=1).pvalue
    assert 0.035 < (by_document < 0.05).mean() < 0.065
    assert (by_segment < 0.05).mean() > 0.17


def test_the_committed_study_shows_what_official_tests_find_where_there_is_nothing():
    import csv
    from pathlib import Path

    path = Path(__file__).parents[2] / "docs" / "analyses" / "ranking-study.csv"
    with path.open() as file:
        rates = {row["quantity"]: float(row["rate"]) for row in csv.DictReader(file)}
    real = "false alarms, two equal systems, documents of real lengths, "
    assert 0.04 <= rates[real + "document means t"] <= 0.06
    assert 0.04 <= rates[real + "document means permutation"] <= 0.06
    # Every segment counting alike, a few long documents decide.
    assert rates[real + "mean of segments, t over documents"] > 0.07
    assert rates[real + "segment t"] > 0.2
    assert rates[real + "segment Wilcoxon"] > 0.2


def unequal(rng, systems=6, gap=4.0):
    """Scores of systems in documents of very different lengths."""
    from promises.ranking import Evaluation, scores_of

    data = scores_of(rng, Evaluation(systems=systems, documents=8, gap=gap))
    return np.round(data.scores, 2), data.document


def test_winners_follow_the_p_values_that_holm_adjusts_over_all_pairs():
    from statsmodels.stats.multitest import multipletests

    result = rank(table(*unequal(np.random.default_rng(3))))
    p = [pair.p for pair in result.pairs]
    rejected, expected = multipletests(p, 0.05, "holm")[:2]
    assert [pair.adjusted for pair in result.pairs] == pytest.approx(list(expected))
    assert [pair.winner is not None for pair in result.pairs] == list(rejected)
    # The data tell the two apart: without adjustment more pairs would differ.
    assert 0 < rejected.sum() < sum(value < 0.05 for value in p)


def test_several_criteria_are_one_family_of_tests(accord_command, tmp_path):
    from statsmodels.stats.multitest import multipletests

    parts = [table(*unequal(np.random.default_rng(seed))) for seed in (3, 4, 5)]
    alone, together = [rank(part) for part in parts], rank_criteria(parts)
    p = [pair.p for one in alone for pair in one.pairs]
    expected = multipletests(p, 0.05, "holm")[1]
    assert [pair.adjusted for one in together for pair in one.pairs] == pytest.approx(list(expected))
    # The ranges widen: they hold on all three criteria together.
    widths = [[s.rank_high - s.rank_low for one in made for s in one.systems] for made in (alone, together)]
    assert sum(widths[1]) > sum(widths[0])
    assert "of each of 3 criteria together" in together[0].method
    lines = ["item,rater,value,system,segment,document,criterion"]
    for name, part in zip(("clarity", "style", "tone"), parts, strict=True):
        columns = (part.columns[key].labels() for key in ("system", "segment", "document"))
        rows = zip(part.item.labels(), part.rater.labels(), part.scores, *columns, strict=True)
        lines += [",".join(map(str, (*row, name))) for row in rows]
    path = tmp_path / "three.csv"
    path.write_text("\n".join(lines) + "\n")
    told = accord_command("rank", path, "--level", "interval", "--direction", "high", "--json")
    found = json.loads(told.stdout)["rankings"]
    assert sorted(pair["adjusted"] for one in found for pair in one["pairs"]) == pytest.approx(sorted(expected))


def test_differences_are_differences_of_the_scores_shown_and_weigh_documents_by_what_they_tell():
    scores, documents = unequal(np.random.default_rng(5))
    result = rank(table(scores, documents))
    shown = {system.name: system.score for system in result.systems}
    for pair in result.pairs:
        assert pair.difference == pytest.approx(shown[pair.first] - shown[pair.second])
    means = np.array([[scores[s, documents == d].mean() for d in range(8)] for s in range(6)])
    lengths = np.bincount(documents)
    # Between a mean over documents and one over segments: neither the weights 1 nor n.
    weights = np.linalg.lstsq(means, np.array([shown[f"S{s}"] for s in range(6)]), rcond=None)[0]
    assert "variances moderated over pairs" in result.method
    assert shown["S0"] != pytest.approx(means[0].mean()), weights
    assert shown["S0"] != pytest.approx(scores[0].mean()), lengths


def test_two_or_three_systems_are_compared_by_plain_document_means():
    scores, documents = unequal(np.random.default_rng(6), systems=3)
    result = rank(table(scores, documents))
    means = np.array([[scores[s, documents == d].mean() for d in range(8)] for s in range(3)])
    for pair in result.pairs:
        a, b = (means[int(name[1])] for name in (pair.first, pair.second))
        assert pair.p == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert "documents, each counting alike" in result.method


def test_segments_that_count_alike_are_an_option_with_a_caution():
    scores, documents = unequal(np.random.default_rng(7), systems=2)
    result = rank(table(scores, documents), average="segment")
    assert {s.name: s.score for s in result.systems} == pytest.approx({f"S{s}": scores[s].mean() for s in range(2)})
    assert any("a few long documents decide" in caution for caution in result.cautions)
    assert "average=segment" in result.signature
    even = rank(table(*normal_scores(np.random.default_rng(1))), average="segment")
    assert not any("long documents" in caution for caution in even.cautions)


def test_systems_that_lack_segments_are_compared_on_the_documents_they_share():
    scores, documents = unequal(np.random.default_rng(8), systems=5)
    scores[0, documents == 2] = np.nan
    scores[1, documents < 2] = np.nan
    made = table(np.nan_to_num(scores, nan=-1000.0), documents)
    result = rank(made.where(made.scores > -999))
    counts = {frozenset((pair.first, pair.second)): pair.documents for pair in result.pairs}
    assert counts[frozenset(("S0", "S1"))] == 5
    assert counts[frozenset(("S3", "S4"))] == 8


@pytest.fixture(scope="module")
def wmt22(data):
    return accord.read(
        data / "wmt22_da_mturk.csv", item="item", rater="rater", value="score", system="sys_id", segment="sid",
        role="type", occasion="type", level="interval", direction="high",
    )  # fmt: skip


# wmt22-news-systems, humaneval/DA/newstest2022-toen: ad-sys-ranking-*-z-names.csv and clusters.csv
CSEN = {
    "Online-W.2": (0.133, 1370, 11, 1), "CUNI-DocTransformer.6": (0.055, 1385, 8, 2),
    "Lan-Bridge.1": (0.05, 1307, 5, 2), "Online-B.0": (0.037, 1297, 4, 2), "JDExploreAcademy.8": (-0.004, 1316, 4, 2),
    "Online-A.10": (-0.014, 1377, 3, 2), "CUNI-Transformer.7": (-0.015, 1293, 4, 2), "Online-G.9": (-0.028, 1327, 3, 2),
    "SHOPLINE-PL.5": (-0.086, 1356, 3, 2), "Online-Y.4": (-0.145, 1380, 2, 3), "HUMAN-C": (-0.29, 1285, 0, 4),
    "ALMAnaCH-Inria.3": (-0.301, 1315, 0, 4),
}  # fmt: skip
LVEN = {
    "TartuNLP.1": (0.024, 412, 3, 1), "TAL-SJTU.3": (-0.014, 417, 1, 1), "HuaweiTSC.0": (-0.035, 414, 1, 1),
    "Liv4ever.4": (-0.079, 413, 1, 1), "NiuTrans.2": (-0.346, 414, 0, 2),
}  # fmt: skip


@pytest.mark.parametrize(("pair", "official"), [("csen", CSEN), ("lven", LVEN)])
def test_the_official_table_of_wmt22_is_reproduced(wmt22, pair, official):
    # The released scores are z-scores already.
    result = rank(wmt22.only(lp=pair), preset=Preset.WMT17, standardise=False)
    assert [system.name for system in result.systems] == list(official)
    for system in result.systems:
        score, segments, wins, cluster = official[system.name]
        assert system.score == pytest.approx(score, abs=0.00051)
        assert (system.segments, system.wins, system.cluster) == (segments, wins, cluster)
    assert any("left out" in caution for caution in result.cautions)


def test_the_official_p_values_of_wmt22_are_reproduced(wmt22):
    result = rank(wmt22.only(lp="lven"), preset=Preset.WMT17, standardise=False)
    p = {(pair.first, pair.second): pair.p for pair in result.pairs}
    # adwilcox-lven.csv, every p-value below .05
    official = {
        ("TartuNLP.1", "HuaweiTSC.0"): 0.0296222712829756, ("TartuNLP.1", "Liv4ever.4"): 0.00905081795293708,
        ("TartuNLP.1", "NiuTrans.2"): 1.97568864110944e-12, ("TAL-SJTU.3", "NiuTrans.2"): 5.90278198525668e-10,
        ("HuaweiTSC.0", "NiuTrans.2"): 2.08923166169306e-08, ("Liv4ever.4", "NiuTrans.2"): 8.70420293303457e-07,
    }  # fmt: skip
    assert {pair: p[pair] for pair in official} == pytest.approx(official, rel=1e-5)
    assert {pair for pair, value in p.items() if value < 0.05} == set(official)


# wmt23-news-systems, humaneval/DA+SQM/WMT23.results.txt: wins in the order of the table; | is a line between clusters.
WMT23 = {
    "ces-ukr": "11 11 11 | 6 6 6 6 6 | 3 1 1 1 1 | 0", "deu-eng": "11 11 9 8 8 7 6 5 5 | 3 1 0 0 0",
    "eng-ces": "15 | 14 | 11 12 8 8 9 2 5 4 2 2 1 1 1 | 0", "eng-deu": "8 8 9 7 7 7 | 5 5 | 4 | 3 | 1 1 | 0",
    "eng-jpn": "15 11 12 11 12 11 | 7 7 7 7 | 5 5 | 2 2 2 | 1 | 0",
    "eng-zho": "11 11 9 8 10 8 8 8 | 6 6 | 3 3 3 | 2 | 1 | 0",
    "jpn-eng": "17 | 14 10 10 10 9 10 10 9 | 5 5 5 5 | 3 3 | 2 | 0 0",
    "zho-eng": "14 14 | 8 9 6 9 7 8 6 5 5 | 3 0 1 0 0",
}  # fmt: skip


@pytest.mark.parametrize("pair", WMT23)
def test_the_clusters_of_all_eight_tables_of_wmt23_follow_from_their_wins(pair):
    groups = [[int(won) for won in group.split()] for group in WMT23[pair].split("|")]
    expected = [number for number, group in enumerate(groups, start=1) for _ in group]
    assert clusters_by_wins([won for group in groups for won in group]) == expected


def test_the_preset_of_wmt23_equals_a_second_program_over_the_segments_each_pair_shares(wmt22):
    ratings = wmt22.only(lp="lven", system=["TartuNLP.1", "TAL-SJTU.3", "HuaweiTSC.0", "NiuTrans.2"])
    # Some systems lack some segments: a pair then shares fewer than each has.
    ratings = ratings.where(~((ratings.columns["system"].codes == 1) & (ratings.columns["segment"].codes % 3 == 0)))
    result = rank(ratings, preset=Preset.WMT23)
    means: dict[str, dict[str, list[float]]] = {}
    kept = ~np.isin(ratings.columns["role"].labels(), ("BAD_REF", "REF"))
    rows = zip(ratings.columns["system"].labels(), ratings.columns["segment"].labels(), ratings.scores, strict=True)
    for (system, segment, score), keep in zip(rows, kept, strict=True):
        if keep:
            means.setdefault(str(system), {}).setdefault(str(segment), []).append(float(score))
    for pair in result.pairs:
        shared = means[pair.first].keys() & means[pair.second].keys()
        one, other = ([np.mean(means[name][segment]) for segment in shared] for name in (pair.first, pair.second))
        expected = stats.mannwhitneyu(one, other, alternative="greater").pvalue
        assert (pair.segments, pair.p) == (len(shared), pytest.approx(expected, rel=1e-9))
    assert min(pair.segments for pair in result.pairs) < min(system.segments for system in result.systems)


def test_fewer_pairs_differ_by_document_than_by_segment_on_real_mqm(data):
    ratings = accord.read(data / "mqm3_wmt23_ende.csv", value="score", segment="seg", direction="high")
    ours, official = rank(ratings), rank(ratings, preset=Preset.WMT25)
    # The mean over segments, as it was before documents were weighed.
    assert rank(ratings, average="segment").systems[0].score == pytest.approx(-3.247436, abs=5e-7)
    assert ours.systems[0].score == pytest.approx(-3.247436, abs=0.1)
    assert ours.documents == 30
    count = [sum(pair.winner is not None for pair in result.pairs) for result in (ours, official)]
    assert count[0] < count[1]
    permuted = rank(ratings, test="permutation")
    assert abs(sum(pair.winner is not None for pair in permuted.pairs) - count[0]) <= 3


def test_the_preset_of_wmt25_pairs_every_rating_and_stops_at_the_first_difference():
    rng = np.random.default_rng(8)
    scores, documents = normal_scores(rng, systems=4, gap=3)
    result = rank(table(scores, documents, raters=2), preset=Preset.WMT25)
    for pair in result.pairs:
        a, b = (scores[int(name[1])] for name in (pair.first, pair.second))
        expected = stats.wilcoxon(np.tile(a - b, 4), alternative="greater").pvalue
        assert pair.p == pytest.approx(expected, rel=1e-6)


def test_z_scores_of_raters_remove_their_severity():
    import pandas as pd

    rng = np.random.default_rng(10)
    rows = []
    for k in range(40):
        for s, shift in (("A", 0.0), ("B", 0.0)):
            strict = (k + (s == "A")) % 2
            value = round(50 + rng.normal() - 20 * strict + shift, 2)
            rows.append({"item": f"{s}{k}", "rater": f"r{strict}", "value": value, "system": s, "segment": k,
                         "document": k // 2})  # fmt: skip
    ratings = accord.read(pd.DataFrame(rows), level="interval")
    raw, z = rank(ratings), rank(ratings, standardise=True)
    assert any("strict and lenient raters" in caution for caution in raw.cautions)
    assert abs(z.pairs[0].difference) < 0.5


def ratings_of(rows, **changes):
    import pandas as pd

    return accord.read(pd.DataFrame(rows), **({"level": "interval"} | changes))


def rows(systems="AB", documents=3, segments=2, value=lambda s, d, k: float(hash_of(s, d, k)), item=None):
    return [
        {"item": item(s, d, k) if item else f"{s}{d}{k}", "rater": "r", "value": value(s, d, k), "system": s,
         "document": f"d{d}", "segment": f"{k}"}
        for s in systems for d in range(documents) for k in range(segments)
    ]  # fmt: skip


def hash_of(s, d, k):
    return (ord(s) * 7 + d * 13 + k * 29) % 41


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (rows(documents=1), "only one document"),
        (rows(systems="A"), "only one system (A)"),
        (rows(value=lambda s, d, k: 50.0 + d), "tie on every item"),
        ([{k: v for k, v in row.items() if k != "segment"} for row in rows()], "share no item"),
        ([row | {"segment": row["segment"] + row["system"]} for row in rows()], "share no item"),
        ([{k: v for k, v in row.items() if k != "system"} for row in rows()], "no column 'system'"),
    ],
)
def test_bad_input_is_told_in_one_clear_sentence(made, words):
    with pytest.raises(AccordError) as error:
        rank(ratings_of(made))
    assert words in str(error.value)


def test_a_nominal_scale_cannot_rank():
    with pytest.raises(AccordError, match="nominal"):
        rank(ratings_of([row | {"value": "x" if i % 2 else "y"} for i, row in enumerate(rows())], level="nominal"))


def test_items_shared_by_name_need_no_segment_column():
    made = [{k: v for k, v in row.items() if k != "segment"} for row in rows(item=lambda s, d, k: f"{d}-{k}")]
    for row in made:
        row["rater"] = f"r{row['system']}"
    assert rank(ratings_of(made)).pairs[0].segments == 6


def test_few_documents_and_hopeless_permutations_are_cautioned():
    result = rank(ratings_of(rows(systems="ABCD", documents=4)), test="permutation")
    assert any("little power" in caution for caution in result.cautions)
    assert any("no permutation can be significant" in caution for caution in result.cautions)


def test_one_and_the_same_difference_everywhere_is_no_stronger_than_the_sign_test():
    same = DocumentSums(np.full((1, 3), 2.0), np.ones((1, 3)), np.zeros((1, 3)))
    assert weighted_t(same, np.ones((1, 3)), borrow=False).p[0] == 0.25
    assert segment_t(same).p[0] == 0.25


def test_the_command_ranks_and_tells_bad_input(accord_command, tmp_path):
    import json

    import pandas as pd

    scores, documents = normal_scores(np.random.default_rng(4), gap=10)
    made = [
        {"what": f"{s}{k}", "who": "r", "points": scores[s, k], "sys": f"S{s}", "doc": f"d{documents[k]}", "seg": k}
        for s in range(3) for k in range(scores.shape[1])
    ]  # fmt: skip
    pd.DataFrame(made).to_csv(tmp_path / "r.csv", index=False)
    columns = ("--item", "what", "--rater", "who", "--value", "points", "--document", "doc", "--segment", "seg")
    sides = ("--direction", "high")
    done = accord_command("rank", "r.csv", *columns, "--system", "sys", *sides, "--pairs", "--json")
    (told,) = json.loads(done.stdout)["rankings"]
    assert [row["rank"] for row in told["systems"]] == ["1", "2", "3"]
    assert len(told["pairs"]) == 3
    done = accord_command("rank", "r.csv", *columns, "--system", "sys", "--where", "sys=S9")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_without_a_good_end_no_number_looks_like_a_rank_and_nobody_beats_anybody():
    rng = np.random.default_rng(2)
    rows = [
        (f"s{item}", "R", system, round(float(place + rng.normal()), 3))
        for item in range(40)
        for place, system in enumerate("ABC")
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "system", "value"])
    unknown, known = (rank(accord.read(frame, level="interval", **asked)) for asked in ({}, {"direction": "high"}))
    assert {row["cluster"] for row in unknown.rows()} == {row["rank"] for row in unknown.rows()} == {None}
    assert unknown.closing() == ""
    assert known.closing() == "All 3 pairs differ."


@pytest.mark.parametrize("role", ["repeat", "system"])
def test_a_repeat_is_no_further_rating_of_a_system(role):
    """Marked by its role or by its occasion; the official procedures count it, and say so."""
    rng = np.random.default_rng(6)
    rows = [
        {"item": f"S{s}:{k}", "rater": rater, "value": round(50 + 9 * s + rng.normal(0, 4), 1), "system": f"S{s}",
         "segment": str(k), "document": f"d{k // 2}", "role": "system", "occasion": 1}
        for s in range(2) for k in range(12) for rater in "AB"
    ]  # fmt: skip
    again = [row | {"value": 100.0, "role": role, "occasion": 2} for row in rows[:7]]
    read = {"level": "interval", "direction": "high"}
    once, repeated = (rank(accord.read(pd.DataFrame(some), **read)) for some in (rows, rows + again))
    assert [row["score"] for row in once.rows()] == [row["score"] for row in repeated.rows()]
    assert "7 ratings that raters gave again (repeats) are left out" in " ".join(repeated.cautions)
    official = rank(accord.read(pd.DataFrame(rows + again), **read), preset="wmt23")
    assert "7 ratings that raters gave again count too" in " ".join(official.cautions)


def test_what_a_mean_goes_over_is_said():
    """Agreement is kept apart by scenario; scores are not, and it is said."""
    rng = np.random.default_rng(5)
    rows = [
        {"item": f"S{s}:{k}", "rater": rater, "value": round(50 + 9 * s + rng.normal(0, 4), 1), "system": f"S{s}",
         "segment": str(k), "document": f"d{k // 2}", "scenario": scenario, "role": role, "occasion": occasion}
        for s in range(2) for k in range(12) for rater in "AB" for scenario in ("alone", "context")
        for role, occasion in (("system", 1), ("repeat", 2))[: 2 if k == 0 else 1]
    ]  # fmt: skip
    read = {"level": "interval", "direction": "high"}
    cautions = " ".join(rank(accord.read(pd.DataFrame(rows), **read)).cautions)
    assert "Scores are means over every scenario (alone, context); --where scenario=alone ranks one alone." in cautions
    assert "8 ratings that raters gave again (repeats) are left out" in cautions
    plain = [row for row in rows if row["scenario"] == "alone" and row["role"] == "system"]
    assert "means over every" not in " ".join(rank(accord.read(pd.DataFrame(plain), **read)).cautions)


def test_a_measurement_before_a_round_and_one_after_it_are_said_to_be_in_one_mean():
    """The first measurement has no name of a phase, and nothing was said; nor does an item count once then."""
    rng = np.random.default_rng(5)
    rows = [
        {"item": f"S{s}:{k}", "rater": rater, "value": round(50 + 9 * s + rng.normal(0, 4), 1), "system": f"S{s}",
         "segment": str(k), "document": f"d{k // 2}", "phase": phase, "role": role, "occasion": occasion}
        for s in range(2) for k in range(12) for rater in "AB" for phase in ("", "round-2")
        for role, occasion in (("system", 1), ("repeat", 2))[: 2 if k == 0 and not phase else 1]
    ]  # fmt: skip
    cautions = " ".join(rank(accord.read(pd.DataFrame(rows), level="interval", direction="high")).cautions)
    assert "Scores are means over every phase (none, round-2); --where phase=round-2 ranks one alone." in cautions
    assert "are left out: an item counts once for each rater and phase" in cautions
