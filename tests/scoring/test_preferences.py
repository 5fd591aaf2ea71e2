"""Pairwise preferences with ties."""

from itertools import combinations
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.scoring import Preference, bradley_terry_davidson, read_preferences
from accord.scoring.preference_answers import chosen

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "preferences.csv"


def comparisons(wins, ties, losses, first="A", second="B"):
    made = [Preference(first, second, first)] * wins + [Preference(first, second, "")] * ties
    return made + [Preference(first, second, second)] * losses


@given(st.integers(0, 40), st.integers(0, 40))
@settings(max_examples=25, deadline=None)
def test_two_systems_without_ties_have_the_closed_form_of_jeffreys(wins, losses):
    if wins + losses == 0:
        return
    result = bradley_terry_davidson(comparisons(wins, 0, losses))
    ability = {system.name: system.ability for system in result.systems}
    assert ability["A"] - ability["B"] == pytest.approx(log((wins + 0.5) / (losses + 0.5)), abs=1e-3)
    assert result.tie == 0


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 40))
@settings(max_examples=25, deadline=None)
def test_two_systems_with_ties_have_the_closed_form_of_jeffreys(wins, ties, losses):
    result = bradley_terry_davidson(comparisons(wins, ties, losses))
    ability = {system.name: system.ability for system in result.systems}
    assert ability["A"] - ability["B"] == pytest.approx(log((wins + 0.5) / (losses + 0.5)), abs=1e-3)
    assert result.tie == pytest.approx((ties + 0.5) / sqrt((wins + 0.5) * (losses + 0.5)), rel=1e-3)


def simulated(rng, abilities, tie, n, raters):
    made = []
    names = list(abilities)
    for place in range(n):
        a, b = rng.choice(names, 2, replace=False)
        weights = np.exp([abilities[a], np.log(tie) + (abilities[a] + abilities[b]) / 2, abilities[b]])
        outcome = rng.choice(3, p=weights / weights.sum())
        made.append(Preference(str(a), str(b), str((a, "", b)[outcome]), f"r{place % raters}"))
    return made


def test_known_abilities_and_ties_are_recovered():
    abilities = {"A": 1.0, "B": 0.2, "C": -0.4, "D": -0.8}
    result = bradley_terry_davidson(simulated(np.random.default_rng(1), abilities, 0.6, 6000, 40))
    assert [system.name for system in result.systems] == list("ABCD")
    for system in result.systems:
        assert system.ability == pytest.approx(abilities[system.name], abs=0.1)
    assert result.tie == pytest.approx(0.6, abs=0.06)
    assert result.circles == ()
    assert result.misfit_p > 0.01


def test_the_intervals_cover_about_as_often_as_they_say():
    rng = np.random.default_rng(2)
    abilities = {"A": 0.5, "B": 0.0, "C": -0.5}
    covered = []
    for _ in range(60):
        found = bradley_terry_davidson(simulated(rng, abilities, 0.5, 300, 30)).systems
        covered += [abilities[system.name] in system.interval for system in found]
    assert 0.88 <= np.mean(covered) <= 0.99


def test_six_raters_who_happen_to_split_alike_make_no_difference_sure():
    rows = []
    for rater in range(6):
        rows += [Preference("A", "B", "A", f"r{rater}")] * 5 + [Preference("A", "B", "B", f"r{rater}")] * 4
    (pair,) = bradley_terry_davidson(rows).pairs
    assert (pair.wins, pair.losses) == (30, 24)
    assert pair.p > 0.3


def test_a_system_that_never_lost_has_a_finite_ability():
    result = bradley_terry_davidson(comparisons(20, 0, 0))
    assert result.systems[0].ability == pytest.approx(log(20.5 / 0.5) / 2, abs=1e-3)


