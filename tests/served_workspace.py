"""A workspace with a real server on it, and people with a browser each, as far as forms and cookies go."""

import http.cookiejar
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from uuid import uuid4

from served_study import Served

PASSWORD = "a long pass phrase"


class Browser:
    """One person: cookies by address, forms with their token."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.status, self.url = 0, ""

    def get(self, path: str, **headers: str) -> str:
        return self._open(urllib.request.Request(self._whole(path), headers=headers))

    def post(self, path: str, form: dict[str, str], page: str | None = None) -> str:
        """Send the form of a page; the page is opened first, as people do."""
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(page or path))
        fields = {**form, "csrfmiddlewaretoken": token[1] if token else ""}
        data = urllib.parse.urlencode(fields).encode()
        return self._open(urllib.request.Request(self._whole(path), data, {"Referer": self._whole(page or path)}))

    def upload(self, path: str, name: str, content: bytes) -> str:
        """Send a file as a browser does."""
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(path))
        edge = uuid4().hex
        fields = {"csrfmiddlewaretoken": token[1] if token else "", "what": "table"}
        parts = [f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{fields[key]}\r\n' for key in fields]
        parts += [f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n']
        parts += ["Content-Type: application/octet-stream\r\n\r\n"]
        body = "".join(parts).encode() + content + f"\r\n--{edge}--\r\n".encode()
        headers = {"Content-Type": f"multipart/form-data; boundary={edge}", "Referer": self._whole(path)}
        return self._open(urllib.request.Request(self._whole(path), body, headers))

    def _whole(self, path: str) -> str:
        return path if path.startswith("http") else self.address + path

    def _open(self, request: urllib.request.Request) -> str:
        try:
            answer = self.opener.open(request, timeout=120)
        except urllib.error.HTTPError as error:
            answer = error
        self.status, self.url = answer.status, answer.url
        return answer.read().decode()


class Workspace(Served):
    """A server process on a folder of study folders."""

    def __init__(self, folder: Path, **options: object) -> None:
        super().__init__(folder, **options)
        while "\nStop with" not in self.output:
            assert self.process.poll() is None, self.output
            time.sleep(0.05)
        self.said = self.output

    @property
    def owner_link(self) -> str:
        return re.search(r"http\S+/join/\S+", self.said)[0]

    def owner(self, name: str = "ola") -> Browser:
        """Whoever makes the first account."""
        return self.joined(self.owner_link, name)

    def joined(self, link: str, name: str) -> Browser:
        browser = Browser(self.address)
        browser.post(link, {"username": name, "password1": PASSWORD})
        assert browser.status == 200 and browser.url == f"{self.address}/", browser.url
        return browser

    def stranger(self) -> Browser:
        return Browser(self.address)
