"""What the scores of other tools mean where the format itself says it: level, unit, and which end is good."""

from accord.design.criterion import Criterion
from accord.design.scale import Direction, Level, Scale

__all__ = ["CATEGORIES", "HUMAN_SCORE", "MQM_SCORE", "NUMBER_OF_SPANS", "POINTS", "SCORE_TO_100", "STARS"]

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
CATEGORIES = Criterion(kind="categories", scale=Scale(Level.NOMINAL, (), direction=Direction.NONE))
STARS = Criterion(kind="scale", unit="stars", scale=Scale(Level.ORDINAL, ()))
POINTS = Criterion(kind="scale", unit="points", scale=Scale(Level.INTERVAL, ()))
NUMBER_OF_SPANS = Criterion(
    kind="spans",
    unit="spans",
    definition="how many stretches of the text a rater marked",
    scale=Scale(Level.INTERVAL, ()),
)
