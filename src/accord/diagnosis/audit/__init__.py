"""Audit: whether published reliability numbers can be true, from the printed numbers alone."""

from accord.diagnosis.audit.bootstrap import ReportedBootstrap, audit_bootstrap
from accord.diagnosis.audit.grim import Grim, grim_mean, grim_percentage, numbers_of_items_that_fit
from accord.diagnosis.audit.report import Audit, audit_table
from accord.diagnosis.audit.reported import ReportedRow, read_reported

__all__ = [
    "Audit", "Grim", "ReportedBootstrap", "ReportedRow", "audit_bootstrap", "audit_table", "grim_mean",
    "grim_percentage", "numbers_of_items_that_fit", "read_reported",
]  # fmt: skip
