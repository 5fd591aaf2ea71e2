"""Take the pictures of the documentation from the demonstration study: ``.venv/bin/python tools/make_screenshots.py``.

They show the program as it is: nothing in them is drawn by hand. ``--check`` says whether pages changed since.
"""

import base64
import hashlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "_static" / "product"
MADE_FROM = FOLDER / "made-from.txt"
PICTURES = {
    "report.webp": "the first screen of a report",
    "report-phone.webp": "the same on a phone, in the dark",
    "rating.webp": "what a rater sees",
    "dashboard.webp": "what an organiser sees",
}
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is there; else the one that Playwright brought."""
_PAGES = ("src/accord/look", "src/accord/reporting", "src/accord/server/static", "src/accord/server/templates")
SAID = {
    "rater": re.compile(r"Judge as [\w ]+? {2,}(\S+)"),
    "organiser": re.compile(r"organiser's page\s+(\S+)"),
    "password": re.compile(r"password ([^)]+)\)"),
}
"""What ``accord demo`` says of its addresses; a test holds it to the words there."""
_WIDTH, _HEIGHT, _PHONE, _LOW = 1280, 860, 390, 500


def made_from() -> str:
    """A fingerprint of all files that the look of the pages depends on."""
    digest = hashlib.sha256()
    for folder in _PAGES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".css", ".js", ".html", ".j2"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def check() -> int:
    missing = [name for name in PICTURES if not (FOLDER / name).exists()]
    if missing:
        print(f"Missing: {', '.join(missing)}. Make them: .venv/bin/python tools/make_screenshots.py")
        return 1
    if MADE_FROM.read_text(encoding="utf-8").strip() != made_from():
        print(
            "Pages changed since the pictures were taken. Take them again: .venv/bin/python tools/make_screenshots.py"
        )
        return 1
    print("The pictures show the pages as they are.")
    return 0


def make() -> None:
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, served(Path(scratch) / "study") as demo, sync_playwright() as play:
        found = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox"])
        take(browser, "report.webp", lambda page: page.goto(demo["report"]))
        take(browser, "report-phone.webp", lambda page: page.goto(demo["report"]), width=_PHONE, scheme="dark")
        take(browser, "rating.webp", lambda page: open_rating(page, demo["rater"]), height=_LOW)
        take(browser, "dashboard.webp", lambda page: open_dashboard(page, demo))
        browser.close()
    MADE_FROM.write_text(f"{made_from()}\n", encoding="utf-8")


@contextmanager
def served(folder: Path) -> Iterator[dict[str, str]]:
    """The demonstration study on a free port: addresses of its report, a rater's invitation, the organiser's page."""
    port = free_port()
    accord = [sys.executable, "-m", "accord"]
    options = ["--prepare-only", "--dir", str(folder), "--port", str(port)]
    told = subprocess.run([*accord, "demo", *options], check=True, capture_output=True, text=True).stdout
    found = {
        **{name: pattern.search(told)[1] for name, pattern in SAID.items()},
        "report": (folder / "report.html").as_uri(),
    }
    server = subprocess.Popen([*accord, "serve", str(folder), "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/health")
        yield found
    finally:
        server.terminate()
        server.wait(20)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(address: str) -> None:
    for _ in range(120):
        try:
            urllib.request.urlopen(address, timeout=2)
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise SystemExit(f"The server did not answer at {address}.")


_ANSWER = """() => {
  document.querySelectorAll("main input[type=checkbox]").forEach((box) => { if (!box.checked) box.click(); });
  const asked = new Set();
  document.querySelectorAll("main input[type=radio]").forEach((one) => {
    if (!asked.has(one.name)) { asked.add(one.name); one.click(); }
  });
}"""
"""Agrees to everything and gives the first answer to every question before the work."""


def open_rating(page: Any, address: str) -> None:
    """Through the invitation, and over what stands before the work, to the first text to judge."""
    page.goto(address)
    for _ in range(12):
        if page.locator(".texts").count():
            return
        page.evaluate(_ANSWER)
        page.locator("main button, main a.button").last.click()
        page.wait_for_load_state("networkidle")


def open_dashboard(page: Any, demo: dict[str, str]) -> None:
    page.goto(demo["organiser"])
    page.fill("input[name=username]", "demo")
    page.fill("input[name=password]", demo["password"])
    page.locator("main button[type=submit], form button").last.click()
    for _ in range(60):
        page.wait_for_timeout(2_000)
        page.goto(demo["organiser"])
        if not page.get_by_text("being computed").count():
            return


def take(
    browser: Any, name: str, opened: Callable[[Any], object], *, width: int = _WIDTH, height: int = _HEIGHT,
    scheme: str = "light",
) -> None:  # fmt: skip
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    context.set_default_timeout(120_000)
    page = context.new_page()
    opened(page)
    page.wait_for_timeout(500)
    (FOLDER / name).write_bytes(as_webp(context.new_page(), page.screenshot()))
    context.close()
    print(f"Took {name}: {(FOLDER / name).stat().st_size / 1000:.0f} kB, {PICTURES[name]}.")


def as_webp(blank: Any, png: bytes) -> bytes:
    """The picture as the browser itself packs it: a third of the size of a PNG."""
    address = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    packed = blank.evaluate(
        """async (address) => {
          const image = new Image(); image.src = address; await image.decode();
          const canvas = document.createElement("canvas");
          canvas.width = image.width; canvas.height = image.height;
          canvas.getContext("2d").drawImage(image, 0, 0);
          return canvas.toDataURL("image/webp", 0.9);
        }""",
        address,
    )
    return base64.b64decode(str(packed).split(",", 1)[1])


if __name__ == "__main__":
    sys.exit(check() if "--check" in sys.argv else make())
