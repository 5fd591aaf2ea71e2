"""What irrCAC (Python, 0.4.4, a port of Gwet's R package) makes of gaps.csv: python irrcac_values.py > irrcac.txt

R's irrCAC is not packaged in Debian; its printed output is compared in tests/coefficients/test_reference_numbers.py
where the shared data are there.
"""

from pathlib import Path

import pandas as pd
from irrCAC.raw import CAC

table = pd.read_csv(Path(__file__).parent / "gaps.csv", index_col="item")
for weights in ("identity", "linear", "quadratic"):
    cac = CAC(table, weights=weights, categories=[1.0, 2.0, 3.0, 4.0, 5.0], digits=10)
    for name in ("gwet", "fleiss", "krippendorff", "conger", "bp"):
        found = getattr(cac, name)()["est"]
        low, high = found["confidence_interval"]
        print(weights, name, found["coefficient_value"], found["se"], low, high)
