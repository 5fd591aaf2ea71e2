"""The dashboard and the way down: numbers are the library's own, from the judgements as they are."""

import csv
import io
import re
from types import SimpleNamespace

import pytest

import accord


@pytest.fixture(scope="module")
def results(organised):
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    assert refresh(here=True)
    return latest_snapshot().results


def csv_of(client, path):
    text = b"".join(client.get(path).streaming_content).decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_reliability_is_what_the_library_computes_on_the_downloaded_ratings(organiser, results, tmp_path):
    file = tmp_path / "analysed.csv"
    file.write_bytes(b"".join(organiser.get("/organiser/files/analysed.csv").streaming_content))
    ratings = accord.read(file, level="ordinal").only(criterion="meaning")
    value = accord.agreement(ratings, coefficients="krippendorff_alpha")["krippendorff_alpha"]
    group = next(group for group in results["groups"] if group["criterion"] == "meaning")
    assert group["main"]["value"] == pytest.approx(value.value, abs=1e-12)
    assert value.interval is None and group["main"]["low"] is None, "two documents are too few for an interval"
    assert ratings.raters == group["raters"] == 4


def test_no_control_item_is_among_the_analysed_ratings(organiser, results):
    rows = csv_of(organiser, "/organiser/files/analysed.csv")
    assert {row["role"] for row in rows} <= {"system", "gold"}
    assert not [row for row in rows if "#" in row["item"]]
    assert {row["system"] for row in rows} == {"system-1", "system-2"}


def test_results_are_computed_once_for_a_state_and_again_after_a_new_judgement(results):
    from uuid import uuid4

    from django.utils import timezone

    from accord.server.guidelines import latest
    from accord.server.models import Judgement, Rater
    from accord.server.models_organiser import Snapshot
    from accord.server.organiser.snapshot import refresh

    count = Snapshot.objects.count()
    refresh(here=True)
    assert Snapshot.objects.count() == count
    task = Rater.objects.first().tasks.filter(role="system").first()
    Judgement.objects.create(
        uuid=uuid4(), task=task, criterion="meaning", place=0, value=1, guideline=latest(), revision=2,
        made_at=timezone.now(),
    )  # fmt: skip
    refresh(here=True)
    assert Snapshot.objects.count() == count + 1
    kept = list(Snapshot.objects.all())
    assert all(one.headline for one in kept) and [bool(one.results) for one in kept] == [False] * count + [True]


def test_a_decision_that_is_taken_back_brings_the_old_numbers_back(organiser, results):
    from accord.server.organiser.results_page import shown_results
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    def alpha():
        refresh(here=True)
        return latest_snapshot().results["groups"][0]["main"]["value"]

    def so_far():
        return {point["value"] for group in shown_results()["groups"][:1] for point in group["history"]}

    before = alpha()
    organiser.post("/organiser/raters/R5/decide", {"action": "exclude", "reason": "one value throughout"})
    without = alpha()
    assert without > before and {before, without} <= so_far()
    organiser.post("/organiser/raters/R5/decide", {"action": "include", "reason": "a mistake"})
    assert alpha() == before
    assert without not in so_far() and before in so_far(), "the course keeps nothing of a decision that was undone"


def test_a_hundred_open_pages_start_one_computation(organised, monkeypatch):
    from accord.server.models_organiser import Computation, Snapshot
    from accord.server.organiser import snapshot

    started = []
    monkeypatch.setattr(snapshot, "start", lambda: started.append(1))
    monkeypatch.setattr(snapshot, "state_of_judgements", lambda: "a new state")
    monkeypatch.setattr(snapshot, "_latest_state", lambda: None)
    for _ in range(100):
        assert snapshot.refresh()
    assert started == [1]
    Computation.objects.update(started_at=None)
    assert not Snapshot.objects.filter(state="a new state").exists()


