"""``accord rank`` on the tables people hold: an item for each system, no documents, criteria without order."""

import pytest

SYSTEMS = {"Alpha": 4, "Beta": 3, "Gamma": 1}


@pytest.fixture
def table(tmp_path):
    """ID, System, Annotator and two criteria; 12 items, no documents."""
    rows = ["ID,Text,System,Annotator,Fluency,Kind"]
    for item in range(12):
        for system, good in SYSTEMS.items():
            for rater in ("Anna", "Bert"):
                value = min(5, max(1, good + (item + len(rater)) % 2))
                rows.append(f"{item},Satz {item},{system},{rater},{value},{'style' if item % 2 else 'terms'}")
    path = tmp_path / "table.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_an_item_that_every_system_has_is_what_they_are_compared_on(table, accord_command):
    done = accord_command("rank", table, "--value", "Fluency", "--direction", "high")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Alpha is best") and "Gamma is last" in done.stdout


def test_without_documents_no_word_speaks_of_them(table, accord_command):
    told = " ".join(accord_command("rank", table, "--value", "Fluency", "--direction", "high").stdout.split())
    assert "means over segments" in told and "for other segments like these" in told
    assert "means over documents" not in told and "other documents" not in told


def test_few_segments_are_a_caution(table, accord_command, tmp_path):
    few = tmp_path / "few.csv"
    few.write_text("\n".join(table.read_text(encoding="utf-8").splitlines()[:19]) + "\n", encoding="utf-8")
    assert "share only 3 segments" in accord_command("rank", few, "--value", "Fluency", "--direction", "high").stdout


def test_criteria_without_an_order_are_named_and_the_others_ranked(table, accord_command):
    done = accord_command("rank", table, "--value", "Fluency", "--value", "Kind", "--direction", "Fluency:high")
    assert done.returncode == 0, done.stderr
    assert "Fluency: Alpha is best" in done.stdout and "Not ranked, as their values have no order: Kind." in done.stdout


def test_what_holds_for_one_criterion_only_is_said_with_its_name(tmp_path, accord_command):
    rows = ["item,segment,system,rater,criterion,value,role"]
    for item in range(12):
        for system, good in SYSTEMS.items():
            rated = f"{item}:{system},{item},{system},Anna"
            rows += [f"{rated},{criterion},{good + item % 2},system" for criterion in ("fluency", "style")]
        rows.append(f"{item}:Alpha#bad,{item},Alpha,Anna,fluency,1,degraded")
    path = tmp_path / "checked.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    told = " ".join(accord_command("rank", path, "--direction", "high", "--keep-all").stdout.split())
    assert "fluency: 12 ratings of control items (degraded) are left out" in told
