"""Ranking of systems: which differ, how sure, and between which ranks each may lie."""

from accord.scoring.ranking.paired import Averaging
from accord.scoring.ranking.presets import Preset
from accord.scoring.ranking.rank import rank, rank_criteria
from accord.scoring.ranking.resampling import ResamplingUnit
from accord.scoring.ranking.result import PairTest, RankedSystem, Ranking

__all__ = ["Averaging", "PairTest", "Preset", "RankedSystem", "Ranking", "ResamplingUnit", "rank", "rank_criteria"]
