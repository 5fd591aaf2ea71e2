"""Design: say what is asked of whom."""
