"""Reports and files are made in a process of their own, with progress, cancel and a kept result."""

import io
import os
import subprocess
import sys
import time
import zipfile

import pytest

pytestmark = pytest.mark.usefixtures("organised")


@pytest.fixture
def here(organised, monkeypatch):
    """Jobs run in this process, one after the other, when the test says so."""
    from accord.server.organiser import jobs

    begun = []
    monkeypatch.setattr(jobs, "start", lambda what, key: begun.append(int(key)))
    return begun


def test_a_file_is_made_once_kept_and_downloaded(organiser, here):
    from accord.server.models_organiser import Job
    from accord.server.organiser import jobs

    assert organiser.post("/organiser/reports/begin", {"kind": "ratings"}).status_code == 302
    organiser.post("/organiser/reports/begin", {"kind": "ratings"})
    assert len(here) == 1, "what is being made is not made twice"
    assert "being made" in organiser.get("/organiser/reports").content.decode()
    jobs.run(here[0])
    job = Job.objects.get(pk=here[0])
    assert (job.state, job.done, job.by) == ("done", 1.0, "ana") and job.finished_at is not None
    answer = organiser.get(f"/organiser/reports/{job.pk}/file")
    kept = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    answer.close()
    assert sorted(kept.namelist()) == ["ratings.csv", "ratings.csv.datapackage.json"]
    direct = zipfile.ZipFile(io.BytesIO(organiser.get("/organiser/export/ratings.zip").content))
    assert kept.read("ratings.csv") == direct.read("ratings.csv")


@pytest.mark.parametrize("kind", ["analysed", "exclusions", "report-md"])
def test_every_kind_of_job_can_be_made(organiser, here, kind):
    from accord.server.models_organiser import Job
    from accord.server.organiser import jobs

    told = []
    job = jobs.begin(kind, "ana")
    update = jobs._telling(job)
    target = jobs._folder() / f"made.{jobs.KINDS[kind].ending}"
    jobs.KINDS[kind].make(target, lambda share: (told.append(share), update(share)))
    assert all(0 <= share <= 1 for share in told) and target.stat().st_size > 50
    assert kind != "report-md" or len(told) > 3, "a report says how far it is"
    Job.objects.filter(pk=job.pk).update(state="cancelled")


def test_a_report_tells_each_of_its_steps_however_soon_they_follow(organiser, here, monkeypatch):
    """It stood at 0 or 15% until it was done: whatever came within half a second of the last was not told."""
    from django.db.models.query import QuerySet

    from accord.server.models_organiser import Job
    from accord.server.organiser import jobs

    told, update = [], QuerySet.update

    def kept(self, **fields):
        if self.model is Job and "done" in fields:
            told.append(round(100 * fields["done"]))
        return update(self, **fields)

    monkeypatch.setattr(QuerySet, "update", kept)
    monkeypatch.setattr(jobs.time, "monotonic", lambda: 7.0)
    jobs.run(jobs.begin("report-md", "ana").pk)
    assert told == [2, 10, 23, 37, 50, 63, 77, 90, 100]


def test_a_cancelled_job_stops_and_leaves_nothing_behind(organiser, here, monkeypatch):
    from accord.server.models_organiser import Job
    from accord.server.organiser import jobs

    job = jobs.begin("timings", "ana")
    assert organiser.post(f"/organiser/reports/{job.pk}/cancel").status_code == 302
    slow = jobs.Kind("Timings", "zip", lambda target, tell: (target.write_text("half"), tell(0.5), 1 / 0))
    monkeypatch.setattr(jobs, "KINDS", {**jobs.KINDS, "timings": slow})
    jobs.run(job.pk)
    job = Job.objects.get(pk=job.pk)
    assert job.state == "cancelled" and not job.file
    assert not [path for path in jobs._folder().iterdir() if path.name.startswith("partial-")]
    assert organiser.get(f"/organiser/reports/{job.pk}/file").status_code == 404
    assert "cancelled" in organiser.get("/organiser/reports/live").json()["parts"]["jobs"]


def test_what_goes_wrong_is_said_in_words_and_can_be_tried_again(organiser, here, monkeypatch):
    from datetime import timedelta

    from django.utils import timezone

    from accord.errors import OperationError
    from accord.server.models_organiser import Job
    from accord.server.organiser import jobs

    def full(target, tell):
        raise OperationError("The disk is full.")

    monkeypatch.setattr(jobs, "KINDS", {**jobs.KINDS, "decisions": jobs.Kind("Decisions", "zip", full)})
    job = jobs.begin("decisions", "ana")
    jobs.run(job.pk)
    page = organiser.get("/organiser/reports").content.decode()
    assert "The disk is full." in page and "Traceback" not in page
    again = jobs.begin("decisions", "ana")
    assert again.pk != job.pk
    Job.objects.filter(pk=again.pk).update(seen_at=timezone.now() - timedelta(minutes=9))
    organiser.get("/organiser/reports")
    assert Job.objects.get(pk=again.pk).state == "failed", "its process has gone"
    refused = organiser.post("/organiser/reports/begin", {"kind": "secrets"})
    assert refused.status_code == 400 and "cannot be made" in refused.content.decode()


