"""The tables of a workspace as they grew."""
