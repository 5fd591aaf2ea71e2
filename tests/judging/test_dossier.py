"""The dossier as a user meets it: what is said, what is refused, what the gate decides."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.cli.main import main
from accord.errors import NotEnoughDataError, OptionError
from accord.judging.corrected import Correction, Sums
from accord.judging.gate import Verdict
from accord.ratings.table import Factor, Ratings

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture
def good(make_study):
    return make_study(seed=1, runs=2, documents=24, labelled=12, per_document=3, noise=0.3)


def test_people_are_never_paired_with_models_and_alpha_is_that_of_agree(make_study):
    ratings = make_study(seed=1)
    answer = accord.judge(ratings)
    alpha = answer.result.parts[0].beside[0]
    agreed = accord.agreement(ratings.only(kind="human"), coefficients=["krippendorff_alpha"])
    assert alpha.people == pytest.approx(agreed.groups[0].estimates[0].value)
    assert answer.result.judge == "judge" and answer.result.others == ("other",)
    assert set(answer.result.parts[0].panel.people) == {"ann", "bob", "cem"}


def test_the_corrected_mean_takes_off_what_the_judge_adds(make_study):
    part = accord.judge(make_study(seed=2, noise=0.3, documents=60, labelled=30)).result.parts[0]
    overall = part.measures[0].overall
    assert overall.judge_only - overall.mean == pytest.approx(0.45, abs=0.15)
    assert overall.standard_error < overall.people_error
    assert part.measures[0].systems[0][0] == "s1"
    assert part.apart.interval.low > 0.2 and "points higher than people" in str(accord.judge(make_study(seed=2)))


def test_too_few_labels_give_no_interval_and_say_so(make_study):
    few = accord.judge(make_study(seed=3, labelled=3, per_document=4, systems=1)).result.parts[0].measures[0]
    assert (
        few.overall.interval is None and few.overall.refused == "human labels in 3 documents, and an interval needs 5"
    )
    fewer = accord.judge(make_study(seed=3, labelled=9, per_document=1, systems=1)).result.parts[0].measures[0]
    assert fewer.overall.refused == "9 human labels, and an interval needs 10"


def test_of_one_document_nothing_is_said_beyond_it(make_study):
    told = str(
        accord.judge(make_study(seed=3, documents=1, labelled=1, each=40, per_document=40, systems=1, noise=4.0))
    )
    assert "may not stand in" not in told and "may stand in" not in told
    assert "does not pass the test for standing in for these people here" in told
    assert "Of others nothing is known: the labels are of fewer than 3 documents." in told
    assert "human labels in 1 document, and an interval needs 5" in told


def test_a_system_without_labels_and_a_chosen_sample_are_refused(make_study):
    ratings = make_study(seed=4, systems=3)
    human, third = (ratings.columns[name] for name in ("kind", "system"))
    bare = ~((human.codes == human.names.index("human")) & (third.codes == third.names.index("s2")))
    part = accord.judge(ratings.where(bare)).result.parts[0]
    assert part.measures[0].overall.interval is None
    assert "labelled nothing of the system s2, which is 33%" in part.measures[0].gaps[0].words
    assert {name: one.interval is None for name, one in part.measures[0].systems} == {
        "s0": False,
        "s1": False,
        "s2": True,
    }
    chosen = make_study(seed=5, documents=30, systems=1, each=6, labelled=30, per_document=6)
    means = {item: chosen.scores[(chosen.item.codes == code) & (chosen.rater.codes == 0)][0]
             for code, item in enumerate(chosen.item.names)}  # fmt: skip
    low = np.array([means[chosen.item.names[code]] <= 3 for code in chosen.item.codes])
    picked = accord.judge(chosen.where((chosen.rater.codes < 2) | low)).result.parts[0].measures[0]
    assert picked.overall.interval is None and "they were not drawn at random" in picked.gaps[0].words


def test_leaving_out_a_document_is_what_the_sums_say():
    rng = np.random.default_rng(6)
    system, document = np.repeat([0, 1], 60), np.tile(np.repeat(np.arange(12), 5), 2)
    people = np.where((document < 6) & (np.arange(120) % 5 < 3), rng.normal(3, 1, 120), np.nan)
    judge = np.nan_to_num(people, nan=3.0) + rng.normal(0, 0.5, 120)
    made = Correction(Sums.of(system, document, people, judge))
    mine = ~np.isnan(people) & (system == 0)
    f = judge[np.isnan(people) & (system == 0)].mean() - judge[mine].mean()
    one = made.system(0)
    assert one.mean == pytest.approx(people[mine].mean() + one.weight * f)
    left = []
    for gone in range(6):
        rest = document != gone
        left.append(Correction(Sums.of(system[rest], document[rest], people[rest], judge[rest])).system(0).mean)
    beside = made._made.beside[0]
    variance = 5 / 6 * np.square(np.array(left) - one.mean).sum() + 6 / 5 * float(beside @ beside)
    assert one.standard_error**2 >= variance * (1 - 1e-9)
    assert made.difference(0, 1).mean == pytest.approx(made.system(0).mean - made.system(1).mean)


def test_runs_prompts_and_probes_are_told_or_said_to_be_missing(make_study):
    part = accord.judge(make_study(seed=7, runs=2)).result.parts[0]
    assert part.runs.items == 160 and 0.4 < part.runs.same < 1 and 0 < part.runs.share < 0.5
    assert any(words.startswith("Length: the ratings hold no texts") for words in part.untested)
    assert part.several is not None and part.several.best == "judge" and 1 <= part.several.worth <= 2
    assert {one.sampling for one in part.next_items} == {"random", "targeted"}


def test_a_longer_text_that_the_judge_likes_is_found(tmp_path):
    rng = np.random.default_rng(8)
    lines = ["item,document,rater,kind,value,output"]
    for place in range(80):
        length = int(rng.integers(5, 80))
        quality = rng.normal(50, 10)
        judge = quality + 6 * np.log2(length) + rng.normal(0, 4)
        text = "a" * length
        lines += [f"i{place},d{place // 4},gpt-judge,model,{judge:.1f},{text}",
                  f"i{place},d{place // 4},ann,human,{quality + rng.normal(0, 5):.1f},{text}"]  # fmt: skip
    (tmp_path / "long.csv").write_text("\n".join(lines), encoding="utf-8")
    probes = {one.name: one for one in accord.judge(accord.read(tmp_path / "long.csv")).result.parts[0].probes}
    found = probes["length, for each doubling"]
    assert found.value == pytest.approx(6, abs=1.5) and found.p < 0.001


def test_the_gate_decides_from_intervals(good):
    verdict = {asked: accord.judge(good, gate={asked: limit}).gate.verdict
               for asked, limit in (("bias", 1.0), ("alpha", 0.99), ("advantage", 0.8))}  # fmt: skip
    assert verdict["bias"] is Verdict.TRUSTED and verdict["alpha"] is Verdict.UNTRUSTED
    test = accord.judge(good).result.parts[0].test
    between = test.advantage
    assert accord.judge(good, gate={"advantage": between}).gate.verdict is Verdict.INCONCLUSIVE


def run(monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", ["accord", "judge", *map(str, words)])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr()
    return left.value.code, said.out, said.err


def test_a_changed_prompt_voids_the_certificate(monkeypatch, capsys, tmp_path):
    ratings, prompt, gate = EXAMPLES / "summary-judge.csv", tmp_path / "prompt.txt", tmp_path / "gate.toml"
    prompt.write_text("Rate the summary from 1 to 5.", encoding="utf-8")
    gate.write_text("bias = 2.0\n", encoding="utf-8")
    paper = tmp_path / "judge.json"
    again = (ratings, "--prompt", prompt, "--certificate", paper)
    assert run(monkeypatch, capsys, *again, "--gate", gate)[0] == 0
    held = json.loads(paper.read_text(encoding="utf-8"))
    assert held["verdict"] == "TRUSTED" and held["data"] and held["accord"] == accord.__version__
    code, out, _ = run(monkeypatch, capsys, *again)
    assert code == 0 and "stands: TRUSTED" in out
    prompt.write_text("Rate the summary from 1 to 5, be strict.", encoding="utf-8")
    code, out, _ = run(monkeypatch, capsys, *again)
    assert code == 3 and "is void: the judge's prompt changed" in " ".join(out.split())
    gate.write_text("alpha = 0.95\n", encoding="utf-8")
    assert run(monkeypatch, capsys, ratings, "--gate", gate)[0] == 1
    gate.write_text("alhpa = 0.95\n", encoding="utf-8")
    code, _, err = run(monkeypatch, capsys, ratings, "--gate", gate)
    assert code == 2 and "'alhpa', which is not known" in err


def test_what_cannot_be_a_judge_is_said_in_one_sentence(make_study):
    ratings = make_study(seed=9)
    with pytest.raises(OptionError, match="There is no rater named 'gpt'"):
        accord.judge(ratings, "gpt")
    with pytest.raises(OptionError, match="No rater is of the kind model"):
        accord.judge(ratings.only(kind="human"))
    with pytest.raises(NotEnoughDataError, match="can be tested only beside people"):
        accord.judge(ratings.only(kind="model"))


def test_the_page_holds_every_question(good, tmp_path):
    answer = accord.judge(good, gate={"bias": 1.0})
    page = answer.save(tmp_path / "judge.html").read_text(encoding="utf-8")
    for words in ("May it stand in?", "What are its scores worth?", "Where does it err?", "Is it biased?",
                  "Is it steady?", "Several judges", "What these data cannot say", "The gate"):  # fmt: skip
        assert words in page
    assert answer.plot(part="scores").rows and answer.plot(part="agreement").rows


def test_the_page_gives_its_reader_no_options_of_a_command_line(tmp_path):
    answer = accord.judge(accord.read(EXAMPLES / "summary-judge.csv"))
    assert "--judge NAME" in str(answer) and "--family" in json.dumps(answer.to_dict())
    page = answer.save(tmp_path / "judge.html").read_text(encoding="utf-8")
    shown = re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<(style|script|svg)\b.*?</\1>|<!--.*?-->", "", page))
    assert "judge-b judged too." in shown and "about own family bias" in shown
    assert not re.findall(r"--[a-z]+", shown)


def test_each_bias_that_was_not_tested_is_told_with_what_would_test_it(good):
    claims = {row["claim"]: row["needs"] for row in accord.judge(good).to_dict()["not_claimed"]}
    assert claims["about position bias"].startswith("the same outputs judged in both orders")
    assert claims["about language bias"].startswith("labelled items in two languages")


def test_scores_of_a_judge_and_ratings_of_people_may_lie_in_two_files(monkeypatch, capsys, tmp_path):
    lines = (EXAMPLES / "summary-judge.csv").read_text(encoding="utf-8").splitlines()
    model = [line for line in lines if ",model," in line]
    # People's file comes first and has no systems: those of the judge's rows count.
    people = [line.split(",") for line in lines if ",human," in line]
    bare = ["item,rater,kind,value,run", *(",".join([one[0], *one[3:6], "1"]) for one in people)]
    (tmp_path / "people.csv").write_text("\n".join(bare), encoding="utf-8")
    (tmp_path / "scores.csv").write_text("\n".join([lines[0], *model]), encoding="utf-8")
    _, out, _ = run(monkeypatch, capsys, tmp_path / "people.csv", tmp_path / "scores.csv", "--json")
    together = json.loads(out)["criteria"][0]["scores"][0]["systems"]
    whole = accord.judge(accord.read(EXAMPLES / "summary-judge.csv")).to_dict()["criteria"][0]["scores"][0]["systems"]
    assert [one["system"] for one in together] == [one["system"] for one in whole]
    assert [one["mean"] for one in together] == pytest.approx([one["mean"] for one in whole])


def test_labels_chosen_for_what_they_show_are_listed_and_change_no_number(make_study):
    """Whoever labels the items that the program proposes must not be told that they were not drawn at random."""
    rng = np.random.default_rng(3)
    drawn = make_study(seed=21, documents=30, labelled=15, systems=1)
    before = accord.judge(drawn, next_labels=40).result.parts[0]
    proposed = {one.item for one in before.next_items if one.sampling == "targeted"}
    kinds = ["random" if kind == "human" else "" for kind in cells(drawn, "kind")]
    rows = list(zip(drawn.item.codes, drawn.rater.codes, drawn.value, cells(drawn, "kind"), kinds, strict=True))
    people = [drawn.rater.names.index(name) for name in ("ann", "bob", "cem")]
    for code, name in enumerate(drawn.item.names):
        if name in proposed:
            rows += [(code, one, int(rng.integers(0, 5)), "human", "targeted") for one in people]
    item, rater, value, kind, sampling = zip(*rows, strict=True)
    first = {code: place for place, code in reversed(list(enumerate(drawn.item.codes.tolist())))}
    place = [first[code] for code in item]
    columns = {name: Factor.of([cells(drawn, name)[one] for one in place]) for name in ("system", "document")}
    more = Ratings(
        item=Factor.of([drawn.item.names[code] for code in item]),
        rater=Factor.of([drawn.rater.names[code] for code in rater]), value=np.array(value, dtype=np.int32),
        scale=drawn.scale, columns={**columns, "kind": Factor.of(kind), "sampling": Factor.of(sampling)},
    )  # fmt: skip
    answer = accord.judge(more, next_labels=40)
    after = answer.result.parts[0]
    assert after.panel.targeted == len(proposed) == 20
    assert f"{len(proposed)} items that people labelled for what they show" in str(answer)
    assert not after.measures[0].gaps and after.measures[0].overall.interval is not None
    for part in ("apart", "beside", "verdicts", "worth", "test"):
        assert getattr(after, part) == getattr(before, part), part
    assert after.measures[0].to_dict() == before.measures[0].to_dict()
    assert {one.item for one in after.far} & proposed and not proposed & {one.item for one in after.next_items}


def cells(ratings, name):
    factor = ratings.columns[name]
    return [factor.names[code] for code in factor.codes]


def test_only_targeted_labels_are_no_sample(make_study):
    ratings = make_study(seed=22, documents=6, labelled=5)
    sampling = ["targeted" if kind == "human" else "" for kind in cells(ratings, "kind")]
    aimed = replace(ratings, columns={**ratings.columns, "sampling": Factor.of(sampling)})
    with pytest.raises(NotEnoughDataError, match=r"chosen for what they show .* Label items that are drawn at random"):
        accord.judge(aimed)


def test_the_mean_of_words_says_which_numbers_they_stand_for(tmp_path):
    grades = ["poor", "fair", "good"]
    lines = ["item,rater,kind,value"]
    lines += [f"i{place},{who},{kind},{grades[(place + shift * (place % 4 == 0)) % 3]}" for place in range(40)
              for who, kind, shift in (("ann", "human", 0), ("gpt", "model", 1))]  # fmt: skip
    (tmp_path / "words.csv").write_text("\n".join(lines), encoding="utf-8")
    ratings = accord.read(tmp_path / "words.csv", level="ordinal", scale=grades)
    assert "its mean (poor = 0, fair = 1, good = 2) is" in " ".join(str(accord.judge(ratings)).split())
