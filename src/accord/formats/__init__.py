"""Formats: read and write other tools' files, and report every repaired row."""
