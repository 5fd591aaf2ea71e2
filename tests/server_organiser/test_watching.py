"""The charts of the dashboard: counted and computed from the same rows as everything else, and honest about gaps."""

import os
import re
import sys
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest

import accord

DAY = timedelta(days=1)
START = datetime(2026, 3, 2, 9, tzinfo=UTC)

pytestmark = pytest.mark.usefixtures("organised")


@pytest.fixture(scope="module")
def results(organised):
    from accord.server.organiser.snapshot import latest_snapshot, refresh

    assert refresh(here=True)
    return latest_snapshot().results


def test_a_course_ends_in_the_number_of_today_and_its_points_are_what_was_there_by_then(organised, results):
    from accord.ratings.collected import collected_ratings
    from accord.server.collected_rows import codebook_now, fetch_rows
    from accord.server.study import current

    course = next(one for one in results["growth"]["courses"] if one["title"].startswith("quality"))
    main = next(group["main"] for group in results["groups"] if group["title"] == course["title"])
    assert course["points"][-1]["value"] == main["value"]
    early = course["points"][0]
    rows = fetch_rows(until=datetime.fromisoformat(early["at"]))
    assert 0 < len(rows.judgements.task) < results["growth"]["answers"]
    ratings = collected_ratings(current().study, rows, codebook_now(current())).only(criterion="quality")
    part = next(ratings.split(["criterion"])).ratings
    again = accord.agreement(part, coefficients="krippendorff_alpha")["krippendorff_alpha"]
    assert early["value"] == pytest.approx(again.value, abs=1e-12)


def test_a_new_guideline_is_an_upright_line_in_the_course():
    from accord.server.organiser.charts import course_of

    points = [{"answers": n, "value": v, "low": v - 0.1, "high": v + 0.1} for n, v in ((50, 0.2), (100, 0.5))]
    drawn = course_of(points, 100, [{"version": 2, "answers": 75}], "krippendorff_alpha")
    assert drawn.versions == (225.0,) and drawn.end == (300.0, 42.0) and len(drawn.marks) == 2
    assert drawn.words == "rising", "0.5 lies above 0.1 to 0.3"
    unsure = {**points[0], "low": 0.1, "high": 0.6}
    assert course_of([unsure, points[1]], 100, [], "krippendorff_alpha").words == "", "a line that moved is not steady"
    assert course_of([{**unsure, "value": 0.45}, points[1]], 100, [], "krippendorff_alpha").words == "steady"
    unsettled = [{**one, "value": v, "low": -0.2, "high": 0.9} for one, v in zip(points, (0.6, 0.3), strict=True)]
    assert course_of(unsettled, 100, [], "krippendorff_alpha").words == "", "an interval that holds all says nothing"
    assert course_of(points[:1], 100, [], "krippendorff_alpha") is None, "one point is no course"
    below = course_of([{**points[0], "value": -0.4, "low": -0.6}, points[1]], 100, [], "krippendorff_alpha")
    assert below.line.startswith("150.0,84.0"), "what lies below 0 is drawn at 0"


def test_every_screen_given_is_in_the_map_of_coverage(organised):
    from accord.server.organiser.coverage import count_coverage
    from accord.server.organiser.progress import progress

    covered, counted = count_coverage(), progress()
    cells = [cell for _, row in covered.rows for cell in row]
    assert sum(cell.given for cell in cells) == counted.tasks and sum(cell.done for cell in cells) == counted.done
    assert [name for name, _ in covered.rows] == ["d1", "d2"]
    for place, rater in enumerate(counted.raters):
        assert covered.raters[place] == rater.name
        assert sum(row[place].done for _, row in covered.rows) == rater.done


def test_of_many_documents_those_with_the_most_left_are_drawn_in_their_own_order():
    from accord.server.organiser.coverage import Cell, Coverage, shortened

    rows = tuple((f"d{n}", (Cell(9, 9), Cell(n, 9))) for n in (5, 1, 8, 2))
    drawn = shortened(Coverage(("a", "b"), rows, 4, 2), documents=2, raters=1)
    assert drawn.raters == ("b",) and [name for name, _ in drawn.rows] == ["d1", "d2"] and drawn.is_short
    assert [cell.state for cell in (Cell(0, 0), Cell(0, 2), Cell(1, 2), Cell(2, 2))] == [
        "none", "todo", "begun", "done",
    ]  # fmt: skip


