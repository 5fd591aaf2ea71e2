"""Numbers with a point."""