def test_a_report_is_made_by_a_process_of_its_own(organiser, organised):
    from accord.server.models_organiser import Job

    organiser.post("/organiser/reports/begin", {"kind": "report-html"})
    job = Job.objects.latest("pk")
    for _ in range(6000):
        job.refresh_from_db()
        if job.state != "running":
            break
        time.sleep(0.1)
    assert job.state == "done", job.problem
    answer = organiser.get(f"/organiser/reports/{job.pk}/file")
    page = b"".join(answer.streaming_content).decode()
    answer.close()
    assert "<html" in page and "Notices, English to Portuguese" in page
    assert answer.headers["Content-Disposition"].startswith("attachment")


def made_by(organiser, here, **form):
    from accord.server.models_organiser import Job
    from accord.server.organiser import jobs

    assert organiser.post("/organiser/reports/begin", form).status_code == 302
    jobs.run(here[-1])
    answer = organiser.get(f"/organiser/reports/{here[-1]}/file")
    content = b"".join(answer.streaming_content)
    answer.close()
    return Job.objects.get(pk=here[-1]), content


def test_a_report_says_the_real_names_of_the_systems_where_that_is_chosen_and_the_log_says_who_did(organiser, here):
    from accord.server.models_organiser import Access
    from accord.server.study import current

    systems = current().study.systems
    _, blind = made_by(organiser, here, kind="report-md")
    assert "system-1" in blind.decode() and not any(f"{name} is" in blind.decode() for name in systems)
    job, named = made_by(organiser, here, kind="report-md", named="yes")
    assert job.kind == "report-md-named" and "system-1" not in named.decode()
    assert all(name in named.decode() for name in systems)
    assert Access.objects.filter(by="ana", what="made report-md with the names of the systems").count() == 1
    _, table = made_by(organiser, here, kind="analysed", named="yes")
    rows = zipfile.ZipFile(io.BytesIO(table)).read("analysed.csv").decode()
    assert "system-1" not in rows and all(name in rows for name in systems)


def test_a_blind_report_of_a_study_whose_title_names_the_systems_holds_no_key_to_their_codes(
    organiser, here, monkeypatch
):
    """Title as typed and «the study 'system-2, system-1'» stood in one file: together they name each code."""
    from dataclasses import replace

    from accord.ratings.study_codebook import system_names
    from accord.server import collected_rows, reporting
    from accord.server.organiser import jobs, ratings
    from accord.server.study import LoadedStudy, current

    loaded = current()
    names, codes = loaded.study.systems, system_names(loaded.study)
    title = ", ".join(names)
    settings = loaded.settings.model_copy(update={"title": title, "description": f"We compare {title}."})
    named = LoadedStudy(replace(loaded.study, settings=settings))
    for module in (reporting, ratings, jobs, collected_rows):
        if hasattr(module, "current"):
            monkeypatch.setattr(module, "current", lambda: named)
    _, made = made_by(organiser, here, kind="report-html")
    text = made.decode()
    assert title in text and f"We compare {title}" not in text
    assert ", ".join(codes[name] for name in names) not in text


def test_the_choice_of_names_is_on_once_the_study_is_unblinded(organiser, here):
    box = 'name="named" value="yes"'
    page = organiser.get("/organiser/reports").content.decode()
    assert page.count(box) == 2 and f"{box} checked" not in page
    organiser.post("/organiser/unblind", {"named": "yes"})
    try:
        assert organiser.get("/organiser/reports").content.decode().count(f"{box} checked") == 2
    finally:
        organiser.post("/organiser/unblind", {"named": "no"})


def test_a_job_cancelled_at_its_last_moment_leaves_no_file(organiser, here, monkeypatch):
    """As forgetting a rater does, whose words would stay in the folder and in every backup."""
    from dataclasses import replace

    from accord.server.models_organiser import Job
    from accord.server.organiser import jobs

    def make(target, tell):
        target.write_text("words of a rater")
        jobs.cancel(job)

    job = jobs.begin("ratings", "ana")
    monkeypatch.setattr(jobs, "KINDS", {"ratings": replace(jobs.KINDS["ratings"], make=make)})
    jobs.run(job.pk)
    assert Job.objects.get(pk=job.pk).state == "cancelled"
    assert not [path for path in jobs._folder().iterdir() if path.read_bytes() == b"words of a rater"]


def test_what_is_computed_for_a_study_that_was_removed_ends_without_a_word(tmp_path):
    """A demonstration that is stopped takes its folder away while its results are begun."""
    command = [sys.executable, "-m", "accord.server.organiser.background", "snapshot"]
    env = {**os.environ, "ACCORD_STUDY": str(tmp_path / "gone")}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
