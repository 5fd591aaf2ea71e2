"""Handing out invitations: each link reaches one place, can be renewed, and a participant gets one place only."""

import csv
import io
import re


def links(page):
    return re.findall(r"<code id=\"link-\d+\">(http[^<]+)</code>", page)


def test_new_links_come_with_a_qr_code_and_a_table_for_a_mail_merge(organiser):
    page = organiser.post("/organiser/invite", {"number": "2"}).content.decode()
    found = links(page)
    assert len(found) == 2 and page.count('class="qr"') == 2 and "<svg" in page
    merge = re.search(r'<textarea id="merge"[^>]*>(.*?)</textarea>', page, re.S)[1]
    rows = list(csv.DictReader(io.StringIO(merge.replace("&quot;", '"'))))
    assert [row["link"] for row in rows] == found and all(row["link"] in row["message"] for row in rows)


def test_a_qr_code_says_the_link(organiser):
    """Read back from the modules of a second drawing of the same words."""
    import segno

    from accord.server.organiser.inviting import Invited

    link = "http://127.0.0.1/i/abc"
    assert Invited("R1", "", link).qr_code == segno.make(link, error="m").svg_inline(
        scale=4, border=2, dark="#000", light="#fff"
    )


def test_a_renewed_link_opens_the_same_place_and_the_old_one_nothing(organiser, client, rater):
    person, token = rater
    page = organiser.post("/organiser/new-link", {"rater": person.pseudonym}).content.decode()
    (new,) = links(page)
    assert client.get(f"/i/{token}").status_code == 404
    assert client.get(new.partition("127.0.0.1")[2]).status_code == 302
    assert client.session["rater"] == person.pk


def test_nobody_s_link_is_not_renewed(organiser):
    assert organiser.post("/organiser/new-link", {"rater": "nobody"}).status_code == 400


def test_reminders_name_those_who_have_not_finished(organiser, rater):
    page = organiser.get("/organiser/people").content.decode()
    assert f"{rater[0].pseudonym}: You have " in page


def test_a_participant_has_one_place_whatever_the_address_says(organiser, client):
    from accord.server.models import Rater

    page = organiser.post("/organiser/crowd", {"platform": "other", "code": "DONE-1"}).content.decode()
    link = re.search(r'<code id="crowd">http://127.0.0.1(/join/[\w-]+)\?', page)[1]
    before = Rater.objects.count()
    for name in ("participant=anna-0001", "participant=berta-0002", "PROLIFIC_PID=5f00000000000000000000cc"):
        assert client.get(f"{link}?{name}").status_code == 302
    assert Rater.objects.count() == before + 1
    assert Rater.objects.get(crowd_id="anna-0001").entrance.completion_code == "DONE-1"


def test_a_platform_s_link_returns_to_an_https_address_only(organiser):
    form = {"platform": "prolific", "address": "http://example.org"}
    assert organiser.post("/organiser/crowd", form).status_code == 400
    page = organiser.post("/organiser/crowd", {**form, "address": "https://example.org/done"}).content.decode()
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in page


def test_what_raters_said_of_themselves_is_a_table(organiser, working):
    page = organiser.get("/organiser/people").content.decode()
    assert "What raters said of themselves" in page
    assert re.search(rf'<th scope="row">{working.rater.pseudonym}</th><td class="wrap">Portuguese</td>', page)
