"""What a preset is called where somebody chooses one, and that its rules can leave somebody out."""

import tomllib

import pytest

from accord.design.preset import PRESETS, copy_preset, protocol_title


@pytest.mark.parametrize(
    ("preset", "title"),
    [
        ("mqm", "Errors by category and severity"),
        ("monolingual", "Adequacy against a reference"),
        ("document-context", "Sentences alone, sentences in context, documents"),
    ],
)
def test_a_protocol_is_named_without_the_languages_of_its_texts(preset, title):
    assert protocol_title(preset) == title


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_no_rule_of_a_preset_asks_for_more_than_a_whole(preset, tmp_path):
    """ESA left out whoever missed more than all planted phrases: nobody."""
    copy_preset(preset, tmp_path / "study")
    rules = tomllib.loads((tmp_path / "study" / "study.toml").read_text(encoding="utf-8")).get("exclusions", [])
    for rule in rules:
        if rule["rule"] in ("repeats_differ", "gold_wrong", "attention_failed"):
            assert rule.get("limit", 0.5) < 1, rule
