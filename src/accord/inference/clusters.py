"""Units that are more than an item: documents and other clusters of items that are resampled whole."""

from dataclasses import replace

import numpy as np

from accord.inference.statistic import SumStatistic
from accord.ratings.counts import Integers

__all__ = ["clustered"]


def clustered(statistic: SumStatistic, cluster: Integers, pattern: Integers) -> SumStatistic:
    """The same statistics with clusters as units: the features of a cluster are the sums over its items.

    ``cluster[i]`` and ``pattern[i]`` say for item i which cluster it belongs to and which row of
    ``statistic.features`` it is.
    """
    from scipy.sparse import csr_matrix

    clusters = int(cluster.max()) + 1 if len(cluster) else 0
    shape = (clusters, len(statistic.features))
    members = csr_matrix((np.ones(len(cluster)), (cluster, pattern)), shape=shape)
    return replace(
        statistic, features=np.asarray(members @ statistic.features), multiplicity=np.ones(clusters, dtype=np.int64)
    )