def test_two_raters_are_as_far_apart_as_their_items_say(organised, results):
    from accord.server.organiser.drill_down import both_rated

    for criterion in ("meaning", "quality"):
        found = next(one for one in results["apart"] if one["criterion"] == criterion)
        assert found["points"]
        for first, second, value, items in found["pairs"]:
            rows = both_rated(criterion, first, second).rows
            assert items == len(rows) and value == pytest.approx(sum(row["gap"] for row in rows) / items)


@pytest.mark.parametrize(
    ("pairs", "points", "words"),
    [
        ([], True, "No two raters share a text yet."),
        ([["a", "b", 17.0, 9], ["a", "c", 20.0, 9], ["b", "c", 8.0, 9]], True,
         "a is 17–20 points from everyone; all other pairs differ by 8.0 or less."),
        ([["a", "b", 17.0, 9], ["a", "c", 8.0, 9], ["b", "c", 8.0, 9]], True,
         "Furthest apart: a and b, 17 points on average over 9 texts."),
        ([["a", "b", 0.5, 36]], False, "Furthest apart: a and b, who differ on 50% of 36 texts."),
    ],
)  # fmt: skip
def test_the_map_of_disagreement_is_read_aloud(pairs, points, words):
    from accord.server.organiser.apart import said_of_map

    assert said_of_map({"criterion": "x", "points": points, "pairs": pairs}) == words


@pytest.mark.parametrize(
    ("pairs", "points", "step", "words", "colours"),
    [
        ([["a", "b", 0.86, 9], ["a", "c", 0.93, 9], ["b", "c", 0.97, 9]], True, 0.4,
         "No pair of raters stands out: all differ by about 0.9–1.0 points on average.", "d3 d3 d3"),
        ([["a", "b", 0.54, 9], ["a", "c", 0.53, 9], ["b", "c", 0.46, 9]], True, 0.4,
         "No pair of raters stands out: all differ by about 0.5 points on average.", "d2 d2 d2"),
        ([["a", "b", 1.3, 9], ["a", "c", 1.34, 9], ["b", "c", 0.3, 9]], True, 0.4,
         "a is 1.3 points from everyone; all other pairs differ by 0.3 or less.", "d4 d4 d1"),
        ([["a", "b", 0.31, 9], ["a", "c", 0.32, 9], ["b", "c", 0.3, 9]], False, 0.2,
         "No pair of raters stands out: all differ on about 30%–32% of the texts.", "d2 d2 d2"),
        ([["a", "b", 60.0, 9]], True, 10.0, "Furthest apart: a and b, 60 points on average over 9 texts.", "d5"),
    ],
)  # fmt: skip
def test_colours_of_the_map_are_of_the_scale_and_nobody_is_accused_of_rounding(pairs, points, step, words, colours):
    from accord.server.organiser.apart import map_of

    drawn = map_of({"criterion": "x", "points": points, "pairs": pairs, "step": step})
    assert drawn.words == words
    assert " ".join(cell[2] for _, cells in drawn.rows for cell in cells) == colours


def test_a_colour_stands_for_a_tenth_of_the_scale(results):
    steps = {one["criterion"]: one["step"] for one in results["apart"]}
    assert steps["meaning"] == pytest.approx(0.3) and steps["quality"] == pytest.approx(10.0)


def test_pairs_that_share_nothing_are_left_empty_and_a_crowd_gets_a_list(monkeypatch):
    from accord.server.organiser import apart

    found = {"criterion": "x", "points": True, "step": 1.2, "pairs": [["a", "b", 1.0, 3], ["c", "d", 5.0, 3]]}
    drawn = apart.map_of(found)
    assert drawn.rows[0] == ("b", (("a", "1.0", "d1"),)) and drawn.rows[1] == ("c", (None, None))
    assert drawn.rows[2] == ("d", (None, None, ("c", "5.0", "d5")))
    monkeypatch.setattr(apart, "MOST_RATERS", 3)
    assert apart.map_of(found) is None


def test_the_items_to_look_at_are_disputed_and_come_from_every_criterion_in_turn(results):
    chosen = results["next"]
    assert 3 <= len(chosen) <= 5 and len({one["item"] for one in chosen}) == len(chosen)
    assert {one["criterion"] for one in chosen[:3]} == {"meaning", "quality", "marks"}
    for one in chosen:
        group = next(g for g in results["groups"] if g["criterion"] == one["criterion"])
        told = next(d for d in group["disputed"] if d["item"] == one["item"])
        assert told["entropy"] > 0 and len(one["raters"]) == told["ratings"] and one["words"]


