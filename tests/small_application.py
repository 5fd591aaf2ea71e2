"""Saves of Django's test client take the way they take on a server: the small application first, then Django."""

import pytest


class AtOnce:
    """Commits in the thread that asks, as a test looks into the same database right afterwards."""

    def __init__(self):
        self.answered = 0

    async def save(self, sent):
        from accord.server.quick_save import committed

        told = committed([sent])[0]
        self.answered += told is not None
        return told


@pytest.fixture(autouse=True)
def saves_go(request, monkeypatch):
    """How many saves were answered beside Django, as ``answered``; ``by Django`` switches the small application off."""
    commits = AtOnce()
    if getattr(request, "param", "beside Django") == "by Django":
        return commits
    from django.test.client import ClientHandler

    by_django = ClientHandler.get_response

    def get_response(handler, asked):
        return beside_django(commits, handler, asked) or by_django(handler, asked)

    monkeypatch.setattr(ClientHandler, "get_response", get_response)
    return commits


def beside_django(commits, handler, asked):
    """The answer of the small application as the test client wants it; None where it leaves the request to Django."""
    if not asked.path_info.endswith("/save"):
        return None
    from django.http import HttpResponse

    from accord.server.quick_save import QuickSave

    environ = {**asked.environ, "QUERY_STRING": asked.environ.get("QUERY_STRING", "")}
    if not handler.enforce_csrf_checks:
        token = "a" * 32
        environ["HTTP_COOKIE"] = f"{environ.get('HTTP_COOKIE', '')}; accord_csrf={token}"
        environ["HTTP_X_CSRFTOKEN"] = token
    told = without_a_loop(QuickSave(commits).answer(environ, asked.body))
    return told and HttpResponse(told.body, status=told.status, headers=dict(told.headers))


def without_a_loop(coroutine):
    """What it returns: it waits for nothing, and Django wants no running loop around its queries."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waits for something")
