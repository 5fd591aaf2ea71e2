"""Diagnosis: what is wrong with the ratings, and with whom."""
