"""One peer on one case, in the peer's own environment: prints its best time and its value as JSON."""

import json
import sys
import time
import warnings
from collections.abc import Callable
from itertools import combinations

import data
import numpy as np

warnings.simplefilter("ignore")
Work = Callable[[], float]


def sklearn_cohen(table: np.ndarray) -> Work:
    from sklearn.metrics import cohen_kappa_score

    columns = list(table.T)
    return lambda: float(np.mean([cohen_kappa_score(a, b) for a, b in combinations(columns, 2)]))


def rater_agreement_cohen(table: np.ndarray) -> Work:
    from raters.agreement import cohen_kappa

    columns, categories = [column.tolist() for column in table.T], np.unique(table).tolist()
    return lambda: float(np.mean([cohen_kappa(a, b, categories) for a, b in combinations(columns, 2)]))


def krippendorff_ordinal(table: np.ndarray) -> Work:
    import krippendorff

    return lambda: float(krippendorff.alpha(table.T, level_of_measurement="ordinal"))


def evalica_ordinal(table: np.ndarray) -> Work:
    import evalica
    import pandas as pd

    frame = pd.DataFrame(table.T)
    return lambda: float(evalica.alpha(frame, "ordinal").alpha)


def evalica_interval(table: np.ndarray) -> Work:
    import evalica
    import pandas as pd

    frame = pd.DataFrame(table.T)
    return lambda: float(evalica.alpha(frame, "interval").alpha)


def krippendorff_interval(table: np.ndarray) -> Work:
    import krippendorff

    return lambda: float(krippendorff.alpha(table.T, level_of_measurement="interval"))


def statsmodels_fleiss(table: np.ndarray) -> Work:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    return lambda: float(fleiss_kappa(aggregate_raters(table)[0]))


def irrcac_fleiss(table: np.ndarray) -> Work:
    import pandas as pd
    from irrCAC.raw import CAC

    frame = pd.DataFrame(table)
    return lambda: float(CAC(frame).fleiss()["est"]["coefficient_value"])


def krippendorff_bootstrap(table: np.ndarray) -> Work:
    """A tenth of the replicates, as all take most of a minute; the time is multiplied by ten."""
    import krippendorff

    counts = np.stack([(table == value).sum(axis=1) for value in range(4)], axis=1)
    rng = np.random.default_rng(0)

    def work() -> float:
        draws = [
            krippendorff.alpha(
                value_counts=counts[rng.integers(0, len(counts), len(counts))], level_of_measurement="nominal"
            )
            for _ in range(100)
        ]
        return float(np.mean(draws))

    return work


def agreement_bootstrap(table: np.ndarray) -> Work:
    from agreement.metrics import krippendorffs_alpha

    counts = np.stack([(table == value).sum(axis=1) for value in range(4)], axis=1)
    rng = np.random.default_rng(0)

    def work() -> float:
        draws = [krippendorffs_alpha(counts[rng.integers(0, len(counts), len(counts))]) for _ in range(1000)]
        return float(np.mean(draws))

    return work


def scipy_tau(table: np.ndarray) -> Work:
    """No Python package has gamma for this size; Kendall's τ-b counts the same pairs."""
    from scipy.stats import kendalltau

    return lambda: float(kendalltau(table[:, 0], table[:, 1]).statistic)


def pingouin_icc(table: np.ndarray) -> Work:
    import pandas as pd
    import pingouin

    items, raters = table.shape
    frame = pd.DataFrame(
        {
            "item": np.repeat(np.arange(items), raters),
            "rater": np.tile(np.arange(raters), items),
            "value": table.ravel(),
        }
    )

    def work() -> float:
        return float(pingouin.intraclass_corr(frame, targets="item", raters="rater", ratings="value")["ICC"].iloc[1])

    return work


PEERS: dict[str, dict[str, tuple[Callable[[np.ndarray], Work], str, float]]] = {
    "cohen": {"rater-agreement": (rater_agreement_cohen, "peers", 1), "scikit-learn": (sklearn_cohen, "peers", 1)},
    "alpha_ordinal": {"evalica": (evalica_ordinal, "peers", 1), "krippendorff": (krippendorff_ordinal, "peers", 1)},
    "fleiss": {"irrCAC": (irrcac_fleiss, "irrcac", 1), "statsmodels": (statsmodels_fleiss, "peers", 1)},
    "bootstrap": {
        "agreement": (agreement_bootstrap, "peers", 10), "krippendorff": (krippendorff_bootstrap, "peers", 100),
    },
    "gamma": {"scipy (τ-b)": (scipy_tau, "peers", 1)},
    "icc": {"pingouin": (pingouin_icc, "peers", 1)},
    "alpha_interval": {"evalica": (evalica_interval, "peers", 1), "krippendorff": (krippendorff_interval, "peers", 1)},
}  # fmt: skip
"""Case -> peer -> (how it works, the environment it lives in, by how much its time is multiplied)."""


def best_time(work: Work, seconds: float = 1.0) -> tuple[float, float]:
    """The best of several runs in processor time, which other work on the machine disturbs least, and the value.

    What is short is run many times for one reading: a machine that is shared accounts for time in steps, and the
    least of many readings of a few milliseconds was once 0.
    """
    times: list[float] = []
    value = work()
    begin = time.process_time()
    work()
    often = max(1, round(SHORTEST / max(time.process_time() - begin, 1e-4)))
    start = time.perf_counter()
    while not times or time.perf_counter() - start < seconds:
        begin = time.process_time()
        for _ in range(often):
            value = work()
        times.append((time.process_time() - begin) / often)
    return min(times), value


SHORTEST = 0.1
"""Seconds that one reading of the clock spans."""


if __name__ == "__main__":
    case, peer = sys.argv[1:3]
    make, _, times_more = PEERS[case][peer]
    seconds, value = best_time(make(data.CASES[case][1]()))
    print(json.dumps({"seconds": seconds * times_more, "value": value}))