@pytest.mark.parametrize(
    ("values", "places", "words"),
    [
        (["88", "12", "41"], [0.88, 0.12, 0.41], "a gave 88, the others 12 to 41."),
        (["12", "41", "60"], [0.12, 0.41, 0.60], "From 12 (a) to 60 (c)."),
        (["style", "none", "style"], None, "2 × style, 1 × none."),
    ],
)
def test_what_raters_said_of_an_item_is_told_in_a_sentence(organised, values, places, words):
    from accord.server.organiser.next_items import spread_of

    assert spread_of({"raters": ["a", "b", "c"], "values": values, "places": places}) == words


def test_the_overview_tells_it_in_the_language_of_its_reader(organiser, results):
    organiser.cookies["accord_language"] = "de"
    page = organiser.get("/organiser").content.decode()
    del organiser.cookies["accord_language"]
    assert "Von " in page and not re.search(r"From \S+ \(|, the others ", page)


def _pace(*counts):
    from accord.server.organiser.pace import Pace

    return Pace(True, tuple((START + place * DAY, count) for place, count in enumerate(counts) if count))


@pytest.mark.parametrize(
    ("counts", "done", "tasks", "after", "words"),
    [
        ((), 0, 9, 0, "Nobody has judged anything yet."),
        ((10, 10, 10), 30, 30, 0, "Every screen handed out is done."),
        ((10, 10, 10), 30, 40, 4, "Nobody has judged anything for 4 days; 10 screens are open."),
        ((10, 10), 20, 40, 0, "20 screens are open. When they will be done can be said after 3 days of work."),
        ((10, 10, 10, 10), 40, 60, 0, "10 answers a day. The last 20 screens should be done by 7 Mar."),
        ((8, 12, 8, 12), 40, 60, 0, "10 answers a day. The last 20 screens should be done by 7 Mar to 9 Mar."),
        ((1, 0, 40), 41, 60, 0,
         "14 answers a day, but days differ so much that only the earliest end can be said: 5 Mar."),
    ],
)  # fmt: skip
def test_the_end_is_foretold_from_days_and_never_from_too_few(counts, done, tasks, after, words):
    from accord.server.organiser.pace import forecast_of

    today = date(2026, 3, 2) + max(0, len(counts) - 1) * DAY + after * DAY
    assert forecast_of(_pace(*counts), done, tasks, today)[1] == words


def test_answers_are_counted_and_corrections_are_not(organised):
    from accord.server.guidelines import latest
    from accord.server.models import Judgement, Rater
    from accord.server.organiser.pace import count_pace
    from accord.server.organiser.progress import progress

    before, pace = progress(), count_pace()
    task = Rater.objects.first().tasks.filter(role="system").last()
    Judgement.objects.create(
        uuid=uuid4(), task=task, criterion="meaning", place=0, value=1, guideline=latest(), revision=9,
        made_at=START,
    )  # fmt: skip
    after = progress()
    assert after.judgements == before.judgements and after.raters[0].judgements == before.raters[0].judgements
    assert count_pace().answers == pace.answers == before.judgements


def test_systems_are_ranked_as_the_report_ranks_them_under_codes(organiser, results):
    from accord.ratings.leaving_out import with_exclusions
    from accord.reporting.analysis import analyse
    from accord.server.organiser.ranked import rankings_in_brief, systems_ranked
    from accord.server.organiser.ratings import all_ratings, collect

    report = dict(analyse(with_exclusions(all_ratings())).rankings)
    counted = collect().analysed()
    for one in rankings_in_brief(counted, systems_ranked(counted)[0])["made"]:
        assert [(s["system"], s["score"], s["ranks"]) for s in one["systems"]] == [
            (s.name, s.score, s.ranks) for s in report[one["criterion"]].systems
        ]
    assert results["rankings"]["made"]


