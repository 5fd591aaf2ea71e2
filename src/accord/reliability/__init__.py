"""Reliability: choose the coefficients that fit, compute, attach intervals and cautions."""
