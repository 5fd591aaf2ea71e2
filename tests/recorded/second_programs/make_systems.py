"""Write systems.csv, the ratings that the R script and the tests share: 5 systems, 6 documents, 3 raters."""

import csv
from pathlib import Path

import numpy as np

rng = np.random.default_rng(16)
DOCUMENTS, SEGMENTS = 6, 4
quality = np.array([70.0, 68, 66, 60, 59])
document = rng.normal(0, 4, (5, DOCUMENTS))
taste = rng.normal(0, 3, (5, 3))
with (Path(__file__).parent / "systems.csv").open("w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("item", "rater", "value", "system", "document", "segment"))
    for d in range(DOCUMENTS):
        for k in range(SEGMENTS):
            hard = rng.normal(0, 6)
            for s in range(5):
                for r in range(3):
                    value = quality[s] + hard + document[s, d] + taste[s, r] + rng.normal(0, 7)
                    writer.writerow((f"{s}:{d}:{k}", f"r{r}", round(value, 1), f"S{s}", f"d{d}", f"k{k}"))
