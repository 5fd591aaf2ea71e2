"""Histories, lists of errors and comparisons whose columns have the names that people give them."""

from accord.scoring.history import read_history
from accord.scoring.mqm import read_mqm_errors
from accord.scoring.preference_rows import read_preferences


def written(tmp_path, text):
    path = tmp_path / "sheet.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_german_history_has_its_scores_and_days(tmp_path):
    found = read_history(written(tmp_path, "Datum;Anbieter;Punktzahl\n03.02.2026;X;78,5\n01.02.2026;X;81,0\n"))
    assert [(one.score, one.day.isoformat()) for one in found.evaluations] == [
        (81.0, "2026-02-01"), (78.5, "2026-02-03"),
    ]  # fmt: skip


def test_errors_have_a_type_and_a_severity_in_other_languages(tmp_path):
    rows = "1;Ann;Accuracy/Mistranslation;Major\n2;Ann;Fluency/Grammar;Minor\n"
    for header in ("Satz;Prüfer;Fehlertyp;Schweregrad", "Segmento;Revisor;Tipo de error;Gravedad"):
        errors = read_mqm_errors(written(tmp_path, header + "\n" + rows))
        assert len(errors) == 2


def test_comparisons_name_two_systems_and_a_winner(tmp_path):
    found = read_preferences(written(tmp_path, "Satz,Bewerter,System A,System B,Winner\n1,Ann,x,y,x\n2,Ann,x,y,tie\n"))
    assert [(one.first, one.second, one.winner) for one in found] == [("x", "y", "x"), ("x", "y", "")]
