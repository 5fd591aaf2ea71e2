"""Numbers with a point, thousands with a comma."""

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
