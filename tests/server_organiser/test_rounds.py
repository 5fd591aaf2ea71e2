"""The refinement loop: disputed items, independent designers, verdicts, a new version, a new measurement."""

import pytest

from organised_study import logged_in, truth_of


@pytest.fixture(scope="module")
def analysed(organised):
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)


def open_round(client, **more):
    form = {"criterion": "meaning", "items": "3", "target": "0.8", "smallest_gain": "0.05", **more}
    return client.post("/organiser/rounds/open", form)


def test_the_queue_holds_the_items_of_highest_entropy_first(analysed):
    from accord.server.organiser.rounds import queue

    entropies = [one["entropy"] for one in queue("meaning")]
    assert entropies and entropies == sorted(entropies, reverse=True) and min(entropies) > 0


def test_disputes_of_scores_are_told_in_points_and_those_of_few_values_by_entropy(organiser, analysed):
    """Of a score from 0 to 100 every rating is another, and each row had the same entropy."""
    from accord.server.organiser.rounds import queue

    page = organiser.get("/organiser/rounds").content.decode()
    for key, word in (("meaning", "Entropy"), ("quality", "Points apart")):
        table = page[page.index(f'aria-label="Queue of {key}"') :].partition("</table>")[0]
        alone = organiser.get(f"/organiser/agreement/{key}").content.decode()
        others = {"Entropy", "Points apart"} - {word}
        for shown in (table, alone[alone.index('aria-label="Disputed items"') :].partition("</table>")[0]):
            assert f">{word}</th>" in shown and not any(other in shown for other in others)
            for one in queue(key, 3):
                told = f"{one['apart']:.1f}" if word == "Points apart" else f"{one['entropy']:.2f}"
                assert f'<td class="figure">{told}</td>' in shown
    assert len({one["apart"] for one in queue("quality")}) > 1


def test_a_queue_that_is_cut_says_of_how_many(organiser, analysed):
    """The overview counted 22 texts on which raters differ, and the queue ended after ten."""
    from accord.server.organiser.rounds import queue

    page = " ".join(organiser.get("/organiser/rounds").content.decode().split())
    for key in ("meaning", "quality"):
        table = page[page.index(f'aria-label="Queue of {key}"') :].partition("</table>")[0]
        found = len(queue(key, 1_000))
        assert table.count("<tr>") - 1 == min(10, found)
        assert (f'{key} <span class="small soft">10 of {found}</span>' in page) is (found > 10)
    assert any(len(queue(key, 1_000)) > 10 for key in ("meaning", "quality"))


@pytest.mark.parametrize("wrong", [{"items": "0"}, {"items": "x"}, {"target": "2"}, {"target": "nan"},
                                   {"criterion": "nothing"}, {"smallest_gain": "-1"}])  # fmt: skip
def test_a_round_with_an_impossible_stop_rule_is_not_opened(organiser, analysed, wrong):
    from accord.server.models_organiser import Round

    assert open_round(organiser, **wrong).status_code == 400
    assert not Round.objects.exists()


