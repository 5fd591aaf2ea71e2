"""The name of the file that makes a folder a study."""

__all__ = ["STUDY_FILE"]

STUDY_FILE = "study.toml"
