"""A client that sends or reads slowly, or too much, takes nothing from the others."""

import asyncio
import socket
import urllib.request

import pytest

from accord.server.gateway import Gateway, Limits

PATIENCE = 0.9 * Limits().seconds
"""As long as a busy machine may take: before the server gives up those who are idle."""


def post(address, path, length, body=b"a"):
    connection = socket.create_connection(("127.0.0.1", address))
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n"
    connection.sendall(head.encode() + body)
    return connection


def test_thirty_idle_sockets_do_not_stop_the_site(served):
    """Each posts to the log-in with a body that never ends; there are far fewer threads than sockets."""
    idle = [post(served.port, "/organiser/login", 1000) for _ in range(60)]
    try:
        with urllib.request.urlopen(f"{served.address}/", timeout=PATIENCE) as answer:
            assert answer.status == 200
    finally:
        for connection in idle:
            connection.close()


def test_large_bodies_that_are_only_announced_stop_nobody(served):
    """More than all requests may have together is announced, and a byte of each is sent."""
    announced = [post(served.port, "/api/v1/study", 21_000_000) for _ in range(8)]
    announced += [post(served.port, "/save", 1_000_000) for _ in range(140)]
    try:
        for length in (900, 300_000):
            with post(served.port, "/save", length, b"a" * length) as connection:
                connection.settimeout(PATIENCE)
                assert b" 503 " not in connection.recv(200)
    finally:
        for connection in announced:
            connection.close()


def test_a_request_that_is_too_large_is_refused_before_it_is_read(served):
    with post(served.port, "/organiser/login", 50_000_000) as connection:
        connection.settimeout(PATIENCE)
        assert b" 413 " in connection.recv(200)


class Headers(dict):
    def items(self):
        return [
            (name, one) for name, value in super().items() for one in ([value] if isinstance(value, str) else value)
        ]


class Scope:
    http_version, server, client, scheme = "1.1", "127.0.0.1:8000", "[2001:db8::1]:5000", "http"
    query_string, path = "q=%20y", "/é x"

    def __init__(self, method="POST", **headers):
        self.method = method
        self.headers = Headers({name.replace("_", "-"): value for name, value in headers.items()})


class Wire:
    """A connection that delivers these chunks, then nothing for ever if it is told to stall."""

    def __init__(self, *chunks, stalls=False):
        self.chunks, self.stalls, self.body = chunks, stalls, b""

    async def __call__(self):
        if self.stalls:
            await asyncio.Event().wait()
        return b"".join(self.chunks)

    async def __aiter__(self):
        for chunk in self.chunks:
            yield chunk
        if self.stalls:
            await asyncio.Event().wait()

    def response_bytes(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def response_str(self, status, headers, body):
        self.response_bytes(status, headers, body.encode())

    def response_stream(self, status, headers):
        self.status, self.headers = status, headers
        return self

    async def send_bytes(self, chunk):
        self.body += chunk


def through(application, scope, wire, **limits):
    asyncio.run(Gateway(application, 1, Limits(**limits)).__rsgi__(scope, wire))
    return wire


def repeating(environ, start):
    start("200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])
    return [environ["wsgi.input"].read()]


def never_called(environ, start):
    raise AssertionError("this request must not reach Django")


def test_a_whole_request_arrives_and_its_answer_leaves():
    wire = through(repeating, Scope(content_length="5"), Wire(b"ab", b"cde"))
    assert (wire.status, wire.body) == (200, b"abcde")
    assert wire.headers == [("content-type", "text/plain"), ("set-cookie", "a=1"), ("set-cookie", "b=2")]


@pytest.mark.parametrize(
    ("scope", "wire", "limits", "status"),
    [
        (Scope(content_length="9"), Wire(b"ab", stalls=True), {"seconds": 0.05}, 408),
        (Scope(content_length="9"), Wire(b"ab"), {}, 400),
        (Scope(content_length="nine"), Wire(b"ab"), {}, 400),
        (Scope(content_length="11"), Wire(b"a" * 11), {"body": 10}, 413),
        (Scope(content_length="9"), Wire(b"a" * 9), {"small": 4, "together": 8}, 503),
        (Scope(content_length="9"), Wire(b"a" * 5, b"a"), {"small": 4}, 400),
        (Scope(content_length="9"), Wire(b"a", stalls=True), {"small": 4, "seconds": 0.05}, 408),
        (Scope(transfer_encoding="chunked"), Wire(b"ab"), {}, 411),
    ],
    ids=[
        "never ends",
        "breaks off",
        "no number",
        "too large",
        "too much together",
        "large and breaks off",
        "large and never ends",
        "no length",
    ],
)
def test_a_request_that_does_not_arrive_whole_never_reaches_django(scope, wire, limits, status):
    assert through(never_called, scope, wire, **limits).status == status


def test_bodies_that_arrived_or_failed_make_room_for_others():
    gateway = Gateway(repeating, 1, Limits(seconds=0.05, small=4, together=10))
    for chunks, stalls in (((b"a" * 9,), False), ((b"a",), True), ((b"a" * 9,), False)):
        wire = Wire(*chunks, stalls=stalls)
        asyncio.run(gateway.__rsgi__(Scope(content_length="9"), wire))
    assert wire.status == 200


def test_an_answer_that_fails_half_way_is_an_error_and_never_a_short_file(caplog):
    def table(environ, start):
        start("200 OK", [("Content-Type", "text/csv")])
        yield b"rater,value\n"
        raise ValueError("a value that cannot be written")

    wire = through(table, Scope("GET"), Wire())
    assert wire.status == 500 and b"rater" not in wire.body
    assert "cannot be written" in caplog.text


def test_a_large_answer_leaves_whole_with_its_length():
    def table(environ, start):
        start("200 OK", [("Content-Type", "text/csv")])
        return (b"%06d\n" % row for row in range(300_000))

    wire = through(table, Scope("GET"), Wire())
    assert len(wire.body) == 2_100_000 and wire.body.endswith(b"299999\n")
    assert ("content-length", "2100000") in wire.headers


def test_a_header_with_an_underscore_cannot_pose_as_another():
    seen = {}

    def application(environ, start):
        seen.update(environ)
        start("204 No Content", [])
        return []

    scope = Scope("GET", x_forwarded_for="203.0.113.9", cookie=["a=1", "b=2"])
    scope.headers["x_forwarded_for"] = "198.51.100.1"
    through(application, scope, Wire())
    assert seen["HTTP_X_FORWARDED_FOR"] == "203.0.113.9" and seen["HTTP_COOKIE"] == "a=1; b=2"
    assert seen["REMOTE_ADDR"] == "2001:db8::1" and seen["PATH_INFO"].encode("latin-1").decode() == "/é x"