def test_preferences_that_run_in_a_circle_are_named_and_do_not_fit():
    circle = comparisons(18, 0, 2) + comparisons(18, 0, 2, "B", "C") + comparisons(18, 0, 2, "C", "A")
    result = bradley_terry_davidson(circle)
    assert len(result.circles) == 1
    assert set(result.circles[0]) == {"A", "B", "C"}
    assert result.misfit_p < 0.001
    assert any("circle" in caution for caution in result.cautions)


def studies_with_constant_ties(strengths, studies):
    """Thirty items, five raters, a tenth of ties between all systems, however far apart they are."""
    for seed in range(studies):
        rng = np.random.default_rng(seed)
        made = []
        for item in range(30):
            for a, b in combinations(range(len(strengths)), 2):
                for _ in range(2):
                    share = 1 / (1 + np.exp(strengths[b] - strengths[a]))
                    won = "" if rng.random() < 0.1 else "ABCD"[a if rng.random() < share else b]
                    made.append(Preference("ABCD"[a], "ABCD"[b], won, f"r{rng.integers(5)}", f"i{item}"))
        yield bradley_terry_davidson(made)


def test_equal_systems_show_no_circle_and_a_constant_share_of_ties_is_no_misfit():
    found = list(studies_with_constant_ties([3, 0, 0, 0], 30))
    assert [result.circles for result in found] == [()] * 30
    assert sum(result.misfit_p < 0.05 for result in found) <= 4


def test_a_majority_in_a_circle_by_chance_is_not_called_a_circle():
    made = comparisons(11, 0, 9) + comparisons(11, 0, 9, "B", "C") + comparisons(11, 0, 9, "C", "A")
    result = bradley_terry_davidson(made)
    assert result.circles == ()
    assert not any("circle" in caution for caution in result.cautions)


def test_raters_who_each_repeat_themselves_show_no_circle():
    rows = [
        Preference(a, b, a if (rater + turn) % 3 else b, f"r{rater}")
        for rater in range(4)
        for turn, (a, b) in enumerate(("AB", "BC", "CA"))
        for _ in range(20)
    ]
    assert bradley_terry_davidson(rows).circles == ()


def test_one_circle_is_one_triple_and_the_fit_is_said_once(accord_command, tmp_path):
    rows = [
        f"i{item},r{rater},{a},{b},{a if (item + rater) % 9 else b}"
        for item in range(12)
        for rater in range(8)
        for a, b in ("AB", "BC", "CA")
    ]
    (tmp_path / "p.csv").write_text("item,rater,first,second,preferred\n" + "\n".join(rows))
    said = " ".join(accord_command("prefer", tmp_path / "p.csv").stdout.split())
    assert "1 triple of systems runs in a circle, A > B > C > A: a ranking hides that." in said
    assert said.count("deviance") == said.count("one ability for each system") == 1


def test_naming_a_pair_the_other_way_round_changes_nothing():
    turned = [Preference(p.second, p.first, p.winner) for p in comparisons(7, 3, 2)]
    one, other = bradley_terry_davidson(comparisons(7, 3, 2)), bradley_terry_davidson(turned)
    assert {s.name: s.ability for s in one.systems} == pytest.approx(
        {s.name: s.ability for s in other.systems}, abs=1e-4
    )


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (comparisons(0, 5, 0), "Every comparison is a tie"),
        ([], "two systems or more"),
        (comparisons(2, 1, 1) + comparisons(2, 1, 1, "C", "D"), "never compared"),
    ],
)
def test_bad_input_is_told_in_one_clear_sentence(made, words):
    with pytest.raises(AccordError) as error:
        bradley_terry_davidson(made)
    assert words in str(error.value)


