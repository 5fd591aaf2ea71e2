"""A report as PDF, printed by a browser where one is present."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from accord.errors import OperationError

__all__ = ["to_pdf"]

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "microsoft-edge", "chromium-headless-shell")


def to_pdf(page: str, target: Path) -> None:
    """Print a page to a file; the browser gets no network and a profile of its own."""
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise OperationError(
            "A PDF is printed by a browser, and none was found (chromium, google-chrome). "
            "Install one, or write report.html and print it from yours."
        )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "report.html"
        source.write_text(page, encoding="utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--no-first-run", f"--user-data-dir={folder}/profile",
            "--no-pdf-header-footer", f"--print-to-pdf={Path(folder) / 'report.pdf'}", source.as_uri(),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)  # noqa: S603
        printed = Path(folder) / "report.pdf"
        if not printed.exists():
            raise OperationError(f"The browser could not print the report: {done.stderr.strip()[-300:]}")
        shutil.copyfile(printed, target)