def test_the_dashboard_says_what_is_needed_and_shows_agreement_beside_correlation(organiser, results):
    from accord.server.organiser.needed import what_is_needed
    from accord.server.organiser.ratings import collect

    page = organiser.get("/organiser/results").content.decode()
    # Two documents give no interval, so nothing is forecast from one; over items there is one to forecast from.
    assert "At this rate" not in page
    ratings = collect().ordinary("meaning", ())
    over_items = accord.agreement(ratings, coefficients="krippendorff_alpha", resample="item")["krippendorff_alpha"]
    assert re.search(r"At this rate [\d,]+ more items?.* for ±0\.05", what_is_needed(ratings, over_items).words)
    assert "Of pairs, mean unweighted κ" in page and "γ beside it" in page
    assert "Of pairs, mean κ, weighted by the squared distance, of 0." in page, "scores from 0 to 100"
    assert "R5" in page and "gave the value 2 to all" in page
    assert "data-live=" in page and "<script" in page and "style=" not in page


def test_the_heading_is_the_finding_with_the_numbers_behind_it(organiser, results):
    page = organiser.get("/organiser").content.decode()
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", page)[1]
    assert heading == results["answer"]["sentence"].replace("system-", "System ") and "udgements" in heading
    standing = page[page.index("<h1") : page.index('id="live-state"')]
    assert standing.count("<dt") == 3 and "Screens done" in standing
    alphas = [group["main"]["value"] for group in results["groups"] if group["main"]]
    assert f"{min(alphas):.2f}" in standing and f"{max(alphas):.2f}" in standing
    first = next(one for one in results["findings"] if one["severity"] in ("error", "warning"))
    assert f"{first['criterion']}{first['join']} " in standing
    assert page.count('class="button primary"') == 1, "one primary action"


def test_results_of_an_older_version_are_computed_again(results):
    from accord.server.models_organiser import Snapshot
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    last = latest_snapshot()
    Snapshot.objects.filter(pk=last.pk).update(results={k: v for k, v in last.results.items() if k != "answer"})
    assert refresh(here=True)
    assert latest_snapshot().results["answer"] == last.results["answer"]


@pytest.mark.parametrize(
    ("key", "state", "nearest"),
    [
        ("answered", (4, 90, "Fine.", False, ""), (4, 90, "", True, "")),
        ("nobody_invited", (0, 0, "", False, ""), (1, 0, "", False, "")),
        ("nothing_judged", (1, 0, "", False, ""), (1, 1, "", False, "")),
        ("few", (2, 3, "", False, ""), (2, 4, "", False, "")),
        ("computing", (2, 4, "", True, ""), (2, 4, "", False, "")),
        ("problem", (2, 4, "", False, "Nobody counts."), (2, 4, "", False, "")),
        ("not_computed", (2, 4, "", False, ""), (2, 4, "", True, "")),
    ],
)
def test_not_computed_yet_is_said_apart_from_none(key, state, nearest):
    from accord.sentences import chosen
    from accord.server.organiser.opening import OPENINGS, State

    assert chosen(OPENINGS, State(*state)).key == key
    assert chosen(OPENINGS, State(*nearest)).key != key
    assert len({one.words(State(1, 1, "Fine.", False, "")) for one in OPENINGS}) == len(OPENINGS)


def test_the_page_is_updated_by_parts(organiser, results):
    for address, parts, table in (
        ("/organiser", {"sanity", "standing", "growth", "coverage", "apart", "ranking", "look", "pace"}, "coverage"),
        ("/organiser/results", {"reliability", "findings", "shares", "people", "judges"}, "reliability"),
    ):
        page, answer = organiser.get(address).content.decode(), organiser.get(f"{address}/live").json()
        assert set(answer["parts"]) == parts and "<table" in answer["parts"][table]
        assert all(f'data-live="{name}"' in page for name in parts)


