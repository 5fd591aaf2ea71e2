"""The pictures of the documentation are there, small, and named where they are shown."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOW = "make them with: .venv/bin/python tools/make_screenshots.py"


def _tool():
    spec = importlib.util.spec_from_file_location("make_screenshots", ROOT / "tools" / "make_screenshots.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()


@pytest.mark.parametrize("name", TOOL.PICTURES)
def test_every_picture_is_there_and_small(name):
    path = TOOL.FOLDER / name
    assert path.exists(), HOW
    assert path.read_bytes()[8:12] == b"WEBP"
    assert path.stat().st_size < 150_000


def test_the_documentation_opens_with_the_product_and_the_first_five_minutes():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert (
        index.index("_static/product/report.webp") < index.index("## The first five minutes") < index.index("toctree")
    )


def test_every_picture_that_a_page_shows_exists_and_has_words():
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        text = page.read_text(encoding="utf-8")
        for name in re.findall(r"_static/product/([\w.-]+)", text):
            assert name in TOOL.PICTURES, f"{page.name} shows {name}: {HOW}"
        for tag in re.findall(r"<img[^>]*_static/product[^>]*>", text):
            assert re.search(r'alt="[^"]{20,}"', tag), page.name


@pytest.mark.parametrize("name", TOOL.SAID)
def test_the_pictures_find_what_the_demonstration_says(name):
    said = (ROOT / "src" / "accord" / "cli" / "demo.py").read_text(encoding="utf-8")
    assert TOOL.SAID[name].search(said.replace("{address}", "http://127.0.0.1:8000").replace("{password}", "secret"))