def test_names_of_systems_are_hidden_until_somebody_unblinds_them_which_is_kept(organiser, results):
    from accord.server.models_organiser import Unblinding
    from accord.server.workspace.cards import _answers

    def ranking():
        page = organiser.get("/organiser").content.decode()
        return page[page.index('data-live="ranking"') : page.index('data-live="look"')]

    def heading():
        return re.search(r"<h1[^>]*>(.*?)</h1>", organiser.get("/organiser").content.decode())[1]

    assert "System 1" in ranking() and "alpha" not in ranking()
    assert re.search(r"System \d", heading()) and not re.search(r"alpha|beta|system-", heading())
    asked = organiser.get("/organiser/unblind/ask").content.decode()
    assert 'role="dialog"' in asked and 'name="named" value="yes"' in asked and "/organiser/unblind/ask" in ranking()
    assert organiser.post("/organiser/unblind", {"named": "yes"}).status_code == 302
    assert "alpha" in ranking() and "System 1" not in ranking()
    assert re.search(r"alpha|beta", heading()) and not re.search(r"[Ss]ystem.\d", heading())
    told = _answers(results)
    assert told["answer"] == heading() and not re.search(r"alpha|beta", told["coded_answer"]), "arbiters stay blind"
    organiser.post("/organiser/unblind", {"named": "yes"})
    organiser.post("/organiser/unblind", {"named": "no"})
    assert "System 1" in ranking()
    assert list(Unblinding.objects.values_list("named", "by")) == [(True, "ana"), (False, "ana")]
    assert organiser.get("/organiser/unblind").status_code == 405


def test_scenarios_are_called_by_their_titles(organised):
    from accord.server.organiser.titles import in_titles, shown_title

    assert in_titles("scenario alone: R1 is strict") == "“One sentence”: R1 is strict"
    assert in_titles("scenario lonely is another word") == "scenario lonely is another word"
    assert shown_title({"title": "meaning · alone", "by": {"scenario": "alone"}}) == "meaning · One sentence"
    combined = {"title": "meaning · combined within scenario", "by": {}, "combined": ["scenario"]}
    assert shown_title(combined) == "meaning"


def test_phases_are_called_by_their_titles_and_versions_by_what_they_are_of(organised, monkeypatch):
    """Such a sentence stood on the home page as “Judgements of adequacy, phase main-part, guideline 1”."""
    from types import SimpleNamespace

    from accord.design.study import Phase
    from accord.server.organiser import opening, titles
    from accord.server.templatetags.humanly import part_titled

    study = titles.current()
    phases = (Phase(key="main", title="Before lunch"), Phase(key="main-part", title="Main part"), Phase(key="plain"))
    settings = study.settings.model_copy(update={"phases": phases})
    shown = SimpleNamespace(scenarios=study.scenarios, settings=settings)
    monkeypatch.setattr(titles, "current", lambda: shown)

    told = titles.in_titles(
        "Judgements of meaning, phase main-part, guideline 1 and meaning, phase plain, guideline 12."
    )
    assert told == "Judgements of meaning, “Main part”, guideline version 1 and meaning, “plain”, guideline version 12."
    assert titles.in_titles("phase mainly, the guideline 2 said") == "phase mainly, the guideline version 2 said"
    by = {"criterion": "meaning", "phase": "main-part", "guideline": "1"}
    assert opening._name(SimpleNamespace(combined=(), by=by), "meaning") == "meaning, Main part, guideline version 1"
    assert (
        titles.shown_title({"title": "meaning · main-part · 1", "by": by})
        == "meaning · Main part · guideline version 1"
    )
    assert part_titled("meaning · main-part") == "meaning · Main part"


def test_of_very_many_judgements_the_page_shows_what_was_counted_beside_it(organiser, results, monkeypatch):
    from accord.server.organiser import coverage, progress, ratings, watched

    small = organiser.get("/organiser").content.decode()
    monkeypatch.setattr(ratings, "MANY", 1)
    for module, name in ((watched, "count_coverage"), (watched, "count_pace"), (progress, "_count")):
        monkeypatch.setattr(module, name, None)
    large = organiser.get("/organiser").content.decode()
    assert coverage and _counts(small) == _counts(large) != []


def _counts(page):
    return re.findall(r"\d+/\d+|<dd class=\"big\">[^<]*", page[page.index('class="hero"') :])


def test_nothing_yet_and_not_computed_yet_are_different_words(organiser, results, monkeypatch):
    from accord.server.organiser import dashboard, watched

    monkeypatch.setattr(dashboard, "latest_snapshot", lambda: None)
    page = organiser.get("/organiser").content.decode()
    assert "The first results are being computed." in page and "Not computed yet." not in page
    monkeypatch.setattr(dashboard, "FEWEST", 10**9)
    page = organiser.get("/organiser").content.decode()
    assert page.count("Not computed yet.") == 4 and "No disputed texts." not in page
    calm = {**results, "next": [], "groups": []}

    class Calm:
        results, judgements, state, made_at = calm, 9, "", START

    monkeypatch.setattr(dashboard, "latest_snapshot", lambda: Calm)
    page = organiser.get("/organiser").content.decode()
    assert "No disputed texts." in page and watched


