"""Planning: interval widths, power, hours and simulated raters, before collecting."""