def test_a_complete_round_from_dispute_to_new_measurement(organiser, second, analysed):
    """In the order an organiser works; each step refuses what does not belong there yet."""
    from accord.ratings.study_codebook import system_names
    from accord.server.models import GuidelineVersion, Judgement, Rater
    from accord.server.models_organiser import Change, Round
    from accord.server.study import current

    assert open_round(organiser)["Location"] == "/organiser/rounds/1"
    assert open_round(organiser).status_code == 400, "the first round is not finished"
    turn = Round.objects.get()
    items = list(turn.items.all())
    assert len(items) == 3 and turn.version.number == 1 and turn.target == 0.8
    path = f"/organiser/rounds/1/items/{items[0].pk}"

    # A designer does not see what others said before answering
    page = organiser.get("/organiser/rounds/1").content.decode()
    assert "Your rating" in page and "Why do they differ?" not in page
    assert organiser.post(f"{path}/judge", {"verdict": "vague"}).status_code == 400
    assert organiser.post(f"{path}/rate", {"value": "99"}).status_code == 400
    organiser.post(f"{path}/rate", {"value": "2", "comment": "a secret thought"})
    assert "a secret thought" not in second.get("/organiser/rounds/1").content.decode()
    second.post(f"{path}/rate", {"value": "1", "comment": "mine"})
    assert "a secret thought" in second.get("/organiser/rounds/1").content.decode()

    # Verdicts and the revision log
    assert organiser.post(f"{path}/judge", {"verdict": "tired"}).status_code == 400
    organiser.post(f"{path}/judge", {"verdict": "vague", "note": "what is 'most'?"})
    assert organiser.post("/organiser/rounds/1/changes", {"text": ""}).status_code == 400
    organiser.post("/organiser/rounds/1/changes", {"item": items[0].pk, "text": "Say what counts as most."})
    change = Change.objects.get()
    assert change.item_id == items[0].pk and change.version is None

    # Measuring needs a new version, and a new version needs a new text
    assert organiser.post("/organiser/rounds/1/measure", {"scope": "all"}).status_code == 400
    same = {"text": GuidelineVersion.objects.get().text}
    assert organiser.post("/organiser/rounds/1/publish", same).status_code == 400
    new = {"text": "# How to judge\r\n\r\nMost is more than half.\n"}
    # A worked example needs an answer on which the designers agree
    example = items[1]
    for client in (organiser, second):
        client.post(f"/organiser/rounds/1/items/{example.pk}/rate", {"value": "2"})
    organiser.post(f"/organiser/rounds/1/items/{example.pk}/judge", {"verdict": "vague", "note": "It is *most*."})
    assert organiser.post("/organiser/rounds/1/publish", {**new, "examples": [items[0].pk]}).status_code == 400
    assert f'name="examples" value="{example.pk}"' in organiser.get("/organiser/rounds/1").content.decode()
    # What it does to the answers is asked first, as where a version is published without a round
    asked = organiser.post("/organiser/rounds/1/publish", {**new, "examples": [example.pk]}).content.decode()
    assert GuidelineVersion.objects.count() == 1, "it was published without a word on what that does"
    assert "Publish version 2?" in asked and "Answers under version 1: " in asked and "Finished: " in asked
    assert 'action="/organiser/rounds/1/publish"' in asked and f'name="examples" value="{example.pk}"' in asked
    organiser.post("/organiser/rounds/1/publish", {**new, "examples": [example.pk], "sure": "yes"})
    version = GuidelineVersion.objects.get(number=2)
    change.refresh_from_db()
    assert change.version == version and version.change == "- Say what counts as most."
    assert version.text.startswith(
        "# How to judge\n\nMost is more than half.\n\n## Worked examples\n\n> Source: Source "
    )
    assert version.text.endswith("> **Answer: 2 – most** It is \\*most\\*.\n") and "system-" not in version.text
    assert r"\<b\>today" in version.text, "a text is shown as it is written"
    assert set(Rater.objects.values_list("guidelines_read", flat=True)) == {0}, "raters must read it"

    # The new measurement: same items, new stamp, the old judgements untouched
    before = Judgement.objects.count()
    assert organiser.post("/organiser/rounds/1/measure", {"scope": "all"}).status_code == 302
    assert organiser.post("/organiser/rounds/1/measure", {"scope": "all"}).status_code == 400
    for rater in Rater.objects.all():
        tasks = list(rater.tasks.filter(phase="after-round-1"))
        if tasks:
            assert not any(task.role in ("degraded", "attention", "repeat") for task in tasks)
            told = {f"{task.item}:{system_names(current().study)[task.systems[0]]}" for task in tasks}
            assert example.name not in told, "who has read the answer is not asked again"
            assert items[0].name in told
            agree_on_truth(rater, tasks, version)
    assert Judgement.objects.count() > before
    assert set(Judgement.objects.filter(task__phase="after-round-1").values_list("guideline__number", flat=True)) == {2}

    page = organiser.get("/organiser/rounds/1").content.decode()
    assert "α" in page and "too few to speak for others" in page
    from accord.server.organiser.remeasured import compare_round, stop_advice

    turn.refresh_from_db()
    found = compare_round(turn)
    assert found.after.value == pytest.approx(1.0) and found.before.value < 0.9
    # Agreement rose, but two documents say nothing of other ones: no interval, no test, no reason to stop.
    change = found.comparison.differences[0]
    assert change.value > 0 and change.interval is None and change.p is None and found.given == found.answered
    assert not stop_advice(turn, found).stop and "too few" in stop_advice(turn, found).words


