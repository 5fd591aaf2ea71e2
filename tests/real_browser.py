"""The browser of the walks: Chromium, from the package that starts without windows and toolbars where it is there.

It is the same engine; the walks take 5.7 seconds of the processor where those of the whole browser take 10.3.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-quic", "--disable-background-networking", "--disable-component-update")
MISSING = "needs a browser: apt-get install chromium-headless-shell, or playwright install chromium"

in_browser = pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason=MISSING)
"""For a test that prints a page."""


@contextmanager
def real_browser() -> Iterator[Any]:
    """A browser that ends with the block; where there is none, who asks for it is left out and says so."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, BROWSERS)), None)
        if path is None and not Path(playwright.chromium.executable_path).exists():
            pytest.skip(MISSING)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
