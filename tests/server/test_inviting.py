"""Handing out invitations: each link reaches one place, can be renewed, and a participant gets one place only."""

import csv
import io
import re

import pytest


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


def test_who_came_in_by_the_old_link_stays_in_until_the_open_sessions_are_ended(organiser, client, rater):
    from django.test import Client

    person, token = rater
    client.get(f"/i/{token}")
    form, stays = {"rater": person.pseudonym}, "Whoever is already in by the old link stays in"
    assert stays in organiser.get("/organiser/people").content.decode()
    page = organiser.post("/organiser/new-link", form).content.decode()
    assert page.count(stays) == 2, "before it is done, and after"
    assert client.get("/welcome").status_code == 200
    page = organiser.post("/organiser/new-link", {**form, "end": "yes"}).content.decode()
    assert "Open sessions that were ended: 1." in page and page.count(stays) == 1
    assert client.get("/welcome").status_code == 401
    (new,) = links(page)
    other = Client(headers={"host": "127.0.0.1"})
    assert other.get(new.partition("127.0.0.1")[2]).status_code == 302
    assert organiser.get("/organiser/people").status_code == 200, "nobody else is put out"


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


PLACEHOLDERS = ("PARTICIPANT", "{{%PROLIFIC_PID%}}", "", "two words")


@pytest.mark.parametrize("name", PLACEHOLDERS, ids=["other", "prolific", "none", "not-a-name"])
def test_a_link_that_no_platform_filled_in_lets_nobody_in_and_says_why(organiser, client, name):
    from accord.server.models import Rater

    page = organiser.post("/organiser/crowd", {"platform": "other"}).content.decode()
    assert "instead of the words PARTICIPANT and SESSION" in page
    link = re.search(r'<code id="crowd">http://127.0.0.1(/join/[\w-]+)\?', page)[1]
    before = Rater.objects.count()
    answer = client.get(link, {"participant": name, "session": "SESSION"})
    assert answer.status_code == 404 and "does not say who you are" in answer.content.decode()
    assert Rater.objects.count() == before


def test_a_visit_that_no_platform_named_opens_nobody_s_work(organiser, client):
    from django.test import Client

    page = organiser.post("/organiser/crowd", {"platform": "other"}).content.decode()
    link = re.search(r'<code id="crowd">http://127.0.0.1(/join/[\w-]+)\?', page)[1]
    assert client.get(f"{link}?participant=w2&session=SESSION")["Location"] == "/welcome", "a short name is one"
    client.post("/welcome", {"consent": "yes"})
    stranger = Client(headers={"host": "127.0.0.1"})
    assert stranger.get(f"{link}?participant=w2&session=SESSION").status_code == 403


def test_links_for_platforms_are_listed_and_take_nobody_new_once_they_are_stopped(organiser, client):
    from django.test import Client

    page = organiser.post("/organiser/crowd", {"platform": "prolific", "code": "CODE-77"}).content.decode()
    link = re.search(r'<code id="crowd">http://127.0.0.1(/join/[\w-]+)\?', page)[1]
    came = f"{link}?PROLIFIC_PID=5f00000000000000000000d1&SESSION_ID=s1"
    assert client.get(came).status_code == 302
    page = organiser.get("/organiser/people").content.decode()
    listed = re.search(r"<li[^>]*>(?:(?!</li>).)*CODE-77.*?</li>", page, re.S)[0]
    assert "People who came by it: 1" in listed
    organiser.post(re.search(r'action="([^"]+/stop)"', listed)[1])
    assert "takes nobody new" in organiser.get("/organiser/people").content.decode()
    assert client.get(came).status_code == 302, "who came by it goes on"
    stranger = Client(headers={"host": "127.0.0.1"})
    answer = stranger.get(f"{link}?PROLIFIC_PID=5f00000000000000000000d2&SESSION_ID=s2")
    assert answer.status_code == 403 and "takes nobody new any more" in answer.content.decode()


def test_a_form_that_comes_twice_at_the_same_moment_makes_one_link(organiser):
    """Neither request has the answer of the other, nor its session: only the database knows both."""
    from django.contrib.auth import get_user
    from django.test import Client

    from accord.server.models import Rater

    twin = Client(headers={"host": "127.0.0.1"})
    twin.force_login(get_user(organiser))
    before, form = Rater.objects.count(), {"number": "1", "once": "the word of one form"}
    first, second = organiser.post("/organiser/invite", form), twin.post("/organiser/invite", form)
    assert first.status_code == 200 and second.status_code == 302
    assert Rater.objects.count() == before + 1


def test_who_comes_from_a_platform_to_a_closed_study_is_told_so_in_words_for_them(organiser, client):
    from accord.server.closing import change_study

    page = organiser.post("/organiser/crowd", {"platform": "other"}).content.decode()
    link = re.search(r'<code id="crowd">http://127.0.0.1(/join/[\w-]+)\?', page)[1]
    change_study("close", "ana")
    try:
        answer = client.get(f"{link}?participant=late&session=1")
    finally:
        change_study("reopen", "ana")
    assert answer.status_code == 409 and "takes nobody new" in answer.content.decode()


def test_the_page_of_raters_says_in_its_title_what_it_is(organiser):
    assert "<title>Raters – " in organiser.get("/organiser/people").content.decode()


def test_a_table_for_a_mail_merge_holds_no_formula(collecting):
    from accord.server.organiser.inviting import Invited, mail_merge

    rows = list(csv.reader(io.StringIO(mail_merge([Invited("R1", '=HYPERLINK("http://evil.example")', "http://x")]))))
    assert rows[1][1].startswith("'=")
