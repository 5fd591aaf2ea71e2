"""What the scores of other tools mean where the format itself says it: level, unit, and which end is good."""

from accord.design.criterion import Criterion
from accord.design.scale import Direction, Level, Scale

__all__ = ["HUMAN_SCORE", "MQM_SCORE", "SCORE_TO_100"]

SCORE_TO_100 = Criterion(
    kind="slider",
    unit="points from 0 to 100",
    definition="direct assessment or ESA: 100 is best",
    scale=Scale(Level.INTERVAL, (), direction=Direction.HIGH),
)
MQM_SCORE = Criterion(
    kind="spans",
    unit="MQM points",
    definition="minus the weighted errors: 0 is best",
    scale=Scale(Level.INTERVAL, (), direction=Direction.HIGH),
)
HUMAN_SCORE = Criterion(
    unit="points",
    definition="a human score of a segment; more is better, also for MQM, which is at most 0",
    scale=Scale(Level.INTERVAL, (), direction=Direction.HIGH),
)
