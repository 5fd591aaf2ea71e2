"""Report: tell it to a person."""