def test_progress_agrees_with_what_raters_see(organised):
    from accord.server.models import Rater
    from accord.server.organiser.progress import progress
    from accord.server.progress import current_judgements, done_tasks, settled_questions
    from accord.server.study import current

    counted = progress()
    study = current()
    for rater in Rater.objects.all():
        tasks = list(rater.tasks.exclude(role="practice"))
        judged = current_judgements([task.pk for task in tasks])
        done = done_tasks(study, tasks, settled_questions(study, judged))
        told = next(one for one in counted.raters if one.name == rater.pseudonym)
        assert (told.done, told.tasks) == (len(done), len(tasks))
        assert told.minutes == pytest.approx(sum(row.seconds for row in judged.values()) / 60, abs=0.5)
    assert {share.name for share in counted.groups} == {"novice", "expert"}
    assert counted.cost == pytest.approx(counted.hours * 30.0)


def test_one_can_go_from_a_coefficient_to_a_judgement(organiser, results):
    page = organiser.get("/organiser/agreement/meaning").content.decode()
    pair = re.search(r'href="(/organiser/pairs/meaning/[^"]+)"', page)[1]
    page = organiser.get(pair).content.decode()
    item = re.search(r'href="(/organiser/items/[^"]+)"', page)[1]
    page = organiser.get(item).content.decode()
    assert "The text in its context" in page and "Source " in page
    assert page.count("<tr>") >= 4 and "R1" in page and "most" in page


def test_an_item_shows_corrections_comments_and_the_guideline_version(organiser, organised):
    from uuid import uuid4

    from accord.ratings.study_codebook import system_names
    from accord.server.models import Rater, Remark
    from accord.server.study import current

    rater = Rater.objects.first()
    task = rater.tasks.filter(role="system").first()
    Remark.objects.create(uuid=uuid4(), rater=rater, task=task, about="item", text="What is <i>hoje</i>?")
    name = f"{task.item}:{system_names(current().study)[task.systems[0]]}"
    page = organiser.get(f"/organiser/items/{name}").content.decode()
    assert "What is &lt;i&gt;hoje&lt;/i&gt;?" in page and "corrected later" in page
    assert "&lt;b&gt;today&lt;/b&gt;" in page and "alpha" not in page.replace("Texto alpha", "")


def test_an_item_that_does_not_exist_is_not_found(organiser):
    for path in ("items/nothing", "pairs/meaning/R1/R99", "agreement/nothing", "raters/R99", "files/secrets.csv"):
        assert organiser.get(f"/organiser/{path}").status_code == 404


def test_pairs_list_the_widest_gaps_first(organised, results):
    from accord.server.organiser.drill_down import pair_items
    from accord.server.organiser.ratings import collect

    rows = pair_items(collect().ordinary("quality"), "R1", "R2").rows
    gaps = [row["gap"] for row in rows]
    assert gaps == sorted(gaps, reverse=True) and gaps[0] > 0


def test_questions_are_answered_where_they_are_read(organiser, organised):
    from uuid import uuid4

    from accord.server.models import Rater, Remark

    remark = Remark.objects.create(uuid=uuid4(), rater=Rater.objects.first(), about="question", text="May I skip?")
    assert "May I skip?" in organiser.get("/organiser/comments").content.decode()
    assert organiser.post(f"/organiser/comments/{remark.pk}", {"answer": "Yes."}).status_code == 302
    remark.refresh_from_db()
    assert remark.answer == "Yes." and remark.answered_at is not None


def test_a_slow_count_is_renewed_beside_the_page_that_asks(organised, monkeypatch):
    import threading
    import time

    from accord.server.organiser import progress as module

    monkeypatch.setattr(module, "_FRESH", 0.0)
    monkeypatch.setattr(module, "_COSTS", 0)
    monkeypatch.setattr(module, "_SLOW", 0.0)
    kept, made = module.Kept(), []

    allowed = threading.Event()

    def slow():
        allowed.wait(60)
        made.append(1)
        return len(made)

    allowed.set()
    assert kept.get("study", slow) == 1
    allowed.clear()
    assert kept.get("study", slow) == 1 and len(made) == 1, "the old count is handed out, nobody waits for the new"
    allowed.set()
    for _ in range(400):
        if len(made) == 2:
            break
        time.sleep(0.05)
    assert kept.value == 2
    assert kept.get("another study", slow) == 3, "another study waits for its own count"


