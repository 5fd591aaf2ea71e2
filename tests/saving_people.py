"""Raters without a browser who save as the page does, and send again what was not acknowledged, as its queue does."""

import json
import re
import threading
import time
import urllib.request
from http.client import HTTPException
from http.cookiejar import CookieJar
from uuid import uuid4

from saved_history import UNKNOWN, History


class Person:
    """Comes in by the link, reads what comes first, and then saves; the history holds what was sent and answered."""

    def __init__(self, address, link, history=None):
        self.address, self.history = address, history or History()
        self.revision = 0
        self.jar = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.get(link)
        for page, form in (("welcome", "consent=yes"), ("about-you", "native=another"), ("guidelines", "")):
            self.get(f"{address}/{page}")
            self.post(f"{address}/{page}", form.encode(), "application/x-www-form-urlencoded")
        page = self.get(f"{address}/work").decode()
        work = json.loads(re.search(r'<script id="work" type="application/json">(.*?)</script>', page, re.S)[1])
        self.tasks = [screen["id"] for screen in work["screens"] if screen["scenario"] == "alone"]

    def get(self, address):
        return self.opener.open(address, timeout=60).read()

    def post(self, address, body, kind):
        token = next(cookie.value for cookie in self.jar if cookie.name == "accord_csrf")
        request = urllib.request.Request(address, body, {"Content-Type": kind, "X-CSRFToken": token})
        return self.opener.open(request, timeout=60).read()

    def entry(self):
        """The next judgement: each corrects an earlier one."""
        self.revision += 1
        return {
            "uuid": str(uuid4()), "kind": "judgement", "task": self.tasks[self.revision % len(self.tasks)],
            "criterion": "quality", "place": 0, "value": self.revision % 101, "revision": self.revision,
        }  # fmt: skip

    def send(self, entry):
        """What the server says of it; raises where no answer came."""
        self.history.sent(entry)
        try:
            body = json.dumps({"entries": [entry]}).encode()
            told = json.loads(self.post(f"{self.address}/save", body, "application/json"))["results"][0]["status"]
        except BaseException:
            self.history.answered(entry["uuid"], UNKNOWN)
            raise
        self.history.answered(entry["uuid"], told)
        return told

    def save(self):
        """One judgement; returns its uuid once the server has acknowledged it."""
        entry = self.entry()
        assert self.send(entry) == "saved"
        return entry["uuid"]

    def save_until(self, stop):
        """Save on and on; what was not acknowledged is sent again."""
        waiting = None
        while not stop.is_set():
            waiting = waiting or self.entry()
            try:
                assert self.send(waiting) == "saved"
                waiting = None
            except (OSError, HTTPException, json.JSONDecodeError):
                time.sleep(0.05)


def while_saving(people, act):
    """Do something while everybody saves."""
    stop = threading.Event()
    threads = [threading.Thread(target=person.save_until, args=(stop,)) for person in people]
    for thread in threads:
        thread.start()
    try:
        act()
    finally:
        stop.set()
        for thread in threads:
            thread.join(90)
