"""Inference: intervals, bootstrap, permutation, multiple tests."""
