"""The reference page of study.toml is what the models say."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _tool():
    spec = importlib.util.spec_from_file_location("make_study_page", ROOT / "tools" / "make_study_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_committed_page_is_current():
    tool = _tool()
    assert tool.PAGE.read_text("utf-8") == tool.page(), "run: python tools/make_study_page.py"


def test_every_field_of_every_table_has_words():
    tool = _tool()
    for title, model in tool._models():
        assert model.__doc__, title
        assert all(field.description for field in model.model_fields.values()), title