def test_the_dashboard_sends_a_hundred_raters_of_a_crowd_and_says_where_the_others_are(organiser, results, monkeypatch):
    from accord.server.organiser import results_page

    monkeypatch.setattr(results_page, "_MOST_RATERS", 2)
    page = organiser.get("/organiser/results").content.decode()
    people = page[page.index('data-live="people"') :]
    assert people.count("<progress") == 2 and "All 4 raters" in people


def test_of_a_crowd_no_table_of_each_rater_with_each_is_made(organised, monkeypatch):
    from django.template.loader import render_to_string

    from accord.server.organiser import analysis
    from accord.server.organiser.ratings import collect

    ratings = collect().ordinary("meaning")
    monkeypatch.setattr(analysis, "_CROWD", 2)
    found = analysis.analyse(ratings)
    keys = {one["coefficient"] for one in found["groups"][0]["estimates"]}
    assert {"krippendorff_alpha", "gwet_ac2"} <= keys and not keys & {"gamma", "cohen_kappa_linear", "icc_a1"}
    assert found["groups"][0]["pairs"] == [] and found["groups"][0]["crowd"] == 2
    page = render_to_string("organiser/agreement.html", {"groups": found["groups"], "criterion": {"key": "meaning"}})
    assert "With more than 2 raters" in page
    assert all("every second rater" in one["remark"] for one in found["findings"])


def test_the_page_of_a_pair_reads_only_what_the_two_said(organiser, organised, results, monkeypatch):
    from accord.server.organiser import drill_down, ratings

    whole = {key: ratings.collect().ordinary(key) for key in ("meaning", "quality", "marks")}
    monkeypatch.setattr(ratings, "collect", None)
    for criterion in ("meaning", "quality", "marks"):
        raters = whole[criterion].rater.names[:2]
        alone = drill_down.both_rated(criterion, *raters)
        assert alone == drill_down.pair_items(whole[criterion], *raters) and len(alone.rows) > 10
    assert organiser.get("/organiser/pairs/meaning/R1/nobody").status_code == 404
    assert organiser.get("/organiser/pairs/nothing/R1/R2").status_code == 404


def test_a_repeat_is_named_on_the_page_of_its_item(organiser, organised):
    from accord.server.models import Task
    from accord.server.organiser.judgements import item_of, said_about
    from accord.server.study import current

    repeat = Task.objects.filter(occasion=2, judgements__isnull=False).first()
    name = f"{repeat.item}:system-1"
    if not any(one.occasion == 2 for one in said_about(current(), item_of(current(), name))):
        name = f"{repeat.item}:system-2"
    page = organiser.get(f"/organiser/items/{name}").content.decode()
    assert page.count('<span class="tag note">repeat</span>') == 3, "one for each criterion"


def test_small_drawings_keep_to_their_axis():
    from accord.server.organiser.drawing import interval_bars, sparkline

    alpha = {"coefficient": "krippendorff_alpha", "value": 0.5, "low": 0.25, "high": 0.75, "level": 0.95}
    other = {**alpha, "coefficient": "percent_agreement", "low": None, "high": None}
    drawn, bare, none = interval_bars([alpha, other, None])
    assert 'class="range" x1="25.0%" x2="75.0%"' in drawn and "0.50, 95% interval 0.25 to 0.75" in drawn
    assert drawn.count('class="mark"') == 2, ".667 and .8"
    assert bare.count('class="mark"') == 0 and "0.50, no interval" in bare, "no threshold of another scale"
    assert none == ""
    below, inside = interval_bars([{**alpha, "value": -0.5, "low": -1.0, "high": 0.0}, alpha])
    assert 'x1="0.0%" x2="50.0%"' in below and 'x1="62.5%" x2="87.5%"' in inside, "one axis for both"
    states = [{"value": v, "low": v - 0.1, "high": v + 0.1, "judgements": n} for v, n in ((0.2, 10), (0.9, 30))]
    line = sparkline(states)
    assert line.line == "4.0,26.4 116.0,6.8" and line.end == (116.0, 6.8) and line.zero == 32.0
    assert sparkline(states[:1]) is None
    assert sparkline([{**states[0], "low": -0.3}, states[1]]).zero == 18.0, "half way up where values may be negative"


