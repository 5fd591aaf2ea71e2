"""How numbers are written: with a point in every language, as in the field's papers and in every file of a study."""
