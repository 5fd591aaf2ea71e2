"""Agreement: the coefficients and their registry, from counts to numbers."""
