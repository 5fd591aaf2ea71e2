"""What is read in several questions is of one moment, whoever saves between them."""

import csv
import io
import json
import threading
from contextlib import nullcontext
from uuid import uuid4

import pytest

from empty_database import opened_study
from own_postgres import own_postgres
from served_study import make_study


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def study(request, tmp_path_factory):
    """A study on each database, in this process."""
    with (
        own_postgres() if request.param == "postgres" else nullcontext("") as address,
        pytest.MonkeyPatch.context() as to,
    ):
        to.delenv("ACCORD_DATABASE_URL", raising=False)
        if address:
            to.setenv("ACCORD_DATABASE_URL", address)
        yield opened_study(make_study(tmp_path_factory.mktemp("moment")))
        from django.db import connections

        connections.close_all()


class Saver:
    """A rater who corrects one answer and gives a new one after each question that is asked of the database."""

    def __init__(self):
        from accord.server.guidelines import latest
        from accord.server.invitations import invite_raters
        from accord.server.study import PRACTICE

        person, _ = invite_raters(1)[0]
        screens = person.tasks.exclude(role=PRACTICE).filter(scenario="alone")
        self.tasks = [task.pk for task in screens.order_by("order")]
        self.version, self.revision, self.new = latest().pk, 0, 0
        self.save()

    def save(self):
        from django.utils import timezone

        from accord.server.models import Judgement

        self.revision += 1
        self.new = min(self.new + 1, len(self.tasks) - 1)
        for task, revision in ((self.tasks[0], self.revision), (self.tasks[self.new], self.revision)):
            Judgement.objects.create(
                uuid=uuid4(), task_id=task, criterion="quality", place=0, value=3, revision=revision,
                guideline_id=self.version, made_at=timezone.now(),
            )  # fmt: skip

    def after_each_question(self, execute, sql, params, many, context):
        found = execute(sql, params, many, context)
        if sql.lstrip().upper().startswith("SELECT"):
            self.elsewhere(self.save)
        return found

    @staticmethod
    def elsewhere(do):
        """In a thread with a connection of its own, as another worker has it."""
        failed = []

        def run():
            from django.db import connection

            try:
                do()
            except Exception as error:  # told to the thread that waits
                failed.append(error)
            finally:
                connection.close()

        thread = threading.Thread(target=run)
        thread.start()
        thread.join(60)
        assert not thread.is_alive(), "a save waits for a reader"
        assert not failed, failed


@pytest.fixture
def saves(study):
    """The exporting thread's questions, each followed by two saves."""
    from django.db import connection

    saver = Saver()
    with connection.execute_wrapper(saver.after_each_question):
        yield saver


def table(lines):
    return list(csv.DictReader(io.StringIO("".join(lines), newline="")))


def test_the_newest_answer_is_never_called_superseded_while_somebody_saves(saves):
    """It answered 500 where a new question came between its two looks, or said that the older answer counts."""
    from accord.server.export import TABLES, lines_of_one_moment

    rows = table(lines_of_one_moment(TABLES["judgements"]))
    assert {row["uuid"] for row in rows} >= {row["superseded_by"] for row in rows} - {""}
    of_question = {}
    for row in rows:
        of_question.setdefault((row["rater"], row["item"], row["order"]), []).append(row)
    for answers in of_question.values():
        newest = max(answers, key=lambda row: int(row["revision"]))
        assert [row["uuid"] for row in answers if not row["superseded_by"]] == [newest["uuid"]]


def test_a_file_and_its_codebook_are_of_one_moment(saves, tmp_path):
    from accord.server.export import write_table

    for name in ("judgements", "ratings", "timings", "suggestions", "questionnaire"):
        write_table(name, tmp_path / f"{name}.csv")
    assert json.loads((tmp_path / "datapackage.json").read_text())["resources"]


def test_what_is_verified_is_of_one_moment(saves, study):
    from accord.server.verifying import verify_study

    verified = verify_study(study)
    assert verified.judgements and verified.problems == ()


def test_results_are_of_the_state_that_they_name(saves):
    from accord.server.models import Judgement
    from accord.server.organiser.ratings import collect_with_past

    collected, past = collect_with_past()
    assert collected.judgements == len(past.made) < Judgement.objects.count()


def test_whoever_reads_one_moment_keeps_nobody_from_saving_and_sees_nothing_of_it(study):
    from accord.server.models import Judgement
    from accord.server.one_moment import one_moment

    saver = Saver()
    with one_moment():
        before = Judgement.objects.count()
        with one_moment():
            saver.elsewhere(saver.save)
        assert Judgement.objects.count() == before
    assert Judgement.objects.count() == before + 2
    saver.save()  # and who read writes again as before