def test_a_part_without_a_name_is_called_so():
    from accord.ratings.build import build_ratings

    columns = {"item": ["a", "b"], "rater": ["x", "x"], "value": ["1", "2"], "phase": ["", "round-2"]}
    titles = {part.title for part in build_ratings(columns).split(("phase",))}
    assert titles == {"no phase", "phase round-2"}


def test_what_looks_wrong_in_the_ratings_stands_first(organiser, results):
    from django.template.loader import render_to_string

    odd = {"code": "reversed", "message": "rater02 orders the items against all others.", "who": ["rater02"]}
    assert "orders the items against all others" in render_to_string("organiser/parts/sanity.html", {"sanity": [odd]})
    page = organiser.get("/organiser").content.decode()
    assert page.index('data-live="sanity"') < page.index('data-live="standing"')


def test_a_group_without_an_interval_says_so_and_leaves_no_empty_sentence(organiser):
    from django.template.loader import render_to_string

    from accord.server.organiser import results_page as dashboard

    main = {"coefficient": "gwet_ac2", "title": "Gwet's AC2", "value": 0.5, "low": None, "high": None, "level": None,
            "method": "", "items": 5, "raters": 2, "cautions": [], "reading": "", "signature": ""}  # fmt: skip
    group = {"criterion": "meaning", "title": "meaning", "main": main, "needed": None, "side": None, "items": 5,
             "raters": 2, "history": [], "by": {}}  # fmt: skip
    context = {
        "groups": dashboard._drawn([group]), "coefficient": dashboard._heading([group]),
        "intervals": dashboard._intervals([group]), "snapshot": {"judgements": 10, "fingerprint": "x", "seconds": 1},
    }  # fmt: skip
    text = render_to_string("organiser/parts/reliability.html", context)
    assert "no interval" in text and "[–" not in text and "<p>." not in text
    assert "Gwet&#x27;s AC2</th>" in text and "Intervals: none." in text
    several = [group, {**group, "main": {**main, "title": "Krippendorff's α", "method": "bootstrap", "level": 0.9}}]
    assert dashboard._heading(several) == "Coefficient" and dashboard._intervals(several) == "bootstrap, 90%"


def test_texts_on_which_raters_differ_are_those_that_the_report_calls_disputed(organiser, results):
    from accord.diagnosis.items import disputed_items
    from accord.diagnosis.part import parts_of
    from accord.ratings.apart import kept_apart
    from accord.server.organiser.ratings import collect

    ratings = collect().analysed()
    found = [disputed_items(part, most=10**6, agreed=0) for part in parts_of(ratings, kept_apart(ratings))]
    names = {one.item for each in found for one in each.most}
    assert results["differ"]["texts"] == len(names)
    assert results["differ"]["far"] == sorted({one.far for one in found} - {0.0})
    assert max(results["differ"]["by"].values()) <= len(names) <= sum(results["differ"]["by"].values())
    page = organiser.get("/organiser").content.decode()
    assert f"Texts on which raters differ: {len(names)}" in page
    for far in results["differ"]["far"]:
        assert f"more than {far:g} apart" in page
    for group in results["groups"]:
        assert all(one["apart"] is None or one["apart"] > 0 for one in group["disputed"])


def test_systems_are_ranked_from_the_file_of_analysed_ratings(organiser, results, tmp_path):
    file = tmp_path / "analysed.csv"
    file.write_bytes(b"".join(organiser.get("/organiser/files/analysed.csv").streaming_content))
    assert {row["segment"] for row in csv_of(organiser, "/organiser/files/analysed.csv")} - {""}
    scored = accord.read(file, level="interval", direction="high").only(criterion="meaning")
    assert {one.name for one in accord.rank(scored).systems} == {"system-1", "system-2"}


