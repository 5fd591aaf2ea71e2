"""Findings by cause: the first screen of accord diagnose, and the sentence that opens it."""

from dataclasses import replace

import krippendorff
import numpy as np
import pandas as pd
import pytest

import accord
from accord.diagnosis.causes import (
    OPENINGS,
    Agreement,
    Cause,
    Effect,
    Seen,
    causes_of,
    first_true,
    heaviest_rater,
    opening,
)
from accord.diagnosis.finding import Finding, Severity
from accord.diagnosis.part import parts_of
from accord.diagnosis.without_rater import interval_of_change
from accord.ratings.table import Factor, Ratings
from accord.reliability.signs.use_of_values import ALIKE_ITEMS


def finding(code="severe_rater", severity=Severity.WARNING, who=("Ann",), **more):
    return Finding(code=code, severity=severity, message="seen", who=who, advice="Do this. And that.", **more)


def cause(severity=Severity.WARNING, change=None, title="Ann scores lower"):
    effect = None if change is None else Effect("", ("Ann",), 0.5, 0.5 + change)
    found = (finding(severity=severity),)
    return Cause(title=title, severity=severity, who=("Ann",), findings=found, effect=effect)


LOW = Agreement("style", 0.28, "95% interval 0.14 to 0.44", "below .667")
FAULT = Cause(
    title="One value only", severity=Severity.WARNING, who=(), findings=(finding(invalidates=("krippendorff_alpha",)),)
)
PREVAILS = Cause(
    title="One value prevails", severity=Severity.NOTE, who=(),
    findings=(finding(
        "prevalence", Severity.NOTE, (), by={"criterion": "style"},
        evidence={"share": 0.92, "agreement": 0.87, "cause": f"every rater uses it as often, {ALIKE_ITEMS}"},
    ),),
)  # fmt: skip

# Each opening with what makes it true and the nearest that must not, and words it must have.
CASES = {
    "first_put_right": (Seen([cause(Severity.ERROR)]), Seen([cause()]), "Put this right first: Ann scores lower."),
    "one_rater": (
        Seen([cause(change=0.2), cause()]),
        Seen([cause(change=0.04)]),
        "Ann lowers agreement most: without Ann, α is 0.70 instead of 0.50. One more thing is worth fixing.",
    ),
    "worth_fixing": (
        Seen([cause(change=-0.2)]),
        Seen([cause(Severity.NOTE, change=-0.2)]),
        "One thing is worth fixing; the numbers can be read meanwhile.",
    ),
    "scarce": (
        Seen([cause(Severity.NOTE)], (), "3 items"),
        Seen([cause(Severity.NOTE)]),
        "There is too little to look for faults in: 3 items.",
    ),
    "one_value": (
        Seen([PREVAILS], [LOW]),
        Seen([PREVAILS], [LOW, Agreement("tone", 0.3, "95% interval 0.2 to 0.4", "below .667")]),
        "One value takes 92% of the ratings and raters agree on 87%, yet α of style is 0.28",
    ),
    "no_cause": (
        Seen([], [LOW]),
        Seen([]),
        "No cause is found, yet α of style is 0.28 (95% interval 0.14 to 0.44), below .667.",
    ),
    "nothing": (Seen([]), Seen([cause(Severity.NOTE)]), "Nothing is wrong that these checks can see."),
    "remarks": (Seen([cause(Severity.NOTE)] * 2), Seen([cause()]), "Nothing grave: 2 small remarks only."),
}


@pytest.mark.parametrize("key", CASES)
def test_an_opening_is_said_where_it_is_true_and_nowhere_else(key):
    true, near, words = CASES[key]
    assert first_true(true).key == key
    assert words in opening(true)
    assert first_true(near).key != key


def test_every_opening_is_walked():
    assert [one.key for one in OPENINGS] == list(CASES)


def test_agreement_is_called_low_only_where_its_whole_interval_is():
    open_still = Agreement("", 0.58, "95% interval 0.02 to 0.81", "too few items for a verdict", is_shown_low=False)
    assert opening(Seen([cause()], [open_still])) == (
        "One thing is worth fixing. α is 0.58 (95% interval 0.02 to 0.81), too few items for a verdict."
    )
    high = Agreement("tone", 0.8, "95% interval 0.6 to 0.9", "not shown to reach .667", is_shown_low=False)
    assert opening(Seen([], [LOW, LOW, high])).count("low") == 2  # "below", twice
    assert "1 more is not shown to be enough" in opening(Seen([], [LOW, LOW, high]))


