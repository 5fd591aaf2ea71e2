"""Scoring: scores and decisions, from one scarce score to a ranking of systems."""
