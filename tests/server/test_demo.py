"""The first thing a newcomer runs: the demonstration, up to its report in the browser."""

import http.cookiejar
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

from accord.cli.demo import leave
from accord.design.preset import copy_preset
from served_study import free_port


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """``accord demo`` as a newcomer starts it, with what it says until it serves."""
    port = free_port()
    place = tmp_path_factory.mktemp("newcomer")
    process = subprocess.Popen(
        [sys.executable, "-m", "accord", "demo", "--port", str(port)], cwd=place,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    said = []
    for line in process.stdout:
        said.append(line)
        if line.startswith("Stop with"):
            break
    yield f"http://127.0.0.1:{port}", "".join(said)
    process.terminate()
    told, _ = process.communicate(timeout=600)
    assert told.endswith("The demonstration is removed.\n")
    assert list(place.iterdir()) == []


def _first_page(browser: urllib.request.OpenerDirector, address: str) -> str:
    """The page, as soon as somebody listens there."""
    for _ in range(600):
        try:
            return browser.open(address, timeout=600).read().decode()
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError(f"nobody listens at {address}")


def _signed_in(address: str, password: str) -> urllib.request.OpenerDirector:
    cookies = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    page = _first_page(browser, f"{address}/sign-in")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    form = urllib.parse.urlencode({"csrfmiddlewaretoken": token, "username": "demo", "password": password}).encode()
    browser.addheaders = [("Referer", f"{address}/sign-in")]
    browser.open(f"{address}/sign-in", form, timeout=600)
    return browser


def test_the_organiser_of_the_demonstration_gets_its_report(demo):
    """It hung for good when the charts of the first report were drawn before the workers were forked."""
    address, said = demo
    browser = _signed_in(address, re.search(r"password (\S+)\)", said)[1])
    report = browser.open(f"{address}/s/demo/organiser/export/report.html", timeout=600)
    assert report.status == 200 and b"<svg" in report.read()


def test_the_demonstration_opens_the_home_of_all_studies(demo):
    address, said = demo
    browser = _signed_in(address, re.search(r"password (\S+)\)", said)[1])
    home = browser.open(f"{address}/", timeout=600).read().decode()
    assert "/s/demo/organiser" in home and "New study" in home
    rater = re.search(r"Judge as the ninth\s+(\S+)", said)[1]
    newcomer = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    assert newcomer.open(rater, timeout=600).url == f"{address}/s/demo/welcome"


def test_a_study_made_beside_the_demonstration_is_kept_when_it_stops(tmp_path):
    for number, name in enumerate(("accord-studies", "accord-studies-2"), 1):
        scratch = tmp_path / "demo"
        for key in ("demo", "mine"):
            copy_preset("direct-assessment", scratch / key)
        (scratch / "mine" / "written.txt").write_text("by hand", encoding="utf-8")
        told = leave(scratch, tmp_path, 8123)
        assert f"kept in {tmp_path / name}," in told and told.endswith(f"accord serve {tmp_path / name} --port 8123")
        assert (tmp_path / name / "mine" / "written.txt").read_text(encoding="utf-8") == "by hand"
        assert not scratch.exists(), number


def test_whoever_typed_run_is_told_to_type_run_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ACCORD_CALLED_AS", "./run")
    copy_preset("direct-assessment", tmp_path / "demo" / "mine")
    told = leave(tmp_path / "demo", tmp_path, 8123)
    assert told.endswith(f"with: ./run serve {tmp_path / 'accord-studies'} --port 8123")
    started = (Path(__file__).parents[2] / "run").read_text(encoding="utf-8")
    assert "export ACCORD_CALLED_AS" in started


def test_a_demonstration_that_nobody_added_to_is_removed(tmp_path):
    copy_preset("direct-assessment", tmp_path / "demo" / "demo")
    assert leave(tmp_path / "demo", tmp_path, 8000) == "The demonstration is removed."
    assert list(tmp_path.iterdir()) == []
