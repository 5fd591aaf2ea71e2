"""The configuration of nginx that the documentation gives, run by a real nginx in front of a real server."""

import re
import shutil
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from saving_people import Person
from served_study import Served, free_port, make_study

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "deploy.md"
NAME = "rate.example.org"


class Nginx:
    """A proxy with the documented configuration; only names of files and ports are others."""

    def __init__(self, folder: Path, backend: int) -> None:
        program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
        if program is None or shutil.which("openssl") is None:
            pytest.skip("needs nginx and openssl (Debian: nginx-light, openssl)")
        self.port = free_port()
        make_certificate(folder)
        configuration = folder / "nginx.conf"
        configuration.write_text(whole_configuration(folder, self.port, backend))
        self.process = subprocess.Popen([program, "-c", configuration, "-p", folder, "-g", "daemon off;"])
        self.context = ssl.create_default_context(cafile=folder / "name.pem")
        self.context.check_hostname = False
        self._wait()

    def _wait(self) -> None:
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                assert self.process.poll() is None, "nginx did not start"
                time.sleep(0.1)
        raise AssertionError("nginx did not start")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    def opened(self, content: bytes) -> ssl.SSLSocket:
        """A connection on which this was sent, and nothing more."""
        connection = self.context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), timeout=60))
        connection.sendall(content)
        return connection

    def status(self, path: str, **headers: str) -> int:
        request = urllib.request.Request(f"https://127.0.0.1:{self.port}{path}", headers={"Host": NAME, **headers})
        opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=self.context))
        try:
            return int(opener.open(request, timeout=60).status)
        except urllib.error.HTTPError as error:
            return error.code


def make_certificate(folder: Path) -> None:
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    names = ["-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "name.key", "-out", folder / "name.pem"]
    subprocess.run([*command, *names], check=True, capture_output=True, timeout=60)


def whole_configuration(folder: Path, port: int, backend: int) -> str:
    """What the page says, within the frame that Debian gives to every site."""
    (site,) = re.findall(r"^```nginx\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("127.0.0.1:8000", f"127.0.0.1:{backend}"),
        ("/etc/ssl/rate.example.org.pem", f"{folder}/name.pem"),
        ("/etc/ssl/rate.example.org.key", f"{folder}/name.key"),
    ):
        assert old in site
        site = site.replace(old, new)
    kept = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    frame = f"user root;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
    return f"{frame}http {{\naccess_log off;\n{kept}{site}}}\n"


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    server = Served(make_study(tmp_path_factory.mktemp("behind") / "study"), env={"ACCORD_ORIGIN": f"https://{NAME}"})
    proxy = None
    try:
        proxy = Nginx(tmp_path_factory.mktemp("nginx"), server.port)
        yield server, proxy
    finally:
        if proxy is not None:
            proxy.stop()
        server.stop()


class Visitor(Person):
    """A rater who comes by https through the proxy."""

    def __init__(self, server, proxy):
        self.proxy = proxy
        (link,) = server.invite(1)
        super().__init__(f"https://{NAME}", link.replace(server.address, f"https://{NAME}"))

    def get(self, address):
        return self.sent(address)

    def post(self, address, body, kind):
        return self.sent(address, body, {"Content-Type": kind, "X-CSRFToken": self.kept["accord_csrf"]})

    def sent(self, address, body=None, headers=()):
        """By hand: the name is not one that a resolver knows, and cookies are for https only."""
        if not hasattr(self, "kept"):
            self.kept = {}
        for _ in range(9):
            path = address.removeprefix(f"https://{NAME}")
            lines = {"Host": NAME, "Referer": f"https://{NAME}/", "Connection": "close", **dict(headers)}
            lines["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.kept.items())
            if body is not None:
                lines["Content-Length"] = str(len(body))
            head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\n"
            head += "".join(f"{name}: {value}\r\n" for name, value in lines.items()) + "\r\n"
            status, told, content = answered(self.proxy.opened(head.encode() + (body or b"")))
            for cookie in told.get("set-cookie", []):
                assert "Secure" in cookie, cookie
                name, _, value = cookie.partition(";")[0].partition("=")
                self.kept[name] = value
            if status not in (301, 302):
                assert status == 200, (path, status, content[:300])
                return content
            address, body, headers = told["location"][0], None, ()
        raise AssertionError("redirected without end")


def answered(connection):
    """Status, headers and body of an answer after which the connection ends."""
    with connection:
        whole = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = whole.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    told: dict[str, list[str]] = {}
    for line in rest:
        name, _, value = line.partition(": ")
        told.setdefault(name.lower(), []).append(value)
    if told.get("transfer-encoding") == ["chunked"]:
        body = unchunked(body)
    return int(first.split()[1]), told, body


def unchunked(body):
    parts = []
    while body:
        size, _, rest = body.partition(b"\r\n")
        parts.append(rest[: int(size, 16)])
        body = rest[int(size, 16) + 2 :]
    return b"".join(parts)


def test_a_rater_works_through_the_documented_proxy(behind):
    server, proxy = behind
    visitor = Visitor(server, proxy)
    saved = [visitor.save() for _ in range(5)]
    assert set(saved) <= {row["uuid"] for row in server.export("--judgements")}


def test_sockets_that_stay_idle_do_not_stop_the_site_behind_the_documented_proxy(behind):
    _, proxy = behind
    head = f"POST /organiser/login HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 1000\r\n\r\na"
    idle = [proxy.opened(head.encode()) for _ in range(60)]
    try:
        assert proxy.status("/") == 200
    finally:
        for connection in idle:
            connection.close()


def test_a_network_has_so_many_connections_and_no_more(behind):
    _, proxy = behind
    head = f"POST /organiser/login HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 1000\r\n\r\na"
    idle = [proxy.opened(head.encode()) for _ in range(205)]
    try:
        assert proxy.status("/") == 429
    finally:
        for connection in idle:
            connection.close()


def test_what_is_too_large_or_a_file_is_refused_behind_the_documented_proxy(behind):
    _, proxy = behind
    head = f"POST /organiser/login HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\nContent-Length: 50000000\r\n\r\na"
    assert answered(proxy.opened(head.encode()))[0] == 413
    part = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n' + b"0" * 200_000 + b"\r\n--x--\r\n"
    head = (
        f"POST /organiser/login HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n"
        f"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {len(part)}\r\n\r\n"
    )
    assert answered(proxy.opened(head.encode() + part))[0] in (400, 403)


def test_a_forged_forwarded_for_is_not_believed_behind_the_documented_proxy(behind):
    """Whatever address a guesser claims, all wrong links come from one network and have to wait."""
    _, proxy = behind
    forged = [proxy.status(f"/i/{'x' * 27}", **{"X-Forwarded-For": f"203.0.113.{number}"}) for number in range(12)]
    assert forged[:10] == [404] * 10 and forged[10:] == [429] * 2