def test_low_agreement_is_never_called_fine():
    assert opening(Seen([cause()], [LOW])) == (
        "One thing is worth fixing. Agreement is low: α of style is 0.28 (95% interval 0.14 to 0.44), below .667."
    )
    assert opening(Seen([cause(Severity.NOTE)], [LOW])).startswith("No cause is found, yet α of style")
    assert opening(Seen([cause(change=0.2)], [LOW])).endswith("Besides, " + LOW.words + ".")
    explained = Agreement("", 0.5, "95% interval 0.4 to 0.6", "below .667")
    assert "Besides" not in opening(Seen([cause(change=0.2)], [explained]))


def test_numbers_that_a_fault_makes_useless_cannot_be_read_meanwhile():
    assert opening(Seen([FAULT])) == "One thing is worth fixing."


def table(strange=lambda rng, truth: truth - 2, criteria=("clarity",), raters=("Ann", "Ben", "Cy", "Dev"), items=80):
    """Items on 1 to 7 by raters of whom the first is strange."""
    rng = np.random.default_rng(5)
    rows = []
    for criterion in criteria:
        truth = rng.normal(4, 1.4, size=items)
        for place, rater in enumerate(raters):
            own = strange(rng, truth) if place == 0 else truth
            values = np.clip(np.rint(own + rng.normal(0, 0.4, size=items)), 1, 7).astype(int)
            rows += [(f"i{item}", rater, int(value), criterion) for item, value in enumerate(values)]
    return pd.DataFrame(rows, columns=["item", "rater", "value", "criterion"])


def test_signs_of_one_rater_are_one_cause_with_its_effect_on_alpha():
    ratings = accord.read(table(), level="ordinal", scale="1..7", direction="high")
    first, *_ = causes_of(accord.diagnose(ratings), ratings)
    assert first.who == ("Ann",)
    assert first.title.startswith("Ann scores lower than the others (strict)")
    assert len(first.findings) > 1
    without = accord.agreement(
        accord.read(table().query("rater != 'Ann'"), level="ordinal", scale="1..7"), interval="none"
    )["krippendorff_alpha"]
    assert first.effect.alpha_without == pytest.approx(without.value, abs=1e-9)
    assert first.action == "Compare only within raters, or standardise scores by rater"


def test_the_rater_who_moves_alpha_most_comes_first_among_equally_grave_causes():
    def of(rng, truth):
        return rng.normal(4, 1.4, size=len(truth))

    frame = table(of)
    frame.loc[frame.rater == "Dev", "value"] = (frame.loc[frame.rater == "Dev", "value"] - 1).clip(1, 7)
    ratings = accord.read(frame, level="ordinal", scale="1..7")
    grave = [one for one in causes_of(accord.diagnose(ratings), ratings) if one.severity is Severity.WARNING]
    assert [one.who for one in grave][:2] == [("Ann",), ("Dev",)]
    assert grave[0].effect.change > 0 > grave[1].effect.change


def test_many_mild_differences_of_strictness_are_one_cause():
    rng = np.random.default_rng(3)
    truth = rng.normal(4, 1.2, size=150)
    shifts = rng.normal(0, 0.9, size=20)
    rows = [
        (f"i{item}", f"r{place}", int(np.clip(np.rint(truth[item] + shift + rng.normal(0, 0.6)), 1, 7)))
        for place, shift in enumerate(shifts)
        for item in range(150)
    ]
    ratings = accord.read(pd.DataFrame(rows, columns=["item", "rater", "value"]), level="ordinal", scale="1..7")
    causes = causes_of(accord.diagnose(ratings), ratings)
    (joined,) = [one for one in causes if len(one.who) > 2 and one.title.endswith("score apart from the others")]
    assert joined.effect_words.startswith("small: at most, without ")
    assert joined.action == "Compare only within raters, or standardise scores by rater"


