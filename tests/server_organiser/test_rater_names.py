"""An organiser may write down who a rater is; organisers read it, and nobody else, and no file has it."""

import io
import json
import zipfile

import pytest

from organised_study import fill_in, logged_in, write_study

NAME = "Zebedia Quux"


@pytest.fixture(scope="module")
def organiser(django_on, tmp_path_factory):
    django_on(write_study(tmp_path_factory.mktemp("named")))
    fill_in()
    from accord.server.models import Rater

    Rater.objects.filter(pseudonym="R2").update(state="active")
    client = logged_in("ola")
    client.post("/organiser/raters/R2/label", {"label": f" {NAME} "})
    return client


def test_the_name_stands_on_the_pages_of_organisers(organiser):
    for path in ("/organiser/people", "/organiser/raters/R2"):
        assert NAME in organiser.get(path).content.decode()
    assert NAME not in organiser.get("/organiser").content.decode()


def test_a_viewer_does_not_read_it(organiser):
    from django.test import RequestFactory

    from accord.server.models import Rater
    from accord.server.organiser.raters import rater
    from accord.server.workspace.colleagues import Colleague

    asked = RequestFactory().get("/organiser/raters/R2", headers={"host": "127.0.0.1"})
    for role, reads in (("viewer", False), ("arbiter", False), ("organiser", True)):
        asked.user, asked.session = Colleague("vera", role), {}
        page = rater(asked, "R2").content.decode()
        assert (NAME in page) == reads, role
    assert Rater.objects.get(pseudonym="R2").label == NAME


FILES = [
    *(f"/organiser/export/{name}.zip" for name in ("ratings", "judgements", "questionnaire", "timings")),
    *(f"/organiser/files/{name}" for name in ("analysed.zip", "exclusions.zip", "access.csv")),
]


@pytest.mark.parametrize("path", FILES)
def test_no_file_that_is_handed_out_has_it(organiser, path):
    answer = organiser.get(path)
    assert answer.status_code == 200
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    texts = [content]
    if path.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            texts = [archive.read(name) for name in archive.namelist()]
    assert any(b"R2" in text for text in texts) or "questionnaire" in path or "exclusions" in path or "access" in path
    assert all(NAME.split()[0].encode() not in text for text in texts)


def test_the_report_has_the_pseudonym_alone(organiser):
    from accord.server.reporting import report_html

    page = report_html()
    assert b"R2" in page and b"Quux" not in page


def test_who_asks_what_is_kept_is_told_and_whoever_is_forgotten_loses_the_name(organiser):
    from accord.server.models import Rater
    from accord.server.organiser.forgetting import forget
    from accord.server.organiser.stored import stored_about

    assert NAME in json.dumps(stored_about("R2"), default=str)
    forget("R2")
    assert Rater.objects.get(pseudonym="R2").label == ""
