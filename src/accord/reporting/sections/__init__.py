"""The sections of a report, one file each: from results to words, tables and charts."""
