"""Comparisons: reliability between conditions, rounds and groups."""