def test_a_pair_shows_no_number_of_an_earlier_state_beside_what_is_counted_now(organiser, results, monkeypatch):
    from accord.server.organiser import snapshot

    assert " κ " in organiser.get("/organiser/pairs/meaning/R1/R2").content.decode()
    monkeypatch.setattr(snapshot, "state_of_judgements", lambda: "another state")
    monkeypatch.setattr(snapshot, "refresh", lambda: False)
    page = organiser.get("/organiser/pairs/meaning/R1/R2").content.decode()
    assert " κ " not in page and "Newer judgements are being counted." in page
    assert "Newer judgements are being counted." in organiser.get("/organiser/agreement/meaning").content.decode()


def test_home_says_no_number_of_judgements_while_the_first_count_is_under_way(organised, tmp_path):
    from accord.server.workspace.cards import Shown
    from accord.server.workspace.home import _why

    place = SimpleNamespace(folder=tmp_path, key="here")
    counted, unknown = Shown(place, "running", {"judgements": 7}, None), Shown(place, "unknown", {}, None)
    assert "kept here" not in _why([unknown]) and "kept here: 7." in _why([unknown, counted])


def test_an_answer_that_was_taken_back_is_nobodys_word_on_the_text(organised):
    from uuid import uuid4

    from django.utils import timezone

    from accord.server.models import Judgement
    from accord.server.organiser.arbitration import rated_name
    from accord.server.organiser.judgements import item_of, said_about
    from accord.server.organiser.ratings import collect, state_of_judgements
    from accord.server.organiser.snapshot import compute_snapshot, latest_snapshot
    from accord.server.study import current

    given = Judgement.objects.filter(criterion="marks", task__role="system").select_related("task__rater").last()
    name, rater = item_of(current(), rated_name(current(), given)), given.task.rater.pseudonym

    def counts():
        return [one.rater for one in said_about(current(), name) if one.counts and one.criterion == "marks"]

    assert rater in counts()
    last = Judgement.objects.filter(task=given.task, criterion="marks", place=given.place).order_by("revision").last()
    Judgement.objects.create(
        uuid=uuid4(), task=given.task, criterion="marks", place=given.place, value=None, guideline=given.guideline,
        revision=last.revision + 1, made_at=timezone.now(),
    )  # fmt: skip
    assert rater not in counts()
    compute_snapshot()
    newest = latest_snapshot()
    counted = sum(group["ratings"] for group in newest.results["groups"] if group["criterion"] == "marks")
    again = collect().ordinary("marks")
    assert counted == len(again) and newest.state == state_of_judgements()


@pytest.mark.parametrize(("criterion", "heading"), [("meaning", "κ, unweighted"), ("quality", "κ, weighted")])
def test_the_table_of_pairs_says_which_kappa_it_shows(organiser, results, criterion, heading):
    page = organiser.get(f"/organiser/agreement/{criterion}").content.decode()
    assert f">{heading}</th>" in page and f"κ: Cohen’s kappa, {heading[3:]}" in page


@pytest.mark.parametrize(
    ("state", "said", "words"),
    [
        ("running", {"judgements": 0}, "Not computed yet: no judgements."),
        ("draft", {}, "Not computed yet: no judgements."),
        ("unknown", {}, "Not computed yet."),
        ("running", {"judgements": 7}, "Not computed yet."),
    ],
)
def test_home_says_that_there_are_no_judgements_only_where_they_were_counted(organised, state, said, words):
    from types import SimpleNamespace

    from django.template.loader import render_to_string

    row = SimpleNamespace(shown=SimpleNamespace(said=said, state=state, key="one"), name="One", state=state, actions=())
    assert f">{words}<" in render_to_string("workspace/home.html", {"rows": [row]})


def test_of_screens_done_the_whole_is_said_to_be_of_those_invited_so_far(organiser, results):
    for page in ("/organiser", "/organiser/people"):
        assert "given to 4 of 6 raters so far" in organiser.get(page).content.decode()


def test_a_chance_is_never_called_nothing(organised):
    from accord.server.templatetags.humanly import chance

    assert [chance(p) for p in (0.00001, 0.0304, 1.0)] == ["< .001", ".030", "1.000"]
