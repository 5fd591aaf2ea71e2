"""What a stranger was misled by: old numbers, fast raters, which end is good, dashes, links that multiply."""

import re

import pytest

pytestmark = pytest.mark.usefixtures("organised")


@pytest.fixture
def computed(organised):
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    refresh(here=True)
    return latest_snapshot()


def test_the_overview_says_how_old_its_numbers_are(organiser, computed):
    from accord.server.organiser.dashboard import age_of

    assert "judgements ago" not in organiser.get("/organiser").content.decode()
    computed.state, computed.judgements = "another", computed.judgements - 7
    assert age_of(computed, computed.judgements + 7) == {"is_current": False, "newer": 7}
    computed.save()
    page = organiser.get("/organiser").content.decode()
    assert "are of 7 judgements ago; new ones are being computed" in page
    computed.delete()


def test_a_state_counts_answers_as_the_overview_does(organiser, computed):
    from accord.server.organiser.progress import progress

    assert computed.judgements == progress().judgements


def test_raters_far_faster_than_declared_are_noted_even_if_all_are(organiser, organised, monkeypatch):
    from accord.server.organiser import progress, watched
    from accord.server.study import current

    told = organiser.get("/organiser/quality").content.decode()
    note = told[told.index("Far faster") :].partition("</p>")[0]
    assert re.findall(r">(R\d)</a>", note) == ["R5"], "who hurries, by 1.2 s a screen, and nobody else"
    monkeypatch.setitem(current().settings.cost.__dict__, "seconds_per_item", 2_000.0)
    for kept in (progress._KEPT, watched._KEPT):
        kept.clear()
    counted = progress.progress()
    assert {one.name for one in counted.hasty} == {one.name for one in counted.raters if one.done >= 5}
    page = organiser.get("/organiser/quality").content.decode()
    assert "Far faster than the study expects" in page and "instead of 2000" in page and "no verdict" in page
    for kept in (progress._KEPT, watched._KEPT):
        kept.clear()


def test_the_score_leads_the_ranking_and_the_good_end_is_said(organiser, computed):
    from accord.server.organiser.ranked import shown_ranking

    made = computed.results["rankings"]["made"]
    led = [one["criterion"] for one in made]
    assert "marks" in led and led[-1] == "marks" and len(led) > 1
    assert shown_ranking(next(one for one in made if one["criterion"] == "marks")).is_low_good
    assert "high is good" in organiser.get("/organiser").content.decode()
    assert "low is good" in organiser.get("/organiser/results").content.decode()


def test_the_report_leads_with_the_same_ranking_and_notes_who_hurries(organiser, computed):
    from accord.reporting.compose import compose
    from accord.server.organiser.ratings import all_ratings
    from accord.server.organiser.watched import hasty_raters

    made = compose(all_ratings(), seed=1, hasty=hasty_raters())
    ranked = next(one for one in made.sections if one.key == "ranking")
    led = [one["criterion"] for one in computed.results["rankings"]["made"]]
    first = next(block.table.title for block in ranked.blocks if hasattr(block, "table"))
    assert led[0] in first and "marks" not in first
    raters = next(one for one in made.sections if one.key == "raters")
    assert raters.finding.endswith("1 rater worked far faster than the study expects.")
    assert raters.blocks[0].text.startswith("Far faster than the study expects: R5 ")
    assert "instead of 30" in raters.blocks[0].text and "no verdict" in raters.blocks[0].text
    assert made.subtitle.endswith("; systems under codes; raters under pseudonyms")
    assert compose(all_ratings(named=True), seed=1).subtitle.endswith("under their own names; raters under pseudonyms")


def test_one_of_two_raters_left_out_leaves_no_agreement_and_the_page_says_so_once(organiser):
    from django.template.loader import render_to_string

    from accord.server.organiser.effect import Effect
    from accord.server.organiser.kept_effect import ShownEffect

    gone = ShownEffect([Effect("score", "alpha", 0.8, None), Effect("score", "kappa", 0.7, None)])
    page = render_to_string("organiser/parts/effect.html", {"effect": gone})
    assert "no agreement is left" in page and "–" not in page
    kept = ShownEffect([Effect("score", "alpha", 0.8, None), Effect("score", "kappa", 0.7, 0.6)])
    assert "no agreement is left" not in render_to_string("organiser/parts/effect.html", {"effect": kept})


def test_loading_the_page_of_a_new_link_again_makes_no_other_link(organiser):
    from accord.server.models import Rater

    page = organiser.get("/organiser/people").content.decode()
    address = "/organiser/new-link"
    word = re.search(rf'action="{address}".*?name="once" value="([^"]+)"', page, re.S)
    form = {"rater": "R1", "once": word[1]}
    first = organiser.post(address, form)
    assert first.status_code == 200 and "New invitations" in first.content.decode()
    made = Rater.objects.get(pseudonym="R1").invitation_hash
    again = organiser.post(address, form)
    assert again.status_code == 302 and Rater.objects.get(pseudonym="R1").invitation_hash == made
    assert "A link is shown once" in organiser.get(again["Location"]).content.decode()


def test_who_asks_for_more_links_than_places_is_told_and_a_full_plan_says_what_to_do(organiser, monkeypatch):
    from accord.server.views import organiser as page_of

    assert 'max="' not in re.search(r'<input id="number"[^>]*>', organiser.get("/organiser/people").content.decode())[0]
    monkeypatch.setattr(page_of, "free_places", lambda: 0)
    full = organiser.get("/organiser/people").content.decode()
    assert "places of the plan are given out" in full and 'action="/organiser/replace"' not in full


def test_a_wrong_address_of_the_organiser_speaks_of_the_study_and_not_of_a_link(organiser):
    answer = organiser.get("/organiser/nowhere")
    assert answer.status_code == 404 and "Its overview leads" in answer.content.decode()


def test_the_coefficient_of_a_criterion_leads_and_the_others_are_folded(organiser, computed):
    page = organiser.get("/organiser/agreement/quality").content.decode()
    leading, folded = page.split("Other coefficients:", 1)
    assert leading.count('<tr><th scope="row">') == 1 and folded.count('<tr><th scope="row">') > 3


def test_the_list_of_raters_marks_who_is_left_out(organiser):
    def marked():
        page = organiser.get("/organiser/people").content.decode()
        rows = re.findall(r'<tr><th scope="row"><a href="/organiser/raters/(R\d+)">.*?</tr>', page, re.S)
        return {
            name
            for name in rows
            if 'tag error">left out' in page.split(f"/organiser/raters/{name}")[1].split("</tr>")[0]
        }

    organiser.post("/organiser/raters/R2/decide", {"action": "exclude", "reason": "one value throughout"})
    assert "R2" in marked()
    organiser.post("/organiser/raters/R2/decide", {"action": "include", "reason": "a mistake"})
    assert "R2" not in marked()


def test_points_of_a_light_error_are_told_as_they_are():
    from accord.server.organiser.ruled import _weight_in_words

    assert [_weight_in_words(number) for number in (0.25, 5.0, 10.0, 1.5)] == ["0.25", "5", "10", "1.5"]