def test_a_small_remark_does_not_take_every_coefficient_away():
    """One value for nearly all items, and few of them: nothing grave, so nothing may sound as if it were."""
    rows = [(f"i{item}", rater, "bad" if (item, rater) == (3, "A") else "good") for item in range(20) for rater in "AB"]
    ratings = accord.read(pd.DataFrame(rows, columns=["item", "rater", "value"]))
    causes = {one.findings[0].code: one for one in causes_of(accord.diagnose(ratings), ratings)}
    assert first_true(Seen([*causes.values()])).key == "remarks"
    assert causes["prevalence"].effect_words == "α and κ are low although raters agree on most items"
    assert "every rater uses it about as often (shares at most 5 points apart)" in causes["prevalence"].evidence
    assert causes["few_items"].effect_words == "α is uncertain: its interval is wide, or there is none"


def test_two_raters_who_share_little_are_not_counted_as_one_of_one():
    rows = [(f"i{item}", rater, item + 1) for item in range(3) for rater in "AB"]
    ratings = accord.read(pd.DataFrame(rows, columns=["item", "rater", "value"]), level="ordinal")
    (thin,) = [one for one in causes_of(accord.diagnose(ratings), ratings) if one.findings[0].code == "thin_overlap"]
    assert thin.evidence == "the two raters share fewer than 10 items: A–B (3)"


def test_the_first_screen_has_at_most_thirty_lines_and_names_who_and_what_to_do(accord_command, tmp_path):
    frame = table(criteria=("clarity", "fluency", "style", "tone"), raters=tuple("ABCDEFGH"))
    for rater, shift in zip("BCDEFG", (2, -2, 3, -3, 2, -2), strict=True):
        own = frame.rater == rater
        frame.loc[own, "value"] = (frame.loc[own, "value"] + shift).clip(1, 7)
    frame.to_csv(tmp_path / "r.csv", index=False)
    done = accord_command("diagnose", "r.csv", "--level", "ordinal", "--scale", "1..7")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 30
    assert sum(line.startswith("   Do ") for line in lines) >= 1
    assert "instead of" in done.stdout
    assert "--all" in lines[-2]
    assert "Traceback" not in done.stderr
    everything = accord_command("diagnose", "r.csv", "--level", "ordinal", "--scale", "1..7", "--all").stdout
    assert len(everything.splitlines()) > 100


def test_what_a_strict_rater_does_to_alpha_is_worked_out_and_never_called_none():
    rng = np.random.default_rng(8)
    truth = rng.normal(3.2, 1, size=100)
    rows = [
        (f"i{item}", f"r{place}", int(np.clip(np.rint(truth[item] - 0.6 * (place == 0) + rng.normal(0, 0.6)), 1, 5)))
        for place in range(5) for item in range(100)
    ]  # fmt: skip
    ratings = accord.read(pd.DataFrame(rows, columns=["item", "rater", "value"]), level="ordinal", scale="1..5")
    (strict,) = [one for one in causes_of(accord.diagnose(ratings), ratings) if "r0" in one.who]
    assert strict.effect.without == ("r0",)
    assert strict.effect.change > 0.02
    assert f"α is {strict.effect.alpha_without:.2f} instead of {strict.effect.alpha:.2f}" in strict.effect_words


def test_a_rater_without_whom_a_low_alpha_would_be_much_higher_is_named_though_no_check_fires(accord_command, tmp_path):
    rng = np.random.default_rng(4)
    truth = rng.normal(3, 1.1, size=14)
    read = np.clip(np.rint(truth + rng.normal(0, 0.4, size=(2, 14))), 1, 5).astype(int)
    values = {"Ann": rng.integers(1, 6, size=14), "Ben": read[0], "Cy": read[1]}
    rows = [(f"i{item}", rater, int(own[item])) for rater, own in values.items() for item in range(14)]
    frame = pd.DataFrame(rows, columns=["item", "rater", "value"])
    frame.to_csv(tmp_path / "r.csv", index=False)
    ratings = accord.read(frame, level="ordinal")
    effect = heaviest_rater(parts_of(ratings))
    assert effect.without == ("Ann",)
    assert effect.change > 0.2
    said = " ".join(accord_command("diagnose", "r.csv", "--level", "ordinal").stdout.split())
    assert "Nothing grave" not in said
    assert f"ithout Ann, α is {effect.alpha_without:.2f} instead of {effect.alpha:.2f}" in said


