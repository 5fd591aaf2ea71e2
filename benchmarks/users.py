"""What a user waits for: from one CSV file or pandas frame with names as words to a number, with an interval or not.

``python users.py WHO CASE TASK SOURCE`` prints the best time and the value as JSON; WHO is ``accord``, ``by hand`` or a
peer, each in its own environment. Every one is given the same file or the same frame of one row per rating.
"""

import json
import resource
import sys
import warnings
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from peers import best_time
from shapes import complete

warnings.simplefilter("ignore")
DATA = Path(__file__).parents[1] / ".bench" / "data"
Task = Callable[[Any], float]


def _with_gaps(rows: int) -> dict[str, np.ndarray]:
    table = complete(5, 5)(rows)
    given = np.random.default_rng(1).random(len(table["item"])) >= 0.2
    return {name: column[given] for name, column in table.items()}


CASES: dict[str, tuple[str, Callable[[], dict[str, np.ndarray]], str]] = {
    "3x100": ("3 raters x 100,000 items, whole numbers 0 to 100", lambda: complete(3, 100)(300_000), "interval"),
    "4x100": ("4 raters x 100,000 items, whole numbers 0 to 100", lambda: complete(4, 100)(400_000), "interval"),
    "gaps": ("5 raters x 100,000 items, 5 values, a fifth missing", lambda: _with_gaps(500_000), "ordinal"),
    "few": ("3 raters x 1,000 items, 5 values", lambda: complete(3, 5)(3_000), "ordinal"),
}
TASKS = {"number": "one number", "interval": "one number with its interval", "all": "all numbers with intervals"}


def file_of(case: str) -> Path:
    import pandas as pd

    path = DATA / f"users-{case}.csv"
    if not path.exists():
        DATA.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(CASES[case][1]()).to_csv(path, index=False)
    return path


def _frame(source: Any) -> Any:
    import pandas as pd

    return pd.read_csv(source) if isinstance(source, Path) else source


def _wide(source: Any) -> Any:
    """Items x raters, as peers want it: this is part of what their user waits for."""
    return _frame(source).pivot(index="item", columns="rater", values="value")


def accord_does(task: str, level: str) -> Task:
    import accord

    def work(source: Any) -> float:
        ratings = accord.read(source, level=level)
        if task == "all":
            return float(accord.agreement(ratings)["krippendorff_alpha"].value)
        interval = {"interval": "none"} if task == "number" else {}
        found = accord.agreement(ratings, coefficients="krippendorff_alpha", **interval)
        return float(found["krippendorff_alpha"].value)

    return work


def by_hand(task: str, level: str) -> Task:
    """The least that must be done: DuckDB adds up each item, numpy makes alpha of it.

    For an interval, a spread over items of the same cost as Gwet's error stands in for it; its value is not used.
    """
    import duckdb

    def work(source: Any) -> float:
        table = f"read_csv('{source}')" if isinstance(source, Path) else "source"
        score = "value" if level == "interval" else "rank"
        ranked = (
            ""
            if level == "interval"
            else (
                f"with ranks as (select value, sum(n) over (order by value) - n / 2 as rank from "
                f"(select value, count(*) as n from {table} group by value)) "
            )
        )
        joined = table if level == "interval" else f"{table} join ranks using (value)"
        found = duckdb.sql(
            f"{ranked}select count(*) r, sum({score}::double) s, sum({score}::double * {score}) q from {joined} "
            "group by item having count(*) > 1"
        ).fetchnumpy()
        r, s, q = (np.asarray(found[name], dtype=np.float64) for name in "rsq")
        n = r.sum()
        apart = (r * q - s * s) / (r - 1)
        spread = n * q.sum() - s.sum() ** 2
        if task == "interval":
            mean = s.sum() / n
            toward = q - 2 * mean * s + r * q.sum() / n
            _ = np.std(1 - apart / apart.mean() + toward / toward.mean()) / np.sqrt(len(r))
        return float(1 - (n - 1) * apart.sum() / spread)

    return work


def _krippendorff(task: str, level: str) -> Task:
    """One table of values x values for each item: 7.6 GiB for 100,000 items with scores from 0 to 100."""
    import krippendorff

    return lambda source: float(krippendorff.alpha(_wide(source).to_numpy().T, level_of_measurement=level))


def _evalica(task: str, level: str) -> Task:
    import evalica

    if task == "number":
        return lambda source: float(evalica.alpha(_wide(source).T, level).alpha)
    return lambda source: float(evalica.alpha_bootstrap(_wide(source).T, level).alpha)


def _irrcac(task: str, level: str) -> Task:
    from irrCAC.raw import CAC

    return lambda source: float(
        CAC(_wide(source).reset_index(drop=True), weights=level).krippendorff()["est"]["coefficient_value"]
    )


def _pingouin(task: str, level: str) -> Task:
    import pingouin

    def work(source: Any) -> float:
        found = pingouin.intraclass_corr(_frame(source), targets="item", raters="rater", ratings="value")
        return float(found["ICC"].iloc[0])

    return work


def _statsmodels(task: str, level: str) -> Task:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    return lambda source: float(fleiss_kappa(aggregate_raters(_wide(source).to_numpy())[0]))


def _sklearn(task: str, level: str) -> Task:
    from sklearn.metrics import cohen_kappa_score

    def work(source: Any) -> float:
        columns = _wide(source).to_numpy().T
        return float(np.mean([cohen_kappa_score(a, b, weights="linear") for a, b in combinations(columns, 2)]))

    return work


WHO: dict[str, tuple[Callable[[str, str], Task], str, tuple[str, ...], str]] = {
    "accord": (accord_does, "", ("number", "interval", "all"), "α"),
    "by hand": (by_hand, "", ("number", "interval"), "α"),
    "krippendorff": (_krippendorff, "peers", ("number",), "α"),
    "evalica": (_evalica, "peers", ("number", "interval"), "α"),
    "irrCAC": (_irrcac, "irrcac", ("interval",), "α"),
    "pingouin": (_pingouin, "peers", ("interval",), "ICC"),
    "statsmodels": (_statsmodels, "peers", ("number",), "Fleiss κ"),
    "scikit-learn": (_sklearn, "peers", ("number",), "Cohen κ"),
}
"""Who -> (how, the environment, what it can do, the coefficient it gives)."""
WHOLE_ONLY = ("pingouin", "statsmodels", "scikit-learn")
"""Who takes no missing ratings."""
FEW_VALUES = ("krippendorff",)
"""Who lays out a table of values x values for each item: 7.6 GiB for 100,000 items with scores from 0 to 100."""
LONGEST = 60
"""Processor seconds after which a program is stopped."""


def can(who: str, case: str, task: str) -> bool:
    """Whether this program answers this question about these ratings."""
    if (case == "gaps" and who in WHOLE_ONLY) or (case in ("3x100", "4x100") and who in FEW_VALUES):
        return False
    return task in WHO[who][2]


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    who, case, task, source = sys.argv[1:5]
    path = file_of(case)
    given = path if source == "file" else _frame(path)
    work = WHO[who][0](task, CASES[case][2])
    seconds, value = best_time(lambda: work(given), 0.5)
    print(json.dumps({"seconds": seconds, "value": value}))
