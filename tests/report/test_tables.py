"""Tables: how numbers are set."""

from accord.report.tables import Column, Table


def test_a_small_probability_is_never_shown_as_nought():
    rows = [{"p": 0.00004, "value": 0.00004}, {"p": 0.0, "value": 0.0}, {"p": 0.0006, "value": None}]
    table = Table("Tests", (Column("p", "p"), Column("value", "difference")), rows)
    assert table.texts() == [["<0.001", "0.000"], ["0.000", "0.000"], ["0.001", "–"]]
    assert r"$<$0.001" in table.to_latex()
    assert "&lt;0.001" in table.to_markdown()
    assert "4e-05" in table.to_csv()
