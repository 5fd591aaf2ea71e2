"""The description of the API says which fields answers have, and they have these and no others."""

import json
from typing import get_args

import pytest
from pydantic import BaseModel

PATHS = {
    "study": "Study", "progress": "Progress", "phases": "Phases", "reliability": "Reliability",
    "reliability/history": "History", "items/d1-2:system-1": "Item", "raters": "Raters", "raters/R1": "RaterPage",
    "quality": "Quality", "coefficients/quality": "Coefficients", "comments": "Comments",
    "contests": "Contests", "jobs": "Jobs",
}  # fmt: skip


@pytest.fixture(scope="module")
def token(organised):
    from accord.server.api.tokens import make_token
    from accord.server.models import Judgement, Rater, Remark
    from accord.server.models_organiser import Contest, Job

    for key in ("marks", "quality"):
        row = Judgement.objects.filter(criterion=key, task__role="system").exclude(value=[]).first()
        Contest.objects.create(judgement=row, reason="Not so.", by="ana")
    uuid = "6f1c1f0e-3a35-4b55-9d0e-0a9f5c2c7a11"
    Remark.objects.create(rater=Rater.objects.first(), about=Remark.About.QUESTION, text="May I?", uuid=uuid)
    Job.objects.create(kind="ratings", state="done", by="ana", data_state="x")
    return make_token("organiser", "answers")[1]


@pytest.fixture
def ask(visitor, token):
    return lambda path: visitor.get(f"/api/v1/{path}", headers={"Authorization": f"Bearer {token}"})


def undescribed(model, told, where=""):
    """Fields of an answer that its description does not have, at any depth."""
    found = [f"{where}{name}" for name in told if name not in model.model_fields]
    for name, field in model.model_fields.items():
        shapes = [one for one in (field.annotation, *get_args(field.annotation)) if is_shape(one)]
        inner = told.get(name)
        for one in inner if isinstance(inner, list) else [inner] if isinstance(inner, dict) else []:
            found += undescribed(shapes[0], one, f"{where}{name}.") if shapes else []
    return found


def is_shape(one):
    return isinstance(one, type) and issubclass(one, BaseModel)


# What a contest has depends on what is contested; the description says so in words.
FREE = {
    "contests.points_before", "contests.points_after", "contests.words", "contests.rate_before", "contests.rate_after",
    "contests.passes_after", "contests.points_low", "contests.points_high", "contests.verdict", "contests.errors",
    "contests.ruled", "contests.overturned", "contests.added", "contests.marks", "contests.score_before",
    "contests.reviews", "contests.after",
}  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_an_answer_has_the_fields_that_are_described(ask, path):
    from accord.server.api import answers

    told = ask(path)
    assert told.status_code == 200, told.content
    shape = getattr(answers, PATHS[path])
    shape.model_validate(told.json(), strict=True)
    assert set(undescribed(shape, told.json())) <= FREE


def test_the_description_names_them(ask):
    described = json.loads(ask("openapi.json").content)
    for path in ("study", "progress", "reliability", "raters", "contests"):
        (address,) = [one for one in described["paths"] if one.endswith(f"/api/v1/{path}")]
        operation = described["paths"][address]["get"]
        name = operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        assert (name, operation["x-role"]) == (PATHS[path], "viewer")
        assert described["components"]["schemas"][name]["properties"]
