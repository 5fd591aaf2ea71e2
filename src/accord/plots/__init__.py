"""Plots: draw plain numbers."""