def agree_on_truth(rater, tasks, version):
    from uuid import uuid4

    from django.utils import timezone

    from accord.server.models import Judgement

    Judgement.objects.bulk_create(
        Judgement(
            uuid=uuid4(), task=task, criterion="meaning", place=0, value=truth_of(task), guideline=version,
            made_at=timezone.now(), seconds=9.0,
        )
        for task in tasks
    )  # fmt: skip


def test_the_next_round_queues_what_is_disputed_now(organiser, analysed):
    from accord.server.organiser.rounds import queue
    from accord.server.organiser.snapshot import refresh

    refresh(here=True)
    assert queue("meaning") == [], "all agreed in the last measurement"
    answer = open_round(organiser)
    assert answer.status_code == 400 and "nothing to discuss" in answer.content.decode()


def test_results_that_are_older_than_the_judgements_do_not_say_that_nothing_is_disputed(organiser, analysed):
    """A round that was opened just after the raters had finished read what was found before they had."""
    from accord.server.models_organiser import Snapshot
    from accord.server.organiser.snapshot import latest_snapshot, refresh
    from accord.server.organiser.titles import combined_title

    assert combined_title(["phase"]) == "rounds combined"
    Snapshot.objects.filter(pk=latest_snapshot().pk).update(state="an earlier one")
    said = open_round(organiser).content.decode()
    assert "New results are being computed." in said and "nothing to discuss" not in said
    Snapshot.objects.all().delete()
    refresh(here=True)


def test_reliability_of_rounds_is_never_thrown_together(analysed):
    from accord.server.organiser.snapshot import latest_snapshot

    groups = {group["title"]: group["main"]["value"] for group in latest_snapshot().results["groups"] if group["main"]}
    assert set(groups) >= {"meaning", "meaning · after-round-1"}
    assert groups["meaning · after-round-1"] == pytest.approx(1.0) and groups["meaning"] < 0.9


def test_the_stop_rule_ends_rounds_that_no_longer_help(organised):
    from types import SimpleNamespace as Like

    from accord.inference.interval import Interval
    from accord.server.organiser.remeasured import stop_advice

    def turn(*verdicts, published=None):
        items = Like(values_list=lambda *_, **__: list(verdicts))
        return Like(items=items, target=0.8, smallest_gain=0.05, published_id=published)

    def found(after_low, change_high, answered=10):
        after = Like(interval=Interval(low=after_low, high=0.9, method=""))
        change = Like(interval=Interval(low=-0.2, high=change_high, method=""))
        return Like(after=after, comparison=Like(differences=[change]), given=10, answered=answered)

    assert stop_advice(turn("genuine", "genuine"), None).stop
    assert not stop_advice(turn("genuine", "vague"), None).stop
    assert "change the guideline" in stop_advice(turn("vague"), None).words
    assert "has not been measured yet" in stop_advice(turn("vague", published=3), None).words
    assert stop_advice(turn("vague"), found(0.81, 0.3)).stop
    assert stop_advice(turn("vague"), found(0.5, 0.04)).stop
    assert not stop_advice(turn("vague"), found(0.5, 0.2)).stop
    assert "let raters finish" in stop_advice(turn("vague"), found(0.5, 0.2, answered=3)).words


