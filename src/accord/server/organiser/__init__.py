"""The organiser's side: reliability while it is collected, quality control, guideline rounds, arbitration."""