def test_a_sheet_takes_names_sides_and_ties_and_refuses_the_rest(tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("first,second,preferred\nA,B,A\nA,B,second\nA,B,Tie\n")
    assert [p.winner for p in read_preferences(file)] == ["A", "B", ""]
    file.write_text("first,second,preferred\nA,B,C\nA,A,tie\n")
    with pytest.raises(AccordError) as error:
        read_preferences(file)
    assert len(error.value.problems) == 2


def test_the_command_prints_systems_and_pairs(accord_command):
    done = accord_command("prefer", EXAMPLE)
    assert "Preferences of 240 comparisons" in done.stdout
    assert "Holm over pairs" in done.stdout


def test_the_covariance_over_raters_and_items_is_that_of_a_second_program():
    import statsmodels.api as sm

    from accord.scoring.preference_model import Model
    from accord.scoring.preference_result import Preference
    from accord.scoring.preferences import _cluster_codes, _coded, _counts, _over_raters, _scores

    rng = np.random.default_rng(12)
    names = ("A", "B", "C")
    liking, suits = rng.normal(0, 0.5, (8, 3)), rng.normal(0, 0.7, (15, 3))
    made, design, won = [], [], []
    for rater in range(8):
        for item in range(15):
            for i, j in ((0, 1), (0, 2), (1, 2)):
                gap = liking[rater, i] - liking[rater, j] + suits[item, i] - suits[item, j]
                first = rng.random() < 1 / (1 + np.exp(-gap))
                made.append(Preference(names[i], names[j], names[i if first else j], f"r{rater}", f"i{item}"))
                row = np.zeros(3)
                row[i], row[j] = 1, -1
                # The last ability is minus the sum of the others.
                design.append(row[:2] - row[2])
                won.append(first)
    design, won = np.array(design), np.array(won, dtype=float)
    raters, items = (np.unique([getattr(p, name) for p in made], return_inverse=True)[1] for name in ("rater", "item"))
    plain = sm.Logit(won, design).fit(disp=False)

    def clustered(groups, clusters):
        kwds = {"groups": groups, "use_correction": False}
        fit = sm.Logit(won, design).fit(disp=False, cov_type="cluster", cov_kwds=kwds)
        return clusters / (clusters - 1) * fit.cov_params()

    expected = clustered(raters, 8) + clustered(items, 15) - clustered(raters * 15 + items, 120)
    kinds, code = _coded([(p.first, p.second, p.winner) for p in made])
    model = Model(3, _counts(kinds, code, names), ties=False)
    scores = _scores(model, plain.params, kinds, names)[code]
    spread = _over_raters(_cluster_codes(made), scores)
    inverse = np.linalg.inv(model.information(plain.params))
    assert spread.freedom == 7
    assert inverse @ spread.sums[-1] @ inverse == pytest.approx(expected, rel=1e-6)
    assert inverse == pytest.approx(plain.cov_params(), rel=1e-5)


@pytest.mark.parametrize(("systems", "often"), [(2, 3), (5, 20), (8, 1), (3, 0)])
def test_abilities_are_where_a_general_search_finds_the_most_likely_ones(systems, often):
    from scipy.optimize import minimize

    from accord.scoring.preference_model import Model

    rng = np.random.default_rng(systems)
    counts = np.zeros((systems, systems, 3))
    for i in range(systems):
        for j in range(i + 1, systems):
            # Without a number the first system wins always: only the penalty keeps it from infinity.
            counts[i, j] = 1 + rng.poisson([1.8 * often, 0.5 * often, 0.6 * often]) if often else [4, 1, i]
    model = Model(systems, counts, ties=True)
    found = minimize(model._loss, np.zeros(systems), method="BFGS", options={"gtol": 1e-9}).x
    assert model.fit() == pytest.approx(found, abs=1e-5)


def test_without_items_or_raters_that_is_said_and_with_both_the_fewer_count(tmp_path):
    from accord.scoring.preference_rows import read_preferences
    from accord.scoring.preferences import bradley_terry_davidson

    rows = ["first,second,preferred,rater,item"]
    rng = np.random.default_rng(1)
    rows += [f"A,B,{rng.choice(['first', 'second'])},r{n % 7},i{n % 11}" for n in range(77)]
    (tmp_path / "p.csv").write_text("\n".join(rows))
    both = bradley_terry_davidson(read_preferences(tmp_path / "p.csv"))
    assert "t(6) intervals over raters and items" in both.method
    (tmp_path / "q.csv").write_text("\n".join(row.rsplit(",", 1)[0] for row in rows))
    alone = bradley_terry_davidson(read_preferences(tmp_path / "q.csv"))
    assert any("comparisons of one item are taken as independent" in caution for caution in alone.cautions)


def test_the_pairs_of_one_source_of_a_pairwise_study_are_one_item(tmp_path):
    from accord.scoring.preference_rows import read_preferences

    (tmp_path / "r.csv").write_text("item,rater,value\nd:1:A~B,x,A\nd:1:A~C,x,tie\nd:2:A~B,x,B\n")
    assert [p.item for p in read_preferences(tmp_path / "r.csv")] == ["d:1", "d:1", "d:2"]


@pytest.mark.parametrize(("documents", "is_said"), [(3, True), (12, False), (0, False)])
def test_few_documents_are_said_where_the_file_names_them(tmp_path, documents, is_said):
    rows = [
        f"i{item},{rater},A,B,{'A' if (item + place) % 3 else 'B'},{f'd{item % documents}' if documents else ''}"
        for item in range(24)
        for place, rater in enumerate("RSTU")
    ]
    path = tmp_path / "p.csv"
    path.write_text("item,rater,first,second,preferred,document\n" + "\n".join(rows) + "\n")
    cautions = bradley_terry_davidson(read_preferences(path)).cautions
    assert any("only 3 documents" in said and "not about other documents" in said for said in cautions) is is_said
    assert any("documents" in said for said in cautions) is is_said


@pytest.mark.parametrize(
    ("word", "better"),
    [
        ("left", "GPT"), ("Right", "Opus"), ("same", ""), ("A better", "GPT"), ("B is better", "Opus"), ("2", "Opus"),
        ("gpt is much better", "GPT"), ("prefer the right one", "Opus"), ("about the same", ""), ("Both good.", ""),
        ("links", "GPT"), ("gleich gut", ""), ("slightly prefer Opus", "Opus"), ("Option B", "Opus"),
    ],
)  # fmt: skip
def test_a_choice_is_understood_in_the_words_that_people_write(word, better):
    assert chosen("GPT", "Opus", word) == (better, "")


def test_a_letter_is_a_name_where_a_system_is_called_so():
    assert chosen("B", "A", "A better") == ("A", "")
    assert chosen("B", "C", "A better")[1].startswith("'A better' is neither")


def test_a_small_letter_that_may_be_a_name_or_a_place_is_asked_about():
    assert chosen("A", "B", "a") == ("A", "")  # both readings are the same
    assert chosen("Alpha", "Beta", "b") == ("Beta", "")
    winner, problem = chosen("B", "A", "a")
    assert winner == ""
    assert problem == "'a' may be a name or a place here: write 'B' or 'A', first or second"


def written_comparisons(tmp_path, header, answers):
    rows = [f"{item},{rater},{answer}" for item, answer in enumerate(answers) for rater in ("Ann", "Bob")]
    path = tmp_path / "comparisons.csv"
    path.write_text("\n".join([f"Segment,Annotator,{header}", *rows]), encoding="utf-8")
    return path


def test_answers_name_the_systems_where_no_column_does(tmp_path):
    made = read_preferences(written_comparisons(tmp_path, "Which is better?", ["A better", "B better", "Equal"]))
    assert [(one.first, one.second, one.winner, one.item) for one in made[::2]] == [
        ("A", "B", "A", "0"), ("A", "B", "B", "1"), ("A", "B", "", "2"),
    ]  # fmt: skip


def test_left_and_right_alone_say_nothing_of_systems(tmp_path):
    path = written_comparisons(tmp_path, "Choice", ["left", "right", "same"])
    with pytest.raises(AccordError, match="says left or right, but not which system stood there"):
        read_preferences(path)


def test_segments_are_the_items_of_comparisons(tmp_path):
    path = written_comparisons(tmp_path, "Left,Right,Choice", ["A,B,left", "A,B,right"])
    assert [one.item for one in read_preferences(path)] == ["0", "0", "1", "1"]


def study_of(lost, raters, documents, segments, systems=("A", "B")):
    """Each rater compares each two systems on each item; numbered so, these of the first system's choices are lost."""
    made, number = [], 0
    for rater in range(raters):
        for document in range(documents):
            for segment in range(segments):
                where = (f"r{rater}", f"d{document}s{segment}", f"d{document}")
                for second in systems[1:]:
                    won = second if number in lost else systems[0]
                    made.append(Preference(systems[0], second, won, *where))
                    number += 1
    return made


@pytest.mark.parametrize("documents", [4, 5, 8])
@pytest.mark.parametrize("raters", [1, 2, 3, 5])
@pytest.mark.parametrize("systems", [("A", "B"), ("A", "B", "C")])
def test_turning_losses_into_wins_makes_a_preference_of_these_raters_surer(raters, documents, systems):
    segments = 8 if raters == 1 else 4
    size = raters * documents * segments * (len(systems) - 1)
    order = np.random.default_rng(raters * documents).permutation(size)
    verdicts = []
    for share in (0.25, 0.2, 0.15, 0.1, 0.05, 0.0):
        result = bradley_terry_davidson(study_of(set(order[: int(share * size)]), raters, documents, segments, systems))
        verdicts.append(max(pair.adjusted_here for pair in result.pairs if "A" in (pair.first, pair.second)))
    first_shown = next(place for place, p in enumerate(verdicts) if p < 0.05)
    assert all(p < 0.05 for p in verdicts[first_shown:])
    assert verdicts[-1] == min(verdicts)


@pytest.mark.parametrize("seed", range(12))
def test_an_interval_leaves_out_0_exactly_where_the_test_of_two_systems_does(seed):
    rng = np.random.default_rng(seed)
    raters, documents = int(rng.integers(1, 4)), int(rng.integers(4, 9))
    size = raters * documents * 2
    lost = set(rng.permutation(size)[: int(size * rng.uniform(0, 0.5))])
    result = bradley_terry_davidson(study_of(lost, raters, documents, 2))
    best = result.systems[0]
    assert (best.interval.low > 0) == (result.pairs[0].p < 0.05)
    assert best.interval.low < best.ability < best.interval.high


def test_wins_less_losses_decide_between_two_systems_where_documents_do_not_differ():
    from scipy.stats import t

    result = bradley_terry_davidson(study_of(set(), 1, 5, 8))
    assert result.pairs[0].p == pytest.approx(2 * t.sf(sqrt(40), 4), rel=1e-6)


def test_systems_that_were_never_compared_are_tested_through_a_third():
    made = [
        Preference("B", other, won, "r", f"i{d}", f"d{d}")
        for d in range(24)
        for other, won in (("A", "A"), ("C", "B" if d % 6 else "C"))
    ]
    pairs = {(pair.first, pair.second): pair for pair in bradley_terry_davidson(made).pairs}
    assert pairs["A", "C"].wins == pairs["A", "C"].losses == 0
    assert pairs["A", "C"].adjusted_here < 0.01


def test_a_system_that_never_lost_is_told_where_other_raters_may_choose_otherwise():
    always = bradley_terry_davidson(study_of(set(), 3, 8, 4))
    (pair,) = always.pairs
    assert pair.adjusted_here < 0.01 < 0.05 < pair.adjusted
    assert any(said.startswith("No choice was lost or tied (A to B)") for said in always.cautions)
    with_losses = bradley_terry_davidson(study_of({5, 40, 70}, 3, 8, 4))
    assert not any("No choice" in said for said in with_losses.cautions)
