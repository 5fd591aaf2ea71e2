"""A tutorial for each language pair in one file: raters practise in the languages of their study."""

import json
import re

import pytest

from empty_database import opened_study
from served_study import ALL_KINDS, make_study

PRACTICE = """
[[practice]]
pair = "PAIR"
source = "SOURCE"
target = "TARGET"
criterion = "meaning"
expected = [3]
"""
TUTORIALS = [("en-pt", "It rains.", "Chove."), ("en-de", "It rains.", "Es regnet."), ("pt-en", "Chove.", "It rains.")]


def practised(folder, settings):
    """The texts that a new rater practises on."""
    from django.db import connections
    from django.test import Client

    more = "".join(
        PRACTICE.replace("PAIR", pair).replace("SOURCE", source).replace("TARGET", target)
        for pair, source, target in TUTORIALS
    )
    opened_study(make_study(folder, settings + more))
    from accord.server.invitations import invite_raters

    client = Client(headers={"host": "127.0.0.1"})
    client.get(f"/i/{invite_raters(1)[0][1]}")
    client.post("/welcome", {"consent": "yes"})
    client.post("/about-you", {"native": "Portuguese"})
    client.post("/guidelines")
    page = client.get("/work").content.decode()
    work = json.loads(re.search(r'<script id="work" type="application/json">(.*?)</script>', page, re.S)[1])
    connections.close_all()
    return [work["contexts"][one["context"]][0]["targets"][0] for one in work["screens"] if "practice" in one]


@pytest.mark.parametrize(
    "languages, own",
    [
        ('source = "en"\ntarget = "pt"', "Chove."),
        ('source = "en"\ntarget = "de"', "Es regnet."),
        ('source = "en"\ntarget = "fr"', None),
    ],
)
def test_raters_practise_what_is_for_their_pair_and_what_is_for_any(tmp_path, languages, own):
    settings = ALL_KINDS.replace('source = "en"\ntarget = "pt"', languages)
    assert practised(tmp_path / "study", settings) == ["O gato dorme.", *([own] if own else [])]