def test_a_scale_with_other_values_is_predicted_before_anyone_tries_it(organised):
    from accord.server.organiser.remeasured import OtherScale, other_scales

    told = other_scales("meaning")
    assert isinstance(told, OtherScale) and [one.values for one in told.scales] == [2, 3, 4, 5, 6, 7]
    assert all(-1 <= one.kappa <= 1 for one in told.scales)


def test_of_scores_with_many_values_the_page_says_why_no_other_scale_is_predicted(organised, monkeypatch):
    """It predicted kappas where the command, asked the same, had an empty table."""
    from accord.diagnosis import what_if
    from accord.server.models_organiser import Round
    from accord.server.organiser.remeasured import other_scales

    monkeypatch.setattr(what_if, "_MOST_VALUES", 2)
    told = other_scales("meaning")
    assert told.scales == () and told.why_not.startswith("Another number of values is predicted for scales of 2 values")
    page = logged_in("ana").get(f"/organiser/rounds/{Round.objects.first().number}").content.decode()
    assert told.why_not in page and "Predicted κ" not in page
    assert f"{told.now.kappa:.2f}" in page, "what kappa is now is still said"


def test_disputed_items_can_be_measured_with_others_drawn_by_the_seed(organised):
    from accord.server.models_organiser import Round
    from accord.server.organiser.rounds import _scope
    from accord.server.study import current

    turn = Round.objects.get(number=1)
    names = _scope(current(), turn, "others")
    assert len(names) == 6 and names == _scope(current(), turn, "others")
    assert set(turn.items.values_list("name", flat=True)) == _scope(current(), turn, "disputed") < names


def test_a_restart_does_not_publish_the_old_file_again(organised):
    from accord.server.connect import prepare
    from accord.server.guidelines import latest_number

    prepare()
    assert latest_number() == 2


def test_judgements_after_a_round_keep_their_old_stamp_when_the_page_was_open(organised):
    from accord.server.models import Judgement, Rater
    from accord.server.recording import record

    rater = Rater.objects.first()
    task = rater.tasks.filter(phase="after-round-1").first()
    entry = {"uuid": "0" * 31 + "1", "kind": "judgement", "task": task.pk, "criterion": "meaning", "place": 0,
             "value": 1, "guideline": 1, "revision": 2}  # fmt: skip
    assert record(rater, entry).status == "saved"
    assert Judgement.objects.get(uuid=entry["uuid"]).guideline.number == 1


def test_a_measurement_is_compared_with_whatever_versions_came_before_it(organised):
    """Ratings of versions 1 and 2 stand before version 3: kept apart they left nothing to compare, without a word."""
    import accord
    from accord.coefficients.registry import KRIPPENDORFF_ALPHA
    from accord.server.organiser.remeasured import _before_and_after

    rows = [
        {"item": f"i{n}", "rater": rater, "value": (n + turn * (n % 2) * (rater == "b")) % 3, "round": turn,
         "guideline": 3 if turn else 1 + n % 2, "phase": "after-round-1" if turn else ""}
        for n in range(12) for rater in "ab" for turn in (0, 1)
    ]  # fmt: skip
    labelled, not_compared = _before_and_after(accord.read(rows), 1)
    assert set(labelled.columns) == {"when"} and len(labelled) == 48 and not_compared == 0
    before = accord.agreement(labelled.only(when="before"), coefficients=[KRIPPENDORFF_ALPHA], interval="none")
    assert [group.items for group in before.groups] == [12]
    # Of a text that one judged under each version, only the later answer is left, and nothing pairs the two.
    for row in rows:
        row["guideline"] = 3 if row["round"] else 1 + (row["rater"] == "b" and row["item"] == "i3")
    labelled, not_compared = _before_and_after(accord.read(rows), 1)
    assert len(labelled) == 47 and not_compared == 1
