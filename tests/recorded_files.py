"""Small files of ratings with something wrong in each, drawn from fixed seeds, for the recorded questions."""

import csv
from collections.abc import Iterator
from pathlib import Path
from random import Random

Row = dict[str, object]
STEPS = 5


def _answer(rng: Random, truth: float, shift: float = 0.0, noise: float = 0.5) -> int:
    return max(1, min(STEPS, round(truth + shift + rng.gauss(0, noise))))


def _rows(seed: int, items: int = 48, raters: int = 6) -> Iterator[tuple[Random, float, Row]]:
    """Honest work: each rater sees the items in an order of its own, half a step away from what they are worth."""
    rng = Random(seed)
    truths = [rng.uniform(1, STEPS) for _ in range(items)]
    for rater in range(1, raters + 1):
        shown = list(range(items))
        rng.shuffle(shown)
        for place, item in enumerate(shown):
            row: Row = {
                "item": f"i{item:02}",
                "rater": f"R{rater}",
                "value": _answer(rng, truths[item]),
                "system": f"S{item % 3}",
                "document": f"d{item // 6}",
                "order": place + 1,
                "time_s": round(20 + 15 * rng.random(), 1),
            }
            yield rng, truths[item], row


def strict() -> list[Row]:
    """R1 is stricter, R2 more lenient than the rest, both in step with them."""
    shift = {"R1": -1.2, "R2": 0.9}
    return [{**row, "value": _answer(rng, truth, shift.get(str(row["rater"]), 0))} for rng, truth, row in _rows(11)]


def hurried() -> list[Row]:
    """R1 answers at once, R2 gives one value in a row, R3 grows stricter, R4 guesses, R5 turns the scale round."""
    rows = []
    for rng, truth, row in _rows(12, items=60):
        rater, place = row["rater"], int(str(row["order"]))
        if rater == "R1":
            row["time_s"] = round(0.4 + rng.random(), 1)
        elif rater == "R2" and 15 <= place <= 45:
            row["value"] = 2
        elif rater == "R3":
            row["value"] = _answer(rng, truth, -2.0 * place / 60)
        elif rater == "R4":
            row["value"] = rng.randint(1, STEPS)
        elif rater == "R5":
            row["value"] = _answer(rng, STEPS + 1 - truth)
        rows.append(row)
    return rows


def copied() -> list[Row]:
    """R2 is R1 but for two items, R3 gives 4 to everything, R4 was asked again."""
    rows = [row for _, _, row in _rows(13)]
    first = {row["item"]: row["value"] for row in rows if row["rater"] == "R1"}
    for row in rows:
        if row["rater"] == "R2" and row["item"] not in ("i03", "i07"):
            row["value"] = first[row["item"]]
        elif row["rater"] == "R3":
            row["value"] = 4
    again = [{**row, "value": max(1, int(str(row["value"])) - (n % 3 == 0))} for n, row in enumerate(rows)]
    return [{**row, "occasion": 1} for row in rows] + [{**row, "occasion": 2} for row in again if row["rater"] == "R4"]


def thin() -> list[Row]:
    """Two groups of raters that share no item, few items for each, many rated once."""
    rows = [row for _, _, row in _rows(14, items=30)]
    return [
        row
        for row in rows
        if (row["rater"] in ("R1", "R2", "R3")) == (row["item"] < "i15")  # type: ignore[operator]
        and (row["rater"] in ("R1", "R4") or str(row["item"])[-1] in "024")
    ]


def sided() -> list[Row]:
    """Two raters; the second is never below the first."""
    rows = [row for _, _, row in _rows(15, items=50, raters=2)]
    first = {row["item"]: int(str(row["value"])) for row in rows if row["rater"] == "R1"}
    return [
        {**row, "value": min(STEPS, first[row["item"]] + (str(row["item"])[-1] in "13579"))}
        if row["rater"] == "R2"
        else row
        for row in rows
    ]


def labels() -> list[Row]:
    """Three labels, one of which prevails; two criteria, two groups of raters, and a second phase that is better."""
    rows = []
    for criterion, seed in (("tone", 16), ("terms", 17)):
        for rng, truth, row in _rows(seed, items=40):
            for phase, slips in ((1, 0.35), (2, 0.1)):
                label = "good" if truth < 4 else "fair" if truth < 4.6 else "bad"
                value = rng.choice(["good", "fair", "bad"]) if rng.random() < slips else label
                group = "native" if str(row["rater"]) < "R4" else "learner"
                rows.append({**row, "value": value, "criterion": criterion, "group": group, "phase": phase})
    return rows


def percents(low_is_good: bool = False) -> list[Row]:
    """Scores from 0 to 100 of three systems of unlike quality, most of them near the end, with gaps."""
    lift = {"S0": 6.0, "S1": 0.0, "S2": -9.0}
    rows = []
    for rng, truth, row in _rows(18, items=72):
        worth = 70 + 8 * (truth - 3) + lift[str(row["system"])] + rng.gauss(0, 6) - 4 * (row["rater"] == "R6")
        value = max(0, min(100, round(worth + 18)))
        segment = str(int(str(row["item"])[1:]) // 3 % 2)
        if rng.random() > 0.2:
            row |= {"value": 100 - value if low_is_good else value, "segment": segment}
            rows.append({**row, "document": f"d{int(str(row['item'])[1:]) // 6}"})
    return rows


def preferences() -> list[Row]:
    """Four systems in a row of quality, one pair of which goes the other way, with ties and empty answers."""
    rng, rows = Random(19), []
    strength = {"W": 1.0, "X": 0.5, "Y": 0.2, "Z": -0.8}
    for place in range(160):
        first, second = rng.sample(sorted(strength), 2)
        gap = strength[first] - strength[second]
        gap = -1.5 * gap if {first, second} == {"W", "Y"} else gap
        felt = gap + rng.gauss(0, 1)
        chosen = "tie" if abs(felt) < 0.25 else "first" if felt > 0 else "second"
        rows.append(
            {"rater": f"R{place % 4}", "item": f"i{place // 4}", "first": first, "second": second, "preferred": chosen}
        )
    return rows


def errors() -> list[Row]:
    """Errors of three systems by three reviewers, of whom one finds twice as many."""
    rng, rows = Random(20), []
    for place in range(90):
        system, reviewer = f"S{place % 3}", f"R{place // 3 % 3}"
        where = {"item": f"i{place // 9}", "rater": reviewer, "system": system, "document": f"d{place // 30}"}
        for _ in range(rng.randint(0, 1 + place % 3) * (2 if reviewer == "R0" else 1)):
            category = rng.choice(["Accuracy/Omission", "Fluency/Grammar", "Style", "Terminology"])
            severity = rng.choice(["Minor", "Minor", "Minor", "Major", "Critical"])
            rows += [{**where, "category": category, "severity": severity, "text": "a word"}]
    return rows


MADE = {
    "strict": strict,
    "hurried": hurried,
    "copied": copied,
    "thin": thin,
    "sided": sided,
    "labels": labels,
    "percents": percents,
    "costs": lambda: percents(low_is_good=True),
    "chosen": preferences,
    "errors": errors,
}


def write(folder: Path) -> None:
    """All of them, as CSV."""
    for name, make in MADE.items():
        rows = make()
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
