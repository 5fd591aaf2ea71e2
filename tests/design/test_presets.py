"""What a preset is called where somebody chooses one for texts of their own."""

import pytest

from accord.design.preset import protocol_title


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
