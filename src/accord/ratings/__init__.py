"""Ratings: the one table, and the counts made of it."""
