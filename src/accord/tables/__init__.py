"""Tables: one layout for every table of results, whoever shows it, and what every result can do."""