def _as_noisy_as(path, *noise: float, seed: int = 100) -> Ratings:
    """Scores 1 to 5 of 400 items by raters who see the same quality with so much noise each."""
    rng = np.random.default_rng(seed)
    seen = rng.normal(size=(400, 1)) + np.array(noise) * rng.normal(size=(400, len(noise)))
    table = np.digitize(seen, [-1.2, -0.4, 0.3, 1.1]) + 1
    names = ("Ana", "Ben", "Cleo", "Dan", "Eva")[: len(noise)]
    frame = pd.DataFrame(table, columns=names).assign(item=[f"i{item}" for item in range(400)])
    frame.to_csv(path, index=False)
    return accord.read(frame, item="item", wide=names, level="ordinal")


def test_a_noisier_rater_is_told_with_the_change_of_alpha_and_not_called_chance(accord_command, tmp_path):
    ratings = _as_noisy_as(tmp_path / "r.csv", 0.6, 0.6, 0.7, 0.6, 1.2)
    assert not [one for one in accord.diagnose(ratings).findings if one.severity is not Severity.NOTE]
    effect = heaviest_rater(parts_of(ratings))
    assert effect.without == ("Eva",)
    # A bootstrap over items of the change: its middle 95%, and wider for five raters who could have stood out.
    table = parts_of(ratings)[0].matrix()
    drawn = [_alpha_change(table[np.random.default_rng(seed).integers(0, 400, 400)], rater=4) for seed in range(200)]
    low, high = np.quantile(drawn, (0.005, 0.995))
    assert effect.of_change.low == pytest.approx(low, abs=0.012)
    assert effect.of_change.high == pytest.approx(high, abs=0.012)
    said = " ".join(accord_command("diagnose", "r.csv", "--level", "ordinal").stdout.split())
    assert "No cause is found" not in said
    assert "chance" not in said
    ends = f"(a change of {effect.of_change.low:.2f} to {effect.of_change.high:.2f})"
    assert f"Without Eva, α is {effect.alpha_without:.2f} instead of {effect.alpha:.2f} {ends}: look first at" in said
    accord_command("report", "r.csv", "--level", "ordinal", "-o", "r.md")
    written = (tmp_path / "r.md").read_text()
    assert f"{ends}." in written
    assert "look first at the items on which Eva differs" in written


def _alpha_change(table, rater):
    alpha = krippendorff.alpha
    return alpha(np.delete(table, rater, 1).T, level_of_measurement="ordinal") - alpha(
        table.T, level_of_measurement="ordinal"
    )


def test_raters_alike_are_not_told_to_stand_out(tmp_path):
    for seed in range(20):
        effect = heaviest_rater(parts_of(_as_noisy_as(tmp_path / "r.csv", 1.0, 1.0, 1.0, seed=seed)))
        assert not effect.is_sure


def test_a_change_of_alpha_over_documents_is_as_uncertain_as_they_are(tmp_path):
    ratings = _as_noisy_as(tmp_path / "r.csv", 0.5, 0.6, 0.7, 0.5, 1.3)
    (part,) = parts_of(ratings)
    by_item = interval_of_change(part, "Eva", 0.95)
    document = Factor.of([f"d{int(name[1:]) // 20}" for name in np.array(ratings.item.names)[ratings.item.codes]])
    (of_documents,) = parts_of(replace(ratings, columns={**ratings.columns, "document": document}))
    found = interval_of_change(of_documents, "Eva", 0.95)
    assert found.method == "jackknife over documents, t(19)"
    assert found.low != by_item.low
    few = Factor.of([f"d{int(name[1:]) // 100}" for name in np.array(ratings.item.names)[ratings.item.codes]])
    (of_few,) = parts_of(replace(ratings, columns={**ratings.columns, "document": few}))
    assert interval_of_change(of_few, "Eva", 0.95) is None


def test_of_two_raters_who_differ_the_one_without_whom_alpha_is_higher_is_named():
    found = (finding(code="negative_correlation", who=("Ana", "Ben")),)
    effect = Effect("", ("Ben",), -0.3, 0.7)
    differ = Cause(title="Opposite order", severity=Severity.WARNING, who=("Ana", "Ben"), findings=found, effect=effect)
    assert opening(Seen([differ])).startswith("Ben lowers agreement most: without Ben, α is 0.70 instead of -0.30.")


def test_an_effect_that_cannot_be_seen_in_two_digits_is_not_told_as_a_change():
    assert Effect("", ("A", "B"), 0.021, 0.348).words == "without A and B, α is 0.35 instead of 0.02"
    assert Effect("tone", ("A",), 0.021, 0.024).words == "without A, α of tone stays 0.02"