@pytest.mark.parametrize(
    ("key", "need", "nearest"),
    [
        ("invite", (0, 0, 0, "", "", False), (1, 0, 0, "", "", False)),
        ("answer", (3, 9, 2, "R1", "a", True), (3, 9, 0, "R1", "a", True)),
        ("rater", (3, 9, 0, "R1", "a", True), (3, 9, 0, "", "a", True)),
        ("report", (3, 9, 0, "", "a", True), (3, 9, 0, "", "a", False)),
        ("texts", (3, 9, 0, "", "a", False), (3, 9, 0, "", "", False)),
        ("people", (3, 9, 0, "", "", False), (3, 9, 0, "", "a", False)),
    ],
)
def test_there_is_one_thing_to_do_next_in_every_state(organised, key, need, nearest):
    from accord.server.organiser.opening import Need, next_step

    assert next_step(Need(*need))["key"] == key != next_step(Need(*nearest))["key"]
    assert next_step(Need(*need))["address"].startswith("/organiser")


def test_results_are_kept_without_holding_up_a_save(organised):
    """The process that computes gives way to all others: in a transaction of its own nobody could save meanwhile."""
    from django.db import connection

    from accord.server.organiser.snapshot import compute_snapshot

    written = []

    def watch(execute, sql, params, many, context):
        if (verb := sql.split()[0]) != "SELECT":
            written.append((verb, connection.in_atomic_block))
        return execute(sql, params, many, context)

    compute_snapshot()  # results that the next ones take the place of
    with connection.execute_wrapper(watch):
        made = compute_snapshot()
    assert ("INSERT", False) in written and ("UPDATE", False) in written
    assert {name for name, is_held in written if is_held} <= {"DELETE"}
    from accord.server.models_organiser import Snapshot

    assert [one.pk for one in Snapshot.objects.exclude(results={})] == [made.pk] == [Snapshot.objects.last().pk]


def test_the_process_that_computes_shares_the_session_of_the_server_and_not_its_ctrl_c(
    organised, tmp_path, monkeypatch
):
    """Linux shares a processor among sessions first: niceness changed nothing for a session of its own."""
    from accord.server.organiser import computing

    said = tmp_path / "said"
    code = f"import os; os.write(os.open({str(said)!r}, 65), f'{{os.getsid(0)}} {{os.getpgid(0)}} .'.encode())"
    monkeypatch.setattr(computing, "_command", lambda *what: [sys.executable, "-c", code])
    computing.start("snapshot")
    while not (said.exists() and said.read_text().endswith(".")):
        pass
    session, group, _ = said.read_text().split()
    assert int(session) == os.getsid(0) and int(group) != os.getpgid(0)


def test_first_answers_told_from_all_judgements_are_those_that_the_database_counts(organised):
    from django.db import transaction

    from accord.server.collected_rows import fetch_history, first_answers
    from accord.server.models import Judgement

    with transaction.atomic():
        corrected = Judgement.objects.filter(revision=1, task__rater__kind="human").last()
        corrected.pk, corrected.uuid, corrected.revision = None, uuid4(), 99
        corrected.save(force_insert=True)
        moments, versions = fetch_history().first
        known = first_answers()
        transaction.set_rollback(True)
    assert 0 < len(moments) < Judgement.objects.count() + 1
    assert [moments.tolist(), versions.tolist()] == [column.tolist() for column in known]


def test_the_steps_on_disk_are_those_that_the_framework_would_take(organised):
    from django.db import connection
    from django.db.migrations.loader import MigrationLoader

    from accord.server.connect import _steps_on_disk

    assert _steps_on_disk() == set(MigrationLoader(connection).disk_migrations)


def test_findings_of_the_dashboard_are_those_of_the_criterion_by_itself(organised, results):
    """It looks for them in parts that it has looked at before, under the names that the criterion's own have."""
    from accord.server.organiser.ratings import collect
    from accord.server.study import current

    parts, seed = collect().analysed().split(), current().settings.seed
    known = [finding.message for part in parts for finding in accord.diagnose(part.ratings, seed=seed).findings]
    assert known
    assert sorted(finding["message"] for finding in results["findings"]) == sorted(known)
